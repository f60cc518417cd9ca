/* See record_files.h. */
#define _DEFAULT_SOURCE /* scandir's alphasort; DT_ types are not used */
#include "selfplay/runs/generate/record_files.h"

#include "engine/base/list.h"
#include "selfplay/io/json.h"
#include "selfplay/io/line_file.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/record/record_line.h"
#include "selfplay/runs/generate/dataset_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool record_lines_visit(const char *source, const char *text, size_t length, RecordLineVisitor *visitor, void *user,
                        Error *error) {
    bool good = true;
    int line_number = 0;
    for (const char *line = text, *end; good && line < text + length; line = end + 1) {
        char where[FILE_PATH_MAX + 32];
        end = memchr(line, '\n', (size_t)(text + length - line));
        if (!end)
            end = text + length;
        snprintf(where, sizeof where, "%s: line %d", source, ++line_number);
        cJSON *json = record_line_parse(line, (size_t)(end - line), where, error);
        good = json && visitor(user, where, json, line, (size_t)(end - line), error);
        cJSON_Delete(json);
    }
    return good;
}

/* ---- Files ---- */

/* Adds a file of a folder, or where that is NULL the file `name`. */
static bool add_file(RecordFiles *files, const char *folder, const char *name, Error *error) {
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
static bool add_folder(RecordFiles *files, const char *folder, bool *is_folder, Error *error) {
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

bool record_files_find(RecordFiles *files, const char *path, Error *error) {
    char records[FILE_PATH_MAX];
    *files = (RecordFiles){0};
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

void record_files_free(RecordFiles *files) {
    for (int i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (RecordFiles){0};
}

/* Says why a text could not be read, where it is one result, which has many lines. */
static void explain_result(const char *path, const char *text, size_t length, Error *error) {
    Error unused;
    cJSON *json = json_parse(text, length, path, &unused);
    record_no_result(json, path, error);
    cJSON_Delete(json);
}

bool record_files_visit(const RecordFiles *files, RecordLineVisitor *visitor, void *user, Error *error) {
    for (int i = 0; i < files->count; i++) {
        const char *path = files->paths[i];
        size_t length;
        char *text = (text_ends_with(path, ".zst") ? zstd_file_read : line_file_read)(path, &length, error);
        const bool good = text && record_lines_visit(path, text, length, visitor, user, error);
        if (text && !good)
            explain_result(path, text, length, error);
        free(text);
        if (!good)
            return false;
    }
    return true;
}
