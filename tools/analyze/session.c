/* See session.h. */
#include "tools/analyze/session.h"

#include "selfplay/io/json_writer.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    LINE_LIMIT = 1 << 22,    /* bytes of a line: a query has a game and some numbers */
    PENDING_LIMIT = 1 << 20, /* positions that may wait */
    TERMINATE_TURNS_MAX = 4096
};

struct AnalyzeSession {
    Analysis *analysis;
    const QueryDefaults *defaults;
    pthread_mutex_t lock; /* of the output */
    FILE *out;
    bool broken; /* `out` could not be written */
    char *line;
    size_t length, capacity;
    bool too_long;
};

/* ---- Output ---- */

static void put_line(AnalyzeSession *session, const char *text, size_t length) {
    pthread_mutex_lock(&session->lock);
    if (!session->broken && (fwrite(text, 1, length, session->out) < length || fputc('\n', session->out) == EOF ||
                             fflush(session->out) != 0))
        session->broken = true;
    pthread_mutex_unlock(&session->lock);
}

static bool is_broken(AnalyzeSession *session) {
    pthread_mutex_lock(&session->lock);
    const bool broken = session->broken;
    pthread_mutex_unlock(&session->lock);
    return broken;
}

static void take_answer(void *user, const char *answer, size_t length, bool running, bool last) {
    AnalyzeSession *session = user;
    (void)running;
    (void)last;
    if (length > 0)
        put_line(session, answer, length);
    if (is_broken(session)) /* nobody listens */
        analysis_stop(session->analysis, NULL, NULL);
}

/* Answers with an object that `fill` writes into. */
typedef void Fill(JsonWriter *out, const void *data);

static void answer_with(AnalyzeSession *session, Fill *fill, const void *data) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return;
    JsonWriter out = {.out = file};
    json_begin_object(&out, NULL);
    fill(&out, data);
    json_end_object(&out);
    if (fclose(file) == 0)
        put_line(session, text, length);
    free(text);
}

typedef struct Complaint {
    const char *id, *key, *text;
} Complaint;

static void fill_complaint(JsonWriter *out, const void *data) {
    const Complaint *complaint = data;
    if (complaint->id)
        json_write_string(out, "id", complaint->id);
    json_write_string(out, "error", complaint->text);
    if (complaint->key[0])
        json_write_string(out, "field", complaint->key);
    else
        json_write_null(out, "field");
}

static void complain(AnalyzeSession *session, const cJSON *json, const char *key, const char *text) {
    const cJSON *id = json ? cJSON_GetObjectItemCaseSensitive(json, "id") : NULL;
    const Complaint complaint = {.id = cJSON_IsString(id) ? id->valuestring : NULL, .key = key, .text = text};
    answer_with(session, fill_complaint, &complaint);
}

/* ---- Actions ---- */

/* A line with an action, as it was read. */
typedef struct Order {
    char id[QUERY_ID_MAX], action[32], terminate_id[QUERY_ID_MAX];
    int64_t turns[TERMINATE_TURNS_MAX];
    int turn_count;
    bool has_turns;
} Order;

static void fill_order(JsonWriter *out, const void *data) {
    const Order *order = data;
    json_write_string(out, "id", order->id);
    json_write_string(out, "action", order->action);
    if (!strcmp(order->action, "query_version"))
        json_write_string(out, "version", STIGMERGY_VERSION);
    if (order->terminate_id[0])
        json_write_string(out, "terminateId", order->terminate_id);
    if (order->has_turns) {
        json_begin_array(out, "turnNumbers");
        for (int i = 0; i < order->turn_count; i++)
            json_write_int(out, NULL, order->turns[i]);
        json_end_array(out);
    }
}

static bool any_turn(const AnalysisTask *task, const void *argument) {
    const Order *order = argument;
    for (int i = 0; i < order->turn_count; i++)
        if (order->turns[i] == task->mark)
            return true;
    return order->turn_count == 0;
}

/* Reads the order and checks what its action needs. */
static bool read_order(const cJSON *json, Order *order, char key[QUERY_KEY_MAX], Error *error) {
    JsonReader reader = json_open(json, "query");
    Error reason;
    json_require(&reader, "id");
    json_string(&reader, "id", order->id, sizeof order->id);
    json_require(&reader, "action");
    json_string(&reader, "action", order->action, sizeof order->action);
    const bool terminate = !strcmp(order->action, "terminate"), all = !strcmp(order->action, "terminate_all");
    if (terminate) {
        json_require(&reader, "terminateId");
        json_string(&reader, "terminateId", order->terminate_id, sizeof order->terminate_id);
    }
    if (terminate || all) {
        order->has_turns = cJSON_GetObjectItemCaseSensitive(json, "turnNumbers") != NULL;
        json_ints(&reader, "turnNumbers", 0, INT32_MAX, order->turns, TERMINATE_TURNS_MAX, &order->turn_count);
    } else if (strcmp(order->action, "query_version") && strcmp(order->action, "clear_cache")) {
        error_set(&reason, "'%s', expected query_version, terminate, terminate_all or clear_cache", order->action);
        json_fail(&reader, "action", &reason);
    }
    const bool good = json_close(&reader, error);
    snprintf(key, QUERY_KEY_MAX, "%s", reader.key);
    return good;
}

static void carry_out(AnalyzeSession *session, const cJSON *json) {
    Order *order = calloc(1, sizeof *order);
    char key[QUERY_KEY_MAX];
    Error error;
    if (!order) {
        complain(session, json, "", "out of memory");
    } else if (!read_order(json, order, key, &error)) {
        complain(session, json, key, error.text);
    } else {
        const bool nothing = order->has_turns && order->turn_count == 0;
        if (!strcmp(order->action, "terminate") && !nothing)
            query_stop_id(session->analysis, order->terminate_id, order->turns, order->turn_count);
        else if (!strcmp(order->action, "terminate_all") && !nothing)
            analysis_stop(session->analysis, any_turn, order);
        else if (!strcmp(order->action, "clear_cache"))
            analysis_clear(session->analysis);
        answer_with(session, fill_order, order);
    }
    free(order);
}

/* ---- Lines ---- */

static void start_query(AnalyzeSession *session, const cJSON *json) {
    char key[QUERY_KEY_MAX];
    Error error;
    AnalysisQuery *query = query_read(json, session->analysis, session->defaults, key, &error);
    if (!query)
        complain(session, json, key, error.text);
    else if (analysis_pending(session->analysis) >= PENDING_LIMIT) {
        query_free(query);
        complain(session, json, "", "too many positions are waiting to be searched");
    } else
        query_start(query, session->analysis, take_answer, session);
}

static void end_line(AnalyzeSession *session) {
    size_t length = session->length;
    while (length > 0 && strchr(" \t\r", session->line[length - 1]))
        length--;
    session->length = 0;
    if (session->too_long) {
        session->too_long = false;
        Error error;
        error_set(&error, "the line is longer than %d bytes", LINE_LIMIT);
        complain(session, NULL, "", error.text);
        return;
    }
    if (length == 0)
        return;
    Error error;
    session->line[length] = '\0';
    cJSON *json = memchr(session->line, '\0', length) ? NULL : json_parse(session->line, length, "query", &error);
    if (!json)
        complain(session, NULL, "", "the line is not valid JSON, expected an object on one line");
    else if (cJSON_IsObject(json) && cJSON_GetObjectItemCaseSensitive(json, "action"))
        carry_out(session, json);
    else
        start_query(session, json);
    cJSON_Delete(json);
}

/* Makes room for `more` bytes of the line and a terminator. */
static bool reserve(AnalyzeSession *session, size_t more) {
    if (session->length + more + 1 <= session->capacity)
        return true;
    const size_t capacity = 2 * session->capacity + more + 1;
    char *line = session->length + more > LINE_LIMIT ? NULL : realloc(session->line, capacity);
    if (!line)
        return false;
    session->line = line;
    session->capacity = capacity;
    return true;
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
    analysis_wait(session->analysis);
    return !is_broken(session);
}

AnalyzeSession *analyze_session_new(Analysis *analysis, const QueryDefaults *defaults, FILE *out) {
    AnalyzeSession *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->analysis = analysis;
    session->defaults = defaults;
    session->out = out;
    pthread_mutex_init(&session->lock, NULL);
    return session;
}

void analyze_session_free(AnalyzeSession *session) {
    if (!session)
        return;
    pthread_mutex_destroy(&session->lock);
    free(session->line);
    free(session);
}
