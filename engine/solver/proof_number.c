/* See proof_number_internal.h. */
#include "engine/solver/proof_number_internal.h"

#include "engine/base/bits.h"
#include "engine/base/wall_time.h"
#include "engine/solver/proof_table_internal.h"

enum {
    PLIES = 160,              /* no way down is longer; one that was longer would end the search */
    CHILDREN_A_NODE = 64 + 8, /* the cells of a board, and refutations by carriers */
    CHILDREN = PLIES * CHILDREN_A_NODE,
    SHARE = 6,    /* the children's numbers but the largest count for a SHARE-th */
    OVERTAKE = 4, /* the second best child may be overtaken by an OVERTAKE-th of its number */
    NUMBER_MAX = 1 << 30,
    CHECK_EVERY = 32, /* expansions between two looks at the clock and the stop flag */
    ROOM = 3612992    /* bytes before the table: see SOLVER_ROOM in solver.c */
};

/* A move of a node; or a carrier of the enemy's that holds there after a pass, and so refutes the moves outside it. */
typedef struct ProofChild {
    int cell; /* or PROOF_NO_CELL, or A_CARRIER */
    ProofStatus status;
} ProofChild;

enum { A_CARRIER = -2 };

typedef enum Ending { GOES_ON, ENDED_BY_LIMIT, ENDED_BY_DEPTH } Ending;

struct ProofSearch {
    const SolverCarriers *carriers;
    const Game *game;
    CarrierListNear *near;
    ProofQuestion question;
    ProofLimits limits;
    uint64_t nodes;
    int steps; /* since the last look at the clock */
    Ending end;
    int used;
    CarrierList found[PROOF_PHASES][2][2]; /* by phase, winner and side to move */
    ProofChild child[CHILDREN];
    ProofTable table; /* in the rest of the memory */
};

_Static_assert(sizeof(ProofSearch) <= ROOM, "the table begins behind it");

bool proof_search_plays(const SolverCarriers *carriers, const Game *game) {
    return carriers && game->board.words == 1;
}

bool proof_search_knows(const SolverCarriers *carriers, const Game *game, const GameState *state) {
    return proof_search_plays(carriers, game) && !game->rules->over(state) && carriers->knows(game, state);
}

size_t proof_search_least(void) {
    return ROOM + proof_table_least();
}

ProofSearch *proof_search_new(const SolverCarriers *carriers, const Game *game, void *memory, size_t bytes) {
    ProofSearch *search = memory;
    search->carriers = carriers;
    search->game = game;
    search->near = carrier_list_kernel()->near;
    proof_table_init(&search->table, &game->board, carriers->canonical_stones, (char *)memory + ROOM, bytes - ROOM);
    return search;
}

void proof_search_clear(ProofSearch *search) {
    search->question = (ProofQuestion){.goal = 0};
    for (int phase = 0; phase < PROOF_PHASES; phase++)
        for (int winner = 0; winner < 2; winner++)
            for (int side = 0; side < 2; side++)
                carrier_list_clear(&search->found[phase][winner][side]);
    proof_table_clear(&search->table);
}

/* ---- Limits ---- */

static bool ended(ProofSearch *search) {
    if (search->end != GOES_ON)
        return true;
    const ProofLimits *limits = &search->limits;
    bool limited = limits->nodes && search->nodes >= limits->nodes;
    if (!limited && ++search->steps >= CHECK_EVERY) {
        search->steps = 0;
        limited = stop_flag_obey(limits->stop) || (limits->deadline > 0 && wall_seconds() >= limits->deadline);
    }
    if (limited)
        search->end = ENDED_BY_LIMIT;
    return limited;
}

/* ---- What the game says ---- */

static uint64_t find_moves(const ProofSearch *search, const ProofPosition *position) {
    return search->carriers->moves(&search->question, position);
}

static uint64_t before_move(const ProofSearch *search, const ProofPosition *position, int cell, uint64_t after) {
    return search->carriers->before_move(&search->question, position, cell, after);
}

static void play(const ProofSearch *search, const ProofPosition *position, int cell, ProofPosition *next) {
    search->carriers->play(&search->question, position, cell, next);
}

/* ---- What the lists of carriers say ---- */

static void find_near(ProofSearch *search, const ProofPosition *position, int winner, Side to_move, uint64_t fixable,
                      NearCarriers *near) {
    search->near(&search->found[position->phase][winner][to_move], position->set[winner], position->set[1 - winner],
                 fixable, near);
}

/* The smallest of the carriers picked, each corrected by a move of the side to move where a cell is wrong; 0 if there
 * is none. */
static uint64_t smallest_carrier(const ProofSearch *search, const ProofPosition *position, const NearCarriers *near,
                                 int *move) {
    uint64_t smallest = 0;
    int used = -1;
    for (int i = 0; i < near->count; i++) {
        const uint64_t wrong = near->carrier[i].wrong;
        const int cell = wrong ? __builtin_ctzll(wrong) : PROOF_NO_CELL;
        uint64_t carrier = near->carrier[i].cells;
        if (wrong)
            carrier = before_move(search, position, cell, carrier);
        if (smallest && bits_count(carrier) >= bits_count(smallest))
            continue;
        smallest = carrier;
        *move = cell;
        used = i;
    }
    if (used >= 0)
        carrier_used(near, used);
    return smallest;
}

/* Whether a proof holds on the position as it is; or after any move, as a move never does harm; or after the move that
 * puts the one wrong cell right. A proof that holds with the same side to move does not tell which move wins: with
 * `need_move` it does not count. Inlined, its 24 KB would be on the stack at every depth of search_node. */
__attribute__((noinline)) static bool solved_by_carrier(ProofSearch *search, const ProofPosition *position,
                                                        uint64_t moves, bool need_move, ProofStatus *status,
                                                        int *move) {
    const Side side = position->side, enemy = side_opponent(side);
    NearCarriers near;
    *move = PROOF_NO_CELL;
    status->winner = enemy;
    find_near(search, position, enemy, side, 0, &near);
    if ((status->carrier = smallest_carrier(search, position, &near, move)))
        return true;
    status->winner = side;
    find_near(search, position, side, enemy, moves, &near);
    status->carrier = smallest_carrier(search, position, &near, move);
    if (status->carrier && *move == PROOF_NO_CELL && moves)
        *move = __builtin_ctzll(moves);
    if (status->carrier || need_move)
        return status->carrier != 0;
    find_near(search, position, side, side, 0, &near);
    status->carrier = smallest_carrier(search, position, &near, move);
    return status->carrier != 0;
}

/* Adds carriers of the enemy that hold after a pass, as long as one leaves fewer moves to be searched. Returns the
 * cells on all of them. */
static uint64_t refute_by_carriers(ProofSearch *search, const ProofPosition *position, uint64_t moves,
                                   ProofChild *child, int *count) {
    const Side enemy = side_opponent(position->side);
    NearCarriers near;
    uint64_t left = ~0ull;
    find_near(search, position, enemy, enemy, 0, &near);
    while (*count < CHILDREN_A_NODE - 64) {
        int best = -1, fewest = bits_count(moves & left);
        for (int i = 0; i < near.count; i++) {
            const int leaves = bits_count(moves & left & near.carrier[i].cells);
            if (leaves < fewest) {
                fewest = leaves;
                best = i;
            }
        }
        if (best < 0)
            return left;
        carrier_used(&near, best);
        left &= near.carrier[best].cells;
        child[(*count)++] = (ProofChild){A_CARRIER, {.winner = enemy, .carrier = near.carrier[best].cells}};
    }
    return left;
}

/* Whether the side to move, after a move of the enemy on `cell`, has a move that puts a carrier right. `near`: its
 * carriers before that move, with the enemy to move after its own. */
static bool answered_by_carrier(const ProofSearch *search, const ProofPosition *position, int cell,
                                const NearCarriers *near, ProofStatus *status) {
    if (cell == PROOF_NO_CELL || !near->count)
        return false;
    const uint64_t moves = find_moves(search, position), moved = 1ull << cell;
    for (int i = 0; i < near->count; i++) {
        const uint64_t wrong = near->carrier[i].wrong | (near->carrier[i].cells & moved);
        if (!wrong || (wrong & (wrong - 1)) || (wrong & ~moves))
            continue;
        carrier_used(near, i);
        status->winner = position->side;
        status->carrier = before_move(search, position, __builtin_ctzll(wrong), near->carrier[i].cells);
        return true;
    }
    return false;
}

/* ---- A position ---- */

/* The place in the table of what follows a move, or the other turn. */
static ProofPlace place_of_child(const ProofSearch *search, const ProofPosition *position, int cell, int other_phase) {
    const Side side = position->side, enemy = side_opponent(side);
    uint64_t stones[2] = {position->set[BLACK], position->set[WHITE]};
    if (cell != PROOF_NO_CELL) {
        stones[side] |= 1ull << cell;
        stones[enemy] &= ~stones[side];
    }
    return proof_table_place(&search->table, stones, enemy, cell == PROOF_NO_CELL ? other_phase : position->phase);
}

/* What can be said of a new position without a search; `near` as above. */
static void look(ProofSearch *search, const ProofPosition *position, int cell, const NearCarriers *near,
                 ProofStatus *status) {
    search->nodes++;
    search->carriers->look(&search->question, position, status);
    if (status->winner == NOBODY)
        answered_by_carrier(search, position, cell, near, status);
}

/* Lists the moves to these cells, after the other turn if there is one, with their places in the table. */
static int list_children(const ProofSearch *search, const ProofPosition *position, uint64_t cells, int other_phase,
                         ProofChild *child, ProofPlace *place) {
    int count = 0;
    if (other_phase != PROOF_NO_TURN)
        child[count++].cell = PROOF_NO_CELL;
    for (; cells; cells &= cells - 1)
        child[count++].cell = __builtin_ctzll(cells);
    for (int i = 0; i < count; i++)
        place[i] = place_of_child(search, position, child[i].cell, other_phase);
    return count;
}

/* Looks at what follows the moves, except those that a carrier refutes by then, and stops at one that wins. Returns the
 * number of children, carriers among them. Not inlined, as solved_by_carrier is not. */
__attribute__((noinline)) static int expand(ProofSearch *search, const ProofPosition *position, uint64_t moves,
                                            ProofChild *child) {
    const Side side = position->side, enemy = side_opponent(side);
    ProofPlace place[64];
    NearCarriers near;
    int kept = 0;
    uint64_t left = refute_by_carriers(search, position, moves, child, &kept);
    ProofChild *listed = child + kept;
    const int other_phase = search->carriers->other_turn(position, moves);
    const int count = list_children(search, position, moves & left, other_phase, listed, place);
    find_near(search, position, enemy, side, ~0ull, &near);
    for (int i = 0; i < count; i++) {
        ProofChild *at = &child[kept];
        at->cell = listed[i].cell;
        if (at->cell != PROOF_NO_CELL && !(left >> at->cell & 1))
            continue;
        kept++;
        if (!proof_table_recall(&search->table, &place[i], search->question.goal, &at->status)) {
            ProofPosition next;
            play(search, position, at->cell, &next);
            look(search, &next, at->cell, &near, &at->status);
        }
        if (at->status.winner == side)
            break;
        if (at->status.winner == enemy)
            left &= at->status.carrier;
    }
    return kept;
}

/* ---- The search ---- */

/* A node's children summed up. */
typedef struct Summary {
    const ProofChild *child; /* `count` of them */
    int count;
    const ProofChild *winning; /* or NULL */
    uint64_t left;             /* cells that are on all carriers of the enemy and that no refuted move was on */
    ProofChild *best;          /* open, on `left`, of the least delta; NULL: the enemy wins */
    uint32_t second;           /* the next least delta */
    uint32_t phi, delta, largest;
} Summary;

/* Of the cells `left`, those that a refuted move leaves to be searched. */
static uint64_t left_by(const ProofChild *child, uint64_t left) {
    return left & child->status.carrier & ~(child->cell < 0 ? 0 : 1ull << child->cell);
}

static void add_open(ProofChild *child, Summary *sum, uint64_t *total) {
    const ProofStatus *status = &child->status;
    *total += status->phi;
    if (status->phi > sum->largest)
        sum->largest = status->phi;
    const ProofChild *best = sum->best;
    if (best && (status->delta > best->status.delta ||
                 (status->delta == best->status.delta && status->phi >= best->status.phi))) {
        sum->second = status->delta < sum->second ? status->delta : sum->second;
        return;
    }
    if (best)
        sum->second = best->status.delta;
    sum->best = child;
}

static Summary sum_up(const ProofSearch *search, const ProofPosition *position, ProofChild *child, int count) {
    const Side side = position->side;
    Summary sum = {
        .child = child, .count = count, .left = search->question.full & ~position->set[side], .second = NUMBER_MAX};
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        if (child[i].status.winner == side) {
            sum.winning = &child[i];
            return sum;
        } else if (child[i].status.winner != NOBODY) {
            sum.left = left_by(&child[i], sum.left);
        }
    for (int i = 0; i < count; i++)
        if (child[i].status.winner == NOBODY && (child[i].cell == PROOF_NO_CELL || sum.left >> child[i].cell & 1))
            add_open(&child[i], &sum, &total);
    const uint64_t delta = sum.largest + (total - sum.largest) / SHARE;
    sum.phi = sum.best ? sum.best->status.delta : 0;
    sum.delta = delta < NUMBER_MAX ? (uint32_t)delta : NUMBER_MAX;
    return sum;
}

/* The refutation that adds the fewest cells to a carrier for each of the moves left that it answers. */
static const ProofChild *cheapest_refutation(const Summary *sum, uint64_t carrier, uint64_t left_moves) {
    const ProofChild *best = NULL;
    double least = 0;
    for (const ProofChild *child = sum->child; child < sum->child + sum->count; child++) {
        if (child->status.winner == NOBODY)
            continue;
        const int answered = bits_count(left_moves & ~left_by(child, left_moves));
        const double cost = 0.5 + bits_count(child->status.carrier & ~carrier);
        if (answered && (!best || cost / answered < least)) {
            least = cost / answered;
            best = child;
        }
    }
    return best;
}

/* The enemy's carrier where all turns are refuted: not the union of all refutations but of enough of them. That of the
 * other turn comes first, as no other one answers it. */
static uint64_t carrier_of_refutations(const ProofSearch *search, const ProofPosition *position, const Summary *sum) {
    const uint64_t moves = find_moves(search, position);
    uint64_t carrier = 0, left = search->question.full & ~position->set[position->side];
    for (const ProofChild *child = sum->child; child < sum->child + sum->count; child++)
        if (child->cell == PROOF_NO_CELL) {
            carrier = child->status.carrier;
            left = left_by(child, left);
        }
    while (left & moves) {
        const ProofChild *next = cheapest_refutation(sum, carrier, left & moves);
        carrier |= next->status.carrier;
        left = left_by(next, left);
    }
    return search->carriers->before_defeats(&search->question, position, carrier, left);
}

/* What the summary decides about the node, if it does. */
static bool decide(const ProofSearch *search, const ProofPosition *position, const Summary *sum, ProofStatus *status) {
    if (sum->winning) {
        status->winner = position->side;
        status->carrier = sum->winning->status.carrier;
        if (sum->winning->cell != PROOF_NO_CELL)
            status->carrier = before_move(search, position, sum->winning->cell, status->carrier);
    } else if (!sum->best) {
        status->winner = side_opponent(position->side);
        status->carrier = carrier_of_refutations(search, position, sum);
    }
    return sum->winning || !sum->best;
}

/* A node is searched until one of its numbers reaches its bound. */
typedef struct Bounds {
    uint32_t phi, delta;
} Bounds;

/* How far the best child may be searched within the bounds of its parent. */
static Bounds child_bounds(const Summary *sum, Bounds own) {
    const ProofStatus *best = &sum->best->status;
    const uint64_t room = (uint64_t)(own.delta - sum->delta) * (best->phi == sum->largest ? 1 : SHARE);
    const uint64_t phi = best->phi + room, delta = sum->second + sum->second / OVERTAKE + 1;
    return (Bounds){.phi = phi < NUMBER_MAX ? (uint32_t)phi : NUMBER_MAX,
                    .delta = delta < own.phi ? (uint32_t)delta : own.phi};
}

/* Keeps what has been found out about a position. */
static void remember(ProofSearch *search, const ProofPosition *position, const ProofStatus *status, uint64_t nodes) {
    const ProofPlace place = proof_table_place(&search->table, position->set, position->side, position->phase);
    proof_table_keep(&search->table, &place, search->question.goal, status, nodes);
    if (status->winner != NOBODY)
        carrier_list_add(&search->found[position->phase][status->winner][position->side], search->near,
                         position->set[status->winner], status->carrier);
}

/* Searches until the position is solved or its numbers reach the bounds; without meaning where the search has ended.
 * The cell that wins for the side to move goes to *move. */
static void search_node(ProofSearch *search, const ProofPosition *position, int ply, Bounds bounds, ProofStatus *status,
                        int *move) {
    const uint64_t before = search->nodes, moves = find_moves(search, position);
    ProofChild *child = search->child + search->used;
    if (ply + 1 >= PLIES)
        search->end = ENDED_BY_DEPTH;
    if (ended(search))
        return;
    if (solved_by_carrier(search, position, moves, ply == 0, status, move)) {
        remember(search, position, status, 1);
        return;
    }
    const int count = expand(search, position, moves, child);
    search->used += count;
    status->winner = NOBODY;
    Summary sum = sum_up(search, position, child, count);
    while (!decide(search, position, &sum, status) && sum.phi < bounds.phi && sum.delta < bounds.delta) {
        ProofPosition next;
        int ignored;
        play(search, position, sum.best->cell, &next);
        search_node(search, &next, ply + 1, child_bounds(&sum, bounds), &sum.best->status, &ignored);
        if (search->end != GOES_ON)
            return;
        sum = sum_up(search, position, child, count);
    }
    search->used -= count;
    status->phi = sum.phi;
    status->delta = sum.delta;
    *move = sum.winning ? sum.winning->cell : PROOF_NO_CELL;
    remember(search, position, status, search->nodes - before);
}

/* ---- Questions ---- */

/* Carriers of another question are kept where their winner got enough for this one. */
static void set_question(ProofSearch *search, const ProofQuestion *question) {
    const int before = search->question.goal;
    const Side too_little = question->goal > before ? BLACK : WHITE;
    search->question = *question;
    if (question->goal == before)
        return;
    for (int phase = 0; phase < PROOF_PHASES; phase++)
        for (int side = 0; side < 2; side++)
            carrier_list_clear(&search->found[phase][too_little][side]);
}

ProofResult proof_search_ask(ProofSearch *search, const GameState *state, int threshold_half_points,
                             const ProofLimits *limits) {
    const Game *game = search->game;
    ProofQuestion question;
    ProofPosition position;
    ProofStatus status = {.winner = NOBODY};
    int move = PROOF_NO_CELL;
    if (!search->carriers->open(game, state, threshold_half_points, &question, &position))
        return (ProofResult){.answer = PROOF_BEYOND};
    set_question(search, &question);
    search->limits = *limits;
    search->nodes = 0;
    search->steps = 0;
    search->end = GOES_ON;
    search->used = 0;
    search_node(search, &position, 0, (Bounds){NUMBER_MAX, NUMBER_MAX}, &status, &move);
    if (search->end != GOES_ON || status.winner == NOBODY) /* nobody: the numbers have reached their end */
        return (ProofResult){.answer = search->end == ENDED_BY_LIMIT ? PROOF_LIMITED : PROOF_BEYOND,
                             .nodes = search->nodes};
    return (ProofResult){.answer = status.winner == BLACK ? PROOF_YES : PROOF_NO,
                         .best = search->carriers->action(game, state, move),
                         .carrier = status.carrier,
                         .nodes = search->nodes};
}

const CarrierList *proof_search_carriers(const ProofSearch *search, int phase, Side winner, Side to_move) {
    return &search->found[phase][winner][to_move];
}
