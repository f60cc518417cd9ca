/* Files of records, plain and packed, of a path that is a file or a folder; and their lines, of any run. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORD_FILES_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORD_FILES_H

#include "engine/base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Receives a line that was parsed. `where` names its file and number. False with an error ends the visit. */
typedef bool RecordLineVisitor(void *user, const char *where, const cJSON *json, const char *line, size_t length,
                               Error *error);

/* Reads every line of a text; `source` names it in errors. */
bool record_lines_visit(const char *source, const char *text, size_t length, RecordLineVisitor *visitor, void *user,
                        Error *error);

/* The record files of a folder (a data set, its folder "records"), or of a path that is a file, in their order. */
typedef struct RecordFiles {
    char **paths;
    int count, capacity;
    bool failed; /* they could not be listed; not the same as none */
} RecordFiles;

/* False with an error where there is none. To be freed by record_files_free. */
bool record_files_find(RecordFiles *files, const char *path, Error *error);
void record_files_free(RecordFiles *files);

/* Reads all lines of the files, one file after the other. */
bool record_files_visit(const RecordFiles *files, RecordLineVisitor *visitor, void *user, Error *error);

#endif
