/* See run.h. */
#include "selfplay/runs/generate/run.h"

#include "engine/base/rng.h"
#include "selfplay/runs/generate/game.h"
#include "selfplay/runs/generate/opening.h"

#include <stdlib.h>

_Static_assert((int)HEXHEX_MAX_SIZE < (int)RUN_SEATS_MAX, "each board has a seat, by its size");

/* ---- Opening a run ---- */

static bool begin(Run *run, Error *error) {
    SelfplayState *state = selfplay_state(run);
    state->store.open.descriptor = -1;
    return selfplay_boards_open(&state->boards, selfplay_config(run), error) &&
           run_add_group(run, SELFPLAY_GROUP, run->config->seed, error);
}

static bool close_games(Run *run, Error *error) {
    return game_store_close(&selfplay_state(run)->store, error);
}

static void close_boards(Run *run) {
    selfplay_boards_close(&selfplay_state(run)->boards);
}

bool selfplay_run_open(Run *run, const char *folder, Error *error) {
    SelfplayState *state = selfplay_state(run);
    if (!game_store_open(&state->store, folder, &state->boards, run->shard, error))
        return false;
    const int64_t end = game_store_end(&state->store), games = run->config->games;
    if (end > games) /* the set would have games that it does not count, in the place of others that are missing */
        return error_set(error, "%s: has game-%lld, expected --games %lld or more, not %lld", folder,
                         (long long)end - 1, (long long)end, (long long)games);
    run->groups[0].played = (int)state->store.played;
    return run_plan(run, 0, error);
}

int64_t selfplay_run_wanted(const Run *run) {
    const int64_t games = run->config->games, count = run->shard.count;
    return shard_spec_whole(run->shard) ? games : (games - run->shard.index + count - 1) / count;
}

/* All games, of which this machine plays its share. */
static void plan(const Run *run, int group, int shards, int *start, int *end) {
    (void)shards;
    *start = 0;
    *end = run->groups[group].played < selfplay_run_wanted(run) ? (int)run->config->games : 0;
}

/* ---- Playing ---- */

static bool has(const Run *run, GameId id) {
    return game_store_has(&selfplay_state(run)->store, id.number);
}

/* The size of a game, by weight. */
static const SelfplaySize *size_of(const Run *run, GameId id) {
    const SelfplayConfig *config = selfplay_config(run);
    double sum = 0;
    for (int i = 0; i < config->size_count; i++)
        sum += config->sizes[i].weight;
    Rng rng = rng_seed(rng_split(run_seed(run, id), 0));
    double point = rng_unit(&rng) * sum;
    int i = 0;
    while (i + 1 < config->size_count && point >= config->sizes[i].weight)
        point -= config->sizes[i++].weight;
    return &config->sizes[i];
}

static const Game *game_of(const Run *run, GameId id) {
    return selfplay_state(run)->boards.game[size_of(run, id)->size];
}

/* Who makes komi even: the player itself, if it has a network, else the usual referee. It plays its own games, so what
 * it takes for even comes out even, and it gets better as the network does. */
static Search *referee_of(RunWorker *worker, const SelfplaySize *size, const Seat *seat, const Game *game,
                          Error *error) {
    return player_has_network(seat->player) ? seat->search : run_referee(worker, (int)size->size, game, error);
}

static bool play(RunWorker *worker, GameId id, Error *error) {
    const Run *run = worker->run;
    const SelfplayConfig *config = selfplay_config(run);
    const SelfplaySize *size = size_of(run, id);
    const Game *game = game_of(run, id);
    const char *name = config->player.name;
    const uint64_t seed = run_seed(run, id);
    Opening opening;
    Seat *seat = run_seat(worker, (int)size->size, &size->player, game, error);
    Search *referee = seat ? referee_of(worker, size, seat, game, error) : NULL;
    return referee &&
           selfplay_opening_draw(game, referee, config, size, id.number, rng_split(seed, 1), &opening, error) &&
           run_begin_record(worker, id, opening.komi, seed, (const char *[]){name, name}, opening.actions,
                            opening.count, error) &&
           run_finish(worker, id,
                      selfplay_game_play(game, config, seat->search, pool_stop(worker->pool), &worker->record, error));
}

static bool write(Run *run, GameId id, const GameRecord *record, Error *error) {
    SelfplayState *state = selfplay_state(run);
    return state->discard || game_store_add(&state->store, id.number, game_of(run, id), record, error);
}

static const RunPlanByNumber by_number = {.plan = plan, .play = play};
static const RunStore games = {.has = has, .write = write, .close = close_games};

const RunKind selfplay_kind = {.state_size = sizeof(SelfplayState),
                               .task_games = 1,
                               .tasks_name = "games",
                               .by_number = &by_number,
                               .store = &games,
                               .begin = begin,
                               .close = close_boards};

/* ---- Taking games over ---- */

typedef struct Import {
    Run *run;
    const StopFlag *stop;
    bool *found; /* of each game of the run: whether a source has it */
} Import;

/* Whether a game of a source may be one of the run's. */
static bool expect_game(const Import *import, int64_t number, Error *error) {
    const int64_t end = import->run->config->games;
    if (stop_flag_is_set(import->stop))
        return error_set(error, "%s: stopped before all games were there", selfplay_state(import->run)->store.folder);
    return number < end || error_set(error, "game-%lld of the records: expected --games %lld or more, not %lld",
                                     (long long)number, (long long)number + 1, (long long)end);
}

static bool find_game(void *user, const Game *game, int64_t number, const GameRecord *record, const char *line,
                      size_t length, Error *error) {
    const Import *import = user;
    (void)game, (void)record, (void)line, (void)length;
    if (!expect_game(import, number, error))
        return false;
    import->found[number] = true;
    return true;
}

/* Takes over a game whose line another program has written. */
static bool take_rewritten(GameStore *store, int64_t number, const Game *game, const GameRecord *record, Error *error) {
    char *line = record_to_line(record, game, error);
    const bool good = line && game_store_take_line(store, number, line, strlen(line) - 1, error);
    free(line);
    return good;
}

static bool import_game(void *user, const Game *game, int64_t number, const GameRecord *record, const char *line,
                        size_t length, Error *error) {
    const Import *import = user;
    GameStore *store = &selfplay_state(import->run)->store;
    if (!expect_game(import, number, error))
        return false;
    if (!shard_spec_has(import->run->shard, number) || game_store_has(store, number))
        return true;
    return selfplay_line_number(line) == number ? game_store_take_line(store, number, line, length, error)
                                                : take_rewritten(store, number, game, record, error);
}

static bool visit_source(Import *import, const char *path, SelfplayVisitor *visitor, Error *error) {
    const SelfplayState *state = selfplay_state(import->run);
    SelfplayFiles files;
    bool own; /* the games of the run's own folder are there already */
    if (!file_is_same(state->store.folder, path, &own, error))
        return false;
    if (own)
        return true;
    const bool good = selfplay_files_find(&files, path, error) &&
                      selfplay_files_visit(&files, &state->boards, visitor, import, error);
    selfplay_files_free(&files);
    return good;
}

/* Whether every game of the run is there or in a source. */
static bool is_whole(const Import *import, Error *error) {
    const Run *run = import->run;
    int64_t missing = 0, first = -1;
    for (int64_t number = 0; number < run->config->games; number++)
        if (shard_spec_has(run->shard, number) && !import->found[number] &&
            !game_store_has(&selfplay_state(run)->store, number) && missing++ == 0)
            first = number;
    return missing == 0 || error_set(error, "the records: %lld of %lld games are missing, the first is game-%lld",
                                     (long long)missing, (long long)selfplay_run_wanted(run), (long long)first);
}

bool selfplay_run_check_sources(Run *run, const char *const *paths, int count, const StopFlag *stop, Error *error) {
    Import import = {run, stop, calloc((size_t)run->config->games, sizeof *import.found)};
    bool good = import.found || error_set(error, "out of memory for %lld games", (long long)run->config->games);
    for (int i = 0; i < count && good; i++)
        good = visit_source(&import, paths[i], find_game, error);
    good = good && is_whole(&import, error);
    free(import.found);
    return good;
}

bool selfplay_run_import(Run *run, const char *path, const StopFlag *stop, Error *error) {
    Import import = {run, stop, NULL};
    return visit_source(&import, path, import_game, error);
}
