/* Files of arrays (.npz) and packed files (.zst): what is damaged is named, and a call of libzip, of libzstd or for
 * memory that fails is an error.
 *
 * These calls are wrapped (-Wl,--wrap), so that a test can let one of them fail. */
#include "selfplay/io/file.h"
#include "selfplay/io/npz.h"
#include "selfplay/io/zstd_file.h"
#include "tests/support/fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>
#include <zstd.h>

#include <cmocka.h>

/* ---- Calls that fail ---- */

static const char *failing = ""; /* the call that fails, */
static int failing_after;        /* after this many good ones */

static bool fails(const char *call) {
    return !strcmp(call, failing) && failing_after-- == 0;
}

/* Defines the wrap of a call: `failed` is what it returns when it fails. */
#define WRAP(type, call, parameters, arguments, failed)                                                                \
    type __real_##call parameters;                                                                                     \
    type __wrap_##call parameters;                                                                                     \
    type __wrap_##call parameters {                                                                                    \
        return fails(#call) ? (failed) : __real_##call arguments;                                                      \
    }

WRAP(void *, malloc, (size_t bytes), (bytes), NULL)
WRAP(void *, realloc, (void *old, size_t bytes), (old, bytes), NULL)
WRAP(zip_source_t *, zip_source_buffer_create, (const void *data, zip_uint64_t size, int owned, zip_error_t *error),
     (data, size, owned, error), NULL)
WRAP(zip_t *, zip_open_from_source, (zip_source_t * source, int flags, zip_error_t *error), (source, flags, error),
     NULL)
WRAP(zip_int64_t, zip_file_add, (zip_t * zip, const char *name, zip_source_t *source, zip_flags_t flags),
     (zip, name, source, flags), -1)
WRAP(int, zip_file_set_dostime,
     (zip_t * zip, zip_uint64_t index, zip_uint16_t time, zip_uint16_t date, zip_flags_t flags),
     (zip, index, time, date, flags), -1)
WRAP(int, zip_set_file_compression, (zip_t * zip, zip_uint64_t index, zip_int32_t method, zip_uint32_t level),
     (zip, index, method, level), -1)
WRAP(int, zip_close, (zip_t * zip), (zip), -1)
WRAP(int, zip_source_stat, (zip_source_t * source, zip_stat_t *status), (source, status), -1)
WRAP(int, zip_source_open, (zip_source_t * source), (source), -1)
WRAP(zip_int64_t, zip_source_read, (zip_source_t * source, void *data, zip_uint64_t size), (source, data, size), -1)
WRAP(zip_int64_t, zip_fread, (zip_file_t * file, void *data, zip_uint64_t size), (file, data, size), -1)
WRAP(ZSTD_CCtx *, ZSTD_createCCtx, (void), (), NULL)
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (void), (), NULL)
WRAP(size_t, ZSTD_CCtx_setParameter, (ZSTD_CCtx * context, ZSTD_cParameter key, int value), (context, key, value),
     (size_t)-1)
WRAP(size_t, ZSTD_compress2, (ZSTD_CCtx * context, void *to, size_t room, const void *from, size_t size),
     (context, to, room, from, size), (size_t)-1)

/* libzip may own the data already when it fails. */
zip_source_t *__real_zip_source_buffer(zip_t *zip, const void *data, zip_uint64_t size, int owned);
zip_source_t *__wrap_zip_source_buffer(zip_t *zip, const void *data, zip_uint64_t size, int owned);
zip_source_t *__wrap_zip_source_buffer(zip_t *zip, const void *data, zip_uint64_t size, int owned) {
    if (!fails("zip_source_buffer"))
        return __real_zip_source_buffer(zip, data, size, owned);
    if (owned)
        free((void *)(uintptr_t)data);
    return NULL;
}

/* It fails without memory. */
zip_file_t *__real_zip_fopen(zip_t *zip, const char *name, zip_flags_t flags);
zip_file_t *__wrap_zip_fopen(zip_t *zip, const char *name, zip_flags_t flags);
zip_file_t *__wrap_zip_fopen(zip_t *zip, const char *name, zip_flags_t flags) {
    if (!fails("zip_fopen"))
        return __real_zip_fopen(zip, name, flags);
    zip_error_set(zip_get_error(zip), ZIP_ER_MEMORY, 0);
    return NULL;
}

/* ---- Files of arrays ---- */

static const uint8_t bytes[5] = {1, 2, 3, 4, 5};
static const float table[3][2] = {{0, 1}, {2, 3}, {4, 5}};
static const int32_t number = 7;

static const NpzArray arrays[] = {{"bytes", "|u1", 1, {5}, bytes, false},
                                  {"table", "<f4", 2, {3, 2}, table, false},
                                  {"number", "<i4", 0, {0}, &number, false},
                                  {"none", "<f4", 2, {0, 4}, NULL, false}};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static char *pack(size_t *length) {
    Error error = {.text = ""};
    char *file = npz_pack("a.npz", arrays, ARRAYS, length, &error);
    if (!file)
        fail_msg("%s", error.text);
    return file;
}

static void arrays_are_compared(void **unused) {
    (void)unused;
    static const uint8_t other_bytes[5] = {1, 2, 3, 9, 5};
    static const float other_table[3][2] = {{0, 1}, {2, 3}, {4, 6}};
    static const struct {
        int array;
        NpzArray other;
        const char *what;
    } cases[] = {
        {0, {"bytes", "|u1", 1, {5}, other_bytes, false}, "array 'bytes.npy' differs from the records at index 3"},
        {1, {"table", "<f4", 2, {3, 2}, other_table, false}, "array 'table.npy' differs from the records at index 2"},
        {1,
         {"table", "<f4", 2, {2, 3}, table, false},
         "array 'table.npy' has another type or shape, expected {'descr': '<f4'"},
        {1, {"table", "<f4", 2, {4, 2}, table, false}, "array 'table.npy' has 152 bytes, expected 160"},
        {2, {"count", "<i4", 0, {0}, &number, false}, "array 'count.npy' is missing"},
    };
    size_t length, again_length;
    char *file = pack(&length), *again = pack(&again_length);
    Error error = {.text = ""};
    assert_true(again_length == length && !memcmp(again, file, length)); /* the same bytes each time */
    free(again);
    assert_true(npz_compare("a.npz", file, length, arrays, ARRAYS, &error));
    assert_named(npz_compare("a.npz", file, length, arrays, ARRAYS - 1, &error), &error, "holds 4 arrays, expected 3");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NpzArray expected[ARRAYS];
        memcpy(expected, arrays, sizeof arrays);
        expected[cases[i].array] = cases[i].other;
        assert_named(npz_compare("a.npz", file, length, expected, ARRAYS, &error), &error, cases[i].what);
    }
    NpzArray more[ARRAYS + 1] = {[ARRAYS] = {"later", "|u1", 1, {5}, bytes, true}};
    memcpy(more, arrays, sizeof arrays);
    assert_true(npz_compare("a.npz", file, length, more, ARRAYS + 1, &error)); /* the file may lack it */
    more[0].optional = true;
    more[0].data = other_bytes; /* but what is there must be right */
    assert_named(npz_compare("a.npz", file, length, more, ARRAYS + 1, &error), &error, cases[0].what);
    free(file);
}

/* Whichever byte is changed: the file is refused, or it still holds the same arrays. */
static void damaged_arrays_are_named(void **unused) {
    (void)unused;
    size_t length, refused = 0;
    char *file = pack(&length);
    for (size_t at = 0; at < length; at++) {
        Error error = {.text = ""};
        file[at] ^= 0x15;
        const bool good = npz_compare("a.npz", file, length, arrays, ARRAYS, &error);
        assert_true(good || !strncmp(error.text, "a.npz: ", 7));
        refused += !good;
        file[at] ^= 0x15;
    }
    assert_true(refused > length / 2);
    for (size_t left = 0; left < length; left += 7) {
        Error error = {.text = ""};
        assert_named(npz_compare("a.npz", file, left, arrays, ARRAYS, &error), &error, "a.npz: ");
    }
    free(file);
}

static void calls_for_arrays_count(void **unused) {
    (void)unused;
    static const struct {
        const char *call;
        int after;
        const char *what;
    } writing[] =
        {
            {"zip_source_buffer_create", 0, "a.npz: cannot make a zip file"},
            {"zip_open_from_source", 0, "a.npz: cannot make a zip file"},
            {"malloc", 1, "a.npz: out of memory for array 'table'"},
            {"zip_source_buffer", 0, "a.npz: cannot add an array"},
            {"zip_file_add", 2, "a.npz: cannot add an array"},
            {"zip_file_set_dostime", 0, "a.npz: cannot add an array"},
            {"zip_set_file_compression", 3, "a.npz: cannot add an array"},
            {"zip_close", 0, "a.npz: cannot write the zip file"},
            {"zip_source_stat", 0, "a.npz: out of memory for a file of arrays"},
            {"zip_source_open", 0, "a.npz: out of memory for a file of arrays"},
            {"malloc", 4, "a.npz: out of memory for a file of arrays"},
            {"zip_source_read", 0, "a.npz: out of memory for a file of arrays"},
        },
      reading[] = {
          {"zip_source_buffer_create", 0, "a.npz: is not a valid zip file"},
          {"zip_open_from_source", 0, "a.npz: is not a valid zip file"},
          {"zip_fopen", 0, "a.npz: out of memory for a file of arrays"},
          {"malloc", 0, "a.npz: out of memory for array 'bytes.npy'"},
          {"zip_fread", 1, "a.npz: array 'table.npy' is damaged"},
      };
    Error error;
    size_t length;
    for (size_t i = 0; i < sizeof writing / sizeof writing[0]; i++) {
        failing_after = writing[i].after;
        failing = writing[i].call;
        char *file = npz_pack("a.npz", arrays, ARRAYS, &length, &error);
        failing = "";
        assert_named(file != NULL, &error, writing[i].what);
    }
    char *file = pack(&length);
    for (size_t i = 0; i < sizeof reading / sizeof reading[0]; i++) {
        failing_after = reading[i].after;
        failing = reading[i].call;
        const bool good = npz_compare("a.npz", file, length, arrays, ARRAYS, &error);
        failing = "";
        assert_named(good, &error, reading[i].what);
    }
    free(file);
}

/* ---- Packed files ---- */

static void packed_files_are_read(void **unused) {
    (void)unused;
    enum { LONGEST = 300000 };
    char path[FIXTURE_PATH_MAX], *text = test_malloc(LONGEST);
    size_t length;
    Error error = {.text = ""};
    for (size_t i = 0; i < LONGEST; i++)
        text[i] = (char)('a' + i * i % 7 * (i % 1013) % 26);
    in_folder(path, "a.zst");
    for (size_t wanted = 0; wanted <= LONGEST; wanted = wanted ? wanted * 17 : 1) {
        assert_true(zstd_file_write(path, text, wanted, &error));
        char *found = zstd_file_read(path, &length, &error);
        assert_true(found && length == wanted && !memcmp(found, text, length) && found[length] == '\0');
        free(found);
    }
    test_free(text);
    assert_named(zstd_file_read("/no/such/file.zst", &length, &error) != NULL, &error, "/no/such/file.zst");
}

/* A frame as it is compressed, to be freed. */
static char *compress(const char *text, size_t length, size_t *size) {
    const size_t bound = ZSTD_compressBound(length);
    char *frame = test_malloc(bound);
    *size = ZSTD_compress(frame, bound, text, length, 3);
    assert_false(ZSTD_isError(*size));
    return frame;
}

/* Several frames follow each other; one may end just where the room for text ends. */
static void frames_follow_each_other(void **unused) {
    (void)unused;
    enum { ROOM = 1 << 16, LATER = 1000 };
    char *text = test_calloc(ROOM + LATER, 1), both[400];
    size_t first_size, second_size, length;
    memset(text + ROOM, 'x', LATER);
    char *first = compress(text, ROOM, &first_size), *second = compress(text + ROOM, LATER, &second_size);
    assert_true(first_size + second_size < sizeof both);
    memcpy(both, first, first_size);
    memcpy(both + first_size, second, second_size);
    for (int frames = 1; frames <= 2; frames++) {
        Error error = {.text = ""};
        char *found = zstd_decompress("a.zst", both, first_size + (frames == 2 ? second_size : 0), &length, &error);
        assert_non_null(found);
        assert_int_equal(length, frames == 2 ? ROOM + LATER : ROOM);
        assert_memory_equal(found, text, length);
        free(found);
    }
    test_free(first);
    test_free(second);
    test_free(text);
}

static void damaged_packed_files_are_named(void **unused) {
    (void)unused;
    char text[500];
    size_t size, length;
    memset(text, 'x', sizeof text);
    char *frame = compress(text, sizeof text, &size);
    Error error;
    for (size_t left = 0; left < size; left++)
        assert_named(zstd_decompress("a.zst", frame, left, &length, &error) != NULL, &error, "its end is missing");
    frame[0] ^= 1;
    assert_named(zstd_decompress("a.zst", frame, size, &length, &error) != NULL, &error, "a.zst: is damaged: ");
    static const char wide[] = "\x28\xb5\x2f\xfd\0\xa8\1\0"; /* no text, in a window of 2 GiB: zstd --long=31 */
    assert_named(zstd_decompress("a.zst", wide, sizeof wide, &length, &error) != NULL, &error, "(zstd --long)");
    test_free(frame);
}

/* Whichever byte is changed: the file is refused, or it still holds the same text. */
static void changed_packed_files_are_refused(void **unused) {
    (void)unused;
    static const char text[] = "one line\nanother line\n";
    char path[FIXTURE_PATH_MAX];
    size_t size, length, refused = 0;
    Error error;
    in_folder(path, "c.zst");
    assert_true(zstd_file_write(path, text, sizeof text, &error));
    char *file = file_read(path, &size, &error);
    assert_non_null(file);
    for (size_t at = 0; at < size; at++) {
        file[at] ^= 0x41;
        char *found = zstd_decompress("c.zst", file, size, &length, &error);
        assert_true(!found || (length == sizeof text && !memcmp(found, text, length)));
        refused += !found;
        free(found);
        file[at] ^= 0x41;
    }
    assert_true(refused > size / 2);
    free(file);
}

static void calls_for_packed_files_count(void **unused) {
    (void)unused;
    static const struct {
        const char *call;
        int after;
    } writing[] = {{"ZSTD_createCCtx", 0},
                   {"malloc", 0},
                   {"ZSTD_CCtx_setParameter", 0},
                   {"ZSTD_CCtx_setParameter", 1},
                   {"ZSTD_compress2", 0}};
    char path[FIXTURE_PATH_MAX];
    size_t size, length;
    Error error;
    in_folder(path, "b.zst");
    for (size_t i = 0; i < sizeof writing / sizeof writing[0]; i++) {
        failing_after = writing[i].after;
        failing = writing[i].call;
        const bool good = zstd_file_write(path, "text", 4, &error);
        failing = "";
        assert_named(good, &error, "out of memory to compress it");
    }
    char *frame = compress("text", 4, &size);
    failing_after = 0;
    failing = "ZSTD_createDCtx";
    assert_named(zstd_decompress("a.zst", frame, size, &length, &error) != NULL, &error, "a.zst: out of memory");
    failing_after = 0;
    failing = "realloc";
    assert_named(zstd_decompress("a.zst", frame, size, &length, &error) != NULL, &error, "a.zst: out of memory for ");
    failing = "";
    test_free(frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_compared),
        cmocka_unit_test(damaged_arrays_are_named),
        cmocka_unit_test(calls_for_arrays_count),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(frames_follow_each_other),
        cmocka_unit_test(damaged_packed_files_are_named),
        cmocka_unit_test(changed_packed_files_are_refused),
        cmocka_unit_test(calls_for_packed_files_count),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder_with_contents);
}
