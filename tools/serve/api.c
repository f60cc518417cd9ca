/* See api.h. */
#include "tools/serve/api.h"

#include "engine/games/registry.h"
#include "selfplay/record/game_tree.h"
#include "tools/analyze/position_json.h"
#include "tools/play/komi_offer.h"

#include <stdlib.h>

enum { TEXT_MAX = 1 << 19 };

/* A request on its way: what it is answered from, and what is written. */
typedef struct Request {
    Analysis *analysis;
    const QueryDefaults *defaults;
    const char *path;
    const cJSON *json; /* the body of a POST */
    JsonWriter out;
    char key[QUERY_KEY_MAX]; /* what is wrong, where something is */
    Error error;
    WebStream *stream;
} Request;

/* ---- Help ---- */

static WebAnswer text_answer(int status, char *text, size_t length) {
    return (WebAnswer){.status = text ? status : 500, .text = text, .length = text ? length : 0};
}

WebAnswer web_error(int status, const char *field, const char *text) {
    char *json = NULL;
    size_t length = 0;
    JsonWriter out = {.out = open_memstream(&json, &length)};
    if (!out.out)
        return (WebAnswer){.status = 500};
    json_begin_object(&out, NULL);
    json_write_string(&out, "error", text);
    if (field && *field)
        json_write_string(&out, "field", field);
    else
        json_write_null(&out, "field");
    json_end_object(&out);
    fclose(out.out);
    return text_answer(status, json, length);
}

/* Closes a reader and keeps what was wrong. */
static bool close_reader(Request *request, JsonReader *reader) {
    const bool good = json_close(reader, &request->error);
    snprintf(request->key, sizeof request->key, "%s", reader->key);
    return good;
}

/* A text of any length under a key, NULL where there is none. */
static const char *read_text(JsonReader *reader, const char *key) {
    const cJSON *item = json_any(reader, key);
    Error reason = {"expected a text"};
    if (item && (!cJSON_IsString(item) || strlen(item->valuestring) > TEXT_MAX))
        json_fail(reader, key, &reason);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* ---- GET ---- */

static bool answer_setup(Request *request) {
    JsonWriter *out = &request->out;
    json_begin_object(out, NULL);
    json_write_string(out, "version", STIGMERGY_VERSION);
    json_begin_array(out, "games");
    int largest, usual;
    for (int i = 0; game_list(i, &largest, &usual); i++) {
        const GameOptions options = {.name = game_list(i, &largest, &usual), .size = usual};
        const Game *game = analysis_game(request->analysis, &options, &request->error);
        if (!game)
            return false;
        json_begin_object(out, NULL);
        json_write_string(out, "name", game->name);
        json_write_int(out, "minSize", HEXHEX_MIN_SIZE);
        json_write_int(out, "maxSize", largest);
        json_write_int(out, "usualSize", usual);
        json_write_bool(out, "hasPoints", game->has_points);
        json_write_bool(out, "hasSetUp", game->rules->set_up != NULL);
        json_end_object(out);
    }
    json_end_array(out);
    json_begin_array(out, "levels");
    for (int i = 0; i < request->defaults->level_count; i++)
        json_write_int(out, NULL, i + 1);
    json_end_array(out);
    json_end_object(out);
    return true;
}

static bool answer_board(Request *request) {
    const char *number = strrchr(request->path, '/') + 1;
    char *end;
    const long size = strtol(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || size < HEXHEX_MIN_SIZE || size > HEXHEX_MAX_SIZE)
        return error_set(&request->error, "a board has 2 to 10 cells a side");
    board_write(&request->out, (int)size);
    return true;
}

/* ---- POST: positions and komi ---- */

static bool answer_position(Request *request) {
    GameLine line;
    JsonReader reader = json_open(request->json, "position");
    game_line_read(&line, &reader, request->analysis, &request->defaults->game, request->defaults->komi);
    const bool good = close_reader(request, &reader);
    if (good)
        position_write(&request->out, &line);
    game_line_free(&line);
    return good;
}

static bool answer_komi(Request *request) {
    const QueryDefaults *defaults = request->defaults;
    GameLine line;
    int64_t level = defaults->level_count;
    uint64_t seed = defaults->seed;
    JsonReader reader = json_open(request->json, "komi");
    json_int(&reader, "level", 1, defaults->level_count, &level);
    json_u64(&reader, "seed", &seed);
    const bool named = cJSON_HasObjectItem(request->json, "komi");
    game_line_read(&line, &reader, request->analysis, &defaults->game, 0);
    const Error without = {"this game has no komi"};
    if (line.game && !line.game->has_points)
        json_fail(&reader, "game", &without);
    const Game *game = line.game;
    int komi = line.komi;
    game_line_free(&line);
    if (!close_reader(request, &reader))
        return false;
    const Player *player = level > 0 ? &defaults->levels[level - 1] : &defaults->player;
    Side side = WHITE;
    double chance = 0.5;
    const bool good =
        named ? komi_offer_choose(request->analysis, game, player, seed, komi, &side, &chance, &request->error)
              : komi_offer_name(request->analysis, game, player, seed, &komi, &chance, &request->error);
    if (!good)
        return false;
    json_begin_object(&request->out, NULL);
    json_write_int(&request->out, "komi", komi);
    if (named)
        json_write_string(&request->out, "side", side == BLACK ? "B" : "W");
    json_write_number(&request->out, "winrate", chance);
    json_end_object(&request->out);
    return true;
}

/* ---- POST: game trees ---- */

static void write_tree(JsonWriter *out, const GameTree *tree) {
    static const char *const colours[] = {"B", "W"};
    const Game *game = tree->game;
    json_begin_object(out, NULL);
    json_write_string(out, "game", game->name);
    json_write_int(out, "size", game->board.size);
    json_write_int(out, "komi", tree->komi);
    if (tree->capture == GAME_CAPTURE_LINE)
        json_write_string(out, "capture", "line");
    if (tree->pie != GAME_PIE_DEFAULT)
        json_write_string(out, "pie", tree->pie == GAME_PIE_ON ? "on" : "off");
    json_begin_array(out, "initialStones");
    for (int c = 0; c < game->board.cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        if (!tree->stones[c])
            continue;
        hexhex_name(&game->board, c, name);
        json_begin_array(out, NULL);
        json_write_string(out, NULL, colours[tree->stones[c] - 1]);
        json_write_string(out, NULL, name);
        json_end_array(out);
    }
    json_end_array(out);
    json_write_string(out, "initialPlayer", colours[tree->first]);
    json_write_string(out, "black", tree->players[BLACK]);
    json_write_string(out, "white", tree->players[WHITE]);
    json_write_string(out, "date", tree->date);
    json_write_string(out, "result", tree->result);
    json_write_string(out, "comment", tree->nodes[0].comment ? tree->nodes[0].comment : "");
    json_begin_array(out, "nodes");
    for (int i = 1; i < tree->count; i++) {
        json_begin_object(out, NULL);
        json_write_int(out, "parent", tree->nodes[i].parent);
        json_write_string(out, "turn", tree->nodes[i].turn);
        if (tree->nodes[i].comment)
            json_write_string(out, "comment", tree->nodes[i].comment);
        json_end_object(out);
    }
    json_end_array(out);
    json_end_object(out);
}

static bool answer_load(Request *request) {
    char name[32] = "stigmergy";
    int64_t size = request->defaults->game.size;
    JsonReader reader = json_open(request->json, "load");
    json_string(&reader, "game", name, sizeof name);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size);
    json_require(&reader, "text");
    const char *text = read_text(&reader, "text");
    if (!close_reader(request, &reader))
        return false;
    const GameOptions options = {.name = name, .size = (int)size};
    GameTree *tree = game_tree_read(text, strlen(text), "text", &options, &request->error);
    if (!tree)
        return false;
    write_tree(&request->out, tree);
    game_tree_free(tree);
    return true;
}

/* Adds the nodes that a list names; *reason says which is wrong. */
static bool add_nodes(GameTree *tree, const cJSON *list, Error *reason) {
    const int count = list ? cJSON_GetArraySize(list) : 0;
    int *place = calloc((size_t)count + 1, sizeof *place); /* a turn may be there already: numbers need not agree */
    bool good = place || error_set(reason, "out of memory");
    int number = 0;
    for (const cJSON *item = list ? list->child : NULL; item && good; item = item->next) {
        const cJSON *parent = cJSON_GetObjectItemCaseSensitive(item, "parent"),
                    *turn = cJSON_GetObjectItemCaseSensitive(item, "turn"),
                    *comment = cJSON_GetObjectItemCaseSensitive(item, "comment");
        const double above = cJSON_IsNumber(parent) ? parent->valuedouble : -1;
        Error why;
        number++;
        if (!cJSON_IsString(turn) || !(above >= 0 && above < number)) {
            good = error_set(reason, "node %d: expected an earlier `parent' and a `turn'", number);
        } else if ((place[number] = game_tree_add(tree, place[(int)above], turn->valuestring, &why)) < 0) {
            good = error_set(reason, "node %d: %s", number, why.text);
        } else if (cJSON_IsString(comment)) {
            good = game_tree_comment(tree, place[number], comment->valuestring, reason);
        }
    }
    free(place);
    return good;
}

static void copy_name(char out[GAME_TREE_NAME_MAX], const char *text) {
    if (text)
        snprintf(out, GAME_TREE_NAME_MAX, "%s", text);
}

/* The tree that a body describes; NULL with what is wrong. */
static GameTree *read_tree(Request *request, char format[16]) {
    GameLine line;
    JsonReader reader = json_open(request->json, "save");
    json_require(&reader, "format");
    json_string(&reader, "format", format, 16);
    game_line_read(&line, &reader, request->analysis, &request->defaults->game, 0);
    const char *black = read_text(&reader, "black"), *white = read_text(&reader, "white");
    const char *date = read_text(&reader, "date"), *result = read_text(&reader, "result");
    const char *comment = read_text(&reader, "comment");
    const cJSON *nodes = json_array(&reader, "nodes");
    GameTree *tree = NULL;
    Error reason;
    if (!reader.failed) {
        tree = game_tree_new(&line.options, line.komi, &reason);
        uint8_t stones[HEXHEX_MAX_CELLS];
        line.game->rules->stones(line.game, &line.states[0], stones);
        const Side first = line.game->rules->to_move(&line.states[0]);
        bool set_up = first != BLACK;
        for (int c = 0; c < line.game->board.cells; c++)
            set_up = set_up || stones[c];
        if (!tree || (set_up && !game_tree_set_up(tree, stones, first, &reason)) || !add_nodes(tree, nodes, &reason) ||
            (comment && !game_tree_comment(tree, 0, comment, &reason)))
            json_fail(&reader, "nodes", &reason);
    }
    game_line_free(&line);
    if (!close_reader(request, &reader)) {
        game_tree_free(tree);
        return NULL;
    }
    copy_name(tree->players[BLACK], black);
    copy_name(tree->players[WHITE], white);
    copy_name(tree->date, date);
    copy_name(tree->result, result);
    return tree;
}

static bool answer_save(Request *request) {
    static char *(*const writers[])(const GameTree *, Error *) = {game_tree_to_sgf, game_tree_to_record,
                                                                  game_tree_to_list};
    static const char *const formats[] = {"sgf", "record", "list"};
    char format[16] = "", *text = NULL;
    GameTree *tree = read_tree(request, format);
    if (!tree)
        return false;
    error_set(&request->error, "'%s', expected sgf, record or list", format);
    snprintf(request->key, sizeof request->key, "format");
    for (int i = 0; i < 3; i++)
        if (!strcmp(format, formats[i]))
            text = writers[i](tree, &request->error);
    game_tree_free(tree);
    if (!text)
        return false;
    json_begin_object(&request->out, NULL);
    json_write_string(&request->out, "text", text);
    json_end_object(&request->out);
    free(text);
    return true;
}

/* ---- POST: analysis ---- */

static bool answer_analysis(Request *request) {
    AnalysisQuery *query =
        query_read(request->json, request->analysis, request->defaults, request->key, &request->error);
    if (!query)
        return false;
    request->stream = web_stream_new(query, request->analysis);
    return request->stream || error_set(&request->error, "out of memory");
}

/* ---- The paths ---- */

typedef struct Route {
    const char *path; /* one that ends in a slash stands for all below it */
    const char *method;
    bool (*answer)(Request *request);
    bool costly;
} Route;

static const Route routes[] = {
    {"/api/setup", "GET", answer_setup, false},        {"/api/board/", "GET", answer_board, false},
    {"/api/position", "POST", answer_position, false}, {"/api/komi", "POST", answer_komi, true},
    {"/api/load", "POST", answer_load, false},         {"/api/save", "POST", answer_save, false},
    {"/api/analysis", "POST", answer_analysis, true},
};
enum { ROUTES = sizeof routes / sizeof routes[0] };

static const Route *find_route(const char *path) {
    for (int i = 0; i < ROUTES; i++) {
        const size_t length = strlen(routes[i].path);
        const bool folder = routes[i].path[length - 1] == '/';
        if (folder ? !strncmp(path, routes[i].path, length) : !strcmp(path, routes[i].path))
            return &routes[i];
    }
    return NULL;
}

bool web_api_has(const char *path) {
    return find_route(path) != NULL;
}

bool web_api_is_costly(const char *path) {
    const Route *route = find_route(path);
    return route && route->costly;
}

/* Runs a route on a request whose body is parsed. */
static WebAnswer run_route(const Route *route, Request *request) {
    char *text = NULL;
    size_t length = 0;
    request->out = (JsonWriter){.out = open_memstream(&text, &length)};
    if (!request->out.out)
        return web_error(500, NULL, "out of memory");
    const bool good = route->answer(request);
    const bool whole = fclose(request->out.out) == 0;
    if (good && whole && !request->stream)
        return text_answer(200, text, length);
    free(text);
    if (good && request->stream)
        return (WebAnswer){.status = 200, .stream = request->stream};
    return web_error(good ? 500 : 400, request->key, good ? "out of memory" : request->error.text);
}

WebAnswer web_api(Analysis *analysis, const QueryDefaults *defaults, const char *method, const char *path,
                  const char *body, size_t length) {
    const Route *route = find_route(path);
    if (!route)
        return web_error(404, NULL, "there is nothing at this path");
    if (strcmp(method, route->method))
        return web_error(405, NULL, !strcmp(route->method, "GET") ? "expected GET" : "expected POST");
    Request request = {.analysis = analysis, .defaults = defaults, .path = path};
    cJSON *json = NULL;
    if (!strcmp(method, "POST")) {
        json = memchr(body, '\0', length) ? NULL : json_parse(body, length, "body", &request.error);
        if (!json)
            return web_error(400, NULL, "the body is not valid JSON, expected an object");
        request.json = json;
    }
    const WebAnswer answer = run_route(route, &request);
    cJSON_Delete(json);
    return answer;
}
