/* Files compressed by Zstandard (RFC 8878; libzstd). They are written as one frame with a checksum. Files of several
 * frames can be read too.
 *
 * The same text gives the same bytes with the same version of the library. */
#ifndef STIGMERGY_SELFPLAY_IO_ZSTD_FILE_H
#define STIGMERGY_SELFPLAY_IO_ZSTD_FILE_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest text that is surely read; the writer does not check it. Without this limit a damaged file could make the
 * reader ask for any amount of memory. */
enum { ZSTD_FILE_TEXT_MAX = 1 << 28 };

/* Whether these bytes begin as such a file does. Inline: the page without a server asks, and has no libzstd. */
static inline bool zstd_is_packed(const char *bytes, size_t size) {
    return size >= 4 && !memcmp(bytes, "\x28\xb5\x2f\xfd", 4);
}

/* Replaces the file in one step (file_write). */
bool zstd_file_write(const char *path, const char *text, size_t length, Error *error);

/* The whole text with a terminator, to be freed by the caller. NULL with an error if the file is damaged, torn or too
 * large. */
char *zstd_file_read(const char *path, size_t *length, Error *error);

/* The same for the bytes of a file. `source` names the file in errors. */
char *zstd_decompress(const char *source, const char *bytes, size_t size, size_t *length, Error *error);

#ifdef __cplusplus
}
#endif

#endif
