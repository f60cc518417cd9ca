/* See error.h. */
#include "engine/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(Error *error, const char *format, ...) {
    if (!error)
        return false;
    error->no_memory = strstr(format, "out of memory") != NULL; /* not the text, where a path may have these words */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (unsigned char *c = (unsigned char *)error->text; *c; c++) {
        const bool is_c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; /* control characters of Latin-1, in UTF-8 */
        if (is_c1)
            c[1] = '?';
        if (is_c1 || *c < 0x20 || *c == 0x7f)
            *c = '?';
    }
    return false;
}
