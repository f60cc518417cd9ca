/* The kinds of runs that keep a record file and a result document, by name. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KINDS_H
#define STIGMERGY_SELFPLAY_RUNS_KINDS_H

#include "selfplay/runs/book/run.h"
#include "selfplay/runs/komi/run.h"
#include "selfplay/runs/match/run.h"
#include "selfplay/runs/openings/run.h"

/* Room for the settings of any kind. */
typedef union KindConfig {
    RunConfig run;
    BookConfig book;
    KomiConfig komi;
    MatchConfig match;
    OpeningsConfig openings;
} KindConfig;

/* The kind whose subcommand ("komi"), or the schema of whose documents ("stigmergy-komi"), is `name`; NULL if there is
 * none. */
const RunKind *kind_named(const char *name);
const RunKind *kind_of_schema(const char *name);

/* The default settings of one of these kinds. */
KindConfig kind_defaults(const RunKind *kind);

#endif
