/* See levels.h. */
#include "tools/play/levels.h"

#include "selfplay/io/data_folder.h"

#include <stdio.h>

bool level_player(int level, Player *player, Error *error) {
    static const uint64_t simulations[LEVELS] = {2, 8, 30, 100, 400, 1500, 6000, 25000};
    char path[FILE_PATH_MAX];
    *player = player_default();
    snprintf(player->name, sizeof player->name, "level-%d", level);
    if (data_find("players", player->name, path, NULL))
        return player_load(path, player, error);
    player->simulations = simulations[level - 1];
    return true;
}
