/* What the page may ask the server, without any HTTP in it: a path and a body go in, a status and a body come out.
 *
 *     GET  /api/setup      games, sizes, levels
 *     GET  /api/board/N    the cells of hexhex-N
 *     POST /api/position   a line of play (selfplay/analysis/game_line.h) -> selfplay/analysis/position_json.h
 *     POST /api/komi       {game, size, level, komi?} -> {komi, side, winrate}: names komi, or chooses a side
 *     POST /api/load       {text, game, size} -> a game tree; SGF, record, AbstractPlay's list
 *     POST /api/save       {format: sgf|record|list, ...tree} -> {text}
 *     POST /api/analysis   a query (selfplay/analysis/query.h) -> a stream of its answers
 *
 * A game tree is {game, size, komi, initialStones, initialPlayer, black, white, date, result, comment, nodes: [{parent,
 * turn, comment}, ...]}, where parent 0 is the start and the i-th node (from 1) is below an earlier one. */
#ifndef STIGMERGY_TOOLS_SERVE_API_H
#define STIGMERGY_TOOLS_SERVE_API_H

#include "tools/serve/stream.h"

typedef struct WebAnswer {
    int status; /* of HTTP */
    char *text; /* JSON, to be freed by the caller; NULL where there is a stream */
    size_t length;
    WebStream *stream; /* of events, to be closed by the caller */
} WebAnswer;

/* Answers a request; `body` need not be terminated. What is wrong gets status 400 (404 for an unknown path, 405 for a
 * method that it does not have) and {"error", "field"}. */
WebAnswer web_api(Analysis *analysis, const QueryDefaults *defaults, const char *method, const char *path,
                  const char *body, size_t length);

/* Whether a path belongs to the API; whether it costs a search. */
bool web_api_has(const char *path);
bool web_api_is_costly(const char *path);

/* An answer that says what is wrong; `field` may be NULL. */
WebAnswer web_error(int status, const char *field, const char *text);

#endif
