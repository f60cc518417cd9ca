/* Searches that outlive their task: a fixed number of them, which are lent to tasks.
 *
 * Making a search costs memory and time, and what it has found may be useful again: a person who walks through a game
 * asks for the same position once more, or for the one after a move. So a search that is given back stays as it is. It
 * is lent again to the task that it fits best. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_SEARCH_POOL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_SEARCH_POOL_H

#include "selfplay/players/player.h"

/* A search that is lent. */
typedef struct PooledSearch {
    Search *search;
    uint64_t kept; /* visits of the root that it begins with: those of the tree that was kept */
    /* The pool's own: */
    const Game *game;
    const Player *player;
    bool busy;
    uint64_t used; /* when it was lent last */
} PooledSearch;

/* What a task needs. */
typedef struct SearchWish {
    const Game *game;           /* must outlive the pool, as the player must */
    const Player *player;       /* how to search; its limits and threads do not count */
    const GameState *state;     /* the root */
    const GameHistory *history; /* what came before it; a tree that is kept keeps its own */
    uint64_t seed;              /* of a search that begins from nothing */
    bool keep_tree;             /* take the tree of a search that knows the position; see search_pool_take */
} SearchWish;

typedef struct SearchPool SearchPool;

/* Makes a pool of `count` searches with `threads` threads each. They take memory when they are first lent. NULL without
 * memory. */
SearchPool *search_pool_new(int count, int threads);

/* Frees all searches, none of which may be lent. */
void search_pool_free(SearchPool *pool);

/* Lends a search, of which at most `count` may be lent at a time. With `keep_tree` it begins with what a search has
 * found about this position, or about the position one action before. If that search is lent now, the call waits for
 * it, at most 0.2 seconds. Without `keep_tree`, or if there is no such search, it begins from nothing, as a new search
 * with this seed would. NULL with an error if no search can be made. */
PooledSearch *search_pool_take(SearchPool *pool, const SearchWish *wish, Error *error);

/* Takes it back, with what it has found. */
void search_pool_give(SearchPool *pool, PooledSearch *pooled);

/* Frees the memory of the searches that are not lent now, and of the others when they are given back. */
void search_pool_clear(SearchPool *pool);

#endif
