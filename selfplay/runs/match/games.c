/* See games.h. */
#include "selfplay/runs/match/games.h"

#include "engine/base/rng.h"

#include <stdlib.h>

/* Block k holds the BLOCK * 2^k games from number BLOCK * (2^k - 1) on. */
enum { BLOCK = 64 };

/* ---- What counts ---- */

/* The place of a game, where there is room for it. */
static MatchGame *place_of(const MatchPairing *pairing, int number) {
    int block = 0, size = BLOCK;
    for (; number >= size; size *= 2, block++)
        number -= size;
    return pairing->blocks[block] ? &pairing->blocks[block][number] : NULL;
}

const MatchGame *match_find_game(const MatchPairing *pairing, int number) {
    const MatchGame *game = place_of(pairing, number);
    return game && game->played ? game : NULL;
}

bool match_has_verdict(const MatchRun *run) {
    return run->config.sprt && run->sprt.verdict != SPRT_RUNNING;
}

const MatchGame *match_game(const MatchRun *run, const MatchPairing *pairing, int number) {
    return !match_has_verdict(run) || number < 2 * run->sprt_next ? match_find_game(pairing, number) : NULL;
}

int match_pair_score(const MatchPairing *pairing, int pair) {
    const MatchGame *as_black = match_find_game(pairing, 2 * pair), *as_white = match_find_game(pairing, 2 * pair + 1);
    return as_black && as_white ? (as_black->winner == BLACK) + (as_white->winner == WHITE) : -1;
}

PairCounts match_pairing_counts(const MatchRun *run, const MatchPairing *pairing) {
    PairCounts counts = {{0}};
    for (int pair = 0; 2 * pair < pairing->end; pair++) {
        const int score = match_pair_score(pairing, pair);
        if (score >= 0 && match_game(run, pairing, 2 * pair))
            counts.count[score] += 1;
    }
    return counts;
}

int match_run_played(const MatchRun *run) {
    if (match_has_verdict(run))
        return 2 * run->sprt_next;
    int played = 0;
    for (int i = 0; i < run->pairing_count; i++)
        played += run->pairings[i].played;
    return played;
}

int64_t match_run_wanted(const MatchRun *run) {
    return match_has_verdict(run) ? 2 * run->sprt_next : run->config.games * run->pairing_count;
}

bool match_run_ratings(const MatchRun *run, EloEstimate ratings[MATCH_PLAYERS_MAX], Error *error) {
    PairingCounts counts[MATCH_PAIRINGS_MAX];
    for (int i = 0; i < run->pairing_count; i++)
        counts[i] =
            (PairingCounts){run->pairings[i].a, run->pairings[i].b, match_pairing_counts(run, &run->pairings[i])};
    return bradley_terry(run->config.count, counts, run->pairing_count, ratings, error);
}

/* Shows the test the pairs that have become complete. */
static void advance_test(MatchRun *run) {
    for (int score; run->config.sprt && !match_has_verdict(run) &&
                    (score = match_pair_score(&run->pairings[0], run->sprt_next)) >= 0;
         run->sprt_next++)
        sprt_add(&run->sprt, score);
}

/* ---- Entering games ---- */

uint64_t match_opening_hash(const GameRecord *record) {
    uint64_t hash = rng_mix((uint64_t)(record->komi + GAME_KOMI_LIMIT));
    for (int i = 0; i < record->opening; i++)
        hash = rng_split(hash, record->actions[i]);
    return hash;
}

static int count_turns(const Game *game, const GameRecord *record) {
    GameState state;
    int turns = 0;
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < record->count; i++) {
        turns += game->rules->turn_start(&state);
        game->rules->apply(game, &state, record->actions[i]);
    }
    return turns;
}

static void summarize(const GameRecord *record, const Game *game, MatchGame *out) {
    *out = (MatchGame){.hash = record_canonical_hash(record, game),
                       .opening = match_opening_hash(record),
                       .turns = (uint16_t)count_turns(game, record),
                       .komi = (int16_t)record->komi,
                       .winner = (uint8_t)record->result.winner,
                       .reason = (uint8_t)record->reason,
                       .played = true};
    for (Side side = BLACK; side <= WHITE; side++) {
        out->simulations[side] = record->effort[side].simulations;
        out->moves[side] = (uint16_t)record->effort[side].moves;
    }
}

bool match_make_room(MatchPairing *pairing, int number, Error *error) {
    int block = 0, size = BLOCK;
    for (int rest = number; rest >= size; size *= 2, block++)
        rest -= size;
    if (!pairing->blocks[block])
        pairing->blocks[block] = calloc((size_t)size, sizeof(MatchGame));
    pairing->end = number >= pairing->end ? number + 1 : pairing->end;
    return pairing->blocks[block] || error_set(error, "out of memory for %d games", size);
}

bool match_enter_game(MatchRun *run, MatchPairing *pairing, int number, const GameRecord *record, Error *error) {
    if (!match_make_room(pairing, number, error))
        return false;
    summarize(record, run->game, place_of(pairing, number));
    pairing->played++;
    if (pairing == &run->pairings[0])
        advance_test(run);
    return true;
}
