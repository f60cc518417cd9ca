/* Opening books in tests: trees of positions with games that were never played, and small runs. Anything that goes
 * wrong fails the test. */
#ifndef STIGMERGY_TESTS_SUPPORT_BOOKS_H
#define STIGMERGY_TESTS_SUPPORT_BOOKS_H

#include "selfplay/runs/book/run.h"

/* A tree of Stigmergy with nothing but its root, and its game. The caller frees both. */
BookTree new_book_tree(Game **game, int size, bool button);

void expand_node(BookTree *tree, int node);

/* Counts `games` games of a node at a komi, of which Black wins `wins`. */
void count_games(BookTree *tree, int node, int komi, int games, int wins);

/* Counts games at two komi values, of which Black wins nearly all two points below a value, and few two points above.
 */
void count_around(BookTree *tree, int node, int value, int games);

/* A run on hexhex-2 of 80 games in each book, without the solver. */
BookConfig small_book(void);

/* The run with the records of the test's folder (fixtures.h), open. */
Run *open_book(const BookConfig *config);

/* Plays a run to its end on these records; *played is the number of games, where it is not NULL. */
void play_book(const BookConfig *config, int *played);

#endif
