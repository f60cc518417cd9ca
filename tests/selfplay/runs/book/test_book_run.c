/* Runs that play an opening book: the same games whatever interrupts them, the value of a solved board, when they end,
 * and records that do not belong to them. */
#include "selfplay/io/file.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/runs/book/run.h"
#include "selfplay/runs/book/sgf.h"
#include "tests/support/books.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    config.effort.simulations = 5;
    config.run.games = 60;
    expect_same_records(&book_kind, &config.run, records_path, 120, 40, 80);
    drop_files(NULL);
    config.run.size = 3;
    config.plan.solver_nodes = 300; /* some answers, some bounds */
    config.parity = PARITY_ODD;
    expect_same_records(&book_kind, &config.run, records_path, 60, 30, 30);
}

static void expect_untouched(const Run *run) {
    for (int group = 0; group < run->group_count; group++) {
        const Book *book = &book_state(run)->books[group];
        assert_true(book->tree.count == 1 && book->planned_after == -1 && !book->tree.nodes[0].asked);
    }
}

/* A session that is stopped while a round is planned, or whose time is up then, leaves the book as it was, and the next
 * one plays the same games. A run that is opened is stopped, too. */
static void plans_are_stopped(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    Error error;
    StopFlag stop = {0};
    const RunSession session = {.threads = 1};
    config.effort.simulations = 5;
    config.run.games = 40;
    config.run.size = 3;
    config.plan.solver_nodes = 300;
    play_book(&config, NULL);
    char *whole = read_text(records_path);
    drop_files(NULL);
    Run *run = open_book(&config);
    run->stop = &stop;
    run->config->seconds = 1e-9;
    assert_int_equal(run_play(run, &session, &error), RUN_TIME_UP);
    expect_untouched(run);
    run->config->seconds = 0;
    stop_flag_set(&stop);
    assert_int_equal(run_play(run, &session, &error), RUN_STOPPED);
    expect_untouched(run);
    stop_flag_clear(&stop);
    assert_int_equal(run_play(run, &session, &error), RUN_DONE);
    assert_true(run_sort_records(run, &error));
    run_free(run);
    char *again = read_text(records_path);
    assert_string_equal(whole, again);
    run = make_run(&book_kind, &config.run, (ShardSpec){0, 0});
    run->stop = &stop;
    stop_flag_set(&stop);
    assert_false(lock_and_open(run, records_path, &error));
    assert_non_null(strstr(error.text, "stopped while a round was planned"));
    run_free(run);
    free(whole);
    free(again);
}

/* hexhex-2 is worth 7, and 6.5 with the button, to perfect players. */
static void a_solved_board_is_found(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    play_book(&config, NULL);
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
    BookConfig config = small_book();
    config.plan.solver_nodes = 20000;
    int played;
    Error error;
    Run *run = open_book(&config);
    assert_int_equal(play_open_run(run, 1, 0, &played), RUN_DONE);
    assert_int_equal(played, 0);
    char *sgf = book_run_sgf(run, GAME_TREE_NODES_MAX, &error);
    assert_true(sgf && strstr(sgf, "Fair komi 7, proved") && strstr(sgf, "Fair komi 6.5, proved"));
    free(sgf);
    run_free(run);
}

static void narrow_books_end(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    config.run.games = 100000;
    config.until_width = 3;
    config.parity = PARITY_EVEN;
    int played;
    play_book(&config, &played);
    assert_in_range(played, 24, 2000);
    BookStanding standing;
    Error error;
    Run *run = open_book(&config);
    assert_true(book_run_standing(run, 0, BOOK_RESULT_DRAWS, &standing, &error));
    assert_true(standing.ci95[0].high - standing.ci95[0].low < 3);
    book_standing_end(&standing);
    run_free(run);
}

/* Between neighbours nothing more can be known, however narrow the interval is to be. */
static void books_end_at_neighbours(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    config.run.games = 100000;
    config.until_width = 0.001;
    config.parity = PARITY_EVEN;
    config.player.params.solver_share = 1; /* so no game is lost by a slip */
    int played;
    play_book(&config, &played);
    assert_in_range(played, 24, 4000);
    BookStanding standing;
    Error error;
    Run *run = open_book(&config);
    assert_true(book_run_standing(run, 0, BOOK_RESULT_DRAWS, &standing, &error));
    assert_true(book_run_answer(run, 0, &standing).fair_komi.bracket);
    assert_true(standing.ci95[0].low == 6 && standing.ci95[0].high == 8);
    book_standing_end(&standing);
    run_free(run);
}

/* A game begins with the line to its position, in all images of the board, and one player plays both sides. */
static void lines_are_turned(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    config.effort.simulations = 5;
    play_book(&config, NULL);
    Run *run = open_book(&config);
    for (int group = 0; group < 2; group++) {
        const BookTree *tree = &book_state(run)->books[group].tree;
        int images[2] = {0}; /* of the last moves of lines, as bits; without turns they would be fewer */
        for (int i = 0; i < run->groups[group].planned; i++) {
            RunStart start = {.plays_itself = false};
            const GameId id = {.group = group, .number = i};
            const BookArm *arm = &tree->arms[run_place(run, id)->plan];
            run->kind->by_results->start(run, id, &start);
            assert_true(start.plays_itself && start.opening.komi == arm->result.komi &&
                        komi_has_button(start.opening.komi) == group);
            assert_int_equal(start.opening.count, tree->nodes[arm->node].plies);
            assert_true(start.players[BLACK].simulations == 5 && start.players[WHITE].simulations == 5);
            const Opening *opening = &start.opening;
            if (opening->count > 0 && opening->actions[opening->count - 1] < 32)
                images[0] |= 1 << opening->actions[opening->count - 1];
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
    BookConfig config = small_book();
    config.effort.simulations = 5;
    config.run.games = 60;
    play_book(&config, NULL);
    BookConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.effort.simulations = 6;
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
    BookConfig config = small_book();
    config.effort.simulations = 5;
    config.run.games = 100;
    config.plan.nodes = 8;
    play_book(&config, NULL);
    Run *run = open_book(&config);
    assert_true(book_state(run)->books[0].full && book_state(run)->books[0].tree.count == 3);
    run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(plans_are_stopped, drop_files),
        cmocka_unit_test_teardown(a_solved_board_is_found, drop_files),
        cmocka_unit_test_teardown(exact_books_need_no_games, drop_files),
        cmocka_unit_test_teardown(narrow_books_end, drop_files),
        cmocka_unit_test_teardown(books_end_at_neighbours, drop_files),
        cmocka_unit_test_teardown(lines_are_turned, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(a_full_book_goes_on, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
