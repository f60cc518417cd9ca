/* See query.h. Top to bottom: reading a query, its answers, its life. */
#include "tools/analyze/query.h"

#include "engine/base/rng.h"
#include "selfplay/io/json_writer.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    VARIATION_MAX = 64,   /* actions of a principal variation */
    STDEV_PLAYOUTS = 128, /* of which scoreStdev is taken */
    SIMULATIONS_MAX = 1000000000
};
static const double seconds_min = 0.001, seconds_longest = 1e6;

struct AnalysisQuery {
    char id[QUERY_ID_MAX];
    GameLine line;
    const Player *player;
    uint64_t simulations, seed;
    double seconds, report_interval;
    int64_t priority;
    bool include_control, include_policy, keep_tree;
    int *turns; /* to be searched */
    int turn_count;
    atomic_int left; /* turns without a last answer */
    QuerySink *sink;
    void *user;
};

/* ---- Reading ---- */

static void read_limits(AnalysisQuery *query, JsonReader *reader, const QueryDefaults *defaults) {
    int64_t level = 0, simulations = 0;
    double seconds = 0;
    query->player = &defaults->player;
    if (defaults->level_count > 0)
        json_int(reader, "level", 1, defaults->level_count, &level);
    if (level > 0)
        query->player = &defaults->levels[level - 1];
    json_int(reader, "maxSims", 1, SIMULATIONS_MAX, &simulations);
    json_number(reader, "maxTime", seconds_min, seconds_longest, &seconds);
    json_number(reader, "reportDuringSearchEvery", seconds_min, seconds_longest, &query->report_interval);
    json_int(reader, "priority", -SIMULATIONS_MAX, SIMULATIONS_MAX, &query->priority);
    query->seed = defaults->seed;
    json_u64(reader, "seed", &query->seed);
    if (simulations == 0 && seconds == 0) {
        simulations = (int64_t)query->player->simulations;
        seconds = query->player->move_seconds;
    }
    if (defaults->seconds_max > 0 && (seconds == 0 || seconds > defaults->seconds_max))
        seconds = defaults->seconds_max;
    query->simulations = (uint64_t)simulations;
    query->seconds = seconds;
}

/* The turns to search: those asked for, or the last. A position within a turn is the last one too. */
static bool read_turns(AnalysisQuery *query, JsonReader *reader) {
    const cJSON *list = json_array(reader, "analyzeTurns");
    const int last = query->line.turns, size = list ? cJSON_GetArraySize(list) : 0;
    Error reason;
    query->turns = malloc((size_t)(size + 1) * sizeof *query->turns);
    error_set(&reason, "expected numbers of turns, each once, from 0 to %d", last);
    bool *seen = calloc((size_t)last + 1, sizeof *seen);
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
    json_bool(&reader, "keepTree", &query->keep_tree);
    if (!reader.failed && game_line_read(&query->line, &reader, analysis, &defaults->game, defaults->komi))
        read_turns(query, &reader);
    if (json_close(&reader, error))
        return query;
    snprintf(key, QUERY_KEY_MAX, "%s", reader.key);
    query_free(query);
    return NULL;
}

/* ---- Answers ---- */

/* How a position is looked at in an answer. */
typedef struct View {
    const Game *game;
    const GameState *state;
    const AnalysisReport *report;
} View;

/* The colour of the side to move: after a swap it is not the number of the player. */
static Side colour_to_move(const View *view) {
    return game_colour(view->game, view->state, view->game->rules->to_move(view->state));
}

static double blacks_chance(const View *view, double of_mover) {
    return colour_to_move(view) == BLACK ? of_mover : 1 - of_mover;
}

/* The margin of the player with the black stones, from that of the player who began. */
static double blacks_margin(const View *view, double of_first) {
    return game_colour(view->game, view->state, BLACK) == BLACK ? of_first : -of_first;
}

/* Writes the text of the turn that begins with actions[0] in `state`, and takes its actions; returns how many they
 * were. Where the known actions do not complete it, or `state` is within a turn, it is the list of its actions. */
static int format_part(const Game *game, GameState *state, const Action *actions, int count, char out[GAME_TEXT_MAX],
                       bool *complete) {
    const bool whole = game->rules->turn_start(state);
    GameState before, after;
    game_copy(game, &before, state);
    game_copy(game, &after, state);
    int length = 0;
    out[0] = '\0';
    do {
        char text[GAME_TEXT_MAX];
        game->rules->format(game, &after, actions[length], text);
        const size_t used = strlen(out);
        snprintf(out + used, GAME_TEXT_MAX - used, "%s%s", used ? "," : "", text);
        game->rules->apply(game, &after, actions[length++]);
    } while (length < count && !game->rules->turn_start(&after));
    *complete = game->rules->turn_start(&after) || game->rules->over(&after);
    if (whole && *complete)
        game_format_turn(game, &before, actions, length, out);
    game_copy(game, state, &after);
    return length;
}

/* The deviation of the final score in playouts from the position, in points. */
static double score_deviation(const View *view, uint64_t seed) {
    const GameState *states[STDEV_PLAYOUTS];
    uint64_t seeds[STDEV_PLAYOUTS];
    PlayoutResult *results = malloc(STDEV_PLAYOUTS * sizeof *results);
    if (!results)
        return NAN;
    for (int i = 0; i < STDEV_PLAYOUTS; i++) {
        states[i] = view->state;
        seeds[i] = rng_split(seed, (uint64_t)i);
    }
    view->game->rules->playouts(view->game, states, seeds, STDEV_PLAYOUTS, PLAYOUT_LIGHT, results);
    double sum = 0, squares = 0;
    for (int i = 0; i < STDEV_PLAYOUTS; i++) {
        const double margin = 0.5 * results[i].margin;
        sum += margin;
        squares += margin * margin;
    }
    free(results);
    const double mean = sum / STDEV_PLAYOUTS;
    return sqrt(fmax(0, squares / STDEV_PLAYOUTS - mean * mean));
}

static void write_root(JsonWriter *out, const View *view, uint64_t seed) {
    const SearchSummary *summary = &view->report->summary;
    json_begin_object(out, "rootInfo");
    json_write_string(out, "currentPlayer", colour_to_move(view) == BLACK ? "B" : "W");
    json_write_int(out, "sims", (int64_t)summary->simulations);
    json_write_number(out, "winrate", blacks_chance(view, summary->win_rate));
    if (view->game->has_points) {
        json_write_number(out, "scoreLead", blacks_margin(view, summary->margin));
        json_write_number(out, "scoreStdev", view->game->rules->over(view->state) ? 0 : score_deviation(view, seed));
    } else {
        json_write_null(out, "scoreLead");
        json_write_null(out, "scoreStdev");
    }
    json_write_bool(out, "proven", summary->proven);
    json_end_object(out);
}

static void write_variation(JsonWriter *out, const View *view, Action first) {
    const Game *game = view->game;
    Action actions[VARIATION_MAX];
    const int count = search_variation(view->report->search, first, actions, VARIATION_MAX);
    char text[GAME_TEXT_MAX];
    GameState state;
    bool complete;
    game_copy(game, &state, view->state);
    format_part(game, &state, actions, count, text, &complete);
    json_write_string(out, "move", text);
    if (!complete)
        json_write_bool(out, "partial", true);
    game_copy(game, &state, view->state);
    game->rules->format(game, &state, first, text);
    json_write_string(out, "action", text);
    json_begin_array(out, "pv");
    for (int i = 0; i < count && !game->rules->over(&state);) {
        i += format_part(game, &state, actions + i, count - i, text, &complete);
        json_write_string(out, NULL, text);
    }
    json_end_array(out);
}

/* The legal actions and how likely each is to be good before any search: as the game's knowledge says, all alike where
 * it has none. Returns how many there are. */
static int find_priors(const View *view, Action actions[GAME_LEGAL_MAX], double priors[GAME_LEGAL_MAX]) {
    const GameRules *rules = view->game->rules;
    const int count = rules->over(view->state) ? 0 : rules->legal(view->game, view->state, actions);
    float logits[GAME_LEGAL_MAX] = {0}, highest = -HUGE_VALF;
    if (rules->priors && count > 0)
        rules->priors(view->game, view->state, actions, count, logits);
    for (int i = 0; i < count; i++)
        highest = fmaxf(highest, logits[i]);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += priors[i] = exp2((double)(logits[i] - highest));
    for (int i = 0; i < count; i++)
        priors[i] /= sum;
    return count;
}

static double prior_of(Action action, const Action *actions, const double *priors, int count) {
    for (int i = 0; i < count; i++)
        if (actions[i] == action)
            return priors[i];
    return 0;
}

static void write_moves(JsonWriter *out, const View *view) {
    json_begin_array(out, "moveInfos");
    SearchMove moves[GAME_LEGAL_MAX];
    Action legal[GAME_LEGAL_MAX];
    double priors[GAME_LEGAL_MAX];
    const int legal_count = find_priors(view, legal, priors);
    const int count = view->report->search ? search_moves(view->report->search, moves, GAME_LEGAL_MAX) : 0;
    for (int i = 0; i < count && (i == 0 || moves[i].visits > 0); i++) {
        json_begin_object(out, NULL);
        write_variation(out, view, moves[i].action);
        json_write_int(out, "sims", (int64_t)moves[i].visits);
        json_write_number(out, "winrate", blacks_chance(view, moves[i].win_rate));
        if (view->game->has_points)
            json_write_number(out, "scoreLead", blacks_margin(view, moves[i].margin));
        else
            json_write_null(out, "scoreLead");
        json_write_number(out, "prior", prior_of(moves[i].action, legal, priors, legal_count));
        json_write_bool(out, "proven", moves[i].proven);
        json_write_int(out, "order", i);
        json_end_object(out);
    }
    json_end_array(out);
}

/* Who owns each cell in the end: of a finished game as it is scored. */
static void write_control(JsonWriter *out, const View *view) {
    const Game *game = view->game;
    float owners[HEXHEX_MAX_CELLS];
    if (view->report->search) {
        search_owners(view->report->search, owners);
        for (int c = 0; c < game->board.cells && game_colour(game, view->state, BLACK) == WHITE; c++)
            owners[c] = 1 - owners[c];
    } else {
        uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS] = {0};
        game->rules->stones(game, view->state, stones);
        if (game->rules->control)
            game->rules->control(game, view->state, control);
        for (int c = 0; c < game->board.cells; c++) {
            const int owner = stones[c] ? stones[c] : control[c];
            owners[c] = owner == 1 ? 1.0f : owner == 2 ? 0.0f : 0.5f;
        }
    }
    json_begin_array(out, "control");
    for (int c = 0; c < game->board.cells; c++)
        json_write_number(out, NULL, round((double)owners[c] * 1000) / 1000);
    json_end_array(out);
}

static void write_policy(JsonWriter *out, const View *view) {
    Action legal[GAME_LEGAL_MAX];
    double priors[GAME_LEGAL_MAX];
    const int count = find_priors(view, legal, priors);
    json_begin_object(out, "policy");
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        view->game->rules->format(view->game, view->state, legal[i], text);
        json_write_number(out, text, priors[i]);
    }
    json_end_object(out);
}

static void write_answer(FILE *file, const AnalysisQuery *query, const AnalysisTask *task,
                         const AnalysisReport *report) {
    JsonWriter out = {.out = file};
    const View view = {.game = task->game, .state = &task->state, .report = report};
    json_begin_object(&out, NULL);
    json_write_string(&out, "id", query->id);
    json_write_int(&out, "turnNumber", task->mark);
    json_write_bool(&out, "isDuringSearch", report->stage == ANALYSIS_RUNNING);
    if (report->error) {
        json_write_string(&out, "error", report->error);
        json_write_null(&out, "field");
    } else if (report->stage == ANALYSIS_UNTOUCHED) {
        json_write_bool(&out, "noResults", true);
    } else {
        write_root(&out, &view, query->seed);
        write_moves(&out, &view);
        if (query->include_control)
            write_control(&out, &view);
        if (query->include_policy)
            write_policy(&out, &view);
    }
    json_end_object(&out);
}

/* ---- Its life ---- */

static void answer(const AnalysisTask *task, const AnalysisReport *report) {
    AnalysisQuery *query = task->user;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file) {
        write_answer(file, query, task, report);
        fclose(file);
    }
    const bool running = report->stage == ANALYSIS_RUNNING;
    if (text)
        query->sink(query->user, text, length, running, false);
    free(text);
    /* Counted when the sink has it: another worker may free the query as soon as this turn does not count any more. */
    if (!running && atomic_fetch_sub(&query->left, 1) == 1) {
        query->sink(query->user, "", 0, false, true);
        query_free(query);
    }
}

/* A turn that could not be queued: its last answer says so. */
static void refuse(const AnalysisTask *task, const Error *error) {
    answer(task, &(AnalysisReport){.stage = ANALYSIS_UNTOUCHED, .error = error->text});
}

void query_start(AnalysisQuery *query, Analysis *analysis, QuerySink *sink, void *user) {
    const int count = query->turn_count; /* the query may be gone as soon as its last turn is queued */
    if (query->keep_tree)
        query_stop_id(analysis, query->id, NULL, 0); /* it looks on from where that one looked */
    query->sink = sink;
    query->user = user;
    atomic_init(&query->left, count);
    AnalysisTask task = {.game = query->line.game,
                         .player = query->player,
                         .simulations = query->simulations,
                         .seconds = query->seconds,
                         .report_interval = query->report_interval,
                         .keep_tree = query->keep_tree,
                         .priority = query->priority,
                         .seed = query->seed,
                         .report = answer,
                         .user = query};
    for (int i = 0; i < count; i++) {
        const int turn = query->turns[i];
        const bool end = turn == query->line.turns;
        game_copy(task.game, &task.state, end ? &query->line.end : &query->line.states[turn]);
        task.mark = turn;
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
    free(query);
}

/* The query of a task; NULL where the task is of somebody else (tools/play/komi_offer.c). */
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
    const char *id;
    const int64_t *turns;
    int count;
} Wanted;

static bool is_wanted(const AnalysisTask *task, const void *argument) {
    const Wanted *wanted = argument;
    const AnalysisQuery *query = query_of(task);
    if (!query || strcmp(query->id, wanted->id))
        return false;
    for (int i = 0; i < wanted->count; i++)
        if (wanted->turns[i] == task->mark)
            return true;
    return wanted->count == 0;
}

int query_stop_id(Analysis *analysis, const char *id, const int64_t *turns, int count) {
    return analysis_stop(analysis, is_wanted, &(Wanted){.id = id, .turns = turns, .count = count});
}
