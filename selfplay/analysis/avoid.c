/* See avoid.h. */
#include "selfplay/analysis/avoid.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { DEPTH_MAX = UINT8_MAX };

AvoidNames *avoid_names_new(const Game *game, const GameState *state) {
    AvoidNames *names = calloc(1, sizeof *names);
    for (int action = 0; names && action < 64 * game->action_words; action++) {
        char text[GAME_TEXT_MAX];
        int cell;
        if (!game->rules->action_kind(game, (Action)action, &cell))
            continue;
        game->rules->format(game, state, (Action)action, text);
        snprintf(names->text[action], AVOID_TEXT_MAX, "%.15s", text);
    }
    return names;
}

bool avoid_list_add(AvoidList *list, const AvoidNames *names, const char *name) {
    bool found = false;
    for (int action = 0; action < GAME_ACTIONS_MAX && *name; action++)
        if (!strcasecmp(names->text[action], name))
            found = list->named[action] = true;
    return found;
}

void avoid_apply(SearchAvoid *avoid, const AvoidNames *names, const AvoidList *list, bool allow, Side colour,
                 int64_t depth) {
    const uint8_t wanted = (uint8_t)(depth < DEPTH_MAX ? depth : DEPTH_MAX);
    for (int action = 0; action < GAME_ACTIONS_MAX; action++) {
        uint8_t *until = &avoid->until[colour][action];
        if (names->text[action][0] && list->named[action] != allow && wanted > *until)
            *until = wanted;
    }
}

bool avoid_leaves_move(const SearchAvoid *avoid, const Game *game, const GameState *state) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    const Side colour = game_colour(game, state, game->rules->to_move(state));
    for (int i = 0; i < count; i++)
        if (avoid->until[colour][legal[i]] == 0)
            return true;
    return count == 0;
}
