/* What a self-play data set is: the board sizes, the player, how games begin and vary, and how far it goes.
 *
 *     {"game": "stigmergy", "seed": 1, "games": 1000, "player": "default", "simulations": 400,
 *      "sizes": [{"size": 5, "weight": 3, "komi": "auto"}, {"size": 4, "weight": 1, "komi": 3, "simulations": 800}],
 *      "cheap": {"share": 0.75, "simulations": 80},
 *      "openings": {"turns": [0, 4], "simulations": 100, "from": "match.records.jsonl", "share": 0.5},
 *      "komi": {"spread": 2, "wild_share": 0.05, "wild_spread": 10},
 *      "explore": {"turns": 0.2, "noise": 0.05, "noise_playouts": 50, "power": 1, "gumbel": 1},
 *      "resign": {"below": 0, "moves": 5, "never": 0.1, "finish": 0},
 *      "rows": 20000, "license": "CC0-1.0", "creator": "", "url": ""}
 *
 * How the set is laid out is not part of the run's identity. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_CONFIG_H

#include "selfplay/runs/config.h"
#include "selfplay/runs/generate/recorded_openings.h"

enum { SELFPLAY_SIZES_MAX = HEXHEX_MAX_SIZE - HEXHEX_MIN_SIZE + 1, SELFPLAY_GAMES_MAX = 100000000 };

/* A board size and what its games are centred on. */
typedef struct SelfplaySize {
    int64_t size;
    double weight;       /* share of the games, compared with the other sizes */
    bool auto_komi;      /* the komi at which a referee finds the opening even (selfplay/runs/opening.h);
                            only in games with points */
    int64_t komi;        /* else this one */
    int64_t simulations; /* of a full search on this board; 0: those of the player. Cheap searches grow with them */
    Player player; /* who plays there: the player of the set, with the network of this board. Before the check only
                      the network is read; "": that of the player, or of the game and the board */
} SelfplaySize;

typedef struct SelfplayConfig {
    RunConfig run; /* games: in all */
    /* Part of the identity: */
    char engine[16]; /* the first version that plays these games (CMakeLists.txt); not this one's where a set is read */
    SelfplaySize sizes[SELFPLAY_SIZES_MAX];
    int size_count;
    Player player;      /* its simulations are those of a full search; its network is that of the largest board */
    double cheap_share; /* of the searches that are cheap */
    int64_t cheap_simulations; /* 0 before the check: 80, or those of a full search if they are fewer */
    int64_t opening_turns[2];  /* of random turns at the beginning, at least and at most */
    int64_t referee_simulations;
    RecordedSettings recorded;
    double komi_spread;             /* standard deviation around the even komi, points */
    double wild_share, wild_spread; /* of the games whose komi is far off, and its standard deviation */
    double explore_turns;           /* exploration lasts this number of turns for each cell of the board */
    double noise;                   /* strength of the noise at the root, as a win rate (search_add_noise) */
    int64_t noise_playouts;         /* its weight; 0: no noise */
    int64_t power;                  /* while it explores, an action is drawn by visits^power: temperature 1/power */
    double gumbel; /* strength of the Gumbel noise, for players with sequential halving; instead of noise and power.
                      (A player with a network whose `considered` is 0 gets a `considered` of 16. With a `considered` of
                      1 it has PUCT at the root.) */
    double resign_below; /* a side whose win rate is below this in resign_moves searches of its own resigns; 0: never */
    int64_t resign_moves;
    double resign_never;   /* share of the games in which nobody resigns, to see what resigning costs */
    int64_t resign_finish; /* where a side has resigned, both play on by searches of this number of simulations, which
                              make no rows, so that the score and the owners are known; 0: the game ends there */
    /* The set: */
    int64_t rows;     /* of a shard file, about */
    char license[64]; /* an SPDX identifier */
    char creator[64]; /* who publishes the set; "" if that is not said */
    char url[128];    /* where, likewise */
} SelfplayConfig;

/* The defaults: stigmergy on hexhex-5, the values above. The check sets komi to 0 in games without points. The
 * identity, without the key "engine", can be read as the same settings. */
SelfplayConfig selfplay_config_default(void);

extern const RunConfigKind selfplay_config_kind;

/* The simulations of a search on a board of this size. */
uint64_t selfplay_config_simulations(const SelfplayConfig *config, int size, bool full);

/* Takes from settings that could be read what says nothing about the games: `rows`, `license`, `creator` and `url`.
 * *alone: whether there is nothing else in them. False with an error. */
bool selfplay_config_load_layout(const char *path, SelfplayConfig *config, bool *alone, Error *error);

/* Makes the games of checked sizes, each where its board size says, in an array of NULL. They are the caller's to free,
 * also if it failed. */
bool selfplay_config_games(const SelfplayConfig *config, Game *games[HEXHEX_MAX_SIZE + 1], Error *error);

/* Makes this the only size. */
void selfplay_config_set_size(SelfplayConfig *config, int size);

#endif
