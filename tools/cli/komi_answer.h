/* What a fair-komi run says, in words, on standard output. */
#ifndef STIGMERGY_TOOLS_CLI_KOMI_ANSWER_H
#define STIGMERGY_TOOLS_CLI_KOMI_ANSWER_H

#include "selfplay/runs/komi/run.h"

/* Prints the estimate of each rung, and whether the ladder has converged. As RunCommand.print_answer. */
bool komi_answer_print(const Run *run, Error *error);

#endif
