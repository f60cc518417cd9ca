/* stigmergy bench: how fast playouts, the network and the search are on this machine.
 *
 * Speeds vary from run to run with the machine's other work and its clock frequency, so what is to be compared is
 * measured in turns within one run: several short rounds A B A B ..., whose medians are reported. */
#include "engine/base/rng.h"
#include "engine/eval/network/features.h"
#include "selfplay/io/json.h"
#include "selfplay/io/variants.h"
#include "selfplay/players/player.h"
#include "selfplay/stats/middle.h"
#include "tools/cli/kernel_peak.h"
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

enum {
    KEY_SECONDS = OPTIONS_OWN_KEYS,
    KEY_JSON,
    KEY_KERNEL,
    KEY_KERNELS,
    BATCH = 512,      /* playouts in a call */
    MEMORY_MB = 1024, /* where --memory does not say it */
    ROUNDS = 5,       /* of measurements in turns */
    ROUND_ACTIONS = 2,
    KERNELS_MAX = 16, /* more than there are */
    EVALUATIONS = 64  /* of the network between two looks at the clock */
};

typedef struct BenchOptions {
    Options common;
    double seconds;
    bool json, kernels;
} BenchOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    BenchOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &options->common); break;
    case KEY_SECONDS: good = read_number("--seconds", arg, 0.001, 86400, &options->seconds, &error); break;
    case KEY_JSON: options->json = true; break;
    case KEY_KERNEL: options->common.game.kernel = arg; break;
    case KEY_KERNELS: options->kernels = true; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp bench_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The measurement:", 2},
            {"seconds", KEY_SECONDS, "S", 0, "Seconds of each measurement, 0.001 to 86400 (default 3)", 0},
            {"json", KEY_JSON, NULL, 0, "Print one JSON object", 0},
            {"kernel", KEY_KERNEL, "NAME", 0, "Playout kernel (default: the fastest that this processor runs)", 0},
            {"kernels", KEY_KERNELS, NULL, 0, "Compare all playout kernels instead, in turn, in many short rounds", 0},
            {"player", SHARED_PLAYER, "PLAYER", 0, options_doc_player, 0},
            {"memory", SHARED_MEMORY, "MB", 0, "Memory of the search tree in MB, 1 to 1048576 (default 1024)", 0},
            {"threads", SHARED_THREADS, "T", 0, "Threads that search together, 1 to 256 (default 1)", 0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {0}},
    .parser = parse_option,
    .children = (const struct argp_child[]){{.argp = &shared_game_argp}, {0}},
    .doc =
        "Measures playouts, evaluations and simulations per second from the start position."
        "\vplayout: random games to the end on one thread, no pass while another action exists; search_playout: "
        "the random games of the search, on one thread; network: evaluations by the player's network, if it has one, "
        "on one thread, and their share of what the processor can multiply; search: the player's search on T "
        "threads (--threads), in five positions soon after the start. A move is an action, passes included; margins "
        "are Black's, in points, komi included, or 1 for a win and -1 for a loss in a game without points. With more "
        "than one thread, scaling is the speed of T threads on one tree divided by that of T separate searches of one "
        "thread each; it means little on boards so small that the search solves them."};

static double median(double values[ROUNDS]) {
    Interval ci95;
    return middle_of(values, ROUNDS, &ci95);
}

/* ---- Playouts ---- */

/* Sums over the playouts of a measurement. */
typedef struct PlayoutSums {
    uint64_t playouts, moves;
    int64_t margin; /* as in PlayoutResult */
    double seconds;
} PlayoutSums;

/* Plays batches from `start` for this number of seconds, and adds to the sums. */
static void measure_playouts(const Game *game, const GameState *start, PlayoutPolicy policy, uint64_t seed,
                             double seconds, PlayoutSums *sums) {
    static const GameState *states[BATCH];
    static uint64_t seeds[BATCH];
    static PlayoutResult results[BATCH];
    const double begin = wall_seconds();
    double elapsed;
    do {
        for (int i = 0; i < BATCH; i++) {
            states[i] = start;
            seeds[i] = rng_split(seed, sums->playouts++);
        }
        game->rules->playouts(game, states, seeds, BATCH, policy, results);
        for (int i = 0; i < BATCH; i++) {
            sums->moves += results[i].length;
            sums->margin += results[i].half_points;
        }
        elapsed = wall_seconds() - begin;
    } while (elapsed < seconds);
    sums->seconds += elapsed;
}

/* The two policies that are measured, and what their figures are reported under. */
enum { UNIFORM, OF_SEARCH };
static const char *const policy_keys[2] = {[UNIFORM] = "playout", [OF_SEARCH] = "search_playout"};

static PlayoutPolicy policy_of(int which) {
    return which == UNIFORM ? PLAYOUT_UNIFORM : search_default_params().playout_policy;
}

/* What is reported of a policy. */
typedef struct PlayoutFigures {
    const char *policy, *kernel;
    double playouts_per_second, moves_per_second, mean_length, mean_margin;
} PlayoutFigures;

static PlayoutFigures playout_figures(const Game *game, const GameState *start, PlayoutPolicy policy, uint64_t seed,
                                      double seconds) {
    PlayoutSums sums = {0};
    measure_playouts(game, start, policy, seed, seconds, &sums);
    const double playouts = (double)sums.playouts;
    return (PlayoutFigures){.policy = player_policy_name(policy),
                            .kernel = game->kernel,
                            .playouts_per_second = playouts / sums.seconds,
                            .moves_per_second = (double)sums.moves / sums.seconds,
                            .mean_length = (double)sums.moves / playouts,
                            .mean_margin = (game->has_points ? 0.5 : 1) * (double)sums.margin / playouts};
}

/* ---- The network ---- */

/* What the usual report is about. */
typedef struct Bench {
    const BenchOptions *options;
    const Game *game;
    Player player;
    PlayerNetworks *networks;
} Bench;

typedef struct NetworkFigures {
    const char *name, *kernel;
    double evaluations_per_second;
    double share_of_peak; /* of the multiplications that the kernel's instructions could make; 0: not known */
} NetworkFigures;

/* The start position as the network sees it. */
static bool network_input(const Game *game, const GameState *start, const NetworkShape *shape, NetworkInput *input,
                          Error *error) {
    static FeatureEncoder encoder;
    Action legal[GAME_LEGAL_MAX];
    const FeatureSet *set = feature_set(shape->features, error);
    if (!set || !feature_encoder_init(&encoder, set, game, error))
        return false;
    feature_encode(&encoder, start, &(GameHistory){0}, legal, game->rules->legal(game, start, legal), input);
    return true;
}

static double evaluation_speed(const Network *network, const NetworkInput *input, NetworkScratch *scratch,
                               double seconds) {
    NetworkOutput output;
    double elapsed, done = 0;
    const double begin = wall_seconds();
    do {
        for (int i = 0; i < EVALUATIONS; i++)
            network_forward(network, input, scratch, &output);
        done += EVALUATIONS;
        elapsed = wall_seconds() - begin;
    } while (elapsed < seconds);
    return done / elapsed;
}

/* Multiplications a second. */
static double peak_speed(const char *kernel, double seconds) {
    double elapsed, done = 0;
    const double begin = wall_seconds();
    do {
        done += kernel_peak_multiply(kernel);
        elapsed = wall_seconds() - begin;
    } while (done > 0 && elapsed < seconds);
    return done / elapsed;
}

/* Evaluations and peak in turns; for a player with a network. */
static bool network_figures(const Bench *bench, const GameState *start, NetworkFigures *figures, Error *error) {
    static NetworkInput input;
    const Player *player = &bench->player;
    const double seconds = bench->options->seconds / (2 * ROUNDS);
    const NetworkEvaluator *evaluator =
        player_networks_get(bench->networks, player->network, player->network_hash, error);
    if (!evaluator || !network_input(bench->game, start, network_shape(evaluator->network), &input, error))
        return false;
    const Network *network = evaluator->network;
    NetworkScratch *scratch = network_scratch_new(network);
    if (!scratch)
        return error_set(error, "out of memory");
    const char *kernel = network_kernel_name(network);
    const double multiplications = network_multiplications(network, bench->game->board.size);
    double speed[ROUNDS], share[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double peak = peak_speed(kernel, seconds);
        speed[round] = evaluation_speed(network, &input, scratch, seconds);
        share[round] = peak > 0 ? speed[round] * multiplications / peak : 0;
    }
    network_scratch_free(scratch);
    *figures = (NetworkFigures){player->network, kernel, median(speed), median(share)};
    return true;
}

/* ---- Search ---- */

typedef struct SearchFigures {
    int threads;
    double simulations_per_second;
    double scaling; /* with several threads */
} SearchFigures;

/* The position of a round: a few random actions after `start`. A search that came back to a position would find its
 * evaluations in the cache. */
static void round_position(const Game *game, const GameState *start, uint64_t seed, GameState *position) {
    Rng rng = rng_seed(seed);
    game_copy(game, position, start);
    for (int i = 0; i < ROUND_ACTIONS; i++) {
        game->rules->apply(game, position, game_random_action(game, position, &rng));
        if (game->rules->over(position))
            game_copy(game, position, start);
    }
}

/* Simulations per second from a position; begins anew where the search solves it before the time is up. */
static double search_speed(Search *search, const GameState *start, double seconds) {
    const double deadline = wall_seconds() + seconds;
    double spent = 0, left = seconds;
    uint64_t simulations = 0;
    do {
        search_set_position(search, start);
        const SearchSummary summary = search_run(search, &(SearchLimits){.seconds = left});
        simulations += summary.simulations;
        spent += summary.seconds;
        left = deadline - wall_seconds();
    } while (left > 0);
    return (double)simulations / spent;
}

/* Simulations per second of all searches together, each with a thread of its own. */
static double parallel_speed(Search **searches, int count, const GameState *start, double seconds) {
    double sum = 0;
    if (count == 0)
        return 0;
#pragma omp parallel for num_threads(count) schedule(static, 1) reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += search_speed(searches[i], start, seconds);
    return sum;
}

/* The player's search; `memory_mb` is at least 1. */
static Search *new_search(const Bench *bench, int threads, int memory_mb, uint64_t seed, Error *error) {
    Player player = bench->player;
    player.search_threads = threads;
    player.memory_mb = memory_mb > 0 ? memory_mb : 1;
    return player_new_search(&player, bench->networks, bench->game, seed, error);
}

/* The searches that are compared: `one` with all threads, and as many of one thread each where there are several. */
typedef struct SearchSet {
    Search *one, *single[SEARCH_THREADS_MAX];
    int singles;
} SearchSet;

static void free_searches(SearchSet *set) {
    search_free(set->one);
    for (int i = 0; i < set->singles; i++)
        search_free(set->single[i]);
}

static bool make_searches(SearchSet *set, const Bench *bench, int threads, Error *error) {
    const BenchOptions *options = bench->options;
    const uint64_t seed = options->common.seed;
    *set = (SearchSet){.one = new_search(bench, threads, options->common.memory_mb, seed, error)};
    bool good = set->one != NULL;
    while (good && threads > 1 && set->singles < threads) {
        Search *search =
            new_search(bench, 1, options->common.memory_mb / threads, rng_split(seed, (uint64_t)set->singles), error);
        good = search != NULL;
        if (good)
            set->single[set->singles++] = search;
    }
    return good;
}

static bool search_figures(const Bench *bench, const GameState *start, SearchFigures *figures, Error *error) {
    SearchSet set;
    const BenchOptions *options = bench->options;
    const int threads = options->common.threads ? options->common.threads : 1;
    const double seconds = options->seconds / ROUNDS;
    const bool good = make_searches(&set, bench, threads, error);
    if (good) {
        double speed[ROUNDS], ratio[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            GameState position;
            round_position(bench->game, start, rng_split(options->common.seed, (uint64_t)round), &position);
            speed[round] = search_speed(set.one, &position, seconds);
            const double apart = parallel_speed(set.single, set.singles, &position, seconds);
            ratio[round] = apart > 0 ? speed[round] / apart : 0;
        }
        *figures =
            (SearchFigures){.threads = threads, .simulations_per_second = median(speed), .scaling = median(ratio)};
    }
    free_searches(&set);
    return good;
}

/* ---- Reports ---- */

static cJSON *new_document(const Game *game, int komi) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "game", game->name);
    cJSON_AddNumberToObject(json, "size", game->board.size);
    cJSON_AddNumberToObject(json, "komi", komi);
    variants_add(json, game->capture, game->pie);
    return json;
}

static void add_playout(cJSON *json, const char *key, const PlayoutFigures *figures) {
    cJSON *object = cJSON_AddObjectToObject(json, key);
    cJSON_AddStringToObject(object, "policy", figures->policy);
    cJSON_AddStringToObject(object, "kernel", figures->kernel);
    cJSON_AddNumberToObject(object, "playouts_per_second", figures->playouts_per_second);
    cJSON_AddNumberToObject(object, "moves_per_second", figures->moves_per_second);
    cJSON_AddNumberToObject(object, "mean_length", figures->mean_length);
    cJSON_AddNumberToObject(object, "mean_margin", figures->mean_margin);
}

static void print_playout(const char *name, const PlayoutFigures *figures) {
    printf("%-15s %s policy, %s kernel: %.0f playouts/s, %.2f million moves/s, mean length %.2f, mean margin %+.3f\n",
           name, figures->policy, figures->kernel, figures->playouts_per_second, 1e-6 * figures->moves_per_second,
           figures->mean_length, figures->mean_margin);
}

static void print_network(const NetworkFigures *figures) {
    printf("%-15s %s, %s kernel: %.0f evaluations/s", "network", figures->name, figures->kernel,
           figures->evaluations_per_second);
    if (figures->share_of_peak > 0)
        printf(", %.0f%% of peak", 100 * figures->share_of_peak);
    putchar('\n');
}

static void add_network(cJSON *json, const NetworkFigures *figures) {
    cJSON *object = cJSON_AddObjectToObject(json, "network");
    cJSON_AddStringToObject(object, "name", figures->name);
    cJSON_AddNumberToObject(object, "evaluations_per_second", figures->evaluations_per_second);
    cJSON_AddStringToObject(object, "kernel", figures->kernel);
    if (figures->share_of_peak > 0)
        cJSON_AddNumberToObject(object, "share_of_peak", figures->share_of_peak);
    else
        cJSON_AddNullToObject(object, "share_of_peak");
}

static void print_search(const SearchFigures *figures) {
    printf("%-15s %d thread%s: %.0f simulations/s\n", "search", figures->threads, figures->threads > 1 ? "s" : "",
           figures->simulations_per_second);
    if (figures->threads > 1)
        printf("%-15s %.3f of the speed of %d searches side by side\n", "", figures->scaling, figures->threads);
}

static void print_heading(const Game *game, int komi) {
    char variants[VARIANTS_WORDS_MAX];
    variants_words(game->capture, game->pie, variants);
    printf("%s, size %d, komi %d%s%s\n", game->name, game->board.size, komi, *variants ? ", " : "", variants);
}

/* The usual report: both policies, the network and the search. */
static bool report_speed(const Bench *bench, int komi, Error *error) {
    const Game *game = bench->game;
    const BenchOptions *options = bench->options;
    GameState start;
    game->rules->start(game, &start, komi);
    const uint64_t seed = options->common.seed;
    const PlayoutFigures uniform = playout_figures(game, &start, PLAYOUT_UNIFORM, seed, options->seconds);
    const PlayoutFigures of_search = playout_figures(game, &start, policy_of(OF_SEARCH), seed, options->seconds);
    NetworkFigures network = {0}; /* without a name: there is none */
    SearchFigures search;
    if ((player_has_network(&bench->player) && !network_figures(bench, &start, &network, error)) ||
        !search_figures(bench, &start, &search, error))
        return false;
    if (!options->json) {
        print_heading(game, komi);
        print_playout(policy_keys[UNIFORM], &uniform);
        print_playout(policy_keys[OF_SEARCH], &of_search);
        if (network.name)
            print_network(&network);
        print_search(&search);
        return true;
    }
    cJSON *json = new_document(game, komi);
    add_playout(json, policy_keys[UNIFORM], &uniform);
    add_playout(json, policy_keys[OF_SEARCH], &of_search);
    if (network.name)
        add_network(json, &network);
    cJSON *object = cJSON_AddObjectToObject(json, "search");
    cJSON_AddNumberToObject(object, "simulations_per_second", search.simulations_per_second);
    cJSON_AddNumberToObject(object, "threads", search.threads);
    if (search.threads > 1)
        cJSON_AddNumberToObject(object, "scaling", search.scaling);
    return tool_write_document(json, NULL, error);
}

/* ---- Kernels side by side ---- */

typedef struct KernelSpeed {
    Game *game;
    double rounds[2][ROUNDS]; /* moves per second, per policy */
    double speed[2];          /* their medians */
} KernelSpeed;

/* A game for each kernel that runs here; returns how many. */
static int make_kernels(const Game *game, const Options *options, KernelSpeed *kernels) {
    Options own = *options;
    int count = 0, komi;
    for (int i = 0; i < KERNELS_MAX && (own.game.kernel = game_kernel(game, i)) != NULL; i++) {
        kernels[count].game = options_game(&own, &komi, NULL);
        count += kernels[count].game != NULL;
    }
    return count;
}

static void measure_kernels(KernelSpeed *kernels, int count, int komi, uint64_t seed, double seconds) {
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            const Game *game = kernels[i].game;
            GameState start;
            game->rules->start(game, &start, komi);
            for (int policy = 0; policy < 2; policy++)
                kernels[i].rounds[policy][round] =
                    playout_figures(game, &start, policy_of(policy), seed, seconds).moves_per_second;
        }
    for (int i = 0; i < count; i++)
        for (int policy = 0; policy < 2; policy++)
            kernels[i].speed[policy] = median(kernels[i].rounds[policy]);
}

static void print_kernels(const KernelSpeed *kernels, int count) {
    printf("million moves/s (ratio to %s), medians of %d rounds\n", kernels[0].game->kernel, ROUNDS);
    printf("%-12s%20s%20s\n", "kernel", policy_keys[0], policy_keys[1]);
    for (int i = 0; i < count; i++) {
        printf("%-12s", kernels[i].game->kernel);
        for (int policy = 0; policy < 2; policy++)
            printf("%12.2f (%5.2f)", 1e-6 * kernels[i].speed[policy],
                   kernels[i].speed[policy] / kernels[0].speed[policy]);
        printf("\n");
    }
}

static bool print_kernels_json(const KernelSpeed *kernels, int count, int komi, Error *error) {
    cJSON *json = new_document(kernels[0].game, komi), *list = cJSON_AddArrayToObject(json, "kernels");
    for (int i = 0; i < count; i++) {
        cJSON *kernel = cJSON_CreateObject();
        cJSON_AddStringToObject(kernel, "kernel", kernels[i].game->kernel);
        json_add(list, NULL, kernel);
        for (int policy = 0; policy < 2; policy++) {
            cJSON *object = cJSON_AddObjectToObject(kernel, policy_keys[policy]);
            cJSON_AddNumberToObject(object, "moves_per_second", kernels[i].speed[policy]);
            cJSON_AddNumberToObject(object, "ratio", kernels[i].speed[policy] / kernels[0].speed[policy]);
        }
    }
    return tool_write_document(json, NULL, error);
}

static bool report_kernels(const Game *game, int komi, const BenchOptions *options, Error *error) {
    KernelSpeed kernels[KERNELS_MAX];
    const int count = make_kernels(game, &options->common, kernels);
    if (count == 0)
        return error_set(error, "out of memory");
    measure_kernels(kernels, count, komi, options->common.seed, options->seconds / ROUNDS);
    bool good = true;
    if (options->json)
        good = print_kernels_json(kernels, count, komi, error);
    else
        print_kernels(kernels, count);
    for (int i = 0; i < count; i++)
        game_free(kernels[i].game);
    return good;
}

int tool_bench(int argc, char **argv) {
    BenchOptions options = {.seconds = 3};
    if (!options_parse(&bench_argp, argc, argv, &options))
        return TOOL_USAGE;
    Error error;
    int komi;
    Bench bench = {.options = &options};
    if (options.kernels && options.common.game.kernel) {
        error_set(&error, "--kernel and --kernels exclude each other");
        return tool_fail(argv[0], TOOL_USAGE, &error);
    }
    if (options.kernels && (options.common.threads || options.common.player || options.common.memory_mb)) {
        error_set(&error, "--kernels: measures playouts on one thread, expected no --threads, --player, --memory");
        return tool_fail(argv[0], TOOL_USAGE, &error);
    }
    if (!options.common.memory_mb)
        options.common.memory_mb = MEMORY_MB;
    if (!options_player(&options.common, &bench.player, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    Game *game = options_game(&options.common, &komi, &error);
    if (!game)
        return tool_fail(argv[0], TOOL_USAGE, &error);
    if (!options.kernels && !player_settle_checked(&bench.player, game->name, game->board.size, &error)) {
        game_free(game);
        return tool_fail(argv[0], TOOL_USAGE, &error);
    }
    bench.game = game;
    bench.networks = player_networks_new(&error);
    bool good = bench.networks != NULL;
    if (good)
        good = options.kernels ? report_kernels(game, komi, &options, &error) : report_speed(&bench, komi, &error);
    player_networks_free(bench.networks);
    game_free(game);
    return good ? TOOL_DONE : tool_fail(argv[0], TOOL_FAILED, &error);
}
