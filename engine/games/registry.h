/* The list of all games, by name. This is the only place that knows them all.
 *
 * engine/README.md says how to add one. */
#ifndef STIGMERGY_ENGINE_GAMES_REGISTRY_H
#define STIGMERGY_ENGINE_GAMES_REGISTRY_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the index-th game, with its largest and its usual size. NULL after the last one. The first is the
 * default. Neither pointer may be NULL. */
const char *game_list(int index, int *max_size, int *usual_size);

/* Which options the index-th game of game_list has: *captures, and *pie, the usual one, which is GAME_PIE_DEFAULT if it
 * has none. */
void game_variants(int index, bool *captures, GamePie *pie);

/* Whether the second player may swap, in the variant that this game is. */
bool game_has_swap(const Game *game);

/* The options with DEFAULT for each variant that is the game's usual one. All else stays as it is, right or wrong. */
GameOptions game_usual(GameOptions options);

/* Makes a game, to be freed by game_free. NULL with an error for an unknown name, size or kernel, for a variant that
 * the game does not have, or when memory runs out. */
Game *game_new(const GameOptions *options, Error *error);

#ifdef __cplusplus
}
#endif

#endif
