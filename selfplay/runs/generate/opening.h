/* How the games of a data set begin: all different, up to symmetry, and at komi values around an even chance.
 *
 * The sequences of legal actions are a tree; of the branches that a symmetry of the board takes to each other, one is
 * kept (the symmetries that fix the actions before it count). Game number n follows n as a mixed-radix counter down
 * this tree: its last digit chooses the first action, the next one the second, and so on, each in an order shuffled by
 * the run's seed. So no opening comes up twice before all of its length have come up, and yet a game's opening follows
 * from its number alone, whatever other games there are.
 *
 * Komi is normally distributed around the even one of the size, or of the opening (opening_even_out); a share of the
 * games is played at a wild komi, so that a learner sees positions with large margins too. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_OPENING_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_OPENING_H

#include "selfplay/runs/generate/config.h"
#include "selfplay/runs/opening.h"

/* Chooses turns and komi of game `number` on a size; `seed` is that of the game. The referee is that of
 * selfplay/runs/opening.h. False with an error where no opening of so many turns is found that leaves the game
 * unfinished. */
bool selfplay_opening_draw(const Game *game, Search *referee, const SelfplayConfig *config, const SelfplaySize *size,
                           int64_t number, uint64_t seed, Opening *opening, Error *error);

#endif
