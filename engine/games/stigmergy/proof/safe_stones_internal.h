/* Cells that a side owns for ever, whatever the opponent does: unconditional safety, the like of Benson's algorithm in
 * Go ("Life in the game of Go", 1976), and the theorems about Stigmergy that the solver rests on.
 *
 * Order the contents of a cell W < empty < B, and boards cell by cell. Then
 *
 *  1. More is more. On a higher board no cell sees fewer black stones or more white ones, for a line that loses a white
 *     stone or gains a black one sees the same or better. So White controls fewer cells, Black more, and Black's score
 *     is no lower.
 *  2. Every placement or flip of Black raises the board, every one of White's lowers it. A move that Black has on a
 *     board he has on every higher one, unless the cell is his there already.
 *  3. So a side's moves never take each other away, and all orders in which White alone goes on, as long as he has a
 *     placement or a flip, end on one and the same board: White's *closure*.
 *  4. No board that play can reach from here lies below White's closure, whatever Black does. By induction: a move of
 *     Black raises the board. A move of White on c was legal, so by 2 it is legal on the closure, unless c is White's
 *     there already; but the closure has no move of White left, so c is White's there.
 *  5. So the cells that are not White's on White's closure can never be White's: they are *safe* for Black. Each holds
 * a black stone or is empty and controlled by Black, from now on and at the end of the game (empty cells of the closure
 * are controlled by Black, or White could place there). The others are not safe: White, left alone, takes them.
 *
 * That is the strongest answer possible to "if the opponent got any number of moves in a row". The set of stones each
 * of which has so many adjacent members of the set that the opponent never sees more than half from it is contained in
 * it.
 *
 * No harm in a move (there is no zugzwang):
 *
 *  6. Of two boards with the same side to move and no pass just made, the higher one is no worse for Black. Black plays
 *     the higher one and keeps a copy of the lower one in his mind, where he follows the best strategy; what it places
 *     or flips he does too, where it is legal by 2 unless the cell is his already. Then he makes any placement or flip
 *     instead, or else passes (with the button on the table: takes it, and likewise in what follows; having it is
 *     better than its lying on the table, that is better than White's having it). White's moves are carried over to the
 *     copy in the same way. The order of the two boards is kept. Where Black has no placement or flip left to pass the
 *     time with he never gets one again by White's moves (2), so the game may stop: what the strategy still finds on
 * the copy are moves on cells that are Black's already. The same holds for White and the copy.
 *  7. So the move is never a burden: a position with Black to move is no worse for him than with White to move, and
 *     passing is never better than a placement or a flip, where one exists.
 *
 * Tested against exhaustive search: all positions of hexhex-2, random ones of hexhex-3 and -4
 * (tests/engine/games/stigmergy/proof/test_safe_stones.c, tests/engine/solver/test_solver.c). */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_STONES_INTERNAL_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_STONES_INTERNAL_H

#include "engine/games/stigmergy/proof/safe_rows.h"

/* The cells that `side` owns for ever (stones, and empty cells that it controls and always will), as a set of
 * board.words words. The game must be Stigmergy. */
void safe_cells(const Game *game, const GameState *state, Side side, uint64_t out[HEXHEX_WORDS]);

/* The placements and flips of `side` together, each on its cell. */
CORE_INLINE void safe_moves(const StigmergyTables *tables, const uint64_t *plane, Side side, int words,
                            uint64_t *moves) {
    const uint64_t *own = plane + (PLANE_STONES + side) * words, *enemy = plane + (PLANE_STONES + 1 - side) * words;
    const uint64_t *own_control = plane + (PLANE_CONTROL + 3 * side) * words;
    const uint64_t *enemy_control = plane + (PLANE_CONTROL + 3 * (1 - side)) * words;
    for (int i = 0; i < words; i++)
        moves[i] = tables->full[i] & ~own[i] & ((~enemy[i] & ~enemy_control[i]) | (enemy[i] & own_control[i]));
}

/* The stones of `side` on its closure, from the planes of a position: its *reach*. The rest is the opponent's for ever.
 * Moves are looked for again only when all that were found have been made: none of them can get lost. */
CORE_INLINE void safe_reach(const StigmergyTables *tables, const uint64_t *plane, Side side, int words,
                            uint64_t *reach) {
    uint64_t closure[PLANES * HEXHEX_WORDS], moves[HEXHEX_WORDS];
    if (words == 1 && tables->rows.full) {
        *reach = safe_rows_reach(&tables->rows, plane[PLANE_STONES + side], plane[PLANE_STONES + 1 - side]);
        return;
    }
    memcpy(closure, plane, (size_t)(PLANES * words) * sizeof *closure);
    for (;;) {
        uint64_t any = 0;
        safe_moves(tables, closure, side, words, moves);
        for (int i = 0; i < words; i++)
            any |= moves[i];
        if (!any)
            break;
        for (int i = 0; i < words; i++)
            for (uint64_t rest = moves[i]; rest; rest &= rest - 1)
                stigmergy_core_change(tables, closure, 64 * i + __builtin_ctzll(rest), side, words);
    }
    memcpy(reach, closure + (PLANE_STONES + side) * words, (size_t)words * sizeof *reach);
}

#endif
