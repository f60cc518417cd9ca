/* Files compressed by Zstandard (RFC 8878; libzstd): written as one frame with a checksum, read whatever their frames.
 *
 * The same text gives the same bytes, as long as the library is the same version. */
#ifndef STIGMERGY_SELFPLAY_IO_ZSTD_FILE_H
#define STIGMERGY_SELFPLAY_IO_ZSTD_FILE_H

#include "engine/base/error.h"

#include <stddef.h>

/* A text is at most so long: what a damaged file may make the reader ask memory for. */
enum { ZSTD_FILE_TEXT_MAX = 1 << 28 };

/* Replaces the file in one step (file_write). */
bool zstd_file_write(const char *path, const char *text, size_t length, Error *error);

/* The whole text with a terminator behind it, to be freed; NULL with an error for a damaged, torn or too large file. */
char *zstd_file_read(const char *path, size_t *length, Error *error);

/* The same for the bytes of a file, which `source` names in errors. */
char *zstd_decompress(const char *source, const char *bytes, size_t size, size_t *length, Error *error);

#endif
