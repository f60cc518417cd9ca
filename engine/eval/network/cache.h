/* A cache of the answers of a network. The same position is reached by several orders of moves, and again after a tree
 * was cleared.
 *
 * The key of a position is a hash of 128 bits of everything that the network sees of it (NetworkInput). So positions
 * share an entry exactly where the network cannot tell them apart, whatever its features are. An answer of the cache is
 * the network's own to the bit. So earlier evaluations decide what is found, but never what comes out.
 *
 * A table of entries of equal size, made for one board; a newer position takes the place of an older one. Threads share
 * it without locks: an entry holds half of the key, xored with a checksum of its numbers, so that one that two threads
 * wrote at once is not found (Hyatt and Mann 2002, "A lock-less transposition table implementation for parallel search
 * chess engines"). */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_CACHE_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_CACHE_H

#include "engine/eval/network/network.h"

typedef struct NetworkCache NetworkCache;

typedef struct NetworkKey {
    uint64_t place, check;
} NetworkKey;

/* The key of a position as a network of this shape sees it on a board of `cells`. */
NetworkKey network_key(const NetworkShape *shape, int cells, const NetworkInput *input);

/* Makes a cache of at most `bytes` for positions on a board of `cells`, to be freed by network_cache_free. Memory is
 * used only as it fills. NULL without memory, or if no entry fits. */
NetworkCache *network_cache_new(const NetworkShape *shape, int cells, size_t bytes);
void network_cache_free(NetworkCache *cache); /* NULL is fine */

/* Writes what was stored under this key. False if nothing is found; *output then means nothing. */
bool network_cache_find(const NetworkCache *cache, NetworkKey key, NetworkOutput *output);

void network_cache_store(NetworkCache *cache, NetworkKey key, const NetworkOutput *output);

#endif
