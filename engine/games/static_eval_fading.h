/* What the static evaluations of several games share (GameRules.static_eval). Only for the folders of the games. */
#ifndef STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H
#define STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H

#include <math.h>

/* A weight for what counts most late in a game. It is 1 with up to `full` empty cells. It halves with every `halving`
 * more cells, and is linear in between. The result is the same on every processor. */
static inline float static_eval_fading(int empty, int full, int halving) {
    const int beyond = empty > full ? empty - full : 0;
    const float part = (float)(beyond % halving) / (float)(2 * halving);
    return ldexpf(1.0f - part, -(beyond / halving));
}

#endif
