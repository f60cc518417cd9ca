/* How much stronger one player is than another, from pairs of games: Elo with its interval, and the sequential test.
 *
 * A pair is two games from one opening with colours swapped. Its score for player A is 0, 1/2 or 1. The two games of a
 * pair depend on each other because of the opening, but different pairs are independent. So every statistic here is
 * about pairs. Games have no draws, so three counts contain everything (the trinomial of drawless pairs; with draws it
 * would be the pentanomial).
 *
 * Everything here asks one question. Suppose that a certain quantity has a certain value. How likely can these counts
 * be at most? (This is the profile likelihood.) Two quantities are used:
 *   - The mean score. The logistic Elo difference is a function of it: 400 log10(score / (1 - score)).
 *   - The t-value: (score - 1/2) / deviation of a game's score. "Normalized Elo" is a multiple of it, 800/ln(10) t. The
 *     number of games that a test takes depends only on the t-value. It does not matter how board, komi and openings
 *     change the deviation (M. Van den Bergh, "Normalized Elo", 2020). For even players whose games of a pair are
 *     independent, both kinds of Elo are the same.
 * An interval is the set of values that the likelihood ratio does not reject at 5% (Wilks; for a mean this is Owen's
 * empirical likelihood, 1988). It needs no variance. So it also holds for pairs that all had the same result. Few pairs
 * allow larger ratios by chance, and only decided pairs (scores of 0 or 1) tell the players apart. So the limit is that
 * of the square of Student's t with as many degrees of freedom as there are decided pairs, not of chi-squared (its
 * limit). That is near what Owen advises for small samples ("Empirical Likelihood", 2001, 3.3). By exact sums the
 * interval holds in 94% or more of the matches of 2 to 80 pairs, of which 2% to all are decided; with chi-squared it
 * was 90% where 3 to 6 decided pairs are to be expected.
 *
 * The test is the generalised sequential probability ratio test (X. Li, J. Liu and Z. Ying 2014, Sequential Analysis
 * 33) in the form that engine testers use (Van den Bergh, "The generalized maximum likelihood ratio for the expectation
 * value of a distribution"). It compares the logarithm of the ratio of the two profile likelihoods with Wald's
 * bounds. */
#ifndef STIGMERGY_SELFPLAY_STATS_ELO_H
#define STIGMERGY_SELFPLAY_STATS_ELO_H

#include "selfplay/stats/interval.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of pairs in which A scored 0, 1/2 and 1. */
typedef struct PairCounts {
    double count[3];
} PairCounts;

static inline double pairs_total(PairCounts pairs) {
    return pairs.count[0] + pairs.count[1] + pairs.count[2];
}

/* Elo differences are cut off at this limit, up and down. At the limit they mean "no bound". */
#define ELO_LIMIT 2000.0

typedef struct EloEstimate {
    double estimate;
    Interval ci95;
} EloEstimate;

/* The logistic Elo of A minus that of B. Without pairs it is 0, with the widest interval. */
EloEstimate elo_of_pairs(PairCounts pairs);

/* The same in normalized Elo. If all pairs had the same result, the estimate is at a limit (0 for scores of 1/2). */
EloEstimate elo_normalized(PairCounts pairs);

/* How many standard errors a 95% interval reaches either way where so many pairs were decided: the 97.5% quantile of
 * Student's t, which has so many degrees of freedom, but at least 5 (Cornish and Fisher 1938; Abramowitz and Stegun
 * 26.7.5). */
double elo_limit_95(double decided);

/* A's mean score. It is 1/2 without pairs. */
double elo_score(PairCounts pairs);

/* The Elo difference that belongs to a mean score, within the limit; and the score that belongs to a difference. */
double elo_from_score(double score);
double elo_to_score(double elo);

/* ---- The sequential test: is A's normalized Elo elo0 or elo1? ---- */

typedef enum SprtVerdict { SPRT_RUNNING, SPRT_H0, SPRT_H1 } SprtVerdict;

typedef struct Sprt {
    double elo0, elo1; /* normalized Elo, elo0 < elo1 */
    PairCounts pairs;  /* so far */
    double llr;        /* the log-likelihood ratio of elo1 against elo0 */
    SprtVerdict verdict;
} Sprt;

/* The probability of a wrong verdict if the true difference is elo0, or elo1. */
#define SPRT_ALPHA 0.05
#define SPRT_BETA 0.05

/* The test accepts H0 at or below the lower bound, and H1 at or above the upper bound. */
double sprt_lower_bound(void);
double sprt_upper_bound(void);

Sprt sprt_start(double elo0, double elo1);

/* Adds a pair. `halves` is its score in half points: 0, 1 or 2. After a verdict, further pairs do not change it. */
void sprt_add(Sprt *sprt, int halves);

#ifdef __cplusplus
}
#endif

#endif
