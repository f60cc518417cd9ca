/* The result document of a match: made from the games, but for what the moves took in seconds. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_RESULT_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_RESULT_H

#include "selfplay/io/document.h"
#include "selfplay/runs/match/run.h"

/* How a player fared in all of its games that count. */
typedef struct MatchTally {
    int games[2], wins[2]; /* as Black, as White */
    int won_by[END_REASONS], lost_by[END_REASONS];
    double moves, simulations; /* that were thought about, all together */
} MatchTally;

MatchTally match_tally(const MatchRun *run, int player);

/* Makes the document; NULL with an error without memory. The caller deletes it. */
cJSON *match_result(const MatchRun *run, const DocumentContext *context, Error *error);

/* Writes the document to a file, whole. */
bool match_result_write(const MatchRun *run, const DocumentContext *context, const char *path, Error *error);

/* What the moves of each player took, as the document has it; adds such an array to the timing of a run. The caller
 * deletes the array. */
cJSON *match_timing_to_json(const MatchRun *run);
void match_timing_add(MatchRun *run, const cJSON *array);

/* Before a run goes on at `path`: checks that a document there (none is fine) is one of this schema and of this run,
 * and reads its context and what the moves of each player took so far (timing[0 .. players-1]). The error names what
 * differs. */
bool match_result_resume(const char *path, const MatchConfig *config, DocumentContext *context, MatchTiming *timing,
                         Error *error);

#endif
