/* See player_text.h. */
#include "selfplay/players/player_text.h"

#include "selfplay/io/json.h"

#include <string.h>

static const char command_mark[] = "gtp:";

PlayerText player_text(const char **text) {
    *text += strspn(*text, " \t\r\n");
    if (**text == '{')
        return PLAYER_JSON;
    if (strncmp(*text, command_mark, strlen(command_mark)) != 0)
        return PLAYER_NAMED;
    *text += strlen(command_mark);
    return PLAYER_COMMAND;
}

cJSON *player_text_load(PlayerText kind, const char *text, char source[FILE_PATH_MAX], Error *error) {
    return kind == PLAYER_JSON ? json_parse(text, strlen(text), source, error)
                               : json_load_config("players", text, source, error);
}
