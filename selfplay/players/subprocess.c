/* See subprocess_internal.h. */
#define _GNU_SOURCE /* pipe2, closefrom, F_SETSIG */
#include "selfplay/players/subprocess_internal.h"

#include "engine/base/wall_time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REAP_MS = 5, LEASH = 3 /* the keeper's descriptor */, CANNOT_START = 126 /* a status of the keeper */ };
static const double REMIND_SECONDS = 0.1;
static const double KEEPER_SECONDS = 5; /* to kill everything, before the keeper is killed with its process group */

/* What the keeper does; $1 is the command. SIGTERM ends its wait, also one that comes before it. The command gets its
 * input by another descriptor, because a shell gives background jobs an empty one. An empty subshell makes the shell
 * reap also what it did not start. Some processes cannot be killed (those of another user): after some rounds it gives
 * up. */
static const char keeper[] = "trap over=1 TERM\n"
                             "exec 4<&0 </dev/null\n"
                             "/bin/sh -c \"$1\" <&4 3<&- 4<&- &\n"
                             "exec >/dev/null 4<&-\n"
                             "[ \"$over\" ] || wait $!\n"
                             "status=$? rounds=0 children=\n"
                             "while read -r children </proc/$$/task/$$/children\n"
                             "      [ \"$children\" ] && [ $((rounds += 1)) -lt 2000 ]; do\n"
                             "    kill -9 $children\n"
                             "    (:)\n"
                             "done\n"
                             "exit $status\n";

/* ---- Start ---- */

/* Moves descriptors to 0, 1, ... in the new process, in two steps because these numbers may be among them. Only
 * standard error may stay what it is. */
static bool place_descriptors(const int *descriptors, int count) {
    int aside[LEASH + 1];
    for (int i = 0; i < count; i++)
        if ((aside[i] = fcntl(descriptors[i], F_DUPFD, count)) < 0 && i != STDERR_FILENO)
            return false;
    for (int i = 0; i < count; i++)
        if (dup2(aside[i], i) < 0 && i != STDERR_FILENO)
            return false;
    closefrom(count);
    return true;
}

/* From now on the system sends SIGTERM when the last copy of the leash's other end is closed. The new process has one
 * itself until it has placed its descriptors. So it also hears of a program that has died before. */
static bool hold_leash(int leash) {
    return fcntl(leash, F_SETOWN, getpid()) == 0 && fcntl(leash, F_SETSIG, SIGTERM) == 0 &&
           fcntl(leash, F_SETFL, O_ASYNC) == 0;
}

/* Turns the new process, in which all signals are blocked, into the keeper. It starts with default signals, whatever
 * the program has set. Where something fails it ends: the command must neither speak through descriptors of this
 * program nor outlive it. Only functions that are safe between fork and exec are called. */
static void become_keeper(const char *command, int in, int out, int leash) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &standard, NULL);
    if (setpgid(0, 0) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || !hold_leash(leash) ||
        !place_descriptors((const int[]){in, out, open("/dev/null", O_WRONLY), leash}, LEASH + 1))
        _exit(CANNOT_START);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execl("/bin/sh", "sh", "-c", keeper, "sh", command, (char *)NULL);
    _exit(127);
}

static void close_both(const int pair[2]) {
    close(pair[0]);
    close(pair[1]);
}

enum { TO, FROM, HELD, PIPES };

/* Pipes whose ends close on exec. Our ends of those to and from the command do not block. False with errno. */
static bool open_pipes(int pipes[PIPES][2]) {
    int count = 0;
    while (count < PIPES && pipe2(pipes[count], O_CLOEXEC) == 0)
        count++;
    if (count == PIPES && fcntl(pipes[TO][1], F_SETFL, O_NONBLOCK) == 0 &&
        fcntl(pipes[FROM][0], F_SETFL, O_NONBLOCK) == 0)
        return true;
    const int reason = errno;
    while (count > 0)
        close_both(pipes[--count]);
    errno = reason;
    return false;
}

/* In the new process all signals are blocked, so that it never runs a handler of this program. */
static pid_t fork_quietly(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    const int reason = errno;
    if (pid != 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return pid;
}

bool subprocess_start(Subprocess *process, const char *command, Error *error) {
    int pipes[PIPES][2];
    if (!open_pipes(pipes))
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    const pid_t pid = fork_quietly();
    if (pid == 0)
        become_keeper(command, pipes[TO][0], pipes[FROM][1], pipes[HELD][0]);
    const int reason = errno;
    close(pipes[TO][0]);
    close(pipes[FROM][1]);
    close(pipes[HELD][0]);
    *process = (Subprocess){.in = pipes[TO][1], .out = pipes[FROM][0], .leash = pipes[HELD][1], .keeper = pid};
    if (pid > 0) {
        setpgid(pid, pid); /* here too: whoever is first */
        return true;
    }
    close(process->in);
    close(process->out);
    close(process->leash);
    return error_set(error, "cannot start '%.80s': %s", command, strerror(reason));
}

/* ---- End ---- */

/* The keeper stays a zombie, so its number is not given to another process group. */
SubprocessEnd subprocess_wait(const Subprocess *process, double seconds, int *number) {
    const double deadline = wall_seconds() + seconds;
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)process->keeper, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return SUBPROCESS_EXITED; /* somebody else has reaped it */
        if (info.si_pid != 0) {
            /* A shell says by a status above 128 that a signal ended its command. */
            const bool killed =
                info.si_code != CLD_EXITED || (info.si_status > 128 && info.si_status <= 128 + SIGRTMAX);
            *number = info.si_code == CLD_EXITED && killed ? info.si_status - 128 : info.si_status;
            return killed ? SUBPROCESS_KILLED : SUBPROCESS_EXITED;
        }
        if (wall_seconds() >= deadline)
            return SUBPROCESS_RUNS;
        poll(NULL, 0, REAP_MS);
    }
}

void subprocess_close_input(Subprocess *process) {
    if (process->in >= 0)
        close(process->in);
    process->in = -1;
}

void subprocess_end(Subprocess *process) {
    int ignored;
    subprocess_close_input(process);
    close(process->out);
    close(process->leash);
    const double deadline = wall_seconds() + KEEPER_SECONDS;
    do { /* again and again: the signal may come just before the keeper waits */
        kill(process->keeper, SIGTERM);
        kill(process->keeper, SIGCONT); /* if the command has stopped it */
    } while (subprocess_wait(process, REMIND_SECONDS, &ignored) == SUBPROCESS_RUNS && wall_seconds() < deadline);
    kill(-process->keeper, SIGKILL);
    while (waitpid(process->keeper, NULL, 0) < 0 && errno == EINTR)
        ;
}
