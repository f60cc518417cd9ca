/* Alpha-beta search with a null window: whether a value is at least a threshold.
 *
 * The search is fail-soft (Fishburn 1983) and has a transposition table, so a sequence of such questions is an MTD
 * search (Plaat et al., "Best-first fixed-depth minimax algorithms", 1996). A node is expanded as a whole: all its
 * children are looked at before one of them is searched, so that a cut by the bounds of any child, static or from the
 * table, is found first (enhanced transposition cutoffs, Plaat et al. 1996). Children are searched in the order of the
 * guesses of their looks and of the moves' relative history (Winands et al., "The relative history heuristic", 2004).
 *
 * Several threads search the same tree and share the table. A child that another thread is searching is put off to the
 * end (Kerrigan's simplified form of ABDADA, Weill 1996). So the threads divide the later moves of a node among
 * themselves and find each other's results in the table. What one thread proves is true whatever the others do. */
#ifndef STIGMERGY_ENGINE_SOLVER_ALPHA_BETA_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_ALPHA_BETA_INTERNAL_H

#include "engine/base/stop_flag.h"
#include "engine/solver/model.h"
#include "engine/solver/table_internal.h"

enum { SOLVER_BUSY = 1 << 12 };

/* How a search ends: with an answer, at a limit, or because the way down has become longer than there is room for. */
typedef enum SolverEnd { SOLVER_RUNNING, SOLVER_ANSWERED, SOLVER_LIMITED, SOLVER_NO_ROOM } SolverEnd;

/* What all threads share. */
typedef struct SolverShared {
    const Game *game;
    const SolverModel *model;
    SolverTable table;
    atomic_int end;                     /* a SolverEnd; what ends the search first stays */
    _Atomic uint64_t nodes;             /* since the caller set it to 0; the last few of each thread are missing */
    uint64_t node_limit;                /* 0: none */
    double deadline;                    /* in wall_seconds(); 0: none */
    const StopFlag *stop;               /* the caller's wish; may be NULL */
    _Atomic uint64_t busy[SOLVER_BUSY]; /* keys of positions that are being searched */
} SolverShared;

typedef struct SolverChild {
    SolverNode node;
    SolverLook look;
    int score;
    Action action;
    bool tried;
} SolverChild;

typedef struct SolverWorker {
    SolverShared *shared;
    bool parallel;    /* there are other workers */
    uint64_t nodes;   /* looked at in all */
    uint64_t counted; /* of them, not in shared->nodes yet */
    Action best;      /* after a search: the move at the root, if the answer is the one that its side wants */
    uint32_t history[2][GAME_ACTIONS_MAX];
    int used, capacity;
    SolverChild child[]; /* children of the nodes on the way down */
} SolverWorker;

/* What a worker for a board is reckoned to take of the solver's memory, in bytes. */
size_t solver_worker_room(const Hexhex *board);

/* Makes a worker; `parallel`: there are others. It is freed by free(). NULL if memory runs out. */
SolverWorker *solver_worker_new(SolverShared *shared, bool parallel);

/* Makes it forget all searches. */
void solver_worker_clear(SolverWorker *worker);

/* Whether the value of a node is at least a threshold, where its look leaves that open. If so, returns a lower bound of
 * the value that is not below the threshold; if not, an upper bound below the threshold. If shared->end is not
 * SOLVER_RUNNING by then, the result means nothing. */
int solver_search(SolverWorker *worker, const SolverNode *root, int threshold_half_points);

#endif
