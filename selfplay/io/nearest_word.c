/* See nearest_word.h. */
#include "selfplay/io/nearest_word.h"

#include <stdbool.h>
#include <string.h>

enum { BEGINNING_MIN = 3 }; /* letters of a word */

static int smaller(int a, int b) {
    return a < b ? a : b;
}

int word_distance(const char *a, const char *b) {
    static const int far = NEAREST_WORD_MAX + 1;
    int rows[3][NEAREST_WORD_MAX + 1]; /* of the table of distances between beginnings of a and b: the last three */
    const size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > NEAREST_WORD_MAX || b_length > NEAREST_WORD_MAX)
        return far;
    for (int j = 0; j <= (int)b_length; j++)
        rows[0][j] = j;
    for (int i = 1; i <= (int)a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= (int)b_length; j++) {
            row[j] = smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

static bool begins(const char *typed, const char *word) {
    const size_t length = strlen(typed);
    return length >= BEGINNING_MIN && strlen(word) <= NEAREST_WORD_MAX && strncmp(typed, word, length) == 0;
}

const char *nearest_word(const char *typed, const char *const *words, int count) {
    const char *nearest = NULL;
    int least = NEAREST_WORD_MAX + 1;
    for (int i = 0; i < count; i++) {
        const int distance = word_distance(typed, words[i]);
        if (distance < least && 3 * distance <= (int)strlen(words[i])) {
            nearest = words[i];
            least = distance;
        }
    }
    for (int i = 0; i < count && !nearest; i++)
        if (begins(typed, words[i]))
            nearest = words[i];
    return nearest;
}
