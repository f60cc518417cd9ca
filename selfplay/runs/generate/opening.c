/* See opening.h. */
#include "selfplay/runs/generate/opening.h"

#include "engine/base/rng.h"

#include <math.h>

enum { NORMAL_SUM = 12 };

/* A sequence of actions in the tree of openings. */
typedef struct Branch {
    GameState state;
    bool fixed_by[HEXHEX_SYMMETRIES]; /* the symmetries that take every action so far to itself */
    uint64_t seed;                    /* of the order of the next actions */
} Branch;

/* The legal actions of which none is the image of another; returns how many. */
static int distinct_actions(const Game *game, const Branch *branch, Action out[GAME_LEGAL_MAX]) {
    const int count = game->rules->legal(game, &branch->state, out);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        bool lowest = true;
        for (int map = 0; map < HEXHEX_SYMMETRIES && lowest; map++)
            lowest = !branch->fixed_by[map] || game->rules->symmetry(game, map, out[i]) >= out[i];
        if (lowest)
            out[distinct++] = out[i];
    }
    return distinct;
}

/* Takes the action that the counter's last digit chooses. */
static Action step(const Game *game, Branch *branch, uint64_t *counter) {
    Action actions[GAME_LEGAL_MAX];
    const int count = distinct_actions(game, branch, actions);
    Rng rng = rng_seed(branch->seed);
    for (int i = count - 1; i > 0; i--) {
        const uint32_t other = rng_below(&rng, (uint32_t)i + 1);
        const Action kept = actions[i];
        actions[i] = actions[other];
        actions[other] = kept;
    }
    const Action action = actions[*counter % (uint64_t)count];
    *counter /= (uint64_t)count;
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        branch->fixed_by[map] &= game->rules->symmetry(game, map, action) == action;
    branch->seed = rng_split(branch->seed, action);
    game->rules->apply(game, &branch->state, action);
    return action;
}

/* Follows the counter for this number of turns; false if the game ends with them or if they do not fit. */
static bool follow(const Game *game, uint64_t seed, uint64_t counter, int64_t turns, Opening *opening) {
    Branch branch = {.seed = seed};
    memset(branch.fixed_by, true, sizeof branch.fixed_by);
    game->rules->start(game, &branch.state, 0);
    opening->count = 0;
    for (int64_t turn = 0; turn < turns; turn++)
        do {
            if (opening->count == OPENING_ACTIONS_MAX)
                return false;
            opening->actions[opening->count++] = step(game, &branch, &counter);
            if (game->rules->over(&branch.state))
                return false;
        } while (!game->rules->turn_start(&branch.state));
    return true;
}

/* Nearly normal, mean 0 and standard deviation 1: a sum of uniform numbers, for a logarithm of the C library may differ
 * in its last bit from machine to machine. */
static double normal(Rng *rng) {
    double sum = -0.5 * NORMAL_SUM;
    for (int i = 0; i < NORMAL_SUM; i++)
        sum += rng_unit(rng);
    return sum;
}

/* Moves the even komi of the opening. */
static void spread_komi(const OpeningSource *source, Rng *rng, Opening *opening) {
    const SelfplayConfig *config = source->config;
    const bool wild = rng_unit(rng) < config->wild_share;
    const double shift = normal(rng) * (wild ? config->wild_spread : config->komi_spread);
    opening->komi = game_clamp_komi(source->game, opening->komi + (int)floor(shift + 0.5));
}

/* Draws from the recorded games, in the share that the settings say; false if this game begins otherwise. */
static bool draw_recorded(const OpeningSource *source, Rng *rng, Opening *opening) {
    const RecordedSettings *settings = &source->config->recorded;
    return settings->from[0] && rng_unit(rng) < settings->share &&
           recorded_openings_draw(source->recorded, source->game, rng, opening);
}

/* Goes down the tree by a number (-1: any), and finds the even komi; false at a dead end. */
static bool draw_random(const OpeningSource *source, int64_t number, Rng *rng, Opening *opening) {
    const SelfplayConfig *config = source->config;
    const SelfplaySize *size = source->size;
    const OpeningSettings settings = {.even = 0.5, .simulations = config->referee_simulations};
    const uint64_t order = rng_split(config->run.seed, (uint64_t)size->size);
    const uint32_t choices = (uint32_t)(config->opening_turns[1] - config->opening_turns[0] + 1);
    const int64_t turns = config->opening_turns[0] + rng_below(rng, choices);
    const uint64_t counter = number >= 0 ? (uint64_t)number : rng_next(rng);
    *opening = (Opening){.komi = (int)size->komi};
    if (!follow(source->game, order, counter, turns, opening))
        return false;
    if (size->auto_komi && opening_legal_at(source->game, opening, 1))
        opening_even_out(source->game, source->referee, &settings, rng_next(rng), opening);
    return true;
}

bool selfplay_opening_draw(const OpeningSource *source, int64_t number, uint64_t seed, Opening *opening, Error *error) {
    const int64_t *turns = source->config->opening_turns;
    Rng rng = rng_seed(seed);
    for (int attempt = 0; attempt < OPENING_TRIES; attempt++) {
        if (!draw_recorded(source, &rng, opening) && !draw_random(source, attempt == 0 ? number : -1, &rng, opening))
            continue;
        if (source->game->has_points)
            spread_komi(source, &rng, opening);
        if (opening_legal_at(source->game, opening, opening->komi))
            return true;
    }
    return error_set(error,
                     "openings: none of %d of %lld to %lld turns leaves hexhex-%lld unfinished; choose fewer turns",
                     OPENING_TRIES, (long long)turns[0], (long long)turns[1], (long long)source->size->size);
}
