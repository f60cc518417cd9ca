/* Words of which one is chosen. */
#ifndef STIGMERGY_ENGINE_BASE_WORDS_H
#define STIGMERGY_ENGINE_BASE_WORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which of `count` words a text is; -1: none of them. */
int words_find(const char *const *words, int count, const char *text);

/* Lists words for an error, as far as there is room: "both, even or odd". */
void words_join(const char *const *words, int count, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
