/* The analysis engine: positions go in, and what searches find comes out, many at a time.
 *
 * A fixed number of workers take positions from a queue, by priority and then by arrival. Each has a search of its own,
 * by one thread or several. For a batch of positions, many workers with one thread each are fastest. For a person at a
 * board, several threads on one tree are best. If there are more workers than searches that may go on at the same
 * moment, they take turns (scheduler.h): so any number of people can look at their boards. A running search can report
 * at intervals, and can be stopped at any time.
 *
 * Results do not depend on what else is in the queue, unless a task asks for the tree of an earlier one: with one
 * thread per search and a limit of simulations, the same position and seed give the same result. All functions but
 * analysis_free may be called by several threads at once, and by a report function too, except analysis_wait.
 *
 * `stigmergy analyze` and the board in the browser are built on this. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_H
#define STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_H

#include "selfplay/players/player.h"

typedef struct AnalysisOptions {
    int workers; /* positions that are begun, 1 to SEARCH_THREADS_MAX; each has a tree in memory */
    int at_once; /* of these, that are searched at the same moment; the others wait for their turn. 0: all */
    int threads; /* of each search */
} AnalysisOptions;

typedef struct Analysis Analysis;

/* The state of a search when it is reported. */
typedef enum AnalysisStage {
    ANALYSIS_RUNNING,  /* there will be more reports */
    ANALYSIS_FINISHED, /* the last report: a limit was reached, a value was proved, or the task was stopped */
    ANALYSIS_UNTOUCHED /* the last report, without a result: stopped before it began, or no search could be made */
} AnalysisStage;

typedef struct AnalysisReport {
    AnalysisStage stage;
    SearchSummary summary; /* of the whole search so far */
    const Search *search;  /* to ask for moves, variations and owners, until the report function returns. NULL if
                              UNTOUCHED, or if the game is over */
    const Error *error;    /* why no search could be made, until the report function returns; else NULL */
} AnalysisReport;

/* A position to be searched. Game and player must outlive the engine. */
typedef struct AnalysisTask {
    const Game *game;
    GameState state;
    GameHistory history;  /* what came before it, as far as that is known */
    const Player *player; /* settled: how to search, and the memory for the tree; its limits and threads are ignored */
    uint64_t simulations; /* 0: no such limit */
    double seconds; /* 0: no such limit. Without any limit it runs until it is stopped or the winner is proven, and
                       if it reports while it runs, until memory is full */
    const StopFlag *stop;     /* also ends the search; must last until the last report; NULL: only analysis_stop does */
    const SearchAvoid *avoid; /* actions not to be taken (search_avoid), until the last report; NULL: none */
    bool keep_tree;           /* start from what an earlier task found, see search_pool.h; that counts as simulations */
    bool wide;                /* many candidates at the root (SearchLimits.wide) */
    bool until_settled;       /* it also ends when the move is settled (SearchLimits.until_settled) */
    double report_interval;   /* seconds between reports of a running search, 0: none */
    double first_report;      /* seconds before the first of them, 0: as between them */
    int64_t priority;         /* tasks with a higher one are searched first, and those with a lower one wait */
    uint64_t seed;

    /* Called for each report by a worker, or by who stops the task before it begins; for one report of a task at a
     * time, for tasks of the same user from several threads at once. The last report is not RUNNING, and the task is
     * forgotten then. The function must not wait for the engine. */
    void (*report)(const struct AnalysisTask *task, const AnalysisReport *report);
    void *user;   /* for the caller. Of tasks with the same user, at most `at_once` are begun */
    int64_t mark; /* for the caller: which of its tasks this is */
} AnalysisTask;

/* Starts the workers; NULL with an error. */
Analysis *analysis_new(const AnalysisOptions *options, Error *error);

/* Stops all tasks, waits for the workers, and frees everything. */
void analysis_free(Analysis *analysis);

/* Queues a copy of the task; false without memory. */
bool analysis_add(Analysis *analysis, const AnalysisTask *task, Error *error);

/* Stops the tasks, queued or running, that `matches` chooses (NULL: all). The last reports of queued ones are made
 * before it returns, so the caller must hold no lock that they need; those of running ones follow soon. `matches` is
 * called with the queue locked and must not call the engine. Returns how many tasks there were. */
int analysis_stop(Analysis *analysis, bool (*matches)(const AnalysisTask *task, const void *wanted),
                  const void *wanted);

/* Waits until nothing is queued or running. */
void analysis_wait(Analysis *analysis);

/* How many tasks are queued or running. */
int analysis_pending(Analysis *analysis);

/* Frees the search trees that are kept for later tasks; the tree of a running search at its end. */
void analysis_clear(Analysis *analysis);

/* The game of these options. It is made at the first call and kept for all callers until analysis_free. NULL with an
 * error. */
const Game *analysis_game(Analysis *analysis, const GameOptions *options, Error *error);

/* A player settled for a game. It is made at the first call and kept for all callers until analysis_free; `player`,
 * which need not be settled, must not change until then. NULL with an error. */
const Player *analysis_player(Analysis *analysis, const Player *player, const Game *game, Error *error);

#endif
