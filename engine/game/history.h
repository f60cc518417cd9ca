/* What led to a position, as far as players and learners need it: the last actions and the current turn.
 *
 * A GameState does not hold this. Code that plays actions keeps a GameHistory beside the state and adds each action to
 * it. All zeros means that nothing is known, as at the start of a game. */
#ifndef STIGMERGY_ENGINE_GAME_HISTORY_H
#define STIGMERGY_ENGINE_GAME_HISTORY_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GAME_HISTORY_LAST = 3 /* actions that are remembered */ };

typedef struct GameHistory {
    Action last[GAME_HISTORY_LAST];    /* the newest first */
    int known;                         /* number of entries of `last` that are filled */
    int passes;                        /* in succession, the last action included */
    int turn_actions;                  /* number of actions of the current turn so far */
    uint64_t turn_cells[HEXHEX_WORDS]; /* cells of these actions, as a bit set */
} GameHistory;

/* Adds an action. `after` is the position after it. */
void game_history_add(const Game *game, GameHistory *history, Action action, const GameState *after);

/* Adds the actions of a turn, or some of them, that were taken one after the other from `before`. */
void game_history_add_turn(const Game *game, GameHistory *history, const GameState *before, const Action *turn,
                           int count);

#ifdef __cplusplus
}
#endif

#endif
