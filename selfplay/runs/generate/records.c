/* See records.h. */
#define _DEFAULT_SOURCE /* scandir's alphasort; DT_ types are not used */
#include "selfplay/runs/generate/records.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/io/json.h"
#include "selfplay/io/line_file.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/record/record_file.h"
#include "selfplay/record/record_line.h"
#include "selfplay/runs/generate/dataset_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The games of a run ---- */

bool selfplay_boards_open(SelfplayBoards *boards, const SelfplayConfig *config, Error *error) {
    memset(boards, 0, sizeof *boards);
    for (int i = 0; i < config->size_count; i++) {
        const int size = (int)config->sizes[i].size;
        const GameOptions options = run_config_game(&config->run, size);
        boards->game[size] = game_new(&options, error);
        if (!boards->game[size])
            return false;
    }
    boards->seed = config->run.seed;
    strcpy(boards->player, config->player.name);
    return run_config_hash(&config->run, boards->run, error);
}

void selfplay_boards_close(SelfplayBoards *boards) {
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        game_free(boards->game[size]);
    memset(boards, 0, sizeof *boards);
}

static int64_t read_number(const char *id, size_t length) {
    size_t group;
    const int number = game_id_number(id, length, &group);
    const bool own = number >= 0 && group == strlen(SELFPLAY_GROUP) && !strncmp(id, SELFPLAY_GROUP, group);
    return own && number < SELFPLAY_GAMES_MAX ? number : -1;
}

int64_t selfplay_game_number(const char *id) {
    return read_number(id, strlen(id));
}

int64_t selfplay_line_number(const char *line) {
    static const char beginning[] = RECORD_LINE_BEGINNING;
    const char *id = line + strlen(beginning);
    return strncmp(line, beginning, strlen(beginning)) ? -1 : read_number(id, strcspn(id, "\""));
}

/* ---- Reading ---- */

/* Says which sizes there are: another --size is the usual reason. */
static bool refuse_size(const SelfplayBoards *boards, const char *source, const cJSON *size, Error *error) {
    char sizes[4 * HEXHEX_MAX_SIZE] = "", found[32] = "wrong or missing";
    size_t length = 0;
    for (int i = 0; i <= HEXHEX_MAX_SIZE; i++)
        if (boards->game[i])
            length += (size_t)snprintf(sizes + length, sizeof sizes - length, length ? ", %d" : "%d", i);
    if (cJSON_IsNumber(size))
        snprintf(found, sizeof found, "%g", size->valuedouble);
    return error_set(error, "%s: 'size' is %s, expected a size of this run (--size): %s", source, found, sizes);
}

/* Reads a parsed line as a game of this run. */
static bool read_game(const SelfplayBoards *boards, const char *source, const cJSON *json, GameRecord *record,
                      const Game **game, int64_t *number, Error *error) {
    const cJSON *size = json_get(json, "size"), *moves = json_get(json, "moves");
    if (!json_get(json, "searches") && !(cJSON_IsArray(moves) && !moves->child)) /* a game resigned at once has none */
        return error_set(
            error, "%s: its games hold no searches; sets are made only from records of `stigmergy selfplay`", source);
    const int index = cJSON_IsNumber(size) ? size->valueint : 0;
    *game = index >= 0 && index <= HEXHEX_MAX_SIZE ? boards->game[index] : NULL;
    if (!*game)
        return refuse_size(boards, source, size, error);
    if (!record_from_json(json, source, *game, record, error))
        return false;
    if (strcmp(record->run, boards->run))
        return error_set(error,
                         "%s: game %s belongs to another run (other settings, seed or program version): expected run "
                         "%s, found '%s'",
                         source, record->id, boards->run, record->run);
    *number = selfplay_game_number(record->id);
    if (*number < 0)
        return error_set(error, "%s: '%s' is no game of a data set, expected an id such as " SELFPLAY_GROUP "-17",
                         source, record->id);
    return record_has_origin(record, source, rng_split(boards->seed, (uint64_t)*number),
                             (const char *const[2]){boards->player, boards->player}, error);
}

bool selfplay_visit_text(const SelfplayBoards *boards, const char *source, const char *text, size_t length,
                         SelfplayVisitor *visitor, void *user, Error *error) {
    GameRecord record = {0};
    bool good = true;
    int line_number = 0;
    for (const char *line = text, *end; good && line < text + length; line = end + 1) {
        char where[FILE_PATH_MAX + 32];
        const Game *game = NULL;
        int64_t number = -1;
        end = memchr(line, '\n', (size_t)(text + length - line));
        if (!end)
            end = text + length;
        snprintf(where, sizeof where, "%s: line %d", source, ++line_number);
        cJSON *json = record_line_parse(line, (size_t)(end - line), where, error);
        good = json && read_game(boards, where, json, &record, &game, &number, error) &&
               visitor(user, game, number, &record, line, (size_t)(end - line), error);
        cJSON_Delete(json);
    }
    record_free(&record);
    return good;
}

/* ---- Files ---- */

/* Adds a file of a folder, or where that is NULL the file `name`. */
static bool add_file(SelfplayFiles *files, const char *folder, const char *name, Error *error) {
    char path[FILE_PATH_MAX];
    if (folder && !file_path_in(folder, name, path, error))
        return false;
    if (!list_grow(&files->paths, &files->capacity, files->count + 1, sizeof *files->paths) ||
        !(files->paths[files->count] = strdup(folder ? path : name)))
        return error_set(error, "%.80s: out of memory for its files", folder ? folder : name);
    files->count++;
    return true;
}

static int is_record_file(const struct dirent *entry) {
    return text_ends_with(entry->d_name, ".jsonl") || text_ends_with(entry->d_name, ".jsonl.zst");
}

/* Adds the files of a folder. *is_folder becomes false where there is none, which is no error. */
static bool add_folder(SelfplayFiles *files, const char *folder, bool *is_folder, Error *error) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_record_file, alphasort);
    *is_folder = count >= 0;
    bool good = count >= 0 || errno == ENOENT || errno == ENOTDIR ||
                error_set(error, "%s: cannot list its files: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        good = good && add_file(files, folder, entries[i]->d_name, error);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

bool selfplay_files_find(SelfplayFiles *files, const char *path, Error *error) {
    char records[FILE_PATH_MAX];
    *files = (SelfplayFiles){0};
    if (!file_path_in(path, DATASET_RECORDS, records, error))
        return false;
    bool has_records, is_folder;
    files->failed = !add_folder(files, records, &has_records, error) || !add_folder(files, path, &is_folder, error);
    if (files->failed)
        return false;
    if (!is_folder && !file_exists(path))
        return error_set(error, "%s: no such file or folder of records", path);
    if (!is_folder)
        return add_file(files, NULL, path, error);
    return files->count > 0 || error_set(error, "%s: holds no records, expected .jsonl or .jsonl.zst files", path);
}

void selfplay_files_free(SelfplayFiles *files) {
    for (int i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (SelfplayFiles){0};
}

/* Says why a text could not be read, where it is one result, which has many lines. */
static void explain_result(const char *path, const char *text, size_t length, Error *error) {
    Error unused;
    cJSON *json = json_parse(text, length, path, &unused);
    record_no_result(json, path, error);
    cJSON_Delete(json);
}

bool selfplay_files_visit(const SelfplayFiles *files, const SelfplayBoards *boards, SelfplayVisitor *visitor,
                          void *user, Error *error) {
    for (int i = 0; i < files->count; i++) {
        const char *path = files->paths[i];
        size_t length;
        char *text = (text_ends_with(path, ".zst") ? zstd_file_read : line_file_read)(path, &length, error);
        const bool good = text && selfplay_visit_text(boards, path, text, length, visitor, user, error);
        if (text && !good)
            explain_result(path, text, length, error);
        free(text);
        if (!good)
            return false;
    }
    return true;
}
