/* The levels of play that people choose from, 1 (a beginner may win) to 8 (as strong as it gets within seconds). */
#ifndef STIGMERGY_TOOLS_PLAY_LEVELS_H
#define STIGMERGY_TOOLS_PLAY_LEVELS_H

#include "selfplay/players/player.h"

enum { LEVELS = 8 };

/* The player of a level, 1 to LEVELS: the description "level-N" among the installed players where there is one, else
 * the default player with the level's number of simulations. False with an error where its description is wrong. */
bool level_player(int level, Player *player, Error *error);

#endif
