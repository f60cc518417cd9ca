/* Fuzz target: any bytes as what an external engine answers. See fuzz_gtp.c. The pieces in which they come, whose size
 * the first byte says, must make no difference. */
#include "selfplay/players/gtp_answers_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The answers found in some bytes that come in pieces. */
typedef struct Found {
    GtpAnswers answers;
    char texts[GTP_ANSWER_MAX]; /* heads and answers, one after the other */
    size_t length;
    bool broken;
} Found;

/* Takes all answers that are there. */
static void take_all(Found *found) {
    char answer[GTP_ANSWER_MAX];
    GtpAnswerHead head;
    Error error;
    GtpAnswerStatus status;
    while ((status = gtp_answers_take(&found->answers, answer, &head, &error)) == ANSWER_WHOLE) {
        const size_t length = strlen(answer);
        if (memchr(answer, '\r', length) || strstr(answer, "\n\n") || (!head.numbered && head.number))
            abort();
        if (found->length + length + 2 > sizeof found->texts)
            continue;
        found->texts[found->length++] = head.good ? '=' : '?';
        memcpy(found->texts + found->length, answer, length + 1);
        found->length += length + 1;
    }
    found->broken = status == ANSWER_BROKEN;
}

static void find(const uint8_t *data, size_t size, size_t piece, Found *found) {
    memset(found, 0, sizeof *found);
    for (size_t done = 0; done < size && !found->broken;) {
        const size_t room = sizeof found->answers.bytes - found->answers.length;
        size_t count = size - done < piece ? size - done : piece;
        count = count < room ? count : room;
        if (count == 0)
            abort();
        memcpy(found->answers.bytes + found->answers.length, data + done, count);
        found->answers.length += count;
        done += count;
        take_all(found);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Found whole, pieces; /* too large for the stack */
    if (size == 0)
        return 0;
    find(data + 1, size - 1, size, &whole);
    find(data + 1, size - 1, (size_t)data[0] + 1, &pieces);
    if (whole.broken != pieces.broken || whole.length != pieces.length ||
        memcmp(whole.texts, pieces.texts, whole.length))
        abort();
    return 0;
}
