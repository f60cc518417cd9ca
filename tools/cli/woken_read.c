/* See woken_read.h. */
#include "tools/cli/woken_read.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

ssize_t woken_read(int input, int wake, void *bytes, size_t capacity) {
    struct pollfd sources[2] = {{.fd = input, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
    ssize_t count;
    do
        count = poll(sources, 2, -1) < 0 ? -1 : sources[1].revents ? 0 : read(input, bytes, capacity);
    while (count < 0 && errno == EINTR);
    return count;
}
