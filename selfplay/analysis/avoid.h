/* Moves that a search is not to look at, by their names: what lists of allowed and avoided moves are made into.
 *
 * A move is one action, named as game->rules->format writes it (`c3`, `pass`, `xd4`). */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_AVOID_H
#define STIGMERGY_SELFPLAY_ANALYSIS_AVOID_H

#include "engine/search/search.h"

enum { AVOID_TEXT_MAX = 16 };

/* All actions of a game by their names; "" for numbers that are no action. Actions of one name (grow, bonus) are all
 * meant by it. */
typedef struct AvoidNames {
    char text[GAME_ACTIONS_MAX][AVOID_TEXT_MAX];
} AvoidNames;

/* The actions of a list. Zero-initialize. */
typedef struct AvoidList {
    bool named[GAME_ACTIONS_MAX];
} AvoidList;

/* The names of a game's actions, to be freed by free; NULL without memory. */
AvoidNames *avoid_names_new(const Game *game, const GameState *state);

/* Adds the actions of a name, upper or lower case, to a list; false if there are none. */
bool avoid_list_add(AvoidList *list, const AvoidNames *names, const char *name);

/* Forbids the actions of a list, or (`allow`) all others, to a colour: for this number of actions, 1 for the root
 * alone. */
void avoid_apply(SearchAvoid *avoid, const AvoidNames *names, const AvoidList *list, bool allow, Side colour,
                 int64_t depth);

/* Whether the side to move has a move left. */
bool avoid_leaves_move(const SearchAvoid *avoid, const Game *game, const GameState *state);

#endif
