/* What is in a data set, in words, on standard output. */
#ifndef STIGMERGY_TOOLS_CLI_DATASET_ANSWER_H
#define STIGMERGY_TOOLS_CLI_DATASET_ANSWER_H

#include "selfplay/dataset/contents.h"

/* Prints how many games and positions there are, and of each board who wins them. */
void dataset_answer_print(const Dataset *dataset);

#endif
