/* See komi_run.h. In the order of a session: reading the records, planning a round, playing it, summing up. */
#include "komi_run.h"

#include "allocation.h"
#include "game_pool.h"
#include "rng.h"
#include "wall_time.h"

#include <stdio.h>
#include <stdlib.h>

static const double PROGRESS_SECONDS = 0.5; /* at least, between two estimates for the progress line */

/* ---- Summing up ---- */

/* Black's minus White's cells: the margin without komi and button. Without the button the margin in half points is
 * 0 modulo 4 at odd komi, for the difference of the cells is odd; the button moves it by one. */
static int board_margin(const KomiGame *game) {
    const int button = game->margin % 2 == 0 ? 0 : ((game->margin % 4) + 4) % 4 == 1 ? 1 : -1;
    return (game->margin - button) / 2 + game->komi;
}

static int compare_games(const void *left, const void *right) {
    const KomiGame *a = *(const KomiGame *const *)left, *b = *(const KomiGame *const *)right;
    if (a->komi != b->komi)
        return a->komi - b->komi;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static void add_game(KomiPoint *point, const KomiGame *game, bool repeats) {
    const double margin = 0.5 * game->margin, cells = board_margin(game);
    const bool black_won = game->margin > 0;
    point->games++;
    point->black_wins += black_won;
    point->margin_sum += margin;
    point->margin_squares += margin * margin;
    point->plies += game->plies;
    if (repeats)
        return;
    point->data.games += 1;
    point->data.black_wins += black_won;
    point->data.margin_games += 1;
    point->data.margin_sum += cells;
    point->data.margin_squares += cells * cells;
}

int komi_run_points(const KomiRun *run, int rung, KomiPoint **points, Error *error) {
    const KomiRung *self = &run->rung[rung];
    const KomiGame **sorted = malloc(((size_t)self->played + 1) * sizeof *sorted);
    *points = calloc((size_t)(run->config.komi_range[1] - run->config.komi_range[0]) + 1, sizeof **points);
    if (!sorted || !*points) {
        free(sorted);
        free(*points);
        *points = NULL;
        error_set(error, "out of memory for the results of %d games", self->played);
        return -1;
    }
    int played = 0, count = 0;
    for (int i = 0; i < self->planned; i++)
        if (self->games[i].played)
            sorted[played++] = &self->games[i];
    qsort(sorted, (size_t)played, sizeof sorted[0], compare_games);
    for (int i = 0; i < played; i++) {
        const bool new_komi = i == 0 || sorted[i]->komi != sorted[i - 1]->komi;
        if (new_komi)
            (*points)[count++].data.komi = sorted[i]->komi;
        add_game(&(*points)[count - 1], sorted[i], !new_komi && sorted[i]->hash == sorted[i - 1]->hash);
    }
    free(sorted);
    return count;
}

/* The points as the estimate and the allocation want them; returns their number or -1. */
static int gather_data(const KomiRun *run, int rung, KomiData **data, Error *error) {
    KomiPoint *points;
    const int count = komi_run_points(run, rung, &points, error);
    if (count < 0)
        return -1;
    *data = malloc(((size_t)count + 1) * sizeof **data);
    if (!*data) {
        free(points);
        error_set(error, "out of memory for %d komi values", count);
        return -1;
    }
    for (int i = 0; i < count; i++)
        (*data)[i] = points[i].data;
    free(points);
    return count;
}

bool komi_run_estimate(const KomiRun *run, int rung, FairKomi *fair, Error *error) {
    KomiData *data;
    const EstimateConfig config = komi_config_estimate(&run->config);
    const int count = gather_data(run, rung, &data, error);
    if (count < 0)
        return false;
    const bool good = estimate_fair_komi(data, count, &config, fair, error);
    free(data);
    return good;
}

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
    const int count = gather_data(run, rung, &data, error);
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
        self->planned = start + size;
    }
    free(share);
    free(data);
    return good;
}

/* ---- Records ---- */

static void summarize(const GameRecord *record, const Game *game, KomiGame *out) {
    out->hash = record_canonical_hash(record, game);
    out->margin = (int16_t)record->result.margin;
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

/* Enters a game that was read back; its round must be the one that the games before it lead to. */
static bool enter(void *user, const char *source, int rung_number, int number, const GameRecord *record, Error *error) {
    KomiRun *run = user;
    KomiRung *rung = &run->rung[rung_number];
    if (end_is_forfeit(record->reason))
        return error_set(error, "%s: game %s-%d ended by '%s', expected one that was played to its end", source,
                         rung->name, number, end_reason_names[record->reason]);
    while (number >= rung->planned) {
        if (rung->played < rung->planned)
            return error_set(error, "%s: game %s-%d is there, but the round before it is not complete", source,
                             rung->name, number);
        if (!plan_round(run, rung_number, error))
            return false;
    }
    KomiGame *game = &rung->games[number];
    if (game->komi != record->komi)
        return error_set(error, "%s: game %s-%d was played at komi %d, expected %d", source, rung->name, number,
                         record->komi, game->komi);
    summarize(record, run->game, game);
    rung->played++;
    return true;
}

static RecordGroups groups_of(KomiRun *run) {
    return (RecordGroups){.find = find_rung, .enter = enter, .user = run};
}

bool komi_run_open(KomiRun *run, const KomiConfig *config, const char *records_path, Error *error) {
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
    const RecordGroups groups = groups_of(run);
    return komi_config_hash(config, run->hash, error) &&
           record_file_open(&run->records, records_path, run->game, run->hash, &groups, error);
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
    const RecordGroups groups = groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}

/* ---- Playing ---- */

/* A session on one rung. */
typedef struct Play {
    KomiRun *run;
    const KomiSession *session;
    int rung, wanted, played_now;
    int next; /* number of the first game that nobody has taken */
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
    const int end = play->wanted < rung->planned ? play->wanted : rung->planned;
    while (play->next < end && rung->games[play->next].played)
        play->next++;
    return play->next < end ? play->next++ : -1;
}

static void show(Play *play, bool round_ended) {
    const KomiSession *session = play->session;
    if (!session->progress)
        return;
    const double begin = wall_seconds();
    if (round_ended || begin >= play->estimate_due) {
        play->has_fair = komi_run_estimate(play->run, play->rung, &play->fair, NULL);
        const double end = wall_seconds(), pause = 50 * (end - begin);
        play->estimate_due = end + (pause > PROGRESS_SECONDS ? pause : PROGRESS_SECONDS);
    }
    const KomiProgress progress = {.run = play->run,
                                   .rung = play->rung,
                                   .played = play->run->rung[play->rung].played,
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

static bool narrow_enough(const KomiRun *run, int rung, bool *narrow, Error *error) {
    FairKomi fair;
    if (run->config.until_width == 0 || run->rung[rung].played == 0)
        return true;
    if (!komi_run_estimate(run, rung, &fair, error))
        return false;
    *narrow = fair.combined_ci95.high - fair.combined_ci95.low < run->config.until_width;
    return true;
}

static KomiEnd play_rung(Play *play, Error *error) {
    KomiRun *run = play->run;
    KomiRung *rung = &run->rung[play->rung];
    for (;;) {
        if (rung->played == rung->planned) { /* between two rounds */
            bool narrow = false;
            if (!narrow_enough(run, play->rung, &narrow, error))
                return KOMI_FAILED;
            if (rung->played >= play->wanted || narrow)
                return KOMI_DONE;
            if (!plan_round(run, play->rung, error))
                return KOMI_FAILED;
        } else if (rung->played >= play->wanted) {
            return KOMI_DONE;
        }
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
