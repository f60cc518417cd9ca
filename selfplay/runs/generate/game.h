/* One game of a data set: a player against itself, searched on one tree, with what the searches found written down.
 *
 * Playout cap randomisation (Wu 2019, "Accelerating Self-Play Learning in Go"): most searches are cheap, so that the
 * game ends soon. A share of them, chosen at random, are full searches. Only what these found is good enough to learn
 * from. A full search begins with an empty tree, so what it found is its own.
 *
 * A player whose root uses sequential halving (`considered`, which data sets give to a player with a network) explores
 * by Gumbel noise in the first part of the game, in cheap searches too (search_add_gumbel): the action that is left is
 * a draw from the improved policy, and the record keeps that policy. Any other player has, in that part, noise at the
 * root of full searches (search_add_noise), and draws its actions by their visits. The record keeps the visits. Where
 * the winner is proven, the winning action has all the visits. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_GAME_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_GAME_H

#include "selfplay/players/contest.h"
#include "selfplay/runs/generate/config.h"

/* Plays a game at record->komi with record->seed, after the actions that are in the record already (its opening).
 * Writes actions, searches, result and reason. The game depends on these arguments and on the settings alone. Returns
 * CONTEST_STOPPED if the game was given up, and CONTEST_FAILED with an error if memory runs out. */
ContestEnd selfplay_game_play(const Game *game, const SelfplayConfig *config, Search *search, const ContestStop *stop,
                              GameRecord *record, Error *error);

#endif
