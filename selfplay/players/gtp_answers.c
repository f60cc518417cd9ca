/* See gtp_answers_internal.h. */
#define _GNU_SOURCE /* memmem */
#include "selfplay/players/gtp_answers_internal.h"

#include <stdlib.h>
#include <string.h>

enum { DROPPED_MAX = 1 << 20 };

static void clean(GtpAnswers *answers) {
    size_t length = answers->clean;
    for (size_t i = length; i < answers->length; i++) {
        const char c = answers->bytes[i];
        if (c != '\r' && c != '\0' && !(c == '\n' && length == 0))
            answers->bytes[length++] = c;
    }
    answers->dropped += answers->length - length;
    answers->length = length;
}

bool gtp_answers_none(GtpAnswers *answers) {
    clean(answers);
    return answers->length == 0;
}

/* The empty line that ends the next answer; NULL if it is not there yet. */
static const char *find_end(GtpAnswers *answers) {
    clean(answers);
    const size_t from = answers->clean > 0 ? answers->clean - 1 : 0;
    const char *end = memmem(answers->bytes + from, answers->length - from, "\n\n", 2);
    answers->clean = end ? 0 : answers->length;
    return end;
}

/* Writes what an answer says: `text`, from its head to `end`, without spaces around it. */
static void copy_said(const char *text, const char *end, char answer[GTP_ANSWER_MAX]) {
    text += strspn(text, " \t");
    while (end > text && strchr(" \t", end[-1]))
        end--;
    memcpy(answer, text, (size_t)(end - text));
    answer[end - text] = '\0';
}

static void take(GtpAnswers *answers, const char *end, char answer[GTP_ANSWER_MAX], GtpAnswerHead *head) {
    const char *text = answers->bytes + 1;
    const size_t digits = strspn(text, "0123456789"), used = (size_t)(end - answers->bytes) + 2;
    *head = (GtpAnswerHead){answers->bytes[0] == '=', digits > 0, digits > 0 ? strtoul(text, NULL, 10) : 0};
    copy_said(text + digits, end, answer);
    memmove(answers->bytes, answers->bytes + used, answers->length - used);
    answers->length -= used;
    answers->dropped = 0;
}

GtpAnswerStatus gtp_answers_take(GtpAnswers *answers, char answer[GTP_ANSWER_MAX], GtpAnswerHead *head, Error *error) {
    const char *const end = find_end(answers);
    const char *wrong = NULL;
    if (answers->dropped > DROPPED_MAX)
        wrong = "it wrote empty lines without end";
    else if (answers->length > 0 && answers->bytes[0] != '=' && answers->bytes[0] != '?')
        wrong = "it wrote what is no answer, expected '=' or '?'";
    else if (!end && answers->length == sizeof answers->bytes)
        wrong = "it wrote an answer that does not end";
    if (wrong) {
        error_set(error, "%s", wrong);
        return ANSWER_BROKEN;
    }
    if (end)
        take(answers, end, answer, head);
    return end ? ANSWER_WHOLE : ANSWER_UNFINISHED;
}
