/* See komi_offer.h. */
#include "selfplay/analysis/komi_offer.h"

#include "selfplay/analysis/known_komi.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    SIMULATIONS_MIN = 200,   /* of a search: a weak player may name a poor komi, but not a random one */
    SIMULATIONS_MAX = 20000, /* of a search, and what a strong player takes: the choice decides the game */
    STRONG = 1000,           /* simulations of a move of a strong player */
    STEPS_MAX = 12           /* searches to name a komi */
};
static const double seconds_max = 2; /* of a search: people wait for it */

/* The result of a search of the start position. */
typedef struct Estimate {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool finished, failed;
    Error reason;          /* why it failed */
    double chance, margin; /* Black's */
} Estimate;

static void take_report(const AnalysisTask *task, const AnalysisReport *report) {
    Estimate *estimate = task->user;
    if (report->stage == ANALYSIS_RUNNING)
        return;
    const bool black = task->game->rules->to_move(&task->state) == BLACK;
    pthread_mutex_lock(&estimate->lock);
    estimate->failed = report->stage == ANALYSIS_UNTOUCHED;
    error_pass(&estimate->reason, report->error);
    estimate->chance = black ? report->summary.win_rate : 1 - report->summary.win_rate;
    estimate->margin = report->summary.margin;
    estimate->finished = true;
    pthread_cond_signal(&estimate->done);
    pthread_mutex_unlock(&estimate->lock);
}

/* Of a search about komi by this player. */
static uint64_t simulations_of(const Player *player) {
    if (player->simulations == 0 || player->simulations >= STRONG)
        return SIMULATIONS_MAX;
    return player->simulations < SIMULATIONS_MIN ? SIMULATIONS_MIN : player->simulations;
}

static bool run_estimate(const KomiOffer *offer, int komi, Estimate *estimate, Error *error) {
    *estimate = (Estimate){.reason = {.text = "the search was stopped"}};
    AnalysisTask task = {.game = offer->game,
                         .player = offer->player,
                         .simulations = simulations_of(offer->player),
                         .seconds = seconds_max,
                         .stop = offer->stop,
                         .priority = 1, /* as a move: somebody waits for it */
                         .seed = offer->seed,
                         .report = take_report,
                         .user = estimate};
    offer->game->rules->start(offer->game, &task.state, komi);
    pthread_mutex_init(&estimate->lock, NULL);
    pthread_cond_init(&estimate->done, NULL);
    bool good = analysis_add(offer->analysis, &task, error);
    if (good) {
        pthread_mutex_lock(&estimate->lock);
        while (!estimate->finished)
            pthread_cond_wait(&estimate->done, &estimate->lock);
        pthread_mutex_unlock(&estimate->lock);
        good = (!estimate->failed && !stop_flag_is_set(offer->stop)) || error_pass(error, &estimate->reason);
    }
    pthread_cond_destroy(&estimate->done);
    pthread_mutex_destroy(&estimate->lock);
    return good;
}

/* The first guess is Black's expected lead without komi. From there it goes in steps of 1 to where the chance crosses
 * one half. */
static bool search_komi(const KomiOffer *offer, int *komi, double *chance, Error *error) {
    Estimate now;
    if (!run_estimate(offer, 0, &now, error))
        return false;
    const int limit = game_komi_limit(offer->game);
    int at = game_clamp_komi(offer->game, (int)lround(now.margin)), step = 0;
    *komi = 0;
    *chance = now.chance;
    for (int i = 0; i < STEPS_MAX && abs(at) <= limit; i++, at += step) {
        if (!run_estimate(offer, at, &now, error))
            return false;
        if (i == 0 || fabs(now.chance - 0.5) < fabs(*chance - 0.5)) {
            *komi = at;
            *chance = now.chance;
        }
        const int wanted = now.chance > 0.5 ? 1 : -1;
        if (step != 0 && wanted != step)
            break;
        step = wanted;
    }
    return true;
}

bool komi_offer_name(const KomiOffer *offer, int *komi, double *chance, Error *error) {
    bool known;
    if (!known_komi(offer->game, komi, &known, error) ||
        (known && !known_chance(offer->game, *komi, chance, &known, error)))
        return false;
    return known || search_komi(offer, komi, chance, error);
}

bool komi_offer_choose(const KomiOffer *offer, int komi, Side *side, double *chance, Error *error) {
    Estimate estimate;
    bool known;
    if (!known_chance(offer->game, komi, chance, &known, error))
        return false;
    if (!known) {
        if (!run_estimate(offer, komi, &estimate, error))
            return false;
        *chance = estimate.chance;
    }
    *side = *chance >= 0.5 ? BLACK : WHITE;
    return true;
}
