/* See text.h. */
#include "selfplay/io/text.h"

#include "engine/base/control.h"

#include <stdio.h>
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

size_t text_character(const char *text, size_t length) {
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

bool text_can_be_printed(const char *text) {
    bool control = false;
    for (const char *c = text; *c; c++)
        control |= text_control(c) > 0;
    return !control && text[strspn(text, " ")];
}

void text_hex(const uint8_t *bytes, int count, char *out) {
    for (int i = 0; i < count; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

/* Where the first byte is that is not ASCII, or up to seven bytes before it. */
static const char *skip_ascii(const char *text, const char *end) {
    uint64_t bytes;
    for (; (size_t)(end - text) >= sizeof bytes; text += sizeof bytes) {
        memcpy(&bytes, text, sizeof bytes);
        if (bytes & 0x8080808080808080)
            break;
    }
    return text;
}

const char *text_find_foreign(const char *text, size_t length) {
    const char *end = text + length;
    while ((text = skip_ascii(text, end)) < end) {
        const size_t bytes = text_character(text, (size_t)(end - text));
        if (!bytes)
            return text;
        text += bytes;
    }
    return NULL;
}
