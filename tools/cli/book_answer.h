/* What an opening book says, in words, on standard output. */
#ifndef STIGMERGY_TOOLS_CLI_BOOK_ANSWER_H
#define STIGMERGY_TOOLS_CLI_BOOK_ANSWER_H

#include "selfplay/runs/book/run.h"

/* Prints the fair komi by each book, its first moves and its best line. As RunCommand.print_answer. */
bool book_answer_print(const Run *run, Error *error);

/* Whether a file for the SGF of a book is none (NULL), or no standard output, where the answer goes. False with an
 * error. */
bool book_answer_check_sgf(const char *path, Error *error);

/* Writes the SGF of a book to this file; NULL: to none. False with an error. */
bool book_answer_write_sgf(const Run *run, const char *path, Error *error);

#endif
