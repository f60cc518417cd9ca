/* The answers to a query, as JSON. See query.h; tools/docs/analysis.md describes every field. */
#include "engine/base/rng.h"
#include "selfplay/analysis/lead.h"
#include "selfplay/analysis/priors.h"
#include "selfplay/analysis/query_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    VARIATION_MAX = 64,  /* actions of a principal variation */
    STDEV_PLAYOUTS = 128 /* that scoreStdev is measured with */
};

/* A position and what the search found about it. */
typedef struct View {
    const Game *game;
    const GameState *state;
    const AnalysisReport *report;
} View;

/* The colour of the side to move. After a swap it differs from the player's number. */
static Side colour_to_move(const View *view) {
    return game_colour(view->game, view->state, view->game->rules->to_move(view->state));
}

static double blacks_chance(const View *view, double of_mover) {
    return colour_to_move(view) == BLACK ? of_mover : 1 - of_mover;
}

/* The margin of the player who has the black stones now, from that of the player who began. */
static double blacks_margin(const View *view, double of_first) {
    return game_colour(view->game, view->state, BLACK) == BLACK ? of_first : -of_first;
}

/* The lead of the player who has the black stones now, as it is told. */
static double blacks_lead(const View *view, double margin, double win_rate, bool proven) {
    const double sign = view->game->rules->to_move(view->state) == BLACK ? 1 : -1;
    return blacks_margin(view, sign * analysis_lead(sign * margin, win_rate, proven));
}

/* Writes the turn that begins with actions[0] in `state`, and plays it there. Returns how many actions it has. If the
 * actions do not complete the turn, or `state` is already within one, the text is a list of actions. */
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

/* The standard deviation of the final score in playouts from the position, in points. */
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
        const double margin = 0.5 * results[i].half_points;
        sum += margin;
        squares += margin * margin;
    }
    free(results);
    const double mean = sum / STDEV_PLAYOUTS;
    return sqrt(fmax(0, squares / STDEV_PLAYOUTS - mean * mean));
}

/* What the search's evaluator says of the position, or playouts where it says nothing; 0 where the game is over. */
static double final_deviation(const View *view, uint64_t seed) {
    const double known = view->report->summary.deviation;
    if (view->game->rules->over(view->state))
        return 0;
    return known > 0 ? known : score_deviation(view, seed);
}

/* KataGo's clients read `visits`. */
static void add_sims(cJSON *out, uint64_t simulations) {
    cJSON_AddNumberToObject(out, "sims", (double)simulations);
    cJSON_AddNumberToObject(out, "visits", (double)simulations);
}

static void add_root(cJSON *answer, const AnalysisQuery *query, const View *view) {
    const SearchSummary *summary = &view->report->summary;
    cJSON *out = cJSON_AddObjectToObject(answer, "rootInfo");
    cJSON_AddStringToObject(out, "currentPlayer", colour_to_move(view) == BLACK ? "B" : "W");
    add_sims(out, summary->simulations);
    json_add_number(out, "winrate", blacks_chance(view, summary->win_rate));
    if (view->game->has_points) {
        json_add_number(out, "scoreLead", blacks_lead(view, summary->margin, summary->win_rate, summary->proven));
        json_add_number(out, "scoreStdev", final_deviation(view, query->task.seed));
    } else {
        cJSON_AddNullToObject(out, "scoreLead");
        cJSON_AddNullToObject(out, "scoreStdev");
    }
    cJSON_AddBoolToObject(out, "proven", summary->proven);
}

static void add_variation(cJSON *out, const AnalysisQuery *query, const View *view, Action first) {
    const Game *game = view->game;
    Action actions[VARIATION_MAX];
    const int count = search_variation(view->report->search, first, actions, VARIATION_MAX);
    char text[GAME_TEXT_MAX];
    GameState state;
    bool complete;
    game_copy(game, &state, view->state);
    format_part(game, &state, actions, count, text, &complete);
    cJSON_AddStringToObject(out, "move", text);
    if (!complete)
        cJSON_AddBoolToObject(out, "partial", true);
    game_copy(game, &state, view->state);
    game->rules->format(game, &state, first, text);
    cJSON_AddStringToObject(out, "action", text);
    cJSON *variation = cJSON_AddArrayToObject(out, "pv");
    for (int i = 0, turns = 0; i < count && turns <= query->pv_length && !game->rules->over(&state); turns++) {
        i += format_part(game, &state, actions + i, count - i, text, &complete);
        json_add(variation, NULL, cJSON_CreateString(text));
    }
}

static double prior_of(Action action, const Action *actions, const double *priors, int count) {
    for (int i = 0; i < count; i++)
        if (actions[i] == action)
            return priors[i];
    return 0;
}

static void add_moves(cJSON *answer, const AnalysisQuery *query, const View *view) {
    cJSON *list = cJSON_AddArrayToObject(answer, "moveInfos");
    SearchMove moves[GAME_LEGAL_MAX];
    Action legal[GAME_LEGAL_MAX];
    double priors[GAME_LEGAL_MAX];
    const int legal_count = analysis_priors(view->game, view->state, view->report->search, legal, priors);
    const int count = view->report->search ? search_moves(view->report->search, moves, GAME_LEGAL_MAX) : 0;
    for (int i = 0, order = 0; i < count; i++) {
        if (i > 0 && moves[i].visits == 0) /* not looked at; moves that are proven lost come after these */
            continue;
        cJSON *out = cJSON_CreateObject();
        analysis_fill_in(&moves[i], &view->report->summary);
        add_variation(out, query, view, moves[i].action);
        add_sims(out, moves[i].visits);
        json_add_number(out, "winrate", blacks_chance(view, moves[i].win_rate));
        if (view->game->has_points)
            json_add_number(out, "scoreLead", blacks_lead(view, moves[i].margin, moves[i].win_rate, moves[i].proven));
        else
            cJSON_AddNullToObject(out, "scoreLead");
        json_add_number(out, "prior", prior_of(moves[i].action, legal, priors, legal_count));
        cJSON_AddBoolToObject(out, "proven", moves[i].proven);
        cJSON_AddNumberToObject(out, "order", order++);
        json_add(list, NULL, out);
    }
}

/* Who will own each cell in the end, as `control` (0 to 1) and as KataGo's `ownership` (-1 to 1). In a finished game:
 * who owns it. */
static void add_control(cJSON *out, const AnalysisQuery *query, const View *view) {
    const Game *game = view->game;
    float owners[HEXHEX_MAX_CELLS];
    if (view->report->search) {
        search_owners(view->report->search, owners);
        for (int c = 0; c < game->board.cells && game_colour(game, view->state, BLACK) == WHITE; c++)
            owners[c] = 1 - owners[c];
    } else {
        uint8_t now[HEXHEX_MAX_CELLS];
        game_owners(game, view->state, now);
        for (int c = 0; c < game->board.cells; c++)
            owners[c] = now[c] == 1 ? 1.0f : now[c] == 2 ? 0.0f : 0.5f;
    }
    cJSON *control = query->include_control ? cJSON_AddArrayToObject(out, "control") : NULL;
    cJSON *ownership = query->include_ownership ? cJSON_AddArrayToObject(out, "ownership") : NULL;
    for (int c = 0; c < game->board.cells; c++) {
        const double share = round((double)owners[c] * 1000) / 1000;
        if (control)
            json_add_number(control, NULL, share);
        if (ownership)
            json_add_number(ownership, NULL, 2 * share - 1);
    }
}

static void add_policy(cJSON *out, const View *view) {
    Action legal[GAME_LEGAL_MAX];
    double priors[GAME_LEGAL_MAX];
    const int count = analysis_priors(view->game, view->state, view->report->search, legal, priors);
    cJSON *policy = cJSON_AddObjectToObject(out, "policy");
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        view->game->rules->format(view->game, view->state, legal[i], text);
        json_add_number(policy, text, priors[i]);
    }
}

cJSON *query_answer_to_json(const AnalysisQuery *query, const AnalysisTask *task, const AnalysisReport *report) {
    const View view = {.game = task->game, .state = &task->state, .report = report};
    cJSON *out = cJSON_CreateObject();
    json_add_text(out, "id", query->id);
    cJSON_AddNumberToObject(out, "turnNumber", (double)task->mark);
    cJSON_AddBoolToObject(out, "isDuringSearch", report->stage == ANALYSIS_RUNNING);
    if (report->error) {
        json_add_text(out, "error", report->error->text);
        cJSON_AddNullToObject(out, "field");
    } else if (report->stage == ANALYSIS_UNTOUCHED) {
        cJSON_AddBoolToObject(out, "noResults", true);
    } else {
        add_root(out, query, &view);
        add_moves(out, query, &view);
        if (query->include_control || query->include_ownership)
            add_control(out, query, &view);
        if (query->include_policy)
            add_policy(out, &view);
    }
    return out;
}
