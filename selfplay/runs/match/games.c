/* The games of a match summed up (run.h). */
#include "selfplay/runs/match/games_internal.h"

bool match_has_verdict(const Run *run) {
    return match_config(run)->sprt && match_state(run)->sprt.verdict != SPRT_RUNNING;
}

int match_end_of(const Run *run, int pairing) {
    return match_has_verdict(run) ? 2 * match_state(run)->sprt_next : run->groups[pairing].planned;
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

bool match_run_ratings(const Run *run, EloEstimate ratings[MATCH_PLAYERS_MAX], Error *error) {
    PairingCounts counts[MATCH_PAIRINGS_MAX];
    for (int i = 0; i < run->group_count; i++) {
        const MatchPairing *pairing = &match_state(run)->pairings[i];
        counts[i] = (PairingCounts){pairing->a, pairing->b, match_pairing_counts(run, i)};
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
