/* See store.h. */
#include "selfplay/runs/generate/store.h"

#include "selfplay/io/zstd_file.h"
#include "selfplay/record/record_line.h"
#include "selfplay/runs/generate/dataset_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where a game is. */
enum { MISSING, OPEN, TAKEN, PACKED };

/* ---- Numbers and blocks ---- */

/* The games of a shard are counted without those of the others. */
static int64_t index_of(const GameStore *store, int64_t number) {
    return shard_spec_whole(store->shard) ? number : number / store->shard.count;
}

static int64_t block_of(const GameStore *store, int64_t number) {
    return index_of(store, number) / GAME_STORE_BLOCK;
}

static void block_path(const GameStore *store, int64_t block, char out[FILE_PATH_MAX]) {
    snprintf(out, FILE_PATH_MAX, "%s/" DATASET_RECORDS "/games-%06lld.jsonl.zst", store->folder, (long long)block);
}

bool game_store_has(const GameStore *store, int64_t number) {
    const int64_t index = index_of(store, number);
    return index < store->capacity && store->places[index] != MISSING;
}

/* How many games of a block are in a place. */
static int count_in(const GameStore *store, int64_t block, uint8_t place) {
    const int64_t end = (block + 1) * GAME_STORE_BLOCK;
    int count = 0;
    for (int64_t i = end - GAME_STORE_BLOCK; i < end; i++)
        count += (i < store->capacity ? store->places[i] : MISSING) == place;
    return count;
}

/* Makes room for the place of a game. */
static bool make_place(GameStore *store, int64_t number, Error *error) {
    const int64_t index = index_of(store, number);
    if (index < store->capacity)
        return true;
    const int64_t capacity = 2 * index + 1024;
    uint8_t *places = realloc(store->places, (size_t)capacity);
    if (places)
        store->places = places;
    char **taken = places ? realloc(store->taken, (size_t)capacity * sizeof *taken) : NULL;
    if (!taken)
        return error_set(error, "out of memory for %lld games", (long long)capacity);
    for (int64_t i = store->capacity; i < capacity; i++) {
        places[i] = MISSING;
        taken[i] = NULL;
    }
    store->taken = taken;
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

/* Notes in `lines`, which has a place for each game of the blocks from `begin` to before `end`, where their lines begin
 * in a text that was checked before. */
static void note_lines(const GameStore *store, const char *text, size_t length, int64_t begin, int64_t end,
                       const char **lines) {
    const int64_t first = begin * GAME_STORE_BLOCK, last = end * GAME_STORE_BLOCK;
    for (const char *line = text; line < text + length; line = strchr(line, '\n') + 1) {
        const int64_t index = index_of(store, selfplay_line_number(line));
        if (index >= first && index < last)
            lines[index - first] = line;
    }
}

static size_t line_length(const char *line) {
    return line ? (size_t)(strchr(line, '\n') - line) + 1 : 0;
}

/* The lines of a block, one behind the other. NULL without memory. */
static char *join_lines(const char *const lines[GAME_STORE_BLOCK], size_t *length) {
    *length = 0;
    for (int i = 0; i < GAME_STORE_BLOCK; i++)
        *length += line_length(lines[i]);
    char *text = malloc(*length + 1), *end = text;
    for (int i = 0; text && i < GAME_STORE_BLOCK; i++)
        if (lines[i]) {
            memcpy(end, lines[i], line_length(lines[i]));
            end += line_length(lines[i]);
        }
    return text;
}

/* Writes those lines of the open file whose games are not packed; returns where they end. */
static char *keep_open_lines(const GameStore *store, const char *text, size_t length, char *out) {
    for (const char *line = text; line < text + length; line += line_length(line)) {
        if (store->places[index_of(store, selfplay_line_number(line))] != OPEN)
            continue;
        memcpy(out, line, line_length(line));
        out += line_length(line);
    }
    return out;
}

/* ---- Packing ---- */

/* The games with these lines are packed. */
static void enter_packed(GameStore *store, int64_t block, const char *const lines[GAME_STORE_BLOCK]) {
    for (int64_t i = 0, index = block * GAME_STORE_BLOCK; i < GAME_STORE_BLOCK; i++, index++) {
        if (!lines[i])
            continue;
        store->places[index] = PACKED;
        free(store->taken[index]);
        store->taken[index] = NULL;
    }
}

/* Packs a block: its lines in the open file, which are in `lines` already, those that were taken over, and those that
 * were packed before. */
static bool pack_block(GameStore *store, int64_t block, const char *lines[GAME_STORE_BLOCK], Error *error) {
    char path[FILE_PATH_MAX], *packed = NULL;
    size_t length = 0;
    block_path(store, block, path);
    if (count_in(store, block, PACKED) > 0 && !(packed = zstd_file_read(path, &length, error)))
        return false;
    if (packed)
        note_lines(store, packed, length, block, block + 1, lines);
    for (int64_t i = 0, index = block * GAME_STORE_BLOCK; i < GAME_STORE_BLOCK && index < store->capacity; i++, index++)
        if (store->taken[index])
            lines[i] = store->taken[index];
    char *text = join_lines(lines, &length);
    const bool good =
        text ? zstd_file_write(path, text, length, error) : error_set(error, "out of memory to pack %s", path);
    if (good)
        enter_packed(store, block, lines);
    free(text);
    free(packed);
    return good;
}

/* Packs the blocks from `begin` on up to before `end` that have games which are not packed. `text` is the open file. */
static bool pack_blocks(GameStore *store, int64_t begin, int64_t end, const char *text, size_t length, Error *error) {
    const char **lines = calloc((size_t)((end - begin) * GAME_STORE_BLOCK) + 1, sizeof *lines);
    bool good = lines || error_set(error, "%s: out of memory for its lines", store->open.path);
    if (good)
        note_lines(store, text, length, begin, end, lines);
    for (int64_t block = begin; good && block < end; block++)
        if (count_in(store, block, OPEN) + count_in(store, block, TAKEN) > 0)
            good = pack_block(store, block, lines + (block - begin) * GAME_STORE_BLOCK, error);
    free(lines);
    return good;
}

/* The same, and leaves the rest of the lines in the open file. */
static bool pack(GameStore *store, int64_t begin, int64_t end, Error *error) {
    size_t length;
    char *text = file_read(store->open.path, &length, error);
    char *rest = text ? malloc(length + 1) : NULL;
    bool good = rest != NULL;
    if (text && !rest)
        error_set(error, "%s: out of memory for its lines", store->open.path);
    good = good && pack_blocks(store, begin, end, text, length, error);
    if (good) {
        const size_t left = (size_t)(keep_open_lines(store, text, length, rest) - rest);
        good = left == length || line_file_replace(&store->open, rest, left, error);
    }
    free(rest);
    free(text);
    return good;
}

/* ---- Adding ---- */

bool game_store_add(GameStore *store, int64_t number, const Game *game, const GameRecord *record, Error *error) {
    char *line = record_to_line(record, game, error);
    const int64_t block = block_of(store, number);
    const bool good = line && line_file_append(&store->open, line, strlen(line), error) &&
                      enter(store, number, OPEN, error) &&
                      (count_in(store, block, MISSING) > 0 || pack(store, block, block + 1, error));
    free(line);
    return good;
}

bool game_store_take_line(GameStore *store, int64_t number, const char *line, size_t length, Error *error) {
    const int64_t block = block_of(store, number);
    char *own = malloc(length + 2);
    if (!own)
        return error_set(error, "out of memory for the record of a game");
    memcpy(own, line, length);
    memcpy(own + length, "\n", 2);
    if (!enter(store, number, TAKEN, error)) {
        free(own);
        return false;
    }
    store->taken[index_of(store, number)] = own;
    /* What is in the open file too is packed in the end, where that is read once for all blocks. */
    const char *lines[GAME_STORE_BLOCK] = {NULL};
    return count_in(store, block, MISSING) + count_in(store, block, OPEN) > 0 || pack_block(store, block, lines, error);
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

static bool enter_game(void *user, const SelfplayFound *found, Error *error) {
    Reading *reading = user;
    GameStore *store = reading->store;
    const int64_t number = found->number;
    if (selfplay_line_number(found->line) != number)
        return error_set(
            error,
            "%s: game %lld: its line does not begin with its id, expected " RECORD_LINE_BEGINNING SELFPLAY_GROUP
            "-%lld\" without spaces; --from %s --out OTHER writes it so",
            reading->path, (long long)number, (long long)number, store->folder);
    if (!shard_spec_has(store->shard, number))
        return error_set(error, "%s: game %lld is not of shard %d/%d", reading->path, (long long)number,
                         store->shard.index, store->shard.count);
    store->end = number < store->end ? store->end : number + 1;
    const bool is_of_run = number < store->games; /* any other number would need memory for all games below it */
    if (reading->packed) {
        if (block_of(store, number) != reading->block || number <= reading->previous)
            return error_set(error, "%s: game %lld is out of place", reading->path, (long long)number);
        reading->previous = number;
        return !is_of_run || enter(store, number, PACKED, error);
    }
    if (!game_store_has(store, number))
        return !is_of_run || enter(store, number, OPEN, error);
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
    RecordFiles files;
    snprintf(folder, sizeof folder, "%s/" DATASET_RECORDS, store->folder);
    bool good = record_files_find(&files, folder, error) || !files.failed; /* an empty folder is fine */
    for (int i = 0; i < files.count && good; i++)
        good = read_block(store, files.paths[i], error);
    record_files_free(&files);
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
    snprintf(path, sizeof path, "%s/" DATASET_RECORDS, store->folder);
    if (store->made_records)
        rmdir(path);
    const bool good = line_file_remove_empty(&store->open, error);
    if (store->made_folder)
        rmdir(store->folder);
    return good;
}

bool game_store_open(GameStore *store, const char *folder, const SelfplayBoards *boards, ShardSpec shard, int64_t games,
                     Error *error) {
    char path[FILE_PATH_MAX];
    *store = (GameStore){.boards = boards, .shard = shard, .games = games, .open = {.descriptor = -1}};
    if (snprintf(store->folder, sizeof store->folder, "%s", folder) >= (int)sizeof store->folder)
        return error_set(error, "%.80s...: the path is too long", folder);
    snprintf(path, sizeof path, "%s/" DATASET_OPEN_GAMES, store->folder);
    if (!make_folder(store->folder, &store->made_folder, error) || !line_file_open(&store->open, path, error))
        return false;
    snprintf(path, sizeof path, "%s/" DATASET_RECORDS, store->folder);
    return make_folder(path, &store->made_records, error) && read_blocks(store, error) && read_open(store, error);
}

bool game_store_close(GameStore *store, Error *error) {
    const bool removed = remove_empty(store, error);
    const bool closed = line_file_close(&store->open, removed ? error : NULL);
    for (int64_t i = 0; i < store->capacity; i++)
        free(store->taken[i]);
    free(store->taken);
    free(store->places);
    *store = (GameStore){.open = {.descriptor = -1}};
    return removed && closed;
}
