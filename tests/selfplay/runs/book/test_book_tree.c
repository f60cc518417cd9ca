/* The tree of an opening book: which positions are one, which are exact, and what is believed of a position before its
 * first game. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/draw.h"
#include "tests/support/books.h"
#include "tests/support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- Positions ---- */

/* All positions after `plies` actions, up to symmetry, by brute force: the number of different sets of 12 hashes. */
static int count_positions(const Game *game, int komi, int plies) {
    static uint64_t seen[100000];
    Action line[4] = {0}, legal[3][GAME_LEGAL_MAX];
    int count[3], at[3] = {0}, positions = 0;
    GameState state[4];
    game->rules->start(game, &state[0], komi);
    for (int ply = 0; ply >= 0;) {
        if (ply < plies && at[ply] == 0)
            count[ply] = game->rules->legal(game, &state[ply], legal[ply]);
        if (ply < plies && at[ply] < count[ply]) {
            line[ply] = legal[ply][at[ply]++];
            state[ply + 1] = state[ply];
            game->rules->apply(game, &state[ply + 1], line[ply]);
            if (++ply < plies)
                at[ply] = 0;
            continue;
        }
        if (ply == plies) {
            uint64_t sum = 0; /* of the hashes of all images: the same for all of them */
            for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
                GameState image;
                game->rules->start(game, &image, komi);
                for (int i = 0; i < plies; i++)
                    game->rules->apply(game, &image, game->rules->symmetry(game, map, line[i]));
                sum += game->rules->hash(&image);
            }
            int k = 0;
            while (k < positions && seen[k] != sum)
                k++;
            seen[k] = sum;
            positions += k == positions;
        } else {
            at[ply] = 0;
        }
        ply--;
    }
    return positions;
}

static void positions_are_classes(void **unused) {
    (void)unused;
    for (int button = 0; button < 2; button++)
        for (int size = 2; size <= 3; size++) {
            Game *game;
            BookTree tree = new_book_tree(&game, size, button);
            const int plies = size == 2 ? 3 : 2;
            for (int ply = 0, begin = 0; ply < plies; ply++) {
                const int end = tree.count;
                for (int node = begin; node < end; node++)
                    expand_node(&tree, node);
                begin = end;
                assert_int_equal(tree.count - end, count_positions(game, button, ply + 1));
            }
            book_tree_free(&tree);
            game_free(game);
        }
}

static void transpositions_are_one(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_book_tree(&game, 2, false);
    for (int node = 0; node < tree.count && tree.nodes[node].plies < 6; node++)
        expand_node(&tree, node);
    int shared = 0;
    for (int node = 0; node < tree.count; node++)
        for (int i = 0; i < tree.nodes[node].edges; i++) {
            const BookEdge *edge = &tree.edges[tree.nodes[node].first_edge + i];
            const BookNode *child = &tree.nodes[edge->node];
            GameState state, image;
            Action line[BOOK_PLIES_MAX];
            assert_int_equal(child->plies, tree.nodes[node].plies + 1);
            shared += child->parent != node;
            /* The edge leads to an image of its node. */
            book_tree_position(&tree, node, &state);
            game->rules->apply(game, &state, edge->action);
            const int map = book_tree_image(&tree, edge->node, &state);
            game->rules->start(game, &image, 0);
            for (int k = 0, count = book_tree_line(&tree, edge->node, map, line); k < count; k++)
                game->rules->apply(game, &image, line[k]);
            assert_true(game->rules->hash(&image) == game->rules->hash(&state));
        }
    assert_true(shared > 5);
    bool full = false;
    Error error;
    const int before = tree.count;
    int leaf = before - 1;
    while (tree.nodes[leaf].over)
        leaf--;
    assert_true(book_tree_expand(&tree, leaf, before, &full, &error));
    assert_true(full && tree.count == before && tree.nodes[leaf].edges == 0);
    book_tree_free(&tree);
    game_free(game);
}

/* A finished game is exact: its margin, the button included, whatever komi it was played at. All its images lead to one
 * position. */
static void finished_games_are_exact(void **unused) {
    (void)unused;
    enum { GAMES = 10, NODES = 100000 };
    Rng rng = rng_seed(5);
    for (int n = 0; n < GAMES; n++) {
        const bool button = n % 2;
        const int komi = 4 + button;
        Game *game;
        Error error;
        BookTree tree = new_book_tree(&game, 2, button);
        GameState state;
        Action line[BOOK_PLIES_MAX], image[BOOK_PLIES_MAX], legal[GAME_LEGAL_MAX];
        int count = 0;
        game->rules->start(game, &state, komi);
        while (!game->rules->over(&state)) {
            const int moves = game->rules->legal(game, &state, legal);
            assert_true(count < BOOK_PLIES_MAX);
            line[count] = legal[rng_below(&rng, (uint32_t)moves)];
            game->rules->apply(game, &state, line[count++]);
        }
        const int node = book_tree_follow(&tree, line, count, NODES, &error);
        assert_true(node > 0 && tree.nodes[node].over && tree.nodes[node].plies == count);
        assert_true(book_node_exact(&tree.nodes[node]));
        assert_true(tree.nodes[node].bounds.low == 0.5 * game->rules->result(game, &state).half_points + komi);
        for (int map = 1; map < HEXHEX_SYMMETRIES; map++) {
            for (int i = 0; i < count; i++)
                image[i] = game->rules->symmetry(game, map, line[i]);
            assert_int_equal(book_tree_follow(&tree, image, count, NODES, &error), node);
        }
        book_tree_free(&tree);
        game_free(game);
    }
}

static void komi_stays_on_the_board(void **unused) {
    (void)unused;
    static const struct {
        double place;
        int even, odd;
    } cases[] = {{4.9, 4, 5}, {5.1, 6, 5}, {-0.9, 0, -1}, {-1.1, -2, -1}, {100, 6, 7}, {-100, -6, -7}};
    for (int button = 0; button < 2; button++) {
        Game *game;
        BookTree tree = new_book_tree(&game, 2, button); /* of 7 cells */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            assert_int_equal(book_tree_komi(&tree, cases[i].place), button ? cases[i].odd : cases[i].even);
        assert_true(tree.nodes[0].bounds.low == -8 && tree.nodes[0].bounds.high == 8); /* where every game is decided */
        book_tree_free(&tree);
        game_free(game);
    }
}

/* ---- What is believed before the first game ---- */

/* Expects of the children of a node that have no games: the best of them is believed to be worth as much as the node,
 * so that they spread around a place below it where Black is to move, and above it where White is. */
static void expect_priors(const BookTree *tree, int parent) {
    const BookNode *from = &tree->nodes[parent];
    const double value = komi_belief_mean(&from->own), below = tree->model.spread * best_move_gap(from->edges);
    for (int i = 0; i < from->edges; i++) {
        const BookNode *child = &tree->nodes[tree->edges[from->first_edge + i].node];
        const BeliefPrior prior = {.location = from->mover == BLACK ? value - below : value + below,
                                   .scale = tree->model.spread,
                                   .bounds = child->bounds};
        KomiBelief expected;
        komi_belief(&expected, NULL, 0, tree->model.curve, &prior);
        for (double q = 0.1; q < 1 && child->games == 0; q += 0.2)
            assert_true(near(komi_belief_quantile(&child->own, q), komi_belief_quantile(&expected, q), 0.02));
    }
}

static void moves_are_believed_by_their_parent(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_book_tree(&game, 4, false);
    tree.model.spread = 0.7;
    count_games(&tree, 0, 4, 200, 100);
    expand_node(&tree, 0);
    count_games(&tree, 1, 2, 200, 100); /* the first move that has games */
    expand_node(&tree, 1);
    expand_node(&tree, 2);
    book_tree_refresh(&tree, false);
    assert_true(tree.nodes[0].mover == BLACK && tree.nodes[1].mover == WHITE);
    assert_true(near(komi_belief_mean(&tree.nodes[0].own), 4, 0.1));
    assert_true(near(komi_belief_mean(&tree.nodes[1].own), 2, 0.1));
    for (int node = 0; node < 3; node++)
        expect_priors(&tree, node);
    count_games(&tree, 0, 8, 800, 400); /* news of the root go down, also through positions without games */
    book_tree_refresh(&tree, false);
    assert_true(komi_belief_mean(&tree.nodes[0].own) > 5);
    for (int node = 0; node < 3; node++)
        expect_priors(&tree, node);
    book_tree_free(&tree);
    game_free(game);
}

/* The spread of moves is learnt from the moves that have games: here one of 0.5, then one of 4 points. */
static void spreads_are_learnt(void **unused) {
    (void)unused;
    for (int wide_ones = 0; wide_ones < 2; wide_ones++) {
        Game *game;
        BookTree tree = new_book_tree(&game, 5, false);
        const double spread = wide_ones ? 4 : 0.5;
        expand_node(&tree, 0);
        const int moves = tree.nodes[0].edges;
        const BeliefCurve curve = {0.5, 0.01};
        count_games(&tree, 0, 4, 100, 50);
        for (int i = 0; i < moves; i++) { /* evenly along Student's t, the best one at 4 */
            KomiBelief prior;
            const BeliefPrior student = {
                .location = 4 - spread * best_move_gap(moves), .scale = spread, .bounds = {-50, 50}};
            komi_belief(&prior, NULL, 0, curve, &student);
            const double value = komi_belief_quantile(&prior, (i + 0.5) / moves);
            for (int komi = book_tree_komi(&tree, value) - 4, k = 0; k < 5; k++, komi += 2)
                count_games(
                    &tree, 1 + i, komi, 20,
                    (int)(20 * (curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((komi - value) / curve.scale))) + 0.5));
        }
        book_tree_settle(&tree);
        if (!near(log(tree.model.spread / spread), 0, 0.2) || !near(log(tree.model.curve.scale / curve.scale), 0, 0.3))
            fail_msg("spread %g, expected %g; scale %g", tree.model.spread, spread, tree.model.curve.scale);
        const double settled = tree.model.spread;
        tree.learnt = 0;
        book_tree_refresh(&tree, true); /* learnt once more, it stays */
        assert_true(near(tree.model.spread, settled, 0.003 * spread));
        book_tree_free(&tree);
        game_free(game);
    }
}

/* Steep and flat curves are learnt from positions with many games, and how often a slip decides one. */
static void curves_are_learnt(void **unused) {
    (void)unused;
    for (int steep = 0; steep < 2; steep++) {
        Game *game;
        BookTree tree = new_book_tree(&game, 5, false);
        expand_node(&tree, 0);
        count_games(&tree, 0, 4, 40, 20);
        for (int node = 1; node < tree.count; node++) { /* at different places */
            const int at = 2 * (node % 3) + 2;
            count_games(&tree, node, steep ? at : at - 4, 10, steep ? 10 : 9);
            count_games(&tree, node, steep ? at + 2 : at, 10, steep ? 0 : 6);
            count_games(&tree, node, at + 4, 10, steep ? 0 : 2);
        }
        book_tree_settle(&tree);
        const BeliefCurve curve = tree.model.curve;
        if (steep ? curve.scale > 0.45 || curve.lapse > 0.01 : !near(curve.scale, 2.3, 0.4))
            fail_msg("scale %g, lapse %g", curve.scale, curve.lapse);
        book_tree_free(&tree);
        game_free(game);
    }
}

/* Moves that won their few games by chance do not make a position better than its own games say. */
static void lucky_moves_do_not_lift_their_parent(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_book_tree(&game, 5, false);
    BookStanding standing;
    Error error;
    count_games(&tree, 0, 4, 40, 38);
    count_games(&tree, 0, 6, 80, 40);
    count_games(&tree, 0, 8, 40, 2);
    expand_node(&tree, 0);
    const int best = 2; /* no symmetry maps it to itself */
    count_games(&tree, best, 6, 40, 20);
    expand_node(&tree, best); /* here White is to move: a good move has few wins of Black */
    for (int i = 0; i < tree.nodes[best].edges; i++)
        count_games(&tree, tree.edges[tree.nodes[best].first_edge + i].node, 6, 2, i % 5 == 0 ? 0 : 1 + i % 2);
    book_tree_settle(&tree);
    assert_true(tree.nodes[best].inner && tree.nodes[best].edges > 50);
    assert_true(book_standing_begin(&standing, &tree, 7, 400, &error));
    if (standing.estimate[best] < 4 || standing.ci95[best].low < 2)
        fail_msg("%g [%g, %g]", standing.estimate[best], standing.ci95[best].low, standing.ci95[best].high);
    book_standing_end(&standing);
    book_tree_free(&tree);
    game_free(game);
}

/* A quarter more games than at the last time are needed to learn again, and a caller that wants it. */
static void learning_waits_for_games(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_book_tree(&game, 3, false);
    const double before = tree.model.curve.scale;
    count_games(&tree, 0, 4, 50, 50);
    count_games(&tree, 0, 6, 50, 0);
    book_tree_refresh(&tree, false);
    assert_true(tree.model.curve.scale == before);
    book_tree_refresh(&tree, true);
    const double steep = tree.model.curve.scale;
    assert_true(steep < 0.5 * before);
    count_games(&tree, 0, -10, 24, 12);
    book_tree_refresh(&tree, true);
    assert_true(tree.model.curve.scale == steep);
    count_games(&tree, 0, -10, 1, 0);
    book_tree_refresh(&tree, false);
    const double old_curve = komi_belief_mean(&tree.nodes[0].own);
    book_tree_refresh(&tree, true);
    assert_true(tree.model.curve.scale != steep);
    assert_true(komi_belief_mean(&tree.nodes[0].own) != old_curve); /* believed again by the new curve */
    book_tree_free(&tree);
    game_free(game);
}

/* A position is judged by its moves as soon as each has a game or is exact. */
static void judged_by_moves_that_were_looked_at(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_book_tree(&game, 2, true); /* with three classes of first moves */
    expand_node(&tree, 0);
    book_tree_bound(&tree, 1, (Interval){-1, -1});
    count_games(&tree, 2, 5, 1, 1);
    book_tree_refresh(&tree, false);
    assert_false(tree.nodes[0].inner);
    book_tree_bound(&tree, 3, (Interval){-2, 3});
    book_tree_refresh(&tree, false);
    assert_false(tree.nodes[0].inner);
    book_tree_bound(&tree, 3, (Interval){-2, -2});
    book_tree_refresh(&tree, false);
    assert_true(tree.nodes[0].inner && !tree.nodes[1].inner);
    book_tree_free(&tree);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_classes),
        cmocka_unit_test(transpositions_are_one),
        cmocka_unit_test(finished_games_are_exact),
        cmocka_unit_test(komi_stays_on_the_board),
        cmocka_unit_test(moves_are_believed_by_their_parent),
        cmocka_unit_test(spreads_are_learnt),
        cmocka_unit_test(curves_are_learnt),
        cmocka_unit_test(lucky_moves_do_not_lift_their_parent),
        cmocka_unit_test(learning_waits_for_games),
        cmocka_unit_test(judged_by_moves_that_were_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
