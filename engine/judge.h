/* Inside the games: what their judgements (GameRules.judge) share. */
#ifndef STIGMERGY_JUDGE_H
#define STIGMERGY_JUDGE_H

#include <math.h>

/* What is left of a weight that halves with every `halving` steps, after `steps` of them; linear in between. The same
 * on every processor. */
static inline float judge_fading(int steps, int halving) {
    const float part = (float)(steps % halving) / (float)(2 * halving);
    return ldexpf(1.0f - part, -(steps / halving));
}

#endif
