/* How much games that depend on each other say: the design effect (Kish 1965, Survey Sampling, section 5.4).
 *
 * What depends on what follows from how the games were made, not from how they look. The seeds of a run's games are
 * independent. If a player's play depends on its seed (playouts, drawn moves), its games at one komi are independent
 * draws. Then two equal games are two draws with the same outcome, as two sixes of a die are: to count them once, or to
 * give them less weight, is wrong. It biases the win rate towards the side whose wins are all different. If no seed
 * enters the play, a run repeats one experiment. Its equal games are one draw, however many there are. They are exact
 * about that player. About players that differ in something that should not matter (the next network, one simulation
 * more), and so about the board, they say as much as one game. So a caller asks the player whether it plays by chance
 * (player_plays_by_chance), and never the games.
 *
 * A cluster is a set of games that are one draw: the equal games of a player without chance. With sizes c of the
 * clusters among n games, the win rate of all n games has the variance of n / effect independent ones, where
 *     effect = sum of c^2 / n,
 * which is 1 where all games differ and n where all are equal. The counts stay as they are. The posterior, Wilson's
 * intervals and the goodness of fit divide the information by the effect.
 *
 * The alternative is a bootstrap over the clusters. tests/studies/study_coverage.c compares both: the bootstrap has no
 * spread at all at a komi with one cluster, which is the case that matters. MEASUREMENTS.md has the table. */
#ifndef STIGMERGY_SELFPLAY_STATS_DESIGN_EFFECT_H
#define STIGMERGY_SELFPLAY_STATS_DESIGN_EFFECT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The sizes of the clusters of some games, taken together. Zero-initialize it. */
typedef struct ClusterSizes {
    double games, squares;
} ClusterSizes;

/* Adds a cluster of `games` games. */
static inline void cluster_add(ClusterSizes *sizes, double games) {
    sizes->games += games;
    sizes->squares += games * games;
}

/* The design effect, 1 or more; 1 without games. */
static inline double cluster_design_effect(const ClusterSizes *sizes) {
    return sizes->games > 0 ? sizes->squares / sizes->games : 1;
}

#ifdef __cplusplus
}
#endif

#endif
