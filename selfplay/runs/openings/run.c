/* See run.h. In the order of a session: the first moves, summing up, planning a round, reading the records,
 * playing. */
#include "selfplay/runs/openings/run.h"

#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/players/game_pool.h"

#include <stdio.h>
#include <stdlib.h>

static const double PROGRESS_SECONDS = 0.5; /* at least, between two standings for the progress line */

/* ---- First moves ---- */

static int find_class(const OpeningsRun *run, Action action) {
    for (int i = 0; i < run->count; i++)
        for (int k = 0; k < run->classes[i].members; k++)
            if (run->classes[i].member[k] == action)
                return i;
    return -1;
}

static bool list_classes(OpeningsRun *run, Error *error) {
    const Game *game = run->game;
    GameState start;
    Action actions[GAME_LEGAL_MAX];
    game->rules->start(game, &start, (int)run->config.komi);
    const int count = game->rules->legal(game, &start, actions);
    run->classes = calloc((size_t)count, sizeof *run->classes);
    if (!run->classes)
        return error_set(error, "out of memory for %d first moves", count);
    for (int i = 0; i < count; i++) {
        int number = -1;
        for (int map = 1; map < HEXHEX_SYMMETRIES && number < 0; map++)
            number = find_class(run, game->rules->symmetry(game, map, actions[i]));
        if (number < 0)
            number = run->count++;
        OpeningsClass *own = &run->classes[number];
        own->member[own->members++] = actions[i];
    }
    return true;
}

/* ---- Summing up ---- */

static int compare_games(const void *left, const void *right) {
    const OpeningsGame *a = *(const OpeningsGame *const *)left, *b = *(const OpeningsGame *const *)right;
    if (a->of_class != b->of_class)
        return a->of_class - b->of_class;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static void add_game(OpeningsStanding *standing, const OpeningsGame *game, bool repeats) {
    standing->games++;
    standing->wins += game->first_won;
    standing->margin_sum += 0.5 * game->margin;
    standing->plies += game->plies;
    standing->data.games += !repeats;
    standing->data.wins += !repeats && game->first_won;
}

/* Sums up the games, but for the probabilities. */
static bool sum_up(const OpeningsRun *run, OpeningsStanding *standings, Error *error) {
    const OpeningsGame **sorted = malloc(((size_t)run->played + 1) * sizeof *sorted);
    if (!sorted)
        return error_set(error, "out of memory for the results of %d games", run->played);
    int played = 0;
    for (int i = 0; i < run->planned; i++)
        if (run->games[i].played)
            sorted[played++] = &run->games[i];
    qsort(sorted, (size_t)played, sizeof sorted[0], compare_games);
    for (int i = 0; i < played; i++) {
        const bool repeats = i > 0 && compare_games(&sorted[i], &sorted[i - 1]) == 0;
        add_game(&standings[sorted[i]->of_class], sorted[i], repeats);
    }
    free(sorted);
    return true;
}

static bool judge(const OpeningsRun *run, OpeningsStanding *standings, Error *error) {
    const size_t count = (size_t)run->count;
    FairestData *data = malloc(count * sizeof *data);
    double *probability = malloc(count * sizeof *probability);
    bool good = data && probability;
    if (!good)
        error_set(error, "out of memory for the chances of %d first moves", run->count);
    for (int i = 0; i < run->count && good; i++)
        data[i] = standings[i].data;
    good = good && fairest_probabilities(data, run->count, probability, error);
    for (int i = 0; i < run->count && good; i++)
        standings[i].probability = probability[i];
    free(data);
    free(probability);
    return good;
}

OpeningsStanding *openings_run_standings(const OpeningsRun *run, Error *error) {
    OpeningsStanding *standings = calloc((size_t)run->count, sizeof *standings);
    if (!standings)
        error_set(error, "out of memory for %d first moves", run->count);
    else if (sum_up(run, standings, error) && judge(run, standings, error))
        return standings;
    free(standings);
    return NULL;
}

Interval openings_run_interval(const OpeningsStanding *standing) {
    const double rate = standing->games ? (double)standing->wins / standing->games : 0;
    return wilson_interval(rate * standing->data.games, standing->data.games);
}

int openings_run_fairest(const OpeningsRun *run, const OpeningsStanding *standings) {
    int best = 0;
    for (int i = 1; i < run->count; i++)
        if (standings[i].probability > standings[best].probability)
            best = i;
    return best;
}

/* ---- Rounds ---- */

static uint64_t run_seed(const OpeningsRun *run) {
    return rng_split(rng_split(run->config.seed, (uint64_t)run->config.size), 0x09e);
}

/* Games of the round that begins with game number `start`: rounds grow, so that there are not many of them. */
static int round_size(const OpeningsRun *run, int start) {
    const int first = (int)run->config.first_round;
    return start / 2 > first ? start / 2 : first;
}

static void shuffle(OpeningsGame *games, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        const OpeningsGame game = games[i];
        games[i] = games[other];
        games[other] = game;
    }
}

/* Adds a round with shares[i] games of class i. */
static bool add_round(OpeningsRun *run, const int *shares, int size, Error *error) {
    OpeningsGame *games = realloc(run->games, (size_t)(run->planned + size) * sizeof *games);
    if (!games)
        return error_set(error, "out of memory for a round of %d games", size);
    run->games = games;
    OpeningsGame *next = games + run->planned;
    memset(next, 0, (size_t)size * sizeof *games);
    for (int i = 0; i < run->count; i++)
        for (int k = 0; k < shares[i]; k++)
            next++->of_class = (int16_t)i;
    shuffle(games + run->planned, size, rng_split(run_seed(run), (uint64_t)run->planned) ^ 1);
    run->planned += size;
    return true;
}

/* Fixes the first moves of the next round; all games planned so far have been played. */
static bool plan_round(OpeningsRun *run, Error *error) {
    const int size = round_size(run, run->planned);
    OpeningsStanding *standings = openings_run_standings(run, error);
    double *probability = malloc((size_t)run->count * sizeof *probability);
    int *shares = malloc((size_t)run->count * sizeof *shares);
    bool good = standings != NULL;
    if (good && !(probability && shares))
        good = error_set(error, "out of memory for a round of %d games", size);
    for (int i = 0; i < run->count && good; i++)
        probability[i] = standings[i].probability;
    if (good)
        fairest_allocate(probability, run->count, size, shares);
    good = good && add_round(run, shares, size, error);
    free(standings);
    free(probability);
    free(shares);
    return good;
}

/* ---- Records ---- */

static void summarize(const GameRecord *record, const Game *game, OpeningsGame *out) {
    out->hash = record_canonical_hash(record, game);
    out->margin = (int16_t)record->result.half_points;
    out->plies = (uint16_t)record->count;
    out->first_won = record->result.winner == BLACK;
    out->played = true;
}

static int find_group(void *user, const char *name, size_t length) {
    const OpeningsRun *run = user;
    return strlen(run->effort) == length && !strncmp(run->effort, name, length) ? 0 : -1;
}

/* Enters a game that was read back; its round must be the one that the games before it lead to. */
static bool enter(void *user, const char *source, int group, int number, const GameRecord *record, Error *error) {
    OpeningsRun *run = user;
    (void)group;
    if (end_is_forfeit(record->reason) || record->komi != run->config.komi)
        return error_set(error, "%s: game %s is no game at komi %lld that was played to its end", source, record->id,
                         (long long)run->config.komi);
    while (number >= run->planned) {
        if (run->played < run->planned)
            return error_set(error, "%s: game %s is there, but the round before it is not complete", source,
                             record->id);
        if (!plan_round(run, error))
            return false;
    }
    OpeningsGame *game = &run->games[number];
    const Action expected = run->classes[game->of_class].member[0];
    if (record->opening != 1 || record->actions[0] != expected) {
        GameState start;
        char text[GAME_TEXT_MAX];
        run->game->rules->start(run->game, &start, record->komi);
        run->game->rules->format(run->game, &start, expected, text);
        return error_set(error, "%s: game %s does not begin as planned, expected %s as its opening", source, record->id,
                         text);
    }
    summarize(record, run->game, game);
    run->played++;
    return true;
}

static RecordGroups groups_of(OpeningsRun *run) {
    return (RecordGroups){.find = find_group, .enter = enter, .user = run};
}

bool openings_run_open(OpeningsRun *run, const OpeningsConfig *config, const char *records_path, Error *error) {
    memset(run, 0, sizeof *run);
    run->records.lines.descriptor = -1;
    if (!openings_config_check(config, error))
        return false;
    run->config = *config;
    const GameOptions options = openings_config_game(config);
    run->game = game_new(&options, error);
    if (!run->game || !list_classes(run, error))
        return false;
    openings_config_effort_name(config, run->effort);
    const RecordGroups groups = groups_of(run);
    return openings_config_hash(config, run->hash, error) &&
           record_file_open(&run->records, records_path, run->game, run->hash, &groups, error);
}

void openings_run_close(OpeningsRun *run) {
    record_file_close(&run->records, NULL);
    free(run->games);
    free(run->classes);
    game_free(run->game);
    memset(run, 0, sizeof *run);
    run->records.lines.descriptor = -1;
}

bool openings_run_sort_records(OpeningsRun *run, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}

/* ---- Playing ---- */

typedef struct Play {
    OpeningsRun *run;
    const OpeningsSession *session;
    int wanted, played_now;
    int next; /* number of the first game that nobody has taken */
    Player player;
    double begin, deadline, standings_due;
    OpeningsStanding *standings;
} Play;

/* What a thread keeps from game to game. */
typedef struct OpeningsWorker {
    Search *search;
    GameRecord record;
} OpeningsWorker;

/* Takes the next game that is not played yet. */
static int take_game(void *user, Error *error) {
    Play *play = user;
    (void)error;
    const OpeningsRun *run = play->run;
    const int end = play->wanted < run->planned ? play->wanted : run->planned;
    while (play->next < end && run->games[play->next].played)
        play->next++;
    return play->next < end ? play->next++ : POOL_NO_TASK;
}

static void show(Play *play, bool round_ended) {
    const OpeningsSession *session = play->session;
    if (!session->progress)
        return;
    const double begin = wall_seconds();
    if (round_ended || begin >= play->standings_due) {
        Error ignored; /* without memory the last standings are shown again */
        OpeningsStanding *standings = openings_run_standings(play->run, &ignored);
        if (standings) {
            free(play->standings);
            play->standings = standings;
        }
        const double end = wall_seconds(), pause = 50 * (end - begin);
        play->standings_due = end + (pause > PROGRESS_SECONDS ? pause : PROGRESS_SECONDS);
    }
    const OpeningsProgress progress = {.run = play->run,
                                       .wanted = play->wanted,
                                       .played_now = play->played_now,
                                       .seconds = wall_seconds() - play->begin,
                                       .standings = play->standings,
                                       .round_ended = round_ended};
    session->progress(session->user, &progress);
}

/* Counts a game that was written down. */
static bool count_game(void *user, const GameRecord *record, bool *wanted, Error *error) {
    Play *play = user;
    (void)wanted, (void)error;
    summarize(record, play->run->game, &play->run->games[atoi(strrchr(record->id, '-') + 1)]);
    play->run->played++;
    play->played_now++;
    show(play, false);
    return true;
}

/* Sets up the record of a game with its first move. */
static bool begin_record(const Play *play, int number, GameRecord *record, Error *error) {
    const OpeningsRun *run = play->run;
    record_clear(record);
    snprintf(record->id, sizeof record->id, "%s-%d", run->effort, number);
    strcpy(record->run, run->hash);
    record->komi = (int)run->config.komi;
    record->seed = rng_split(run_seed(run), (uint64_t)number);
    strcpy(record->players[BLACK], play->player.name);
    strcpy(record->players[WHITE], play->player.name);
    return record_add(record, run->classes[run->games[number].of_class].member[0], error);
}

static OpeningsWorker *new_worker(const Play *play, Error *error) {
    OpeningsWorker *worker = calloc(1, sizeof *worker);
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
    OpeningsWorker *worker = self;
    record_free(&worker->record);
    search_free(worker->search);
    free(worker);
}

/* Plays a game against itself, on one search. */
static bool play_game(GamePool *pool, void **self, int number, Error *error) {
    const Play *play = pool_user(pool);
    if (!*self && !(*self = new_worker(play, error)))
        return false;
    OpeningsWorker *worker = *self;
    Seat seat = {.player = &play->player, .search = worker->search};
    if (!begin_record(play, number, &worker->record, error))
        return false;
    const ContestEnd end =
        contest_play(play->run->game, (Seat *const[2]){&seat, &seat}, pool_stop(pool), &worker->record, error);
    if (end == CONTEST_FINISHED)
        pool_finish(pool, &worker->record);
    return end != CONTEST_FAILED;
}

/* Plays what is left of the planned games. */
static OpeningsEnd play_round(Play *play, Error *error) {
    play->next = 0;
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
    case POOL_DONE: return OPENINGS_DONE;
    case POOL_STOPPED: return OPENINGS_STOPPED;
    case POOL_TIME_UP: return OPENINGS_TIME_UP;
    default: return OPENINGS_FAILED;
    }
}

static bool sure_enough(const OpeningsRun *run, bool *sure, Error *error) {
    *sure = false;
    if (run->config.until_probability == 0 || run->played == 0)
        return true;
    OpeningsStanding *standings = openings_run_standings(run, error);
    if (!standings)
        return false;
    *sure = standings[openings_run_fairest(run, standings)].probability >= run->config.until_probability;
    free(standings);
    return true;
}

/* Plays round after round. */
static OpeningsEnd play_rounds(Play *play, Error *error) {
    OpeningsRun *run = play->run;
    for (;;) {
        bool sure;
        if (run->played == run->planned) { /* between two rounds */
            if (!sure_enough(run, &sure, error))
                return OPENINGS_FAILED;
            if (run->played >= play->wanted || sure)
                return OPENINGS_DONE;
            if (!plan_round(run, error))
                return OPENINGS_FAILED;
        } else if (run->played >= play->wanted) {
            return OPENINGS_DONE;
        }
        const OpeningsEnd end = play_round(play, error);
        if (end == OPENINGS_FAILED)
            return end;
        show(play, true);
        if (play->session->round_done && !play->session->round_done(play->session->user, run, error))
            return OPENINGS_FAILED;
        if (end != OPENINGS_DONE)
            return end;
    }
}

OpeningsEnd openings_run_play(OpeningsRun *run, const OpeningsSession *session, Error *error) {
    Play play = {.run = run,
                 .session = session,
                 .wanted = (int)run->config.games,
                 .player = openings_config_player(&run->config),
                 .begin = wall_seconds()};
    if (run->config.seconds > 0)
        play.deadline = play.begin + run->config.seconds;
    const OpeningsEnd end = play_rounds(&play, error);
    free(play.standings);
    return end;
}
