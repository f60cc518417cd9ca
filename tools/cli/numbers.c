/* See numbers.h. */
#include "tools/cli/numbers.h"

#include "engine/base/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Digits, after a minus sign where `negative` allows one: strtoll would take blanks and a plus sign too. */
static bool is_whole(const char *text, bool negative) {
    if (negative && *text == '-')
        text++;
    return *text && text[strspn(text, "0123456789")] == '\0';
}

bool read_int(const char *what, const char *text, int low, int high, int *out, Error *error) {
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (!is_whole(text, true) || errno || value < low || value > high)
        return error_set(error, "%s: '%.40s', expected a whole number from %d to %d", what, text, low, high);
    *out = (int)value;
    return true;
}

bool read_count(const char *what, const char *text, int low, int high, int64_t *out, Error *error) {
    int value = 0;
    if (!read_int(what, text, low, high, &value, error))
        return false;
    *out = value;
    return true;
}

bool read_u64(const char *what, const char *text, uint64_t *out, Error *error) {
    errno = 0;
    const unsigned long long value = strtoull(text, NULL, 10);
    if (!is_whole(text, false) || errno)
        return error_set(error, "%s: '%.40s', expected a whole number from 0 to %" PRIu64, what, text, UINT64_MAX);
    *out = value;
    return true;
}

bool read_number(const char *what, const char *text, double low, double high, double *out, Error *error) {
    char *end;
    const double value = strtod(text, &end);
    /* No blanks, hexadecimal digits, infinities or NaN. */
    const bool decimal = *text && *text != '+' && text[strspn(text, "0123456789.eE+-")] == '\0';
    if (!decimal || *end || !(value >= low && value <= high))
        return error_set(error, "%s: '%.40s', expected a number from %.10g to %.10g", what, text, low, high);
    *out = value;
    return true;
}

bool read_word(const char *what, const char *text, const char *const *words, int count, int *index, Error *error) {
    const int found = words_find(words, count, text);
    char list[160];
    words_join(words, count, list, sizeof list);
    if (found < 0)
        return error_set(error, "%s: '%.40s', expected %s", what, text, list);
    *index = found;
    return true;
}
