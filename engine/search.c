/* See search.h. Bottom up: the choice among children, the way down, the way back up, the worker of a thread, the run.
 */
#include "search.h"

#include "playout_evaluator.h"
#include "rng.h"
#include "tree.h"
#include "wall_time.h"

#include <stdlib.h>

enum {
    DEPTH_MAX = 4 * HEXHEX_MAX_CELLS, /* entries of a path; a deeper leaf is judged without growing the tree */
    RAVE_BUSY_VISITS = 512,           /* a node visited more often updates the RAVE counts of its children ... */
    RAVE_BUSY_SHARED = 64,            /* (from so many visits on where several threads want the same cache lines) */
    RAVE_BUSY_EVERY = 8,              /* ... only in every eighth simulation of all threads: it has plenty */
    VIRTUAL_LOSS_VISITS = 64,         /* a virtual loss would not be noticed among more visits than these */
    CLAIM = 16,                       /* simulations that one of several threads takes at a time ... */
    PENDING_VISITS = 256,             /* ... and after which it adds up what it found of entries with more visits */
    PENDING_MAX = 16,
    CACHE_LINE = 64,
    TIMED_SIMULATIONS_MIN = 32 /* even where the time is up before the threads have started */
};

/* Results of a much visited entry that a thread keeps to itself for some simulations: its cache line would otherwise go
 * to and fro between the processors in every one of them. */
typedef struct Pending {
    Child *child;
    uint64_t sum; /* to be added to Child.stats */
    float margin; /* sum of Black's margins */
} Pending;

/* What a thread needs for its simulations; on cache lines of its own. */
typedef struct Worker {
    _Alignas(CACHE_LINE) Search *search;
    Arena arena;
    uint64_t simulations; /* since the seed was set */
    uint64_t seed;
    uint64_t claimed; /* simulations of the current claim that are still to be made */
    int depth;        /* of the current leaf: path[0..depth], path[0] is the root entry */
    Child *path[DEPTH_MAX];
    Pending pending[PENDING_MAX];
    int pending_count;
    bool counted[DEPTH_MAX]; /* whether the visit of path[i] has been counted on the way down */
    GameState leaf;
    Evaluation evaluation;
    uint64_t owner_samples, owner_sum[HEXHEX_MAX_CELLS];
    bool memory_full;
} Worker;

struct Search {
    const Game *game;
    SearchParams params;
    PlayoutEvaluator playout_evaluator;
    const Evaluator *evaluator;
    GameState root;
    Tree tree;
    int threads;
    Worker *workers; /* one a thread */
    /* Of the current run: */
    uint64_t simulation_limit;
    double deadline; /* monotonic seconds, 0 without */
    const atomic_bool *stop;
    atomic_bool done;
    _Alignas(CACHE_LINE) _Atomic uint64_t started; /* simulations handed out */
};

SearchParams search_default_params(void) {
    return (SearchParams){
        .policy = PLAYOUT_LIGHT, .playouts = 8, .expand_visits = 1, .rave = 500, .exploration = 0, .first_play = 1};
}

/* ---- Choosing a child ---- */

/* log2(x) for x >= 1 to about 0.01, from the bits of the number: the same on every processor, unlike a libm's. */
static float rough_log2(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t mantissa_bits = (bits & 0x7fffff) | 0x3f800000;
    float mantissa;
    memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
    const float exponent = (float)(int)(bits >> 23) - 127.0f;
    return exponent + (mantissa - 1.0f) * (1.3465f - 0.3465f * (mantissa - 1.0f));
}

/* The values of `count` children, from what was read of them: n visits with w wins, rn playouts with rw wins.
 *
 * RAVE and the child's own mean are averaged with weights rn and n*(1 + rn/k): the RAVE mean decides at first, and
 * loses against the child's own mean when n comes near k, however many playouts rn are of. One further playout of value
 * first_play stands for what is not known. The UCT term is exploration * sqrt(log2(N) / (n + 1)). */
static void selection_values(const SearchParams *params, int count, float parent_visits, const float *n, const float *w,
                             const float *rn, const float *rw, float *values) {
    const float per_rave = params->rave > 0 ? 1.0f / (float)params->rave : 0.0f;
    const float exploration = (float)params->exploration, first_play = (float)params->first_play;
    for (int i = 0; i < count; i++) {
        const float own_weight = 1.0f + rn[i] * per_rave;
        values[i] = (rw[i] + own_weight * w[i] + first_play) / (rn[i] + own_weight * n[i] + 1.0f);
    }
    if (exploration > 0) {
        const float log_visits = rough_log2(parent_visits + 1.0f);
        for (int i = 0; i < count; i++)
            values[i] += exploration * __builtin_sqrtf(log_visits / (n[i] + 1.0f));
    }
}

/* The child to go down to: a proven win if there is one, else the best of those that are not proven losses. */
static Child *select_child(const Search *search, const Child *parent, NodeRef ref) {
    float n[GAME_LEGAL_MAX], w[GAME_LEGAL_MAX], rn[GAME_LEGAL_MAX], rw[GAME_LEGAL_MAX], values[GAME_LEGAL_MAX];
    Child *children = tree_children(&search->tree, ref);
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 0; i < count; i++) {
        const uint64_t stats = atomic_load_explicit(&children[i].stats, memory_order_relaxed);
        const uint64_t rave = atomic_load_explicit(&children[i].rave, memory_order_relaxed);
        n[i] = (float)(int32_t)stats_visits(stats);
        w[i] = (float)(int64_t)stats_value(stats) * (1.0f / TREE_VALUE_ONE);
        rn[i] = (float)(int32_t)(rave >> 32);
        rw[i] = (float)(int32_t)(uint32_t)rave;
    }
    selection_values(&search->params, count, (float)child_visits(parent), n, w, rn, rw, values);
    int best = 0;
    float best_value = -2.0f;
    for (int i = 0; i < count; i++) {
        const Proven proven = child_proven(&children[i]);
        if (proven == PROVEN_WIN)
            return &children[i];
        if (proven == PROVEN_LOSS || values[i] <= best_value)
            continue;
        best = i;
        best_value = values[i];
    }
    return &children[best];
}

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
}

/* Goes down to a leaf: fills in worker->path, depth and leaf, and gives the leaf a node where it is due. */
static void descend(Worker *worker) {
    Search *search = worker->search;
    const Game *game = search->game;
    game_copy(game, &worker->leaf, &search->root);
    worker->depth = 0;
    Child *entry = &search->tree.root;
    visit(worker, entry);
    for (NodeRef ref; (ref = child_node(entry)) != 0;) {
        entry = select_child(search, entry, ref);
        game->rules->apply(game, &worker->leaf, entry->action);
        worker->depth++;
        visit(worker, entry);
    }
    const bool due = worker->depth == 0 || child_visits(entry) >= (uint32_t)search->params.expand_visits;
    if (due && worker->depth < DEPTH_MAX - 1 && !game->rules->over(&worker->leaf))
        expand(worker, entry);
}

/* ---- Up ---- */

static Side node_side(const Search *search, NodeRef ref) {
    return tree_node(&search->tree, ref)->side;
}

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

static void flush_pending(Worker *worker) {
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
    if (i == PENDING_MAX) {
        flush_pending(worker);
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
    const uint32_t busy_visits = search->threads > 1 ? RAVE_BUSY_SHARED : RAVE_BUSY_VISITS;
    const uint64_t busy_every = RAVE_BUSY_EVERY * (uint64_t)search->threads;
    for (int depth = worker->depth; depth >= 0; depth--) {
        Child *child = worker->path[depth];
        const NodeRef ref = child_node(child);
        const Side chooser = chooser_of(worker, depth);
        add_result(worker, depth, chooser);
        const bool busy = child_visits(child) > busy_visits && worker->simulations % busy_every != 0;
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

/* ---- Simulations ---- */

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

static void simulate(Worker *worker) {
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
    back_up(worker);
}

/* Takes some simulations from those that the limits leave; false where nothing is left to do. */
static bool claim(Worker *worker) {
    Search *search = worker->search;
    const uint64_t wanted = search->threads == 1 ? 1 : CLAIM;
    const uint64_t number = atomic_fetch_add_explicit(&search->started, wanted, memory_order_relaxed);
    const uint64_t limit = search->simulation_limit;
    if ((limit && number >= limit) || (search->stop && atomic_load_explicit(search->stop, memory_order_relaxed)))
        return false;
    if (search->deadline > 0 && number >= TIMED_SIMULATIONS_MIN && wall_seconds() >= search->deadline)
        return false;
    const Child *root = &search->tree.root;
    if (child_proven(root) != PROVEN_NOT || child_visits(root) >= TREE_VISITS_MAX)
        return false;
    worker->claimed = limit && limit - number < wanted ? limit - number : wanted;
    return true;
}

static void work(Worker *worker) {
    Search *search = worker->search;
    while (!atomic_load_explicit(&search->done, memory_order_relaxed)) {
        if (!claim(worker))
            atomic_store_explicit(&search->done, true, memory_order_relaxed);
        for (; worker->claimed > 0; worker->claimed--)
            simulate(worker);
        flush_pending(worker);
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
    atomic_store(&search->started, 0);
    atomic_store(&search->done, false);
    if (search->threads == 1) {
        work(&search->workers[0]);
    } else {
#pragma omp parallel for num_threads(search->threads) schedule(static, 1)
        for (int i = 0; i < search->threads; i++)
            work(&search->workers[i]);
    }
    const Child *root = &search->tree.root;
    SearchSummary summary = {.simulations = total_simulations(search) - before,
                             .win_rate = 1.0 - (double)child_mean(root),
                             .margin = (double)root->margin,
                             .proven = child_proven(root) != PROVEN_NOT};
    for (int i = 0; i < search->threads; i++)
        summary.memory_full |= search->workers[i].memory_full;
    summary.seconds = wall_seconds() - begin;
    return summary;
}

/* ---- Results ---- */

static float rave_mean(const Child *child) {
    const uint64_t rave = atomic_load_explicit(&child->rave, memory_order_relaxed);
    return rave >> 32 ? (float)(uint32_t)rave / (float)(rave >> 32) : 0.0f;
}

/* Orders entries: proven wins, then by visits, proven losses last; ties by mean, by RAVE mean where there are no
 * visits, by action. */
static int compare_children(const void *left, const void *right) {
    const Child *a = *(const Child *const *)left, *b = *(const Child *const *)right;
    const int rank_a = child_proven(a) == PROVEN_WIN ? 0 : child_proven(a) == PROVEN_LOSS ? 2 : 1;
    const int rank_b = child_proven(b) == PROVEN_WIN ? 0 : child_proven(b) == PROVEN_LOSS ? 2 : 1;
    if (rank_a != rank_b)
        return rank_a - rank_b;
    if (child_visits(a) != child_visits(b))
        return child_visits(a) > child_visits(b) ? -1 : 1;
    if (child_mean(a) != child_mean(b))
        return child_mean(a) > child_mean(b) ? -1 : 1;
    if (child_visits(a) == 0 && rave_mean(a) != rave_mean(b))
        return rave_mean(a) > rave_mean(b) ? -1 : 1;
    return a->action - b->action;
}

static const Child *best_child(const Search *search, NodeRef ref) {
    const Child *children = tree_children(&search->tree, ref), *best = children;
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 1; i < count; i++) {
        const Child *other = &children[i];
        if (compare_children(&other, &best) < 0)
            best = other;
    }
    return best;
}

Action search_best(const Search *search) {
    const NodeRef ref = child_node(&search->tree.root);
    if (ref)
        return best_child(search, ref)->action;
    Action actions[GAME_LEGAL_MAX];
    search->game->rules->legal(search->game, &search->root, actions);
    return actions[0];
}

int search_moves(const Search *search, SearchMove *out, int capacity) {
    const NodeRef ref = child_node(&search->tree.root);
    if (!ref)
        return 0;
    const Child *sorted[GAME_LEGAL_MAX];
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 0; i < count; i++)
        sorted[i] = tree_children(&search->tree, ref) + i;
    qsort(sorted, (size_t)count, sizeof sorted[0], compare_children);
    const int written = count < capacity ? count : capacity;
    for (int i = 0; i < written; i++)
        out[i] = (SearchMove){.action = sorted[i]->action,
                              .visits = child_visits(sorted[i]),
                              .win_rate = (double)child_mean(sorted[i]),
                              .margin = (double)sorted[i]->margin,
                              .proven = child_proven(sorted[i]) != PROVEN_NOT};
    return written;
}

int search_variation(const Search *search, Action action, Action *out, int capacity) {
    int length = 0;
    NodeRef ref = child_node(&search->tree.root);
    while (ref && length < capacity) {
        const Child *child = best_child(search, ref);
        if (length == 0)
            for (int i = 0; i < tree_node(&search->tree, ref)->children; i++)
                if (tree_children(&search->tree, ref)[i].action == action)
                    child = tree_children(&search->tree, ref) + i;
        if (length > 0 && child_visits(child) == 0)
            break;
        out[length++] = child->action;
        ref = child_node(child);
    }
    return length;
}

void search_owners(const Search *search, float out[HEXHEX_MAX_CELLS]) {
    uint64_t samples = 0;
    for (int i = 0; i < search->threads; i++)
        samples += search->workers[i].owner_samples;
    for (int c = 0; c < search->game->board.cells; c++) {
        uint64_t sum = 0;
        for (int i = 0; i < search->threads; i++)
            sum += search->workers[i].owner_sum[c];
        out[c] = samples ? (float)((double)sum / (double)samples) : 0.5f;
    }
}

size_t search_memory_used(const Search *search) {
    return tree_bytes_used((Tree *)&search->tree);
}

/* ---- Making it, positions ---- */

static bool check_options(const SearchOptions *options, Error *error) {
    const SearchParams *params = &options->params;
    if (options->threads < 1 || options->threads > SEARCH_THREADS_MAX)
        return error_set(error, "threads: %d, expected 1 to %d", options->threads, SEARCH_THREADS_MAX);
    if (params->playouts < 1 || params->playouts > EVALUATION_PLAYOUTS_MAX)
        return error_set(error, "playouts: %d, expected 1 to %d", params->playouts, EVALUATION_PLAYOUTS_MAX);
    if (params->expand_visits < 1)
        return error_set(error, "expand_visits: %d, expected 1 or more", params->expand_visits);
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
    if (!search || !workers || !tree_init(&search->tree, options->memory, error)) {
        if (!search || !workers)
            error_set(error, "out of memory for a search of %d threads", options->threads);
        free(search);
        free(workers);
        return NULL;
    }
    search->game = game;
    search->params = options->params;
    search->threads = options->threads;
    search->workers = workers;
    for (int i = 0; i < options->threads; i++)
        workers[i].search = search;
    playout_evaluator_init(&search->playout_evaluator, options->params.policy, options->params.playouts);
    search->evaluator = &search->playout_evaluator.evaluator;
    search_reseed(search, options->seed);
    game->rules->start(game, &search->root, 0);
    return search;
}

void search_free(Search *search) {
    if (!search)
        return;
    tree_free(&search->tree);
    free(search->workers);
    free(search);
}

void search_set_position(Search *search, const GameState *state) {
    game_copy(search->game, &search->root, state);
    tree_clear(&search->tree);
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
