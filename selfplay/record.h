/* The record of one game: what every statistic is made from, one JSON line a game.
 *
 *     {"id": "800-17", "run": "5b0c...", "game": "stigmergy", "size": 4, "komi": 3, "button": true, "seed": "123",
 *      "players": {"black": "default", "white": "default"}, "moves": ["c3", "d4x", "take-button", "pass", ...],
 *      "winner": "B", "margin": 4.5, "reason": "score"}
 *
 * `moves` are turns as the rules write them, `margin` is Black's in points, komi and button included; `run` is the
 * identity of the run that the game belongs to. Reading a line plays the moves again by the rules, so that a record
 * that was read is a game that can have happened. */
#ifndef STIGMERGY_RECORD_H
#define STIGMERGY_RECORD_H

#include "game.h"

#include <cjson/cJSON.h>

enum { RECORD_ID_MAX = 48, RECORD_NAME_MAX = 64, RECORD_RUN_MAX = 20 };

typedef struct GameRecord {
    char id[RECORD_ID_MAX];   /* unique in a run */
    char run[RECORD_RUN_MAX]; /* the run's identity, "" for none */
    int komi;
    uint64_t seed;
    char players[2][RECORD_NAME_MAX];
    Action *actions; /* all of them, owned by the record */
    int count, capacity;
    GameResult result;
} GameRecord;

/* Empties a record for reuse; its array stays. Zero-initialize before the first use. */
void record_clear(GameRecord *record);
void record_free(GameRecord *record);

/* Appends an action; false without memory. */
bool record_add(GameRecord *record, Action action, Error *error);

/* The record as one line with its newline, to be freed by the caller; NULL with an error without memory. */
char *record_to_line(const GameRecord *record, const Game *game, Error *error);

/* Reads a line and plays it again; false with an error that names what is wrong: JSON, a key, another game or size than
 * `game`, a move that is not legal, a game that does not end, a result that is not that of the moves. */
bool record_from_line(const char *line, size_t length, const char *source, const Game *game, GameRecord *record,
                      Error *error);

/* A hash that is equal for games at the same komi whose moves are the same up to a symmetry of the board. */
uint64_t record_canonical_hash(const GameRecord *record, const Game *game);

#endif
