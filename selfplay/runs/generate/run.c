/* See run.h. */
#include "selfplay/runs/generate/run.h"

#include "engine/base/rng.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/runs/generate/game.h"
#include "selfplay/runs/generate/opening.h"

#include <stdlib.h>
#include <sys/stat.h>

/* ---- Opening a run ---- */

bool selfplay_run_open(SelfplayRun *run, const SelfplayConfig *config, ShardSpec shard, const char *out, Error *error) {
    run->config = *config;
    run->shard = shard;
    run->store.open.descriptor = -1;
    return selfplay_boards_open(&run->boards, config, error) &&
           game_store_open(&run->store, out, &run->boards, shard, error);
}

void selfplay_run_close(SelfplayRun *run) {
    game_store_close(&run->store);
    selfplay_boards_close(&run->boards);
}

int64_t selfplay_run_wanted(const SelfplayRun *run) {
    const int64_t games = run->config.games, count = run->shard.count;
    return shard_spec_whole(run->shard) ? games : (games - run->shard.index + count - 1) / count;
}

/* ---- Playing ---- */

typedef struct Play {
    SelfplayRun *run;
    const SelfplaySession *session;
    int64_t next; /* the first game that nobody has taken */
} Play;

/* What a thread keeps from game to game: a search for each size, made when it is first needed. */
typedef struct Worker {
    Search *search[HEXHEX_MAX_SIZE + 1], *referee[HEXHEX_MAX_SIZE + 1];
    GameRecord record;
} Worker;

static int take_game(void *user, Error *error) {
    Play *play = user;
    const SelfplayRun *run = play->run;
    (void)error;
    while (play->next < run->config.games &&
           (!shard_spec_has(run->shard, play->next) || game_store_has(&run->store, play->next)))
        play->next++;
    return play->next < run->config.games ? (int)play->next++ : POOL_NO_TASK;
}

static void free_worker(void *self) {
    Worker *worker = self;
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        search_free(worker->search[size]);
        search_free(worker->referee[size]);
    }
    record_free(&worker->record);
    free(worker);
}

/* The size of a game, by weight. */
static const SelfplaySize *choose_size(const SelfplayConfig *config, uint64_t seed) {
    double sum = 0;
    for (int i = 0; i < config->size_count; i++)
        sum += config->sizes[i].weight;
    Rng rng = rng_seed(seed);
    double point = rng_unit(&rng) * sum;
    int i = 0;
    while (i + 1 < config->size_count && point >= config->sizes[i].weight)
        point -= config->sizes[i++].weight;
    return &config->sizes[i];
}

static bool make_searches(Worker *worker, const SelfplayRun *run, int size, Error *error) {
    const Game *game = run->boards.game[size];
    if (!worker->search[size])
        worker->search[size] = player_new_search(&run->config.player, game, 0, error);
    if (worker->search[size] && !worker->referee[size])
        worker->referee[size] = opening_referee(game, error);
    return worker->search[size] && worker->referee[size];
}

/* Sets up the record of a game. */
static bool begin_record(const SelfplayRun *run, Worker *worker, int number, const SelfplaySize *size, uint64_t seed,
                         Error *error) {
    Opening opening;
    GameRecord *record = &worker->record;
    if (!selfplay_opening_draw(run->boards.game[size->size], worker->referee[size->size], &run->config, size, number,
                               rng_split(seed, 1), &opening, error))
        return false;
    record_clear(record);
    selfplay_game_id(number, record->id);
    strcpy(record->run, run->boards.run);
    record->komi = opening.komi;
    record->seed = seed;
    strcpy(record->players[BLACK], run->config.player.name);
    strcpy(record->players[WHITE], run->config.player.name);
    for (int i = 0; i < opening.count; i++)
        if (!record_add(record, opening.actions[i], error))
            return false;
    return true;
}

static bool play_game(GamePool *pool, void **self, int number, Error *error) {
    const Play *play = pool_user(pool);
    const SelfplayRun *run = play->run;
    if (!*self && !(*self = calloc(1, sizeof(Worker))))
        return error_set(error, "out of memory");
    Worker *worker = *self;
    const uint64_t seed = rng_split(run->config.seed, (uint64_t)number);
    const SelfplaySize *size = choose_size(&run->config, rng_split(seed, 0));
    if (!make_searches(worker, run, (int)size->size, error) || !begin_record(run, worker, number, size, seed, error))
        return false;
    const ContestEnd end = selfplay_game_play(run->boards.game[size->size], &run->config, worker->search[size->size],
                                              pool_stop(pool), &worker->record, error);
    if (end == CONTEST_FINISHED)
        pool_finish(pool, &worker->record);
    return end != CONTEST_FAILED;
}

/* Writes a finished game down; its size is found by the size of its record's game, which the seed decides. */
static bool keep_game(void *user, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    SelfplayRun *run = play->run;
    const SelfplaySession *session = play->session;
    (void)wanted;
    const SelfplaySize *size = choose_size(&run->config, rng_split(record->seed, 0));
    if (!session->discard && !game_store_add(&run->store, run->boards.game[size->size], record, error))
        return false;
    if (session->game_done)
        session->game_done(session->user, run, record);
    return true;
}

SelfplayEnd selfplay_run_play(SelfplayRun *run, const SelfplaySession *session, Error *error) {
    Play play = {.run = run, .session = session};
    const PoolJob job = {.threads = session->threads,
                         .stop = session->stop,
                         .take = take_game,
                         .play = play_game,
                         .finished = keep_game,
                         .leave = free_worker,
                         .user = &play};
    switch (pool_run(&job, error)) {
    case POOL_DONE: return SELFPLAY_DONE;
    case POOL_FAILED: return SELFPLAY_FAILED;
    default: return SELFPLAY_STOPPED;
    }
}

/* ---- Taking games over ---- */

typedef struct Import {
    SelfplayRun *run;
    const atomic_bool *stop;
} Import;

static bool import_game(void *user, const Game *game, int64_t number, const GameRecord *record, const char *line,
                        size_t length, Error *error) {
    const Import *import = user;
    SelfplayRun *run = import->run;
    (void)game, (void)record;
    if (import->stop && atomic_load(import->stop))
        return error_set(error, "%s: stopped before all games were there", run->store.folder);
    if (!shard_spec_has(run->shard, number) || game_store_has(&run->store, number))
        return true;
    return game_store_add_line(&run->store, number, line, length, error);
}

/* The games of the run's own folder are there already. */
static bool is_own_folder(const SelfplayRun *run, const char *path) {
    struct stat own, other;
    return stat(run->store.folder, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev &&
           own.st_ino == other.st_ino;
}

bool selfplay_run_import(SelfplayRun *run, const char *path, const atomic_bool *stop, Error *error) {
    SelfplayFiles files;
    Import import = {run, stop};
    if (is_own_folder(run, path))
        return true;
    const bool good = selfplay_files_find(&files, path, error) &&
                      selfplay_files_visit(&files, &run->boards, import_game, &import, error);
    selfplay_files_free(&files);
    return good;
}
