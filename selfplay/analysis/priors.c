/* See priors.h. */
#include "selfplay/analysis/priors.h"

#include <math.h>

int analysis_priors(const Game *game, const GameState *state, Action actions[GAME_LEGAL_MAX],
                    double priors[GAME_LEGAL_MAX]) {
    const GameRules *rules = game->rules;
    const int count = rules->over(state) ? 0 : rules->legal(game, state, actions);
    float logits[GAME_LEGAL_MAX] = {0}, highest = -HUGE_VALF;
    if (rules->priors && count > 0)
        rules->priors(game, state, actions, count, logits);
    for (int i = 0; i < count; i++)
        highest = fmaxf(highest, logits[i]);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += priors[i] = exp2((double)(logits[i] - highest));
    for (int i = 0; i < count; i++)
        priors[i] /= sum;
    return count;
}
