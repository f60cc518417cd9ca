/* See game_clock.h. */
#include "selfplay/players/game_clock.h"

#include "engine/base/rng.h"

#include <math.h>

enum { ESTIMATE_PLAYOUTS = 32 /* to guess how long the game will last */ };

/* The part of a budget that is not used: for a slow line, a busy machine, a search that ends a little late. */
static const double margin_share = 0.1, margin_seconds = 0.02, shortest_move = 0.001;
static const double searched_share = 0.6; /* of the turns that are left: the last ones are decided and take no time */
static const double fewest_moves = 5; /* the estimate of moves to come can be wrong: no move gets more than a fifth */

void game_clock_set(GameClock *clock, const GameTimes *times) {
    /* A period without stones is the protocol's way to say "no limits". */
    *clock = (GameClock){.limited = times->period_stones > 0 || times->period == 0, .times = *times};
    game_clock_restart(clock);
}

static bool has_periods(const GameClock *clock) {
    return clock->times.periods > 1;
}

static void start_period(GameClock *clock, Side side) {
    clock->left[side] = clock->times.period;
    clock->stones_left[side] = clock->times.period_stones;
}

void game_clock_restart(GameClock *clock) {
    clock->running = clock->limited; /* what game_clock_left said held for the game before */
    for (Side side = BLACK; side <= WHITE; side++) {
        clock->left[side] = clock->times.main_time;
        clock->stones_left[side] = clock->periods_left[side] = 0;
        if (clock->times.main_time == 0 && clock->times.period_stones > 0) {
            start_period(clock, side);
            clock->periods_left[side] = has_periods(clock) ? clock->times.periods : 0;
        }
    }
}

void game_clock_left(GameClock *clock, Side side, double seconds, int stones) {
    clock->running = true;
    clock->left[side] = seconds;
    clock->stones_left[side] = stones > 0 && has_periods(clock) ? 1 : stones;
    clock->periods_left[side] = has_periods(clock) ? stones : 0;
}

/* Several periods of a move each: the time of this move goes through them, and the last one that it has begun is whole
 * again for the next move. */
static void spend_periods(GameClock *clock, Side side) {
    if (clock->stones_left[side] == 0 && clock->left[side] >= 0)
        return; /* main time */
    if (clock->stones_left[side] == 0) {
        clock->left[side] += clock->times.period;
        clock->periods_left[side] = clock->times.periods;
    }
    for (; clock->left[side] < 0 && clock->periods_left[side] > 1; clock->periods_left[side]--)
        clock->left[side] += clock->times.period;
    start_period(clock, side);
}

void game_clock_spend(GameClock *clock, Side side, double seconds) {
    clock->left[side] -= seconds;
    if (has_periods(clock)) {
        spend_periods(clock, side);
    } else if (clock->stones_left[side] > 0) {
        if (--clock->stones_left[side] == 0)
            start_period(clock, side);
    } else if (clock->left[side] < 0 && clock->times.period_stones > 0) {
        /* Byo-yomi began within this move, which is not counted as one of its stones: that errs on the safe side. */
        const double overrun = -clock->left[side];
        start_period(clock, side);
        clock->left[side] -= overrun;
    }
    if (clock->stones_left[side] == 0)
        clock->left[side] += clock->times.increment;
}

bool game_clock_saves(const GameClock *clock, Side side) {
    return clock->running && clock->left[side] > 0 && clock->stones_left[side] != 1;
}

/* The share of one action in the main time. What the turn gets besides is used up first. */
static double share_of_main_time(const GameClock *clock, Side side, double spent, double moves) {
    const GameTimes *times = &clock->times;
    const double in_period = times->period_stones > 0 ? times->period / times->period_stones : 0;
    const double besides = times->increment + in_period, more = fmax(0, besides - spent);
    const double share = (clock->left[side] - fmax(0, spent - besides)) / moves + more;
    const double end = clock->left[side] + in_period - spent; /* the increment comes only after the move */
    return fmin(share, end);
}

double game_clock_budget(const GameClock *clock, Side side, double spent, double own_moves) {
    const double moves = fmax(own_moves, fewest_moves);
    const double share = clock->stones_left[side] > 0 /* further periods are a reserve */
                             ? (clock->left[side] - spent) / clock->stones_left[side]
                             : share_of_main_time(clock, side, spent, moves);
    return fmax((1 - margin_share) * share - margin_seconds, shortest_move);
}

double game_clock_moves_left(const Game *game, const GameState *state, uint64_t seed) {
    const GameState *states[ESTIMATE_PLAYOUTS];
    uint64_t seeds[ESTIMATE_PLAYOUTS];
    PlayoutResult results[ESTIMATE_PLAYOUTS];
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++) {
        states[i] = state;
        seeds[i] = rng_split(seed, (uint64_t)i);
    }
    game->rules->playouts(game, states, seeds, ESTIMATE_PLAYOUTS, PLAYOUT_LIGHT, results);
    double length = 0;
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++)
        length += results[i].length;
    return searched_share * length / (2 * ESTIMATE_PLAYOUTS);
}
