/* The fair komi from win counts: the model's estimate, its intervals and the checks beside it.
 *
 * The model is that of posterior.h. The numbers given are, for each of the two curves, the posterior median of its
 * location and the central 95% interval. Where a curve's results are separated (only wins up to one komi, only losses
 * from the next played komi on), the interval is the bracket of those two komi values, as long as the posterior gives
 * the bracket BRACKET_BELIEF of its mass; with so few games that it does not, the interval is the hull of bracket and
 * posterior interval. A curve that is a step but for a few upsets or one mixed komi (scale below NEAR_STEP points) is
 * treated likewise: an interval between two neighbouring played komi values is widened to these. Where a curve has only
 * wins or only losses, its interval reaches as far as prior and other curve let it. (In
 * tests/studies/study_allocation.c the intervals cover 90 to 99% for scales from 0.5 to 4 points. On near-steps
 * brackets cover more; the weak spot is a scale near 0.1 with lapses, where the slope is misread in some runs: 82% at
 * worst.)
 *
 * The combined estimate is of the midpoint of the two locations (of the one location where only one curve was played),
 * from all wins and, cautiously, the score margins: the mean board margin of the games near the estimate is a second
 * estimate of the fair komi, but a biased one, for the players play for the win and not for points. So it enters as a
 * Student factor with 3 degrees of freedom whose scale has, besides the sampling error, a bias of a quarter of the
 * margins' standard deviation and at least 1 point: it helps while the wins say little and is shrugged off where it
 * contradicts them. Where a curve's interval is a bracket, the combined interval is the mean of both curves' ends.
 *
 * As checks that share neither prior nor lapse, each curve is fitted by Firth's penalised logistic regression
 * (logistic.h) and by centred isotonic regression (isotonic.h), and the largest disagreement is reported. */
#ifndef STIGMERGY_SELFPLAY_STATS_ESTIMATE_H
#define STIGMERGY_SELFPLAY_STATS_ESTIMATE_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"
#include "selfplay/stats/komi_data.h"

typedef struct CurveEstimate {
    double estimate;       /* the komi at which Black wins half of the games */
    Interval ci95;         /* always finite; contains the estimate */
    double games;          /* effective games on this curve; 0: all comes from the prior and the other curve */
    bool separated;        /* only wins up to one komi, only losses above, both present */
    bool bracket_used;     /* ci95 is a bracket of two neighbouring played komi values */
    bool one_sided;        /* games, but only wins or only losses: no upper or lower bound from this curve's games */
    double firth;          /* check: crossing of Firth's fit; always finite, see firth_defined */
    double isotonic;       /* check: crossing of the isotonic curve; always finite, see isotonic_defined */
    bool firth_defined;    /* the fit falls with komi and crosses one half between location_min and location_max; else
                              `firth` is the estimate */
    bool isotonic_defined; /* the curve crosses one half; else `isotonic` is its nearest end (no games: the estimate) */
} CurveEstimate;

typedef struct FairKomi {
    CurveEstimate even, odd; /* odd: with the button */
    double combined;         /* see above */
    Interval combined_ci95;
    int recommended; /* the allowed whole number whose model win rate is nearest to one half */
    double win_rate; /* Black's, at the recommended komi: posterior mean */
    Interval win_rate_ci95;
    double scale, slope, lapse; /* the curves' shape: scale in points, slope = 1 / scale in logits a point */
    double margin;              /* the fair komi as the margins near it have it; combined where no margins are known */
    double margin_error;        /* its scale, bias allowance included */
    double margin_games;        /* the weight of games in it; 0: no margins */
    double disagreement;        /* largest |check - estimate| over the checks that are defined, in points; else 0 */
    bool checks_agree;          /* each such check lies inside its curve's ci95 */
} FairKomi;

/* How the numbers were got, for the result document. */
extern const char ESTIMATE_METHOD[];

/* The defaults for a board with `size` cells a side: all komi values and locations within the number of cells, both
 * parities, a guess of 2 points with a scale of 4 + size points. */
EstimateConfig estimate_config(int size);

/* Estimates the fair komi from `count` komi values (any order, a komi may occur several times, count may be 0).
 * Takes a few milliseconds. False, with `error` set, for unusable data or configuration and when memory is short. */
bool estimate_fair_komi(const KomiData *data, int count, const EstimateConfig *config, FairKomi *result, Error *error);

#endif
