/* A study beside the tests, not run by ctest: what the rounds of a fair-komi run cost on many cores.
 *
 * study_rounds [GAMES [PAUSE]] simulates runs of GAMES games (default 400) on 1 to 4000 cores, with one shard on each
 * core. From the end of a round to the start of the next one pass PAUSE seconds (default 60), for the merge and the
 * queue of the batch system. Its tables show
 *   - for one run, and for first rounds of 32 games and more: the efficiency, which is the time of the games alone on
 *     all cores divided by the time of the run; and the width of the interval of the fair komi (for players as in
 *     tests/support/komi_simulation.h), because large rounds know less about where to play;
 *   - for all sizes 3 to 10 side by side, whose rounds fill each other's gaps: when they end, and the efficiency.
 * Each size has its time for a game (selfplay/docs/cluster.md), with a log-normal factor for games and machines. */
#include "tests/support/komi_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 8, FIRST_SIZE = 3, CORES_MAX = 4096, GAMES_MAX = 100000 };

/* Core-seconds of a game with 10,000 simulations for each move, sizes 3 to 10. */
static const double game_seconds[SIZES] = {0.11, 0.93, 2.3, 6.6, 11.3, 20.9, 41.7, 73};
static const double SPREAD = 0.15; /* of the logarithm of the time of a game */

/* A run: its games by number, in rounds. */
typedef struct Run {
    double *seconds; /* of each game */
    int games, first_round;
    int start, end;         /* of the current round */
    int given;              /* shards of the round that are assigned to a core */
    int waiting;            /* shards that have not ended */
    double ready, finished; /* when the round may begin; when the run has ended */
} Run;

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static void next_round(Run *run, int shards) {
    const int size = run->end / 2 > run->first_round ? run->end / 2 : run->first_round;
    run->start = run->end;
    run->end = smaller(run->start + size, run->games);
    run->given = 0;
    run->waiting = smaller(shards, run->end - run->start);
}

static Run new_run(int size, int games, int first_round, int shards, Rng *rng) {
    Run run = {.games = games, .first_round = first_round};
    run.seconds = malloc((size_t)games * sizeof *run.seconds);
    for (int i = 0; run.seconds && i < games; i++) {
        const double normal = sqrt(-2 * log(1 - rng_unit(rng))) * cos(6.283185307179586 * rng_unit(rng));
        run.seconds[i] = game_seconds[size - FIRST_SIZE] * exp(SPREAD * normal);
    }
    next_round(&run, shards);
    return run;
}

/* The time of shard `shard` in the current round. It plays every shards-th game. */
static double shard_seconds(const Run *run, int shard, int shards) {
    double sum = 0;
    for (int game = run->start + shard; game < run->end; game += shards)
        sum += run->seconds[game];
    return sum;
}

/* The run whose next shard may begin first. Among equals, the run with the longest games. NULL if nothing is left. */
static Run *next_task(Run *runs, int count, int shards) {
    Run *best = NULL;
    for (Run *run = runs + count - 1; run >= runs; run--)
        if (run->given < smaller(shards, run->end - run->start) && (!best || run->ready < best->ready))
            best = run;
    return best;
}

/* Plays all runs on `cores` cores. Returns the time when the last one ends. */
static double play(Run *runs, int count, int cores, int shards, double pause) {
    static double free_at[CORES_MAX], last_end[SIZES];
    double end = 0;
    for (int core = 0; core < cores; core++)
        free_at[core] = 0;
    for (int i = 0; i < SIZES; i++)
        last_end[i] = 0;
    for (Run *run; (run = next_task(runs, count, shards));) {
        int core = 0;
        for (int other = 1; other < cores; other++)
            core = free_at[other] < free_at[core] ? other : core;
        const double begin = free_at[core] > run->ready ? free_at[core] : run->ready;
        free_at[core] = begin + shard_seconds(run, run->given++, shards);
        last_end[run - runs] = fmax(last_end[run - runs], free_at[core]);
        if (--run->waiting == 0) {
            run->finished = last_end[run - runs];
            run->ready = run->finished + pause;
            end = fmax(end, run->finished);
            next_round(run, shards);
        }
    }
    return end;
}

static double total_seconds(const Run *run) {
    double sum = 0;
    for (int i = 0; i < run->games; i++)
        sum += run->seconds[i];
    return sum;
}

static double efficiency(int size, int games, int first_round, int cores, double pause) {
    Rng rng = rng_seed(1);
    Run run = new_run(size, games, first_round, cores, &rng);
    const double work = total_seconds(&run), end = play(&run, 1, cores, cores, pause);
    free(run.seconds);
    return work / (end * cores);
}

/* The mean width of the interval after rounds as in a real run. */
static double width(int games, int first_round) {
    enum { RUNS = 60 };
    const Players players = {.even = 4.0, .odd = 3.7, .scale = 2.0, .lapse = 0.01, .margin_bias = 0.5};
    EstimateConfig config = estimate_config(5);
    double sum = 0;
    config.komi_min = -30;
    config.komi_max = 30;
    for (int run = 0; run < RUNS; run++) {
        Rng rng = rng_seed(rng_split(1, (uint64_t)run));
        Tournament tournament = tournament_start(config);
        for (int played = 0, size; played < games; played += size) {
            size = smaller(played / 2 > first_round ? played / 2 : first_round, games - played);
            tournament_adaptive(&tournament, &players, 1, size, &rng);
        }
        const FairKomi fair = tournament_estimate(&tournament);
        tournament_free(&tournament);
        sum += (fair.combined_ci95.high - fair.combined_ci95.low) / RUNS;
    }
    return sum;
}

static int rounds_of(int games, int first_round) {
    int rounds = 0;
    for (int played = 0; played < games; rounds++)
        played += played / 2 > first_round ? played / 2 : first_round;
    return rounds;
}

static void print_one_run(int games, double pause) {
    static const int cores[] = {1, 10, 32, 100, 200, 400, 1000, 4000};
    printf("One run of hexhex-10, %d games, 10,000 simulations a move: efficiency by number of cores\n", games);
    printf("first round  rounds  width |");
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        printf(" %6d", cores[i]);
    printf("\n");
    for (int first = 32; first <= games; first = first == games ? games + 1 : smaller(2 * first, games)) {
        printf("%11d  %6d  %5.2f |", first, rounds_of(games, first), width(games, first));
        for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
            printf("  %4.0f%%", 100 * efficiency(10, games, first, cores[i], pause));
        printf("\n");
        fflush(stdout);
    }
}

static void print_all_sizes(int games, double pause) {
    static const int cores[] = {100, 200, 400, 1000, 2000, 4000};
    printf("All sizes 3 to 10 side by side, %d games each: hours, and efficiency\n", games);
    printf("first round |");
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        printf("  %6d cores", cores[i]);
    printf("\n");
    for (int first = 32; first <= games; first = first == games ? games + 1 : smaller(2 * first, games)) {
        printf("%11d |", first);
        for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
            Rng rng = rng_seed(1);
            Run runs[SIZES];
            double work = 0;
            for (int size = 0; size < SIZES; size++) {
                runs[size] = new_run(FIRST_SIZE + size, games, first, cores[i], &rng);
                work += total_seconds(&runs[size]);
            }
            const double end = play(runs, SIZES, cores[i], cores[i], pause);
            printf("  %6.2f  %3.0f%%", end / 3600, 100 * work / (end * cores[i]));
            for (int size = 0; size < SIZES; size++)
                free(runs[size].seconds);
        }
        printf("\n");
    }
}

int main(int argc, char **argv) {
    const int games = argc > 1 ? atoi(argv[1]) : 400;
    const double pause = argc > 2 ? atof(argv[2]) : 60;
    if (games < 32 || games > GAMES_MAX || !(pause >= 0)) {
        fprintf(stderr, "usage: study_rounds [GAMES (32 to %d) [PAUSE]]\n", GAMES_MAX);
        return 2;
    }
    print_one_run(games, pause);
    print_all_sizes(games, pause);
    return 0;
}
