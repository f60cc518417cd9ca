/* Reading input that somebody else may end: a descriptor beside the input says that reading is of no use any more. */
#ifndef STIGMERGY_TOOLS_CLI_WOKEN_READ_H
#define STIGMERGY_TOOLS_CLI_WOKEN_READ_H

#include <sys/types.h>

/* Waits for input and reads at most `capacity` bytes of it. 0 at its end, or as soon as `wake` is readable or closed at
 * its other end, which comes first; -1 with errno. */
ssize_t woken_read(int input, int wake, void *bytes, size_t capacity);

#endif
