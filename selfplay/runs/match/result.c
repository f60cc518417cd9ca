/* See result.h. */
#include "selfplay/runs/match/result.h"

#include <stdlib.h>

static const DocumentSchema schema = {"stigmergy-match", 1, "a match"};

/* ---- Summing up ---- */

/* Adds a game to the tally of the player who had `side` in it. */
static void add_game(MatchTally *tally, const MatchGame *game, Side side) {
    const bool won = game->winner == side;
    tally->games[side]++;
    tally->wins[side] += won;
    (won ? tally->won_by : tally->lost_by)[game->reason]++;
    tally->moves += game->moves[side];
    tally->simulations += (double)game->simulations[side];
}

MatchTally match_tally(const MatchRun *run, int player) {
    MatchTally tally = {.moves = 0};
    for (int i = 0; i < run->pairing_count; i++) {
        const MatchPairing *pairing = &run->pairings[i];
        for (int number = 0; number < pairing->end; number++) {
            const MatchGame *game = match_game(run, pairing, number);
            if (game && pairing->a == player)
                add_game(&tally, game, number % 2 ? WHITE : BLACK);
            if (game && pairing->b == player)
                add_game(&tally, game, number % 2 ? BLACK : WHITE);
        }
    }
    return tally;
}

/* Sums over all games. */
typedef struct Sums {
    int games, black_wins, duplicates, pairs;
    double turns, komi;
} Sums;

/* Games are the same where they have the same players on the same sides and the same moves up to symmetry. */
static int compare_hashes(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static bool sum_up_pairing(const MatchRun *run, const MatchPairing *pairing, Sums *sums, Error *error) {
    uint64_t *hashes = malloc(((size_t)pairing->end + 1) * sizeof *hashes);
    int count = 0;
    if (!hashes)
        return error_set(error, "out of memory for %d games", pairing->end);
    for (int number = 0; number < pairing->end; number++) {
        const MatchGame *game = match_game(run, pairing, number);
        if (!game)
            continue;
        hashes[count++] = game->hash ^ (uint64_t)(number % 2);
        sums->games++;
        sums->black_wins += game->winner == BLACK;
        sums->turns += game->turns;
        sums->komi += game->komi;
    }
    qsort(hashes, (size_t)count, sizeof *hashes, compare_hashes);
    for (int i = 1; i < count; i++)
        sums->duplicates += hashes[i] == hashes[i - 1];
    free(hashes);
    const PairCounts counts = match_pairing_counts(run, pairing);
    sums->pairs += (int)(counts.count[0] + counts.count[1] + counts.count[2]);
    return true;
}

/* ---- Parts ---- */

static void add_estimate(cJSON *json, const char *key, EloEstimate elo) {
    cJSON *item = cJSON_AddObjectToObject(json, key);
    document_add_number(item, "estimate", elo.estimate);
    document_add_interval(item, "ci95", elo.ci95);
}

/* What the pairs of two players say. */
static void add_pairs(cJSON *json, PairCounts counts) {
    cJSON *scores = cJSON_AddObjectToObject(json, "pair_scores");
    cJSON_AddNumberToObject(scores, "0", counts.count[0]);
    cJSON_AddNumberToObject(scores, "0.5", counts.count[1]);
    cJSON_AddNumberToObject(scores, "1", counts.count[2]);
    document_add_number(json, "score", elo_score(counts));
    add_estimate(json, "elo", elo_of_pairs(counts));
    add_estimate(json, "normalized_elo", elo_normalized(counts));
}

static void add_test(cJSON *json, const Sprt *sprt) {
    static const char *const verdicts[] = {"running", "H0 accepted", "H1 accepted"};
    cJSON *item = cJSON_AddObjectToObject(json, "sprt");
    cJSON_AddNumberToObject(item, "elo0", sprt->elo0);
    cJSON_AddNumberToObject(item, "elo1", sprt->elo1);
    cJSON_AddStringToObject(item, "scale", "normalized Elo");
    cJSON_AddNumberToObject(item, "alpha", SPRT_ALPHA);
    cJSON_AddNumberToObject(item, "beta", SPRT_BETA);
    document_add_number(item, "llr", sprt->llr);
    document_add_interval(item, "bounds", (Interval){sprt_lower_bound(), sprt_upper_bound()});
    cJSON_AddStringToObject(item, "verdict", verdicts[sprt->verdict]);
}

static void add_reasons(cJSON *json, const char *key, const int *counts) {
    cJSON *item = cJSON_AddObjectToObject(json, key);
    for (EndReason reason = 0; reason < END_REASONS; reason++)
        cJSON_AddNumberToObject(item, end_reason_names[reason], counts[reason]);
}

static cJSON *tally_to_json(const MatchRun *run, int player) {
    const MatchTally tally = match_tally(run, player);
    static const char *const sides[] = {"black", "white"};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "player", run->config.players[player].player.name);
    cJSON_AddNumberToObject(json, "games", tally.games[BLACK] + tally.games[WHITE]);
    cJSON_AddNumberToObject(json, "wins", tally.wins[BLACK] + tally.wins[WHITE]);
    for (Side side = BLACK; side <= WHITE; side++) {
        cJSON *item = cJSON_AddObjectToObject(json, sides[side]);
        cJSON_AddNumberToObject(item, "games", tally.games[side]);
        cJSON_AddNumberToObject(item, "wins", tally.wins[side]);
    }
    add_reasons(json, "won_by", tally.won_by);
    add_reasons(json, "lost_by", tally.lost_by);
    cJSON_AddNumberToObject(json, "moves", tally.moves);
    document_add_number(json, "sims_per_move", tally.moves > 0 ? tally.simulations / tally.moves : 0);
    return json;
}

static cJSON *timing_to_json(const MatchRun *run, int player) {
    const MatchTiming *timing = &run->timing[player];
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "player", run->config.players[player].player.name);
    cJSON_AddNumberToObject(json, "moves", timing->moves);
    document_add_number(json, "seconds", timing->seconds);
    cJSON_AddNumberToObject(json, "seconds_per_move", timing->moves > 0 ? timing->seconds / timing->moves : 0);
    document_add_number(json, "longest", timing->longest);
    cJSON_AddNumberToObject(json, "overruns", timing->overruns);
    return json;
}

cJSON *match_timing_to_json(const MatchRun *run) {
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < run->config.count; i++)
        cJSON_AddItemToArray(array, timing_to_json(run, i));
    return array;
}

static void add_players(cJSON *json, const MatchRun *run) {
    cJSON *results = cJSON_AddArrayToObject(json, "results");
    for (int i = 0; i < run->config.count; i++)
        cJSON_AddItemToArray(results, tally_to_json(run, i));
    cJSON_AddItemToObject(json, "timing", match_timing_to_json(run));
}

/* Of more than two players: the ratings, and each pairing. Before every player has met others there are no ratings. */
static void add_table(cJSON *json, const MatchRun *run) {
    EloEstimate ratings[MATCH_PLAYERS_MAX];
    cJSON *table = cJSON_AddArrayToObject(json, "ratings");
    for (int i = 0; match_run_ratings(run, ratings, NULL) && i < run->config.count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "player", run->config.players[i].player.name);
        document_add_number(item, "estimate", ratings[i].estimate);
        document_add_interval(item, "ci95", ratings[i].ci95);
        cJSON_AddItemToArray(table, item);
    }
    cJSON *pairings = cJSON_AddArrayToObject(json, "pairings");
    for (int i = 0; i < run->pairing_count; i++) {
        const MatchPairing *pairing = &run->pairings[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "a", run->config.players[pairing->a].player.name);
        cJSON_AddStringToObject(item, "b", run->config.players[pairing->b].player.name);
        add_pairs(item, match_pairing_counts(run, pairing));
        cJSON_AddItemToArray(pairings, item);
    }
}

/* ---- The document ---- */

static void add_settings(cJSON *json, const MatchRun *run) {
    const MatchConfig *config = &run->config;
    cJSON *identity = match_config_identity(config);
    static const char *const copied[] = {"game", "size", "komi", "players", "seed", "openings"};
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++)
        cJSON_AddItemToObject(json, copied[i],
                              cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(identity, copied[i]), true));
    cJSON_AddStringToObject(json, "run", run->hash);
    cJSON_AddItemToObject(json, "settings", identity);
}

cJSON *match_result(const MatchRun *run, const DocumentContext *context, Error *error) {
    Sums sums = {0};
    for (int i = 0; i < run->pairing_count; i++)
        if (!sum_up_pairing(run, &run->pairings[i], &sums, error))
            return NULL;
    const double games = sums.games > 0 ? sums.games : 1;
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &schema);
    add_settings(json, run);
    document_add_context(json, context);
    cJSON_AddNumberToObject(json, "games", sums.games);
    cJSON_AddNumberToObject(json, "pairs", sums.pairs);
    cJSON_AddNumberToObject(json, "black_wins", sums.black_wins);
    document_add_number(json, "duplicate_share", sums.duplicates / games);
    document_add_number(json, "mean_turns", sums.turns / games);
    document_add_number(json, "mean_komi", sums.komi / games);
    if (run->config.count == 2)
        add_pairs(json, match_pairing_counts(run, &run->pairings[0]));
    else
        add_table(json, run);
    if (run->config.sprt)
        add_test(json, &run->sprt);
    add_players(json, run);
    return json;
}

bool match_result_write(const MatchRun *run, const DocumentContext *context, const char *path, Error *error) {
    cJSON *json = match_result(run, context, error);
    return json && document_write(json, path, error);
}

static double number_of(const cJSON *json, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static MatchTiming read_timing(const cJSON *item) {
    return (MatchTiming){.moves = number_of(item, "moves"),
                         .seconds = number_of(item, "seconds"),
                         .longest = number_of(item, "longest"),
                         .overruns = number_of(item, "overruns")};
}

void match_timing_add(MatchRun *run, const cJSON *array) {
    for (int i = 0; i < run->config.count; i++) {
        const MatchTiming more = read_timing(cJSON_GetArrayItem(array, i));
        MatchTiming *timing = &run->timing[i];
        timing->moves += more.moves;
        timing->seconds += more.seconds;
        timing->longest = more.longest > timing->longest ? more.longest : timing->longest;
        timing->overruns += more.overruns;
    }
}

bool match_result_resume(const char *path, const MatchConfig *config, DocumentContext *context, MatchTiming *timing,
                         Error *error) {
    cJSON *identity = match_config_identity(config), *document;
    const bool good = document_resume(path, &schema, identity, context, &document, error);
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(document, "timing");
    for (int i = 0; good && i < config->count; i++)
        timing[i] = read_timing(cJSON_GetArrayItem(array, i));
    cJSON_Delete(document);
    cJSON_Delete(identity);
    return good;
}
