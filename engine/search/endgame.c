/* Exact endgames: where few cells are open, a run first asks the solver (engine/solver/solver.h) who wins.
 *
 * A move that wins for certain is marked as such in the tree, and the run is over. A lost position is still searched,
 * because the opponent may not see the win. The solver has a share of the run's effort, and what it spends is taken
 * from the rest. It works on one thread while the others search, and it ends when they have made all simulations. Its
 * table is kept from move to move, so that in a decided endgame it answers at once. */
#include "engine/search/search_internal.h"

#include <math.h>

enum {
    NODES_WITHOUT_LIMIT = 1 << 19, /* where `stop` alone ends a run */
    NODES_MIN = 1 << 10,           /* it is not asked for less ... */
    SIMULATIONS_MIN = 60,          /* ... or where its share is fewer: these are needed more (MEASUREMENTS.md) */
    NODES_UNPAUSED = 1 << 19,      /* it looks at as many before it pauses */
    HALF_POINTS_A_CELL = 4,        /* how far each open cell takes the bounds of a margin apart */
    PLAIN_OPEN = 8,                /* empty cells in an endgame of a game that knows no bounds */
    MEMORY_PART = 4,               /* of the search's memory ... */
    MEMORY_MAX = 64 << 20          /* ... at most */
};
#define NODES_MAX 0x1p60 /* it is not asked for more */

size_t search_exact_init(Search *search, size_t memory) {
    const size_t part = memory / MEMORY_PART < MEMORY_MAX ? memory / MEMORY_PART : MEMORY_MAX;
    /* Where `part` is too little for the board there is no solver, and the search goes without. */
    if (search->params.solver_share > 0 && search->game->rules->komi)
        search->solver = solver_new(search->game, &(SolverOptions){.memory = part, .threads = 1}, NULL);
    return search->solver ? part : 0;
}

void search_exact_forget(Search *search) {
    if (search->solver && search->solver_used)
        solver_clear(search->solver);
    search->solver_used = false;
}

/* Whether few enough cells are open, by bounds that need no search. On the empty board one of the bounds follows from a
 * theorem about the whole game, so there the cells are counted. The plain model has no bounds before the end. */
static bool is_endgame(const Search *search) {
    const SearchParams *params = &search->params;
    const int empty = game_empty_cells(search->game, &search->root);
    if (!search->game->rules->solver)
        return empty <= PLAIN_OPEN;
    const int limit = solver_has_carriers(search->solver) ? params->solver_carriers_open : params->solver_open;
    if (empty == search->game->board.cells)
        return empty <= limit;
    const SolverResult bounds = solver_bounds(search->solver, &search->root);
    return bounds.upper_half_points - bounds.lower_half_points <= HALF_POINTS_A_CELL * limit;
}

/* Positions that the solver looks at in the time of a simulation, roughly. */
static uint64_t nodes_a_simulation(const Search *search) {
    return (uint64_t)search->evaluator->solver_positions;
}

/* The solver's part of the simulations, in positions. */
static uint64_t node_share(const Search *search, const SearchLimits *limits) {
    const double all = (double)limits->simulations * (double)nodes_a_simulation(search);
    return (uint64_t)fmin(search->params.solver_share * all, NODES_MAX);
}

/* The time to the end of a run or to its pause; 0: no limit. */
static double time_of(const SearchLimits *limits) {
    const bool pauses_first = limits->pause != 0 && (limits->seconds == 0 || limits->pause < limits->seconds);
    return pauses_first ? limits->pause : limits->seconds;
}

/* The solver's part of the limits, less what it has taken of the simulations before; of time it is a share of its
 * thread's. False where that is too little to begin. A small part of the simulations is taken at once: so what is found
 * does not depend on the time of a pause. */
static bool share_limits(const Search *search, const SearchLimits *limits, SolverLimits *share) {
    const uint64_t nodes = node_share(search, limits), taken = search->solver_nodes;
    const bool at_once = search->threads == 1 && limits->simulations && nodes <= NODES_UNPAUSED;
    const double time = at_once ? limits->seconds : time_of(limits);
    *share = (SolverLimits){.stop = &search->done, .seconds = search->params.solver_share * time};
    if (time != 0 && share->seconds == 0)
        return false; /* 0 would mean no limit, here and below */
    if (limits->simulations) {
        share->nodes = nodes > taken ? nodes - taken : 0;
        return share->nodes >= NODES_MIN && share->nodes >= SIMULATIONS_MIN * nodes_a_simulation(search) &&
               !(at_once && limits->continues);
    }
    if (time == 0)
        share->nodes = NODES_WITHOUT_LIMIT;
    return true;
}

/* Marks a winning move of the root, and the root. */
static void mark_win(Search *search, Action action) {
    const NodeRef ref = edge_node(&search->tree.root);
    const Edges edges = tree_edges(&search->tree, ref);
    int map;
    const int i = search_find_image(search, action, &map);
    if (i < 0)
        return;
    puct_note_taken(tree_node(&search->tree, ref), i);
    atomic_store_explicit(&edge_at(&edges, i)->proven, PROVEN_WIN, memory_order_relaxed);
    atomic_store_explicit(&search->tree.root.proven, PROVEN_LOSS, memory_order_relaxed);
}

/* Gives the root its node by a simulation; false where none is left or memory is full. */
static bool make_root_node(Search *search) {
    if (edge_node(&search->tree.root))
        return true;
    const uint64_t number = atomic_fetch_add_explicit(&search->started, 1, memory_order_relaxed);
    if (search->simulation_limit == 0 || number < search->simulation_limit)
        search_simulate(&search->workers[0], 1);
    search_flush_pending(&search->workers[0]);
    return edge_node(&search->tree.root) != 0;
}

static void ask_solver(Search *search, const SearchLimits *limits) {
    const Game *game = search->game;
    SolverLimits share;
    if (search->lost || !search->solver || search->avoid_depth > 0 || edge_proven(&search->tree.root) != PROVEN_NOT ||
        !is_endgame(search) || !share_limits(search, limits, &share) || !make_root_node(search))
        return;
    const int threshold = 2 * game->rules->komi(&search->root) + 1; /* half points */
    const SolverResult result = solver_compare(search->solver, &search->root, threshold, &share);
    search->solver_used = true;
    search->solver_nodes += result.nodes;
    if (result.proved) {
        const Side winner = result.lower_half_points >= threshold ? BLACK : WHITE;
        search->lost = winner != game->rules->to_move(&search->root);
        if (!search->lost && result.has_best)
            mark_win(search, result.best);
    }
}

uint64_t search_exact(Search *search, const SearchLimits *limits) {
    ask_solver(search, limits);
    return search->solver_nodes / nodes_a_simulation(search);
}
