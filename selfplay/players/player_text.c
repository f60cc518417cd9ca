/* See player_text.h. */
#include "selfplay/players/player_text.h"

#include "selfplay/io/json.h"
#include "selfplay/players/level_names.h"

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
    if (kind == PLAYER_JSON)
        return json_parse(text, strlen(text), source, error);
    cJSON *json = json_load_config("players", text, source, error);
    for (int level = 1; !json && level <= LEVELS; level++)
        if (!strcmp(text, level_name(level)))
            error_set(error, "%s: is the name of a level, did you mean 'level-%d'?", text, level);
    return json;
}
