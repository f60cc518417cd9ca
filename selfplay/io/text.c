/* See text.h. */
#include "selfplay/io/text.h"

#include "engine/base/utf8.h"

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

TextPoints text_points_begin(void) {
    TextPoints points = {.own = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (points.own)
        points.before = uselocale(points.own);
    return points;
}

void text_points_end(TextPoints points) {
    if (!points.own)
        return;
    uselocale(points.before);
    freelocale(points.own);
}
