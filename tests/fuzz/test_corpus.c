/* The corpora of the fuzz targets as a test that needs no fuzzer: each file of tests/corpus/NAME goes to the target
 * NAME, which ends the program if something is wrong. An input that once did so is kept there. Argument: tests/corpus.
 *
 * The targets are compiled under names of their own (tests/CMakeLists.txt), so that one program holds them all. */
#include "selfplay/io/file.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int FuzzTarget(const uint8_t *data, size_t size);

FuzzTarget fuzz_analyze, fuzz_answers, fuzz_game_tree, fuzz_gtp, fuzz_network, fuzz_play, fuzz_record, fuzz_report,
    fuzz_selfplay, fuzz_settings, fuzz_shard, fuzz_truth, fuzz_turn, fuzz_web;

static const struct {
    const char *name;
    FuzzTarget *run;
} targets[] = {
    {"analyze", fuzz_analyze},   {"answers", fuzz_answers},   {"game_tree", fuzz_game_tree}, {"gtp", fuzz_gtp},
    {"network", fuzz_network},   {"play", fuzz_play},         {"record", fuzz_record},       {"report", fuzz_report},
    {"selfplay", fuzz_selfplay}, {"settings", fuzz_settings}, {"shard", fuzz_shard},         {"truth", fuzz_truth},
    {"turn", fuzz_turn},         {"web", fuzz_web},
};

/* Gives a file to a target, in memory of exactly its size. The path is on standard error while it runs, for whoever
 * looks at a crash. */
static bool replay(FuzzTarget *run, const char *path, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    uint8_t *bytes = text ? malloc(length ? length : 1) : NULL;
    if (bytes) {
        memcpy(bytes, text, length);
        fprintf(stderr, "%s\n", path);
        run(bytes, length);
    }
    free(bytes);
    free(text);
    return bytes != NULL;
}

static int replay_folder(FuzzTarget *run, const char *path, Error *error) {
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char file[FILE_PATH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        if (!file_path_in(path, entry->d_name, file, error) || !replay(run, file, error)) {
            count = -1;
            break;
        }
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_corpus FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char path[FILE_PATH_MAX];
        Error error = {.text = "no files, expected some"};
        const int count =
            file_path_in(argv[1], targets[i].name, path, &error) ? replay_folder(targets[i].run, path, &error) : -1;
        if (count <= 0) {
            fprintf(stderr, "test_corpus: %s: %s\n", path, error.text);
            return 1;
        }
        printf("%s: %d inputs\n", targets[i].name, count);
    }
    return 0;
}
