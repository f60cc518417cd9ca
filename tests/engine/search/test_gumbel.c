/* Sequential halving with Gumbel noise, on the edges of one node: how simulations are shared out, what is chosen, and
 * what the improved policy says. */
#include "engine/eval/playouts.h"
#include "engine/games/registry.h"
#include "engine/search/gumbel.h"
#include "engine/search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EDGES = 12 };

typedef struct Bandit {
    Node node;
    Edge edges[EDGES];
    GumbelRoot root;
    PuctParams params;
    double value[EDGES]; /* what a simulation of each edge brings */
} Bandit;

/* Equal priors; edge i is worth i steps of 1/64. */
static Bandit new_bandit(int considered, uint64_t simulations) {
    Bandit bandit = {.node = {.edges = EDGES, .value = 0.1f},
                     .root = {.considered = considered, .simulations = simulations}};
    for (int i = 0; i < EDGES; i++) {
        bandit.edges[i].action = (Action)i;
        bandit.edges[i].prior = 1.0f / EDGES;
        bandit.value[i] = i / 64.0;
    }
    return bandit;
}

/* Some of them as far ones. */
static Edges edges_of(Bandit *bandit) {
    return (Edges){.near = bandit->edges, .far = bandit->edges + 8, .near_count = 8, .count = EDGES};
}

static int next_edge(Bandit *bandit) {
    const Edges edges = edges_of(bandit);
    return gumbel_next(&bandit->root, &bandit->params, &bandit->node, &edges);
}

static void simulate(Bandit *bandit) {
    const int i = next_edge(bandit);
    assert_in_range(i, 0, EDGES - 1);
    bandit->edges[i].stats += (1ull << TREE_VALUE_BITS) + (uint64_t)(bandit->value[i] * TREE_VALUE_ONE);
}

static int choice(Bandit *bandit) {
    const Edges edges = edges_of(bandit);
    return gumbel_choice(&bandit->root, &bandit->params, &bandit->node, &edges);
}

static void run(Bandit *bandit) {
    for (uint64_t i = 0; i < bandit->root.simulations; i++)
        simulate(bandit);
}

/* ---- Sharing out ---- */

/* 96 simulations, eight edges: three rounds of 32, for eight, four and two edges. The first ones have the better noise,
 * so the last of them has the highest value. */
static void simulations_are_halved(void **unused) {
    (void)unused;
    static const uint32_t wanted[EDGES] = {4, 4, 4, 4, 12, 12, 28, 28};
    Bandit bandit = new_bandit(8, 96);
    for (int i = 0; i < EDGES; i++)
        bandit.root.noise[i] = i < 8 ? 0.5f : 0.0f;
    run(&bandit);
    for (int i = 0; i < EDGES; i++)
        assert_int_equal(edge_visits(&bandit.edges[i]), wanted[i]);
    assert_int_equal(choice(&bandit), 7);
}

static void set_value(Edge *edge, double value) {
    const uint64_t visits = edge_visits(edge);
    edge->stats = visits << TREE_VALUE_BITS | (uint64_t)((double)visits * value * TREE_VALUE_ONE);
}

/* A last round with a simulation less than planned is as good as a whole one, and better than an earlier round. */
static void last_round_is_incomplete(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(8, 96);
    for (int i = 0; i < EDGES; i++)
        bandit.root.noise[i] = i < 8 ? 0.5f : 0.0f;
    for (int i = 0; i < 95; i++)
        simulate(&bandit);
    const int fewer = edge_visits(&bandit.edges[6]) < edge_visits(&bandit.edges[7]) ? 6 : 7;
    assert_int_equal(edge_visits(&bandit.edges[fewer]), 27);
    set_value(&bandit.edges[fewer], 0.5);
    set_value(&bandit.edges[5], 1);
    assert_int_equal(choice(&bandit), fewer);
}

/* A proof late in a long run costs no more than another simulation: the edges that are left have far fewer visits. */
static void late_proofs_are_cheap(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(8, 400000);
    for (int i = 0; i < 320000; i++)
        simulate(&bandit);
    const int lost = choice(&bandit);
    set_value(&bandit.edges[lost], 0);
    bandit.edges[lost].proven = PROVEN_LOSS;
    const uint32_t visits = edge_visits(&bandit.edges[lost]);
    for (int i = 320000; i < 400000; i++)
        simulate(&bandit);
    assert_int_equal(edge_visits(&bandit.edges[lost]), visits);
    assert_int_not_equal(choice(&bandit), lost);
}

/* Any numbers: all simulations are made, at most `considered` edges get some, and the best of these is left. */
static void any_numbers_will_do(void **unused) {
    (void)unused;
    for (int considered = 2; considered <= EDGES + 4; considered++)
        for (uint64_t simulations = 1; simulations <= 100; simulations += 3) {
            Bandit bandit = new_bandit(considered, simulations);
            run(&bandit);
            uint64_t visits = 0;
            int visited = 0;
            for (int i = 0; i < EDGES; i++) {
                visits += edge_visits(&bandit.edges[i]);
                visited += edge_visits(&bandit.edges[i]) > 0;
            }
            assert_int_equal(visits, simulations);
            assert_true(visited <= considered);
            if (simulations >= EDGES && considered >= EDGES)
                assert_int_equal(choice(&bandit), EDGES - 1);
        }
}

/* Visits of earlier runs do not count in the halving, but their values do. */
static void earlier_visits_are_kept_apart(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(4, 16);
    for (int i = 0; i < EDGES; i++) {
        bandit.root.before[i] = 20 + (uint32_t)i;
        bandit.edges[i].stats = (uint64_t)bandit.root.before[i] << TREE_VALUE_BITS;
        set_value(&bandit.edges[i], bandit.value[i]);
    }
    run(&bandit);
    static const uint32_t wanted[4] = {2, 2, 6, 6};
    for (int i = 0; i < EDGES; i++)
        assert_int_equal(edge_visits(&bandit.edges[i]) - bandit.root.before[i], i < 8 ? 0 : wanted[i - 8]);
    assert_int_equal(choice(&bandit), EDGES - 1);
}

static void proofs_come_first(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(EDGES, 48);
    for (int i = 6; i < EDGES; i++)
        bandit.edges[i].proven = PROVEN_LOSS;
    run(&bandit);
    for (int i = 6; i < EDGES; i++)
        assert_int_equal(edge_visits(&bandit.edges[i]), 0);
    assert_int_equal(choice(&bandit), 5);
    bandit.edges[5].proven = PROVEN_LOSS; /* among few visits something is left to choose */
    simulate(&bandit);
    assert_in_range(choice(&bandit), 0, 4);
    bandit.edges[2].proven = PROVEN_WIN;
    assert_int_equal(choice(&bandit), 2);
    assert_int_equal(next_edge(&bandit), 2);
    bandit = new_bandit(EDGES, 48);
    for (int i = 0; i < EDGES; i++)
        bandit.edges[i].proven = PROVEN_LOSS;
    assert_in_range(choice(&bandit), 0, EDGES - 1);
    simulate(&bandit);
}

/* Where all others are lost, the one that is left is next. */
static void one_edge_is_left(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(EDGES, 48);
    for (int i = 0; i < EDGES; i++)
        bandit.edges[i].proven = i == 3 ? PROVEN_NOT : PROVEN_LOSS;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(next_edge(&bandit), 3);
        simulate(&bandit);
    }
    assert_int_equal(choice(&bandit), 3);
}

/* ---- The improved policy ---- */

static void check_sum(const float *policy) {
    float sum = 0;
    for (int i = 0; i < EDGES; i++)
        sum += policy[i];
    assert_true(fabsf(sum - 1) < 1e-4f);
}

/* Where all values are the same, the policy stays what it was; a better action gains. */
static void values_improve_the_policy(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(EDGES, 1);
    const Edges edges = edges_of(&bandit);
    float policy[EDGES];
    bandit.node.value = 0.5f;
    for (int i = 0; i < EDGES; i++)
        bandit.edges[i].prior = (float)(1 + i) / 78.0f;
    for (int i = 0; i < 4; i++)
        bandit.edges[i].stats = 10ull << TREE_VALUE_BITS | 5 * TREE_VALUE_ONE;
    gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
    check_sum(policy);
    for (int i = 0; i < EDGES; i++)
        assert_true(fabsf(policy[i] / bandit.edges[i].prior - 1) < 0.03f); /* rough_math.h */
    bandit.edges[0].stats = 10ull << TREE_VALUE_BITS | 6 * TREE_VALUE_ONE;
    gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
    check_sum(policy);
    /* 60 * 0.1 against edge 1, in natural logarithms */
    assert_true(fabsf(logf(policy[0] / policy[1]) - (6 + logf(0.5f))) < 0.1f);
}

static void proofs_settle_the_policy(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit(EDGES, 1);
    const Edges edges = edges_of(&bandit);
    float policy[EDGES];
    bandit.edges[3].proven = PROVEN_LOSS;
    gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
    check_sum(policy);
    assert_true(policy[3] == 0 && policy[4] > 0);
    bandit.edges[5].proven = PROVEN_WIN;
    gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
    assert_true(policy[5] == 1 && policy[4] == 0);
    for (int i = 0; i < EDGES; i++)
        bandit.edges[i].proven = PROVEN_LOSS;
    gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
    check_sum(policy);
}

/* Where all values are the same, the margin for the side to move decides: in the choice, in the policy, and among moves
 * that are all proven. Where they differ, a point of margin is worth little. */
static void margins_break_ties(void **unused) {
    (void)unused;
    for (int side = 0; side < 2; side++) {
        Bandit bandit = new_bandit(EDGES, 1);
        const Edges edges = edges_of(&bandit);
        float policy[EDGES];
        bandit.node.side = side ? WHITE : BLACK;
        bandit.params = (PuctParams){.score = 0.4f, .score_scale = 6};
        for (int i = 0; i < 4; i++) {
            bandit.edges[i].stats = 10ull << TREE_VALUE_BITS | 10 * TREE_VALUE_ONE;
            bandit.edges[i].margin = (i == 2 ? 5.0f : 3.0f) * (side ? -1.0f : 1.0f);
        }
        assert_int_equal(choice(&bandit), 2);
        gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
        check_sum(policy);
        /* The mean margin is 3.5: 60 * 0.1 * 0.4 * (1.5 / 7.5 + 0.5 / 6.5), in natural logarithms */
        assert_true(fabsf(logf(policy[2] / policy[1]) - 0.665f) < 0.03f);
        bandit.edges[2].stats -= TREE_VALUE_ONE / 5; /* two percentage points less */
        assert_int_equal(choice(&bandit), 0);
        for (int i = 0; i < EDGES; i++)
            bandit.edges[i].proven = i < 4 ? PROVEN_WIN : PROVEN_NOT;
        assert_int_equal(choice(&bandit), 2);
        assert_int_equal(next_edge(&bandit), 2);
        gumbel_policy(&bandit.params, &bandit.node, &edges, policy);
        assert_true(policy[2] == 1);
        for (int i = 0; i < EDGES; i++) {
            bandit.edges[i].proven = PROVEN_LOSS;
            bandit.edges[i].margin = (i == 7 ? -2.0f : -4.0f) * (side ? -1.0f : 1.0f);
        }
        assert_int_equal(choice(&bandit), 7);
    }
}

/* The highest of logit + noise is a sample of the policy that the logits stand for. */
static void noise_draws_samples(void **unused) {
    (void)unused;
    static const double chances[4] = {0.5, 0.3, 0.15, 0.05};
    enum { DRAWS = 20000 };
    int drawn[4] = {0};
    Rng rng = rng_seed(11);
    for (int draw = 0; draw < DRAWS; draw++) {
        double best_score = -HUGE_VAL;
        int best = 0;
        for (int i = 0; i < 4; i++) {
            const double own = log2(chances[i]) + (double)gumbel_draw(&rng);
            if (own > best_score) {
                best_score = own;
                best = i;
            }
        }
        drawn[best]++;
    }
    for (int i = 0; i < 4; i++)
        assert_true(fabs(drawn[i] - chances[i] * DRAWS) < 4 * sqrt(chances[i] * (1 - chances[i]) * DRAWS));
}

/* ---- In a search ---- */

/* A search of hexhex-4 that considers eight moves. */
static Search *new_search_of(int threads, double solver_share, Game **game) {
    Error error;
    *game = game_new(&(GameOptions){.name = "stigmergy", .size = 4}, &error);
    SearchOptions options = {.params = search_default_params(), .threads = threads, .memory = 16 << 20, .seed = 5};
    options.params.selection = SELECTION_PUCT;
    options.params.considered = 8;
    options.params.all_images = 1; /* the board has six classes of first moves only */
    options.params.solver_share = solver_share;
    Search *search = search_new(*game, &options, &error);
    assert_non_null(search);
    return search;
}

static Search *new_search(double solver_share, Game **game) {
    return new_search_of(1, solver_share, game);
}

/* With noise, games differ by the seed alone; and the sum of the policies of the root's moves is 1. */
static void searches_draw_by_seed(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0.7, &game);
    Action actions[20];
    bool differ = false;
    for (int i = 0; i < 20; i++) {
        GameState state;
        SearchMove moves[GAME_LEGAL_MAX];
        game->rules->start(game, &state, 3);
        search_set_position(search, &state);
        search_reseed(search, 1);
        search_add_gumbel(search, 1, (uint64_t)i / 2);
        assert_int_equal(search_run(search, &(SearchLimits){.simulations = 24}).simulations, 24);
        actions[i] = search_best(search);
        differ = differ || actions[i] != actions[0];
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        double sum = 0;
        int visited = 0;
        for (int k = 0; k < count; k++) {
            sum += moves[k].policy;
            visited += moves[k].visits > 0;
        }
        assert_true(fabs(sum - 1) < 1e-4);
        assert_int_equal(visited, 8);
    }
    for (int i = 0; i < 20; i += 2)
        assert_int_equal(actions[i], actions[i + 1]);
    assert_true(differ);
    search_free(search);
    game_free(game);
}

/* Noise without strength is none, whatever its seed. */
static void noise_without_strength(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    Action best = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        search_forget_tree(search);
        search_reseed(search, 1);
        search_add_gumbel(search, 0, seed);
        search_run(search, &(SearchLimits){.simulations = 24});
        best = seed == 0 ? search_best(search) : best;
        assert_int_equal(search_best(search), best);
    }
    search_free(search);
    game_free(game);
}

/* The first of search_moves is the move to play, which often is not the most visited one: the last round is rarely
 * complete. */
static void the_first_move_is_to_be_played(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    int others = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        SearchMove moves[GAME_LEGAL_MAX], most;
        Action variation[1];
        search_forget_tree(search);
        search_reseed(search, seed);
        assert_false(search_best_by_rules(search, &most));
        search_run(search, &(SearchLimits){.simulations = 30});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        assert_int_equal(moves[0].action, search_best(search));
        assert_int_equal(search_variation(search, GAME_ACTIONS_MAX - 1, variation, 1), 1);
        assert_int_equal(variation[0], moves[0].action);
        assert_true(search_best_by_rules(search, &most));
        for (int i = 0; i < count; i++)
            assert_true(moves[i].visits <= most.visits);
        others += most.action != moves[0].action;
    }
    assert_true(others > 0);
    search_free(search);
    game_free(game);
}

/* The halving and its noise end with the position: after a move, until a new run, the one to play is the first of
 * search_moves. */
static void noise_ends_with_the_position(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    SearchMove moves[GAME_LEGAL_MAX];
    for (uint64_t seed = 0; seed < 10; seed++) {
        search_forget_tree(search);
        search_reseed(search, seed);
        search_add_gumbel(search, 10, seed);
        search_run(search, &(SearchLimits){.simulations = 400});
        search_play(search, search_best(search));
        assert_true(search_moves(search, moves, GAME_LEGAL_MAX) > 0);
        assert_int_equal(search_best(search), moves[0].action);
    }
    search_free(search);
    game_free(game);
}

static int visits_by_action(const Search *search, uint64_t visits[GAME_ACTIONS_MAX]) {
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    int visited = 0;
    memset(visits, 0, GAME_ACTIONS_MAX * sizeof *visits);
    for (int i = 0; i < count; i++) {
        visits[moves[i].action] = moves[i].visits;
        visited += moves[i].visits > 0;
    }
    return visited;
}

/* A further run gives eight moves between `least` and `most` visits each, whatever they had before, and no other any.
 */
static void assert_run_is_halved(Search *search, uint64_t simulations, uint64_t least, uint64_t most) {
    static uint64_t before[GAME_ACTIONS_MAX], after[GAME_ACTIONS_MAX];
    int gained = 0;
    visits_by_action(search, before);
    search_run(search, &(SearchLimits){.simulations = simulations});
    visits_by_action(search, after);
    for (int action = 0; action < GAME_ACTIONS_MAX; action++) {
        const uint64_t visits = after[action] - before[action];
        gained += visits > 0;
        assert_true(visits == 0 || (visits >= least && visits <= most));
    }
    assert_int_equal(gained, 8);
}

/* A run on the tree of an earlier one shares its own simulations out, whatever visits there were before. */
static void each_run_is_halved(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    search_run(search, &(SearchLimits){.simulations = 400});
    assert_run_is_halved(search, 96, 3, 32); /* 4, 12 or 28 */
    search_free(search);
    game_free(game);
}

/* The same where leaves are evaluated many at a time, on moves that already have many visits. */
static void batches_are_halved(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.name = "stigmergy", .size = 4}, &error);
    PlayoutEvaluator playouts = playout_evaluator(PLAYOUT_LIGHT, 1, 0);
    playouts.evaluator.batch = 64;
    SearchOptions options = {.params = search_default_params(),
                             .evaluator = &playouts.evaluator,
                             .threads = 1,
                             .memory = 16 << 20,
                             .seed = 5};
    options.params.selection = SELECTION_PUCT;
    options.params.considered = 8;
    options.params.all_images = 1;
    options.params.solver_share = options.params.revisits = 0;
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    search_run(search, &(SearchLimits){.simulations = 20000, .seconds = 1000});
    assert_run_is_halved(search, 192, 6, 64); /* 8, 24 or 56 */
    search_free(search);
    game_free(game);
}

/* No simulation comes back to a move that the halving does not consider, in a wide run neither. */
static void halving_dismisses_for_good(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    static uint64_t visits[GAME_ACTIONS_MAX];
    for (int wide = 0; wide < 2; wide++) {
        search_forget_tree(search);
        search_run(search, &(SearchLimits){.simulations = 800, .wide = wide});
        assert_int_equal(visits_by_action(search, visits), 8);
    }
    search_free(search);
    game_free(game);
}

/* What the solver spends is taken from all rounds of the halving: the last two edges still get a third of the rest. */
static void the_solver_leaves_all_rounds(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0.5, &game);
    int found = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        Rng rng = rng_seed(seed);
        GameState state;
        SearchMove moves[GAME_LEGAL_MAX];
        Action legal[GAME_LEGAL_MAX];
        game->rules->start(game, &state, 3);
        for (int turn = 0; turn < 20; turn++) {
            const int count = game->rules->legal(game, &state, legal);
            game->rules->apply(game, &state, legal[rng_below(&rng, (uint32_t)count)]);
        }
        search_set_position(search, &state);
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 1000});
        if (summary.proven || summary.simulations > 900)
            continue;
        found++;
        assert_true(search_moves(search, moves, GAME_LEGAL_MAX) > 8);
        assert_true(moves[0].visits * 4 > summary.simulations && moves[1].visits * 4 > summary.simulations);
    }
    assert_true(found > 2);
    search_free(search);
    game_free(game);
}

/* A run that may end once its choice is settled makes all its simulations, also on a tree of earlier moves, where one
 * move is visited much more than the rounds of this run visit any. */
static void halving_is_never_settled(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    GameState state;
    game->rules->start(game, &state, 3);
    search_set_position(search, &state);
    for (int turn = 0; turn < 10; turn++) {
        const SearchLimits limits = {.simulations = 400, .until_settled = true};
        assert_int_equal(search_run(search, &limits).simulations, 400);
        search_play(search, search_best(search));
    }
    search_free(search);
    game_free(game);
}

/* The phases need the number of simulations beforehand: a run that time may end first does without them. */
static void no_halving_with_a_limit_of_time(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    SearchMove moves[2][GAME_LEGAL_MAX];
    for (int i = 0; i < 2; i++) {
        GameState state;
        game->rules->start(game, &state, 3);
        search_set_position(search, &state);
        search_reseed(search, 1);
        search_run(search, &(SearchLimits){.simulations = 400, .seconds = i * 1000.0});
        search_moves(search, moves[i], GAME_LEGAL_MAX);
    }
    assert_in_range(moves[0][1].visits, 80, 140); /* the last two share the last of three phases */
    assert_true(moves[1][0].visits > 2 * moves[1][1].visits || moves[1][1].visits < 80);
    search_free(search);
    game_free(game);
}

/* A pause is no limit of time: the rounds go on after it. */
static void halving_goes_on_after_a_pause(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    static uint64_t visits[2][GAME_ACTIONS_MAX];
    Action best[2];
    double win_rate[2];
    for (int i = 0; i < 2; i++) {
        SearchLimits limits = {.simulations = 400, .pause = i * 1e-9};
        SearchSummary summary;
        search_forget_tree(search);
        search_reseed(search, 1);
        search_add_gumbel(search, 1, 1);
        for (; (summary = search_run(search, &limits)).paused; limits.continues = true)
            assert_int_equal(summary.simulations % 32, 0);
        assert_int_equal(limits.continues, i);
        visits_by_action(search, visits[i]);
        best[i] = search_best(search);
        win_rate[i] = summary.win_rate;
    }
    assert_memory_equal(visits[0], visits[1], sizeof visits[0]);
    assert_int_equal(best[0], best[1]);
    assert_true(win_rate[0] == win_rate[1]);
    search_free(search);
    game_free(game);
}

/* Threads would take each other's rounds for their own. */
static void halving_needs_one_thread(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search_of(2, 0, &game);
    const SearchLimits limits = {.simulations = 2000};
    SearchMove moves[GAME_LEGAL_MAX];
    int visited = 0;
    search_run(search, &limits);
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        visited += moves[i].visits > 0;
    assert_true(visited > 8); /* as many as halving considers */
    search_free(search);
    game_free(game);
}

/* A run that is stopped before its first simulation leaves the choice of the one before. */
static void stopped_at_once(void **unused) {
    (void)unused;
    Game *game;
    Search *search = new_search(0, &game);
    for (uint64_t seed = 0; seed < 10; seed++) {
        GameState state;
        StopFlag stop = {0};
        game->rules->start(game, &state, 3);
        search_set_position(search, &state);
        search_reseed(search, seed);
        search_run(search, &(SearchLimits){.simulations = 200});
        const Action best = search_best(search);
        stop_flag_set(&stop);
        assert_int_equal(search_run(search, &(SearchLimits){.simulations = 200, .stop = &stop}).simulations, 0);
        assert_int_equal(search_best(search), best);
    }
    search_free(search);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_are_halved),
        cmocka_unit_test(last_round_is_incomplete),
        cmocka_unit_test(late_proofs_are_cheap),
        cmocka_unit_test(any_numbers_will_do),
        cmocka_unit_test(earlier_visits_are_kept_apart),
        cmocka_unit_test(proofs_come_first),
        cmocka_unit_test(one_edge_is_left),
        cmocka_unit_test(values_improve_the_policy),
        cmocka_unit_test(proofs_settle_the_policy),
        cmocka_unit_test(margins_break_ties),
        cmocka_unit_test(noise_draws_samples),
        cmocka_unit_test(searches_draw_by_seed),
        cmocka_unit_test(noise_without_strength),
        cmocka_unit_test(the_first_move_is_to_be_played),
        cmocka_unit_test(noise_ends_with_the_position),
        cmocka_unit_test(each_run_is_halved),
        cmocka_unit_test(batches_are_halved),
        cmocka_unit_test(halving_dismisses_for_good),
        cmocka_unit_test(no_halving_with_a_limit_of_time),
        cmocka_unit_test(halving_goes_on_after_a_pause),
        cmocka_unit_test(halving_needs_one_thread),
        cmocka_unit_test(stopped_at_once),
        cmocka_unit_test(halving_is_never_settled),
        cmocka_unit_test(the_solver_leaves_all_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
