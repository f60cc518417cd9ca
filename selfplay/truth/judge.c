/* See judge.h. */
#include "selfplay/truth/judge.h"

#include "engine/base/rng.h"
#include "selfplay/players/game_pool.h"

#include <math.h>
#include <stdlib.h>

/* What a player answered to a position, with one effort. */
typedef struct Answer {
    bool kept;
    int questions;                       /* 1 where the losing komi is beyond the board */
    double win_rate[2], margin_error[2]; /* where the side to move wins, where it loses */
} Answer;

typedef struct Judging {
    const TruthJudge *judge;
    const TruthSet *set;
    Player player; /* as it plays */
    PlayerNetworks *networks;
    Answer *answers; /* by position, then by effort */
    int positions, taken;
} Judging;

/* Where number `index` of the positions that are judged is in the set, and the position. */
static int place_of(const Judging *judging, int index) {
    return (int)((int64_t)index * judging->set->count / judging->positions);
}

static const TruthPosition *position_at(const Judging *judging, int index) {
    return &judging->set->list[place_of(judging, index)];
}

/* ---- Asking ---- */

/* Searches a position at the komi at which the side to move wins, or at that at which it `loses`. Returns the move. */
static Action ask(const Judging *judging, Search *search, int index, const Effort *effort, bool loses, Answer *out) {
    const TruthPosition *position = position_at(judging, index);
    const int komi = loses ? truth_losing_komi(position) : position->komi;
    const uint64_t seed = rng_split(judging->judge->seed, 2 * (uint64_t)index + loses);
    GameState state;
    GameHistory history;
    truth_replay(judging->set->game, position, komi, &state, &history);
    search_set_position(search, &state);
    search_set_history(search, &history);
    search_reseed(search, seed);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = (uint64_t)effort->simulations,
                                                                     .seconds = effort->move_seconds,
                                                                     .stop = judging->judge->stop});
    out->win_rate[loses] = summary.win_rate;
    out->margin_error[loses] = fabs(summary.margin + komi - position->half_points / 2.0);
    return player_choose(&judging->player, search, ~seed);
}

static void answer(const Judging *judging, Search *search, int index, int number) {
    const TruthPosition *position = position_at(judging, index);
    const Effort *effort = &judging->judge->efforts[number];
    Answer *out = &judging->answers[index * judging->judge->effort_count + number];
    out->kept = truth_wins(position, ask(judging, search, index, effort, false, out));
    out->questions = truth_komi_fits(judging->set->game, truth_losing_komi(position)) ? 2 : 1;
    if (out->questions == 2)
        ask(judging, search, index, effort, true, out);
}

static int take(void *user, Error *error) {
    Judging *judging = user;
    (void)error;
    if (judging->judge->progress)
        judging->judge->progress(judging->judge->user, judging->taken, judging->positions);
    return judging->taken < judging->positions ? judging->taken++ : POOL_NO_TASK;
}

static bool play_task(GamePool *pool, void **worker, int task, Error *error) {
    const Judging *judging = pool_user(pool);
    if (!*worker)
        *worker = player_new_search(&judging->player, judging->networks, judging->set->game, 0, error);
    for (int i = 0; *worker && i < judging->judge->effort_count && !pool_is_over(pool); i++)
        answer(judging, *worker, task, i);
    return *worker != NULL;
}

static void leave(void *worker) {
    search_free(worker);
}

/* ---- Summing up ---- */

int truth_bin_width(const Game *game) {
    return (game->board.cells + 5) / 6;
}

double truth_brier(const TruthScore *score) {
    return score->questions ? score->brier / score->questions : 0;
}

double truth_margin_error(const TruthScore *score) {
    return score->questions ? score->margin_error / score->questions : 0;
}

static void add_answer(TruthScore *score, const TruthPosition *position, const Answer *given) {
    score->positions++;
    if (position->winning < position->legal) {
        score->choices++;
        score->kept += given->kept;
    }
    for (int lost = 0; lost < given->questions; lost++) {
        const double off = given->win_rate[lost] - !lost;
        score->questions++;
        score->brier += off * off;
        score->margin_error += given->margin_error[lost];
    }
}

static void add_rates(TruthRate rates[TRUTH_RATES], const Answer *given) {
    for (int lost = 0; lost < given->questions; lost++) {
        const int tenth = (int)(given->win_rate[lost] * TRUTH_RATES);
        TruthRate *rate = &rates[tenth < TRUTH_RATES ? tenth : TRUTH_RATES - 1];
        rate->questions++;
        rate->won += !lost;
        rate->rate += given->win_rate[lost];
    }
}

/* Sums up the answers with one effort; false without memory. */
static bool sum_up(const Judging *judging, int number, TruthJudgement *out, Error *error) {
    const int width = truth_bin_width(judging->set->game);
    int missed = 0;
    out->effort = judging->judge->efforts[number];
    out->missed = malloc((size_t)judging->positions * sizeof *out->missed);
    if (!out->missed)
        return error_set(error, "out of memory for the answers");
    for (int index = 0; index < judging->positions; index++) {
        const TruthPosition *position = position_at(judging, index);
        const Answer *given = &judging->answers[index * judging->judge->effort_count + number];
        add_answer(&out->all, position, given);
        add_answer(&out->bins[position->empty / width], position, given);
        add_rates(out->rates, given);
        if (!given->kept)
            out->missed[missed++] = place_of(judging, index);
    }
    return true;
}

void truth_judgements_free(TruthJudgement judgements[TRUTH_EFFORTS_MAX]) {
    for (int i = 0; i < TRUTH_EFFORTS_MAX; i++)
        free(judgements[i].missed);
}

bool truth_judge(const TruthJudge *judge, const TruthSet *set, TruthJudgement out[TRUTH_EFFORTS_MAX], Error *error) {
    Judging judging = {.judge = judge, .set = set, .player = judge->player, .positions = set->count};
    if (judge->positions > 0 && judge->positions < set->count)
        judging.positions = judge->positions;
    memset(out, 0, TRUTH_EFFORTS_MAX * sizeof *out);
    if (!judge->solver)
        judging.player.params.solver_share = 0;
    judging.answers = calloc((size_t)(judging.positions * judge->effort_count), sizeof *judging.answers);
    judging.networks = player_networks_new(error);
    PoolEnd end = POOL_FAILED;
    if (!judging.answers)
        error_set(error, "out of memory for the answers");
    if (judging.answers && judging.networks)
        end = pool_run(&(PoolJob){.threads = judge->threads,
                                  .stop = judge->stop,
                                  .take = take,
                                  .play_task = play_task,
                                  .leave = leave,
                                  .user = &judging},
                       error);
    bool good = end == POOL_DONE || (end == POOL_STOPPED && error_set(error, "stopped"));
    for (int i = 0; i < judge->effort_count && good; i++)
        good = sum_up(&judging, i, &out[i], error);
    player_networks_free(judging.networks);
    free(judging.answers);
    return good;
}
