/* The fair komi from win counts: the estimate of the model, its intervals, and independent checks.
 *
 * The model is that of posterior.h. For each of the two curves (even and odd komi) the estimate is the posterior median
 * of its location, and the interval is the central 95% interval. There are three special cases:
 *   - The results of a curve are separated: only wins up to one komi, only losses from the next played komi on. Then
 *     nothing is known but between which komi values the curve crosses one half. The interval is the *bracket* of these
 *     two komi values, or a wider one of whole komi values where the posterior gives the bracket less than
 *     ESTIMATE_BRACKET_BELIEF (0.95). The estimate is its middle and says nothing more.
 *   - A curve is nearly a step: its interval lies between two neighbouring played komi values and takes more than
 *     BRACKET_SHARE (half) of the way from one to the other, and its scale is below NEAR_STEP (a third) of that way.
 *     Where it lies between them then comes from the shape that the model assumes, not from games, and the bracket
 *     stands for it.
 *   - A curve has only wins or only losses. Then its interval extends as far as the prior and the other curve allow.
 * Where all curves are brackets, what is known is a pair: up to which komi Black is ahead, and from which komi White
 * is.
 *
 * All games count, also equal ones. Where games depend on each other (design_effect.h), the intervals get wider. They
 * also get wider where the goodness of fit of a curve (goodness.h) is below ESTIMATE_FIT_REFUSED: its komi values stray
 * from the curve, and count less by the factor by which its deviance is too large (quasi-likelihood, Wedderburn 1974).
 *
 * The combined estimate is the midpoint of the two locations, or the one location if only one curve was played. It uses
 * all wins, and with caution the score margins. The mean board margin of the games near the estimate is a second
 * estimate of the fair komi, but a biased one, because the players play for the win and not for points. So it enters as
 * a Student factor with 3 degrees of freedom. Its scale contains the sampling error and a bias of a quarter of the
 * margins' standard deviation, at least 1 point. So the margins help while there are few wins and losses, and have
 * little weight if they contradict them. If the interval of a curve is a bracket, each end of the combined interval is
 * the mean of the same end of both curves, for nothing is known inside the bracket.
 *
 * How likely each whole komi is to be the fairest follows from the posterior (fairest.h), and so does the goodness of
 * fit of each curve (goodness.h). As checks that use neither the prior nor the lapses, each curve is also fitted by
 * Firth's penalised logistic regression (logistic.h) and by centred isotonic regression (isotonic.h). The largest
 * disagreement is reported.
 *
 * tests/studies/study_coverage.c and study_allocation.c measure how often the intervals contain the truth, with
 * simulated players; MEASUREMENTS.md has the figures. */
#ifndef STIGMERGY_SELFPLAY_STATS_ESTIMATE_H
#define STIGMERGY_SELFPLAY_STATS_ESTIMATE_H

#include "engine/base/error.h"
#include "selfplay/stats/fairest.h"
#include "selfplay/stats/goodness.h"
#include "selfplay/stats/komi_data.h"
#include "selfplay/stats/komi_estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CurveEstimate {
    double estimate;        /* the komi at which Black wins half of the games; the middle of a bracket */
    Interval ci95;          /* always finite; contains the estimate */
    double games;           /* on this curve; 0: everything comes from the prior and the other curve */
    double effective_games; /* how many independent games they are worth */
    bool separated;         /* only wins up to one komi, only losses above; one of them may follow from the rules */
    bool bracket_used;      /* ci95 is a bracket: two komi values of this parity. No decimal of it means anything */
    bool one_sided;         /* games, but only wins or only losses: these games alone give no upper or no lower bound */
    CurveShape shape;       /* of the curve: the geometric mean of the scale, the means of the lapses */
    Goodness fit;
    double firth;          /* check: crossing of Firth's fit; always finite, see firth_defined */
    double isotonic;       /* check: crossing of the isotonic curve; always finite, see isotonic_defined */
    bool firth_defined;    /* the fit falls with komi and crosses one half from location_min to location_max; if not,
                              `firth` is the estimate */
    bool isotonic_defined; /* the curve crosses one half; if not, `isotonic` is its nearest end, or the estimate */
} CurveEstimate;

/* Below this goodness of fit the games of a curve stray from it. */
#define ESTIMATE_FIT_REFUSED 0.05

typedef struct FairKomi {
    CurveEstimate even, odd; /* odd: with the button */
    double combined;         /* see above */
    Interval combined_ci95;
    double by_model; /* the same where no bracket stands for a curve: what the model says of the middle of both */
    Interval by_model_ci95;
    bool pair_known; /* all curves that were played are brackets, and these agree: */
    int black_wins_up_to, white_wins_from;
    int recommended; /* the allowed whole number whose win rate by the model is nearest to one half */
    double win_rate; /* Black's, at the recommended komi: posterior mean */
    Interval win_rate_ci95;
    KomiProbability probabilities[FAIREST_MAX]; /* of the whole komi values to be the fairest, see fairest.h */
    int probability_count;
    double margin;       /* the fair komi by the margins near it; `combined` if no margins are known */
    double margin_error; /* the scale of `margin`, bias allowance included */
    double margin_games; /* the weight of the games in `margin`; 0: no margins */
    double disagreement; /* largest |check - estimate| over the checks that are defined, in points; 0 if none is */
    bool checks_agree;   /* each such check lies inside its curve's ci95 */
} FairKomi;

/* A description of the method, for the result document. */
extern const char ESTIMATE_METHOD[];

/* The defaults for a board with `size` cells on each side. Komi values and locations lie within the number of cells,
 * both parities are allowed, and the prior guess is 2 points with a scale of 4 + size points. */
EstimateConfig estimate_config(int size);

/* Estimates the fair komi from `count` komi values. They may be in any order, a komi may occur several times, and count
 * may be 0. Takes a few milliseconds. False, with `error` set, for unusable data or configuration or without memory. */
bool estimate_fair_komi(const KomiData *data, int count, const EstimateConfig *config, FairKomi *result, Error *error);

/* The checks of a curve: what they are called, and the komi at which check `i` says that the curve crosses one half.
 * False where it says nothing. */
enum { ESTIMATE_CHECKS = 2 };
extern const char *const estimate_check_names[ESTIMATE_CHECKS];
bool estimate_check(const CurveEstimate *curve, int i, double *komi);

/* What is known of a curve, and of all curves together: the pair, as a bracket, where that is all; else `combined`. */
KomiEstimate fair_komi_curve(const CurveEstimate *curve);
KomiEstimate fair_komi_together(const FairKomi *fair);

/* By how much the fair even komi is above the fair odd one. With perfect play it is half a point either way, so the
 * rest is the players' error. The 95% interval is as if both were independent normal numbers. False where one parity
 * was not played or is known as a bracket only, whose middle means nothing. */
bool fair_komi_gap(const FairKomi *fair, double *gap, Interval *ci95);

#ifdef __cplusplus
}
#endif

#endif
