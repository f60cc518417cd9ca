/* See plan.h. */
#include "selfplay/runs/book/plan.h"

#include "engine/base/rng.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHARE_DRAWS = 100,   /* for the share of a leaf */
    DRAWS_PER_GAME = 8,  /* a plan ends after so many draws: the best lines end where games tell nothing */
    SOLVER_MEMORY = 8 << 20
};

BookPlanSettings book_plan_default(void) {
    return (BookPlanSettings){.leaf_games = 40, .expand_share = 0.1, .solver_nodes = 20000, .nodes = 200000};
}

Solver *book_plan_solver(const Game *game, Error *error) {
    const SolverOptions options = {.memory = SOLVER_MEMORY, .threads = 1};
    return solver_new(game, &options, error);
}

/* ---- Expanding ---- */

static bool ripe(const BookTree *tree, int leaf, const BookPlanSettings *settings) {
    const BookNode *node = &tree->nodes[leaf];
    return !node->edges && node->games >= settings->leaf_games && !book_node_exact(node) &&
           node->plies < BOOK_PLIES_MAX;
}

/* Counts how often each node is the leaf of the best line. */
static bool count_lines(const BookTree *tree, uint64_t seed, int *lines, Error *error) {
    BookDraw draw;
    const bool good = book_draw_begin(&draw, tree, seed, error);
    for (int i = 0; good && i < SHARE_DRAWS; i++) {
        book_draw(&draw, (uint64_t)i);
        lines[book_draw_leaf(&draw, 0)]++;
    }
    book_draw_end(&draw);
    return good;
}

/* Expands the leaves that are ripe and on the best line often enough, in the order of their numbers. */
static bool expand_leaves(BookTree *tree, const BookPlanSettings *settings, uint64_t seed, bool *full, Error *error) {
    const int count = tree->count;
    int *lines = calloc((size_t)count, sizeof *lines);
    bool good = lines ? count_lines(tree, seed, lines, error) : error_set(error, "out of memory for a round");
    *full = false;
    for (int leaf = 0; good && leaf < count; leaf++)
        if (lines[leaf] > 0 && lines[leaf] >= settings->expand_share * SHARE_DRAWS && ripe(tree, leaf, settings))
            good = book_tree_expand(tree, leaf, settings->nodes, full, error);
    free(lines);
    return good;
}

/* ---- Games ---- */

/* Asks the solver about a leaf, once. Returns whether that changed what is known. */
static bool ask(BookTree *tree, Solver *solver, int leaf, int64_t nodes) {
    BookNode *node = &tree->nodes[leaf];
    GameState state;
    if (node->asked || !solver)
        return false;
    node->asked = true;
    book_tree_position(tree, leaf, &state);
    solver_clear(solver); /* so that the answer does not depend on earlier questions */
    const SolverResult result = solver_value(solver, &state, &(SolverLimits){.nodes = (uint64_t)nodes});
    const Interval bounds = {fmax(node->bounds.low, 0.5 * result.lower_half_points),
                             fmin(node->bounds.high, 0.5 * result.upper_half_points)};
    if (bounds.low == node->bounds.low && bounds.high == node->bounds.high)
        return false;
    book_tree_bound(tree, leaf, bounds);
    return true;
}

/* A round in the making. */
typedef struct Round {
    BookTree *tree;
    Solver *solver;
    const BookPlanSettings *settings;
    BookDraw draw;
    int *arm; /* of each game */
    int size, planned;
} Round;

/* Gives a game to a leaf of the draw, at the komi nearest to `value`, unless it is exact. *changed: the solver had news, so that the draw is old. */
static bool give_game(Round *round, int leaf, double value, bool *changed, Error *error) {
    BookTree *tree = round->tree;
    *changed = ask(tree, round->solver, leaf, round->settings->solver_nodes);
    if (*changed || book_node_exact(&tree->nodes[leaf]) || round->planned == round->size)
        return true;
    const int arm = book_tree_arm(tree, leaf, book_tree_komi(tree, value), error);
    round->arm[round->planned++] = arm;
    return arm >= 0;
}

static bool give_games(Round *round, uint64_t seed, Error *error) {
    bool good = book_draw_begin(&round->draw, round->tree, seed, error);
    for (int i = 0; good && round->planned < round->size && i < DRAWS_PER_GAME * round->size; i++) {
        bool changed;
        book_draw(&round->draw, (uint64_t)i);
        const double value = round->draw.value[0];
        good = give_game(round, book_draw_leaf(&round->draw, 0), value, &changed, error);
        const int rival = changed ? -1 : book_draw_rival(&round->draw);
        if (good && rival >= 0)
            good = give_game(round, rival, value, &changed, error);
    }
    book_draw_end(&round->draw);
    return good;
}

bool book_plan(BookTree *tree, Solver *solver, const BookPlanSettings *settings, uint64_t seed, int size, int **games,
               int *planned, bool *full, Error *error) {
    Round round = {.tree = tree, .solver = solver, .settings = settings, .size = size};
    *games = NULL;
    book_tree_refresh(tree, true);
    if (!expand_leaves(tree, settings, rng_split(seed, 0), full, error))
        return false;
    book_tree_refresh(tree, false);
    round.arm = malloc((size_t)size * sizeof *round.arm);
    bool good = round.arm || error_set(error, "out of memory for a round of %d games", size);
    good = good && give_games(&round, rng_split(seed, 1), error);
    if (good && !(*games = calloc((size_t)tree->arm_count + 1, sizeof **games)))
        good = error_set(error, "out of memory for a round of %d games", size);
    for (int i = 0; good && i < round.planned; i++)
        (*games)[round.arm[i]]++;
    *planned = round.planned;
    free(round.arm);
    return good;
}
