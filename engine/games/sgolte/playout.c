/* See playout.h. An action is chosen by drawing cells until one is legal. The other cells need not be tested, and the
 * chances are the same as if all legal actions had been listed. */
#include "engine/games/sgolte/playout.h"

#include "engine/base/rng.h"
#include "engine/games/sgolte/legal.h"

typedef struct Playout {
    const SgolteTables *tables;
    SgolteBoard board;
    SgolteCaptures captures; /* of the current turn */
    Rng rng;
    PlayoutResult *result;
} Playout;

/* A random member of a set, which must not be empty. */
static int draw(Rng *rng, CellSet set) {
    const uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    const uint32_t in_low = (uint32_t)bits_count(low), n = rng_below(rng, (uint32_t)set_count(set));
    return n < in_low ? bits_select(low, n) : 64 + bits_select(high, n - in_low);
}

static void note(Playout *playout, Action action) {
    playout->result->played[playout->board.turn.side][action >> 6] |= 1ull << (action & 63);
    playout->result->length++;
}

static void note_cell(Playout *playout, int c) {
    note(playout, sgolte_action(playout->tables->words, (SgolteStage)playout->board.turn.stage, c));
}

/* False if there is no legal placement: then the side to move has lost. */
static bool place(Playout *playout) {
    const SgolteTables *tables = playout->tables;
    SgolteBoard *board = &playout->board;
    CellSet rest = sgolte_empty(tables, board);
    if (sgolte_may_swap(board->turn) && rng_below(&playout->rng, (uint32_t)set_count(rest) + 1) == 0) {
        note(playout, sgolte_swap(tables->words)); /* all empty cells are legal too */
        sgolte_swap_sides(board);
        return true;
    }
    while (rest) {
        const int c = draw(&playout->rng, rest);
        if (sgolte_may_place(tables, board, c)) {
            note_cell(playout, c);
            sgolte_place(tables, board, c);
            return true;
        }
        rest &= ~tables->bit[c];
    }
    return false;
}

static void capture(Playout *playout) {
    const SgolteTables *tables = playout->tables;
    SgolteBoard *board = &playout->board;
    CellSet rest = board->target;
    if (!rest) {
        rest = board->stones[side_opponent(board->turn.side)];
        sgolte_captures(tables, board, SGOLTE_NONE, &playout->captures);
    }
    for (;;) {
        const int c = draw(&playout->rng, rest);
        if (sgolte_may_capture(&playout->captures, board, c)) {
            note_cell(playout, c);
            sgolte_capture(tables, board, c);
            return;
        }
        rest &= ~tables->bit[c];
    }
}

static void replace(Playout *playout) {
    const SgolteTables *tables = playout->tables;
    SgolteBoard *board = &playout->board;
    for (CellSet rest = sgolte_empty(tables, board);;) {
        const int c = draw(&playout->rng, rest);
        if (sgolte_may_replace(tables, board, c)) {
            note_cell(playout, c);
            sgolte_replace(tables, board, c);
            return;
        }
        rest &= ~tables->bit[c];
    }
}

static void play(Playout *playout) {
    SgolteBoard *board = &playout->board;
    for (;;) {
        if (board->turn.stage == SGOLTE_CAPTURE)
            capture(playout);
        else if (board->turn.stage == SGOLTE_REPLACE)
            replace(playout);
        else if (!place(playout))
            return;
    }
}

static void begin(Playout *playout, const SgolteState *state) {
    sgolte_load(playout->tables, state, &playout->board);
    if (playout->board.target)
        sgolte_captures(playout->tables, &playout->board, SGOLTE_NONE, &playout->captures);
}

void sgolte_playouts(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results) {
    (void)policy;
    const SgolteTables *tables = sgolte_tables(game);
    const size_t played_bytes = (size_t)(3 * tables->words + 1) * sizeof(uint64_t);
    Playout playout = {.tables = tables};
    for (int i = 0; i < count; i++) {
        PlayoutResult *result = playout.result = &results[i];
        for (int side = 0; side < 2; side++)
            memset(result->played[side], 0, played_bytes);
        result->length = 0;
        playout.rng = rng_seed(seeds[i]);
        begin(&playout, (const SgolteState *)states[i]);
        play(&playout);
        result->half_points = playout.board.turn.side == WHITE ? 1 : -1;
        for (int word = 0; word < tables->words; word++)
            result->black_owns[word] = (uint64_t)(playout.board.stones[BLACK] >> (64 * word));
    }
}
