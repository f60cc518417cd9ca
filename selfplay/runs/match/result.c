/* See result_internal.h. */
#include "selfplay/runs/match/result_internal.h"

#include "selfplay/io/json_value.h"
#include "selfplay/runs/match/run.h"

#include <stdlib.h>

/* ---- Summing up ---- */

/* Sums over all games. */
typedef struct Sums {
    int games, black_wins, duplicates, pairs;
    double turns, komi;
} Sums;

/* Games are the same where they have the same players on the same sides and the same moves up to symmetry. */
static bool sum_up_pairing(const Run *run, int pairing, Sums *sums, Error *error) {
    const RunGame **games;
    const int count = run_sorted_games(run, pairing, &games, error);
    for (int i = 0; i < count; i++) {
        sums->games++;
        sums->black_wins += games[i]->winner == BLACK;
        sums->turns += games[i]->turns;
        sums->komi += games[i]->komi;
        sums->duplicates += run_repeats(games, i);
    }
    free(games);
    sums->pairs += (int)pairs_total(match_pairing_counts(run, pairing));
    return count >= 0;
}

/* ---- Parts ---- */

static void add_estimate(cJSON *json, const char *key, EloEstimate elo) {
    cJSON *item = cJSON_AddObjectToObject(json, key);
    document_add_number(item, "estimate", elo.estimate);
    document_add_interval(item, "ci95", elo.ci95);
}

/* What the pairs of two players say. */
static bool add_pairs(cJSON *json, const Run *run, int pairing, Error *error) {
    const PairCounts counts = match_pairing_counts(run, pairing);
    PairCounts effective;
    if (!match_effective_counts(run, pairing, &effective, error))
        return false;
    cJSON *scores = cJSON_AddObjectToObject(json, "pair_scores");
    cJSON_AddNumberToObject(scores, "0", counts.count[0]);
    cJSON_AddNumberToObject(scores, "0.5", counts.count[1]);
    cJSON_AddNumberToObject(scores, "1", counts.count[2]);
    document_add_number(json, "score", elo_score(counts));
    document_add_number(json, "effective_pairs", pairs_total(effective));
    add_estimate(json, "elo", elo_of_pairs(effective));
    add_estimate(json, "normalized_elo", elo_normalized(effective));
    return true;
}

static void add_test(cJSON *json, const Run *run) {
    const Sprt *sprt = &match_state(run)->sprt;
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
    cJSON_AddNumberToObject(item, "more_games", run->keeps_all ? run_played(run) - run_counted(run) : 0);
}

/* A session that ends between the verdict and the sorting of its records leaves what other threads have played beyond
 * it. The next one must tell these games from those of before the test. */
bool match_resume(Run *run, const cJSON *document, Error *error) {
    const MatchConfig *config = match_config(run);
    const cJSON *test = json_get(document, "sprt");
    double elo0, elo1, more;
    (void)error;
    run->drops_rest = config->sprt && json_get_number(test, "elo0", &elo0) && json_get_number(test, "elo1", &elo1) &&
                      json_get_number(test, "more_games", &more) && elo0 == config->elo0 && elo1 == config->elo1 &&
                      more == 0;
    return true;
}

static void add_reasons(cJSON *json, const char *key, const int *counts) {
    cJSON *item = cJSON_AddObjectToObject(json, key);
    for (EndReason reason = 0; reason < END_REASONS; reason++)
        cJSON_AddNumberToObject(item, end_reason_names[reason], counts[reason]);
}

static cJSON *tally_to_json(const Run *run, int player) {
    const MatchTally tally = match_tally(run, player);
    static const char *const sides[] = {"black", "white"};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "player", match_config(run)->players[player].player.name);
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

static cJSON *timing_to_json(const Run *run, int player) {
    const MatchTiming *timing = &match_state(run)->timing[player];
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "player", match_config(run)->players[player].player.name);
    cJSON_AddNumberToObject(json, "moves", timing->moves);
    document_add_number(json, "seconds", timing->seconds);
    cJSON_AddNumberToObject(json, "seconds_per_move", timing->moves > 0 ? timing->seconds / timing->moves : 0);
    document_add_number(json, "longest", timing->longest);
    cJSON_AddNumberToObject(json, "overruns", timing->overruns);
    return json;
}

cJSON *match_timing(const Run *run) {
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < match_config(run)->count; i++)
        json_add(array, NULL, timing_to_json(run, i));
    return array;
}

static void add_players(cJSON *json, const Run *run) {
    cJSON *results = cJSON_AddArrayToObject(json, "results");
    for (int i = 0; i < match_config(run)->count; i++)
        json_add(results, NULL, tally_to_json(run, i));
    json_add(json, "timing", match_timing(run));
}

/* Of more than two players: the ratings, and each pairing. Before every player has met others there are no ratings. */
static bool add_table(cJSON *json, const Run *run, Error *error) {
    EloEstimate ratings[MATCH_PLAYERS_MAX];
    cJSON *table = cJSON_AddArrayToObject(json, "ratings");
    for (int i = 0; match_run_ratings(run, ratings, NULL) && i < match_config(run)->count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "player", match_config(run)->players[i].player.name);
        document_add_number(item, "estimate", ratings[i].estimate);
        document_add_interval(item, "ci95", ratings[i].ci95);
        json_add(table, NULL, item);
    }
    cJSON *pairings = cJSON_AddArrayToObject(json, "pairings");
    for (int i = 0; i < run->group_count; i++) {
        const MatchPairing *pairing = &match_state(run)->pairings[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "a", match_config(run)->players[pairing->a].player.name);
        cJSON_AddStringToObject(item, "b", match_config(run)->players[pairing->b].player.name);
        const bool good = add_pairs(item, run, i, error);
        json_add(pairings, NULL, item);
        if (!good)
            return false;
    }
    return true;
}

/* ---- The document ---- */

cJSON *match_result(const Run *run, const DocumentContext *context, Error *error) {
    static const char *const keys[] = {"game", "size", "komi", "players", "seed", "openings", NULL};
    Sums sums = {0};
    for (int i = 0; i < run->group_count; i++)
        if (!sum_up_pairing(run, i, &sums, error))
            return NULL;
    const double games = sums.games > 0 ? sums.games : 1;
    cJSON *json = run_begin_document(run, context, keys);
    cJSON_AddNumberToObject(json, "games", sums.games);
    cJSON_AddNumberToObject(json, "pairs", sums.pairs);
    cJSON_AddNumberToObject(json, "black_wins", sums.black_wins);
    document_add_number(json, "duplicate_share", sums.duplicates / games);
    document_add_number(json, "mean_turns", sums.turns / games);
    document_add_number(json, "mean_komi", sums.komi / games);
    if (!(match_config(run)->count == 2 ? add_pairs(json, run, 0, error) : add_table(json, run, error))) {
        cJSON_Delete(json);
        return NULL;
    }
    if (match_config(run)->sprt)
        add_test(json, run);
    add_players(json, run);
    return json;
}

static MatchTiming read_timing(const cJSON *item) {
    MatchTiming timing;
    json_get_number(item, "moves", &timing.moves);
    json_get_number(item, "seconds", &timing.seconds);
    json_get_number(item, "longest", &timing.longest);
    json_get_number(item, "overruns", &timing.overruns);
    return timing;
}

void match_add_timing(Run *run, const cJSON *array) {
    MatchState *state = run->state;
    for (int i = 0; i < match_config(run)->count; i++) {
        const MatchTiming more = read_timing(cJSON_GetArrayItem(array, i));
        MatchTiming *timing = &state->timing[i];
        timing->moves += more.moves;
        timing->seconds += more.seconds;
        timing->longest = more.longest > timing->longest ? more.longest : timing->longest;
        timing->overruns += more.overruns;
    }
}
