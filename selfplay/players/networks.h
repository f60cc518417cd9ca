/* The networks that players evaluate with: found by name, loaded once, shared by all searches and threads.
 *
 * A network is named in two ways. A bare name means networks/NAME.bin in the data folder (data_folder.h), and never a
 * file of the current folder. A name with a slash or the ending .bin is a path. The hash says which network a name
 * stands for: the first digits of the SHA-256 that a weights file ends with (engine/eval/network/weights.h).
 *
 * A game may have a network that comes with the program, and another one for some boards: a network as small as these
 * has to forget some of one board to learn more of another. The default player evaluates with them.
 *
 * Whoever makes searches keeps a PlayerNetworks: a run, an analysis engine, a session. It must outlive them. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_NETWORKS_H
#define STIGMERGY_SELFPLAY_PLAYERS_NETWORKS_H

#include "engine/eval/network/network_evaluator.h"
#include "selfplay/io/file.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NETWORK_DIGITS = 16, NETWORK_DIGITS_SIZE = NETWORK_DIGITS + 1 };

/* A network that comes with the program. */
typedef struct GameNetwork {
    const char *game, *name;
    int size_min, size_max; /* the boards that players have it for */
    /* Of players that have it because it comes with the program: */
    double playout_share;  /* SearchParams.playout_share */
    double puct;           /* SearchParams.puct, where a player does not say; 0: that of search_default_params */
    bool many_simulations; /* whether they make Player.many_simulations a move */
} GameNetwork;

/* The network of a game on a board of `size` cells a side (0: not known; that of the largest board). NULL for a game
 * without one. */
const GameNetwork *network_of_game(const char *game, int size);

/* Finds the file of a network; that of a path need not exist. False with an error. */
bool network_find(const char *name, char path[FILE_PATH_MAX], Error *error);

/* Reads the file of a network, checks it whole, and writes its hash. False with an error that names the file. */
bool network_hash(const char *name, char hash[NETWORK_DIGITS_SIZE], Error *error);

/* False with an error if the file with this hash is a network for another game, or cannot be read. A file that is
 * missing, or has another hash now, is no error here: a search says so, and games that were played are read without it.
 */
bool network_check_game(const char *name, const char *hash, const char *game, Error *error);

typedef struct PlayerNetworks PlayerNetworks;

/* Has no networks at first. NULL with an error if memory runs out. */
PlayerNetworks *player_networks_new(Error *error);
void player_networks_free(PlayerNetworks *networks); /* NULL is fine */

/* The evaluator of a network, which is loaded at the first call. It lasts as long as `networks`. Several threads may
 * ask at once. NULL with an error if the file cannot be used or has another hash. */
const NetworkEvaluator *player_networks_get(PlayerNetworks *networks, const char *name, const char *hash, Error *error);

#ifdef __cplusplus
}
#endif

#endif
