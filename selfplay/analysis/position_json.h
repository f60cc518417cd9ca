/* A position as JSON, with all that a board on a screen shows: the stones, which cells can be clicked and why the
 * others cannot, and what else the game has (control, what each cell sees, the button, the score). Only the engine
 * knows the rules, so the page asks for every position. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_POSITION_JSON_H
#define STIGMERGY_SELFPLAY_ANALYSIS_POSITION_JSON_H

#include "selfplay/analysis/game_line.h"

/* The position at the end of the line, an object:
 *
 *     {"game": "stigmergy", "size": 3, "komi": 1, "turns": ["c3"], "toMove": "W", "swapped": false, "over": false,
 *      "withinTurn": false, "completed": null, "stones": ".........B.........", "control": "...", "changed": [9],
 *      "score": {"black": 1, "white": 0, "text": "0"}, "button": "table",
 *      "legal": [{"action": "a1", "cell": 16, "effect": "place"}, ...], "forbidden": {"9": "why"},
 *      "sight": [{"needed": 4, "seen": [9]}, ...]}
 *
 * `stones` and `control`: a letter for each cell, B, W or a dot.
 * `swapped`: the player who began now has the white stones.
 * `completed`: the turn that the actions of `partialTurn` make, if they make a whole one.
 * `changed`: the cells that differ from before the last turn, or from before the unfinished one.
 * `legal`: `effect` is place, flip, remove or other; it and `cell` are null if the action has no cell (pass).
 * What the game does not have is null.
 *
 * NULL without memory. The caller deletes the result. */
cJSON *position_to_json(const GameLine *line);

/* The cells of a board with `size` cells a side: {"size": 3, "cells": [{"name": "e1", "q": 0, "r": -2}, ...]}. NULL
 * without memory. The caller deletes the result. */
cJSON *board_to_json(int size);

#endif
