/* See gtp_talk.h. */
#include "tests/support/gtp_talk.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

GtpOptions default_options(void) {
    GtpOptions options = {.game = {.name = "stigmergy", .size = 3}, .player = playout_player(), .seed = 7};
    options.player.simulations = 8;
    options.player.memory_mb = 1;
    return options;
}

void open_conversation(Conversation *talk, const GtpOptions *options) {
    Error error;
    talk->out = open_memstream(&talk->text, &talk->length);
    assert_non_null(talk->out);
    fflush(talk->out); /* now text and length are set */
    talk->gtp = gtp_new(options, talk->out, &error);
    assert_non_null(talk->gtp);
}

void close_conversation(Conversation *talk) {
    gtp_free(talk->gtp);
    fclose(talk->out);
    free(talk->text);
}

const char *say(Conversation *talk, const char *input) {
    const size_t before = talk->length;
    gtp_feed(talk->gtp, input, strlen(input));
    fflush(talk->out);
    return talk->text + before;
}

void assert_answers(const char *input, size_t length, const char *expected) {
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    if (gtp_feed(talk.gtp, input, length))
        gtp_end(talk.gtp);
    fflush(talk.out);
    assert_string_equal(talk.text, expected);
    close_conversation(&talk);
}
