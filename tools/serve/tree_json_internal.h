/* A game tree as JSON, in both directions: the form in which the page keeps its games.
 *
 *     {"game", "size", "komi", "capture", "pie", "initialStones": [["B", "c3"], ...], "initialPlayer": "B",
 *      "black": name, "white": name, "date", "result", "comment",
 *      "clock": {"main": seconds, "byoyomi": seconds a turn, "periods", "increment": seconds after each turn},
 *      "root": {"winrate", "scoreLead", "toMove", "ends"},
 *      "nodes": [{"parent", "turn", "comment", "timeLeft": seconds, "periodsLeft", "winrate", "scoreLead", "toMove",
 *                 "ends"}, ...]}
 *
 * Parent 0 is the start position. The i-th node (counted from 1) has an earlier one as its parent. `toMove` is written
 * beside `winrate`, and nothing when it is read. `ends` is true where the first variation ends and turns follow. */
#ifndef STIGMERGY_TOOLS_SERVE_TREE_JSON_INTERNAL_H
#define STIGMERGY_TOOLS_SERVE_TREE_JSON_INTERNAL_H

#include "selfplay/analysis/game_line.h"
#include "selfplay/record/game_tree.h"

/* NULL without memory. The caller deletes the result. */
cJSON *game_tree_to_json(const GameTree *tree);

/* Reads the keys above from an open reader, which the caller closes to learn what was wrong. Missing keys are as in
 * `defaults`. NULL if something is wrong. To be freed by game_tree_free. */
GameTree *game_tree_from_json(JsonReader *reader, Analysis *analysis, const GameOptions *defaults);

#endif
