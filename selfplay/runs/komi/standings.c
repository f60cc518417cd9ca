/* See standings.h. */
#include "selfplay/runs/komi/standings.h"

#include "engine/games/registry.h"
#include "selfplay/stats/design_effect.h"

#include <math.h>
#include <stdlib.h>

/* Black's minus White's cells: the margin without komi and button. Without the button the margin in half points is
 * 0 modulo 4 at odd komi, for the difference of the cells is odd; the button moves it by one. */
static int board_margin(const RunGame *game) {
    const int margin = game->margin_half_points;
    const int button = margin % 2 == 0 ? 0 : ((margin % 4) + 4) % 4 == 1 ? 1 : -1;
    return (margin - button) / 2 + game->plan;
}

static void add_game(KomiPoint *point, const RunGame *game) {
    const double margin = 0.5 * game->margin_half_points, cells = board_margin(game);
    point->margin_sum += margin;
    point->margin_squares += margin * margin;
    point->plies += game->actions;
    point->data.games++;
    point->data.black_wins += game->margin_half_points > 0;
    point->data.margin_games++;
    point->data.margin_sum += cells;
    point->data.margin_squares += cells * cells;
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
            points[count++].data.komi = games[i]->plan;
            sizes = (ClusterSizes){0};
        }
        add_line(&points[count - 1], games + i, next - i, &sizes);
        points[count - 1].data.design_effect = by_chance ? 1 : cluster_design_effect(&sizes);
    }
    return count;
}

int komi_points(const Run *run, int rung, KomiPoint **points, Error *error) {
    const KomiConfig *config = komi_config(run);
    const RunGame **games;
    const int played = run_sorted_games(run, rung, &games, error);
    *points = played < 0 ? NULL : calloc((size_t)(config->komi_range[1] - config->komi_range[0]) + 1, sizeof **points);
    if (!*points && played >= 0)
        error_set(error, "out of memory for the results of %d games", played);
    const int count = *points ? add_points(games, played, player_plays_by_chance(&config->player), *points) : -1;
    free(games);
    return count;
}

int komi_sum_up(const Run *run, int rung, KomiData **data, Error *error) {
    KomiPoint *points;
    const int count = komi_points(run, rung, &points, error);
    if (count < 0)
        return -1;
    *data = malloc(((size_t)count + 1) * sizeof **data);
    for (int i = 0; *data && i < count; i++)
        (*data)[i] = points[i].data;
    free(points);
    if (*data)
        return count;
    error_set(error, "out of memory for %d komi values", count);
    return -1;
}

bool komi_estimate(const Run *run, int rung, FairKomi *fair, Error *error) {
    KomiData *data;
    const EstimateConfig config = komi_config_estimate(komi_config(run));
    const int count = komi_sum_up(run, rung, &data, error);
    if (count < 0)
        return false;
    const bool good = estimate_fair_komi(data, count, &config, fair, error);
    free(data);
    return good;
}
