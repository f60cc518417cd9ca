/* See output.h. */
#include "tools/cli/output.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/record/record_file.h"

#include <stdio.h>
#include <string.h>

static bool is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

bool output_check(const char *path, Error *error) {
    return !is_file(path) || file_write_check(path, error);
}

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
