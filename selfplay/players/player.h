/* A player: search parameters and the effort for each move, described by a JSON file (configs/players/) or by options.
 *
 *     {"name": "default", "simulations": 1000, "move_time": 0, "memory_mb": 256, "search_threads": 1,
 *      "search": {"playout_policy": "tactical", "playouts": 8, "judge": 1, "expand_visits": 1, "rave": 500,
 *                 "exploration": 0, "first_play": 1}}
 *
 * Every key may be left out. If only `move_time` is given, simulations have no limit. The keys of "search" are the
 * fields of SearchParams. Three of them keep an older name: "judge" is static_eval, "rave" is rave_equivalence, and
 * "first_play" is fpu. With "selection": "puct" the search uses "puct" and "fpu_reduction" instead.
 *
 *     {"name": "net", "network": "NAME", "network_hash": "0123456789abcdef",
 *      "search": {"puct": 0.8, "fpu_reduction": 0.2}}
 *
 * With "network" a network (networks.h) evaluates instead of playouts, and the search uses PUCT. Then "search" has
 * neither "selection" nor the keys of playouts and RAVE. Without "network_hash" the hash is taken from the file when
 * the description is read. With it, the file is checked when it is loaded. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_PLAYER_H
#define STIGMERGY_SELFPLAY_PLAYERS_PLAYER_H

#include "engine/search/search.h"
#include "selfplay/players/networks.h"

#include <cjson/cJSON.h>

enum { PLAYER_NETWORK_MAX = 256, PLAYER_NAME_MAX = 64, PLAYER_TITLE_MAX = PLAYER_NAME_MAX + 16 };

typedef struct Player {
    char name[PLAYER_NAME_MAX];
    char network[PLAYER_NETWORK_MAX]; /* its name or path, see networks.h; "": playouts evaluate */
    char network_hash[NETWORK_DIGITS_SIZE];
    SearchParams params;
    uint64_t simulations; /* for each move; 0: no limit */
    double move_seconds;  /* for each move; 0: no limit. If neither limit is set, a caller must choose one */
    int64_t memory_mb;    /* for the tree */
    int search_threads;
} Player;

/* The name of a playout policy in descriptions: "uniform", "light", "tactical". */
const char *player_policy_name(PlayoutPolicy policy);

/* The default player: search_default_params(), 1000 simulations for each move, 256 MB, one thread. */
Player player_default(void);

/* Reads a description. Keys that are missing keep the values that *player has already. `source` names the description
 * in errors. False with an error. */
bool player_from_json(const cJSON *json, const char *source, Player *player, Error *error);

/* Reads a description: `text` is its JSON, the path of a file, or the name of an installed player. */
bool player_load(const char *text, Player *player, Error *error);

/* The whole description; NULL without memory. The caller deletes it. */
cJSON *player_to_json(const Player *player);

/* The name of the player for people and game files: "Stigmergy (default)". */
void player_title(const Player *player, char out[PLAYER_TITLE_MAX]);

/* Makes the search of a player, to be freed by search_free. The game must outlive it, and so must `networks`, from
 * which it takes the player's network. They may be NULL for a player without one. NULL with an error. */
Search *player_new_search(const Player *player, PlayerNetworks *networks, const Game *game, uint64_t seed,
                          Error *error);

/* The limits of one move; `stop` as in SearchLimits. */
SearchLimits player_limits(const Player *player, const atomic_bool *stop);

#endif
