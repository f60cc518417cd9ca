/* The input of a protocol session, read by a thread of its own, so that a search learns what comes in meanwhile: an
 * analysis and pondering end with the next line, a move that is being searched ends when `quit` comes. */
#ifndef STIGMERGY_TOOLS_GTP_INPUT_H
#define STIGMERGY_TOOLS_GTP_INPUT_H

#include "engine/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct GtpInput GtpInput;

/* Starts to read a file descriptor, which stays the caller's; NULL with an error. To be freed by gtp_input_free, which
 * may be called while the descriptor could still be read. `pause`: see gtp_input_quit. */
GtpInput *gtp_input_new(int descriptor, double pause, Error *error);
void gtp_input_free(GtpInput *input);

/* Waits for the next line, its newline included, and returns its length; of a line longer than `capacity` a part. 0 at
 * the end of the input, -1 with an error where it cannot be read. */
long gtp_input_take(GtpInput *input, char *out, size_t capacity, Error *error);

/* True while a whole line, the end of the input, or as much of a line as is kept, waits to be taken. */
const atomic_bool *gtp_input_waiting(const GtpInput *input);

/* Becomes true when `quit` comes after a pause of so many seconds without input: somebody wants an end of whatever is
 * being searched. A `quit` that comes with the commands before it does not count: who sends these together, a script,
 * wants all the answers. */
const atomic_bool *gtp_input_quit(const GtpInput *input);

/* Waits until gtp_input_waiting is true. */
void gtp_input_wait(GtpInput *input);

#endif
