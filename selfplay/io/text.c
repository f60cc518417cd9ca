/* See text.h. */
#include "selfplay/io/text.h"

#include <string.h>

void text_copy(char *out, size_t size, const char *text) {
    if (!text)
        return;
    size_t length = strnlen(text, size - 1);
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) /* the middle of a character */
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
}

bool text_ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}
