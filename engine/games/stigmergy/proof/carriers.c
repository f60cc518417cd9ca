/* See carriers_internal.h. A question's goal is the number of cells that Black needs, with the button in play the
 * larger one of the two. */
#include "engine/games/stigmergy/proof/carriers_internal.h"

#include "engine/base/bits.h"
#include "engine/games/stigmergy/proof/safe_stones_internal.h"

/* The sets of a position: the planes, with the stones first, then the reach of either side (safe_stones_internal.h). */
enum { SET_REACH = PLANES };

_Static_assert(PLANE_STONES == 0 && SET_REACH + 2 <= PROOF_SETS, "the planes and reaches are the sets of a position");
_Static_assert((int)PHASES <= (int)PROOF_PHASES, "the search keeps a list of carriers for each phase");

static uint64_t bit(int cell) {
    return 1ull << cell;
}

/* ---- Questions ---- */

static bool knows(const Game *game, const GameState *state) {
    (void)game;
    return ((const StigmergyState *)state)->passes == 0;
}

/* The least number of cells with which Black's margin is at least `half_points`. */
static int cells_for(const Game *game, int half_points) {
    const int twice = half_points + 2 * game->board.cells; /* two half points a cell, and each counts on both sides */
    return twice > 0 ? (twice + 3) / 4 : 0;
}

/* How many cells make a side win in a phase, whoever takes the button. */
static int need(const ProofQuestion *question, int phase, Side side) {
    if (side == BLACK)
        return question->goal - (phase == PHASE_EASED);
    return question->game->board.cells + 1 - question->goal + (phase != PHASE_CELLS);
}

static void find_reach(const ProofQuestion *question, ProofPosition *position, Side side) {
    safe_reach(stigmergy_tables(question->game), position->set, side, 1, &position->set[SET_REACH + side]);
}

/* A question's goal, and the phase of the position. With the button on the table the value is between the one with
 * White holding it and the one with Black holding it, which is two half points more. If both are on one side of the
 * threshold, the question is about cells alone. In a game of one threshold the goal stays the same, whoever takes the
 * button, so that earlier proofs can still be used. */
static int find_goal(const Game *game, int button, int threshold_half_points, int *phase) {
    const int with = cells_for(game, threshold_half_points - 1), without = cells_for(game, threshold_half_points + 1);
    switch (button) {
    case BUTTON_WHITE: *phase = PHASE_CELLS; return without;
    case BUTTON_BLACK: *phase = PHASE_EASED; return with + 1; /* he needs one fewer: see need */
    case BUTTON_ON_TABLE: *phase = with < without ? PHASE_BUTTON : PHASE_CELLS; return without;
    default: *phase = PHASE_CELLS; return cells_for(game, threshold_half_points); /* there is none */
    }
}

static bool open(const Game *game, const GameState *state, int threshold_half_points, ProofQuestion *question,
                 ProofPosition *position) {
    const StigmergyState *stigmergy = (const StigmergyState *)state;
    int phase;
    const int goal = find_goal(game, stigmergy->button, threshold_half_points, &phase);
    *question = (ProofQuestion){.game = game, .full = stigmergy_tables(game)->full[0], .goal = goal};
    *position = (ProofPosition){.side = stigmergy->side, .phase = phase};
    for (int side = BLACK; side <= WHITE; side++) /* both sides need a cell, whoever takes the button */
        if (need(question, position->phase, side) - (position->phase == PHASE_BUTTON) < 1)
            return false;
    memcpy(position->set, stigmergy->plane, PLANES * sizeof *position->set);
    find_reach(question, position, BLACK);
    find_reach(question, position, WHITE);
    return true;
}

/* A margin of cells is odd, which is 2 modulo 4 in half points, and the holder of the button has half a point more. The
 * thresholds between these are about the button and harder. A button on the table is taken as White's here: with it the
 * value is at least that. */
static bool asked_first(const Game *game, const GameState *state, int threshold_half_points) {
    (void)game;
    const int button = ((const StigmergyState *)state)->button;
    const int held = button == BUTTON_NONE ? 0 : button == BUTTON_BLACK ? 1 : -1;
    return ((threshold_half_points - held) & 3) == 2;
}

static Action action(const Game *game, const GameState *state, int cell) {
    (void)game;
    const StigmergyState *stigmergy = (const StigmergyState *)state;
    const uint64_t enemy = stigmergy->plane[PLANE_STONES + 1 - stigmergy->side];
    if (cell == PROOF_NO_CELL)
        return stigmergy->button == BUTTON_ON_TABLE ? stigmergy_take_button(1) : stigmergy_pass(1);
    return (Action)(enemy >> cell & 1 ? 64 + cell : cell);
}

/* ---- Positions ---- */

static uint64_t moves(const ProofQuestion *question, const ProofPosition *position) {
    uint64_t cells;
    safe_moves(stigmergy_tables(question->game), position->set, position->side, 1, &cells);
    return cells;
}

static int phase_after_pass(const ProofPosition *position) {
    return position->phase != PHASE_BUTTON ? position->phase : position->side == BLACK ? PHASE_EASED : PHASE_CELLS;
}

/* Taking the button that is on the table; else a pass, which is never better than a placement or a flip (7). */
static int other_turn(const ProofPosition *position, uint64_t cells) {
    return position->phase == PHASE_BUTTON || !cells ? phase_after_pass(position) : PROOF_NO_TURN;
}

static void play(const ProofQuestion *question, const ProofPosition *position, int cell, ProofPosition *next) {
    *next = *position;
    next->side = side_opponent(position->side);
    if (cell == PROOF_NO_CELL) {
        next->phase = phase_after_pass(position);
        return;
    }
    stigmergy_core_change(stigmergy_tables(question->game), next->set, cell, position->side, 1);
    find_reach(question, next, next->side);
}

/* ---- Carriers ---- */

/* Gives away safe cells of the winner, one after the other, as long as enough others stay safe without them. */
static uint64_t smaller_carrier(const ProofQuestion *question, const ProofPosition *position, Side winner,
                                uint64_t carrier) {
    const StigmergyTables *tables = stigmergy_tables(question->game);
    const Side loser = side_opponent(winner);
    const uint64_t full = question->full;
    const int least = need(question, position->phase, winner);
    uint64_t board[PLANES];
    memcpy(board, position->set, sizeof board);
    for (uint64_t rest = carrier; rest && bits_count(carrier) > least; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        if (!(carrier & bit(cell)))
            continue;
        uint64_t trial[PLANES], reach;
        for (uint64_t lost = full & ~carrier & ~board[PLANE_STONES + loser]; lost; lost &= lost - 1)
            stigmergy_core_change(tables, board, __builtin_ctzll(lost), loser, 1);
        memcpy(trial, board, sizeof trial);
        stigmergy_core_change(tables, trial, cell, loser, 1);
        safe_reach(tables, trial, loser, 1, &reach);
        if (bits_count(full & ~reach) >= least)
            carrier = full & ~reach;
    }
    return carrier;
}

/* The safe cells that a side lacks make it hard to prove that it wins. */
static void look(const ProofQuestion *question, const ProofPosition *position, ProofStatus *status) {
    int lacks[2];
    for (int side = BLACK; side <= WHITE; side++) {
        const uint64_t safe = question->full & ~position->set[SET_REACH + 1 - side];
        lacks[side] = need(question, position->phase, side) - bits_count(safe);
        if (lacks[side] > 0)
            continue;
        status->winner = side;
        status->carrier = smaller_carrier(question, position, side, safe);
        return;
    }
    status->winner = NOBODY;
    status->phi = (uint32_t)(1 + lacks[position->side]);
    status->delta = (uint32_t)(1 + lacks[side_opponent(position->side)]);
}

/* Lines from a cell as grounds, those that add the fewest cells to a carrier: with `seen`, enough lines on which `side`
 * is seen, so that it controls the cell; else enough on which its enemy is not seen, so that the enemy cannot control
 * the cell. The caller knows that there are enough. */
static uint64_t grounds(const ProofQuestion *question, const ProofPosition *position, int cell, Side side, bool seen,
                        uint64_t carrier) {
    const StigmergyTables *tables = stigmergy_tables(question->game);
    const uint64_t own = position->set[PLANE_STONES + side], enemy = position->set[PLANE_STONES + 1 - side];
    const uint64_t occupied = own | enemy;
    const int degree = question->game->board.degree[cell], control = degree / 2 + 1;
    uint64_t line[HEXHEX_DIRECTIONS], chosen = 0;
    int lines = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        core_segment(core_ray(tables, cell, d, 1), &occupied, d % 2 == 0, 1, &line[lines]);
        if (line[lines] && !(line[lines] & enemy) && (!seen || line[lines] & own))
            lines++;
    }
    for (int wanted = seen ? control : degree - control + 1; wanted > 0 && lines > 0; wanted--) {
        int best = 0;
        for (int i = 1; i < lines; i++)
            if (bits_count(line[i] & ~carrier) < bits_count(line[best] & ~carrier))
                best = i;
        chosen |= line[best];
        line[best] = line[--lines];
    }
    return chosen;
}

static bool controls(const ProofPosition *position, Side side, int cell) {
    return position->set[PLANE_CONTROL + 3 * side] >> cell & 1;
}

/* Theorem 9. */
static uint64_t before_move(const ProofQuestion *question, const ProofPosition *position, int cell, uint64_t after) {
    const Side side = position->side;
    const uint64_t carrier = after & ~bit(cell);
    const bool flip = position->set[PLANE_STONES + 1 - side] >> cell & 1;
    const uint64_t flipped =
        carrier | (controls(position, side, cell) ? grounds(question, position, cell, side, true, carrier) : 0);
    if (flip)
        return flipped;
    const uint64_t placed = carrier | bit(cell) | grounds(question, position, cell, side, false, carrier | bit(cell));
    return controls(position, side, cell) && bits_count(flipped) <= bits_count(placed) ? flipped : placed;
}

/* Theorem 10. */
static uint64_t before_defeats(const ProofQuestion *question, const ProofPosition *position, uint64_t after,
                               uint64_t left) {
    const Side winner = side_opponent(position->side);
    uint64_t carrier = after | left;
    for (uint64_t rest = left; rest; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        const bool empty = !(position->set[PLANE_STONES + winner] & bit(cell));
        carrier |= grounds(question, position, cell, winner, empty, carrier);
    }
    return carrier;
}

/* With more stones than this, finding the canonical form costs more than it saves. */
enum { CANONICAL_STONES = 6 };

const SolverCarriers stigmergy_carriers = {.canonical_stones = CANONICAL_STONES,
                                           .knows = knows,
                                           .open = open,
                                           .moves = moves,
                                           .other_turn = other_turn,
                                           .play = play,
                                           .look = look,
                                           .before_move = before_move,
                                           .before_defeats = before_defeats,
                                           .action = action,
                                           .asked_first = asked_first};
