/* What an opening book says, in words, on standard output. */
#ifndef STIGMERGY_TOOLS_CLI_BOOK_ANSWER_H
#define STIGMERGY_TOOLS_CLI_BOOK_ANSWER_H

#include "selfplay/runs/book/run.h"

/* Prints the fair komi by each book, its first moves and its best line. As RunCommand.print_answer. */
bool book_answer_print(const Run *run, Error *error);

#endif
