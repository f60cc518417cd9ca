/* See solver_proof.h. */
#include "solver_proof.h"

#include "solver_claim.h"
#include "solver_image.h"
#include "wall_time.h"

enum {
    PLIES = 160,           /* no way down is longer; one that was would end the search */
    CHILDREN = PLIES * 64, /* on the way down */
    BUCKET = 2,
    IMAGE_STONES = 6, /* with more stones on the board, looking for the smallest image costs more than it saves */
    SHARE = 6,        /* the children's numbers but the largest count for a SHARE-th */
    OVERTAKE = 4,     /* the second best child may be overtaken by an OVERTAKE-th of its number */
    NUMBER_MAX = 1 << 30,
    CHECK_EVERY = 32 /* expansions between two checks of the limits */
};

/* What the table knows of a position: who wins and by which claim, or its numbers. */
typedef struct ProofEntry {
    uint64_t stones[2];
    uint64_t claim; /* or the numbers: phi << 32 | delta */
    uint8_t kind;   /* see below */
    uint8_t side, need, effort;
    uint8_t unused[4];
} ProofEntry;

enum { KIND_NONE, KIND_OPEN, KIND_BLACK, KIND_WHITE /* wins */ };

/* What is known of a position. phi: how hard it is to prove that the side to move wins; delta: that the other one
 * does. */
typedef struct Known {
    int winner; /* or NOBODY */
    uint64_t claim;
    uint32_t phi, delta;
} Known;

typedef struct ProofChild {
    int cell; /* NO_CELL: a pass */
    Known known;
} ProofChild;

enum { NO_CELL = -1 };

struct ProofSearch {
    const Game *game;
    ClaimQuestion question;
    ProofLimits limits;
    uint64_t nodes;
    int steps; /* since the last check of the limits */
    bool ended, beyond;
    int used;
    uint64_t buckets;
    ProofEntry *entry;             /* buckets of BUCKET, behind this struct */
    ClaimList claims[PLIES][2][2]; /* by ply, winner and side to move */
    ProofChild child[CHILDREN];
};

bool proof_search_knows(const Game *game, const GameState *state) {
    if (game->rules->solver != &stigmergy_solver_model || game->board.words > 1 || game->rules->over(state))
        return false;
    return ((const StigmergyState *)state)->passes == 0;
}

size_t proof_search_least(void) {
    return sizeof(ProofSearch) + 4096 * sizeof(ProofEntry);
}

ProofSearch *proof_search_new(const Game *game, void *memory, size_t bytes) {
    ProofSearch *search = memory;
    search->game = game;
    const uintptr_t line = BUCKET * sizeof(ProofEntry), begin = ((uintptr_t)(search + 1) + line - 1) / line * line;
    search->entry = (ProofEntry *)begin;
    search->buckets = ((uintptr_t)memory + bytes - begin) / line;
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

/* ---- The table ---- */

/* A position in the table: the smallest image near the empty board, where all twelve come up. */
typedef struct Place {
    uint64_t stones[2];
    int map;
    Side side;
    ProofEntry *bucket;
} Place;

static Place place_of(const ProofSearch *search, const uint64_t stones[2], Side side) {
    Place place = {.stones = {stones[0], stones[1]}, .side = side};
    uint64_t key[2];
    if (__builtin_popcountll(stones[0] | stones[1]) <= IMAGE_STONES)
        place.map = solver_smallest_image(&search->game->board, place.stones, 2);
    solver_make_key(place.stones, 2, (uint64_t)side, key);
    place.bucket = search->entry + BUCKET * (uint64_t)((unsigned __int128)key[1] * search->buckets >> 64);
    return place;
}

static bool stands_at(const ProofEntry *entry, const Place *place) {
    return entry->kind != KIND_NONE && entry->stones[0] == place->stones[0] && entry->stones[1] == place->stones[1] &&
           entry->side == place->side;
}

/* An entry of another question is worth something if its winner got enough for this one. */
static bool answers(const ProofEntry *entry, int need) {
    return entry->kind == KIND_BLACK   ? entry->need >= need
           : entry->kind == KIND_WHITE ? entry->need <= need
                                       : entry->need == need;
}

static bool recall(const ProofSearch *search, const Place *place, Known *known) {
    for (int i = 0; i < BUCKET; i++) {
        const ProofEntry *entry = &place->bucket[i];
        if (!stands_at(entry, place) || !answers(entry, search->question.need[BLACK]))
            continue;
        *known = (Known){.winner = NOBODY, .phi = (uint32_t)(entry->claim >> 32), .delta = (uint32_t)entry->claim};
        if (entry->kind != KIND_OPEN) {
            known->winner = entry->kind == KIND_BLACK ? BLACK : WHITE;
            known->claim = solver_map_word(&search->game->board, solver_inverse_map(place->map), entry->claim);
        }
        return true;
    }
    return false;
}

/* Keeps what is known in place of the same position, or else of the one of least effort, the number of binary digits of
 * the nodes that it cost. */
static void keep(ProofSearch *search, const uint64_t stones[2], Side side, const Known *known, uint64_t nodes) {
    const Place place = place_of(search, stones, side);
    ProofEntry *at = place.bucket;
    for (int i = 0; i < BUCKET; i++) {
        ProofEntry *entry = &place.bucket[i];
        if (stands_at(entry, &place)) {
            at = entry;
            break;
        }
        if (entry->kind == KIND_NONE || (at->kind != KIND_NONE && entry->effort < at->effort))
            at = entry;
    }
    const bool open = known->winner == NOBODY;
    const int effort = 64 - __builtin_clzll(nodes | 1) + (open ? 0 : 2);
    *at = (ProofEntry){.stones = {place.stones[0], place.stones[1]},
                       .claim = open ? (uint64_t)known->phi << 32 | known->delta
                                     : solver_map_word(&search->game->board, place.map, known->claim),
                       .kind = open                     ? KIND_OPEN
                               : known->winner == BLACK ? KIND_BLACK
                                                        : KIND_WHITE,
                       .side = (uint8_t)side,
                       .need = (uint8_t)search->question.need[BLACK],
                       .effort = (uint8_t)effort};
}

/* ---- A position ---- */

/* The claims of either winner that are worth trying on the children of a node: picked when the first child is looked
 * at. */
typedef struct Hints {
    bool picked;
    ClaimList claims[2];
} Hints;

static void pick_hints(const ProofSearch *search, const ClaimPosition *position, int ply, Hints *hints) {
    const Side next = side_opponent(position->side);
    for (int winner = 0; winner < 2 && !hints->picked; winner++)
        claim_list_near(&search->claims[ply + 1][winner][next], position->plane[winner], position->plane[1 - winner],
                        &hints->claims[winner]);
    hints->picked = true;
}

static bool recall_claim(const Hints *hints, const uint64_t stones[2], Known *known) {
    for (int winner = 0; winner < 2; winner++) {
        known->claim = claim_list_find(&hints->claims[winner], stones[winner], stones[1 - winner]);
        known->winner = winner;
        if (known->claim)
            return true;
    }
    return false;
}

/* What can be said of a new position without search. */
static void look(ProofSearch *search, const ClaimPosition *position, const Hints *hints, Known *known) {
    const ClaimQuestion *question = &search->question;
    const uint64_t full = question->tables->full[0];
    search->nodes++;
    known->winner = claim_static(question, position, &known->claim);
    if (known->winner != NOBODY || recall_claim(hints, position->plane, known))
        return;
    const Side side = position->side, enemy = side_opponent(side);
    known->winner = NOBODY;
    known->phi = (uint32_t)(1 + question->need[side] - __builtin_popcountll(full & ~position->reach[enemy]));
    known->delta = (uint32_t)(1 + question->need[enemy] - __builtin_popcountll(full & ~position->reach[side]));
}

static void make_next(const ProofSearch *search, const ClaimPosition *position, int cell, ClaimPosition *next) {
    if (cell == NO_CELL)
        claim_pass(position, next);
    else
        claim_play(&search->question, position, cell, next);
}

/* Where a child stands in the table; asks the memory for it. */
static Place place_of_child(const ProofSearch *search, const ClaimPosition *position, int cell) {
    const Side side = position->side, enemy = side_opponent(side);
    uint64_t stones[2] = {position->plane[0], position->plane[1]};
    if (cell != NO_CELL) {
        stones[side] |= 1ull << cell;
        stones[enemy] &= ~stones[side];
    }
    const Place place = place_of(search, stones, enemy);
    __builtin_prefetch(place.bucket);
    return place;
}

/* A child's knowledge: from the table, by the stones alone, or by looking at it. */
static void look_at_child(ProofSearch *search, const ClaimPosition *position, int ply, const Place *place, Hints *hints,
                          ProofChild *child) {
    if (recall(search, place, &child->known))
        return;
    ClaimPosition next;
    pick_hints(search, position, ply, hints);
    make_next(search, position, child->cell, &next);
    look(search, &next, hints, &child->known);
}

/* Looks at what follows the moves, up to one that wins; a side without moves passes. Returns how many. */
static int expand(ProofSearch *search, const ClaimPosition *position, uint64_t moves, int ply, ProofChild *child) {
    Place place[64];
    Hints hints;
    int count = 0;
    if (!moves)
        child[count++].cell = NO_CELL;
    for (; moves; moves &= moves - 1)
        child[count++].cell = __builtin_ctzll(moves);
    for (int i = 0; i < count; i++)
        place[i] = place_of_child(search, position, child[i].cell);
    hints.picked = false;
    for (int i = 0; i < count; i++) {
        look_at_child(search, position, ply, &place[i], &hints, &child[i]);
        if (child[i].known.winner == (int)position->side)
            return i + 1;
    }
    return count;
}

/* ---- The search ---- */

/* A node's children summed up. */
typedef struct Summary {
    const ProofChild *winning; /* or NULL */
    uint64_t left;             /* cells on all claims of the enemy, not moved on yet */
    uint64_t claim;            /* their union */
    ProofChild *best;          /* open, on `left`, of the least delta; NULL: the enemy wins */
    uint32_t second;           /* the next least delta */
    uint32_t phi, delta, largest;
} Summary;

static void add_lost(const ProofChild *child, Summary *sum) {
    sum->claim |= child->known.claim;
    sum->left &= child->known.claim;
    if (child->cell != NO_CELL)
        sum->left &= ~(1ull << child->cell);
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
            add_lost(&child[i], &sum);
        }
    for (int i = 0; i < count; i++)
        if (child[i].known.winner == NOBODY && (child[i].cell == NO_CELL || sum.left >> child[i].cell & 1))
            add_open(&child[i], &sum, &total);
    const uint64_t delta = sum.largest + (total - sum.largest) / SHARE;
    sum.phi = sum.best ? sum.best->known.delta : 0;
    sum.delta = delta < NUMBER_MAX ? (uint32_t)delta : NUMBER_MAX;
    return sum;
}

/* What the summary decides about the node, if it does. */
static bool decide(const ProofSearch *search, const ClaimPosition *position, const Summary *sum, Known *known) {
    if (sum->winning) {
        known->winner = position->side;
        known->claim = sum->winning->known.claim;
        if (sum->winning->cell != NO_CELL)
            known->claim = claim_before_move(&search->question, position, sum->winning->cell, known->claim);
    } else if (!sum->best) {
        known->winner = side_opponent(position->side);
        known->claim = claim_before_defeats(&search->question, position, sum->claim, sum->left);
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

/* Searches until the position is solved or its numbers reach the bounds; without meaning where the search has ended.
 * The cell that wins for the side to move goes to *move. */
static void search_node(ProofSearch *search, const ClaimPosition *position, int ply, uint32_t phi_end,
                        uint32_t delta_end, Known *known, int *move) {
    const uint64_t before = search->nodes, moves = claim_moves(&search->question, position);
    ProofChild *child = search->child + search->used;
    if (ply + 1 >= PLIES || search->used + 64 > CHILDREN)
        search->ended = search->beyond = true;
    if (ended(search))
        return;
    const int count = expand(search, position, moves, ply, child);
    search->used += count;
    known->winner = NOBODY;
    Summary sum = sum_up(search, position, child, count);
    while (!decide(search, position, &sum, known) && sum.phi < phi_end && sum.delta < delta_end) {
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
    keep(search, position->plane, position->side, known, search->nodes - before);
    if (known->winner != NOBODY)
        claim_list_add(&search->claims[ply][known->winner][position->side], position->plane[known->winner],
                       known->claim);
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
static void set_question(ProofSearch *search, int margin) {
    const int need = search->question.need[BLACK];
    search->question = claim_question(search->game, margin);
    for (int ply = 0; ply < PLIES; ply++)
        for (int side = 0; side < 2; side++) {
            if (search->question.need[BLACK] > need)
                search->claims[ply][BLACK][side].count = 0;
            if (search->question.need[BLACK] < need)
                search->claims[ply][WHITE][side].count = 0;
        }
}

ProofResult proof_search_ask(ProofSearch *search, const GameState *state, int margin, const ProofLimits *limits) {
    ClaimPosition position;
    Known known = {.winner = NOBODY};
    int move = NO_CELL;
    set_question(search, margin);
    search->limits = *limits;
    search->nodes = 0;
    search->steps = 0;
    search->ended = search->beyond = false;
    search->used = 0;
    claim_open(&search->question, state, &position);
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
