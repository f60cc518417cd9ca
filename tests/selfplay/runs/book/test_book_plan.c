/* The plan of a round of an opening book: where games go, what is expanded, and what the solver decides without a
 * game. */
#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/draw.h"
#include "selfplay/runs/book/plan.h"
#include "tests/support/books.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Plans a round and plays it with perfect players of a made-up board: those whose first move is `good` are worth 5, all
 * others 1; whoever is ahead at the komi wins. */
static int play_made_up(BookTree *tree, const BookPlanSettings *settings, uint64_t seed, int good) {
    const BookPlanner planner = {.settings = *settings};
    BookPlan plan;
    int sum = 0;
    Error error;
    assert_true(book_plan(tree, &planner, seed, 32, &plan, &error));
    const int arms = tree->arm_count;
    for (int arm = 0; arm < arms; arm++)
        for (int k = 0; k < plan.games[arm]; k++, sum++) {
            int node = tree->arms[arm].node;
            while (tree->nodes[node].plies > 1)
                node = tree->nodes[node].parent;
            book_tree_count(tree, arm, (node == good ? 5 : 1) > tree->arms[arm].result.komi);
        }
    assert_int_equal(sum, plan.planned);
    free(plan.games);
    return plan.planned;
}

static void games_find_the_best_move(void **unused) {
    (void)unused;
    const BookPlanSettings settings = {.leaf_games = 20, .expand_share = 0.1, .nodes = 1000};
    Game *game;
    BookStanding standing;
    Error error;
    BookTree tree = new_book_tree(&game, 3, false);
    assert_int_equal(play_made_up(&tree, &settings, 0, -1), 32); /* the root is worth 1 to its players */
    assert_int_equal(tree.count, 1);
    play_made_up(&tree, &settings, 1, 4);
    assert_int_equal(tree.count, 5); /* four classes of first moves; the fourth is good */
    for (int round = 2; round < 12; round++)
        play_made_up(&tree, &settings, (uint64_t)round, 4);
    book_tree_refresh(&tree, false);
    assert_true(book_standing_begin(&standing, &tree, 1, 500, &error));
    assert_int_equal(book_standing_best(&standing, &tree, 0), 3);
    assert_true(standing.best[3] > 490 && standing.ci95[0].low > 3.5 && standing.ci95[0].high < 6.5);
    book_standing_end(&standing);
    /* What cannot be the best gets few games and no children; the best line goes deeper. */
    for (int node = 1; node < 4; node++)
        assert_true(tree.nodes[node].games < 40 && tree.nodes[node].edges == 0);
    assert_true(tree.nodes[4].games >= 20 && tree.nodes[4].edges > 0);
    book_tree_free(&tree);
    game_free(game);
}

static void solver_answers_cost_no_games(void **unused) {
    (void)unused;
    const BookPlanSettings settings = {.leaf_games = 5, .expand_share = 0.1, .solver_nodes = 20000, .nodes = 1000};
    Error error;
    for (int button = 0; button < 2; button++) {
        Game *game;
        BookTree tree = new_book_tree(&game, 2, button);
        const BookPlanner planner = {.solver = book_plan_solver(game, &error), .settings = settings};
        BookPlan plan;
        assert_true(book_plan(&tree, &planner, 1, 32, &plan, &error));
        assert_int_equal(plan.planned, 0);
        assert_true(book_node_exact(&tree.nodes[0]) && tree.nodes[0].bounds.low == (button ? 6.5 : 7));
        free(plan.games);
        solver_free(planner.solver);
        book_tree_free(&tree);
        game_free(game);
    }
}

/* Plans a round without a solver; the caller frees the games. */
static int *plan(BookTree *tree, const BookPlanSettings *settings, int size, int *planned) {
    const BookPlanner planner = {.settings = *settings};
    BookPlan plan;
    Error error;
    assert_true(book_plan(tree, &planner, 1, size, &plan, &error));
    *planned = plan.planned;
    return plan.games;
}

/* A leaf is expanded that has its games and is often enough the end of the best line, or that has twice its games. */
static void ripe_leaves_are_expanded(void **unused) {
    (void)unused;
    static const struct {
        int games, value; /* of the leaf; the other first moves are worth 0 */
        double share;
        bool exact, expanded;
    } cases[] = {{19, 6, 0.1, false, false},  {20, 6, 0.1, false, true}, {20, 2, 1, false, false},
                 {20, -8, 0.1, false, false}, {20, -8, 0, false, false}, {38, -8, 0.1, false, false},
                 {40, -8, 0.1, false, true},  {40, 6, 0.1, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const BookPlanSettings settings = {.leaf_games = 20, .expand_share = cases[i].share, .nodes = 1000};
        Game *game;
        BookTree tree = new_book_tree(&game, 3, false);
        int planned;
        expand_node(&tree, 0);
        count_around(&tree, 1, cases[i].value, cases[i].games);
        for (int node = 2; node < 5; node++)
            count_around(&tree, node, 0, 18);
        if (cases[i].exact)
            book_tree_bound(&tree, 1, (Interval){cases[i].value, cases[i].value});
        free(plan(&tree, &settings, 4, &planned));
        if ((tree.nodes[1].edges > 0) != cases[i].expanded)
            fail_msg("case %zu: expected that the leaf is %sexpanded", i, cases[i].expanded ? "" : "not ");
        book_tree_free(&tree);
        game_free(game);
    }
}

/* Each new position gets two games, at what is believed of the one before: at its quartiles. */
static void new_positions_are_looked_at(void **unused) {
    (void)unused;
    const BookPlanSettings settings = {.leaf_games = 20, .expand_share = 0.1, .nodes = 1000};
    Game *game;
    Error error;
    BookTree tree = new_book_tree(&game, 3, false);
    int planned;
    count_games(&tree, 0, -6, 10, 6);
    count_games(&tree, 0, 12, 10, 4);
    int *games = plan(&tree, &settings, 4, &planned);
    const KomiBelief *belief = &tree.nodes[0].belief;
    const int low = book_tree_komi(&tree, komi_belief_quantile(belief, 0.25)),
              high = book_tree_komi(&tree, komi_belief_quantile(belief, 0.75));
    assert_true(low < high);
    assert_int_equal(planned, 8);
    for (int node = 1; node < 5; node++)
        assert_true(games[book_tree_arm(&tree, node, low, &error)] == 1 &&
                    games[book_tree_arm(&tree, node, high, &error)] == 1);
    free(games);
    book_tree_free(&tree);
    game_free(game);
}

/* The first move 1 is worth 6. 2 may be better, as far as is known, 3 and 4 are not. So 1 and 2 get all games, where 2
 * would have to be better: at 6 or above. What the root's own games say, -4, does not matter any more. */
static void rivals_are_played_at_the_value_of_the_root(void **unused) {
    (void)unused;
    enum { SIZE = 15 };
    static const int values[] = {-4, 6, 0, -8, -8};
    const BookPlanSettings settings = {.leaf_games = 1000, .expand_share = 0.1, .nodes = 1000};
    Game *game;
    BookTree tree = new_book_tree(&game, 3, false);
    int planned, by_node[5] = {0};
    expand_node(&tree, 0);
    for (int node = 0; node < 5; node++)
        if (node != 2)
            count_around(&tree, node, values[node], 400);
    count_games(&tree, 2, -2, 1, 1);
    count_games(&tree, 2, 8, 1, 0);
    int *games = plan(&tree, &settings, SIZE, &planned);
    assert_int_equal(planned, SIZE);
    for (int arm = 0; arm < tree.arm_count; arm++) {
        by_node[tree.arms[arm].node] += games[arm];
        assert_true(games[arm] == 0 || tree.arms[arm].result.komi >= 6);
    }
    assert_true(by_node[1] >= SIZE / 3 && by_node[2] >= SIZE / 3 && by_node[1] + by_node[2] == SIZE);
    free(games);
    book_tree_free(&tree);
    game_free(game);
}

/* The solver is asked about new positions before they get games. Where it decides them all, that is the value. */
static void solver_decides_new_positions(void **unused) {
    (void)unused;
    const BookPlanSettings settings = {.leaf_games = 5, .expand_share = 0.1, .solver_nodes = 20000, .nodes = 1000};
    Error error;
    Game *game;
    BookTree tree = new_book_tree(&game, 2, true);
    const BookPlanner planner = {.solver = book_plan_solver(game, &error), .settings = settings};
    BookStanding standing;
    BookPlan plan;
    tree.nodes[0].asked = true; /* it could not decide the root */
    count_games(&tree, 0, 5, 10, 5);
    assert_true(book_plan(&tree, &planner, 1, 32, &plan, &error));
    assert_int_equal(plan.planned, 0);
    for (int node = 1; node < tree.count; node++)
        assert_true(book_node_exact(&tree.nodes[node]));
    assert_true(book_standing_begin(&standing, &tree, 1, 10, &error));
    assert_true(standing.estimate[0] == 6.5 && standing.ci95[0].low == 6.5 && standing.ci95[0].high == 6.5);
    book_standing_end(&standing);
    free(plan.games);
    solver_free(planner.solver);
    book_tree_free(&tree);
    game_free(game);
}

/* A plan is given up when it is stopped, or at its deadline, whatever the solver is asked meanwhile. */
static void plans_are_given_up(void **unused) {
    (void)unused;
    StopFlag stop = {0};
    stop_flag_set(&stop);
    const BookPlanner planners[] = {{.stop = &stop}, {.deadline = 1e-9}, {.deadline = wall_seconds() + 0.05}};
    const BookPlanSettings settings = {
        .leaf_games = 5, .expand_share = 0.1, .solver_nodes = 1000000000000, .nodes = 1000};
    for (int i = 0; i < 3; i++)
        for (int expands = 0; expands < 2; expands++) {
            Error error;
            Game *game;
            BookTree tree = new_book_tree(&game, 5, false);
            BookPlanner planner = planners[i];
            BookPlan plan;
            planner.solver = book_plan_solver(game, &error);
            planner.settings = settings;
            tree.nodes[0].asked = expands;
            count_games(&tree, 0, 4, 10 * expands, 5 * expands);
            assert_false(book_plan(&tree, &planner, 1, 32, &plan, &error));
            assert_string_equal(error.text, "stopped while a round was planned");
            for (int node = 0; node < tree.count; node++) /* the answer was cut short */
                assert_true(tree.nodes[node].bounds.low == -62 && tree.nodes[node].bounds.high == 62);
            solver_free(planner.solver);
            book_tree_free(&tree);
            game_free(game);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_find_the_best_move),     cmocka_unit_test(solver_answers_cost_no_games),
        cmocka_unit_test(plans_are_given_up),           cmocka_unit_test(ripe_leaves_are_expanded),
        cmocka_unit_test(new_positions_are_looked_at),  cmocka_unit_test(rivals_are_played_at_the_value_of_the_root),
        cmocka_unit_test(solver_decides_new_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
