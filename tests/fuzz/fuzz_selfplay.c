/* Fuzz target: what a data set is read from. The first byte chooses: a manifest, a line of records, a file of arrays, a
 * compressed file of records. Built with -DSTIGMERGY_FUZZ=ON and clang (preset "fuzz"). Records must be written as they
 * were read; a shard must be one of its run. */
#include "selfplay/dataset/rows.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/generate/document.h"
#include "selfplay/runs/generate/records.h"

#include <stdlib.h>

static bool same_searches(const RecordSearches *a, const RecordSearches *b) {
    if (a->count != b->count || a->visit_count != b->visit_count || a->owner_count != b->owner_count)
        return false;
    for (int i = 0; i < a->visit_count; i++)
        if (a->visits[i] != b->visits[i] || a->values[i] != b->values[i])
            return false;
    return a->owner_count == 0 || memcmp(a->owners, b->owners, (size_t)a->owner_count) == 0;
}

/* A game that was read has rows, and is written as it was read. */
static bool take_game(void *user, const SelfplayFound *found, Error *error) {
    const Game *game = found->game;
    const GameRecord *record = found->record;
    GameRecord again = {0};
    char *written = record_to_line(record, game, error);
    DatasetRows *rows = dataset_rows_new(game, error);
    (void)user;
    if (!written || !record_from_line(written, strlen(written), "fuzz", game, &again, error) ||
        !same_searches(&again.searches, &record->searches) || !rows ||
        !dataset_rows_add(rows, record, found->number, error))
        abort();
    dataset_rows_free(rows);
    record_free(&again);
    free(written);
    return true;
}

static void try_records(const SelfplayBoards *boards, const char *text, size_t length) {
    Error error;
    selfplay_visit_text(boards, "fuzz", text, length, take_game, NULL, &error);
}

static void try_arrays(const SelfplayBoards *boards, const char *bytes, size_t size) {
    Error error;
    NpzArray arrays[DATASET_ARRAYS_MAX];
    DatasetRows *rows = dataset_rows_new(boards->game[2], &error);
    npz_compare("fuzz", bytes, size, arrays, dataset_rows_arrays(rows, arrays), &error);
    dataset_rows_free(rows);
}

static void try_manifest(const char *text, size_t size) {
    static SelfplayDocument document;
    const ShardSpec *shard = &document.shard;
    Error error;
    cJSON *json = json_parse(text, size, "fuzz", &error);
    const bool names_file = cJSON_IsString(json_get(json_get(json, "settings"), "player")); /* which would be opened */
    if (json && !names_file && selfplay_document_from_json(json, "fuzz", &document, &error) &&
        !shard_spec_whole(*shard) && (shard->index < 0 || shard->index >= shard->count))
        abort();
    cJSON_Delete(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static SelfplayBoards boards; /* made once; their run has a name that a fuzzer finds */
    Error error;
    if (!boards.game[2]) {
        SelfplayConfig config = selfplay_config_default();
        selfplay_config_set_size(&config, 2);
        if (!selfplay_boards_open(&boards, &config, &error))
            abort();
        strcpy(boards.run, "r");
    }
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    size_t length;
    char *unpacked;
    switch (data[0] % 4) {
    case 0: try_manifest(text, size - 1); break;
    case 1: try_records(&boards, text, size - 1); break;
    case 2: try_arrays(&boards, text, size - 1); break;
    default:
        if ((unpacked = zstd_decompress("fuzz", text, size - 1, &length, &error)) != NULL)
            try_records(&boards, unpacked, length);
        free(unpacked);
    }
    return 0;
}
