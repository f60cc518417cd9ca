/* The analysis engine: positions go in, what a search found comes out, many at a time.
 *
 * A fixed number of workers take positions from a queue, by priority and then in the order in which they came. Each has
 * a search of its own, by one thread or several: a batch of positions is done fastest by many workers with one thread
 * each, a person at a board is served best by several threads on one tree. While a position is searched, reports can be
 * had every so often; it can be stopped at any time. No result depends on what else is in the queue (but where a task
 * asks for the tree of an earlier one): with one thread a search and a limit of simulations, the same position and seed
 * give the same result.
 *
 * `stigmergy analyze` and the board in the browser are both made of this. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_H
#define STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_H

#include "selfplay/players/player.h"

typedef struct AnalysisOptions {
    int workers; /* positions searched side by side, 1 to SEARCH_THREADS_MAX */
    int threads; /* of each search */
} AnalysisOptions;

typedef struct Analysis Analysis;

/* Where the search of a position stands when it is reported. */
typedef enum AnalysisStage {
    ANALYSIS_RUNNING,  /* there is more to come */
    ANALYSIS_FINISHED, /* by a limit, a proof, or because it was stopped */
    ANALYSIS_UNTOUCHED /* stopped before it began, or no search could be made: nothing is known; the last report too */
} AnalysisStage;

typedef struct AnalysisReport {
    AnalysisStage stage;
    SearchSummary summary; /* of all that was searched so far */
    const Search *search;  /* to ask for moves, variations and owners, while the report is made; NULL where it is
                              UNTOUCHED, or the game is over */
    const char *error;     /* why no search could be made, NULL where that is not so */
} AnalysisReport;

/* A position to be searched. Game and player must outlive the engine. */
typedef struct AnalysisTask {
    const Game *game;
    GameState state;
    const Player *player;   /* how to search, and the memory for the tree; its limits and threads do not count */
    uint64_t simulations;   /* 0: no such limit */
    double seconds;         /* 0: no such limit; without any it goes on until it is stopped or memory is full */
    bool keep_tree;         /* begins with what an earlier task found, see search_pool.h */
    double report_interval; /* seconds between reports of a running search, 0: none */
    int64_t priority;       /* higher ones are searched first */
    uint64_t seed;

    /* Called by a worker for each report, one at a time for a task; the last one is not RUNNING, and the task is
     * forgotten after it. It must not wait for the engine. */
    void (*report)(const struct AnalysisTask *task, const AnalysisReport *report);
    void *user;   /* the caller's, as are these: */
    int64_t mark; /* which of the user's tasks it is */
} AnalysisTask;

/* Starts the workers; NULL with an error. */
Analysis *analysis_new(const AnalysisOptions *options, Error *error);

/* Stops all tasks, waits for the workers, and frees everything. */
void analysis_free(Analysis *analysis);

/* Queues a copy of the task; false without memory. */
bool analysis_add(Analysis *analysis, const AnalysisTask *task, Error *error);

/* Stops the tasks, queued or running, that `matches` chooses (NULL: all): they are reported soon after with what is
 * known. `matches` is called with the queue locked and must not call the engine. Returns how many there were. */
int analysis_stop(Analysis *analysis, bool (*matches)(const AnalysisTask *task, const void *wanted),
                  const void *wanted);

/* Waits until nothing is queued or running. */
void analysis_wait(Analysis *analysis);

/* Tasks that are queued or running. */
int analysis_pending(Analysis *analysis);

/* Gives back the memory of search trees that are kept for the next task; that of a busy one at its end. */
void analysis_clear(Analysis *analysis);

/* The game of these options, made at the first call and kept until analysis_free, for all callers; NULL with an error.
 */
const Game *analysis_game(Analysis *analysis, const GameOptions *options, Error *error);

#endif
