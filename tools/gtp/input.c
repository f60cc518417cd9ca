/* See input.h. A buffer of fixed size between two threads; the reader waits while it is full. */
#include "tools/gtp/input.h"

#include "engine/base/wall_time.h"
#include "tools/cli/woken_read.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, PIECE = 4096 };

struct GtpInput {
    int descriptor;
    int wake[2]; /* a pipe; closing one end stops the reader */
    pthread_t reader;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char bytes[BUFFER]; /* read and not yet taken */
    size_t length;
    int failure; /* errno of a read that failed */
    bool ended;
    bool within_line;   /* the last byte that was read is no newline */
    double pause, last; /* see gtp_input_quit; when something was last read, wall_seconds */
    StopFlag waiting, quit;
};

static size_t skip(const char *bytes, size_t count, size_t at, const char *set) {
    while (at < count && bytes[at] && strchr(set, bytes[at]))
        at++;
    return at;
}

/* Whether bytes begin with a line that says `quit`, with or without an id. */
static bool is_quit(const char *bytes, size_t count) {
    const size_t id = skip(bytes, count, 0, " \t"), end = skip(bytes, count, id, "0123456789");
    size_t at = skip(bytes, count, end, " \t");
    if (end > id && at == end)
        return false; /* as in `1quit` */
    if (count - at < 5 || memcmp(bytes + at, "quit", 4) != 0)
        return false;
    at = skip(bytes, count, at + 4, " \t\r");
    return at < count && (bytes[at] == '\n' || bytes[at] == '#');
}

/* Whether something can be taken at once: a line, the end, or part of a line that is too long for the buffer. */
static bool can_take(const GtpInput *input) {
    return input->ended || input->length + PIECE > BUFFER || memchr(input->bytes, '\n', input->length);
}

/* Updates `waiting` and wakes up the threads that wait. The lock is held. */
static void set_waiting(GtpInput *input) {
    if (can_take(input))
        stop_flag_set(&input->waiting);
    else
        stop_flag_clear(&input->waiting);
    pthread_cond_broadcast(&input->changed);
}

/* Adds bytes that were read at the time `now`. The lock is held. */
static void add_bytes(GtpInput *input, const char *bytes, size_t count, double now) {
    memcpy(input->bytes + input->length, bytes, count);
    input->length += count;
    if (!input->within_line && now - input->last >= input->pause && is_quit(bytes, count))
        stop_flag_set(&input->quit);
    input->within_line = bytes[count - 1] != '\n';
    input->last = now;
}

static void *read_all(void *argument) {
    GtpInput *input = argument;
    for (bool going_on = true; going_on;) {
        char piece[PIECE];
        const ssize_t count = woken_read(input->descriptor, input->wake[0], piece, PIECE);
        const int failure = count < 0 ? errno : 0;
        const double now = wall_seconds();
        pthread_mutex_lock(&input->lock);
        while (count > 0 && input->length + (size_t)count > BUFFER && !input->ended) {
            set_waiting(input);
            pthread_cond_wait(&input->changed, &input->lock);
        }
        going_on = count > 0 && !input->ended;
        if (going_on) {
            add_bytes(input, piece, (size_t)count, now);
        } else {
            input->failure = failure;
            input->ended = true;
        }
        set_waiting(input);
        pthread_mutex_unlock(&input->lock);
    }
    return NULL;
}

GtpInput *gtp_input_new(int descriptor, double pause, Error *error) {
    if (fcntl(descriptor, F_GETFD) < 0) { /* closed: else the pipe below would get its number */
        error_set(error, "cannot read the input: %s", strerror(errno));
        return NULL;
    }
    GtpInput *input = calloc(1, sizeof *input);
    if (!input) {
        error_set(error, "out of memory");
        return NULL;
    }
    input->descriptor = descriptor;
    input->pause = pause;
    input->last = wall_seconds();
    pthread_mutex_init(&input->lock, NULL);
    pthread_cond_init(&input->changed, NULL);
    if (pipe(input->wake) == 0) {
        if (pthread_create(&input->reader, NULL, read_all, input) == 0)
            return input;
        close(input->wake[0]);
        close(input->wake[1]);
    }
    free(input);
    error_set(error, "cannot start to read the input");
    return NULL;
}

void gtp_input_free(GtpInput *input) {
    if (!input)
        return;
    pthread_mutex_lock(&input->lock);
    input->ended = true; /* a reader that waits for room gives up */
    pthread_cond_broadcast(&input->changed);
    pthread_mutex_unlock(&input->lock);
    close(input->wake[1]);
    pthread_join(input->reader, NULL);
    close(input->wake[0]);
    pthread_mutex_destroy(&input->lock);
    pthread_cond_destroy(&input->changed);
    free(input);
}

long gtp_input_take(GtpInput *input, char *out, size_t capacity, Error *error) {
    pthread_mutex_lock(&input->lock);
    if (input->length == 0)
        stop_flag_clear(&input->quit); /* the session has seen that line, and goes on */
    while (!can_take(input) && input->length < capacity)
        pthread_cond_wait(&input->changed, &input->lock);
    const char *newline = memchr(input->bytes, '\n', input->length);
    size_t count = newline ? (size_t)(newline + 1 - input->bytes) : input->length;
    if (count > capacity)
        count = capacity;
    memcpy(out, input->bytes, count);
    input->length -= count;
    memmove(input->bytes, input->bytes + count, input->length);
    const int failure = count == 0 ? input->failure : 0;
    set_waiting(input);
    pthread_mutex_unlock(&input->lock);
    if (failure) {
        error_set(error, "cannot read the input: %s", strerror(failure));
        return -1;
    }
    return (long)count;
}

const StopFlag *gtp_input_waiting(const GtpInput *input) {
    return &input->waiting;
}

const StopFlag *gtp_input_quit(const GtpInput *input) {
    return &input->quit;
}

void gtp_input_wait(GtpInput *input) {
    pthread_mutex_lock(&input->lock);
    while (!stop_flag_is_set(&input->waiting))
        pthread_cond_wait(&input->changed, &input->lock);
    pthread_mutex_unlock(&input->lock);
}
