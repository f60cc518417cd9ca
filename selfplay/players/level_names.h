/* The names of the levels (levels.h). */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_LEVEL_NAMES_H
#define STIGMERGY_SELFPLAY_PLAYERS_LEVEL_NAMES_H

#ifdef __cplusplus
extern "C" {
#endif

enum { LEVELS = 8 };

/* The name of a level, 1 (the weakest) to LEVELS: "beginner" to "strongest". */
const char *level_name(int level);

#ifdef __cplusplus
}
#endif

#endif
