/* Monte Carlo tree search on one tree by several threads.
 *
 * A simulation goes down from the root by the best child, adds a node where it leaves the tree, has the leaf judged by
 * the evaluator and carries the result back up. The choice follows UCT with RAVE (Gelly and Silver 2011, "Monte-Carlo
 * tree search and rapid action value estimation in computer Go"): see priors.c. Wins and losses that are
 * certain are backed up as such (MCTS-Solver, Winands et al. 2008). Threads share the tree without locks (tree.h).
 * Where there are few visits, one counts as a loss until its result is in (virtual loss, Chaslot et al. 2008); of much
 * visited entries a thread gathers its results for a few simulations, to spare the cache line that all of them want.
 *
 * With one thread, the same seed and the same number of simulations, everything is reproducible, on every processor. */
#ifndef STIGMERGY_ENGINE_SEARCH_SEARCH_H
#define STIGMERGY_ENGINE_SEARCH_SEARCH_H

#include "engine/eval/evaluator.h"
#include "engine/game/game.h"

#include <stdatomic.h>

typedef struct SearchParams {
    PlayoutPolicy policy;
    int playouts;      /* a simulation, 1 to EVALUATION_PLAYOUTS_MAX */
    double judge;      /* weight of what the game knows of a leaf beyond playouts, 0 to 10; 0: none */
    int expand_visits; /* visits after which a leaf gets a node, at least 1; the root gets it at once */
    double rave; /* visits of a child at which its own mean weighs as much as a well-known RAVE mean; 0: no RAVE */
    int prior_playouts;     /* how many playouts the priors of the game are worth, 0 to 1000; 0: no priors */
    double prior_slope;     /* what a doubled prior is worth in win rate: see priors.c */
    double solver_share;    /* of a run's simulations, or of the first thread's time, that the exact solver may take in
                               an endgame, 0 to 1; 0: no solver */
    int solver_open;        /* an endgame has at most so many open cells, ... */
    int solver_claims_open; /* ... or so many where the solver has carriers (solver_has_carriers) */
    double exploration;     /* weight of the UCT term */
    double first_play;      /* value of a child of which nothing is known, 0 to 1 */
} SearchParams;

/* The parameters of the default player. */
SearchParams search_default_params(void);

enum { SEARCH_THREADS_MAX = 256 };

typedef struct SearchOptions {
    SearchParams params;
    int threads;   /* 1 to SEARCH_THREADS_MAX */
    size_t memory; /* bytes for the tree, at least 1 MiB; used only as it grows */
    uint64_t seed;
} SearchOptions;

/* When a run ends: at the first limit that is met. What the solver takes counts as simulations, eight positions one;
 * where other threads search meanwhile, once it is done. 0 is "no such limit"; without any it goes on until `stop`. */
typedef struct SearchLimits {
    uint64_t simulations;    /* of this run */
    double seconds;          /* wall time of this run; a few simulations are made in any case */
    const atomic_bool *stop; /* the run ends soon after somebody sets this; may be NULL */
    bool until_settled; /* it ends, too, when no other move can get as many visits as the best one any more (STOP in
                           Baier and Winands 2016, "Time management for Monte Carlo tree search") */
} SearchLimits;

typedef struct SearchSummary {
    uint64_t simulations; /* of this run */
    double seconds;       /* of this run */
    double win_rate;      /* of the side to move, 0 to 1; exactly 0 or 1 where proven */
    double margin;        /* Black's expected margin in points, komi included */
    bool proven;          /* the winner is certain */
    bool memory_full;     /* the tree could not grow any more */
} SearchSummary;

typedef struct SearchMove {
    Action action;
    uint64_t visits;
    double win_rate; /* of the side to move at the root */
    double margin;   /* Black's, in points */
    bool proven;     /* win_rate is certain: 0 or 1 */
} SearchMove;

typedef struct Search Search;

/* Makes a search, to be freed by search_free; the game must outlive it. NULL with an error for options out of range or
 * without memory. */
Search *search_new(const Game *game, const SearchOptions *options, Error *error);
void search_free(Search *search);

/* Sets the root position and forgets the tree. */
void search_set_position(Search *search, const GameState *state);

/* Takes a legal action at the root and keeps the tree behind it. */
void search_play(Search *search, Action action);

/* The root position. */
const GameState *search_position(const Search *search);

/* Goes on from a new seed: what follows is the same as in a fresh search with that seed, the same tree, and what the
 * solver has found since the position was set. */
void search_reseed(Search *search, uint64_t seed);

/* Searches until a limit is met. The root must not be over. It ends at once where the winner is proven. */
SearchSummary search_run(Search *search, const SearchLimits *limits);

/* Exploration for games that are to differ: shifts what is thought of every move at the root by `strength` (a win rate)
 * times a random number of standard Gumbel shape (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"),
 * which weighs as much as `playouts` further playouts (1 to 1000000) and so fades as the search goes on. To be called
 * after a run of at least one simulation; the same for the same seed. */
void search_add_noise(Search *search, int playouts, double strength, uint64_t seed);

/* The action to play: a proven win, else the most visited that is not a proven loss, ties by win rate and order. */
Action search_best(const Search *search);

/* The root's actions, best first as search_best ranks them; returns how many were written (0 before any run). */
int search_moves(const Search *search, SearchMove *out, int capacity);

/* The principal variation: `action` at the root, then the best replies as long as they have been visited. */
int search_variation(const Search *search, Action action, Action *out, int capacity);

/* Per cell, the share of playouts since the position was set in which it ended as Black's; 0.5 before any. */
void search_owners(const Search *search, float out[HEXHEX_MAX_CELLS]);

/* Bytes of the tree in use. */
size_t search_memory_used(const Search *search);

#endif
