/* "Did you mean ...?": the word of a list that is nearest to what was typed. */
#ifndef STIGMERGY_SELFPLAY_IO_NEAREST_WORD_H
#define STIGMERGY_SELFPLAY_IO_NEAREST_WORD_H

#ifdef __cplusplus
extern "C" {
#endif

enum { NEAREST_WORD_MAX = 63 }; /* bytes; a longer word is near to no other */

/* How many letters must be added, left out, changed or swapped with their neighbour to make `b` of `a` (the optimal
 * string alignment distance); NEAREST_WORD_MAX + 1 where one of them is longer than NEAREST_WORD_MAX. */
int word_distance(const char *a, const char *b);

/* The nearest of the words, the first one among equals, if at most a third of its letters are wrong. If none is so
 * near, the first word that begins with what was typed, three letters or more. Else NULL. */
const char *nearest_word(const char *typed, const char *const *words, int count);

#ifdef __cplusplus
}
#endif

#endif
