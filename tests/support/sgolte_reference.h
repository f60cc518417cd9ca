/* The rules of Sgolte once more, slow and obvious: the reference that the engine is tested against.
 *
 * It is written from engine/docs/rules.md alone and shares nothing with the engine: cells are numbered row by row,
 * groups are found by flooding an array of characters anew whenever they are asked for, and what can be completed is
 * found by trying. Turns are steps by the side to move: place, capture until the group splits, re-place; colours are
 * those of the stones, so White moves after a swap. */
#ifndef STIGMERGY_TESTS_SUPPORT_SGOLTE_REFERENCE_H
#define STIGMERGY_TESTS_SUPPORT_SGOLTE_REFERENCE_H

#include "tests/support/reference.h"

#include <stdbool.h>

enum {
    SGOLTE_REFERENCE_CELLS = 127,                       /* at hexhex-7 */
    SGOLTE_REFERENCE_TRIES = 20000,                     /* positions that are tried to find out what can be completed */
    SGOLTE_REFERENCE_STEPS = SGOLTE_REFERENCE_CELLS + 1 /* of one position: the cells of a stage, and the swap */
};

typedef struct SgolteReference {
    int size, cells;
    bool line;                          /* capture=line */
    bool pie;                           /* White may swap at the next turn of his own, after Black's first stone */
    bool swapped;                       /* the players have exchanged the colours */
    char stone[SGOLTE_REFERENCE_CELLS]; /* 'B', 'W' or '.' */
    char side;                          /* to move: 'B' or 'W' */
    char stage;                         /* 'p' place, 'c' capture, 'r' re-place */
    int captured;                       /* stones in this turn; those that are still to be re-placed at stage 'r' */
    int target;                         /* the lowest cell of what is left of the group that is captured from, or -1 */
    int last, direction;                /* capture=line: the stone captured last, and where it lay from the one before;
                                           -1 without */
} SgolteReference;

/* One step: 's' is the swap, else the stage and the cell. */
typedef struct SgolteStep {
    char kind;
    int cell;
} SgolteStep;

void sgolte_reference_start(SgolteReference *position, int size, bool line, bool pie);

/* The number of the cell that bears a name, -1 without, and the name of a cell. */
int sgolte_reference_cell(int size, const char *name);
void sgolte_reference_name(int size, int cell, char name[REFERENCE_TEXT]);

/* How many groups of a colour a cell touches. */
int sgolte_reference_touched(const SgolteReference *position, char colour, int cell);

/* Marks the group of the stone on a cell, and returns its size. */
int sgolte_reference_group(const SgolteReference *position, int cell, bool group[SGOLTE_REFERENCE_CELLS]);

/* Whether the rules allow a step, as far as this step alone is concerned, not the rest of the turn. */
bool sgolte_reference_allowed(const SgolteReference *position, SgolteStep next);

/* The steps that the rules allow and from which the turn can be completed, in ascending order of the cells, the swap
 * last; none where the game is over. `trusting` uses that captures whose stones find no room do not gain it by more
 * captures; without it every way is tried to its end, which takes long on larger boards. -1 where it would take too
 * long. */
int sgolte_reference_steps(const SgolteReference *position, bool trusting, SgolteStep steps[SGOLTE_REFERENCE_STEPS]);

/* Takes a step that sgolte_reference_steps lists. */
void sgolte_reference_apply(SgolteReference *position, SgolteStep step);

/* The set forms of engine/docs/rules.md. S: whether the marked stones of the group on cell `of` may be captured
 * (capture=free). P: whether the marked cells may be filled by the side to move, after placement and captures. */
bool sgolte_reference_splits(const SgolteReference *position, int of, const bool set[SGOLTE_REFERENCE_CELLS]);
bool sgolte_reference_keeps_apart(const SgolteReference *position, const bool set[SGOLTE_REFERENCE_CELLS]);

#endif
