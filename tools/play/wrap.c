/* See wrap.h. */
#define _GNU_SOURCE /* fopencookie */
#include "tools/play/wrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, WORD_MAX = 4096 };

typedef struct Wrap {
    FILE *to;
    const int *columns;
    char word[WORD_MAX];           /* not written yet */
    size_t length;                 /* of the word, in bytes */
    int width, gap, column, begin; /* columns: of the word, of the spaces before it, on the line, its indentation */
    bool escape;                   /* within an escape sequence */
} Wrap;

static bool has_room(const Wrap *wrap, int width) {
    return *wrap->columns <= 0 || wrap->column + wrap->gap + width <= *wrap->columns;
}

static void break_line(Wrap *wrap) {
    const int indent = wrap->begin + INDENT;
    fprintf(wrap->to, "\n%*s", indent, "");
    wrap->column = indent;
    wrap->gap = 0;
}

static void put(Wrap *wrap, const char *text, size_t length, int width) {
    fprintf(wrap->to, "%*s", wrap->gap, "");
    fwrite(text, 1, length, wrap->to);
    wrap->column += wrap->gap + width;
    wrap->gap = 0;
}

/* Writes the part of a long word that ends with the last comma for which there is room; false if there is none. */
static bool put_part(Wrap *wrap) {
    size_t comma = 0;
    for (size_t i = 0; i + 1 < wrap->length && has_room(wrap, (int)i + 1); i++)
        if (wrap->word[i] == ',')
            comma = i + 1;
    if (comma == 0)
        return false;
    put(wrap, wrap->word, comma, (int)comma);
    memmove(wrap->word, wrap->word + comma, wrap->length - comma);
    wrap->length -= comma;
    wrap->width -= (int)comma;
    return true;
}

static void end_word(Wrap *wrap) {
    if (wrap->column == 0) {
        wrap->begin = wrap->gap;
    } else if (wrap->width > 0 && !has_room(wrap, wrap->width)) {
        break_line(wrap);
    }
    while (!has_room(wrap, wrap->width) && put_part(wrap))
        break_line(wrap);
    if (wrap->length > 0)
        put(wrap, wrap->word, wrap->length, wrap->width);
    wrap->length = 0;
    wrap->width = 0;
}

static void take(Wrap *wrap, char c) {
    if (c == '\n' || (c == ' ' && wrap->length > 0) || wrap->length == WORD_MAX)
        end_word(wrap);
    if (c == '\n') {
        fputc('\n', wrap->to);
        wrap->column = wrap->gap = 0;
    } else if (c == ' ') {
        wrap->gap++;
    } else {
        wrap->escape = wrap->escape || c == '\033';
        wrap->width += !wrap->escape && ((unsigned char)c & 0xc0) != 0x80; /* not the rest of a character in UTF-8 */
        wrap->escape = wrap->escape && c != 'm';
        wrap->word[wrap->length++] = c;
    }
}

/* What ends within a line stays until the line goes on. */
static ssize_t take_text(void *cookie, const char *text, size_t length) {
    Wrap *wrap = cookie;
    for (size_t i = 0; i < length; i++)
        take(wrap, text[i]);
    return fflush(wrap->to) == 0 && !ferror(wrap->to) ? (ssize_t)length : 0;
}

static int finish(void *cookie) {
    Wrap *wrap = cookie;
    end_word(wrap);
    const int result = fflush(wrap->to);
    free(wrap);
    return result;
}

FILE *wrap_open(FILE *to, const int *columns) {
    Wrap *wrap = calloc(1, sizeof *wrap);
    if (!wrap)
        return NULL;
    *wrap = (Wrap){.to = to, .columns = columns};
    FILE *out = fopencookie(wrap, "w", (cookie_io_functions_t){.write = take_text, .close = finish});
    if (out)
        setvbuf(out, NULL, _IOLBF, 0);
    else
        free(wrap);
    return out;
}
