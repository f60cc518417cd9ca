/* The rules of Stigmergy a second time, slow and obvious: the reference for the tests of the engine.
 *
 * It follows engine/docs/rules.md alone and shares nothing with the engine. The board is a square array of characters
 * with the axial coordinates (q, r) as index. Walking along the six lines of a cell finds what it sees. Each call
 * computes control and the legal turns again. Turns are text ("c3", "c3x", "pass", "take-button"). */
#ifndef STIGMERGY_TESTS_SUPPORT_REFERENCE_H
#define STIGMERGY_TESTS_SUPPORT_REFERENCE_H

#include <stdbool.h>

enum {
    REFERENCE_REACH = 9,                      /* largest coordinate, at hexhex-10 */
    REFERENCE_SPAN = 2 * REFERENCE_REACH + 1, /* coordinates from -9 to 9 */
    REFERENCE_TURNS = 271 + 2,                /* in a position: a cell has at most one, then pass and take-button */
    REFERENCE_TEXT = 16                       /* a turn as text, with its terminator */
};

typedef struct Reference {
    int size;
    char stone[REFERENCE_SPAN][REFERENCE_SPAN]; /* [q + 9][r + 9]: 'B', 'W' or '.' */
    char side;                                  /* to move: 'B' or 'W' */
    int passes;                                 /* made in succession just before */
    int komi;                                   /* points for White */
    char button;                                /* 'B' or 'W' for its holder, 't' on the table, '-' not in this game */
} Reference;

/* A turn as text, as in engine/docs/rules.md. */
typedef struct ReferenceTurn {
    char text[REFERENCE_TEXT];
} ReferenceTurn;

/* The empty board, Black to move. */
void reference_start(Reference *position, int size, int komi);

/* Whether the board has a cell (q, r); its name. */
bool reference_on_board(int size, int q, int r);
ReferenceTurn reference_name(int size, int q, int r);

/* Finds the cell whose name a text begins with. False if there is none. */
bool reference_find(int size, const char *text, int *q, int *r);

/* The stone on a cell; who controls it ('B', 'W' or '.'). */
char reference_stone(const Reference *position, int q, int r);
char reference_controller(const Reference *position, int q, int r);

/* The legal turns: placements, then flips, each from the top row down and from left to right; then pass and
 * take-button. */
int reference_legal(const Reference *position, ReferenceTurn turns[REFERENCE_TURNS]);

/* Takes a turn in the notation of reference_legal. False if it is illegal. */
bool reference_apply(Reference *position, const char *text);

/* Whether the game is over. */
bool reference_over(const Reference *position);

/* The own stones and controlled empty cells of a colour; Black's margin in half points. */
int reference_cells(const Reference *position, char colour);
int reference_margin(const Reference *position);

/* The number of pairs of stones of one colour that see each other. */
int reference_pairs(const Reference *position);

#endif
