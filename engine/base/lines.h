/* Memory on cache lines of its own. */
#ifndef STIGMERGY_ENGINE_BASE_LINES_H
#define STIGMERGY_ENGINE_BASE_LINES_H

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 /* bytes */ };

/* `bytes` bytes, rounded up to whole cache lines, all 0; for `free`. NULL without memory. */
static inline void *lines_new(size_t bytes) {
    const size_t whole = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *lines = aligned_alloc(CACHE_LINE, whole);
    return lines ? memset(lines, 0, whole) : NULL;
}

#endif
