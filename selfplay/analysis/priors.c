/* See priors.h. */
#include "selfplay/analysis/priors.h"

#include <math.h>

/* Takes the priors from the root of a search; false where it has none. */
static bool priors_of_search(const Search *search, const Action *actions, int count, double *priors) {
    SearchMove moves[GAME_LEGAL_MAX];
    double of_action[GAME_ACTIONS_MAX] = {0}, sum = 0;
    const int known = search ? search_moves(search, moves, GAME_LEGAL_MAX) : 0;
    for (int i = 0; i < known; i++)
        sum += of_action[moves[i].action] = moves[i].prior;
    for (int i = 0; i < count && sum > 0; i++)
        priors[i] = of_action[actions[i]] / sum;
    return sum > 0;
}

static void priors_of_game(const Game *game, const GameState *state, const Action *actions, int count, double *priors) {
    float logits[GAME_LEGAL_MAX] = {0}, highest = -HUGE_VALF;
    if (game->rules->priors && count > 0)
        game->rules->priors(game, state, actions, count, logits);
    for (int i = 0; i < count; i++)
        highest = fmaxf(highest, logits[i]);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += priors[i] = exp2((double)(logits[i] - highest));
    for (int i = 0; i < count; i++)
        priors[i] /= sum;
}

int analysis_priors(const Game *game, const GameState *state, const Search *search, Action actions[GAME_LEGAL_MAX],
                    double priors[GAME_LEGAL_MAX]) {
    const int count = game->rules->over(state) ? 0 : game->rules->legal(game, state, actions);
    if (!priors_of_search(search, actions, count, priors))
        priors_of_game(game, state, actions, count, priors);
    return count;
}
