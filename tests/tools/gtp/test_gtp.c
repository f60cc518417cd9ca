/* Tests of the Go Text Protocol session: what is fed to it and what it answers, by whole transcripts.
 *
 * Searches here are a few simulations by one thread, so that every transcript is reproducible; the board is hexhex-3
 * unless a test says otherwise. */
#include "engine/base/rng.h"
#include "tests/support/gtp_talk.h"
#include "tools/gtp/session_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Lines ---- */

static void test_ids_and_blanks(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("name\n", "= Stigmergy\n\n");
    ASSERT_ANSWERS("17 name\n", "=17 Stigmergy\n\n");
    ASSERT_ANSWERS("  17   protocol_version  \n", "=17 2\n\n");
    ASSERT_ANSWERS("0\tprotocol_version\t\n", "=0 2\n\n");
    ASSERT_ANSWERS("\n   \n\t\n\r\n# only a comment\n#\n", "");
    ASSERT_ANSWERS("name # this # and that\nname#\n", "= Stigmergy\n\n= Stigmergy\n\n");
    ASSERT_ANSWERS("name\r\n1 name\r\n", "= Stigmergy\n\n=1 Stigmergy\n\n");
    ASSERT_ANSWERS("na\x01me\x7f\n\x1bname\0\n", "= Stigmergy\n\n= Stigmergy\n\n");
}

static void test_refused_lines(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("nonsense\n3 NAME\n", "? unknown command\n\n?3 unknown command\n\n");
    ASSERT_ANSWERS("12\n12a name\n-1 name\n", "?12 a command is missing\n\n? unknown command\n\n? unknown command\n\n");
    ASSERT_ANSWERS("play b\n", "? play: expected COLOR VERTEX\n\n");
    ASSERT_ANSWERS("play b a1 a2\n4 quit now\n", "? play: expected COLOR VERTEX\n\n?4 quit: expected no arguments\n\n");
    ASSERT_ANSWERS("play b a1 a2 a3 a4 b1 b2 b3 b4 c1 c2\n", "? play: expected COLOR VERTEX\n\n");
    ASSERT_ANSWERS("\xff\xfe\x80\n", "? unknown command\n\n");
}

static void test_quit_and_end(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("1 quit\n2 name\n", "=1\n\n");
    ASSERT_ANSWERS("name", "= Stigmergy\n\n");
    ASSERT_ANSWERS("play b", "? play: expected COLOR VERTEX\n\n");
    ASSERT_ANSWERS("", "");
}

static void test_long_lines(void **unused) {
    (void)unused;
    enum { LENGTH = 1 << 20 };
    char *input = malloc(LENGTH + 16);
    assert_non_null(input);
    const char *const expected[2] = {"?9 the line is longer than 4096 bytes\n\n= Stigmergy\n\n",
                                     "=9 Stigmergy\n\n= Stigmergy\n\n"}; /* a long comment is a comment */
    for (int i = 0; i < 2; i++) {
        memset(input, 'x', LENGTH);
        memcpy(input, i == 0 ? "9 name " : "9 name#", 7);
        memcpy(input + LENGTH, "\nname\n", 6);
        assert_answers(input, LENGTH + 6, expected[i]);
    }
    free(input);
}

static void test_any_pieces(void **unused) {
    (void)unused;
    const char input[] = "1 play b c3\n2 play w c2 # here\r\n3 all_legal b\n4 showboard\n5 final_score\n6 name";
    const GtpOptions options = default_options();
    Conversation whole, pieces;
    open_conversation(&whole, &options);
    open_conversation(&pieces, &options);
    gtp_feed(whole.gtp, input, strlen(input));
    for (const char *c = input; *c; c++)
        gtp_feed(pieces.gtp, c, 1);
    gtp_end(whole.gtp);
    gtp_end(pieces.gtp);
    assert_string_equal(whole.text, pieces.text);
    assert_non_null(strstr(whole.text, "=6 Stigmergy"));
    close_conversation(&whole);
    close_conversation(&pieces);
}

static void test_output_that_fails(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    char room[8];
    FILE *out = fmemopen(room, sizeof room, "w");
    assert_non_null(out);
    Gtp *gtp = gtp_new(&options, out, NULL);
    assert_non_null(gtp);
    assert_false(gtp_feed(gtp, "list_commands\n", 14));
    assert_true(ferror(out));
    gtp_free(gtp);
    fclose(out);
}

static void test_command_list(void **unused) {
    (void)unused;
    const char *const needed[] = {"protocol_version",
                                  "name",
                                  "version",
                                  "known_command",
                                  "list_commands",
                                  "quit",
                                  "boardsize",
                                  "clear_board",
                                  "komi",
                                  "play",
                                  "genmove",
                                  "reg_genmove",
                                  "undo",
                                  "showboard",
                                  "final_score",
                                  "time_settings",
                                  "kgs-time_settings",
                                  "kata-time_settings",
                                  "kata-list_time_settings",
                                  "time_left",
                                  "cputime",
                                  "game",
                                  "all_legal",
                                  "board_score",
                                  "loadsgf",
                                  "printsgf",
                                  "stigmergy-analyze",
                                  "kata-analyze",
                                  "lz-analyze",
                                  "kata-genmove_analyze",
                                  "lz-genmove_analyze",
                                  "stigmergy-levels",
                                  "gogui-rules_game_id",
                                  "gogui-rules_board_size",
                                  "gogui-rules_board",
                                  "gogui-rules_legal_moves",
                                  "gogui-rules_side_to_move",
                                  "gogui-rules_final_result",
                                  "gogui-analyze_commands"};
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    const char *list = say(&talk, "list_commands\n");
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        assert_non_null(strstr(list, needed[i]));
    char *copy = strdup(list + 2), *rest = NULL;
    for (char *name = strtok_r(copy, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
        char line[80];
        snprintf(line, sizeof line, "known_command %s\n", name);
        assert_string_equal(say(&talk, line), "= true\n\n");
    }
    assert_string_equal(say(&talk, "known_command tsumego\n"), "= false\n\n");
    free(copy);
    close_conversation(&talk);
}

/* ---- The position ---- */

static void test_play(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("play b c3\nplay W C4\nplay BLACK a1\nplay white a2\nboard_score\n",
                   "=\n\n=\n\n=\n\n=\n\n= 3 2\n\n"); /* and Black controls c1 */
    ASSERT_ANSWERS("play w c3\nplay b c3\nplay b c4\nplay w c3\nplay w c4\nplay b c3x\nplay b c3\n",
                   "? it is Black's turn\n\n=\n\n? it is White's turn\n\n"
                   "? illegal move: c3: White does not control that cell, so the stone cannot be flipped\n\n"
                   "=\n\n? illegal move: c3x: there is no stone of White to flip\n\n"
                   "? illegal move: c3: Black has a stone there already\n\n");
    ASSERT_ANSWERS(
        "play r c3\nplay b z9\nplay b c3xx\nplay b pass\nplay b take-button\nboard_score\n",
        "? invalid color 'r', expected b or w\n\n"
        "? illegal move: 'z9' is not a move: expected a cell of hexhex-3 (a1 to row e), a cell with an x, or "
        "pass\n\n"
        "? illegal move: 'c3xx' is not a move: expected a cell of hexhex-3 (a1 to row e), a cell with an x, "
        "or pass\n\n"
        "? illegal move: pass: not allowed while an empty cell is controlled by nobody\n\n"
        "? illegal move: take-button: this game has no button (only odd komi has one)\n\n= 0 0\n\n");
    ASSERT_ANSWERS("komi 5\nplay b z9\n", "=\n\n? illegal move: 'z9' is not a move: expected a cell of hexhex-3 (a1 to "
                                          "row e), a cell with an x, pass or take-button\n\n");
}

/* Hexhex-2: the stones on a1, b1 and a2 each see two of the other colour, enough in a corner. */
static const char flip_game[] = "boardsize 2\nplay b a1\nplay w b1\nplay b c2\nplay w a2\nplay b b2\n";

static void test_flip_and_board(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    assert_string_equal(say(&talk, flip_game), "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n");
    assert_string_equal(say(&talk, "showboard\n"), "=\n"
                                                   "    1 2\n"
                                                   " c b B 3\n"
                                                   "b WxB b\n"
                                                   " a BxWx3\n"
                                                   "    1 2\n"
                                                   "White to move, komi: 0, button: none\n"
                                                   "Black: 5 cells, White: 2 cells, score: B+3\n\n");
    assert_string_equal(say(&talk, "play b a1x\nplay w c2x\nplay w a1X\nboard_score\nfinal_score\n"),
                        "? it is White's turn\n\n"
                        "? illegal move: c2x: White does not control that cell, so the stone cannot be flipped\n\n"
                        "=\n\n= 4 3\n\n= B+1\n\n");
    assert_string_equal(say(&talk, "undo\nboard_score\nplay w A1\nboard_score\n"), "=\n\n= 5 2\n\n=\n\n= 4 3\n\n");
    close_conversation(&talk);
}

static void test_undo_to_the_start(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("undo\nplay b c3\nplay w c4\nundo\nundo\nundo\nboard_score\nplay b c3\nboard_score\n",
                   "? cannot undo\n\n=\n\n=\n\n=\n\n=\n\n? cannot undo\n\n= 0 0\n\n=\n\n= 1 0\n\n");
}

static void test_komi_and_button(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("komi 4.0\nfinal_score\nclear_board\nfinal_score\nkomi -3\nfinal_score\nkomi 0\nfinal_score\n",
                   "=\n\n= W+4\n\n=\n\n= W+4\n\n=\n\n= B+3\n\n=\n\n= 0\n\n");
    ASSERT_ANSWERS("komi 2\nkomi 2.5\nkomi x\nkomi 20\nkomi -20\nkomi 1e99\nkomi nan\nkomi 0x1\nfinal_score\n",
                   "=\n\n"
                   "? komi: '2.5', expected a whole number from -19 to 19\n\n"
                   "? komi: 'x', expected a whole number from -19 to 19\n\n"
                   "? komi: '20', expected a whole number from -19 to 19\n\n"
                   "? komi: '-20', expected a whole number from -19 to 19\n\n"
                   "? komi: '1e99', expected a whole number from -19 to 19\n\n"
                   "? komi: 'nan', expected a whole number from -19 to 19\n\n"
                   "? komi: '0x1', expected a whole number from -19 to 19\n\n= W+2\n\n");
    ASSERT_ANSWERS("game bug\nkomi 3\nkomi 0\n", "=\n\n? komi: '3', expected 0, for bug has no points\n\n=\n\n");
    ASSERT_ANSWERS("play b c3\nkomi 2\nkomi 0.0\nboard_score\nundo\nkomi 2\nfinal_score\n",
                   "=\n\n? komi can be changed only before the first move\n\n=\n\n= 1 0\n\n=\n\n=\n\n= W+2\n\n");
    ASSERT_ANSWERS(
        "komi 1\nplay b Take-Button\nplay w take-button\nplay w c3\nfinal_score\nboardsize 4\nfinal_score\n",
        "=\n\n=\n\n? illegal move: take-button: the button has been taken already\n\n=\n\n= W+1.5\n\n=\n\n= W+1\n\n");
}

static void test_sizes_and_games(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("play b c3\nboardsize 11\nboardsize 1\nboardsize 0\nboardsize -3\nboardsize x\nboardsize 3.0\n"
                   "boardsize 99999999999999999999\nboard_score\nboardsize 2\nall_legal b\n",
                   "=\n\n? unacceptable size\n\n? unacceptable size\n\n? unacceptable size\n\n? unacceptable size\n\n"
                   "? unacceptable size\n\n? unacceptable size\n\n? unacceptable size\n\n= 1 0\n\n=\n\n"
                   "= c1 c2 b1 b2 b3 a1 a2\n\n");
    static const char impossible[] =
        "? komi is 19, which this board does not have, expected first the command komi, from -7 to 7\n\n";
    char expected[2048] = "=\n\n=\n\n"; /* no other game than the one that was asked for */
    for (int i = 0; i < 10; i++)
        strcat(expected, impossible);
    strcat(expected, "=\n\n= W+19\n\n=\n\n=\n\n=\n\n= W+6\n\n");
    ASSERT_ANSWERS("komi 19\nboardsize 2\nplay b a1\ngenmove b\nreg_genmove "
                   "b\nstigmergy-analyze\nshowboard\nfinal_score\nprintsgf\nboard_score\ngogui-rules_board\n"
                   "gogui-rules_legal_moves\nboardsize 3\n"
                   "final_score\nboardsize 2\nkomi 7\nplay b a1\nfinal_score\n",
                   expected);
    ASSERT_ANSWERS("komi 19\nboardsize 2\ngame bug\nplay b a1\ngame stigmergy\nkomi 1\nplay b a1\n",
                   "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n");
    ASSERT_ANSWERS("play b c3\ngame chess\nboard_score\ngame stigmergy\nboard_score\n",
                   "=\n\n? game: 'chess' is not known, expected stigmergy, bug or sgolte\n\n= 1 0\n\n=\n\n= 0 0\n\n");
}

static void test_all_legal(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("boardsize 2\nkomi 1\nall_legal white\nall_legal green\nall_legal B\n",
                   "=\n\n=\n\n? it is Black's turn\n\n? invalid color 'green', expected b or w\n\n"
                   "= c1 c2 b1 b2 b3 a1 a2 take-button\n\n");
}

/* ---- Moves of its own ---- */

/* The words of the last answer. */
static void answered_move(const char *answer, char move[16]) {
    assert_int_equal(sscanf(answer, "= %15s\n\n", move), 1);
}

static void test_genmove_to_the_end(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation player, witness;
    open_conversation(&player, &options);
    open_conversation(&witness, &options);
    say(&player, "komi 3\n");
    say(&witness, "komi 3\n");
    int turns = 0;
    for (;; turns++) {
        const char color = "bw"[turns % 2];
        char line[32], move[16];
        snprintf(line, sizeof line, "genmove %c\n", color);
        const char *answer = say(&player, line);
        if (!strcmp(answer, "? the game is over\n\n"))
            break;
        answered_move(answer, move);
        snprintf(line, sizeof line, "play %c %s\n", color, move);
        assert_string_equal(say(&witness, line), "=\n\n"); /* a legal move */
    }
    assert_in_range(turns, 10, 200);
    assert_string_equal(say(&witness, "play b c3\n"), "? the game is over\n\n");
    assert_string_equal(say(&witness, "all_legal b\n"), "=\n\n");
    assert_non_null(strstr(say(&witness, "showboard\n"), "The game is over"));
    char score[64];
    snprintf(score, sizeof score, "%s", say(&player, "final_score\n"));
    assert_non_null(strstr(score, ".5\n")); /* the button decides at odd komi */
    assert_string_equal(say(&witness, "final_score\n"), score);
    for (int i = 0; i < turns; i++)
        assert_string_equal(say(&player, "undo\n"), "=\n\n");
    assert_string_equal(say(&player, "undo\n"), "? cannot undo\n\n");
    close_conversation(&player);
    close_conversation(&witness);
}

static void test_reg_genmove_plays_nothing(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    char move[16];
    answered_move(say(&talk, "reg_genmove b\n"), move);
    assert_string_equal(say(&talk, "board_score\nundo\n"), "= 0 0\n\n? cannot undo\n\n");
    assert_string_equal(say(&talk, "reg_genmove w\n"), "? it is Black's turn\n\n");
    close_conversation(&talk);
}

static void test_resign(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.resign = 1;
    Conversation talk;
    open_conversation(&talk, &options);
    assert_string_equal(say(&talk, "genmove b\nboard_score\nundo\n"), "= resign\n\n= 0 0\n\n? cannot undo\n\n");
    assert_string_equal(say(&talk, "reg_genmove b\n"), "= resign\n\n");
    close_conversation(&talk);
}

static void test_same_seed_same_answers(void **unused) {
    (void)unused;
    const char input[] = "boardsize 4\ngenmove b\ngenmove w\ngenmove b\nundo\ngenmove b\ngenmove w\nshowboard\n";
    const GtpOptions options = default_options();
    Conversation first, second;
    open_conversation(&first, &options);
    open_conversation(&second, &options);
    assert_string_equal(say(&first, input), say(&second, input));
    close_conversation(&first);
    close_conversation(&second);
}

/* How many moves of a report have two of every hundred visits. */
static int candidates(const char *report) {
    double visits[GAME_LEGAL_MAX], sum = 0;
    int count = 0, many = 0;
    for (const char *at = report; (at = strstr(at, " visits ")); at++)
        sum += visits[count++] = strtod(at + strlen(" visits "), NULL);
    for (int i = 0; i < count; i++)
        many += visits[i] >= sum / 50;
    return many;
}

/* An analysis looks at several moves, a move's search at the best ones. */
static void test_candidates(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.player.simulations = 10000;
    options.player.memory_mb = 16;
    Conversation talk;
    open_conversation(&talk, &options);
    say(&talk, "boardsize 5\nkomi 6\nplay b a2\n"); /* a position without symmetry */
    const int analysed = candidates(say(&talk, "kata-analyze w 1000\n"));
    say(&talk, "clear_board\nplay b a2\n");
    const int considered = candidates(say(&talk, "kata-genmove_analyze w 1000\n"));
    if (analysed < considered + 3)
        fail_msg("%d candidates in an analysis, %d for a move", analysed, considered);
    close_conversation(&talk);
}

static void test_time_commands(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("time_settings 10 1.5 3\ntime_left b 5 0\ntime_left white -1 2\ntime_settings 0 1 0\n",
                   "=\n\n=\n\n=\n\n=\n\n");
    ASSERT_ANSWERS("time_settings -1 0 0\ntime_settings 1 x 0\ntime_settings 1 1 1.5\ntime_left x 1 1\n",
                   "? main time: '-1', expected a number from 0 to 1000000000\n\n"
                   "? byo-yomi time: 'x', expected a number from 0 to 1000000000\n\n"
                   "? byo-yomi stones: '1.5', expected a whole number from 0 to 1000000\n\n"
                   "? invalid color 'x', expected b or w\n\n");
    ASSERT_ANSWERS("kgs-time_settings none\nkgs-time_settings absolute 300\nkgs-time_settings byoyomi 300 30 5\n"
                   "time_left b 30 4\nkgs-time_settings canadian 300 60 10\nkata-time_settings fischer 300 10.5\n"
                   "kata-list_time_settings\n",
                   "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n= none absolute byoyomi canadian fischer\n\n");
    ASSERT_ANSWERS("kgs-time_settings fischer 300 10\nkata-time_settings hourglass 1\n"
                   "kata-time_settings byoyomi 300 30\nkgs-time_settings byoyomi 300 30 0\n"
                   "kata-time_settings fischer 300 -1\n",
                   "? 'fischer', expected none, absolute, byoyomi or canadian\n\n"
                   "? 'hourglass', expected none, absolute, byoyomi, canadian or fischer\n\n"
                   "? byoyomi: 2 numbers, expected the main time, the time of a period and the number of periods\n\n"
                   "? byo-yomi periods: '0', expected a whole number from 1 to 1000000\n\n"
                   "? increment: '-1', expected a number from 0 to 1000000000\n\n");
}

static void assert_clock(const GameClock *clock, bool running, const GameTimes *times) {
    assert_int_equal(clock->running, running);
    assert_true(clock->times.main_time == times->main_time && clock->times.increment == times->increment);
    assert_true(clock->times.period == times->period && clock->times.period_stones == times->period_stones);
    assert_int_equal(clock->times.periods, times->periods);
}

/* Each number of a setting goes where it belongs. A new game, and another komi, start the clock anew. */
static void test_clocks(void **unused) {
    (void)unused;
    static const struct {
        const char *command;
        bool running;
        GameTimes times; /* main time, increment, period, its stones, periods */
    } cases[] = {
        {"time_settings 10 1.5 3\n", true, {10, 0, 1.5, 3, 1}},
        {"kgs-time_settings absolute 300\n", true, {300, 0, 0, 0, 1}},
        {"kgs-time_settings none\n", false, {0, 0, 0, 0, 1}},
        {"kgs-time_settings byoyomi 300 30 5\n", true, {300, 0, 30, 1, 5}},
        {"kgs-time_settings canadian 300 60 10\n", true, {300, 0, 60, 10, 1}},
        {"kata-time_settings fischer 300 10.5\n", true, {300, 10.5, 0, 0, 1}},
    };
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    const GameClock *clock = &talk.gtp->clock;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(say(&talk, cases[i].command), "=\n\n");
        assert_clock(clock, cases[i].running, &cases[i].times);
    }
    static const char *const anew[] = {"clear_board\n", "komi 3\n", "boardsize 4\n"};
    for (int i = 0; i < 3; i++) {
        say(&talk, "time_left w 7 0\n");
        assert_true(clock->left[BLACK] == 300 && clock->left[WHITE] == 7);
        say(&talk, anew[i]);
        assert_true(clock->left[BLACK] == 300 && clock->left[WHITE] == 300);
    }
    say(&talk, "kgs-time_settings absolute 300\ngenmove b\n");
    assert_true(clock->left[BLACK] < 300 && clock->left[WHITE] == 300);
    close_conversation(&talk);
}

/* time_left names a colour, whose player changes with a swap. */
static void test_clock_after_swap(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    const GameClock *clock = &talk.gtp->clock;
    say(&talk, "game sgolte\n");
    say(&talk, "time_settings 100 0 0\n");
    say(&talk, "play b a1\n");
    say(&talk, "time_left b 5 0\n");
    assert_true(clock->left[BLACK] == 5 && clock->left[WHITE] == 100);
    say(&talk, "play w swap\n");
    say(&talk, "time_left b 50 0\n");
    say(&talk, "time_left w 3 0\n"); /* White is to move: the player who began */
    assert_true(clock->left[BLACK] == 3 && clock->left[WHITE] == 50);
    close_conversation(&talk);
}

/* A player with a thousand hours for a move takes what its clock has. */
static void test_clock_and_move_time(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    Conversation talk;
    char move[16];
    options.player.simulations = 0;
    options.player.move_seconds = 3.6e6;
    open_conversation(&talk, &options);
    say(&talk, "time_settings 0.01 0 0\n");
    answered_move(say(&talk, "genmove b\n"), move);
    close_conversation(&talk);
}

/* Where the clock alone decides, the player's 8 simulations are no limit: at least 32 are made. */
static void test_clock_decides(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    Conversation talk;
    SearchMove moves[GAME_LEGAL_MAX];
    uint64_t visits = 0;
    options.clock_decides = true;
    open_conversation(&talk, &options);
    say(&talk, "time_settings 0.01 0 0\nreg_genmove b\n");
    const int count = search_moves(talk.gtp->search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        visits += moves[i].visits;
    assert_true(visits > 8);
    close_conversation(&talk);
}

/* However little time there is, a move comes. */
static void test_moves_without_time(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    char move[16];
    open_conversation(&talk, &options);
    say(&talk, "time_settings 0 0 0\n");
    answered_move(say(&talk, "genmove b\n"), move);
    say(&talk, "time_left w -3 0\n");
    answered_move(say(&talk, "genmove w\n"), move);
    say(&talk, "kata-time_settings fischer 0.01 100\n"); /* the increment comes after the move */
    answered_move(say(&talk, "genmove b\n"), move);
    say(&talk, "kgs-time_settings byoyomi 0 0.01 3\n");
    answered_move(say(&talk, "genmove w\n"), move);
    close_conversation(&talk);
}

/* Turns of several actions, and the swap: the board stays, White moves next, and colours are those of the stones. */
static void test_sgolte(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("game sgolte\nplay b d3\nplay w b4\nplay b c4\nplay w b2\nplay b e3\nplay w b3\n"
                   "play w b3xd3>a2,a3\nplay w b3xd3>a2\nplay b d4xb3,b2>c3\nplay b D4xb2,b3>c3,d3\nfinal_score\n"
                   "showboard\n",
                   "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n"
                   "? illegal move: b3 joins groups: expected x and captures after it, found ''\n\n"
                   "? illegal move: expected 1 re-placement, as many as captures, found ',a3' after 1\n\n=\n\n"
                   "? illegal move: xb3 splits the group: expected > and re-placements, not another capture\n\n"
                   "=\n\n? the game is not over\n\n"
                   "=\n     1 2 3\n  e . . B 4\n d . . B B 5\nc . . B B .\n b . . . W 5\n  a . W . 4\n     1 2 3\n"
                   "White to move\n\n");
    ASSERT_ANSWERS("game sgolte\nboardsize 2\nplay b c1\nplay w swap\nplay b c2\nplay w c2\nplay b swap\nplay b b2\n"
                   "play w b1\nplay b a2\nplay w b3\nall_legal b\nplay b a1\nfinal_score\nboard_score\ngenmove w\n",
                   "=\n\n=\n\n=\n\n=\n\n? it is White's turn\n\n=\n\n"
                   "? illegal move: swap: it may only answer Black's first stone, and only with the pie rule\n\n"
                   "=\n\n=\n\n=\n\n=\n\n= a1\n\n=\n\n= B+\n\n? this game has no points\n\n? the game is over\n\n");
    ASSERT_ANSWERS("game sgolte\nboardsize 5\nplay b a1\nplay w e3\nplay b a3\nplay w e4\nplay b i1\nplay w e5\n"
                   "play b i3\nplay w e6\nplay b i5\nplay w e7\nall_legal b\n",
                   "=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n"
                   "? there are too many legal turns to list\n\n");
}

/* A variant is what the command says, and the usual one where it does not. */
static void test_variant(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("game bug\nvariant pie=on\ngame bug\nplay b c3\nplay w swap\n", "=\n\n=\n\n=\n\n=\n\n=\n\n");
    static const char no_swap[] =
        "? illegal move: swap: it may only answer Black's first stone, and only with the pie rule\n\n";
    char expected[300];
    snprintf(expected, sizeof expected, "=\n\n=\n\n=\n\n=\n\n%s", no_swap);
    ASSERT_ANSWERS("game bug\nvariant pie=on\nvariant\nplay b c3\nplay w swap\n", expected);
    ASSERT_ANSWERS("game sgolte\nplay b c3\nvariant capture=line pie=off\nplay b c3\nplay w swap\n", expected);
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    say(&talk, "game sgolte\n");
    assert_non_null(strstr(say(&talk, "variant pie=off capture=line\nprintsgf\n"), "RU[capture=line pie=off]"));
    assert_null(strstr(say(&talk, "variant capture=free pie=on\nprintsgf\n"), "RU["));
    close_conversation(&talk);
    ASSERT_ANSWERS("variant pie=off\nvariant pie=maybe\nvariant pie=on\ngame bug\nvariant capture=line\n",
                   "=\n\n? variant: 'pie=maybe', expected capture=free, capture=line, pie=off or pie=on\n\n"
                   "? pie: stigmergy is played without the swap, expected off\n\n=\n\n"
                   "? capture: bug has no such option, leave it out\n\n");
}

/* Random commands, sensible and not: each gets one answer, and one that fails changes nothing. */
static void test_random_commands(void **unused) {
    (void)unused;
    static const char *const words[] = {"play",
                                        "genmove",
                                        "reg_genmove",
                                        "undo",
                                        "komi",
                                        "boardsize",
                                        "all_legal",
                                        "game",
                                        "b",
                                        "w",
                                        "c3",
                                        "a1",
                                        "b2",
                                        "stigmergy-analyze",
                                        "printsgf",
                                        "gogui-rules_board",
                                        "gogui-rules_legal_moves",
                                        "b2x",
                                        "pass",
                                        "a2",
                                        "take-button",
                                        "2",
                                        "3",
                                        "1",
                                        "-1.5",
                                        "clear_board"};
    GtpOptions options = default_options();
    options.no_files = true; /* printsgf c3 */
    Conversation talk;
    open_conversation(&talk, &options);
    Rng rng = rng_seed(11);
    int failed = 0, done = 0;
    for (int i = 0; i < 5000; i++) {
        char line[96] = "", before[1024], after[1024];
        for (uint32_t n = 1 + rng_below(&rng, 3); n > 0; n--) {
            strcat(line, words[rng_below(&rng, sizeof words / sizeof words[0])]);
            strcat(line, n > 1 ? " " : "\n");
        }
        snprintf(before, sizeof before, "%s", say(&talk, "showboard\n"));
        const char *answer = say(&talk, line);
        const bool good = answer[0] == '=';
        assert_true(good || answer[0] == '?');
        assert_ptr_equal(strstr(answer, "\n\n"), answer + strlen(answer) - 2);
        snprintf(after, sizeof after, "%s", say(&talk, "showboard\n"));
        if (!good)
            assert_string_equal(before, after);
        failed += !good;
        done += good;
    }
    assert_true(failed > 100 && done > 100);
    close_conversation(&talk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_and_blanks),
        cmocka_unit_test(test_refused_lines),
        cmocka_unit_test(test_quit_and_end),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_any_pieces),
        cmocka_unit_test(test_output_that_fails),
        cmocka_unit_test(test_command_list),
        cmocka_unit_test(test_play),
        cmocka_unit_test(test_flip_and_board),
        cmocka_unit_test(test_undo_to_the_start),
        cmocka_unit_test(test_komi_and_button),
        cmocka_unit_test(test_sizes_and_games),
        cmocka_unit_test(test_all_legal),
        cmocka_unit_test(test_genmove_to_the_end),
        cmocka_unit_test(test_reg_genmove_plays_nothing),
        cmocka_unit_test(test_resign),
        cmocka_unit_test(test_same_seed_same_answers),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_time_commands),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_clock_after_swap),
        cmocka_unit_test(test_clock_and_move_time),
        cmocka_unit_test(test_clock_decides),
        cmocka_unit_test(test_moves_without_time),
        cmocka_unit_test(test_sgolte),
        cmocka_unit_test(test_variant),
        cmocka_unit_test(test_random_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
