/* See gtp_client.h. */
#define _GNU_SOURCE /* memmem */
#include "selfplay/players/gtp_client.h"

#include "engine/base/wall_time.h"
#include "selfplay/players/subprocess_internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    POLL_MS = 50,
    BLANK_MAX = 1 << 20 /* bytes of empty lines before an answer */
};

static const double END_SECONDS = 0.3; /* from the end of its output to the end of the program, on a busy machine */
static const char more_than_one[] = "wrote more than one answer to a command";

/* Whether the program repeats the numbers of commands (Farnebäck, GTP version 2, section 2.5). */
typedef enum Numbering { NUMBERING_UNKNOWN, NUMBERING_REPEATED, NUMBERING_NONE } Numbering;

struct GtpClient {
    Subprocess process;
    Numbering numbering;
    unsigned number;             /* of the last command */
    char buffer[GTP_ANSWER_MAX]; /* what it has written and nobody has read yet */
    size_t length;
};

/* ---- Start and end ---- */

GtpClient *gtp_client_start(const char *command, Error *error) {
    GtpClient *client = calloc(1, sizeof *client);
    if (!client) {
        error_set(error, "out of memory");
        return NULL;
    }
    if (subprocess_start(&client->process, command, error))
        return client;
    free(client);
    return NULL;
}

/* Writes without raising SIGPIPE: blocks the signal, and removes it if this write raised it. */
static ssize_t write_quietly(int descriptor, const char *text, size_t length) {
    sigset_t pipe_signal, pending, before;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    const ssize_t put = write(descriptor, text, length);
    const int reason = errno;
    if (put < 0 && reason == EPIPE && !was_pending)
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return put;
}

void gtp_client_end(GtpClient *client, double patience) {
    int ignored;
    if (!client)
        return;
    const bool told = patience > 0 && write_quietly(client->process.in, "quit\n", 5) > 0;
    subprocess_close_input(&client->process);
    if (told)
        subprocess_wait(&client->process, patience, &ignored);
    subprocess_end(&client->process);
    free(client);
}

/* ---- Ask ---- */

/* A call of the system failed, which is no fault of the program. */
static GtpStatus unable(const char *what, int reason, Error *error) {
    error_set(error, "cannot %s: %s", what, strerror(reason));
    return GTP_UNABLE;
}

/* Waits until a pipe is ready. Returns GTP_GOOD when it is. */
static GtpStatus wait_ready(int descriptor, short events, double deadline, const GtpWait *wait, Error *error) {
    for (;;) {
        const double left = deadline - wall_seconds();
        struct pollfd ready = {.fd = descriptor, .events = events};
        if (wait && wait->asked(wait->user)) {
            error_set(error, "stopped");
            return GTP_STOPPED;
        }
        if (left <= 0) {
            error_set(error, "no answer in time");
            return GTP_TIMEOUT;
        }
        const double slice = 1000 * left < POLL_MS ? 1000 * left + 1 : POLL_MS;
        const int count = poll(&ready, 1, (int)slice);
        if (count > 0)
            return GTP_GOOD;
        if (count < 0 && errno != EINTR)
            return unable("wait for it", errno, error);
    }
}

static GtpStatus broken(const char *what, Error *error) {
    error_set(error, "it %s", what);
    return GTP_BROKEN;
}

/* Reports what happened to a pipe of the program: how the program ended, or what `reason`, an errno or 0, says. */
static GtpStatus closed(const GtpClient *client, const char *what, int reason, Error *error) {
    int number = 0;
    if (reason != 0 && reason != EPIPE)
        return unable("speak to it", reason, error);
    switch (subprocess_wait(&client->process, END_SECONDS, &number)) {
    case SUBPROCESS_EXITED:
        error_set(error, "it ended with status %d%s", number,
                  number == 127   ? " (no such command?)"
                  : number == 126 ? " (cannot start it)"
                                  : "");
        return GTP_BROKEN;
    case SUBPROCESS_KILLED: error_set(error, "it was ended by signal %d", number); return GTP_BROKEN;
    default: return broken(what, error);
    }
}

static GtpStatus send_all(GtpClient *client, const char *text, size_t length, double deadline, const GtpWait *wait,
                          Error *error) {
    for (size_t done = 0; done < length;) {
        const GtpStatus status = wait_ready(client->process.in, POLLOUT, deadline, wait, error);
        if (status != GTP_GOOD)
            return status;
        const ssize_t put = write_quietly(client->process.in, text + done, length - done);
        if (put < 0 && errno != EAGAIN && errno != EINTR)
            return closed(client, "closed its input", errno, error);
        done += put > 0 ? (size_t)put : 0;
    }
    return GTP_GOOD;
}

/* Removes carriage returns, and line breaks before an answer. */
static void clean_buffer(GtpClient *client) {
    size_t length = 0;
    for (size_t i = 0; i < client->length; i++) {
        const char c = client->buffer[i];
        if (c != '\r' && c != '\0' && !(c == '\n' && length == 0))
            client->buffer[length++] = c;
    }
    client->length = length;
}

/* Reads what the program has written. The buffer is not full. */
static GtpStatus take_output(GtpClient *client, Error *error) {
    const ssize_t got =
        read(client->process.out, client->buffer + client->length, sizeof client->buffer - client->length);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        return closed(client, "closed its output", got < 0 ? errno : 0, error);
    client->length += got > 0 ? (size_t)got : 0;
    return GTP_GOOD;
}

/* What an answer begins with. */
typedef struct AnswerHead {
    bool good;
    bool numbered;
    unsigned long number;
} AnswerHead;

/* Takes a whole answer out of the cleaned buffer. False if there is none. */
static bool take_answer(GtpClient *client, char answer[GTP_ANSWER_MAX], AnswerHead *head) {
    const char *end = memmem(client->buffer, client->length, "\n\n", 2);
    if (!end)
        return false;
    const char *text = client->buffer + 1;
    const size_t digits = strspn(text, "0123456789");
    *head = (AnswerHead){client->buffer[0] == '=', digits > 0, strtoul(text, NULL, 10)};
    text += digits;
    text += strspn(text, " \t");
    if (text > end)
        text = end;
    size_t length = (size_t)(end - text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    memcpy(answer, text, length);
    answer[length] = '\0';
    const size_t used = (size_t)(end - client->buffer) + 2;
    memmove(client->buffer, client->buffer + used, client->length - used);
    client->length -= used;
    return true;
}

/* The next answer, to whatever command. GTP_GOOD where it says "?", too. */
static GtpStatus receive(GtpClient *client, double deadline, const GtpWait *wait, char answer[GTP_ANSWER_MAX],
                         AnswerHead *head, Error *error) {
    for (size_t blank = 0;;) {
        const size_t dirty = client->length;
        clean_buffer(client);
        if ((blank += dirty - client->length) > BLANK_MAX)
            return broken("wrote empty lines without end", error);
        if (client->length > 0 && client->buffer[0] != '=' && client->buffer[0] != '?')
            return broken("wrote what is no answer, expected '=' or '?'", error);
        if (take_answer(client, answer, head))
            return GTP_GOOD;
        if (client->length == sizeof client->buffer)
            return broken("wrote an answer that does not end", error);
        GtpStatus status = wait_ready(client->process.out, POLLIN, deadline, wait, error);
        if (status == GTP_GOOD)
            status = take_output(client, error);
        if (status != GTP_GOOD)
            return status;
    }
}

/* Sends a command, with a number before it unless the program is known not to repeat numbers. */
static GtpStatus send_command(GtpClient *client, const char *command, double deadline, const GtpWait *wait,
                              Error *error) {
    char number[16] = "";
    if (client->numbering != NUMBERING_NONE)
        snprintf(number, sizeof number, "%u ", ++client->number);
    clean_buffer(client);
    GtpStatus status = client->length == 0 ? take_output(client, error) : GTP_GOOD;
    clean_buffer(client);
    if (client->length > 0)
        return broken(more_than_one, error);
    if (status == GTP_GOOD)
        status = send_all(client, number, strlen(number), deadline, wait, error);
    if (status == GTP_GOOD)
        status = send_all(client, command, strlen(command), deadline, wait, error);
    if (status == GTP_GOOD)
        status = send_all(client, "\n", 1, deadline, wait, error);
    return status;
}

/* Learns from the first answer whether the program repeats numbers. False if it took the number for a command. */
static bool learn_numbering(GtpClient *client, const AnswerHead *head) {
    if (client->numbering != NUMBERING_UNKNOWN)
        return true;
    client->numbering = head->numbered ? NUMBERING_REPEATED : NUMBERING_NONE;
    return head->numbered || head->good;
}

GtpStatus gtp_client_ask(GtpClient *client, const char *command, double seconds, const GtpWait *wait,
                         char answer[GTP_ANSWER_MAX], Error *error) {
    const double deadline = wall_seconds() + seconds;
    AnswerHead head;
    do {
        GtpStatus status = send_command(client, command, deadline, wait, error);
        if (status == GTP_GOOD)
            status = receive(client, deadline, wait, answer, &head, error);
        if (status != GTP_GOOD)
            return status;
    } while (!learn_numbering(client, &head));
    if (client->numbering == NUMBERING_REPEATED && (!head.numbered || head.number != client->number))
        return broken(more_than_one, error);
    if (!head.good)
        error_set(error, "it answered '? %.100s'", answer);
    return head.good ? GTP_GOOD : GTP_REFUSED;
}
