/* See known_komi.h. A file configs/fair/GAME-SIZE.json has the part `fair_komi` of the document of a komi run; see `man
 * stigmergy-komi` for its fields. */
#include "selfplay/analysis/known_komi.h"

#include "selfplay/io/exact_value.h"
#include "selfplay/io/json_value.h"
#include "selfplay/stats/posterior.h"

#include <math.h>
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

/* The highest komi at which Black wins; not known if a parity of komi is not. */
static bool exact_komi(const Game *game, int *komi, bool *known, Error *error) {
    const int limit = game_komi_limit(game);
    ExactValues values;
    if (!exact_values(game->name, game->board.size, &values, error))
        return false;
    *komi = limit;
    while (*komi >= -limit && (komi_has_button(*komi) ? values.odd : values.even) <= *komi)
        --*komi;
    *known = values.known && *komi < limit && *komi >= -limit; /* one side may win at all komi */
    return true;
}

/* ---- Published results ---- */

/* The published result of a board, whole; *json becomes NULL if there is none. The caller deletes it. */
static bool load(const Game *game, int size, cJSON **json, Error *error) {
    char name[64];
    snprintf(name, sizeof name, "%s-%d", game->name, size);
    return json_load_known("fair", name, json, error);
}

static bool get_recommended(const cJSON *json, double *komi) {
    return json_get_number(json_get(json, "fair_komi"), "recommended", komi);
}

/* For a board without a result: that of the largest smaller board, and by how much its komi is to be shifted. The fair
 * komi is that of the straight line (least squares) through those of all smaller boards, which must be two at least. */
static bool extrapolate(const Game *game, cJSON **json, double *shift, Error *error) {
    double count = 0, x = 0, y = 0, xx = 0, xy = 0, komi = 0;
    for (int size = HEXHEX_MIN_SIZE; size < game->board.size; size++) {
        cJSON *smaller;
        if (!load(game, size, &smaller, error))
            return false;
        if (!get_recommended(smaller, &komi)) {
            cJSON_Delete(smaller);
            continue;
        }
        cJSON_Delete(*json);
        *json = smaller;
        count++;
        x += size;
        y += komi;
        xx += size * size;
        xy += size * komi;
    }
    if (count < 2) {
        cJSON_Delete(*json);
        *json = NULL;
        return true;
    }
    const double slope = (count * xy - x * y) / (count * xx - x * x);
    get_recommended(*json, &komi);
    *shift = round(y / count + slope * (game->board.size - x / count)) - komi;
    return true;
}

/* The result to go by, *json, and the shift of its komi. *json is NULL if there is none; the caller deletes it, also
 * after an error. */
static bool look_up(const Game *game, cJSON **json, double *shift, Error *error) {
    *shift = 0;
    return load(game, game->board.size, json, error) && (*json || extrapolate(game, json, shift, error));
}

/* Black's chance at the komi that a result recommends, as it says itself; false at others. */
static bool published_chance(const cJSON *fair, int komi, double shift, double *chance) {
    double recommended;
    return shift == 0 && json_get_number(fair, "recommended", &recommended) && fabs(recommended - komi) < 0.5 &&
           json_get_number(fair, "win_rate_at_recommended", chance);
}

/* Black's chance by the curve that was fitted to the games at komi of this parity. */
static bool fitted_chance(const cJSON *fair, int komi, double shift, double *chance) {
    const cJSON *curves = json_get(fair, "model");
    const cJSON *curve = json_get(curves, komi_has_button(komi) ? "odd_with_button" : "even");
    double location, slope;
    CurveShape shape;
    if (!json_get_number(curve, "location", &location) || !json_get_number(curve, "slope", &slope) || slope <= 0 ||
        !json_get_number(curve, "lapse_low", &shape.lapse_low) ||
        !json_get_number(curve, "lapse_high", &shape.lapse_high))
        return false;
    shape.scale = 1 / slope;
    *chance = shape_win_rate(shape, location + shift - komi);
    return true;
}

bool known_komi(const Game *game, int *komi, bool *known, Error *error) {
    double recommended, shift;
    cJSON *json;
    if (!exact_komi(game, komi, known, error))
        return false;
    if (*known)
        return true;
    const bool good = look_up(game, &json, &shift, error);
    *known = good && get_recommended(json, &recommended);
    if (*known)
        *komi = (int)(recommended + shift);
    cJSON_Delete(json);
    return good;
}

bool known_chance(const Game *game, int komi, double *chance, bool *known, Error *error) {
    double shift;
    cJSON *json;
    if (!exact_chance(game, komi, chance, known, error))
        return false;
    if (*known)
        return true;
    const bool good = look_up(game, &json, &shift, error);
    const cJSON *fair = json_get(json, "fair_komi");
    *known = good && (published_chance(fair, komi, shift, chance) || fitted_chance(fair, komi, shift, chance));
    cJSON_Delete(json);
    return good;
}
