/* The rules of Bug a second time, slow and obvious: the reference for the tests of the engine.
 *
 * It follows engine/docs/rules.md alone and shares nothing with the engine. The stones are in a square array of
 * characters, as in reference.h, and cells have the same names. Each question about bugs finds all bugs again by
 * flooding. Shapes are compared cell by cell under all twelve maps. A turn is taken one stone at a time: GROW, then the
 * BONUS stones. */
#ifndef STIGMERGY_TESTS_SUPPORT_BUG_REFERENCE_H
#define STIGMERGY_TESTS_SUPPORT_BUG_REFERENCE_H

#include "tests/support/reference.h"

enum { BUG_REFERENCE_CELLS = 127 }; /* cells of hexhex-7 */

typedef struct BugReference {
    int size;
    char stone[REFERENCE_SPAN][REFERENCE_SPAN]; /* [q + 9][r + 9]: 'B', 'W' or '.' */
    char side;                                  /* to move: 'B' or 'W' */
    bool bonus;                                 /* the next stone is a BONUS stone of the current turn */
} BugReference;

/* A maximal connected set of stones of one colour. */
typedef struct ReferenceBug {
    char colour;
    int size;
    int q[BUG_REFERENCE_CELLS], r[BUG_REFERENCE_CELLS];
} ReferenceBug;

/* The empty board, Black to move. */
void bug_reference_start(BugReference *position, int size);

/* Writes all bugs and returns their number. */
int bug_reference_bugs(const BugReference *position, ReferenceBug bugs[BUG_REFERENCE_CELLS]);

/* The names of the cells where the side to move may put its next stone, from the top row down and from left to right.
 * Returns their number. */
int bug_reference_legal(const BugReference *position, ReferenceTurn cells[BUG_REFERENCE_CELLS]);

/* Puts the next stone on a cell, which has a name as in bug_reference_legal. False if that is illegal. */
bool bug_reference_apply(BugReference *position, const char *cell);

/* Whether the game is over: no GROW cell at the start of a turn. Then the side to move has won. */
bool bug_reference_over(const BugReference *position);

#endif
