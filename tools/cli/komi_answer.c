/* See komi_answer.h. */
#include "tools/cli/komi_answer.h"

#include "selfplay/io/exact_value.h"
#include "selfplay/runs/komi/second.h"
#include "tools/cli/fair_komi_line.h"

#include <stdio.h>

static const double SHOWN_PROBABILITY = 0.05;

enum { SHOWN_KOMI = 4, SHOWN_MOVES = 6 };

/* The other ways to estimate a curve, where they are outside its interval. */
static void print_checks(const CurveEstimate *curve) {
    double komi;
    for (int i = 0; i < ESTIMATE_CHECKS; i++)
        if (estimate_check(curve, i, &komi) && !interval_contains(curve->ci95, komi))
            printf("    %-16s outside the interval: %.2f, by %s\n", "", komi, estimate_check_names[i]);
}

/* A curve of the board is that of the best first move, where first moves are forced. */
static void print_curve(const char *name, const CurveEstimate *curve, bool of_best_move) {
    if (!(curve->games > 0))
        return;
    fair_komi_line_begin(name, fair_komi_curve(curve));
    if (curve->one_sided && !curve->bracket_used)
        printf(" (one side won all games%s)", of_best_move ? " after the best first move" : "");
    putchar('\n');
    if (curve->fit.p < ESTIMATE_FIT_REFUSED)
        printf("    %-16s these games do not look like a smooth curve (goodness of fit: p = %.3f)\n", "", curve->fit.p);
    print_checks(curve);
}

/* By how much the curve for even komi lies higher: with perfect play half a point, so more is the players' error. */
static void print_gap(const FairKomi *fair) {
    double gap;
    Interval ci95;
    if (fair_komi_gap(fair, &gap, &ci95))
        fair_komi_line_gap(gap, ci95);
}

/* The komi values that are likely to be the fairest, the most likely one first. */
static void print_fairest(const FairKomi *fair) {
    bool said[FAIREST_MAX] = {false};
    printf("    fairest komi     ");
    for (int shown = 0; shown < SHOWN_KOMI; shown++) {
        int best = -1;
        for (int i = 0; i < fair->probability_count; i++)
            if (!said[i] && (best < 0 || fair->probabilities[i].probability > fair->probabilities[best].probability))
                best = i;
        if (best < 0 || (shown > 0 && fair->probabilities[best].probability < SHOWN_PROBABILITY))
            break;
        said[best] = true;
        printf("%s%d with a chance of %.0f%%", shown > 0 ? ", " : "", fair->probabilities[best].komi,
               100 * fair->probabilities[best].probability);
    }
    putchar('\n');
}

/* How many games there are, and how many of them differ. */
static bool print_games(const Run *run, int rung, Error *error) {
    char effort[EFFORT_TEXT_MAX];
    KomiCounts counts = {0};
    for (int beginning = 0; beginning < komi_beginnings(run)->count; beginning++)
        if (!komi_count_games(run, rung, beginning, &counts, error))
            return false;
    effort_text(komi_config_effort(komi_config(run), rung), effort);
    const int played = run->groups[rung].played;
    printf("  %s a move, %d game%s", effort, played, played == 1 ? "" : "s");
    if (played != 1)
        printf(", %.0f of them different", counts.lines);
    if (counts.effective < counts.games - 0.5)
        printf("; the player always plays the same, so that they are worth %.0f games", counts.effective);
    putchar('\n');
    return true;
}

static bool print_arm(const Run *run, int rung, int beginning, const ArmEstimate *arm, Error *error) {
    char move[GAME_TEXT_MAX];
    KomiCounts counts = {0};
    if (!komi_count_games(run, rung, beginning, &counts, error))
        return false;
    komi_format_beginning(run, beginning, move);
    fair_komi_line_begin(move, fair_komi_together(&arm->fair));
    printf(", the best first move with %.0f%%, %.0f games\n", 100 * arm->share, counts.games);
    return true;
}

/* The first moves that are most probably the best. */
static bool print_arms(const Run *run, int rung, const ArmsEstimate *estimate, Error *error) {
    int order[GAME_LEGAL_MAX];
    komi_order_arms(estimate, order);
    const int shown = estimate->count > SHOWN_MOVES + 1 ? SHOWN_MOVES : estimate->count; /* never "1 others" */
    for (int i = 0; i < shown; i++)
        if (!print_arm(run, rung, order[i], &estimate->arms[order[i]], error))
            return false;
    if (shown < estimate->count)
        printf("    and %d others: see the document, or stigmergy report\n", estimate->count - shown);
    return true;
}

static void print_recommended(const FairKomi *fair, const KomiConfig *config) {
    const bool at_end = fair->recommended <= config->komi_range[0] || fair->recommended >= config->komi_range[1];
    const bool button = fair->recommended % 2 != 0, is_fair = komi_is_fair(fair->win_rate, fair->win_rate_ci95);
    if (is_fair)
        printf("    play with komi   %3d%s Black then wins", fair->recommended, button ? " and the button:" : ":");
    else
        printf("    play with komi   no %s is fair (at %d%s Black wins", at_end ? "komi that was played" : "whole komi",
               fair->recommended, button ? " and the button" : "");
    printf(" %.0f%% [%.0f%%, %.0f%%]%s\n", 100 * fair->win_rate, 100 * fair->win_rate_ci95.low,
           100 * fair->win_rate_ci95.high, is_fair ? "" : ")");
}

static void print_fair(const FairKomi *fair, const KomiConfig *config) {
    print_curve("even komi", &fair->even, config->first_moves);
    print_curve("odd with button", &fair->odd, config->first_moves);
    fair_komi_line_together(fair_komi_together(fair));
    print_gap(fair);
    print_fairest(fair);
    print_recommended(fair, config);
}

/* Prints what a rung says, and returns it in *value. */
static bool print_rung(const Run *run, int rung, RungValue *value, Error *error) {
    ArmsEstimate arms;
    bool good = komi_rung_value(run, rung, value, &arms, error) && print_games(run, rung, error);
    if (good)
        print_fair(&value->fair, komi_config(run));
    good = good && (!komi_config(run)->first_moves || print_arms(run, rung, &arms, error));
    arms_free(&arms);
    return good;
}

static void print_change(const char *name, const RungValue *from, const RungValue *to) {
    const Drift drift = rung_drift(from, to);
    fair_komi_line_begin(name, (KomiEstimate){drift.estimate, drift.ci95, false});
    puts(drift_is_small(&drift) ? "" : "   (beyond 0.75)");
}

/* Whether a ladder has converged, on a board that is not solved. */
static void print_convergence(const Run *run, const RungValue *values, int count) {
    const RungValue *second = komi_second(run);
    const Convergence convergence = rungs_converge(values, count, second, false);
    if (second) {
        printf("  another family of players, %s:\n", komi_second_source(run));
        fair_komi_line_together(fair_komi_together(&second->fair));
    }
    puts("  changes, whose intervals should lie between -0.75 and 0.75:");
    for (int rung = count > 2 ? count - 2 : count - 1; rung < count; rung++)
        print_change(rung < count - 1 ? "last step but one" : "last step", &values[rung - 1], &values[rung]);
    if (second)
        print_change("from the others", second, &values[count - 1]);
    printf("  %s", convergence_words[convergence.status]);
    for (int i = 0, said = 0; i < REASON_COUNT; i++)
        if (convergence.reasons & 1u << i)
            printf("%s%s", said++ ? "; " : ": ", reason_words[i]);
    if (convergence.bound != BOUND_NONE)
        printf("; the estimate %s with the effort", convergence.bound == BOUND_AT_LEAST ? "rises" : "falls");
    putchar('\n');
}

/* Whether a curve leaves out the value of perfect play. */
static bool leaves_out(const CurveEstimate *curve, double value) {
    return curve->games > 0 && !interval_contains(curve->ci95, value);
}

static void print_perfect_play(const ExactValues *exact, const FairKomi *fair) {
    fair_komi_line_perfect_play(exact, leaves_out(&fair->even, exact->even), leaves_out(&fair->odd, exact->odd));
}

bool komi_answer_print(const Run *run, Error *error) {
    const char *game = run->config->game;
    const int size = (int)run->config->size;
    RungValue values[KOMI_RUNGS_MAX];
    ExactValues exact;
    int known = 0;
    if (!exact_values(game, size, &exact, error))
        return false;
    _Static_assert(KOMI_UPGRADE == 4, "said in words");
    static const char *const upgrades[] = {"", ", Black with four times the effort",
                                           ", White with four times the effort"};
    const KomiUpgrade upgrade = komi_config(run)->upgrade;
    printf("Fair komi of %s on hexhex-%d, by self-play%s%s:\n", game, size,
           komi_config(run)->first_moves ? " from each first move" : "", upgrades[upgrade]);
    for (int rung = 0; rung < run->group_count; rung++)
        if (run->groups[rung].played > 0 && !print_rung(run, rung, &values[known++], error))
            return false;
    if (known == 0) {
        puts("  no game has ended yet");
        return true;
    }
    if (!komi_config(run)->first_moves)
        puts("  The players chose the first move. If they overlook the best one, this is too low: see --first-moves "
             "each.");
    if (exact.known)
        print_perfect_play(&exact, &values[known - 1].fair);
    else if (known > 1 && upgrade == UPGRADE_NONE)
        print_convergence(run, values, known);
    else if (run->group_count == 1 && upgrade == UPGRADE_NONE)
        puts("  One effort does not show what stronger players would say: see --ladder.");
    return true;
}
