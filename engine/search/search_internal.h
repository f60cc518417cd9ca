/* What the parts of the search share; of no interest outside of it. search.c makes searches and runs them,
 * simulation.c is one simulation, endgame.c the endgame solver's part, priors.c the choice among
 * children, results.c what was found. */
#ifndef STIGMERGY_ENGINE_SEARCH_SEARCH_INTERNAL_H
#define STIGMERGY_ENGINE_SEARCH_SEARCH_INTERNAL_H

#include "engine/eval/playouts.h"
#include "engine/search/search.h"
#include "engine/search/selection.h"
#include "engine/search/tree.h"
#include "engine/solver/solver.h"

enum {
    SEARCH_DEPTH_MAX = 4 * HEXHEX_MAX_CELLS, /* entries of a path; a deeper leaf is judged without growing the tree */
    SEARCH_PENDING_MAX = 16,
    CACHE_LINE = 64
};

/* Results of a much visited entry that a thread keeps to itself for some simulations: its cache line would otherwise go
 * to and fro between the processors in every one of them. */
typedef struct Pending {
    Child *child;
    uint64_t sum; /* to be added to Child.stats */
    float margin; /* sum of Black's margins */
} Pending;

/* What a thread needs for its simulations; on cache lines of its own. */
typedef struct Worker {
    _Alignas(CACHE_LINE) Search *search;
    Arena arena;
    uint64_t simulations; /* since the seed was set */
    uint64_t seed;
    uint64_t claimed; /* simulations of the current claim that are still to be made */
    int depth;        /* of the current leaf: path[0..depth], path[0] is the root entry */
    Child *path[SEARCH_DEPTH_MAX];
    Pending pending[SEARCH_PENDING_MAX];
    int pending_count;
    bool counted[SEARCH_DEPTH_MAX]; /* whether the visit of path[i] has been counted on the way down */
    NodeRef new_node;               /* the node that this simulation gave the leaf, 0 without */
    GameState leaf;
    Evaluation evaluation;
    uint64_t owner_samples, owner_sum[HEXHEX_MAX_CELLS];
    bool memory_full;
} Worker;

struct Search {
    const Game *game;
    SearchParams params;
    const ChoiceKernel *choice;
    ChoiceParams choice_params;
    PlayoutEvaluator playout_evaluator;
    const Evaluator *evaluator;
    GameState root;
    Tree tree;
    int threads;
    Worker *workers;  /* one a thread */
    Solver *solver;   /* NULL: none */
    bool solver_used; /* since its table was cleared */
    bool lost;        /* the solver has found the root to be lost for the side to move */
    /* Of the current run: */
    uint64_t simulation_limit;
    double deadline; /* monotonic seconds, 0 without */
    double began;    /* when simulations did */
    bool until_settled;
    const atomic_bool *stop;
    atomic_bool done;
    _Atomic uint64_t spent;                        /* what the solver took, in simulations, once it is done */
    atomic_bool solving;                           /* until then */
    _Alignas(CACHE_LINE) _Atomic uint64_t started; /* simulations handed out */
};

static inline Side node_side(const Search *search, NodeRef ref) {
    return tree_node(&search->tree, ref)->side;
}

/* ---- priors.c ---- */

/* The child of node `ref`, which is behind the entry `parent`, to go down to: a proven win if there is one, else the
 * best of those that are not proven losses. */
Child *search_select(const Search *search, const Child *parent, NodeRef ref);

/* Gives the children of a new node the weight of their priors, where the game has some; `state` is the position of the
 * node, `black` Black's chance to win there. */
void search_add_priors(const Search *search, NodeRef ref, const GameState *state, float black);

/* ---- results.c ---- */

/* By how many visits the best move of the root is ahead of all others that are not proven losses. */
uint64_t search_lead(const Search *search);

/* ---- endgame.c ---- */

/* Makes the solver where the parameters want one, and returns how much of `memory` (bytes) it takes. */
size_t search_exact_init(Search *search, size_t memory);

/* Asks the solver who wins at the root, where it is an endgame, and notes the answer, by the thread of the first
 * worker; the others may be searching. Returns what it cost, in simulations. */
uint64_t search_exact(Search *search, const SearchLimits *limits);

/* Forgets what the solver has found. */
void search_exact_forget(Search *search);

/* ---- simulation.c ---- */

/* One simulation: down, judging the leaf, back up. */
void search_simulate(Worker *worker);

/* Adds the results that the thread has kept to itself. */
void search_flush_pending(Worker *worker);

#endif
