/* A line of play, read from a JSON object: a game, its start, the turns, and the actions of an unfinished turn.
 * `stigmergy analyze` and the board in the browser both name positions in this way. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_GAME_LINE_H
#define STIGMERGY_SELFPLAY_ANALYSIS_GAME_LINE_H

#include "selfplay/analysis/analysis.h"
#include "selfplay/io/json.h"

typedef struct GameLine {
    const Game *game;    /* owned by the analysis engine */
    GameOptions options; /* the game was made with these */
    int komi;
    int turns;
    GameState *states;      /* states[i] is the position before turn i, states[turns] the one after the last turn */
    GameHistory *histories; /* histories[i]: what came before states[i] */
    char **texts;           /* the turns as the rules write them */
    GameState end;          /* the position after the unfinished turn's actions */
    GameHistory end_history;
    Action *unfinished;
    int unfinished_count;
} GameLine;

/* Reads the keys `game, size, komi, capture, pie, initialStones, initialPlayer, moves, partialTurn`
 * (tools/docs/analysis.md) from an open reader. False if something is wrong; the caller closes the reader and learns
 * from json_close what it is. `options` and `komi` are the defaults of missing keys; the variants only where the game
 * is that of `options`, komi only in games with points. To be freed by game_line_free in any case. */
bool game_line_read(GameLine *line, JsonReader *reader, Analysis *analysis, const GameOptions *options, int komi);

/* The same for the game alone: `game, size, komi, capture, pie`. There is nothing to be freed. */
bool game_line_read_game(GameLine *line, JsonReader *reader, Analysis *analysis, const GameOptions *options, int komi);

/* And then for the position before the first turn alone: `initialStones, initialPlayer`. */
bool game_line_read_start(const GameLine *line, JsonReader *reader, GameState *start);
void game_line_free(GameLine *line);

#endif
