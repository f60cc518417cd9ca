/* See levels.h. */
#include "selfplay/players/levels.h"

#include "selfplay/io/nearest_word.h"

#include <stdio.h>
#include <string.h>

/* Elo of each level above the level below. */
static const int gains[LEVELS] = {0, 215, 301, 346, 413, 346, 382, 392};

int level_elo(int level) {
    int elo = 0;
    for (int i = 0; i < level; i++)
        elo += gains[i];
    return elo;
}

bool level_read(const char *what, const char *text, int *level, Error *error) {
    const char *names[LEVELS];
    for (int i = 1; i <= LEVELS; i++) {
        char number[12];
        snprintf(number, sizeof number, "%d", i);
        names[i - 1] = level_name(i);
        if (!strcmp(text, number) || !strcmp(text, level_name(i))) {
            *level = i;
            return true;
        }
    }
    const char *meant = nearest_word(text, names, LEVELS);
    if (meant)
        return error_set(error, "%s: '%.40s', did you mean '%s'?", what, text, meant);
    return error_set(error, "%s: '%.40s', expected a whole number from 1 to %d or a name from %s to %s", what, text,
                     LEVELS, level_name(1), level_name(LEVELS));
}

bool level_player(int level, Player *player, Error *error) {
    char description[16];
    snprintf(description, sizeof description, "level-%d", level);
    *player = player_default();
    return player_load(description, player, error);
}
