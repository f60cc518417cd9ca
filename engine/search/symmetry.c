/* Symmetric positions: of actions that are images of each other, a node has one.
 *
 * A symmetry of the board that takes a position to itself takes every action to one that is as good. So a node gets
 * only the first action of each such class, and the search does not share its visits out among equals (KataGo does the
 * same at the root). For PUCT it has the probability of all; for RAVE, where a prior says how good an action is, its
 * own. After a first stone in the centre, White has six or twelve times as much to think with. Only positions with few
 * stones are looked at, for others hardly ever have a symmetry.
 *
 * What a search says of its root is about all actions again (results.c). */
#include "engine/base/rough_math.h"
#include "engine/search/search_internal.h"

enum { STONES_MAX = 2 };

static int count_stones(const Game *game, const GameState *state) {
    return game->board.cells - game_empty_cells(game, state);
}

void search_expect_symmetry(Search *search) {
    search->symmetric_depth = STONES_MAX + 1 - count_stones(search->game, &search->root);
}

Symmetries search_symmetries(const Game *game, const GameState *state) {
    if (!game->rules->turn_start(state) || count_stones(game, state) > STONES_MAX)
        return (Symmetries){.count = 1};
    return symmetries_of(game, state);
}

/* The logit of the sum of the probabilities of a class. */
static float class_logit(const Game *game, const Symmetries *own, const Action *actions, const float *logits, int count,
                         Action first) {
    float of_class[HEXHEX_SYMMETRIES];
    int size = 0;
    for (int i = 0; i < count; i++)
        if (symmetries_first(game, own, actions[i]) == first)
            of_class[size++] = logits[i];
    return rough_logit_of_sum(of_class, size, 1);
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
        if (symmetries_first(search->game, &own, actions[i]) != actions[i])
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
