/* The documents and the SGF of opening books: they say what the records say, and agree with themselves. */
#include "selfplay/io/file.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/runs/book/run.h"
#include "selfplay/runs/book/sgf.h"
#include "tests/support/books.h"
#include "tests/support/fixtures.h"
#include "tests/support/near.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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

/* The games of a parity in the record file, by their canonical hash. */
typedef struct Recorded {
    const Game *game;
    const char *parity;
    uint64_t hashes[100];
    int count, different;
} Recorded;

static int find_parity(void *user, const char *name, size_t length) {
    const Recorded *recorded = user;
    return strlen(recorded->parity) == length && !strncmp(recorded->parity, name, length) ? 0 : RECORD_GROUP_KEPT;
}

static bool enter_recorded(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Recorded *recorded = user;
    const uint64_t hash = record_canonical_hash(record, recorded->game);
    (void)source, (void)id, (void)error;
    int known = 0;
    while (known < recorded->count && recorded->hashes[known] != hash)
        known++;
    recorded->different += known == recorded->count;
    assert_true(recorded->count < 100);
    recorded->hashes[recorded->count++] = hash;
    return true;
}

static int different_in_records(const Run *run, const char *parity) {
    Recorded recorded = {.game = run->game, .parity = parity};
    const RecordGroups groups = {.find = find_parity, .enter = enter_recorded, .user = &recorded};
    Error error;
    char *text = read_text(records_path); /* the run has locked the file */
    assert_true(record_text_read(records_path, text, strlen(text), run->game, run->hash, &groups, &error));
    free(text);
    return recorded.different;
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
    assert_true(different >= number_at(book, "different_games") && different < games); /* on a board of 7 cells */
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
    assert_ptr_equal(strstr(sgf->nodes[0].comment, "Fair komi (6, 8), "), sgf->nodes[0].comment); /* a pair */
    int at_child = sgf->nodes[0].first_child;
    cJSON_ArrayForEach(child, at(nodes->child, "children")) {
        assert_string_equal(sgf->nodes[at_child].turn, at(child, "move")->valuestring);
        snprintf(text, sizeof text, ", the best move with %.0f%%", 100 * number_at(child, "probability"));
        assert_non_null(strstr(sgf->nodes[at_child].comment, text));
        at_child = sgf->nodes[at_child].next_sibling;
    }
}

/* Reads the first book of an SGF file of `most` positions. */
static GameTree *read_sgf(const Run *run, int most) {
    Error error;
    char *sgf = book_run_sgf(run, most, &error);
    assert_non_null(sgf);
    GameTree *tree = game_tree_read(sgf, strlen(sgf), "test", &(GameOptions){.size = 2}, &error);
    assert_non_null(tree);
    free(sgf);
    return tree;
}

static int plies_of(const GameTree *tree, int node) {
    int plies = 0;
    for (; node > 0; node = tree->nodes[node].parent)
        plies++;
    return plies;
}

/* By the number of moves before them: how many positions there are. */
static void count_plies(const GameTree *tree, int count[BOOK_PLIES_MAX + 1]) {
    memset(count, 0, (BOOK_PLIES_MAX + 1) * sizeof *count);
    for (int node = 0; node < tree->count; node++)
        count[plies_of(tree, node)]++;
}

/* A file with too little room has all positions near the start, and says that others are left out. */
static void large_books_are_cut(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    int all[BOOK_PLIES_MAX + 1], near_start[BOOK_PLIES_MAX + 1];
    play_book(&config, NULL);
    Run *run = open_book(&config);
    GameTree *whole = read_sgf(run, GAME_TREE_NODES_MAX);
    count_plies(whole, all);
    assert_true(all[1] == 2 && all[2] > 0 && all[3] > 0);
    assert_null(strstr(whole->nodes[0].comment, "left out"));
    GameTree *exact = read_sgf(run, whole->count);
    assert_true(exact->count == whole->count && !strstr(exact->nodes[0].comment, "left out"));
    game_tree_free(exact);
    for (int most = 1; most < whole->count; most++) {
        GameTree *cut = read_sgf(run, most);
        char text[100];
        int plies = 0, before = 0;
        assert_int_equal(cut->count, most);
        snprintf(text, sizeof text, "only the %d positions nearest to the start; the rest of the book is left out",
                 most);
        assert_non_null(strstr(cut->nodes[0].comment, text));
        count_plies(cut, near_start);
        for (; before + all[plies] <= most; plies++) {
            assert_int_equal(near_start[plies], all[plies]);
            before += all[plies];
        }
        assert_int_equal(near_start[plies], most - before);
        game_tree_free(cut);
    }
    game_tree_free(whole);
    run_free(run);
}

static void document_is_complete(void **unused) {
    (void)unused;
    static const char *const keys[] = {"schema",   "program",  "game",    "size",    "player", "seed",
                                       "run",      "settings", "started", "seconds", "games",  "different_games",
                                       "combined", "exact"};
    const BookConfig config = small_book();
    const DocumentContext context = document_context();
    Error error;
    play_book(&config, NULL);
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
    int different = 0;
    cJSON_ArrayForEach(book, at(json, "books")) {
        const bool odd = !strcmp(at(book, "parity")->valuestring, "odd");
        double moves = 0, probability = 0, through = 0;
        check_nodes(book);
        const int recorded = different_in_records(run, at(book, "parity")->valuestring);
        assert_true(number_at(book, "different_games") == recorded);
        different += recorded;
        check_counts(book, (int)config.plan.leaf_games);
        check_best_line(run, odd);
        assert_true(number_at(book, "black_wins_up_to") == (odd ? 5 : 6));
        assert_true(number_at(book, "white_wins_from") == (odd ? 7 : 8));
        assert_int_equal(cJSON_GetArraySize(at(book, "first_moves")), odd ? 3 : 2);
        assert_true(cJSON_IsTrue(at(at(book, "nodes")->child, "bracket")));
        assert_true(cJSON_IsTrue(at(at(book, "first_moves")->child, "bracket")));
        cJSON_ArrayForEach(move, at(book, "nodes"))
            assert_false(cJSON_IsTrue(at(move, "exact")) && cJSON_HasObjectItem(move, "bracket"));
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
    assert_true(number_at(json, "different_games") == different);
    char *sgf = book_run_sgf(run, GAME_TREE_NODES_MAX, &error);
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
    BookConfig config = small_book();
    Error error;
    DocumentContext context = document_context(), read;
    Run *run = open_book(&config); /* without games */
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    assert_true(resumes(&book_kind, &config.run, result_path, &read, &error));
    config.effort.simulations++;
    assert_false(resumes(&book_kind, &config.run, result_path, &read, &error));
    assert_non_null(strstr(error.text, "'player."));
    write_text(result_path, "{\"schema\": {\"name\": \"other\"}}");
    assert_false(resumes(&book_kind, &config.run, result_path, &read, &error));
    assert_non_null(strstr(error.text, "not a result of an opening book"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(large_books_are_cut, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
