/* What the static evaluations of several games (GameRules.static_eval) share. Only for the folders of the games. */
#ifndef STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H
#define STIGMERGY_ENGINE_GAMES_STATIC_EVAL_FADING_H

#include <math.h>

/* The weight of what counts most late in a game: 1 with up to `full` empty cells, halved with every `halving` cells
 * more, and linear in between. The same on every processor. */
static inline float static_eval_fading(int empty, int full, int halving) {
    const int beyond = empty > full ? empty - full : 0;
    const float part = (float)(beyond % halving) / (float)(2 * halving);
    return ldexpf(1.0f - part, -(beyond / halving));
}

#endif
