/* See error.h. */
#include "engine/base/error.h"

#include "engine/base/control.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(Error *error, const char *format, ...) {
    if (!error)
        return false;
    error->no_memory = strstr(format, "out of memory") != NULL; /* not the text, where a path may have these words */
    error->passing = error->no_memory;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (char *c = error->text; *c; c++)
        memset(c, '?', text_control(c));
    return false;
}
