/* See json_writer.h. */
#include "selfplay/io/json_writer.h"

#include <inttypes.h>
#include <math.h>

/* The length of the UTF-8 sequence at `text`, 0 where it is none. */
static int sequence_length(const unsigned char *text) {
    const unsigned char c = text[0];
    const int length = c < 0x80                ? 1
                       : c >= 0xc2 && c < 0xe0 ? 2
                       : c >= 0xe0 && c < 0xf0 ? 3
                       : c >= 0xf0 && c < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c == 0xe0 && text[1] < 0xa0) || (c == 0xf0 && text[1] < 0x90);
    const bool outside = (c == 0xed && text[1] > 0x9f) || (c == 0xf4 && text[1] > 0x8f); /* surrogates; too high */
    return overlong || outside ? 0 : length;
}

static void write_text(FILE *out, const char *value) {
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)value; *c;) {
        const int length = sequence_length(c);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", out);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length ? length : 1;
    }
    fputc('"', out);
}

static void begin_value(JsonWriter *writer, const char *key) {
    if (writer->comma)
        fputc(',', writer->out);
    writer->comma = true;
    if (key) {
        write_text(writer->out, key);
        fputc(':', writer->out);
    }
}

static void begin(JsonWriter *writer, const char *key, char bracket) {
    begin_value(writer, key);
    fputc(bracket, writer->out);
    writer->comma = false;
}

static void end(JsonWriter *writer, char bracket) {
    fputc(bracket, writer->out);
    writer->comma = true;
}

void json_begin_object(JsonWriter *writer, const char *key) {
    begin(writer, key, '{');
}

void json_end_object(JsonWriter *writer) {
    end(writer, '}');
}

void json_begin_array(JsonWriter *writer, const char *key) {
    begin(writer, key, '[');
}

void json_end_array(JsonWriter *writer) {
    end(writer, ']');
}

void json_write_string(JsonWriter *writer, const char *key, const char *value) {
    begin_value(writer, key);
    write_text(writer->out, value);
}

void json_write_int(JsonWriter *writer, const char *key, int64_t value) {
    begin_value(writer, key);
    fprintf(writer->out, "%" PRId64, value);
}

void json_write_number(JsonWriter *writer, const char *key, double value) {
    begin_value(writer, key);
    if (isfinite(value))
        fprintf(writer->out, "%.6g", value);
    else
        fputs("null", writer->out);
}

void json_write_bool(JsonWriter *writer, const char *key, bool value) {
    begin_value(writer, key);
    fputs(value ? "true" : "false", writer->out);
}

void json_write_null(JsonWriter *writer, const char *key) {
    begin_value(writer, key);
    fputs("null", writer->out);
}
