/* A player: search parameters and the effort for each move, described by a JSON file (configs/players/) or by options.
 *
 *     {"name": "default", "simulations": 1000, "move_time": 0, "memory_mb": 256, "search_threads": 1,
 *      "search": {"expand_visits": 1, "revisits": 0.03125, "solver_share": 0.7, "solver_open": 24,
 *                 "solver_claims_open": 32, "puct": 0.8, "fpu_reduction": 0.2, "score": 0.4}}
 *
 * Every key may be left out. If only `move_time` is given, simulations have no limit. The keys of "search" are the
 * fields of SearchParams.
 *
 * "network" says who evaluates positions:
 *   - left out: the network that comes with the program for game and board (networks.h), or playouts without one;
 *   - "none": playouts;
 *   - a name or a path: that network. Without "network_hash" the hash is taken from the file when the description is
 *     read. With it, the file is checked when it is loaded.
 *
 * With a network the search uses PUCT, and "search" has no keys of playouts and RAVE. With playouts it has these, and
 * no "playout_share". Four keys keep an older name: "judge" is static_eval, "rave" is rave_equivalence, "first_play" is
 * fpu, "solver_claims_open" is solver_carriers_open.
 *
 *     {"name": "random games", "network": "none",
 *      "search": {"playout_policy": "tactical", "playouts": 8, "judge": 1, "rave": 500, "prior_playouts": 16,
 *                 "prior_slope": 0.14, "exploration": 0, "first_play": 1, "selection": "rave"}}
 *
 * "many_simulations" is the number of simulations if "network" is left out, in games that need more of them to be
 * played as well: Bug (GameNetwork.many_simulations), and games without a network. It is the number on boards of every
 * size, so "large_board_simulations" then does nothing.
 *
 * "large_board_simulations" is the number instead of "simulations" on hexhex-8 and larger boards. From hexhex-5 to -8
 * the number goes from one to the other by equal factors. So levels of play keep their distance on all boards.
 *
 * Both need "simulations" above 0: without it, or with "move_time" alone, there is nothing that they are instead of.
 *
 * A limit is one for each search. In games whose turns have several actions a player searches once for each action; an
 * external engine gets the time for its whole turn.
 *
 * A player with a network would always play the same game, because a network has no randomness. "draw" makes its games
 * differ. From 1 to 16, it is a power: the probability of a move is proportional to this power of its visits. The
 * higher the power, the more often the most visited move is played. 0 always plays the best one (search_best).
 * "draw_loss" bounds what a drawn move may lose: moves whose chance to win is more than this below that of the best
 * move are not drawn. Without these keys the best move is played, but runs that play many games from one position let
 * players with a network draw (run_config_settle_player). With "draw" alone there is no bound.
 *
 * A description that was read does not know its game yet. player_settle completes it. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_PLAYER_H
#define STIGMERGY_SELFPLAY_PLAYERS_PLAYER_H

#include "engine/search/search.h"
#include "selfplay/io/json.h"
#include "selfplay/players/networks.h"

#include <cjson/cJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAYER_NETWORK_MAX = 256, PLAYER_NAME_MAX = 64, PLAYER_TITLE_MAX = PLAYER_NAME_MAX + 16 };

typedef struct Player {
    char name[PLAYER_NAME_MAX];
    char network[PLAYER_NETWORK_MAX]; /* its name or path, see networks.h; PLAYER_PLAYOUTS: playouts evaluate;
                                         "": player_settle chooses */
    char network_hash[NETWORK_DIGITS_SIZE];
    int draw;                /* 0: the best move; PLAYER_DRAW_UNSAID: the description does not say */
    double draw_loss;        /* the largest loss of win rate of a drawn move, 0 to 1; PLAYER_DRAW_UNSAID: no bound */
    const char *playout_key; /* a key of its description that means nothing with a network; NULL: none */
    const char *network_key; /* one that means nothing without a network; NULL: none. Both are for player_settle and
                                player_to_json */
    bool says_puct;          /* whether its description has the key */
    SearchParams params;
    uint64_t simulations;             /* for each search; 0: no limit */
    uint64_t many_simulations;        /* instead, on all boards, in games that need more of them; 0: the same */
    uint64_t large_board_simulations; /* instead on large boards, see above; 0: the same */
    double move_seconds; /* for each search; 0: no limit. If neither limit is set, a caller must choose one */
    int64_t memory_mb;   /* for the tree and the solver; the cache of a network comes on top */
    int search_threads;
} Player;

enum { PLAYER_SIMULATIONS_MAX = 1000000000, PLAYER_DRAW_MAX = 16, PLAYER_DRAW_UNSAID = -1 };

/* Player.network of a player who evaluates by playouts. */
#define PLAYER_PLAYOUTS "none"

/* The name of a playout policy in descriptions: "uniform", "light", "tactical". */
const char *player_policy_name(PlayoutPolicy policy);

/* The default player, not settled: search_default_params(), 1000 simulations for each move, 256 MB, one thread. */
Player player_default(void);

/* Completes a player for a game on a board of `size` cells a side: chooses the network, where its description does not,
 * reads its hash, and chooses the number of simulations. Size 0: the board is not known; `simulations` holds for all.
 * Does nothing to a player that is settled. False with an error if the network cannot be read (whether a network that
 * the description names fits the game and the board, player_new_search finds), or if "search" has keys of playouts and
 * the player would evaluate with a network, or the other way round. */
bool player_settle(Player *player, const char *game, int size, Error *error);

/* The same. A network that is for another game is an error here, too, so that it is found before a run makes files. */
bool player_settle_checked(Player *player, const char *game, int size, Error *error);

/* Whether a settled player evaluates with a network. */
bool player_has_network(const Player *player);

/* Whether the searches of a settled player, by one thread with a number of simulations, choose by sequential halving.
 */
bool player_halves(const Player *player);

/* Whether the seed of a game enters the play of a settled player: it draws its moves, or playouts take part in the
 * evaluation. If not, it plays the same game again and again. Games with independent seeds are independent draws in the
 * first case only. (That threads or a limit of time make games differ is not counted as chance.) */
bool player_plays_by_chance(const Player *player);

/* Replaces the limits for each search, before or after player_settle. */
void player_set_limits(Player *player, uint64_t simulations, double move_seconds);

/* Gives it another network: a name, a path, or PLAYER_PLAYOUTS; the selection follows. With a `hash` of "" it is read
 * from the file. False with an error. */
bool player_set_network(Player *player, const char *network, const char *hash, Error *error);

/* What the keys "network" and "network_hash" of a description say. `network` is NULL and `hash` is "" if the key is not
 * there. The texts are the reader's document's. */
typedef struct PlayerNetworkKeys {
    const char *network;
    const char *hash;
} PlayerNetworkKeys;

/* Reads these keys. A hash without a network is a mistake, which json_close reports. */
PlayerNetworkKeys player_read_network(JsonReader *reader);

/* Reads a description. Keys that are missing keep the values that *player has already, so it must hold a player, such
 * as player_default(). But efforts and networks are read as a whole: "simulations" alone also says that there is no
 * other number for playouts or large boards, "move_time" alone that there is no number at all, and "network" alone says
 * the hash and the selection, too. `source` names the description in errors. False with an error; then a part may have
 * been read. */
bool player_from_json(const cJSON *json, const char *source, Player *player, Error *error);

/* The same, where `text` is the JSON, the path of a file, or the name of an installed player. Here too *player must
 * hold a player before. */
bool player_load(const char *text, Player *player, Error *error);

/* The whole description; NULL without memory. The caller deletes it. */
cJSON *player_to_json(const Player *player);

/* The name of the player for people and in SGF: "Stigmergy (default)". (In a GameRecord it is player->name.) */
void player_title(const Player *player, char out[PLAYER_TITLE_MAX]);

/* Makes the search of a settled player, to be freed by search_free. The game must outlive it, and so must `networks`,
 * from which it takes the player's network. They may be NULL for a player without one. NULL with an error. */
Search *player_new_search(const Player *player, PlayerNetworks *networks, const Game *game, uint64_t seed,
                          Error *error);

/* A seed for player_choose: another one for each action of each turn, both counted from 0. */
uint64_t player_draw_seed(uint64_t seed, int turn, int action);

/* The action to play after a search: search_best, or, with `draw` above 0, what search_draw draws with this seed. A
 * draw goes by visits alone: what sequential halving (SearchParams.considered) has left is not preferred. Never a
 * proven loss if there is something else. */
Action player_choose(const Player *player, const Search *search, uint64_t seed);

/* The limits of one move of a settled player; `stop` as in SearchLimits. */
SearchLimits player_limits(const Player *player, const StopFlag *stop);

#ifdef __cplusplus
}
#endif

#endif
