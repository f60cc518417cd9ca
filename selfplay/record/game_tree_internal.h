/* The formats of game trees. Each has a file that reads and writes it (a state is read where lists are);
 * game_tree_text.c has what several need. */
#ifndef STIGMERGY_SELFPLAY_RECORD_GAME_TREE_INTERNAL_H
#define STIGMERGY_SELFPLAY_RECORD_GAME_TREE_INTERNAL_H

#include "selfplay/io/text.h"
#include "selfplay/record/game_tree.h"

#include <cjson/cJSON.h>

/* Each of these reads a text, or the JSON in it. They have the contract of game_tree_read. */
GameTree *game_tree_from_sgf(const char *text, size_t length, const char *source, const GameOptions *options,
                             Error *error);
GameTree *game_tree_from_record(const cJSON *json, const char *source, const GameOptions *options, Error *error);
GameTree *game_tree_from_list(const char *text, size_t length, const char *source, const GameOptions *options,
                              Error *error);
GameTree *game_tree_from_report(const cJSON *json, const char *source, const GameOptions *options, Error *error);
GameTree *game_tree_from_state(const cJSON *json, const char *source, const GameOptions *options, Error *error);

enum { GAME_TREE_GAME_MAX = 32, GAME_TREE_SITE_SIZE = 8 /* of AbstractPlay's usual board */ };

/* The name of a game in lower case, as the program writes it. */
void game_tree_game_name(const char *text, char out[GAME_TREE_GAME_MAX]);

/* Reads a whole number. Spaces and a fraction of zeros (5.0) may follow it. */
bool game_tree_read_whole(const char *text, int *out);

#endif
