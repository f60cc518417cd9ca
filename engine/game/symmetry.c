/* See symmetry.h. */
#include "engine/game/symmetry.h"

Symmetries symmetries_of(const Game *game, const GameState *state) {
    Symmetries own = {.count = 0};
    uint8_t stones[HEXHEX_MAX_CELLS];
    game->rules->stones(game, state, stones);
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        int c = 0;
        while (c < game->board.cells && stones[c] == stones[game->board.symmetry[map][c]])
            c++;
        if (c == game->board.cells)
            own.map[own.count++] = map;
    }
    return own;
}

ActionClass symmetries_class(const Game *game, const Symmetries *own, Action action) {
    ActionClass class = {.count = 0};
    for (int i = 0; i < own->count; i++) {
        const Action image = game->rules->symmetry(game, own->map[i], action);
        int k = 0;
        while (k < class.count && class.action[k] != image)
            k++;
        if (k == class.count)
            class.action[class.count++] = image;
    }
    return class;
}

Action symmetries_first(const Game *game, const Symmetries *own, Action action) {
    Action first = action;
    for (int i = 1; i < own->count; i++) {
        const Action image = game->rules->symmetry(game, own->map[i], action);
        first = image < first ? image : first;
    }
    return first;
}
