#include "tests/support/web_talk.h"

#include "engine/base/wall_time.h"
#include "selfplay/players/levels.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <time.h>

Analysis *analysis;
QueryDefaults defaults;

int open_engine(void **state) {
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

int close_engine(void **state) {
    (void)state;
    analysis_free(analysis);
    return 0;
}

WebAnswer ask(const char *method, const char *path, const char *body) {
    return web_api(analysis, &defaults, (WebCaller){.client = NULL}, method, path, body, strlen(body));
}

cJSON *told_as(WebCaller caller, int status, const char *method, const char *path, const char *body) {
    const WebAnswer answer = web_api(analysis, &defaults, caller, method, path, body, strlen(body));
    if (answer.status != status || !answer.text)
        fail_msg("%s %s: %d %.*s", path, body, answer.status, (int)answer.length, answer.text ? answer.text : "");
    cJSON *json = cJSON_ParseWithLength(answer.text, answer.length);
    assert_non_null(json);
    free(answer.text);
    return json;
}

cJSON *told(int status, const char *method, const char *path, const char *body) {
    return told_as((WebCaller){.client = NULL}, status, method, path, body);
}

const cJSON *item(const cJSON *json, const char *key) {
    const cJSON *found = json_get(json, key);
    if (!found)
        fail_msg("%s is missing", key);
    return found;
}

const char *text_of(const cJSON *json, const char *key) {
    const cJSON *found = item(json, key);
    return cJSON_IsString(found) ? found->valuestring : "";
}

void see_pending(int least, int most) {
    const double end = wall_seconds() + PATIENCE;
    for (int count; (count = analysis_pending(analysis)) < least || count > most;) {
        if (wall_seconds() > end)
            fail_msg("%d positions wait, expected %d to %d", count, least, most);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

ClientConnection *connect_from(Clients *clients, uint32_t host, int socket) {
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(host)};
    ClientConnection *connection = clients_connect(clients, (const struct sockaddr *)(const void *)&address, socket);
    assert_non_null(connection);
    return connection;
}

int open_all(Client *client, Error *error) {
    int count = 0;
    while (client_open_search(client, false, error))
        count++;
    return count;
}
