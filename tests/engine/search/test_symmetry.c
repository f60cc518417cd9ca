/* Symmetric positions: which have a symmetry, that the search looks at one action of each class, and that what it says
 * is about all of them. */
#include "engine/games/registry.h"
#include "engine/search/search_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SIMULATIONS = 900 };

static const char *const games[] = {"stigmergy", "bug", "sgolte"};
enum { GAMES = sizeof games / sizeof *games };

static Game *new_game(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

static Search *new_search(const Game *game, int all_images) {
    Error error;
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = 16 << 20, .seed = 3};
    options.params.all_images = all_images;
    options.params.solver_share = options.params.revisits = 0;
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    return search;
}

/* A search with PUCT by playouts, whose priors are those of the game. considered: SearchParams. */
static Search *new_puct_search(const Game *game, int all_images, int considered) {
    Error error;
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = 16 << 20, .seed = 3};
    options.params.selection = SELECTION_PUCT;
    options.params.considered = considered;
    options.params.all_images = all_images;
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    return search;
}

/* The position after these turns, with its history. */
static void set_position_at(const Game *game, Search *search, const char *const *turns, int count, int komi) {
    GameState state;
    Action turn[GAME_TURN_MAX];
    Error error;
    game->rules->start(game, &state, komi);
    for (int i = 0; i < count; i++) {
        const int actions = game->rules->parse(game, &state, turns[i], turn, &error);
        for (int k = 0; k < actions; k++)
            game->rules->apply(game, &state, turn[k]);
        assert_true(actions > 0);
    }
    search_set_position(search, &state);
}

static void set_position(const Game *game, Search *search, const char *const *turns, int count) {
    set_position_at(game, search, turns, count, 0);
}

static int count_symmetries(const Game *game, const char *const *turns, int count) {
    Search *search = new_search(game, 0);
    set_position(game, search, turns, count);
    const Symmetries own = search_symmetries(game, search_position(search));
    assert_int_equal(own.map[0], 0);
    search_free(search);
    return own.count;
}

static void symmetries_are_found(void **unused) {
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        Game *game = new_game(games[i], 4);
        assert_int_equal(count_symmetries(game, NULL, 0), 12);
        assert_int_equal(count_symmetries(game, (const char *[]){"d4"}, 1), 12);
        assert_int_equal(count_symmetries(game, (const char *[]){"a1"}, 1), 2);
        assert_int_equal(count_symmetries(game, (const char *[]){"a2"}, 1), 1);
        game_free(game);
    }
    Game *game = new_game("stigmergy", 4);
    assert_int_equal(count_symmetries(game, (const char *[]){"d4", "a1"}, 2), 2);
    assert_int_equal(count_symmetries(game, (const char *[]){"d4", "a1", "g4"}, 3), 1); /* too many stones to ask */
    game_free(game);
}

/* Stones do not say all in the middle of a turn, so nothing is symmetric there. */
static void turns_are_finished_first(void **unused) {
    (void)unused;
    Game *game = new_game("bug", 4);
    Search *search = new_search(game, 0);
    GameState state;
    set_position(game, search, (const char *[]){"d4"}, 1);
    game_copy(game, &state, search_position(search));
    game->rules->apply(game, &state, (Action)hexhex_named(&game->board, "d5")); /* it must eat d4 and grow */
    assert_false(game->rules->turn_start(&state));
    assert_int_equal(search_symmetries(game, &state).count, 1);
    search_free(search);
    game_free(game);
}

/* All moves of the root, once each; those of a class are alike. */
static void moves_are_those_of_all_classes(void **unused) {
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        Game *game = new_game(games[i], 4);
        Search *search = new_search(game, 0);
        SearchMove moves[GAME_LEGAL_MAX];
        Action legal[GAME_LEGAL_MAX];
        uint64_t visits = 0;
        double policy = 0;
        set_position(game, search, NULL, 0);
        search_run(search, &(SearchLimits){.simulations = SIMULATIONS});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        assert_int_equal(count, game->rules->legal(game, search_position(search), legal));
        const Symmetries own = search_symmetries(game, search_position(search));
        for (int m = 0; m < count; m++) {
            visits += moves[m].visits;
            policy += moves[m].policy;
            const ActionClass class = symmetries_class(game, &own, moves[m].action);
            for (int k = 0; k < count; k++)
                for (int c = 0; c < class.count; c++)
                    if (moves[k].action == class.action[c])
                        assert_true(moves[k].win_rate == moves[m].win_rate && moves[k].visits <= moves[m].visits + 1 &&
                                    moves[k].policy == moves[m].policy);
            for (int k = 0; k < m; k++)
                assert_int_not_equal(moves[k].action, moves[m].action);
        }
        assert_int_equal(visits, SIMULATIONS - 1);
        assert_true(fabs(policy - 1) < 1e-4);
        assert_int_equal(search_moves(search, moves, 3), 3);
        search_free(search);
        game_free(game);
    }
}

/* With PUCT moves have priors, and their sum is 1 as that of the policy is. */
static void probabilities_are_shared_out(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Search *search = new_puct_search(game, 0, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    double policy = 0, prior = 0;
    set_position(game, search, NULL, 0);
    search_run(search, &(SearchLimits){.simulations = 100});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    assert_int_equal(count, game->board.cells);
    for (int m = 0; m < count; m++) {
        policy += moves[m].policy;
        prior += moves[m].prior;
    }
    assert_true(fabs(policy - 1) < 1e-4 && fabs(prior - 1) < 1e-4);
    search_free(search);
    game_free(game);
}

/* What a visit says is known of all images of a move, also of those to which the class's few visits did not come; and
 * the position is judged by all of them. */
static void values_are_of_all_images(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Search *search = new_puct_search(game, 0, 8);
    SearchMove moves[GAME_LEGAL_MAX];
    double weight = 0, win_rate = 0, margin = 0;
    int without_visit = 0, unknown = 0;
    set_position(game, search, NULL, 0);
    const SearchSummary found = search_run(search, &(SearchLimits){.simulations = 6});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int m = 0; m < count; m++) {
        assert_true(moves[m].known || moves[m].visits == 0);
        without_visit += moves[m].known && moves[m].visits == 0;
        unknown += !moves[m].known;
        weight += moves[m].known ? moves[m].policy : 0;
        win_rate += moves[m].known ? moves[m].policy * moves[m].win_rate : 0;
        margin += moves[m].known ? moves[m].policy * moves[m].margin : 0;
    }
    assert_true(without_visit > 0 && unknown > 0);
    assert_true(fabs(found.win_rate - win_rate / weight) < 1e-6 && fabs(found.margin - margin / weight) < 1e-5);
    search_free(search);
    game_free(game);
}

/* Without a policy the priors of PUCT are those of the game for each action, however many are its images. */
static void classes_do_not_change_priors(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    double priors[2][GAME_LEGAL_MAX] = {{0}};
    for (int all = 0; all < 2; all++) {
        Search *search = new_puct_search(game, all, 1);
        SearchMove moves[GAME_LEGAL_MAX];
        set_position(game, search, NULL, 0);
        search_run(search, &(SearchLimits){.simulations = 2});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int m = 0; m < count; m++)
            priors[all][moves[m].action] = moves[m].prior;
        search_free(search);
    }
    for (int a = 0; a < GAME_LEGAL_MAX; a++)
        assert_true(fabs(priors[0][a] - priors[1][a]) < 1e-3);
    game_free(game);
}

/* One by one, the search sees differences among equals. */
static void all_images_are_searched_if_asked_for(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 3);
    for (int all = 0; all < 2; all++) {
        Search *search = new_search(game, all);
        SearchMove moves[GAME_LEGAL_MAX];
        bool differ = false;
        set_position(game, search, NULL, 0);
        search_run(search, &(SearchLimits){.simulations = SIMULATIONS});
        search_moves(search, moves, GAME_LEGAL_MAX);
        const Edges edges = tree_edges(&search->tree, edge_node(&search->tree.root));
        assert_int_equal(edges.count, all ? game->board.cells : 4); /* centre, around it, corner, middle of an edge */
        for (int m = 1; m < 6; m++)
            differ = differ || moves[m].win_rate != moves[0].win_rate;
        assert_true(all ? differ : edges.count == 4);
        search_free(search);
    }
    game_free(game);
}

/* What is said of an image is the image of what is said. */
static void variations_and_owners_are_images(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Search *search = new_search(game, 0);
    Action line[8], image[8];
    float owners[HEXHEX_MAX_CELLS];
    set_position(game, search, (const char *[]){"d4"}, 1);
    search_run(search, &(SearchLimits){.simulations = SIMULATIONS});
    const Symmetries own = search_symmetries(game, search_position(search));
    const Action best = search_best(search);
    const int length = search_variation(search, best, line, 8);
    assert_true(length > 1 && line[0] == best);
    search_owners(search, owners);
    for (int m = 0; m < own.count; m++) {
        const Action first = game->rules->symmetry(game, own.map[m], best);
        assert_int_equal(search_variation(search, first, image, 8), length);
        assert_int_equal(image[0], first);
        GameState state;
        game_copy(game, &state, search_position(search));
        for (int i = 0; i < length; i++) {
            Action legal[GAME_LEGAL_MAX];
            const int count = game->rules->legal(game, &state, legal);
            int k = 0;
            while (k < count && legal[k] != image[i])
                k++;
            assert_true(k < count);
            game->rules->apply(game, &state, image[i]);
        }
        for (int c = 0; c < game->board.cells; c++)
            assert_true(fabsf(owners[c] - owners[game->board.symmetry[own.map[m]][c]]) < 1e-6f);
    }
    assert_true(own.count > 1);
    for (int c = 0; c < game->board.cells; c++)
        assert_true(owners[c] >= 0 && owners[c] <= 1);
    search_free(search);
    game_free(game);
}

/* Any image may be drawn, and the game goes on from it. */
static void all_images_are_drawn(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Search *search = new_search(game, 0);
    Rng rng = rng_seed(1);
    bool drawn[GAME_ACTIONS_MAX] = {false};
    set_position(game, search, NULL, 0);
    search_run(search, &(SearchLimits){.simulations = SIMULATIONS});
    Action last = 0;
    const Symmetries own = search_symmetries(game, search_position(search));
    const ActionClass class = symmetries_class(game, &own, search_best(search));
    for (int i = 0; i < 400; i++) {
        last = search_draw(search, 16, 0, &rng);
        drawn[last] = true;
    }
    for (int i = 0; i < class.count; i++)
        assert_true(drawn[class.action[i]]);
    search_play(search, last);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 50}).simulations, 50);
    search_free(search);
    game_free(game);
}

static bool has_edge(const Search *search, Action action) {
    const Edges edges = tree_edges(&search->tree, edge_node(&search->tree.root));
    int i = 0;
    while (i < edges.count && edge_at(&edges, i)->action != action)
        i++;
    return i < edges.count;
}

/* The move that the search's solver names in the position, if it was asked in the one before, too. */
static Action solver_move(const Game *game, const GameState *before, const GameState *state, int komi) {
    Error error;
    const SolverLimits limits = {.nodes = 44800}; /* what it has in 8,000 simulations */
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 4 << 20, .threads = 1}, &error);
    assert_non_null(solver);
    solver_compare(solver, before, 2 * komi + 1, &limits);
    const SolverResult solved = solver_compare(solver, state, 2 * komi + 1, &limits);
    assert_true(solved.proved && solved.has_best);
    solver_free(solver);
    return solved.best;
}

/* Searches after each of two turns. The solver has the win after the second. Returns whether its move has no edge: it
 * is an image of the one that stands for its class. */
static bool wins_by_an_image(const Game *game, const char *first, const char *second, int komi) {
    Error error;
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = 16 << 20, .seed = 3};
    Search *search = search_new(game, &options, &error);
    const SearchLimits limits = {.simulations = 8000};
    GameState before;
    Action turn[GAME_TURN_MAX];
    assert_non_null(search);
    set_position_at(game, search, &first, 1, komi);
    game_copy(game, &before, search_position(search));
    search_run(search, &limits);
    assert_int_equal(game->rules->parse(game, &before, second, turn, &error), 1);
    search_play(search, turn[0]);
    const SearchSummary summary = search_run(search, &limits);
    assert_true(summary.proven && summary.win_rate == 1 && summary.simulations <= 1);
    const bool image = !has_edge(search, solver_move(game, &before, search_position(search), komi));
    search_play(search, search_best(search));
    assert_true(search_run(search, &limits).win_rate == 0);
    search_free(search);
    return image;
}

/* The solver may name any image of the winning move. */
static void a_proved_image_wins(void **unused) {
    (void)unused;
    static const struct {
        const char *first, *second;
        int komi;
    } cases[] = {{"d2", "c3", -13}, {"d2", "a3", -13}, {"c3", "e1", -11}, {"c3", "b1", -11}};
    Game *game = new_game("stigmergy", 3);
    int images = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        images += wins_by_an_image(game, cases[i].first, cases[i].second, cases[i].komi);
    assert_true(images > 0);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetries_are_found),
        cmocka_unit_test(turns_are_finished_first),
        cmocka_unit_test(moves_are_those_of_all_classes),
        cmocka_unit_test(probabilities_are_shared_out),
        cmocka_unit_test(values_are_of_all_images),
        cmocka_unit_test(classes_do_not_change_priors),
        cmocka_unit_test(all_images_are_searched_if_asked_for),
        cmocka_unit_test(variations_and_owners_are_images),
        cmocka_unit_test(all_images_are_drawn),
        cmocka_unit_test(a_proved_image_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
