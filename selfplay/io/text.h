/* Text that is cut to a limit, how text ends, whether it is UTF-8 and can be printed; bytes as digits. */
#ifndef STIGMERGY_SELFPLAY_IO_TEXT_H
#define STIGMERGY_SELFPLAY_IO_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies as much of a text as fits into `size` bytes, terminator included, in whole characters of UTF-8. NULL: leaves
 * *out as it is. The texts must not overlap. */
void text_copy(char *out, size_t size, const char *text);

/* Whether a text ends in `ending` and has something before it. */
bool text_ends_with(const char *text, const char *ending);

/* Whether a text has no control characters and is not only spaces, as a name must be that tables and terminals show. */
bool text_can_be_printed(const char *text);

/* Writes `count` bytes as twice as many hexadecimal digits in lower case, and a terminator. */
void text_hex(const uint8_t *bytes, int count, char *out);

/* Between these two, printf and strtod write and read numbers with a point in this thread, whatever the locale of the
 * program says; a program that uses the library may have a decimal comma. Without memory for that nothing changes. */
typedef struct TextPoints {
    locale_t own, before;
} TextPoints;
TextPoints text_points_begin(void);
void text_points_end(TextPoints points);

/* The first byte of a text that is not part of UTF-8; NULL if all are. */
const char *text_find_foreign(const char *text, size_t length);

#endif
