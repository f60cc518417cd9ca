#include "tests/support/books.h"

#include "engine/games/registry.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

BookTree new_book_tree(Game **game, int size, bool button) {
    BookTree tree;
    Error error;
    const GameOptions options = {.size = size};
    *game = game_new(&options, &error);
    assert_non_null(*game);
    assert_true(book_tree_begin(&tree, *game, button, &error));
    return tree;
}

void expand_node(BookTree *tree, int node) {
    Error error;
    bool full = false;
    assert_true(book_tree_expand(tree, node, 100000, &full, &error));
    assert_false(full);
}

void count_games(BookTree *tree, int node, int komi, int games, int wins) {
    Error error;
    const int arm = book_tree_arm(tree, node, komi, &error);
    assert_true(arm >= 0);
    for (int i = 0; i < games; i++)
        book_tree_count(tree, arm, i < wins);
}

void count_around(BookTree *tree, int node, int value, int games) {
    const int below = games / 2, above = games - below;
    count_games(tree, node, value - 2, below, below - (below + 10) / 20);
    count_games(tree, node, value + 2, above, (above + 10) / 20);
}

BookConfig small_book(void) {
    BookConfig config = book_config_default(2);
    Error error;
    config.effort.simulations = 100;
    config.run.games = 80;
    config.run.first_round = 24;
    config.plan.leaf_games = 12;
    config.plan.solver_nodes = 0;
    cJSON *player = cJSON_Parse("{\"network\": \"none\", \"memory_mb\": 1, \"search\": {\"solver_share\": 0}}");
    assert_true(player_from_json(player, "test", &config.player, &error));
    cJSON_Delete(player);
    return config;
}

Run *open_book(const BookConfig *config) {
    return open_run(&book_kind, &config->run, records_path);
}

void play_book(const BookConfig *config, int *played) {
    assert_int_equal(play_run(&book_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}
