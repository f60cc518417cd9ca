/* A study of Bug's playouts, not a test. How many placements does each kernel make in a second, compared with a naive
 * trial that floods all bugs again after each stone?
 *
 *     study_bug SIZE [SECONDS]
 *
 * Kernel and trial are measured in turn, A B A B ..., in one run, by processor time. The figures are medians of the
 * rounds. The trial is plain but not artificially slow: it compares bugs only if they are adjacent enemies of the same
 * size. It plays the same playouts, stone by stone. */
#include "engine/base/rng.h"
#include "engine/games/bug/bug.h"
#include "engine/games/bug/shape.h"
#include "engine/games/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5, BATCH = 256, KERNELS = 3, CONTESTANTS = KERNELS + 1 };

/* ---- The naive trial ---- */

__extension__ typedef unsigned __int128 Cells;

typedef struct TrialBug {
    Cells cells, halo;
    int size;
} TrialBug;

typedef struct Trial {
    const Hexhex *board;
    Cells full, near[BUG_CELLS_MAX];
    Cells stones[2];
    TrialBug bug[2][BUG_CELLS_MAX];
    int bugs[2], largest;
    Side side;
} Trial;

static int lowest(Cells set) {
    return (uint64_t)set ? __builtin_ctzll((uint64_t)set) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static int count(Cells set) {
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

static void flood_all(Trial *trial) {
    trial->largest = 0;
    for (Side side = BLACK; side <= WHITE; side++) {
        trial->bugs[side] = 0;
        for (Cells rest = trial->stones[side]; rest;) {
            TrialBug bug = {0};
            for (Cells todo = rest & -rest; todo; todo = bug.halo & rest & ~bug.cells) {
                const int c = lowest(todo);
                bug.cells |= (Cells)1 << c;
                bug.halo |= trial->near[c];
            }
            rest &= ~bug.cells;
            bug.size = count(bug.cells);
            trial->bug[side][trial->bugs[side]++] = bug;
            trial->largest = bug.size > trial->largest ? bug.size : trial->largest;
        }
    }
}

static bool same_shape(const Hexhex *board, const TrialBug *a, const TrialBug *b) {
    const uint64_t cells[2][2] = {{(uint64_t)a->cells, (uint64_t)(a->cells >> 64)},
                                  {(uint64_t)b->cells, (uint64_t)(b->cells >> 64)}};
    return a->size == b->size && (a->size < 3 || bug_congruent(board, cells[0], cells[1]));
}

static Cells prey_of(const Trial *trial, const TrialBug *eater) {
    Cells prey = 0;
    const Side enemy = side_opponent(trial->side);
    for (int i = 0; i < trial->bugs[enemy]; i++)
        if ((trial->bug[enemy][i].cells & eater->halo) && same_shape(trial->board, eater, &trial->bug[enemy][i]))
            prey |= trial->bug[enemy][i].cells;
    return prey;
}

/* The cells that touch several own bugs. */
static Cells crowded(const Trial *trial) {
    Cells once = 0, twice = 0;
    for (int i = 0; i < trial->bugs[trial->side]; i++) {
        twice |= once & trial->bug[trial->side][i].halo;
        once |= trial->bug[trial->side][i].halo;
    }
    return twice;
}

static Cells bonus_cells(const Trial *trial) {
    const Cells empty = trial->full & ~(trial->stones[BLACK] | trial->stones[WHITE]), twice = crowded(trial);
    Cells found = 0;
    for (int i = 0; i < trial->bugs[trial->side]; i++) {
        const TrialBug *bug = &trial->bug[trial->side][i];
        const Cells prey = prey_of(trial, bug);
        if (prey)
            found |= bug->halo & (empty | prey) & ~twice;
    }
    return found;
}

static Cells grow_cells(const Trial *trial) {
    Cells closed = crowded(trial);
    for (int i = 0; i < trial->bugs[trial->side]; i++)
        if (trial->bug[trial->side][i].size == trial->largest)
            closed |= trial->bug[trial->side][i].halo;
    return trial->full & ~(trial->stones[BLACK] | trial->stones[WHITE] | closed);
}

static void eat(Trial *trial, int c) {
    for (int i = 0; i < trial->bugs[trial->side]; i++)
        if (trial->bug[trial->side][i].halo >> c & 1)
            trial->stones[side_opponent(trial->side)] &= ~prey_of(trial, &trial->bug[trial->side][i]);
}

static void trial_init(Trial *trial, const Hexhex *board) {
    memset(trial, 0, sizeof *trial);
    trial->board = board;
    for (int c = 0; c < board->cells; c++) {
        trial->full |= (Cells)1 << c;
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++)
            if (board->neighbour[c][d] >= 0)
                trial->near[c] |= (Cells)1 << board->neighbour[c][d];
    }
}

/* A playout from the start. Returns the number of stones placed. */
static int trial_playout(Trial *trial, uint64_t seed) {
    Rng rng = rng_seed(seed);
    Cells moves = trial->full;
    int length = 0;
    trial->stones[BLACK] = trial->stones[WHITE] = 0;
    trial->side = BLACK;
    for (bool bonus = false; moves; length++) {
        for (uint32_t skip = rng_below(&rng, (uint32_t)count(moves)); skip > 0; skip--)
            moves &= moves - 1;
        const int c = lowest(moves);
        if (bonus)
            eat(trial, c);
        trial->stones[trial->side] |= (Cells)1 << c;
        flood_all(trial);
        moves = bonus_cells(trial);
        bonus = moves != 0;
        if (bonus)
            continue;
        trial->side = side_opponent(trial->side);
        moves = grow_cells(trial);
    }
    return length;
}

/* ---- Measuring ---- */

typedef struct Sums {
    uint64_t playouts, placements, black_wins;
    double seconds;
} Sums;

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Plays batches with a kernel (game) or the trial (NULL) for `seconds` seconds. */
static double measure(const Game *game, Trial *trial, double seconds, Sums *sums) {
    static uint64_t seeds[BATCH];
    static const GameState *states[BATCH];
    static PlayoutResult results[BATCH];
    GameState start;
    if (game)
        game->rules->start(game, &start, 0);
    const double begin = processor_seconds();
    uint64_t placements = 0;
    double elapsed;
    do {
        for (int i = 0; i < BATCH; i++) {
            states[i] = &start;
            seeds[i] = rng_split(1, sums->playouts++);
        }
        if (game)
            game->rules->playouts(game, states, seeds, BATCH, PLAYOUT_UNIFORM, results);
        for (int i = 0; i < BATCH; i++) {
            placements += (uint64_t)(game ? results[i].length : trial_playout(trial, seeds[i]));
            sums->black_wins += game ? results[i].half_points > 0 : trial->side == BLACK;
        }
        elapsed = processor_seconds() - begin;
    } while (elapsed < seconds);
    sums->placements += placements;
    return (double)placements / elapsed;
}

/* Whether a kernel and the trial play the same playouts. */
static bool agree(const Game *game, Trial *trial) {
    GameState start;
    const GameState *from = &start;
    game->rules->start(game, &start, 0);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        PlayoutResult result;
        game->rules->playouts(game, &from, &seed, 1, PLAYOUT_UNIFORM, &result);
        if (result.length != trial_playout(trial, seed) || (result.half_points > 0) != (trial->side == BLACK))
            return false;
    }
    return true;
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    const int size = argc > 1 ? atoi(argv[1]) : 0;
    const double seconds = argc > 2 ? atof(argv[2]) : 0.5;
    static const char *const names[KERNELS] = {"plain", "bmi2", NULL};
    Game *games[CONTESTANTS] = {NULL};
    Sums sums[CONTESTANTS] = {{0}};
    double speed[CONTESTANTS][ROUNDS];
    int contestants = 1;
    if (size < HEXHEX_MIN_SIZE || size > BUG_MAX_SIZE) {
        fprintf(stderr, "usage: study_bug SIZE [SECONDS]\n");
        return 2;
    }
    for (int i = 0; names[i]; i++) {
        games[contestants] = game_new(&(GameOptions){.name = "bug", .size = size, .kernel = names[i]}, NULL);
        contestants += games[contestants] != NULL;
    }
    static Trial trial;
    Hexhex board;
    hexhex_init(&board, size);
    trial_init(&trial, &board);
    for (int i = 1; i < contestants; i++)
        if (!agree(games[i], &trial)) {
            fprintf(stderr, "study_bug: kernel %s and the trial play different games\n", games[i]->kernel);
            return 1;
        }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < contestants; i++)
            speed[i][round] = measure(games[i], &trial, seconds, &sums[i]);
    for (int i = 0; i < contestants; i++) {
        qsort(speed[i], ROUNDS, sizeof speed[i][0], compare_doubles);
        printf("%-6s %7.2f million placements/s, %5.1f times the trial; mean length %.3f, Black wins %.4f\n",
               games[i] ? games[i]->kernel : "trial", 1e-6 * speed[i][ROUNDS / 2],
               speed[i][ROUNDS / 2] / speed[0][ROUNDS / 2], (double)sums[i].placements / (double)sums[i].playouts,
               (double)sums[i].black_wins / (double)sums[i].playouts);
        game_free(games[i]);
    }
    return 0;
}
