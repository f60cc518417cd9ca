/* Searches with PUCT and with evaluators other than playouts. One test evaluator says what a test wants, or asks the
 * exact solver. The tests check from its side what the interface promises to evaluators. */
#include "engine/base/rng.h"
#include "engine/eval/mixed.h"
#include "engine/eval/playouts.h"
#include "engine/game/planes.h"
#include "engine/games/registry.h"
#include "engine/search/puct.h"
#include "engine/search/search.h"
#include "engine/solver/solver.h"
#include "tests/support/search_start.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static Game *new_game(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

/* ---- The evaluator of these tests ---- */

typedef struct TestEvaluator {
    Evaluator evaluator; /* first */
    bool exact;          /* asks the solver for the winner; otherwise every position is even */
    float favour;        /* the logit of the action `favourite`; other actions have 0 */
    float even;          /* the chance of Black in every position that is not asked for; 0: 0.5 */
    float noise;         /* by which that differs at random, either way, if Black's stone is on the cell `favourite` */
    float points;        /* by which the margin is better for Black if Black's stone is on the cell `favourite` */
    Action favourite;
    bool slow;        /* takes a millisecond, so that several threads are at it together */
    int contexts_max; /* no more contexts can be made */
    /* What happened so far: */
    atomic_int made, freed, calls, leaves, largest, broken;
} TestEvaluator;

typedef struct TestContext {
    TestEvaluator *evaluator;
    const Game *game;
    Solver *solver;   /* if `exact` */
    atomic_bool busy; /* a thread is using it */
} TestContext;

static void *new_context(const Evaluator *evaluator, const Game *game, Error *error) {
    TestEvaluator *self = (TestEvaluator *)evaluator;
    TestContext *context = NULL;
    if (atomic_load(&self->made) < self->contexts_max)
        context = calloc(1, sizeof *context);
    if (!context) {
        error_set(error, "the test wants no more contexts");
        return NULL;
    }
    context->evaluator = self;
    context->game = game;
    if (self->exact)
        context->solver = solver_new(game, &(SolverOptions){.memory = 4 << 20, .threads = 1}, error);
    atomic_fetch_add(&self->made, 1);
    return context;
}

static void free_context(void *context_of_test) {
    TestContext *context = context_of_test;
    atomic_fetch_add(&context->evaluator->freed, 1);
    solver_free(context->solver);
    free(context);
}

static float exact_chance(TestContext *context, const GameState *state) {
    const int threshold = 2 * context->game->rules->komi(state) + 1;
    return solver_compare(context->solver, state, threshold, NULL).lower_half_points >= threshold ? 0.9f : 0.1f;
}

/* Whether a leaf is as evaluator.h promises: the stones are on the cells of the last placements. */
static bool leaf_is_sound(const TestContext *context, const Leaf *leaf) {
    const Game *game = context->game;
    Action legal[GAME_LEGAL_MAX];
    uint8_t stones[HEXHEX_MAX_CELLS];
    if (game->rules->over(leaf->state))
        return false;
    if (!context->evaluator->evaluator.has_policy)
        return !leaf->history && !leaf->actions && leaf->action_count == 0;
    const int count = game->rules->legal(game, leaf->state, legal);
    if (leaf->action_count != count || memcmp(legal, leaf->actions, (size_t)count * sizeof *legal) != 0)
        return false;
    game->rules->stones(game, leaf->state, stones);
    for (int i = 0; i < leaf->history->known; i++) {
        int cell;
        const char *kind = game->rules->action_kind(game, leaf->history->last[i], &cell);
        if (!strcmp(kind, "place") && !stones[cell])
            return false;
    }
    return true;
}

/* 0, or 1 for a black and 2 for a white stone. */
static int stone_at(const TestContext *context, const GameState *state, int cell) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    context->game->rules->stones(context->game, state, stones);
    return stones[cell];
}

static void evaluate(void *context_of_test, const Leaf *leaves, int count, Evaluation *out) {
    TestContext *context = context_of_test;
    TestEvaluator *self = context->evaluator;
    const bool was_busy = atomic_exchange(&context->busy, true);
    if (was_busy || count < 1 || count > self->evaluator.batch)
        atomic_fetch_add(&self->broken, 1);
    atomic_fetch_add(&self->calls, 1);
    atomic_fetch_add(&self->leaves, count);
    if (count > atomic_load(&self->largest))
        atomic_store(&self->largest, count);
    if (self->slow)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    memset(out, 0xff, (size_t)count * sizeof *out); /* what is not promised must not be usable */
    for (int i = 0; i < count; i++) {
        if (!leaf_is_sound(context, &leaves[i]))
            atomic_fetch_add(&self->broken, 1);
        out[i].black = self->exact ? exact_chance(context, leaves[i].state) : self->even > 0 ? self->even : 0.5f;
        const bool favoured = stone_at(context, leaves[i].state, self->favourite) == 1;
        out[i].black += favoured ? (leaves[i].seed % 2 ? self->noise : -self->noise) : 0;
        out[i].margin = 3 + (favoured ? self->points : 0);
        for (int c = 0; c < context->game->board.cells && self->evaluator.has_owners; c++)
            out[i].owners[c] = 0.25f;
        for (int a = 0; a < leaves[i].action_count; a++)
            out[i].logits[a] = leaves[i].actions[a] == self->favourite ? self->favour : 0;
    }
    atomic_store(&context->busy, false);
}

static TestEvaluator test_evaluator(int batch) {
    return (TestEvaluator){.evaluator = {.name = "test",
                                         .has_policy = true,
                                         .batch = batch,
                                         .solver_positions = 8,
                                         .new_context = new_context,
                                         .free_context = free_context,
                                         .evaluate = evaluate},
                           .contexts_max = SEARCH_THREADS_MAX};
}

static SearchOptions puct_options(const TestEvaluator *evaluator, int threads) {
    SearchOptions options = {.params = search_default_params(),
                             .evaluator = evaluator ? &evaluator->evaluator : NULL,
                             .threads = threads,
                             .memory = 16 << 20,
                             .seed = 5};
    options.params.all_images = 1; /* the test evaluator has favourites */
    options.params.selection = SELECTION_PUCT;
    options.params.solver_share = 0;
    return options;
}

static Search *new_search(const Game *game, const SearchOptions *options) {
    Error error;
    Search *search = search_new(game, options, &error);
    assert_non_null(search);
    return search;
}

static uint64_t visits_of(const Search *search, Action action) {
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        if (moves[i].action == action)
            return moves[i].visits;
    return 0;
}

/* ---- PUCT ---- */

/* The value of each edge by the definition in puct.h, in double precision. */
static void values_by_definition(const PuctParams *params, const Node *node, const Edge *edges, double *values) {
    double visits = 0, won = 0, visited_prior = 0, margins = 0;
    for (int i = 0; i < node->edges; i++) {
        visits += edge_visits(&edges[i]);
        margins += edge_visits(&edges[i]) * (double)edges[i].margin;
        won += (double)stats_value(edges[i].stats) / TREE_VALUE_ONE;
        visited_prior += edge_visits(&edges[i]) ? (double)edges[i].prior : 0;
    }
    const double urgency =
        fmax(0, ((double)node->value + won) / (1 + visits) - (double)params->fpu_reduction * sqrt(visited_prior));
    for (int i = 0; i < node->edges; i++) {
        const double n = edge_visits(&edges[i]), noise = (double)(edges[i].rave >> 32);
        const double wins = (double)stats_value(edges[i].stats) / TREE_VALUE_ONE + (double)(uint32_t)edges[i].rave;
        const double q = n + noise > 0 ? wins / (n + noise) : urgency;
        const double better = (node->side == BLACK ? 1 : -1) * ((double)edges[i].margin - margins / fmax(visits, 1));
        const double utility = (double)params->score * better / ((double)params->score_scale + fabs(better));
        values[i] = q + (n > 0 ? utility : 0) +
                    (double)params->exploration * (double)edges[i].prior * sqrt(1 + visits) / (1 + n);
    }
}

/* A node with sorted edges, some of which have been taken, or have noise or a proof. */
static void random_node(Node *node, Edge *edges, Rng *rng) {
    *node = (Node){.edges = (uint16_t)(1 + rng_below(rng, 100)),
                   .side = (uint8_t)rng_below(rng, 2),
                   .value = (float)rng_below(rng, 101) / 100};
    Action actions[100];
    float priors[100];
    for (int i = 0; i < node->edges; i++) {
        actions[i] = (Action)i;
        priors[i] = (float)rng_below(rng, 100) / (50.0f * (float)node->edges);
    }
    puct_sort(actions, priors, node->edges);
    for (int i = 0; i < node->edges; i++)
        edges[i] = (Edge){.prior = priors[i], .action = actions[i]};
    const int taken = (int)rng_below(rng, rng_below(rng, 2) ? 8 : node->edges + 1u);
    for (int i = 0; i < taken && i < node->edges; i++) {
        const uint32_t visits = rng_below(rng, 3) ? rng_below(rng, 50) : 0, noise = rng_below(rng, 4) ? 0 : 8;
        edges[i].stats = (uint64_t)visits << TREE_VALUE_BITS | (uint64_t)rng_below(rng, visits + 1) * TREE_VALUE_ONE;
        edges[i].rave = (uint64_t)noise << 32 | rng_below(rng, noise + 1);
        edges[i].margin = (float)rng_below(rng, 41) - 20;
        edges[i].proven = rng_below(rng, 20) ? PROVEN_NOT : PROVEN_LOSS;
        puct_note_taken(node, i);
    }
}

static void puct_chooses_by_its_formula(void **unused) {
    (void)unused;
    static const PuctParams params[] = {{0.8f, 0.2f, 0, 1}, {2, 0, 0.4f, 8}, {0, 0.5f, 1, 3}};
    Node node;
    Edge edges[100];
    double values[100];
    Rng rng = rng_seed(3);
    for (int trial = 0; trial < 10000; trial++) {
        random_node(&node, edges, &rng);
        const PuctParams *with = &params[trial % 3];
        const int near = node.edges < PUCT_NEAR ? node.edges : PUCT_NEAR;
        const Edges all = {.near = edges, .far = edges + near, .near_count = near, .count = node.edges};
        const int best = puct_best(with, &node, &all);
        values_by_definition(with, &node, edges, values);
        double highest = -HUGE_VAL;
        for (int i = 0; i < node.edges; i++)
            if (edge_proven(&edges[i]) != PROVEN_LOSS)
                highest = fmax(highest, values[i]);
        const bool any = highest > -HUGE_VAL;
        assert_true(any ? edge_proven(&edges[best]) == PROVEN_NOT && values[best] > highest - 1e-5 : best == 0);
        edges[node.edges / 2].proven = PROVEN_WIN;
        puct_note_taken(&node, node.edges / 2);
        assert_int_equal(puct_best(with, &node, &all), node.edges / 2);
    }
}

/* What one thread notes, another one that is at it at the same time does not take back. */
static void notes_of_threads_stay(void **unused) {
    (void)unused;
    enum { ROUNDS = 200, EDGES = 20000 };
    int lost = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Node node = {.edges = EDGES};
#pragma omp parallel for num_threads(2) schedule(static, 1) reduction(+ : lost)
        for (int thread = 0; thread < 2; thread++)
            for (int i = thread; i < EDGES; i += 2) {
                puct_note_taken(&node, i);
                lost += atomic_load_explicit(&node.taken, memory_order_relaxed) <= i;
            }
    }
    assert_int_equal(lost, 0);
}

/* The edges with the highest priors come first, in order; none is lost. */
static void edges_are_sorted_by_prior(void **unused) {
    (void)unused;
    Rng rng = rng_seed(4);
    for (int trial = 0; trial < 200; trial++) {
        Node node;
        Edge edges[100];
        random_node(&node, edges, &rng);
        bool seen[100] = {false};
        for (int i = 0; i < node.edges; i++) {
            const float least = edges[i < PUCT_SORTED ? i : PUCT_SORTED - 1].prior;
            for (int k = i + 1; k < node.edges; k++)
                assert_true(edges[k].prior <= least);
            assert_false(seen[edges[i].action]);
            seen[edges[i].action] = true;
        }
    }
}

/* A mixed evaluator mixes the chances alone, by how much of the board is full. */
static void playouts_are_mixed_in(void **unused) {
    (void)unused;
    Error error;
    Game *game = new_game("stigmergy", 3);
    TestEvaluator evaluator = test_evaluator(4);
    evaluator.even = 0.25f;
    evaluator.favourite = 18; /* stays empty */
    evaluator.favour = 2;
    const PlayoutEvaluator playouts = playout_evaluator(PLAYOUT_LIGHT, 8, 0);
    static Evaluation said, mixed;
    GameState state;
    Action actions[GAME_LEGAL_MAX];
    const GameHistory history = {0};
    game->rules->start(game, &state, 2);
    for (int stones = 0; stones <= 13; stones++) {
        const int count = game->rules->legal(game, &state, actions);
        const Leaf leaf = {.state = &state, .seed = 9, .history = &history, .actions = actions, .action_count = count};
        void *context = playouts.evaluator.new_context(&playouts.evaluator, game, &error);
        playouts.evaluator.evaluate(context, &leaf, 1, &said);
        playouts.evaluator.free_context(context);
        const float given = 0.5f * (float)(stones % 3), share = stones < 10 ? 0 : given * (float)(2 * stones - 19) / 19;
        const MixedEvaluator both = mixed_evaluator(&evaluator.evaluator, &playouts.evaluator, given);
        assert_true(both.evaluator.has_policy && !both.evaluator.has_amaf && both.evaluator.batch == 1);
        assert_int_equal(both.evaluator.solver_positions,
                         evaluator.evaluator.solver_positions + playouts.evaluator.solver_positions);
        context = both.evaluator.new_context(&both.evaluator, game, &error);
        both.evaluator.evaluate(context, &leaf, 1, &mixed);
        both.evaluator.free_context(context);
        assert_true(fabsf(mixed.black - (0.25f + share * (said.black - 0.25f))) < 1e-6f);
        assert_true(mixed.margin == 3);
        for (int k = 0; k < count; k++)
            assert_true(mixed.logits[k] == (actions[k] == 18 ? 2 : 0));
        assert_true(actions[0] < 18);
        game->rules->apply(game, &state, actions[0]); /* a stone on the first cell where one may be put */
    }
    assert_int_equal(evaluator.made, evaluator.freed);
    game_free(game);
}

/* If all values are equal, the policy determines the shares of visits. */
static void visits_follow_the_policy(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.favourite = 20;
    evaluator.favour = 3; /* 8 times as likely as each of the 36 others */
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.fpu_reduction = 0;
    Search *search = new_search(game, &options);
    set_start(game, search, 0);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 2201}).simulations, 2201);
    assert_in_range(visits_of(search, 20), 390, 410); /* 2200 * 8 / 44 */
    assert_in_range(visits_of(search, 0), 45, 55);
    assert_int_equal(search_best(search), 20);
    search_free(search);
    game_free(game);
}

/* The move with the most visits is not played if its value is less certain than that of another one with nearly as
 * many; one with few visits is not played. */
static void an_uncertain_move_is_not_played(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.favourite = 20;
    for (int i = 0; i < 3; i++) {
        evaluator.noise = i == 0 ? 0 : 0.4f;
        evaluator.favour = i < 2 ? 2 : 5; /* 4 or 32 times as likely as each of the 36 others */
        SearchOptions options = puct_options(&evaluator, 1);
        options.params.fpu_reduction = options.params.revisits = 0;
        Search *search = new_search(game, &options);
        set_start(game, search, 0);
        search_run(search, &(SearchLimits){.simulations = 2000});
        SearchMove moves[GAME_LEGAL_MAX];
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        Action variation[1];
        assert_int_equal(search_best(search), moves[0].action);
        assert_int_equal(search_variation(search, GAME_ACTIONS_MAX - 1, variation, 1), 1);
        assert_int_equal(variation[0], moves[0].action); /* for an action that the root does not have */
        assert_true((moves[0].action == 20) == (i != 1));
        assert_true(100 * moves[0].visits >= (i == 1 ? 15 * visits_of(search, 20) : 100 * moves[1].visits));
        for (int k = 2; k < count; k++)
            assert_true(moves[k].visits <= moves[k - 1].visits);
        search_free(search);
    }
    game_free(game);
}

/* Where all chances are the same, the moves with more points are visited more, if the score counts. What is reported as
 * chances stays what the evaluator says. */
static void the_score_breaks_ties(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.favourite = 7;
    uint64_t visits[3];
    for (int i = 0; i < 3; i++) { /* the score does not count; it does; the favourite loses points */
        evaluator.points = i < 2 ? 10 : -10;
        SearchOptions options = puct_options(&evaluator, 1);
        options.params.score = i == 0 ? 0 : 0.4;
        Search *search = new_search(game, &options);
        set_start(game, search, 0);
        assert_true(search_run(search, &(SearchLimits){.simulations = 400}).win_rate == 0.5);
        assert_true((search_best(search) == 7) == (i == 1));
        visits[i] = visits_of(search, 7);
        search_free(search);
    }
    assert_true(visits[1] > 4 * visits[0] && 2 * visits[2] < visits[0]);
    game_free(game);
}

/* A tree's values are finer than the differences that a network sees. */
static void small_differences_are_kept(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.even = 0.9985f;
    const SearchOptions options = puct_options(&evaluator, 1);
    Search *search = new_search(game, &options);
    set_start(game, search, 0);
    assert_float_equal(search_run(search, &(SearchLimits){.simulations = 100}).win_rate, 0.9985, 2e-4);
    search_free(search);
    game_free(game);
}

/* A player who loses after every move does not choose by the order of actions. */
static void proven_losses_are_ranked(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 2);
    const SearchOptions options = puct_options(NULL, 1);
    Search *search = new_search(game, &options);
    set_start(game, search, game->board.cells); /* White wins any game */
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 1000000});
    assert_true(summary.proven && summary.win_rate == 0);
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++) {
        assert_true(moves[i].proven && moves[i].win_rate == 0);
        if (i > 0 && moves[i].visits == moves[i - 1].visits)
            assert_true(moves[i].margin <= moves[i - 1].margin);
        else if (i > 0)
            assert_true(moves[i].visits < moves[i - 1].visits);
    }
    assert_int_equal(search_best(search), moves[0].action);
    search_free(search);
    game_free(game);
}

/* ---- Playing strength ---- */

/* With exact values PUCT finds the winning move if there is one, with any policy. A thread that the machine holds up
 * keeps its leaves from the others, so each brings its own simulations. */
static void check_exact_values(int batch, int threads) {
    Game *game = new_game("stigmergy", 2);
    TestEvaluator evaluator = test_evaluator(batch);
    evaluator.exact = true;
    evaluator.favour = 2;
    const SearchOptions options = puct_options(&evaluator, threads);
    Error error;
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 4 << 20, .threads = 1}, &error);
    Search *search = new_search(game, &options);
    int wins = 0;
    for (int komi = -8; komi <= 8; komi++)
        for (Action first = 0; first < 7; first++) {
            GameState state;
            const int threshold = 2 * komi + 1;
            game->rules->start(game, &state, komi);
            game->rules->apply(game, &state, first);
            const bool wanted =
                solver_compare(solver, &state, threshold, NULL).upper_half_points < threshold; /* White wins */
            search_set_position(search, &state);
            search_run(search, &(SearchLimits){.simulations = 200 * (uint64_t)threads});
            game->rules->apply(game, &state, search_best(search));
            if (wanted)
                assert_true(solver_compare(solver, &state, threshold, NULL).upper_half_points < threshold);
            wins += wanted;
        }
    assert_in_range(wins, 20, 100);
    assert_int_equal(atomic_load(&evaluator.broken), 0);
    assert_true(atomic_load(&evaluator.largest) <= batch);
    search_free(search);
    solver_free(solver);
    game_free(game);
}

static void exact_values_find_winning_moves(void **unused) {
    (void)unused;
    check_exact_values(1, 1);
    check_exact_values(8, 1);
    check_exact_values(8, 4);
}

/* At komi 6 on hexhex-2 only the centre wins. A policy that says so needs few simulations; one that prefers a corner
 * needs more. The game's own priors do as well as a good policy. (They are used when the evaluator, as that by
 * playouts, has none.) */
static void the_best_first_move_is_found(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 2);
    const Action centre = 3, corner = 0;
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.exact = true;
    evaluator.favour = 4;
    const SearchOptions options = puct_options(&evaluator, 1), by_playouts = puct_options(NULL, 1);
    Search *search = new_search(game, &options), *other = new_search(game, &by_playouts);
    evaluator.favourite = centre;
    set_start(game, search, 6);
    search_run(search, &(SearchLimits){.simulations = 4});
    assert_int_equal(search_best(search), centre);
    evaluator.favourite = corner;
    set_start(game, search, 6);
    search_run(search, &(SearchLimits){.simulations = 4});
    assert_int_equal(search_best(search), corner);
    search_run(search, &(SearchLimits){.simulations = 100});
    assert_int_equal(search_best(search), centre);
    set_start(game, other, 6);
    search_run(other, &(SearchLimits){.simulations = 2000});
    assert_int_equal(search_best(other), centre);
    search_free(search);
    search_free(other);
    game_free(game);
}

/* A move to which the policy gives next to nothing is found only by coming back to it. */
static void dismissed_moves_are_found(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 2);
    const Action centre = 3, corner = 0;
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.exact = true;
    evaluator.favour = 60;
    evaluator.favourite = corner;
    for (int i = 0; i < 2; i++) {
        SearchOptions options = puct_options(&evaluator, 1);
        options.params.revisits = i == 0 ? 0 : 0.125;
        options.params.fpu_reduction = 0.5; /* every other move counts as worse than the corner */
        Search *search = new_search(game, &options);
        set_start(game, search, 6); /* only the centre wins */
        search_run(search, &(SearchLimits){.simulations = 400});
        assert_int_equal(search_best(search), i == 0 ? corner : centre);
        search_free(search);
    }
    game_free(game);
}

/* What comes of it counts for the move that the search came back to, not for the position. Here all other simulations
 * go to one move, which alone is worth 10 points. */
static void dismissed_moves_do_no_harm(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(4);
    evaluator.evaluator.has_owners = true;
    evaluator.favourite = 18;
    evaluator.favour = 60;
    evaluator.points = 10;
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.revisits = 0.25;
    options.params.fpu_reduction = 0.6;
    Search *search = new_search(game, &options);
    set_start(game, search, 0);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 1000});
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    uint64_t visits = 0;
    for (int i = 0; i < count; i++) {
        visits += moves[i].visits;
        assert_true(moves[i].visits > 0 && moves[i].margin == (i == 0 ? 13 : 3));
    }
    assert_int_equal(summary.simulations, 1000);
    assert_int_equal(search_best(search), 18);
    assert_in_range(visits, 999 - 1000 / 8, 999); /* half of those that come back to a move do so below */
    assert_true(summary.margin > 12.9);
    search_free(search);
    game_free(game);
}

/* A wide run looks at many moves where another one goes down one move alone; what the position is worth stays. It also
 * comes back to moves that were dismissed deeper in the tree; such simulations are no visits of the root's moves. */
static void wide_runs_compare_moves(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(4);
    evaluator.favourite = 18;
    evaluator.favour = 60;
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.fpu_reduction = 0.6;
    options.params.revisits = 0.25;
    for (int wide = 0; wide < 2; wide++) {
        Search *search = new_search(game, &options);
        set_start(game, search, 0);
        search_run(search, &(SearchLimits){.simulations = 2000, .wide = wide});
        SearchMove moves[GAME_LEGAL_MAX];
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        int looked_at = 0;
        uint64_t visits = 0;
        for (int i = 0; i < count; i++) {
            looked_at += moves[i].visits >= 40;
            visits += moves[i].visits;
        }
        assert_int_equal(search_best(search), 18);
        assert_in_range(visits, 1750, 1950);
        if (wide)
            assert_true(looked_at >= 8);
        else
            assert_int_equal(looked_at, 1);
        search_free(search);
    }
    game_free(game);
}

/* The policy of an evaluator also helps RAVE. */
static void policies_help_rave(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.favourite = 20;
    evaluator.favour = 3;
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.selection = SELECTION_RAVE;
    Search *search = new_search(game, &options);
    set_start(game, search, 0);
    search_run(search, &(SearchLimits){.simulations = 20});
    assert_int_equal(search_best(search), 20);
    search_free(search);
    game_free(game);
}

/* To RAVE, moves with many images look no better than the centre, which has none. */
static void images_do_not_help_rave(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    const TestEvaluator evaluator = test_evaluator(1);
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.selection = SELECTION_RAVE;
    options.params.all_images = 0;
    Search *search = new_search(game, &options);
    SearchMove moves[GAME_LEGAL_MAX];
    set_start(game, search, 0);
    search_run(search, &(SearchLimits){.simulations = 50});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int m = 0; m < count; m++)
        assert_true(moves[m].action != hexhex_named(&game->board, "d4") || moves[m].visits > 0);
    search_free(search);
    game_free(game);
}

/* ---- What evaluators are promised ---- */

/* A search with what an evaluator's author forgot would never end, or divide by 0. */
static void unfinished_evaluators_are_refused(void **unused) {
    (void)unused;
    static const struct {
        int batch, solver_positions;
        const char *error;
    } cases[] = {{0, 8, "evaluator 'test': batch is 0, expected 1 to 64"},
                 {65, 8, "evaluator 'test': batch is 65, expected 1 to 64"},
                 {1, 0, "evaluator 'test': solver_positions is 0, expected 1 or more"}};
    Game *game = new_game("stigmergy", 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestEvaluator evaluator = test_evaluator(cases[i].batch);
        evaluator.evaluator.solver_positions = cases[i].solver_positions;
        const SearchOptions options = puct_options(&evaluator, 1);
        Error error;
        assert_null(search_new(game, &options, &error));
        assert_string_equal(error.text, cases[i].error);
    }
    game_free(game);
}

/* 0 playouts would divide by 0; counters of more than 255 would overflow. */
static void numbers_of_playouts_are_checked(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    for (int playouts = 0; playouts <= EVALUATION_PLAYOUTS_MAX + 1; playouts += EVALUATION_PLAYOUTS_MAX + 1) {
        const PlayoutEvaluator evaluator = playout_evaluator(PLAYOUT_LIGHT, playouts, 0);
        const SearchOptions options = {.params = search_default_params(),
                                       .evaluator = &evaluator.evaluator,
                                       .threads = 1,
                                       .memory = TREE_MEMORY_MIN};
        Error error;
        assert_null(search_new(game, &options, &error));
        assert_non_null(strstr(error.text, "expected 1 to "));
    }
    game_free(game);
}

static void batches_are_reproducible(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    for (int batch = 1; batch <= 8; batch += 7) {
        SearchMove moves[2][GAME_LEGAL_MAX];
        int count = 0;
        for (int i = 0; i < 2; i++) {
            TestEvaluator evaluator = test_evaluator(batch);
            evaluator.favourite = 20;
            evaluator.favour = 5;
            const SearchOptions options = puct_options(&evaluator, 1);
            Search *search = new_search(game, &options);
            set_start(game, search, 3);
            search_run(search, &(SearchLimits){.simulations = 1001});
            count = search_moves(search, moves[i], GAME_LEGAL_MAX);
            assert_int_equal(atomic_load(&evaluator.broken), 0);
            assert_int_equal(atomic_load(&evaluator.leaves), 1001); /* no leaf is evaluated twice */
            assert_int_equal(atomic_load(&evaluator.largest), batch);
            assert_in_range(atomic_load(&evaluator.calls), 1001 / batch, 2 * 1001 / batch);
            search_free(search);
        }
        uint64_t visits = 0;
        for (int i = 0; i < count; i++) {
            assert_int_equal(moves[0][i].action, moves[1][i].action);
            assert_int_equal(moves[0][i].visits, moves[1][i].visits);
            assert_true(moves[0][i].win_rate == moves[1][i].win_rate);
            visits += moves[0][i].visits;
        }
        assert_in_range(visits, 1000 - 1000 / 64, 1000); /* as in simulations_are_counted (test_search.c) */
    }
    game_free(game);
}

/* Leaves are also sound in games with turns of several actions, with late expansion, after moves, from several threads,
 * and with and without a policy. */
static void leaves_are_sound(void **unused) {
    (void)unused;
    static const char *const names[] = {"stigmergy", "bug", "sgolte"};
    for (int i = 0; i < 6; i++) {
        Game *game = new_game(names[i / 2], 3);
        TestEvaluator evaluator = test_evaluator(4);
        evaluator.evaluator.has_policy = i % 2 == 0;
        SearchOptions options = puct_options(&evaluator, 3);
        options.params.expand_visits = 2;
        Search *search = new_search(game, &options);
        set_start(game, search, 0);
        for (int move = 0; move < 6 && !game->rules->over(search_position(search)); move++) {
            search_run(search, &(SearchLimits){.simulations = 300});
            search_play(search, search_best(search));
        }
        assert_true(atomic_load(&evaluator.leaves) > 300);
        assert_int_equal(atomic_load(&evaluator.broken), 0);
        search_free(search);
        game_free(game);
    }
}

/* An evaluator that stores the history of the newest leaf. */
static GameHistory newest_history;

static void note_history(void *context, const Leaf *leaves, int count, Evaluation *out) {
    newest_history = *leaves[count - 1].history;
    evaluate(context, leaves, count, out);
}

static void assert_history(int known, Action newest, Action before) {
    assert_int_equal(newest_history.known, known);
    assert_int_equal(newest_history.last[0], newest);
    assert_int_equal(newest_history.last[1], before);
}

static void history_reaches_the_leaves(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.evaluator.evaluate = note_history;
    evaluator.favourite = 11;
    evaluator.favour = 3;
    const SearchOptions options = puct_options(&evaluator, 1);
    Search *search = new_search(game, &options);
    GameHistory history = {0};
    GameState state;
    game->rules->start(game, &state, 0);
    for (Action action = 4; action < 6; action++) {
        game->rules->apply(game, &state, action);
        game_history_add(game, &history, action, &state);
    }
    search_set_position(search, &state);
    search_set_history(search, &history);
    search_play(search, 9);
    search_run(search, &(SearchLimits){.simulations = 1}); /* of the root */
    assert_history(3, 9, 5);
    search_run(search, &(SearchLimits){.simulations = 1}); /* of the position after the favourite */
    assert_history(3, 11, 9);
    search_set_position(search, &state); /* the history is unknown now */
    search_run(search, &(SearchLimits){.simulations = 1});
    assert_history(0, 0, 0);
    search_run(search, &(SearchLimits){.simulations = 1});
    assert_history(1, 11, 0);
    search_free(search);
    game_free(game);
}

static void each_thread_has_a_context(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(4);
    const SearchOptions options = puct_options(&evaluator, 4);
    Search *search = new_search(game, &options);
    set_start(game, search, 0);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 4000}).simulations, 4000);
    assert_int_equal(atomic_load(&evaluator.made), 4);
    assert_int_equal(atomic_load(&evaluator.freed), 0);
    assert_int_equal(atomic_load(&evaluator.broken), 0);
    search_free(search);
    assert_int_equal(atomic_load(&evaluator.freed), 4);
    evaluator.contexts_max = 4 + 2; /* the third thread gets none */
    Error error = {.text = ""};
    assert_null(search_new(game, &options, &error));
    assert_string_equal(error.text, "the test wants no more contexts");
    assert_int_equal(atomic_load(&evaluator.made), 6);
    assert_int_equal(atomic_load(&evaluator.freed), 6);
    game_free(game);
}

static void owners_and_margins_come_from_the_evaluator(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    for (int has_owners = 0; has_owners <= 1; has_owners++) {
        TestEvaluator evaluator = test_evaluator(8);
        evaluator.evaluator.has_owners = has_owners;
        const SearchOptions options = puct_options(&evaluator, 1);
        Search *search = new_search(game, &options);
        float owners[HEXHEX_MAX_CELLS];
        SearchMove moves[GAME_LEGAL_MAX];
        set_start(game, search, 0);
        search_run(search, &(SearchLimits){.simulations = 100});
        search_owners(search, owners);
        assert_true(owners[5] == (has_owners ? 0.25f : 0.5f));
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++)
            assert_true(moves[i].visits == 0 || (fabs(moves[i].margin - 3) < 1e-5 && moves[i].win_rate == 0.5));
        search_free(search);
    }
    game_free(game);
}

/* A margin is the mean of those of its visits, also where games end while other leaves of the batch wait for their
 * evaluation. */
static void margins_are_means(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 2);
    TestEvaluator evaluator = test_evaluator(8);
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.revisits = 0;
    Search *search = new_search(game, &options);
    Rng rng = rng_seed(20);
    for (int trial = 0; trial < 20; trial++) {
        GameState state;
        game->rules->start(game, &state, 4);
        for (int ply = 0; ply < 6; ply++) {
            GameState next = state;
            game->rules->apply(game, &next, game_random_action(game, &state, &rng));
            if (!game->rules->over(&next))
                state = next;
        }
        search_set_position(search, &state);
        const SearchSummary found = search_run(search, &(SearchLimits){.simulations = 50});
        SearchMove moves[GAME_LEGAL_MAX];
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        double sum = 3; /* of the root's own evaluation */
        uint64_t visits = 1;
        for (int i = 0; i < count; i++) {
            sum += (double)moves[i].visits * moves[i].margin;
            visits += moves[i].visits;
        }
        assert_int_equal(visits, found.simulations);
        assert_true(fabs(found.margin - sum / (double)visits) < 1e-3);
    }
    search_free(search);
    game_free(game);
}

/* Visits whose results are still out do not draw a mean towards another value. */
static void margins_of_several_threads(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.slow = true;
    SearchOptions options = puct_options(&evaluator, 8);
    for (int rave = 0; rave <= 1; rave++) {
        options.params.selection = rave ? SELECTION_RAVE : SELECTION_PUCT;
        Search *search = new_search(game, &options);
        SearchMove moves[GAME_LEGAL_MAX];
        set_start(game, search, 0);
        const SearchSummary found = search_run(search, &(SearchLimits){.simulations = 400});
        assert_true(fabs(found.margin - 3) < 1e-3);
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++)
            assert_true(moves[i].visits == 0 || fabs(moves[i].margin - 3) < 1e-3);
        search_free(search);
    }
    game_free(game);
}

/* Sequential halving gives many simulations to moves that lose. The position is as good as the one that wins. */
static void halving_judges_by_the_policy(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    TestEvaluator evaluator = test_evaluator(1);
    evaluator.exact = true;
    SearchOptions options = puct_options(&evaluator, 1);
    options.params.considered = 16;
    Search *search = new_search(game, &options);
    set_start(game, search, 4); /* where the centre alone wins */
    const SearchSummary found = search_run(search, &(SearchLimits){.simulations = 64});
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    double mean = 0, visits = 0, best = 0;
    for (int i = 0; i < count; i++) {
        best = moves[i].action == search_best(search) ? moves[i].win_rate : best;
        mean += (double)moves[i].visits * moves[i].win_rate;
        visits += (double)moves[i].visits;
    }
    assert_true(!found.proven && best - mean / visits > 0.15);
    assert_true(fabs(found.win_rate - best) < 0.05);
    search_free(search);
    game_free(game);
}

static void noise_moves_visits(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    uint64_t visits[3][19];
    for (int i = 0; i < 3; i++) { /* without noise, with noise, and the same again */
        TestEvaluator evaluator = test_evaluator(1);
        const SearchOptions options = puct_options(&evaluator, 1);
        Search *search = new_search(game, &options);
        set_start(game, search, 0);
        search_run(search, &(SearchLimits){.simulations = 1});
        if (i > 0)
            search_add_noise(search, 20, 0.1, 7);
        search_run(search, &(SearchLimits){.simulations = 300});
        for (Action a = 0; a < 19; a++)
            visits[i][a] = visits_of(search, a);
        search_free(search);
    }
    assert_memory_not_equal(visits[0], visits[1], sizeof visits[0]);
    assert_memory_equal(visits[1], visits[2], sizeof visits[0]);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puct_chooses_by_its_formula),
        cmocka_unit_test(notes_of_threads_stay),
        cmocka_unit_test(edges_are_sorted_by_prior),
        cmocka_unit_test(playouts_are_mixed_in),
        cmocka_unit_test(visits_follow_the_policy),
        cmocka_unit_test(an_uncertain_move_is_not_played),
        cmocka_unit_test(the_score_breaks_ties),
        cmocka_unit_test(small_differences_are_kept),
        cmocka_unit_test(proven_losses_are_ranked),
        cmocka_unit_test(exact_values_find_winning_moves),
        cmocka_unit_test(the_best_first_move_is_found),
        cmocka_unit_test(dismissed_moves_are_found),
        cmocka_unit_test(dismissed_moves_do_no_harm),
        cmocka_unit_test(wide_runs_compare_moves),
        cmocka_unit_test(policies_help_rave),
        cmocka_unit_test(images_do_not_help_rave),
        cmocka_unit_test(unfinished_evaluators_are_refused),
        cmocka_unit_test(numbers_of_playouts_are_checked),
        cmocka_unit_test(batches_are_reproducible),
        cmocka_unit_test(leaves_are_sound),
        cmocka_unit_test(history_reaches_the_leaves),
        cmocka_unit_test(each_thread_has_a_context),
        cmocka_unit_test(owners_and_margins_come_from_the_evaluator),
        cmocka_unit_test(margins_are_means),
        cmocka_unit_test(margins_of_several_threads),
        cmocka_unit_test(halving_judges_by_the_policy),
        cmocka_unit_test(noise_moves_visits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
