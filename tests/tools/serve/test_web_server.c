/* The board server over a connection: malformed requests, crowds, readers who read nothing, limits, its address, and
 * the files of the page. */
#include "engine/base/wall_time.h"
#include "tests/support/web_talk.h"
#include "tools/assets/asset.h"
#include "tools/serve/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Connects a socket to the server at this address. */
static void connect_to(const char *address, int line) {
    int port = 0;
    assert_int_equal(sscanf(address, "http://%*[0-9.]:%d/", &port), 1);
    const struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(connect(line, (const struct sockaddr *)(const void *)&place, sizeof place), 0);
}

/* A connection to the server at this address. */
static int dial(const char *address) {
    const int line = socket(AF_INET, SOCK_STREAM, 0), little = 4096;
    const struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(line, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connect_to(address, line);
    return line;
}

/* Sends bytes to the server and returns what it answers until it closes, at most `size - 1` of it. Nothing, if it does
 * not answer in time. */
static void talk(const char *address, const char *request, size_t length, char *out, size_t size) {
    const int line = dial(address);
    for (size_t sent = 0; sent < length;) {
        const ssize_t count = send(line, request + sent, length - sent, MSG_NOSIGNAL);
        if (count <= 0)
            break;
        sent += (size_t)count;
    }
    shutdown(line, SHUT_WR);
    size_t used = 0;
    for (ssize_t count; used + 1 < size && (count = recv(line, out + used, size - 1 - used, 0)) > 0;)
        used += (size_t)count;
    out[used] = '\0';
    close(line);
}

static int status_of(const char *address, const char *request) {
    char answer[1 << 12];
    int status = 0;
    talk(address, request, strlen(request), answer, sizeof answer);
    sscanf(answer, "HTTP/1.%*d %d", &status);
    return status;
}

/* A method that no path has: the header Allow names those that this one has. */
static void see_allowed(const char *address, const char *path, const char *methods) {
    char request[160], answer[1 << 12], line[80];
    snprintf(request, sizeof request, "PUT %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    snprintf(line, sizeof line, "\r\nAllow: %s\r\n", methods);
    talk(address, request, strlen(request), answer, sizeof answer);
    if (strncmp(answer, "HTTP/1.1 405", 12) || !strstr(answer, line))
        fail_msg("%s: %s", path, answer);
}

static void test_server(void **state) {
    (void)state;
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    assert_non_null(server);
    const char *address = web_server_address(server);
    static const struct {
        int status;
        const char *request;
    } cases[] = {
        {200, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {200, "HEAD /main.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {200, "HEAD /api/setup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {200, "HEAD /api/board/3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {405, "HEAD /api/komi HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {415, "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonx\r\nContent-Length: "
              "2\r\nConnection: close\r\n\r\n{}"},
        {200, "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: Application/JSON\r\nContent-Length: "
              "2\r\nConnection: close\r\n\r\n{}"},
        {404, "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /main.js%00.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /%61pi/setup%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {400, "GET /api/board/3%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {404, "GET /%2500 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {200, "GET /%6dain.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {200, "GET /?%00=%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {405, "DELETE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        {405, "POST /api/setup HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"},
        {403, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"},
        {403, "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n"},
        {415, "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"},
        {200, "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
              "2\r\nConnection: close\r\n\r\n{}"},
        {400, "POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
              "1\r\nConnection: close\r\n\r\n{"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(status_of(address, cases[i].request), cases[i].status);
    static const char *const garbage[] = {"",
                                          "\r\n\r\n",
                                          "GET",
                                          "GET / HTTP/9.9\r\n\r\n",
                                          "\xff\xfe\x00\x01",
                                          "POST /api/load HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n"};
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) /* any answer or none, but it lives on */
        assert_int_not_equal(status_of(address, garbage[i]), 200);
    assert_int_equal(status_of(address, cases[0].request), 200);
    see_allowed(address, "/api/setup", "GET, HEAD");
    see_allowed(address, "/api/komi", "POST");
    see_allowed(address, "/api/search/name", "GET, HEAD, DELETE");
    see_allowed(address, "/main.js", "GET, HEAD");
    assert_null(web_server_new(&(WebServerOptions){.bind = "no such name.invalid"}, analysis, &defaults, &error));
    assert_non_null(strstr(error.text, "no address of this machine"));
    web_server_free(server);
}

/* Asks for an analysis without end, and reads nothing of it. */
static int open_analysis(const char *address) {
    static const char body[] = "{\"id\": \"a\", \"size\": 7, \"maxTime\": 1000, \"includeControl\": true, "
                               "\"reportDuringSearchEvery\": 0.002}";
    char request[400];
    const int line = dial(address);
    const int length = snprintf(request, sizeof request,
                                "POST /api/analysis HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                "Content-Length: %zu\r\n\r\n%s",
                                sizeof body - 1, body);
    assert_int_equal(send(line, request, (size_t)length, MSG_NOSIGNAL), length);
    return line;
}

static const char move_request[] =
    "POST /api/analysis HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 24\r\nConnection: close\r\n\r\n{\"id\": \"m\", \"level\": 2}  ";

/* Analyses without end and clients who say nothing lock nobody out of the page, nor of a move. An analysis ends soon
 * after its tab is closed. */
static void test_crowd(void **state) {
    (void)state;
    enum { ANALYSES = 5, IDLE = 3 * CONNECTIONS_MAX };
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.unread = 600}, analysis, &defaults, &error);
    const char *address = web_server_address(server);
    int analyses[ANALYSES], idle[IDLE];
    for (int i = 0; i < ANALYSES; i++)
        analyses[i] = open_analysis(address);
    see_pending(ANALYSES, ANALYSES);
    char answer[1 << 15];
    talk(address, move_request, strlen(move_request), answer, sizeof answer);
    assert_non_null(strstr(answer, "moveInfos"));
    close(analyses[0]); /* a tab */
    see_pending(0, ANALYSES - 1);
    for (int i = 0; i < IDLE; i++) {
        idle[i] = dial(address);
        if (i % 2) /* half of a request */
            assert_int_equal(send(idle[i], "GET / HT", 8, MSG_NOSIGNAL), 8);
    }
    assert_int_equal(status_of(address, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), 200);
    for (int i = 1; i < ANALYSES; i++)
        close(analyses[i]);
    see_pending(0, 0);
    for (int i = 0; i < IDLE; i++)
        close(idle[i]);
    web_server_free(server);
}

/* Waits until an analysis has begun, and takes the first bytes of its stream. */
static void see_begin(int line) {
    char answer[13] = "";
    assert_true(recv(line, answer, 12, MSG_WAITALL) == 12);
    assert_string_equal(answer, "HTTP/1.1 200");
}

/* Reads a stream until no other search is left, and then far more than the system keeps of one that has ended. */
static void outlive_others(int line) {
    enum { ENOUGH = 1 << 18 };
    const double end = wall_seconds() + PATIENCE;
    char bytes[1 << 12];
    for (ssize_t alone = 0, count; alone<ENOUGH; alone = analysis_pending(analysis)> 1 ? 0 : alone + count) {
        count = recv(line, bytes, sizeof bytes, 0);
        if (count <= 0 || wall_seconds() > end)
            fail_msg("%d searches are left, and %zd more bytes come", analysis_pending(analysis), count);
    }
}

/* An analysis ends soon when nobody reads it, while one that is read goes on. */
static void test_unread(void **state) {
    (void)state;
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.unread = 2}, analysis, &defaults, &error);
    const int unread = open_analysis(web_server_address(server)), line = open_analysis(web_server_address(server));
    see_begin(unread);
    see_begin(line);
    outlive_others(line);
    see_pending(1, 1);
    close(line);
    close(unread);
    see_pending(0, 0);
    web_server_free(server);
}

/* The searches of a client are limited; more are refused. */
static void test_search_limit(void **state) {
    (void)state;
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.unread = 600}, analysis, &defaults, &error);
    const char *address = web_server_address(server);
    int lines[CLIENT_ANALYSES_MAX + 1];
    for (int i = 0; i < CLIENT_ANALYSES_MAX; i++)
        lines[i] = open_analysis(address);
    see_pending(CLIENT_ANALYSES_MAX, CLIENT_ANALYSES_MAX);
    lines[CLIENT_ANALYSES_MAX] = open_analysis(address);
    char answer[16] = "";
    assert_true(recv(lines[CLIENT_ANALYSES_MAX], answer, 12, MSG_WAITALL) == 12);
    assert_string_equal(answer, "HTTP/1.1 429");
    assert_int_equal(status_of(address, move_request), 200);
    web_server_free(server);
    for (int i = 0; i <= CLIENT_ANALYSES_MAX; i++)
        close(lines[i]);
    see_pending(0, 0);
}

/* Where other machines can reach it, the server answers nobody who lacks the token. */
static void test_secret_address(void **state) {
    (void)state;
    static const char *const paths[] = {"/", "/api/setup", "/main.js", "/nothing", "/%00"};
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.bind = "0.0.0.0"}, analysis, &defaults, &error);
    const char *address = web_server_address(server), *token = strchr(strstr(address, "//") + 2, '/');
    assert_int_equal(strlen(token), WEB_TOKEN_LENGTH + 2);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char request[160];
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", paths[i]);
        assert_int_equal(status_of(address, request), 403);
        snprintf(request, sizeof request, "GET %.33s%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", token,
                 paths[i]);
        assert_int_equal(status_of(address, request), i >= 3 ? 404 : 200);
    }
    char request[160], answer[1 << 12], line[80]; /* without the slash at its end, which is easily lost */
    snprintf(request, sizeof request, "GET %.33s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", token);
    snprintf(line, sizeof line, "\r\nLocation: %s\r\n", token);
    talk(address, request, strlen(request), answer, sizeof answer);
    assert_int_equal(strncmp(answer, "HTTP/1.1 301", 12), 0);
    assert_non_null(strstr(answer, line));
    web_server_free(server);
}

/* A client that asks for search after search is refused; what costs nothing is still answered. The bucket holds 200 and
 * gets 20 a second, far fewer than the requests that this sends. */
static void test_too_many_searches(void **state) {
    (void)state;
    static const char search[] = "POST /api/analysis HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                 "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    const char *address = web_server_address(server);
    int status = 400, answered = 0;
    while (status == 400 && answered < 5000) {
        status = status_of(address, search);
        answered += status == 400;
    }
    assert_int_equal(status, 429);
    assert_true(answered >= 200);
    assert_int_equal(status_of(address, "GET /api/setup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                     200);
    web_server_free(server);
}

/* Reads the head of an answer. Returns its status, 0 if none comes. */
static int next_status(FILE *answers) {
    char line[256];
    int status = 0;
    while (fgets(line, sizeof line, answers) && strcmp(line, "\r\n") != 0)
        sscanf(line, "HTTP/1.1 %d", &status);
    return status;
}

/* A client that asks for file after file is refused, and told why. The bucket holds 10,000 and gets 2,000 a second,
 * which may be as much as a busy machine takes out. */
static void test_too_many_requests(void **state) {
    (void)state;
    enum { BATCH = 100, ALL = 40000 };
    static const char request[] = "HEAD /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char batch[BATCH * sizeof request] = "";
    for (int i = 0; i < BATCH; i++)
        strcat(batch, request);
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    const int line = dial(web_server_address(server));
    FILE *answers = fdopen(line, "r");
    assert_non_null(answers);
    const double begin = wall_seconds();
    int refused = 0;
    for (int answered = 0; answered < ALL; answered++) {
        if (answered % BATCH == 0)
            assert_int_equal(send(line, batch, strlen(batch), MSG_NOSIGNAL), (int)strlen(batch));
        const int status = next_status(answers);
        if (status != 200)
            assert_int_equal(status, 429);
        refused += status == 429;
    }
    assert_true(refused > 0 || ALL <= 10000 + 2000 * (wall_seconds() - begin));
    fclose(answers);
    web_server_free(server);
}

static void test_bind(void **state) {
    (void)state;
    Error error;
    assert_true(web_server_can_bind(NULL, &error));
    assert_true(web_server_can_bind("0.0.0.0", &error));
    assert_true(web_server_can_bind("127.0.0.1", &error));
    struct addrinfo *found;
    if (getaddrinfo("localhost", NULL, NULL, &found) == 0) { /* a bare system does not know the name */
        assert_true(web_server_can_bind("localhost", &error));
        freeaddrinfo(found);
    }
    static const char *const wrong[] = {"", "no such name.invalid", "192.0.2.1"};
    for (int i = 0; i < 3; i++) {
        assert_false(web_server_can_bind(wrong[i], &error));
        assert_non_null(strstr(error.text, "no address of this machine"));
    }
}

/* The status of the answer to a body of so many blanks. */
static int status_of_blanks(const WebServer *server, const char *path, size_t length) {
    char *request = malloc(length + 256), answer[1 << 12];
    const int head = snprintf(request, 256,
                              "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                              "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                              path, length);
    memset(request + head, ' ', length);
    talk(web_server_address(server), request, (size_t)head + length, answer, sizeof answer);
    free(request);
    int status = 0;
    sscanf(answer, "HTTP/1.%*d %d", &status);
    return status;
}

/* A game with variations may be long, both where it is opened and where it is saved. */
static void test_large_body(void **state) {
    (void)state;
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    assert_int_equal(status_of_blanks(server, "/api/position", (1 << 19) + 1), 413);
    static const char *const paths[] = {"/api/load", "/api/save"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(status_of_blanks(server, paths[i], 1 << 23), 400);
        assert_int_equal(status_of_blanks(server, paths[i], (1 << 23) + 1), 413);
    }
    web_server_free(server);
}

/* The page is light, and names all its files itself, so that none of them is found only when another one is in. */
static void test_assets(void **state) {
    (void)state;
    size_t total = 0; /* of bytes that browsers take */
    const Asset *index = NULL;
    for (const Asset *asset = web_assets; asset->path; asset++) {
        assert_true(asset->length > 0 && asset->packed_length > 0 && strlen(asset->type) > 0);
        if (!strcmp(asset->path, "/"))
            index = asset;
        total += asset->packed_length;
    }
    assert_true(index && total < 150000);
    char *page = strndup((const char *)index->bytes, index->length), name[64];
    for (const Asset *asset = web_assets; asset->path; asset++) {
        snprintf(name, sizeof name, "=\"%s\"", asset->path + 1);
        if (asset != index && !strstr(page, name))
            fail_msg("the page does not name %s", asset->path);
    }
    free(page);
}

/* Where few files may be open, there are fewer places, and silent connections still lock nobody out. The test's own
 * sockets are there before, with numbers beyond the limit. The limit stays, so this is the last test. */
static void test_few_files(void **state) {
    (void)state;
    enum { FILES = 64, IDLE = 48 };
    Error error;
    int idle[IDLE];
    for (int i = 0; i < IDLE; i++) {
        const int line = socket(AF_INET, SOCK_STREAM, 0);
        idle[i] = fcntl(line, F_DUPFD, FILES);
        assert_true(idle[i] >= FILES);
        close(line);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){FILES, FILES}), 0);
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    const char *address = web_server_address(server);
    for (int i = 0; i < IDLE; i++)
        connect_to(address, idle[i]);
    const double end = wall_seconds() + PATIENCE;
    while (status_of(address, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") != 200)
        assert_true(wall_seconds() < end); /* those that are shut down need a moment */
    for (int i = 0; i < IDLE; i++)
        close(idle[i]);
    web_server_free(server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_server),
        cmocka_unit_test(test_large_body),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_search_limit),
        cmocka_unit_test(test_secret_address),
        cmocka_unit_test(test_too_many_searches),
        cmocka_unit_test(test_too_many_requests),
        cmocka_unit_test(test_bind),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_few_files),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
