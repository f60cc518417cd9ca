/* See turns.h. Where turns are sets, several orders of the same actions lead to the same position. For each first
 * action, the hashes of the positions within the turn are remembered, and the visit goes on from each position only
 * once. */
#include "engine/game/turns.h"

#include <stdlib.h>

typedef struct HashSet {
    uint64_t *slot; /* 0 is empty */
    size_t count, slots;
} HashSet;

typedef struct Visit {
    const Game *game;
    TurnVisitor *visitor;
    void *user;
    HashSet seen;
    uint64_t left; /* positions until the limit */
    Action turn[GAME_TURN_MAX];
} Visit;

/* The slot that holds a hash, or the empty slot where it belongs. */
static uint64_t *find_slot(HashSet *set, uint64_t hash) {
    size_t at = hash & (set->slots - 1);
    while (set->slot[at] && set->slot[at] != hash)
        at = (at + 1) & (set->slots - 1);
    return &set->slot[at];
}

static bool grow(HashSet *set) {
    const HashSet old = *set;
    set->slots = old.slots ? 2 * old.slots : 64;
    set->slot = calloc(set->slots, sizeof *set->slot);
    if (!set->slot) {
        *set = old;
        return false;
    }
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i])
            *find_slot(set, old.slot[i]) = old.slot[i];
    free(old.slot);
    return true;
}

/* Adds a hash. *known tells whether it was there before. False without memory. */
static bool add(HashSet *set, uint64_t hash, bool *known) {
    if (2 * set->count >= set->slots && !grow(set))
        return false;
    hash += !hash;
    uint64_t *slot = find_slot(set, hash);
    *known = *slot == hash;
    set->count += !*known;
    *slot = hash;
    return true;
}

static void forget(HashSet *set) {
    if (set->count)
        memset(set->slot, 0, set->slots * sizeof *set->slot);
    set->count = 0;
}

/* Visits all ways to finish a turn whose first `count` actions have led to `state`. */
static TurnsEnd go_on(Visit *visit, const GameState *state, int count) {
    const Game *game = visit->game;
    const GameRules *rules = game->rules;
    Action actions[GAME_LEGAL_MAX];
    const int choices = rules->legal(game, state, actions);
    TurnsEnd end = TURNS_ALL;
    for (int i = 0; i < choices && end == TURNS_ALL; i++) {
        GameState next;
        bool known = false;
        if (visit->left-- == 0)
            return TURNS_STOPPED;
        game_copy(game, &next, state);
        rules->apply(game, &next, actions[i]);
        visit->turn[count] = actions[i];
        const bool ends = rules->over(&next) || rules->turn_start(&next);
        if (count == 0)
            forget(&visit->seen);
        else if (game->turns_as_sets && !add(&visit->seen, rules->hash(&next), &known))
            return TURNS_NO_MEMORY;
        if (known)
            continue;
        if (!ends)
            end = go_on(visit, &next, count + 1);
        else if (!visit->visitor(visit->user, visit->turn, count + 1, &next))
            end = TURNS_STOPPED;
    }
    return end;
}

TurnsEnd turns_visit(const Game *game, const GameState *state, uint64_t limit, TurnVisitor *visitor, void *user) {
    Visit visit = {.game = game, .visitor = visitor, .user = user, .left = limit ? limit : UINT64_MAX};
    const TurnsEnd end = game->rules->over(state) ? TURNS_ALL : go_on(&visit, state, 0);
    free(visit.seen.slot);
    return end;
}
