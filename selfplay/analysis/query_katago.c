/* The names of KataGo's analysis protocol (Wu, docs/Analysis_Engine.md) in a query: what has a meaning here is taken,
 * what would change no answer is passed over with a warning, and what would make the answer wrong is an error.
 * tools/docs/analysis.md has the list. */
#include "selfplay/analysis/avoid.h"
#include "selfplay/analysis/query_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { LISTS_MAX = 16, WARNINGS_MAX = 32 };

/* ---- Warnings ---- */

/* Of more than WARNINGS_MAX, the last one says that there are more. */
static void warn(AnalysisQuery *query, const char *field, const char *text) {
    const int count = cJSON_GetArraySize(query->warnings);
    if (count == WARNINGS_MAX)
        return;
    if (count == WARNINGS_MAX - 1)
        text = "ignored, as are others that have no warning of their own";
    cJSON *warning = cJSON_CreateObject();
    if (!query->warnings)
        query->warnings = cJSON_CreateArray();
    json_add_text(warning, "id", query->id);
    json_add_text(warning, "warning", text);
    json_add_text(warning, "field", field);
    json_add(query->warnings, NULL, warning);
}

/* Whether a value asks for nothing: false, null, or a string that is empty. */
static bool asks_nothing(const cJSON *value) {
    return !value || cJSON_IsFalse(value) || cJSON_IsNull(value) || (cJSON_IsString(value) && !value->valuestring[0]);
}

static void pass_over(AnalysisQuery *query, JsonReader *reader) {
    static const char *const fields[][2] = {
        {"rules", "ignored: the rules are those of 'game'"},
        {"rootPolicyTemperature", "ignored: the search has no such setting"},
        {"rootFpuReductionMax", "ignored: the search has no such setting"},
        {"includeOwnershipStdev", "ignored: answers have no such field"},
        {"includeMovesOwnership", "ignored: answers have the owners of the position alone"},
        {"includeMovesOwnershipStdev", "ignored: answers have no such field"},
        {"includePVVisits", "ignored: answers have no such field"},
        {"includeNoResultValue", "ignored: every game has a winner"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!asks_nothing(json_any(reader, fields[i][0])))
            warn(query, fields[i][0], fields[i][1]);
}

static void fail(JsonReader *reader, const char *key, const char *text) {
    Error reason;
    error_set(&reason, "%s", text);
    json_fail(reader, key, &reason);
}

/* ---- Fields with a meaning ---- */

/* Points for handicap stones would change the score; without such stones there are none. */
static void read_bonus(AnalysisQuery *query, JsonReader *reader) {
    const cJSON *bonus = json_any(reader, "whiteHandicapBonus");
    const cJSON *stones = json_get(reader->object, "initialStones");
    if (asks_nothing(bonus) || (cJSON_IsString(bonus) && !strcmp(bonus->valuestring, "0")) ||
        (cJSON_IsNumber(bonus) && bonus->valuedouble == 0))
        return;
    if (stones && stones->child)
        fail(reader, "whiteHandicapBonus", "these games give no points for stones that were set up, expected \"0\"");
    else
        warn(query, "whiteHandicapBonus", "ignored: no stones were set up");
}

/* KataGo's own limits, far beyond ours, mean that there is none. */
static void read_visits(JsonReader *reader, const char *key, uint64_t *out) {
    static const int64_t highest = (int64_t)1 << 50;
    int64_t visits = 0;
    json_int(reader, key, 1, highest, &visits);
    *out = (uint64_t)(visits < PLAYER_SIMULATIONS_MAX ? visits : PLAYER_SIMULATIONS_MAX);
}

static void read_settings(AnalysisQuery *query, JsonReader *reader) {
    static const char *const known[] = {"maxVisits", "maxPlayouts", "maxTime", "analysisPVLen",
                                        "reportAnalysisWinratesAs"};
    static const double seconds_highest = 1e20;
    AnalysisTask *task = &query->task;
    const cJSON *object = json_object(reader, "overrideSettings");
    if (!object)
        return;
    JsonReader settings = json_open(object, "overrideSettings");
    uint64_t visits = 0, playouts = 0;
    int64_t length = query->pv_length;
    double seconds = 0;
    char view[16] = "BLACK";
    read_visits(&settings, known[0], &visits);
    read_visits(&settings, known[1], &playouts);
    json_number(&settings, known[2], QUERY_SECONDS_MIN, seconds_highest, &seconds);
    json_int(&settings, known[3], 0, INT32_MAX, &length);
    json_string(&settings, known[4], view, sizeof view);
    query->pv_length = length;
    if (settings.failed)
        json_fail(reader, "overrideSettings", &settings.error);
    else if (strcasecmp(view, "BLACK") != 0)
        fail(reader, "overrideSettings", "all chances are Black's, expected \"reportAnalysisWinratesAs\": \"BLACK\"");
    if (task->simulations == 0)
        task->simulations = visits;
    if (playouts > 0 && (task->simulations == 0 || playouts < task->simulations))
        task->simulations = playouts;
    if (task->seconds == 0)
        task->seconds = fmin(seconds, QUERY_SECONDS_MAX);
    for (const cJSON *item = object->child; item; item = item->next) {
        bool is_known = false;
        char field[QUERY_KEY_MAX];
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known |= !strcmp(item->string, known[i]);
        snprintf(field, sizeof field, "overrideSettings.%.40s", item->string);
        if (!is_known)
            warn(query, field, "ignored: the search has no such setting");
    }
}

/* The size of the board is that of both sides: cells a side. */
static void read_board(JsonReader *reader, GameOptions *options) {
    const cJSON *size = json_get(reader->object, "size");
    int64_t x = 0, y = 0;
    json_int(reader, "boardXSize", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &x);
    json_int(reader, "boardYSize", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &y);
    x = x ? x : y;
    if (y && x != y)
        fail(reader, "boardYSize", "expected the same number as 'boardXSize': the cells a side");
    else if (x && cJSON_IsNumber(size) && size->valuedouble != (double)x)
        fail(reader, "boardXSize", "expected the same number as 'size': the cells a side");
    if (x)
        options->size = (int)x;
}

void query_read_katago(AnalysisQuery *query, JsonReader *reader, GameOptions *options) {
    AnalysisTask *task = &query->task;
    uint64_t visits = 0;
    query->pv_length = INT32_MAX;
    json_int(reader, "analysisPVLen", 0, INT32_MAX, &query->pv_length);
    read_visits(reader, "maxVisits", &visits);
    if (visits > 0 && task->simulations > 0)
        fail(reader, "maxVisits", "'maxSims' says the same, expected one of the two");
    if (visits > 0)
        task->simulations = visits;
    json_number(reader, "firstReportDuringSearchAfter", QUERY_SECONDS_MIN, QUERY_SECONDS_MAX, &task->first_report);
    json_bool(reader, "includeOwnership", &query->include_ownership);
    read_board(reader, options);
    read_bonus(query, reader);
    read_settings(query, reader);
    pass_over(query, reader);
}

/* ---- Moves that are allowed or avoided ---- */

/* Marks the actions that a list names. */
static bool mark_actions(const AvoidNames *names, const cJSON *moves, AvoidList *list, Error *error) {
    if (cJSON_GetArraySize(moves) > GAME_ACTIONS_MAX)
        return error_set(error, "there are more moves than the game has");
    for (const cJSON *name = moves->child; name; name = name->next)
        if (!cJSON_IsString(name) || !avoid_list_add(list, names, name->valuestring))
            return error_set(error, "'%.40s', expected moves as in the field 'action' of an answer",
                             cJSON_IsString(name) ? name->valuestring : "(not a text)");
    return true;
}

/* One entry: {"player": "B", "moves": ["c3"], "untilDepth": 1}. */
static bool read_entry(const AvoidNames *names, const cJSON *entry, bool allow, bool seen[2], SearchAvoid *avoid,
                       Error *error) {
    AvoidList list = {0};
    char player[8] = "";
    int64_t depth = 1;
    JsonReader reader = json_open(entry, "an entry");
    json_require(&reader, "player");
    json_string(&reader, "player", player, sizeof player);
    json_require(&reader, "moves");
    const cJSON *moves = json_array(&reader, "moves");
    json_int(&reader, "untilDepth", 1, INT32_MAX, &depth);
    if (!json_close(&reader, error))
        return false;
    const Side side = strcasecmp(player, "W") && strcasecmp(player, "white") ? BLACK : WHITE;
    if (side == BLACK && strcasecmp(player, "B") && strcasecmp(player, "black"))
        return error_set(error, "'player' is '%s', expected B or W", player);
    if (allow && seen[side])
        return error_set(error, "expected one entry for each player");
    if (!mark_actions(names, moves, &list, error))
        return false;
    seen[side] = true;
    avoid_apply(avoid, names, &list, allow, side, depth);
    return true;
}

static bool read_list(AnalysisQuery *query, const AvoidNames *names, const cJSON *list, bool allow, Error *error) {
    bool seen[2] = {false, false};
    if (cJSON_GetArraySize(list) > LISTS_MAX)
        return error_set(error, "expected at most %d entries", LISTS_MAX);
    for (const cJSON *entry = list->child; entry; entry = entry->next)
        if (!read_entry(names, entry, allow, seen, query->avoid, error))
            return false;
    for (int i = 0; i < query->turn_count; i++)
        if (!avoid_leaves_move(query->avoid, query->line.game, query_position(query, query->turns[i])))
            return error_set(error, "no move is left for turn %d", query->turns[i]);
    return true;
}

bool query_read_avoid(AnalysisQuery *query, JsonReader *reader) {
    static const char *const keys[] = {"avoidMoves", "allowMoves"};
    const cJSON *lists[2];
    Error reason;
    for (int allow = 0; allow < 2; allow++)
        lists[allow] = json_array(reader, keys[allow]);
    if (reader->failed || ((!lists[0] || !lists[0]->child) && (!lists[1] || !lists[1]->child)))
        return !reader->failed;
    AvoidNames *names = avoid_names_new(query->line.game, &query->line.end);
    query->avoid = calloc(1, sizeof *query->avoid);
    error_set(&reason, "out of memory");
    if (!names || !query->avoid)
        json_fail(reader, lists[0] ? keys[0] : keys[1], &reason);
    for (int allow = 0; allow < 2 && !reader->failed; allow++)
        if (lists[allow] && !read_list(query, names, lists[allow], allow, &reason))
            json_fail(reader, keys[allow], &reason);
    free(names);
    return !reader->failed;
}
