/* Strict reading of what a person or a program has typed: numbers, and words of which one is chosen. */
#ifndef STIGMERGY_TOOLS_CLI_NUMBERS_H
#define STIGMERGY_TOOLS_CLI_NUMBERS_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Each of these reads the whole of a text as a decimal number from low to high (read_u64: from 0 to the largest one);
 * false with an error that begins with `what` ("--size"). */
bool read_int(const char *what, const char *text, int low, int high, int *out, Error *error);
bool read_count(const char *what, const char *text, int low, int high, int64_t *out, Error *error);
bool read_u64(const char *what, const char *text, uint64_t *out, Error *error);
bool read_number(const char *what, const char *text, double low, double high, double *out, Error *error);

/* Reads one of `count` words; *index becomes its number among them. False with an error that begins with `what`. */
bool read_word(const char *what, const char *text, const char *const *words, int count, int *index, Error *error);

#endif
