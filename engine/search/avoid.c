/* Keeps actions out of the tree near its root (SearchAvoid): their edges are not made. So nothing else in the search
 * has to know of them. The evaluator still sees all legal actions, because its answers may come from a cache. */
#include "engine/search/search_internal.h"

int search_allowed(const Search *search, const GameState *state, int depth, Action *actions, float *logits, int count) {
    if (depth >= search->avoid_depth)
        return count;
    const Side colour = game_colour(search->game, state, search->game->rules->to_move(state));
    const uint8_t *until = search->avoid.until[colour];
    int left = 0;
    for (int i = 0; i < count; i++)
        left += depth >= until[actions[i]];
    if (left == 0)
        return count;
    for (int i = 0, kept = 0; i < count; i++) {
        if (depth < until[actions[i]])
            continue;
        if (logits)
            logits[kept] = logits[i];
        actions[kept++] = actions[i];
    }
    return left;
}
