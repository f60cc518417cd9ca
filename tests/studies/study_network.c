/* A study of the network's kernels, no test: evaluations a second of random networks, and the share of what the
 * processor could multiply at most.
 *
 *     study_network [SECONDS [KERNEL [FILE]]]
 *
 * SECONDS (0.2) are those of a measurement; the best of several rounds counts, by processor time, for the machine may
 * be busy. FILE is a network to measure instead, on positions of random games: most activations of a trained network
 * are 0, which helps kernels that leave them out. */
#include "engine/base/rng.h"
#include "engine/eval/network/kernel.h"
#include "engine/eval/network/network_evaluator.h"
#include "engine/games/registry.h"
#include "selfplay/io/file.h"
#include "tests/support/random_network.h"
#include "tools/cli/kernel_peak.h"
#include "tools/cli/processor_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, BATCH = 16 };

static const int sizes[] = {4, 5, 7, 8, 10};

/* ---- The peak ---- */

/* Multiplications a second, 0 where no loop is known for the kernel. */
static double peak(const char *kernel, double seconds) {
    double best = 0;
    for (int round = 0; round < ROUNDS && kernel_peak_multiply(kernel) > 0; round++) {
        const double start = processor_seconds_of_process();
        double done = 0, taken = 0;
        while (taken < seconds / ROUNDS) {
            done += kernel_peak_multiply(kernel);
            taken = processor_seconds_of_process() - start;
        }
        best = done / taken > best ? done / taken : best;
    }
    return best;
}

/* ---- Rates ---- */

/* How often a second `work`, which does something BATCH times, does it: the best of ROUNDS. */
static double rate(void (*work)(void *), void *data, double seconds) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = processor_seconds_of_process();
        double taken = 0;
        long done = 0;
        while (taken < seconds / ROUNDS) {
            work(data);
            done += BATCH;
            taken = processor_seconds_of_process() - start;
        }
        best = (double)done / taken > best ? (double)done / taken : best;
    }
    return best;
}

/* ---- The network ---- */

typedef struct Inputs {
    const Network *network;
    NetworkScratch *scratch;
    NetworkInput input[BATCH];
    NetworkOutput output;
} Inputs;

static void run_batch(void *data) {
    Inputs *inputs = data;
    for (int i = 0; i < BATCH; i++)
        network_forward(inputs->network, &inputs->input[i], inputs->scratch, &inputs->output);
}

static double evaluations_a_second(const Network *network, int size, double seconds) {
    static Inputs inputs;
    inputs.network = network;
    inputs.scratch = network_scratch_new(network);
    for (int i = 0; i < BATCH; i++)
        random_network_input(network_shape(network), size, (uint64_t)i, &inputs.input[i]);
    const double best = rate(run_batch, &inputs, seconds);
    network_scratch_free(inputs.scratch);
    return best;
}

static void study(const NetworkKernel *kernel, int blocks, int channels, double seconds, double most) {
    const NetworkShape shape = random_network_shape(20, blocks, channels);
    Network *network = random_network_load(&shape, RANDOM_LIVELY, 1, kernel->name);
    printf("%-8s %dx%d", kernel->name, blocks, channels);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double speed = evaluations_a_second(network, sizes[i], seconds);
        const double multiplications = speed * network_multiplications(network, sizes[i]);
        printf("  %7.0f %4.0f", speed, 1e-9 * multiplications);
        if (most > 0)
            printf(" %2.0f%%", 100 * multiplications / most);
        fflush(stdout);
    }
    printf("\n");
    network_free(network);
}

/* ---- The evaluator: with the features of positions from random games of Stigmergy ---- */

typedef struct Positions {
    GameState state[BATCH];
    GameHistory history[BATCH];
    Action legal[BATCH][GAME_LEGAL_MAX];
    Leaf leaf[BATCH];
    const Evaluator *evaluator;
    void *context;
    Evaluation evaluation;
} Positions;

static void make_positions(const Game *game, Positions *positions) {
    const GameRules *rules = game->rules;
    Rng rng = rng_seed(1);
    memset(positions, 0, sizeof *positions);
    for (int i = 0; i < BATCH; i++) {
        GameState *state = &positions->state[i];
        Action *legal = positions->legal[i];
        rules->start(game, state, 6);
        for (int turn = 0; turn < i * game->board.cells / BATCH; turn++) {
            const Action action = legal[rng_below(&rng, (uint32_t)rules->legal(game, state, legal))];
            rules->apply(game, state, action);
            game_history_add(game, &positions->history[i], action, state);
        }
        positions->leaf[i] = (Leaf){state, 0, &positions->history[i], legal, rules->legal(game, state, legal)};
    }
}

static void evaluate_batch(void *data) {
    Positions *positions = data;
    for (int i = 0; i < BATCH; i++)
        positions->evaluator->evaluate(positions->context, &positions->leaf[i], 1, &positions->evaluation);
}

static double leaves_a_second(const Evaluator *evaluator, const Game *game, double seconds) {
    static Positions positions;
    Error error;
    make_positions(game, &positions);
    positions.evaluator = evaluator;
    positions.context = evaluator->new_context(evaluator, game, &error);
    const double best = rate(evaluate_batch, &positions, seconds);
    evaluator->free_context(positions.context);
    return best;
}

/* Evaluations with features; frees the network. */
static void study_evaluator(Network *network, const char *what, double seconds) {
    NetworkEvaluator evaluator;
    network_evaluator_init(&evaluator, network);
    evaluator.cache_bytes = 0;
    printf("evaluator, %s, %s, features included:", network_kernel_name(network), what);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Error error;
        Game *game = game_new(&(GameOptions){.size = sizes[i]}, &error);
        printf("  %7.0f", leaves_a_second(&evaluator.evaluator, game, seconds));
        game_free(game);
    }
    printf("\n");
    network_free(network);
}

/* A network of a file with a kernel; ends the program if it cannot be read. */
static Network *load(const char *path, const char *kernel) {
    Error error;
    size_t length;
    char *bytes = file_read(path, &length, &error);
    Network *network = bytes ? network_new((const uint8_t *)bytes, length, path, kernel, &error) : NULL;
    free(bytes);
    if (!network) {
        fprintf(stderr, "study_network: %s\n", error.text);
        exit(1);
    }
    return network;
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 0.2;
    printf("On hexhex-4, -5, -7, -8, -10: evaluations a second; of random networks also 10^9 multiplications a second "
           "and the "
           "share of peak\n");
    for (int i = 0; network_kernels[i]; i++) {
        if (!network_kernels[i]->runs_here() || (argc > 2 && strcmp(argv[2], network_kernels[i]->name) != 0))
            continue;
        if (argc > 3) {
            study_evaluator(load(argv[3], network_kernels[i]->name), argv[3], seconds);
            continue;
        }
        const double most = peak(network_kernels[i]->name, seconds);
        if (most > 0)
            printf("%-8s peak %.0f\n", network_kernels[i]->name, 1e-9 * most);
        study(network_kernels[i], 5, 32, seconds, most);
        study(network_kernels[i], 6, 48, seconds, most);
        study(network_kernels[i], 8, 64, seconds, most);
    }
    if (argc <= 3) {
        const NetworkShape shape = random_network_shape(20, 5, 32);
        study_evaluator(random_network_load(&shape, RANDOM_LIVELY, 1, NULL), "5x32", seconds);
    }
    return 0;
}
