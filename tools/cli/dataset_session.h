/* A session of a command that makes a data set, `selfplay` or `merge`. It opens or continues the set, plays its games
 * or takes them over from other records, and builds the set of them. In the end it prints what is in the set or, if it
 * was stopped, the command that goes on. */
#ifndef STIGMERGY_TOOLS_CLI_DATASET_SESSION_H
#define STIGMERGY_TOOLS_CLI_DATASET_SESSION_H

#include "selfplay/runs/generate/document.h"
#include "selfplay/runs/generate/sources.h"
#include "tools/cli/run_options.h"

typedef struct DatasetCommand {
    int argc; /* the command line, which goes on where the session was stopped */
    char **argv;
    int made_by_count; /* and that which the set says it was made by */
    char **made_by;
    const char *out;            /* the folder of the set; that of a shard stands beside it */
    SelfplayDocument *document; /* settings, shard and context are filled in */
    SelfplaySources sources;    /* of the games; none: they are played, */
    int threads;                /* so many side by side */
    const RunOptions *options;  /* what they name must stay; NULL: nothing */
} DatasetCommand;

/* Makes the set; returns the exit status. */
int dataset_session(const DatasetCommand *command);

/* Plays the games of a run that is not kept, and shows how far they are. */
RunEnd dataset_session_play(Run *run, int threads, Error *error);

#endif
