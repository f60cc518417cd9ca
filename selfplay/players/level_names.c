/* See level_names.h. */
#include "selfplay/players/level_names.h"

static const char *const names[LEVELS] = {"beginner", "novice", "casual", "intermediate",
                                          "advanced", "expert", "master", "strongest"};

const char *level_name(int level) {
    return names[level - 1];
}
