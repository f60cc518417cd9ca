/* A program that speaks the Go Text Protocol, run as a child process behind two pipes.
 *
 * No behaviour of that program can harm this one. Every wait and every answer has a limit, and a closed pipe raises no
 * SIGPIPE. The program ends together with all processes that it started (subprocess_internal.h), and Ctrl-C in the
 * terminal does not reach it. What it writes to standard error is dropped; the command can redirect it. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GTP_CLIENT_H
#define STIGMERGY_SELFPLAY_PLAYERS_GTP_CLIENT_H

#include "engine/base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GtpClient GtpClient;

typedef enum GtpStatus {
    GTP_GOOD,
    GTP_REFUSED,  /* it answered with "?" */
    GTP_TIMEOUT,  /* no complete answer in time */
    GTP_BROKEN,   /* it ended, closed its output, or wrote something that is no answer */
    GTP_RESIGNED, /* see gtp_player.h */
    GTP_STOPPED,  /* the caller gave up */
    GTP_UNABLE    /* the system failed, which is no fault of the program */
} GtpStatus;

enum { GTP_ANSWER_MAX = 1 << 16 }; /* bytes of an answer, terminator included */

/* Called a few times a second during a wait. True gives up. */
typedef struct GtpWait {
    bool (*asked)(void *user);
    void *user;
} GtpWait;

/* Starts a command line of the shell. NULL with an error. If the command does not exist, the first gtp_client_ask
 * reports it. */
GtpClient *gtp_client_start(const char *command, Error *error);

/* Sends a command (without newline) and waits at most `seconds` for the whole answer. The answer is written without its
 * "=" or "?". The command gets a number if the program repeats such numbers, which the first command finds out. So an
 * answer that comes too late is not taken for that of the next command. `wait` may be NULL. Every result except
 * GTP_GOOD leaves an error. After every result except GTP_GOOD and GTP_REFUSED the caller must end the program. */
GtpStatus gtp_client_ask(GtpClient *client, const char *command, double seconds, const GtpWait *wait,
                         char answer[GTP_ANSWER_MAX], Error *error);

/* Ends the program and frees the client, which may be NULL. Asks the program to quit, waits for `patience` seconds,
 * then kills it. No zombie is left. */
void gtp_client_end(GtpClient *client, double patience);

#ifdef __cplusplus
}
#endif

#endif
