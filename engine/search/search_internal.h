/* What the parts of the search share. search.c makes searches and runs them, params.c knows their parameters,
 * simulation.c makes simulations, avoid.c keeps actions out of the tree, symmetry.c those that are images of others,
 * priors.c gives new nodes their priors, endgame.c asks the solver, results.c tells what was found. */
#ifndef STIGMERGY_ENGINE_SEARCH_SEARCH_INTERNAL_H
#define STIGMERGY_ENGINE_SEARCH_SEARCH_INTERNAL_H

#include "engine/base/lines.h"
#include "engine/eval/mixed.h"
#include "engine/eval/playouts.h"
#include "engine/game/symmetry.h"
#include "engine/search/gumbel.h"
#include "engine/search/puct.h"
#include "engine/search/revisit.h"
#include "engine/search/search.h"
#include "engine/search/selection.h"
#include "engine/search/tree.h"
#include "engine/solver/solver.h"

enum {
    SEARCH_DEPTH_MAX = 4 * HEXHEX_MAX_CELLS, /* edges of a path; a deeper leaf gets no node */
    SEARCH_PENDING_MAX = 16,
    SEARCH_CLAIM = 16 /* simulations that one of several threads takes at a time, at least */
};

/* Results of a much visited edge that a thread keeps to itself for some simulations. Otherwise every one of these
 * simulations would move its cache line between the processors. */
typedef struct Pending {
    Edge *edge;
    uint64_t sum; /* to be added to Edge.stats */
    float margin; /* sum of Black's margins */
} Pending;

/* A simulation on its way: where it went down, and the leaf that it came to. */
typedef struct Simulation {
    uint64_t number;  /* of the worker's simulations */
    int depth;        /* of the leaf: path[0..depth], path[0] is the root edge */
    int counts_from;  /* the result is for path[counts_from] and below; not 0 where it comes back to a move */
    bool over;        /* the game is over at the leaf */
    bool expands;     /* whether the leaf is to get a node */
    int action_count; /* of `actions`; 0 if they are not needed */
    Edge *path[SEARCH_DEPTH_MAX];   /* edges taken */
    bool counted[SEARCH_DEPTH_MAX]; /* whether the visit of path[i] has been counted on the way down */
    GameState leaf;
    Evaluation *evaluation; /* of the leaf, or the result of its game; one of Worker.evaluations */
    GameHistory history;    /* of the leaf, for evaluators with a policy */
    Action actions[GAME_LEGAL_MAX];
} Simulation;

/* What a thread needs for its simulations; on cache lines of its own. */
typedef struct Worker {
    _Alignas(CACHE_LINE) Search *search;
    void *context; /* of the evaluator */
    Arena arena;
    uint64_t simulations; /* since the seed was set */
    uint64_t seed;
    int claimed; /* simulations of the current claim that are still to be made */
    Pending pending[SEARCH_PENDING_MAX];
    int pending_count;
    Simulation *batch;                  /* Evaluator.batch of them */
    Evaluation *evaluations;            /* likewise */
    uint64_t owner_samples;             /* evaluations that had owners */
    double owner_sum[HEXHEX_MAX_CELLS]; /* the sum of the owners in them, by cell */
    bool memory_full;
} Worker;

struct Search {
    const Game *game;
    SearchParams params;
    const SelectionKernel *kernel;
    SelectionParams rave;
    PuctParams puct;
    uint64_t revisit_period;   /* 0: never (revisit.h) */
    GumbelRoot gumbel;         /* `considered` is 0 where the run is not of that kind */
    PlayoutEvaluator playouts; /* used where the caller names no evaluator */
    MixedEvaluator mixed;      /* of the caller's evaluator and `playouts`, where playouts have a share */
    const Evaluator *evaluator;
    GameState root;
    GameHistory history; /* of the root */
    SearchAvoid avoid;
    int avoid_depth;     /* the highest value in `avoid` */
    int symmetric_depth; /* positions from this depth on are not taken to be symmetric (symmetry.c) */
    Tree tree;
    int threads;
    Worker *workers;  /* one for each thread */
    Solver *solver;   /* NULL: none */
    bool solver_used; /* since its table was cleared */
    bool lost;        /* the solver has found the root to be lost for the side to move, in this run or before */
    /* Of the current run: */
    uint64_t simulation_limit;
    double deadline, pause; /* monotonic seconds, 0 without */
    double began;           /* when simulations did */
    uint64_t resumed;       /* simulations of the runs that it continues */
    uint64_t made;          /* with its own, when it has ended */
    uint64_t solver_nodes;  /* that the solver took, in these runs, too */
    bool until_settled, wide;
    atomic_bool paused;
    StopFlag done;          /* set by the first thread that finds nothing left to do; its parent is the caller's flag */
    _Atomic uint64_t spent; /* what the solver took, in simulations; known when `solving` is false */
    atomic_bool solving;    /* the solver is at work */
    _Alignas(CACHE_LINE) _Atomic uint64_t started; /* simulations handed out */
};

static inline Side node_side(const Search *search, NodeRef ref) {
    return tree_node(&search->tree, ref)->side;
}

/* ---- params.c ---- */

/* Whether all parameters are in their ranges; the error names the field. */
bool search_check_params(const SearchParams *params, Error *error);

/* ---- avoid.c ---- */

/* Leaves only those of a position's actions that may be taken this many actions away from the root, with their logits
 * (NULL: there are none). Returns how many there are; all of them if none may be taken. */
int search_allowed(const Search *search, const GameState *state, int depth, Action *actions, float *logits, int count);

/* ---- symmetry.c ---- */

/* The symmetries of a position in which nodes leave out actions; the identity alone where they keep all. */
Symmetries search_symmetries(const Game *game, const GameState *state);

/* To be called when the root position has changed. */
void search_expect_symmetry(Search *search);

/* Leaves the first action of each class, with its logit (NULL: there are none), for PUCT that of the whole class.
 * Returns how many there are: fewer than `count` if the position is symmetric. */
int search_merge_images(const Search *search, const GameState *state, int depth, Action *actions, float *logits,
                        int count);

/* ---- priors.c ---- */

/* Where the logits of a leaf's actions are: the policy of the evaluator, or where it has none the priors of the game,
 * which are written to the evaluation. NULL where selection uses none. */
float *search_logits(const Search *search, const Simulation *leaf, Evaluation *evaluation);

/* Gives the edges of a new node, which no other thread knows yet, the actions of the leaf and their priors, from
 * `logits` (NULL: there are none). */
void search_set_edges(Search *search, NodeRef ref, const Simulation *leaf, const float *logits);

/* ---- results.c ---- */

/* The number of the edge of the root whose action is an image of this one, and in *map the symmetry that takes that
 * action to this one; -1 if there is none. */
int search_find_image(const Search *search, Action action, int *map);

/* By how many visits the most visited move of the root is ahead of all others that are not proven losses; UINT64_MAX
 * where there are no others. */
uint64_t search_lead(const Search *search);

/* Whether the most visited move is also the move to play now. */
bool search_plays_most_visited(const Search *search);

/* Judges the root after sequential halving, where its winner is not certain. The simulations went to all considered
 * moves, so their mean is that of a middling move, and too low: in *summary the moves count by the improved policy
 * instead. (KataGo, Wu 2019, gives bad moves less weight in the value of a node for the same reason.) */
void search_judge_by_policy(const Search *search, SearchSummary *summary);

/* ---- endgame.c ---- */

/* Makes the solver where the parameters want one, and returns how much of `memory` (bytes) it takes. */
size_t search_exact_init(Search *search, size_t memory);

/* Asks the solver who wins at the root, where it is an endgame, and notes the answer, by the thread of the first
 * worker; the others may be searching. Returns what it has cost in the run and in those that this one continues, in
 * simulations. */
uint64_t search_exact(Search *search, const SearchLimits *limits);

/* Forgets what the solver has found. */
void search_exact_forget(Search *search);

/* ---- simulation.c ---- */

/* Makes at least one simulation and at most `limit`, and returns how many: a batch of leaves evaluated together. */
int search_simulate(Worker *worker, int limit);

/* Whether the side to move at a node wins or loses for certain, by what is known of its edges. */
Proven search_proven_by_edges(const Search *search, NodeRef ref);

/* Adds the results that the thread has kept to itself. */
void search_flush_pending(Worker *worker);

#endif
