/* The rules of Sgolte a second time, slow and obvious: the reference for the tests of the engine.
 *
 * It follows engine/docs/rules.md alone and shares nothing with the engine. Cells are numbered row by row. Each
 * question about groups floods an array of characters again. Trying all ways shows which turns can be completed. A turn
 * consists of steps of the side to move: place, capture until the group splits, re-place. Colours are those of the
 * stones, so White moves after a swap. */
#ifndef STIGMERGY_TESTS_SUPPORT_SGOLTE_REFERENCE_H
#define STIGMERGY_TESTS_SUPPORT_SGOLTE_REFERENCE_H

#include "tests/support/reference.h"

#include <stdbool.h>

enum {
    SGOLTE_REFERENCE_CELLS = 127,                       /* at hexhex-7 */
    SGOLTE_REFERENCE_TRIES = 20000,                     /* positions to try before the answer counts as unknown */
    SGOLTE_REFERENCE_STEPS = SGOLTE_REFERENCE_CELLS + 1 /* in one position: the cells of a stage, and the swap */
};

typedef struct SgolteReference {
    int size, cells;
    bool line;                          /* capture=line */
    bool pie;                           /* after Black's first stone: White may swap on his next turn */
    bool swapped;                       /* the players have exchanged the colours */
    char stone[SGOLTE_REFERENCE_CELLS]; /* 'B', 'W' or '.' */
    char side;                          /* to move: 'B' or 'W' */
    char stage;                         /* 'p' place, 'c' capture, 'r' re-place */
    int captured;                       /* stones captured in this turn; at stage 'r' those still to be re-placed */
    int target;                         /* the lowest cell that is left of the group being captured from, or -1 */
    int last, direction;                /* capture=line: the stone captured last, and where it lay from the one before;
                                           -1 without */
} SgolteReference;

/* One step: 's' is the swap; otherwise the stage and the cell. */
typedef struct SgolteStep {
    char kind;
    int cell;
} SgolteStep;

void sgolte_reference_start(SgolteReference *position, int size, bool line, bool pie);

/* The number of the cell with this name, -1 if there is none. */
int sgolte_reference_cell(int size, const char *name);

/* The number of groups of a colour that a cell touches. */
int sgolte_reference_touched(const SgolteReference *position, char colour, int cell);

/* Marks the group of the stone on a cell and returns its size. */
int sgolte_reference_group(const SgolteReference *position, int cell, bool group[SGOLTE_REFERENCE_CELLS]);

/* Whether the rules allow a step. Looks at this step alone, not at the rest of the turn. */
bool sgolte_reference_allowed(const SgolteReference *position, SgolteStep next);

/* The steps that the rules allow and from which the turn can be completed. They are in ascending order of the cells,
 * with the swap last. A finished game has none. If `trusting`, the function relies on a fact: captures whose stones
 * find no room do not find it after more captures. Otherwise it tries every way to its end, which takes long on larger
 * boards. Returns their number, or -1 if it would take too long. */
int sgolte_reference_steps(const SgolteReference *position, bool trusting, SgolteStep steps[SGOLTE_REFERENCE_STEPS]);

/* Takes a step from the list of sgolte_reference_steps. */
void sgolte_reference_apply(SgolteReference *position, SgolteStep step);

/* The set forms of engine/docs/rules.md. S: whether the marked stones of the group on cell `of` may be captured
 * (capture=free). P: whether the side to move may fill the marked cells, after placement and captures. */
bool sgolte_reference_splits(const SgolteReference *position, int of, const bool set[SGOLTE_REFERENCE_CELLS]);
bool sgolte_reference_keeps_apart(const SgolteReference *position, const bool set[SGOLTE_REFERENCE_CELLS]);

#endif
