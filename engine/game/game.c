/* See game.h. */
#include "engine/game/game.h"

#include "engine/base/lines.h"
#include "engine/base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { KERNELS_MAX = 8 }; /* more than any game has */

void game_free(Game *game) {
    free(game);
}

const char *game_kernel(const Game *game, int index) {
    if (game->rules->kernel)
        return game->rules->kernel(game, index);
    return index == 0 ? "plain" : NULL;
}

/* Chooses the kernel with this name; NULL: the last one, which is the fastest. */
static bool choose_kernel(Game *game, const char *name, Error *error) {
    const char *kernels[KERNELS_MAX];
    char list[160];
    int count = 0;
    while (count < KERNELS_MAX && (kernels[count] = game_kernel(game, count)) != NULL)
        count++;
    game->kernel_index = name ? words_find(kernels, count, name) : count - 1;
    if (game->kernel_index >= 0) {
        game->kernel = kernels[game->kernel_index];
        return true;
    }
    words_join(kernels, count, list, sizeof list);
    return error_set(error, "kernel: there is no '%.40s' for this size on this processor, expected %s", name, list);
}

void *game_make(size_t bytes, const char *name, const GameRules *rules, const GameOptions *options, Error *error) {
    Game *game = lines_new(bytes);
    if (!game) {
        error_set(error, "out of memory for the board tables");
        return NULL;
    }
    game->name = name;
    game->rules = rules;
    hexhex_init(&game->board, options->size);
    if (choose_kernel(game, options->kernel, error))
        return game;
    game_free(game);
    return NULL;
}

Action game_symmetry(const Game *game, int map, Action action) {
    if (action >= 64 * (game->action_words - 1))
        return action;
    const int c = action % (64 * game->board.words);
    return (Action)(action - c + game->board.symmetry[map][c]);
}

const char *game_kind(const Game *game, const char *const *names, Action action, int *cell) {
    const int words = game->board.words, kinds = (game->action_words - 1) / words, c = action % (64 * words);
    *cell = -1;
    if (action < 64 * words * kinds) {
        *cell = c < game->board.cells ? c : -1;
        return c < game->board.cells ? names[action / (64 * words)] : NULL;
    }
    int number = kinds;
    while (names[number] && number < kinds + action - 64 * words * kinds)
        number++;
    return names[number];
}

bool game_check_komi(const Game *game, double komi, Error *error) {
    const int limit = game_komi_limit(game);
    if (komi >= -limit && komi <= limit && komi == (int)komi)
        return true;
    return game->has_points ? error_set(error, "expected a whole number from %d to %d", -limit, limit)
                            : error_set(error, "expected 0, for %s has no points", game->name);
}

int game_empty_cells(const Game *game, const GameState *state) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    int empty = 0;
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++)
        empty += stones[c] == 0;
    return empty;
}

void game_owners(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    uint8_t control[HEXHEX_MAX_CELLS] = {0};
    game->rules->stones(game, state, out);
    if (game->rules->control)
        game->rules->control(game, state, control);
    for (int c = 0; c < game->board.cells; c++)
        if (out[c] == 0)
            out[c] = control[c];
}

bool game_is_legal(const Game *game, const GameState *state, Action action) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == action)
            return true;
    return false;
}

Action game_random_action(const Game *game, const GameState *state, Rng *rng) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    return legal[rng_below(rng, (uint32_t)count)];
}

int game_find_action(const Game *game, const GameState *state, const char *text) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->over(state) ? 0 : game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++) {
        char name[GAME_TEXT_MAX];
        game->rules->format(game, state, legal[i], name);
        if (!strcasecmp(name, text))
            return legal[i];
    }
    return -1;
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

bool game_next_turn(const char **at, char turn[GAME_TEXT_MAX]) {
    static const char blanks[] = " \t";
    *at += strspn(*at, blanks);
    const size_t length = strcspn(*at, blanks), kept = length < GAME_TEXT_MAX ? length : GAME_TEXT_MAX - 1;
    memcpy(turn, *at, kept);
    turn[kept] = '\0';
    *at += length;
    return length > 0;
}

void game_format_result(const Game *game, GameResult result, char out[16]) {
    const char side = result.winner == BLACK ? 'B' : 'W';
    const int margin = abs(result.half_points);
    if (!game->has_points)
        snprintf(out, 16, "%c+", side);
    else
        snprintf(out, 16, "%c+%d%s", side, margin / 2, margin % 2 ? ".5" : "");
}
