/* An error that travels up to the code that reports it.
 *
 * A function that can fail takes an `Error *` as its last parameter, except some that can fail only for lack of memory.
 * On failure it returns false (or NULL, or -1) and leaves one line of text that names what is wrong and what was
 * expected. The parameter may be NULL where the reason does not matter. The library never prints and never exits. */
#ifndef STIGMERGY_ENGINE_BASE_ERROR_H
#define STIGMERGY_ENGINE_BASE_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Error {
    char text[320]; /* one line, no newline, always terminated */
    bool no_memory; /* the cause, for callers who take other errors for damage of what they read */
    bool passing;   /* the cause is the state of the machine, not what the caller gave: another try may succeed */
} Error;

/* Writes a printf-formatted line into `error`, if it is not NULL. It returns false, so that a function can end with
 * `return error_set(error, ...)`. Line breaks, control characters and what is not UTF-8 become '?'. A text that is
 * too long loses its middle ("..."), in whole characters. A format with "out of memory" sets no_memory and passing, any
 * other clears both. */
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts printf-formatted words before the text of `error`, if it is not NULL, as "%s: " with the name of a file.
 * no_memory and passing stay. Returns false, so that a function can end with `return f(..., error) ||
 * error_prefix(error, "%s: ", path)`. The whole text is cleaned and cut as by error_set. */
bool error_prefix(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies an error that was kept, unless one of the two is NULL. Returns false. */
bool error_pass(Error *to, const Error *from);

#ifdef __cplusplus
}
#endif

#endif
