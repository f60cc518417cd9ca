/* See dataset.h. In this order: what a game adds, adding a file, the pass over the records, building, checking. */
#include "selfplay/dataset/dataset.h"

#include "engine/base/list.h"
#include "selfplay/dataset/card.h"
#include "selfplay/dataset/folder.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/dataset/rows.h"
#include "selfplay/dataset/stamp.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/record/board_text.h"

#include <stdio.h>
#include <stdlib.h>

/* The pass over the records of one board size. */
typedef struct Pass {
    Dataset *dataset;
    const Game *game;
    DatasetPart *part;
    DatasetRows *rows;
    bool check; /* the files of arrays: they are compared instead of written */
    int shards;
    uint64_t *hashes; /* of each game, up to symmetry */
    int64_t hash_capacity;
    int64_t previous; /* number of the previous game */
} Pass;

/* ---- What a game adds ---- */

/* The positions of a game at one third, at two thirds, and at its end. False without memory. */
static bool draw_samples(const Game *game, const GameRecord *record, char out[DATASET_SAMPLE_MAX]) {
    GameState state;
    FILE *text = fmemopen(out, DATASET_SAMPLE_MAX, "w");
    if (!text)
        return false;
    game->rules->start(game, &state, record->komi);
    for (int i = 1; i <= record->count; i++) {
        game->rules->apply(game, &state, record->actions[i - 1]);
        if (i != record->count / 3 && i != 2 * record->count / 3 && i != record->count)
            continue;
        board_text_print(game, &state, record->komi, text);
        fputs(i < record->count ? "\n" : "", text);
    }
    const bool good = !ferror(text);
    const bool closed = fclose(text) == 0;
    out[DATASET_SAMPLE_MAX - 1] = '\0';
    return good && closed;
}

static bool add_hash(Pass *pass, uint64_t hash, Error *error) {
    if (pass->part->games == pass->hash_capacity) {
        const int64_t capacity = 2 * pass->hash_capacity + 1024;
        uint64_t *hashes = realloc(pass->hashes, (size_t)capacity * sizeof *hashes);
        if (!hashes)
            return error_set(error, "out of memory for %lld games", (long long)capacity);
        pass->hashes = hashes;
        pass->hash_capacity = capacity;
    }
    pass->hashes[pass->part->games] = hash;
    return true;
}

static bool count_game(Pass *pass, const GameRecord *record, Error *error) {
    DatasetPart *part = pass->part;
    if (!add_hash(pass, record_canonical_hash(record, pass->game), error))
        return false;
    if (part->games == 0) {
        part->komi_low = part->komi_high = record->komi;
        if (!draw_samples(pass->game, record, part->samples))
            return error_set(error, "out of memory for the samples of a data set");
    }
    part->games++;
    part->positions += record->count;
    for (int i = 0; i < record->searches.count; i++) {
        part->rows += record->searches.entries[i].kind != SEARCH_NONE;
        part->full += record->searches.entries[i].kind == SEARCH_FULL;
    }
    const double margin = pass->game->has_points ? 0.5 * record->result.half_points : 0;
    part->black_wins += record->result.winner == BLACK;
    part->resigned += end_is_forfeit(record->reason);
    part->even_games += !komi_has_button(record->komi);
    part->komi_low = record->komi < part->komi_low ? record->komi : part->komi_low;
    part->komi_high = record->komi > part->komi_high ? record->komi : part->komi_high;
    part->komi_sum += record->komi;
    part->margin_sum += margin; /* 0 where the game was resigned, and in games without points */
    part->margin_squares += margin * margin;
    return true;
}

static int compare_hashes(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void count_distinct(Pass *pass) {
    const int64_t games = pass->part->games;
    if (games > 0)
        qsort(pass->hashes, (size_t)games, sizeof *pass->hashes, compare_hashes);
    for (int64_t i = 0; i < games; i++)
        pass->part->distinct_games += i == 0 || pass->hashes[i] != pass->hashes[i - 1];
}

/* ---- Adding a file ---- */

static DatasetFile *add_file(Dataset *dataset, const char *path, Error *error) {
    DatasetFiles *files = &dataset->files;
    if (!list_grow(&files->items, &files->capacity, files->count + 1, sizeof *files->items)) {
        error_set(error, "out of memory for the files of a data set");
        return NULL;
    }
    DatasetFile *file = &files->items[files->count];
    *file = (DatasetFile){0};
    snprintf(file->path, sizeof file->path, "%s", path);
    char whole[FILE_PATH_MAX];
    if (!file_path_in(dataset->folder, path, whole, error) || !dataset_hash_file(whole, file, error))
        return NULL;
    files->count++;
    return file;
}

/* Writes a complete file of arrays, or compares it with the file in the folder. */
static bool add_shard(Dataset *dataset, const DatasetRows *rows, const char *path, bool check, Error *error) {
    NpzArray arrays[DATASET_ARRAYS_MAX];
    char whole[FILE_PATH_MAX];
    size_t length;
    const int count = dataset_rows_arrays(rows, arrays);
    if (!file_path_in(dataset->folder, path, whole, error))
        return false;
    char *bytes = check ? file_read(whole, &length, error) : npz_pack(whole, arrays, count, &length, error);
    const bool good = bytes && (check ? npz_compare(whole, bytes, length, arrays, count, error)
                                      : file_write(whole, bytes, length, error));
    free(bytes);
    DatasetFile *file = good ? add_file(dataset, path, error) : NULL;
    if (!file)
        return false;
    file->rows = (int64_t)dataset_rows_count(rows);
    file->size = dataset_rows_board(rows)->size;
    return true;
}

/* ---- The pass ---- */

static bool end_shard(Pass *pass, Error *error) {
    char path[DATASET_PATH_MAX];
    if (dataset_rows_count(pass->rows) == 0)
        return true;
    dataset_shard_path(pass->game, pass->shards++, path);
    const bool good = add_shard(pass->dataset, pass->rows, path, pass->check, error);
    dataset_rows_clear(pass->rows);
    return good;
}

static bool add_game(void *user, const SelfplayFound *found, Error *error) {
    Pass *pass = user;
    if (stop_flag_is_set(pass->dataset->stop))
        return error_set(error, "%s: stopped before the set was complete", pass->dataset->folder);
    if (found->game != pass->game)
        return true;
    if (found->number <= pass->previous)
        return error_set(error, "%s/" DATASET_RECORDS ": game %lld is there twice or out of place",
                         pass->dataset->folder, (long long)found->number);
    pass->previous = found->number;
    if (!count_game(pass, found->record, error) || !dataset_rows_add(pass->rows, found->record, found->number, error))
        return false;
    return (int64_t)dataset_rows_count(pass->rows) < pass->dataset->document->config.rows || end_shard(pass, error);
}

static bool pass_over(Dataset *dataset, const RecordFiles *records, int size, bool check, Error *error) {
    Pass pass = {.dataset = dataset,
                 .game = dataset->boards->game[size],
                 .part = &dataset->parts[size],
                 .check = check,
                 .previous = -1};
    *pass.part = (DatasetPart){.size = size};
    pass.rows = dataset_rows_new(pass.game, error);
    const bool good =
        pass.rows && selfplay_files_visit(records, dataset->boards, add_game, &pass, error) && end_shard(&pass, error);
    if (good)
        count_distinct(&pass);
    free(pass.hashes);
    dataset_rows_free(pass.rows);
    return good;
}

/* With `check` the files of arrays are compared, otherwise written. Makes one pass for each size, so memory is needed
 * only for the rows of one file. */
static bool pass_over_all(Dataset *dataset, const RecordFiles *records, bool check, Error *error) {
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        if (dataset->boards->game[size] && !pass_over(dataset, records, size, check, error))
            return false;
    return true;
}

/* ---- Files ---- */

static bool add_record_files(Dataset *dataset, const RecordFiles *records, Error *error) {
    for (int i = 0; i < records->count; i++)
        if (!add_file(dataset, records->paths[i] + strlen(dataset->folder) + 1, error))
            return false;
    return true;
}

static bool find_records(const char *folder, RecordFiles *records, Error *error) {
    char path[FILE_PATH_MAX];
    return file_path_in(folder, DATASET_RECORDS, path, error) && record_files_find(records, path, error);
}

void dataset_free(Dataset *dataset) {
    free(dataset->files.items);
    dataset->files = (DatasetFiles){0};
}

/* ---- Building ---- */

/* *own: whether the program has written this text, and nobody has changed it since. */
static bool is_own_text(const char *path, bool *own, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    const bool read = text != NULL;
    const bool good = read && dataset_stamp_check(text, own);
    *own = good && *own && strlen(text) == length;
    free(text);
    return good || (read && error_set(error, "%s: out of memory", path));
}

/* Keeps a copy of a text that is going to be replaced, if it is somebody's. */
static bool keep_text(const char *path, Error *kept, Error *error) {
    bool own = true;
    if (file_exists(path) && !is_own_text(path, &own, error))
        return false;
    if (own)
        return true;
    error_set(kept, "%s: is not what the program wrote", path);
    return document_set_aside(path, "from the records", kept, error);
}

static bool remove_manifest(const char *folder, Error *error) {
    char path[FILE_PATH_MAX];
    return file_path_in(folder, DATASET_MANIFEST, path, error) && file_remove(path, error);
}

/* Removes a text without a stamp that the manifest names: a version of the program that had no stamps wrote it. */
static bool drop_unstamped(const char *folder, const char *name, Error *error) {
    char path[FILE_PATH_MAX];
    bool named, own;
    if (!file_path_in(folder, name, path, error) || !dataset_text_is_named(folder, name, &named, error))
        return false;
    return !named || (is_own_text(path, &own, error) && (own || file_remove(path, error)));
}

bool dataset_invalidate(const char *folder, Error *error) {
    for (int i = 0; i < DATASET_TEXTS; i++)
        if (!drop_unstamped(folder, dataset_documents[i], error))
            return false;
    return remove_manifest(folder, error);
}

static bool make_shard_folder(const char *folder, Error *error) {
    char path[FILE_PATH_MAX];
    return file_path_in(folder, DATASET_SHARDS, path, error) && file_make_folder(path, error);
}

/* Writes one of the texts, which was made for the set, and frees it. */
static bool write_text(Dataset *dataset, int number, char *text, Error *error) {
    char path[FILE_PATH_MAX];
    const bool good = text && file_path_in(dataset->folder, dataset_documents[number], path, error) &&
                      keep_text(path, &dataset->kept[number], error) && file_write(path, text, strlen(text), error) &&
                      add_file(dataset, dataset_documents[number], error);
    free(text);
    return good;
}

static bool build(Dataset *dataset, const RecordFiles *records, Error *error) {
    return add_record_files(dataset, records, error) && pass_over_all(dataset, records, false, error) &&
           dataset_sweep(dataset, error) && write_text(dataset, 0, dataset_card_text(dataset, error), error) &&
           write_text(dataset, 1, dataset_croissant_text(dataset, error), error) &&
           add_file(dataset, DATASET_RUN, error) && dataset_manifest_write(dataset, error);
}

bool dataset_build(Dataset *dataset, Error *error) {
    RecordFiles records = {0};
    const bool good = dataset_has_no_links(dataset->folder, error) && remove_manifest(dataset->folder, error) &&
                      make_shard_folder(dataset->folder, error) && find_records(dataset->folder, &records, error) &&
                      build(dataset, &records, error);
    record_files_free(&records);
    return good;
}

/* ---- Checking ---- */

/* Checks everything that follows from the records, in the order of `build`. */
static bool check_contents(Dataset *dataset, const RecordFiles *records, Error *error) {
    bool good = add_record_files(dataset, records, error) && pass_over_all(dataset, records, true, error);
    for (int i = 0; i < DATASET_DOCUMENTS - 1 && good; i++) /* all but the manifest */
        good = add_file(dataset, dataset_documents[i], error);
    return good && dataset_has_no_strangers(dataset, error) && dataset_manifest_check(dataset, error);
}

bool dataset_check(Dataset *dataset, const char *folder, SelfplayBoards *boards, SelfplayDocument *document,
                   Error *error) {
    RecordFiles records = {0};
    *dataset = (Dataset){.folder = folder, .boards = boards, .document = document};
    memset(boards, 0, sizeof *boards);
    /* The hashes come first, because they are the quickest way to find damage. */
    bool good = dataset_manifest_load(folder, document, error) && dataset_manifest_check_files(folder, error) &&
                selfplay_boards_open(boards, &document->config, error);
    if (good && strcmp(boards->run, document->run))
        good = error_set(error, "%s/" DATASET_MANIFEST ": 'run' is %s, expected %s, which is the hash of 'settings'",
                         folder, document->run, boards->run);
    good = good && find_records(folder, &records, error) && check_contents(dataset, &records, error);
    record_files_free(&records);
    return good;
}
