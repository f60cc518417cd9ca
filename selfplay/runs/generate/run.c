/* See run.h. */
#include "selfplay/runs/generate/run.h"

#include "engine/base/rng.h"
#include "selfplay/runs/generate/game.h"
#include "selfplay/runs/generate/opening.h"

_Static_assert((int)HEXHEX_MAX_SIZE < (int)RUN_SEATS_MAX, "each board has a seat, by its size");

/* ---- Opening a run ---- */

static bool begin(Run *run, Error *error) {
    SelfplayState *state = selfplay_state(run);
    state->store.open.descriptor = -1;
    recorded_openings_open(&state->recorded);
    return selfplay_boards_open(&state->boards, selfplay_config(run), error) &&
           run_add_group(run, SELFPLAY_GROUP, run->config->seed, error);
}

static bool close_games(Run *run, Error *error) {
    return game_store_close(&selfplay_state(run)->store, error);
}

static void close_boards(Run *run) {
    recorded_openings_close(&selfplay_state(run)->recorded);
    selfplay_boards_close(&selfplay_state(run)->boards);
}

bool selfplay_run_open(Run *run, const char *folder, Error *error) {
    SelfplayState *state = selfplay_state(run);
    const int64_t games = run->config->games;
    if (!game_store_open(&state->store, folder, &state->boards, run->shard, games, error))
        return false;
    const int64_t end = state->store.end;
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
    Seat *seat = run_seat(worker, (int)size->size, &size->player, game, error);
    RecordedOpenings *recorded = &selfplay_state(run)->recorded;
    const OpeningSource source = {.config = config,
                                  .size = size,
                                  .game = game,
                                  .referee = seat ? referee_of(worker, size, seat, game, error) : NULL,
                                  .recorded = recorded};
    Opening opening;
    return source.referee &&
           recorded_openings_load(recorded, &config->recorded, selfplay_state(run)->boards.game, error) &&
           selfplay_opening_draw(&source, id.number, rng_split(run_seed(run, id), 1), &opening, error) &&
           run_begin_record(worker, id, &opening, (const char *[]){name, name}, error) &&
           run_finish(worker, id,
                      selfplay_game_play(game, config, seat->search, pool_stop(worker->pool), &worker->record, error));
}

static bool write(Run *run, GameId id, const GameRecord *record, Error *error) {
    SelfplayState *state = selfplay_state(run);
    return state->discard || game_store_add(&state->store, id.number, game_of(run, id), record, error);
}

static const RunPlanByNumber by_number = {.task_games = 1, .tasks_name = "games", .plan = plan, .play = play};
static const RunStore games = {.has = has, .write = write, .close = close_games};

const RunKind selfplay_kind = {.config = &selfplay_config_kind,
                               .state_size = sizeof(SelfplayState),
                               .by_number = &by_number,
                               .store = &games,
                               .begin = begin,
                               .close = close_boards};
