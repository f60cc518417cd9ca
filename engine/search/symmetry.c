/* Symmetric positions: of actions that are images of each other, a node has one.
 *
 * A symmetry of the board that takes a position to itself takes every action to one that is as good. So a node gets
 * only the first action of each such class, and the search does not share its visits out among equals (KataGo does the
 * same at the root). For PUCT it has the probability of all; for RAVE, where a prior says how good an action is, its
 * own. After a first stone in the centre, White has six or twelve times as much to think with. Only positions with few
 * stones are looked at, for others hardly ever have a symmetry.
 *
 * What a search says of its root is about all actions again (results.c). */
#include "engine/search/search_internal.h"

enum { STONES_MAX = 2 };

static int count_stones(const Game *game, const uint8_t *stones) {
    int count = 0;
    for (int c = 0; c < game->board.cells; c++)
        count += stones[c] != 0;
    return count;
}

void search_expect_symmetry(Search *search) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    search->game->rules->stones(search->game, &search->root, stones);
    search->symmetric_depth = STONES_MAX + 1 - count_stones(search->game, stones);
}

Symmetries search_symmetries(const Game *game, const GameState *state) {
    Symmetries own = {.count = 1}; /* the identity is the first map */
    uint8_t stones[HEXHEX_MAX_CELLS];
    game->rules->stones(game, state, stones);
    /* In the middle of a turn more than the stones counts. */
    if (!game->rules->turn_start(state) || count_stones(game, stones) > STONES_MAX)
        return own;
    for (int map = 1; map < HEXHEX_SYMMETRIES; map++) {
        int c = 0;
        while (c < game->board.cells && stones[c] == stones[game->board.symmetry[map][c]])
            c++;
        if (c == game->board.cells)
            own.map[own.count++] = map;
    }
    return own;
}

int search_class(const Game *game, const Symmetries *own, Action action, Action out[HEXHEX_SYMMETRIES]) {
    int count = 0;
    for (int i = 0; i < own->count; i++) {
        const Action image = game->rules->symmetry(game, own->map[i], action);
        int k = 0;
        while (k < count && out[k] != image)
            k++;
        if (k == count)
            out[count++] = image;
    }
    return count;
}

/* The lowest image of an action, which stands for its class. */
static Action first_of(const Game *game, const Symmetries *own, Action action) {
    Action first = action;
    for (int i = 1; i < own->count; i++) {
        const Action image = game->rules->symmetry(game, own->map[i], action);
        first = image < first ? image : first;
    }
    return first;
}

/* The logit of the sum of the probabilities of a class. */
static float class_logit(const Game *game, const Symmetries *own, const Action *actions, const float *logits, int count,
                         Action first) {
    float of_class[HEXHEX_SYMMETRIES];
    int size = 0;
    for (int i = 0; i < count; i++)
        if (first_of(game, own, actions[i]) == first)
            of_class[size++] = logits[i];
    return search_logit_of_sum(of_class, size, 1);
}

int search_merge_images(const Search *search, const GameState *state, int depth, Action *actions, float *logits,
                        int count) {
    if (depth >= search->symmetric_depth || search->avoid_depth > 0 || search->params.all_images)
        return count;
    const Symmetries own = search_symmetries(search->game, state);
    const bool puct = search->params.selection == SELECTION_PUCT;
    float kept_logits[GAME_LEGAL_MAX];
    Action firsts[GAME_LEGAL_MAX];
    int kept = 0;
    if (own.count == 1)
        return count;
    for (int i = 0; i < count; i++) {
        if (first_of(search->game, &own, actions[i]) != actions[i])
            continue;
        if (logits)
            kept_logits[kept] = puct ? class_logit(search->game, &own, actions, logits, count, actions[i]) : logits[i];
        firsts[kept++] = actions[i];
    }
    memcpy(actions, firsts, (size_t)kept * sizeof *actions);
    if (logits)
        memcpy(logits, kept_logits, (size_t)kept * sizeof *logits);
    return kept;
}
