/* The games and players that an analysis engine has met, each made once and kept. Its user locks it. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_CATALOGUE_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_CATALOGUE_INTERNAL_H

#include "selfplay/players/player.h"

enum { CATALOGUE_GAMES_MAX = 128 /* more than there are games, sizes and variants */ };

/* A player settled for the game of this name, which is a static text, on a board of this size. */
typedef struct SettledPlayer {
    struct SettledPlayer *next;
    const Player *description;
    const char *game;
    int size;
    Player player;
} SettledPlayer;

/* Zero-initialize. */
typedef struct Catalogue {
    GameOptions options[CATALOGUE_GAMES_MAX]; /* of games[] */
    Game *games[CATALOGUE_GAMES_MAX];
    int count;
    SettledPlayer *players;
} Catalogue;

/* See analysis_game and analysis_player. */
const Game *catalogue_game(Catalogue *catalogue, const GameOptions *options, Error *error);
const Player *catalogue_player(Catalogue *catalogue, const Player *player, const Game *game, Error *error);

/* Frees all games and players. */
void catalogue_clear(Catalogue *catalogue);

#endif
