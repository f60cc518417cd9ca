/* The effort of a move: a number of simulations, a time, or in few places both.
 *
 * A run has one of the two. The key "simulations" or "move_time" of its settings says which, and in the names of games
 * it is "800" for 800 simulations, "t0.5" for half a second. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_EFFORT_H
#define STIGMERGY_SELFPLAY_PLAYERS_EFFORT_H

#include "selfplay/io/json.h"
#include "selfplay/players/player.h"

enum { EFFORT_NAME_MAX = 24, EFFORT_TEXT_MAX = 32 };

typedef struct Effort {
    int64_t simulations; /* 0: no limit, as below */
    double move_seconds;
} Effort;

/* Whether it has a limit. */
bool effort_is_given(Effort effort);

/* The player with these limits for a move, in place of its own. */
Player player_with_effort(Player player, Effort effort);

/* Reads `simulations` or `move_time`, not both. One of them replaces the whole effort; without any it stays. */
void effort_read(JsonReader *reader, Effort *effort);

/* Adds the limits that it has, under the same keys. */
void effort_add(cJSON *json, Effort effort);

/* An effort of one limit, in words and in the names of games: "800 simulations", "800"; "0.5 s", "t0.5". */
void effort_text(Effort effort, char out[EFFORT_TEXT_MAX]);
void effort_name(Effort effort, char out[EFFORT_NAME_MAX]);

/* Whether `length` bytes of text are such a name; and the effort of one. */
bool effort_is_name(const char *name, size_t length);
Effort effort_of_name(const char *name);

#endif
