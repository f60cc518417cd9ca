/* The games of a match summed up (run.h). */
#include "selfplay/runs/match/games_internal.h"

#include "selfplay/stats/design_effect.h"

#include <stdlib.h>

bool match_has_verdict(const Run *run) {
    return match_config(run)->sprt && match_state(run)->sprt.verdict != SPRT_RUNNING;
}

int match_end_of(const Run *run, int pairing) {
    return match_has_verdict(run) ? 2 * match_state(run)->sprt_next : run->groups[pairing].room;
}

int match_pair_score(const Run *run, int pairing, int pair) {
    const RunGame *as_black = run_game(run, (GameId){pairing, 2 * pair});
    const RunGame *as_white = run_game(run, (GameId){pairing, 2 * pair + 1});
    return as_black && as_white ? (as_black->winner == BLACK) + (as_white->winner == WHITE) : -1;
}

PairCounts match_pairing_counts(const Run *run, int pairing) {
    PairCounts counts = {{0}};
    for (int pair = 0; 2 * pair < run_end_of(run, pairing); pair++) {
        const int score = match_pair_score(run, pairing, pair);
        if (score >= 0)
            counts.count[score] += 1;
    }
    return counts;
}

/* ---- Pairs that are equal ---- */

/* What both games of a pair were. */
typedef struct PairLine {
    uint64_t hash[2];
    int komi;
} PairLine;

static int compare_lines(const void *left, const void *right) {
    const PairLine *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->hash[i] != b->hash[i])
            return a->hash[i] > b->hash[i] ? 1 : -1;
    return (a->komi > b->komi) - (a->komi < b->komi);
}

/* Whether it is known to play by chance. An external engine may be without: Stigmergy with a network is. */
static bool plays_by_chance(const MatchPlayer *player) {
    return !player->command[0] && player_plays_by_chance(&player->player);
}

/* The lines of the complete pairs, sorted; returns how many there are. */
static int sort_lines(const Run *run, int pairing, PairLine *lines) {
    int count = 0;
    for (int pair = 0; 2 * pair < run_end_of(run, pairing); pair++) {
        if (match_pair_score(run, pairing, pair) < 0)
            continue;
        const RunGame *as_black = run_game(run, (GameId){pairing, 2 * pair});
        const RunGame *as_white = run_game(run, (GameId){pairing, 2 * pair + 1});
        lines[count++] = (PairLine){{as_black->hash, as_white->hash}, as_black->komi};
    }
    qsort(lines, (size_t)count, sizeof *lines, compare_lines);
    return count;
}

bool match_effective_counts(const Run *run, int pairing, PairCounts *counts, Error *error) {
    const MatchPairing *players = &match_state(run)->pairings[pairing];
    const MatchConfig *config = match_config(run);
    *counts = match_pairing_counts(run, pairing);
    if (plays_by_chance(&config->players[players->a]) || plays_by_chance(&config->players[players->b]))
        return true;
    PairLine *lines = malloc(((size_t)run_end_of(run, pairing) / 2 + 1) * sizeof *lines);
    if (!lines)
        return error_set(error, "out of memory for %d pairs", run_end_of(run, pairing) / 2);
    ClusterSizes sizes = {0};
    const int count = sort_lines(run, pairing, lines);
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && compare_lines(&lines[i], &lines[next]) == 0;)
            next++;
        cluster_add(&sizes, next - i);
    }
    for (int score = 0; score < 3; score++)
        counts->count[score] /= cluster_design_effect(&sizes);
    free(lines);
    return true;
}

bool match_run_ratings(const Run *run, EloEstimate ratings[MATCH_PLAYERS_MAX], Error *error) {
    PairingCounts counts[MATCH_PAIRINGS_MAX];
    for (int i = 0; i < run->group_count; i++) {
        const MatchPairing *pairing = &match_state(run)->pairings[i];
        counts[i] = (PairingCounts){.a = pairing->a, .b = pairing->b};
        if (!match_effective_counts(run, i, &counts[i].pairs, error))
            return false;
    }
    return bradley_terry(match_config(run)->count, counts, run->group_count, ratings, error);
}

/* Adds a game to the tally of the player who had `side` in it. */
static void add_game(MatchTally *tally, const RunGame *game, Side side) {
    const bool won = game->winner == side;
    tally->games[side]++;
    tally->wins[side] += won;
    (won ? tally->won_by : tally->lost_by)[game->reason]++;
    tally->moves += game->moves[side];
    tally->simulations += (double)game->simulations[side];
}

MatchTally match_tally(const Run *run, int player) {
    MatchTally tally = {.moves = 0};
    for (int i = 0; i < run->group_count; i++) {
        const MatchPairing *pairing = &match_state(run)->pairings[i];
        for (int number = 0; number < run_end_of(run, i); number++) {
            const RunGame *game = run_game(run, (GameId){i, number});
            if (game && pairing->a == player)
                add_game(&tally, game, number % 2 ? WHITE : BLACK);
            if (game && pairing->b == player)
                add_game(&tally, game, number % 2 ? BLACK : WHITE);
        }
    }
    return tally;
}
