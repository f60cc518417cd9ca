/* A player: search parameters and an effort for each move, as a JSON file (configs/players/) or options describe them.
 *
 *     {"name": "default", "simulations": 1000, "move_time": 0, "memory_mb": 256, "search_threads": 1,
 *      "search": {"playout_policy": "light", "playouts": 8, "judge": 1, "expand_visits": 1, "rave": 500,
 *                 "exploration": 0, "first_play": 1}}
 *
 * Every key may be left out; with `move_time` alone there is no limit of simulations. The keys of "search" are those of
 * SearchParams, with the names that they had first: "judge" is static_eval, "rave" rave_equivalence, "first_play" fpu.
 * With "selection": "puct" the search selects by "puct" and "fpu_reduction".
 *
 *     {"name": "net", "network": "NAME", "network_hash": "0123456789abcdef", "search": {"puct": 0.8, "fpu_reduction":
 * 0.2}}
 *
 * With "network" a network (networks.h) evaluates instead of playouts, and PUCT selects. "search" has then neither
 * "selection" nor the keys of playouts and RAVE. Where "network_hash" is missing it is that of the file as it is when
 * the description is read; otherwise the file is checked when it is loaded. */
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
    uint64_t simulations; /* for each move; 0: no such limit */
    double move_seconds;  /* for each move; 0: no such limit. Where neither is set a caller must choose */
    int64_t memory_mb;    /* for the tree */
    int search_threads;
} Player;

/* The name of a playout policy in descriptions: "uniform", "light", "tactical". */
const char *player_policy_name(PlayoutPolicy policy);

/* The default player: search_default_params(), 1000 simulations for each move, 256 MB, one thread. */
Player player_default(void);

/* Reads a description over the values that are in *player already; `source` names it in errors. False with an error. */
bool player_from_json(const cJSON *json, const char *source, Player *player, Error *error);

/* Reads a description: `text` is its JSON, the path of a file, or the name of an installed player. */
bool player_load(const char *text, Player *player, Error *error);

/* The whole description; NULL without memory. The caller deletes it. */
cJSON *player_to_json(const Player *player);

/* What people and game files call the player: "Stigmergy (default)". */
void player_title(const Player *player, char out[PLAYER_TITLE_MAX]);

/* Makes the search of a player, to be freed by search_free. The game must outlive it, and so must `networks`, from
 * which it takes the player's network. They may be NULL for a player without one. NULL with an error. */
Search *player_new_search(const Player *player, PlayerNetworks *networks, const Game *game, uint64_t seed,
                          Error *error);

/* The limits of one move; `stop` as in SearchLimits. */
SearchLimits player_limits(const Player *player, const atomic_bool *stop);

#endif
