/* See error.h. */
#include "engine/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local bool memory_lacked;

void error_memory_forget(void) {
    memory_lacked = false;
}

bool error_memory_lacked(void) {
    return memory_lacked;
}

bool error_set(Error *error, const char *format, ...) {
    memory_lacked |= strstr(format, "out of memory") != NULL; /* not the text, where a path may have these words */
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (char *c = error->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return false;
}
