/* See registry.h. */
#include "engine/games/registry.h"

#include "engine/base/words.h"
#include "engine/games/bug/bug.h"
#include "engine/games/sgolte/sgolte.h"
#include "engine/games/stigmergy/stigmergy.h"

/* The games, the default first. */
static const struct {
    const char *name;
    int max_size, usual_size; /* cells on each side */
    bool captures;            /* whether the game has this option */
    GamePie pie;              /* the usual one, GAME_PIE_DEFAULT if the game has no such option */
    Game *(*make)(const GameOptions *options, Error *error);
} games[] = {
    {"stigmergy", HEXHEX_MAX_SIZE, 8, false, GAME_PIE_DEFAULT, stigmergy_new},
    {"bug", BUG_MAX_SIZE, 4, false, GAME_PIE_OFF, bug_new},
    {"sgolte", SGOLTE_MAX_SIZE, 6, true, GAME_PIE_ON, sgolte_new},
};
enum { GAMES = sizeof games / sizeof games[0] };

const char *game_list(int index, int *max_size, int *usual_size) {
    if (index < 0 || index >= GAMES)
        return NULL;
    *max_size = games[index].max_size;
    *usual_size = games[index].usual_size;
    return games[index].name;
}

void game_variants(int index, bool *captures, GamePie *pie) {
    *captures = games[index].captures;
    *pie = games[index].pie;
}

static Game *unknown_game(const char *name, Error *error) {
    const char *names[GAMES];
    char list[160];
    for (int i = 0; i < GAMES; i++)
        names[i] = games[i].name;
    words_join(names, GAMES, list, sizeof list);
    error_set(error, "game: '%.40s' is not known, expected %s", name, list);
    return NULL;
}

/* The number of a game; GAMES if there is none of this name. NULL is the default game. */
static int find_game(const char *name) {
    int i = 0;
    while (name && i < GAMES && strcmp(name, games[i].name))
        i++;
    return i;
}

bool game_has_swap(const Game *game) {
    const int i = find_game(game->name);
    return (game->pie == GAME_PIE_DEFAULT && i < GAMES ? games[i].pie : game->pie) == GAME_PIE_ON;
}

GameOptions game_usual(GameOptions options) {
    const int i = find_game(options.name);
    if (i == GAMES)
        return options;
    if (games[i].captures && options.capture == GAME_CAPTURE_FREE)
        options.capture = GAME_CAPTURE_DEFAULT;
    if (options.pie == games[i].pie || (options.pie == GAME_PIE_OFF && games[i].pie == GAME_PIE_DEFAULT))
        options.pie = GAME_PIE_DEFAULT;
    return options;
}

static bool is_variant(const GameOptions *options) {
    const int capture = (int)options->capture, pie = (int)options->pie;
    return capture >= GAME_CAPTURE_DEFAULT && capture <= GAME_CAPTURE_LINE && pie >= GAME_PIE_DEFAULT &&
           pie <= GAME_PIE_ON;
}

Game *game_new(const GameOptions *options, Error *error) {
    const int i = find_game(options->name);
    if (i == GAMES)
        return unknown_game(options->name, error);
    if (options->size < HEXHEX_MIN_SIZE || options->size > games[i].max_size) {
        error_set(error, "size: %d is not a board of %s, expected %d to %d", options->size, games[i].name,
                  HEXHEX_MIN_SIZE, games[i].max_size);
        return NULL;
    }
    if (!is_variant(options)) {
        error_set(error, "capture or pie: a number that stands for no variant");
        return NULL;
    }
    if (options->capture != GAME_CAPTURE_DEFAULT && !games[i].captures) {
        error_set(error, "capture: %s has no such option, leave it out", games[i].name);
        return NULL;
    }
    if (options->pie == GAME_PIE_ON && games[i].pie == GAME_PIE_DEFAULT) {
        error_set(error, "pie: %s is played without the swap, expected off", games[i].name);
        return NULL;
    }
    Game *game = games[i].make(options, error);
    const GameOptions usual = game_usual(*options);
    if (game) {
        game->capture = usual.capture;
        game->pie = usual.pie;
    }
    return game;
}
