/* See search.h, and search_internal.h for the parts. Here: the worker of a thread, the run, making searches. */
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/search/search_internal.h"

#include <math.h>
#include <stdlib.h>

enum {
    CLAIM = 16,                /* simulations that one of several threads takes at a time */
    SETTLED_EVERY = 64,        /* simulations between two looks at whether the choice is settled */
    TIMED_SIMULATIONS_MIN = 32 /* even where the time is up before the threads have started */
};

SearchParams search_default_params(void) {
    return (SearchParams){
        .policy = PLAYOUT_TACTICAL,
        .playouts = 8,
        .judge = 1,
        .expand_visits = 1,
        .rave = 500,
        .prior_playouts = 16,
        .prior_slope = 0.14,
        .solver_share = 0.7,
        .solver_open = 24,
        .solver_claims_open = 32,
        .exploration = 0,
        .first_play = 1,
    };
}

/* ---- Running ---- */

/* Simulations that the limits leave when so many have been handed out; the solver's part counts, but not against the
 * first one. */
static uint64_t simulations_left(const Search *search, uint64_t started) {
    const uint64_t limit = search->simulation_limit;
    const uint64_t counted = started + atomic_load_explicit(&search->spent, memory_order_relaxed);
    if (!limit)
        return UINT64_MAX;
    return counted < limit ? limit - counted : started == 0;
}

/* Whether the move would stay the same if the simulations that are left, or that the time left is enough for, all went
 * to another one; those that other threads are at as well. */
static bool is_settled(const Search *search, uint64_t started, uint64_t left) {
    if (atomic_load_explicit(&search->solving, memory_order_relaxed))
        return false;
    if (search->deadline > 0) {
        const bool helped = search->threads > 1 && atomic_load(&search->spent) > 0; /* a thread has come back since */
        const double now = wall_seconds(), rate = (double)started / (now - search->began);
        const double in_time = rate * (helped ? search->threads : 1) * fmax(search->deadline - now, 0);
        left = in_time < (double)left ? (uint64_t)in_time : left;
    }
    return search_lead(search) > left + (uint64_t)(search->threads - 1) * CLAIM;
}

/* Takes some simulations from those that the limits leave; false where nothing is left to do. */
static bool claim(Worker *worker) {
    Search *search = worker->search;
    const uint64_t wanted = search->threads == 1 ? 1 : CLAIM;
    const uint64_t number = atomic_fetch_add_explicit(&search->started, wanted, memory_order_relaxed);
    const uint64_t left = simulations_left(search, number);
    if (left == 0 || (search->stop && atomic_load_explicit(search->stop, memory_order_relaxed)))
        return false;
    if (search->deadline > 0 && number >= TIMED_SIMULATIONS_MIN && wall_seconds() >= search->deadline)
        return false;
    if (search->until_settled && number >= SETTLED_EVERY && number % SETTLED_EVERY < wanted &&
        is_settled(search, number, left))
        return false;
    const Child *root = &search->tree.root;
    if (child_proven(root) != PROVEN_NOT || child_visits(root) >= TREE_VISITS_MAX)
        return false;
    worker->claimed = left < wanted ? left : wanted;
    return true;
}

/* A thread's part of a run. The first thread begins with the solver, while the others search. */
static void work(Search *search, int thread, const SearchLimits *limits) {
    Worker *worker = &search->workers[thread];
    if (thread == 0) {
        atomic_store(&search->spent, search_exact(search, limits));
        atomic_store(&search->solving, false);
    }
    if (search->threads == 1)
        search->began = wall_seconds();
    while (!atomic_load_explicit(&search->done, memory_order_relaxed)) {
        if (!claim(worker))
            atomic_store_explicit(&search->done, true, memory_order_relaxed);
        for (; worker->claimed > 0; worker->claimed--)
            search_simulate(worker);
        search_flush_pending(worker);
    }
}

static uint64_t total_simulations(const Search *search) {
    uint64_t sum = 0;
    for (int i = 0; i < search->threads; i++)
        sum += search->workers[i].simulations;
    return sum;
}

SearchSummary search_run(Search *search, const SearchLimits *limits) {
    const double begin = wall_seconds();
    const uint64_t before = total_simulations(search);
    search->simulation_limit = limits->simulations;
    search->deadline = limits->seconds > 0 ? begin + limits->seconds : 0;
    search->stop = limits->stop;
    search->until_settled = limits->until_settled;
    search->began = begin;
    atomic_store(&search->started, 0);
    atomic_store(&search->spent, 0);
    atomic_store(&search->solving, true);
    atomic_store(&search->done, false);
#pragma omp parallel for num_threads(search->threads) schedule(static, 1) if (search->threads > 1)
    for (int i = 0; i < search->threads; i++)
        work(search, i, limits);
    const Child *root = &search->tree.root;
    SearchSummary summary = {.simulations = total_simulations(search) - before,
                             .win_rate = 1.0 - (double)child_mean(root),
                             .margin = (double)root->margin,
                             .proven = child_proven(root) != PROVEN_NOT};
    if (search->lost) {
        summary.proven = true;
        summary.win_rate = 0;
    }
    for (int i = 0; i < search->threads; i++)
        summary.memory_full |= search->workers[i].memory_full;
    summary.seconds = wall_seconds() - begin;
    return summary;
}

/* ---- Making it, positions ---- */

static bool check_options(const SearchOptions *options, Error *error) {
    const SearchParams *params = &options->params;
    if (options->threads < 1 || options->threads > SEARCH_THREADS_MAX)
        return error_set(error, "threads: %d, expected 1 to %d", options->threads, SEARCH_THREADS_MAX);
    if (params->playouts < 1 || params->playouts > EVALUATION_PLAYOUTS_MAX)
        return error_set(error, "playouts: %d, expected 1 to %d", params->playouts, EVALUATION_PLAYOUTS_MAX);
    if (!(params->judge >= 0 && params->judge <= 10))
        return error_set(error, "judge: %g, expected 0 to 10", params->judge);
    if (params->expand_visits < 1)
        return error_set(error, "expand_visits: %d, expected 1 or more", params->expand_visits);
    if (params->prior_playouts < 0 || params->prior_playouts > 1000)
        return error_set(error, "prior_playouts: %d, expected 0 to 1000", params->prior_playouts);
    if (!(params->prior_slope >= 0 && params->prior_slope <= 10))
        return error_set(error, "prior_slope: %g, expected 0 to 10", params->prior_slope);
    if (!(params->solver_share >= 0 && params->solver_share <= 1) || params->solver_open < 0 ||
        params->solver_claims_open < 0)
        return error_set(error, "solver_share must be from 0 to 1, solver_open and solver_claims_open 0 or more");
    if (!(params->rave >= 0) || !(params->exploration >= 0) || !(params->first_play >= 0 && params->first_play <= 1))
        return error_set(error, "rave and exploration must be 0 or more, first_play from 0 to 1");
    return true;
}

static void forget_owners(Search *search) {
    for (int i = 0; i < search->threads; i++) {
        search->workers[i].owner_samples = 0;
        memset(search->workers[i].owner_sum, 0, sizeof search->workers[i].owner_sum);
        search->workers[i].memory_full = false;
        search->workers[i].arena = (Arena){0};
    }
}

Search *search_new(const Game *game, const SearchOptions *options, Error *error) {
    if (!check_options(options, error))
        return NULL;
    Search *search = aligned_alloc(CACHE_LINE, sizeof *search);
    Worker *workers = aligned_alloc(CACHE_LINE, (size_t)options->threads * sizeof *workers);
    if (search)
        memset(search, 0, sizeof *search);
    if (workers)
        memset(workers, 0, (size_t)options->threads * sizeof *workers);
    if (!search || !workers) {
        error_set(error, "out of memory for a search of %d threads", options->threads);
        free(search);
        free(workers);
        return NULL;
    }
    search->game = game;
    search->params = options->params;
    search->threads = options->threads;
    search->workers = workers;
    const size_t for_solver = search_exact_init(search, options->memory);
    if (!tree_init(&search->tree, options->memory - for_solver, error)) {
        search_free(search);
        return NULL;
    }
    for (int i = 0; i < options->threads; i++)
        workers[i].search = search;
    const SearchParams *params = &search->params;
    playout_evaluator_init(&search->playout_evaluator, params->policy, params->playouts, (float)params->judge);
    search->evaluator = &search->playout_evaluator.evaluator;
    search->choice = choice_kernel();
    search->choice_params = (ChoiceParams){.per_rave = params->rave > 0 ? 1.0f / (float)params->rave : 0.0f,
                                           .exploration = (float)params->exploration,
                                           .first_play = (float)params->first_play};
    search_reseed(search, options->seed);
    game->rules->start(game, &search->root, 0);
    return search;
}

void search_free(Search *search) {
    if (!search)
        return;
    tree_free(&search->tree);
    solver_free(search->solver);
    free(search->workers);
    free(search);
}

void search_set_position(Search *search, const GameState *state) {
    game_copy(search->game, &search->root, state);
    tree_clear(&search->tree);
    search_exact_forget(search);
    forget_owners(search);
}

void search_play(Search *search, Action action) {
    const GameRules *rules = search->game->rules;
    const Side mover = rules->to_move(&search->root);
    const NodeRef ref = child_node(&search->tree.root);
    rules->apply(search->game, &search->root, action);
    const Child *child = NULL;
    for (int i = 0; ref && i < tree_node(&search->tree, ref)->children; i++)
        if (tree_children(&search->tree, ref)[i].action == action)
            child = tree_children(&search->tree, ref) + i;
    if (child)
        tree_keep(&search->tree, child, mover == side_opponent(rules->to_move(&search->root)));
    else
        tree_clear(&search->tree);
    forget_owners(search);
}

const GameState *search_position(const Search *search) {
    return &search->root;
}

void search_reseed(Search *search, uint64_t seed) {
    for (int i = 0; i < search->threads; i++) {
        search->workers[i].seed = rng_split(seed, (uint64_t)i);
        search->workers[i].simulations = 0;
    }
}
