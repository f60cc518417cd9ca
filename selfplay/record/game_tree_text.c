/* What several formats need to read. See game_tree_internal.h. */
#include "selfplay/record/game_tree_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void game_tree_game_name(const char *text, char out[GAME_TREE_GAME_MAX]) {
    snprintf(out, GAME_TREE_GAME_MAX, "%s", text);
    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

bool game_tree_read_whole(const char *text, int *out) {
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || errno || value < -100000 || value > 100000)
        return false;
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    end += strspn(end, " ");
    *out = (int)value;
    return *end == '\0';
}
