/* The rows of a data set: the positions of recorded games as arrays to learn from. selfplay/docs/dataset.md describes
 * every array.
 *
 * A row is a position before an action that a search chose. It is made by playing the record again through the game
 * interface alone, so every game has rows. The description of the position comes from engine/game/planes.h. What is to
 * be learnt is described by the colour of the stones too: "Black" is the player with the black stones in the position
 * (after a swap this is the second player). */
#ifndef STIGMERGY_SELFPLAY_DATASET_ROWS_H
#define STIGMERGY_SELFPLAY_DATASET_ROWS_H

#include "selfplay/io/npz.h"
#include "selfplay/record/record.h"

enum { DATASET_ARRAYS_MAX = 24, DATASET_SHAPE_MAX = 64 };

/* The rows of one file, from games on one board. */
typedef struct DatasetRows DatasetRows;

/* Makes an empty set of rows, to be freed by dataset_rows_free. The game must outlive it. NULL with an error if memory
 * runs out. */
DatasetRows *dataset_rows_new(const Game *game, Error *error);
void dataset_rows_free(DatasetRows *rows);

/* Adds the rows of a game. False without memory. */
bool dataset_rows_add(DatasetRows *rows, const GameRecord *record, int64_t number, Error *error);

size_t dataset_rows_count(const DatasetRows *rows);
const Hexhex *dataset_rows_board(const DatasetRows *rows);

/* Removes all rows. */
void dataset_rows_clear(DatasetRows *rows);

/* The arrays: first those with an axis for rows, then the tables of the board. They point into `rows`. Returns their
 * number. */
int dataset_rows_arrays(const DatasetRows *rows, NpzArray out[DATASET_ARRAYS_MAX]);

/* The description of an array for people, and its shape in letters: "(rows, C, D, D)". */
const char *dataset_rows_about(int array, char shape[DATASET_SHAPE_MAX]);

#endif
