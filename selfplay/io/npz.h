/* NumPy's .npz: a zip file (libzip) of arrays in the .npy format, version 1.0 (NumPy Enhancement Proposal 1).
 *
 * The same arrays give the same bytes with the same versions of libzip and zlib, because the entries carry no time. */
#ifndef STIGMERGY_SELFPLAY_IO_NPZ_H
#define STIGMERGY_SELFPLAY_IO_NPZ_H

#include "engine/base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NPZ_DIMENSIONS_MAX = 4, NPZ_NAME_MAX = 32, NPZ_TYPE_MAX = 8 };

/* An array in C order. Bytes are in little-endian order, like those of this machine. */
typedef struct NpzArray {
    char name[NPZ_NAME_MAX];
    char type[NPZ_TYPE_MAX]; /* as NumPy writes it: "|u1", "<i2", "<f4", "|S16" */
    int dimensions;
    size_t shape[NPZ_DIMENSIONS_MAX];
    const void *data;
    bool optional; /* npz_compare: the file may lack it */
} NpzArray;

/* The bytes of a whole array. */
size_t npz_array_bytes(const NpzArray *array);

/* The whole file in memory, to be freed by the caller. NULL with an error that begins with `source`. */
char *npz_pack(const char *source, const NpzArray *arrays, int count, size_t *length, Error *error);

/* Whether the file in memory holds exactly these arrays, except optional ones that it lacks. If not, the error names
 * `source`, the array, and the first index of its first axis at which they differ. */
bool npz_compare(const char *source, const char *bytes, size_t length, const NpzArray *arrays, int count, Error *error);

#ifdef __cplusplus
}
#endif

#endif
