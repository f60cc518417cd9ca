/* A command line of the shell that runs beside this program, behind two pipes, and everything that it starts.
 *
 * Nothing of it outlives its end. A keeper stands between: a shell that starts the command and waits until it ends, or
 * until it is told to end it. Then it kills all that is left. For that it is the parent of orphans
 * (PR_SET_CHILD_SUBREAPER): a child of the command whose own parent ends becomes the keeper's child, even if it has
 * left the session and the process group. The keeper holds a pipe to this program, the leash. The system tells it when
 * the other end is closed, so it does its work also if this program is killed.
 *
 * The keeper leads a process group, so Ctrl-C in the terminal does not reach the command. What the command writes to
 * standard error is dropped; it can redirect it. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_SUBPROCESS_INTERNAL_H
#define STIGMERGY_SELFPLAY_PLAYERS_SUBPROCESS_INTERNAL_H

#include "engine/base/error.h"

#include <sys/types.h>

typedef struct Subprocess {
    int in, out; /* our ends of the pipes, which do not block: `in` to its input (-1: closed), `out` from its output */
    int leash;
    pid_t keeper;
} Subprocess;

typedef enum SubprocessEnd { SUBPROCESS_RUNS, SUBPROCESS_EXITED, SUBPROCESS_KILLED } SubprocessEnd;

/* Starts the command. False with an error. A command that does not exist ends with status 127. */
bool subprocess_start(Subprocess *process, const char *command, Error *error);

/* Waits at most `seconds` for its end. *number becomes the exit status, or the signal that killed it. */
SubprocessEnd subprocess_wait(const Subprocess *process, double seconds, int *number);

/* The command reads the end of its input. */
void subprocess_close_input(Subprocess *process);

/* Kills all of it that is left, and closes the pipes. No process and no zombie stays. */
void subprocess_end(Subprocess *process);

#endif
