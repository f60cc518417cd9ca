/* Runs in tests (selfplay/runs/run.h): a session that ends after some games, and the rules that every kind of run must
 * follow. Anything that goes wrong fails the test. */
#ifndef STIGMERGY_TESTS_SUPPORT_RUN_PLAY_H
#define STIGMERGY_TESTS_SUPPORT_RUN_PLAY_H

#include "selfplay/runs/run.h"

/* Settings for a run of a few short games, 20 in its first round, by a player who needs no network and little memory.
 */
void make_small(RunConfig *config, int games, Player *player);

/* A run that is not open, and one that is, on a record file. */
Run *make_run(const RunKind *kind, const RunConfig *config, ShardSpec shard);
Run *open_run(const RunKind *kind, const RunConfig *config, const char *path);

/* Opens a run, as a session does. */
bool lock_and_open(Run *run, const char *path, Error *error);

/* Plays an open run for about `stop_after` games (0: to its end). Returns how it ended; *played is the number of games,
 * where it is not NULL. */
RunEnd play_open_run(Run *run, int threads, int stop_after, int *played);

/* Opens a run, plays it, sorts its records and closes it. */
RunEnd play_run(const RunKind *kind, const RunConfig *config, const char *path, int threads, int stop_after,
                int *played);

/* Expects that opening fails with an error that names `word`. */
void expect_run_refused(const RunKind *kind, const RunConfig *config, const char *path, const char *word);

/* Whether run_resume accepts the run with the document at `path`. */
bool resumes(const RunKind *kind, const RunConfig *config, const char *path, DocumentContext *context, Error *error);

/* The document of an open run, for the caller to delete. */
cJSON *run_document(const Run *run);

/* The document at `path` without what depends on the machine, as text to be freed. */
char *comparable_document(const char *path);

/* A run of `games` games by one thread and in one go leaves the same records as one by three threads; as one that is
 * stopped again and again, with a torn record now and then; and as one of `fewer` games (`fewer_played` in all groups)
 * that is extended. */
void expect_same_records(const RunKind *kind, const RunConfig *config, const char *path, int games, int64_t fewer,
                         int fewer_played);

#endif
