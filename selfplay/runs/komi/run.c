/* See run.h. In the order of a session: planning a round, reading the records, playing. (Summing up:
 * points.c) */
#include "selfplay/runs/komi/run.h"

#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/stats/allocation.h"

#include <stdio.h>
#include <stdlib.h>

static const ShardSpec whole = {0, 0};
static const double PROGRESS_SECONDS = 0.5; /* at least, between two estimates for the progress line */

/* ---- Rounds ---- */

static uint64_t rung_seed(const KomiRun *run, int rung) {
    uint64_t seed = rng_split(run->config.seed, (uint64_t)run->config.size);
    for (const char *c = run->rung[rung].name; *c; c++)
        seed = rng_split(seed, (uint64_t)(unsigned char)*c);
    return seed;
}

/* Games of the round that begins with game number `start`: rounds grow, so that there are not many of them. */
static int round_size(const KomiRun *run, int start) {
    const int first = (int)run->config.first_round;
    return start / 2 > first ? start / 2 : first;
}

static void shuffle(KomiGame *games, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        const int16_t komi = games[i].komi;
        games[i].komi = games[other].komi;
        games[other].komi = komi;
    }
}

/* Fixes the komi values of the next round; all games planned so far have been played. */
static bool plan_round(KomiRun *run, int rung, Error *error) {
    KomiRung *self = &run->rung[rung];
    const int lowest = (int)run->config.komi_range[0], values = (int)run->config.komi_range[1] - lowest + 1;
    const int start = self->planned, size = round_size(run, start);
    const EstimateConfig config = komi_config_estimate(&run->config);
    KomiData *data;
    const int count = komi_run_data(run, rung, &data, error);
    if (count < 0)
        return false;
    int *share = calloc((size_t)values, sizeof *share);
    KomiGame *games = realloc(self->games, (size_t)(start + size) * sizeof *games);
    if (games)
        self->games = games;
    bool good = share && games;
    if (!good)
        error_set(error, "out of memory for a round of %d games", size);
    good = good && allocate_games(data, count, &config, size, share, error);
    if (good) {
        memset(games + start, 0, (size_t)size * sizeof *games);
        for (int value = 0, next = start; value < values; value++)
            for (int i = 0; i < share[value]; i++)
                games[next++].komi = (int16_t)(lowest + value);
        shuffle(games + start, size, rng_split(rung_seed(run, rung), (uint64_t)start) ^ 1);
        self->round_start = start;
        self->planned = start + size;
    }
    free(share);
    free(data);
    return good;
}

static bool narrow_enough(const KomiRun *run, int rung, bool *narrow, Error *error) {
    FairKomi fair;
    if (run->config.until_width == 0 || run->rung[rung].played == 0)
        return true;
    if (!komi_run_estimate(run, rung, &fair, error))
        return false;
    *narrow = fair.combined_ci95.high - fair.combined_ci95.low < run->config.until_width;
    return true;
}

/* Settles the current round of a rung: what is left of the last one, or the next one where another is needed. */
static bool settle_round(KomiRun *run, int rung_number, Error *error) {
    KomiRung *rung = &run->rung[rung_number];
    const int wanted = (int)run->config.games;
    bool narrow = false;
    if (rung->played == rung->planned) { /* between two rounds */
        if (!narrow_enough(run, rung_number, &narrow, error))
            return false;
        if (!narrow && rung->played < wanted && !plan_round(run, rung_number, error))
            return false;
    }
    const bool finished = rung->played == rung->planned || rung->played >= wanted;
    rung->round_end = finished ? rung->round_start : wanted < rung->planned ? wanted : rung->planned;
    return true;
}

bool komi_run_plan(KomiRun *run, Error *error) {
    for (int rung = 0; rung < run->rungs; rung++)
        if (!settle_round(run, rung, error))
            return false;
    return true;
}

/* ---- Shares ---- */

/* Whether a game is of the current round and of a shard. The games of a round are dealt out in turn, those of the
 * highest rung first, for they are the longest. */
static bool has_game(const KomiRun *run, ShardSpec shard, int rung, int number) {
    const KomiRung *self = &run->rung[rung];
    int task = number - self->round_start;
    for (int above = rung + 1; above < run->rungs; above++)
        task += run->rung[above].round_end - run->rung[above].round_start;
    return number >= self->round_start && number < self->round_end && shard_spec_has(shard, task);
}

/* Adds the games of a shard in a rung, and those of them that are left. */
static void count_share(const KomiRun *run, ShardSpec shard, int rung, int *games, int *left) {
    for (int number = run->rung[rung].round_start; number < run->rung[rung].round_end; number++)
        if (has_game(run, shard, rung, number)) {
            *games += 1;
            *left += !run->rung[rung].games[number].played;
        }
}

void komi_run_share(const KomiRun *run, ShardSpec shard, int *games, int *left) {
    *games = *left = 0;
    for (int rung = 0; rung < run->rungs; rung++)
        count_share(run, shard, rung, games, left);
}

cJSON *komi_run_round(const KomiRun *run) {
    cJSON *json = cJSON_CreateObject();
    for (int i = 0; i < run->rungs; i++) {
        const KomiRung *rung = &run->rung[i];
        const int range[2] = {rung->round_start, rung->round_end};
        if (rung->round_start < rung->round_end)
            cJSON_AddItemToObject(json, rung->name, cJSON_CreateIntArray(range, 2));
    }
    return json;
}

/* ---- Records ---- */

static void summarize(const GameRecord *record, const Game *game, KomiGame *out) {
    out->hash = record_canonical_hash(record, game);
    out->margin = (int16_t)record->result.half_points;
    out->plies = (uint16_t)record->count;
    out->played = true;
}

static int find_rung(void *user, const char *name, size_t length) {
    const KomiRun *run = user;
    for (int rung = 0; rung < run->rungs; rung++)
        if (strlen(run->rung[rung].name) == length && !strncmp(run->rung[rung].name, name, length))
            return rung;
    return -1; /* a rung that this session does not ask for: kept, not counted */
}

/* Enters a game that was read back into its place in a planned round. */
static bool enter_game(const KomiRun *run, const char *source, KomiRung *rung, int number, const GameRecord *record,
                       Error *error) {
    if (end_is_forfeit(record->reason))
        return error_set(error, "%s: game %s-%d ended by '%s', expected one that was played to its end", source,
                         rung->name, number, end_reason_names[record->reason]);
    KomiGame *game = &rung->games[number];
    if (game->komi != record->komi)
        return error_set(error, "%s: game %s-%d was played at komi %d, expected %d", source, rung->name, number,
                         record->komi, game->komi);
    summarize(record, run->game, game);
    rung->played++;
    return true;
}

/* Enters a game of the run's own records; its round must be the one that the games before it lead to. */
static bool enter(void *user, const char *source, int rung_number, int number, const GameRecord *record, Error *error) {
    KomiRun *run = user;
    KomiRung *rung = &run->rung[rung_number];
    while (number >= rung->planned) {
        if (rung->played < rung->planned)
            return error_set(error, "%s: game %s-%d is there, but the round before it is not complete", source,
                             rung->name, number);
        if (!plan_round(run, rung_number, error))
            return false;
    }
    return enter_game(run, source, rung, number, record, error);
}

/* Enters a game of a shard: it is of its share of the round, or was merged in an earlier one. */
static bool enter_shared(void *user, const char *source, int rung_number, int number, const GameRecord *record,
                         Error *error) {
    KomiRun *run = user;
    KomiRung *rung = &run->rung[rung_number];
    const bool played = number < rung->planned && rung->games[number].played;
    if (played && (has_game(run, run->shard, rung_number, number) || !has_game(run, whole, rung_number, number)))
        return true;
    if (!has_game(run, run->shard, rung_number, number))
        return error_set(error, "%s: game %s-%d is not of shard %d of %d in this round", source, rung->name, number,
                         run->shard.index, run->shard.count);
    return enter_game(run, source, rung, number, record, error);
}

static bool keep_shared(void *user, int rung, int number) {
    const KomiRun *run = user;
    return has_game(run, run->shard, rung, number);
}

static RecordGroups groups_of(KomiRun *run) {
    return (RecordGroups){.find = find_rung, .enter = enter, .user = run};
}

static RecordGroups shared_groups_of(KomiRun *run) {
    return (RecordGroups){.find = find_rung, .enter = enter_shared, .keep = keep_shared, .user = run};
}

/* Sets up everything but the records. */
static bool begin_run(KomiRun *run, const KomiConfig *config, Error *error) {
    memset(run, 0, sizeof *run);
    run->records.lines.descriptor = -1;
    if (!komi_config_check(config, error))
        return false;
    run->config = *config;
    const GameOptions options = {.name = config->game, .size = (int)config->size};
    run->game = game_new(&options, error);
    if (!run->game)
        return false;
    if (!run->game->has_points)
        return error_set(error, "komi: %s is played without komi; see `stigmergy openings` for its balance",
                         config->game);
    run->rungs = komi_config_rungs(config);
    for (int rung = 0; rung < run->rungs; rung++)
        komi_config_rung_name(config, rung, run->rung[rung].name);
    return komi_config_hash(config, run->hash, error);
}

bool komi_run_open(KomiRun *run, const KomiConfig *config, const char *records_path, Error *error) {
    const RecordGroups groups = groups_of(run);
    return begin_run(run, config, error) &&
           record_file_open(&run->records, records_path, run->game, run->hash, &groups, error);
}

bool komi_run_open_shard(KomiRun *run, const KomiConfig *config, ShardSpec shard, const char *records_path,
                         const char *shard_path, Error *error) {
    const RecordGroups groups = groups_of(run), shared = shared_groups_of(run);
    if (!begin_run(run, config, error))
        return false;
    run->shard = shard;
    if (config->seconds > 0)
        return error_set(error,
                         "time: %g seconds, expected none for a shard, which the batch system stops where it must",
                         config->seconds);
    return record_file_read(records_path, run->game, run->hash, &groups, error) && komi_run_plan(run, error) &&
           record_file_open(&run->records, shard_path, run->game, run->hash, &shared, error) &&
           record_file_sort(&run->records, &shared, error);
}

bool komi_run_enter_shard(KomiRun *run, ShardSpec shard, const char *path, const char *text, size_t length,
                          Error *error) {
    const RecordGroups shared = shared_groups_of(run);
    run->shard = shard;
    const bool good = record_text_read(path, text, length, run->game, run->hash, &shared, error);
    run->shard = whole;
    return good;
}

bool komi_run_join(KomiRun *run, const char *text, size_t length, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_join(&run->records, text, length, &groups, error);
}

void komi_run_close(KomiRun *run) {
    record_file_close(&run->records, NULL);
    for (int rung = 0; rung < run->rungs; rung++)
        free(run->rung[rung].games);
    game_free(run->game);
    memset(run, 0, sizeof *run);
    run->records.lines.descriptor = -1;
}

bool komi_run_sort_records(KomiRun *run, Error *error) {
    const RecordGroups groups = shard_spec_whole(run->shard) ? groups_of(run) : shared_groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}

/* ---- Playing ---- */

/* A session on one rung. */
typedef struct Play {
    KomiRun *run;
    const KomiSession *session;
    int rung, wanted, played_now;
    int others; /* games of the rung that are not of this share */
    int next;   /* number of the first game that nobody has taken */
    Player player;
    double begin, deadline, estimate_due;
    FairKomi fair;
    bool has_fair;
} Play;

/* What a thread keeps from game to game. */
typedef struct KomiWorker {
    Search *search;
    GameRecord record;
} KomiWorker;

/* Takes the next game that is not played yet. */
static int take_game(void *user, Error *error) {
    Play *play = user;
    (void)error;
    const KomiRung *rung = &play->run->rung[play->rung];
    while (play->next < rung->round_end &&
           (rung->games[play->next].played || !has_game(play->run, play->run->shard, play->rung, play->next)))
        play->next++;
    return play->next < rung->round_end ? play->next++ : POOL_NO_TASK;
}

static void show(Play *play, bool round_ended) {
    const KomiSession *session = play->session;
    if (!session->progress)
        return;
    const double begin = wall_seconds();
    if (shard_spec_whole(play->run->shard) && (round_ended || begin >= play->estimate_due)) {
        play->has_fair = komi_run_estimate(play->run, play->rung, &play->fair, NULL);
        const double end = wall_seconds(), pause = 50 * (end - begin);
        play->estimate_due = end + (pause > PROGRESS_SECONDS ? pause : PROGRESS_SECONDS);
    }
    const KomiProgress progress = {.run = play->run,
                                   .rung = play->rung,
                                   .played = play->run->rung[play->rung].played - play->others,
                                   .wanted = play->wanted,
                                   .played_now = play->played_now,
                                   .seconds = wall_seconds() - play->begin,
                                   .fair = play->has_fair ? &play->fair : NULL,
                                   .round_ended = round_ended};
    session->progress(session->user, &progress);
}

/* Counts a game that was written down. */
static bool count_game(void *user, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    KomiRung *rung = &play->run->rung[play->rung];
    (void)wanted, (void)error;
    summarize(record, play->run->game, &rung->games[atoi(strrchr(record->id, '-') + 1)]);
    rung->played++;
    play->played_now++;
    show(play, false);
    return true;
}

/* Sets up the record of game `number` of the rung. */
static void begin_record(const Play *play, int number, GameRecord *record) {
    const KomiRun *run = play->run;
    record_clear(record);
    snprintf(record->id, sizeof record->id, "%s-%d", run->rung[play->rung].name, number);
    strcpy(record->run, run->hash);
    record->komi = run->rung[play->rung].games[number].komi;
    record->seed = rng_split(rung_seed(run, play->rung), (uint64_t)number);
    strcpy(record->players[BLACK], play->player.name);
    strcpy(record->players[WHITE], play->player.name);
}

static KomiWorker *new_worker(const Play *play, Error *error) {
    KomiWorker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(error, "out of memory");
        return NULL;
    }
    worker->search = player_new_search(&play->player, play->run->game, 0, error);
    if (worker->search)
        return worker;
    free(worker);
    return NULL;
}

static void free_worker(void *self) {
    KomiWorker *worker = self;
    record_free(&worker->record);
    search_free(worker->search);
    free(worker);
}

/* Plays a game against itself, on one search. */
static bool play_game(GamePool *pool, void **self, int number, Error *error) {
    const Play *play = pool_user(pool);
    if (!*self && !(*self = new_worker(play, error)))
        return false;
    KomiWorker *worker = *self;
    Seat seat = {.player = &play->player, .search = worker->search};
    begin_record(play, number, &worker->record);
    const ContestEnd end =
        contest_play(play->run->game, (Seat *const[2]){&seat, &seat}, pool_stop(pool), &worker->record, error);
    if (end == CONTEST_FINISHED)
        pool_finish(pool, &worker->record);
    return end != CONTEST_FAILED;
}

/* Plays what is left of the planned games. */
static KomiEnd play_round(Play *play, Error *error) {
    play->next = 0;
    play->begin = play->begin > 0 ? play->begin : wall_seconds();
    const PoolJob job = {.threads = play->session->threads,
                         .stop = play->session->stop,
                         .deadline = play->deadline,
                         .records = &play->run->records,
                         .take = take_game,
                         .play = play_game,
                         .finished = count_game,
                         .leave = free_worker,
                         .user = play};
    switch (pool_run(&job, error)) {
    case POOL_DONE: return KOMI_DONE;
    case POOL_STOPPED: return KOMI_STOPPED;
    case POOL_TIME_UP: return KOMI_TIME_UP;
    default: return KOMI_FAILED;
    }
}

static KomiEnd play_rung(Play *play, Error *error) {
    KomiRun *run = play->run;
    const KomiRung *rung = &run->rung[play->rung];
    for (;;) {
        if (!settle_round(run, play->rung, error))
            return KOMI_FAILED;
        if (rung->round_start == rung->round_end)
            return KOMI_DONE;
        const KomiEnd end = play_round(play, error);
        if (end != KOMI_FAILED)
            show(play, true);
        if (end != KOMI_FAILED && play->session->round_done &&
            !play->session->round_done(play->session->user, run, error))
            return KOMI_FAILED;
        if (end != KOMI_DONE)
            return end;
    }
}

/* The share of the session's time that rung number `rung` gets of what is left: by the square root of the effort, so
 * that the higher rungs get the most time and the lower ones the most games. */
static double time_share(const KomiConfig *config, int rung, int rungs) {
    double sum = 0;
    for (int i = rung; i < rungs; i++)
        sum += config->move_seconds > 0 ? 1 : __builtin_sqrt((double)config->ladder[i]);
    return (config->move_seconds > 0 ? 1 : __builtin_sqrt((double)config->ladder[rung])) / sum;
}

KomiEnd komi_run_play(KomiRun *run, const KomiSession *session, Error *error) {
    const double begin = wall_seconds(), limit = run->config.seconds;
    KomiEnd last = KOMI_DONE;
    for (int rung = 0; rung < run->rungs; rung++) {
        Play play = {.run = run,
                     .session = session,
                     .rung = rung,
                     .wanted = (int)run->config.games,
                     .player = komi_config_player(&run->config, rung)};
        if (limit > 0)
            play.deadline =
                wall_seconds() + (begin + limit - wall_seconds()) * time_share(&run->config, rung, run->rungs);
        const KomiEnd end = play_rung(&play, error);
        if (end == KOMI_FAILED || end == KOMI_STOPPED)
            return end;
        if (end == KOMI_TIME_UP)
            last = end;
    }
    return last;
}

KomiEnd komi_run_play_shard(KomiRun *run, const KomiSession *session, Error *error) {
    for (int rung = run->rungs - 1; rung >= 0; rung--) {
        int games = 0, left = 0;
        count_share(run, run->shard, rung, &games, &left);
        Play play = {.run = run,
                     .session = session,
                     .rung = rung,
                     .wanted = games,
                     .others = run->rung[rung].played - (games - left),
                     .player = komi_config_player(&run->config, rung)};
        const KomiEnd end = left > 0 ? play_round(&play, error) : KOMI_DONE;
        if (left > 0 && end != KOMI_FAILED)
            show(&play, true);
        if (end != KOMI_DONE)
            return end;
    }
    return KOMI_DONE;
}
