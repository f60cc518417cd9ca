/* Searches that the page asks for: their streams, which of them goes first, and those whose answers are taken piece by
 * piece under a name. */
#include "engine/base/wall_time.h"
#include "tests/support/web_talk.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static _Thread_local bool malloc_fails; /* the next call in this thread */
static _Thread_local int calloc_fails;  /* this call, the next one being 1 */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size) {
    const bool fails = malloc_fails;
    malloc_fails = false;
    return fails ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    return calloc_fails > 0 && --calloc_fails == 0 ? NULL : __real_calloc(count, size);
}

/* ---- Streams ---- */

static void test_stream(void **state) {
    (void)state;
    WebAnswer answer = ask("POST", "/api/analysis",
                           "{\"id\": \"a\", \"level\": 2, \"analyzeTurns\": [0, 1], "
                           "\"moves\": [\"c3\"]}");
    assert_int_equal(answer.status, 200);
    char text[1 << 16] = "";
    size_t length = 0;
    for (ssize_t count; (count = web_stream_read(answer.stream, text + length, 1000)) > 0;)
        length += (size_t)count;
    text[length] = '\0';
    web_stream_close(answer.stream);
    int events = 0;
    for (const char *at = text; (at = strstr(at, "data: {")) != NULL; at++)
        events++;
    assert_int_equal(events, 2);
    assert_string_equal(text + length - 3, "}\n\n");
}

/* A browser that goes away stops its search: the engine is idle soon, though the search would go on. */
static void test_abandoned_stream(void **state) {
    (void)state;
    for (int early = 0; early < 2; early++) {
        WebAnswer answer = ask("POST", "/api/analysis",
                               "{\"id\": \"a\", \"size\": 9, \"maxTime\": 1000, "
                               "\"reportDuringSearchEvery\": 0.01}");
        char text[100];
        if (!early)
            assert_true(web_stream_read(answer.stream, text, sizeof text) > 0);
        web_stream_close(answer.stream);
        see_pending(0, 0);
    }
}

/* Starts an endless search of this kind, whose answers are reports or one move. */
static WebStream *start_endless(const char *keys) {
    char body[160];
    snprintf(body, sizeof body, "{\"id\": \"a\", \"size\": 7, \"maxTime\": 1000%s}", keys);
    const WebAnswer answer = ask("POST", "/api/analysis", body);
    assert_int_equal(answer.status, 200);
    return answer.stream;
}

/* Waits until a stream says something within a second, or nothing. */
static void see_reports(WebStream *stream, bool wanted) {
    const double end = wall_seconds() + PATIENCE;
    for (bool found = !wanted, ended; found != wanted;) {
        if (wall_seconds() > end)
            fail_msg("%s", wanted ? "there are no reports" : "there are reports still");
        char *text = web_stream_take(stream, false, 1, &ended);
        assert_true(text && !ended);
        found = *text != '\0';
        free(text);
    }
}

/* While a move is searched, analyses stand still, whatever priority they name. */
static void test_move_goes_first(void **state) {
    (void)state;
    enum { ANALYSES = 3 };
    static const char *const ranks[ANALYSES] = {"", ", \"priority\": 9", ", \"priorities\": [9]"};
    WebStream *analyses[ANALYSES];
    for (int i = 0; i < ANALYSES; i++) {
        char keys[80];
        snprintf(keys, sizeof keys, ", \"reportDuringSearchEvery\": 0.01%s", ranks[i]);
        analyses[i] = start_endless(keys);
    }
    for (int i = 0; i < ANALYSES; i++)
        see_reports(analyses[i], true);
    WebStream *move = start_endless(", \"priority\": -9");
    for (int i = 0; i < ANALYSES; i++)
        see_reports(analyses[i], false);
    assert_int_equal(analysis_pending(analysis), ANALYSES + 1);
    web_stream_close(move);
    for (int i = 0; i < ANALYSES; i++) {
        see_reports(analyses[i], true);
        web_stream_close(analyses[i]);
    }
    see_pending(0, 0);
}

/* Who goes on to the next position stops his own search under the same name, and nobody else's. */
static void test_same_name(void **state) {
    (void)state;
    static const char body[] = "{\"id\": \"look\", \"size\": 7, \"maxTime\": 1000, \"keepTree\": true, "
                               "\"reportDuringSearchEvery\": 0.01}";
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *connections[2];
    WebAnswer answers[3];
    for (uint32_t i = 0; i < 3; i++) {
        if (i < 2)
            connections[i] = connect_from(clients, 1 + i, -1);
        answers[i] = web_api(analysis, &defaults, (WebCaller){.client = clients_owner(connections[i % 2])}, "POST",
                             "/api/analysis", body, strlen(body));
        assert_int_equal(answers[i].status, 200);
    }
    char text[4096];
    see_pending(0, 2);
    while (web_stream_read(answers[0].stream, text, sizeof text) > 0) /* it has ended */
        ;
    for (int i = 0; i < 20; i++) /* the others go on, whatever they have said before */
        see_reports(answers[1 + i % 2].stream, true);
    for (int i = 0; i < 3; i++)
        web_stream_close(answers[i].stream);
    for (int i = 0; i < 2; i++)
        clients_disconnect(clients, connections[i]);
    clients_free(clients);
    see_pending(0, 0);
}

/* ---- By name ---- */

/* Asks as a client. The caller frees the text. */
static WebAnswer ask_as(Searches *searches, const ClientConnection *who, const char *method, const char *path,
                        const char *body) {
    const WebCaller caller = {.client = clients_owner(who), .searches = searches};
    return web_api(analysis, &defaults, caller, method, path, body, strlen(body));
}

static int status_as(Searches *searches, const ClientConnection *who, const char *method, const char *path) {
    const WebAnswer answer = ask_as(searches, who, method, path, "");
    free(answer.text);
    return answer.status;
}

/* Starts a search and writes the path for its answers. */
static void start_search(Searches *searches, const ClientConnection *who, const char *query, char path[64]) {
    const WebAnswer answer = ask_as(searches, who, "POST", "/api/search", query);
    assert_int_equal(answer.status, 200);
    cJSON *json = cJSON_ParseWithLength(answer.text, answer.length);
    snprintf(path, 64, "/api/search/%s", text_of(json, "search"));
    cJSON_Delete(json);
    free(answer.text);
}

/* A search that cannot be made for lack of memory is no mistake of the client's. */
static void test_search_without_memory(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    Searches *searches = searches_new(600);
    ClientConnection *who = connect_from(clients, 1, -1);
    int status = 0, refused = 0;
    for (int call = 1; status != 200; call++) {
        calloc_fails = call;
        const WebAnswer answer = ask_as(searches, who, "POST", "/api/search", "{\"id\": \"a\", \"maxSims\": 5}");
        status = answer.status;
        if (status != 200 && (status != 503 || !strstr(answer.text, "memory")))
            fail_msg("%d %s", status, answer.text);
        refused += status == 503;
        free(answer.text);
    }
    calloc_fails = 0;
    assert_true(refused >= 3); /* for its query, its answers, its name */
    searches_free(searches);
    clients_disconnect(clients, who);
    clients_free(clients);
    see_pending(0, 0);
}

/* Answers that are asked for come piece by piece, to the client who started the search and to no other. */
static void test_search_by_name(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    Searches *searches = searches_new(600);
    ClientConnection *one = connect_from(clients, 1, -1), *other = connect_from(clients, 2, -1);
    char path[64];
    start_search(searches, one, "{\"id\": \"a\", \"maxSims\": 5}", path);
    assert_int_equal(status_as(searches, other, "GET", path), 404);
    WebAnswer answer = {.status = 200};
    bool found = false;
    while (answer.status == 200) {
        answer = ask_as(searches, one, "GET", path, "");
        found = found || (answer.text && strstr(answer.text, "moveInfos"));
        free(answer.text);
    }
    assert_true(found && answer.status == 204);
    assert_int_equal(status_as(searches, one, "GET", path), 404); /* it is over */
    start_search(searches, one, "{\"id\": \"b\", \"size\": 7, \"maxTime\": 1000, \"reportDuringSearchEvery\": 1}",
                 path);
    assert_int_equal(status_as(searches, other, "DELETE", path), 200); /* but it goes on */
    assert_int_equal(status_as(searches, one, "GET", path), 200);
    malloc_fails = true;
    answer = ask_as(searches, one, "GET", path, "");
    assert_true(answer.status == 503 && strstr(answer.text, "memory"));
    free(answer.text);
    assert_int_equal(status_as(searches, one, "GET", path), 200); /* and so it does now */
    answer = ask_as(searches, one, "POST", path, "{}");
    assert_true(answer.status == 405 && strstr(answer.text, "expected GET, HEAD, DELETE"));
    free(answer.text);
    char below[80];
    snprintf(below, sizeof below, "/api/search/anything/%s", path + 12);
    assert_int_equal(status_as(searches, one, "GET", below), 404);
    assert_int_equal(status_as(searches, one, "DELETE", below), 404);
    assert_int_equal(status_as(searches, one, "DELETE", path), 200);
    assert_int_equal(status_as(searches, one, "DELETE", path), 200);
    assert_int_equal(status_as(searches, one, "GET", path), 404);
    see_pending(0, 0);
    cJSON_Delete(told(404, "POST", "/api/search", "{}")); /* where nobody keeps searches */
    searches_free(searches);
    clients_disconnect(clients, one);
    clients_disconnect(clients, other);
    clients_free(clients);
}

/* Asks for what comes after so many bytes of a search, "" for what is new. The caller frees the text. */
static WebAnswer ask_after(Searches *searches, const ClientConnection *who, const char *method, const char *path,
                           const char *after) {
    const WebCaller caller = {.client = clients_owner(who), .searches = searches, .after = *after ? after : NULL};
    return web_api(analysis, &defaults, caller, method, path, "", 0);
}

static void see_status(Searches *searches, const ClientConnection *who, const char *path, const char *after,
                       int status) {
    const WebAnswer answer = ask_after(searches, who, "GET", path, after);
    assert_int_equal(answer.status, status);
    free(answer.text);
}

/* Who says how much he has gets again what he has lost, the end too, and HEAD takes nothing. */
static void test_lost_answers(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    Searches *searches = searches_new(600);
    ClientConnection *who = connect_from(clients, 1, -1);
    char path[64], after[24];
    Error error;
    start_search(searches, who, "{\"id\": \"a\", \"maxSims\": 5, \"moves\": [\"c3\"], \"analyzeTurns\": [0, 1]}", path);
    see_pending(0, 0);
    WebAnswer answer = ask_after(searches, who, "HEAD", path, "");
    assert_int_equal(answer.status, 200);
    free(answer.text);
    WebAnswer first = ask_after(searches, who, "GET", path, "0");
    assert_true(first.status == 200 && strstr(first.text, "\"turnNumber\":1"));
    WebAnswer again = ask_after(searches, who, "GET", path, "0");
    assert_string_equal(again.text, first.text);
    static const char *const wrong[] = {"-1", "x", "1x", "99999999999999999999", "1000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        see_status(searches, who, path, wrong[i], 400);
    const char *second = strstr(first.text, "\n\n") + 2; /* the event */
    snprintf(after, sizeof after, "%td", second - first.text);
    answer = ask_after(searches, who, "GET", path, after);
    assert_string_equal(answer.text, second);
    free(answer.text);
    see_status(searches, who, path, "0", 400); /* he has said that he has more */
    snprintf(after, sizeof after, "%zu", first.length);
    see_status(searches, who, path, after, 204);
    see_status(searches, who, path, after, 204);
    assert_int_equal(open_all(clients_owner(who), &error), CLIENT_ANALYSES_MAX); /* its place is free */
    for (int i = 0; i < CLIENT_ANALYSES_MAX; i++)
        client_close_search(clients_owner(who), false);
    assert_int_equal(status_as(searches, who, "DELETE", path), 200);
    see_status(searches, who, path, after, 404);
    free(first.text);
    free(again.text);
    searches_free(searches);
    clients_disconnect(clients, who);
    clients_free(clients);
}

typedef struct Poller {
    Searches *searches;
    const ClientConnection *who;
    const char *path;
    int asked;
} Poller;

/* Asks for a second. */
static void *poll_search(void *user) {
    Poller *poller = user;
    for (const double end = wall_seconds() + 1; wall_seconds() < end; poller->asked++)
        if (status_as(poller->searches, poller->who, "GET", poller->path) != 200)
            return user;
    return NULL;
}

/* Two who ask for the same search wait, each for a tenth of a second or longer. */
static void test_two_ask(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    Searches *searches = searches_new(600);
    ClientConnection *who = connect_from(clients, 1, -1);
    char path[64];
    start_search(searches, who, "{\"id\": \"a\", \"size\": 7, \"maxTime\": 1000, \"reportDuringSearchEvery\": 900}",
                 path);
    Poller pollers[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pollers[i] = (Poller){.searches = searches, .who = who, .path = path};
        assert_int_equal(pthread_create(&threads[i], NULL, poll_search, &pollers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
        assert_in_range(pollers[i].asked, 1, 12);
    }
    searches_free(searches);
    clients_disconnect(clients, who);
    clients_free(clients);
    see_pending(0, 0);
}

/* A search that nobody asks for ends soon, and all end with the server. */
static void test_search_forgotten(void **state) {
    (void)state;
    static const char query[] = "{\"id\": \"a\", \"size\": 7, \"maxTime\": 1000, \"reportDuringSearchEvery\": 1}";
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *one = connect_from(clients, 1, -1);
    char path[64];
    for (int unread = 0; unread <= 600; unread += 600) {
        Searches *searches = searches_new(unread);
        start_search(searches, one, query, path);
        if (unread == 0)
            see_pending(0, 0);
        searches_free(searches);
        see_pending(0, 0);
    }
    clients_disconnect(clients, one);
    clients_free(clients);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_by_name),   cmocka_unit_test(test_two_ask),
        cmocka_unit_test(test_lost_answers),     cmocka_unit_test(test_search_without_memory),
        cmocka_unit_test(test_search_forgotten), cmocka_unit_test(test_stream),
        cmocka_unit_test(test_abandoned_stream), cmocka_unit_test(test_move_goes_first),
        cmocka_unit_test(test_same_name),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
