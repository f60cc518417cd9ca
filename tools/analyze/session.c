/* See session.h. */
#include "tools/analyze/session.h"

#include "engine/base/list.h"
#include "selfplay/io/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LINE_LIMIT = 1 << 22, /* bytes of a line: a query has a game and some numbers */
    TERMINATE_TURNS_MAX = 4096
};

struct AnalyzeSession {
    Analysis *analysis;
    const QueryDefaults *defaults;
    pthread_mutex_t lock; /* of the output, and of `waiting` */
    pthread_cond_t done;  /* with a query */
    FILE *out;
    bool broken;                   /* `out` could not be written */
    int broken_pipe[2];            /* its second end is closed then; see analyze_session_broken */
    size_t waiting, waiting_limit; /* bytes of the queries that are not answered yet */
    char *line;
    size_t length, capacity;
    bool too_long;
};

/* ---- Output ---- */

static void put_line(AnalyzeSession *session, const char *text, size_t length) {
    pthread_mutex_lock(&session->lock);
    if (!session->broken && (fwrite(text, 1, length, session->out) < length || fputc('\n', session->out) == EOF ||
                             fflush(session->out) != 0)) {
        session->broken = true;
        close(session->broken_pipe[1]);
    }
    pthread_mutex_unlock(&session->lock);
}

static bool is_broken(AnalyzeSession *session) {
    pthread_mutex_lock(&session->lock);
    const bool broken = session->broken;
    pthread_mutex_unlock(&session->lock);
    return broken;
}

/* A query that is not answered yet. */
typedef struct WaitingQuery {
    AnalyzeSession *session;
    size_t bytes;
} WaitingQuery;

static void take_answer(void *user, QueryOutput kind, const char *answer, size_t length) {
    WaitingQuery *waiting = user;
    AnalyzeSession *session = waiting->session;
    if (kind != QUERY_END)
        put_line(session, answer, length);
    if (is_broken(session)) /* the reader is gone */
        analysis_stop(session->analysis, NULL, NULL);
    if (kind != QUERY_END)
        return;
    pthread_mutex_lock(&session->lock);
    session->waiting -= waiting->bytes;
    pthread_cond_signal(&session->done);
    pthread_mutex_unlock(&session->lock);
    free(waiting);
}

/* Answers with an object, which it deletes. */
static void put_json(AnalyzeSession *session, cJSON *json) {
    char *text = json_print(json);
    const char *line = text ? text : query_no_memory;
    put_line(session, line, strlen(line));
    free(text);
}

/* Answers a line that cannot be used; `json` is the line, NULL if it is not JSON. An id that is wrong is not used. */
static void refuse_line(AnalyzeSession *session, const cJSON *json, const char *key, const char *reason) {
    const cJSON *id = json_get(json, "id");
    cJSON *out = cJSON_CreateObject();
    if (cJSON_IsString(id) && strcmp(key, "id") != 0)
        json_add_text(out, "id", id->valuestring);
    json_add_text(out, "error", reason);
    json_add_text_or_null(out, "field", key);
    put_json(session, out);
}

/* ---- Actions ---- */

typedef enum CommandKind { QUERY_VERSION, QUERY_MODELS, TERMINATE, TERMINATE_ALL, CLEAR_CACHE, COMMANDS } CommandKind;

static const char *const command_names[COMMANDS] = {"query_version", "query_models", "terminate", "terminate_all",
                                                    "clear_cache"};

/* A line with an `action`: a command to the engine itself. */
typedef struct Command {
    CommandKind kind;
    char id[QUERY_ID_MAX], terminate_id[QUERY_ID_MAX];
    int64_t turns[TERMINATE_TURNS_MAX];
    int turn_count;
    bool has_turns;
} Command;

static cJSON *command_answer(const Command *command) {
    cJSON *out = cJSON_CreateObject();
    json_add_text(out, "id", command->id);
    cJSON_AddStringToObject(out, "action", command_names[command->kind]);
    if (command->kind == QUERY_VERSION)
        cJSON_AddStringToObject(out, "version", STIGMERGY_VERSION);
    if (command->kind == TERMINATE)
        json_add_text(out, "terminateId", command->terminate_id);
    cJSON *turns = command->has_turns ? cJSON_AddArrayToObject(out, "turnNumbers") : NULL;
    for (int i = 0; i < command->turn_count; i++)
        json_add(turns, NULL, cJSON_CreateNumber((double)command->turns[i]));
    return out;
}

/* The network of the player that analyses, for the usual game; none if playouts evaluate. */
static bool add_models(AnalyzeSession *session, cJSON *out, Error *error) {
    const Game *game = analysis_game(session->analysis, &session->defaults->game, error);
    const Player *player = game ? analysis_player(session->analysis, &session->defaults->player, game, error) : NULL;
    if (!player)
        return false;
    cJSON *models = cJSON_AddArrayToObject(out, "models");
    if (!player_has_network(player))
        return true;
    cJSON *model = cJSON_CreateObject();
    json_add_text(model, "name", player->network);
    cJSON_AddStringToObject(model, "hash", player->network_hash);
    json_add(models, NULL, model);
    return true;
}

static bool any_turn(const AnalysisTask *task, const void *argument) {
    const Command *command = argument;
    for (int i = 0; i < command->turn_count; i++)
        if (command->turns[i] == task->mark)
            return true;
    return command->turn_count == 0;
}

/* Reads a command and checks the keys that its action needs. */
static bool read_command(const cJSON *json, Command *command, char key[QUERY_KEY_MAX], Error *error) {
    JsonReader reader = json_open(json, "query");
    int kind = QUERY_VERSION;
    json_require(&reader, "id");
    json_string(&reader, "id", command->id, sizeof command->id);
    json_word(&reader, "action", command_names, COMMANDS, &kind);
    command->kind = (CommandKind)kind;
    if (command->kind == TERMINATE) {
        json_require(&reader, "terminateId");
        json_string(&reader, "terminateId", command->terminate_id, sizeof command->terminate_id);
    }
    if (command->kind == TERMINATE || command->kind == TERMINATE_ALL) {
        command->has_turns = json_get(json, "turnNumbers") != NULL;
        json_ints(&reader, "turnNumbers", 0, INT32_MAX, command->turns, TERMINATE_TURNS_MAX, &command->turn_count);
    }
    const bool good = json_close(&reader, error);
    snprintf(key, QUERY_KEY_MAX, "%s", reader.key);
    return good;
}

/* Does what a command asks, and adds to its answer. False with an error. */
static bool carry_out(AnalyzeSession *session, const Command *command, cJSON *out, Error *error) {
    const bool none = command->has_turns && command->turn_count == 0; /* of the turns is to be stopped */
    switch (command->kind) {
    case QUERY_MODELS: return add_models(session, out, error);
    case TERMINATE:
        if (!none)
            query_stop_id(session->analysis, NULL, command->terminate_id, command->turns, command->turn_count);
        break;
    case TERMINATE_ALL:
        if (!none)
            analysis_stop(session->analysis, any_turn, command);
        break;
    case CLEAR_CACHE: analysis_clear(session->analysis); break;
    default: break;
    }
    return true;
}

static void run_command(AnalyzeSession *session, const cJSON *json) {
    Command *command = calloc(1, sizeof *command);
    char key[QUERY_KEY_MAX];
    Error error;
    if (!command) {
        refuse_line(session, json, "", "out of memory");
    } else if (!read_command(json, command, key, &error)) {
        refuse_line(session, json, key, error.text);
    } else {
        cJSON *out = command_answer(command);
        if (carry_out(session, command, out, &error)) {
            put_json(session, out);
        } else {
            cJSON_Delete(out);
            refuse_line(session, json, "", error.text);
        }
    }
    free(command);
}

/* ---- Lines ---- */

/* Waits until there is room for a query of this size, and counts it. */
static void wait_for_room(AnalyzeSession *session, size_t bytes) {
    pthread_mutex_lock(&session->lock);
    while (session->waiting > 0 && session->waiting + bytes > session->waiting_limit)
        pthread_cond_wait(&session->done, &session->lock);
    session->waiting += bytes;
    pthread_mutex_unlock(&session->lock);
}

static void start_query(AnalyzeSession *session, const cJSON *json) {
    char key[QUERY_KEY_MAX];
    Error error;
    AnalysisQuery *query = query_read(json, session->analysis, session->defaults, key, &error);
    WaitingQuery *waiting = query ? malloc(sizeof *waiting) : NULL;
    if (!query) {
        refuse_line(session, json, key, error.text);
    } else if (!waiting) {
        query_free(query);
        refuse_line(session, json, "", "out of memory");
    } else {
        *waiting = (WaitingQuery){.session = session, .bytes = query_bytes(query)};
        wait_for_room(session, waiting->bytes);
        query_start(query, session->analysis, NULL, take_answer, waiting);
    }
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void end_line(AnalyzeSession *session) {
    size_t length = session->length;
    while (length > 0 && is_blank(session->line[length - 1]))
        length--;
    session->length = 0;
    if (session->too_long) {
        session->too_long = false;
        Error error;
        error_set(&error, "the line is longer than %d bytes, or than the memory", LINE_LIMIT);
        refuse_line(session, NULL, "", error.text);
        return;
    }
    if (length == 0)
        return;
    Error error;
    session->line[length] = '\0';
    cJSON *json = json_parse(session->line, length, "the line", &error);
    if (!json && error.no_memory) {
        refuse_line(session, NULL, "", error.text);
    } else if (!json) {
        Error reason;
        error_set(&reason, "%s, expected an object of JSON on one line", error.text);
        refuse_line(session, NULL, "", reason.text);
    } else if (cJSON_IsObject(json) && json_get(json, "action")) {
        run_command(session, json);
    } else {
        start_query(session, json);
    }
    cJSON_Delete(json);
}

/* Makes room for `more` bytes of the line and a terminator. */
static bool reserve(AnalyzeSession *session, size_t more) {
    const size_t length = session->length + more;
    return length <= LINE_LIMIT && list_grow_bytes(&session->line, &session->capacity, length + 1);
}

bool analyze_session_feed(AnalyzeSession *session, const char *bytes, size_t count) {
    while (count > 0) {
        const char *newline = memchr(bytes, '\n', count);
        const size_t part = newline ? (size_t)(newline - bytes) : count;
        if (!session->too_long && reserve(session, part)) {
            memcpy(session->line + session->length, bytes, part);
            session->length += part;
        } else {
            session->too_long = true;
            session->length = 0;
        }
        if (newline)
            end_line(session);
        const size_t used = part + (newline != NULL);
        bytes += used;
        count -= used;
    }
    return !is_broken(session);
}

bool analyze_session_end(AnalyzeSession *session) {
    if (session->length > 0 || session->too_long)
        end_line(session);
    if (is_broken(session))
        analysis_stop(session->analysis, NULL, NULL);
    analysis_wait(session->analysis);
    return !is_broken(session);
}

int analyze_session_broken(const AnalyzeSession *session) {
    return session->broken_pipe[0];
}

AnalyzeSession *analyze_session_new(Analysis *analysis, const QueryDefaults *defaults, size_t waiting_bytes, FILE *out,
                                    Error *error) {
    AnalyzeSession *session = calloc(1, sizeof *session);
    if (!session) {
        error_set(error, "out of memory");
        return NULL;
    }
    if (pipe(session->broken_pipe) != 0) {
        error_set(error, "cannot make a pipe: %s", strerror(errno));
        free(session);
        return NULL;
    }
    session->analysis = analysis;
    session->defaults = defaults;
    session->out = out;
    session->waiting_limit = waiting_bytes;
    pthread_mutex_init(&session->lock, NULL);
    pthread_cond_init(&session->done, NULL);
    return session;
}

void analyze_session_free(AnalyzeSession *session) {
    if (!session)
        return;
    pthread_mutex_destroy(&session->lock);
    pthread_cond_destroy(&session->done);
    close(session->broken_pipe[0]);
    if (!session->broken)
        close(session->broken_pipe[1]);
    free(session->line);
    free(session);
}
