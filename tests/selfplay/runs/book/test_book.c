/* Opening books: what is believed of a leaf, minimax over draws against brute force, which moves are one, where games
 * go and what is expanded; the same games whatever interrupts a run; the value of a solved board; documents and SGF
 * that say what the records say. */
#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/io/file.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/runs/book/run.h"
#include "selfplay/runs/book/sgf.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const Interval wide = {-50, 50};

static bool near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

/* ---- Beliefs ---- */

/* The share of the posterior below a place and the log of its integral, by brute force on a fine grid. */
static double brute_below(const BookResult *results, int count, BookCurve curve, const BookPrior *prior, double place,
                          double *log_integral) {
    double below = 0, all = 0;
    const double step = 0.005;
    for (double x = prior->bounds.low + step / 2; x < prior->bounds.high; x += step) {
        const double d = (x - prior->location) / prior->scale;
        double weight = 1 / ((1 + d * d / 3) * (1 + d * d / 3));
        for (int i = 0; i < count; i++) {
            const double win = curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((results[i].komi - x) / curve.scale));
            weight *= pow(win, results[i].black_wins) * pow(1 - win, results[i].games - results[i].black_wins);
        }
        all += weight;
        below += x < place ? weight : 0;
    }
    *log_integral = log(all * step);
    return below / all;
}

static void beliefs_are_posteriors(void **unused) {
    (void)unused;
    static const BookResult one[] = {{4, 1, 1}}, step[] = {{4, 20, 20}, {6, 20, 0}},
                            mixed[] = {{-2, 10, 8}, {0, 20, 11}, {2, 5, 0}}, even[] = {{4, 40, 20}};
    static const struct {
        const BookResult *results;
        int count;
        BookCurve curve;
        BookPrior prior;
    } cases[] = {
        {NULL, 0, {1, 0.01}, {2, 2, {-50, 50}}},     {one, 1, {1, 0.01}, {-3, 2, {-50, 50}}},
        {step, 2, {0.25, 0.01}, {-3, 2, {-50, 50}}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-50, 50}}},
        {even, 1, {0.25, 0.001}, {0, 9, {-50, 50}}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-0.5, 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BookBelief belief;
        double expected;
        const double evidence = book_belief(&belief, cases[i].results, cases[i].count, cases[i].curve, &cases[i].prior);
        for (double q = 0.025; q < 1; q += 0.19) {
            const double below = brute_below(cases[i].results, cases[i].count, cases[i].curve, &cases[i].prior,
                                             book_belief_quantile(&belief, q), &expected);
            if (!near(below, q, 0.012))
                fail_msg("case %zu: %g of the posterior is below the quantile of %g", i, below, q);
        }
        assert_true(near(evidence, expected, 0.03));
        double mean = 0; /* of the quantiles */
        for (int k = 0; k < 1000; k++)
            mean += book_belief_quantile(&belief, (k + 0.5) / 1000) / 1000;
        assert_true(near(book_belief_mean(&belief), mean, 0.1 * belief.step));
    }
    BookBelief exact;
    const BookPrior known = {0, 2, {4.5, 4.5}};
    book_belief(&exact, step, 2, (BookCurve){1, 0.01}, &known);
    for (double q = 0; q <= 1; q += 0.25)
        assert_true(book_belief_quantile(&exact, q) == 4.5);
}

/* The median of the best of n draws: brute force by the share of all n that are below. */
static void priors_of_moves_are_calibrated(void **unused) {
    (void)unused;
    assert_true(near(book_best_of(1), 0, 1e-6));
    assert_true(near(book_best_of(40), 3.71, 0.02)); /* the 0.98282 quantile of Student's t with 3 degrees of freedom */
    for (int n = 2; n < 100; n++)
        assert_true(book_best_of(n) > book_best_of(n - 1));
}

static void curves_are_learnt(void **unused) {
    (void)unused;
    double evidence[BOOK_CURVES] = {0};
    const BookCurve before = book_curve_mean(evidence);
    assert_true(near(before.scale, 1, 1e-9));
    for (int steep = 0; steep < 2; steep++) { /* 30 positions at different places */
        for (int k = 0; k < BOOK_CURVES; k++) {
            evidence[k] = 0;
            for (int i = 0; i < 30; i++) {
                const BookResult step[] = {{i, 10, 10}, {i + 2, 10, 0}},
                                 flat[] = {{i - 4, 10, 9}, {i, 10, 6}, {i + 4, 10, 2}};
                const BookPrior prior = {i, 4, {-50, 90}};
                BookBelief unneeded;
                evidence[k] +=
                    book_belief(&unneeded, steep ? step : flat, steep ? 2 : 3, book_curve_candidate(k), &prior);
            }
        }
        const BookCurve curve = book_curve_mean(evidence);
        assert_true(steep ? curve.scale < 0.45 && curve.lapse < 0.01 : near(curve.scale, 2.3, 0.4));
    }
}

/* ---- Draws ---- */

/* Adds a leaf to a made-up tree, which has no game and no table of keys: the root to an empty one, with parent -1, or a
 * child behind the edges of `parent`, which must be the last node that got edges. */
static int add(BookTree *tree, int parent, Side mover) {
    const int node = tree->count;
    assert_true(list_grow(&tree->nodes, &tree->capacity, node + 1, sizeof *tree->nodes) &&
                list_grow(&tree->edges, &tree->edge_capacity, node + 1, sizeof *tree->edges));
    const int plies = parent < 0 ? 0 : tree->nodes[parent].plies + 1;
    tree->nodes[tree->count++] =
        (BookNode){.parent = parent, .first_arm = -1, .plies = (int16_t)plies, .mover = (uint8_t)mover, .bounds = wide};
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
    BookBelief *belief = &tree->nodes[node].belief;
    belief->start = from;
    belief->step = (to - from) / BOOK_PLACES;
    for (int i = 0; i <= BOOK_PLACES; i++)
        belief->below[i] = (float)i / BOOK_PLACES;
}

/* A made-up tree: Black chooses between a leaf on [0, 2], and a node where White chooses between leaves on [1, 4] and
 * [0, 3]. By brute force: the distribution of max(A, min(B, C)) on a fine grid. */
static void draws_are_minimax(void **unused) {
    (void)unused;
    enum { GRID = 400, DRAWS = 4000 };
    BookTree tree = {.curve.scale = 1};
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

/* A belief as good for Black as this one is for White. */
static void set_for(BookTree *tree, int node, Side side, double from, double to) {
    set_belief(tree, node, side == WHITE ? from : -to, side == WHITE ? to : -from);
}

/* The largest of many equal noisy leaves looks better than it is; the posterior knows how much, and the rival is the
 * one that is known least. */
static void see_rivals(Side side) {
    BookTree tree = {.curve.scale = 1};
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
        BookTree tree = {.curve.scale = 1};
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
            (BookTree){.komi = odd, .nodes = &nodes[odd], .count = 1, .curve.scale = said[odd].bracket ? 0.1 : 1};
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
    expect_interval(answers[0].ci95, 5, 7); /* not rounded to komi values, but these are named */
    assert_true(answers[0].black_up_to == 4 && answers[0].white_from == 8 && answers[0].best == -1);
    assert_true(answers[1].black_up_to == 3 && answers[1].white_from == 5 && !answers[1].bracket);
    assert_true(near(pair.middle, 5.25, 1e-6) && !pair.bracket);
    expect_interval(pair.middle_ci95, 4.775, 5.725);
    assert_true(pair.gap_known && near(pair.gap, 1.5, 1e-6));
    expect_interval(pair.gap_ci95, 0.55, 2.45);

    pair = pair_of((Said[]){{4, 6, true}, {5, 7, true}}, answers);
    assert_true(answers[0].bracket && answers[0].black_up_to == 4 && answers[0].white_from == 6);
    assert_true(answers[1].bracket && answers[1].black_up_to == 5 && answers[1].white_from == 7);
    assert_true(pair.bracket && near(pair.middle, 5.5, 1e-6) && !pair.gap_known);
    expect_interval(pair.middle_ci95, 5, 6);

    pair = pair_of((Said[]){{4, 6, true}, {4.5, 5.5, false}}, answers);
    assert_true(!pair.bracket && near(pair.middle, 5, 0.1) && !pair.gap_known);
    expect_interval(pair.middle_ci95, 4.25, 5.75);

    pair = pair_of((Said[]){{4.5, 5.5, false}, {5, 7, true}}, answers);
    assert_true(!pair.bracket && !pair.gap_known);
    expect_interval(pair.middle_ci95, 4.75, 6.25);

    pair = pair_of((Said[]){{4, 6, true}, {7, 9, true}}, answers); /* they contradict each other */
    assert_true(!pair.bracket && !pair.gap_known);
    expect_interval(pair.middle_ci95, 5.5, 7.5);

    pair = pair_of((Said[]){{7, 7, true}, {5, 7, true}}, answers); /* what is proved is no bracket */
    assert_true(!answers[0].bracket && answers[1].bracket && !pair.bracket);
}

/* ---- Positions ---- */

static BookTree new_tree(Game **game, int size, bool button) {
    BookTree tree;
    Error error;
    const GameOptions options = {.size = size};
    *game = game_new(&options, &error);
    assert_non_null(*game);
    assert_true(book_tree_begin(&tree, *game, button, &error));
    return tree;
}

static void expand(BookTree *tree, int node) {
    Error error;
    bool full = false;
    assert_true(book_tree_expand(tree, node, 100000, &full, &error));
    assert_false(full);
}

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
            BookTree tree = new_tree(&game, size, button);
            const int plies = size == 2 ? 3 : 2;
            for (int ply = 0, begin = 0; ply < plies; ply++) {
                const int end = tree.count;
                for (int node = begin; node < end; node++)
                    expand(&tree, node);
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
    BookTree tree = new_tree(&game, 2, false);
    for (int node = 0; node < tree.count && tree.nodes[node].plies < 6; node++)
        expand(&tree, node);
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
        BookTree tree = new_tree(&game, 2, button);
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
        BookTree tree = new_tree(&game, 2, button); /* of 7 cells */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            assert_int_equal(book_tree_komi(&tree, cases[i].place), button ? cases[i].odd : cases[i].even);
        assert_true(tree.nodes[0].bounds.low == -8 && tree.nodes[0].bounds.high == 8); /* where every game is decided */
        book_tree_free(&tree);
        game_free(game);
    }
}

/* ---- What is believed before the first game ---- */

/* Counts `games` games of a node at a komi, of which Black wins `wins`. */
static void count_games(BookTree *tree, int node, int komi, int games, int wins) {
    Error error;
    const int arm = book_tree_arm(tree, node, komi, &error);
    assert_true(arm >= 0);
    for (int i = 0; i < games; i++)
        book_tree_count(tree, arm, i < wins);
}

/* Counts games at two komi values, of which Black wins nearly all two points below a value, and few two points above.
 */
static void count_around(BookTree *tree, int node, int value, int games) {
    const int below = games / 2, above = games - below;
    count_games(tree, node, value - 2, below, below - (below + 10) / 20);
    count_games(tree, node, value + 2, above, (above + 10) / 20);
}

/* Expects of the children of a node that have no games: the best of them is believed to be worth as much as the node,
 * so that they spread around a place below it where Black is to move, and above it where White is. */
static void expect_priors(const BookTree *tree, int parent) {
    const BookNode *from = &tree->nodes[parent];
    const double value = book_belief_mean(&from->belief), below = tree->spread * book_best_of(from->edges);
    for (int i = 0; i < from->edges; i++) {
        const BookNode *child = &tree->nodes[tree->edges[from->first_edge + i].node];
        const BookPrior prior = {from->mover == BLACK ? value - below : value + below, tree->spread, child->bounds};
        BookBelief expected;
        book_belief(&expected, NULL, 0, tree->curve, &prior);
        for (double q = 0.1; q < 1 && child->games == 0; q += 0.2)
            assert_true(near(book_belief_quantile(&child->belief, q), book_belief_quantile(&expected, q), 1e-9));
    }
}

static void moves_are_believed_by_their_parent(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_tree(&game, 4, false);
    tree.spread = 0.7;
    count_games(&tree, 0, 4, 200, 100);
    expand(&tree, 0);
    count_games(&tree, 1, 2, 200, 100); /* the first move that has games */
    expand(&tree, 1);
    expand(&tree, 2);
    book_tree_refresh(&tree, false);
    assert_true(tree.nodes[0].mover == BLACK && tree.nodes[1].mover == WHITE);
    assert_true(near(book_belief_mean(&tree.nodes[0].belief), 4, 0.1));
    assert_true(near(book_belief_mean(&tree.nodes[1].belief), 2, 0.1));
    for (int node = 0; node < 3; node++)
        expect_priors(&tree, node);
    count_games(&tree, 0, 8, 800, 400); /* news of the root go down, also through positions without games */
    book_tree_refresh(&tree, false);
    assert_true(book_belief_mean(&tree.nodes[0].belief) > 5);
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
        BookTree tree = new_tree(&game, 5, false);
        const double spread = wide_ones ? 4 : 0.5;
        expand(&tree, 0);
        const int moves = tree.nodes[0].edges;
        const BookCurve curve = {0.5, 0.01};
        count_games(&tree, 0, 4, 100, 50);
        for (int i = 0; i < moves; i++) { /* evenly along Student's t, the best one at 4 */
            BookBelief prior;
            const BookPrior student = {4 - spread * book_best_of(moves), spread, {-50, 50}};
            book_belief(&prior, NULL, 0, curve, &student);
            const double value = book_belief_quantile(&prior, (i + 0.5) / moves);
            for (int komi = book_tree_komi(&tree, value) - 4, k = 0; k < 5; k++, komi += 2)
                count_games(
                    &tree, 1 + i, komi, 20,
                    (int)(20 * (curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((komi - value) / curve.scale))) + 0.5));
        }
        book_tree_settle(&tree);
        if (!near(log(tree.spread / spread), 0, 0.2) || !near(log(tree.curve.scale / curve.scale), 0, 0.3))
            fail_msg("spread %g, expected %g; scale %g", tree.spread, spread, tree.curve.scale);
        const double settled = tree.spread;
        tree.learnt = 0;
        book_tree_refresh(&tree, true); /* learnt once more, it stays */
        assert_true(near(tree.spread, settled, 0.003 * spread));
        book_tree_free(&tree);
        game_free(game);
    }
}

/* A quarter more games than at the last time are needed to learn again, and a caller that wants it. */
static void learning_waits_for_games(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_tree(&game, 3, false);
    const double before = tree.curve.scale;
    count_games(&tree, 0, 4, 50, 50);
    count_games(&tree, 0, 6, 50, 0);
    book_tree_refresh(&tree, false);
    assert_true(tree.curve.scale == before);
    book_tree_refresh(&tree, true);
    const double steep = tree.curve.scale;
    assert_true(steep < 0.5 * before);
    count_games(&tree, 0, -10, 24, 12);
    book_tree_refresh(&tree, true);
    assert_true(tree.curve.scale == steep);
    count_games(&tree, 0, -10, 1, 0);
    book_tree_refresh(&tree, false);
    const double old_curve = book_belief_mean(&tree.nodes[0].belief);
    book_tree_refresh(&tree, true);
    assert_true(tree.curve.scale != steep);
    assert_true(book_belief_mean(&tree.nodes[0].belief) != old_curve); /* believed again by the new curve */
    book_tree_free(&tree);
    game_free(game);
}

/* A position is judged by its moves as soon as each has a game or is exact. */
static void judged_by_moves_that_were_looked_at(void **unused) {
    (void)unused;
    Game *game;
    BookTree tree = new_tree(&game, 2, true); /* with three classes of first moves */
    expand(&tree, 0);
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

/* ---- Plans ---- */

/* Plans a round and plays it with perfect players of a made-up board: those whose first move is `good` are worth 5, all
 * others 1; whoever is ahead at the komi wins. */
static int play_made_up(BookTree *tree, const BookPlanSettings *settings, uint64_t seed, int good) {
    int *games, planned, sum = 0;
    bool full = false;
    Error error;
    assert_true(book_plan(tree, NULL, settings, seed, 32, &games, &planned, &full, &error));
    const int arms = tree->arm_count;
    for (int arm = 0; arm < arms; arm++)
        for (int k = 0; k < games[arm]; k++, sum++) {
            int node = tree->arms[arm].node;
            while (tree->nodes[node].plies > 1)
                node = tree->nodes[node].parent;
            book_tree_count(tree, arm, (node == good ? 5 : 1) > tree->arms[arm].result.komi);
        }
    assert_int_equal(sum, planned);
    free(games);
    return planned;
}

static void games_find_the_best_move(void **unused) {
    (void)unused;
    const BookPlanSettings settings = {.leaf_games = 20, .expand_share = 0.1, .nodes = 1000};
    Game *game;
    BookStanding standing;
    Error error;
    BookTree tree = new_tree(&game, 3, false);
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
        BookTree tree = new_tree(&game, 2, button);
        Solver *solver = book_plan_solver(game, &error);
        int *games, planned;
        bool full = false;
        assert_true(book_plan(&tree, solver, &settings, 1, 32, &games, &planned, &full, &error));
        assert_int_equal(planned, 0);
        assert_true(book_node_exact(&tree.nodes[0]) && tree.nodes[0].bounds.low == (button ? 6.5 : 7));
        free(games);
        solver_free(solver);
        book_tree_free(&tree);
        game_free(game);
    }
}

/* Plans a round without a solver; the caller frees the games. */
static int *plan(BookTree *tree, const BookPlanSettings *settings, int size, int *planned) {
    int *games;
    bool full = false;
    Error error;
    assert_true(book_plan(tree, NULL, settings, 1, size, &games, planned, &full, &error));
    return games;
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
        BookTree tree = new_tree(&game, 3, false);
        int planned;
        expand(&tree, 0);
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
    BookTree tree = new_tree(&game, 3, false);
    int planned;
    count_games(&tree, 0, -6, 10, 6);
    count_games(&tree, 0, 12, 10, 4);
    int *games = plan(&tree, &settings, 4, &planned);
    const BookBelief *belief = &tree.nodes[0].belief;
    const int low = book_tree_komi(&tree, book_belief_quantile(belief, 0.25)),
              high = book_tree_komi(&tree, book_belief_quantile(belief, 0.75));
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
    BookTree tree = new_tree(&game, 3, false);
    int planned, by_node[5] = {0};
    expand(&tree, 0);
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
    BookTree tree = new_tree(&game, 2, true);
    Solver *solver = book_plan_solver(game, &error);
    BookStanding standing;
    int *games, planned;
    bool full = false;
    tree.nodes[0].asked = true; /* it could not decide the root */
    count_games(&tree, 0, 5, 10, 5);
    assert_true(book_plan(&tree, solver, &settings, 1, 32, &games, &planned, &full, &error));
    assert_int_equal(planned, 0);
    for (int node = 1; node < tree.count; node++)
        assert_true(book_node_exact(&tree.nodes[node]));
    assert_true(book_standing_begin(&standing, &tree, 1, 10, &error));
    assert_true(standing.estimate[0] == 6.5 && standing.ci95[0].low == 6.5 && standing.ci95[0].high == 6.5);
    book_standing_end(&standing);
    free(games);
    solver_free(solver);
    book_tree_free(&tree);
    game_free(game);
}

/* ---- Runs ---- */

static BookConfig small_config(void) {
    BookConfig config = book_config_default(2);
    Error error;
    config.simulations = 100;
    config.run.games = 80;
    config.run.first_round = 24;
    config.plan.leaf_games = 12;
    config.plan.solver_nodes = 0;
    cJSON *player = cJSON_Parse("{\"network\": \"none\", \"memory_mb\": 1, \"search\": {\"solver_share\": 0}}");
    assert_true(player_from_json(player, "test", &config.player, &error));
    cJSON_Delete(player);
    return config;
}

static Run *open_book(const BookConfig *config) {
    return open_run(&book_kind, &config->run, records_path);
}

static void play(const BookConfig *config, int *played) {
    assert_int_equal(play_run(&book_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.simulations = 5;
    config.run.games = 60;
    expect_same_records(&book_kind, &config.run, records_path, 120, 40, 80);
    drop_files(NULL);
    config.run.size = 3;
    config.plan.solver_nodes = 300; /* some answers, some bounds */
    config.even = false;
    expect_same_records(&book_kind, &config.run, records_path, 60, 30, 30);
}

/* hexhex-2 is worth 7, and 6.5 with the button, to perfect players. */
static void a_solved_board_is_found(void **unused) {
    (void)unused;
    const BookConfig config = small_config();
    play(&config, NULL);
    Run *run = open_book(&config);
    for (int group = 0; group < 2; group++) {
        BookStanding standing;
        Error error;
        Action line[BOOK_PLIES_MAX];
        char text[GAME_TEXT_MAX];
        GameState start;
        int leaf;
        assert_true(book_run_standing(run, group, 500, &standing, &error));
        const BookAnswer answer = book_run_answer(run, group, &standing);
        assert_int_equal(answer.black_up_to, group ? 5 : 6);
        assert_int_equal(answer.white_from, group ? 7 : 8);
        assert_true(answer.probability > 0.95);
        assert_true(book_run_line(run, group, &standing, line, &leaf) > 1);
        run->game->rules->start(run->game, &start, group);
        run->game->rules->format(run->game, &start, line[0], text);
        assert_string_equal(text, "b2");
        assert_int_equal(run->groups[group].played, 80);
        book_standing_end(&standing);
    }
    run_free(run);
}

static void exact_books_need_no_games(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.plan.solver_nodes = 20000;
    int played;
    Error error;
    Run *run = open_book(&config);
    assert_int_equal(play_open_run(run, 1, 0, &played), RUN_DONE);
    assert_int_equal(played, 0);
    char *sgf = book_run_sgf(run, &error);
    assert_true(sgf && strstr(sgf, "Fair komi 7, proved") && strstr(sgf, "Fair komi 6.5, proved"));
    free(sgf);
    run_free(run);
}

static void narrow_books_end(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.run.games = 100000;
    config.until_width = 3;
    config.odd = false;
    int played;
    play(&config, &played);
    assert_in_range(played, 24, 2000);
    BookStanding standing;
    Error error;
    Run *run = open_book(&config);
    assert_true(book_run_standing(run, 0, BOOK_RESULT_DRAWS, &standing, &error));
    assert_true(standing.ci95[0].high - standing.ci95[0].low < 3);
    book_standing_end(&standing);
    run_free(run);
}

/* A game begins with the line to its position, in all images of the board, and one player plays both sides. */
static void lines_are_turned(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.simulations = 5;
    play(&config, NULL);
    Run *run = open_book(&config);
    for (int group = 0; group < 2; group++) {
        const BookTree *tree = &book_state(run)->books[group].tree;
        int images[2] = {0}; /* of the last moves of lines, as bits; without turns they would be fewer */
        for (int i = 0; i < run->groups[group].planned; i++) {
            RunStart start = {.plays_itself = false};
            const GameId id = {.group = group, .number = i};
            const BookArm *arm = &tree->arms[run_place(run, id)->plan];
            run->kind->by_results->start(run, id, &start);
            assert_true(start.plays_itself && start.komi == arm->result.komi && komi_has_button(start.komi) == group);
            assert_int_equal(start.opening_actions, tree->nodes[arm->node].plies);
            assert_true(start.players[BLACK].simulations == 5 && start.players[WHITE].simulations == 5);
            if (start.opening_actions > 0 && start.opening[start.opening_actions - 1] < 32)
                images[0] |= 1 << start.opening[start.opening_actions - 1];
        }
        for (; images[0]; images[0] &= images[0] - 1)
            images[1]++;
        assert_in_range(images[1], 7, 32);
    }
    run_free(run);
}

/* ---- What does not belong together ---- */

static void expect_refused(const BookConfig *config, const char *word) {
    expect_run_refused(&book_kind, &config->run, records_path, word);
}

static void foreign_records_are_refused(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.simulations = 5;
    config.run.games = 60;
    play(&config, NULL);
    BookConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.simulations = 6;
    expect_refused(&other, "another run");
    other = config;
    other.plan.leaf_games = 13;
    expect_refused(&other, "another run");
    other = config;
    strcpy(other.run.game, "bug");
    expect_refused(&other, "bug is played without komi");
    char *text = read_text(records_path);
    drop_checksums(text);
    char *second = strchr(text, '\n') + 1;
    write_text(records_path, second); /* without the first line the second round has no first one */
    expect_refused(&config, "not complete");
    /* The first game of the third round goes on as another game of it does. */
    char *late = strstr(text, "\"id\":\"even-48\""), *end = strchr(late, '\n'), *next = end + 1;
    char *moves = strstr(late, "\"opening\":"), *komi = strstr(late, "\"komi\":");
    assert_true(moves && moves < end && komi && komi < end && next[0] == '{');
    moves[10] = '9'; /* claims another opening */
    write_text(records_path, text);
    expect_refused(&config, "does not begin as planned");
    free(text);
}

static void a_full_book_goes_on(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    config.simulations = 5;
    config.run.games = 100;
    config.plan.nodes = 8;
    play(&config, NULL);
    Run *run = open_book(&config);
    assert_true(book_state(run)->books[0].full && book_state(run)->books[0].tree.count == 3);
    run_free(run);
}

/* ---- The document ---- */

static const cJSON *at(const cJSON *json, const char *key) {
    const cJSON *item = json_get(json, key);
    if (!item)
        fail_msg("'%s' is missing", key);
    return item;
}

static double number_at(const cJSON *json, const char *key) {
    assert_true(cJSON_IsNumber(at(json, key)));
    return at(json, key)->valuedouble;
}

/* The children of a position: the most probable ones first, among equals the better ones for the mover. */
static void check_children(const cJSON *node, const cJSON *nodes) {
    const cJSON *child, *other;
    const double sign = !strcmp(at(node, "to_move")->valuestring, "B") ? 1 : -1;
    double before = 2, value_before = 0;
    cJSON_ArrayForEach(child, at(node, "children")) {
        const double probability = number_at(child, "probability");
        double value = 0;
        cJSON_ArrayForEach(other, nodes) if (number_at(other, "node") == number_at(child, "node")) value =
            sign * number_at(other, "fair_komi");
        assert_true(probability < before || (probability == before && value <= value_before));
        before = probability;
        value_before = value;
    }
}

static void check_nodes(const cJSON *book) {
    const cJSON *node, *child, *result, *nodes = at(book, "nodes");
    double games = 0, different = 0;
    assert_true(number_at(nodes->child, "games_through") == number_at(book, "games"));
    cJSON_ArrayForEach(node, nodes) {
        double here = 0, probability = 0;
        cJSON_ArrayForEach(result, at(node, "results")) here += cJSON_GetArrayItem(result, 1)->valuedouble;
        assert_true(here == number_at(node, "games") && number_at(node, "different_games") <= here);
        assert_true(cJSON_GetArrayItem(at(node, "ci95"), 0)->valuedouble <= number_at(node, "fair_komi"));
        assert_true(number_at(node, "games_through") >= here);
        games += here;
        different += number_at(node, "different_games");
        if (!cJSON_HasObjectItem(node, "children"))
            continue;
        check_children(node, nodes);
        cJSON_ArrayForEach(child, at(node, "children")) probability += number_at(child, "probability");
        assert_true(near(probability, 1, number_at(node, "unplayed") > 0 ? 1 : 0.01));
    }
    assert_true(games == number_at(book, "games"));
    assert_true(different == number_at(book, "different_games") && different < games); /* on a board of 7 cells */
}

/* What a book says of all its positions follows from what it says of each. */
static void check_counts(const cJSON *book, int leaf_games) {
    const cJSON *node, *result, *move;
    int inner = 0, judged = 0, exact = 0, deepest = 0;
    cJSON_ArrayForEach(node, at(book, "nodes")) {
        const char *line = at(node, "line")->valuestring;
        const bool expanded = cJSON_HasObjectItem(node, "children");
        int plies = *line != '\0', komi = -100;
        for (const char *c = line; *c; c++)
            plies += *c == ' ';
        inner += expanded;
        judged += !expanded && number_at(node, "games") >= leaf_games;
        exact += cJSON_IsTrue(at(node, "exact"));
        deepest = number_at(node, "games") > 0 && plies > deepest ? plies : deepest;
        if (!cJSON_IsNull(at(node, "to_move")))
            assert_string_equal(at(node, "to_move")->valuestring, plies % 2 ? "W" : "B");
        cJSON_ArrayForEach(result, at(node, "results")) {
            assert_true(cJSON_GetArrayItem(result, 0)->valueint > komi);
            komi = cJSON_GetArrayItem(result, 0)->valueint;
        }
    }
    assert_true(number_at(book, "inner") == inner && number_at(book, "judged") == judged);
    assert_true(number_at(book, "exact") == exact && number_at(book, "deepest") == deepest);
    const cJSON *child = at(at(book, "nodes")->child, "children")->child;
    assert_true(number_at(at(book, "nodes")->child, "unplayed") == 0);
    cJSON_ArrayForEach(move, at(book, "first_moves")) { /* as the positions that they lead to */
        cJSON_ArrayForEach(node, at(book, "nodes")) if (number_at(node, "node") == number_at(move, "node")) {
            static const char *const same[] = {"games", "games_through", "fair_komi"};
            for (int i = 0; i < 3; i++)
                assert_true(number_at(move, same[i]) == number_at(node, same[i]));
            assert_true(cJSON_Compare(at(move, "ci95"), at(node, "ci95"), true));
        }
        assert_true(number_at(move, "probability") == number_at(child, "probability"));
        child = child->next;
    }
}

/* The best line is legal from the start, and ends in a leaf that it leads to on the board as it is shown. */
static void check_best_line(const Run *run, int group) {
    BookStanding standing;
    Error error;
    Action line[BOOK_PLIES_MAX];
    GameState state;
    int leaf;
    const BookTree *tree = &book_state(run)->books[group].tree;
    assert_true(book_run_standing(run, group, 500, &standing, &error));
    const int count = book_run_line(run, group, &standing, line, &leaf);
    run->game->rules->start(run->game, &state, group);
    for (int i = 0; i < count; i++) {
        assert_true(game_is_legal(run->game, &state, line[i]));
        run->game->rules->apply(run->game, &state, line[i]);
    }
    GameState image;
    Action shown[BOOK_PLIES_MAX];
    run->game->rules->start(run->game, &image, group);
    for (int i = 0, plies = book_tree_line(tree, leaf, book_tree_image(tree, leaf, &state), shown); i < plies; i++)
        run->game->rules->apply(run->game, &image, shown[i]);
    assert_true(run->game->rules->hash(&image) == run->game->rules->hash(&state));
    assert_false(tree->nodes[leaf].inner);
    book_standing_end(&standing);
}

/* An SGF file has each move of the book once. What follows a position stands at one place, and at the others that it
 * can be reached is said that it does. */
static void check_sgf(const GameTree *sgf, const cJSON *book) {
    int edges = 0, expanded = 0, to_expanded = 0, elsewhere = 0;
    const cJSON *node, *child, *other, *nodes = at(book, "nodes");
    cJSON_ArrayForEach(node, nodes) {
        expanded += cJSON_HasObjectItem(node, "children");
        cJSON_ArrayForEach(child, json_get(node, "children")) {
            edges++;
            cJSON_ArrayForEach(other, nodes) if (number_at(other, "node") == number_at(child, "node")) to_expanded +=
                cJSON_HasObjectItem(other, "children");
        }
    }
    assert_int_equal(sgf->count - 1, edges);
    for (int i = 0; i < sgf->count; i++)
        if (strstr(sgf->nodes[i].comment, "Another order of moves")) {
            assert_int_equal(sgf->nodes[i].first_child, -1);
            elsewhere++;
        }
    assert_int_equal(elsewhere, to_expanded - (expanded - 1)); /* the root is reached in no way */
    char text[100];
    snprintf(text, sizeof text, ", %.0f games through here", number_at(nodes->child, "games_through"));
    assert_non_null(strstr(sgf->nodes[0].comment, text));
    int at_child = sgf->nodes[0].first_child;
    cJSON_ArrayForEach(child, at(nodes->child, "children")) {
        assert_string_equal(sgf->nodes[at_child].turn, at(child, "move")->valuestring);
        snprintf(text, sizeof text, ", the best move with %.0f%%", 100 * number_at(child, "probability"));
        assert_non_null(strstr(sgf->nodes[at_child].comment, text));
        at_child = sgf->nodes[at_child].next_sibling;
    }
}

static void document_is_complete(void **unused) {
    (void)unused;
    static const char *const keys[] = {"schema",   "program",  "game",    "size",    "player", "seed",
                                       "run",      "settings", "started", "seconds", "games",  "different_games",
                                       "combined", "exact"};
    const BookConfig config = small_config();
    const DocumentContext context = document_context();
    Error error;
    play(&config, NULL);
    Run *run = open_book(&config); /* from the records alone */
    cJSON *json = run->kind->document(run, &context, &error);
    assert_non_null(json);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        at(json, keys[i]);
    assert_true(number_at(json, "games") == 160);
    /* Even komi says (6, 8) and odd komi (5, 7), so they share (6, 7), and nothing is known of how far they are apart.
     */
    assert_true(cJSON_IsTrue(at(at(json, "combined"), "bracket")));
    assert_true(cJSON_GetArrayItem(at(at(json, "combined"), "ci95"), 0)->valuedouble == 6);
    assert_true(cJSON_GetArrayItem(at(at(json, "combined"), "ci95"), 1)->valuedouble == 7);
    assert_false(cJSON_HasObjectItem(json, "gap"));
    const cJSON *book, *move;
    cJSON_ArrayForEach(book, at(json, "books")) {
        const bool odd = !strcmp(at(book, "parity")->valuestring, "odd");
        double moves = 0, probability = 0, through = 0;
        check_nodes(book);
        check_counts(book, (int)config.plan.leaf_games);
        check_best_line(run, odd);
        assert_true(number_at(book, "black_wins_up_to") == (odd ? 5 : 6));
        assert_true(number_at(book, "white_wins_from") == (odd ? 7 : 8));
        assert_int_equal(cJSON_GetArraySize(at(book, "first_moves")), odd ? 3 : 2);
        cJSON_ArrayForEach(move, at(book, "first_moves")) {
            moves += cJSON_GetArraySize(at(move, "moves"));
            probability += number_at(move, "probability");
            through += number_at(move, "games_through");
        }
        assert_true(through + number_at(at(book, "nodes")->child, "games") == number_at(book, "games"));
        assert_true(moves == (odd ? 8 : 7) && near(probability, 1, 1e-3));
        assert_string_equal(at(at(book, "best"), "move")->valuestring, "b2");
        assert_memory_equal(at(book, "line")->valuestring, "b2 ", 3);
    }
    char *sgf = book_run_sgf(run, &error);
    assert_non_null(sgf);
    GameTree *tree = game_tree_read(sgf, strlen(sgf), "test", &(GameOptions){.size = 2}, &error);
    assert_non_null(tree);
    assert_true(tree->count > 5 && tree->komi >= 6 && strstr(tree->nodes[0].comment, "Fair komi"));
    assert_string_equal(tree->nodes[1].turn, "b2");
    check_sgf(tree, at(json, "books")->child);
    assert_true(tree->komi % 2 == 0);
    assert_non_null(strstr(strstr(sgf, "KM[") + 1, "KM[")); /* the book of odd komi follows */
    game_tree_free(tree);
    free(sgf);
    cJSON_Delete(json);
    run_free(run);
}

static void other_documents_are_refused(void **unused) {
    (void)unused;
    BookConfig config = small_config();
    Error error;
    DocumentContext context = document_context(), read;
    Run *run = open_book(&config); /* without games */
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    assert_true(resumes(&book_kind, &config.run, result_path, &read, &error));
    config.simulations++;
    assert_false(resumes(&book_kind, &config.run, result_path, &read, &error));
    assert_non_null(strstr(error.text, "'player."));
    write_text(result_path, "{\"schema\": {\"name\": \"other\"}}");
    assert_false(resumes(&book_kind, &config.run, result_path, &read, &error));
    assert_non_null(strstr(error.text, "not a result of an opening book"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_posteriors),
        cmocka_unit_test(priors_of_moves_are_calibrated),
        cmocka_unit_test(curves_are_learnt),
        cmocka_unit_test(draws_are_minimax),
        cmocka_unit_test(rivals_reach_the_farthest),
        cmocka_unit_test(moves_are_sorted_for_their_side),
        cmocka_unit_test(two_books_make_one_answer),
        cmocka_unit_test(positions_are_classes),
        cmocka_unit_test(transpositions_are_one),
        cmocka_unit_test(finished_games_are_exact),
        cmocka_unit_test(komi_stays_on_the_board),
        cmocka_unit_test(moves_are_believed_by_their_parent),
        cmocka_unit_test(spreads_are_learnt),
        cmocka_unit_test(learning_waits_for_games),
        cmocka_unit_test(judged_by_moves_that_were_looked_at),
        cmocka_unit_test(games_find_the_best_move),
        cmocka_unit_test(solver_answers_cost_no_games),
        cmocka_unit_test(ripe_leaves_are_expanded),
        cmocka_unit_test(new_positions_are_looked_at),
        cmocka_unit_test(rivals_are_played_at_the_value_of_the_root),
        cmocka_unit_test(solver_decides_new_positions),
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(a_solved_board_is_found, drop_files),
        cmocka_unit_test_teardown(exact_books_need_no_games, drop_files),
        cmocka_unit_test_teardown(narrow_books_end, drop_files),
        cmocka_unit_test_teardown(lines_are_turned, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(a_full_book_goes_on, drop_files),
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
