/* See cache.h. */
#include "engine/eval/network/cache.h"

#include "engine/base/rng.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS_MAX = 3 + NETWORK_OTHERS_MAX + (1 + NETWORK_KINDS_MAX) * HEXHEX_MAX_CELLS, /* of an output */
    WORDS_MAX = (NUMBERS_MAX + 3) / 4
};

_Static_assert(offsetof(NetworkOutput, others) == 3 * sizeof(int16_t), "win, score, spread and others side by side");

struct NetworkCache {
    int cells, kinds, others;
    size_t words; /* of an output; an entry has one more, in front */
    size_t entries;
    _Atomic uint64_t *table;
};

/* ---- Hashes ---- */

static const uint64_t HASH_FACTOR = 0x9fb21c651e98df25u, CHECK_FACTOR = 0xd6e8feb86659fd93u; /* odd */

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static uint64_t hash_words(uint64_t hash, const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = rotate(hash ^ words[i], 29) * HASH_FACTOR;
    return rng_mix(hash);
}

NetworkKey network_key(const NetworkShape *shape, int cells, const NetworkInput *input) {
    const size_t planes = (size_t)(cells * shape->planes), globals = sizeof input->globals;
    NetworkKey key = {0x243f6a8885a308d3u + (uint64_t)cells, 0x13198a2e03707344u};
    uint64_t words[(sizeof input->planes + sizeof input->globals) / sizeof(uint64_t) + 1];
    const size_t count = (planes + globals + sizeof *words - 1) / sizeof *words;
    words[count - 1] = 0;
    memcpy(words, input->planes, planes);
    memcpy((uint8_t *)words + planes, input->globals, globals);
    for (size_t i = 0; i < count; i++) { /* two hashes side by side */
        key.place = rotate(key.place ^ words[i], 29) * HASH_FACTOR;
        key.check = rotate(key.check ^ words[i], 35) * CHECK_FACTOR;
    }
    return (NetworkKey){rng_mix(key.place), rng_mix(key.check)};
}

/* ---- Entries ---- */

/* Numbers of a NetworkOutput that lie side by side, from the start of one of its fields. */
typedef struct Block {
    size_t offset; /* in bytes */
    int count;
} Block;

/* The i-th of the blocks that hold all that the game and the board have; there are 2 + kinds. */
static Block block(const NetworkCache *cache, int i) {
    if (i == 0) /* with score and spread, which follow */
        return (Block){offsetof(NetworkOutput, win), 3 + cache->others};
    if (i == 1)
        return (Block){offsetof(NetworkOutput, owner), cache->cells};
    return (Block){offsetof(NetworkOutput, cells) + sizeof(int16_t[HEXHEX_MAX_CELLS]) * (size_t)(i - 2), cache->cells};
}

static void pack(const NetworkCache *cache, const NetworkOutput *output, uint64_t *words) {
    uint8_t *to = (uint8_t *)words;
    words[cache->words - 1] = 0;
    for (int i = 0; i < 2 + cache->kinds; i++) {
        const Block from = block(cache, i);
        const size_t bytes = (size_t)from.count * sizeof(int16_t);
        memcpy(to, (const uint8_t *)output + from.offset, bytes);
        to += bytes;
    }
}

static void unpack(const NetworkCache *cache, const uint64_t *words, NetworkOutput *output) {
    const uint8_t *from = (const uint8_t *)words;
    for (int i = 0; i < 2 + cache->kinds; i++) {
        const Block to = block(cache, i);
        const size_t bytes = (size_t)to.count * sizeof(int16_t);
        memcpy((uint8_t *)output + to.offset, from, bytes);
        from += bytes;
    }
}

static _Atomic uint64_t *entry_of(const NetworkCache *cache, NetworkKey key) {
    return cache->table + key.place % cache->entries * (cache->words + 1);
}

NetworkCache *network_cache_new(const NetworkShape *shape, int cells, size_t bytes) {
    const size_t numbers = (size_t)(3 + shape->others + (1 + shape->kinds) * cells), words = (numbers + 3) / 4;
    const size_t entries = bytes / ((words + 1) * sizeof(uint64_t));
    NetworkCache *cache = entries > 0 ? malloc(sizeof *cache) : NULL;
    if (!cache)
        return NULL;
    *cache = (NetworkCache){cells, shape->kinds, shape->others, words, entries, NULL};
    cache->table = calloc(entries * (words + 1), sizeof *cache->table);
    if (cache->table)
        return cache;
    free(cache);
    return NULL;
}

void network_cache_free(NetworkCache *cache) {
    if (cache)
        free(cache->table);
    free(cache);
}

bool network_cache_find(const NetworkCache *cache, NetworkKey key, NetworkOutput *output) {
    _Atomic uint64_t *entry = entry_of(cache, key);
    uint64_t words[WORDS_MAX];
    for (size_t i = 0; i < cache->words; i++)
        words[i] = atomic_load_explicit(&entry[i + 1], memory_order_relaxed);
    const uint64_t check = atomic_load_explicit(&entry[0], memory_order_relaxed);
    if (check != hash_words(key.check, words, cache->words))
        return false;
    unpack(cache, words, output);
    return true;
}

void network_cache_store(NetworkCache *cache, NetworkKey key, const NetworkOutput *output) {
    _Atomic uint64_t *entry = entry_of(cache, key);
    uint64_t words[WORDS_MAX];
    pack(cache, output, words);
    atomic_store_explicit(&entry[0], hash_words(key.check, words, cache->words), memory_order_relaxed);
    for (size_t i = 0; i < cache->words; i++)
        atomic_store_explicit(&entry[i + 1], words[i], memory_order_relaxed);
}
