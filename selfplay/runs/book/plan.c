/* See plan.h. */
#include "selfplay/runs/book/plan.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHARE_DRAWS = 100, /* for the share of a leaf */
    DRAWS_PER_GAME =
        8,          /* a plan ends after this many draws for each game: the best lines end where games tell nothing */
    INSISTENCE = 2, /* a leaf with this many times its games is expanded, best line or not */
    LOOKS = 2,      /* games of a new position */
    SOLVER_MEMORY = 8 << 20
};

BookPlanSettings book_plan_default(void) {
    return (BookPlanSettings){.leaf_games = 40, .expand_share = 0.1, .solver_nodes = 20000, .nodes = 200000};
}

Solver *book_plan_solver(const Game *game, Error *error) {
    const SolverOptions options = {.memory = SOLVER_MEMORY, .threads = 1};
    return solver_new(game, &options, error);
}

/* ---- Rounds ---- */

/* A round in the making. */
typedef struct Round {
    BookTree *tree;
    const BookPlanner *planner;
    int *arm; /* of each game */
    int planned, capacity;
    bool full; /* as in BookPlan */
} Round;

/* Whether the plan is to be given up. Once it is, it stays so. */
static bool is_over(const BookPlanner *planner) {
    return stop_flag_is_set(planner->stop) || (planner->deadline > 0 && wall_seconds() >= planner->deadline);
}

/* False with an error where it is. */
static bool goes_on(const Round *round, Error *error) {
    return !is_over(round->planner) || error_set(error, "stopped while a round was planned");
}

static bool add_game(Round *round, int node, double value, Error *error) {
    BookTree *tree = round->tree;
    const int arm = book_tree_arm(tree, node, book_tree_komi(tree, value), error);
    if (!list_grow(&round->arm, &round->capacity, round->planned + 1, sizeof arm))
        return error_set(error, "out of memory for a round of %d games", round->planned + 1);
    round->arm[round->planned++] = arm;
    return arm >= 0;
}

/* Asks the solver about a leaf, once. Returns whether that changed what is known: nothing does once the plan is given
 * up, for the answer may have been cut short. */
static bool ask(BookTree *tree, const BookPlanner *planner, int leaf) {
    BookNode *node = &tree->nodes[leaf];
    const double deadline = planner->deadline;
    const SolverLimits limits = {.nodes = (uint64_t)planner->settings.solver_nodes,
                                 .seconds = deadline > 0 ? fmax(1e-6, deadline - wall_seconds()) : 0,
                                 .stop = planner->stop};
    GameState state;
    if (node->asked || !planner->solver || is_over(planner))
        return false;
    node->asked = true;
    book_tree_position(tree, leaf, &state);
    solver_clear(planner->solver); /* so that the answer does not depend on earlier questions */
    const SolverResult result = solver_value(planner->solver, &state, &limits);
    const Interval bounds = {fmax(node->bounds.low, 0.5 * result.lower_half_points),
                             fmin(node->bounds.high, 0.5 * result.upper_half_points)};
    if ((bounds.low == node->bounds.low && bounds.high == node->bounds.high) || is_over(planner))
        return false;
    book_tree_bound(tree, leaf, bounds);
    return true;
}

void book_plan_ask(BookTree *tree, const BookPlanner *planner) {
    for (int i = 0; i < tree->count; i++)
        ask(tree, planner, i);
}

/* ---- Expanding ---- */

/* Whether a leaf is to be expanded that is the leaf of the best line in this share of draws. */
static bool is_ripe(const BookTree *tree, int leaf, double share, const BookPlanSettings *settings) {
    const BookNode *node = &tree->nodes[leaf];
    const bool judged = node->games >= settings->leaf_games && share > 0 && share >= settings->expand_share;
    const bool insisted = node->games >= INSISTENCE * settings->leaf_games;
    return !node->edges && (judged || insisted) && !book_node_exact(node) && node->plies < BOOK_PLIES_MAX;
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

/* Gives its first games to every child of a leaf that was expanded, at what is believed of the leaf. */
static bool look_at_children(Round *round, int leaf, Error *error) {
    BookTree *tree = round->tree;
    for (int i = 0; i < tree->nodes[leaf].edges; i++) {
        const int child = tree->edges[tree->nodes[leaf].first_edge + i].node;
        ask(tree, round->planner, child);
        if (!goes_on(round, error))
            return false;
        if (book_node_exact(&tree->nodes[child]) || tree->nodes[child].games > 0)
            continue;
        for (int k = 0; k < LOOKS; k++)
            if (!add_game(round, child, komi_belief_quantile(&tree->nodes[leaf].belief, (k + 0.5) / LOOKS), error))
                return false;
    }
    return true;
}

/* Expands the leaves that are ripe, in the order of their numbers. *expanded: whether there was one. */
static bool expand_leaves(Round *round, uint64_t seed, bool *expanded, Error *error) {
    BookTree *tree = round->tree;
    const BookPlanSettings *settings = &round->planner->settings;
    const int count = tree->count;
    int *lines = calloc((size_t)count, sizeof *lines);
    bool good = lines ? count_lines(tree, seed, lines, error) : error_set(error, "out of memory for a round");
    *expanded = false;
    for (int leaf = 0; good && leaf < count; leaf++) {
        if (!is_ripe(tree, leaf, (double)lines[leaf] / SHARE_DRAWS, settings))
            continue;
        good =
            book_tree_expand(tree, leaf, settings->nodes, &round->full, error) && look_at_children(round, leaf, error);
        *expanded |= tree->nodes[leaf].edges > 0;
    }
    free(lines);
    return good;
}

/* ---- Games ---- */

/* Gives a game to a leaf, unless it is exact. *news: the solver had some, so that the draw is old. */
static bool give_game(Round *round, int leaf, double value, bool *news, Error *error) {
    *news = ask(round->tree, round->planner, leaf);
    return goes_on(round, error) &&
           (*news || book_node_exact(&round->tree->nodes[leaf]) || add_game(round, leaf, value, error));
}

static bool give_games(Round *round, uint64_t seed, int size, Error *error) {
    BookDraw draw;
    bool good = book_draw_begin(&draw, round->tree, seed, error);
    for (int i = 0; good && round->planned < size && i < DRAWS_PER_GAME * size; i++) {
        bool news;
        book_draw(&draw, (uint64_t)i);
        good = give_game(round, book_draw_leaf(&draw, 0), draw.value[0], &news, error);
        const int rival = news || round->planned == size ? -1 : book_draw_rival(&draw);
        if (good && rival >= 0)
            good = give_game(round, rival, draw.value[0], &news, error);
    }
    book_draw_end(&draw);
    return good;
}

/* Plans the first games of new positions or, where there are none, those that the draws ask for. */
static bool plan_round(Round *round, uint64_t seed, int size, Error *error) {
    bool expanded = true;
    for (uint64_t step = 0; expanded && round->planned == 0; step++) {
        book_tree_refresh(round->tree, step == 0);
        if (!expand_leaves(round, rng_split(seed, 2 * step), &expanded, error))
            return false;
    }
    book_tree_refresh(round->tree, false);
    return round->planned > 0 || give_games(round, rng_split(seed, 1), size, error);
}

bool book_plan(BookTree *tree, const BookPlanner *planner, uint64_t seed, int size, BookPlan *plan, Error *error) {
    Round round = {.tree = tree, .planner = planner};
    bool good = plan_round(&round, seed, size, error) && goes_on(&round, error);
    *plan = (BookPlan){.planned = round.planned, .full = round.full};
    if (good && !(plan->games = calloc((size_t)tree->arm_count + 1, sizeof *plan->games)))
        good = error_set(error, "out of memory for a round of %d games", round.planned);
    for (int i = 0; good && i < round.planned; i++)
        plan->games[round.arm[i]]++;
    free(round.arm);
    return good;
}
