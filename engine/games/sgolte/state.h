/* A position of Sgolte: the stones, and the stage of the turn (sgolte.h has the rules). */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_STATE_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_STATE_H

#include "engine/game/game.h"

enum { SGOLTE_MAX_SIZE = 7, SGOLTE_WORDS = 2 };

typedef enum SgolteStage { SGOLTE_PLACE, SGOLTE_CAPTURE, SGOLTE_REPLACE } SgolteStage;

enum { SGOLTE_NONE = 0xff }; /* no cell, no direction */

/* The progress of a turn. */
typedef struct SgolteTurn {
    uint8_t side;      /* to move: a player, not a colour */
    uint8_t stage;     /* an SgolteStage */
    uint8_t captured;  /* stones captured in this turn; at stage REPLACE, those that are still to be placed */
    uint8_t last;      /* capture=line: the stone captured last, SGOLTE_NONE before the first */
    uint8_t direction; /* capture=line: direction of the line, SGOLTE_NONE before the second stone */
    bool pie;          /* White's next turn may be a swap */
    bool swapped;
    bool over;
} SgolteTurn;

/* What a GameState holds for this game. */
typedef struct SgolteState {
    uint64_t stones_hash;
    uint64_t stones[2][SGOLTE_WORDS]; /* by player */
    uint64_t target[SGOLTE_WORDS];    /* at stage CAPTURE after the first stone: the stones left of the group */
    SgolteTurn turn;
} SgolteState;

/* Whether the second player may now answer the first stone with a swap. */
static inline bool sgolte_may_swap(SgolteTurn turn) {
    return turn.pie && turn.side == WHITE;
}

/* Action numbers, for boards of `words` words: cell c at a stage is 64*words*stage + c. */
static inline Action sgolte_action(int words, SgolteStage stage, int cell) {
    return (Action)(64 * words * (int)stage + cell);
}
static inline Action sgolte_swap(int words) {
    return (Action)(3 * 64 * words);
}

#endif
