/* A program that speaks the Go Text Protocol, as a child process behind two pipes.
 *
 * Nothing that the program does can hurt: every wait has a limit, answers have one, a closed pipe raises no SIGPIPE,
 * and the program ends with all that it started (it is the leader of a process group of its own, so Ctrl-C at the
 * terminal does not reach it either). What it writes to standard error is dropped; a command can redirect it. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GTP_CLIENT_H
#define STIGMERGY_SELFPLAY_PLAYERS_GTP_CLIENT_H

#include "engine/base/error.h"

#include <stddef.h>

typedef struct GtpClient GtpClient;

typedef enum GtpStatus {
    GTP_GOOD,
    GTP_REFUSED,  /* answered with "?" */
    GTP_TIMEOUT,  /* no whole answer in time */
    GTP_BROKEN,   /* ended, closed its output, or wrote what is no answer */
    GTP_RESIGNED, /* see gtp_player.h */
    GTP_STOPPED   /* the caller gave up */
} GtpStatus;

enum { GTP_ANSWER_MAX = 1 << 16 }; /* bytes of an answer, terminator included */

/* Asked a few times a second while something is waited for: true gives up. */
typedef struct GtpWait {
    bool (*asked)(void *user);
    void *user;
} GtpWait;

/* Starts a command line of the shell; NULL with an error. A command that does not exist is found by the first ask. */
GtpClient *gtp_client_start(const char *command, Error *error);

/* Sends a command (without newline) and waits for the whole answer, which is written without its "=" or "?", in at most
 * `seconds`. Anything but GTP_GOOD leaves an error; after anything but GTP_GOOD and GTP_REFUSED the program is to be
 * ended. `wait` may be NULL. */
GtpStatus gtp_client_ask(GtpClient *client, const char *command, double seconds, const GtpWait *wait,
                         char answer[GTP_ANSWER_MAX], Error *error);

/* Ends the program and frees the client (NULL is fine): asks it to quit and grants it `patience` seconds for that, then
 * kills it. No zombie is left. */
void gtp_client_end(GtpClient *client, double patience);

#endif
