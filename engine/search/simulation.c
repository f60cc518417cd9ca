/* One simulation: down from the root to a leaf, judging it, and carrying the result back up. */
#include "engine/base/rng.h"
#include "engine/search/search_internal.h"

enum {
    RAVE_BUSY_VISITS = 512,   /* a node visited more often updates the RAVE counts of its children ... */
    RAVE_BUSY_EVERY = 8,      /* ... only in every eighth simulation, by n threads in every 8n-th: it has plenty */
    VIRTUAL_LOSS_VISITS = 64, /* a virtual loss would not be noticed among more visits than these */
    PENDING_VISITS = 256      /* results of entries with more visits are gathered by each thread */
};

/* ---- Down ---- */

/* A visit is counted on the way down: until its value is added it is a loss for the side that chose. Where there are
 * many visits that would change no choice; there visit and value are added together, which spares a contended cache
 * line. */
static void visit(Worker *worker, Child *child) {
    const bool count = child_visits(child) < VIRTUAL_LOSS_VISITS;
    if (count)
        atomic_fetch_add_explicit(&child->stats, 1ull << TREE_VALUE_BITS, memory_order_relaxed);
    worker->path[worker->depth] = child;
    worker->counted[worker->depth] = count;
}

/* Gives the leaf a node with all legal actions; another thread may have been faster, or memory may be full. */
static void expand(Worker *worker, Child *entry) {
    Search *search = worker->search;
    Action actions[GAME_LEGAL_MAX];
    const int count = search->game->rules->legal(search->game, &worker->leaf, actions);
    const NodeRef ref = tree_new_node(&search->tree, &worker->arena, count);
    if (!ref) {
        worker->memory_full = true;
        return;
    }
    tree_node(&search->tree, ref)->side = (uint8_t)search->game->rules->to_move(&worker->leaf);
    Child *children = tree_children(&search->tree, ref);
    for (int i = 0; i < count; i++)
        children[i].action = actions[i];
    NodeRef expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&entry->node, &expected, ref, memory_order_release,
                                                 memory_order_relaxed))
        tree_drop_node(&worker->arena, count);
    else
        worker->new_node = ref;
}

/* The visits after which a leaf gets a node. More and more are asked for as memory runs out, so that what is left goes
 * to the leaves that matter: a tree that does not grow any more would send simulation after simulation to the same
 * leaf. */
static uint32_t visits_to_expand(const Search *search) {
    const Tree *tree = &search->tree;
    const uint32_t visits = (uint32_t)search->params.expand_visits;
    const size_t left = tree_units_left(tree);
    if (left > tree->half / 2)
        return visits;
    return visits + (left > tree->half / 4 ? 3 : left > tree->half / 8 ? 15 : left > tree->half / 16 ? 63 : 255);
}

/* Goes down to a leaf: fills in worker->path, depth and leaf, and gives the leaf a node where it is due. */
static void descend(Worker *worker) {
    Search *search = worker->search;
    const Game *game = search->game;
    game_copy(game, &worker->leaf, &search->root);
    worker->depth = 0;
    worker->new_node = 0;
    Child *entry = &search->tree.root;
    visit(worker, entry);
    for (NodeRef ref; (ref = child_node(entry)) != 0;) {
        entry = search_select(search, entry, ref);
        game->rules->apply(game, &worker->leaf, entry->action);
        worker->depth++;
        visit(worker, entry);
    }
    const bool due = worker->depth == 0 || child_visits(entry) >= visits_to_expand(search);
    if (due && worker->depth < SEARCH_DEPTH_MAX - 1 && !game->rules->over(&worker->leaf))
        expand(worker, entry);
}

/* ---- Up ---- */

/* The side that chose path[depth]: the one to move at the node that it is an entry of. */
static Side chooser_of(const Worker *worker, int depth) {
    const Search *search = worker->search;
    if (depth == 0)
        return side_opponent(search->game->rules->to_move(&search->root));
    return node_side(search, child_node(worker->path[depth - 1]));
}

/* Adds visits and values to an entry, and `visits` margins of that sum to their mean. */
static void add_stats(Child *child, uint64_t sum, float visits, float margins) {
    const uint64_t stats = sum + atomic_fetch_add_explicit(&child->stats, sum, memory_order_relaxed);
    const float mean = atomic_load_explicit(&child->margin, memory_order_relaxed);
    const float change = (margins - visits * mean) / (float)stats_visits(stats);
    atomic_store_explicit(&child->margin, mean + change, memory_order_relaxed);
}

void search_flush_pending(Worker *worker) {
    for (int i = 0; i < worker->pending_count; i++) {
        const Pending *pending = &worker->pending[i];
        add_stats(pending->child, pending->sum, (float)stats_visits(pending->sum), pending->margin);
    }
    worker->pending_count = 0;
}

static void add_pending(Worker *worker, Child *child, uint64_t sum, float margin) {
    int i = 0;
    while (i < worker->pending_count && worker->pending[i].child != child)
        i++;
    if (i == SEARCH_PENDING_MAX) {
        search_flush_pending(worker);
        i = 0;
    }
    if (i == worker->pending_count)
        worker->pending[worker->pending_count++] = (Pending){.child = child};
    worker->pending[i].sum += sum;
    worker->pending[i].margin += margin;
}

static void add_result(Worker *worker, int depth, Side chooser) {
    Child *child = worker->path[depth];
    const Evaluation *evaluation = &worker->evaluation;
    const float value = chooser == BLACK ? evaluation->black : 1.0f - evaluation->black;
    const uint64_t one_visit = worker->counted[depth] ? 0 : 1ull << TREE_VALUE_BITS;
    const uint64_t sum = one_visit + (uint64_t)(value * (float)TREE_VALUE_ONE + 0.5f);
    if (worker->search->threads > 1 && child_visits(child) > PENDING_VISITS && one_visit)
        add_pending(worker, child, sum, evaluation->margin);
    else
        add_stats(child, sum, 1, evaluation->margin);
}

/* Adds the playouts' all-moves-as-first counts to the children of a node. */
static void add_rave(const Search *search, NodeRef ref, const Evaluation *evaluation) {
    const Side side = node_side(search, ref);
    const uint8_t *taken = evaluation->taken[side], *black_won = evaluation->taken_black_won[side];
    Child *children = tree_children(&search->tree, ref);
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 0; i < count; i++) {
        const Action action = children[i].action;
        if (!taken[action])
            continue;
        const uint64_t won = side == BLACK ? black_won[action] : (uint64_t)(taken[action] - black_won[action]);
        const uint64_t rave = atomic_load_explicit(&children[i].rave, memory_order_relaxed);
        if (rave >> 32 < 1u << 30)
            atomic_store_explicit(&children[i].rave, rave + ((uint64_t)taken[action] << 32 | won),
                                  memory_order_relaxed);
    }
}

/* Carries an evaluation up the path. The actions of the path below a node count for its RAVE like those of the
 * playouts. */
static void back_up(Worker *worker) {
    const Search *search = worker->search;
    Evaluation *evaluation = &worker->evaluation;
    const uint8_t playouts = (uint8_t)evaluation->playouts;
    const uint8_t black_won = (uint8_t)(evaluation->black * (float)playouts + 0.5f);
    const bool use_rave = search->params.rave > 0 && evaluation->has_amaf;
    const uint64_t busy_every = RAVE_BUSY_EVERY * (uint64_t)search->threads;
    for (int depth = worker->depth; depth >= 0; depth--) {
        Child *child = worker->path[depth];
        const NodeRef ref = child_node(child);
        const Side chooser = chooser_of(worker, depth);
        add_result(worker, depth, chooser);
        const bool busy = child_visits(child) > RAVE_BUSY_VISITS && worker->simulations % busy_every != 0;
        if (use_rave && ref && !busy)
            add_rave(search, ref, evaluation);
        if (depth > 0) {
            evaluation->taken[chooser][child->action] = playouts;
            evaluation->taken_black_won[chooser][child->action] = black_won;
        }
    }
}

/* Whether the side to move at a node wins or loses for certain, as far as its children tell. */
static Proven proven_by_children(const Search *search, NodeRef ref) {
    const Child *children = tree_children(&search->tree, ref);
    const int count = tree_node(&search->tree, ref)->children;
    bool all_lost = true;
    for (int i = 0; i < count; i++) {
        const Proven proven = child_proven(&children[i]);
        if (proven == PROVEN_WIN)
            return PROVEN_WIN;
        all_lost = all_lost && proven == PROVEN_LOSS;
    }
    return all_lost ? PROVEN_LOSS : PROVEN_NOT;
}

/* Marks the leaf as decided and carries that up as far as it decides more. */
static void back_up_proof(Worker *worker, Side winner) {
    const Search *search = worker->search;
    for (int depth = worker->depth; depth >= 0; depth--) {
        Child *child = worker->path[depth];
        if (depth < worker->depth) {
            const NodeRef ref = child_node(child);
            const Proven proven = proven_by_children(search, ref);
            if (proven == PROVEN_NOT)
                return;
            winner = proven == PROVEN_WIN ? node_side(search, ref) : side_opponent(node_side(search, ref));
        }
        const Proven for_chooser = chooser_of(worker, depth) == winner ? PROVEN_WIN : PROVEN_LOSS;
        atomic_store_explicit(&child->proven, (uint8_t)for_chooser, memory_order_relaxed);
        /* Of two threads that prove the last two children at once, one must see the other's. */
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* ---- The simulation ---- */

static void evaluate_finished(Worker *worker) {
    const Game *game = worker->search->game;
    const GameResult result = game->rules->result(game, &worker->leaf);
    Evaluation *evaluation = &worker->evaluation;
    evaluation->has_amaf = false;
    evaluation->playouts = 1;
    evaluation->black = result.winner == BLACK ? 1.0f : 0.0f;
    evaluation->margin = 0.5f * (float)result.margin;
}

static void count_owners(Worker *worker) {
    const Evaluation *evaluation = &worker->evaluation;
    worker->owner_samples += (uint64_t)evaluation->playouts;
    for (int c = 0; c < worker->search->game->board.cells; c++)
        worker->owner_sum[c] += evaluation->black_owns[c];
}

void search_simulate(Worker *worker) {
    const Search *search = worker->search;
    const Game *game = search->game;
    descend(worker);
    worker->simulations++;
    if (game->rules->over(&worker->leaf)) {
        evaluate_finished(worker);
        back_up(worker);
        back_up_proof(worker, worker->evaluation.black > 0.5f ? BLACK : WHITE);
        return;
    }
    const GameState *leaf = &worker->leaf;
    const uint64_t seed = rng_split(worker->seed, worker->simulations);
    search->evaluator->evaluate(search->evaluator, game, &leaf, &seed, 1, &worker->evaluation);
    count_owners(worker);
    if (worker->new_node && search->params.prior_playouts > 0)
        search_add_priors(search, worker->new_node, leaf, worker->evaluation.black);
    back_up(worker);
}
