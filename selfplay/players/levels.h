/* The levels at which people play against the computer. This is the only list of them, for the terminal, the browser,
 * GTP and SGF.
 *
 * Level N is the player description configs/players/level-N.json. Its `name` is the level's name here. How the Elo
 * differences were measured is in engine/search/MEASUREMENTS.md. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_LEVELS_H
#define STIGMERGY_SELFPLAY_PLAYERS_LEVELS_H

#include "selfplay/players/level_names.h"
#include "selfplay/players/player.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The strength of a level in Elo. Level 1 has 0. */
int level_elo(int level);

/* Reads a level from its number or its name. False with an error. `what` names the option or command in the error. */
bool level_read(const char *what, const char *text, int *level, Error *error);

/* The player of a level. False with an error if its description is missing or wrong. */
bool level_player(int level, Player *player, Error *error);

#ifdef __cplusplus
}
#endif

#endif
