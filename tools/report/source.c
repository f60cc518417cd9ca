/* See source.h. */
#include "tools/report/source.h"

#include "engine/games/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts a failure. Only the first is kept, as it is the one to report. */
static bool is_first(ReportSource *source) {
    const bool first = !source->failed;
    source->failed = true;
    return first;
}

void source_fail(ReportSource *source, const char *key, const char *expected) {
    if (is_first(source))
        error_set(&source->error, "%s: '%s' is wrong or missing, expected %s", source->path, key, expected);
}

double source_number(ReportSource *source, const cJSON *object, const char *key, double low, double high) {
    const cJSON *item = json_get(object, key);
    if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high)
        return item->valuedouble;
    char expected[64];
    snprintf(expected, sizeof expected, "a number from %.10g to %.10g", low, high);
    source_fail(source, key, expected);
    return low;
}

int source_int(ReportSource *source, const cJSON *object, const char *key, int low, int high) {
    const double value = source_number(source, object, key, low, high);
    if (floor(value) != value)
        source_fail(source, key, "a whole number");
    return (int)value;
}

bool source_bool(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *item = json_get(object, key);
    if (!cJSON_IsBool(item))
        source_fail(source, key, "true or false");
    return cJSON_IsTrue(item);
}

bool source_flag(ReportSource *source, const cJSON *object, const char *key) {
    return source_optional(source, object, key) && source_bool(source, object, key);
}

const char *source_text(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *item = json_get(object, key);
    if (cJSON_IsString(item))
        return item->valuestring;
    source_fail(source, key, "a string");
    return "";
}

Interval source_interval(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *low = cJSON_GetArrayItem(json_get(object, key), 0),
                *high = cJSON_GetArrayItem(json_get(object, key), 1);
    if (cJSON_IsNumber(low) && cJSON_IsNumber(high) && low->valuedouble <= high->valuedouble &&
        fabs(low->valuedouble) < 1e6 && fabs(high->valuedouble) < 1e6)
        return (Interval){low->valuedouble, high->valuedouble};
    source_fail(source, key, "[low, high]");
    return (Interval){0, 0};
}

const cJSON *source_object(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *item = json_get(object, key);
    if (cJSON_IsObject(item))
        return item;
    source_fail(source, key, "an object");
    return NULL;
}

const cJSON *source_array(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *item = json_get(object, key);
    if (cJSON_IsArray(item))
        return item;
    source_fail(source, key, "an array");
    return NULL;
}

const cJSON *source_texts(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *array = source_array(source, object, key);
    for (const cJSON *item = array ? array->child : NULL; item; item = item->next)
        if (!cJSON_IsString(item))
            source_fail(source, key, "an array of texts");
    return array;
}

const cJSON *source_optional(ReportSource *source, const cJSON *object, const char *key) {
    const cJSON *item = source->failed ? NULL : json_get(object, key);
    return item && !cJSON_IsNull(item) ? item : NULL;
}

const char *source_optional_text(ReportSource *source, const cJSON *object, const char *key) {
    return source_optional(source, object, key) ? source_text(source, object, key) : NULL;
}

ReportRating source_rating(ReportSource *source, const cJSON *object) {
    return (ReportRating){.known = true,
                          .estimate = source_number(source, object, "estimate", -1e5, 1e5),
                          .ci95 = source_interval(source, object, "ci95")};
}

KomiEstimate source_fair_komi(ReportSource *source, const cJSON *object) {
    return (KomiEstimate){.estimate = source_number(source, object, "fair_komi", -1e3, 1e3),
                          .ci95 = source_interval(source, object, "ci95"),
                          .bracket = source_flag(source, object, "bracket")};
}

KomiEstimate source_curve(ReportSource *source, const cJSON *curve) {
    return (KomiEstimate){.estimate = source_number(source, curve, "estimate", -1e3, 1e3),
                          .ci95 = source_interval(source, curve, "ci95"),
                          .bracket = source_bool(source, curve, "ci95_is_bracket")};
}

KomiEstimate source_together(ReportSource *source, const cJSON *fair) {
    const int most = 2 * HEXHEX_MAX_CELLS;
    const cJSON *combined = source_object(source, fair, "combined");
    const KomiEstimate known = {.estimate = source_number(source, combined, "estimate", -1e3, 1e3),
                                .ci95 = source_interval(source, combined, "ci95")};
    if (!source_optional(source, fair, "black_wins_up_to") || !source_optional(source, fair, "white_wins_from"))
        return known;
    return komi_bracket((Interval){source_int(source, fair, "black_wins_up_to", -most, most),
                                   source_int(source, fair, "white_wins_from", -most, most)});
}

void *source_list(ReportSource *source, const char *key, const cJSON *array, size_t size) {
    void *list = calloc((size_t)cJSON_GetArraySize(array) + 1, size);
    if (!list && is_first(source))
        error_set(&source->error, "%s: '%s' is wrong or missing, expected fewer of them: out of memory", source->path,
                  key);
    return list;
}

GameState *source_position(ReportSource *source, const Game *game, const cJSON *object, const char *key, int komi) {
    const char *turns = source_text(source, object, key);
    GameState *state = source->failed ? NULL : source_list(source, key, NULL, sizeof *state);
    char turn[GAME_TEXT_MAX];
    if (!state)
        return NULL;
    game->rules->start(game, state, komi);
    while (game_next_turn(&turns, turn))
        if (!game_play_text(game, state, turn, NULL, NULL, NULL)) {
            source_fail(source, key, "legal moves, separated by spaces");
            free(state);
            return NULL;
        }
    return state;
}

Effort source_effort(ReportSource *source, const cJSON *object) {
    const cJSON *simulations = source_optional(source, object, "simulations");
    if (cJSON_IsNumber(simulations) && simulations->valuedouble > 0)
        return (Effort){.simulations = (int64_t)source_number(source, object, "simulations", 1, 1e15)};
    return (Effort){.move_seconds = source_number(source, object, "move_time", 0, 1e9)};
}

/* Whether the settings, or a document without settings, choose this word for a variant. Documents name the usual choice
 * too, even if the game has no other. */
static bool chooses(ReportSource *source, const char *key, const char *word) {
    const cJSON *settings = source_optional(source, source->json, "settings");
    const cJSON *item = source_optional(source, settings ? settings : source->json, key);
    return cJSON_IsString(item) && !strcmp(item->valuestring, word);
}

/* The usual size of a game, or any if there is no such game. */
static int usual_size(const char *game) {
    int largest, usual;
    const char *name;
    for (int i = 0; (name = game_list(i, &largest, &usual)) != NULL; i++)
        if (!strcmp(name, game))
            return usual;
    return HEXHEX_MIN_SIZE;
}

Game *source_game(ReportSource *source, bool all_sizes, GamePie pie) {
    const char *name = source_text(source, source->json, "game");
    const GameOptions options = {
        .name = name,
        .size =
            all_sizes ? usual_size(name) : source_int(source, source->json, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE),
        .capture = chooses(source, "capture", "line") ? GAME_CAPTURE_LINE : GAME_CAPTURE_DEFAULT,
        .pie = chooses(source, "pie", "on")    ? GAME_PIE_ON
               : chooses(source, "pie", "off") ? GAME_PIE_OFF
                                               : pie};
    Game *game = source->failed ? NULL : game_new(&options, &source->error);
    if (!game && is_first(source))
        error_prefix(&source->error, "%s: ", source->path);
    return game;
}
