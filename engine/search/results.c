/* What a search has found: the ranking of the moves, the principal variation, the owners of the cells. */
#include "engine/search/search_internal.h"

#include <stdlib.h>

static float rave_mean(const Child *child) {
    const uint64_t rave = atomic_load_explicit(&child->rave, memory_order_relaxed);
    return rave >> 32 ? (float)(uint32_t)rave / (float)(rave >> 32) : 0.0f;
}

/* Orders entries: proven wins, then by visits, proven losses last; ties by mean, by RAVE mean where there are no
 * visits, by action. */
static int compare_children(const void *left, const void *right) {
    const Child *a = *(const Child *const *)left, *b = *(const Child *const *)right;
    const int rank_a = child_proven(a) == PROVEN_WIN ? 0 : child_proven(a) == PROVEN_LOSS ? 2 : 1;
    const int rank_b = child_proven(b) == PROVEN_WIN ? 0 : child_proven(b) == PROVEN_LOSS ? 2 : 1;
    if (rank_a != rank_b)
        return rank_a - rank_b;
    if (child_visits(a) != child_visits(b))
        return child_visits(a) > child_visits(b) ? -1 : 1;
    if (child_mean(a) != child_mean(b))
        return child_mean(a) > child_mean(b) ? -1 : 1;
    if (child_visits(a) == 0 && rave_mean(a) != rave_mean(b))
        return rave_mean(a) > rave_mean(b) ? -1 : 1;
    return a->action - b->action;
}

static const Child *best_child(const Search *search, NodeRef ref) {
    const Child *children = tree_children(&search->tree, ref), *best = children;
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 1; i < count; i++) {
        const Child *other = &children[i];
        if (compare_children(&other, &best) < 0)
            best = other;
    }
    return best;
}

Action search_best(const Search *search) {
    const NodeRef ref = child_node(&search->tree.root);
    if (ref)
        return best_child(search, ref)->action;
    Action actions[GAME_LEGAL_MAX];
    search->game->rules->legal(search->game, &search->root, actions);
    return actions[0];
}

uint64_t search_lead(const Search *search) {
    const NodeRef ref = child_node(&search->tree.root);
    if (!ref)
        return 0;
    const Child *children = tree_children(&search->tree, ref), *best = best_child(search, ref);
    uint64_t second = 0;
    for (int i = 0; i < tree_node(&search->tree, ref)->children; i++)
        if (&children[i] != best && child_proven(&children[i]) != PROVEN_LOSS && child_visits(&children[i]) > second)
            second = child_visits(&children[i]);
    return child_visits(best) > second ? child_visits(best) - second : 0;
}

int search_moves(const Search *search, SearchMove *out, int capacity) {
    const NodeRef ref = child_node(&search->tree.root);
    if (!ref)
        return 0;
    const Child *sorted[GAME_LEGAL_MAX];
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 0; i < count; i++)
        sorted[i] = tree_children(&search->tree, ref) + i;
    qsort(sorted, (size_t)count, sizeof sorted[0], compare_children);
    const int written = count < capacity ? count : capacity;
    for (int i = 0; i < written; i++)
        out[i] = (SearchMove){.action = sorted[i]->action,
                              .visits = child_visits(sorted[i]),
                              .win_rate = (double)child_mean(sorted[i]),
                              .margin = (double)sorted[i]->margin,
                              .proven = child_proven(sorted[i]) != PROVEN_NOT};
    return written;
}

int search_variation(const Search *search, Action action, Action *out, int capacity) {
    int length = 0;
    NodeRef ref = child_node(&search->tree.root);
    while (ref && length < capacity) {
        const Child *child = best_child(search, ref);
        if (length == 0)
            for (int i = 0; i < tree_node(&search->tree, ref)->children; i++)
                if (tree_children(&search->tree, ref)[i].action == action)
                    child = tree_children(&search->tree, ref) + i;
        if (length > 0 && child_visits(child) == 0)
            break;
        out[length++] = child->action;
        ref = child_node(child);
    }
    return length;
}

void search_owners(const Search *search, float out[HEXHEX_MAX_CELLS]) {
    uint64_t samples = 0;
    for (int i = 0; i < search->threads; i++)
        samples += search->workers[i].owner_samples;
    for (int c = 0; c < search->game->board.cells; c++) {
        uint64_t sum = 0;
        for (int i = 0; i < search->threads; i++)
            sum += search->workers[i].owner_sum[c];
        out[c] = samples ? (float)((double)sum / (double)samples) : 0.5f;
    }
}

size_t search_memory_used(const Search *search) {
    return tree_bytes_used((Tree *)&search->tree);
}
