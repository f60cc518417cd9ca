/* The result document of a run of openings: made from the games alone, so that it can be rebuilt from the records.
 *
 * Schema `stigmergy-openings`, version 1; beside what all documents have (selfplay/io/document.h, `game, size, player,
 * seed, run, settings`) and `komi` in games with points:
 *
 *     by_chance                        whether the player plays by chance; if not, equal games are one draw
 *     games, duplicate_share           all games, the share of those that repeat another one
 *     openings: [{                     for each class of first moves that are images of each other
 *         move, moves                  its name (the move that was played), all its moves
 *         games, distinct_games, first_player_wins
 *         effective_games              how many independent games they are worth: all, if the player plays by chance
 *         win_rate, ci95: [low, high]  of the first player; Wilson's interval for the effective games. Without games
 *                                      win_rate is null
 *         fairest_probability          that its win rate is the nearest to one half (fairest_move.h)
 *         mean_actions                 length of a game
 *         mean_margin                  Black's, in points, komi included; in games with points
 *         exact_winner                 "B" or "W", where the solver knows
 *     }]
 *     fairest: {move, win_rate, ci95, probability, method}    null without games
 *     exact: {winner}                  of the empty board, where the solver knows
 *
 * The game is played without the pie rule. Under that rule the second player takes over a first stone whose rate is
 * above one half. So the first player chooses one whose rate is as near to one half as possible. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_RESULT_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_RESULT_INTERNAL_H

#include "selfplay/runs/run.h"

/* As RunKind.document. */
cJSON *openings_result(const Run *run, const DocumentContext *context, Error *error);

#endif
