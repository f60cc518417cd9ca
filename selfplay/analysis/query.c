/* See query.h. Top to bottom: reading a query, then starting it, answering it and stopping it. */
#include "selfplay/analysis/query_internal.h"
#include "selfplay/analysis/task_queue_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Reading ---- */

static void read_limits(AnalysisQuery *query, JsonReader *reader, const QueryDefaults *defaults) {
    AnalysisTask *task = &query->task;
    int64_t level = 0, simulations = 0;
    task->player = &defaults->player;
    if (defaults->has_levels)
        json_int(reader, "level", 1, LEVELS, &level);
    if (level > 0)
        task->player = &defaults->levels[level - 1];
    json_int(reader, "maxSims", 1, PLAYER_SIMULATIONS_MAX, &simulations);
    json_number(reader, "maxTime", QUERY_SECONDS_MIN, QUERY_SECONDS_MAX, &task->seconds);
    json_number(reader, "reportDuringSearchEvery", QUERY_SECONDS_MIN, QUERY_SECONDS_MAX, &task->report_interval);
    json_int(reader, "priority", -QUERY_PRIORITY_MAX, QUERY_PRIORITY_MAX, &task->priority);
    task->seed = defaults->seed;
    json_u64(reader, "seed", &task->seed);
    task->simulations = (uint64_t)simulations;
}

/* Settles the player for the query's game, and the limits, which are the player's where the query has none. */
static bool settle_player(AnalysisQuery *query, JsonReader *reader, Analysis *analysis, const QueryDefaults *defaults) {
    AnalysisTask *task = &query->task;
    Error reason;
    const bool levelled = task->player != &defaults->player;
    task->player = analysis_player(analysis, task->player, query->line.game, &reason);
    if (!task->player) {
        json_fail(reader, "game", &reason);
        return false;
    }
    const bool limited = task->simulations > 0 || task->seconds > 0 || levelled || defaults->effort_given;
    if (task->simulations == 0 && task->seconds == 0) {
        task->simulations = task->player->simulations;
        task->seconds = task->player->move_seconds;
    }
    query_read_clock(query, reader, limited);
    if (defaults->seconds_max > 0 && (task->seconds == 0 || task->seconds > defaults->seconds_max))
        task->seconds = defaults->seconds_max;
    return true;
}

/* A turn that is complete here would be answered for under the number of the one before it. */
static bool check_partial_turn(const GameLine *line, JsonReader *reader) {
    const GameRules *rules = line->game->rules;
    if (line->unfinished_count == 0 || (!rules->turn_start(&line->end) && !rules->over(&line->end)))
        return true;
    json_fail(reader, "partialTurn", &(Error){.text = "the turn is complete, expected it as the last of 'moves'"});
    return false;
}

/* The turns to search: those asked for, or the last one. A position within a turn counts as the last one. */
static bool read_turns(AnalysisQuery *query, JsonReader *reader) {
    const cJSON *list = json_array(reader, "analyzeTurns");
    const int last = query->line.turns, size = list ? cJSON_GetArraySize(list) : 0;
    Error reason;
    query->turns = malloc((size_t)(size + 1) * sizeof *query->turns);
    bool *seen = calloc((size_t)last + 1, sizeof *seen);
    if (query->turns && seen)
        error_set(&reason, "expected numbers of turns, each once, from 0 to %d", last);
    else
        error_set(&reason, "out of memory");
    bool good = query->turns && seen && (!list || size > 0);
    for (const cJSON *item = list ? list->child : NULL; item && good; item = item->next) {
        const double turn = cJSON_IsNumber(item) ? item->valuedouble : -1;
        good = turn >= 0 && turn <= last && floor(turn) == turn && !seen[(int)turn];
        if (good) {
            seen[(int)turn] = true;
            query->turns[query->turn_count++] = (int)turn;
        }
    }
    free(seen);
    if (!good)
        json_fail(reader, "analyzeTurns", &reason);
    else if (!list)
        query->turns[query->turn_count++] = last;
    return good;
}

/* KataGo's `priorities`: one for each turn that is searched, instead of `priority`. */
static bool read_priorities(AnalysisQuery *query, JsonReader *reader) {
    static const char key[] = "priorities";
    if (!json_any(reader, key))
        return true;
    int count = 0;
    Error reason;
    query->priorities = malloc((size_t)query->turn_count * sizeof *query->priorities);
    if (query->priorities)
        json_ints(reader, key, -QUERY_PRIORITY_MAX, QUERY_PRIORITY_MAX, query->priorities, query->turn_count, &count);
    if (json_get(reader->object, "priority"))
        error_set(&reason, "'priority' says the same, expected one of the two");
    else if (!query->priorities || count < query->turn_count)
        error_set(&reason, "expected a number for each of the %d turns that are searched", query->turn_count);
    else
        return true;
    json_fail(reader, key, &reason);
    return false;
}

/* Finds out who goes first, where visitors share the engine. */
static void rank_among_visitors(AnalysisQuery *query, const QueryDefaults *defaults) {
    AnalysisTask *task = &query->task;
    if (defaults->move_seconds <= 0)
        return;
    free(query->priorities);
    query->priorities = NULL;
    query->is_move = query->turn_count == 1 && task->report_interval == 0 && task->first_report == 0;
    task->priority = query->is_move;
    if (query->is_move && (task->seconds == 0 || task->seconds > defaults->move_seconds))
        task->seconds = defaults->move_seconds;
}

AnalysisQuery *query_read(const cJSON *json, Analysis *analysis, const QueryDefaults *defaults, char key[QUERY_KEY_MAX],
                          Error *error) {
    key[0] = '\0';
    AnalysisQuery *query = calloc(1, sizeof *query);
    if (!query) {
        error_set(error, "out of memory");
        return NULL;
    }
    JsonReader reader = json_open(json, "query");
    if (!reader.failed)
        json_require(&reader, "id");
    json_string(&reader, "id", query->id, sizeof query->id);
    read_limits(query, &reader, defaults);
    json_bool(&reader, "includeControl", &query->include_control);
    json_bool(&reader, "includePolicy", &query->include_policy);
    json_bool(&reader, "keepTree", &query->task.keep_tree);
    json_bool(&reader, "wideRoot", &query->task.wide);
    GameOptions options = defaults->game;
    query_read_katago(query, &reader, &options);
    if (!reader.failed && game_line_read(&query->line, &reader, analysis, &options, defaults->komi) &&
        check_partial_turn(&query->line, &reader) && read_turns(query, &reader) &&
        settle_player(query, &reader, analysis, defaults) && read_priorities(query, &reader))
        query_read_avoid(query, &reader);
    rank_among_visitors(query, defaults);
    if (json_close(&reader, error))
        return query;
    snprintf(key, QUERY_KEY_MAX, "%s", reader.key);
    query_free(query);
    return NULL;
}

bool query_is_move(const AnalysisQuery *query) {
    return query->is_move;
}

size_t query_bytes(const AnalysisQuery *query) {
    const GameLine *line = &query->line;
    size_t bytes = sizeof *query + (size_t)query->turn_count *
                                       (sizeof(QueuedTask) + sizeof query->turns[0] + sizeof query->priorities[0]);
    for (int i = 0; i < line->turns; i++)
        bytes += strlen(line->texts[i]) + 1;
    bytes += query->avoid ? sizeof *query->avoid : 0;
    return bytes + ((size_t)line->turns + 1) * (sizeof line->states[0] + sizeof line->histories[0] + sizeof(char *));
}

/* ---- Starting, answering, stopping ---- */

const char query_no_memory[] = "{\"error\":\"out of memory for an answer\"}";

static void answer(const AnalysisTask *task, const AnalysisReport *report) {
    AnalysisQuery *query = task->user;
    char *text = json_print(query_answer_to_json(query, task, report));
    const bool running = report->stage == ANALYSIS_RUNNING;
    const char *line = text ? text : query_no_memory;
    query->sink(query->user, running ? QUERY_REPORT : QUERY_ANSWER, line, strlen(line));
    free(text);
    /* The turn counts as open until the sink has its answer: after that another worker may free the query. */
    if (!running && atomic_fetch_sub(&query->left, 1) == 1) {
        query->sink(query->user, QUERY_END, "", 0);
        query_free(query);
    }
}

static void give_warnings(AnalysisQuery *query) {
    for (const cJSON *warning = query->warnings ? query->warnings->child : NULL; warning; warning = warning->next) {
        char *text = json_format(warning, false);
        if (text)
            query->sink(query->user, QUERY_ANSWER, text, strlen(text));
        free(text);
    }
}

/* Answers for a turn that could not be queued. */
static void refuse(const AnalysisTask *task, const Error *error) {
    answer(task, &(AnalysisReport){.stage = ANALYSIS_UNTOUCHED, .error = error});
}

void query_start(AnalysisQuery *query, Analysis *analysis, const void *owner, QuerySink *sink, void *user) {
    const int count = query->turn_count; /* the query may be freed as soon as its last turn is queued */
    if (query->task.keep_tree)
        query_stop_id(analysis, owner, query->id, NULL, 0); /* the new query goes on with the tree of the old one */
    query->owner = owner;
    query->sink = sink;
    query->user = user;
    atomic_init(&query->left, count);
    AnalysisTask task = query->task;
    task.game = query->line.game;
    task.avoid = query->avoid;
    task.report = answer;
    task.user = query;
    give_warnings(query);
    for (int i = 0; i < count; i++) {
        const int turn = query->turns[i];
        const bool end = turn == query->line.turns;
        game_copy(task.game, &task.state, query_position(query, turn));
        task.history = end ? query->line.end_history : query->line.histories[turn];
        task.mark = turn;
        if (query->priorities)
            task.priority = query->priorities[i];
        Error error;
        if (!analysis_add(analysis, &task, &error))
            refuse(&task, &error);
    }
}

void query_free(AnalysisQuery *query) {
    if (!query)
        return;
    game_line_free(&query->line);
    free(query->turns);
    free(query->priorities);
    free(query->avoid);
    cJSON_Delete(query->warnings);
    free(query);
}

/* The query that a task belongs to; NULL for the tasks of komi_offer.c. */
static const AnalysisQuery *query_of(const AnalysisTask *task) {
    return task->report == answer ? task->user : NULL;
}

static bool has_user(const AnalysisTask *task, const void *wanted) {
    const AnalysisQuery *query = query_of(task);
    return query && query->user == wanted;
}

void query_stop(Analysis *analysis, const void *user) {
    analysis_stop(analysis, has_user, user);
}

typedef struct Wanted {
    const void *owner;
    const char *id;
    const int64_t *turns;
    int count;
} Wanted;

static bool is_wanted(const AnalysisTask *task, const void *argument) {
    const Wanted *wanted = argument;
    const AnalysisQuery *query = query_of(task);
    if (!query || query->owner != wanted->owner || strcmp(query->id, wanted->id))
        return false;
    for (int i = 0; i < wanted->count; i++)
        if (wanted->turns[i] == task->mark)
            return true;
    return wanted->count == 0;
}

int query_stop_id(Analysis *analysis, const void *owner, const char *id, const int64_t *turns, int count) {
    return analysis_stop(analysis, is_wanted, &(Wanted){.owner = owner, .id = id, .turns = turns, .count = count});
}
