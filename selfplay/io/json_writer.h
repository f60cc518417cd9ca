/* Writing JSON as it comes, without a tree of it in memory.
 *
 * Every function takes a key, or NULL for an element of an array or the outermost value; commas are put by themselves.
 * Text that is not UTF-8 is repaired: each wrong byte becomes a replacement character. */
#ifndef STIGMERGY_SELFPLAY_IO_JSON_WRITER_H
#define STIGMERGY_SELFPLAY_IO_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonWriter {
    FILE *out;
    bool comma; /* whether the next value needs one before it */
} JsonWriter;

void json_begin_object(JsonWriter *writer, const char *key);
void json_end_object(JsonWriter *writer);
void json_begin_array(JsonWriter *writer, const char *key);
void json_end_array(JsonWriter *writer);

void json_write_string(JsonWriter *writer, const char *key, const char *value);
void json_write_int(JsonWriter *writer, const char *key, int64_t value);
void json_write_number(JsonWriter *writer, const char *key, double value); /* to six digits; null where not finite */
void json_write_bool(JsonWriter *writer, const char *key, bool value);
void json_write_null(JsonWriter *writer, const char *key);

#endif
