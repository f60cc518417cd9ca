/* Monte Carlo tree search on one tree by several threads.
 *
 * A simulation goes down from the root along the best edge of each node. Where it leaves the tree, it has the leaf
 * evaluated, gives it a node, and carries the evaluation back up. The evaluator (engine/eval/evaluator.h) and the rule
 * of selection are chosen by the caller: UCT with RAVE for playouts (selection.h), PUCT for evaluators with a policy
 * (puct.h). Some simulations come back to edges that this rule has dismissed (revisit.h). A thread gathers as many
 * leaves as the evaluator wants at once before it has them evaluated.
 *
 * Wins and losses that are certain are backed up as such (MCTS-Solver, Winands et al. 2008). Threads share the tree
 * without locks (tree.h). An edge with few visits counts a visit as a loss until its result is in (virtual loss,
 * Chaslot et al. 2008), which keeps the simulations of other threads and of the same batch apart. For edges with many
 * visits each thread gathers its results for a few simulations, to spare the cache line that all threads want.
 *
 * With one thread, the same seed and the same number of simulations, everything is reproducible, on every processor, as
 * far as the evaluator is.
 *
 * Everywhere in this file "Black" is the Side BLACK, the player who began. After a swap that player has the white
 * stones (game_colour in game.h). A board that shows owners by the colour of stones then needs 1 - owner. Only
 * SearchAvoid goes by the colour of stones.
 *
 * Some of the files that comments name (puct.h, tree.h, ...) are in the source, but not installed. */
#ifndef STIGMERGY_ENGINE_SEARCH_SEARCH_H
#define STIGMERGY_ENGINE_SEARCH_SEARCH_H

#include "engine/base/rng.h"
#include "engine/base/stop_flag.h"
#include "engine/eval/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SearchSelection { SELECTION_RAVE, SELECTION_PUCT } SearchSelection;

/* The ranges in these comments are those of search_params_range. */
typedef struct SearchParams {
    /* The evaluator by playouts (engine/eval/playouts.h). Not used if SearchOptions names another evaluator, unless
     * playout_share is above 0. */
    PlayoutPolicy playout_policy;
    int playouts;       /* for each leaf, 1 to EVALUATION_PLAYOUTS_MAX */
    double static_eval; /* weight of GameRules.static_eval, 0 to 10; 0: none */

    int expand_visits; /* visits after which a leaf gets a node, 1 to 1000000; the root gets it at once */
    double revisits; /* share of the simulations that come back to a dismissed move, 0 to 0.5: one of every 1/revisits,
                        rounded (revisit.h); 0, or below 1e-9: none */
    int all_images; /* 1: symmetric actions of a position are searched one by one, for evaluators that do not judge them
                       alike; 0: as one (symmetry.c) */
    SearchSelection selection;

    /* SELECTION_RAVE (selection.h) */
    double rave_equivalence; /* visits at which an edge's own mean weighs as much as the RAVE mean of very many
                                playouts, 0 to 1000000; 0, or below 1e-9: no RAVE */
    int prior_playouts;      /* how many playouts the priors of a new node are worth, 0 to 1000; 0: no priors */
    double prior_slope;      /* by how much the win rate rises when the prior doubles, 0 to 10: see priors.c */
    double exploration;      /* weight of the UCT term, 0 to 100 */
    double fpu;              /* first-play urgency: the value of an edge of which nothing is known, 0 to 1 */

    /* SELECTION_PUCT (puct.h) */
    double puct;          /* weight of the exploration term, 0 to 100 */
    double fpu_reduction; /* by how much an edge without visits counts as worse than its node, 0 to 1 */
    int considered;       /* actions at the root that sequential halving begins with (gumbel.h), 0 to
                             GAME_LEGAL_MAX; 0 or 1: PUCT at the root too. Runs with several threads, with a limit of
                             time, or without one of simulations, ignore it */
    double playout_share; /* share of the chance to win that comes from playouts on a full board, less on others, the
                             rest from the evaluator (mixed.h), 0 to 1; 0: none */
    double score;         /* weight of the margin in the choice, 0 to 1, in games with points; 0: none */

    /* The exact solver in endgames (endgame.c), in games with points */
    double solver_share; /* of a run's simulations, or of the first thread's time, that it may take, 0 to 1; 0: none.
                            It is not asked where that is worth fewer than 60 simulations */
    int solver_open;     /* an endgame has at most this number of open cells (cells whose owner simple bounds do not
                            tell), 0 to HEXHEX_MAX_CELLS */
    int solver_carriers_open; /* the same where the solver has carriers, sets of cells that prove a bound: up to
                                 hexhex-5, with enough SearchOptions.memory (solver_has_carriers) */
} SearchParams;

/* Defaults for playouts, with SELECTION_RAVE. For an evaluator with a policy set `selection` to SELECTION_PUCT: the
 * search does not do it for you. With PUCT and an evaluator without a policy, priors are those of the game. */
SearchParams search_default_params(void);

/* The values that search_new accepts in a field of SearchParams, `low` and `high` included. Of an enumeration they are
 * its first and last one. */
typedef struct SearchRange {
    double low, high;
} SearchRange;

/* The range of the field at this offset: search_params_range(offsetof(SearchParams, puct)). */
SearchRange search_params_range(size_t offset);

enum { SEARCH_THREADS_MAX = 256 };

typedef struct SearchOptions {
    SearchParams params;
    const Evaluator *evaluator; /* of leaves; NULL: playouts by `params`. It must outlive the search, which makes a
                                   context of it for each thread and frees them in search_free */
    int threads;                /* 1 to SEARCH_THREADS_MAX */
    size_t memory;              /* bytes for tree and solver, at least 1 MiB; used only as they grow. A quarter, 64 MiB
                                   at most, is the solver's. There is no solver below 4 MiB on hexhex-2 and -3, and
                                   below more on larger boards (22 MiB on hexhex-10). Up to hexhex-5 it has carriers
                                   from 40 MiB on. The more its tables hold, the more it may prove */
    uint64_t seed;
} SearchOptions;

/* A run ends at the limit that is reached first. The work of the solver counts as simulations, at the cost of an
 * evaluation (Evaluator.solver_positions). If other threads search at the same time, it is counted when the solver is
 * done. 0 means no such limit; without any limit the run goes on until `stop`. For two other ends see search_run. */
typedef struct SearchLimits {
    uint64_t simulations; /* of this run */
    double seconds;       /* wall time of this run; 32 simulations are made in any case, also where it is below 0 */
    const StopFlag *stop; /* the run ends soon after another thread sets this, and waits while it says hold; may be
                             NULL */
    bool wide;            /* for analysis: every second simulation of a thread looks at an alternative at the root,
                             so that many can be compared (wide_edge in revisit.h) */
    bool until_settled;   /* a run with a limit of simulations or seconds also ends when the move to play is the most
                             visited one and no other can overtake it (STOP in Baier and Winands 2016, "Time management
                             for Monte Carlo tree search"), so soon where it is the only one that is not lost for
                             certain. Sequential halving makes all its simulations */
    double pause;         /* wall time after which this run pauses, but 32 simulations are made in any case; 0: none */
    bool continues;       /* this run goes on with the one before, which has paused (SearchSummary.paused), at the same
                             root. `simulations` is the limit of both together, and the solver has its share of that
                             once; `seconds` is what is left. With one thread the parts find what one run finds, to the
                             bit, without `until_settled`, where the time is not up and the solver's share of
                             `simulations` is at most 524,288 positions: these it looks at without a pause */
} SearchLimits;

typedef struct SearchSummary {
    uint64_t simulations; /* that this run and those that it continues have made; what the solver took is left out */
    double seconds;       /* of this run */
    bool paused;          /* it has ended by SearchLimits.pause, and by nothing else */
    double win_rate;  /* of the side to move, 0 to 1; exactly 0 or 1 where proven. After sequential halving the moves
                         count by the improved policy (gumbel.h), for margin too; else by their visits */
    double margin;    /* Black's expected margin in points, as Evaluation.margin */
    double deviation; /* standard deviation of the margin by the evaluator at the root; 0: unknown */
    bool proven;      /* the winner is certain */
    bool memory_full; /* the tree could not grow any more */
    bool settled;     /* by SearchLimits.until_settled, even if the run had to end when this was found out */
} SearchSummary;

typedef struct SearchMove {
    Action action;
    uint64_t visits; /* of all runs on this tree, also on a part of it that search_play kept. A simulation that came
                        back to a dismissed move deeper in the tree (revisit.h) does not count. Symmetric moves share
                        their visits and probabilities out among them */
    double win_rate; /* of the side to move at the root */
    double margin;   /* Black's, in points, komi and button included (Evaluation.margin) */
    double policy;   /* SELECTION_PUCT: the probability of the improved policy (gumbel.h); else the share of visits */
    double prior;    /* probability that it is best, before any search; 0 for all moves with SELECTION_RAVE */
    bool known;      /* win_rate and margin are of visits or a proof: its own, or those of a symmetric move */
    bool proven;     /* win_rate is certain: 0 or 1 */
} SearchMove;

/* Actions that are not taken near the root: until[colour][action] is the depth in actions from which on that colour of
 * stones (game_colour) may take the action; 1 forbids it at the root alone, 0 nowhere. */
typedef struct SearchAvoid {
    uint8_t until[2][GAME_ACTIONS_MAX];
} SearchAvoid;

/* A tree with its root position. One thread at a time may call the functions of a search; search_run makes the other
 * threads itself, by OpenMP; a caller that is in a parallel region of its own must allow nested ones. While it runs,
 * other threads may only set the StopFlag of its limits. Several searches may run side by side, on the same game and
 * with the same evaluator.
 *
 * Stack. In games with points, unless solver_share is 0, the thread that calls search_run asks the solver, which may
 * take SOLVER_STACK bytes (1.5 MB; engine/solver/solver.h). The other threads of the search do not ask it. For all else
 * the program reckons with 512 KB a thread (tools/cli/stack.h). Glibc gives a thread as much as `ulimit -s` says,
 * mostly 8 MB, unless OMP_STACKSIZE or the maker of the thread says otherwise. */
typedef struct Search Search;

/* Makes a search at the start of the game (komi 0), to be freed by search_free; the game must outlive it. NULL with an
 * error for options out of range, without memory, or where the evaluator is not for this game. */
Search *search_new(const Game *game, const SearchOptions *options, Error *error);
void search_free(Search *search);

/* Sets the root position, which is copied, and forgets the tree. What came before the position is taken to be unknown.
 */
void search_set_position(Search *search, const GameState *state);

/* Forgets the tree and all that belongs to it: what search_avoid forbids, the noise of search_add_gumbel, the owners.
 * So the next run begins anew. The position and its history stay, and so do the tables of the solver. */
void search_forget_tree(Search *search);

/* Says what came before the root position (copied), for evaluators with a policy; to be called after
 * search_set_position. From then on search_play keeps it up to date. Without it a root in the middle of a turn looks as
 * if the turn had no actions yet. */
void search_set_history(Search *search, const GameHistory *history);

/* Avoids these actions, which are copied, until the position changes or search_forget_tree is called (NULL: none). The
 * search then finds the best of the others, and what it says of chances and certain winners is about them. A side that
 * would have no action left may take all. The solver is not asked. If this differs from what was avoided before, the
 * tree is forgotten. Returns whether it was kept. */
bool search_avoid(Search *search, const SearchAvoid *avoid);

/* Takes a legal action at the root and keeps the tree behind it, unless search_avoid forbade actions below the root,
 * too. Of actions that are images of each other (SearchParams.all_images) only one has a tree; after the others the
 * search begins anew. The kept tree is copied: after 200,000 simulations that takes a tenth of a second. */
void search_play(Search *search, Action action);

/* The root position. */
const GameState *search_position(const Search *search);

/* Continues from a new seed. What follows is the same as in a fresh search with that seed, the same tree and the same
 * tables of the solver. */
void search_reseed(Search *search, uint64_t seed);

/* Searches until a limit is met. The root must not be over.
 *
 * A run also ends when the winner is proven in the tree, at once if that was so before. If only the solver knows that
 * the root is lost, the run goes on to its limits, for the opponent may not see the win; the summary then says `proven`
 * and a win rate of 0, and so do those of later runs of this root. And a run ends when the root or a move of it has
 * 67,043,328 visits (TREE_VISITS_MAX in tree.h), which include those of earlier runs and of a tree that search_play
 * kept. Further runs then make no simulations. */
SearchSummary search_run(Search *search, const SearchLimits *limits);

/* Noise, so that games differ: shifts the value of every move at the root by `strength` (a win rate) times a random
 * number from the Gumbel distribution (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"), in units
 * of base 2 and less its mean, as gumbel_draw gives it. The shifted value weighs as much as `playouts` further playouts
 * (1 to 1000000) and so fades as the search goes on. Call it after a run of at least one simulation. The same seed
 * gives the same noise. Works with both rules of selection. */
void search_add_noise(Search *search, int playouts, double strength, uint64_t seed);

/* Noise for sequential halving: `strength` times Gumbel noise, added to the logits of the root's actions until the
 * position changes or the tree is forgotten. With a strength of 1, search_best draws from the improved policy.
 * The same seed gives the same noise. */
void search_add_gumbel(Search *search, double strength, uint64_t seed);

/* The action to play; the position must not be over. After a run with sequential halving: a proven win, otherwise the
 * action that was left. Else the first by these rules, one after the other:
 *   - proven wins come first, proven losses last;
 *   - the more visits;
 *   - the higher win rate, or among proven ones the better margin for the side to move;
 *   - without visits, the higher prior, then the higher mean of all moves as first (RAVE);
 *   - the lower number of the action.
 * With SELECTION_PUCT, unless that one is proven: of all actions with at least 15% of its visits, the one whose value
 * less five standard errors is the highest (a lower confidence bound, as in Leela Zero and KataGo). The score counts
 * for the value as in the choice of simulations (puct.h). As long as no simulation has been made from this position, it
 * is the first legal action that search_avoid allows. */
Action search_best(const Search *search);

/* An action drawn with a probability proportional to a power of its visits (1 or more; the temperature is 1/power);
 * actions that are images of each other are drawn as one, with the visits of all, and then one of them evenly. It is
 * among those whose win rate is at most `loss` (0 to 1) below that of search_best_by_rules. A proven win if there
 * is one, and never a proven loss if there is something else. Without simulations from this position it is search_best,
 * so the position must not be over.
 */
Action search_draw(const Search *search, int power, double loss, Rng *rng);

/* Writes the root's actions, best first by the rules of search_best (of actions that are images of each other the
 * visits of all count, and each gets its share of them), and returns how many (0 without simulations from this
 * position; those in a tree that search_play has kept count). The first one is search_best; the others are in the order
 * of visits, but proven losses come last. */
int search_moves(const Search *search, SearchMove *out, int capacity);

/* Writes the action that is first by the rules of search_best without what it says of sequential halving: after such a
 * run the most visited one, else the first of search_moves. False without simulations from this position. */
bool search_best_by_rules(const Search *search, SearchMove *out);

/* Writes the principal variation: `action` at the root, then the best replies as long as they have been visited.
 * Returns its length, 0 without simulations from this position. For an action that the root does not have, such as one
 * that is avoided, the variation begins with the first of search_moves. */
int search_variation(const Search *search, Action action, Action *out, int capacity);

/* Writes for each cell the chance that it ends as Black's: the mean of the evaluations since the root position was set
 * or the tree was forgotten; 0.5 before any, or where the evaluator has no owners. Where search_play keeps the tree,
 * those before it count as at most 32 for each thread. Simulations that
 * come back to a dismissed move (SearchParams.revisits, SearchLimits.wide) are left out, and so are those that end with
 * the game, which need no evaluation. Where deeper positions are symmetric, only one of the images is looked at, so
 * owners may lean to its side. */
void search_owners(const Search *search, float out[HEXHEX_MAX_CELLS]);

#ifdef __cplusplus
}
#endif

#endif
