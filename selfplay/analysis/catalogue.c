/* See catalogue_internal.h. */
#include "selfplay/analysis/catalogue_internal.h"

#include "engine/games/registry.h"

#include <stdlib.h>

static bool same_options(const GameOptions *a, const GameOptions *b) {
    return !strcmp(a->name, b->name) && a->size == b->size && a->capture == b->capture && a->pie == b->pie;
}

const Game *catalogue_game(Catalogue *catalogue, const GameOptions *options, Error *error) {
    GameOptions wanted = *options;
    wanted.name = options->name ? options->name : "stigmergy";
    for (int i = 0; i < catalogue->count; i++)
        if (same_options(&catalogue->options[i], &wanted))
            return catalogue->games[i];
    if (catalogue->count == CATALOGUE_GAMES_MAX) {
        error_set(error, "too many games are in use");
        return NULL;
    }
    Game *game = game_new(&wanted, error);
    if (game) {
        wanted.name = game->name;
        catalogue->options[catalogue->count] = wanted;
        catalogue->games[catalogue->count++] = game;
    }
    return game;
}

static SettledPlayer *new_settled(const Player *player, const Game *game, Error *error) {
    SettledPlayer *settled = malloc(sizeof *settled);
    if (!settled) {
        error_set(error, "out of memory");
        return NULL;
    }
    *settled = (SettledPlayer){.description = player, .game = game->name, .size = game->board.size, .player = *player};
    if (player_settle(&settled->player, game->name, game->board.size, error))
        return settled;
    free(settled);
    return NULL;
}

const Player *catalogue_player(Catalogue *catalogue, const Player *player, const Game *game, Error *error) {
    SettledPlayer *settled = catalogue->players;
    while (settled && (settled->description != player || settled->size != game->board.size ||
                       strcmp(settled->game, game->name) != 0))
        settled = settled->next;
    if (!settled && (settled = new_settled(player, game, error)) != NULL) {
        settled->next = catalogue->players;
        catalogue->players = settled;
    }
    return settled ? &settled->player : NULL;
}

void catalogue_clear(Catalogue *catalogue) {
    for (int i = 0; i < catalogue->count; i++)
        game_free(catalogue->games[i]);
    for (SettledPlayer *settled = catalogue->players, *next; settled; settled = next) {
        next = settled->next;
        free(settled);
    }
    *catalogue = (Catalogue){.count = 0};
}
