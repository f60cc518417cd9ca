/* See run.h. In the order of a session: reading the records, opening a run, playing. */
#include "engine/games/registry.h"
#include "selfplay/runs/match/games.h"

#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "selfplay/io/document.h"
#include "selfplay/players/game_pool.h"

#include <stdio.h>
#include <stdlib.h>

/* A record may be this far ahead of the games before it: what threads play side by side. */
enum { NUMBERS_AHEAD = 4 * SEARCH_THREADS_MAX };

/* Pairs of a round of a shared match with the test, at least. */
enum { ROUND_PAIRS = 64 };

static const ShardSpec whole = {0, 0};

/* ---- Rounds and shares ---- */

static int64_t pairs_wanted(const MatchRun *run) {
    return (run->config.games ? run->config.games : MATCH_GAMES_MAX) / 2;
}

/* The first pair that is not complete in all pairings. */
static int first_open_pair(const MatchRun *run) {
    for (int pair = 0;; pair++)
        for (int i = 0; i < run->pairing_count; i++)
            if (match_pair_score(&run->pairings[i], pair) < 0)
                return pair;
}

void match_run_plan(MatchRun *run, int shards) {
    const int64_t start = first_open_pair(run), wanted = pairs_wanted(run);
    int64_t end = wanted;
    if (run->config.sprt) {
        const int64_t least = shards > ROUND_PAIRS ? shards : ROUND_PAIRS;
        end = start + (start / 2 > least ? start / 2 : least);
    }
    end = end < wanted ? end : wanted;
    run->round_start = (int)start;
    run->round_end = end > start && !match_has_verdict(run) ? (int)end : (int)start;
}

/* Whether a pair is of the current round and of a shard; the pairs of all pairings are dealt out in turn. */
static bool has_pair(const MatchRun *run, ShardSpec shard, int pairing, int pair) {
    return pair >= run->round_start && pair < run->round_end &&
           shard_spec_has(shard, (int64_t)pair * run->pairing_count + pairing);
}

cJSON *match_run_round(const MatchRun *run) {
    cJSON *json = cJSON_CreateObject();
    const int range[2] = {run->round_start, run->round_end};
    if (run->round_start < run->round_end)
        cJSON_AddItemToObject(json, "pairs", cJSON_CreateIntArray(range, 2));
    return json;
}

void match_run_share(const MatchRun *run, ShardSpec shard, int *games, int *left) {
    *games = *left = 0;
    for (int pairing = 0; pairing < run->pairing_count; pairing++)
        for (int number = 2 * run->round_start; number < 2 * run->round_end; number++)
            if (has_pair(run, shard, pairing, number / 2)) {
                *games += 1;
                *left += !match_find_game(&run->pairings[pairing], number);
            }
}

/* ---- Records ---- */

static int find_pairing(void *user, const char *name, size_t length) {
    const MatchRun *run = user;
    for (int i = 0; i < run->pairing_count; i++)
        if (strlen(run->pairings[i].name) == length && !strncmp(run->pairings[i].name, name, length))
            return i;
    return -1;
}

/* Enters a game that was read back, whose number has been checked. */
static bool enter_checked(MatchRun *run, const char *source, MatchPairing *pairing, int number,
                          const GameRecord *record, Error *error) {
    const MatchGame *other = match_find_game(pairing, number ^ 1);
    const char *black = run->config.players[number % 2 ? pairing->b : pairing->a].player.name;
    if (strcmp(record->players[BLACK], black))
        return error_set(error, "%s: game %s-%d: Black is '%s', expected '%s'", source, pairing->name, number,
                         record->players[BLACK], black);
    if (other && other->opening != match_opening_hash(record))
        return error_set(error, "%s: game %s-%d has another opening or komi than game %d of its pair", source,
                         pairing->name, number, number ^ 1);
    return match_enter_game(run, pairing, number, record, error);
}

/* Enters a game of the run's own records. */
static bool enter_record(void *user, const char *source, int group, int number, const GameRecord *record,
                         Error *error) {
    MatchRun *run = user;
    MatchPairing *pairing = &run->pairings[group];
    if (number >= MATCH_GAMES_MAX || number - pairing->played > NUMBERS_AHEAD)
        return error_set(error, "%s: game %s-%d is there, but most games before it are not", source, pairing->name,
                         number);
    return enter_checked(run, source, pairing, number, record, error);
}

/* Enters a game of a shard: it is of its share of the round, or was merged in an earlier one. */
static bool enter_shared(void *user, const char *source, int group, int number, const GameRecord *record,
                         Error *error) {
    MatchRun *run = user;
    MatchPairing *pairing = &run->pairings[group];
    const bool played = number < MATCH_GAMES_MAX && match_find_game(pairing, number);
    if (played && (has_pair(run, run->shard, group, number / 2) || !has_pair(run, whole, group, number / 2)))
        return true;
    if (!has_pair(run, run->shard, group, number / 2))
        return error_set(error, "%s: game %s-%d is not of shard %d of %d in this round", source, pairing->name, number,
                         run->shard.index, run->shard.count);
    return enter_checked(run, source, pairing, number, record, error);
}

static bool keep_shared(void *user, int group, int number) {
    const MatchRun *run = user;
    return has_pair(run, run->shard, group, number / 2);
}

static bool keep_record(void *user, int group, int number) {
    const MatchRun *run = user;
    return match_game(run, &run->pairings[group], number) != NULL;
}

static RecordGroups groups_of(MatchRun *run) {
    return (RecordGroups){.find = find_pairing, .enter = enter_record, .keep = keep_record, .user = run};
}

static RecordGroups shared_groups_of(MatchRun *run) {
    return (RecordGroups){.find = find_pairing, .enter = enter_shared, .keep = keep_shared, .user = run};
}

bool match_run_sort_records(MatchRun *run, Error *error) {
    const RecordGroups groups = shard_spec_whole(run->shard) ? groups_of(run) : shared_groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}

bool match_run_enter_shard(MatchRun *run, ShardSpec shard, const char *path, const char *text, size_t length,
                           Error *error) {
    const RecordGroups shared = shared_groups_of(run);
    run->shard = shard;
    const bool good = record_text_read(path, text, length, run->game, run->hash, &shared, error);
    run->shard = whole;
    return good;
}

bool match_run_join(MatchRun *run, const char *text, size_t length, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_join(&run->records, text, length, &groups, error);
}

/* ---- Opening a run ---- */

static GtpPlayer *new_engine(const MatchConfig *config, const MatchPlayer *player, Error *error) {
    GtpPlayerOptions options = {
        .move_seconds = player->player.move_seconds, .grace = config->grace, .patience = config->patience};
    strcpy(options.command, player->command);
    GtpPlayer *engine = gtp_player_new(&options);
    if (!engine)
        error_set(error, "out of memory");
    return engine;
}

/* Sees whether an external engine starts and takes the board. */
static bool try_engine(const MatchRun *run, const MatchPlayer *player, Error *error) {
    GtpPlayer *engine = new_engine(&run->config, player, error);
    if (!engine)
        return false;
    const bool good = gtp_player_begin(engine, run->game, 0, NULL) == GTP_GOOD;
    if (!good)
        error_set(error, "engine '%.100s' does not start: %s", player->command, gtp_player_complaint(engine));
    gtp_player_free(engine);
    return good;
}

static uint64_t pair_seed(const MatchRun *run, int pair) {
    return rng_split(rng_split(run->config.seed, (uint64_t)run->config.size), (uint64_t)pair);
}

static bool try_opening(const MatchRun *run, Error *error) {
    Opening opening;
    Search *referee = opening_referee(run->game, error);
    const bool good =
        referee && opening_draw(run->game, referee, &run->config.openings, pair_seed(run, 0), &opening, error);
    search_free(referee);
    return good;
}

static void make_pairings(MatchRun *run) {
    for (int a = 0; a < run->config.count; a++)
        for (int b = a + 1; b < run->config.count; b++) {
            MatchPairing *pairing = &run->pairings[run->pairing_count++];
            pairing->a = a;
            pairing->b = b;
            snprintf(pairing->name, sizeof pairing->name, "%dv%d", a + 1, b + 1);
        }
}

MatchRun *match_run_new(void) {
    MatchRun *run = calloc(1, sizeof *run);
    if (run)
        run->records.lines.descriptor = -1;
    return run;
}

/* Sets up everything but the records. */
static bool begin_run(MatchRun *run, const MatchConfig *config, Error *error) {
    run->config = *config;
    const GameOptions options = match_config_game(config);
    run->game = game_new(&options, error);
    if (!run->game)
        return false;
    cJSON *identity = match_config_identity(config);
    const bool hashed = document_hash(identity, run->hash, error);
    cJSON_Delete(identity);
    if (!hashed)
        return false;
    run->sprt = sprt_start(config->elo0, config->elo1);
    make_pairings(run);
    return true;
}

/* Whether games can be played at all. */
static bool try_game(const MatchRun *run, Error *error) {
    for (int i = 0; i < run->config.count; i++)
        if (run->config.players[i].command[0] && !try_engine(run, &run->config.players[i], error))
            return false;
    return try_opening(run, error);
}

static bool open_records(MatchRun *run, const char *records_path, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_open(&run->records, records_path, run->game, run->hash, &groups, error);
}

bool match_run_open(MatchRun *run, const MatchConfig *config, const char *records_path, Error *error) {
    return begin_run(run, config, error) && try_game(run, error) && open_records(run, records_path, error);
}

bool match_run_open_merge(MatchRun *run, const MatchConfig *config, const char *records_path, Error *error) {
    return begin_run(run, config, error) && open_records(run, records_path, error);
}

bool match_run_open_shard(MatchRun *run, const MatchConfig *config, ShardSpec shard, const char *records_path,
                          const char *shard_path, Error *error) {
    const RecordGroups groups = groups_of(run), shared = shared_groups_of(run);
    if (config->seconds > 0)
        return error_set(error,
                         "time: %g seconds, expected none for a shard, which the batch system stops where it must",
                         config->seconds);
    if (!begin_run(run, config, error) || !try_game(run, error) ||
        !record_file_read(records_path, run->game, run->hash, &groups, error))
        return false;
    match_run_plan(run, shard.count);
    run->shard = shard;
    run->config.sprt = false; /* a shard plays its whole share: the test needs the pairs of all */
    return record_file_open(&run->records, shard_path, run->game, run->hash, &shared, error) &&
           record_file_sort(&run->records, &shared, error);
}

void match_run_close(MatchRun *run) {
    if (!run)
        return;
    record_file_close(&run->records, NULL);
    for (int i = 0; i < run->pairing_count; i++)
        for (int block = 0; block < MATCH_BLOCKS; block++)
            free(run->pairings[i].blocks[block]);
    game_free(run->game);
    free(run);
}

/* ---- Playing ---- */

/* A session; tasks are pairs, all pairings in turn. */
typedef struct Play {
    MatchRun *run;
    const MatchSession *session;
    int next; /* the first task that nobody has taken */
} Play;

/* What a thread keeps from pair to pair. */
typedef struct MatchWorker {
    const MatchRun *run;
    Search *referee;
    Seat seats[MATCH_PLAYERS_MAX]; /* of each player, made when it first plays */
    GameRecord record;
} MatchWorker;

static int take_pair(void *user, Error *error) {
    Play *play = user;
    MatchRun *run = play->run;
    const int64_t wanted = shard_spec_whole(run->shard) ? pairs_wanted(run) : run->round_end;
    if (match_has_verdict(run))
        return POOL_NO_TASK;
    for (; play->next < INT32_MAX; play->next++) {
        const int pair = play->next / run->pairing_count;
        MatchPairing *pairing = &run->pairings[play->next % run->pairing_count];
        if (pair >= wanted)
            break;
        if (match_pair_score(pairing, pair) < 0 &&
            shard_spec_has(run->shard, play->next)) /* room is made now, while no other thread looks */
            return match_make_room(pairing, 2 * pair, error) && match_make_room(pairing, 2 * pair + 1, error)
                       ? play->next++
                       : POOL_TASK_FAILED;
    }
    return POOL_NO_TASK;
}

static void free_worker(void *self) {
    MatchWorker *worker = self;
    for (int i = 0; i < worker->run->config.count; i++) {
        search_free(worker->seats[i].search);
        gtp_player_free(worker->seats[i].engine);
    }
    search_free(worker->referee);
    record_free(&worker->record);
    free(worker);
}

static MatchWorker *new_worker(const MatchRun *run, Error *error) {
    MatchWorker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(error, "out of memory");
        return NULL;
    }
    worker->run = run;
    worker->referee = opening_referee(run->game, error);
    if (worker->referee)
        return worker;
    free_worker(worker);
    return NULL;
}

/* The seat of a player; NULL with an error. */
static Seat *take_seat(MatchWorker *worker, int number, Error *error) {
    const MatchRun *run = worker->run;
    const MatchPlayer *player = &run->config.players[number];
    Seat *seat = &worker->seats[number];
    seat->player = &player->player;
    if (!seat->search && !seat->engine) {
        if (player->command[0])
            seat->engine = new_engine(&run->config, player, error);
        else
            seat->search = player_new_search(&player->player, run->game, 0, error);
    }
    return seat->search || seat->engine ? seat : NULL;
}

/* Sets up the record of a game whose pair has this opening. */
static bool begin_record(const MatchRun *run, const MatchPairing *pairing, int number, const Opening *opening,
                         GameRecord *record, Error *error) {
    const int players[2] = {number % 2 ? pairing->b : pairing->a, number % 2 ? pairing->a : pairing->b};
    record_clear(record);
    snprintf(record->id, sizeof record->id, "%s-%d", pairing->name, number);
    strcpy(record->run, run->hash);
    record->komi = opening->komi;
    record->seed = rng_split(rng_split(~run->config.seed, (uint64_t)(pairing - run->pairings)), (uint64_t)number);
    record->has_effort = true;
    for (Side side = BLACK; side <= WHITE; side++)
        strcpy(record->players[side], run->config.players[players[side]].player.name);
    for (int i = 0; i < opening->count; i++)
        if (!record_add(record, opening->actions[i], error))
            return false;
    record->opening = record->count;
    return true;
}

/* Whether a game begins as the other one of its pair did, in an earlier session perhaps. */
static bool same_opening(const MatchRun *run, const MatchPairing *pairing, int number, const GameRecord *record,
                         Error *error) {
    const MatchGame *other = match_find_game(pairing, number ^ 1);
    return !other || other->opening == match_opening_hash(record) ||
           error_set(error,
                     "%s: game %s-%d would have another opening than game %d: the program has changed since the "
                     "run began; choose another --out",
                     run->records.lines.path, pairing->name, number, number ^ 1);
}

/* Plays the games of a pair that have not been played. */
static bool play_pair(GamePool *pool, void **self, int task, Error *error) {
    const Play *play = pool_user(pool);
    const MatchRun *run = play->run;
    if (!*self && !(*self = new_worker(run, error)))
        return false;
    MatchWorker *worker = *self;
    const MatchPairing *pairing = &run->pairings[task % run->pairing_count];
    const int pair = task / run->pairing_count;
    Seat *a = take_seat(worker, pairing->a, error), *b = a ? take_seat(worker, pairing->b, error) : NULL;
    Opening opening;
    if (!b || !opening_draw(run->game, worker->referee, &run->config.openings, pair_seed(run, pair), &opening, error))
        return false;
    for (int number = 2 * pair; number <= 2 * pair + 1; number++) {
        if (match_find_game(pairing, number))
            continue;
        if (!begin_record(run, pairing, number, &opening, &worker->record, error) ||
            !same_opening(run, pairing, number, &worker->record, error))
            return false;
        Seat *const seats[2] = {number % 2 ? b : a, number % 2 ? a : b};
        const ContestEnd end = contest_play(run->game, seats, pool_stop(pool), &worker->record, error);
        if (end == CONTEST_FAILED)
            return false;
        if (end == CONTEST_STOPPED || !pool_finish(pool, &worker->record))
            return true;
    }
    return true;
}

static void add_timing(MatchTiming *timing, const RecordEffort *effort) {
    timing->moves += effort->moves;
    timing->seconds += effort->seconds;
    timing->longest = effort->longest > timing->longest ? effort->longest : timing->longest;
    timing->overruns += effort->overruns;
}

/* Counts a game that was written down. */
static bool count_game(void *user, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    MatchRun *run = play->run;
    const char *dash = strrchr(record->id, '-');
    MatchPairing *pairing = &run->pairings[find_pairing(run, record->id, (size_t)(dash - record->id))];
    const int number = atoi(dash + 1);
    add_timing(&run->timing[number % 2 ? pairing->b : pairing->a], &record->effort[BLACK]);
    add_timing(&run->timing[number % 2 ? pairing->a : pairing->b], &record->effort[WHITE]);
    if (!match_enter_game(run, pairing, number, record, error))
        return false;
    *wanted = !match_has_verdict(run);
    return !play->session->game_done || play->session->game_done(play->session->user, run, record, error);
}

MatchEnd match_run_play(MatchRun *run, const MatchSession *session, Error *error) {
    Play play = {.run = run, .session = session};
    const PoolJob job = {.threads = session->threads,
                         .stop = session->stop,
                         .deadline = run->config.seconds > 0 ? wall_seconds() + run->config.seconds : 0,
                         .records = &run->records,
                         .take = take_pair,
                         .play = play_pair,
                         .finished = count_game,
                         .leave = free_worker,
                         .user = &play};
    switch (pool_run(&job, error)) {
    case POOL_DONE: return MATCH_DONE;
    case POOL_STOPPED: return MATCH_STOPPED;
    case POOL_TIME_UP: return MATCH_TIME_UP;
    default: return MATCH_FAILED;
    }
}
