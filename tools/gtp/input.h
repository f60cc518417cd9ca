/* The input of a GTP session, read by a thread of its own, so that a running search learns what comes in. Analysis and
 * pondering end with the next line; the search for a move ends with `quit`. */
#ifndef STIGMERGY_TOOLS_GTP_INPUT_H
#define STIGMERGY_TOOLS_GTP_INPUT_H

#include "engine/base/error.h"
#include "engine/base/stop_flag.h"

#include <stddef.h>

typedef struct GtpInput GtpInput;

/* Starts to read a file descriptor, which the caller still owns. `pause`: see gtp_input_quit. NULL with an error. To be
 * freed by gtp_input_free, at any time. */
GtpInput *gtp_input_new(int descriptor, double pause, Error *error);
void gtp_input_free(GtpInput *input);

/* Waits for the next line and returns its length with the newline. If the line is longer than `capacity`, it comes in
 * parts. 0 at the end of the input, -1 with an error if the input cannot be read. */
long gtp_input_take(GtpInput *input, char *out, size_t capacity, Error *error);

/* True while gtp_input_take would return at once: a whole line, the end of the input, or the first part of a very long
 * line is there. */
const StopFlag *gtp_input_waiting(const GtpInput *input);

/* Becomes true when `quit` comes after at least `pause` seconds without input: the user wants the current search to
 * end. A `quit` that comes together with the commands before it does not count: a script that sends all of them at once
 * wants all the answers. False again when the session asks for a line after that one. */
const StopFlag *gtp_input_quit(const GtpInput *input);

/* Waits until gtp_input_waiting is true. */
void gtp_input_wait(GtpInput *input);

#endif
