/* The levels at which people play against the computer. This is the one list of them for the terminal, the browser, GTP
 * and SGF.
 *
 * Level N is the player description configs/players/level-N.json, whose `name` is the level's name here. The Elo
 * differences were measured on hexhex-5 with version 0.8 (engine/search/MEASUREMENTS.md): each level against the one
 * below, 400 games each, 200 and 100 for the last two. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_LEVELS_H
#define STIGMERGY_SELFPLAY_PLAYERS_LEVELS_H

#include "selfplay/players/player.h"

enum { LEVELS = 8 };

/* The name of a level, 1 (the weakest) to LEVELS: "beginner" to "strongest". */
const char *level_name(int level);

/* Its strength in Elo, where level 1 has 0. */
int level_elo(int level);

/* Reads a level by its number or its name; false with an error. `what` names the option or command in the error. */
bool level_read(const char *what, const char *text, int *level, Error *error);

/* The player of a level. False with an error if its description is missing or wrong. */
bool level_player(int level, Player *player, Error *error);

#endif
