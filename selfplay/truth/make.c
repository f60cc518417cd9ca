/* See make.h. In the order of the work: what a thread keeps, drawing positions, sources one after the other. */
#include "selfplay/truth/make.h"

#include "engine/base/rng.h"
#include "engine/game/beginnings.h"
#include "selfplay/io/json.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/runs/opening.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
    CHUNK = 32,       /* candidates of a source that are drawn together */
    OPENING_MOST = 4, /* random turns of a game, 1 to this number */
    SOLVER_MB = 64,
    SMALL_SOLVER_MB = 4, /* on hexhex-2, where that is plenty and clearing it for each position is most of the work */
    REFEREE_SIMULATIONS = 50 /* with which the komi of a game is made even: near is enough */
};

/* A position that may become one of the set. */
typedef struct Candidate {
    TruthPosition position;
    bool drawn; /* a game can be over too early */
    TruthOutcome outcome;
} Candidate;

/* One source of positions. */
typedef struct Drawing {
    const TruthMake *make;
    const Game *game;
    PlayerNetworks *networks;
    TruthSource source;
    const Beginnings *beginnings; /* of the source "turns" */
    int komi;                     /* of these: 0 or 1 */
    Candidate chunk[CHUNK];
    int first, count, taken; /* candidates of the chunk: numbers from `first` on */
} Drawing;

/* What a thread keeps from position to position. */
typedef struct Worker {
    const Drawing *drawing;
    Solver *solver;
    Search *referee;
    Seat seats[TRUTH_PLAYERS_MAX];
    GameRecord record;
} Worker;

/* ---- Threads ---- */

static void free_worker(void *self) {
    Worker *worker = self;
    solver_free(worker->solver);
    search_free(worker->referee);
    for (int i = 0; i < TRUTH_PLAYERS_MAX; i++)
        search_free(worker->seats[i].search);
    record_free(&worker->record);
    free(worker);
}

static Worker *new_worker(const Drawing *drawing, Error *error) {
    const size_t megabytes = drawing->game->board.size == 2 ? SMALL_SOLVER_MB : SOLVER_MB;
    const SolverOptions options = {.memory = megabytes << 20, .threads = 1};
    const TruthMake *make = drawing->make;
    Worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(error, "out of memory");
        return NULL;
    }
    worker->drawing = drawing;
    worker->solver = solver_new(drawing->game, &options, error);
    worker->referee = opening_referee(drawing->game, error);
    bool good = worker->solver && worker->referee;
    for (int i = 0; i < make->player_count && good; i++) {
        worker->seats[i].player = &make->players[i];
        worker->seats[i].search = player_new_search(&make->players[i], drawing->networks, drawing->game, 0, error);
        good = worker->seats[i].search != NULL;
    }
    if (good)
        return worker;
    free_worker(worker);
    return NULL;
}

/* ---- Drawing ---- */

static bool keep_actions(TruthPosition *position, const Action *actions, int count, Error *error) {
    position->actions = malloc(((size_t)count + 1) * sizeof *actions);
    if (!position->actions)
        return error_set(error, "out of memory");
    memcpy(position->actions, actions, (size_t)count * sizeof *actions);
    position->count = count;
    return true;
}

static bool draw_beginning(const Drawing *drawing, int number, Candidate *candidate, Error *error) {
    const Beginning *beginning = &drawing->beginnings->list[number];
    candidate->drawn = true;
    candidate->position.komi = drawing->komi;
    return keep_actions(&candidate->position, beginning->actions, beginning->count, error);
}

/* Random actions: at least one more than `turns`, and as many as the board has cells, at most. Where they end within a
 * turn, nothing is drawn. */
static bool draw_random(const Drawing *drawing, Rng *rng, Candidate *candidate, Error *error) {
    const Game *game = drawing->game;
    const uint32_t least = drawing->make->turns > 0 ? (uint32_t)drawing->make->turns : 0;
    const uint32_t cells = (uint32_t)game->board.cells;
    const uint32_t wanted = least + 1 + rng_below(rng, cells > least ? cells - least : 1);
    Action actions[GAME_TURN_MAX];
    int count = 0;
    GameState state;
    candidate->position.komi = (int)rng_below(rng, 2);
    game->rules->start(game, &state, candidate->position.komi);
    while ((uint32_t)count < wanted && count < GAME_TURN_MAX && !game->rules->over(&state)) {
        actions[count] = game_random_action(game, &state, rng);
        game->rules->apply(game, &state, actions[count++]);
    }
    candidate->drawn = !game->rules->over(&state) && game->rules->turn_start(&state);
    return keep_actions(&candidate->position, actions, count, error);
}

/* Plays a game from a random opening; *played is false where it was given up. */
static bool play_game(GamePool *pool, Worker *worker, uint64_t seed, int number, bool *played, Error *error) {
    const Drawing *drawing = worker->drawing;
    OpeningSettings settings = opening_default_settings();
    Rng rng = rng_seed(seed);
    Opening opening;
    GameRecord *record = &worker->record;
    Seat *seat = &worker->seats[number % drawing->make->player_count];
    settings.turns = 1 + rng_below(&rng, OPENING_MOST);
    settings.simulations = REFEREE_SIMULATIONS;
    settings.limit = 1;
    settings.auto_komi = true;
    if (!opening_draw(drawing->game, worker->referee, &settings, rng_next(&rng), &opening, error))
        return false;
    record_clear(record);
    record->komi = opening.komi;
    record->seed = rng_next(&rng);
    for (int i = 0; i < opening.count; i++)
        if (!record_add(record, opening.actions[i], error))
            return false;
    record->opening_actions = opening.count;
    const ContestEnd end = contest_play(drawing->game, (Seat *const[2]){seat, seat}, pool_stop(pool), record, error);
    *played = end == CONTEST_FINISHED;
    return end != CONTEST_FAILED;
}

/* The first position of a game, after its opening, with at most a random number of empty cells: so all numbers up to
 * the most that are wanted come up alike. */
static bool draw_from_game(GamePool *pool, Worker *worker, uint64_t seed, int number, Candidate *candidate,
                           Error *error) {
    const Drawing *drawing = worker->drawing;
    const Game *game = drawing->game;
    const GameRecord *record = &worker->record;
    bool played;
    if (!play_game(pool, worker, seed, number, &played, error))
        return false;
    if (!played)
        return true;
    Rng rng = rng_seed(~seed);
    GameState state;
    const int64_t most = drawing->make->most_empty, cells = game->board.cells;
    const int target = (int)rng_below(&rng, (uint32_t)(most < cells ? most : cells) + 1);
    int chosen = -1;
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < record->count && chosen < 0; i++) { /* state: after i actions */
        if (i >= record->opening_actions && game->rules->turn_start(&state) && game_empty_cells(game, &state) <= target)
            chosen = i;
        game->rules->apply(game, &state, record->actions[i]);
    }
    candidate->drawn = chosen >= 0;
    candidate->position.komi = record->komi;
    return chosen < 0 || keep_actions(&candidate->position, record->actions, chosen, error);
}

/* What the first player's search expects, in half points, komi left out. */
static int guess_value(Worker *worker, const TruthPosition *position, uint64_t seed) {
    const Drawing *drawing = worker->drawing;
    Search *search = worker->seats[0].search;
    GameState state;
    GameHistory history;
    truth_replay(drawing->game, position, position->komi, &state, &history);
    search_set_position(search, &state);
    search_set_history(search, &history);
    search_reseed(search, seed);
    const SearchLimits limits = player_limits(&drawing->make->players[0], drawing->make->stop);
    return (int)lround(2 * (search_run(search, &limits).margin + position->komi));
}

/* Draws and solves candidate `task` of the chunk. */
static bool play_task(GamePool *pool, void **self, int task, Error *error) {
    Drawing *drawing = pool_user(pool);
    const TruthMake *make = drawing->make;
    const int number = drawing->first + task;
    Candidate *candidate = &drawing->chunk[task];
    if (!*self && !(*self = new_worker(drawing, error)))
        return false;
    Worker *worker = *self;
    worker->drawing = drawing;
    const uint64_t seed = rng_split(rng_split(make->seed, (uint64_t)drawing->source), (uint64_t)number);
    Rng rng = rng_seed(seed);
    *candidate = (Candidate){.position.source = drawing->source};
    const bool good = drawing->source == TRUTH_TURNS    ? draw_beginning(drawing, number, candidate, error)
                      : drawing->source == TRUTH_RANDOM ? draw_random(drawing, &rng, candidate, error)
                                                        : draw_from_game(pool, worker, seed, number, candidate, error);
    if (!good || !candidate->drawn)
        return good;
    TruthPosition *position = &candidate->position;
    const SolverLimits limits = {.nodes = (uint64_t)make->nodes, .stop = make->stop};
    const int guess = guess_value(worker, position, seed);
    candidate->outcome = truth_solve(drawing->game, worker->solver, &limits, guess, position);
    return true;
}

/* ---- Sources ---- */

static int take(void *user, Error *error) {
    Drawing *drawing = user;
    (void)error;
    return drawing->taken < drawing->count ? drawing->taken++ : POOL_NO_TASK;
}

static bool is_known(const TruthSet *set, uint64_t key) {
    for (int i = 0; i < set->count; i++)
        if (set->list[i].key == key)
            return true;
    return false;
}

/* Adds a candidate to the set, or counts why not. */
static bool take_candidate(Candidate *candidate, TruthSet *set, TruthLeftOut *left_out, Error *error) {
    const TruthPosition *position = &candidate->position;
    if (!candidate->drawn)
        return true;
    if (candidate->outcome == TRUTH_UNDECIDED)
        left_out->undecided++;
    else if (candidate->outcome == TRUTH_NO_KOMI ||
             (position->source != TRUTH_TURNS && position->winning == position->legal))
        left_out->no_choice++;
    else if (is_known(set, position->key))
        left_out->repeated++;
    else if (set->count == TRUTH_POSITIONS_MAX)
        return error_set(error, "more than %d positions, the most that a file may have", TRUTH_POSITIONS_MAX);
    else
        return truth_set_add(set, &candidate->position, error);
    return true;
}

/* Draws and solves the candidates of the chunk side by side. */
static bool fill_chunk(Drawing *drawing, Error *error) {
    const TruthMake *make = drawing->make;
    const PoolJob job = {.threads = make->threads,
                         .stop = make->stop,
                         .take = take,
                         .play_task = play_task,
                         .leave = free_worker,
                         .user = drawing};
    drawing->taken = 0;
    memset(drawing->chunk, 0, sizeof drawing->chunk);
    const PoolEnd end = pool_run(&job, error);
    return end == POOL_DONE || (end == POOL_STOPPED && error_set(error, "stopped"));
}

/* Adds positions of one source until there are `wanted` (0: all), from at most `candidates`. */
static bool add_source(Drawing *drawing, int wanted, int candidates, TruthSet *set, TruthLeftOut *left_out,
                       Error *error) {
    const TruthMake *make = drawing->make;
    const int before = set->count, end = wanted ? before + wanted : INT_MAX;
    bool good = true;
    for (int first = 0; first < candidates && good && set->count < end; first += CHUNK) {
        drawing->first = first;
        drawing->count = candidates - first < CHUNK ? candidates - first : CHUNK;
        good = fill_chunk(drawing, error);
        for (int i = 0; i < drawing->count; i++) {
            if (good && set->count < end)
                good = take_candidate(&drawing->chunk[i], set, left_out, error);
            free(drawing->chunk[i].position.actions);
        }
        if (make->progress)
            make->progress(make->user, drawing->source, set->count - before, wanted ? wanted : candidates);
    }
    return good;
}

/* All ways to begin, without the button and with it. */
static bool add_beginnings(Drawing *drawing, TruthSet *set, TruthLeftOut *left_out, Error *error) {
    bool good = true;
    drawing->source = TRUTH_TURNS;
    for (drawing->komi = 0; drawing->komi <= 1 && good; drawing->komi++) {
        Beginnings all;
        good = beginnings_start(drawing->game, drawing->komi, &all, error);
        drawing->beginnings = &all;
        for (int64_t turn = 0; turn <= drawing->make->turns && all.count > 0 && good; turn++)
            good = add_source(drawing, 0, all.count, set, left_out, error) &&
                   (turn == drawing->make->turns || beginnings_extend(drawing->game, drawing->komi, &all, error));
        beginnings_free(&all);
    }
    return good;
}

bool truth_make(const TruthMake *make, TruthSet *set, TruthLeftOut *left_out, Error *error) {
    const int64_t wanted[TRUTH_SOURCES] = {[TRUTH_RANDOM] = make->random, [TRUTH_GAME] = make->games};
    Drawing *drawing = calloc(1, sizeof *drawing);
    PlayerNetworks *networks = drawing ? player_networks_new(error) : NULL;
    bool good = networks != NULL || (drawing == NULL && error_set(error, "out of memory"));
    *left_out = (TruthLeftOut){0};
    if (good) {
        *drawing = (Drawing){.make = make, .game = set->game, .networks = networks};
        good = make->turns < 0 || add_beginnings(drawing, set, left_out, error);
    }
    for (TruthSource source = TRUTH_RANDOM; source < TRUTH_SOURCES && good; source++) {
        const int count = (int)wanted[source];
        drawing->source = source;
        good = count == 0 || add_source(drawing, count, TRUTH_TRIES * count, set, left_out, error);
    }
    if (good && set->count == 0)
        good =
            error_set(error, "no position was found; left out: %d that the solver did not decide, %d without a choice",
                      left_out->undecided, left_out->no_choice);
    player_networks_free(networks);
    free(drawing);
    return good;
}

/* ---- As JSON ---- */

cJSON *truth_make_to_json(const TruthMake *make) {
    cJSON *json = cJSON_CreateObject();
    if (make->turns >= 0)
        cJSON_AddNumberToObject(json, "turns", (double)make->turns);
    cJSON_AddNumberToObject(json, "random", (double)make->random);
    cJSON_AddNumberToObject(json, "games", (double)make->games);
    if (make->games > 0)
        cJSON_AddNumberToObject(json, "most_empty", (double)make->most_empty);
    cJSON_AddNumberToObject(json, "nodes", (double)make->nodes);
    cJSON *players = cJSON_AddArrayToObject(json, "players");
    for (int i = 0; i < make->player_count; i++)
        json_add(players, NULL, player_to_json(&make->players[i]));
    return json;
}

cJSON *truth_left_out_to_json(const TruthLeftOut *left_out) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "undecided", left_out->undecided);
    cJSON_AddNumberToObject(json, "no_choice", left_out->no_choice);
    cJSON_AddNumberToObject(json, "repeated", left_out->repeated);
    return json;
}
