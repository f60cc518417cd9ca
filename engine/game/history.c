/* See history.h. */
#include "engine/game/history.h"

void game_history_add(const Game *game, GameHistory *history, Action action, const GameState *after) {
    int cell;
    const char *kind = game->rules->action_kind(game, action, &cell);
    memmove(history->last + 1, history->last, sizeof history->last - sizeof history->last[0]);
    history->last[0] = action;
    history->known += history->known < GAME_HISTORY_LAST;
    history->passes = cell < 0 && !strcmp(kind, "pass") ? history->passes + 1 : 0;
    history->turn_actions++;
    if (cell >= 0)
        history->turn_cells[cell / 64] |= 1ull << (cell % 64);
    if (game->rules->turn_start(after)) {
        history->turn_actions = 0;
        memset(history->turn_cells, 0, sizeof history->turn_cells);
    }
}

void game_history_add_turn(const Game *game, GameHistory *history, const GameState *before, const Action *turn,
                           int count) {
    GameState state;
    game_copy(game, &state, before);
    for (int i = 0; i < count; i++) {
        game->rules->apply(game, &state, turn[i]);
        game_history_add(game, history, turn[i], &state);
    }
}
