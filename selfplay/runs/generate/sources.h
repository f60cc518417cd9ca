/* The sources of a data set whose games are not played but taken over: the records of another set, or those of all its
 * shards. A source is a record file or a folder (record_files_find). */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_SOURCES_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_SOURCES_H

#include "selfplay/runs/generate/run.h"

typedef struct SelfplaySources {
    const char *const *paths;
    int count;
} SelfplaySources;

/* What somebody says about the new set, which counts before what the sources say. */
typedef struct SelfplaySaid {
    bool games;         /* settings of the games are said: they must agree with the sources */
    bool rows, license; /* these are said */
    const char *file;   /* a file of settings was read (its path; else NULL), which may say some of it */
} SelfplaySaid;

/* Before a merge: whether the sources are the folders of all shards of one run, each once; the error names what is
 * wrong. */
bool selfplay_sources_check_shards(const SelfplaySources *sources, Error *error);

/* Makes *config the settings of the run that the records are of, and checks them: those in the first source, if that is
 * the folder of a run. Otherwise they are what *config has. What is said must be in *config before, where it need not
 * be checked: of settings that do not count nothing need be there, such as a network. False with an error. */
bool selfplay_sources_settle(const SelfplaySources *sources, const SelfplaySaid *said, SelfplayConfig *config,
                             Error *error);

/* Before games are taken over: whether the sources can be read to their ends, every game is one of the run, and with
 * those in the store all games of it are there. Changes nothing. False with an error, also when *stop is set. `stop`
 * may be NULL. */
bool selfplay_sources_check(const SelfplaySources *sources, Run *run, const StopFlag *stop, Error *error);

/* Copies into the store all games that it does not have yet. A game that is not among those of the run is an error.
 * Ends early with an error when *stop is set. `stop` may be NULL. */
bool selfplay_sources_take(const SelfplaySources *sources, Run *run, const StopFlag *stop, Error *error);

#endif
