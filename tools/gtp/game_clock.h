/* A player's time for a game, as the Go Text Protocol sets it: main time, then byo-yomi periods of which each is to be
 * enough for a number of moves ("stones"). Zero-initialize for a game without time limits. */
#ifndef STIGMERGY_TOOLS_GTP_GAME_CLOCK_H
#define STIGMERGY_TOOLS_GTP_GAME_CLOCK_H

#include "engine/game/game.h"

typedef struct GameClock {
    bool running;             /* whether there are limits */
    double main_time, period; /* seconds, as set for a game */
    int period_stones;        /* 0: no byo-yomi */
    double left[2];           /* per side: of the main time, or of the period once stones_left is positive */
    int stones_left[2];
} GameClock;

/* Sets the times of a game and starts both sides afresh. */
void game_clock_set(GameClock *clock, double main_time, double period, int stones);

/* A new game with the same times. */
void game_clock_restart(GameClock *clock);

/* What a controller says is left. */
void game_clock_left(GameClock *clock, Side side, double seconds, int stones);

/* A move took so long. */
void game_clock_spend(GameClock *clock, Side side, double seconds);

/* Whether time that a move does not use is of use to later ones. */
bool game_clock_saves(const GameClock *clock, Side side);

/* Seconds to use for the next move, where about `own_moves` are still to be searched. */
double game_clock_budget(const GameClock *clock, Side side, double own_moves);

#endif
