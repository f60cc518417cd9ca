/* Cells that a side owns for ever, whatever the opponent does, and the theorems about Stigmergy that the solver rests
 * on. Unconditional safety of this kind is known from Go (Benson, "Life in the game of Go", 1976).
 *
 * Order the contents of a cell W < empty < B. A board is at least as high as another one if each of its cells is.
 *
 *  1. More is more. On a higher board no cell sees fewer black stones or more white ones, as a line that loses a white
 *     stone or gains a black one sees the same or better. So White controls fewer cells there, Black controls more, and
 *     Black's score is no lower.
 *  2. Every placement or flip of Black makes the board higher, every one of White's makes it lower. If Black has a move
 *     on a board, he has it on every higher board, unless the cell is his there already.
 *  3. So a side's moves never take each other away. Let White alone go on as long as he has a placement or a flip: all
 *     orders of moves end on the same board, White's *closure*.
 *  4. Every board that play can reach from here is at least as high as White's closure, whatever Black does. This
 *     follows by induction. A move of Black makes the board higher. A move of White on c was legal, so by 2 it is legal
 *     on the closure, unless c is White's there already. But on the closure White has no move left, so c is White's
 *     there.
 *  5. So the cells that are not White's on White's closure can never be White's: they are *safe* for Black. From now on
 *     until the end of the game each of them has a black stone or is empty and controlled by Black. (Black controls the
 *     empty cells of the closure, or else White could place there.) The other cells are not safe, as White takes them
 *     if he is left alone.
 *
 * This is the strongest possible answer to the question "what if the opponent got any number of moves in a row?". It
 * includes stones that hold each other: all stones of a set are safe if each of them has enough neighbours in the set
 * that the opponent's stones which it sees never outnumber half of its adjacent cells.
 *
 * Having the move does no harm (there is no zugzwang):
 *
 *  6. Take two boards with the same side to move and no pass just made. The higher one is no worse for Black. He plays
 *     on the higher one and keeps a copy of the lower one in his mind, on which he follows the best strategy. What it
 *     places or flips, he places or flips too: by 2 that is legal unless the cell is his already. In that case he makes
 *     any other placement or flip. If he has none he passes; or takes the button if it is on the table, and does so
 *     likewise in what follows, as it is better for him to have it than that it is on the table, and that is better
 *     than that White has it. White's moves are carried over to the copy in the same way. So the two boards stay in
 *     order. If Black has no placement or flip left to pass the time with, White's moves never give him one again (2),
 *     so the game may stop: all moves that the strategy still finds on the copy are on cells that are Black's already.
 *     The same holds for White and the copy.
 *  7. So a position with Black to move is no worse for him than the same with White to move, and a pass is never better
 *     than a placement or a flip, where there is one.
 *
 * Tested against exhaustive search: all positions of hexhex-2, random ones of hexhex-3 and -4
 * (tests/engine/games/stigmergy/proof/test_safe_stones.c, tests/engine/solver/test_solver.c). */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_STONES_INTERNAL_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_STONES_INTERNAL_H

#include "engine/games/stigmergy/proof/safe_rows.h"

/* The cells on which `side` may place or flip. */
CORE_INLINE void safe_moves(const StigmergyTables *tables, const uint64_t *plane, Side side, int words,
                            uint64_t *moves) {
    const Side opponent = side_opponent(side);
    const uint64_t *own = plane + plane_stones(side, words), *own_control = plane + plane_control(side, words);
    const uint64_t *enemy = plane + plane_stones(opponent, words);
    const uint64_t *enemy_control = plane + plane_control(opponent, words);
    for (int i = 0; i < words; i++)
        moves[i] = tables->full[i] & ~own[i] & ((~enemy[i] & ~enemy_control[i]) | (enemy[i] & own_control[i]));
}

/* The *reach* of `side`, from the planes of a position: its stones on its closure. All other cells are safe for the
 * opponent. Moves are looked for again only when all that were found have been made, as none of them can get lost. */
CORE_INLINE void safe_reach(const StigmergyTables *tables, const uint64_t *plane, Side side, int words,
                            uint64_t *reach) {
    uint64_t closure[PLANES * HEXHEX_WORDS], moves[HEXHEX_WORDS];
    if (words == 1 && tables->rows.full) {
        *reach =
            safe_rows_reach(&tables->rows, plane[plane_stones(side, 1)], plane[plane_stones(side_opponent(side), 1)]);
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
    memcpy(reach, closure + plane_stones(side, words), (size_t)words * sizeof *reach);
}

#endif
