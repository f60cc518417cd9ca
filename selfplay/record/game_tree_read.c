/* Reads a game in any format. See game_tree.h. Each format has its own file. */
#include "selfplay/io/json.h"
#include "selfplay/record/game_tree_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- What several formats need ---- */

void game_tree_game_name(const char *text, char out[GAME_TREE_GAME_MAX]) {
    snprintf(out, GAME_TREE_GAME_MAX, "%s", text);
    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

bool game_tree_read_whole(const char *text, int *out) {
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || errno || value < -100000 || value > 100000)
        return false;
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    end += strspn(end, " ");
    *out = (int)value;
    return *end == '\0';
}

void game_tree_copy_name(char out[GAME_TREE_NAME_MAX], const char *text) {
    if (text)
        snprintf(out, GAME_TREE_NAME_MAX, "%s", text);
}

/* ---- Recognizing the format ---- */

static GameTree *read_json(const char *text, size_t length, const char *source, const GameOptions *options,
                           Error *error) {
    cJSON *json = json_parse(text, length, source, error);
    if (!json)
        return NULL;
    GameTree *tree = NULL;
    if (cJSON_GetObjectItemCaseSensitive(json, "header"))
        tree = game_tree_from_report(json, source, options, error);
    else if (cJSON_GetObjectItemCaseSensitive(json, "game"))
        tree = game_tree_from_record(json, source, options, error);
    else
        error_set(error,
                  "%s: no game in this JSON, expected a record (with `game', `size' and `moves') or a report of "
                  "AbstractPlay (with `header' and `moves')",
                  source);
    cJSON_Delete(json);
    return tree;
}

GameTree *game_tree_read(const char *text, size_t length, const char *source, const GameOptions *options,
                         Error *error) {
    size_t begin = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* a byte order mark */
    while (begin < length && isspace((unsigned char)text[begin]))
        begin++;
    if (begin < length && text[begin] == '{')
        return read_json(text + begin, length - begin, source, options, error);
    for (size_t i = begin; i < length; i++)
        if (text[i] == '(')
            return game_tree_from_sgf(text + begin, length - begin, source, options, error);
    return game_tree_from_list(text + begin, length - begin, source, options, error);
}
