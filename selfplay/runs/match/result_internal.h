/* The result document of a match. It is made from the games alone, except for the seconds that the moves took. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_RESULT_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_RESULT_INTERNAL_H

#include "selfplay/runs/run.h"

/* As RunKind.document, RunKind.resume, RunKind.timing and RunKind.add_timing. */
cJSON *match_result(const Run *run, const DocumentContext *context, Error *error);
bool match_resume(Run *run, const cJSON *document, Error *error);
cJSON *match_timing(const Run *run);
void match_add_timing(Run *run, const cJSON *array);

#endif
