/* Files that are read whole, and paths. Documents are written by atomic_file.h, records by line_file.h: both survive a
 * crash. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_H
#define STIGMERGY_SELFPLAY_IO_FILE_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FILE_PATH_MAX = 4096 };

/* Reads a whole regular file and adds a terminator. The caller frees the result. Its length is written to *length,
 * which may be NULL. NULL with an error if the file cannot be read or does not fit into memory. */
char *file_read(const char *path, size_t *length, Error *error);

/* False only where the system says that there is no such file. Where it cannot tell, the file counts as there: who then
 * reads it gets the reason, and nobody writes a new one over it. */
bool file_exists(const char *path);

/* Writes to *is whether there is a folder at `path`. False with an error where the system cannot tell. */
bool file_is_folder(const char *path, bool *is, Error *error);

/* Whether there is a folder at `path`, or with `may_be_made` nothing at all. False with an error. */
bool file_expect_folder(const char *path, bool may_be_made, Error *error);

/* Writes to *same whether both paths lead to one file or folder. False with an error where the system cannot tell. */
bool file_is_same(const char *path, const char *other, bool *same, Error *error);

/* Writes the path of a file in a folder; false with an error where it is too long. */
bool file_path_in(const char *folder, const char *name, char out[FILE_PATH_MAX], Error *error);

/* The last part of a path: what follows the last slash. It points into `path`. */
const char *file_name_of(const char *path);

/* Makes a folder if it is missing, so that a crash does not take it away. Its parent folder must exist. */
bool file_make_folder(const char *path, Error *error);

/* Removes a file if it is there, so that a crash does not bring it back. */
bool file_remove(const char *path, Error *error);

#ifdef __cplusplus
}
#endif

#endif
