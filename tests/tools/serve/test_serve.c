/* The board server: who may talk to it, what the page is told, and what becomes of malformed requests. */
#include "engine/base/wall_time.h"
#include "selfplay/players/levels.h"
#include "tests/support/playout_player.h"
#include "tools/assets/asset.h"
#include "tools/serve/api.h"
#include "tools/serve/clients.h"
#include "tools/serve/guard.h"
#include "tools/serve/server.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Seconds in which a thing must happen. It takes less than 3, while searches end by themselves after 1000, and silent
 * connections after 60. */
enum { PATIENCE = 40 };

static Analysis *analysis;
static QueryDefaults defaults;
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

static int open_engine(void **state) {
    (void)state;
    Error error;
    defaults = (QueryDefaults){
        .game = {.size = 3}, .player = playout_player(), .seed = 1, .seconds_max = 1000, .move_seconds = 1000};
    defaults.player.memory_mb = 1;
    defaults.player.simulations = 20;
    defaults.has_levels = true;
    for (int i = 0; i < LEVELS; i++) {
        assert_true(level_player(i + 1, &defaults.levels[i], &error));
        defaults.levels[i].memory_mb = 1;
    }
    analysis = analysis_new(&(AnalysisOptions){.workers = 12, .at_once = 1, .threads = 1}, &error);
    return analysis ? 0 : -1;
}

static int close_engine(void **state) {
    (void)state;
    analysis_free(analysis);
    return 0;
}

/* ---- Who may talk to it ---- */

static void test_guard(void **state) {
    (void)state;
    static const struct {
        const char *host, *origin;
        bool loopback, open; /* whether it is allowed on loopback, and where the server listens on all addresses */
    } cases[] = {
        {"localhost:8642", NULL, true, true},
        {"127.0.0.1:8642", "http://127.0.0.1:8642", true, true},
        {"127.0.0.1", "http://127.0.0.1", true, true},
        {"127.9.9.9:1", NULL, true, true},
        {"[::1]:8642", "http://[::1]:8642", true, true},
        {"LOCALHOST:8642", "http://localhost:8642", true, true},
        {"192.168.1.5:8642", "http://192.168.1.5:8642", false, true},
        {"host.lan:8642", NULL, false, true},
        {"HOST.lan:8642", NULL, false, true},
        {"[2001:db8::5]:8642", "http://[2001:db8::5]:8642", false, true},
        {"evil.example", NULL, false, false},
        {"127.0.0.1.evil.example", NULL, false, false},
        {"localhost.evil.example:8642", NULL, false, false},
        {"127.0.0.1:8642", "http://evil.example", false, false},
        {"127.0.0.1:8642", "http://127.0.0.1:9999", false, false},
        {"127.0.0.1:8642", "https://127.0.0.1:8642", false, false},
        {"127.0.0.1:8642", "null", false, false},
        {"localhost:8642", "http://127.0.0.1:8642", false, false},
        {"", NULL, false, false},
        {":8642", NULL, false, false},
        {"[::1", NULL, false, false},
        {"[::1]x", NULL, false, false},
        {"localhost:80:80", NULL, false, false},
        {"localhost@evil.example", NULL, false, false},
        {NULL, NULL, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool loopback = web_guard_allows(cases[i].host, cases[i].origin, "127.0.0.1", false);
        const bool open = web_guard_allows(cases[i].host, cases[i].origin, "host.lan", true);
        if (loopback != cases[i].loopback || open != cases[i].open)
            fail_msg("Host %s, Origin %s: %d %d", cases[i].host, cases[i].origin, loopback, open);
    }
}

static void test_requests_of_other_sites(void **state) {
    (void)state;
    assert_false(web_guard_is_foreign(NULL, NULL));
    assert_false(web_guard_is_foreign("same-origin", "cors"));
    assert_false(web_guard_is_foreign("none", "navigate"));
    assert_false(web_guard_is_foreign("cross-site", "navigate"));
    assert_true(web_guard_is_foreign("cross-site", "no-cors"));
    assert_true(web_guard_is_foreign("same-site", "no-cors"));
    assert_true(web_guard_is_foreign("cross-site", NULL));
}

static void test_media_types(void **state) {
    (void)state;
    static const char *const good[] = {"application/json", "Application/JSON", "application/json; charset=utf-8",
                                       "application/json ;charset=utf-8"};
    static const char *const wrong[] = {"",
                                        "text/plain",
                                        "application/jsonx",
                                        "application/json-seq",
                                        "application/jso",
                                        "application/x-www-form-urlencoded, application/json"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(web_guard_is_json(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(web_guard_is_json(wrong[i]));
    assert_false(web_guard_is_json(NULL));
}

static void test_token(void **state) {
    (void)state;
    Error error;
    char one[WEB_TOKEN_LENGTH + 1], two[WEB_TOKEN_LENGTH + 1];
    assert_true(web_guard_new_token(one, &error) && web_guard_new_token(two, &error));
    assert_true(web_guard_is_token(one) && web_guard_is_token(two));
    assert_false(web_guard_is_token("") || web_guard_is_token(one + 1));
    assert_false(web_guard_is_token("0123456789abcdef0123456789abcdeF"));
    assert_string_not_equal(one, two);
    assert_string_equal(web_guard_path("/a", ""), "/a");
    assert_string_equal(web_guard_path("/secret/", "secret"), "/");
    assert_string_equal(web_guard_path("/secret/api/setup", "secret"), "/api/setup");
    static const char *const wrong[] = {"", "/", "/secret", "/secre/", "/secrets/", "/Secret/", "secret/", "//secret/"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(web_guard_path(wrong[i], "secret"));
}

/* ---- What each client may do ---- */

static struct sockaddr_in address_of(uint32_t host) {
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(host)};
}

static ClientConnection *connect_from(Clients *clients, uint32_t host, int socket) {
    const struct sockaddr_in address = address_of(host);
    ClientConnection *connection = clients_connect(clients, (const struct sockaddr *)(const void *)&address, socket);
    assert_non_null(connection);
    return connection;
}

/* Opens as many analyses as a client may have. */
static int open_all(Client *client, Error *error) {
    int count = 0;
    while (client_open_search(client, false, error))
        count++;
    return count;
}

/* Analyses are limited for each client and for all together, moves only for each. Who comes later finds a place, too,
 * however many the others take. */
static void test_open_searches(void **state) {
    (void)state;
    enum { CLIENTS = 7 };
    Error error;
    Clients *clients = clients_new();
    ClientConnection *connections[CLIENTS];
    int all = 0;
    for (uint32_t i = 0; i < CLIENTS; i++)
        connections[i] = connect_from(clients, 1 + i, -1);
    Client *first = clients_owner(connections[0]), *last = clients_owner(connections[CLIENTS - 1]);
    for (int i = 0; i < CLIENTS - 1; i++) {
        const int count = open_all(clients_owner(connections[i]), &error);
        assert_in_range(count, i == 0 ? CLIENT_ANALYSES_MAX : 1, CLIENT_ANALYSES_MAX);
        if ((all += count) < ANALYSES_MAX)
            assert_non_null(strstr(error.text, "of yours"));
    }
    assert_int_equal(all, ANALYSES_MAX);
    assert_int_equal(open_all(last, &error), 0);
    assert_non_null(strstr(error.text, "on this server"));
    assert_true(client_open_search(last, true, &error)); /* a move */
    client_close_search(last, true);
    client_close_search(first, false);
    assert_false(client_open_search(first, false, &error)); /* for those who have fewer */
    assert_int_equal(open_all(last, &error), 1);
    for (int i = 0; i < CLIENTS; i++)
        clients_disconnect(clients, connections[i]);
    clients_free(clients);
}

/* Who has all analyses that a client may have still gets moves, and then no search of any kind. */
static void test_own_searches(void **state) {
    (void)state;
    Error error;
    Clients *clients = clients_new();
    ClientConnection *connection = connect_from(clients, 1, -1);
    Client *client = clients_owner(connection);
    assert_int_equal(open_all(client, &error), 8);
    assert_non_null(strstr(error.text, "8 analyses of yours"));
    for (int i = 0; i < 2; i++)
        assert_true(client_open_search(client, true, &error));
    assert_false(client_open_search(client, true, &error));
    assert_non_null(strstr(error.text, "10 searches of yours"));
    clients_disconnect(clients, connection);
    clients_free(clients);
}

static void test_client_rates(void **state) {
    (void)state;
    Clients *clients = clients_new();
    ClientConnection *first = connect_from(clients, 1, -1), *other = connect_from(clients, 2, -1);
    int searches = 0;
    while (client_may_ask(clients_owner(first), true, 100))
        searches++;
    assert_int_equal(searches, 200);
    assert_true(client_may_ask(clients_owner(first), false, 100));
    assert_true(client_may_ask(clients_owner(other), true, 100));
    clients_disconnect(clients, first);
    first = connect_from(clients, 1, -1); /* to come back makes nothing new */
    assert_false(client_may_ask(clients_owner(first), true, 100));
    clients_disconnect(clients, first);
    clients_disconnect(clients, other);
    clients_free(clients);
}

static void test_request_rate(void **state) {
    (void)state;
    Clients *clients = clients_new();
    ClientConnection *first = connect_from(clients, 1, -1), *other = connect_from(clients, 2, -1);
    int requests = 0;
    while (requests < 20000 && client_may_ask(clients_owner(first), false, 100))
        requests++;
    assert_int_equal(requests, 10000);
    assert_true(client_may_ask(clients_owner(other), false, 100));
    clients_disconnect(clients, first);
    clients_disconnect(clients, other);
    clients_free(clients);
}

/* Asks for searches until the client may not. */
static int use_up(Client *client) {
    int searches = 0;
    while (searches < 1000 && client_may_ask(client, true, 100))
        searches++;
    return searches;
}

/* Where many clients have come and gone, the one that has been away for the longest time is forgotten, and what it has
 * used up, too; but none that has something open. */
static void test_clients_are_forgotten(void **state) {
    (void)state;
    enum { MANY = 300, LAST = 10 + MANY - 1 };
    Error error;
    Clients *clients = clients_new();
    ClientConnection *busy = connect_from(clients, 1, -1), *away = connect_from(clients, 2, -1);
    Client *owner = clients_owner(busy);
    assert_true(client_open_search(owner, false, &error));
    assert_int_equal(use_up(owner), 200);
    assert_int_equal(use_up(clients_owner(away)), 200);
    clients_disconnect(clients, busy);
    clients_disconnect(clients, away);
    for (uint32_t host = 10; host <= LAST; host++) {
        ClientConnection *passing = connect_from(clients, host, -1);
        assert_int_equal(use_up(clients_owner(passing)), 200);
        clients_disconnect(clients, passing);
    }
    static const int left[][2] = {{1, 0}, {LAST, 0}, {2, 200}}; /* host, searches that it may ask for */
    for (int i = 0; i < 3; i++) {
        ClientConnection *again = connect_from(clients, (uint32_t)left[i][0], -1);
        assert_true(i > 0 || clients_owner(again) == owner);
        assert_int_equal(use_up(clients_owner(again)), left[i][1]);
        clients_disconnect(clients, again);
    }
    client_close_search(owner, false);
    clients_free(clients);
}

/* Of IPv6, the first half of the address. */
static void test_households(void **state) {
    (void)state;
    static const char *const addresses[] = {"2001:db8::1", "2001:db8::ffff:0:0:2", "2001:db8:0:1::1"};
    Clients *clients = clients_new();
    ClientConnection *connections[3];
    for (int i = 0; i < 3; i++) {
        struct sockaddr_in6 address = {.sin6_family = AF_INET6};
        assert_int_equal(inet_pton(AF_INET6, addresses[i], &address.sin6_addr), 1);
        connections[i] = clients_connect(clients, (const struct sockaddr *)(const void *)&address, -1);
        assert_non_null(connections[i]);
    }
    assert_ptr_equal(clients_owner(connections[0]), clients_owner(connections[1]));
    assert_ptr_not_equal(clients_owner(connections[0]), clients_owner(connections[2]));
    for (int i = 0; i < 3; i++)
        clients_disconnect(clients, connections[i]);
    clients_free(clients);
}

static bool is_shut(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_DONTWAIT) == 0;
}

/* Where all places are taken, the client with the most connections gives one up, the one that is silent for the longest
 * time and has no answer in the making. What is shut has given up its place, and gives up no other one. */
static void test_places(void **state) {
    (void)state;
    enum { QUIET = 2, ALL = CONNECTIONS_MAX + 3 };
    Clients *clients = clients_new();
    ClientConnection *connections[ALL];
    int pairs[ALL][2];
    for (int i = 0; i < ALL; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
        if (i == CONNECTIONS_MAX)
            clients_set_answering(clients, connections[QUIET], true);
        else if (i == CONNECTIONS_MAX + 1)
            clients_set_answering(clients, connections[QUIET + 2], false); /* it has answered just now */
        else if (i == CONNECTIONS_MAX + 2)
            clients_disconnect(clients, connections[QUIET + 1]);
        connections[i] = connect_from(clients, i < QUIET ? 1 : i >= CONNECTIONS_MAX ? 3 : 2, pairs[i][0]);
    }
    for (int i = 0; i < ALL; i++)
        assert_int_equal(is_shut(pairs[i][1]), i == QUIET + 1 || i == QUIET + 3 || i == QUIET + 4);
    for (int i = 0; i < ALL; i++) {
        if (i != QUIET + 1)
            clients_disconnect(clients, connections[i]);
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
    clients_free(clients);
}

static void test_rate_limit(void **state) {
    (void)state;
    RateLimit limit;
    rate_limit_init(&limit, 2, 3);
    for (int i = 0; i < 3; i++)
        assert_true(rate_limit_take(&limit, 100));
    assert_false(rate_limit_take(&limit, 100));
    assert_true(rate_limit_take(&limit, 100.5));
    assert_false(rate_limit_take(&limit, 100.6));
    for (int i = 0; i < 3; i++) /* a long pause fills it, but no further than its size */
        assert_true(rate_limit_take(&limit, 1000));
    assert_false(rate_limit_take(&limit, 1000));
}

/* ---- The API ---- */

static WebAnswer ask(const char *method, const char *path, const char *body) {
    return web_api(analysis, &defaults, (WebCaller){.client = NULL}, method, path, body, strlen(body));
}

/* The JSON of an answer with this status. */
static cJSON *told(int status, const char *method, const char *path, const char *body) {
    const WebAnswer answer = ask(method, path, body);
    if (answer.status != status || !answer.text)
        fail_msg("%s %s: %d %.*s", path, body, answer.status, (int)answer.length, answer.text ? answer.text : "");
    cJSON *json = cJSON_ParseWithLength(answer.text, answer.length);
    assert_non_null(json);
    free(answer.text);
    return json;
}

static const cJSON *item(const cJSON *json, const char *key) {
    const cJSON *found = json_get(json, key);
    if (!found)
        fail_msg("%s is missing", key);
    return found;
}

static const char *text_of(const cJSON *json, const char *key) {
    const cJSON *found = item(json, key);
    return cJSON_IsString(found) ? found->valuestring : "";
}

/* The server and the page without one have the same defaults. */
static void test_defaults(void **state) {
    (void)state;
    Error error;
    Player player = playout_player();
    player.memory_mb = 7;
    QueryDefaults usual;
    assert_true(web_defaults(&player, 5, &usual, &error));
    assert_true(usual.has_levels && usual.seed == 5 && usual.game.size == 8);
    assert_true(usual.seconds_max == 86400 && usual.move_seconds == 60);
    assert_int_equal(usual.player.memory_mb, 7);
    for (int i = 0; i < LEVELS; i++) {
        Player level;
        assert_true(level_player(i + 1, &level, &error));
        assert_int_equal(usual.levels[i].memory_mb, 7);
        assert_true(usual.levels[i].simulations == level.simulations);
    }
}

static void test_setup(void **state) {
    (void)state;
    cJSON *setup = told(200, "GET", "/api/setup", "");
    assert_string_equal(text_of(item(setup, "games")->child, "name"), "stigmergy");
    assert_int_equal(item(item(setup, "games")->child, "usualSize")->valueint, 8);
    static const char *const variants[][2] = {{"", ""}, {"", "off"}, {"capture", "on"}}; /* of each game */
    for (int i = 0; i < 3; i++) {
        const cJSON *game = cJSON_GetArrayItem(item(setup, "games"), i);
        assert_int_equal(cJSON_IsTrue(item(game, "hasCapture")), *variants[i][0] != '\0');
        assert_string_equal(text_of(game, "pie"), variants[i][1]);
    }
    assert_int_equal(cJSON_GetArraySize(item(setup, "levels")), LEVELS);
    const cJSON *third = cJSON_GetArrayItem(item(setup, "levels"), 2);
    assert_int_equal(item(third, "level")->valueint, 3);
    assert_string_equal(item(third, "name")->valuestring, level_name(3));
    assert_int_equal(item(third, "elo")->valueint, level_elo(3));
    assert_string_equal(item(third, "title")->valuestring, "Stigmergy (casual)");
    cJSON_Delete(setup);
    cJSON *board = told(200, "GET", "/api/board/3", "");
    assert_int_equal(cJSON_GetArraySize(item(board, "cells")), 19);
    assert_string_equal(text_of(item(board, "cells")->child, "name"), "e1");
    cJSON_Delete(board);
}

/* A side controls a cell exactly where the cell sees as many of its stones as it needs. */
static void compare_sight(const cJSON *position) {
    const char *stones = text_of(position, "stones"), *control = text_of(position, "control");
    const cJSON *sight, *seen;
    int cell = 0;
    cJSON_ArrayForEach(sight, item(position, "sight")) {
        int count[2] = {0, 0};
        cJSON_ArrayForEach(seen, item(sight, "seen")) count[stones[seen->valueint] == 'W']++;
        const int needed = item(sight, "needed")->valueint;
        assert_int_equal(control[cell++], count[0] >= needed ? 'B' : count[1] >= needed ? 'W' : '.');
    }
}

/* What the page is told of a position is what the engine says, in positions of random games. */
static void compare_position(const GameLine *line, const cJSON *told_position) {
    const Game *game = line->game;
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS];
    game->rules->stones(game, &line->end, stones);
    for (int c = 0; c < game->board.cells; c++)
        assert_int_equal(text_of(told_position, "stones")[c], ".BW"[stones[c]]);
    if (game->rules->control) {
        game->rules->control(game, &line->end, control);
        for (int c = 0; c < game->board.cells; c++)
            assert_int_equal(text_of(told_position, "control")[c], ".BW"[control[c]]);
    }
    if (game->rules->sight)
        compare_sight(told_position);
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->over(&line->end) ? 0 : game->rules->legal(game, &line->end, legal);
    assert_int_equal(cJSON_GetArraySize(item(told_position, "legal")), count);
    int cells = 0, i = 0;
    const cJSON *action;
    cJSON_ArrayForEach(action, item(told_position, "legal")) {
        char text[GAME_TEXT_MAX];
        game->rules->format(game, &line->end, legal[i++], text);
        assert_string_equal(text_of(action, "action"), text);
        cells += cJSON_IsNumber(item(action, "cell"));
    }
    if (!game->rules->over(&line->end))
        assert_int_equal(cells + cJSON_GetArraySize(item(told_position, "forbidden")), game->board.cells);
    assert_int_equal(cJSON_IsTrue(item(told_position, "over")), game->rules->over(&line->end));
}

/* Plays a game by the legal actions that the page is told, as the page does: action by action, turn by turn. */
static void play_as_the_page(const char *name, int size, int komi) {
    cJSON *request = cJSON_CreateObject(), *position = NULL;
    cJSON_AddStringToObject(request, "game", name);
    cJSON_AddNumberToObject(request, "size", size);
    cJSON_AddNumberToObject(request, "komi", komi);
    cJSON *moves = cJSON_AddArrayToObject(request, "moves"), *partial = cJSON_AddArrayToObject(request, "partialTurn");
    for (int step = 0; step < 2000; step++) {
        char *body = cJSON_PrintUnformatted(request);
        cJSON_Delete(position);
        position = told(200, "POST", "/api/position", body);
        GameLine line;
        JsonReader reader = json_open(request, "test");
        assert_true(game_line_read(&line, &reader, analysis, &defaults.game, 0));
        compare_position(&line, position);
        game_line_free(&line);
        free(body);
        const cJSON *completed = item(position, "completed"), *legal = item(position, "legal");
        if (cJSON_IsString(completed)) { /* the actions so far are a turn */
            cJSON_AddItemToArray(moves, cJSON_CreateString(completed->valuestring));
            cJSON_ReplaceItemInObjectCaseSensitive(request, "partialTurn", partial = cJSON_CreateArray());
            continue;
        }
        if (cJSON_IsTrue(item(position, "over")))
            break;
        const int count = cJSON_GetArraySize(legal);
        const cJSON *action = cJSON_GetArrayItem(legal, (step * 7 + 3) % count);
        cJSON_AddItemToArray(partial, cJSON_CreateString(text_of(action, "action")));
    }
    assert_true(cJSON_IsTrue(item(position, "over")));
    assert_int_equal(strlen(text_of(item(position, "score"), "winner")), 1);
    cJSON_Delete(position);
    cJSON_Delete(request);
}

static void test_positions(void **state) {
    (void)state;
    play_as_the_page("stigmergy", 3, 0);
    play_as_the_page("stigmergy", 4, 3);
    play_as_the_page("bug", 3, 0);
    play_as_the_page("sgolte", 3, 0);
}

static void test_sight(void **state) {
    (void)state;
    cJSON *position =
        told(200, "POST", "/api/position",
             "{\"size\": 3, \"komi\": 1, \"moves\": [\"take-button\"], \"initialStones\": [[\"B\", \"c1\"], "
             "[\"B\", \"c5\"], [\"B\", \"a1\"], [\"B\", \"e3\"], [\"W\", \"c3\"]]}");
    const cJSON *centre = cJSON_GetArrayItem(item(position, "sight"), 9);
    assert_int_equal(item(centre, "needed")->valueint, 4);
    static const int seen[] = {2, 7, 11, 16}; /* e3, c1, c5, a1 */
    assert_int_equal(cJSON_GetArraySize(item(centre, "seen")), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(cJSON_GetArrayItem(item(centre, "seen"), i)->valueint, seen[i]);
    assert_int_equal(text_of(position, "control")[9], 'B');
    assert_string_equal(text_of(position, "button"), "B");
    assert_string_equal(text_of(position, "toMove"), "W");
    assert_non_null(strstr(text_of(item(position, "forbidden"), "9"), "White has a stone there already"));
    cJSON_Delete(position);
    position = told(200, "POST", "/api/position",
                    "{\"size\": 3, \"initialStones\": [[\"B\", \"c1\"], [\"B\", \"c5\"], [\"B\", \"a1\"], [\"B\", "
                    "\"e3\"], [\"W\", \"c3\"]], \"partialTurn\": [\"c3x\"]}");
    assert_string_equal(text_of(position, "completed"), "c3x");
    assert_int_equal(item(position, "changed")->child->valueint, 9);
    cJSON_Delete(position);
}

static void test_komi(void **state) {
    (void)state;
    cJSON *named = told(200, "POST", "/api/komi", "{\"size\": 2, \"level\": 1}");
    const int komi = item(named, "komi")->valueint;
    assert_true(komi >= -7 && komi <= 7);
    cJSON_Delete(named);
    static const int offers[] = {-5, 7};
    for (int i = 0; i < 2; i++) { /* the side that such a komi favours */
        char body[80];
        snprintf(body, sizeof body, "{\"size\": 2, \"level\": 2, \"komi\": %d}", offers[i]);
        cJSON *chosen = told(200, "POST", "/api/komi", body);
        assert_string_equal(text_of(chosen, "side"), offers[i] < 0 ? "B" : "W");
        cJSON_Delete(chosen);
    }
    cJSON_Delete(told(400, "POST", "/api/komi", "{\"game\": \"bug\", \"size\": 3}"));
    cJSON_Delete(told(400, "POST", "/api/komi", "{\"size\": 2, \"level\": 9}"));
}

/* What a path has no use for is no part of its question: the answer would be one to another. */
static void test_needless_fields(void **state) {
    (void)state;
    static const struct {
        const char *path, *body, *field, *part;
    } cases[] = {
        {"/api/komi", "{\"size\": 2, \"moves\": [\"a1\"]}", "moves", "unknown"},
        {"/api/komi", "{\"size\": 2, \"initialStones\": [[\"B\", \"a1\"]]}", "initialStones", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"size\": 3, \"moves\": [\"a1\", \"b1\"]}", "moves", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"size\": 3, \"partialTurn\": [\"a1\"]}", "partialTurn", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"root\": {\"winrate\": 2}}", "root", "0 to 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *error = told(400, "POST", cases[i].path, cases[i].body);
        if (strcmp(text_of(error, "field"), cases[i].field) || !strstr(text_of(error, "error"), cases[i].part))
            fail_msg("%s: %s (%s)", cases[i].body, text_of(error, "error"), text_of(error, "field"));
        cJSON_Delete(error);
    }
}

/* A node has the keys that it may have, of the right types; the error says which node is wrong. */
static void test_wrong_nodes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"\"parent\": 0.5, \"turn\": \"a1\"", "'parent'"},
        {"\"parent\": 2, \"turn\": \"a1\"", "'parent'"},
        {"\"parent\": 1", "'turn'"},
        {"\"parent\": 1, \"turn\": 5", "'turn'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"foo\": 1", "'foo'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"winrate\": \"x\"", "'winrate'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"scoreLead\": 1e9", "'scoreLead'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"comment\": 5", "'comment'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"timeLeft\": -1", "'timeLeft'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"periodsLeft\": 0.5", "'periodsLeft'"},
        {"\"parent\": 1, \"turn\": \"c3\"", "c3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char body[240];
        snprintf(body, sizeof body,
                 "{\"format\": \"sgf\", \"size\": 3, \"nodes\": [{\"parent\": 0, \"turn\": \"c3\"}, {%s}]}",
                 wrong[i][0]);
        cJSON *error = told(400, "POST", "/api/save", body);
        const char *text = text_of(error, "error");
        if (strcmp(text_of(error, "field"), "nodes") || !strstr(text, "node 2") || !strstr(text, wrong[i][1]))
            fail_msg("%s: %s", body, text);
        cJSON_Delete(error);
    }
}

static void test_load_and_save(void **state) {
    (void)state;
    cJSON *tree = told(
        200, "POST", "/api/load",
        "{\"text\": \"(;SZ[3]KM[1]PB[Ann]TM[60]OT[3x5 "
        "byo-yomi]SBKV[52.00];B[c3]BL[4.5]OB[2]SBKV[55.00]V[-1.5];W[take-button]WL[50](;)(;B[a1]C[x])(;B[a2]))\"}");
    assert_int_equal(cJSON_GetArraySize(item(tree, "nodes")), 4);
    assert_string_equal(text_of(tree, "black"), "Ann");
    static const char *const formats[] = {"sgf", "list"};
    for (int i = 0; i < 2; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(tree, "format");
        cJSON_AddStringToObject(tree, "format", formats[i]);
        char *body = cJSON_PrintUnformatted(tree);
        cJSON *saved = told(200, "POST", "/api/save", body), *again = cJSON_CreateObject();
        cJSON_AddStringToObject(again, "text", text_of(saved, "text"));
        cJSON_AddNumberToObject(again, "size", 3);
        char *reload = cJSON_PrintUnformatted(again);
        cJSON *loaded = told(200, "POST", "/api/load", reload);
        assert_int_equal(item(loaded, "komi")->valueint, 1);
        const cJSON *clock = json_get(loaded, "clock"); /* a list of moves has none */
        assert_true(i ? !clock
                      : item(clock, "main")->valueint == 60 && item(clock, "byoyomi")->valueint == 5 &&
                            item(clock, "periods")->valueint == 3);
        const cJSON *first = item(loaded, "nodes")->child;
        assert_true(
            i ? !cJSON_HasObjectItem(first, "timeLeft")
              : item(first, "timeLeft")->valuedouble == 4.5 && item(first, "periodsLeft")->valueint == 2 &&
                    item(first->next, "timeLeft")->valueint == 50 && !cJSON_HasObjectItem(first->next, "periodsLeft") &&
                    item(item(loaded, "root"), "winrate")->valuedouble == 0.52 &&
                    item(first, "winrate")->valuedouble == 0.55 && item(first, "scoreLead")->valuedouble == -1.5);
        assert_int_equal(cJSON_GetArraySize(item(loaded, "nodes")), i ? 2 : 4);
        assert_true(i || (cJSON_IsTrue(item(first->next, "ends")) && !cJSON_HasObjectItem(first, "ends")));
        cJSON_Delete(loaded);
        cJSON_Delete(again);
        cJSON_Delete(saved);
        free(reload);
        free(body);
    }
    cJSON_Delete(tree);
    cJSON *error = told(400, "POST", "/api/save", "{\"format\": \"record\", \"size\": 3, \"nodes\": []}");
    assert_non_null(strstr(text_of(error, "error"), "not over"));
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save", "{\"format\": \"sgf\", \"nodes\": [{\"parent\": 1, \"turn\": \"c3\"}]}");
    assert_string_equal(text_of(error, "field"), "nodes");
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save", "{\"format\": \"sgf\", \"nodes\": [], \"clock\": {\"main\": -1}}");
    assert_string_equal(text_of(error, "field"), "clock");
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save",
                 "{\"format\": \"sgf\", \"nodes\": [], \"clock\": {\"byoyomi\": 1, \"increment\": 1}}");
    assert_non_null(strstr(text_of(error, "error"), "byoyomi or increment, not both"));
    cJSON_Delete(error);
}

/* The games of a text are loaded one at a time, and each can be saved again as it came. */
static void test_load_several(void **state) {
    (void)state;
    for (int number = 1; number <= 2; number++) {
        char body[160];
        snprintf(body, sizeof body, "{\"text\": \"(;SZ[3];B[c3])(;SZ[4];B[d4])\", \"number\": %d}", number);
        cJSON *tree = told(200, "POST", "/api/load", body);
        assert_int_equal(item(tree, "games")->valueint, 2);
        assert_int_equal(item(tree, "size")->valueint, number + 2);
        cJSON_AddStringToObject(tree, "format", "sgf");
        char *again = cJSON_PrintUnformatted(tree);
        cJSON_Delete(told(200, "POST", "/api/save", again));
        free(again);
        cJSON_Delete(tree);
    }
    cJSON *error = told(400, "POST", "/api/load", "{\"text\": \"(;SZ[3])\", \"number\": 2}");
    assert_string_equal(text_of(error, "field"), "number");
    cJSON_Delete(error);
}

/* A game is saved with its variant and loaded as that, in the formats that can say it. */
static void test_save_variants(void **state) {
    (void)state;
    static const char *const formats[] = {"sgf", "record"};
    for (int i = 0; i < 2; i++) {
        char body[160];
        snprintf(body, sizeof body,
                 "{\"format\": \"%s\", \"game\": \"bug\", \"size\": 2, \"pie\": \"on\", \"result\": \"B+R\","
                 " \"nodes\": [{\"parent\": 0, \"turn\": \"c1\"}, {\"parent\": 1, \"turn\": \"swap\"}]}",
                 formats[i]);
        cJSON *saved = told(200, "POST", "/api/save", body);
        char *reload = cJSON_PrintUnformatted(saved);
        cJSON *loaded = told(200, "POST", "/api/load", reload);
        assert_string_equal(text_of(loaded, "pie"), "on");
        assert_int_equal(cJSON_GetArraySize(item(loaded, "nodes")), 2);
        cJSON_Delete(loaded);
        cJSON_Delete(saved);
        free(reload);
    }
}

static void test_bad_requests(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *method, *path, *body;
    } cases[] = {
        {404, "GET", "/api/nothing", ""},
        {405, "HEAD", "/api/position", ""},
        {404, "HEAD", "/api/nothing", ""},
        {404, "GET", "/api", ""},
        {404, "POST", "/etc/passwd", "{}"},
        {405, "POST", "/api/setup", "{}"},
        {405, "GET", "/api/position", ""},
        {405, "PUT", "/api/load", "{}"},
        {400, "GET", "/api/board/11", ""},
        {400, "GET", "/api/board/", ""},
        {400, "GET", "/api/board/3x", ""},
        {404, "GET", "/api/board/../3/", ""},
        {404, "GET", "/api/board/foo/3", ""},
        {404, "GET", "/api/setup/", ""},
        {400, "POST", "/api/position", ""},
        {400, "POST", "/api/position", "[]"},
        {400, "POST", "/api/position", "{\"moves\": [\"zz\"]}"},
        {400, "POST", "/api/position", "{\"unknown\": 1}"},
        {400, "POST", "/api/load", "{}"},
        {400, "POST", "/api/load", "{\"text\": 5}"},
        {400, "POST", "/api/load", "{\"text\": \"(;SZ[99])\"}"},
        {400, "POST", "/api/save", "{\"format\": \"png\"}"},
        {400, "POST", "/api/save", "{}"},
        {400, "POST", "/api/analysis", "{}"},
        {400, "POST", "/api/analysis", "{\"id\": \"a\", \"level\": 99}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *answer = told(cases[i].status, cases[i].method, cases[i].path, cases[i].body);
        assert_true(strlen(text_of(answer, "error")) > 0);
        cJSON_Delete(answer);
    }
    cJSON *answer = told(400, "POST", "/api/position", "{\"\xff\": 1}");
    assert_non_null(strstr(text_of(answer, "error"), "not UTF-8"));
    cJSON_Delete(answer);
}

/* ---- Streams ---- */

/* Waits until at least, or at most, this number of positions are searched or wait for it. */
static void see_pending(int least, int most) {
    const double end = wall_seconds() + PATIENCE;
    for (int count; (count = analysis_pending(analysis)) < least || count > most;) {
        if (wall_seconds() > end)
            fail_msg("%d positions wait, expected %d to %d", count, least, most);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

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

/* ---- The server ---- */

/* A connection to the server at this address. */
static int dial(const char *address) {
    int port = 0;
    assert_int_equal(sscanf(address, "http://%*[0-9.]:%d/", &port), 1);
    const struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int line = socket(AF_INET, SOCK_STREAM, 0), little = 4096;
    const struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(line, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(line, (const struct sockaddr *)(const void *)&place, sizeof place), 0);
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

/* Who goes on to the next position stops his own search under the same name, and nobody else's. */
static void test_same_name(void **state) {
    (void)state;
    static const char body[] = "{\"id\": \"look\", \"size\": 7, \"maxTime\": 1000, \"keepTree\": true, "
                               "\"reportDuringSearchEvery\": 0.01}";
    Clients *clients = clients_new();
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

/* A search that cannot be made for lack of memory is no mistake of the client's, once his query has been read. */
static void test_search_without_memory(void **state) {
    (void)state;
    Clients *clients = clients_new();
    Searches *searches = searches_new(600);
    ClientConnection *who = connect_from(clients, 1, -1);
    int status = 0, refused = 0;
    for (int call = 1; status != 200; call++) {
        calloc_fails = call;
        const WebAnswer answer = ask_as(searches, who, "POST", "/api/search", "{\"id\": \"a\", \"maxSims\": 5}");
        status = answer.status;
        assert_true(status == 200 || strstr(answer.text, "memory"));
        refused += status == 503;
        free(answer.text);
    }
    calloc_fails = 0;
    assert_int_equal(refused, 2); /* for its answers, and for its name */
    searches_free(searches);
    clients_disconnect(clients, who);
    clients_free(clients);
    see_pending(0, 0);
}

/* Answers that are asked for come piece by piece, to the client who started the search and to no other. */
static void test_search_by_name(void **state) {
    (void)state;
    Clients *clients = clients_new();
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
    Clients *clients = clients_new();
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
    Clients *clients = clients_new();
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
    Clients *clients = clients_new();
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

static void test_large_body(void **state) {
    (void)state;
    Error error;
    WebServer *server = web_server_new(&(WebServerOptions){.port = 0}, analysis, &defaults, &error);
    enum { LARGE = 1 << 20 };
    static const char head[] = "POST /api/load HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               "Content-Length: 1048576\r\nConnection: close\r\n\r\n";
    char *request = malloc(sizeof head - 1 + LARGE), answer[1 << 12];
    memcpy(request, head, sizeof head - 1);
    memset(request + sizeof head - 1, ' ', LARGE);
    talk(web_server_address(server), request, sizeof head - 1 + LARGE, answer, sizeof answer);
    assert_int_equal(strncmp(answer, "HTTP/1.1 413", 12), 0);
    free(request);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_requests_of_other_sites),
        cmocka_unit_test(test_media_types),
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_rate_limit),
        cmocka_unit_test(test_search_by_name),
        cmocka_unit_test(test_two_ask),
        cmocka_unit_test(test_lost_answers),
        cmocka_unit_test(test_search_without_memory),
        cmocka_unit_test(test_search_forgotten),
        cmocka_unit_test(test_open_searches),
        cmocka_unit_test(test_own_searches),
        cmocka_unit_test(test_client_rates),
        cmocka_unit_test(test_request_rate),
        cmocka_unit_test(test_clients_are_forgotten),
        cmocka_unit_test(test_households),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_setup),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_sight),
        cmocka_unit_test(test_komi),
        cmocka_unit_test(test_load_and_save),
        cmocka_unit_test(test_load_several),
        cmocka_unit_test(test_save_variants),
        cmocka_unit_test(test_needless_fields),
        cmocka_unit_test(test_wrong_nodes),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_abandoned_stream),
        cmocka_unit_test(test_move_goes_first),
        cmocka_unit_test(test_server),
        cmocka_unit_test(test_large_body),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_same_name),
        cmocka_unit_test(test_search_limit),
        cmocka_unit_test(test_secret_address),
        cmocka_unit_test(test_too_many_searches),
        cmocka_unit_test(test_bind),
        cmocka_unit_test(test_assets),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
