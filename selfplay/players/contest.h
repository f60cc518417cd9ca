/* One game between two players, from an opening to the end.
 *
 * A built-in player is a search, which both sides may share; an external one is an engine (gtp_player.h). A game ends
 * by the rules, or because an engine forfeits it: it plays what is not legal, takes too long, breaks down or resigns. A
 * built-in player never forfeits; where it takes longer for a move than its limit and the allowance for a slow machine,
 * the record counts an overrun. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_CONTEST_H
#define STIGMERGY_SELFPLAY_PLAYERS_CONTEST_H

#include "selfplay/players/gtp_player.h"
#include "selfplay/players/player.h"
#include "selfplay/record/record.h"

typedef enum ContestEnd { CONTEST_FINISHED, CONTEST_STOPPED, CONTEST_FAILED } ContestEnd;

/* One player on one game. */
typedef struct Seat {
    const Player *player; /* of a search: its limits a move */
    Search *search;       /* NULL: an engine */
    GtpPlayer *engine;
} Seat;

/* A search may take this much longer than its time of a move before it is counted as an overrun, in seconds. */
#define CONTEST_OVERRUN 0.02

/* When a game is to be given up: the searches end soon after *flag is set (by a signal handler, say), and `asked` is
 * asked after every move and while an engine thinks. Either may be NULL. */
typedef struct ContestStop {
    const atomic_bool *flag;
    bool (*asked)(void *user);
    void *user;
} ContestStop;

/* Plays a game at record->komi with record->seed, after the actions that stand in the record already (its opening), and
 * writes actions, result, reason and effort into the record. The seats of Black and White may be the same one
 * (self-play on one tree, kept from move to move). A forced move costs no search. The game depends on players, opening,
 * komi and seed alone, as long as they are searches by simulations with one thread. CONTEST_STOPPED where it was given
 * up, CONTEST_FAILED with an error without memory. */
ContestEnd contest_play(const Game *game, Seat *const seats[2], const ContestStop *stop, GameRecord *record,
                        Error *error);

#endif
