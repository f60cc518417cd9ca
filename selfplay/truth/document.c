/* See judge.h: the result document. */
#include "selfplay/io/json.h"
#include "selfplay/truth/judge.h"

const DocumentSchema truth_schema = {"stigmergy-truth", 1, "a judgement by known positions"};

/* A number without needless digits, or null where nothing was counted. */
static void add_mean(cJSON *json, const char *key, double value, int count) {
    if (count > 0)
        document_add_number(json, key, value);
    else
        cJSON_AddNullToObject(json, key);
}

static void add_score(cJSON *json, const TruthScore *score) {
    cJSON_AddNumberToObject(json, "positions", score->positions);
    cJSON_AddNumberToObject(json, "choices", score->choices);
    cJSON_AddNumberToObject(json, "kept", score->kept);
    add_mean(json, "keeps_win", score->choices ? (double)score->kept / score->choices : 0, score->choices);
    document_add_interval(json, "ci95", wilson_interval(score->kept, score->choices));
    cJSON_AddNumberToObject(json, "questions", score->questions);
    add_mean(json, "brier", truth_brier(score), score->questions);
    add_mean(json, "margin_error", truth_margin_error(score), score->questions);
}

static void add_bins(cJSON *json, const Game *game, const TruthScore bins[TRUTH_BINS]) {
    const int width = truth_bin_width(game);
    cJSON *list = cJSON_AddArrayToObject(json, "by_empty");
    for (int i = 0; i * width <= game->board.cells; i++) {
        const int last = (i + 1) * width - 1;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "from", i * width);
        cJSON_AddNumberToObject(item, "to", last < game->board.cells ? last : game->board.cells);
        add_score(item, &bins[i]);
        json_add(list, NULL, item);
    }
}

static void add_rates(cJSON *json, const TruthRate rates[TRUTH_RATES]) {
    cJSON *list = cJSON_AddArrayToObject(json, "reliability");
    for (int i = 0; i < TRUTH_RATES; i++) {
        const TruthRate *rate = &rates[i];
        cJSON *item = cJSON_CreateObject();
        document_add_number(item, "from", (double)i / TRUTH_RATES);
        document_add_number(item, "to", (double)(i + 1) / TRUTH_RATES);
        cJSON_AddNumberToObject(item, "questions", rate->questions);
        add_mean(item, "mean_win_rate", rate->questions ? rate->rate / rate->questions : 0, rate->questions);
        cJSON_AddNumberToObject(item, "won", rate->won);
        json_add(list, NULL, item);
    }
}

/* The positions whose win was given away, as line numbers of the file: the first line has none. */
static void add_missed(cJSON *json, const TruthJudgement *judgement) {
    cJSON *list = cJSON_AddArrayToObject(json, "missed");
    for (int i = 0; i < judgement->all.choices - judgement->all.kept; i++)
        json_add(list, NULL, cJSON_CreateNumber(judgement->missed[i] + 2));
}

static cJSON *judgement_to_json(const Game *game, const TruthJudgement *judgement) {
    cJSON *json = cJSON_CreateObject();
    effort_add(json, judgement->effort);
    cJSON *all = cJSON_AddObjectToObject(json, "all");
    add_score(all, &judgement->all);
    add_bins(json, game, judgement->bins);
    add_rates(json, judgement->rates);
    add_missed(json, judgement);
    return json;
}

cJSON *truth_document(const TruthJudge *judge, const TruthSet *set, const char *source,
                      const TruthJudgement judgements[TRUTH_EFFORTS_MAX], const DocumentContext *context) {
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &truth_schema);
    cJSON_AddStringToObject(json, "game", set->game->name);
    cJSON_AddNumberToObject(json, "size", set->game->board.size);
    json_add(json, "player", player_to_json(&judge->player));
    document_add_u64(json, "seed", judge->seed);
    cJSON_AddBoolToObject(json, "solver", judge->solver);
    cJSON *positions = cJSON_AddObjectToObject(json, "positions");
    cJSON_AddStringToObject(positions, "file", source);
    cJSON_AddStringToObject(positions, "hash", set->hash);
    cJSON_AddNumberToObject(positions, "count", judgements[0].all.positions);
    document_add_context(json, context);
    cJSON *list = cJSON_AddArrayToObject(json, "efforts");
    for (int i = 0; i < judge->effort_count; i++)
        json_add(list, NULL, judgement_to_json(set->game, &judgements[i]));
    return json;
}
