/* Inside the games: what the static evaluations (GameRules.static_eval) share. */
#ifndef STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H
#define STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H

#include <math.h>

/* The weight of what counts most late in a game: 1 with up to `full` empty cells, halved with every `halving` more and
 * linear in between. The same on every processor. */
static inline float static_eval_fading(int empty, int full, int halving) {
    const int beyond = empty > full ? empty - full : 0;
    const float part = (float)(beyond % halving) / (float)(2 * halving);
    return ldexpf(1.0f - part, -(beyond / halving));
}

#endif
