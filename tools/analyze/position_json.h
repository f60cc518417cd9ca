/* A position as a board on a screen needs it, as JSON: stones, what may be clicked and what not and why, and what the
 * game has to show beside: control, what each cell sees, the button, the score. The rules are in the engine alone; the
 * page asks. */
#ifndef STIGMERGY_TOOLS_ANALYZE_POSITION_JSON_H
#define STIGMERGY_TOOLS_ANALYZE_POSITION_JSON_H

#include "selfplay/io/json_writer.h"
#include "tools/analyze/game_line.h"

/* Writes the position at the end of the line, an object:
 *
 *     {"game": "stigmergy", "size": 3, "komi": 1, "turns": ["c3"], "toMove": "W", "swapped": false, "over": false,
 *      "withinTurn": false, "completed": null, "stones": ".........B.........", "control": "...", "changed": [9],
 *      "score": {"black": 1, "white": 0, "text": "0"}, "button": "table",
 *      "legal": [{"action": "a1", "cell": 16, "effect": "place"}, ...], "forbidden": {"9": "why"},
 *      "sight": [{"needed": 4, "seen": [9]}, ...]}
 *
 * `stones` and `control` have a letter a cell: B, W or a dot. `swapped`: the player who began has the white stones now.
 * `changed`: the cells that the last turn (or the unfinished one) changed. `effect`: place, flip, remove, or other;
 * `cell` is null for what is no cell (pass). `completed`: the turn that the actions of `partialTurn` make, where they
 * are one. What a game does not have is null. */
void position_write(JsonWriter *out, const GameLine *line);

/* Writes the board of a size, an object: {"size": 3, "cells": [{"name": "e1", "q": 0, "r": -2}, ...]}. */
void board_write(JsonWriter *out, int size);

#endif
