/* The rules of Stigmergy once more, slow and obvious: the reference that the engine is tested against.
 *
 * It is written from engine/docs/rules.md alone and shares nothing with the engine: the board is a square array of
 * characters indexed by the axial coordinates (q, r), what a cell sees is found by walking its six lines, control and
 * the legal turns are worked out anew at each call, and turns are text ("c3", "c3x", "pass", "take-button"). */
#ifndef STIGMERGY_TESTS_SUPPORT_REFERENCE_H
#define STIGMERGY_TESTS_SUPPORT_REFERENCE_H

#include <stdbool.h>

enum {
    REFERENCE_REACH = 9,                      /* largest coordinate, at hexhex-10 */
    REFERENCE_SPAN = 2 * REFERENCE_REACH + 1, /* coordinates from -9 to 9 */
    REFERENCE_TURNS = 271 + 2,                /* of a position: a cell has at most one, pass, take-button */
    REFERENCE_TEXT = 16                       /* a turn as text with its terminator */
};

typedef struct Reference {
    int size;
    char stone[REFERENCE_SPAN][REFERENCE_SPAN]; /* [q + 9][r + 9]: 'B', 'W' or '.' */
    char side;                                  /* to move: 'B' or 'W' */
    int passes;                                 /* just made in succession */
    int komi;                                   /* points for White */
    char button;                                /* its holder 'B' or 'W', 't' on the table, '-' not in this game */
} Reference;

/* A turn as text, as in engine/docs/rules.md. */
typedef struct ReferenceTurn {
    char text[REFERENCE_TEXT];
} ReferenceTurn;

/* The empty board, Black to move. */
void reference_start(Reference *position, int size, int komi);

/* Whether the board has a cell (q, r), the number of its neighbours, and its name. */
bool reference_on_board(int size, int q, int r);
int reference_adjacent(int size, int q, int r);
ReferenceTurn reference_name(int size, int q, int r);

/* Finds the cell that a text begins with; false where there is none. */
bool reference_find(int size, const char *text, int *q, int *r);

/* What stands on a cell, how many stones of a colour it sees, and who controls it ('B', 'W' or '.'). */
char reference_stone(const Reference *position, int q, int r);
int reference_seen(const Reference *position, int q, int r, char colour);
char reference_controller(const Reference *position, int q, int r);

/* The legal turns: placements, then flips, each from the top row down and from left to right, pass, take-button. */
int reference_legal(const Reference *position, ReferenceTurn turns[REFERENCE_TURNS]);

/* Takes a turn, written as reference_legal writes it; false where it is not legal. */
bool reference_apply(Reference *position, const char *text);

/* Whether the game is over. */
bool reference_over(const Reference *position);

/* Own stones and controlled empty cells of a colour, and Black's margin in half points. */
int reference_cells(const Reference *position, char colour);
int reference_margin(const Reference *position);

/* The number of pairs of stones of one colour that see each other. */
int reference_pairs(const Reference *position);

#endif
