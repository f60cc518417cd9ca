/* See convergence.h. */
#include "selfplay/runs/komi/convergence.h"

#include <math.h>

/* The words below say these numbers. */
static const double EFFORT_FACTOR = 4, CONVERGENCE_LIMIT = 0.75;
enum { CONVERGENCE_RUNGS = 5 };

const char convergence_definition[] =
    "with five strengths of players, each with four times the simulations of the one before, the 95% interval of the "
    "change lay within 0.75 points either way at the last two steps, and so did that of the difference from other "
    "players, with another network or none";
const char *const convergence_words[] = {"exact", "converged", "not converged"};
const char *const bound_words[] = {"", "at least", "at most"};
const char *const reason_words[REASON_COUNT] = {"fewer than five rungs with four times the effort from one to the next",
                                                "a drift that is not within 0.75 points either way",
                                                "the players chose the first move",
                                                "the best first move has changed",
                                                "fewer than 200 games on a rung",
                                                "no other family of players was compared",
                                                "another family of players does not say the same",
                                                "the other family played with less effort, or fewer than 200 games"};

/* Where both have the same pair of neighbours, nothing has changed. In a wider pair the step may have moved. */
static bool same_pair(const FairKomi *a, const FairKomi *b) {
    return a->pair_known && b->pair_known && a->black_wins_up_to == b->black_wins_up_to &&
           a->white_wins_from == b->white_wins_from;
}

Drift rung_drift(const RungValue *below, const RungValue *above) {
    const Interval a = below->fair.by_model_ci95, b = above->fair.by_model_ci95;
    const double change = above->fair.by_model - below->fair.by_model;
    const double error = hypot((b.high - b.low) / 2, (a.high - a.low) / 2);
    const double unseen = above->fair.white_wins_from - above->fair.black_wins_up_to - 1;
    if (same_pair(&below->fair, &above->fair))
        return (Drift){.estimate = 0, .ci95 = {-unseen, unseen}};
    return (Drift){.estimate = change, .ci95 = {change - error, change + error}};
}

bool drift_is_small(const Drift *drift) {
    return drift->ci95.low >= -CONVERGENCE_LIMIT && drift->ci95.high <= CONVERGENCE_LIMIT;
}

static bool is_near(const RungValue *below, const RungValue *above) {
    const Drift drift = rung_drift(below, above);
    return drift_is_small(&drift);
}

/* How many rungs at the top of the ladder have four times the effort of the one below, the lowest of them included. */
static int rungs_in_steps(const RungValue *rungs, int count) {
    int steps = 0;
    while (steps + 1 < count && rungs[count - 1 - steps].effort >= EFFORT_FACTOR * rungs[count - 2 - steps].effort)
        steps++;
    return steps + 1;
}

Convergence rungs_converge(const RungValue *rungs, int count, const RungValue *other, bool exact) {
    const RungValue *top = &rungs[count - 1], *second = top - 1, *first = count > 2 ? top - 2 : second;
    Convergence result = {.status = CONVERGENCE_EXACT, .drift = rung_drift(first, top)};
    if (exact)
        return result;
    if (rungs_in_steps(rungs, count) < CONVERGENCE_RUNGS)
        result.reasons |= REASON_FEW_RUNGS;
    if (!is_near(second, top) || (count > 2 && !is_near(first, second)))
        result.reasons |= REASON_DRIFT;
    if (top->best < 0)
        result.reasons |= REASON_FREE_PLAY;
    if (top->best != second->best)
        result.reasons |= REASON_FIRST_MOVE;
    if (top->games < CONVERGENCE_GAMES || second->games < CONVERGENCE_GAMES || first->games < CONVERGENCE_GAMES)
        result.reasons |= REASON_FEW_GAMES;
    if (!other)
        result.reasons |= REASON_ALONE;
    else if (!is_near(other, top))
        result.reasons |= REASON_FAMILIES;
    if (other && (other->effort < top->effort || other->games < CONVERGENCE_GAMES))
        result.reasons |= REASON_WEAK_FAMILY;
    result.status = result.reasons ? CONVERGENCE_MISSING : CONVERGENCE_REACHED;
    const bool drifts = result.reasons & REASON_DRIFT;
    if (drifts && result.drift.ci95.low > 0)
        result.bound = BOUND_AT_LEAST;
    if (drifts && result.drift.ci95.high < 0)
        result.bound = BOUND_AT_MOST;
    return result;
}
