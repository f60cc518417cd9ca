/* One game between two players, from an opening to the end.
 *
 * A built-in player is a search. Both sides may share it if they share the Seat: two seats must have two searches. An
 * external player is an engine (gtp_player.h). A game ends by the rules, or because an engine forfeits it: it plays an
 * illegal turn, takes too long, breaks down or resigns. A built-in player never forfeits. If it takes longer for a move
 * than its limit plus an allowance for a slow machine, the record counts an overrun. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_CONTEST_H
#define STIGMERGY_SELFPLAY_PLAYERS_CONTEST_H

#include "selfplay/players/gtp_player.h"
#include "selfplay/players/player.h"
#include "selfplay/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a step of a game. */
typedef enum ContestStep { STEP_GOOD, STEP_FORFEIT, STEP_STOPPED, STEP_FAILED } ContestStep;

typedef enum ContestEnd { CONTEST_FINISHED, CONTEST_STOPPED, CONTEST_FAILED } ContestEnd;

/* One player in one game. */
typedef struct Seat {
    const Player *player; /* of a search: has the limits for each move */
    Search *search;       /* NULL: an engine */
    GtpPlayer *engine;
} Seat;

/* In seconds. A search may exceed its time for a move by this much before it counts as an overrun. */
#define CONTEST_OVERRUN 0.02

/* How to give up a game. The searches end soon after *flag is set (by a signal handler, for example). `asked` is called
 * after every move and while an engine thinks; true means give up. Either may be NULL, but there is always a
 * ContestStop. */
typedef struct ContestStop {
    const StopFlag *flag;
    bool (*asked)(void *user);
    void *user;
} ContestStop;

/* Plays a game at record->komi with record->seed, after the actions that the record already holds, which become its
 * opening. The caller sets its id, run and players. Writes the actions, result, reason and effort to the record. The
 * seats of Black and White may be the same one: then one search plays both sides and keeps its tree from move to move.
 * Once that search has proved who wins, the side that lost gets 100 simulations a move at most, for only the points are
 * open. A move without a choice costs no search. If the players are searches limited by simulations, with one thread,
 * the game depends only on players, opening, komi and seed. Returns CONTEST_STOPPED if the game was given up. Returns
 * CONTEST_FAILED with an error if memory runs out, if an engine cannot be started, or if it has broken down too often
 * to begin (gtp_player.h). If both seats are the same one, it must be a search, not an engine. The effort is in the
 * record; its line has it only if the caller sets has_effort. */
ContestEnd contest_play(const Game *game, Seat *const seats[2], const ContestStop *stop, GameRecord *record,
                        Error *error);

/* For those who play games in a way of their own: whether a game is given up, and how it ends, at `state` after its
 * last step. If it has ended by the rules, the record gets the result and the reason. */
bool contest_stopped(const ContestStop *stop);
ContestEnd contest_end(const Game *game, const GameState *state, ContestStep last, GameRecord *record);

#ifdef __cplusplus
}
#endif

#endif
