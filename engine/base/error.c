/* See error.h. */
#include "engine/base/error.h"

#include "engine/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WHOLE = 9000 };   /* bytes of a text before it is cut: room for two long paths */
enum { BEGINNING = 80 }; /* bytes that are kept of the beginning of a long one */

static bool is_within_character(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Puts '?' for control characters and for what is not UTF-8, as where "%.40s" has cut a character. */
static void clean(char *text) {
    size_t bytes;
    for (char *c = text; *c; c += bytes) {
        const size_t control = text_control(c), character = control ? 0 : text_character(c, strnlen(c, 4));
        bytes = character ? character : control ? control : 1;
        if (!character)
            memset(c, '?', bytes);
    }
}

/* Takes over a text, cleaned. A long one loses its middle: its beginning says what it is about, its end the reason. */
static void take(Error *error, char *whole) {
    static const char gap[] = "...";
    clean(whole);
    const size_t length = strlen(whole), room = sizeof error->text - 1;
    if (length <= room) {
        memcpy(error->text, whole, length + 1);
        return;
    }
    size_t begin = BEGINNING, end = length - (room - BEGINNING - strlen(gap));
    while (begin > 0 && is_within_character(whole[begin]))
        begin--;
    while (is_within_character(whole[end]))
        end++;
    memcpy(error->text, whole, begin);
    memcpy(error->text + begin, gap, strlen(gap));
    memcpy(error->text + begin + strlen(gap), whole + end, length - end + 1);
}

bool error_set(Error *error, const char *format, ...) {
    if (!error)
        return false;
    error->no_memory = strstr(format, "out of memory") != NULL; /* not the text, where a path may have these words */
    error->passing = error->no_memory;
    char whole[WHOLE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    take(error, whole);
    return false;
}

bool error_prefix(Error *error, const char *format, ...) {
    char whole[WHOLE];
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whole, sizeof whole - sizeof error->text, format, arguments);
    va_end(arguments);
    strcat(whole, error->text);
    take(error, whole);
    return false;
}

bool error_pass(Error *to, const Error *from) {
    if (to && from)
        *to = *from;
    return false;
}
