/* What a fair-komi run is: the board, the player, the rungs of its ladder, the komi values, the size of its rounds.
 *
 * Read from a JSON file (configs/komi/), overridden by options. The part that decides which games are played is the
 * run's identity; how many of them, how long and on how many threads is not, so that a run can be extended. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_CONFIG_H

#include "selfplay/players/player.h"
#include "selfplay/stats/estimate.h"

enum { KOMI_RUNGS_MAX = 16 };

typedef struct KomiConfig {
    /* The identity of the run: */
    char game[16];
    int64_t size;
    Player player; /* its limits a move are those of the rung that is played */
    uint64_t seed;
    int64_t ladder[KOMI_RUNGS_MAX]; /* simulations a move, ascending; not used where move_seconds is set */
    int rungs;
    double move_seconds;
    int64_t komi_range[2]; /* lowest and highest komi that may be played */
    bool even, odd;        /* which komi values are played */
    int64_t first_round;   /* games of the first round of a rung; a later round has half as many as all before it, */
                           /* but at least as many as this */
    /* How far it goes: */
    int64_t games;      /* of a rung, in all */
    double until_width; /* a rung ends where the combined 95% interval is narrower, in points; 0: never */
    double seconds;     /* of this session, 0 without limit */
    int64_t shards;     /* how many machines share it (selfplay/runs/shard_spec.h), 0: not said */
} KomiConfig;

/* The defaults of a board size: one rung of 800 simulations, 400 games, both parities, rounds from 32 games. The komi
 * range is from minus the cells to plus the cells. */
KomiConfig komi_config_default(int size);

/* Reads settings over the values that are in *config; `source` names them in errors. Where they set the size, the komi
 * range follows unless it is set too. */
bool komi_config_from_json(const cJSON *json, const char *source, KomiConfig *config, Error *error);

/* Reads a file, or the installed settings of that name. */
bool komi_config_load(const char *path, KomiConfig *config, Error *error);

/* Whether everything fits together; the error names the key. */
bool komi_config_check(const KomiConfig *config, Error *error);

/* Everything, without the time of a session, as komi_config_from_json reads it; the caller deletes it. */
cJSON *komi_config_to_json(const KomiConfig *config);

/* The identity as canonical JSON, and as a hash of 16 hexadecimal digits. The caller deletes the JSON. */
cJSON *komi_config_identity(const KomiConfig *config);
bool komi_config_hash(const KomiConfig *config, char out[20], Error *error);

/* The number of rungs that are played (1 where move_seconds is set), the player of one, and the name of one in ids:
 * "800" for 800 simulations, "t0.5" for half a second. */
int komi_config_rungs(const KomiConfig *config);
Player komi_config_player(const KomiConfig *config, int rung);
void komi_config_rung_name(const KomiConfig *config, int rung, char out[24]);

/* What the estimate is to know of the run. */
EstimateConfig komi_config_estimate(const KomiConfig *config);

#endif
