/* Sgolte (Saïd Galdseid, 2024): the rules, behind the game interface.
 *
 * A group is a maximal connected set of stones of one colour; an empty cell touches the own groups adjacent to it. A
 * turn places a stone. Where it joins two own groups or more, the mover must go on: capture stones of one enemy group,
 * one at a time, until one of them splits that group, which ends the capturing; then put as many own stones on empty
 * cells, one at a time, none of them joining own groups. A placement whose turn cannot be completed so is illegal. Who
 * has no legal placement loses. Every turn adds one stone to the board. With the pie rule the second player may answer
 * Black's first stone with `swap`. With capture=line the captured stones lie one behind the other on a straight line,
 * in the order of their capture.
 *
 * The actions of a turn are staged: PLACE, CAPTURE until the group splits, REPLACE; each list holds only actions from
 * which the turn can be completed. BLACK is the player who places the first stone, for the whole game; after a swap his
 * stones are the white ones (GameRules.colour), so that White moves next as the rules want it.
 *
 * The parts, bottom up: groups.h (groups), cut.h and room.h (can the captured stones be placed
 * again?), split.h (which captures split a group, with room?), legal.h (which actions can be completed?),
 * playout.c, sgolte.c (the game interface), text.c. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H

#include "engine/game/game.h"

enum { SGOLTE_MIN_SIZE = 2, SGOLTE_MAX_SIZE = 7, SGOLTE_WORDS = 2 };

typedef enum SgolteStage { SGOLTE_PLACE, SGOLTE_CAPTURE, SGOLTE_REPLACE } SgolteStage;

enum { SGOLTE_NONE = 0xff }; /* no cell, no direction */

/* Where in a turn a position stands. */
typedef struct SgolteTurn {
    uint8_t side;      /* to move: a player, see above */
    uint8_t stage;     /* an SgolteStage */
    uint8_t captured;  /* stones in this turn; at stage REPLACE, those that are still to be placed again */
    uint8_t last;      /* capture=line: the stone captured last, SGOLTE_NONE before the first */
    uint8_t direction; /* capture=line: of the line, SGOLTE_NONE before the second stone */
    bool pie;          /* White's next turn may be a swap */
    bool swapped;
    bool over;
} SgolteTurn;

/* What a GameState holds for this game. */
typedef struct SgolteState {
    uint64_t stones_hash;
    uint64_t stones[2][SGOLTE_WORDS]; /* by player */
    uint64_t target[SGOLTE_WORDS];    /* at stage CAPTURE after the first stone: what is left of the group */
    SgolteTurn turn;
} SgolteState;

/* Action numbers, for boards of `words` words: cell c at a stage is 64*words*stage + c. */
static inline Action sgolte_action(int words, SgolteStage stage, int cell) {
    return (Action)(64 * words * (int)stage + cell);
}
static inline Action sgolte_swap(int words) {
    return (Action)(3 * 64 * words);
}

/* Makes the game; called through game_new. */
Game *sgolte_new(const GameOptions *options, Error *error);

/* GameRules.solver (model.c). */
extern const struct SolverModel sgolte_solver_model;

#endif
