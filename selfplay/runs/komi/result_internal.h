/* The result document of a fair-komi run: made from the games alone, so that it can be rebuilt from the records. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RESULT_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RESULT_INTERNAL_H

#include "selfplay/runs/run.h"

/* As RunKind.document. */
cJSON *komi_result(const Run *run, const DocumentContext *context, Error *error);

#endif
