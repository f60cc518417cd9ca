/* NumPy's .npz: a zip file (libzip) of arrays in the .npy format, version 1.0 (NumPy Enhancement Proposal 1).
 *
 * The same arrays give the same bytes, as long as libzip and zlib are the same: the entries carry no time. */
#ifndef STIGMERGY_SELFPLAY_IO_NPZ_H
#define STIGMERGY_SELFPLAY_IO_NPZ_H

#include "engine/base/error.h"

#include <stddef.h>

enum { NPZ_DIMENSIONS_MAX = 4, NPZ_NAME_MAX = 32, NPZ_TYPE_MAX = 8 };

/* An array in C order; bytes are those of a little-endian machine, as this one is. */
typedef struct NpzArray {
    char name[NPZ_NAME_MAX];
    char type[NPZ_TYPE_MAX]; /* as NumPy writes it: "|u1", "<i2", "<f4", "|S16" */
    int dimensions;
    size_t shape[NPZ_DIMENSIONS_MAX];
    const void *data;
} NpzArray;

/* Bytes of an element of a type, and of a whole array. */
size_t npz_item_bytes(const char *type);
size_t npz_array_bytes(const NpzArray *array);

/* The whole file in memory, to be freed; NULL with an error that begins with `source`. */
char *npz_pack(const char *source, const NpzArray *arrays, int count, size_t *length, Error *error);

/* Whether the file in memory holds exactly these arrays; the error names `source`, the array and the first index along
 * its first axis where they differ. */
bool npz_compare(const char *source, const char *bytes, size_t length, const NpzArray *arrays, int count, Error *error);

#endif
