/* Control characters in text of UTF-8, which a terminal would obey. */
#ifndef STIGMERGY_ENGINE_BASE_CONTROL_H
#define STIGMERGY_ENGINE_BASE_CONTROL_H

#include <stddef.h>

/* The bytes of the control character with which a text begins, 2 for U+0080 to U+009F; 0: it begins with none. */
static inline size_t text_control(const char *text) {
    const unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && second < 0xa0)
        return 2;
    return (first > 0 && first < ' ') || first == 0x7f;
}

#endif
