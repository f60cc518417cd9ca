/* See alpha_beta_internal.h. */
#include "engine/solver/alpha_beta_internal.h"

#include "engine/base/wall_time.h"
#include "engine/solver/canonical.h"
#include "engine/solver/solver.h"

#include <stdlib.h>

enum {
    NODES_A_CHECK = 1024,  /* nodes between two looks at the clock and the stop flag */
    BUSY_PLIES = 16,       /* children are put off in nodes fewer plies from the root than this */
    HISTORY_GAIN = 64,     /* for the move that cuts */
    HISTORY_LOSS = 5,      /* the moves tried before it lose a part of theirs, divided by this power of two */
    HISTORY_MAX = 1 << 16, /* then all are halved */
    HISTORY_SCORE = 6,     /* power of two by which history is divided for the order */
    /* Room for the children of the nodes on the way down. Measured without a limit, searches from the empty board had
     * at most 2,323 there on boards up to hexhex-5, which fits. On hexhex-6 they had 4,808, on hexhex-8 12,295 and on
     * hexhex-10 28,456, which does not fit: early positions of these boards end with SOLVER_NO_ROOM. They are too hard
     * anyway, and endgames have fewer open cells. */
    CHILDREN_A_CELL = 32,
    CHILDREN_MIN = 1024,
    WORKER_ROOM = 5680, /* in bytes, of a worker without children and of a child: see SOLVER_ROOM in solver.c */
    CHILD_ROOM = 568
};

_Static_assert((int)GAME_ACTIONS_MAX <= (int)SOLVER_NO_MOVE, "the table has room for an action");

static int children_max(const Hexhex *board) {
    return CHILDREN_MIN + CHILDREN_A_CELL * board->cells;
}

size_t solver_worker_room(const Hexhex *board) {
    return WORKER_ROOM + (size_t)children_max(board) * CHILD_ROOM;
}

SolverWorker *solver_worker_new(SolverShared *shared, bool parallel) {
    const int capacity = children_max(&shared->game->board);
    SolverWorker *worker = malloc(sizeof *worker + (size_t)capacity * sizeof *worker->child);
    if (worker)
        *worker = (SolverWorker){.shared = shared, .parallel = parallel, .capacity = capacity};
    return worker;
}

void solver_worker_clear(SolverWorker *worker) {
    *worker = (SolverWorker){.shared = worker->shared, .parallel = worker->parallel, .capacity = worker->capacity};
}

/* ---- Limits ---- */

static bool ended(const SolverWorker *worker) {
    return atomic_load_explicit(&worker->shared->end, memory_order_relaxed) != SOLVER_RUNNING;
}

static void end_search(SolverShared *shared, SolverEnd end) {
    int running = SOLVER_RUNNING;
    atomic_compare_exchange_strong(&shared->end, &running, (int)end);
}

static void count_nodes(SolverWorker *worker, int count) {
    SolverShared *shared = worker->shared;
    worker->nodes += (uint64_t)count;
    worker->counted += (uint64_t)count;
    const uint64_t before = atomic_load_explicit(&shared->nodes, memory_order_relaxed);
    const bool last = shared->node_limit && before + worker->counted >= shared->node_limit;
    if (worker->counted < NODES_A_CHECK && !last)
        return;
    const uint64_t nodes = atomic_fetch_add(&shared->nodes, worker->counted) + worker->counted;
    worker->counted = 0;
    if ((shared->node_limit && nodes >= shared->node_limit) ||
        (shared->deadline > 0 && wall_seconds() >= shared->deadline) || stop_flag_obey(shared->stop))
        end_search(shared, SOLVER_LIMITED);
}

/* ---- What the table knows ---- */

/* Narrows the bounds of a look; returns the best move known, or SOLVER_NO_MOVE. */
static uint16_t recall(const SolverWorker *worker, SolverLook *look) {
    const Game *game = worker->shared->game;
    SolverEntry entry;
    if (!solver_table_find(&worker->shared->table, look->key, &entry))
        return SOLVER_NO_MOVE;
    const int low = look->sign > 0 ? entry.lower_half_points : -entry.upper_half_points,
              high = look->sign > 0 ? entry.upper_half_points : -entry.lower_half_points;
    if (low + look->offset_half_points > look->lower_half_points)
        look->lower_half_points = low + look->offset_half_points;
    if (high + look->offset_half_points < look->upper_half_points)
        look->upper_half_points = high + look->offset_half_points;
    if (entry.move == SOLVER_NO_MOVE || look->map == 0)
        return (uint16_t)entry.move;
    return game->rules->symmetry(game, solver_inverse_map(look->map), (Action)entry.move);
}

/* Keeps the bounds of a look. The effort of an entry is the number of binary digits of the nodes that it cost. */
static void keep(SolverWorker *worker, const SolverLook *look, uint16_t move, uint64_t nodes) {
    const Game *game = worker->shared->game;
    const int low = look->lower_half_points - look->offset_half_points,
              high = look->upper_half_points - look->offset_half_points;
    const int digits = 64 - __builtin_clzll(nodes | 1);
    const SolverEntry entry = {
        .lower_half_points = look->sign > 0 ? low : -high,
        .upper_half_points = look->sign > 0 ? high : -low,
        .move = move == SOLVER_NO_MOVE || look->map == 0 ? move : game->rules->symmetry(game, look->map, move),
        .effort = digits < SOLVER_EFFORT_MAX ? digits : SOLVER_EFFORT_MAX};
    solver_table_keep(&worker->shared->table, look->key, &entry);
}

/* ---- A node ---- */

/* Lies on the stack once a ply (SOLVER_STACK). */
typedef struct Frame {
    SolverLook look;
    SolverChild *child;
    int count, threshold, ply;
    int value;     /* the best so far: a lower bound of the node's value if Black is to move, else an upper one */
    uint16_t move; /* the one that cuts; before that, the table's best */
} Frame;

/* Whether a bound answers the question for the side to move: at least the threshold for Black, below it for White. */
static bool cuts(const Frame *frame, int bound) {
    return frame->look.side == BLACK ? bound >= frame->threshold : bound < frame->threshold;
}

/* Takes a child's bound for the side to move here; true where that is a cut. */
static bool take(Frame *frame, const SolverChild *child, int bound) {
    if (frame->look.side == BLACK ? bound > frame->value : bound < frame->value)
        frame->value = bound;
    if (!cuts(frame, bound))
        return false;
    frame->move = child->action;
    return true;
}

/* Looks at the child by child->action; true where its bound is a cut. */
static bool look_at_child(SolverWorker *worker, Frame *frame, const SolverNode *node, SolverChild *child) {
    const SolverShared *shared = worker->shared;
    const bool black = frame->look.side == BLACK;
    const SolverLook *look = &child->look;
    shared->model->play(shared->game, node, child->action, &child->node);
    shared->model->look(shared->game, &child->node, &child->look);
    recall(worker, &child->look);
    if (take(frame, child, black ? look->lower_half_points : look->upper_half_points))
        return true;
    /* The other bound may leave no hope. */
    child->tried = black ? look->upper_half_points < frame->threshold : look->lower_half_points >= frame->threshold;
    if (child->tried)
        take(frame, child, black ? look->upper_half_points : look->lower_half_points);
    child->score =
        (black ? look->guess : -look->guess) + (int)(worker->history[frame->look.side][child->action] >> HISTORY_SCORE);
    return false;
}

/* Looks at all children; true where that is enough for a cut. */
static bool expand(SolverWorker *worker, Frame *frame, const SolverNode *node) {
    const SolverShared *shared = worker->shared;
    Action moves[GAME_LEGAL_MAX];
    const int count = shared->model->moves(shared->game, node, moves);
    if (worker->used + count > worker->capacity || frame->ply >= SOLVER_PLIES_MAX) {
        end_search(worker->shared, SOLVER_NO_ROOM);
        return false;
    }
    count_nodes(worker, count);
    frame->child = worker->child + worker->used;
    for (frame->count = 0; frame->count < count; frame->count++) {
        SolverChild *child = &frame->child[frame->count];
        child->action = moves[frame->count];
        if (look_at_child(worker, frame, node, child))
            return true;
    }
    return false;
}

static void reward(uint32_t *history, const Frame *frame, const uint16_t *order, int tried) {
    for (int i = 0; i < tried; i++) {
        uint32_t *loser = &history[frame->child[order[i]].action];
        *loser -= *loser >> HISTORY_LOSS;
    }
    history[frame->move] += HISTORY_GAIN;
    if (history[frame->move] > HISTORY_MAX)
        for (int i = 0; i < GAME_ACTIONS_MAX; i++)
            history[i] /= 2;
}

/* ---- Dividing the work ---- */

static _Atomic uint64_t *busy_slot(SolverShared *shared, const uint64_t key[2]) {
    return &shared->busy[key[1] % SOLVER_BUSY];
}

static bool is_busy(const SolverWorker *worker, const SolverChild *child) {
    return atomic_load_explicit(busy_slot(worker->shared, child->look.key), memory_order_relaxed) == child->look.key[0];
}

static void set_busy(const SolverWorker *worker, const SolverChild *child, bool busy) {
    atomic_store_explicit(busy_slot(worker->shared, child->look.key), busy ? child->look.key[0] : 0,
                          memory_order_relaxed);
}

/* The best child that has not been tried, or NULL; one that another thread is searching only if there is no other. */
static SolverChild *next_child(const SolverWorker *worker, const Frame *frame, int tried) {
    const bool divide = worker->parallel && tried > 0 && frame->ply < BUSY_PLIES;
    SolverChild *best = NULL, *busy = NULL;
    for (int i = 0; i < frame->count; i++) {
        SolverChild *child = &frame->child[i];
        if (child->tried)
            continue;
        SolverChild **kind = divide && is_busy(worker, child) ? &busy : &best;
        if (!*kind || child->score > (*kind)->score || child->action == frame->move)
            *kind = child;
        if (child->action == frame->move && kind == &best)
            break;
    }
    return best ? best : busy;
}

/* ---- The search ---- */

static int search(SolverWorker *worker, Frame *frame, const SolverNode *node);

/* A bound of a child's value that answers the question: from the table, which may know it by now, or by a search. */
static int search_child(SolverWorker *worker, const Frame *frame, SolverChild *child) {
    Frame below = {.look = child->look, .threshold = frame->threshold, .ply = frame->ply + 1};
    below.move = recall(worker, &below.look);
    if (below.look.lower_half_points >= frame->threshold)
        return below.look.lower_half_points;
    if (below.look.upper_half_points < frame->threshold)
        return below.look.upper_half_points;
    if (!worker->parallel || frame->ply >= BUSY_PLIES)
        return search(worker, &below, &child->node);
    set_busy(worker, child, true);
    const int value = search(worker, &below, &child->node);
    set_busy(worker, child, false);
    return value;
}

/* Tries the children; a cut, or none where all have been tried or the search is to end. */
static void try_children(SolverWorker *worker, Frame *frame) {
    uint16_t order[GAME_LEGAL_MAX];
    int tried = 0;
    SolverChild *child;
    while (!ended(worker) && (child = next_child(worker, frame, tried))) {
        child->tried = true;
        const int value = search_child(worker, frame, child);
        if (ended(worker))
            return;
        if (take(frame, child, value)) {
            reward(worker->history[frame->look.side], frame, order, tried);
            return;
        }
        order[tried++] = (uint16_t)(child - frame->child);
    }
}

static int search(SolverWorker *worker, Frame *frame, const SolverNode *node) {
    const uint64_t before = worker->nodes;
    frame->value = frame->look.side == BLACK ? frame->look.lower_half_points : frame->look.upper_half_points;
    if (!expand(worker, frame, node) && !ended(worker)) {
        worker->used += frame->count;
        try_children(worker, frame);
        worker->used -= frame->count;
    }
    if (ended(worker))
        return frame->threshold;
    SolverLook *look = &frame->look;
    const bool at_least = frame->value >= frame->threshold;
    if (at_least)
        look->lower_half_points = frame->value > look->lower_half_points ? frame->value : look->lower_half_points;
    else
        look->upper_half_points = frame->value < look->upper_half_points ? frame->value : look->upper_half_points;
    keep(worker, look, frame->move, worker->nodes - before);
    return at_least ? look->lower_half_points : look->upper_half_points;
}

int solver_search(SolverWorker *worker, const SolverNode *root, int threshold_half_points) {
    SolverNode node = *root;
    Frame frame = {.threshold = threshold_half_points};
    worker->used = 0;
    worker->shared->model->look(worker->shared->game, &node, &frame.look);
    SolverLook known = frame.look; /* the answer must not come from the table, which has no move for it */
    frame.move = recall(worker, &known);
    const int value = search(worker, &frame, &node);
    worker->best = frame.move;
    return value;
}
