/* See run_options.h. */
#include "tools/cli/run_options.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/record/record_file.h"
#include "tools/cli/numbers.h"
#include "tools/cli/output.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static void start_from(const RunConfig *config, Options *common) {
    common->game = run_config_game(config, config->size);
    common->seed = config->seed;
}

error_t run_options_parse(int key, char *arg, struct argp_state *state, RunOptions *options) {
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT:
        options_init(state, &options->common);
        start_from(options->config, &options->common);
        break;
    case SHARED_CONFIG: options->config_path = arg; break;
    case SHARED_OUT: options->out = arg; break;
    case SHARED_TIME: good = read_number("--time", arg, 0, RUN_SECONDS_MAX, &options->config->seconds, &error); break;
    case SHARED_DRY_RUN: options->dry_run = true; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

int run_options_read(const struct argp *argp, int argc, char **argv, RunOptions *options, size_t size,
                     RunOptionsSettle *settle) {
    Error error;
    void *defaults = malloc(size);
    bool good = defaults || error_set(&error, "out of memory");
    if (good) {
        memcpy(defaults, options, size);
        if (!options_parse(argp, argc, argv, options)) {
            free(defaults);
            return TOOL_USAGE;
        }
        const char *path = options->config_path;
        memcpy(options, defaults, size);
        good = !path || run_config_load(path, options->config, &error);
    }
    free(defaults);
    if (good && !options_parse(argp, argc, argv, options))
        return TOOL_USAGE;
    return good && settle(options, &error) ? TOOL_DONE : tool_fail(argv[0], TOOL_USAGE, &error);
}

bool run_options_settle(RunOptions *options, Player *player, Error *error) {
    Options *common = &options->common;
    RunConfig *config = options->config;
    if (config->size) /* on one size */
        config->size = common->game.size;
    config->seed = common->seed;
    config->capture = common->game.capture;
    config->pie = common->game.pie;
    if (common->game.name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game.name);
    if (!common->threads)
        common->threads = omp_get_num_procs();
    if (player && common->player) {
        const uint64_t simulations = player->simulations; /* where the description does not say */
        *player = player_default();
        player->simulations = simulations;
        if (!player_load(common->player, player, error))
            return false;
    }
    if (player && common->memory_mb)
        player->memory_mb = common->memory_mb;
    return true;
}

bool run_options_effort(const Options *common, Effort *effort, Error *error) {
    if (common->effort.simulations > 0 && common->effort.move_seconds > 0)
        return error_set(error, "--sims and --move-time exclude each other");
    if (effort_is_given(common->effort))
        *effort = common->effort;
    return true;
}

bool run_options_check_out(const char *path, Error *error) {
    if (!strcmp(path, "-") || file_is_stream(path))
        return error_set(error, "%s: is standard output, a device or a pipe, expected a file: %s", path,
                         "the games of a run lie beside it");
    if (record_file_named(path) && !file_exists(path)) /* where it exists, it is said later what would be lost */
        return error_set(error, "%s: ends as files of games do, expected another name, such as FILE.json", path);
    return true;
}

bool run_options_spare(const RunOptions *options, const char *option, const char *path, const Player *player,
                       Error *error) {
    return output_spares_settings(option, path, options->config->kind->name, options->config_path, error) &&
           output_spares_player(option, path, options->common.player, error) &&
           (!player || output_spares_network(option, path, player, error));
}

/* The outputs of a run: a document, that of the shard where it is one, and its games. */
typedef struct Outputs {
    char path[2][FILE_PATH_MAX];
} Outputs;

static bool outputs_of(const RunOptions *options, Outputs *outputs, Error *error) {
    return shard_spec_path(options->shard, options->out, ".json", outputs->path[0], error) &&
           record_file_path(outputs->path[0], outputs->path[1], error);
}

bool run_options_spare_player(const RunOptions *options, const char *name, const Player *player, Error *error) {
    Outputs outputs;
    bool good = !options->out || outputs_of(options, &outputs, error);
    for (int i = 0; i < 2 && options->out && good; i++)
        good = run_options_spare(options, "--out", outputs.path[i], player, error) &&
               output_spares_player("--out", outputs.path[i], name, error);
    return good;
}

bool run_options_finish(RunOptions *options, const Player *player, Error *error) {
    RunConfig *config = options->config;
    if (!options->out && !options->dry_run)
        return error_set(error, "--out is missing, expected a file name such as --out %s.json", config->kind->name);
    if (options->dry_run && (options->common.shard || options->common.shards))
        return error_set(error, "--dry-run: says what the whole run costs, expected no --shard, --shards");
    return (!options->out || run_options_check_out(options->out, error)) &&
           options_shard(&options->common, config->shards, &options->shard, error) && run_config_check(config, error) &&
           run_options_spare_player(options, NULL, player, error);
}
