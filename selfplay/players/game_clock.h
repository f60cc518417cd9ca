/* The time that players have for a game, as the Go Text Protocol sets it: main time, and after each move an increment
 * (Fischer), then byo-yomi. A period of byo-yomi must suffice for a number of moves ("stones"). Where there are several
 * periods (then of one move each), a move that takes longer uses them up one by one. A zero-initialized clock sets no
 * limits. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GAME_CLOCK_H
#define STIGMERGY_SELFPLAY_PLAYERS_GAME_CLOCK_H

#include "engine/game/game.h"

/* As they were set for the game, in seconds. */
typedef struct GameTimes {
    double main_time, increment, period;
    int period_stones; /* moves in a period. 0: no byo-yomi where `period` is 0, too, else no limits at all, as in GTP
                        */
    int periods;       /* 0 is 1 */
} GameTimes;

typedef struct GameClock {
    bool limited; /* whether the times set limits */
    bool running; /* whether there are limits in this game */
    GameTimes times;
    double left[2]; /* each side's seconds: of the period if stones_left > 0, else of the main time */
    int stones_left[2], periods_left[2]; /* in byo-yomi; the current period counts */
} GameClock;

/* Sets the times of a game, and starts both sides anew. */
void game_clock_set(GameClock *clock, const GameTimes *times);

/* Starts a new game with the same times, without limits if none were set. */
void game_clock_restart(GameClock *clock);

/* Sets the time that a side has left, as the controller of the game says. Where there are several periods, `stones` is
 * how many of them are left; 0: that is the main time. The clock then runs, in this game. */
void game_clock_left(GameClock *clock, Side side, double seconds, int stones);

/* Takes the time of a move from a side's clock. */
void game_clock_spend(GameClock *clock, Side side, double seconds);

/* Whether later moves can use the time that a move saves. */
bool game_clock_saves(const GameClock *clock, Side side);

/* Seconds to use for the next action of a turn that has taken `spent` seconds so far, if about `own_moves` more actions
 * have to be searched. What each turn gets anew (the increment, a period) counts once for all its actions. The clock
 * must be running. */
double game_clock_budget(const GameClock *clock, Side side, double spent, double own_moves);

/* About how many more actions the side to move will have to search, by a few playouts. The game must not be over. */
double game_clock_moves_left(const Game *game, const GameState *state, uint64_t seed);

#endif
