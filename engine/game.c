/* See game.h. */
#include "game.h"

#include "bug.h"
#include "sgolte.h"
#include "stigmergy.h"

#include <stdio.h>
#include <stdlib.h>

/* The games, the default first. */
static const struct {
    const char *name;
    int max_size, usual_size; /* cells a side */
    bool captures, pie;       /* whether these options are known */
    Game *(*make)(const GameOptions *options, Error *error);
} games[] = {
    {"stigmergy", HEXHEX_MAX_SIZE, 8, false, false, stigmergy_new},
    {"bug", BUG_MAX_SIZE, 4, false, true, bug_new},
    {"sgolte", SGOLTE_MAX_SIZE, 6, true, true, sgolte_new},
};
enum { GAMES = sizeof games / sizeof games[0] };

const char *game_list(int index, int *max_size, int *usual_size) {
    if (index < 0 || index >= GAMES)
        return NULL;
    *max_size = games[index].max_size;
    *usual_size = games[index].usual_size;
    return games[index].name;
}

static Game *unknown_game(const char *name, Error *error) {
    char names[160] = "";
    for (int i = 0; i < GAMES; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : i + 1 < GAMES ? ", " : " or ", games[i].name);
    }
    error_set(error, "game: '%.40s' is not known, expected %s", name, names);
    return NULL;
}

Game *game_new(const GameOptions *options, Error *error) {
    int i = 0;
    while (options->name && i < GAMES && strcmp(options->name, games[i].name))
        i++;
    if (i == GAMES)
        return unknown_game(options->name, error);
    if (options->size < HEXHEX_MIN_SIZE || options->size > games[i].max_size) {
        error_set(error, "size: %d is not a board of %s, expected %d to %d", options->size, games[i].name,
                  HEXHEX_MIN_SIZE, games[i].max_size);
        return NULL;
    }
    if (options->capture != GAME_CAPTURE_DEFAULT && !games[i].captures) {
        error_set(error, "capture: %s has no such choice, it belongs to sgolte", games[i].name);
        return NULL;
    }
    if (options->pie == GAME_PIE_ON && !games[i].pie) {
        error_set(error, "pie: %s is played without the swap, expected off", games[i].name);
        return NULL;
    }
    return games[i].make(options, error);
}

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
    const int margin = abs(result.margin);
    if (!game->has_points)
        snprintf(out, 16, "%c+", side);
    else
        snprintf(out, 16, "%c+%d%s", side, margin / 2, margin % 2 ? ".5" : "");
}
