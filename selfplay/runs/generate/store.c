/* See store.h. */
#include "selfplay/runs/generate/store.h"

#include "engine/base/list.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/record/record_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where a game is. */
enum { MISSING, OPEN, PACKED };

/* ---- Numbers and blocks ---- */

/* The games of a shard are counted without those of the others. */
static int64_t index_of(const GameStore *store, int64_t number) {
    return shard_spec_whole(store->shard) ? number : number / store->shard.count;
}

static int64_t block_of(const GameStore *store, int64_t number) {
    return index_of(store, number) / GAME_STORE_BLOCK;
}

static void block_path(const GameStore *store, int64_t block, char out[FILE_PATH_MAX]) {
    snprintf(out, FILE_PATH_MAX, "%s/records/games-%06lld.jsonl.zst", store->folder, (long long)block);
}

bool game_store_has(const GameStore *store, int64_t number) {
    const int64_t index = index_of(store, number);
    return index < store->capacity && store->places[index] != MISSING;
}

int64_t game_store_end(const GameStore *store) {
    int64_t index = store->capacity - 1;
    while (index >= 0 && store->places[index] == MISSING)
        index--;
    if (index < 0)
        return 0;
    return shard_spec_whole(store->shard) ? index + 1 : index * store->shard.count + store->shard.index + 1;
}

static bool block_complete(const GameStore *store, int64_t block) {
    const int64_t end = (block + 1) * GAME_STORE_BLOCK;
    for (int64_t i = end - GAME_STORE_BLOCK; i < end; i++)
        if (i >= store->capacity || store->places[i] == MISSING)
            return false;
    return true;
}

/* Makes room for the place of a game. */
static bool make_place(GameStore *store, int64_t number, Error *error) {
    const int64_t index = index_of(store, number);
    if (index < store->capacity)
        return true;
    const int64_t capacity = 2 * index + 1024;
    uint8_t *places = realloc(store->places, (size_t)capacity);
    if (!places)
        return error_set(error, "out of memory for %lld games", (long long)capacity);
    memset(places + store->capacity, MISSING, (size_t)(capacity - store->capacity));
    store->places = places;
    store->capacity = capacity;
    return true;
}

static bool enter(GameStore *store, int64_t number, uint8_t place, Error *error) {
    if (!make_place(store, number, error))
        return false;
    store->places[index_of(store, number)] = place;
    store->played++;
    return true;
}

/* ---- Lines ---- */

static const char line_beginning[] = RECORD_LINE_BEGINNING;

/* The lines of a block in the order of their games. */
typedef struct BlockLines {
    const char *line[GAME_STORE_BLOCK];
    size_t length[GAME_STORE_BLOCK];
} BlockLines;

/* The number of the game of a line that was checked before. */
static int64_t line_number(const char *line) {
    char id[RECORD_ID_MAX];
    const char *begin = line + sizeof line_beginning - 1, *end = strchr(begin, '"');
    snprintf(id, sizeof id, "%.*s", (int)(end - begin), begin);
    return selfplay_game_number(id);
}

static void collect_lines(const GameStore *store, int64_t block, const char *text, size_t length, BlockLines *lines) {
    for (const char *line = text, *end; line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        const int64_t number = line_number(line), slot = index_of(store, number) % GAME_STORE_BLOCK;
        if (block_of(store, number) != block)
            continue;
        lines->line[slot] = line;
        lines->length[slot] = (size_t)(end - line) + 1;
    }
}

/* Writes the lines of a block one behind the other; returns where they end. */
static char *join_lines(const BlockLines *lines, char *out) {
    for (int i = 0; i < GAME_STORE_BLOCK; i++)
        if (lines->line[i]) {
            memcpy(out, lines->line[i], lines->length[i]);
            out += lines->length[i];
        }
    return out;
}

/* Writes those lines of open games whose games are not packed; returns where they end. */
static char *keep_open_lines(const GameStore *store, const char *text, size_t length, char *out) {
    for (const char *line = text, *end; line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        if (store->places[index_of(store, line_number(line))] != OPEN)
            continue;
        memcpy(out, line, (size_t)(end - line) + 1);
        out += end - line + 1;
    }
    return out;
}

/* ---- Packing ---- */

static bool has_packed(const GameStore *store, int64_t block) {
    bool found = false;
    for (int64_t i = block * GAME_STORE_BLOCK; i < (block + 1) * GAME_STORE_BLOCK && i < store->capacity; i++)
        found |= store->places[i] == PACKED;
    return found;
}

/* Reads the lines of all open games: those of the open file, and those that were taken over. */
static char *read_open_lines(const GameStore *store, size_t *length, Error *error) {
    char *text = file_read(store->open.path, length, error);
    char *all = text ? realloc(text, *length + store->taken_length + 1) : NULL;
    if (!all) {
        if (text)
            error_set(error, "%s: out of memory for its lines", store->open.path);
        free(text);
        return NULL;
    }
    if (store->taken_length > 0)
        memcpy(all + *length, store->taken, store->taken_length);
    *length += store->taken_length;
    return all;
}

/* Packs the block with the lines of `text` (of the open games) and those that were packed before. */
static bool pack_lines(GameStore *store, int64_t block, const char *text, size_t length, Error *error) {
    char path[FILE_PATH_MAX];
    size_t packed_length = 0;
    BlockLines lines = {{0}, {0}};
    block_path(store, block, path);
    const bool exists = has_packed(store, block);
    char *packed = exists ? zstd_file_read(path, &packed_length, error) : calloc(1, 1);
    char *all = packed ? malloc(length + packed_length + 1) : NULL;
    bool good = all != NULL;
    if (!all && (packed || !exists))
        error_set(error, "out of memory to pack %s", path);
    if (good) {
        collect_lines(store, block, text, length, &lines);
        collect_lines(store, block, packed, packed_length, &lines);
        good = zstd_file_write(path, all, (size_t)(join_lines(&lines, all) - all), error);
    }
    for (int64_t i = 0; good && i < GAME_STORE_BLOCK; i++)
        if (lines.line[i])
            store->places[block * GAME_STORE_BLOCK + i] = PACKED;
    free(all);
    free(packed);
    return good;
}

/* Packs the blocks from `begin` on up to before `end` that have open games, and leaves the rest of the lines open. */
static bool pack(GameStore *store, int64_t begin, int64_t end, Error *error) {
    size_t length;
    char *text = read_open_lines(store, &length, error);
    char *rest = text ? malloc(length + 1) : NULL;
    bool good = rest != NULL;
    if (text && !rest)
        error_set(error, "%s: out of memory for its lines", store->open.path);
    for (int64_t block = begin; good && block < end; block++) {
        bool has_open = false;
        for (int64_t i = block * GAME_STORE_BLOCK; i < (block + 1) * GAME_STORE_BLOCK && i < store->capacity; i++)
            has_open |= store->places[i] == OPEN;
        good = !has_open || pack_lines(store, block, text, length, error);
    }
    if (good) {
        const size_t left = (size_t)(keep_open_lines(store, text, length, rest) - rest);
        good = left == length || line_file_replace(&store->open, rest, left, error);
        if (good && left < length)
            store->taken_length = 0; /* all is in a file */
    }
    free(rest);
    free(text);
    return good;
}

/* ---- Adding ---- */

/* Enters a game whose line is there, and packs its block if it is complete. */
static bool enter_open(GameStore *store, int64_t number, Error *error) {
    const int64_t block = block_of(store, number);
    return enter(store, number, OPEN, error) && (!block_complete(store, block) || pack(store, block, block + 1, error));
}

bool game_store_add(GameStore *store, int64_t number, const Game *game, const GameRecord *record, Error *error) {
    char *line = record_to_line(record, game, error);
    const bool good =
        line && line_file_append(&store->open, line, strlen(line), true, error) && enter_open(store, number, error);
    free(line);
    return good;
}

bool game_store_takes_line(const char *line) {
    return !strncmp(line, line_beginning, sizeof line_beginning - 1);
}

bool game_store_take_line(GameStore *store, int64_t number, const char *line, size_t length, Error *error) {
    if (!list_grow_bytes(&store->taken, &store->taken_capacity, store->taken_length + length + 1))
        return error_set(error, "out of memory for the record of a game");
    memcpy(store->taken + store->taken_length, line, length);
    store->taken[store->taken_length + length] = '\n';
    store->taken_length += length + 1;
    return enter_open(store, number, error);
}

bool game_store_finish(GameStore *store, Error *error) {
    return pack(store, 0, (store->capacity + GAME_STORE_BLOCK - 1) / GAME_STORE_BLOCK, error);
}

/* ---- Opening ---- */

/* A file that is being read back. */
typedef struct Reading {
    GameStore *store;
    const char *path;
    bool packed;
    int64_t block, previous;
} Reading;

static bool enter_game(void *user, const Game *game, int64_t number, const GameRecord *record, const char *line,
                       size_t length, Error *error) {
    Reading *reading = user;
    GameStore *store = reading->store;
    (void)game, (void)record, (void)length;
    if (!game_store_takes_line(line))
        return error_set(error, "%s: game %lld: its line does not begin with its id", reading->path, (long long)number);
    if (!shard_spec_has(store->shard, number))
        return error_set(error, "%s: game %lld is not of shard %d/%d", reading->path, (long long)number,
                         store->shard.index, store->shard.count);
    if (reading->packed) {
        if (block_of(store, number) != reading->block || number <= reading->previous)
            return error_set(error, "%s: game %lld is out of place", reading->path, (long long)number);
        reading->previous = number;
        return enter(store, number, PACKED, error);
    }
    if (!game_store_has(store, number))
        return enter(store, number, OPEN, error);
    store->repeated += store->places[index_of(store, number)] == OPEN;
    return true;
}

static bool read_block(GameStore *store, const char *path, Error *error) {
    size_t length;
    const char *name = strrchr(path, '/') + 1;
    char expected[FILE_PATH_MAX];
    Reading reading = {.store = store, .path = path, .packed = true, .previous = -1};
    reading.block = strncmp(name, "games-", 6) ? 0 : atoll(name + 6);
    block_path(store, reading.block, expected);
    if (strcmp(path, expected))
        return error_set(error, "%s: is no file of a data set, expected names such as games-000000.jsonl.zst", path);
    char *text = zstd_file_read(path, &length, error);
    const bool whole = text && (length == 0 || text[length - 1] == '\n' ||
                                error_set(error, "%s: is damaged: its last line has no end", path));
    const bool good = whole && selfplay_visit_text(store->boards, path, text, length, enter_game, &reading, error);
    free(text);
    return good;
}

static bool read_blocks(GameStore *store, Error *error) {
    char folder[FILE_PATH_MAX];
    SelfplayFiles files;
    snprintf(folder, sizeof folder, "%s/records", store->folder);
    bool good = selfplay_files_find(&files, folder, error) || !files.failed; /* an empty folder is fine */
    for (int i = 0; i < files.count && good; i++)
        good = read_block(store, files.paths[i], error);
    selfplay_files_free(&files);
    return good;
}

static bool read_open(GameStore *store, Error *error) {
    const char *path = store->open.path;
    size_t size = 0;
    Reading reading = {.store = store, .path = path};
    char *text = file_read(path, &size, error);
    size_t length = size;
    const bool good = text && record_lines_whole(path, text, &length, error) &&
                      selfplay_visit_text(store->boards, path, text, length, enter_game, &reading, error);
    free(text);
    store->torn = length < size;
    return good && (!store->torn || line_file_cut(&store->open, length, error));
}

static bool make_folder(const char *path, bool *made, Error *error) {
    const bool there = file_exists(path), good = file_make_folder(path, error);
    *made = good && !there;
    return good;
}

/* Removes the open file if it is empty, and the folders that were made for games that never came. What is not empty
 * stays. Only the process that holds the open file may do that: others wait for it, or have lost to it. */
static bool remove_empty(GameStore *store, Error *error) {
    char path[FILE_PATH_MAX];
    if (store->open.descriptor < 0)
        return true;
    snprintf(path, sizeof path, "%s/records", store->folder);
    if (store->made_records)
        rmdir(path);
    const bool good = line_file_remove_empty(&store->open, error);
    if (store->made_folder)
        rmdir(store->folder);
    return good;
}

bool game_store_open(GameStore *store, const char *folder, const SelfplayBoards *boards, ShardSpec shard,
                     Error *error) {
    char path[FILE_PATH_MAX];
    *store = (GameStore){.boards = boards, .shard = shard, .open = {.descriptor = -1}};
    if (snprintf(store->folder, sizeof store->folder, "%s", folder) >= (int)sizeof store->folder)
        return error_set(error, "%.80s...: the path is too long", folder);
    snprintf(path, sizeof path, "%s/games.jsonl", store->folder);
    if (!make_folder(store->folder, &store->made_folder, error) || !line_file_open(&store->open, path, error))
        return false;
    snprintf(path, sizeof path, "%s/records", store->folder);
    return make_folder(path, &store->made_records, error) && read_blocks(store, error) && read_open(store, error);
}

bool game_store_close(GameStore *store, Error *error) {
    const bool removed = remove_empty(store, error);
    const bool closed = line_file_close(&store->open, removed ? error : NULL);
    free(store->taken);
    free(store->places);
    *store = (GameStore){.open = {.descriptor = -1}};
    return removed && closed;
}
