/* A study, not a test: with how many open cells can the solver find the winner within a time limit? Build the target
 * study_endgames.
 *
 *     study_endgames SIZE GAMES SIMULATIONS KOMI
 *
 * Plays games of the default player against itself. Asks the solver who wins in each position (a single threshold, an
 * empty table). It starts from the last position and goes back until the solver fails three times in succession. A cell
 * is open if it is safe for neither side. Prints the median and the 95th percentile of processor seconds by number of
 * open cells. */
#include "engine/games/registry.h"
#include "engine/solver/solver.h"
#include "selfplay/players/player.h"
#include "tests/support/playout_player.h"
#include "tests/support/safe_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 400, PLIES = 1000, FAILURES = 3 };
static const double limit = 4, failed = 1e9; /* seconds */

typedef struct Samples {
    int count;
    double seconds[SAMPLES];
} Samples;

static int open_cells(const Game *game, const GameState *state) {
    uint64_t black[HEXHEX_WORDS], white[HEXHEX_WORDS];
    int settled = 0;
    safe_cells(game, state, BLACK, black);
    safe_cells(game, state, WHITE, white);
    for (int i = 0; i < game->board.words; i++)
        settled += __builtin_popcountll(black[i] | white[i]);
    return game->board.cells - settled;
}

static int play_game(const Game *game, Search *search, const SearchLimits *limits, int komi, GameState states[PLIES]) {
    int length = 0;
    game->rules->start(game, &states[0], komi);
    search_set_position(search, &states[0]);
    while (!game->rules->over(&states[length]) && length + 1 < PLIES) {
        search_run(search, limits);
        const Action action = search_best(search);
        states[length + 1] = states[length];
        game->rules->apply(game, &states[++length], action);
        search_play(search, action);
    }
    return length;
}

static void solve_backwards(const Game *game, Solver *solver, const GameState *states, int length, int komi,
                            Samples *samples) {
    int failures = 0;
    for (int i = length - 1; i >= 0 && failures < FAILURES; i--) {
        Samples *bin = &samples[open_cells(game, &states[i])];
        solver_clear(solver);
        const clock_t begin = clock();
        const SolverResult result = solver_compare(solver, &states[i], 2 * komi + 1, &(SolverLimits){.seconds = limit});
        const double seconds = result.proved ? (double)(clock() - begin) / CLOCKS_PER_SEC : failed;
        failures = result.proved ? 0 : failures + 1;
        if (bin->count < SAMPLES)
            bin->seconds[bin->count++] = seconds;
    }
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_seconds(double seconds) {
    if (seconds < failed)
        printf(" %10.4f", seconds);
    else
        printf(" %10s", "-");
}

static void print_samples(Samples *samples, int cells) {
    printf("open cells, positions, median s, 95th percentile s\n");
    for (int open = 0; open <= cells; open++) {
        Samples *bin = &samples[open];
        if (bin->count == 0)
            continue;
        qsort(bin->seconds, (size_t)bin->count, sizeof bin->seconds[0], compare_doubles);
        printf("%4d %5d", open, bin->count);
        print_seconds(bin->seconds[bin->count / 2]);
        print_seconds(bin->seconds[bin->count * 95 / 100]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    Error error;
    if (argc != 5) {
        fprintf(stderr, "usage: study_endgames SIZE GAMES SIMULATIONS KOMI\n");
        return 2;
    }
    Game *game = game_new(&(GameOptions){.size = atoi(argv[1])}, &error);
    Player player = playout_player();
    player.simulations = (uint64_t)atoi(argv[3]);
    player.memory_mb = 64;
    const int komi = atoi(argv[4]);
    const SearchLimits limits = player_limits(&player, NULL);
    static Samples samples[HEXHEX_MAX_CELLS + 1];
    static GameState states[PLIES];
    Solver *solver = game ? solver_new(game, &(SolverOptions){.memory = 64u << 20, .threads = 1}, &error) : NULL;
    bool good = solver != NULL;
    for (int i = 0; i < atoi(argv[2]) && good; i++) {
        Search *search = player_new_search(&player, NULL, game, (uint64_t)i + 1, &error);
        good = search != NULL;
        if (good)
            solve_backwards(game, solver, states, play_game(game, search, &limits, komi, states), komi, samples);
        search_free(search);
    }
    if (good)
        print_samples(samples, game->board.cells);
    else
        fprintf(stderr, "study_endgames: %s\n", error.text);
    solver_free(solver);
    game_free(game);
    return good ? 0 : 1;
}
