/* See npz.h. */
#include "selfplay/io/npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are written as they are in memory");

enum {
    DEFLATE_LEVEL = 6,
    HEADER_BYTES = 128,   /* of every array: enough, because names, types and shapes are short */
    DOS_DATE = 1 << 5 | 1 /* 1 January 1980, the earliest date in the format */
};

/* The bytes of one element of a type. */
static size_t item_bytes(const char *type) {
    return (size_t)atoi(type + 2);
}

size_t npz_array_bytes(const NpzArray *array) {
    size_t bytes = item_bytes(array->type);
    for (int i = 0; i < array->dimensions; i++)
        bytes *= array->shape[i];
    return bytes;
}

/* The bytes of one index of the first axis. */
static size_t row_bytes(const NpzArray *array) {
    const size_t rows = array->dimensions ? array->shape[0] : 1;
    return rows ? npz_array_bytes(array) / rows : 0;
}

/* Writes the header: magic, version, length of the rest, and a Python dictionary padded with blanks and a newline. */
static void write_header(const NpzArray *array, char out[HEADER_BYTES]) {
    char shape[64] = "";
    for (int i = 0; i < array->dimensions; i++) {
        const size_t used = strlen(shape);
        snprintf(shape + used, sizeof shape - used, "%s%zu%s", i ? ", " : "", array->shape[i],
                 array->dimensions == 1 ? "," : ""); /* only a tuple of one element ends in a comma */
    }
    memset(out, ' ', HEADER_BYTES);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)(HEADER_BYTES - 10);
    out[9] = 0;
    char text[HEADER_BYTES];
    const int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", array->type, shape);
    memcpy(out + 10, text, (size_t)length);
    out[HEADER_BYTES - 1] = '\n';
}

/* ---- Writing ---- */

static bool lacks_memory(const char *source, Error *error) {
    return error_set(error, "%s: out of memory for a file of arrays", source);
}

/* Why a call of libzip has failed, as it tells after `what`; a lack of memory is no fault of the file. */
static bool zip_refused(const char *source, const char *what, zip_error_t *reason, Error *error) {
    return zip_error_code_zip(reason) == ZIP_ER_MEMORY
               ? lacks_memory(source, error)
               : error_set(error, "%s: %s: %s", source, what, zip_error_strerror(reason));
}

static void entry_name(const NpzArray *array, char out[NPZ_NAME_MAX + 8]) {
    snprintf(out, NPZ_NAME_MAX + 8, "%s.npy", array->name);
}

/* Header and data of an array, to be freed; NULL with an error. */
static char *copy_array(const char *source, const NpzArray *array, Error *error) {
    const size_t bytes = npz_array_bytes(array);
    char *copy = malloc(HEADER_BYTES + bytes);
    if (!copy) {
        error_set(error, "%s: out of memory for array '%s'", source, array->name);
        return NULL;
    }
    write_header(array, copy);
    if (bytes)
        memcpy(copy + HEADER_BYTES, array->data, bytes);
    return copy;
}

/* Adds an array as an entry. `copy` stays the caller's, for libzip may fail before it owns one, or after. */
static bool add_array(zip_t *zip, const NpzArray *array, const char *copy) {
    char name[NPZ_NAME_MAX + 8];
    zip_source_t *entry = zip_source_buffer(zip, copy, HEADER_BYTES + npz_array_bytes(array), 0);
    entry_name(array, name);
    const zip_int64_t index = entry ? zip_file_add(zip, name, entry, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
        zip_source_free(entry);
        return false;
    }
    /* Sets the DOS time directly, because zip_file_set_mtime depends on the time zone of the machine. */
    return zip_file_set_dostime(zip, (zip_uint64_t)index, 0, DOS_DATE, 0) == 0 &&
           zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_DEFLATE, DEFLATE_LEVEL) == 0;
}

/* Copies the bytes that were written to a buffer source. */
static char *take_bytes(const char *source, zip_source_t *buffer, size_t *length, Error *error) {
    zip_stat_t status;
    zip_stat_init(&status);
    char *bytes = NULL;
    if (zip_source_stat(buffer, &status) == 0 && (status.valid & ZIP_STAT_SIZE) && zip_source_open(buffer) == 0) {
        bytes = malloc(status.size + 1);
        if (bytes && zip_source_read(buffer, bytes, status.size) != (zip_int64_t)status.size) {
            free(bytes);
            bytes = NULL;
        }
        zip_source_close(buffer);
        *length = status.size;
    }
    if (!bytes)
        lacks_memory(source, error);
    return bytes;
}

/* Writes the arrays to a buffer. Their copies are needed until the file is closed. */
static bool write_arrays(const char *source, zip_source_t *buffer, const NpzArray *arrays, int count, char **copies,
                         Error *error) {
    zip_error_t reason;
    zip_error_init(&reason);
    zip_t *zip = zip_open_from_source(buffer, ZIP_TRUNCATE, &reason);
    bool good = zip || zip_refused(source, "cannot make a zip file", &reason, error);
    zip_error_fini(&reason);
    if (!zip)
        return false;
    zip_source_keep(buffer); /* keeps it after zip_close */
    for (int i = 0; i < count && good; i++) {
        copies[i] = copy_array(source, &arrays[i], error);
        good = copies[i] && (add_array(zip, &arrays[i], copies[i]) ||
                             zip_refused(source, "cannot add an array", zip_get_error(zip), error));
    }
    if (good && zip_close(zip) == 0)
        return true;
    if (good)
        zip_refused(source, "cannot write the zip file", zip_get_error(zip), error);
    zip_discard(zip);
    return false;
}

char *npz_pack(const char *source, const NpzArray *arrays, int count, size_t *length, Error *error) {
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *buffer = zip_source_buffer_create(NULL, 0, 0, &reason);
    char **copies = calloc((size_t)count + 1, sizeof *copies), *bytes = NULL;
    if (!buffer)
        zip_refused(source, "cannot make a zip file", &reason, error);
    else if (!copies)
        lacks_memory(source, error);
    else if (write_arrays(source, buffer, arrays, count, copies, error))
        bytes = take_bytes(source, buffer, length, error);
    for (int i = 0; copies && i < count; i++)
        free(copies[i]);
    free(copies);
    zip_source_free(buffer);
    zip_error_fini(&reason);
    return bytes;
}

/* ---- Comparing ---- */

/* Reads an entry whose size is known. NULL with an error. */
static char *read_entry(const char *source, zip_t *zip, const char *name, size_t bytes, Error *error) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat(zip, name, 0, &status) != 0) {
        error_set(error, "%s: array '%s' is missing", source, name);
        return NULL;
    }
    if (!(status.valid & ZIP_STAT_SIZE) || status.size != bytes) {
        error_set(error, "%s: array '%s' has %llu bytes, expected %zu", source, name, (unsigned long long)status.size,
                  bytes);
        return NULL;
    }
    zip_file_t *file = zip_fopen(zip, name, 0);
    char *text = malloc(bytes + 1), damaged[NPZ_NAME_MAX + 32];
    const bool whole = file && text && zip_fread(file, text, bytes + 1) == (zip_int64_t)bytes;
    snprintf(damaged, sizeof damaged, "array '%s' is damaged", name);
    if (!text)
        error_set(error, "%s: out of memory for array '%s'", source, name);
    else if (!whole)
        zip_refused(source, damaged, file ? zip_file_get_error(file) : zip_get_error(zip), error);
    if (file)
        zip_fclose(file);
    if (whole)
        return text;
    free(text);
    return NULL;
}

static bool compare_array(const char *source, zip_t *zip, const NpzArray *array, Error *error) {
    char name[NPZ_NAME_MAX + 8], header[HEADER_BYTES];
    const size_t bytes = npz_array_bytes(array), step = row_bytes(array);
    entry_name(array, name);
    write_header(array, header);
    char *text = read_entry(source, zip, name, HEADER_BYTES + bytes, error);
    bool good = text != NULL;
    if (good && memcmp(text, header, HEADER_BYTES) != 0)
        good = error_set(error, "%s: array '%s' has another type or shape, expected %.*s", source, name,
                         (int)strcspn(header + 10, "}") + 1, header + 10);
    for (size_t at = 0; good && at < bytes; at += step)
        if (memcmp(text + HEADER_BYTES + at, (const char *)array->data + at, step) != 0)
            good = error_set(error, "%s: array '%s' differs from the records at index %zu", source, name, at / step);
    free(text);
    return good;
}

static bool is_expected(zip_t *zip, const NpzArray *array) {
    char name[NPZ_NAME_MAX + 8];
    entry_name(array, name);
    return !array->optional || zip_name_locate(zip, name, 0) >= 0;
}

bool npz_compare(const char *source, const char *bytes, size_t length, const NpzArray *arrays, int count,
                 Error *error) {
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *buffer = zip_source_buffer_create(bytes, length, 0, &reason);
    zip_t *zip = buffer ? zip_open_from_source(buffer, ZIP_RDONLY | ZIP_CHECKCONS, &reason) : NULL;
    bool good = zip != NULL;
    if (!zip) {
        zip_refused(source, "is not a valid zip file", &reason, error);
        zip_source_free(buffer);
    }
    zip_error_fini(&reason);
    int expected = 0;
    for (int i = 0; i < count && good; i++)
        expected += is_expected(zip, &arrays[i]);
    if (good && zip_get_num_entries(zip, 0) != expected)
        good = error_set(error, "%s: holds %lld arrays, expected %d", source, (long long)zip_get_num_entries(zip, 0),
                         expected);
    for (int i = 0; i < count && good; i++)
        good = !is_expected(zip, &arrays[i]) || compare_array(source, zip, &arrays[i], error);
    if (zip)
        zip_discard(zip);
    return good;
}
