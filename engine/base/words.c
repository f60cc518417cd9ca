/* See words.h. */
#include "engine/base/words.h"

#include <stdio.h>
#include <string.h>

int words_find(const char *const *words, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], text))
            return i;
    return -1;
}

void words_join(const char *const *words, int count, char *out, size_t size) {
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
    }
}
