/* Fuzz target: a result that is read again with its games. See fuzz_gtp.c. Up to the first zero byte the input is the
 * document of a komi run or a book, what follows are its records. */
#include "selfplay/io/json.h"
#include "selfplay/record/record_file.h"
#include "selfplay/runs/reread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOLVER_NODES_MAX = 1000, BOARD_MAX = 4 };

static char folder[] = "/tmp/stigmergy-fuzz-XXXXXX", result[FILE_PATH_MAX], records[FILE_PATH_MAX];

static void remove_files(void) {
    unlink(result);
    unlink(records);
    rmdir(folder);
}

static void make_folder(void) {
    Error error;
    if (!mkdtemp(folder) || !file_path_in(folder, "run.json", result, &error) ||
        !record_file_path(result, records, &error) || atexit(remove_files))
        abort();
}

static void write_file(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

/* Whether it takes little time, and no file of this machine: a book that plans its rounds again asks the solver. */
static bool is_small(const uint8_t *data, size_t size) {
    Error error;
    cJSON *json = json_parse((const char *)data, size, "fuzz", &error);
    const cJSON *settings = json_get(json, "settings"), *nodes = json_get(settings, "solver_nodes");
    const cJSON *board = json_get(settings, "size");
    const bool small = cJSON_IsObject(json_get(json, "player")) && cJSON_IsNumber(board) &&
                       board->valuedouble <= BOARD_MAX &&
                       (!nodes || (cJSON_IsNumber(nodes) && nodes->valuedouble <= SOLVER_NODES_MAX));
    cJSON_Delete(json);
    return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error;
    cJSON *document;
    const uint8_t *const end = memchr(data, 0, size);
    if (!end || !is_small(data, (size_t)(end - data)))
        return 0;
    if (!result[0])
        make_folder();
    write_file(result, data, (size_t)(end - data));
    write_file(records, end + 1, size - (size_t)(end - data) - 1);
    Run *run = reread_run(result, &document, &error);
    if (!run != !document || (run && run_played(run) < run_games_of(document)))
        abort();
    run_free(run);
    cJSON_Delete(document);
    return 0;
}
