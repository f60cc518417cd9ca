/* What a fair-komi run is: the board, the player, the rungs of its ladder, the komi values, the size of its rounds. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_CONFIG_H

#include "selfplay/runs/config.h"
#include "selfplay/stats/estimate.h"

enum { KOMI_RUNGS_MAX = 16, KOMI_UPGRADE = 4 };

/* A one-sided upgrade: how far the estimate moves when only one side plays better bounds what the other side's mistakes
 * do to it. */
typedef enum KomiUpgrade { UPGRADE_NONE, UPGRADE_BLACK, UPGRADE_WHITE, UPGRADES } KomiUpgrade;

typedef struct KomiConfig {
    RunConfig run;
    /* Part of the identity: */
    Player player; /* its limits a move are those of the rung that is played */
    double move_seconds;
    int64_t komi_range[2]; /* lowest and highest komi that may be played */
    bool range_given;      /* by settings or an option, so it stays where the size changes; not part of the identity */
    RunParity parity;      /* of the komi values that are played */
    bool first_moves;      /* games are forced to begin with each class of first moves; else the players choose */
    KomiUpgrade upgrade;   /* who has KOMI_UPGRADE times the effort */
    /* How far it goes. Another session may ask for other rungs; the games of all rungs are kept: */
    int64_t ladder[KOMI_RUNGS_MAX]; /* simulations a move, ascending; not used where move_seconds is set */
    int rungs;
    double until_width; /* a rung ends when the combined 95% interval, or the pair of komi values where it is known,
                           is narrower, in points; 0: never. A pair of neighbours, of the komi that are played,
                           always ends it */
} KomiConfig;

/* The defaults of a board size: one rung of 800 simulations, 400 games, both parities, free play, rounds from 32 games.
 * The komi range is from minus the cells to plus the cells; where settings change the size it follows, unless they set
 * it too.
 */
KomiConfig komi_config_default(int size);

extern const RunConfigKind komi_config_kind;

/* The words for `first_moves`, "free" and "each", and for `upgrade`. */
extern const char *const komi_first_moves_words[2], *const komi_upgrade_words[UPGRADES];

/* The number of rungs that are played (1 where move_seconds is set), the effort and the player of one, and the player
 * of a side, with the upgrade that it may have. */
int komi_config_rungs(const KomiConfig *config);
Effort komi_config_effort(const KomiConfig *config, int rung);
Player komi_config_player(const KomiConfig *config, int rung);
Player komi_config_side(const KomiConfig *config, int rung, Side side);

/* What the estimate needs to know about the run. */
EstimateConfig komi_config_estimate(const KomiConfig *config);

#endif
