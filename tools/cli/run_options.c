/* See run_options.h. */
#include "tools/cli/run_options.h"

#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void run_options_init(struct argp_state *state, Options *common, const RunConfig *config) {
    options_init(state, common);
    common->game_name = config->game;
    common->size = (int)config->size;
    common->seed = config->seed;
    common->capture = config->capture;
    common->pie = config->pie;
}

bool run_options_read(const struct argp *argp, int argc, char **argv, void *options, size_t size, RunConfig *config,
                      const char *const *config_path) {
    Error error;
    void *defaults = malloc(size);
    bool parsed = false;
    if (!defaults) {
        error_set(&error, "out of memory");
        tool_fail(argv[0], TOOL_FAILED, &error);
    } else {
        memcpy(defaults, options, size);
        parsed = options_parse(argp, argc, argv, options);
    }
    if (parsed) {
        const char *path = *config_path;
        memcpy(options, defaults, size);
        parsed = !path || run_config_load(path, config, &error);
        if (!parsed)
            tool_fail(argv[0], TOOL_USAGE, &error);
    }
    free(defaults);
    return parsed && options_parse(argp, argc, argv, options);
}

bool run_options_settle(Options *common, RunConfig *config, Player *player, Error *error) {
    if (config->size) /* on one size */
        config->size = common->size;
    config->seed = common->seed;
    config->capture = common->capture;
    config->pie = common->pie;
    if (common->game_name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game_name);
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
