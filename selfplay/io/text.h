/* Text that is cut to a limit, and how text ends. */
#ifndef STIGMERGY_SELFPLAY_IO_TEXT_H
#define STIGMERGY_SELFPLAY_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Copies as much of a text as fits into `size` bytes, terminator included, in whole characters of UTF-8. NULL: leaves
 * *out as it is. The texts must not overlap. */
void text_copy(char *out, size_t size, const char *text);

/* Whether a text ends in `ending` and has something before it. */
bool text_ends_with(const char *text, const char *ending);

#endif
