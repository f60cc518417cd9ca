/* See game.h. */
#include "engine/game/game.h"

#include <stdio.h>
#include <stdlib.h>

void game_free(Game *game) {
    if (game)
        game->rules->destroy(game);
}

bool game_is_legal(const Game *game, const GameState *state, Action action) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == action)
            return true;
    return false;
}

int game_format_turn(const Game *game, GameState *state, const Action *actions, int count, char out[GAME_TEXT_MAX]) {
    const GameRules *rules = game->rules;
    GameState before;
    game_copy(game, &before, state);
    int length = 0;
    do
        rules->apply(game, state, actions[length++]);
    while (length < count && !rules->turn_start(state));
    if (rules->format_turn)
        rules->format_turn(game, &before, actions, length, out);
    else
        rules->format(game, &before, actions[0], out);
    return length;
}

bool game_play_text(const Game *game, GameState *state, const char *text, Action turn[GAME_TURN_MAX], int *count,
                    Error *error) {
    Action own_turn[GAME_TURN_MAX], *actions = turn ? turn : own_turn;
    const int length = game->rules->parse(game, state, text, actions, error);
    if (length < 0)
        return false;
    for (int i = 0; i < length; i++)
        game->rules->apply(game, state, actions[i]);
    if (count)
        *count = length;
    return true;
}

void game_format_result(const Game *game, GameResult result, char out[16]) {
    const char side = result.winner == BLACK ? 'B' : 'W';
    const int margin = abs(result.half_points);
    if (!game->has_points)
        snprintf(out, 16, "%c+", side);
    else
        snprintf(out, 16, "%c+%d%s", side, margin / 2, margin % 2 ? ".5" : "");
}
