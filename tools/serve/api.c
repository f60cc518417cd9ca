/* See api.h. Every route makes a JSON value; one place prints it. */
#include "tools/serve/api.h"

#include "engine/games/registry.h"
#include "selfplay/analysis/komi_offer.h"
#include "selfplay/analysis/position_json.h"
#include "selfplay/io/text.h"
#include "selfplay/io/variants.h"
#include "tools/serve/tree_json_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    USUAL_SIZE = 8,
    SECONDS_MAX = 24 * 3600, /* of a search: analysis goes on while somebody looks, but not for ever */
    MOVE_SECONDS = 60
};

/* A request while it is answered. */
typedef struct Request {
    Analysis *analysis;
    const QueryDefaults *defaults;
    WebCaller caller;
    const char *name;        /* the last part of the path, where the route has one that ends in a slash */
    bool head;               /* only what comes before the answer is wanted */
    const cJSON *json;       /* the body of a POST */
    char key[QUERY_KEY_MAX]; /* the key that is wrong, "" if none is */
    Error error;
    int error_status;
    WebStream *stream; /* the answer, if it is one */
    char *events;      /* the answer, if it is a piece of one */
    bool ended;        /* and that was the last piece */
} Request;

bool web_defaults(const Player *player, uint64_t seed, QueryDefaults *defaults, Error *error) {
    *defaults = (QueryDefaults){.player = *player,
                                .game = {.size = USUAL_SIZE},
                                .seed = seed,
                                .has_levels = true,
                                .seconds_max = SECONDS_MAX,
                                .move_seconds = MOVE_SECONDS};
    for (int i = 0; i < LEVELS; i++) {
        if (!level_player(i + 1, &defaults->levels[i], error))
            return false;
        defaults->levels[i].memory_mb = player->memory_mb;
    }
    return true;
}

/* ---- Answers ---- */

static WebAnswer json_answer(int status, cJSON *json) {
    char *text = json_print(json);
    return (WebAnswer){.status = text ? status : 500, .text = text, .length = text ? strlen(text) : 0};
}

WebAnswer web_error(int status, const char *field, const char *text) {
    cJSON *json = cJSON_CreateObject();
    json_add_text(json, "error", text);
    json_add_text_or_null(json, "field", field);
    return json_answer(status, json);
}

WebAnswer web_wrong_method(const char *allow) {
    char text[64];
    snprintf(text, sizeof text, "the path has no such method, expected %s", allow);
    WebAnswer answer = web_error(405, NULL, text);
    snprintf(answer.allow, sizeof answer.allow, "%s", allow);
    return answer;
}

/* Closes a reader and keeps what was wrong. */
static bool close_reader(Request *request, JsonReader *reader) {
    const bool good = json_close(reader, &request->error);
    snprintf(request->key, sizeof request->key, "%s", reader->key);
    return good;
}

/* Opens a search for the client; false if he has too many. */
static bool open_search(Request *request, bool move) {
    Client *client = request->caller.client;
    if (!client || client_open_search(client, move, &request->error))
        return true;
    request->error_status = 429;
    return false;
}

/* ---- GET: games, levels, boards ---- */

static cJSON *game_to_json(int index, const Game *game, int largest, int usual) {
    bool captures;
    GamePie pie;
    game_variants(index, &captures, &pie);
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "name", game->name);
    cJSON_AddNumberToObject(out, "minSize", HEXHEX_MIN_SIZE);
    cJSON_AddNumberToObject(out, "maxSize", largest);
    cJSON_AddNumberToObject(out, "usualSize", usual);
    cJSON_AddBoolToObject(out, "hasPoints", game->has_points);
    cJSON_AddBoolToObject(out, "hasCapture", captures);
    json_add_text_or_null(out, "pie", pie == GAME_PIE_ON ? "on" : pie == GAME_PIE_OFF ? "off" : "");
    return out;
}

static cJSON *level_to_json(int level, const Player *player) {
    char title[PLAYER_TITLE_MAX];
    cJSON *out = cJSON_CreateObject();
    player_title(player, title);
    cJSON_AddNumberToObject(out, "level", level);
    cJSON_AddStringToObject(out, "name", level_name(level));
    cJSON_AddNumberToObject(out, "elo", level_elo(level));
    json_add_text(out, "title", title);
    return out;
}

static cJSON *answer_setup(Request *request) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "version", STIGMERGY_VERSION);
    cJSON *games = cJSON_AddArrayToObject(out, "games");
    int largest, usual;
    for (int i = 0; game_list(i, &largest, &usual); i++) {
        const GameOptions options = {.name = game_list(i, &largest, &usual), .size = usual};
        const Game *game = analysis_game(request->analysis, &options, &request->error);
        if (!game) {
            cJSON_Delete(out);
            return NULL;
        }
        json_add(games, NULL, game_to_json(i, game, largest, usual));
    }
    cJSON *levels = cJSON_AddArrayToObject(out, "levels");
    for (int level = 1; request->defaults->has_levels && level <= LEVELS; level++)
        json_add(levels, NULL, level_to_json(level, &request->defaults->levels[level - 1]));
    const WebBook *book = request->caller.book;
    json_add(out, "book", book ? web_book_subject(book) : cJSON_CreateNull());
    return out;
}

static cJSON *answer_board(Request *request) {
    const char *number = request->name;
    char *end;
    const long size = strtol(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || size < HEXHEX_MIN_SIZE || size > HEXHEX_MAX_SIZE) {
        error_set(&request->error, "a board has %d to %d cells a side", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE);
        return NULL;
    }
    return board_to_json((int)size);
}

/* ---- POST: positions, the book and komi ---- */

/* Reads the line of play that the body is, to be freed in any case. */
static bool read_line(Request *request, GameLine *line) {
    JsonReader reader = json_open(request->json, "position");
    game_line_read(line, &reader, request->analysis, &request->defaults->game, request->defaults->komi);
    return close_reader(request, &reader);
}

static cJSON *answer_position(Request *request) {
    GameLine line;
    cJSON *out = read_line(request, &line) ? position_to_json(&line) : NULL;
    game_line_free(&line);
    return out;
}

static cJSON *answer_book(Request *request) {
    GameLine line;
    cJSON *out = read_line(request, &line) ? web_book_at(request->caller.book, &line) : NULL;
    game_line_free(&line);
    return out;
}

/* A question to the computer about the komi of a new game. */
typedef struct KomiQuestion {
    const Game *game; /* owned by the analysis engine */
    int64_t level;    /* 0: the player that analyses */
    uint64_t seed;
    bool named; /* `komi` is given, and a side is to be chosen; else komi is to be named */
    int komi;
} KomiQuestion;

static bool read_komi_question(Request *request, KomiQuestion *question) {
    const QueryDefaults *defaults = request->defaults;
    GameLine line;
    JsonReader reader = json_open(request->json, "komi");
    *question = (KomiQuestion){.level = defaults->has_levels ? LEVELS : 0, .seed = defaults->seed};
    if (defaults->has_levels)
        json_int(&reader, "level", 1, LEVELS, &question->level);
    json_u64(&reader, "seed", &question->seed);
    question->named = cJSON_HasObjectItem(request->json, "komi");
    game_line_read_game(&line, &reader, request->analysis, &defaults->game, 0);
    const Error pointless = {.text = "this game has no komi"};
    if (line.game && !line.game->has_points)
        json_fail(&reader, "game", &pointless);
    question->game = line.game;
    question->komi = line.komi;
    return close_reader(request, &reader);
}

/* Asks the engine; puts the komi that it names into the question. */
static bool ask_for_komi(Request *request, KomiQuestion *question, const Player *player, Side *side, double *chance) {
    if (!open_search(request, true))
        return false;
    const KomiOffer offer = {
        .analysis = request->analysis, .game = question->game, .player = player, .seed = question->seed};
    const bool good = question->named ? komi_offer_choose(&offer, question->komi, side, chance, &request->error)
                                      : komi_offer_name(&offer, &question->komi, chance, &request->error);
    if (request->caller.client)
        client_close_search(request->caller.client, true);
    return good;
}

static cJSON *answer_komi(Request *request) {
    const QueryDefaults *defaults = request->defaults;
    KomiQuestion question;
    if (!read_komi_question(request, &question))
        return NULL;
    const Player *player = analysis_player(
        request->analysis, question.level > 0 ? &defaults->levels[question.level - 1] : &defaults->player,
        question.game, &request->error);
    if (!player)
        return NULL;
    Side side = WHITE;
    double chance = 0.5;
    if (!ask_for_komi(request, &question, player, &side, &chance))
        return NULL;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "komi", question.komi);
    if (question.named)
        cJSON_AddStringToObject(out, "side", side == BLACK ? "B" : "W");
    json_add_number(out, "winrate", chance);
    return out;
}

/* ---- POST: game trees ---- */

static cJSON *answer_load(Request *request) {
    char name[32] = "stigmergy";
    GameOptions options = {.name = name};
    int64_t size = request->defaults->game.size, number = 1;
    JsonReader reader = json_open(request->json, "load");
    json_string(&reader, "game", name, sizeof name);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size);
    variants_read_capture(&reader, &options.capture);
    variants_read_pie(&reader, &options.pie);
    json_require(&reader, "text");
    const char *text = json_text(&reader, "text", WEB_TREE_MAX);
    json_int(&reader, "number", 1, WEB_TREE_MAX, &number);
    if (!close_reader(request, &reader))
        return NULL;
    options.size = (int)size;
    size_t begin;
    const int games = game_tree_count(text, strlen(text), (int)number, &begin);
    if (number > games) {
        snprintf(request->key, sizeof request->key, "number");
        error_set(&request->error, "%d, but the text holds %d games", (int)number, games);
        return NULL;
    }
    GameTree *tree = game_tree_read(text + begin, strlen(text + begin), "text", &options, &request->error);
    cJSON *out = tree ? game_tree_to_json(tree) : NULL;
    if (out && games > 1)
        cJSON_AddNumberToObject(out, "games", games);
    game_tree_free(tree);
    return out;
}

static char *write_tree(const GameTree *tree, const char *format, Error *error) {
    static char *(*const writers[])(const GameTree *, Error *) = {game_tree_to_sgf, game_tree_to_record,
                                                                  game_tree_to_list, game_tree_to_state};
    static const char *const formats[] = {"sgf", "record", "list", "state"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(format, formats[i]))
            return writers[i](tree, error);
    error_set(error, "'%s', expected sgf, record, list or state", format);
    return NULL;
}

static cJSON *answer_save(Request *request) {
    char format[16] = "";
    JsonReader reader = json_open(request->json, "save");
    json_require(&reader, "format");
    json_string(&reader, "format", format, sizeof format);
    json_any(&reader, "games"); /* of the text that it was loaded from */
    GameTree *tree = game_tree_from_json(&reader, request->analysis, &request->defaults->game);
    char *text = NULL;
    if (close_reader(request, &reader)) {
        text = write_tree(tree, format, &request->error);
        snprintf(request->key, sizeof request->key, "format");
    }
    game_tree_free(tree);
    if (!text)
        return NULL;
    cJSON *out = cJSON_CreateObject();
    json_add_text(out, "text", text);
    free(text);
    return out;
}

/* ---- POST: analysis ---- */

static WebStream *start_query(Request *request) {
    AnalysisQuery *query =
        query_read(request->json, request->analysis, request->defaults, request->key, &request->error);
    if (!query)
        return NULL;
    if (!open_search(request, query_is_move(query))) {
        query_free(query);
        return NULL;
    }
    request->error_status = 503; /* what can fail from here on is memory */
    error_set(&request->error, "out of memory");
    return web_stream_new(query, request->analysis, request->caller.client);
}

static cJSON *answer_analysis(Request *request) {
    request->stream = start_query(request);
    return NULL;
}

static cJSON *answer_search(Request *request) {
    char name[WEB_TOKEN_LENGTH + 1];
    WebStream *stream = start_query(request);
    if (!stream || !searches_add(request->caller.searches, stream, request->caller.client, name, &request->error))
        return NULL;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "search", name);
    return out;
}

/* Reads how many bytes of events the client has. */
static bool read_after(Request *request, uint64_t *count) {
    const char *text = request->caller.after;
    const size_t digits = strspn(text, "0123456789");
    *count = strtoull(text, NULL, 10);
    return digits > 0 && digits < 19 && !text[digits];
}

static cJSON *answer_take(Request *request) {
    const WebCaller *caller = &request->caller;
    uint64_t count = 0;
    SearchAnswer answer = SEARCH_MISCOUNTED;
    if (request->head)
        answer = searches_look(caller->searches, request->name, caller->client, &request->events);
    else if (!caller->after || read_after(request, &count))
        answer = searches_take(caller->searches, request->name, caller->client, caller->after ? &count : NULL,
                               &request->events);
    request->ended = answer == SEARCH_ENDED;
    switch (answer) {
    case SEARCH_UNKNOWN:
        request->error_status = 404;
        error_set(&request->error, "there is no such search");
        break;
    case SEARCH_MISCOUNTED:
        snprintf(request->key, sizeof request->key, "after");
        error_set(&request->error, "'after' is wrong, expected how many bytes of events came before");
        break;
    case SEARCH_NO_MEMORY: error_set(&request->error, "out of memory for the answers of the search"); break;
    default: break;
    }
    return NULL;
}

/* A search that has ended meanwhile is as good as stopped. */
static cJSON *answer_stop(Request *request) {
    searches_stop(request->caller.searches, request->name, request->caller.client);
    return cJSON_CreateObject();
}

/* ---- The paths ---- */

typedef struct Route {
    const char *path; /* if it ends in a slash, a name follows */
    const char *method;
    cJSON *(*answer)(Request *request); /* NULL with an error, or with a stream */
    size_t body_max;                    /* bytes of a request */
    bool costly;                        /* it counts against the searches a second; the limit of open ones
                                           is for `answer` to keep (open_search) */
} Route;

static const Route routes[] = {
    {"/api/setup", "GET", answer_setup, WEB_BODY_MAX, false},
    {"/api/board/", "GET", answer_board, WEB_BODY_MAX, false},
    {"/api/position", "POST", answer_position, WEB_BODY_MAX, false},
    {"/api/komi", "POST", answer_komi, WEB_BODY_MAX, true},
    {"/api/load", "POST", answer_load, WEB_TREE_MAX, false},
    {"/api/save", "POST", answer_save, WEB_TREE_MAX, false},
    {"/api/analysis", "POST", answer_analysis, WEB_BODY_MAX, true},
    {"/api/search", "POST", answer_search, WEB_BODY_MAX, true},
    {"/api/search/", "GET", answer_take, WEB_BODY_MAX, false},
    {"/api/search/", "DELETE", answer_stop, WEB_BODY_MAX, false},
    {"/api/book", "POST", answer_book, WEB_BODY_MAX, false},
};
enum { ROUTES = sizeof routes / sizeof routes[0] };

static bool is_at(const Route *route, const char *path) {
    const size_t length = strlen(route->path);
    return !strncmp(path, route->path, length) &&
           (route->path[length - 1] == '/' ? !strchr(path + length, '/') : !path[length]);
}

/* Whether the server keeps nothing that could answer at this path. */
static bool is_empty(const WebCaller *caller, const char *path) {
    return (!caller->searches && !strncmp(path, "/api/search", 11)) || (!caller->book && !strcmp(path, "/api/book"));
}

/* The route for a path and a method; NULL stands for any method. */
static const Route *find_route(const char *path, const char *method) {
    for (int i = 0; i < ROUTES; i++)
        if (is_at(&routes[i], path) && (!method || !strcmp(method, routes[i].method)))
            return &routes[i];
    return NULL;
}

/* Names the methods that a path has. */
static WebAnswer wrong_method(const char *path) {
    char allow[WEB_ALLOW_MAX] = "";
    for (int i = 0; i < ROUTES; i++)
        if (is_at(&routes[i], path)) {
            const size_t used = strlen(allow);
            snprintf(allow + used, sizeof allow - used, "%s%s%s", used ? ", " : "", routes[i].method,
                     strcmp(routes[i].method, "GET") ? "" : ", HEAD");
        }
    return web_wrong_method(allow);
}

bool web_api_has(const char *path) {
    return find_route(path, NULL) != NULL;
}

bool web_api_takes(const char *path, const char *method) {
    return find_route(path, method) != NULL;
}

size_t web_api_body_max(const char *path) {
    const Route *route = find_route(path, NULL);
    return route ? route->body_max : WEB_BODY_MAX;
}

bool web_api_is_costly(const char *path) {
    const Route *route = find_route(path, NULL);
    return route && route->costly;
}

static WebAnswer to_answer(Request *request, cJSON *out) {
    if (request->stream)
        return (WebAnswer){.status = 200, .stream = request->stream};
    if (request->events)
        return (WebAnswer){.status = request->ended ? 204 : 200,
                           .text = request->events,
                           .is_events = true,
                           .length = strlen(request->events)};
    if (out)
        return json_answer(200, out);
    return web_error(request->error.no_memory ? 503 : request->error_status, request->key, request->error.text);
}

WebAnswer web_api(Analysis *analysis, const QueryDefaults *defaults, WebCaller caller, const char *method,
                  const char *path, const char *body, size_t length) {
    const Route *route = find_route(path, strcmp(method, "HEAD") ? method : "GET");
    if (!web_api_has(path) || is_empty(&caller, path))
        return web_error(404, NULL, "there is nothing at this path");
    if (!route)
        return wrong_method(path);
    Request request = {.analysis = analysis,
                       .defaults = defaults,
                       .caller = caller,
                       .name = path + strlen(route->path),
                       .head = !strcmp(method, "HEAD"),
                       .error = {.text = "out of memory", .no_memory = true},
                       .error_status = 400};
    cJSON *json = NULL;
    if (!strcmp(method, "POST")) {
        Error error;
        json = json_parse(body, length, "body", &error);
        if (!json && error.no_memory)
            return web_error(503, NULL, error.text);
        if (!json)
            return web_error(400, NULL,
                             text_find_foreign(body, length) ? "the body is not UTF-8, expected JSON"
                                                             : "the body is not valid JSON, expected an object");
        request.json = json;
    }
    cJSON *out = route->answer(&request);
    cJSON_Delete(json);
    return to_answer(&request, out);
}
