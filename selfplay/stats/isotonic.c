/* See isotonic.h. */
#include "selfplay/stats/isotonic.h"

static double rate(Trial trial) {
    return trial.wins / trial.games;
}

/* Whether two neighbours must be merged: the rate rises, or stays the same strictly between 0 and 1. */
static bool violate(Trial left, Trial right) {
    const double difference = right.wins * left.games - left.wins * right.games;
    return difference > 0 || (difference >= 0 && left.wins > 0 && left.wins < left.games);
}

int isotonic_pool(Trial *trials, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++) {
        trials[blocks++] = trials[i];
        while (blocks > 1 && violate(trials[blocks - 2], trials[blocks - 1])) {
            Trial *left = &trials[blocks - 2];
            const Trial right = trials[blocks - 1];
            const double games = left->games + right.games;
            *left = (Trial){(left->x * left->games + right.x * right.games) / games, games, left->wins + right.wins};
            blocks--;
        }
    }
    return blocks;
}

double isotonic_half(const Trial *points, int count, bool *crosses) {
    *crosses = rate(points[0]) >= 0.5 && rate(points[count - 1]) <= 0.5;
    if (rate(points[0]) < 0.5)
        return points[0].x;
    for (int i = 1; i < count; i++) {
        const double above = rate(points[i - 1]) - 0.5, below = 0.5 - rate(points[i]);
        if (below >= 0 && above + below > 0)
            return points[i - 1].x + (points[i].x - points[i - 1].x) * above / (above + below);
    }
    return points[count - 1].x;
}
