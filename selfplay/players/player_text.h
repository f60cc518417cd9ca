/* What a text says that names a player: a description in JSON, "gtp:" and the command of an external engine, or
 * otherwise the path of a description or the name of an installed one. Blanks before it do not count. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_PLAYER_TEXT_H
#define STIGMERGY_SELFPLAY_PLAYERS_PLAYER_TEXT_H

#include "selfplay/io/file.h"

#include <cjson/cJSON.h>

typedef enum PlayerText { PLAYER_NAMED, PLAYER_JSON, PLAYER_COMMAND } PlayerText;

/* Which of them it is. *text becomes the name, the JSON or the command. */
PlayerText player_text(const char **text);

/* Reads the description that such a text names or is. `source` is what errors call it: the caller's word for JSON,
 * which becomes the path of a file. NULL with an error. The caller deletes the result. */
cJSON *player_text_load(PlayerText kind, const char *text, char source[FILE_PATH_MAX], Error *error);

#endif
