/* Several first moves, each with a fair komi of its own, and the fair komi of the board: that of Black's best one.
 *
 * An arm is a class of first moves. Its games alone give a posterior of its two curves (posterior.h). The largest of
 * several noisy estimates is too large on average, for it is probably one that chance has raised (the optimizer's
 * curse: Smith and Winkler, Management Science 52, 2006). Two things prevent that:
 *   - The arms are pooled. Their locations spread around a common centre as Student's t with 3 degrees of freedom.
 *     So an arm with few games is drawn to the others, and a bad one does not draw the others down. Some arms are of
 *     another kind, far ahead of the others: they spread above the centre as a Cauchy distribution of some points.
 *     This mixture draws an arm down only as long as its games do not say that it is one of them (Box and Tiao, "A
 *     Bayesian approach to some outlier problems", Biometrika 55, 1968). Without it, on large boards, where one
 *     first move of many gets few games, the best one was drawn down by a point and more. What the button is worth
 *     and the scales lie around common values, too, for the same players play all games. Centre, spread, button and
 *     common scale have the posterior of all games.
 *   - The value of the board is the maximum in each draw of all arms together. The intervals are quantiles of these
 *     maxima, and the probability of an arm to be the best is how often it is so.
 *
 * Somebody may have guessed the fair komi of each arm before: the players' own search has an opinion. Then what spreads
 * around the centre is not the location, but what is left of it when a share of the guess has been taken off: nothing,
 * half or all of it, as the games say (a regression on what is known beforehand: Fay and Herriot, "Estimates of income
 * for small places", Journal of the American Statistical Association 74, 1979). Only differences of guesses matter. So
 * a guess that is worth something rules most first moves out after few games, and a worthless one is seen through.
 *
 * The pooling needs nothing of an arm but its draws and its guess: it gives each draw the weight by which the common
 * prior exceeds the prior that it was made with (Lunn, Barrett, Sweeting and Thompson, "Fully Bayesian hierarchical
 * modelling in two stages", Journal of the Royal Statistical Society C 62, 2013). They are on a grid.
 *
 * A round of games follows the draws as top-two Thompson sampling does on average (Russo, "Simple Bayesian algorithms
 * for best-arm identification", Operations Research 68, 2020): one game for the best arm of each draw, at its fair
 * komi; and one for its challenger, where there is one, at the same komi. The challenger is the best other arm in a few
 * other draws (an optimistic look: May et al., Journal of Machine Learning Research 13, 2012) if it is better there
 * than the best arm in this draw. So arms that are far behind get no games, and a best arm that is certain gets all.
 *
 * tests/studies/study_arms.c measures how often the intervals contain the truth. */
#ifndef STIGMERGY_SELFPLAY_STATS_ARMS_H
#define STIGMERGY_SELFPLAY_STATS_ARMS_H

#include "selfplay/stats/estimate.h"

/* A description of the method, for the result document. */
extern const char ARMS_METHOD[];

/* What is known of an arm. */
typedef struct Arm {
    const KomiData *data; /* its games, by komi */
    int count;
    bool legal[2]; /* whether it is a first move at even komi, and at odd komi */
    double guess;  /* what is thought of its fair komi before any game, in points. Equal guesses say nothing */
} Arm;

/* The configuration of the estimate of an arm: of those of all, the parities at which it is a first move. */
static inline EstimateConfig arm_config(const Arm *arm, const EstimateConfig *config) {
    EstimateConfig own = *config;
    own.even &= arm->legal[0];
    own.odd &= arm->legal[1];
    return own;
}

/* What follows. An arm that is no first move at even komi has no games there, and its even curve means nothing. */
typedef struct ArmEstimate {
    FairKomi fair;         /* pooled; combined: without the margins */
    double probability[2]; /* that it is the best at even komi, and at odd komi */
    double share;          /* the mean of both, of the parities that are played: they sum up to 1 over the arms */
} ArmEstimate;

typedef struct ArmsEstimate {
    int count;
    ArmEstimate *arms;    /* owned */
    PosteriorDraw *draws; /* owned; draw n of arm a is draws[a * POSTERIOR_DRAWS_MAX + n] */
    FairKomi board;       /* shapes, fits, checks and counts are those of best_of[parity]; where that has no
                             games there, `games` are those of all arms */
    int best_of[2];       /* the arm that is most probably the best at even komi, and at odd komi */
    int best;             /* the same for both together */
} ArmsEstimate;

/* Estimates all of `count` arms (1 or more). Free with arms_free in any case. False with an error. */
bool arms_estimate(const Arm *arms, int count, const EstimateConfig *config, ArmsEstimate *result, Error *error);
void arms_free(ArmsEstimate *estimate);

/* The games of each arm in the first round: there the caller asks arms_allocate for at least this many times the number
 * of arms. */
enum { ARMS_FIRST_GAMES = 4 };

/* Shares out a round of `batch` games: games[a * komi_count + K - komi_min] are those of arm a at komi K, where
 * komi_count is the number of komi values of the range. Without any games yet, all arms get the same, from the prior.
 * False with an error. */
bool arms_allocate(const Arm *arms, int count, const EstimateConfig *config, int batch, int *games, Error *error);

#endif
