/* The games that there are, by name: the one place that knows them all.
 *
 * To add a game: write its folder beside this file, and add a line to the table in registry.c. */
#ifndef STIGMERGY_ENGINE_GAMES_REGISTRY_H
#define STIGMERGY_ENGINE_GAMES_REGISTRY_H

#include "engine/game/game.h"

/* What games there are: the name of the index-th, its largest and its usual size; NULL behind the last. The default is
 * the first. */
const char *game_list(int index, int *max_size, int *usual_size);

/* Makes a game, to be freed by game_free; NULL with an error for an unknown name, size or kernel, for a variant that
 * the game does not have, or without memory. */
Game *game_new(const GameOptions *options, Error *error);

#endif
