/* See search.h, and search_internal.h for the parts. Here: running a search, making it, and setting its position. */
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/search/search_internal.h"

#include <math.h>
#include <stdlib.h>

enum {
    LOOK_EVERY = 64,            /* simulations between two looks at all moves of the root */
    TIMED_SIMULATIONS_MIN = 32, /* even where the time is up before the threads have started */
    OWNERS_KEPT = 32            /* evaluations of owners of a thread that go on to count after a move */
};

/* ---- Running ---- */

/* Simulations that the limits leave when `started` have been handed out. The solver's part counts, but one simulation
 * is always left to begin with. */
static uint64_t simulations_left(const Search *search, uint64_t started) {
    const uint64_t limit = search->simulation_limit;
    const uint64_t counted = started + atomic_load_explicit(&search->spent, memory_order_relaxed);
    if (!limit)
        return UINT64_MAX;
    return counted < limit ? limit - counted : started == 0;
}

/* Simulations that a thread takes at a time. Between two claims it looks at the limits. */
static int claim_size(const Search *search) {
    const int batch = search->evaluator->batch;
    return search->threads == 1 || batch > SEARCH_CLAIM ? batch : SEARCH_CLAIM;
}

/* Whether the move to play is the most visited one, and would stay that if all simulations that are left went to
 * another move. Those that the time left is enough for count, and those that other threads are at. Sequential halving
 * needs all of them: it plays the best move of its last round. */
static bool is_settled(const Search *search, uint64_t started, uint64_t left) {
    if (search->gumbel.considered > 1 || atomic_load_explicit(&search->solving, memory_order_relaxed))
        return false;
    if (search->deadline > 0) {
        const bool helped = search->threads > 1 && atomic_load(&search->spent) > 0; /* a thread has come back since */
        const double now = wall_seconds(), rate = (double)(started - search->resumed) / (now - search->began);
        const double in_time = rate * (helped ? search->threads : 1) * fmax(search->deadline - now, 0);
        left = in_time < (double)left ? (uint64_t)in_time : left;
    }
    const uint64_t lead = search_lead(search),
                   of_others = (uint64_t)(search->threads - 1) * (uint64_t)claim_size(search);
    return lead > of_others && lead - of_others > left && search_plays_most_visited(search);
}

/* Whether the root has as many visits as can be counted; or, where it is time to `look`, a move of the root, which may
 * have more than the root: simulations that come back to a dismissed move count for the move alone (revisit.h). */
static bool is_full(const Search *search, bool look) {
    const NodeRef ref = edge_node(&search->tree.root);
    const Edges edges = look && ref ? tree_edges(&search->tree, ref) : (Edges){.count = 0};
    bool full = edge_visits(&search->tree.root) >= TREE_VISITS_MAX;
    for (int i = 0; i < edges.count && !full; i++)
        full = edge_visits(edge_at(&edges, i)) >= TREE_VISITS_MAX;
    return full;
}

/* Whether it is time to pause, when nothing else ends the run. */
static bool pauses(Search *search) {
    if (search->pause == 0 || wall_seconds() < search->pause)
        return false;
    atomic_store(&search->paused, true);
    return true;
}

/* Takes some simulations from those that the limits leave; false where nothing is left to do. What a thread has taken,
 * it makes, even if another one has then found nothing left and stops the run. */
static bool claim(Worker *worker) {
    Search *search = worker->search;
    if (stop_flag_obey(&search->done))
        return false;
    const uint64_t wanted = (uint64_t)claim_size(search);
    const uint64_t number = atomic_fetch_add_explicit(&search->started, wanted, memory_order_relaxed);
    const uint64_t left = simulations_left(search, number), here = number - search->resumed;
    if (left == 0)
        return false;
    if (search->deadline > 0 && here >= TIMED_SIMULATIONS_MIN && wall_seconds() >= search->deadline)
        return false;
    const bool look = number % LOOK_EVERY < wanted;
    if (search->until_settled && here >= LOOK_EVERY && look && is_settled(search, number, left))
        return false;
    if (edge_proven(&search->tree.root) != PROVEN_NOT || is_full(search, look))
        return false;
    if (here >= TIMED_SIMULATIONS_MIN && pauses(search))
        return false;
    worker->claimed = (int)(left < wanted ? left : wanted);
    return true;
}

/* A thread's part of a run. The first thread begins with the solver, while the others search. */
static void work(Search *search, int thread, const SearchLimits *limits) {
    Worker *worker = &search->workers[thread];
    if (thread == 0) {
        atomic_store(&search->spent, search_exact(search, limits));
        atomic_store(&search->solving, false);
        search->gumbel.simulations = simulations_left(search, 0); /* of one thread, which waited for the solver */
    }
    if (search->threads == 1)
        search->began = wall_seconds();
    while (!stop_flag_is_set(&search->done)) {
        if (!claim(worker))
            stop_flag_set(&search->done);
        while (worker->claimed > 0)
            worker->claimed -= search_simulate(worker, worker->claimed);
        search_flush_pending(worker);
    }
}

static uint64_t total_simulations(const Search *search) {
    uint64_t sum = 0;
    for (int i = 0; i < search->threads; i++)
        sum += search->workers[i].simulations;
    return sum;
}

/* Prepares sequential halving where the run is of that kind. Its phases need the number of simulations beforehand. */
static void begin_gumbel(Search *search, const SearchLimits *limits) {
    GumbelRoot *gumbel = &search->gumbel;
    const NodeRef ref = edge_node(&search->tree.root);
    const bool is_counted = limits->simulations > 0 && limits->seconds == 0;
    const bool wanted = search->params.selection == SELECTION_PUCT && search->threads == 1 && is_counted;
    gumbel->considered = wanted ? search->params.considered : 0;
    memset(gumbel->before, 0, sizeof gumbel->before);
    const Edges edges = ref ? tree_edges(&search->tree, ref) : (Edges){.count = 0};
    for (int i = 0; i < edges.count; i++)
        gumbel->before[i] = edge_visits(edge_at(&edges, i));
}

static void begin_run(Search *search, const SearchLimits *limits, double begin) {
    search->simulation_limit = limits->simulations;
    search->deadline = limits->seconds == 0 ? 0 : begin + fmax(limits->seconds, 0);
    search->pause = limits->pause == 0 ? 0 : begin + fmax(limits->pause, 0);
    search->done = (StopFlag){.parent = limits->stop};
    search->until_settled = limits->until_settled;
    search->wide = limits->wide;
    search->began = begin;
    search->resumed = limits->continues ? search->made : 0;
    atomic_store(&search->started, search->resumed);
    atomic_store(&search->solving, true);
    atomic_store(&search->paused, false);
    if (limits->continues)
        return;
    begin_gumbel(search, limits);
    search->solver_nodes = 0;
    atomic_store(&search->spent, 0);
}

/* What is known of the root now. Simulations and seconds are the caller's. */
static SearchSummary summarize(const Search *search) {
    const Edge *root = &search->tree.root;
    const NodeRef node = edge_node(root);
    SearchSummary summary = {.win_rate = search->lost ? 0 : 1.0 - (double)edge_mean(root),
                             .margin = (double)edge_margin(root),
                             .deviation = node ? (double)tree_node(&search->tree, node)->deviation : 0,
                             .proven = search->lost || edge_proven(root) != PROVEN_NOT,
                             .paused = atomic_load(&search->paused)};
    for (int i = 0; i < search->threads; i++)
        summary.memory_full |= search->workers[i].memory_full;
    return summary;
}

SearchSummary search_run(Search *search, const SearchLimits *limits) {
    const double begin = wall_seconds();
    const uint64_t before = total_simulations(search);
    const GumbelRoot choice = search->gumbel;
    begin_run(search, limits, begin);
#pragma omp parallel for num_threads(search->threads) schedule(static, 1) if (search->threads > 1)
    for (int i = 0; i < search->threads; i++)
        work(search, i, limits);
    SearchSummary summary = summarize(search);
    const uint64_t here = total_simulations(search) - before;
    summary.simulations = search->made = search->resumed + here;
    if (here == 0 && !summary.proven)
        search->gumbel = choice; /* stopped at once: what the run before chose stands */
    if (search->gumbel.considered > 1 && !summary.proven)
        search_judge_by_policy(search, &summary);
    summary.settled = limits->until_settled && here > 0 &&
                      is_settled(search, summary.simulations, simulations_left(search, summary.simulations));
    summary.seconds = wall_seconds() - begin;
    return summary;
}

/* ---- Making it, positions ---- */

static bool check_options(const SearchOptions *options, Error *error) {
    if (options->threads < 1 || options->threads > SEARCH_THREADS_MAX)
        return error_set(error, "threads: %d, expected 1 to %d", options->threads, SEARCH_THREADS_MAX);
    return search_check_params(&options->params, error);
}

/* What would make a search wait for ever or divide by 0. */
static bool check_evaluator(const Evaluator *evaluator, Error *error) {
    if (evaluator && (evaluator->batch < 1 || evaluator->batch > EVALUATOR_BATCH_MAX))
        return error_set(error, "evaluator '%s': batch is %d, expected 1 to %d", evaluator->name, evaluator->batch,
                         EVALUATOR_BATCH_MAX);
    if (evaluator && evaluator->solver_positions < 1)
        return error_set(error, "evaluator '%s': solver_positions is %d, expected 1 or more", evaluator->name,
                         evaluator->solver_positions);
    return true;
}

/* In a tree that is kept the owners found before go on to count, as a few evaluations. So they are known also where the
 * winner is, and where a run makes hardly any simulation. */
static void fade_owners(const Game *game, Worker *worker) {
    if (worker->owner_samples <= OWNERS_KEPT)
        return;
    for (int c = 0; c < game->board.cells; c++)
        worker->owner_sum[c] *= (double)OWNERS_KEPT / (double)worker->owner_samples;
    worker->owner_samples = OWNERS_KEPT;
}

static void forget_owners(Worker *worker) {
    worker->owner_samples = 0;
    memset(worker->owner_sum, 0, sizeof worker->owner_sum);
}

/* Forgets what belongs to the root position. */
static void forget_root(Search *search) {
    search->gumbel = (GumbelRoot){0};
    search->lost = false;
    if (search->avoid_depth > 0)
        memset(&search->avoid, 0, sizeof search->avoid);
    search->avoid_depth = 0;
    for (int i = 0; i < search->threads; i++) {
        Worker *worker = &search->workers[i];
        worker->memory_full = false;
        worker->arena = (Arena){0};
    }
}

static bool init_worker(Worker *worker, Search *search, Error *error) {
    const Evaluator *evaluator = search->evaluator;
    worker->search = search;
    worker->batch = lines_new((size_t)evaluator->batch * sizeof *worker->batch);
    worker->evaluations = lines_new((size_t)evaluator->batch * sizeof *worker->evaluations);
    if (!worker->batch || !worker->evaluations)
        return error_set(error, "out of memory for a search of %d threads", search->threads);
    worker->context = evaluator->new_context(evaluator, search->game, error);
    if (worker->context && evaluator->share_cache && worker != search->workers)
        evaluator->share_cache(worker->context, search->workers[0].context);
    return worker->context != NULL;
}

/* Of a parameter whose reciprocal is taken, which must stay in the range of its type. */
static double none_if_tiny(double value) {
    return value < 1e-9 ? 0 : value;
}

static void set_params(Search *search, const SearchOptions *options) {
    const SearchParams *params = &options->params;
    search->params = *params;
    search->params.rave_equivalence = none_if_tiny(params->rave_equivalence);
    search->params.revisits = none_if_tiny(params->revisits);
    search->playouts = playout_evaluator(params->playout_policy, params->playouts, (float)params->static_eval);
    search->evaluator = options->evaluator ? options->evaluator : &search->playouts.evaluator;
    if (options->evaluator && params->playout_share > 0) {
        search->mixed = mixed_evaluator(options->evaluator, &search->playouts.evaluator, (float)params->playout_share);
        search->evaluator = &search->mixed.evaluator;
    }
    search->kernel = selection_kernel();
    const double rave = search->params.rave_equivalence, revisits = search->params.revisits;
    search->rave = (SelectionParams){.per_rave = rave > 0 ? 1.0f / (float)rave : 0.0f,
                                     .exploration = (float)params->exploration,
                                     .fpu = (float)params->fpu};
    search->revisit_period = revisits > 0 ? (uint64_t)(1 / revisits + 0.5) : 0;
    search->puct = (PuctParams){.exploration = (float)params->puct,
                                .fpu_reduction = (float)params->fpu_reduction,
                                .score = search->game->has_points ? (float)params->score : 0,
                                .score_scale = __builtin_sqrtf((float)search->game->board.cells)};
}

/* Takes all memory that a search needs. */
static bool init_parts(Search *search, const SearchOptions *options, Error *error) {
    search->workers = lines_new((size_t)options->threads * sizeof *search->workers);
    if (!search->workers)
        return error_set(error, "out of memory for a search of %d threads", options->threads);
    search->threads = options->threads;
    for (int i = 0; i < options->threads; i++)
        if (!init_worker(&search->workers[i], search, error))
            return false;
    const size_t for_solver = search_exact_init(search, options->memory);
    return tree_init(&search->tree, options->memory - for_solver, error);
}

Search *search_new(const Game *game, const SearchOptions *options, Error *error) {
    if (!check_options(options, error) || !check_evaluator(options->evaluator, error))
        return NULL;
    Search *search = lines_new(sizeof *search);
    if (!search) {
        error_set(error, "out of memory for a search");
        return NULL;
    }
    search->game = game;
    set_params(search, options);
    if (!init_parts(search, options, error)) {
        search_free(search);
        return NULL;
    }
    search_reseed(search, options->seed);
    game->rules->start(game, &search->root, 0);
    search_expect_symmetry(search);
    return search;
}

void search_free(Search *search) {
    if (!search)
        return;
    for (int i = 0; i < search->threads; i++) {
        Worker *worker = &search->workers[i];
        if (worker->context)
            search->evaluator->free_context(worker->context);
        free(worker->batch);
        free(worker->evaluations);
    }
    free(search->workers);
    tree_free(&search->tree);
    solver_free(search->solver);
    free(search);
}

void search_set_position(Search *search, const GameState *state) {
    game_copy(search->game, &search->root, state);
    search->history = (GameHistory){0};
    search_exact_forget(search);
    search_forget_tree(search);
    search_expect_symmetry(search);
}

static void forget_tree(Search *search) {
    tree_clear(&search->tree);
    for (int i = 0; i < search->threads; i++)
        forget_owners(&search->workers[i]);
}

void search_forget_tree(Search *search) {
    forget_tree(search);
    forget_root(search);
}

void search_set_history(Search *search, const GameHistory *history) {
    search->history = *history;
}

bool search_avoid(Search *search, const SearchAvoid *avoid) {
    static const SearchAvoid nothing;
    if (!avoid)
        avoid = &nothing;
    if (!memcmp(avoid, &search->avoid, sizeof *avoid))
        return true;
    search_forget_tree(search);
    search->avoid = *avoid;
    for (size_t i = 0; i < sizeof avoid->until; i++)
        if (avoid->until[i / GAME_ACTIONS_MAX][i % GAME_ACTIONS_MAX] > search->avoid_depth)
            search->avoid_depth = avoid->until[i / GAME_ACTIONS_MAX][i % GAME_ACTIONS_MAX];
    return false;
}

/* A position of which only the solver knows who wins is searched all the same (endgame.c): its answer does not end the
 * search of a side that has no simulation to choose its move by. */
static void forget_solved_root(Search *search) {
    Edge *root = &search->tree.root;
    const NodeRef ref = edge_node(root);
    const Proven known = ref ? search_proven_by_edges(search, ref) : PROVEN_NOT; /* for the side to move */
    if (edge_proven(root) != PROVEN_NOT && known == PROVEN_NOT)
        atomic_store_explicit(&root->proven, PROVEN_NOT, memory_order_relaxed);
}

/* The root has all its edges. Where there is no memory left for that, all of it is given back. */
static void make_root_edges(Search *search) {
    const NodeRef ref = edge_node(&search->tree.root);
    if (ref && !tree_extend(&search->tree, &search->workers[0].arena, ref)) {
        tree_clear(&search->tree);
        search->workers[0].arena = (Arena){0};
    }
}

/* The edge of node `ref`, which has all its edges, with this action; NULL if there is none. */
static const Edge *find_edge(const Search *search, NodeRef ref, Action action) {
    const Edges edges = tree_edges(&search->tree, ref);
    for (int i = 0; i < edges.count; i++)
        if (edge_at(&edges, i)->action == action)
            return edge_at(&edges, i);
    return NULL;
}

void search_play(Search *search, Action action) {
    const GameRules *rules = search->game->rules;
    const Side mover = rules->to_move(&search->root);
    const NodeRef ref = edge_node(&search->tree.root);
    rules->apply(search->game, &search->root, action);
    game_history_add(search->game, &search->history, action, &search->root);
    const Edge *edge = ref ? find_edge(search, ref, action) : NULL;
    if (edge && search->avoid_depth <= 1)
        tree_keep(&search->tree, edge, mover == side_opponent(rules->to_move(&search->root)));
    else
        forget_tree(search);
    for (int i = 0; i < search->threads; i++)
        fade_owners(search->game, &search->workers[i]);
    forget_solved_root(search);
    forget_root(search);
    make_root_edges(search);
    search_expect_symmetry(search);
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
