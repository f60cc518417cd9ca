/* See stamp.h. */
#include "selfplay/dataset/stamp.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = SHA256_DIGEST_STRING_LENGTH - 1, PREFIX = sizeof DATASET_STAMP - 1 - DIGITS };

/* Where the digits of a text are; NULL where it has no stamp. */
static char *find_digits(char *text) {
    char *stamp = strstr(text, "text-sha256:");
    return stamp && strspn(stamp + PREFIX, "0123456789abcdef") >= DIGITS ? stamp + PREFIX : NULL;
}

void dataset_stamp(char *text) {
    char hash[SHA256_DIGEST_STRING_LENGTH], *digits = find_digits(text);
    if (digits && SHA256Data((const uint8_t *)text, strlen(text), hash))
        memcpy(digits, hash, DIGITS);
}

bool dataset_stamp_check(const char *text, bool *good) {
    char *copy = strdup(text), *digits = copy ? find_digits(copy) : NULL;
    if (digits) {
        memset(digits, '0', DIGITS);
        dataset_stamp(copy);
    }
    *good = digits && !strcmp(copy, text);
    free(copy);
    return copy != NULL;
}
