/* The games of a fair-komi run summed up (run.h). */
#include "selfplay/runs/komi/run.h"

#include <stdlib.h>

/* Black's minus White's cells: the margin without komi and button. Without the button the margin in half points is
 * 0 modulo 4 at odd komi, for the difference of the cells is odd; the button moves it by one. */
static int board_margin(const KomiGame *game) {
    const int button = game->margin % 2 == 0 ? 0 : ((game->margin % 4) + 4) % 4 == 1 ? 1 : -1;
    return (game->margin - button) / 2 + game->komi;
}

static int compare_games(const void *left, const void *right) {
    const KomiGame *a = *(const KomiGame *const *)left, *b = *(const KomiGame *const *)right;
    if (a->komi != b->komi)
        return a->komi - b->komi;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static void add_game(KomiPoint *point, const KomiGame *game, bool repeats) {
    const double margin = 0.5 * game->margin, cells = board_margin(game);
    const bool black_won = game->margin > 0;
    point->games++;
    point->black_wins += black_won;
    point->margin_sum += margin;
    point->margin_squares += margin * margin;
    point->plies += game->plies;
    if (repeats)
        return;
    point->data.games += 1;
    point->data.black_wins += black_won;
    point->data.margin_games += 1;
    point->data.margin_sum += cells;
    point->data.margin_squares += cells * cells;
}

int komi_run_points(const KomiRun *run, int rung, KomiPoint **points, Error *error) {
    const KomiRung *self = &run->rung[rung];
    const KomiGame **sorted = malloc(((size_t)self->played + 1) * sizeof *sorted);
    *points = calloc((size_t)(run->config.komi_range[1] - run->config.komi_range[0]) + 1, sizeof **points);
    if (!sorted || !*points) {
        free(sorted);
        free(*points);
        *points = NULL;
        error_set(error, "out of memory for the results of %d games", self->played);
        return -1;
    }
    int played = 0, count = 0;
    for (int i = 0; i < self->planned; i++)
        if (self->games[i].played)
            sorted[played++] = &self->games[i];
    qsort(sorted, (size_t)played, sizeof sorted[0], compare_games);
    for (int i = 0; i < played; i++) {
        const bool new_komi = i == 0 || sorted[i]->komi != sorted[i - 1]->komi;
        if (new_komi)
            (*points)[count++].data.komi = sorted[i]->komi;
        add_game(&(*points)[count - 1], sorted[i], !new_komi && sorted[i]->hash == sorted[i - 1]->hash);
    }
    free(sorted);
    return count;
}

int komi_run_data(const KomiRun *run, int rung, KomiData **data, Error *error) {
    KomiPoint *points;
    const int count = komi_run_points(run, rung, &points, error);
    if (count < 0)
        return -1;
    *data = malloc(((size_t)count + 1) * sizeof **data);
    if (!*data) {
        free(points);
        error_set(error, "out of memory for %d komi values", count);
        return -1;
    }
    for (int i = 0; i < count; i++)
        (*data)[i] = points[i].data;
    free(points);
    return count;
}

bool komi_run_estimate(const KomiRun *run, int rung, FairKomi *fair, Error *error) {
    KomiData *data;
    const EstimateConfig config = komi_config_estimate(&run->config);
    const int count = komi_run_data(run, rung, &data, error);
    if (count < 0)
        return false;
    const bool good = estimate_fair_komi(data, count, &config, fair, error);
    free(data);
    return good;
}
