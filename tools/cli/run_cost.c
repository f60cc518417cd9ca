/* See run_cost.h. */
#include "tools/cli/run_cost.h"

#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/record/record_file.h"
#include "tools/cli/processor_time.h"
#include "tools/cli/tool.h"

#include <stdio.h>

static const double ALL_SECONDS = 2, GAME_SECONDS = 0.5;

enum { SIMULATIONS_MIN = 16, GAMES_MAX = 100, KOMI = 6 };

/* Games that were played to measure: sums. */
typedef struct RunCost {
    double games, moves;
    double searches; /* full ones: a search that ends early, because the solver has decided, is the part it made */
    double simulations;
    double seconds; /* of a processor: what they take where nothing else runs */
    double passed;  /* what they took here */
} RunCost;

/* Plays a game with this number of simulations a move. */
static bool play(Search *search, const Game *game, const Player *player, uint64_t effort, int task, RunCost *cost,
                 Error *error) {
    Player trial = *player;
    player_set_limits(&trial, effort, 0);
    Seat seat = {.player = &trial, .search = search};
    GameRecord record = {0};
    record_clear(&record);
    record.seed = rng_split((uint64_t)task, (uint64_t)cost->games);
    record.komi = game->has_points ? KOMI + (int)cost->games % 2 : 0;
    const double begin = processor_seconds_of_thread();
    const ContestEnd end = contest_play(game, (Seat *const[2]){&seat, &seat}, &(ContestStop){0}, &record, error);
    const double worked = processor_seconds_of_thread() - begin;
    const RecordEffort *effort_of = record.effort;
    const double simulations = (double)(effort_of[BLACK].simulations + effort_of[WHITE].simulations);
    cost->games++;
    cost->moves += effort_of[BLACK].moves + effort_of[WHITE].moves;
    cost->searches += simulations / (double)effort;
    cost->simulations += simulations;
    const double passed = effort_of[BLACK].seconds + effort_of[WHITE].seconds;
    cost->seconds += player->search_threads > 1 ? passed : worked; /* the other threads' work is not known */
    cost->passed += passed;
    record_free(&record);
    return end == CONTEST_FINISHED;
}

/* Plays a short game, which says how many simulations a move make one of GAME_SECONDS, and then such games for the rest
 * of ALL_SECONDS; with at most as many simulations as the player has. */
static bool measure_games(Search *search, const Game *game, const Player *player, int task, RunCost *cost,
                          Error *error) {
    const uint64_t most = player->simulations > 0 ? player->simulations : UINT64_MAX;
    const uint64_t least = most < SIMULATIONS_MIN ? most : SIMULATIONS_MIN;
    if (!play(search, game, player, least, task, cost, error))
        return false;
    const double left = ALL_SECONDS - cost->seconds, wanted = (double)least * GAME_SECONDS / cost->seconds;
    if (wanted <= (double)least)
        return true;
    *cost = (RunCost){0};
    const uint64_t effort = wanted < (double)most ? (uint64_t)wanted : most;
    do {
        if (!play(search, game, player, effort, task, cost, error))
            return false;
    } while (cost->games < GAMES_MAX && cost->seconds + cost->seconds / cost->games <= left);
    return true;
}

/* What the threads that measure share. Each has one task. */
typedef struct Trial {
    Game *game;
    PlayerNetworks *networks;
    const Player *player;
    int tasks, next;
    RunCost costs[SEARCH_THREADS_MAX]; /* of each task */
} Trial;

static int take_task(void *user, Error *error) {
    (void)error;
    Trial *trial = user;
    return trial->next < trial->tasks ? trial->next++ : POOL_NO_TASK;
}

static bool play_task(GamePool *pool, void **worker, int task, Error *error) {
    (void)worker;
    Trial *trial = pool_user(pool);
    Search *search = player_new_search(trial->player, trial->networks, trial->game, (uint64_t)task, error);
    const bool good = search && measure_games(search, trial->game, trial->player, task, &trial->costs[task], error);
    search_free(search);
    return good;
}

static void add_up(const Trial *trial, RunCost *sum) {
    for (const RunCost *cost = trial->costs; cost < trial->costs + trial->tasks; cost++) {
        sum->games += cost->games;
        sum->moves += cost->moves;
        sum->searches += cost->searches;
        sum->simulations += cost->simulations;
        sum->seconds += cost->seconds;
        sum->passed += cost->passed;
    }
}

/* Measures in this number of threads. */
static bool measure(const GameOptions *options, const Player *player, int threads, RunCost *sum, Error *error) {
    Trial trial = {.player = player, .tasks = threads, .game = game_new(options, error)};
    const PoolJob job = {.threads = threads, .take = take_task, .play_task = play_task, .user = &trial};
    trial.networks = trial.game ? player_networks_new(error) : NULL;
    const bool good = trial.networks && pool_run(&job, error) == POOL_DONE;
    add_up(&trial, sum);
    player_networks_free(trial.networks);
    game_free(trial.game);
    return good;
}

bool run_cost_measure(const RunOptions *options, const Player *player, RunCostGame *game, Error *error) {
    const GameOptions board = run_config_game(options->config, options->config->size);
    RunCost cost = {0};
    if (!measure(&board, player, options->common.threads, &cost, error))
        return false;
    *game = (RunCostGame){.moves = cost.moves / cost.games,
                          .searches = cost.searches / cost.games,
                          .rate = cost.simulations / cost.seconds,
                          .slowdown = cost.passed / cost.seconds};
    return true;
}

void run_cost_print_sum(const char *at_most, double seconds, double slowdown) {
    enum { FREE_PERCENT = 115 };
    printf("  in all: %sabout %.0f s (%.1f h)", at_most, seconds, seconds / 3600);
    if (100 * slowdown > FREE_PERCENT)
        printf(" of free processors; beside what else runs here now %.1f h", seconds * slowdown / 3600);
    printf("\n");
}

double run_cost_seconds(const RunCostGame *game, const Player *player) {
    const double simulations = (double)player->simulations;
    return game->searches * (simulations > 0 ? simulations / game->rate : player->move_seconds);
}

/* ---- What is left to play ---- */

/* Plans the first round without games: all are left. Kinds that plan by results would have to work for it. */
static bool plan_first(Run *run, Error *error) {
    if (!run->kind->by_results)
        return run_plan(run, 0, error);
    for (int i = 0; i < run->group_count; i++)
        run->groups[i].round_end = (int)run->config->games;
    return true;
}

static bool read_games(Run *run, const char *out, Error *error) {
    DocumentContext context = document_context();
    char records[FILE_PATH_MAX];
    if (!out)
        return plan_first(run, error);
    if (!run_resume(run, out, &context, error) || !record_file_path(out, records, error))
        return false;
    const bool begun = record_file_exists(records);
    return (!begun || run_open_to_read(run, records, NULL, error)) && run_check_found(run, out, error) &&
           (begun ? run_plan(run, 0, error) : plan_first(run, error));
}

static Run *open_run(const RunOptions *options, const RunKind *kind, Error *error) {
    Run *run = run_new(kind, options->config, SHARD_WHOLE, error);
    if (run && read_games(run, options->out, error))
        return run;
    run_free(run);
    return NULL;
}

int run_cost_say(const RunOptions *options, const RunKind *kind, RunCostPrint *print, const void *user,
                 const char *name) {
    Error error;
    int64_t left = 0;
    Run *run = open_run(options, kind, &error);
    for (int i = 0; run && i < run->group_count; i++)
        left += run_left(run, i);
    if (run && run->damage.text[0])
        fprintf(stderr, "%s: %s\n", name, run->damage.text);
    const bool good = run && (left == 0 || print(options, run, user, &error));
    if (run && left == 0)
        printf("The run is finished with %d games: nothing is left to play.\n", run_played(run));
    run_free(run);
    return good ? TOOL_DONE : tool_fail(name, TOOL_USAGE, &error);
}

/* ---- A run of self-play ---- */

/* Games of a player: those that are there, and those that are left. */
typedef struct Due {
    int64_t there, left;
} Due;

static Due due_of(const Run *run, int player, int players) {
    Due due = {0, 0};
    for (int i = players > 1 ? player : 0; i < (players > 1 ? player + 1 : run->group_count); i++) {
        due.there += run->groups[i].played;
        due.left += run_left(run, i);
    }
    return due;
}

static const char *at_most(const RunCostPlayers *of) {
    return of->ends_early ? "at most " : "";
}

/* Prints what a player's games cost. Returns the seconds. */
static double print_player(const RunCostPlayers *of, int number, Due due, int threads, const RunCostGame *game) {
    const Player *player = &of->players[number];
    const double a_game = run_cost_seconds(game, player), all = a_game * (double)due.left / threads;
    char there[48] = "";
    if (due.there > 0)
        snprintf(there, sizeof there, "; %lld more are there", (long long)due.there);
    if (of->count > 1)
        printf("  %.0f simulations a move: %s%lld games of %.2f s: %.0f s%s\n", (double)player->simulations,
               at_most(of), (long long)due.left, a_game, all, there);
    else
        printf("  %s%lld games of %.2f s%s\n", at_most(of), (long long)due.left, a_game, there);
    return all;
}

bool run_cost_print(const RunOptions *options, const Run *run, const void *user, Error *error) {
    const RunCostPlayers *of = user;
    const RunConfig *config = options->config;
    const int threads = options->common.threads;
    RunCostGame game;
    double total = 0;
    if (!run_cost_measure(options, &of->players[of->count - 1], &game, error))
        return false;
    printf("%s on hexhex-%lld, %d %s, each with about %.0f moves. A game costs as much as %.0f\n"
           "full searches, because many end early. %.0f simulations a second:\n",
           config->game, (long long)config->size, threads, threads > 1 ? "games side by side" : "game at a time",
           game.moves, game.searches, game.rate);
    for (int i = 0; i < of->count; i++)
        total += print_player(of, i, due_of(run, i, of->count), threads, &game);
    run_cost_print_sum(at_most(of), total, game.slowdown);
    return true;
}
