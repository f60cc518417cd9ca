/* See run.h. In the order of a session: making a run, rounds and shares, reading the records, playing. */
#include "selfplay/runs/run.h"

#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "selfplay/runs/opening.h"

#include <stdio.h>
#include <stdlib.h>

/* Where rounds do not grow, a record may be this far ahead of the games before it: what threads play side by side. */
enum { NUMBERS_AHEAD = 4 * SEARCH_THREADS_MAX };

/* Block k of a group holds the BLOCK * 2^k games from number BLOCK * (2^k - 1) on. */
enum { BLOCK = 64 };

static const ShardSpec whole = {0, 0};

/* ---- Making a run ---- */

Run *run_new(const RunKind *kind, const RunConfig *config, ShardSpec shard, Error *error) {
    Run *run = calloc(1, sizeof *run);
    if (!run) {
        error_set(error, "out of memory");
        return NULL;
    }
    *run = (Run){.kind = kind, .shard = shard, .records.lines.descriptor = -1};
    run->config = malloc(config->kind->size);
    if (run->config)
        memcpy(run->config, config, config->kind->size);
    bool good = run->config || error_set(error, "out of memory");
    good = good && run_config_check(run->config, error) && run_config_hash(run->config, run->hash, error);
    run->state = good ? calloc(1, kind->state_size + 1) : NULL;
    if (good && !run->state)
        good = error_set(error, "out of memory");
    if (good && kind->begin(run, error))
        return run;
    run_free(run);
    return NULL;
}

void run_free(Run *run) {
    if (!run)
        return;
    record_file_close(&run->records, NULL);
    if (run->kind->close && run->state)
        run->kind->close(run);
    for (int group = 0; group < run->group_count; group++)
        for (int block = 0; block < RUN_BLOCKS; block++)
            free(run->groups[group].blocks[block]);
    free(run->groups);
    game_free(run->game);
    free(run->state);
    free(run->config);
    free(run);
}

RunGroup *run_add_group(Run *run, const char *name, uint64_t seed, Error *error) {
    RunGroup *groups = realloc(run->groups, ((size_t)run->group_count + 1) * sizeof *groups);
    if (!groups) {
        error_set(error, "out of memory");
        return NULL;
    }
    run->groups = groups;
    RunGroup *group = &groups[run->group_count++];
    *group = (RunGroup){.seed = seed};
    snprintf(group->name, sizeof group->name, "%s", name);
    return group;
}

/* ---- Games ---- */

/* Finds the block of a game; *number becomes its place in it. Returns the block, and its size in *size. */
static int block_of(int *number, int *size) {
    int block = 0;
    for (*size = BLOCK; *number >= *size; *size *= 2, block++)
        *number -= *size;
    return block;
}

RunGame *run_place(const Run *run, GameId id) {
    int size;
    RunGame *const *block = &run->groups[id.group].blocks[block_of(&id.number, &size)];
    return *block ? *block + id.number : NULL;
}

const RunGame *run_game(const Run *run, GameId id) {
    const RunGame *game = run_place(run, id);
    return game && game->played ? game : NULL;
}

/* Whether a game has been played, wherever it is kept. */
static bool has_game(const Run *run, GameId id) {
    return run->kind->has ? run->kind->has(run, id) : run_game(run, id) != NULL;
}

/* Makes room for the games below number `end` of a group, which threads that look for others do not notice. */
static bool make_room(RunGroup *group, int end, Error *error) {
    while (group->planned < end) {
        int place = group->planned, size;
        RunGame **block = &group->blocks[block_of(&place, &size)];
        if (!*block && !(*block = calloc((size_t)size, sizeof **block)))
            return error_set(error, "out of memory for %d games", size);
        const int free_places = size - place, wanted = end - group->planned;
        group->planned += wanted < free_places ? wanted : free_places;
    }
    return true;
}

static int compare_games(const void *left, const void *right) {
    const RunGame *a = *(const RunGame *const *)left, *b = *(const RunGame *const *)right;
    if (a->plan != b->plan)
        return a->plan - b->plan;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

int run_end_of(const Run *run, int group) {
    return run->kind->end_of ? run->kind->end_of(run, group) : run->groups[group].planned;
}

int run_sorted_games(const Run *run, int group, const RunGame ***games, Error *error) {
    const int played = run->groups[group].played;
    int count = 0;
    *games = malloc(((size_t)played + 1) * sizeof **games);
    if (!*games) {
        error_set(error, "out of memory for the results of %d games", played);
        return -1;
    }
    for (int number = 0; number < run_end_of(run, group); number++) {
        const RunGame *game = run_game(run, (GameId){group, number});
        if (game)
            (*games)[count++] = game;
    }
    qsort(*games, (size_t)count, sizeof **games, compare_games);
    return count;
}

bool run_repeats(const RunGame *const *games, int i) {
    return i > 0 && compare_games(&games[i], &games[i - 1]) == 0;
}

int run_played(const Run *run) {
    int played = 0;
    for (int group = 0; group < run->group_count; group++)
        played += run->groups[group].played;
    return played;
}

int run_counted(const Run *run) {
    int count = 0;
    for (int group = 0; group < run->group_count; group++)
        for (int number = 0; number < run_end_of(run, group); number++)
            count += run_game(run, (GameId){group, number}) != NULL;
    return count;
}

/* ---- Rounds ---- */

/* Swaps the plans of a round at random. */
static void shuffle(const Run *run, int group, int start, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        RunGame *a = run_place(run, (GameId){group, start + i}), *b = run_place(run, (GameId){group, start + other});
        const int16_t plan = a->plan;
        a->plan = b->plan;
        b->plan = plan;
    }
}

/* Plans the next round of a group whose rounds grow, so that there are not many of them; all games planned so far have
 * been played. */
static bool grow(Run *run, int number, Error *error) {
    RunGroup *group = &run->groups[number];
    const int first = (int)run->config->first_round, start = group->planned;
    const int size = start / 2 > first ? start / 2 : first;
    int lowest, count;
    int *shares = run->kind->share_out(run, number, size, &lowest, &count, error);
    if (!shares || !make_room(group, start + size, error)) {
        free(shares);
        return false;
    }
    for (int i = 0, next = start; i < count; i++)
        for (int k = 0; k < shares[i]; k++)
            run_place(run, (GameId){number, next++})->plan = (int16_t)(lowest + i);
    free(shares);
    shuffle(run, number, start, size, rng_split(group->seed, (uint64_t)start) ^ 1);
    group->round_start = start;
    return true;
}

/* Settles the current round of a group that grows: what is left of the last one, or the next one where it is needed. */
static bool settle_growing(Run *run, int number, Error *error) {
    RunGroup *group = &run->groups[number];
    const int64_t wanted = run->config->games;
    bool enough = false;
    if (group->played == group->planned) { /* between two rounds */
        if (group->played > 0 && !run->kind->enough(run, number, &enough, error))
            return false;
        if (!enough && group->played < wanted && !grow(run, number, error))
            return false;
    }
    const bool finished = group->played == group->planned || group->played >= wanted;
    group->round_end = finished ? group->round_start : wanted < group->planned ? (int)wanted : group->planned;
    return true;
}

static bool settle(Run *run, int number, int shards, Error *error) {
    RunGroup *group = &run->groups[number];
    if (run->kind->share_out)
        return settle_growing(run, number, error);
    run->kind->plan(run, number, shards, &group->round_start, &group->round_end);
    return true;
}

bool run_plan(Run *run, int shards, Error *error) {
    for (int group = 0; group < run->group_count; group++)
        if (!settle(run, group, shards, error))
            return false;
    return true;
}

/* ---- Shares ---- */

/* The number of a task among all those that are dealt out: groups one by one from the last, whose games are the
 * longest, or in turn. */
static int64_t task_of(const Run *run, GameId id) {
    if (!run->kind->one_by_one)
        return (int64_t)(id.number / run->kind->task_games) * run->group_count + id.group;
    int64_t task = id.number - run->groups[id.group].round_start;
    for (int above = id.group + 1; above < run->group_count; above++)
        task += run->groups[above].round_end - run->groups[above].round_start;
    return task;
}

/* Whether a game is of the current round and of a shard. */
static bool is_of_share(const Run *run, ShardSpec shard, GameId id) {
    const RunGroup *group = &run->groups[id.group];
    return id.number >= group->round_start && id.number < group->round_end && shard_spec_has(shard, task_of(run, id));
}

/* Adds the games of a shard in a group, and those of them that are left. */
static void count_share(const Run *run, ShardSpec shard, int group, int *games, int *left) {
    for (int number = run->groups[group].round_start; number < run->groups[group].round_end; number++)
        if (is_of_share(run, shard, (GameId){group, number})) {
            *games += 1;
            *left += !has_game(run, (GameId){group, number});
        }
}

void run_share(const Run *run, ShardSpec shard, int *games, int *left) {
    *games = *left = 0;
    for (int group = 0; group < run->group_count; group++)
        count_share(run, shard, group, games, left);
}

cJSON *run_round(const Run *run) {
    cJSON *json = cJSON_CreateObject();
    const int groups = run->kind->one_by_one ? run->group_count : 1, task = run->kind->task_games;
    for (int i = 0; i < groups; i++) {
        const RunGroup *group = &run->groups[i];
        const int range[2] = {group->round_start / task, group->round_end / task};
        if (range[0] < range[1])
            cJSON_AddItemToObject(json, run->kind->one_by_one ? group->name : run->kind->tasks_name,
                                  cJSON_CreateIntArray(range, 2));
    }
    return json;
}

static int end_of(const cJSON *round, const char *name) {
    const cJSON *end = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(round, name), 1);
    return cJSON_IsNumber(end) ? end->valueint : -1;
}

bool run_has_round(const Run *run, const cJSON *round) {
    if (!run->kind->one_by_one) {
        const RunGroup *first = &run->groups[0];
        const int end = end_of(round, run->kind->tasks_name);
        return first->round_start == first->round_end ||
               (end >= 0 && end <= first->round_start / run->kind->task_games);
    }
    for (int group = 0; group < run->group_count; group++)
        if (run->groups[group].played < end_of(round, run->groups[group].name))
            return false;
    return true;
}

/* ---- Records ---- */

uint64_t run_opening_hash(const GameRecord *record) {
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

/* Enters a game in its place, for which there is room. */
static void enter_game(Run *run, GameId id, const GameRecord *record, bool now, bool *wanted) {
    RunGame *game = run_place(run, id);
    *game = (RunGame){.hash = record_canonical_hash(record, run->game),
                      .opening = run_opening_hash(record),
                      .turns = (uint16_t)count_turns(run->game, record),
                      .actions = (uint16_t)record->count,
                      .plan = game->plan,
                      .komi = (int16_t)record->komi,
                      .margin = (int16_t)record->result.margin,
                      .winner = (uint8_t)record->result.winner,
                      .reason = (uint8_t)record->reason,
                      .played = true};
    for (Side side = BLACK; side <= WHITE; side++) {
        game->simulations[side] = record->effort[side].simulations;
        game->moves[side] = (uint16_t)record->effort[side].moves;
    }
    run->groups[id.group].played++;
    if (run->kind->count)
        run->kind->count(run, id, record, game, now, wanted);
}

static int find_group(void *user, const char *name, size_t length) {
    const Run *run = user;
    for (int group = 0; group < run->group_count; group++)
        if (strlen(run->groups[group].name) == length && !strncmp(run->groups[group].name, name, length))
            return group;
    return -1; /* a rung that this session does not ask for: kept, not counted */
}

/* Enters a game that was read back, whose number has been checked. */
static bool enter_checked(Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    bool wanted;
    if (!make_room(&run->groups[id.group], id.number + 1, error) || !run->kind->check(run, source, id, record, error))
        return false;
    enter_game(run, id, record, false, &wanted);
    return true;
}

/* Enters a game of the run's own records; its round must be one that the games before it lead to. */
static bool enter(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    const RunGroup *group = &run->groups[id.group];
    if (!run->kind->share_out && id.number - group->played > NUMBERS_AHEAD)
        return error_set(error, "%s: game %s is there, but most games before it are not", source, record->id);
    while (run->kind->share_out && id.number >= group->planned) {
        if (group->played < group->planned)
            return error_set(error, "%s: game %s is there, but the round before it is not complete", source,
                             record->id);
        if (!grow(run, id.group, error))
            return false;
    }
    return enter_checked(run, source, id, record, error);
}

/* Enters a game of a shard: it is of its share of the round, or was merged in an earlier one. */
static bool enter_shared(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    const bool own = is_of_share(run, run->shard, id);
    if ((own || !is_of_share(run, whole, id)) && id.number < run->groups[id.group].planned && run_game(run, id))
        return true;
    if (!own)
        return error_set(error, "%s: game %s is not of shard %d of %d in this round", source, record->id,
                         run->shard.index, run->shard.count);
    return enter_checked(run, source, id, record, error);
}

static bool keep(void *user, GameId id) {
    const Run *run = user;
    return id.number < run_end_of(run, id.group);
}

static bool keep_shared(void *user, GameId id) {
    const Run *run = user;
    return is_of_share(run, run->shard, id);
}

static RecordGroups groups_of(Run *run) {
    return (RecordGroups){.find = find_group, .enter = enter, .keep = keep, .user = run};
}

static RecordGroups shared_groups_of(Run *run) {
    return (RecordGroups){.find = find_group, .enter = enter_shared, .keep = keep_shared, .user = run};
}

bool run_open_to_merge(Run *run, const char *path, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_open(&run->records, path, run->game, run->hash, &groups, error);
}

static bool rehearse(const Run *run, Error *error) {
    return !run->kind->rehearse || run->kind->rehearse(run, error);
}

bool run_open(Run *run, const char *path, Error *error) {
    return rehearse(run, error) && run_open_to_merge(run, path, error);
}

bool run_open_shard(Run *run, const char *path, const char *shard_path, Error *error) {
    const RecordGroups groups = groups_of(run), shared = shared_groups_of(run);
    if (run->config->seconds > 0)
        return error_set(error,
                         "time: %g seconds, expected none for a shard, which the batch system stops where it must",
                         run->config->seconds);
    return rehearse(run, error) && record_file_read(path, run->game, run->hash, &groups, error) &&
           run_plan(run, run->shard.count, error) &&
           record_file_open(&run->records, shard_path, run->game, run->hash, &shared, error) &&
           record_file_sort(&run->records, &shared, error);
}

bool run_enter_shard(Run *run, ShardSpec shard, const char *path, const char *text, size_t length, Error *error) {
    const RecordGroups shared = shared_groups_of(run);
    run->shard = shard;
    const bool good = record_text_read(path, text, length, run->game, run->hash, &shared, error);
    run->shard = whole;
    return good;
}

bool run_join(Run *run, const char *text, size_t length, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_join(&run->records, text, length, &groups, error);
}

bool run_sort_records(Run *run, Error *error) {
    const RecordGroups groups = shard_spec_whole(run->shard) ? groups_of(run) : shared_groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}

/* ---- The document ---- */

cJSON *run_begin_document(const Run *run, const DocumentContext *context, const char *const *keys) {
    cJSON *json = cJSON_CreateObject(), *identity = run_config_identity(run->config);
    document_add_schema(json, &run->kind->schema);
    for (; *keys; keys++)
        cJSON_AddItemToObject(json, *keys, cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(identity, *keys), true));
    cJSON_AddStringToObject(json, "run", run->hash);
    cJSON_AddItemToObject(json, "settings", identity);
    document_add_context(json, context);
    return json;
}

cJSON *run_document(const Run *run, const DocumentContext *context, Error *error) {
    return run->kind->document(run, context, error);
}

bool run_write(const Run *run, const DocumentContext *context, const char *path, Error *error) {
    cJSON *json = run_document(run, context, error);
    return json && document_write(json, path, error);
}

bool run_resume(Run *run, const char *path, DocumentContext *context, Error *error) {
    cJSON *identity = run_config_identity(run->config), *document;
    const bool good = document_resume(path, &run->kind->schema, identity, context, &document, error);
    if (good && run->kind->add_timing && shard_spec_whole(run->shard)) /* a shard's own is in its own document */
        run->kind->add_timing(run, cJSON_GetObjectItemCaseSensitive(document, "timing"));
    cJSON_Delete(document);
    cJSON_Delete(identity);
    return good;
}

/* ---- What threads keep ---- */

static void free_worker(void *self) {
    RunWorker *worker = self;
    for (int i = 0; i < RUN_SEATS_MAX; i++) {
        search_free(worker->seats[i].search);
        gtp_player_free(worker->seats[i].engine);
        search_free(worker->referees[i]);
    }
    record_free(&worker->record);
    free(worker);
}

Seat *run_seat(RunWorker *worker, int number, const Player *player, const Game *game, Error *error) {
    Seat *seat = &worker->seats[number];
    seat->player = player;
    if (!seat->search && !seat->engine)
        seat->search = player_new_search(player, game, 0, error);
    return seat->search || seat->engine ? seat : NULL;
}

Search *run_referee(RunWorker *worker, int number, const Game *game, Error *error) {
    Search **referee = &worker->referees[number];
    return *referee ? *referee : (*referee = opening_referee(game, error));
}

bool run_begin_record(RunWorker *worker, GameId id, int komi, uint64_t seed, const char *const players[2],
                      const Action *opening, int count, Error *error) {
    GameRecord *record = &worker->record;
    record_clear(record);
    game_id_format(worker->run->groups[id.group].name, id.number, record->id);
    strcpy(record->run, worker->run->hash);
    record->komi = komi;
    record->seed = seed;
    for (Side side = BLACK; side <= WHITE; side++)
        strcpy(record->players[side], players[side]);
    for (int i = 0; i < count; i++)
        if (!record_add(record, opening[i], error))
            return false;
    record->opening = count;
    return true;
}

bool run_contest(RunWorker *worker, GameId id, Seat *black, Seat *white, Error *error) {
    return run_finish(worker, id,
                      contest_play(worker->run->game, (Seat *const[2]){black, white}, pool_stop(worker->pool),
                                   &worker->record, error));
}

bool run_finish(RunWorker *worker, GameId id, ContestEnd end) {
    if (end == CONTEST_FINISHED)
        pool_finish(worker->pool, id, &worker->record);
    return end != CONTEST_FAILED;
}

/* ---- Playing ---- */

/* A session on one group, or on all of them side by side. */
typedef struct Play {
    Run *run;
    const RunSession *session;
    int first, count; /* groups */
    int64_t next;     /* the first task of these groups, in turn, that nobody has taken */
    RunProgress progress;
    double begin, deadline;
} Play;

static GameId first_of(const Play *play, int64_t task) {
    return (GameId){play->first + (int)(task % play->count), (int)(task / play->count) * play->run->kind->task_games};
}

/* Whether a game of this task is left for this process. */
static bool is_left(const Run *run, GameId first) {
    for (int i = 0; i < run->kind->task_games; i++)
        if (!has_game(run, (GameId){first.group, first.number + i}))
            return is_of_share(run, run->shard, first);
    return false;
}

/* Takes the next task of which a game is not played yet. */
static int take_task(void *user, Error *error) {
    Play *play = user;
    Run *run = play->run;
    for (; play->next < INT32_MAX; play->next++) {
        const GameId id = first_of(play, play->next);
        RunGroup *group = &run->groups[id.group];
        if (id.number >= group->round_end)
            return POOL_NO_TASK;
        if (!is_left(run, id))
            continue;
        if (!run->kind->has && !make_room(group, id.number + run->kind->task_games, error))
            return POOL_TASK_FAILED;
        return (int)play->next++;
    }
    return POOL_NO_TASK;
}

static bool play_task(GamePool *pool, void **self, int task, Error *error) {
    const Play *play = pool_user(pool);
    if (!*self && !(*self = calloc(1, sizeof(RunWorker))))
        return error_set(error, "out of memory");
    RunWorker *worker = *self;
    worker->run = play->run;
    worker->pool = pool;
    return play->run->kind->play(worker, first_of(play, task), error);
}

static bool show(Play *play, const GameRecord *record, Error *error) {
    const RunSession *session = play->session;
    play->progress.seconds = wall_seconds() - play->begin;
    play->progress.record = record;
    return !session->progress || session->progress(session->user, &play->progress, error);
}

/* Writes a finished game down and counts it. */
static bool finish_game(void *user, GameId id, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    Run *run = play->run;
    bool more = true;
    if (run->kind->write) {
        if (!run->kind->write(run, id, record, error))
            return false;
        run->groups[id.group].played++;
    } else {
        if (!record_file_append(&run->records, record, error))
            return false;
        enter_game(run, id, record, true, &more);
    }
    *wanted = more || !shard_spec_whole(run->shard); /* a shard plays its whole share */
    play->progress.played++;
    play->progress.played_now++;
    return show(play, record, error);
}

/* Plays what is left of the current round. */
static RunEnd play_round(Play *play, Error *error) {
    const PoolJob job = {.threads = play->session->threads,
                         .stop = play->session->stop,
                         .deadline = play->deadline,
                         .take = take_task,
                         .play = play_task,
                         .finished = finish_game,
                         .leave = free_worker,
                         .user = play};
    play->next = (int64_t)(play->run->groups[play->first].round_start / play->run->kind->task_games) * play->count;
    const PoolEnd end = pool_run(&job, error);
    if (end == POOL_FAILED || !show(play, NULL, error))
        return RUN_FAILED;
    return end == POOL_DONE ? RUN_DONE : end == POOL_STOPPED ? RUN_STOPPED : RUN_TIME_UP;
}

/* How far the groups of a session are, and how far they are to go. */
static void begin_progress(Play *play) {
    const Run *run = play->run;
    int games = 0, left = 0, played = 0;
    for (int group = play->first; group < play->first + play->count; group++) {
        played += run->groups[group].played;
        if (!shard_spec_whole(run->shard))
            count_share(run, run->shard, group, &games, &left);
    }
    const bool all = shard_spec_whole(run->shard);
    play->progress = (RunProgress){.run = run,
                                   .group = run->kind->one_by_one ? play->first : -1,
                                   .played = all ? played : games - left,
                                   .wanted = all ? run->config->games * play->count : games};
}

/* Plays groups round after round; of a shard its share of one round. */
static RunEnd play_groups(Play *play, Error *error) {
    Run *run = play->run;
    const bool all = shard_spec_whole(run->shard);
    play->begin = wall_seconds();
    begin_progress(play);
    for (;;) {
        bool open = false;
        for (int group = play->first; group < play->first + play->count; group++) {
            if (all && !settle(run, group, 0, error))
                return RUN_FAILED;
            open |= run->groups[group].round_start < run->groups[group].round_end;
        }
        if (!open || (!all && play->progress.played == play->progress.wanted))
            return RUN_DONE;
        const RunEnd end = play_round(play, error);
        if (end != RUN_DONE)
            return end;
    }
}

RunEnd run_play(Run *run, const RunSession *session, Error *error) {
    const double begin = wall_seconds(), limit = run->config->seconds;
    const int legs = run->kind->one_by_one ? run->group_count : 1;
    RunEnd last = RUN_DONE;
    for (int leg = 0; leg < legs; leg++) {
        Play play = {.run = run, .session = session, .count = run->group_count};
        if (run->kind->one_by_one) { /* of a shard the longest games first */
            play.first = shard_spec_whole(run->shard) ? leg : legs - 1 - leg;
            play.count = 1;
        }
        const double share = run->kind->time_share ? run->kind->time_share(run, leg) : 1;
        if (limit > 0)
            play.deadline = wall_seconds() + (begin + limit - wall_seconds()) * share;
        const RunEnd end = play_groups(&play, error);
        if (end == RUN_FAILED || end == RUN_STOPPED)
            return end;
        if (end == RUN_TIME_UP)
            last = end;
    }
    return last;
}
