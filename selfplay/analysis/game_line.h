/* A line of play as a JSON object asks for it: a game, where it begins, the turns, and the actions of a turn that is
 * not complete yet. `stigmergy analyze` and the board in the browser both name their positions in this way. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_GAME_LINE_H
#define STIGMERGY_SELFPLAY_ANALYSIS_GAME_LINE_H

#include "selfplay/analysis/analysis.h"
#include "selfplay/io/json.h"

typedef struct GameLine {
    const Game *game;    /* owned by the analysis engine */
    GameOptions options; /* that it was made of */
    int komi;
    int turns;
    GameState *states; /* states[i] is the position before turn i, states[turns] the one after all of them */
    char **texts;      /* the turns as the rules write them */
    GameState end;     /* states[turns] and the actions of the unfinished turn */
    Action *unfinished;
    int unfinished_count;
} GameLine;

/* Reads the keys `game, size, komi, initialStones, initialPlayer, moves, partialTurn` (tools/docs/analysis.md) of a
 * reader that is open and will be closed by the caller, which learns from json_close what was wrong. Missing keys are
 * as `options` and `komi` say. To be freed by game_line_free in any case. False where something was wrong. */
bool game_line_read(GameLine *line, JsonReader *reader, Analysis *analysis, const GameOptions *options, int komi);
void game_line_free(GameLine *line);

#endif
