/* What the page can ask the server, without HTTP: a path and a body go in, a status and a body come out.
 *
 *     GET  /api/setup      {version, games, levels: [{level, name, elo, title}, ...], book (null: none)}
 *     GET  /api/board/N    the cells of hexhex-N
 *     POST /api/position   a line of play (selfplay/analysis/game_line.h) -> selfplay/analysis/position_json.h
 *     POST /api/book       a line of play -> what the opening book knows of the position (book.h)
 *     POST /api/komi       {game, size, level, komi?} -> {komi, side, winrate}: names komi, or chooses a side
 *     POST /api/load       {text, game, size, capture, pie, number} -> a game tree; the text is what game_tree_read
 *                          reads, or several games as SGF: then the one with this number (1), and {games} of how many
 *     POST /api/save       {format: sgf|record|list|state, ...game tree} -> {text}
 *     POST /api/analysis   a query (selfplay/analysis/query.h) -> a stream of its answers
 *     POST /api/search     a query -> {search: NAME}; its answers are asked for (searches.h)
 *     GET  /api/search/NAME     the answers that have come since, as a piece of that stream; 204: there are no more.
 *                               With ?after=N, those after the first N bytes of the stream
 *     DELETE /api/search/NAME   stops it
 *
 * tree_json_internal.h describes a game tree. */
#ifndef STIGMERGY_TOOLS_SERVE_API_H
#define STIGMERGY_TOOLS_SERVE_API_H

#include "tools/serve/book.h"
#include "tools/serve/searches.h"

/* Who asks, and what the server keeps for clients. */
typedef struct WebCaller {
    Client *client;      /* NULL: one without limits */
    Searches *searches;  /* NULL: /api/search does not exist */
    const WebBook *book; /* NULL: /api/book does not exist */
    const char *after;   /* the part `after` of the address's query; NULL: it has none */
} WebCaller;

/* The largest SGF file of a book, two games of GAME_TREE_NODES_MAX positions, is nearly as long as WEB_TREE_MAX. To
 * open it takes 80 MB and half a second. */
enum {
    WEB_ALLOW_MAX = 32,
    WEB_BODY_MAX = 1 << 19, /* bytes of a request */
    WEB_TREE_MAX = 1 << 23  /* of one that opens or saves a game, with variations */
};

typedef struct WebAnswer {
    int status;                /* of HTTP */
    char allow[WEB_ALLOW_MAX]; /* with 405, the methods that the path has, as "GET, HEAD"; else "" */
    char *text;                /* to be freed by the caller; NULL if the answer is a stream */
    bool is_events;            /* the text is a piece of a stream of events; else it is JSON */
    size_t length;             /* of the text */
    WebStream *stream;         /* of events, to be closed by the caller; else NULL */
} WebAnswer;

/* What applies in queries that do not say otherwise, if this player analyses: all levels have its memory. False with an
 * error. */
bool web_defaults(const Player *player, uint64_t seed, QueryDefaults *defaults, Error *error);

/* Answers a request. `body` needs no terminator. A bad request gets {"error", "field"} with status 400, 404 for an
 * unknown path or search, or 405 for a method that the path does not have. If too many searches are open, it gets 429;
 * without memory, 503. HEAD is answered as GET, but takes nothing of a search. Called by several threads at once, one
 * for each connection. */
WebAnswer web_api(Analysis *analysis, const QueryDefaults *defaults, WebCaller caller, const char *method,
                  const char *path, const char *body, size_t length);

/* Whether the API has this path. */
bool web_api_has(const char *path);
/* Whether it takes this method there. */
bool web_api_takes(const char *path, const char *method);

/* How many bytes a body may have there. */
size_t web_api_body_max(const char *path);

/* Whether answering this path takes a search. */
bool web_api_is_costly(const char *path);

/* An answer that says what is wrong; `field` may be NULL. */
WebAnswer web_error(int status, const char *field, const char *text);

/* One that says which methods the path has: "GET, HEAD". */
WebAnswer web_wrong_method(const char *allow);

#endif
