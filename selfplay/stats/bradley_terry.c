/* See bradley_terry.h. In this file ratings are in natural logarithms. */
#include "selfplay/stats/bradley_terry.h"

#include <math.h>
#include <string.h>

enum { N = BRADLEY_TERRY_MAX, STEPS_MAX = 200 };
static const double ADDED = 0.05;     /* pairs won, and pairs lost, that are added to each pairing */
static const double STEP_MAX = 1;     /* the largest change of a rating in one step of Newton's method */
static const double CONVERGED = 1e-9; /* the iteration ends when the largest change is below this */

/* A pairing that was played, with the added pairs. */
typedef struct Edge {
    int a, b;
    double pairs, score, variance; /* number of pairs; sum of a's scores; variance of one score */
    double decided;                /* pairs that a player won or lost, none added */
} Edge;

static Edge make_edge(const PairingCounts *pairing) {
    const double lost = pairing->pairs.count[0] + ADDED, split = pairing->pairs.count[1],
                 won = pairing->pairs.count[2] + ADDED;
    const double pairs = lost + split + won, mean = (won + 0.5 * split) / pairs;
    return (Edge){.a = pairing->a,
                  .b = pairing->b,
                  .pairs = pairs,
                  .score = won + 0.5 * split,
                  .variance = (won + 0.25 * split) / pairs - mean * mean,
                  .decided = pairing->pairs.count[0] + pairing->pairs.count[2]};
}

static double expected(const double *rating, const Edge *edge) {
    return 1 / (1 + exp(rating[edge->b] - rating[edge->a]));
}

/* The variance of the sum of a's scores. Few pairs may show none of it, so what the ratings say of one more pair, whose
 * games do not depend on each other, counts too. */
static double variance_of_sum(const double *rating, const Edge *edge) {
    const double p = expected(rating, edge), one_more = p * (1 - p) / 2;
    return edge->pairs * (edge->pairs * edge->variance + one_more) / (edge->pairs + 1);
}

/* Adds weight * (e_a - e_b)(e_a - e_b)'. */
static void add_difference(double matrix[N][N], const Edge *edge, double weight) {
    matrix[edge->a][edge->a] += weight;
    matrix[edge->b][edge->b] += weight;
    matrix[edge->a][edge->b] -= weight;
    matrix[edge->b][edge->a] -= weight;
}

/* Replaces a positive definite matrix by its inverse (Gauss and Jordan). False if it is not positive definite. */
static bool invert(int n, double matrix[N][N]) {
    for (int k = 0; k < n; k++) {
        const double pivot = matrix[k][k];
        if (!(pivot > 1e-12))
            return false;
        matrix[k][k] = 1;
        for (int j = 0; j < n; j++)
            matrix[k][j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = matrix[i][k];
            if (i == k)
                continue;
            matrix[i][k] = 0;
            for (int j = 0; j < n; j++)
                matrix[i][j] -= factor * matrix[k][j];
        }
    }
    return true;
}

/* The inverse of the information matrix, among ratings with a fixed sum. False if the players are not connected. Only
 * differences of ratings matter, so the matrix maps (1, ..., 1) to 0. With 1/n added to every entry it can be inverted.
 * The inverse then has 1/n too much in every entry. */
static bool inverse_information(int n, const Edge *edges, int count, const double *rating, double inverse[N][N]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i][j] = 1.0 / n;
    for (int k = 0; k < count; k++) {
        const double p = expected(rating, &edges[k]);
        add_difference(inverse, &edges[k], edges[k].pairs * p * (1 - p));
    }
    if (!invert(n, inverse))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i][j] -= 1.0 / n;
    return true;
}

/* One step of Newton's method. Returns the largest change of a rating, or -1 if the step fails. */
static double improve(int n, const Edge *edges, int count, double *rating) {
    double inverse[N][N], surplus[N] = {0}, step[N] = {0}, largest = 0;
    if (!inverse_information(n, edges, count, rating, inverse))
        return -1;
    for (int k = 0; k < count; k++) {
        const double more = edges[k].score - edges[k].pairs * expected(rating, &edges[k]);
        surplus[edges[k].a] += more;
        surplus[edges[k].b] -= more;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            step[i] += inverse[i][j] * surplus[j];
        largest = fmax(largest, fabs(step[i]));
    }
    const double scale = largest > STEP_MAX ? STEP_MAX / largest : 1;
    for (int i = 0; i < n; i++)
        rating[i] += scale * step[i];
    return largest;
}

static bool connected(int n, const Edge *edges, int count) {
    bool reached[N] = {true};
    for (int round = 0; round < n; round++)
        for (int k = 0; k < count; k++)
            if (reached[edges[k].a] || reached[edges[k].b])
                reached[edges[k].a] = reached[edges[k].b] = true;
    for (int i = 0; i < n; i++)
        if (!reached[i])
            return false;
    return true;
}

/* Whether a player has won (best: 1) or lost (0) all of its pairs. */
static bool always(const PairingCounts *pairings, int count, int player, int best) {
    double others = 0;
    for (int k = 0; k < count; k++)
        if (pairings[k].a == player || pairings[k].b == player)
            others +=
                pairs_total(pairings[k].pairs) - pairings[k].pairs.count[(pairings[k].a == player) == best ? 2 : 0];
    return others == 0;
}

/* How far the intervals reach. Standard errors are the square roots of the diagonal of inverse * (variance of the
 * scores) * inverse; the limit is that of the pairs which a player won or lost. */
static bool half_widths(int n, const Edge *edges, int count, const double *rating, double *width) {
    double inverse[N][N];
    if (!inverse_information(n, edges, count, rating, inverse))
        return false;
    for (int i = 0; i < n; i++) {
        double variance = 0, decided = 0;
        for (int k = 0; k < count; k++) {
            const double weight = inverse[i][edges[k].a] - inverse[i][edges[k].b];
            variance += weight * weight * variance_of_sum(rating, &edges[k]);
            decided += edges[k].a == i || edges[k].b == i ? edges[k].decided : 0;
        }
        width[i] = elo_limit_95(decided) * sqrt(variance);
    }
    return true;
}

bool bradley_terry(int players, const PairingCounts *pairings, int count, EloEstimate *ratings, Error *error) {
    Edge edges[N * (N - 1) / 2];
    double rating[N] = {0}, width[N], step = 1;
    int used = 0;
    if (players < 1 || players > N)
        return error_set(error, "ratings: %d players, expected 1 to %d", players, N);
    if (count > N * (N - 1) / 2)
        return error_set(error, "ratings: %d pairings, expected at most %d", count, N * (N - 1) / 2);
    for (int i = 0; i < count; i++)
        if (pairings[i].pairs.count[0] + pairings[i].pairs.count[1] + pairings[i].pairs.count[2] > 0)
            edges[used++] = make_edge(&pairings[i]);
    if (!connected(players, edges, used))
        return error_set(error, "ratings: some players have not met, expected games that connect all of them");
    for (int i = 0; i < STEPS_MAX && step > CONVERGED; i++)
        step = improve(players, edges, used, rating);
    if (step < 0 || step > CONVERGED || !half_widths(players, edges, used, rating, width))
        return error_set(error, "ratings: the fit does not converge");
    const double elo = 400 / log(10);
    for (int i = 0; i < players; i++)
        ratings[i] = (EloEstimate){.estimate = elo * rating[i],
                                   .ci95 = {always(pairings, count, i, 0) ? -ELO_LIMIT : elo * (rating[i] - width[i]),
                                            always(pairings, count, i, 1) ? ELO_LIMIT : elo * (rating[i] + width[i])}};
    return true;
}
