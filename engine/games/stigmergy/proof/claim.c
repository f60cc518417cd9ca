/* See claim.h. */
#include "engine/games/stigmergy/proof/claim.h"

static uint64_t bit(int cell) {
    return 1ull << cell;
}

static int count_cells(uint64_t set) {
    return __builtin_popcountll(set);
}

/* ---- Questions ---- */

/* The cells with which Black's margin is at least so many half points. */
static int cells_for(const Game *game, int half_points) {
    const int twice = half_points + 2 * game->board.cells; /* two half points a cell, and each counts on both sides */
    return twice > 0 ? (twice + 3) / 4 : 0;
}

static void find_reach(const ClaimQuestion *question, ClaimPosition *position, Side side) {
    safe_reach(question->tables, position->plane, side, 1, &position->reach[side]);
}

/* With the button on the table the value lies between that with White holding it and that with Black holding it, two
 * half points more: where both are on one side of the threshold, cells answer. In a game of one threshold `cells` stays
 * the same, whoever takes the button, so that what was found before is of use afterwards. */
ClaimQuestion claim_open(const Game *game, const GameState *state, int threshold, ClaimPosition *position) {
    const StigmergyState *stigmergy = (const StigmergyState *)state;
    const Button button = (Button)stigmergy->button;
    const int without = cells_for(game, threshold + (button != BUTTON_NONE)), with = cells_for(game, threshold - 1);
    const bool open = button == BUTTON_ON_TABLE && with < without;
    const int cells = button == BUTTON_BLACK ? with + 1 : without, both = game->board.cells + 1;
    const ClaimQuestion question = {
        .board = &game->board,
        .tables = stigmergy_tables(game),
        .cells = cells,
        .need = {{cells, both - cells}, {cells, both - (cells - 1)}, {cells - 1, both - (cells - 1)}}};
    *position = (ClaimPosition){.side = stigmergy->side,
                                .phase = button == BUTTON_BLACK ? PHASE_EASED
                                         : open                 ? PHASE_BUTTON
                                                                : PHASE_CELLS};
    memcpy(position->plane, stigmergy->plane, sizeof position->plane);
    find_reach(&question, position, BLACK);
    find_reach(&question, position, WHITE);
    return question;
}

bool claim_is_open(const ClaimQuestion *question, const ClaimPosition *position) {
    const int cells = question->board->cells;
    const int least = position->phase == PHASE_CELLS ? 1 : 2, most = position->phase == PHASE_EASED ? cells + 1 : cells;
    return question->cells >= least && question->cells <= most;
}

/* ---- Positions ---- */

uint64_t claim_moves(const ClaimQuestion *question, const ClaimPosition *position) {
    uint64_t moves;
    safe_moves(question->tables, position->plane, position->side, 1, &moves);
    return moves;
}

void claim_play(const ClaimQuestion *question, const ClaimPosition *position, int cell, ClaimPosition *next) {
    *next = *position;
    next->side = side_opponent(position->side);
    stigmergy_core_change(question->tables, next->plane, cell, position->side, 1);
    find_reach(question, next, next->side);
}

void claim_pass(const ClaimPosition *position, ClaimPosition *next) {
    *next = *position;
    next->side = side_opponent(position->side);
    next->phase = claim_phase_after_pass(position);
}

/* ---- Claims ---- */

/* Gives away safe cells of the winner, one after the other, as long as enough others stay safe without them. */
static uint64_t smaller_claim(const ClaimQuestion *question, const ClaimPosition *position, Side winner,
                              uint64_t claim) {
    const Side loser = side_opponent(winner);
    const uint64_t full = question->tables->full[0];
    const int need = claim_need(question, position, winner);
    uint64_t board[PLANES];
    memcpy(board, position->plane, sizeof board);
    for (uint64_t rest = claim; rest && count_cells(claim) > need; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        if (!(claim & bit(cell)))
            continue;
        uint64_t trial[PLANES], reach;
        for (uint64_t lost = full & ~claim & ~board[PLANE_STONES + loser]; lost; lost &= lost - 1)
            stigmergy_core_change(question->tables, board, __builtin_ctzll(lost), loser, 1);
        memcpy(trial, board, sizeof trial);
        stigmergy_core_change(question->tables, trial, cell, loser, 1);
        safe_reach(question->tables, trial, loser, 1, &reach);
        if (count_cells(full & ~reach) >= need)
            claim = full & ~reach;
    }
    return claim;
}

int claim_static(const ClaimQuestion *question, const ClaimPosition *position, uint64_t *claim) {
    for (int side = 0; side < 2; side++) {
        const uint64_t safe = question->tables->full[0] & ~position->reach[1 - side];
        if (count_cells(safe) < claim_need(question, position, (Side)side))
            continue;
        *claim = smaller_claim(question, position, (Side)side, safe);
        return side;
    }
    return NOBODY;
}

/* Lines from a cell: on which `side` is seen (`seen`), so many that it controls the cell; or on which its enemy is not,
 * so many that the enemy cannot. Those that add the fewest cells to a claim; the caller knows that there are enough. */
static uint64_t grounds(const ClaimQuestion *question, const ClaimPosition *position, int cell, Side side, bool seen,
                        uint64_t claim) {
    const uint64_t *own = &position->plane[PLANE_STONES + side], enemy = position->plane[PLANE_STONES + 1 - side];
    const uint64_t occupied = *own | enemy;
    const int degree = question->board->degree[cell], control = degree / 2 + 1;
    uint64_t line[HEXHEX_DIRECTIONS], chosen = 0;
    int lines = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        core_segment(core_ray(question->tables, cell, d, 1), &occupied, d % 2 == 0, 1, &line[lines]);
        if (line[lines] && !(line[lines] & enemy) && (!seen || line[lines] & *own))
            lines++;
    }
    for (int wanted = seen ? control : degree - control + 1; wanted > 0 && lines > 0; wanted--) {
        int best = 0;
        for (int i = 1; i < lines; i++)
            if (count_cells(line[i] & ~claim) < count_cells(line[best] & ~claim))
                best = i;
        chosen |= line[best];
        line[best] = line[--lines];
    }
    return chosen;
}

static bool controls(const ClaimPosition *position, Side side, int cell) {
    return position->plane[PLANE_CONTROL + 3 * side] >> cell & 1;
}

uint64_t claim_before_move(const ClaimQuestion *question, const ClaimPosition *position, int cell, uint64_t after) {
    const Side side = position->side;
    const uint64_t claim = after & ~bit(cell);
    const bool flip = position->plane[PLANE_STONES + 1 - side] >> cell & 1;
    const uint64_t flipped =
        claim | (controls(position, side, cell) ? grounds(question, position, cell, side, true, claim) : 0);
    if (flip)
        return flipped;
    const uint64_t placed = claim | bit(cell) | grounds(question, position, cell, side, false, claim | bit(cell));
    return controls(position, side, cell) && count_cells(flipped) <= count_cells(placed) ? flipped : placed;
}

uint64_t claim_before_defeats(const ClaimQuestion *question, const ClaimPosition *position, uint64_t after,
                              uint64_t left) {
    const Side winner = side_opponent(position->side);
    uint64_t claim = after | left;
    for (uint64_t rest = left; rest; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        const bool empty = !(position->plane[PLANE_STONES + winner] & bit(cell));
        claim |= grounds(question, position, cell, winner, empty, claim);
    }
    return claim;
}
