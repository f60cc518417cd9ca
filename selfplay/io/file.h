/* Files that survive a crash: they are read whole, and written whole or one full line at a time. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_H
#define STIGMERGY_SELFPLAY_IO_FILE_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FILE_PATH_MAX = 4096 };

/* Reads a whole file and adds a terminator. The caller frees the result. Its length is written to *length, which may be
 * NULL. NULL with an error if the file cannot be read or does not fit into memory. */
char *file_read(const char *path, size_t *length, Error *error);

bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* Writes the path of a file in a folder; false with an error where it is too long. */
bool file_path_in(const char *folder, const char *name, char out[FILE_PATH_MAX], Error *error);

/* Makes a folder if it is missing. Its parent folder must exist. */
bool file_make_folder(const char *path, Error *error);

/* Replaces the file by `length` bytes of text in one step: temporary file in the same folder, fsync, rename, fsync of
 * the folder. */
bool file_write(const char *path, const char *text, size_t length, Error *error);

/* A file of lines that is extended. */
typedef struct LineFile {
    int descriptor;
    char path[FILE_PATH_MAX];
} LineFile;

/* Reads the whole lines of such a file. Other processes may read it at the same time, but none may write to it. Text
 * after the last newline is left out. A missing file has no lines. The caller frees the result. NULL with an error. */
char *line_file_read(const char *path, size_t *length, Error *error);

/* Opens the file for appending, and creates it if it is missing. Locks it against a second process, if the file system
 * has locks. If the last line is torn (it has no newline), it is cut off and *torn becomes true. */
bool line_file_open(LineFile *file, const char *path, bool *torn, Error *error);

/* Appends text, which must end in a newline, with one write. Syncs it to disk if `sync` is set. */
bool line_file_append(LineFile *file, const char *text, size_t length, bool sync, Error *error);

/* Cuts the file to its first `length` bytes. */
bool line_file_cut(LineFile *file, size_t length, Error *error);
bool line_file_close(LineFile *file, Error *error);

/* Replaces the whole file in one step, as file_write does. The old file stays locked until the new one is locked, so no
 * other process can take it in between. */
bool line_file_replace(LineFile *file, const char *text, size_t length, Error *error);

#ifdef __cplusplus
}
#endif

#endif
