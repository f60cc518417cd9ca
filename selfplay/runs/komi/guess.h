/* What the players think of each first move before any game: the guesses of selfplay/stats/arms.h.
 *
 * The player of the run searches the position after a first move at several komi values. The guess is the komi at which
 * it gives Black an even chance. On hexhex-5 to -8 the guesses of a network order the first moves as games do, and are
 * off by about a point, while the first moves differ by six to eight (selfplay/stats/MEASUREMENTS.md). The estimate
 * finds out by the games how far it can trust them.
 *
 * A guess follows from the identity of the run. So a run that goes on has the same ones, and plans the same rounds. It
 * takes them from its document where it has one. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_GUESS_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_GUESS_H

#include "selfplay/runs/komi/first_moves.h"

/* Makes the guesses of a run with forced first moves, if it has none yet. Takes up to a minute on large boards. In
 * points, in steps of 1/100, so that a document holds them exactly. False with an error, as where the player's network
 * is missing or the run is stopped. It takes a const run, because estimates and documents call it, but writes the
 * guesses into the run's state, so only one thread at a time may call this, and none may read them meanwhile. */
bool komi_guess(const Run *run, Error *error);

/* The same by another player, in place of the guesses that there are. */
bool komi_guess_by(const Run *run, const Player *player, Error *error);

/* The guess of a first move, once there is one. */
static inline double komi_guess_of(const Run *run, int beginning) {
    return ((const KomiState *)run->state)->guesses[beginning];
}

/* Takes the guesses from a document of a run with forced first moves, whose player may not be there any more. All are 0
 * if it has none, as those of version 0.16 and earlier. False with an error. */
bool komi_read_guesses(Run *run, const cJSON *document, Error *error);

/* Takes the guesses from the document of this run, which goes on, if it has none yet: they are those that komi_guess
 * would make again. If one is missing or wrong, or another player has guessed, none is taken. */
void komi_resume_guesses(Run *run, const cJSON *document);

#endif
