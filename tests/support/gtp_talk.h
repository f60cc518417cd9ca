/* For the tests of the Go Text Protocol: a session that is talked to. */
#ifndef STIGMERGY_TESTS_SUPPORT_GTP_TALK_H
#define STIGMERGY_TESTS_SUPPORT_GTP_TALK_H

#include "tools/gtp/protocol.h"

/* Hexhex-3, 8 simulations a move by one thread: every transcript is reproducible. */
GtpOptions default_options(void);

/* A session whose answers are gathered. */
typedef struct Conversation {
    Gtp *gtp;
    FILE *out;
    char *text;
    size_t length;
} Conversation;

void open_conversation(Conversation *talk, const GtpOptions *options);
void close_conversation(Conversation *talk);

/* What a session answers to more input; valid until the next call. */
const char *say(Conversation *talk, const char *input);

/* Feeds a new session and expects exactly this transcript. */
void assert_answers(const char *input, size_t length, const char *expected);

#define ASSERT_ANSWERS(input, expected) assert_answers(input, sizeof(input) - 1, expected)

#endif
