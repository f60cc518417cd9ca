/* See run.h. In the order of a session: setting up, rounds, records, playing. */
#include "selfplay/runs/match/run.h"

#include "engine/base/rng.h"
#include "selfplay/runs/match/games_internal.h"
#include "selfplay/runs/match/result_internal.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)MATCH_PLAYERS_MAX <= (int)RUN_SEATS_MAX, "each player has a seat");

/* Pairs of a round of a shared match with the test, at least. */
enum { ROUND_PAIRS = 64 };

/* ---- Setting up ---- */

static GtpPlayer *new_engine(const MatchConfig *config, const MatchPlayer *player, Error *error) {
    GtpPlayerOptions options = {.move_seconds = player->player.move_seconds,
                                .grace = config->grace,
                                .patience = config->patience,
                                .restarts = (int)config->restarts};
    strcpy(options.command, player->command);
    GtpPlayer *engine = gtp_player_new(&options);
    if (!engine)
        error_set(error, "out of memory");
    return engine;
}

/* Sees whether an external engine starts and takes the board. */
static bool try_engine(const Run *run, const MatchPlayer *player, Error *error) {
    GtpPlayer *engine = new_engine(match_config(run), player, error);
    if (!engine)
        return false;
    const bool good = gtp_player_begin(engine, run->game, 0, NULL) == GTP_GOOD;
    if (!good)
        error_set(error,
                  "engine '%.100s' does not start: %s; what it writes to standard error is discarded: add 2>FILE to "
                  "its command to read it",
                  player->command, gtp_player_complaint(engine));
    gtp_player_free(engine);
    return good;
}

static bool draw_opening(const Run *run, Search *referee, int pair, Opening *opening, Error *error) {
    const OpeningSettings *settings = &match_config(run)->openings;
    const uint64_t seed = rng_split(run->config->seed, (uint64_t)run->config->size);
    if (!settings->all)
        return opening_draw(run->game, referee, settings, rng_split(seed, (uint64_t)pair), opening, error);
    opening_take(run->game, referee, settings, &match_state(run)->openings, seed, pair, opening);
    return true;
}

/* A program starts only if the command line says so: a description may come from anywhere. */
static bool may_start(const MatchConfig *config, const MatchPlayer *player, Error *error) {
    return player->allowed || config->allow_programs ||
           error_set(error,
                     "player '%s': its description starts the program '%.100s', expected --allow-programs for that, or "
                     "--player gtp:COMMAND",
                     player->player.name, player->command);
}

/* External engines are tried once, and so is the first opening. */
static bool rehearse(const Run *run, Error *error) {
    const MatchConfig *config = match_config(run);
    for (int i = 0; i < config->count; i++)
        if (config->players[i].command[0] &&
            !(may_start(config, &config->players[i], error) && try_engine(run, &config->players[i], error)))
            return false;
    Opening opening;
    Search *referee = opening_referee(run->game, error);
    const bool good = referee && draw_opening(run, referee, 0, &opening, error);
    search_free(referee);
    return good;
}

static bool begin(Run *run, Error *error) {
    const MatchConfig *config = match_config(run);
    MatchState *state = run->state;
    if (config->openings.all && !opening_list(run->game, &config->openings, &state->openings, error))
        return false;
    state->sprt = sprt_start(config->elo0, config->elo1);
    for (int a = 0; a < config->count; a++)
        for (int b = a + 1; b < config->count; b++) {
            char name[RUN_GROUP_MAX];
            const int number = run->group_count;
            snprintf(name, sizeof name, "%dv%d", a + 1, b + 1);
            if (!run_add_group(run, name, rng_split(~run->config->seed, (uint64_t)number), error))
                return false;
            state->pairings[number] = (MatchPairing){a, b};
        }
    return true;
}

static void close(Run *run) {
    MatchState *state = run->state;
    beginnings_free(&state->openings);
}

/* ---- Rounds ---- */

/* The first pair that is not complete in all pairings. */
static int first_open_pair(const Run *run) {
    for (int pair = 0;; pair++)
        for (int i = 0; i < run->group_count; i++)
            if (match_pair_score(run, i, pair) < 0)
                return pair;
}

/* All that is left; or with the test, where several share it, half as many pairs as have been played. */
static void plan(const Run *run, int pairing, int shards, int *start, int *end) {
    const int64_t wanted = (run->config->games ? run->config->games : MATCH_GAMES_MAX) / 2;
    const int64_t first = first_open_pair(run), least = shards > ROUND_PAIRS ? shards : ROUND_PAIRS;
    int64_t last = wanted;
    (void)pairing;
    if (match_config(run)->sprt && shards > 0)
        last = first + (first / 2 > least ? first / 2 : least);
    last = last < wanted ? last : wanted;
    *start = 2 * (int)first;
    *end = last > first && !match_has_verdict(run) ? 2 * (int)last : *start;
}

/* ---- Records ---- */

/* The player who has a side in a game. */
static int player_of(const Run *run, GameId id, Side side) {
    const MatchPairing *pairing = &match_state(run)->pairings[id.group];
    return (id.number % 2 == 0) == (side == BLACK) ? pairing->a : pairing->b;
}

/* Whether a game begins as the other one of its pair, as far as that has been played. */
static bool begins_alike(const Run *run, GameId id, const GameRecord *record) {
    const RunGame *other = run_game(run, (GameId){id.group, id.number ^ 1});
    return !other || other->opening == run_opening_hash(record);
}

static const char *player_name(const Run *run, GameId id, Side side) {
    return match_config(run)->players[player_of(run, id, side)].player.name;
}

static bool check(const Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    return begins_alike(run, id, record) ||
           error_set(error, "%s: game %s has another opening or komi than game %d of its pair", source, record->id,
                     id.number ^ 1);
}

static void add_effort(MatchTiming *timing, const RecordEffort *effort) {
    timing->moves += effort->moves;
    timing->seconds += effort->seconds;
    timing->longest = effort->longest > timing->longest ? effort->longest : timing->longest;
    timing->overruns += effort->overruns;
}

/* Shows the test the pairs that have become complete. What the moves took is in no record, so it is counted now. */
static void count(Run *run, GameId id, const GameRecord *record, RunGame *game, bool *wanted) {
    MatchState *state = run->state;
    game->plan = (int32_t)(id.number % 2); /* who has which colour */
    for (int score; match_config(run)->sprt && !match_has_verdict(run) &&
                    (score = match_pair_score(run, 0, state->sprt_next)) >= 0;
         state->sprt_next++)
        sprt_add(&state->sprt, score);
    if (!wanted)
        return;
    for (Side side = BLACK; side <= WHITE; side++)
        add_effort(&state->timing[player_of(run, id, side)], &record->effort[side]);
    *wanted = !match_has_verdict(run);
}

/* ---- Playing ---- */

static Seat *take_seat(RunWorker *worker, int number, Error *error) {
    const MatchConfig *config = match_config(worker->run);
    const MatchPlayer *player = &config->players[number];
    Seat *seat = &worker->seats[number];
    if (player->command[0] && !seat->engine && !(seat->engine = new_engine(config, player, error)))
        return NULL;
    return run_seat(worker, number, &player->player, worker->run->game, error);
}

/* Whether a game begins as the other one of its pair did, in an earlier session perhaps. */
static bool same_opening(const Run *run, GameId id, const GameRecord *record, Error *error) {
    return begins_alike(run, id, record) ||
           error_set(error,
                     "%s: game %s would have another opening than game %d: the program has changed since the run "
                     "began; choose another --out",
                     run->records.lines.path, record->id, id.number ^ 1);
}

static bool play_game(RunWorker *worker, GameId id, const Opening *opening, Error *error) {
    const Run *run = worker->run;
    Seat *seats[2];
    const char *names[2];
    for (Side side = BLACK; side <= WHITE; side++) {
        if (!(seats[side] = take_seat(worker, player_of(run, id, side), error)))
            return false;
        names[side] = seats[side]->player->name;
    }
    if (!run_begin_record(worker, id, opening, names, error))
        return false;
    worker->record.has_effort = true;
    return same_opening(run, id, &worker->record, error) && run_contest(worker, id, seats[BLACK], seats[WHITE], error);
}

/* Plays the games of a pair that have not been played. */
static bool play(RunWorker *worker, GameId first, Error *error) {
    const Run *run = worker->run;
    Opening opening;
    Search *referee = run_referee(worker, 0, run->game, error);
    if (!referee || !draw_opening(run, referee, first.number / 2, &opening, error))
        return false;
    for (int i = 0; i < 2 && !pool_is_over(worker->pool); i++) {
        const GameId id = {first.group, first.number + i};
        if (!run_game(run, id) && !play_game(worker, id, &opening, error))
            return false;
    }
    return true;
}

static const RunPlanByNumber by_number = {
    .task_games = 2, .tasks_name = "pairs", .plan = plan, .play = play, .player = player_name, .check = check};

const RunKind match_kind = {.config = &match_config_kind,
                            .schema = {"stigmergy-match", 1, "a match"},
                            .state_size = sizeof(MatchState),
                            .by_number = &by_number,
                            .begin = begin,
                            .close = close,
                            .rehearse = rehearse,
                            .count = count,
                            .end_of = match_end_of,
                            .document = match_result,
                            .timing = match_timing,
                            .add_timing = match_add_timing,
                            .resume = match_resume};
