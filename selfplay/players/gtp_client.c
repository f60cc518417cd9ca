/* See gtp_client.h. */
#define _GNU_SOURCE /* pipe2, environ */
#include "selfplay/players/gtp_client.h"

#include "engine/base/wall_time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 50, REAP_MS = 5 };

struct GtpClient {
    pid_t pid;
    int in, out;                 /* our ends of the pipes: `in` to its input, `out` from its output */
    char buffer[GTP_ANSWER_MAX]; /* what it has written and nobody has read yet */
    size_t length;
};

/* ---- Start ---- */

static bool open_pipes(int to[2], int from[2], Error *error) {
    if (pipe2(to, O_CLOEXEC) != 0)
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(from, O_CLOEXEC) != 0) {
        error_set(error, "cannot make a pipe: %s", strerror(errno));
        close(to[0]);
        close(to[1]);
        return false;
    }
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    return true;
}

/* The child leads a process group of its own. It starts with default signals, even if threads here have blocked
 * some. */
static int spawn(pid_t *pid, const char *command, int in, int out) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    static const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&defaults, signals[i]);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    const int status = posix_spawn(pid, "/bin/sh", &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return status;
}

GtpClient *gtp_client_start(const char *command, Error *error) {
    GtpClient *client = calloc(1, sizeof *client);
    int to[2], from[2];
    if (!client)
        error_set(error, "out of memory");
    if (!client || !open_pipes(to, from, error)) {
        free(client);
        return NULL;
    }
    const int status = spawn(&client->pid, command, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    client->in = to[1];
    client->out = from[0];
    if (status == 0)
        return client;
    error_set(error, "cannot start '%.80s': %s", command, strerror(status));
    close(client->in);
    close(client->out);
    free(client);
    return NULL;
}

/* ---- End ---- */

/* Whether the child has ended. It stays a zombie, so its number is not given to another process group. */
static bool has_ended(const GtpClient *client, siginfo_t *info) {
    info->si_pid = 0;
    return waitid(P_PID, (id_t)client->pid, info, WEXITED | WNOHANG | WNOWAIT) != 0 || info->si_pid != 0;
}

static bool wait_for_end(const GtpClient *client, double patience, siginfo_t *info) {
    const double deadline = wall_seconds() + patience;
    for (;;) {
        if (has_ended(client, info))
            return true;
        if (wall_seconds() >= deadline)
            return false;
        poll(NULL, 0, REAP_MS);
    }
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
    siginfo_t info;
    if (!client)
        return;
    if (patience > 0 && write_quietly(client->in, "quit\n", 5) < 0)
        patience = 0;
    close(client->in);
    if (patience > 0)
        wait_for_end(client, patience, &info);
    kill(-client->pid, SIGKILL); /* kills all processes that it has started, too */
    close(client->out);
    while (waitpid(client->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(client);
}

/* ---- Ask ---- */

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
        if (poll(&ready, 1, (int)slice) > 0)
            return GTP_GOOD;
    }
}

/* Reports how the program ended, or what else is wrong with it. */
static GtpStatus broken(const GtpClient *client, const char *what, Error *error) {
    siginfo_t info;
    if (!wait_for_end(client, 0.1, &info) || info.si_pid == 0)
        error_set(error, "it %s", what);
    else if (info.si_code == CLD_EXITED)
        error_set(error, "it ended with status %d%s", info.si_status,
                  info.si_status == 127 ? " (no such command?)" : "");
    else
        error_set(error, "it was ended by signal %d", info.si_status);
    return GTP_BROKEN;
}

static GtpStatus send_all(GtpClient *client, const char *text, size_t length, double deadline, const GtpWait *wait,
                          Error *error) {
    for (size_t done = 0; done < length;) {
        const GtpStatus status = wait_ready(client->in, POLLOUT, deadline, wait, error);
        if (status != GTP_GOOD)
            return status;
        const ssize_t put = write_quietly(client->in, text + done, length - done);
        if (put < 0 && errno != EAGAIN && errno != EINTR)
            return broken(client, "closed its input", error);
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

/* Takes a whole answer out of the cleaned buffer. False if there is none. */
static bool take_answer(GtpClient *client, char answer[GTP_ANSWER_MAX], bool *good) {
    const char *end = memmem(client->buffer, client->length, "\n\n", 2);
    if (!end)
        return false;
    const char *text = client->buffer + 1;
    text += strspn(text, "0123456789");
    text += strspn(text, " \t");
    if (text > end)
        text = end;
    size_t length = (size_t)(end - text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    memcpy(answer, text, length);
    answer[length] = '\0';
    *good = client->buffer[0] == '=';
    const size_t used = (size_t)(end - client->buffer) + 2;
    memmove(client->buffer, client->buffer + used, client->length - used);
    client->length -= used;
    return true;
}

static GtpStatus receive(GtpClient *client, double deadline, const GtpWait *wait, char answer[GTP_ANSWER_MAX],
                         Error *error) {
    for (;;) {
        bool good;
        clean_buffer(client);
        if (client->length > 0 && client->buffer[0] != '=' && client->buffer[0] != '?')
            return broken(client, "wrote what is no answer, expected '=' or '?'", error);
        if (take_answer(client, answer, &good)) {
            if (!good)
                error_set(error, "it answered '? %.100s'", answer);
            return good ? GTP_GOOD : GTP_REFUSED;
        }
        if (client->length == sizeof client->buffer)
            return broken(client, "wrote an answer that does not end", error);
        const GtpStatus status = wait_ready(client->out, POLLIN, deadline, wait, error);
        if (status != GTP_GOOD)
            return status;
        const ssize_t got = read(client->out, client->buffer + client->length, sizeof client->buffer - client->length);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return broken(client, "closed its output", error);
        client->length += got > 0 ? (size_t)got : 0;
    }
}

GtpStatus gtp_client_ask(GtpClient *client, const char *command, double seconds, const GtpWait *wait,
                         char answer[GTP_ANSWER_MAX], Error *error) {
    const double deadline = wall_seconds() + seconds;
    GtpStatus status = send_all(client, command, strlen(command), deadline, wait, error);
    if (status == GTP_GOOD)
        status = send_all(client, "\n", 1, deadline, wait, error);
    return status == GTP_GOOD ? receive(client, deadline, wait, answer, error) : status;
}
