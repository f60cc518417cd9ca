/* Files that survive a crash: read whole, written whole, or appended a line at a time. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_H
#define STIGMERGY_SELFPLAY_IO_FILE_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FILE_PATH_MAX = 4096 };

/* The whole file with a terminator behind it, to be freed by the caller; its length goes to *length where that is not
 * NULL. NULL with an error where it cannot be read or does not fit into memory. */
char *file_read(const char *path, size_t *length, Error *error);

bool file_exists(const char *path);

/* Replaces the file by `length` bytes of text in one step: temporary file beside it, fsync, rename, fsync of the
 * folder. */
bool file_write(const char *path, const char *text, size_t length, Error *error);

/* A file of lines that grows. */
typedef struct LineFile {
    int descriptor;
    char path[FILE_PATH_MAX];
} LineFile;

/* Reads the whole lines of such a file while other processes may read it too, but none writes to it; what follows its
 * last newline is left out. A file that is missing has no lines. To be freed by the caller; NULL with an error. */
char *line_file_read(const char *path, size_t *length, Error *error);

/* Opens for appending (made where it is missing) and locks it against a second process, where the file system has
 * locks; a torn last line, without its newline, is cut off and *torn says so. */
bool line_file_open(LineFile *file, const char *path, bool *torn, Error *error);

/* Appends text (which ends in a newline) by one write, and syncs it to disk where `sync` is set. */
bool line_file_append(LineFile *file, const char *text, size_t length, bool sync, Error *error);

/* Cuts the file to its first `length` bytes. */
bool line_file_cut(LineFile *file, size_t length, Error *error);
bool line_file_close(LineFile *file, Error *error);

/* Replaces the whole file in one step, as file_write does. The old one stays locked until the new one is: no other
 * process may take it up meanwhile. */
bool line_file_replace(LineFile *file, const char *text, size_t length, Error *error);

#endif
