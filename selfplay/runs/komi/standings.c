/* See standings.h. */
#include "selfplay/runs/komi/standings.h"

#include "engine/games/registry.h"
#include "selfplay/runs/komi/guess.h"
#include "selfplay/stats/design_effect.h"

#include <math.h>
#include <stdlib.h>

/* Black's minus White's cells: the margin without komi and button. Without the button the margin in half points is 0
 * modulo 4 at odd komi, for the difference of the cells is odd; the button moves it by one. */
static int board_margin(const RunGame *game) {
    const int margin = game->margin_half_points;
    const int button = margin % 2 == 0 ? 0 : ((margin % 4) + 4) % 4 == 1 ? 1 : -1;
    return (margin - button) / 2 + game->komi;
}

static void add_game(KomiPoint *point, const RunGame *game) {
    const double margin = 0.5 * game->margin_half_points, cells = board_margin(game);
    point->margin_sum += margin;
    point->margin_squares += margin * margin;
    point->plies += game->actions;
    point->data.games++;
    point->data.black_wins += game->margin_half_points > 0;
    point->data.margin_games++;
    point->data.board_margin_sum += cells;
    point->data.board_margin_squares += cells * cells;
}

/* Adds a line: equal games of one komi. */
static void add_line(KomiPoint *point, const RunGame *const *games, int count, ClusterSizes *sizes) {
    point->lines++;
    cluster_add(sizes, count);
    for (int i = 0; i < count; i++)
        add_game(point, games[i]);
}

/* Sums up games that are sorted by komi and line. Returns the number of points. */
static int add_points(const RunGame *const *games, int played, bool by_chance, KomiPoint *points) {
    ClusterSizes sizes = {0};
    int count = 0;
    for (int i = 0, next; i < played; i = next) {
        for (next = i + 1; next < played && run_repeats(games, next);)
            next++;
        if (i == 0 || games[i]->plan != games[i - 1]->plan) {
            points[count++].data.komi = games[i]->komi;
            sizes = (ClusterSizes){0};
        }
        add_line(&points[count - 1], games + i, next - i, &sizes);
        points[count - 1].data.design_effect = by_chance ? 1 : cluster_design_effect(&sizes);
    }
    return count;
}

/* The part of games sorted by plan that has a beginning: returns their number, and the first of them in *first. */
static int find_beginning(const KomiConfig *config, const RunGame *const *games, int played, int beginning,
                          int *first) {
    int from = 0, to;
    while (from < played && komi_beginning_of_plan(config, games[from]->plan) < beginning)
        from++;
    for (to = from; to < played && komi_beginning_of_plan(config, games[to]->plan) == beginning;)
        to++;
    *first = from;
    return to - from;
}

int komi_points(const Run *run, int rung, int beginning, KomiPoint **points, Error *error) {
    const KomiConfig *config = komi_config(run);
    const RunGame **games;
    int first, count = -1;
    const int played = run_sorted_games(run, rung, &games, error);
    *points = played < 0 ? NULL : calloc((size_t)komi_values(config), sizeof **points);
    if (!*points && played >= 0)
        error_set(error, "out of memory for the results of %d games", played);
    if (*points) {
        const int own = find_beginning(config, games, played, beginning, &first);
        count = add_points(games + first, own, player_plays_by_chance(&config->player), *points);
    }
    free(games);
    return count;
}

void komi_count_point(KomiCounts *counts, const KomiPoint *point) {
    counts->games += point->data.games;
    counts->lines += point->lines;
    counts->effective += komi_data_effective(&point->data, point->data.games);
}

bool komi_count_games(const Run *run, int rung, int beginning, KomiCounts *counts, Error *error) {
    KomiPoint *points;
    const int count = komi_points(run, rung, beginning, &points, error);
    for (int i = 0; i < count; i++)
        komi_count_point(counts, &points[i]);
    free(points);
    return count >= 0;
}

/* ---- Arms ---- */

static bool sum_up_arm(const Run *run, int rung, int beginning, KomiArms *arms, Error *error) {
    KomiPoint *points;
    const int count = komi_points(run, rung, beginning, &points, error);
    if (count < 0)
        return false;
    KomiData *data = arms->data[beginning] = malloc(((size_t)count + 1) * sizeof *data);
    for (int i = 0; data && i < count; i++)
        data[i] = points[i].data;
    free(points);
    arms->arms[beginning] =
        (Arm){.data = data,
              .count = count,
              .legal = {komi_beginning_legal(run, beginning, false), komi_beginning_legal(run, beginning, true)},
              .guess = komi_config(run)->first_moves ? komi_guess_of(run, beginning) : 0};
    return data || error_set(error, "out of memory for %d komi values", count);
}

bool komi_sum_up(const Run *run, int rung, KomiArms *arms, Error *error) {
    const int count = komi_beginnings(run)->count;
    *arms = (KomiArms){0};
    if (komi_config(run)->first_moves && !komi_guess(run, error))
        return false;
    *arms = (KomiArms){.arms = calloc((size_t)count, sizeof *arms->arms),
                       .data = calloc((size_t)count, sizeof *arms->data),
                       .count = count};
    if (!arms->arms || !arms->data)
        return error_set(error, "out of memory for %d first moves", count);
    for (int i = 0; i < count; i++)
        if (!sum_up_arm(run, rung, i, arms, error))
            return false;
    return true;
}

void komi_arms_free(KomiArms *arms) {
    for (int i = 0; arms->data && i < arms->count; i++)
        free(arms->data[i]);
    free(arms->data);
    free(arms->arms);
    *arms = (KomiArms){0};
}

/* ---- Estimates ---- */

static bool estimate_arms(const Run *run, int rung, ArmsEstimate *estimate, Error *error) {
    KomiArms arms;
    const EstimateConfig config = komi_config_estimate(komi_config(run));
    const bool good =
        komi_sum_up(run, rung, &arms, error) && arms_estimate(arms.arms, arms.count, &config, estimate, error);
    komi_arms_free(&arms);
    return good;
}

static bool estimate_free_play(const Run *run, int rung, FairKomi *fair, Error *error) {
    KomiArms arms;
    const EstimateConfig config = komi_config_estimate(komi_config(run));
    const bool good = komi_sum_up(run, rung, &arms, error) &&
                      estimate_fair_komi(arms.arms[0].data, arms.arms[0].count, &config, fair, error);
    komi_arms_free(&arms);
    return good;
}

bool komi_rung_value(const Run *run, int rung, RungValue *value, ArmsEstimate *arms, Error *error) {
    const KomiConfig *config = komi_config(run);
    *arms = (ArmsEstimate){0};
    *value = (RungValue){.effort = (double)config->ladder[rung], .best = -1, .games = run->groups[rung].played};
    if (!config->first_moves)
        return estimate_free_play(run, rung, &value->fair, error);
    if (!estimate_arms(run, rung, arms, error))
        return false;
    value->fair = arms->board;
    value->best = arms->best;
    return true;
}

bool komi_estimate(const Run *run, int rung, FairKomi *fair, Error *error) {
    RungValue value;
    ArmsEstimate arms;
    const bool good = komi_rung_value(run, rung, &value, &arms, error);
    arms_free(&arms);
    *fair = value.fair;
    return good;
}

static bool is_better(const ArmEstimate *a, const ArmEstimate *b) {
    return a->share > b->share || (a->share >= b->share && a->fair.combined > b->fair.combined);
}

void komi_order_arms(const ArmsEstimate *estimate, int *order) {
    for (int i = 0, at; i < estimate->count; i++) {
        for (at = i; at > 0 && is_better(&estimate->arms[i], &estimate->arms[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
