/* See beginnings.h. */
#include "engine/game/beginnings.h"

#include "engine/base/list.h"
#include "engine/game/turns.h"

#include <stdlib.h>

uint64_t game_class_key(const Game *game, int komi, const Action *actions, int count) {
    uint64_t least = UINT64_MAX;
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        GameState state;
        game->rules->start(game, &state, komi);
        for (int i = 0; i < count; i++)
            game->rules->apply(game, &state, game->rules->symmetry(game, map, actions[i]));
        const uint64_t hash = game->rules->hash(&state);
        least = hash < least ? hash : least;
    }
    return least;
}

static bool contains(const Beginnings *all, uint64_t key) {
    for (int i = 0; i < all->count; i++)
        if (all->list[i].key == key)
            return true;
    return false;
}

/* Adds a beginning, if there is none of its class; false without memory. */
static bool add(const Game *game, int komi, Beginnings *all, Beginning *beginning) {
    beginning->key = game_class_key(game, komi, beginning->actions, beginning->count);
    if (contains(all, beginning->key))
        return true;
    if (!list_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list))
        return false;
    all->list[all->count++] = *beginning;
    return true;
}

bool beginnings_start(const Game *game, int komi, Beginnings *all, Error *error) {
    Beginning empty = {.count = 0};
    *all = (Beginnings){0};
    return add(game, komi, all, &empty) || error_set(error, "out of memory for the ways to begin");
}

/* The turns of one beginning. */
typedef struct Extension {
    const Game *game;
    int komi;
    Beginning before;
    Beginnings *all;
    bool too_long;
} Extension;

static bool visit(void *user, const Action *turn, int count, const GameState *after) {
    Extension *extension = user;
    Beginning longer = extension->before;
    if (extension->game->rules->over(after))
        return true;
    extension->too_long = longer.count + count > BEGINNING_ACTIONS_MAX;
    if (extension->too_long)
        return false;
    memcpy(longer.actions + longer.count, turn, (size_t)count * sizeof *turn);
    longer.count += count;
    return add(extension->game, extension->komi, extension->all, &longer);
}

bool beginnings_extend(const Game *game, int komi, Beginnings *all, Error *error) {
    Beginnings longer = {0};
    Extension extension = {.game = game, .komi = komi, .all = &longer};
    TurnsEnd end = TURNS_ALL;
    for (int i = 0; i < all->count && end == TURNS_ALL; i++) {
        GameState state;
        extension.before = all->list[i];
        game->rules->start(game, &state, komi);
        for (int j = 0; j < extension.before.count; j++)
            game->rules->apply(game, &state, extension.before.actions[j]);
        end = turns_visit(game, &state, 0, visit, &extension);
    }
    beginnings_free(all);
    *all = longer;
    if (extension.too_long)
        return error_set(error, "beginnings of more than %d actions, expected fewer turns", BEGINNING_ACTIONS_MAX);
    return end == TURNS_ALL || error_set(error, "out of memory for the ways to begin");
}

void beginnings_free(Beginnings *all) {
    free(all->list);
    *all = (Beginnings){0};
}
