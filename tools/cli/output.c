/* See output.h. */
#define _GNU_SOURCE /* realpath */
#include "tools/cli/output.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/players/player_text.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/record/record_file.h"
#include "selfplay/runs/generate/dataset_files.h"
#include "selfplay/runs/generate/document.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_NAME_MAX = 64, BESIDE_MAX = 64 };
static const char own_schemas[] = "stigmergy-"; /* the names of the project's schemas begin so */
static const char advice[] = "which would be lost; choose another name";

static bool is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

/* ---- What is there already ---- */

/* Parses a document, or the first of several lines, which describes the others. *json is NULL if the text is neither.
 * False with an error without memory. */
static bool parse_first(const char *path, const char *text, size_t length, cJSON **json, Error *error) {
    Error reason = {.text = ""};
    const char *end = memchr(text, '\n', length);
    *json = text[0] == '{' ? json_parse(text, length, path, &reason) : NULL;
    if (text[0] == '{' && !*json && !reason.no_memory && end)
        *json = json_parse(text, (size_t)(end - text), path, &reason);
    return !reason.no_memory || error_pass(error, &reason);
}

/* Reads a file, and unpacks it where its name says so. *text is NULL for an archive that is damaged, which holds
 * nothing. False with an error. */
static bool read_plain(const char *path, char **text, size_t *length, Error *error) {
    char *bytes = file_read(path, length, error);
    *text = bytes;
    if (!bytes || !text_ends_with(path, ".zst"))
        return bytes != NULL;
    *text = zstd_decompress(path, bytes, *length, length, error);
    free(bytes);
    return *text || !error->no_memory;
}

/* Finds the schema of what is at `path`, "" if that is no document of the project. */
static bool find_schema(const char *path, char name[SCHEMA_NAME_MAX], Error *error) {
    size_t length;
    char *text;
    cJSON *json = NULL;
    bool good = read_plain(path, &text, &length, error);
    if (good && text)
        good = parse_first(path, text, length, &json, error);
    const char *found = cJSON_GetStringValue(json_get(json_get(json, "schema"), "name"));
    const bool own = found && !strncmp(found, own_schemas, strlen(own_schemas));
    snprintf(name, SCHEMA_NAME_MAX, "%s", own ? found : "");
    cJSON_Delete(json);
    free(text);
    return good;
}

/* Whether a folder is no data set. False with an error, about a file in it. */
static bool is_no_set(const char *folder, const char *file, Error *error) {
    char path[FILE_PATH_MAX], schema[SCHEMA_NAME_MAX];
    if (!file_path_in(folder, DATASET_RUN, path, error))
        return false;
    return !file_exists(path) ||
           (find_schema(path, schema, error) && (strcmp(schema, selfplay_document_schema.name) != 0 ||
                                                 error_set(error, "%s: is a file of a data set, %s", file, advice)));
}

/* Whether a file without a schema belongs to no data set, by its name in the set. `target` has no links. */
static bool spares_set(const char *path, const char *target, Error *error) {
    char folder[FILE_PATH_MAX];
    const char *name = file_name_of(target);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - target), target);
    if (!strcmp(name, DATASET_CARD) || !strcmp(name, DATASET_METADATA))
        return is_no_set(folder, path, error);
    if (!text_ends_with(folder, "/" DATASET_RECORDS "/") && !text_ends_with(folder, "/" DATASET_SHARDS "/"))
        return true;
    folder[strlen(folder) - 1] = '\0';
    strrchr(folder, '/')[1] = '\0';
    return is_no_set(folder, path, error);
}

/* What a document is, in words. */
static const char *describe(const char *schema) {
    static const char *const words[][2] = {{"selfplay", "the document of a data set"},
                                           {"dataset", "the manifest of a data set"},
                                           {"loop", "the document of a training loop"},
                                           {"shard", "a shard of a run"},
                                           {"truth-positions", "a file of positions of known value"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(schema + strlen(own_schemas), words[i][0]))
            return words[i][1];
    return NULL;
}

/* Whether a document at `path` may give way to one of this schema. */
static bool spares_document(const char *path, const char *schema, Error *error) {
    char found[SCHEMA_NAME_MAX];
    if (!find_schema(path, found, error))
        return false;
    if (!found[0] || (schema && !strcmp(found, schema)))
        return true;
    const char *what = describe(found);
    return what ? error_set(error, "%s: is %s, %s", path, what, advice)
                : error_set(error, "%s: is a result of %s, %s", path, found + strlen(own_schemas), advice);
}

/* Whether a plain file that is there may be replaced. */
static bool spares_others(const char *path, const char *schema, Error *error) {
    char target[FILE_PATH_MAX];
    if (file_is_stream(path))
        return true;
    if (!realpath(path, target))
        return errno == ENOENT || error_set(error, "%s: cannot read: %s", path, strerror(errno));
    if (record_file_named(path) || record_file_named(target))
        return error_set(error, "%s: has the games of a run, %s", path, advice);
    return spares_set(path, target, error) && spares_document(path, schema, error);
}

bool output_check(const char *path, const char *schema, Error *error) {
    return !is_file(path) || (file_write_check(path, error) && spares_others(path, schema, error));
}

/* What a file of one game holds besides a line of play; "": nothing. */
static void beside_line(const char *text, size_t length, char found[BESIDE_MAX]) {
    Error reason;
    GameTree *tree = game_tree_read(text, length, "", &(GameOptions){0}, &reason);
    const char *what = !tree                             ? "no game that can be read"
                       : !game_tree_is_sgf(text, length) ? "a game that is no SGF"
                                                         : NULL;
    for (int i = 0; tree && i < tree->count && !what; i++) {
        const GameTreeNode *node = &tree->nodes[i];
        const bool goes_on = node->ends && node->first_child >= 0; /* with turns that were taken back */
        what = node->next_sibling >= 0 || goes_on           ? "variations"
               : node->comment                              ? "comments"
               : !isnan(node->chance) || !isnan(node->lead) ? "an analysis"
                                                            : NULL;
    }
    snprintf(found, BESIDE_MAX, "%s", what ? what : "");
    if (tree && !what && tree->dropped[0])
        snprintf(found, BESIDE_MAX, "what the program does not keep (%s)", tree->dropped);
    game_tree_free(tree);
}

bool output_check_line(const char *path, Error *error) {
    if (!output_check(path, NULL, error))
        return false;
    size_t length, begin;
    char *text = is_file(path) && !file_is_stream(path) ? file_read(path, &length, NULL) : NULL;
    if (!text)
        return true; /* there is none, or who writes it says what is wrong with it */
    const int games = game_tree_count(text, length, 1, &begin);
    char found[BESIDE_MAX] = "";
    if (games <= 1 && length > 0)
        beside_line(text, length, found);
    free(text);
    if (games > 1)
        return error_set(error, "%s: has %d games, %s", path, games, advice);
    return !found[0] || error_set(error, "%s: has %s, %s", path, found, advice);
}

bool output_check_run(const char *path, const cJSON *result, Error *error) {
    cJSON *there = is_file(path) && !file_is_stream(path) ? json_load(path, NULL) : NULL;
    const cJSON *run = json_get(there, "run"), *ours = json_get(result, "run");
    const bool same = !cJSON_IsString(run) || cJSON_Compare(run, ours, true);
    cJSON_Delete(there);
    return same || error_set(error, "%s: is the result of another run, %s", path, advice);
}

bool output_check_again(const char *path, const char *result, Error *error) {
    char schema[SCHEMA_NAME_MAX];
    return !is_file(path) || (find_schema(result, schema, error) && output_check(path, schema, error));
}

/* ---- What the command works with ---- */

bool output_spares(const char *option, const char *path, const char *file, Error *error) {
    bool same = false;
    if (is_file(path) && !file_write_replaces(path, file, &same, error))
        return false;
    return !same ||
           error_set(error, "%s: %.200s: the command needs this file itself, expected another one", option, path);
}

bool output_spares_games(const char *option, const char *path, const char *result, Error *error) {
    char records[FILE_PATH_MAX], packed[FILE_PATH_MAX + 4];
    if (!is_file(path))
        return true;
    if (!record_file_path(result, records, error))
        return false;
    snprintf(packed, sizeof packed, "%s.zst", records);
    return output_spares(option, path, records, error) && output_spares(option, path, packed, error);
}

bool output_spares_result(const char *option, const char *path, const char *result, Error *error) {
    return output_spares(option, path, result, error) && output_spares_games(option, path, result, error);
}

/* ---- Descriptions and settings ---- */

static bool spares_network(const char *option, const char *path, const char *network, Error *error) {
    char file[FILE_PATH_MAX];
    return !network[0] || !strcmp(network, PLAYER_PLAYOUTS) ||
           !network_find(network, file, NULL) || /* who loads it says why */
           output_spares(option, path, file, error);
}

bool output_spares_network(const char *option, const char *path, const Player *player, Error *error) {
    return spares_network(option, path, player->network, error);
}

/* A player's description: a string, as an option has it, or JSON. */
static bool spares_player(const char *option, const char *path, const cJSON *player, Error *error) {
    const char *network = cJSON_GetStringValue(json_get(player, "network"));
    if (cJSON_IsString(player))
        return output_spares_player(option, path, player->valuestring, error);
    return !network || spares_network(option, path, network, error);
}

static bool spares_settings(const char *option, const char *path, const cJSON *settings, Error *error) {
    const cJSON *player;
    bool good = spares_player(option, path, json_get(settings, "player"), error);
    cJSON_ArrayForEach(player, json_get(settings, "players")) good = good && spares_player(option, path, player, error);
    return good;
}

bool output_spares_player(const char *option, const char *path, const char *text, Error *error) {
    char file[FILE_PATH_MAX] = "a description";
    if (!is_file(path) || !text)
        return true;
    const PlayerText kind = player_text(&text);
    if (kind == PLAYER_COMMAND)
        return true;
    cJSON *json = player_text_load(kind, text, file, error);
    bool good = json && (kind == PLAYER_JSON || output_spares(option, path, file, error));
    if (good && cJSON_IsObject(json)) /* if not, who loads it says so */
        good = spares_player(option, path, json, error);
    cJSON_Delete(json);
    return good;
}

bool output_spares_settings(const char *option, const char *path, const char *folder, const char *name, Error *error) {
    char file[FILE_PATH_MAX];
    if (!is_file(path) || !name)
        return true;
    cJSON *json = json_load_config(folder, name, file, error);
    bool good = json && output_spares(option, path, file, error);
    if (good && cJSON_IsObject(json)) /* as above */
        good = spares_settings(option, path, json, error);
    cJSON_Delete(json);
    return good;
}
