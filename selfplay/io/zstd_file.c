/* See zstd_file.h. */
#include "selfplay/io/zstd_file.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 12 }; /* measured: higher levels save one or two percent and take as much time as the games */

static char *compress(const char *text, size_t length, size_t *size) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    const size_t bound = ZSTD_compressBound(length);
    char *bytes = malloc(bound);
    *size = 0;
    if (context && bytes && !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)))
        *size = ZSTD_compress2(context, bytes, bound, text, length);
    ZSTD_freeCCtx(context);
    if (*size > 0 && !ZSTD_isError(*size))
        return bytes;
    free(bytes);
    return NULL;
}

bool zstd_file_write(const char *path, const char *text, size_t length, Error *error) {
    size_t size;
    char *bytes = compress(text, length, &size);
    const bool good =
        bytes ? file_write(path, bytes, size, error) : error_set(error, "%s: out of memory to compress it", path);
    free(bytes);
    return good;
}

/* Makes room for more text after *length bytes, and for a terminator. */
static bool grow(const char *source, char **text, size_t length, size_t *capacity, Error *error) {
    if (*capacity > ZSTD_FILE_TEXT_MAX)
        return error_set(error, "%s: holds more than %d bytes of text, expected fewer", source, ZSTD_FILE_TEXT_MAX);
    const size_t wanted = 2 * length + (1 << 16);
    char *larger = realloc(*text, wanted + 1);
    if (!larger)
        return error_set(error, "%s: out of memory for %zu bytes", source, wanted);
    *text = larger;
    *capacity = wanted;
    return true;
}

char *zstd_decompress(const char *source, const char *bytes, size_t size, size_t *length, Error *error) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t capacity = 0, rest = 1; /* rest: of the current frame, 0 when it is complete */
    char *text = NULL;
    bool good = context != NULL || error_set(error, "%s: out of memory", source);
    *length = 0;
    for (bool more = true; good && more;) {
        if (*length == capacity && !(good = grow(source, &text, *length, &capacity, error)))
            break;
        ZSTD_outBuffer out = {text, capacity, *length};
        rest = ZSTD_decompressStream(context, &out, &in);
        more = in.pos < in.size || (out.pos == out.size && rest != 0);
        *length = out.pos;
        if (ZSTD_getErrorCode(rest) == ZSTD_error_frameParameter_windowTooLarge)
            good = error_set(error, "%s: was packed for more memory (zstd --long), expected the usual window", source);
        else if (ZSTD_isError(rest))
            good = error_set(error, "%s: is damaged: %s", source, ZSTD_getErrorName(rest));
    }
    if (good && rest != 0)
        good = error_set(error, "%s: is damaged: its end is missing", source);
    ZSTD_freeDCtx(context);
    if (good) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

char *zstd_file_read(const char *path, size_t *length, Error *error) {
    size_t size;
    char *bytes = file_read(path, &size, error);
    char *text = bytes ? zstd_decompress(path, bytes, size, length, error) : NULL;
    free(bytes);
    return text;
}
