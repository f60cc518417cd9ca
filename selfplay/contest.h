/* One game between two players, from the start position to the end of the rules. */
#ifndef STIGMERGY_CONTEST_H
#define STIGMERGY_CONTEST_H

#include "player.h"
#include "record.h"

typedef enum ContestEnd { CONTEST_FINISHED, CONTEST_STOPPED, CONTEST_FAILED } ContestEnd;

/* One player on one game: its search and its limits a move. */
typedef struct Seat {
    Search *search;
    const Player *player;
} Seat;

/* When a game is to be given up: the searches end soon after *flag is set (by a signal handler, say), and `asked` is
 * asked after every move. Either may be NULL. */
typedef struct ContestStop {
    const atomic_bool *flag;
    bool (*asked)(void *user);
    void *user;
} ContestStop;

/* Plays a game at record->komi with record->seed, and writes its actions and result into the record. The seats of Black
 * and White may be the same one (self-play on one tree, kept from move to move). A forced move costs no search. The
 * game depends on players, komi and seed alone, as long as they search by simulations with one thread. CONTEST_STOPPED
 * where it was given up, CONTEST_FAILED with an error without memory. */
ContestEnd contest_play(const Game *game, const Seat seats[2], const ContestStop *stop, GameRecord *record,
                        Error *error);

#endif
