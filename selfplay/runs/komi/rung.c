/* See rung_internal.h. */
#include "selfplay/runs/komi/rung_internal.h"

#include "selfplay/runs/komi/guess.h"

#include <math.h>
#include <stdlib.h>

/* ---- Games ---- */

void komi_add_counts(cJSON *json, const KomiCounts *counts) {
    cJSON_AddNumberToObject(json, "games", counts->games);
    cJSON_AddNumberToObject(json, "distinct_games", counts->lines);
    document_add_number(json, "duplicate_share", counts->games > 0 ? 1 - counts->lines / counts->games : 0);
    document_add_number(json, "effective_games", counts->effective);
}

static cJSON *point_to_json(const KomiPoint *point) {
    const double n = point->data.games, mean = point->margin_sum / n;
    const double variance = n > 1 ? (point->margin_squares - n * mean * mean) / (n - 1) : 0;
    KomiCounts counts = {0};
    cJSON *json = cJSON_CreateObject();
    komi_count_point(&counts, point);
    cJSON_AddNumberToObject(json, "komi", point->data.komi);
    cJSON_AddBoolToObject(json, "button", komi_has_button(point->data.komi));
    komi_add_counts(json, &counts);
    cJSON_AddNumberToObject(json, "black_wins", point->data.black_wins);
    document_add_number(json, "win_rate", point->data.black_wins / n);
    document_add_interval(json, "ci95",
                          wilson_interval(komi_data_effective(&point->data, point->data.black_wins), counts.effective));
    document_add_number(json, "mean_margin", mean);
    document_add_number(json, "sd_margin", sqrt(variance > 0 ? variance : 0));
    document_add_number(json, "mean_plies", point->plies / n);
    return json;
}

static cJSON *curve_to_json(const CurveEstimate *curve, const KomiCounts *counts) {
    cJSON *json = cJSON_CreateObject();
    document_add_number(json, "estimate", curve->estimate);
    document_add_interval(json, "ci95", curve->ci95);
    komi_add_counts(json, counts);
    cJSON_AddBoolToObject(json, "separated", curve->separated);
    cJSON_AddBoolToObject(json, "ci95_is_bracket", curve->bracket_used);
    cJSON_AddBoolToObject(json, "one_sided", curve->one_sided);
    return json;
}

static void add_curve_model(cJSON *model, const char *name, const CurveEstimate *curve) {
    cJSON *json = cJSON_AddObjectToObject(model, name);
    document_add_number(json, "location", curve->estimate);
    document_add_number(json, "slope", 1 / curve->shape.scale);
    document_add_number(json, "lapse_low", curve->shape.lapse_low);
    document_add_number(json, "lapse_high", curve->shape.lapse_high);
    cJSON *fit = cJSON_AddObjectToObject(json, "fit");
    document_add_number(fit, "p", curve->fit.p);
    document_add_number(fit, "deviance", curve->fit.deviance);
    document_add_number(fit, "expected_deviance", curve->fit.expected);
    cJSON_AddNumberToObject(fit, "komi_values", curve->fit.komi_values);
}

/* Both curves; and as one, for readers of documents from before version 0.10. */
static void add_model(cJSON *json, const FairKomi *fair) {
    const CurveShape *even = &fair->even.shape, *odd = &fair->odd.shape;
    cJSON *model = cJSON_AddObjectToObject(json, "model");
    document_add_number(model, "location", fair->combined);
    document_add_number(model, "slope", 1 / sqrt(even->scale * odd->scale));
    document_add_number(model, "lapse", (even->lapse_low + even->lapse_high + odd->lapse_low + odd->lapse_high) / 2);
    add_curve_model(model, "even", &fair->even);
    add_curve_model(model, "odd_with_button", &fair->odd);
}

static void add_checks(cJSON *json, const FairKomi *fair) {
    cJSON *checks = cJSON_AddObjectToObject(json, "checks");
    const CurveEstimate *const curves[] = {&fair->even, &fair->odd};
    static const char *const names[] = {"even", "odd_with_button"};
    for (int i = 0; i < 2; i++) {
        cJSON *check = cJSON_AddObjectToObject(checks, names[i]);
        document_add_number(check, "firth", curves[i]->firth);
        cJSON_AddBoolToObject(check, "firth_defined", curves[i]->firth_defined);
        document_add_number(check, "isotonic", curves[i]->isotonic);
        cJSON_AddBoolToObject(check, "isotonic_defined", curves[i]->isotonic_defined);
    }
    document_add_number(checks, "margin_estimate", fair->margin);
    document_add_number(checks, "margin_standard_error", fair->margin_error);
    document_add_number(checks, "largest_disagreement", fair->disagreement);
    cJSON_AddBoolToObject(checks, "agree", fair->checks_agree);
}

/* A komi value, or null. */
static void add_komi(cJSON *json, const char *key, bool known, int komi) {
    json_add(json, key, known ? cJSON_CreateNumber(komi) : cJSON_CreateNull());
}

static void add_probabilities(cJSON *json, const FairKomi *fair) {
    cJSON *array = cJSON_AddArrayToObject(json, "komi_probabilities");
    for (int i = 0; i < fair->probability_count; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddNumberToObject(entry, "komi", fair->probabilities[i].komi);
        document_add_number(entry, "probability", fair->probabilities[i].probability);
        json_add(array, NULL, entry);
    }
}

static void add_gap(cJSON *json, const FairKomi *fair) {
    double gap;
    Interval ci95;
    if (!fair_komi_gap(fair, &gap, &ci95))
        return;
    cJSON *object = cJSON_AddObjectToObject(json, "gap");
    document_add_number(object, "estimate", gap);
    document_add_interval(object, "ci95", ci95);
}

/* `counts` are those of even komi and of odd komi. */
static cJSON *fair_to_json(const FairKomi *fair, const KomiCounts counts[2]) {
    cJSON *json = cJSON_CreateObject();
    json_add(json, "even", curve_to_json(&fair->even, &counts[0]));
    json_add(json, "odd_with_button", curve_to_json(&fair->odd, &counts[1]));
    cJSON *combined = cJSON_AddObjectToObject(json, "combined");
    document_add_number(combined, "estimate", fair->combined);
    document_add_interval(combined, "ci95", fair->combined_ci95);
    document_add_number(combined, "by_model", fair->by_model);
    document_add_interval(combined, "by_model_ci95", fair->by_model_ci95);
    add_gap(json, fair);
    add_komi(json, "black_wins_up_to", fair->pair_known, fair->black_wins_up_to);
    add_komi(json, "white_wins_from", fair->pair_known, fair->white_wins_from);
    cJSON_AddNumberToObject(json, "recommended", fair->recommended);
    document_add_number(json, "win_rate_at_recommended", fair->win_rate);
    document_add_interval(json, "win_rate_ci95", fair->win_rate_ci95);
    document_add_interval(json, "ci95", fair->win_rate_ci95); /* the same, for readers of version 0.30 and before */
    add_probabilities(json, fair);
    cJSON_AddStringToObject(json, "method", ESTIMATE_METHOD);
    add_model(json, fair);
    add_checks(json, fair);
    return json;
}

/* The games of a beginning: its points as an array, and how many there are, in all and by parity. */
typedef struct Games {
    cJSON *points;
    KomiCounts all, by_parity[2];
} Games;

static bool read_games(const Run *run, int rung, int beginning, Games *games, Error *error) {
    KomiPoint *points;
    const int count = komi_points(run, rung, beginning, &points, error);
    *games = (Games){.points = cJSON_CreateArray()};
    for (int i = 0; i < count; i++) {
        json_add(games->points, NULL, point_to_json(&points[i]));
        komi_count_point(&games->by_parity[komi_has_button(points[i].data.komi)], &points[i]);
        komi_count_point(&games->all, &points[i]);
    }
    free(points);
    return count >= 0;
}

static void add_games(KomiCounts *sum, const KomiCounts *more) {
    sum->games += more->games;
    sum->lines += more->lines;
    sum->effective += more->effective;
}

void komi_rung_delete(RungJson *rung) {
    cJSON_Delete(rung->points);
    cJSON_Delete(rung->fair);
    cJSON_Delete(rung->first_moves);
}

/* ---- First moves ---- */

/* Adds the curve of a first move; null where it is none at komi of this parity. */
static void add_arm_curve(cJSON *json, const char *name, const Run *run, int beginning, bool odd,
                          const ArmEstimate *arm, const KomiCounts *counts) {
    const KomiConfig *config = komi_config(run);
    if (config->parity == (odd ? PARITY_EVEN : PARITY_ODD) || !komi_beginning_legal(run, beginning, odd)) {
        cJSON_AddNullToObject(json, name);
        return;
    }
    cJSON *curve = curve_to_json(odd ? &arm->fair.odd : &arm->fair.even, counts);
    document_add_number(curve, "probability", arm->probability[odd]);
    json_add(json, name, curve);
}

static cJSON *arm_to_json(const Run *run, int beginning, const ArmEstimate *arm, const Games *games) {
    cJSON *json = cJSON_CreateObject();
    char move[GAME_TEXT_MAX];
    komi_format_beginning(run, beginning, move);
    cJSON_AddStringToObject(json, "move", move);
    json_add(json, "moves", komi_beginning_images(run, beginning));
    komi_add_counts(json, &games->all);
    document_add_number(json, "fair_komi", arm->fair.combined);
    document_add_interval(json, "ci95", arm->fair.combined_ci95);
    document_add_number(json, "probability", arm->share);
    if (((const KomiState *)run->state)->guessed)
        document_add_number(json, "guess", komi_guess_of(run, beginning));
    add_arm_curve(json, "even", run, beginning, false, arm, &games->by_parity[0]);
    add_arm_curve(json, "odd_with_button", run, beginning, true, arm, &games->by_parity[1]);
    return json;
}

/* The first of a list of points that has a button, or has none. */
static const cJSON *next_point(const cJSON *point, bool button) {
    while (point && cJSON_IsTrue(json_get(point, "button")) != button)
        point = point->next;
    return point;
}

/* Copies of the points without a button of one first move and of those with a button of another one, by komi. */
static cJSON *merge_points(const cJSON *even_move, const cJSON *odd_move) {
    const cJSON *even = next_point(json_get(even_move, "points")->child, false);
    const cJSON *odd = next_point(json_get(odd_move, "points")->child, true);
    cJSON *merged = cJSON_CreateArray();
    while (even || odd) {
        const bool is_even = !odd || (even && json_get(even, "komi")->valueint < json_get(odd, "komi")->valueint);
        json_add(merged, NULL, cJSON_Duplicate(is_even ? even : odd, true));
        if (is_even)
            even = next_point(even->next, false);
        else
            odd = next_point(odd->next, true);
    }
    return merged;
}

/* Adds the first moves of a rung, the best one first. The points of the rung are those of the curves of its board: of
 * the first move that is the best at that parity. */
static bool add_arms(const Run *run, int rung, const ArmsEstimate *estimate, RungJson *out, KomiCounts by_parity[2],
                     Error *error) {
    int order[GAME_LEGAL_MAX];
    const cJSON *best_of[2] = {NULL, NULL};
    komi_order_arms(estimate, order);
    out->first_moves = cJSON_CreateArray();
    for (int i = 0; i < estimate->count; i++) {
        Games games;
        const bool good = read_games(run, rung, order[i], &games, error);
        cJSON *json = arm_to_json(run, order[i], &estimate->arms[order[i]], &games);
        json_add(out->first_moves, NULL, json);
        json_add(json, "points", games.points);
        for (int odd = 0; odd < 2; odd++)
            best_of[odd] = order[i] == estimate->best_of[odd] ? json : best_of[odd];
        add_games(&out->counts, &games.all);
        add_games(&by_parity[0], &games.by_parity[0]);
        add_games(&by_parity[1], &games.by_parity[1]);
        if (!good)
            return false;
    }
    out->points = merge_points(best_of[0], best_of[1]);
    return true;
}

/* ---- Rungs ---- */

static bool arms_to_json(const Run *run, int rung, const ArmsEstimate *arms, RungJson *out, Error *error) {
    KomiCounts by_parity[2] = {{0, 0, 0}, {0, 0, 0}};
    if (!add_arms(run, rung, arms, out, by_parity, error))
        return false;
    out->fair = fair_to_json(&arms->board, by_parity);
    cJSON_SetValuestring(json_get(out->fair, "method"), ARMS_METHOD);
    return true;
}

static bool free_play_to_json(const Run *run, int rung, const FairKomi *fair, RungJson *out, Error *error) {
    Games games;
    const bool good = read_games(run, rung, 0, &games, error);
    out->points = games.points;
    out->counts = games.all;
    out->fair = fair_to_json(fair, games.by_parity);
    return good;
}

bool komi_rung_to_json(const Run *run, int rung, RungValue *value, RungJson *out, Error *error) {
    ArmsEstimate arms;
    *out = (RungJson){0};
    bool good = komi_rung_value(run, rung, value, &arms, error);
    if (good)
        good = komi_config(run)->first_moves ? arms_to_json(run, rung, &arms, out, error)
                                             : free_play_to_json(run, rung, &value->fair, out, error);
    arms_free(&arms);
    return good;
}
