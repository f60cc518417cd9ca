/* What opening books answer: draws from what is believed of leaves, with minimax over them against brute force; rivals
 * of the best line; moves in their order; what the books of even and of odd komi say together. */
#include "engine/base/list.h"
#include "selfplay/runs/book/run.h"
#include "tests/support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- Draws ---- */

/* Adds a leaf to a made-up tree, which has no game and no table of keys: the root to an empty one, with parent -1, or a
 * child behind the edges of `parent`, which must be the last node that got edges. */
static int add(BookTree *tree, int parent, Side mover) {
    const int node = tree->count;
    assert_true(list_grow(&tree->nodes, &tree->capacity, node + 1, sizeof *tree->nodes) &&
                list_grow(&tree->edges, &tree->edge_capacity, node + 1, sizeof *tree->edges));
    const int plies = parent < 0 ? 0 : tree->nodes[parent].plies + 1;
    tree->nodes[tree->count++] = (BookNode){
        .parent = parent, .first_arm = -1, .plies = (int16_t)plies, .mover = (uint8_t)mover, .bounds = {-50, 50}};
    if (parent >= 0) {
        BookNode *from = &tree->nodes[parent];
        if (from->edges++ == 0)
            from->first_edge = tree->edge_count;
        from->inner = true;
        tree->edges[tree->edge_count++] = (BookEdge){node, (Action)node};
    }
    return node;
}

static void set_belief(BookTree *tree, int node, double from, double to) {
    KomiBelief *belief = &tree->nodes[node].belief;
    belief->start = from;
    belief->step = (to - from) / BELIEF_PLACES;
    for (int i = 0; i <= BELIEF_PLACES; i++)
        belief->below[i] = (float)i / BELIEF_PLACES;
}

/* A made-up tree: Black chooses between a leaf on [0, 2], and a node where White chooses between leaves on [1, 4] and
 * [0, 3]. By brute force: the distribution of max(A, min(B, C)) on a fine grid. */
static void draws_are_minimax(void **unused) {
    (void)unused;
    enum { GRID = 400, DRAWS = 4000 };
    BookTree tree = {.model.curve.scale = 1};
    BookStanding standing;
    Error error;
    add(&tree, -1, BLACK);
    const int a = add(&tree, 0, WHITE), white = add(&tree, 0, WHITE), b = add(&tree, white, BLACK),
              c = add(&tree, white, BLACK);
    set_belief(&tree, a, 0, 2);
    set_belief(&tree, b, 1, 4);
    set_belief(&tree, c, 0, 3);
    assert_true(book_standing_begin(&standing, &tree, 7, DRAWS, &error));
    double a_best = 0, b_best = 0, low = -1, middle = -1, high = -1;
    for (int i = 0; i < GRID; i++) { /* P(max < x) = P(A < x) (1 - P(B > x) P(C > x)) */
        const double x = 4.0 * (i + 0.5) / GRID, in_a = fmin(1, x / 2), in_b = fmin(1, fmax(0, (x - 1) / 3)),
                     in_c = fmin(1, x / 3), in_min = 1 - (1 - in_b) * (1 - in_c), below = in_a * in_min;
        a_best += x < 2 ? in_min * 4.0 / GRID / 2 : 0;     /* min(B, C) below A */
        b_best += x > 1 ? (1 - in_c) * 4.0 / GRID / 3 : 0; /* C above B */
        low = low < 0 && below > 0.025 ? x : low;
        middle = middle < 0 && below > 0.5 ? x : middle;
        high = high < 0 && below > 0.975 ? x : high;
    }
    assert_true(near(standing.ci95[0].low, low, 0.06) && near(standing.estimate[0], middle, 0.06) &&
                near(standing.ci95[0].high, high, 0.1));
    assert_true(near((double)standing.best[0] / DRAWS, a_best, 0.03));
    assert_true(near((double)standing.best[2] / DRAWS, b_best, 0.03));
    assert_int_equal(standing.best[0] + standing.best[1], DRAWS);
    assert_int_equal(book_standing_best(&standing, &tree, 0), 1);
    int above = 0;
    for (int i = 0; i < DRAWS; i++)
        above += standing.root[i] > standing.estimate[0];
    assert_int_equal(above, DRAWS / 2);
    assert_true(near(standing.estimate[c], 1.5, 1e-6) && near(standing.ci95[c].high, 2.925, 1e-6));
    book_standing_end(&standing);
    book_tree_free(&tree);
}

/* Of two moves that are proved to be equal, each is the best one in half of the draws. */
static void equal_moves_share_the_draws(void **unused) {
    (void)unused;
    enum { DRAWS = 100 };
    BookTree tree = {.model.curve.scale = 1};
    BookStanding standing;
    Error error;
    add(&tree, -1, BLACK);
    static const double values[] = {1, 5, 5, 1};
    for (int i = 0; i < 4; i++)
        set_belief(&tree, add(&tree, 0, WHITE), values[i], values[i]);
    assert_true(book_standing_begin(&standing, &tree, 7, DRAWS, &error));
    assert_true(standing.best[0] == 0 && standing.best[3] == 0);
    assert_true(standing.best[1] == DRAWS / 2 && standing.best[2] == DRAWS / 2);
    assert_true(standing.estimate[0] == 5);
    book_standing_end(&standing);
    book_tree_free(&tree);
}

/* A belief as good for Black as this one is for White. */
static void set_for(BookTree *tree, int node, Side side, double from, double to) {
    set_belief(tree, node, side == WHITE ? from : -to, side == WHITE ? to : -from);
}

/* The largest of many equal noisy leaves looks better than it is; the posterior knows how much, and the rival is the
 * one that is known least. */
static void see_rivals(Side side) {
    BookTree tree = {.model.curve.scale = 1};
    BookDraw draw;
    Error error;
    add(&tree, -1, side);
    const int best = add(&tree, 0, side_opponent(side)), wider = add(&tree, 0, side_opponent(side)),
              close = add(&tree, 0, side_opponent(side)), hopeless = add(&tree, 0, side_opponent(side));
    set_for(&tree, best, side, 0, 0.1);  /* White wants little */
    set_for(&tree, close, side, 0, 0.4); /* it reaches beyond the best one, too, but not as far */
    set_for(&tree, wider, side, -1, 90);
    set_for(&tree, hopeless, side, 5, 6);
    assert_true(book_draw_begin(&draw, &tree, 1, &error));
    for (int i = 0; i < 20; i++) {
        book_draw(&draw, (uint64_t)i);
        if (book_draw_leaf(&draw, 0) == best)
            assert_int_equal(book_draw_rival(&draw), wider);
    }
    set_for(&tree, wider, side, 8, 90);
    set_for(&tree, close, side, 0.2, 0.4);
    book_draw(&draw, 1);
    assert_int_equal(book_draw_leaf(&draw, 0), best);
    assert_int_equal(book_draw_rival(&draw), -1);
    book_draw_end(&draw);
    book_tree_free(&tree);
}

static void rivals_reach_the_farthest(void **unused) {
    (void)unused;
    see_rivals(BLACK);
    see_rivals(WHITE);
}

/* The moves of a position: the most probably best ones first, then by value, for White the lowest first. */
static void moves_are_sorted_for_their_side(void **unused) {
    (void)unused;
    static const int orders[2][4] = {{3, 1, 0, 2}, {1, 3, 2, 0}};
    for (Side side = BLACK; side <= WHITE; side++) {
        BookTree tree = {.model.curve.scale = 1};
        Error error;
        int best[] = {0, 5, 0, 5}, *edges;
        double estimate[] = {0, 3, 1, 2, 4};
        const BookStanding standing = {.draws = 10, .best = best, .estimate = estimate};
        add(&tree, -1, side);
        for (int i = 0; i < 4; i++)
            add(&tree, 0, side_opponent(side));
        assert_int_equal(book_sorted_edges(&tree, &standing, 0, &edges, &error), 4);
        assert_memory_equal(edges, orders[side], sizeof orders[side]);
        free(edges);
        book_tree_free(&tree);
    }
}

/* ---- Both books ---- */

enum { PAIR_DRAWS = 1001 };

/* What a book says in a made-up run: its root in draws from low to high, or a bracket. */
typedef struct Said {
    double low, high;
    bool bracket;
} Said;

static BookPair pair_of(const Said said[2], BookAnswer answers[2]) {
    static BookState state;
    static double roots[2][PAIR_DRAWS];
    Run run = {.state = &state, .group_count = 2};
    BookNode nodes[2] = {{.inner = false}, {.inner = false}};
    BookStanding standing[2];
    Interval intervals[2];
    double estimates[2];
    BookPair pair;
    Error error;
    for (int odd = 0; odd < 2; odd++) {
        const double range = said[odd].high - said[odd].low;
        for (int i = 0; i < PAIR_DRAWS; i++)
            roots[odd][i] = said[odd].low + range * i / (PAIR_DRAWS - 1);
        intervals[odd] = (Interval){said[odd].low, said[odd].high};
        estimates[odd] = said[odd].low + range / 2;
        state.books[odd].tree =
            (BookTree){.komi = odd, .nodes = &nodes[odd], .count = 1, .model.curve.scale = said[odd].bracket ? 0.1 : 1};
        standing[odd] = (BookStanding){
            .draws = PAIR_DRAWS, .ci95 = &intervals[odd], .estimate = &estimates[odd], .root = roots[odd]};
        answers[odd] = book_run_answer(&run, odd, &standing[odd]);
    }
    assert_true(book_run_pair(&run, standing, &pair, &error));
    return pair;
}

static void expect_interval(Interval interval, double low, double high) {
    if (!near(interval.low, low, 1e-6) || !near(interval.high, high, 1e-6))
        fail_msg("[%g, %g], expected [%g, %g]", interval.low, interval.high, low, high);
}

static void two_books_make_one_answer(void **unused) {
    (void)unused;
    BookAnswer answers[2];
    BookPair pair = pair_of((Said[]){{5, 7, false}, {4.5, 4.5, false}}, answers);
    expect_interval(answers[0].fair_komi.ci95, 5, 7); /* not rounded to komi values, but these are named */
    assert_true(answers[0].black_up_to == 4 && answers[0].white_from == 8 && answers[0].best == -1);
    assert_true(answers[1].black_up_to == 3 && answers[1].white_from == 5 && !answers[1].fair_komi.bracket);
    assert_true(near(pair.middle.estimate, 5.25, 1e-6) && !pair.middle.bracket);
    expect_interval(pair.middle.ci95, 4.775, 5.725);
    assert_true(pair.gap_known && near(pair.gap, 1.5, 1e-6));
    expect_interval(pair.gap_ci95, 0.55, 2.45);

    pair = pair_of((Said[]){{4, 6, true}, {5, 7, true}}, answers);
    assert_true(answers[0].fair_komi.bracket && answers[0].black_up_to == 4 && answers[0].white_from == 6);
    assert_true(answers[1].fair_komi.bracket && answers[1].black_up_to == 5 && answers[1].white_from == 7);
    assert_true(pair.middle.bracket && near(pair.middle.estimate, 5.5, 1e-6) && !pair.gap_known);
    expect_interval(pair.middle.ci95, 5, 6);

    pair = pair_of((Said[]){{4, 6, true}, {4.5, 5.5, false}}, answers);
    assert_true(!pair.middle.bracket && near(pair.middle.estimate, 5, 0.1) && !pair.gap_known);
    expect_interval(pair.middle.ci95, 4.25, 5.75);

    pair = pair_of((Said[]){{4.5, 5.5, false}, {5, 7, true}}, answers);
    assert_true(!pair.middle.bracket && !pair.gap_known);
    expect_interval(pair.middle.ci95, 4.75, 6.25);

    pair = pair_of((Said[]){{4, 6, true}, {7, 9, true}}, answers); /* they contradict each other */
    assert_true(!pair.middle.bracket && !pair.gap_known);
    expect_interval(pair.middle.ci95, 5.5, 7.5);

    pair = pair_of((Said[]){{7, 7, true}, {5, 7, true}}, answers); /* what is proved is no bracket */
    assert_true(!answers[0].fair_komi.bracket && answers[1].fair_komi.bracket && !pair.middle.bracket);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_minimax),         cmocka_unit_test(equal_moves_share_the_draws),
        cmocka_unit_test(rivals_reach_the_farthest), cmocka_unit_test(moves_are_sorted_for_their_side),
        cmocka_unit_test(two_books_make_one_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
