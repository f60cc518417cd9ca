/* Simulations: down from the root to a leaf, its evaluation, and back up with the result.
 *
 * A thread goes down for as many leaves as the evaluator wants at once, has them evaluated together, and carries all
 * results up. A leaf gets its node when its evaluation is known, so that no other simulation meets a node without
 * priors. */
#include "engine/base/rng.h"
#include "engine/search/search_internal.h"

enum {
    RAVE_VALUE_ONE = 256, /* playouts need no finer values */
    /* A node with more visits than RAVE_BUSY_VISITS gets RAVE counts from one simulation of RAVE_BUSY_EVERY only. With
     * n threads each gives it those of every n * RAVE_BUSY_EVERY-th simulation of its own. */
    RAVE_BUSY_VISITS = 512,
    RAVE_BUSY_EVERY = 8,
    VIRTUAL_LOSS_VISITS = 64, /* a virtual loss would not be noticed among more visits than these */
    PENDING_VISITS = 256      /* results of edges with more visits are gathered by each thread */
};

/* ---- Down ---- */

/* A visit is counted on the way down: until its value is added it is a loss for the side that chose. Where there are
 * many visits that would change no choice; there visit and value are added together, which spares a contended cache
 * line. But sequential halving goes by the visits alone, so in a batch those that it chooses are `always` counted. */
static void visit(Simulation *simulation, Edge *edge, bool always) {
    const bool count = always || edge_visits(edge) < VIRTUAL_LOSS_VISITS;
    if (count)
        atomic_fetch_add_explicit(&edge->stats, 1ull << TREE_VALUE_BITS, memory_order_relaxed);
    simulation->path[simulation->depth] = edge;
    simulation->counted[simulation->depth] = count;
}

static bool halves_at(const Search *search, const Edge *parent) {
    return search->gumbel.considered > 1 && parent == &search->tree.root;
}

/* The edge of node `ref` to go down, `parent` being the edge that leads there. */
static Edge *select_edge(Worker *worker, const Edge *parent, NodeRef ref) {
    Search *search = worker->search;
    Node *node = tree_node(&search->tree, ref);
    Edges edges = tree_edges(&search->tree, ref);
    if (search->params.selection == SELECTION_RAVE)
        return edges.near + search->kernel->best(&search->rave, edges.near, node->edges, (float)edge_visits(parent));
    if (edges.count < node->edges && puct_needs_far(node)) {
        worker->memory_full |= !tree_extend(&search->tree, &worker->arena, ref);
        edges = tree_edges(&search->tree, ref);
    }
    const int best = halves_at(search, parent) ? gumbel_next(&search->gumbel, &search->puct, node, &edges)
                                               : puct_best(&search->puct, node, &edges);
    puct_note_taken(node, best);
    return edge_at(&edges, best);
}

/* The dismissed edge of that node to come back to, or NULL. Sequential halving has a schedule of its own. */
static Edge *find_dismissed(Worker *worker, const Edge *parent, NodeRef ref, bool wide) {
    Search *search = worker->search;
    if (halves_at(search, parent) || edge_visits(parent) < REVISIT_NODE_VISITS)
        return NULL;
    worker->memory_full |= !tree_extend(&search->tree, &worker->arena, ref);
    const Edges edges = tree_edges(&search->tree, ref);
    const int i = wide ? wide_edge(&edges) : revisit_edge(&edges);
    if (i < 0)
        return NULL;
    puct_note_taken(tree_node(&search->tree, ref), i);
    return edge_at(&edges, i);
}

/* The visits after which a leaf gets a node. More and more are asked for as memory runs out, so that what is left goes
 * to the leaves that matter: a tree that does not grow any more would send simulation after simulation to the same
 * leaf. */
static uint32_t visits_to_expand(const Search *search) {
    const Tree *tree = &search->tree;
    const uint32_t visits = (uint32_t)search->params.expand_visits;
    const size_t left = tree_units_left(tree);
    if (left > tree->half / 4)
        return visits;
    return visits + (left > tree->half / 8 ? 3 : left > tree->half / 16 ? 15 : left > tree->half / 32 ? 63 : 255);
}

/* Finds out whether the game is over at the leaf, whether it is to get a node, and its actions if they are needed. */
static void prepare_leaf(const Search *search, Simulation *simulation) {
    const Game *game = search->game;
    const GameState *leaf = &simulation->leaf;
    const Edge *edge = simulation->path[simulation->depth];
    const uint32_t visits = edge_visits(edge) + !simulation->counted[simulation->depth]; /* with this one */
    const bool due = simulation->depth == 0 || visits >= visits_to_expand(search);
    simulation->over = game->rules->over(leaf);
    simulation->expands = due && simulation->depth < SEARCH_DEPTH_MAX - 1 && !simulation->over;
    simulation->action_count = 0;
    if (simulation->expands || (search->evaluator->has_policy && !simulation->over))
        simulation->action_count = game->rules->legal(game, leaf, simulation->actions);
}

/* Goes down to a leaf and fills in the simulation, the thread's `number`-th. */
static void descend(Worker *worker, Simulation *simulation, uint64_t number) {
    Search *search = worker->search;
    const bool wide = search->wide && number % 2 == 1; /* not those that update RAVE counts of busy nodes */
    const uint64_t of_others = search->wide ? number / 2 : number;
    const int revisit = wide ? 0 : revisit_depth(search->revisit_period, of_others);
    const Game *game = search->game;
    const bool has_policy = search->evaluator->has_policy;
    GameState *leaf = &simulation->leaf;
    Edge *edge = &search->tree.root;
    game_copy(game, leaf, &search->root);
    simulation->history = search->history;
    simulation->number = number;
    simulation->depth = simulation->counts_from = 0;
    visit(simulation, edge, false);
    for (NodeRef ref; (ref = edge_node(edge)) != 0;) {
        const bool in_rounds = search->evaluator->batch > 1 && halves_at(search, edge);
        Edge *dismissed = simulation->depth == revisit ? find_dismissed(worker, edge, ref, wide) : NULL;
        edge = dismissed ? dismissed : select_edge(worker, edge, ref);
        simulation->counts_from = dismissed ? simulation->depth + 1 : simulation->counts_from;
        game->rules->apply(game, leaf, edge->action);
        if (has_policy)
            game_history_add(game, &simulation->history, edge->action, leaf);
        simulation->depth++;
        visit(simulation, edge, in_rounds);
    }
    prepare_leaf(search, simulation);
}

/* Takes back the visits that a simulation has counted on its way down to the edges before path[end]. */
static void retreat(Simulation *simulation, int end) {
    for (int depth = 0; depth < end; depth++)
        if (simulation->counted[depth]) {
            atomic_fetch_sub_explicit(&simulation->path[depth]->stats, 1ull << TREE_VALUE_BITS, memory_order_relaxed);
            simulation->counted[depth] = false;
        }
}

/* ---- The node of a leaf ---- */

static float value_for(Side side, const Evaluation *evaluation) {
    return side == BLACK ? evaluation->black : 1.0f - evaluation->black;
}

/* Gives the leaf a node with all actions that it may have. Another thread may have been faster, or memory may be full.
 */
static void expand(Worker *worker, Simulation *simulation) {
    Search *search = worker->search;
    Evaluation *evaluation = simulation->evaluation;
    Edge *edge = simulation->path[simulation->depth];
    if (edge_node(edge))
        return;
    float *logits = search_logits(search, simulation, evaluation);
    const int allowed = search_allowed(search, &simulation->leaf, simulation->depth, simulation->actions, logits,
                                       simulation->action_count);
    const int count =
        search_merge_images(search, &simulation->leaf, simulation->depth, simulation->actions, logits, allowed);
    simulation->action_count = count;
    const bool far = search->params.selection == SELECTION_PUCT && count > PUCT_NEAR && simulation->depth > 0;
    const NodeRef ref = tree_new_node(&search->tree, &worker->arena, count, far ? PUCT_NEAR : count);
    if (!ref) {
        worker->memory_full = true;
        return;
    }
    Node *node = tree_node(&search->tree, ref);
    const Side side = search->game->rules->to_move(&simulation->leaf);
    node->side = (uint8_t)side;
    node->merged = count < allowed;
    node->value = value_for(side, evaluation);
    node->deviation = search->evaluator->has_deviation ? evaluation->deviation : 0;
    /* With several threads a mean keeps some weight of what it began with, for visits whose results are still out count
     * (add_stats). So it begins with an estimate. */
    if (search->params.selection == SELECTION_PUCT || search->threads > 1)
        node->margin = evaluation->margin;
    if (simulation->depth == 0 && search->threads > 1)
        atomic_store_explicit(&edge->margin, evaluation->margin, memory_order_relaxed);
    search_set_edges(search, ref, simulation, logits);
    NodeRef expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&edge->node, &expected, ref, memory_order_release,
                                                 memory_order_relaxed))
        tree_drop_node(&search->tree, &worker->arena, ref);
}

/* ---- Up ---- */

/* The side that chose path[depth]: the one to move at the node that it is an edge of. */
static Side side_of(const Search *search, const Simulation *simulation, int depth) {
    if (depth == 0)
        return side_opponent(search->game->rules->to_move(&search->root));
    return node_side(search, edge_node(simulation->path[depth - 1]));
}

/* Adds visits and values to an edge, and `visits` margins of that sum to their mean. */
static void add_stats(Edge *edge, uint64_t sum, float visits, float margins) {
    const uint64_t stats = sum + atomic_fetch_add_explicit(&edge->stats, sum, memory_order_relaxed);
    const float mean = edge_margin(edge);
    const float change = (margins - visits * mean) / (float)stats_visits(stats);
    atomic_store_explicit(&edge->margin, mean + change, memory_order_relaxed);
}

void search_flush_pending(Worker *worker) {
    for (int i = 0; i < worker->pending_count; i++) {
        const Pending *pending = &worker->pending[i];
        add_stats(pending->edge, pending->sum, (float)stats_visits(pending->sum), pending->margin);
    }
    worker->pending_count = 0;
}

static void add_pending(Worker *worker, Edge *edge, uint64_t sum, float margin) {
    int i = 0;
    while (i < worker->pending_count && worker->pending[i].edge != edge)
        i++;
    if (i == SEARCH_PENDING_MAX) {
        search_flush_pending(worker);
        i = 0;
    }
    if (i == worker->pending_count)
        worker->pending[worker->pending_count++] = (Pending){.edge = edge};
    worker->pending[i].sum += sum;
    worker->pending[i].margin += margin;
}

/* A value in 1/TREE_VALUE_ONE. For RAVE it is a whole number of 1/RAVE_VALUE_ONE. */
static uint64_t value_in_tree(const Search *search, float value) {
    const int one = search->params.selection == SELECTION_RAVE ? RAVE_VALUE_ONE : TREE_VALUE_ONE;
    return (uint64_t)(value * (float)one + 0.5f) * (uint64_t)(TREE_VALUE_ONE / one);
}

static void add_result(Worker *worker, const Simulation *simulation, int depth, Side side,
                       const Evaluation *evaluation) {
    Edge *edge = simulation->path[depth];
    const uint64_t one_visit = simulation->counted[depth] ? 0 : 1ull << TREE_VALUE_BITS;
    const uint64_t sum = one_visit + value_in_tree(worker->search, value_for(side, evaluation));
    if (worker->search->threads > 1 && edge_visits(edge) > PENDING_VISITS && one_visit)
        add_pending(worker, edge, sum, evaluation->margin);
    else
        add_stats(edge, sum, 1, evaluation->margin);
}

/* Adds all-moves-as-first counts to the edges of a node. */
static void add_rave(const Search *search, NodeRef ref, const AmafCounts *amaf) {
    const Side side = node_side(search, ref);
    const uint8_t *taken = amaf->taken[side], *black_won = amaf->taken_black_won[side];
    const Edges edges = tree_edges(&search->tree, ref);
    for (int i = 0; i < edges.count; i++) {
        Edge *edge = edge_at(&edges, i);
        const Action action = edge->action;
        if (!taken[action])
            continue;
        const uint64_t won = side == BLACK ? black_won[action] : (uint64_t)(taken[action] - black_won[action]);
        const uint64_t rave = edge_rave(edge);
        if (rave_playouts(rave) < 1u << 30)
            atomic_store_explicit(&edge->rave, rave + ((uint64_t)taken[action] << 32 | won), memory_order_relaxed);
    }
}

/* One visit and the square of the value, which is the same for both sides, for Node.squares. */
static uint64_t square_in_tree(const Evaluation *evaluation) {
    const float value = 2.0f * evaluation->black - 1.0f;
    return 1ull << TREE_VALUE_BITS | (uint64_t)(value * value * (float)TREE_VALUE_ONE + 0.5f);
}

/* Carries the evaluation up the path, as far as it counts. Where it has all-moves-as-first counts (`amaf`), they go to
 * the nodes of the path, and the actions of the path below a node count for it like those of the playouts. */
static void back_up(Worker *worker, Simulation *simulation, bool amaf) {
    const Search *search = worker->search;
    Evaluation *evaluation = simulation->evaluation;
    const uint64_t busy_every = RAVE_BUSY_EVERY * (uint64_t)search->threads, square = square_in_tree(evaluation);
    const bool puct = search->params.selection == SELECTION_PUCT;
    retreat(simulation, simulation->counts_from);
    for (int depth = simulation->depth; depth >= simulation->counts_from; depth--) {
        Edge *edge = simulation->path[depth];
        const NodeRef ref = edge_node(edge);
        const Side side = side_of(search, simulation, depth);
        add_result(worker, simulation, depth, side, evaluation);
        if (puct && ref)
            atomic_fetch_add_explicit(&tree_node(&search->tree, ref)->squares, square, memory_order_relaxed);
        const bool busy = edge_visits(edge) > RAVE_BUSY_VISITS;
        if (amaf && ref && (!busy || simulation->number % busy_every == 0))
            add_rave(search, ref, &evaluation->amaf);
        if (amaf && depth > 0) {
            const float playouts = (float)evaluation->amaf.playouts;
            evaluation->amaf.taken[side][edge->action] = (uint8_t)playouts;
            evaluation->amaf.taken_black_won[side][edge->action] = (uint8_t)(evaluation->black * playouts + 0.5f);
        }
    }
}

Proven search_proven_by_edges(const Search *search, NodeRef ref) {
    const Edges edges = tree_edges(&search->tree, ref);
    bool all_lost = edges.count == tree_node(&search->tree, ref)->edges;
    for (int i = 0; i < edges.count; i++) {
        const Proven proven = edge_proven(edge_at(&edges, i));
        if (proven == PROVEN_WIN)
            return PROVEN_WIN;
        all_lost = all_lost && proven == PROVEN_LOSS;
    }
    return all_lost ? PROVEN_LOSS : PROVEN_NOT;
}

/* Marks the leaf, where the game is over, as decided and carries that up as far as it decides more. */
static void back_up_proof(const Search *search, const Simulation *simulation) {
    Side winner = simulation->evaluation->black > 0 ? BLACK : WHITE;
    for (int depth = simulation->depth; depth >= 0; depth--) {
        Edge *edge = simulation->path[depth];
        if (depth < simulation->depth) {
            const NodeRef ref = edge_node(edge);
            const Proven proven = search_proven_by_edges(search, ref);
            if (proven == PROVEN_NOT)
                return;
            winner = proven == PROVEN_WIN ? node_side(search, ref) : side_opponent(node_side(search, ref));
        }
        const Proven for_side = side_of(search, simulation, depth) == winner ? PROVEN_WIN : PROVEN_LOSS;
        atomic_store_explicit(&edge->proven, (uint8_t)for_side, memory_order_relaxed);
        /* Of two threads that prove the last two edges at once, one must see the other's. */
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* ---- A batch ---- */

/* Goes down for at most `limit` leaves, the batch. Ends early where two simulations come to the same leaf. Returns the
 * number of simulations made. */
static int gather(Worker *worker, int limit) {
    for (int made = 0; made < limit; made++) {
        Simulation *simulation = &worker->batch[made];
        descend(worker, simulation, worker->simulations + 1);
        const Edge *last = simulation->path[simulation->depth];
        for (int i = 0; i < made; i++)
            if (worker->batch[i].path[worker->batch[i].depth] == last) {
                retreat(simulation, simulation->depth + 1);
                return made;
            }
        worker->simulations++;
    }
    return limit;
}

static Leaf leaf_of(const Worker *worker, const Simulation *simulation) {
    Leaf leaf = {.state = &simulation->leaf, .seed = rng_split(worker->seed, simulation->number)};
    if (worker->search->evaluator->has_policy) {
        leaf.history = &simulation->history;
        leaf.actions = simulation->actions;
        leaf.action_count = simulation->action_count;
    }
    return leaf;
}

/* The result of a finished game in the place of an evaluation. */
static void write_result(const Game *game, const GameState *state, Evaluation *out) {
    const GameResult result = game->rules->result(game, state);
    out->black = result.winner == BLACK ? 1.0f : 0.0f;
    out->margin = 0.5f * (float)result.half_points;
}

/* Has the leaves of a batch evaluated. Those of finished games need no evaluator; their results stand behind the
 * evaluations of the others. */
static void evaluate(Worker *worker, int count) {
    const Search *search = worker->search;
    Leaf leaves[EVALUATOR_BATCH_MAX];
    int asked = 0, behind = count;
    for (int i = 0; i < count; i++) {
        Simulation *simulation = &worker->batch[i];
        if (simulation->over) {
            simulation->evaluation = &worker->evaluations[--behind];
            write_result(search->game, &simulation->leaf, simulation->evaluation);
        } else {
            simulation->evaluation = &worker->evaluations[asked];
            leaves[asked++] = leaf_of(worker, simulation);
        }
    }
    if (asked > 0)
        search->evaluator->evaluate(worker->context, leaves, asked, worker->evaluations);
}

static void add_owners(Worker *worker, const Evaluation *evaluation) {
    worker->owner_samples++;
    for (int c = 0; c < worker->search->game->board.cells; c++)
        worker->owner_sum[c] += (double)evaluation->owners[c];
}

/* Takes what was found out about a leaf into the tree. */
static void finish(Worker *worker, Simulation *simulation) {
    const Search *search = worker->search;
    const Evaluator *evaluator = search->evaluator;
    const bool amaf =
        evaluator->has_amaf && search->params.selection == SELECTION_RAVE && search->params.rave_equivalence > 0;
    if (simulation->over) {
        back_up(worker, simulation, false);
        back_up_proof(search, simulation);
        return;
    }
    if (evaluator->has_owners && simulation->counts_from == 0)
        add_owners(worker, simulation->evaluation);
    if (simulation->expands)
        expand(worker, simulation);
    back_up(worker, simulation, amaf);
}

int search_simulate(Worker *worker, int limit) {
    const int batch = worker->search->evaluator->batch, made = gather(worker, limit < batch ? limit : batch);
    evaluate(worker, made);
    /* A mean margin must not count visits whose results are still to come. */
    if (made > 1)
        for (int i = 0; i < made; i++)
            retreat(&worker->batch[i], worker->batch[i].depth + 1);
    for (int i = 0; i < made; i++)
        finish(worker, &worker->batch[i]);
    return made;
}
