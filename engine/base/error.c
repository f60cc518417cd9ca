/* See error.h. */
#include "engine/base/error.h"

#include "engine/base/control.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void take_out_control(char *text) {
    for (char *c = text; *c; c++)
        memset(c, '?', text_control(c));
}

bool error_set(Error *error, const char *format, ...) {
    if (!error)
        return false;
    error->no_memory = strstr(format, "out of memory") != NULL; /* not the text, where a path may have these words */
    error->passing = error->no_memory;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    take_out_control(error->text);
    return false;
}

bool error_prefix(Error *error, const char *format, ...) {
    char words[sizeof error->text];
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const size_t length = strlen(words);
    memmove(error->text + length, error->text, sizeof error->text - length);
    memcpy(error->text, words, length);
    error->text[sizeof error->text - 1] = '\0';
    take_out_control(error->text);
    return false;
}

bool error_pass(Error *to, const Error *from) {
    if (to && from)
        *to = *from;
    return false;
}
