/* Fuzz target: the settings of a run of openings. Built with -DSTIGMERGY_FUZZ=ON and clang (preset "fuzz"). What passes
 * the check must be a game that can be made, and must have a name, which depends on the seed but not on the games. */
#include "engine/games/registry.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/openings/config.h"

#include <stdlib.h>
#include <string.h>

static void try_settings(const cJSON *json) {
    OpeningsConfig config = openings_config_default(5);
    char first[RECORD_RUN_MAX], second[RECORD_RUN_MAX], effort[RUN_GROUP_MAX];
    Error error;
    if (!run_config_read(json, "fuzz", &config.run, &error) || !run_config_check(&config.run, &error))
        return;
    if (!run_config_hash(&config.run, first, &error))
        abort();
    const GameOptions options = run_config_game(&config.run, config.run.size);
    Game *game = game_new(&options, &error);
    const Player player = openings_config_player(&config);
    run_config_effort_name(&player, effort);
    if (!game || effort[0] == '\0' || (player.simulations == 0) == (player.move_seconds == 0))
        abort();
    game_free(game);
    config.run.games++; /* how far a run goes is not what it is */
    if (!run_config_hash(&config.run, second, &error) || strcmp(first, second))
        abort();
    config.run.seed++;
    if (!run_config_hash(&config.run, second, &error) || !strcmp(first, second))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error;
    cJSON *json = json_parse((const char *)data, size, "fuzz", &error);
    if (json && !cJSON_IsString(json_get(json, "player"))) /* would open files */
        try_settings(json);
    cJSON_Delete(json);
    return 0;
}
