/* Recognizes the format of a game, each of which has its own file. See game_tree.h. */
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/record/game_tree_internal.h"
#include "selfplay/record/record_line.h"
#include "selfplay/record/sgf.h"

#include <ctype.h>

static GameTree *read_state_text(const char *text, const char *source, const GameOptions *options, Error *error) {
    cJSON *json = json_parse(text, strlen(text), source, error);
    GameTree *tree = json ? game_tree_from_state(json, source, options, error) : NULL;
    cJSON_Delete(json);
    return tree;
}

/* Whether the text is two or more lines of JSON, as the games of a run are kept. */
static bool has_several_lines(const char *text, size_t length) {
    const char *end = memchr(text, '\n', length);
    if (!end || end + 1 >= text + length || end[1] != '{')
        return false;
    Error ignored;
    cJSON *first = json_parse(text, (size_t)(end - text), "the first line", &ignored);
    cJSON_Delete(first);
    return first != NULL;
}

static GameTree *read_json(const char *text, size_t length, const char *source, const GameOptions *options,
                           Error *error) {
    if (has_several_lines(text, length)) {
        error_set(error, "%s: has a game on each line, expected one game; sed -n 5p FILE takes out the fifth", source);
        return NULL;
    }
    cJSON *json = json_parse(text, length, source, error);
    if (!json)
        return NULL;
    GameTree *tree = NULL;
    const cJSON *inner = json_get(json, "state");
    if (cJSON_IsString(inner)) /* an export of AbstractPlay's Playground: the state is a text of its own */
        tree = read_state_text(inner->valuestring, source, options, error);
    else if (!record_no_result(json, source, error))
        tree = NULL;
    else if (json_get(json, "stack"))
        tree = game_tree_from_state(json, source, options, error);
    else if (json_get(json, "header"))
        tree = game_tree_from_report(json, source, options, error);
    else if (json_get(json, "game"))
        tree = game_tree_from_record(json, source, options, error);
    else
        error_set(error,
                  "%s: no game in this JSON, expected a record (with `game', `size' and `moves') or a report or "
                  "state of AbstractPlay (with `header' and `moves', or `stack')",
                  source);
    cJSON_Delete(json);
    return tree;
}

/* Where the text begins: after a byte order mark and blanks. */
static size_t find_begin(const char *text, size_t length) {
    size_t begin = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (begin < length && isspace((unsigned char)text[begin]))
        begin++;
    return begin;
}

static bool is_json(const char *text, size_t length) {
    return length > 0 && *text == '{';
}

static bool is_sgf(const char *text, size_t length) {
    return !is_json(text, length) && memchr(text, '(', length);
}

GameTree *game_tree_read(const char *text, size_t length, const char *source, const GameOptions *options,
                         Error *error) {
    const size_t begin = find_begin(text, length);
    text += begin;
    length -= begin;
    if (zstd_is_packed(text, length)) {
        error_set(error, "%s: is packed by zstd, expected one game; zstdcat FILE | sed -n 5p takes out a run's fifth",
                  source);
        return NULL;
    }
    if (is_json(text, length))
        return read_json(text, length, source, options, error);
    if (is_sgf(text, length))
        return game_tree_from_sgf(text, length, source, options, error);
    return game_tree_from_list(text, length, source, options, error);
}

bool game_tree_is_sgf(const char *text, size_t length) {
    const size_t begin = find_begin(text, length);
    return is_sgf(text + begin, length - begin);
}

int game_tree_count(const char *text, size_t length, int number, size_t *begin) {
    size_t at = find_begin(text, length);
    int count = 1;
    *begin = 0;
    if (!is_sgf(text + at, length - at))
        return count;
    while ((at += sgf_next_game(text + at, length - at)) < length)
        if (++count == number)
            *begin = at;
    return count;
}
