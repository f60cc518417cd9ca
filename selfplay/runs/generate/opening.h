/* How the games of a data set begin: differently, up to symmetry, and at komi values around an even chance.
 *
 * The sequences of legal actions are a tree. If a symmetry of the board takes branches to each other, one of them is
 * kept. (Only symmetries that leave the earlier actions in place count.) Game number n goes down this tree by the
 * digits of n, where the base of each digit is the number of branches. The last digit chooses the first action, the
 * next digit the second action, and so on, each in an order shuffled by the run's seed. So all first actions come up
 * about equally often, and so do all second ones after the same first one. Yet the opening of a game follows from its
 * number alone, whatever other games there are.
 *
 * A share of the games can begin in recorded games instead (recorded_openings.h).
 *
 * Komi is normally distributed around the even komi of the size, or of the opening (opening_even_out). A share of the
 * games is played at a wild komi, so that a learner sees positions with large margins too. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_OPENING_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_OPENING_H

#include "selfplay/runs/generate/config.h"

/* What the openings of a size follow from. */
typedef struct OpeningSource {
    const SelfplayConfig *config;
    const SelfplaySize *size;
    const Game *game;                 /* on this size */
    Search *referee;                  /* as in selfplay/runs/opening.h; may be NULL where none is asked */
    const RecordedOpenings *recorded; /* the games that the settings name; may be NULL where they name none */
} OpeningSource;

/* Chooses turns and komi of game `number` of a run; the seed should follow from that of the game. False with an error
 * if no opening of this number of turns leaves the game unfinished. */
bool selfplay_opening_draw(const OpeningSource *source, int64_t number, uint64_t seed, Opening *opening, Error *error);

#endif
