/* The stream of answers to a browser, fed directly: the linker puts the functions below in the place of the engine's.
 * What a slow reader loses, what he never loses, and who frees the stream is decided here to the byte. */
#include "tools/serve/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static QuerySink *sink; /* of the stream that was opened last */
static void *user;
static int stopped, searches; /* queries stopped; searches that are open */

void __wrap_query_start(AnalysisQuery *query, Analysis *analysis, const void *owner, QuerySink *to, void *of);
void __wrap_query_start(AnalysisQuery *query, Analysis *analysis, const void *owner, QuerySink *to, void *of) {
    (void)query;
    (void)analysis;
    (void)owner;
    sink = to;
    user = of;
}

void __wrap_query_stop(Analysis *analysis, const void *of);
void __wrap_query_stop(Analysis *analysis, const void *of) {
    (void)analysis;
    stopped += of == user;
}

bool __wrap_query_is_move(const AnalysisQuery *query);
bool __wrap_query_is_move(const AnalysisQuery *query) {
    return query != NULL;
}

void __wrap_client_close_search(Client *client, bool move);
void __wrap_client_close_search(Client *client, bool move) {
    assert_non_null(client);
    assert_false(move);
    searches--;
}

static WebStream *open_stream(void) {
    static int client;
    stopped = 0;
    searches = 1;
    WebStream *stream = web_stream_new(NULL, NULL, (Client *)&client);
    assert_non_null(stream);
    return stream;
}

static void answer(QueryOutput kind, const char *text) {
    sink(user, kind, text, strlen(text));
}

/* Closes a stream that has said all. */
static void close_ended(WebStream *stream) {
    answer(QUERY_END, "");
    web_stream_close(stream);
    assert_int_equal(stopped, 1);
    assert_int_equal(searches, 0);
}

static void expect_taken(WebStream *stream, bool keep, const char *expected) {
    bool ended;
    char *text = web_stream_take(stream, keep, 0, &ended);
    assert_string_equal(text, expected);
    assert_false(ended);
    free(text);
}

static size_t waiting(WebStream *stream) {
    bool ended;
    char *text = web_stream_take(stream, true, 0, &ended);
    const size_t length = strlen(text);
    free(text);
    return length;
}

/* An answer is an event; a piece that does not fit comes next. */
static void reads_events(void **state) {
    (void)state;
    char out[8];
    WebStream *stream = open_stream();
    answer(QUERY_REPORT, "{\"a\":1}");
    assert_int_equal(web_stream_read(stream, out, sizeof out), 8);
    assert_memory_equal(out, "data: {\"", 8);
    assert_int_equal(web_stream_read(stream, out, sizeof out), 7);
    assert_memory_equal(out, "a\":1}\n\n", 7);
    answer(QUERY_END, "");
    assert_int_equal(web_stream_read(stream, out, sizeof out), 0);
    web_stream_close(stream);
}

/* Where there is nothing to say, a comment shows whether somebody reads. */
static void comments_when_silent(void **state) {
    (void)state;
    char out[20];
    WebStream *stream = open_stream();
    assert_int_equal(web_stream_read(stream, out, sizeof out), sizeof out);
    assert_memory_equal(out, ":                 \n\n", sizeof out);
    close_ended(stream);
}

/* A slow reader loses reports of a running search from half a megabyte on, and nothing else. */
static void drops_reports_of_slow_readers(void **state) {
    (void)state;
    char report[1024 + 1];
    memset(report, 'x', 1024);
    report[1024] = '\0';
    WebStream *stream = open_stream();
    for (int i = 0; i < 2000; i++)
        answer(QUERY_REPORT, report);
    const size_t most = (size_t)1 << 19, event = 1024 + strlen("data: \n\n"), kept = waiting(stream);
    assert_true(kept >= most && kept < most + event);
    answer(QUERY_ANSWER, "final");
    assert_int_equal(waiting(stream), kept + strlen("data: final\n\n"));
    assert_true(web_stream_forget(stream, kept));
    expect_taken(stream, true, "data: final\n\n");
    answer(QUERY_REPORT, "again");
    expect_taken(stream, false, "data: final\n\ndata: again\n\n");
    close_ended(stream);
}

/* What is kept comes again until the reader says that he has it, counted from the first byte of the stream. */
static void keeps_until_forgotten(void **state) {
    (void)state;
    WebStream *stream = open_stream();
    answer(QUERY_REPORT, "one");
    expect_taken(stream, true, "data: one\n\n");
    answer(QUERY_REPORT, "two");
    expect_taken(stream, true, "data: one\n\ndata: two\n\n");
    assert_true(web_stream_forget(stream, 11));
    assert_true(web_stream_forget(stream, 11));
    assert_false(web_stream_forget(stream, 10));
    assert_false(web_stream_forget(stream, 23));
    expect_taken(stream, true, "data: two\n\n");
    assert_true(web_stream_forget(stream, 22));
    bool ended;
    char *text = web_stream_take(stream, true, 0, &ended);
    assert_string_equal(text, "");
    assert_false(ended);
    free(text);
    answer(QUERY_END, "");
    text = web_stream_take(stream, true, 0, &ended);
    assert_string_equal(text, "");
    assert_true(ended);
    free(text);
    web_stream_close(stream);
}

/* The stream of a reader who leaves early lives until the last answer, which frees it; AddressSanitizer sees that. */
static void lives_until_the_last_answer(void **state) {
    (void)state;
    WebStream *stream = open_stream();
    web_stream_close(stream);
    assert_int_equal(stopped, 1);
    assert_int_equal(searches, 0);
    answer(QUERY_REPORT, "late");
    answer(QUERY_ANSWER, "last");
    answer(QUERY_END, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events),
        cmocka_unit_test(comments_when_silent),
        cmocka_unit_test(drops_reports_of_slow_readers),
        cmocka_unit_test(keeps_until_forgotten),
        cmocka_unit_test(lives_until_the_last_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
