/* How much stronger one player is than another, from pairs of games: Elo with its interval, and the sequential test.
 *
 * Two games from one opening with the colours changed are a pair; its score for player A is 0, 1/2 or 1. The openings
 * make the two games of a pair depend on each other, the pairs are independent of each other: so every statistic is of
 * pairs. Games are drawless, so three counts say everything (the trinomial of drawless pairs; with draws it would be
 * the pentanomial).
 *
 * Everything here asks one question: how likely can these counts be, at best, where a certain quantity has a certain
 * value (the profile likelihood). Two quantities are of use:
 *   - the mean score, of which the logistic Elo difference is a function: 400 log10(score / (1 - score));
 *   - the t-value, (score - 1/2) / deviation of a game's score, of which "normalized Elo" is a multiple, 800/ln(10) t.
 *     The number of games that a test takes depends on it alone, whatever board, komi and openings do to the deviation
 *     (M. Van den Bergh, "Normalized Elo", 2020). For even players whose games of a pair are independent, the two
 *     kinds of Elo are the same.
 * An interval is the set of values that the likelihood ratio does not refuse at 5% (Wilks; for a mean it is Owen's
 * empirical likelihood, 1988): it needs no variance, so it holds for few pairs too, and for pairs that all ended alike.
 * The test is the generalised sequential probability ratio test (X. Li, J. Liu and Z. Ying 2014, Sequential Analysis
 * 33) in the form that engine testers use (Van den Bergh, "The generalized maximum likelihood ratio for the expectation
 * value of a distribution"): the logarithm of the ratio of the two profile likelihoods, against Wald's bounds. */
#ifndef STIGMERGY_SELFPLAY_STATS_ELO_H
#define STIGMERGY_SELFPLAY_STATS_ELO_H

#include "selfplay/stats/interval.h"

#include <stdbool.h>

/* How many pairs A scored 0, 1/2 and 1 in. */
typedef struct PairCounts {
    double count[3];
} PairCounts;

/* Elo differences are given up to this limit either way; at it they mean "no bound". */
#define ELO_LIMIT 2000.0

typedef struct EloEstimate {
    double estimate;
    Interval ci95;
} EloEstimate;

/* A's logistic Elo over B. Without pairs 0, with the widest interval. */
EloEstimate elo_of_pairs(PairCounts pairs);

/* The same in normalized Elo. Where all pairs ended alike the estimate is at a limit (0 for scores of 1/2). */
EloEstimate elo_normalized(PairCounts pairs);

/* A's mean score, 1/2 without pairs. */
double elo_score(PairCounts pairs);

/* The Elo difference of a mean score, within the limit, and back. */
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

/* Chance of a wrong verdict where the difference is elo0, or elo1. */
#define SPRT_ALPHA 0.05
#define SPRT_BETA 0.05

/* At or below the lower bound H0 is accepted, at or above the upper one H1. */
double sprt_lower_bound(void);
double sprt_upper_bound(void);

Sprt sprt_start(double elo0, double elo1);

/* Adds a pair of score 0, 1 or 2 halves; once there is a verdict, it stands. */
void sprt_add(Sprt *sprt, int halves);

#endif
