/* See known_komi.h. A file configs/fair/GAME-SIZE.json has the part `fair_komi` of the document of a komi run; see
 * `man stigmergy-komi` for its fields. */
#include "selfplay/analysis/known_komi.h"

#include "selfplay/io/exact_value.h"
#include "selfplay/io/json.h"
#include "selfplay/stats/posterior.h"

#include <stdio.h>

/* ---- Solved boards ---- */

static bool exact_chance(const Game *game, int komi, double *chance, bool *known, Error *error) {
    double value;
    if (!exact_value(game->name, game->board.size, komi_has_button(komi), &value, known, error))
        return false;
    if (*known)
        *chance = value > komi ? 1 : 0;
    return true;
}

/* The highest komi at which Black wins. */
static bool exact_komi(const Game *game, int *komi, bool *known, Error *error) {
    const int limit = game->board.cells;
    double chance = 0;
    for (*komi = limit; *komi >= -limit; --*komi) {
        if (!exact_chance(game, *komi, &chance, known, error))
            return false;
        if (!*known || chance > 0.5) {
            *known = *komi < limit; /* a board without documents stops at once */
            return true;
        }
    }
    *known = false;
    return true;
}

/* ---- Published results ---- */

/* The published result, whole; *json becomes NULL if there is none. The caller deletes it. */
static bool load(const Game *game, cJSON **json, Error *error) {
    char name[64];
    snprintf(name, sizeof name, "%s-%d", game->name, game->board.size);
    return json_load_known("fair", name, json, error);
}

static bool get_number(const cJSON *object, const char *key, double *value) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    *value = cJSON_IsNumber(item) ? item->valuedouble : 0;
    return cJSON_IsNumber(item);
}

/* Black's chance by the curve that was fitted to the games at komi of this parity. */
static bool fitted_chance(const cJSON *fair, int komi, double *chance) {
    const cJSON *curves = cJSON_GetObjectItem(fair, "model");
    const cJSON *curve = cJSON_GetObjectItem(curves, komi_has_button(komi) ? "odd_with_button" : "even");
    double location, slope;
    Shape shape;
    if (!get_number(curve, "location", &location) || !get_number(curve, "slope", &slope) || slope <= 0 ||
        !get_number(curve, "lapse_low", &shape.lapse_low) || !get_number(curve, "lapse_high", &shape.lapse_high))
        return false;
    shape.scale = 1 / slope;
    *chance = shape_win_rate(shape, location - komi);
    return true;
}

bool known_komi(const Game *game, int *komi, bool *known, Error *error) {
    double recommended;
    cJSON *json;
    if (!exact_komi(game, komi, known, error))
        return false;
    if (*known)
        return true;
    if (!load(game, &json, error))
        return false;
    *known = get_number(cJSON_GetObjectItem(json, "fair_komi"), "recommended", &recommended);
    *komi = (int)recommended;
    cJSON_Delete(json);
    return true;
}

bool known_chance(const Game *game, int komi, double *chance, bool *known, Error *error) {
    cJSON *json;
    if (!exact_chance(game, komi, chance, known, error))
        return false;
    if (*known)
        return true;
    if (!load(game, &json, error))
        return false;
    *known = fitted_chance(cJSON_GetObjectItem(json, "fair_komi"), komi, chance);
    cJSON_Delete(json);
    return true;
}
