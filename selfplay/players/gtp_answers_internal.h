/* What a program that speaks GTP has written and nobody has read yet: bytes in any pieces become whole answers.
 *
 * An answer begins with "=" or "?" and ends with an empty line (Farnebäck, GTP version 2, section 2.6). Carriage
 * returns, zero bytes and empty lines before an answer are dropped. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GTP_ANSWERS_INTERNAL_H
#define STIGMERGY_SELFPLAY_PLAYERS_GTP_ANSWERS_INTERNAL_H

#include "selfplay/players/gtp_client.h"

#include <stdbool.h>
#include <stddef.h>

/* All zeros at first. A caller puts bytes after the first `length`, as many as there is room for, and adds their number
 * to `length`. */
typedef struct GtpAnswers {
    char bytes[GTP_ANSWER_MAX];
    size_t length;
    size_t clean;   /* bytes at the beginning in which there is nothing to drop and no whole answer */
    size_t dropped; /* bytes since the last answer */
} GtpAnswers;

/* What an answer begins with. */
typedef struct GtpAnswerHead {
    bool good; /* "=", not "?" */
    bool numbered;
    unsigned long number;
} GtpAnswerHead;

typedef enum GtpAnswerStatus {
    ANSWER_WHOLE,
    ANSWER_UNFINISHED, /* its end has not come yet; there is room for more bytes */
    ANSWER_BROKEN      /* what was written is no answer */
} GtpAnswerStatus;

/* Drops what is no part of an answer. Returns whether nothing is left. */
bool gtp_answers_none(GtpAnswers *answers);

/* Takes the next answer, without its head and the spaces around it. ANSWER_BROKEN comes with an error. */
GtpAnswerStatus gtp_answers_take(GtpAnswers *answers, char answer[GTP_ANSWER_MAX], GtpAnswerHead *head, Error *error);

#endif
