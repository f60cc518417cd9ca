/* Characters of UTF-8: how long the first one of a text is, and whether a terminal would obey it. */
#ifndef STIGMERGY_ENGINE_BASE_UTF8_H
#define STIGMERGY_ENGINE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The bytes of the character with which a text of `length` bytes begins; 0: it begins with none. */
static inline size_t text_character(const char *text, size_t length) {
    unsigned char at[4] = {0};
    memcpy(at, text, length < sizeof at ? length : sizeof at);
    const unsigned char c = at[0];
    const size_t wanted = c < 0x80                ? 1
                          : c >= 0xc2 && c < 0xe0 ? 2
                          : c >= 0xe0 && c < 0xf0 ? 3
                          : c >= 0xf0 && c < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < wanted; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c == 0xe0 && at[1] < 0xa0) || (c == 0xf0 && at[1] < 0x90);
    const bool outside = (c == 0xed && at[1] > 0x9f) || (c == 0xf4 && at[1] > 0x8f); /* surrogates; too high */
    return overlong || outside || wanted > length ? 0 : wanted;
}

/* The bytes of the control character with which a text begins, 2 for U+0080 to U+009F; 0: it begins with none. */
static inline size_t text_control(const char *text) {
    const unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && second < 0xa0)
        return 2;
    return (first > 0 && first < ' ') || first == 0x7f;
}

#endif
