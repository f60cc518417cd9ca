/* The program as a part of a web page: what `stigmergy serve` answers over HTTP (tools/serve/api.h), answered by
 * functions that the page's worker calls (worker.js). There is one thread, so searches go on in steps.
 *
 * Texts pass through memory: the page asks for a place for its request (page_place), and an answer lies at page_text()
 * until the next call. */
#include "selfplay/analysis/analysis_steps.h"
#include "tools/serve/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    MEMORY_MB = 64, /* for each search, of which there are PLACES: enough for a solver with carriers */
    PLACES = 3,     /* positions that are searched in turn */
    STREAMS = 64    /* answers under way */
};
static const double wait_step = 0.05; /* seconds */

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name) /* compiled only so that tests/layers.py sees its calls */
#endif

typedef struct Page {
    Analysis *analysis;
    QueryDefaults defaults;
    char *request; /* the place for one */
    char *text;    /* of the last answer */
    size_t length;
    WebStream *streams[STREAMS];
} Page;

static Page page;

static void set_text(char *text, size_t length) {
    free(page.text);
    page.text = text;
    page.length = length;
}

static void set_error(const Error *error) {
    char *copy = strdup(error->text);
    set_text(copy, copy ? strlen(copy) : 0);
}

/* There is one client, without limits. */
bool client_open_search(Client *client, bool move, Error *error) {
    (void)client;
    (void)move;
    (void)error;
    return true;
}

void client_close_search(Client *client, bool move) {
    (void)client;
    (void)move;
}

/* Answers come as streams: there is no limit for connections here. */
bool searches_add(Searches *searches, WebStream *stream, const Client *owner, char name[WEB_TOKEN_LENGTH + 1],
                  Error *error) {
    (void)searches;
    (void)owner;
    (void)error;
    name[0] = '\0';
    web_stream_close(stream);
    return false;
}

SearchAnswer searches_take(Searches *searches, const char *name, const Client *owner, const uint64_t *after,
                           char **events) {
    (void)after;
    return searches_look(searches, name, owner, events);
}

SearchAnswer searches_look(Searches *searches, const char *name, const Client *owner, char **events) {
    (void)searches;
    (void)name;
    (void)owner;
    *events = NULL;
    return SEARCH_UNKNOWN;
}

void searches_stop(Searches *searches, const char *name, const Client *owner) {
    (void)searches;
    (void)name;
    (void)owner;
}

/* There is no opening book. */
cJSON *web_book_subject(const WebBook *book) {
    (void)book;
    return NULL;
}

cJSON *web_book_at(const WebBook *book, const GameLine *line) {
    (void)book;
    (void)line;
    return NULL;
}

#ifdef __wasm__
/* wasi-libc has none. */
int madvise(void *memory, size_t bytes, int advice) {
    (void)memory;
    (void)bytes;
    (void)advice;
    return 0;
}
#endif

void page_work(void) {
    (void)analysis_step(page.analysis, wait_step);
}

/* ---- What the worker calls ---- */

EXPORT("page_text") const char *page_text(void) {
    return page.text;
}

EXPORT("page_length") size_t page_length(void) {
    return page.length;
}

/* Reads the players from the data and makes the engine. False with the error as text. */
EXPORT("page_start") bool page_start(void) {
    Error error;
    Player player = player_default();
    const bool loaded = player_load("default", &player, &error);
    player.memory_mb = MEMORY_MB;
    if (loaded && web_defaults(&player, 1, &page.defaults, &error))
        page.analysis = analysis_new(&(AnalysisOptions){.workers = PLACES, .threads = 1}, &error);
    if (!page.analysis)
        set_error(&error);
    return page.analysis != NULL;
}

/* The place for a request of this many bytes; NULL without memory. */
EXPORT("page_place") char *page_place(size_t size) {
    free(page.request);
    page.request = malloc(size + 1);
    return page.request;
}

static int keep_stream(WebStream *stream) {
    for (int i = 0; i < STREAMS; i++)
        if (!page.streams[i]) {
            page.streams[i] = stream;
            return i;
        }
    web_stream_close(stream);
    return -1;
}

/* Answers the request at page_place: method and path, each ended by a NUL byte, and the body. Returns the status of
 * HTTP, with the answer as text, or -1 - N if the answer is stream N. */
EXPORT("page_request") int page_request(size_t length) {
    const char *method = page.request, *path = method + strlen(method) + 1, *body = path + strlen(path) + 1;
    page.request[length] = '\0';
    const WebAnswer answer = web_api(page.analysis, &page.defaults, (WebCaller){.client = NULL}, method, path, body,
                                     length - (size_t)(body - page.request));
    set_text(answer.text, answer.length);
    if (!answer.stream)
        return answer.status;
    const int kept = keep_stream(answer.stream);
    if (kept >= 0)
        return -1 - kept;
    const WebAnswer full = web_error(429, NULL, "too many searches are open");
    set_text(full.text, full.length);
    return full.status;
}

/* Takes the events that a stream has now, as text. False at its end. */
EXPORT("page_read") bool page_read(int stream) {
    bool ended;
    char *events = web_stream_take(page.streams[stream], false, 0, &ended);
    set_text(events, events ? strlen(events) : 0);
    return !ended;
}

EXPORT("page_close") void page_close(int stream) {
    web_stream_close(page.streams[stream]);
    page.streams[stream] = NULL;
}

/* For measurements: plays this many random games from the start of hexhex-N and returns how many moves they had. */
EXPORT("page_playouts") int page_playouts(int size, int count) {
    enum { BATCH = 64 };
    Error error;
    const Game *game = analysis_game(page.analysis, &(GameOptions){.size = size}, &error);
    GameState start;
    const GameState *states[BATCH];
    uint64_t seeds[BATCH];
    PlayoutResult results[BATCH];
    int moves = 0;
    if (!game)
        return 0;
    game->rules->start(game, &start, 0);
    for (int done = 0; done < count; done += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            states[i] = &start;
            seeds[i] = (uint64_t)(done + i);
        }
        game->rules->playouts(game, states, seeds, BATCH, PLAYOUT_UNIFORM, results);
        for (int i = 0; i < BATCH; i++)
            moves += results[i].length;
    }
    return moves;
}

/* Searches for about this time, in seconds. Returns whether there is more to do. */
EXPORT("page_step") bool page_step(double seconds) {
    return analysis_step(page.analysis, seconds);
}
