/* Tests of the Go Text Protocol session, second part: turns of several actions, files, GoGui, analysis, and what comes
 * in while a search runs. Searches and boards are as in test_gtp.c. */
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "tests/support/gtp_talk.h"
#include "tools/gtp/session_internal.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char *recordings; /* the folder of what GoGui sent */

/* ---- Whole games of other kinds: what genmove writes, play understands ---- */

static void test_turns_of_several_actions(void **unused) {
    (void)unused;
    int largest, usual, compound = 0;
    for (int i = 0; game_list(i, &largest, &usual); i++) {
        GtpOptions options = default_options();
        options.game.name = game_list(i, &largest, &usual);
        options.game.size = 4;
        options.player.simulations = 3;
        Conversation player, witness;
        open_conversation(&player, &options);
        open_conversation(&witness, &options);
        int turns = 0;
        for (bool over = false; !over; turns++) {
            char line[GAME_TEXT_MAX + 32], text[GAME_TEXT_MAX], colour[8];
            assert_int_equal(sscanf(say(&player, "gogui-rules_side_to_move\n"), "= %7s", colour), 1);
            snprintf(line, sizeof line, "genmove %s\n", colour);
            over = sscanf(say(&player, line), "= %1625s", text) < 1;
            snprintf(line, sizeof line, "play %s %s\n", colour, over ? "a1" : text);
            assert_string_equal(say(&witness, line), over ? "? the game is over\n\n" : "=\n\n");
            compound += strchr(text, ',') || strchr(text, '>');
        }
        assert_in_range(turns, 10, 300);
        char board[2048];
        snprintf(board, sizeof board, "%s", say(&player, "showboard\n"));
        assert_string_equal(say(&witness, "showboard\n"), board);
        char sgf[16384]; /* the same turns as SGF; the names differ, for only one session chose them */
        snprintf(sgf, sizeof sgf, "%s", say(&player, "printsgf\n"));
        assert_non_null(strstr(sgf, "PB[Stigmergy (default)]PW[Stigmergy (default)]"));
        const char *witnessed = say(&witness, "printsgf\n");
        assert_null(strstr(witnessed, "PB["));
        assert_non_null(strstr(sgf, "\n;"));
        assert_string_equal(strstr(witnessed, "\n;"), strstr(sgf, "\n;"));
        close_conversation(&player);
        close_conversation(&witness);
    }
    assert_true(compound > 0);
}

/* A move of a report can be played: a turn of which the search knows only the beginning is left out. */
static void test_reported_turns_are_whole(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.game = (GameOptions){.name = "bug", .size = 4};
    Conversation talk;
    open_conversation(&talk, &options);
    Rng rng = rng_seed(5);
    int compound = 0;
    for (int turn = 0; turn < 30; turn++) {
        const char *colour = turn % 2 ? "w" : "b";
        char line[GAME_TEXT_MAX + 16], report[65536], move[GAME_TEXT_MAX], chosen[GAME_TEXT_MAX] = "";
        snprintf(line, sizeof line, "kata-analyze %s 1\n", colour);
        snprintf(report, sizeof report, "%s", say(&talk, line));
        int moves = 0;
        for (const char *at = report; (at = strstr(at, "info move ")); at++) {
            assert_int_equal(sscanf(at, "info move %1625s", move), 1);
            snprintf(line, sizeof line, "play %s %s\n", colour, move);
            assert_string_equal(say(&talk, line), "=\n\n");
            assert_string_equal(say(&talk, "undo\n"), "=\n\n");
            compound += strchr(move, ',') || strchr(move, '>');
            if (rng_below(&rng, (uint32_t)++moves) == 0)
                snprintf(chosen, sizeof chosen, "%s", move);
        }
        if (moves == 0)
            break;
        snprintf(line, sizeof line, "play %s %s\n", colour, chosen);
        say(&talk, line);
    }
    assert_true(compound > 0);
    close_conversation(&talk);
}

/* ---- Games in files ---- */

static void make_path(char path[64], const char *name) {
    snprintf(path, 64, "/tmp/test-gtp-%ld-%s", (long)getpid(), name);
}

static void test_sgf(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    char path[64], line[160], expected[256];
    make_path(path, "a.sgf");
    Conversation first, second;
    open_conversation(&first, &options);
    open_conversation(&second, &options);
    say(&first, "boardsize 4\nkomi 3\nplay b d4\nplay w c3\nundo\nplay w a1\nplay b take-button\n");
    assert_non_null(strstr(say(&first, "printsgf\n"), "SZ[4]KM[3]"));
    snprintf(line, sizeof line, "printsgf %s\n", path);
    assert_string_equal(say(&first, line), "=\n\n");
    snprintf(line, sizeof line, "7 loadsgf %s\n", path);
    assert_string_equal(say(&second, line), "=7\n\n");
    snprintf(expected, sizeof expected, "%s", say(&first, "final_score\n"));
    assert_string_equal(say(&second, "final_score\n"), expected);
    assert_string_equal(say(&second, "undo\nundo\nundo\nundo\n"), "=\n\n=\n\n=\n\n? cannot undo\n\n");
    snprintf(line, sizeof line, "loadsgf %s 2\nboard_score\nplay w take-button\n", path);
    assert_string_equal(say(&second, line), "=\n\n= 1 0\n\n=\n\n"); /* before the second move */
    snprintf(line, sizeof line, "loadsgf %s 0\n", path);
    assert_string_equal(say(&second, line), "? move number: '0', expected a whole number from 1 to 2147483647\n\n");
    assert_string_equal(say(&second, "loadsgf /no/such.sgf\nboard_score\n"),
                        "? cannot load file: /no/such.sgf: cannot read: No such file or directory\n\n= 1 0\n\n");
    assert_string_equal(say(&second, "printsgf /no/such/a.sgf\n")[0] == '?' ? "?" : "=", "?");
    close_conversation(&first);
    close_conversation(&second);
    unlink(path);
}

/* A file that is written over keeps what it says beside its turns, as far as the turns are still its own. */
static void test_sgf_again(void **unused) {
    (void)unused;
    static const char text[] = "(;GM[stigmergy]SZ[3]KM[3]PB[Ann]PW[Bob]DT[2026-01-05]RE[W+3.5]TM[300]OT[5x30 byo-yomi]"
                               ";B[c3]BL[280];W[d2]WL[30]OW[5])";
    static const char said[] = "PB[Ann]PW[Bob]DT[2026-01-05]";
    const GtpOptions options = default_options();
    char path[64], load[96];
    make_path(path, "again.sgf");
    Error error;
    assert_true(file_write(path, text, strlen(text), &error));
    Conversation talk;
    open_conversation(&talk, &options);
    snprintf(load, sizeof load, "loadsgf %s\nprintsgf\n", path);
    const char *answer = say(&talk, load);
    assert_non_null(strstr(answer, said));
    assert_non_null(strstr(answer, "RE[W+3.5]TM[300]OT[5x30 byo-yomi]"));
    assert_non_null(strstr(answer, ";B[c3]BL[280];W[d2]WL[30]OW[5]"));
    static const char lines[] =
        "(;GM[stigmergy]SZ[3]PB[Ann\n\nClub A]PW[Bob];B[c3])"; /* an empty line ends an answer */
    assert_true(file_write(path, lines, strlen(lines), &error));
    answer = say(&talk, load);
    assert_non_null(strstr(answer, "PB[Ann  Club A]PW[Bob]"));
    assert_string_equal(strstr(strstr(answer, "\n\n") + 2, "\n\n"), "\n\n");
    assert_true(file_write(path, text, strlen(text), &error));
    say(&talk, load);
    answer = say(&talk, "undo\nplay w a1\nprintsgf\n"); /* not the file's turn, so not its time */
    assert_non_null(strstr(answer, said));
    assert_null(strstr(answer, "RE["));
    assert_non_null(strstr(answer, ";B[c3]BL[280];W[a1])"));
    answer = say(&talk, "genmove b\nprintsgf\n");
    assert_null(strstr(answer, "PB[Ann]"));
    assert_non_null(strstr(answer, "PW[Bob]"));
    assert_null(strstr(say(&talk, "clear_board\nprintsgf\n"), "Bob"));
    close_conversation(&talk);
    unlink(path);
}

/* Games without points have no komi, and that of the others stays. */
static void test_komi_of_other_games(void **unused) {
    (void)unused;
    static const char text[] = "(;GM[bug]SZ[3];B[c3])";
    const GtpOptions options = default_options();
    char path[64], line[160];
    make_path(path, "bug.sgf");
    Error error;
    assert_true(file_write(path, text, strlen(text), &error));
    Conversation talk;
    open_conversation(&talk, &options);
    say(&talk, "komi 5\ngame bug\n");
    assert_string_equal(say(&talk, "komi 0\nplay b c3\nkomi 0\nkomi 1\n"),
                        "=\n\n=\n\n=\n\n? komi: '1', expected 0, for bug has no points\n\n");
    snprintf(line, sizeof line, "loadsgf %s\n", path);
    assert_string_equal(say(&talk, line), "=\n\n");
    say(&talk, "game stigmergy\n");
    assert_non_null(strstr(say(&talk, "printsgf\n"), "KM[5]"));
    close_conversation(&talk);
    unlink(path);
}

static void test_files_refused(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.no_files = true;
    Conversation talk;
    open_conversation(&talk, &options);
    assert_string_equal(say(&talk, "loadsgf /dev/null\nprintsgf /tmp/x\n"),
                        "? files are not allowed here\n\n? files are not allowed here\n\n");
    assert_non_null(strstr(say(&talk, "printsgf\n"), "SZ[3]"));
    close_conversation(&talk);
}

static void test_sgf_of_a_position(void **unused) {
    (void)unused;
    static const char text[] = "(;GM[stigmergy]SZ[3]KM[2]AB[c3][c4]AW[a1]PL[W];W[a2])";
    const GtpOptions options = default_options();
    char path[64], line[160];
    make_path(path, "b.sgf");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    Conversation talk;
    open_conversation(&talk, &options);
    snprintf(line, sizeof line, "loadsgf %s 1\nkomi 1\nboard_score\nplay w take-button\n", path);
    assert_string_equal(say(&talk, line), "=\n\n=\n\n= 2 1\n\n=\n\n"); /* another komi, the same stones */
    snprintf(line, sizeof line, "loadsgf %s\nplay b c2\n", path);
    assert_string_equal(say(&talk, line), "=\n\n=\n\n");
    const char *answer = say(&talk, "printsgf\n");
    assert_non_null(strstr(answer, "PL[W]"));
    assert_non_null(strstr(answer, "W[a2];B[c2]"));
    assert_null(strstr(say(&talk, "clear_board\nprintsgf\n"), "AB["));
    close_conversation(&talk);
    unlink(path);
}

/* ---- GoGui ---- */

static void test_gogui(void **unused) {
    (void)unused;
    ASSERT_ANSWERS("boardsize 2\ngogui-rules_game_id\ngogui-rules_board_size\ngogui-rules_side_to_move\n"
                   "gogui-rules_legal_moves\nplay b b3\ngogui-rules_side_to_move\nplay w c1\ngogui-rules_board\n"
                   "gogui-rules_final_result\n",
                   "=\n\n= Stigmergy\n\n= 3\n\n= black\n\n= c1 c2 b1 b2 b3 a1 a2\n\n=\n\n= white\n\n=\n\n"
                   "= ? X ?\n. . .\n. . O\n\n? the game is not over\n\n");
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    char *copy = strdup(say(&talk, "gogui-analyze_commands\n") + 2), *rest = NULL;
    for (char *entry = strtok_r(copy, "\n", &rest); entry; entry = strtok_r(NULL, "\n", &rest)) {
        char name[64], line[96]; /* TYPE/LABEL/COMMAND */
        assert_int_equal(sscanf(entry, "%*[^/]/%*[^/]/%63[^ ]", name), 1);
        snprintf(line, sizeof line, "known_command %s\n", name);
        assert_string_equal(say(&talk, line), "= true\n\n");
    }
    free(copy);
    close_conversation(&talk);
}

/* A session that talks to GoGui. */
static GtpOptions gogui_options(int size, int komi) {
    GtpOptions options = default_options();
    options.game.size = size;
    options.komi = komi;
    options.vertices = GTP_VERTICES_GOGUI;
    return options;
}

/* GoGui's own spelling of a point (GoPoint.toString): columns have letters without I. */
static void gogui_point(int column, int number, char out[8]) {
    snprintf(out, 8, "%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column], number);
}

/* Every cell of every size: its spelling is listed, a click on it is played, and the stone is at GoGui's point. */
static void test_gogui_vertices(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const GtpOptions options = gogui_options(size, 0);
        const int width = 2 * size - 1;
        Conversation talk;
        open_conversation(&talk, &options);
        char *legal = strdup(say(&talk, "gogui-rules_legal_moves\n"));
        int cells = 0;
        legal[strcspn(legal, "\n")] = ' ';
        for (int column = 0; column < width; column++)
            for (int number = 1; number <= width; number++) {
                char point[8], wanted[16], line[32];
                gogui_point(column, number, point);
                snprintf(wanted, sizeof wanted, " %s ", point);
                const int row = column - (size - 1), longest = width - (row < 0 ? -row : row);
                assert_true((strstr(legal, wanted) != NULL) == (number <= longest));
                snprintf(line, sizeof line, "play B %s\n", point);
                const char *answer = say(&talk, line);
                assert_true((*answer == '=') == (number <= longest));
                if (*answer != '=')
                    continue;
                cells++;
                const char *board = say(&talk, "gogui-rules_board\n") + 2; /* behind "= " */
                assert_int_equal(board[2 * (width * (width - number) + column)], 'X');
                assert_string_equal(say(&talk, "undo\n"), "=\n\n");
            }
        assert_int_equal(cells, hexhex_cell_count(size));
        free(legal);
        close_conversation(&talk);
    }
}

/* A game by clicks: a click on a stone flips it, PASS takes the button and later passes. */
static void test_gogui_clicks(void **unused) {
    (void)unused;
    const GtpOptions options = gogui_options(2, 1);
    Conversation talk;
    open_conversation(&talk, &options);
    static const char *const turns[][2] = {
        {"play B A1\n", "=\n\n"},
        {"play W B1\n", "=\n\n"},
        {"play B C2\n", "=\n\n"},
        {"play W A2\n", "=\n\n"},
        {"gogui-rules_legal_moves\n", "= B2 pass\n\n"},
        {"play B B2\n", "=\n\n"},
        {"play W A1\n", "=\n\n"}, /* a flip */
        {"gogui-rules_board\n", "= ? . ?\nO X X\nO O .\n\n"},
        {"play B PASS\n", "=\n\n"}, /* the button */
        {"gogui-rules_side_to_move\n", "= white\n\n"},
        {"play W I5\n", "? illegal move: 'I5': the letters leave out I\n\n"},
        {"play W take-button\n", "? illegal move: take-button: the button has been taken already\n\n"},
        {"game bug\n", "? a turn of bug is no single vertex, so it needs --vertices rules\n\n"},
        {"boardsize 10\n", "? unacceptable size\n\n"}, /* GoGui counts columns: odd, up to 19 */
        {"boardsize 21\n", "? unacceptable size\n\n"},
        {"boardsize 19\n", "=\n\n"},
        {"gogui-rules_board_size\n", "= 19\n\n"},
        {"play B J9\n", "=\n\n"},
        {"play W K1\n", "=\n\n"},
        {"play B T10\n", "=\n\n"},
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        assert_string_equal(say(&talk, turns[i][0]), turns[i][1]);
    assert_non_null(strstr(say(&talk, "printsgf\n"), "[i9]")); /* the record is spelled as in the rules */
    char first[8], second[8];
    const char *answer = say(&talk, "lz-analyze W 50\n");
    assert_int_equal(
        sscanf(answer, "=\ninfo move %7[A-HJ-Tpas0-9] %*[^p]prior %*d lcb %*d order 0 pv %7s", first, second), 2);
    assert_string_equal(first, second);
    close_conversation(&talk);
}

/* The numbers after `ownership` of an answer. */
static int read_owners(const char *answer, double *out, int capacity) {
    const char *owners = strstr(answer, "ownership ");
    int count = 0, used;
    assert_non_null(owners);
    for (owners += 10; count < capacity && sscanf(owners, "%lf%n", &out[count], &used) == 1; count++)
        owners += used;
    assert_string_equal(owners, "\n\n");
    return count;
}

/* On the square, ownership has all its points, from the upper left corner on: 81 where the board has 61 cells. */
static void test_gogui_ownership(void **unused) {
    (void)unused;
    GtpOptions options = gogui_options(5, 3);
    Conversation talk;
    double points[100], cells[100];
    open_conversation(&talk, &options);
    say(&talk, "play B A1\n");
    assert_int_equal(read_owners(say(&talk, "kata-analyze W 50 maxmoves 1 ownership true\n"), points, 100), 81);
    close_conversation(&talk);
    options.vertices = GTP_VERTICES_RULES;
    open_conversation(&talk, &options);
    say(&talk, "play B a1\n");
    assert_int_equal(read_owners(say(&talk, "kata-analyze W 50 maxmoves 1 ownership true\n"), cells, 100), 61);
    close_conversation(&talk);
    static const int rows[9] = {56, 50, 43, 35, 26, 18, 11, 5, 0}; /* where the rows a, b, ... i begin */
    static const int columns[9] = {5, 6, 7, 8, 9, 8, 7, 6, 5};
    for (int i = 0; i < 81; i++) {
        const int row = i % 9, column = 8 - i / 9;
        assert_true(points[i] == (column < columns[row] ? cells[rows[row] + column] : 0));
    }
    options.vertices = GTP_VERTICES_GOGUI;
    open_conversation(&talk, &options);
    const char *answer = say(&talk, "lz-analyze 50 allow B E5 1 maxmoves 30\n");
    assert_non_null(strstr(answer, "move E5 "));
    close_conversation(&talk);
}

/* The engine's own turns can be sent back as they came, to the end of the game. */
static void test_gogui_own_turns(void **unused) {
    (void)unused;
    const GtpOptions options = gogui_options(3, 3);
    Conversation first, second;
    open_conversation(&first, &options);
    open_conversation(&second, &options);
    int passes = 0, flips = 0;
    for (int turn = 0; strcmp(say(&first, "gogui-rules_legal_moves\n"), "=\n\n"); turn++) {
        char ask[16], vertex[16], line[48], board[256];
        assert_true(turn < 200);
        snprintf(ask, sizeof ask, "genmove %c\n", turn % 2 ? 'w' : 'b');
        snprintf(board, sizeof board, "%s", say(&first, "gogui-rules_board\n") + 2);
        assert_int_equal(sscanf(say(&first, ask), "= %15s", vertex), 1);
        snprintf(line, sizeof line, "play %c %s\n", turn % 2 ? 'W' : 'B', vertex);
        assert_string_equal(say(&second, line), "=\n\n");
        if (!strcmp(vertex, "pass"))
            passes++;
        else
            flips += board[2 * (5 * (5 - (vertex[1] - '0')) + vertex[0] - 'A')] != '.';
    }
    char *final = strdup(say(&first, "gogui-rules_final_result\n"));
    assert_true(passes >= 3 && flips >= 0 && final[0] == '=');
    assert_string_equal(say(&second, "gogui-rules_final_result\n"), final);
    free(final);
    close_conversation(&first);
    close_conversation(&second);
}

/* A line of a recording behind its mark, '>' or '<'; false if the next line has another mark. */
static bool read_recorded(FILE *file, char mark, char out[1024]) {
    const int first = fgetc(file);
    if (first != mark || fgetc(file) != ' ' || !fgets(out, 1024, file)) {
        if (first != EOF)
            ungetc(first, file);
        return false;
    }
    return true;
}

/* Says a recorded command and expects the recorded answer. What the engine chose then is played now. */
static void replay_command(Conversation *talk, FILE *file, char command[1024]) {
    char wanted[4096] = "", line[1024], played[1024];
    size_t length = 0;
    for (; read_recorded(file, '<', line); length = strlen(wanted))
        snprintf(wanted + length, sizeof wanted - length, "%s", line);
    char colour, vertex[8];
    if (sscanf(command, "genmove %c", &colour) == 1) {
        assert_int_equal(sscanf(wanted, "= %7s", vertex), 1);
        snprintf(played, sizeof played, "play %c %s\n", colour, vertex);
        assert_string_equal(say(talk, played), "=\n\n");
        return;
    }
    const char *answer = say(talk, command);
    assert_true(length > 0 && !strncmp(answer, wanted, length) && !strcmp(answer + length, "\n"));
}

/* What GoGui sent and got while somebody played with its mouse: the files gogui-*.txt. */
static void test_gogui_recordings(void **unused) {
    (void)unused;
    static const char *const names[] = {"game-3",   "game-4",   "clicks-3", "clicks-4",
                                        "clicks-5", "clicks-6", "clicks-7", "clicks-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024], line[1024];
        int size, komi, commands = 0;
        snprintf(path, sizeof path, "%s/gogui-%s.txt", recordings, names[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(sscanf(line, "# hexhex-%d, komi %d:", &size, &komi), 2);
        const GtpOptions options = gogui_options(size, komi);
        Conversation talk;
        open_conversation(&talk, &options);
        for (; read_recorded(file, '>', line); commands++)
            replay_command(&talk, file, line);
        assert_true(commands > 10 && fgetc(file) == EOF);
        close_conversation(&talk);
        fclose(file);
    }
}

/* ---- Analysis, and what comes in while a search runs ---- */

static void test_analyze(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    char move[16], first[16];
    int visits;
    double win_rate, lead, prior;
    const char *answer = say(&talk, "5 stigmergy-analyze b 100 maxmoves 2 ownership true\n");
    assert_int_equal(sscanf(answer, "=5\ninfo move %15s visits %d winrate %lf scoreLead %lf prior %lf order 0 pv %15s",
                            move, &visits, &win_rate, &lead, &prior, first),
                     6);
    assert_string_equal(move, first);
    assert_true(visits > 0 && win_rate >= 0 && win_rate <= 1 && prior > 0 && prior <= 1);
    assert_non_null(strstr(answer, " info move "));
    assert_non_null(strstr(answer, " order 1 "));
    assert_null(strstr(answer, " order 2 "));
    const char *owners = strstr(answer, " ownership ");
    assert_non_null(owners);
    int numbers = 0, used;
    double owner;
    for (owners += 11; sscanf(owners, "%lf%n", &owner, &used) == 1; owners += used, numbers++)
        assert_true(owner >= -1 && owner <= 1);
    assert_int_equal(numbers, 19);
    assert_string_equal(answer + strlen(answer) - 2, "\n\n");
    assert_string_equal(say(&talk, "board_score\n"), "= 0 0\n\n"); /* nothing was played */
    assert_string_equal(say(&talk, "stigmergy-analyze w\n"), "? it is Black's turn\n\n");
    assert_string_equal(say(&talk, "stigmergy-analyze 0\n"),
                        "? interval: '0', expected a number from 1 to 1000000\n\n");
    assert_string_equal(say(&talk, "stigmergy-analyze b ownership maybe\n"),
                        "? ownership: 'maybe', expected false or true\n\n");
    assert_string_equal(say(&talk, "stigmergy-analyze maxmoves\n")[0] == '?' ? "?" : "=", "?");
    assert_string_equal(say(&talk, "stigmergy-analyze quick\n")[0] == '?' ? "?" : "=", "?");
    close_conversation(&talk);
}

/* All numbers are those of the side to move: here White, who is far behind. */
static void test_analyze_for_white(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    double win_rate, lead, owners[19], sum = 0;
    open_conversation(&talk, &options);
    say(&talk, "komi -4\nplay b c3\nplay w a1\nplay b d3\nplay w e1\nplay b b3\n");
    const char *answer = say(&talk, "stigmergy-analyze w 100 maxmoves 1 ownership true\n");
    assert_int_equal(sscanf(answer, "=\ninfo move %*s visits %*d winrate %lf scoreLead %lf", &win_rate, &lead), 2);
    assert_int_equal(read_owners(answer, owners, 19), 19);
    for (int c = 0; c < 19; c++)
        sum += owners[c];
    assert_true(win_rate < 0.3 && lead < -4 && sum < -4);
    close_conversation(&talk);
}

/* What programs send that know KataGo or Leela Zero, and the fields that they read. */
static void test_other_dialects(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    double utility, chance, mean, lead, prior, lcb;
    const char *answer = say(&talk, "kata-analyze b 100 minmoves 1 maxmoves 1 ownership true pvVisits true\n");
    assert_int_equal(sscanf(answer,
                            "=\ninfo move %*s visits %*d utility %lf winrate %lf scoreMean %lf scoreLead %lf prior %lf "
                            "lcb %lf order 0 pv",
                            &utility, &chance, &mean, &lead, &prior, &lcb),
                     6);
    assert_true(fabs(utility - 2 * chance + 1) < 1e-5 && fabs(mean - lead) < 1e-9 && lcb >= 0 && lcb < chance);
    assert_non_null(strstr(answer, " ownership "));
    int whole, of_prior, of_lcb;
    answer = say(&talk, "lz-analyze 100\n");
    assert_int_equal(
        sscanf(answer, "=\ninfo move %*s visits %*d winrate %d prior %d lcb %d order 0 pv", &whole, &of_prior, &of_lcb),
        3);
    assert_true(whole > 0 && whole < 10000 && of_prior > 0 && of_lcb < whole);
    assert_null(strstr(answer, "score"));
    assert_string_equal(say(&talk, "stigmergy-analyze b pvVisits true\n")[0] == '?' ? "?" : "=", "?");
    assert_string_equal(say(&talk, "kata-analyze b nonsense true\n")[0] == '?' ? "?" : "=", "?");
    close_conversation(&talk);
}

/* Moves that are left out or are the only ones, for an analysis and no longer. */
static void test_avoided_moves(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    const char *answer = say(&talk, "kata-analyze b 100 allow b c3,A1 1\n");
    assert_true(strstr(answer, "move c3 ") || strstr(answer, "move a1 "));
    assert_null(strstr(answer, " order 2 "));
    say(&talk, "kata-analyze b 100 allow b a1 1\n");
    assert_string_not_equal(say(&talk, "reg_genmove b\n"), "= a1\n\n");
    answer = say(&talk, "lz-analyze interval 100 maxmoves 30 avoid b c3 1 avoid w c3,c4 30\n");
    assert_null(strstr(answer, "move c3 "));
    assert_non_null(strstr(answer, " order 2 "));
    assert_string_equal(say(&talk, "kata-analyze b avoid b z9 1\n"),
                        "? 'z9', expected moves with commas between them\n\n");
    assert_string_equal(say(&talk, "kata-analyze b avoid b c3,,c4 1\n"),
                        "? '', expected moves with commas between them\n\n");
    assert_string_equal(say(&talk, "kata-analyze b allow b c3\n"), "? allow: expected COLOR VERTEX,... DEPTH\n\n");
    assert_string_equal(say(&talk, "kata-analyze b allow b c3 0\n"),
                        "? depth: '0', expected a whole number from 1 to 2147483647\n\n");
    assert_string_equal(say(&talk, "kata-analyze b allow b pass 1\n"), "? allow leaves no move\n\n");
    answer = say(&talk, "kata-analyze b 100 maxmoves 30\n");
    assert_non_null(strstr(answer, "move c3 "));
    char line[1000] = "kata-analyze b 100";
    for (int i = 0; i < 16; i++)
        strcat(line, " avoid w a1,b1 2");
    answer = say(&talk, strcat(line, "\n"));
    assert_non_null(strstr(answer, "=\ninfo move "));
    for (int i = 0; i < 30; i++)
        memcpy(line + strlen(line) - 1, " avoid b a1 1\n", sizeof " avoid b a1 1\n");
    assert_non_null(strstr(say(&talk, line), "? kata-analyze: expected [COLOR]"));
    close_conversation(&talk);
}

/* genmove with a report: the move that it plays, which is on the board then. */
static void test_genmove_analyze(void **unused) {
    (void)unused;
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    char move[8], best[8];
    const char *answer = say(&talk, "7 kata-genmove_analyze b 100 allow b d2 1\n");
    assert_int_equal(sscanf(answer, "=7\ninfo move %7s visits", best), 1);
    assert_non_null(strstr(answer, "\nplay "));
    assert_int_equal(sscanf(strstr(answer, "\nplay "), "\nplay %7s", move), 1);
    assert_string_equal(move, "d2");
    assert_string_equal(best, move);
    assert_string_equal(answer + strlen(answer) - 4, "d2\n\n");
    assert_string_equal(say(&talk, "kata-genmove_analyze b 100\n"), "? it is White's turn\n\n");
    answer = say(&talk, "lz-genmove_analyze w 100\n");
    assert_int_equal(sscanf(answer, "=\ninfo move %7s visits %*d winrate %*d prior", best), 1);
    assert_int_equal(sscanf(strstr(answer, "\nplay "), "\nplay %7s", move), 1);
    assert_string_equal(best, move);
    assert_string_equal(say(&talk, "undo\n"), "=\n\n");
    assert_string_equal(say(&talk, "undo\n"), "=\n\n");
    assert_string_equal(say(&talk, "undo\n"), "? cannot undo\n\n");
    close_conversation(&talk);
}

/* A move that no simulation has looked at is worth what the position is. */
static void test_report_of_an_unseen_move(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.player.simulations = 1;
    options.player.params.solver_share = 0;
    Conversation talk;
    open_conversation(&talk, &options);
    double chance;
    const char *answer = say(&talk, "komi 18\nkata-genmove_analyze b\n");
    assert_int_equal(sscanf(answer, "=\n\n=\ninfo move %*s visits 0 utility %*f winrate %lf", &chance), 1);
    assert_true(chance < 0.2);
    close_conversation(&talk);
}

/* What is allowed for several moves ahead is all that a turn may consist of. In Bug c2 and the cells beside it make a
 * turn of two actions here. */
static void test_allow_within_a_turn(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.game = (GameOptions){.name = "bug", .size = 3};
    options.player.simulations = 60;
    static const char *const beside[] = {"b1", "b2"};
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        Conversation talk;
        char line[80], first[3], second[3];
        open_conversation(&talk, &options);
        say(&talk, "play b b2\n");
        snprintf(line, sizeof line, "kata-genmove_analyze w allow w c2,%s 5\n", beside[i]);
        assert_int_equal(sscanf(strstr(say(&talk, line), "\nplay "), "\nplay %2s,%2s", first, second), 2);
        assert_true(!strcmp(first, "c2") ? !strcmp(second, beside[i]) : !strcmp(second, "c2"));
        close_conversation(&talk);
    }
}

/* A player that draws its moves draws each action of a turn anew. Hexhex-3 with a black stone on c3: beside it White's
 * turns have two actions. */
static void test_actions_are_drawn_one_by_one(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.game = (GameOptions){.name = "bug", .size = 3};
    options.player.draw = 1;
    int compound = 0;
    for (options.seed = 1; options.seed <= 60; options.seed++) {
        Conversation talk;
        GameState state;
        Action turn[GAME_TURN_MAX];
        char text[GAME_TEXT_MAX], expected[GAME_TEXT_MAX + 8];
        int count = 0;
        open_conversation(&talk, &options);
        say(&talk, "play b c3\n");
        const Gtp *gtp = talk.gtp;
        Search *search = player_new_search(&gtp->player, gtp->networks, gtp->game, options.seed, NULL);
        assert_non_null(search);
        game_copy(gtp->game, &state, gtp_state(gtp));
        search_set_position(search, &state);
        do {
            const SearchLimits limits = player_limits(&gtp->player, NULL);
            search_run(search, &limits);
            turn[count] = player_choose(&gtp->player, search, player_draw_seed(options.seed, 1, count));
            search_play(search, turn[count++]);
        } while (!gtp->game->rules->turn_start(search_position(search)));
        game_format_turn(gtp->game, &state, turn, count, text);
        snprintf(expected, sizeof expected, "= %s\n\n", text);
        assert_string_equal(say(&talk, "genmove w\n"), expected);
        compound += count > 1;
        search_free(search);
        close_conversation(&talk);
    }
    assert_true(compound > 2);
    assert_true(player_draw_seed(1, 1, 0) != player_draw_seed(1, 1, 1));
}

/* Such a move is the one of genmove, also of a player with few simulations. */
static void test_same_moves_with_report(void **unused) {
    (void)unused;
    GtpOptions options = default_options();
    options.game.size = 4;
    options.player.simulations = 5;
    Conversation plain, reporting;
    open_conversation(&plain, &options);
    open_conversation(&reporting, &options);
    for (int turn = 0; turn < 20; turn++) {
        const char colour = turn % 2 ? 'w' : 'b';
        char line[64], move[16], expected[32];
        snprintf(line, sizeof line, "genmove %c\n", colour);
        assert_int_equal(sscanf(say(&plain, line), "= %15s", move), 1);
        snprintf(line, sizeof line, "kata-genmove_analyze %c\n", colour);
        snprintf(expected, sizeof expected, "\nplay %s\n", move);
        assert_non_null(strstr(say(&reporting, line), expected));
    }
    close_conversation(&plain);
    close_conversation(&reporting);
}

/* An empty line ends an answer: there is none in it, also where the search knows no whole turn to report. */
static void test_empty_reports(void **unused) {
    (void)unused;
    static const char *const names[] = {"bug", "sgolte"};
    for (int i = 0; i < 4; i++) {
        GtpOptions options = default_options();
        options.game = (GameOptions){.name = names[i / 2], .size = 3};
        options.player.simulations = i % 2 ? 3 : 1;
        Conversation talk;
        open_conversation(&talk, &options);
        bool over = false;
        for (int turn = 0; !over; turn++) {
            char line[64];
            const char *colour = strstr(say(&talk, "gogui-rules_side_to_move\n"), "black") ? "b" : "w";
            snprintf(line, sizeof line, "kata-genmove_analyze %s%s\n", colour, turn % 3 ? "" : " ownership true");
            const char *answer = say(&talk, line);
            assert_ptr_equal(strstr(answer, "\n\n"), answer + strlen(answer) - 2);
            over = strstr(answer, "the game is over") != NULL;
            assert_true(over || strstr(answer, "\nplay "));
            assert_true(over || turn % 3 || strstr(answer, " ownership "));
        }
        close_conversation(&talk);
    }
}

/* A session that is fed through a pipe, as the program is. */
typedef struct Line {
    GtpOptions options;
    double pause; /* see tools/gtp/input.h */
    int ends[2];
    FILE *out;
    pthread_t thread;
} Line;

static void *serve(void *argument) {
    Line *line = argument;
    char bytes[512];
    line->options.input = gtp_input_new(line->ends[0], line->pause, NULL);
    assert_non_null(line->options.input);
    Gtp *gtp = gtp_new(&line->options, line->out, NULL);
    assert_non_null(gtp);
    for (long count = 1; count > 0;) {
        count = gtp_input_take(line->options.input, bytes, sizeof bytes, NULL);
        if (count == 0)
            gtp_end(gtp);
        else if (!gtp_feed(gtp, bytes, (size_t)count))
            break;
    }
    gtp_free(gtp);
    gtp_input_free(line->options.input);
    fclose(line->out);
    return NULL;
}

/* Sends the pieces one after the other, each after some output has come, and returns all the output. */
static void pipe_to(Line line, const char *const *pieces, char *out, size_t capacity) {
    int answers[2];
    assert_int_equal(pipe(line.ends), 0);
    assert_int_equal(pipe(answers), 0);
    line.out = fdopen(answers[1], "w");
    assert_int_equal(pthread_create(&line.thread, NULL, serve, &line), 0);
    size_t length = 0;
    for (; *pieces; pieces++) {
        assert_int_equal(write(line.ends[1], *pieces, strlen(*pieces)), (ssize_t)strlen(*pieces));
        if (pieces[1]) {
            const ssize_t count = read(answers[0], out + length, capacity - 1 - length);
            assert_true(count > 0);
            length += (size_t)count;
        }
    }
    close(line.ends[1]);
    for (ssize_t count; (count = read(answers[0], out + length, capacity - 1 - length)) > 0;)
        length += (size_t)count;
    out[length] = '\0';
    pthread_join(line.thread, NULL);
    close(line.ends[0]);
    close(answers[0]);
}

static void pipe_through(const char *const *pieces, double move_seconds, char *out, size_t capacity) {
    Line line = {.options = default_options(), .pause = move_seconds > 0 ? 0 : 1e6};
    if (move_seconds > 0) {
        line.options.player.simulations = 0;
        line.options.player.move_seconds = move_seconds;
    }
    pipe_to(line, pieces, out, capacity);
}

/* Searches of a thousand hours end with the next line, with quit, and with the input. */
static void test_lines_during_a_search(void **unused) {
    (void)unused;
    static char out[1 << 22];
    pipe_through((const char *const[]){"1 stigmergy-analyze 1\n", "2 name\n", NULL}, 3.6e6, out, sizeof out);
    assert_ptr_equal(strstr(out, "=1\ninfo move "), out);
    const char *end = strstr(out, "\n\n=2 Stigmergy\n\n");
    assert_non_null(end);
    assert_string_equal(end, "\n\n=2 Stigmergy\n\n");
    pipe_through((const char *const[]){"1 stigmergy-analyze 100000\n", NULL}, 3.6e6, out, sizeof out);
    assert_ptr_equal(strstr(out, "=1\ninfo move "), out);
    pipe_through((const char *const[]){"name\ngenmove b\n", "quit\n", NULL}, 3.6e6, out, sizeof out);
    char move[16];
    assert_int_equal(sscanf(out, "= Stigmergy\n\n= %15s\n\n=\n\n", move), 1);
    assert_string_equal(out + strlen(out) - 5, "\n\n=\n\n");
}

/* A line that only looks like `quit` ends no search after it. */
static void test_lines_like_quit(void **unused) {
    (void)unused;
    char out[4096], expected[4096], again[4096];
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    snprintf(expected, sizeof expected, "%s", say(&talk, "genmove b\ngenmove w\ngenmove b\n"));
    close_conversation(&talk);
    for (int i = 0; i < 3; i++) {
        const char *const lines[] = {"1 2 quit\n", "12quit\n", "quit now\n"}, *line = lines[i];
        Line slow = {.options = options};
        pipe_to(slow, (const char *const[]){line, "genmove b\n", "genmove w\ngenmove b\n", NULL}, out, sizeof out);
        snprintf(again, sizeof again, "%s", strstr(out, "\n\n") + 2);
        assert_string_equal(again, expected);
    }
}

/* Commands that come in one piece are all carried out, as if each had been waited for. */
static void test_pipelined_commands(void **unused) {
    (void)unused;
    char out[4096], expected[4096];
    const char input[] =
        "1 genmove b\r\n2 genmove w # mine\n\n3 stigmergy-analyze 1 maxmoves 1\n4 name\n5 quit\n6 name\n";
    const GtpOptions options = default_options();
    Conversation talk;
    open_conversation(&talk, &options);
    snprintf(expected, sizeof expected, "%s", say(&talk, "1 genmove b\n2 genmove w\n"));
    close_conversation(&talk);
    pipe_through((const char *const[]){input, NULL}, 0, out, sizeof out);
    assert_memory_equal(out, expected, strlen(expected));
    assert_non_null(strstr(out, "\n\n=3\ninfo move "));
    assert_string_equal(strstr(out, "=4"), "=4 Stigmergy\n\n=5\n\n");
    pipe_through((const char *const[]){"1 genmove b\n", "2 genmove w\n3 stigmergy-analyze 1\n", "quit\n", NULL}, 0, out,
                 sizeof out); /* a script in three pieces */
    assert_memory_equal(out, expected, strlen(expected));
    pipe_through((const char *const[]){"name", NULL}, 0, out, sizeof out);
    assert_string_equal(out, "= Stigmergy\n\n");
}

/* The visits of all moves in an answer of stigmergy-analyze. */
static int sum_visits(const char *answer) {
    int sum = 0;
    for (const char *at = answer; (at = strstr(at, " visits ")) != NULL; at += 8)
        sum += atoi(at + 8);
    return sum;
}

/* Waits for an answer from ends[0], and writes a line to ends[1] half a second later. Returns what write returns. */
static void *send_a_line(void *ends) {
    const struct timespec pause = {.tv_nsec = 500000000};
    char answer[80];
    if (read(((const int *)ends)[0], answer, sizeof answer) <= 0)
        return NULL;
    nanosleep(&pause, NULL);
    return (void *)write(((const int *)ends)[1], "name\n", 5);
}

/* After a turn of its own a session that ponders searches until a line comes, which the next analysis shows; after
 * others it does not. */
static void test_pondering(void **unused) {
    (void)unused;
    int lines[2], answers[2];
    char out[1 << 14];
    pthread_t other;
    void *written;
    assert_int_equal(pipe(lines), 0);
    assert_int_equal(pipe(answers), 0);
    GtpOptions options = default_options(); /* 8 simulations a move */
    options.game.size = 5;
    options.ponder = true;
    options.input = gtp_input_new(lines[0], 0, NULL);
    FILE *file = fdopen(answers[1], "w");
    Gtp *gtp = gtp_new(&options, file, NULL);
    assert_true(gtp && gtp_feed(gtp, "name\nplay b e5\n", 15)); /* comes to an end */
    assert_true(read(answers[0], out, sizeof out) > 0);
    assert_int_equal(pthread_create(&other, NULL, send_a_line, (int[]){answers[0], lines[1]}), 0);
    assert_true(gtp_feed(gtp, "genmove w\n", 10));
    assert_true(stop_flag_is_set(gtp_input_waiting(options.input)));
    pthread_join(other, &written);
    assert_ptr_equal(written, (void *)5);
    assert_true(gtp_feed(gtp, "stigmergy-analyze 1\n", 20)); /* 16 simulations, as a line is waiting */
    gtp_free(gtp);
    fclose(file);
    const ssize_t length = read(answers[0], out, sizeof out - 1);
    assert_true(length > 0);
    out[length] = '\0';
    assert_true(sum_visits(out) > 8 + 16);
    gtp_input_free(options.input);
    close(lines[0]);
    close(lines[1]);
    close(answers[0]);
}

/* A proved win of the opponent ends pondering and is forgotten: the opponent may not see it, and then the answer has to
 * be searched. Hexhex-2 is lost at komi 7. */
static void test_pondering_in_a_lost_game(void **unused) {
    (void)unused;
    int lines[2];
    SearchMove moves[1];
    assert_int_equal(pipe(lines), 0);
    GtpOptions options = default_options();
    options.game.size = 2;
    options.komi = 7;
    options.player.memory_mb = 16;
    options.ponder = true;
    options.input = gtp_input_new(lines[0], 0, NULL);
    Conversation talk;
    open_conversation(&talk, &options);
    say(&talk, "genmove b\n"); /* comes to an end */
    assert_int_equal(talk.gtp->turns, 1);
    assert_int_equal(search_moves(talk.gtp->search, moves, 1), 0);
    close_conversation(&talk);
    gtp_input_free(options.input);
    close(lines[0]);
    close(lines[1]);
}

/* A line that is longer than all that is kept of the input ends pondering and analyses, too. */
static void test_pondering_ends_with_a_long_line(void **unused) {
    (void)unused;
    enum { LENGTH = 1 << 18 };
    static char long_line[LENGTH + 1], out[1 << 16];
    memset(long_line, 'x', LENGTH - 1);
    long_line[LENGTH - 1] = '\n';
    const char *const pieces[2][4] = {{"1 genmove b\n", long_line, "2 name\n", NULL},
                                      {"1 stigmergy-analyze 100\n", long_line, "2 name\n", NULL}};
    for (int i = 0; i < 2; i++) {
        Line line = {.options = default_options(), .pause = 1e6};
        line.options.game.size = 5;
        line.options.ponder = true;
        pipe_to(line, pieces[i], out, sizeof out);
        assert_non_null(strstr(out, "\n\n? the line is longer than 4096 bytes\n\n=2 Stigmergy\n\n"));
    }
}

static void test_reg_genmove_keeps_the_tree(void **unused) {
    (void)unused;
    const GtpOptions options = default_options(); /* 8 simulations a move */
    Conversation talk;
    open_conversation(&talk, &options);
    const int before = sum_visits(say(&talk, "stigmergy-analyze\n"));
    for (int i = 0; i < 5; i++)
        say(&talk, "reg_genmove b\n");
    assert_true(sum_visits(say(&talk, "stigmergy-analyze\n")) >= before + 5 * 8);
    close_conversation(&talk);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    recordings = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_of_several_actions),
        cmocka_unit_test(test_reported_turns_are_whole),
        cmocka_unit_test(test_actions_are_drawn_one_by_one),
        cmocka_unit_test(test_sgf),
        cmocka_unit_test(test_sgf_again),
        cmocka_unit_test(test_komi_of_other_games),
        cmocka_unit_test(test_files_refused),
        cmocka_unit_test(test_sgf_of_a_position),
        cmocka_unit_test(test_gogui),
        cmocka_unit_test(test_gogui_vertices),
        cmocka_unit_test(test_gogui_clicks),
        cmocka_unit_test(test_gogui_own_turns),
        cmocka_unit_test(test_gogui_recordings),
        cmocka_unit_test(test_analyze),
        cmocka_unit_test(test_analyze_for_white),
        cmocka_unit_test(test_other_dialects),
        cmocka_unit_test(test_avoided_moves),
        cmocka_unit_test(test_genmove_analyze),
        cmocka_unit_test(test_report_of_an_unseen_move),
        cmocka_unit_test(test_allow_within_a_turn),
        cmocka_unit_test(test_same_moves_with_report),
        cmocka_unit_test(test_empty_reports),
        cmocka_unit_test(test_gogui_ownership),
        cmocka_unit_test(test_lines_during_a_search),
        cmocka_unit_test(test_lines_like_quit),
        cmocka_unit_test(test_pipelined_commands),
        cmocka_unit_test(test_pondering),
        cmocka_unit_test(test_pondering_in_a_lost_game),
        cmocka_unit_test(test_pondering_ends_with_a_long_line),
        cmocka_unit_test(test_reg_genmove_keeps_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
