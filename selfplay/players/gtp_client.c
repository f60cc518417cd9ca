/* See gtp_client.h. */
#include "selfplay/players/gtp_client.h"

#include "engine/base/wall_time.h"
#include "selfplay/players/gtp_answers_internal.h"
#include "selfplay/players/subprocess_internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_MS = 50 };

static const double END_SECONDS = 0.3; /* from the end of its output to the end of the program, on a busy machine */
static const char more_than_one[] = "wrote more than one answer to a command";

/* Whether the program repeats the numbers of commands (Farnebäck, GTP version 2, section 2.5). */
typedef enum Numbering { NUMBERING_UNKNOWN, NUMBERING_REPEATED, NUMBERING_NONE } Numbering;

struct GtpClient {
    Subprocess process;
    Numbering numbering;
    unsigned number; /* of the last command */
    GtpAnswers answers;
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

/* Reads what the program has written. There is room for more of it. */
static GtpStatus take_output(GtpClient *client, Error *error) {
    GtpAnswers *answers = &client->answers;
    const ssize_t got =
        read(client->process.out, answers->bytes + answers->length, sizeof answers->bytes - answers->length);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        return closed(client, "closed its output", got < 0 ? errno : 0, error);
    answers->length += got > 0 ? (size_t)got : 0;
    return GTP_GOOD;
}

/* The next answer, to whatever command. GTP_GOOD where it says "?", too. */
static GtpStatus receive(GtpClient *client, double deadline, const GtpWait *wait, char answer[GTP_ANSWER_MAX],
                         GtpAnswerHead *head, Error *error) {
    for (;;) {
        const GtpAnswerStatus found = gtp_answers_take(&client->answers, answer, head, error);
        if (found != ANSWER_UNFINISHED)
            return found == ANSWER_WHOLE ? GTP_GOOD : GTP_BROKEN;
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
    GtpStatus status = gtp_answers_none(&client->answers) ? take_output(client, error) : GTP_GOOD;
    if (!gtp_answers_none(&client->answers))
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
static bool learn_numbering(GtpClient *client, const GtpAnswerHead *head) {
    if (client->numbering != NUMBERING_UNKNOWN)
        return true;
    client->numbering = head->numbered ? NUMBERING_REPEATED : NUMBERING_NONE;
    return head->numbered || head->good;
}

GtpStatus gtp_client_ask(GtpClient *client, const char *command, double seconds, const GtpWait *wait,
                         char answer[GTP_ANSWER_MAX], Error *error) {
    const double deadline = wall_seconds() + seconds;
    GtpAnswerHead head;
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
