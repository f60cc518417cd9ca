/* See stream.h. */
#include "tools/serve/stream.h"

#include "engine/base/condition.h"
#include "engine/base/list.h"

#include <errno.h>
#include <stdlib.h>

enum {
    WAITING_LIMIT = 1 << 19, /* bytes beyond which reports of a running search are dropped */
    COMMENT_LENGTH = 16384
};

struct WebStream {
    Analysis *analysis;
    Client *client; /* who has opened the search; may be NULL */
    bool move;
    pthread_mutex_t lock;
    pthread_cond_t more;
    char *bytes; /* waiting to be read: bytes[taken..length-1] */
    size_t length, taken, capacity;
    uint64_t gone; /* bytes that were taken, in all */
    bool ended;    /* the last answer is in */
    bool closed;   /* the reader is gone */
};

static void destroy(WebStream *stream) {
    pthread_mutex_destroy(&stream->lock);
    pthread_cond_destroy(&stream->more);
    free(stream->bytes);
    free(stream);
}

/* Makes room after the bytes that wait to be read. What was read makes room first, so that a reader who is always a
 * little behind costs no more memory than what waits. */
static bool make_room(WebStream *stream, size_t length) {
    if (stream->taken == stream->length)
        stream->taken = stream->length = 0;
    if (stream->length + length > stream->capacity && stream->taken > 0) {
        memmove(stream->bytes, stream->bytes + stream->taken, stream->length - stream->taken);
        stream->length -= stream->taken;
        stream->taken = 0;
    }
    return list_grow_bytes(&stream->bytes, &stream->capacity, stream->length + length);
}

static void append(WebStream *stream, const char *text, size_t length) {
    memcpy(stream->bytes + stream->length, text, length);
    stream->length += length;
}

/* An answer is one line, so an event is the name of its field, the answer, and an empty line. Without memory the whole
 * event is lost. */
static void append_event(WebStream *stream, const char *answer, size_t length) {
    static const char name[] = "data: ", end[] = "\n\n";
    if (!make_room(stream, sizeof name - 1 + length + sizeof end - 1))
        return;
    append(stream, name, sizeof name - 1);
    append(stream, answer, length);
    append(stream, end, sizeof end - 1);
}

static void take_answer(void *user, QueryOutput kind, const char *answer, size_t length) {
    WebStream *stream = user;
    pthread_mutex_lock(&stream->lock);
    const bool room = kind != QUERY_REPORT || stream->length - stream->taken < WAITING_LIMIT;
    if (kind == QUERY_END)
        stream->ended = true;
    else if (!stream->closed && room)
        append_event(stream, answer, length);
    const bool abandoned = stream->closed && kind == QUERY_END;
    pthread_cond_signal(&stream->more);
    pthread_mutex_unlock(&stream->lock);
    if (abandoned)
        destroy(stream);
}

static void close_search(Client *client, bool move) {
    if (client)
        client_close_search(client, move);
}

WebStream *web_stream_new(AnalysisQuery *query, Analysis *analysis, Client *client) {
    WebStream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        close_search(client, query_is_move(query));
        query_free(query);
        return NULL;
    }
    stream->client = client;
    stream->move = query_is_move(query);
    pthread_mutex_init(&stream->lock, NULL);
    condition_init(&stream->more);
    stream->analysis = analysis;
    query_start(query, analysis, client, take_answer, stream);
    return stream;
}

static void give_up(WebStream *stream, size_t count) {
    stream->taken += count;
    stream->gone += count;
}

/* Waits until something can be read or the stream has ended; for this number of seconds at most. */
static void wait_for_more(WebStream *stream, double seconds) {
    const struct timespec until = deadline_in(seconds);
    int status = 0;
    while (stream->taken == stream->length && !stream->ended && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&stream->more, &stream->lock, &until);
}

/* A line of the event stream that means nothing. */
static size_t write_comment(char *out, size_t size) {
    const size_t length = size < COMMENT_LENGTH ? size : COMMENT_LENGTH;
    memset(out, ' ', length);
    out[0] = ':';
    out[length - 2] = out[length - 1] = '\n';
    return length;
}

ssize_t web_stream_read(WebStream *stream, char *out, size_t size) {
    pthread_mutex_lock(&stream->lock);
    wait_for_more(stream, 1);
    size_t length = stream->length - stream->taken;
    if (length > size)
        length = size;
    if (length > 0)
        memcpy(out, stream->bytes + stream->taken, length);
    give_up(stream, length);
    if (length == 0 && !stream->ended)
        length = write_comment(out, size);
    pthread_mutex_unlock(&stream->lock);
    return (ssize_t)length;
}

char *web_stream_take(WebStream *stream, bool keep, double seconds, bool *ended) {
    pthread_mutex_lock(&stream->lock);
    wait_for_more(stream, seconds);
    const size_t length = stream->length - stream->taken;
    char *text = malloc(length + 1);
    if (text && length > 0)
        memcpy(text, stream->bytes + stream->taken, length);
    if (text)
        text[length] = '\0';
    if (text && !keep)
        give_up(stream, length);
    *ended = text && stream->ended && length == 0;
    pthread_mutex_unlock(&stream->lock);
    return text;
}

bool web_stream_forget(WebStream *stream, uint64_t count) {
    pthread_mutex_lock(&stream->lock);
    const bool good = count >= stream->gone && count - stream->gone <= stream->length - stream->taken;
    if (good)
        give_up(stream, (size_t)(count - stream->gone));
    pthread_mutex_unlock(&stream->lock);
    return good;
}

/* The last one to finish destroys the stream: the reader here, or the writer of the last answer. */
void web_stream_close(WebStream *stream) {
    query_stop(stream->analysis, stream);
    close_search(stream->client, stream->move);
    pthread_mutex_lock(&stream->lock);
    stream->closed = true;
    const bool ended = stream->ended;
    pthread_mutex_unlock(&stream->lock);
    if (ended)
        destroy(stream);
}
