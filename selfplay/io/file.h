/* Files that are read whole, and paths. Documents are written by atomic_file.h, records by line_file.h: both survive a
 * crash. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_H
#define STIGMERGY_SELFPLAY_IO_FILE_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

/* ---- For those that write files ---- */

/* Says what cannot be done to a file, with errno's reason. Returns false. */
bool file_failed(Error *error, const char *path, const char *what);

/* Reads up to `size` bytes from a descriptor. Returns the number of bytes, or -1. */
ssize_t file_read_all(int descriptor, char *buffer, size_t size);

/* Writes all bytes to a descriptor; false with errno. */
bool file_write_all(int descriptor, const char *text, size_t length);

/* Makes sure that the names in an open folder are on the disk; false with errno. Some file systems know no such thing:
 * there it does nothing. */
bool file_sync_folder(int folder);

#ifdef __cplusplus
}
#endif

#endif
