/* See arms.h: which games of a round are played. */
#include "selfplay/stats/allocation.h"
#include "selfplay/stats/arms.h"
#include "selfplay/stats/arms_pool_internal.h"
#include "selfplay/stats/demand.h"
#include "selfplay/stats/estimate_internal.h"

#include <stdlib.h>

enum {
    DRAWS = POSTERIOR_DRAWS_MAX,
    LOOKS = 4 /* draws in which a challenger is looked for */
};

/* A round in the making. */
typedef struct Round {
    const Arm *arms;
    int count;
    const EstimateConfig *config;
    const PosteriorDraw *draws; /* as in ArmsEstimate */
    int komi_count;
    double *demand; /* as the games of arms_allocate */
} Round;

static double location_of(const Round *round, int arm, bool odd, int draw) {
    return round->draws[arm * DRAWS + draw].location[odd];
}

/* The best arm of a draw, except one; -1 where there is none. */
static int best_except(const Round *round, int except, bool odd, int draw) {
    int best = -1;
    for (int a = 0; a < round->count; a++)
        if (a != except && round->arms[a].legal[odd] &&
            (best < 0 || location_of(round, a, odd, draw) > location_of(round, best, odd, draw)))
            best = a;
    return best;
}

/* The challenger of the arm that is the best one of draw n; -1: none. */
static int challenger(const Round *round, int champion, bool odd, int n) {
    double highest = location_of(round, champion, odd, n);
    int found = -1;
    for (int look = 1; look <= LOOKS; look++) {
        const int other = (n + look * DRAWS / (LOOKS + 1)) % DRAWS, arm = best_except(round, champion, odd, other);
        if (arm >= 0 && location_of(round, arm, odd, other) > highest) {
            highest = location_of(round, arm, odd, other);
            found = arm;
        }
    }
    return found;
}

static void add_game(const Round *round, int arm, bool odd, int n, double place) {
    const EstimateConfig *config = round->config;
    demand_add_curve(round->demand + arm * round->komi_count, config->komi_min, config->komi_max, odd, place,
                     round->draws[arm * DRAWS + n].shape[odd].scale, 1);
}

/* Shares out the games of one parity. */
static void share_parity(const Round *round, bool odd, int batch, int *games) {
    const int places = round->count * round->komi_count;
    for (int i = 0; i < places; i++)
        round->demand[i] = 0;
    for (int n = 0; n < DRAWS && batch > 0; n++) {
        const int champion = best_except(round, -1, odd, n), rival = challenger(round, champion, odd, n);
        const double value = location_of(round, champion, odd, n);
        add_game(round, champion, odd, n, value);
        if (rival >= 0)
            add_game(round, rival, odd, n, value);
    }
    if (batch > 0)
        demand_round(round->demand, places, batch, games);
}

/* The first round: all arms alike. */
static bool share_alike(const Arm *arms, int count, const EstimateConfig *config, int batch, int komi_count, int *games,
                        Error *error) {
    for (int a = 0; a < count; a++) {
        const EstimateConfig own = arm_config(&arms[a], config);
        const int share = batch / count + (a < batch % count);
        if (!allocate_games(NULL, 0, &own, share, games + a * komi_count, error))
            return false;
    }
    return true;
}

/* Makes the pooled draws. */
static bool draw_arms(const Arm *arms, int count, const EstimateConfig *config, PosteriorDraw *draws, Error *error) {
    PosteriorDraw *alone = malloc((size_t)count * DRAWS * sizeof *alone);
    bool good = alone || error_set(error, "out of memory for %d first moves", count);
    for (int a = 0; good && a < count; a++) {
        const EstimateConfig own = arm_config(&arms[a], config);
        good = estimate_draws(arms[a].data, arms[a].count, &own, alone + a * DRAWS, error);
    }
    good = good && arms_pool(arms, alone, count, config, draws, NULL, error);
    free(alone);
    return good;
}

static void follow_draws(Round *round, int batch, int *games) {
    KomiData sums[2] = {{.komi = 0}, {.komi = 1}};
    for (int a = 0; a < round->count; a++)
        for (int i = 0; i < round->arms[a].count; i++)
            sums[komi_has_button(round->arms[a].data[i].komi)].games += round->arms[a].data[i].games;
    const int even = allocation_even_games(sums, 2, round->config, batch);
    share_parity(round, false, even, games);
    share_parity(round, true, batch - even, games);
}

bool arms_allocate(const Arm *arms, int count, const EstimateConfig *config, int batch, int *games, Error *error) {
    const int komi_count = config->komi_max - config->komi_min + 1;
    double played = 0;
    for (int a = 0; a < count; a++)
        for (int i = 0; i < arms[a].count; i++)
            played += arms[a].data[i].games;
    for (int i = 0; i < count * komi_count; i++)
        games[i] = 0;
    if (played == 0)
        return share_alike(arms, count, config, batch, komi_count, games, error);
    PosteriorDraw *draws = malloc((size_t)count * DRAWS * sizeof *draws);
    Round round = {.arms = arms, .count = count, .config = config, .draws = draws, .komi_count = komi_count};
    round.demand = malloc((size_t)(count * komi_count) * sizeof *round.demand);
    const bool room = (draws && round.demand) || error_set(error, "out of memory for a round of %d games", batch);
    const bool good = room && draw_arms(arms, count, config, draws, error);
    if (good)
        follow_draws(&round, batch, games);
    free(round.demand);
    free(draws);
    return good;
}
