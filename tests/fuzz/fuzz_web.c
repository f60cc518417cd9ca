/* Fuzz target: requests to the board server. The first byte chooses the path, the rest is the body. A query
 * is asked as a stream, and as the page does it, by name; a position is also looked up in an opening book. See
 * fuzz_gtp.c. */
#include "tests/support/playout_player.h"
#include "tools/serve/api.h"
#include "tools/serve/guard.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a stream to its end. */
static void drain(WebStream *stream) {
    char bytes[4096];
    while (web_stream_read(stream, bytes, sizeof bytes) > 0)
        ;
    web_stream_close(stream);
}

static Analysis *analysis;
static Searches *searches;
static WebBook *book;
static const char book_text[] =
    "{\"schema\": {\"name\": \"stigmergy-book\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 2, \"books\": "
    "[{\"parity\": \"even\", \"nodes\": [{\"node\": 0, \"line\": \"\", \"games\": 2, \"fair_komi\": 6, \"ci95\": [5, "
    "7], "
    "\"exact\": false, \"children\": [{\"move\": \"c1\", \"node\": 1, \"probability\": 1}]}, {\"node\": 1, \"line\": "
    "\"c1\", \"games\": 1, \"fair_komi\": 6, \"ci95\": [6, 6], \"exact\": true}]}]}";
static QueryDefaults defaults;

static WebAnswer ask(const char *method, const char *path, const void *body, size_t length) {
    return web_api(analysis, &defaults, (WebCaller){.searches = searches, .book = book}, method, path, body, length);
}

/* Starts a search, asks for its answers to the end, and stops it as well. */
static void search(const void *query, size_t length) {
    char path[64] = "", name[WEB_TOKEN_LENGTH + 1];
    WebAnswer answer = ask("POST", "/api/search", query, length);
    if (answer.status == 200 && sscanf(answer.text, "{\"search\":\"%32[0-9a-f]", name) != 1)
        abort();
    if (answer.status == 200)
        snprintf(path, sizeof path, "/api/search/%s", name);
    for (bool more = answer.status == 200; more; more = answer.status == 200) {
        free(answer.text);
        answer = ask("GET", path, "", 0);
    }
    if (*path && answer.status != 204)
        abort();
    free(answer.text);
    free(ask("DELETE", path, "", 0).text);
}

/* A path with these bytes at its end. */
static void read_path(const char *method, const char *start, const uint8_t *data, size_t size) {
    const size_t length = strlen(start);
    char *path = malloc(length + size + 1);
    if (!path)
        abort();
    memcpy(path, start, length);
    memcpy(path + length, data, size);
    path[length + size] = '\0';
    free(ask(method, path, "", 0).text);
    if (web_guard_allows(path + length, NULL, NULL, false) && !strncmp(path + length, "evil", 4))
        abort(); /* the same bytes as a Host */
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"/api/position", "/api/load", "/api/save",
                                        "/api/analysis", "/api/komi", "/api/board/"};
    if (!analysis) {
        defaults = (QueryDefaults){
            .game = {.size = 2}, .player = playout_player(), .seed = 1, .has_levels = true, .seconds_max = 0.001};
        defaults.player.simulations = 2;
        defaults.player.memory_mb = 1;
        for (int i = 0; i < LEVELS; i++)
            defaults.levels[i] = defaults.player;
        analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, NULL);
        searches = searches_new(600);
        book = web_book_parse(book_text, strlen(book_text), "book", NULL);
    }
    if (!analysis || !searches || !book)
        abort();
    if (size == 0)
        return 0;
    const char *path = paths[data[0] % (sizeof paths / sizeof paths[0])];
    const WebAnswer answer = ask("POST", path, data + 1, size - 1);
    if (answer.stream)
        drain(answer.stream);
    free(answer.text);
    if (!strcmp(path, "/api/position"))
        free(ask("POST", "/api/book", data + 1, size - 1).text);
    if (!strcmp(path, "/api/analysis"))
        search(data + 1, size - 1);
    read_path("GET", "/api/board/", data, size);
    read_path("GET", "/api/search/", data, size);
    read_path("DELETE", "/api/search/", data, size);
    return 0;
}
