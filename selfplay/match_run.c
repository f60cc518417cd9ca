/* See match_run.h. In the order of a session: what counts, reading the records, playing. */
#include "match_run.h"

#include "document.h"
#include "game_pool.h"
#include "rng.h"
#include "wall_time.h"

#include <stdio.h>
#include <stdlib.h>

/* A record may be this far ahead of the games before it: what threads play side by side. */
enum { NUMBERS_AHEAD = 4 * SEARCH_THREADS_MAX };

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

static const MatchGame *find_game(const MatchPairing *pairing, int number) {
    const MatchGame *game = place_of(pairing, number);
    return game && game->played ? game : NULL;
}

static bool has_verdict(const MatchRun *run) {
    return run->config.sprt && run->sprt.verdict != SPRT_RUNNING;
}

const MatchGame *match_game(const MatchRun *run, const MatchPairing *pairing, int number) {
    return !has_verdict(run) || number < 2 * run->sprt_next ? find_game(pairing, number) : NULL;
}

/* The score of player a in a complete pair, in halves; -1 where it is not complete. */
static int pair_score(const MatchPairing *pairing, int pair) {
    const MatchGame *as_black = find_game(pairing, 2 * pair), *as_white = find_game(pairing, 2 * pair + 1);
    return as_black && as_white ? (as_black->winner == BLACK) + (as_white->winner == WHITE) : -1;
}

PairCounts match_pairing_counts(const MatchRun *run, const MatchPairing *pairing) {
    PairCounts counts = {{0}};
    for (int pair = 0; 2 * pair < pairing->end; pair++) {
        const int score = pair_score(pairing, pair);
        if (score >= 0 && match_game(run, pairing, 2 * pair))
            counts.count[score] += 1;
    }
    return counts;
}

int match_run_played(const MatchRun *run) {
    if (has_verdict(run))
        return 2 * run->sprt_next;
    int played = 0;
    for (int i = 0; i < run->pairing_count; i++)
        played += run->pairings[i].played;
    return played;
}

int64_t match_run_wanted(const MatchRun *run) {
    return has_verdict(run) ? 2 * run->sprt_next : run->config.games * run->pairing_count;
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
    for (int score;
         run->config.sprt && !has_verdict(run) && (score = pair_score(&run->pairings[0], run->sprt_next)) >= 0;
         run->sprt_next++)
        sprt_add(&run->sprt, score);
}

/* ---- Records ---- */

static uint64_t opening_hash(const GameRecord *record) {
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
                       .opening = opening_hash(record),
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

/* Makes room for a game. */
static bool make_room(MatchPairing *pairing, int number, Error *error) {
    int block = 0, size = BLOCK;
    for (int rest = number; rest >= size; size *= 2, block++)
        rest -= size;
    if (!pairing->blocks[block])
        pairing->blocks[block] = calloc((size_t)size, sizeof(MatchGame));
    pairing->end = number >= pairing->end ? number + 1 : pairing->end;
    return pairing->blocks[block] || error_set(error, "out of memory for %d games", size);
}

static bool enter_game(MatchRun *run, MatchPairing *pairing, int number, const GameRecord *record, Error *error) {
    if (!make_room(pairing, number, error))
        return false;
    summarize(record, run->game, place_of(pairing, number));
    pairing->played++;
    if (pairing == &run->pairings[0])
        advance_test(run);
    return true;
}

static int find_pairing(void *user, const char *name, size_t length) {
    const MatchRun *run = user;
    for (int i = 0; i < run->pairing_count; i++)
        if (strlen(run->pairings[i].name) == length && !strncmp(run->pairings[i].name, name, length))
            return i;
    return -1;
}

/* Enters a game that was read back. */
static bool enter_record(void *user, const char *source, int group, int number, const GameRecord *record,
                         Error *error) {
    MatchRun *run = user;
    MatchPairing *pairing = &run->pairings[group];
    if (number >= MATCH_GAMES_MAX || number - pairing->played > NUMBERS_AHEAD)
        return error_set(error, "%s: game %s-%d is there, but most games before it are not", source, pairing->name,
                         number);
    const MatchGame *other = find_game(pairing, number ^ 1);
    const char *black = run->config.players[number % 2 ? pairing->b : pairing->a].player.name;
    if (strcmp(record->players[BLACK], black))
        return error_set(error, "%s: game %s-%d: Black is '%s', expected '%s'", source, pairing->name, number,
                         record->players[BLACK], black);
    if (other && other->opening != opening_hash(record))
        return error_set(error, "%s: game %s-%d has another opening or komi than game %d of its pair", source,
                         pairing->name, number, number ^ 1);
    return enter_game(run, pairing, number, record, error);
}

static bool keep_record(void *user, int group, int number) {
    const MatchRun *run = user;
    return match_game(run, &run->pairings[group], number) != NULL;
}

static RecordGroups groups_of(MatchRun *run) {
    return (RecordGroups){.find = find_pairing, .enter = enter_record, .keep = keep_record, .user = run};
}

bool match_run_sort_records(MatchRun *run, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_sort(&run->records, &groups, error);
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

bool match_run_open(MatchRun *run, const MatchConfig *config, const char *records_path, Error *error) {
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
    for (int i = 0; i < config->count; i++)
        if (config->players[i].command[0] && !try_engine(run, &config->players[i], error))
            return false;
    const RecordGroups groups = groups_of(run);
    return try_opening(run, error) &&
           record_file_open(&run->records, records_path, run->game, run->hash, &groups, error);
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
    const int64_t games = run->config.games ? run->config.games : MATCH_GAMES_MAX;
    if (has_verdict(run))
        return POOL_NO_TASK;
    for (; play->next < INT32_MAX; play->next++) {
        const int pair = play->next / run->pairing_count;
        MatchPairing *pairing = &run->pairings[play->next % run->pairing_count];
        if (2 * (int64_t)pair >= games)
            break;
        if (pair_score(pairing, pair) < 0) /* room is made now, while no other thread looks */
            return make_room(pairing, 2 * pair, error) && make_room(pairing, 2 * pair + 1, error) ? play->next++
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
    const MatchGame *other = find_game(pairing, number ^ 1);
    return !other || other->opening == opening_hash(record) ||
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
        if (find_game(pairing, number))
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
    if (!enter_game(run, pairing, number, record, error))
        return false;
    *wanted = !has_verdict(run);
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
