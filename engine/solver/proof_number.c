/* See proof_number.h. */
#include "engine/solver/proof_number.h"

#include "engine/base/wall_time.h"
#include "engine/solver/model.h"
#include "engine/solver/proof_table.h"

enum {
    PLIES = 160,              /* no way down is longer; one that was would end the search */
    CHILDREN_A_NODE = 64 + 8, /* the cells of a board, and refutations by claims */
    CHILDREN = PLIES * CHILDREN_A_NODE,
    SHARE = 6,    /* the children's numbers but the largest count for a SHARE-th */
    OVERTAKE = 4, /* the second best child may be overtaken by an OVERTAKE-th of its number */
    NUMBER_MAX = 1 << 30,
    CHECK_EVERY = 32 /* expansions between two checks of the limits */
};

/* A move of a node, or a claim of the enemy that holds there after a pass and so refutes the moves that are not on it.
 */
typedef struct ProofChild {
    int cell; /* or NO_CELL, or A_CLAIM */
    Known known;
} ProofChild;

enum { NO_CELL = -1 /* a pass, or taking the button */, A_CLAIM = -2 };

struct ProofSearch {
    const Game *game;
    ClaimListNear *near;
    ClaimQuestion question;
    ProofLimits limits;
    uint64_t nodes;
    int steps; /* since the last check of the limits */
    bool ended, beyond;
    int used;
    ClaimList claims[PHASES][2][2]; /* by phase, winner and side to move */
    ProofChild child[CHILDREN];
    ProofTable table; /* in the memory behind this struct */
};

bool proof_search_plays(const Game *game) {
    return game->rules->solver == &stigmergy_solver_model && game->board.words == 1;
}

bool proof_search_knows(const Game *game, const GameState *state) {
    return proof_search_plays(game) && !game->rules->over(state) && ((const StigmergyState *)state)->passes == 0;
}

size_t proof_search_least(void) {
    return sizeof(ProofSearch) + proof_table_least();
}

ProofSearch *proof_search_new(const Game *game, void *memory, size_t bytes) {
    ProofSearch *search = memory;
    search->game = game;
    search->near = claim_list_kernel()->near;
    proof_table_init(&search->table, &game->board, search + 1, bytes - sizeof *search);
    return search;
}

/* ---- Limits ---- */

static bool is_set(const atomic_bool *flag) {
    return flag && atomic_load_explicit(flag, memory_order_relaxed);
}

static bool ended(ProofSearch *search) {
    if (search->ended || ++search->steps < CHECK_EVERY)
        return search->ended;
    const ProofLimits *limits = &search->limits;
    search->steps = 0;
    search->ended = (limits->nodes && search->nodes >= limits->nodes) || is_set(limits->stop) || is_set(limits->moot) ||
                    (limits->deadline > 0 && wall_seconds() >= limits->deadline);
    return search->ended;
}

/* ---- What the lists of claims say ---- */

static void find_near(ProofSearch *search, const ClaimPosition *position, int winner, Side to_move, uint64_t but,
                      NearClaims *near) {
    search->near(&search->claims[position->phase][winner][to_move], position->plane[winner],
                 position->plane[1 - winner], but, near);
}

/* The smallest claim of those found, corrected by a move of the side to move where a cell is wrong. */
static uint64_t smallest_claim(const ProofSearch *search, const ClaimPosition *position, const NearClaims *near,
                               int *move) {
    uint64_t smallest = 0;
    int used = -1;
    for (int i = 0; i < near->count; i++) {
        const uint64_t wrong = near->claim[i].wrong;
        const int cell = wrong ? __builtin_ctzll(wrong) : NO_CELL;
        uint64_t claim = near->claim[i].cells;
        if (wrong)
            claim = claim_before_move(&search->question, position, cell, claim);
        if (smallest && __builtin_popcountll(claim) >= __builtin_popcountll(smallest))
            continue;
        smallest = claim;
        *move = cell;
        used = i;
    }
    if (used >= 0)
        claim_used(near, used);
    return smallest;
}

/* Whether a claim holds as the position stands; or after any move, as the move is never a burden; or after the move
 * that puts its one wrong cell right. Which move wins is not known from a claim that holds with the same side to move:
 * with `need_move` such a win does not count. */
static bool solved_by_claim(ProofSearch *search, const ClaimPosition *position, uint64_t moves, bool need_move,
                            Known *known, int *move) {
    const Side side = position->side, enemy = side_opponent(side);
    NearClaims near;
    *move = NO_CELL;
    known->winner = (int)enemy;
    find_near(search, position, enemy, side, 0, &near);
    if ((known->claim = smallest_claim(search, position, &near, move)))
        return true;
    known->winner = (int)side;
    find_near(search, position, side, enemy, moves, &near);
    known->claim = smallest_claim(search, position, &near, move);
    if (known->claim && *move == NO_CELL && moves)
        *move = __builtin_ctzll(moves);
    if (known->claim || need_move)
        return known->claim != 0;
    find_near(search, position, side, side, 0, &near);
    known->claim = smallest_claim(search, position, &near, move);
    return known->claim != 0;
}

/* Adds the claims of the enemy that hold after a pass, as long as one leaves fewer moves to search. Returns the cells
 * on all of them. */
static uint64_t refute_by_claims(ProofSearch *search, const ClaimPosition *position, uint64_t moves, ProofChild *child,
                                 int *count) {
    const Side enemy = side_opponent(position->side);
    NearClaims near;
    uint64_t left = ~0ull;
    find_near(search, position, enemy, enemy, 0, &near);
    while (*count < CHILDREN_A_NODE - 64) {
        int best = -1, fewest = __builtin_popcountll(moves & left);
        for (int i = 0; i < near.count; i++) {
            const int leaves = __builtin_popcountll(moves & left & near.claim[i].cells);
            if (leaves < fewest) {
                fewest = leaves;
                best = i;
            }
        }
        if (best < 0)
            return left;
        claim_used(&near, best);
        left &= near.claim[best].cells;
        child[(*count)++] = (ProofChild){A_CLAIM, {.winner = (int)enemy, .claim = near.claim[best].cells}};
    }
    return left;
}

/* Whether the side to move, after a move of the enemy on `cell`, has a move that puts a claim right; `near`: its claims
 * before that move, with the enemy to move after its own. */
static bool answered_by_claim(const ProofSearch *search, const ClaimPosition *position, int cell,
                              const NearClaims *near, Known *known) {
    if (cell == NO_CELL || !near->count)
        return false;
    const uint64_t moves = claim_moves(&search->question, position), moved = 1ull << cell;
    for (int i = 0; i < near->count; i++) {
        const uint64_t wrong = near->claim[i].wrong | (near->claim[i].cells & moved);
        if (!wrong || (wrong & (wrong - 1)) || (wrong & ~moves))
            continue;
        claim_used(near, i);
        known->winner = (int)position->side;
        known->claim = claim_before_move(&search->question, position, __builtin_ctzll(wrong), near->claim[i].cells);
        return true;
    }
    return false;
}

/* ---- A position ---- */

static void make_next(const ProofSearch *search, const ClaimPosition *position, int cell, ClaimPosition *next) {
    if (cell == NO_CELL)
        claim_pass(position, next);
    else
        claim_play(&search->question, position, cell, next);
}

/* Whether there is a turn to be thought of beside those on cells: passing never is the better one, where there is one.
 */
static bool turn_without_cell(const ClaimPosition *position, uint64_t moves) {
    return position->phase == PHASE_BUTTON || !moves;
}

/* Where a child stands in the table. */
static ProofPlace place_of_child(const ProofSearch *search, const ClaimPosition *position, int cell) {
    const Side side = position->side, enemy = side_opponent(side);
    uint64_t stones[2] = {position->plane[0], position->plane[1]};
    if (cell != NO_CELL) {
        stones[side] |= 1ull << cell;
        stones[enemy] &= ~stones[side];
    }
    return proof_table_place(&search->table, stones, enemy,
                             cell == NO_CELL ? claim_phase_after_pass(position) : position->phase);
}

/* What can be said of a new position without search; `near` as above. */
static void look(ProofSearch *search, const ClaimPosition *position, int cell, const NearClaims *near, Known *known) {
    const ClaimQuestion *question = &search->question;
    const Side side = position->side, enemy = side_opponent(side);
    const uint64_t full = question->tables->full[0];
    search->nodes++;
    known->winner = claim_static(question, position, &known->claim);
    if (known->winner != NOBODY || answered_by_claim(search, position, cell, near, known))
        return;
    known->winner = NOBODY;
    known->phi =
        (uint32_t)(1 + claim_need(question, position, side) - __builtin_popcountll(full & ~position->reach[enemy]));
    known->delta =
        (uint32_t)(1 + claim_need(question, position, enemy) - __builtin_popcountll(full & ~position->reach[side]));
}

/* Lists the moves to these cells, and taking the button or else a pass where there is no move at all, with their places
 * in the table. */
static int list_children(const ProofSearch *search, const ClaimPosition *position, uint64_t cells, bool pass,
                         ProofChild *child, ProofPlace *place) {
    int count = 0;
    if (pass)
        child[count++].cell = NO_CELL;
    for (; cells; cells &= cells - 1)
        child[count++].cell = __builtin_ctzll(cells);
    for (int i = 0; i < count; i++)
        place[i] = place_of_child(search, position, child[i].cell);
    return count;
}

/* Looks at what follows the moves, but for those that a claim refutes by then, and no further than to one that wins.
 * Returns the number of children, claims among them. */
static int expand(ProofSearch *search, const ClaimPosition *position, uint64_t moves, ProofChild *child) {
    const Side side = position->side, enemy = side_opponent(side);
    ProofPlace place[64];
    NearClaims near;
    int kept = 0;
    uint64_t left = refute_by_claims(search, position, moves, child, &kept);
    ProofChild *listed = child + kept;
    const int count = list_children(search, position, moves & left, turn_without_cell(position, moves), listed, place);
    find_near(search, position, enemy, side, ~0ull, &near);
    for (int i = 0; i < count; i++) {
        ProofChild *at = &child[kept];
        at->cell = listed[i].cell;
        if (at->cell != NO_CELL && !(left >> at->cell & 1))
            continue;
        kept++;
        if (!proof_table_recall(&search->table, &place[i], search->question.cells, &at->known)) {
            ClaimPosition next;
            make_next(search, position, at->cell, &next);
            look(search, &next, at->cell, &near, &at->known);
        }
        if (at->known.winner == (int)side)
            break;
        if (at->known.winner == (int)enemy)
            left &= at->known.claim;
    }
    return kept;
}

/* ---- The search ---- */

/* A node's children summed up. */
typedef struct Summary {
    const ProofChild *winning; /* or NULL */
    uint64_t left;             /* cells on all claims of the enemy, not moved on yet */
    ProofChild *best;          /* open, on `left`, of the least delta; NULL: the enemy wins */
    uint32_t second;           /* the next least delta */
    uint32_t phi, delta, largest;
} Summary;

/* The cells that a refuted move leaves to be searched of some. */
static uint64_t left_by(const ProofChild *child, uint64_t left) {
    return left & child->known.claim & ~(child->cell < 0 ? 0 : 1ull << child->cell);
}

static void add_open(ProofChild *child, Summary *sum, uint64_t *total) {
    const Known *known = &child->known;
    *total += known->phi;
    if (known->phi > sum->largest)
        sum->largest = known->phi;
    const ProofChild *best = sum->best;
    if (best &&
        (known->delta > best->known.delta || (known->delta == best->known.delta && known->phi >= best->known.phi))) {
        sum->second = known->delta < sum->second ? known->delta : sum->second;
        return;
    }
    if (best)
        sum->second = best->known.delta;
    sum->best = child;
}

static Summary sum_up(const ProofSearch *search, const ClaimPosition *position, ProofChild *child, int count) {
    const Side side = position->side;
    Summary sum = {.left = search->question.tables->full[0] & ~position->plane[PLANE_STONES + side],
                   .second = NUMBER_MAX};
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        if (child[i].known.winner == (int)side) {
            sum.winning = &child[i];
            return sum;
        } else if (child[i].known.winner != NOBODY) {
            sum.left = left_by(&child[i], sum.left);
        }
    for (int i = 0; i < count; i++)
        if (child[i].known.winner == NOBODY && (child[i].cell == NO_CELL || sum.left >> child[i].cell & 1))
            add_open(&child[i], &sum, &total);
    const uint64_t delta = sum.largest + (total - sum.largest) / SHARE;
    sum.phi = sum.best ? sum.best->known.delta : 0;
    sum.delta = delta < NUMBER_MAX ? (uint32_t)delta : NUMBER_MAX;
    return sum;
}

/* The refutation that adds the fewest cells to a claim for each of the moves left that it answers. */
static const ProofChild *cheapest_refutation(const ProofChild *child, int count, uint64_t claim, uint64_t left_moves) {
    const ProofChild *best = NULL;
    double least = 0;
    for (int i = 0; i < count; i++) {
        if (child[i].known.winner == NOBODY)
            continue;
        const int answered = __builtin_popcountll(left_moves & ~left_by(&child[i], left_moves));
        const double cost = 0.5 + __builtin_popcountll(child[i].known.claim & ~claim);
        if (answered && (!best || cost / answered < least)) {
            least = cost / answered;
            best = &child[i];
        }
    }
    return best;
}

/* The claim of the enemy where all turns are refuted: not the union of all refutations but of enough of them; that of
 * the turn without a cell first, which no other one answers. */
static uint64_t claim_of_refutations(const ProofSearch *search, const ClaimPosition *position, const ProofChild *child,
                                     int count) {
    const uint64_t moves = claim_moves(&search->question, position);
    uint64_t claim = 0, left = search->question.tables->full[0] & ~position->plane[PLANE_STONES + position->side];
    for (int i = 0; i < count; i++)
        if (child[i].cell == NO_CELL) {
            claim = child[i].known.claim;
            left = left_by(&child[i], left);
        }
    while (left & moves) {
        const ProofChild *next = cheapest_refutation(child, count, claim, left & moves);
        claim |= next->known.claim;
        left = left_by(next, left);
    }
    return claim_before_defeats(&search->question, position, claim, left);
}

/* What the summary decides about the node, if it does. */
static bool decide(const ProofSearch *search, const ClaimPosition *position, const Summary *sum,
                   const ProofChild *child, int count, Known *known) {
    if (sum->winning) {
        known->winner = position->side;
        known->claim = sum->winning->known.claim;
        if (sum->winning->cell != NO_CELL)
            known->claim = claim_before_move(&search->question, position, sum->winning->cell, known->claim);
    } else if (!sum->best) {
        known->winner = side_opponent(position->side);
        known->claim = claim_of_refutations(search, position, child, count);
    }
    return sum->winning || !sum->best;
}

/* How far the best child may be searched within the bounds of its parent. */
static void child_bounds(const Summary *sum, uint32_t phi_end, uint32_t delta_end, uint32_t *child_phi_end,
                         uint32_t *child_delta_end) {
    const Known *best = &sum->best->known;
    const uint64_t room = (uint64_t)(delta_end - sum->delta) * (best->phi == sum->largest ? 1 : SHARE);
    const uint64_t phi = best->phi + room, delta = sum->second + sum->second / OVERTAKE + 1;
    *child_phi_end = phi < NUMBER_MAX ? (uint32_t)phi : NUMBER_MAX;
    *child_delta_end = delta < phi_end ? (uint32_t)delta : phi_end;
}

/* Keeps what has been found out about a position. */
static void remember(ProofSearch *search, const ClaimPosition *position, const Known *known, uint64_t nodes) {
    const ProofPlace place = proof_table_place(&search->table, position->plane, position->side, position->phase);
    proof_table_keep(&search->table, &place, search->question.cells, known, nodes);
    if (known->winner != NOBODY)
        claim_list_add(&search->claims[position->phase][known->winner][position->side], search->near,
                       position->plane[known->winner], known->claim);
}

/* Searches until the position is solved or its numbers reach the bounds; without meaning where the search has ended.
 * The cell that wins for the side to move goes to *move. */
static void search_node(ProofSearch *search, const ClaimPosition *position, int ply, uint32_t phi_end,
                        uint32_t delta_end, Known *known, int *move) {
    const uint64_t before = search->nodes, moves = claim_moves(&search->question, position);
    ProofChild *child = search->child + search->used;
    if (ply + 1 >= PLIES)
        search->ended = search->beyond = true;
    if (ended(search))
        return;
    if (solved_by_claim(search, position, moves, ply == 0, known, move)) {
        remember(search, position, known, 1);
        return;
    }
    const int count = expand(search, position, moves, child);
    search->used += count;
    known->winner = NOBODY;
    Summary sum = sum_up(search, position, child, count);
    while (!decide(search, position, &sum, child, count, known) && sum.phi < phi_end && sum.delta < delta_end) {
        ClaimPosition next;
        uint32_t child_phi_end, child_delta_end;
        int ignored;
        make_next(search, position, sum.best->cell, &next);
        child_bounds(&sum, phi_end, delta_end, &child_phi_end, &child_delta_end);
        search_node(search, &next, ply + 1, child_phi_end, child_delta_end, &sum.best->known, &ignored);
        if (search->ended)
            return;
        sum = sum_up(search, position, child, count);
    }
    search->used -= count;
    known->phi = sum.phi;
    known->delta = sum.delta;
    *move = sum.winning ? sum.winning->cell : NO_CELL;
    remember(search, position, known, search->nodes - before);
}

/* ---- Questions ---- */

static Action action_on(const GameState *state, int cell) {
    const StigmergyState *stigmergy = (const StigmergyState *)state;
    const uint64_t enemy = stigmergy->plane[PLANE_STONES + 1 - stigmergy->side];
    if (cell == NO_CELL)
        return stigmergy->button == BUTTON_ON_TABLE ? stigmergy_take_button(1) : stigmergy_pass(1);
    return (Action)(enemy >> cell & 1 ? 64 + cell : cell);
}

/* Claims of another question are kept where their side got enough for this one. */
static void set_question(ProofSearch *search, const ClaimQuestion *question) {
    const int before = search->question.cells;
    const Side too_little = question->cells > before ? BLACK : WHITE;
    search->question = *question;
    if (question->cells == before)
        return;
    for (int phase = 0; phase < PHASES; phase++)
        for (int side = 0; side < 2; side++)
            claim_list_clear(&search->claims[phase][too_little][side]);
}

ProofResult proof_search_ask(ProofSearch *search, const GameState *state, int threshold, const ProofLimits *limits) {
    ClaimPosition position;
    Known known = {.winner = NOBODY};
    int move = NO_CELL;
    const ClaimQuestion question = claim_open(search->game, state, threshold, &position);
    if (!claim_is_open(&question, &position))
        return (ProofResult){.answer = PROOF_BEYOND};
    set_question(search, &question);
    search->limits = *limits;
    search->nodes = 0;
    search->steps = 0;
    search->ended = search->beyond = false;
    search->used = 0;
    search_node(search, &position, 0, NUMBER_MAX, NUMBER_MAX, &known, &move);
    if (search->ended || known.winner == NOBODY) /* nobody: the numbers have reached their end */
        return (ProofResult){.answer = search->ended && !search->beyond ? PROOF_LIMITED : PROOF_BEYOND,
                             .nodes = search->nodes};
    return (ProofResult){.answer = known.winner == BLACK ? PROOF_YES : PROOF_NO,
                         .has_best = known.winner == (int)position.side,
                         .best = action_on(state, move),
                         .claim = known.claim,
                         .nodes = search->nodes};
}

const ClaimList *proof_search_claims(const ProofSearch *search, ClaimPhase phase, Side winner, Side to_move) {
    return &search->claims[phase][winner][to_move];
}
