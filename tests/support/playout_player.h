/* The player of tests that are not about strength: playouts are fast under every sanitizer, and need no file. */
#ifndef STIGMERGY_TESTS_SUPPORT_PLAYOUT_PLAYER_H
#define STIGMERGY_TESTS_SUPPORT_PLAYOUT_PLAYER_H

#include "selfplay/players/player.h"

#include <string.h>

/* Makes a player that is not settled evaluate by playouts. */
static inline void use_playouts(Player *player) {
    strcpy(player->network, PLAYER_PLAYOUTS);
}

/* The default player, evaluating by playouts. */
static inline Player playout_player(void) {
    Player player = player_default();
    use_playouts(&player);
    return player;
}

#endif
