/* For the tests of the Go Text Protocol: a session that gets input and collects the answers. */
#ifndef STIGMERGY_TESTS_SUPPORT_GTP_TALK_H
#define STIGMERGY_TESTS_SUPPORT_GTP_TALK_H

#include "tools/gtp/protocol.h"

/* Hexhex-3 with 8 simulations for each move by one thread: every transcript is reproducible. */
GtpOptions default_options(void);

/* A session whose answers are collected. */
typedef struct Conversation {
    Gtp *gtp;
    FILE *out;
    char *text;
    size_t length;
} Conversation;

void open_conversation(Conversation *talk, const GtpOptions *options);
void close_conversation(Conversation *talk);

/* The answer of a session to more input. Valid until the next call. */
const char *say(Conversation *talk, const char *input);

/* Gives the input to a new session and expects exactly this transcript. */
void assert_answers(const char *input, size_t length, const char *expected);

#define ASSERT_ANSWERS(input, expected) assert_answers(input, sizeof(input) - 1, expected)

#endif
