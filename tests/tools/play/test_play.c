/* Tests of the terminal game, without a terminal: lines go in, text comes out. The computer's searches are a few
 * simulations by one thread, so that everything is reproducible. */
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"
#include "selfplay/players/levels.h"
#include "tests/support/playout_player.h"
#include "tools/play/session.h"
#include "tools/play/wrap.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static StopFlag stop;

static PlayOptions default_options(void) {
    PlayOptions options = {
        .game = {.size = 3}, .human = PLAY_BOTH, .player = playout_player(), .seed = 3, .stop = &stop};
    options.player.simulations = 20;
    options.player.memory_mb = 4;
    options.adviser = options.player;
    options.adviser.simulations = 400;
    return options;
}

/* Of a game against the computer that begins with the choice of komi. */
static PlayOptions choosing_options(void) {
    PlayOptions options = default_options();
    options.human = PLAY_AS_BLACK;
    options.choose = true;
    return options;
}

typedef struct Table {
    PlaySession *play;
    FILE *out;
    char *text;
    size_t length;
} Table;

static void sit_down(Table *table, const PlayOptions *options) {
    Error error;
    table->out = open_memstream(&table->text, &table->length);
    assert_non_null(table->out);
    table->play = play_new(options, table->out, &error);
    assert_non_null(table->play);
    play_begin(table->play);
}

static void stand_up(Table *table) {
    play_free(table->play);
    fclose(table->out);
    free(table->text);
}

/* What is answered to a line; valid until the next call. */
static const char *say(Table *table, const char *line) {
    const size_t before = table->length;
    play_line(table->play, line);
    return table->text + before;
}

#define ASSERT_SAYS(table, line, part) assert_non_null(strstr(say(table, line), part))

static const char board_after_two[] = "\n"
                                      "       1 2 3\n"
                                      "   e  . . .  4\n"
                                      "  d  . . . .  5\n"
                                      " c  . . B .(W)\n"
                                      "  b  . . . .  5\n"
                                      "   a  . . .  4\n"
                                      "       1 2 3\n"
                                      "Black 1, White 1 cells, komi 0\n"
                                      "Black to move.\n";

static void test_two_people(void **unused) {
    (void)unused;
    const PlayOptions options = default_options();
    Table table;
    sit_down(&table, &options);
    assert_string_equal(play_prompt(table.play), "Black> ");
    say(&table, "c3");
    assert_string_equal(play_prompt(table.play), "White> ");
    assert_string_equal(say(&table, "  C5 \r"), board_after_two);
    assert_string_equal(say(&table, "board"), board_after_two);
    assert_string_equal(say(&table, "moves"), "1.c3 c5\n");
    ASSERT_SAYS(&table, "c3x", "c3x: ");
    ASSERT_SAYS(&table, "z7", "'z7' is not a move: expected a cell of hexhex-3");
    assert_string_equal(say(&table, "moves"), "1.c3 c5\n");
    assert_string_equal(say(&table, ""), "");
    say(&table, "undo");
    say(&table, "undo");
    ASSERT_SAYS(&table, "undo", "nothing to take back");
    assert_string_equal(say(&table, "moves"), "No moves yet.\n");
    stand_up(&table);
}

/* Hexhex-2: the stones on a1, b1 and a2 each see two of the other colour, enough in a corner. */
static void test_why_and_flip(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.game.size = 2;
    Table table;
    sit_down(&table, &options);
    const char *const turns[] = {"a1", "b1", "c2", "a2", "b2"};
    for (int i = 0; i < 5; i++)
        ASSERT_SAYS(&table, turns[i], "to move.");
    ASSERT_SAYS(&table, "board", " BxWx 3");
    assert_string_equal(say(&table, "why a1"),
                        "a1 is a black stone. It sees 1 black (b2) and 2 white (b1 a2); 2 of a colour control it: it "
                        "is White's.\nWhite may flip it.\n");
    assert_string_equal(say(&table, "why c1"), "c1 is empty. It sees 2 black (c2 b2) and 1 white (b1); 2 of a colour "
                                               "control it: it is Black's.\nWhite may not move there: Black "
                                               "controls that cell.\n");
    ASSERT_SAYS(&table, "why", "expected a cell");
    ASSERT_SAYS(&table, "why a9", "'a9', expected a cell");
    ASSERT_SAYS(&table, "a1", "Black to move.");
    assert_string_equal(say(&table, "moves"), "1.a1 b1 2.c2 a2 3.b2 a1x\n");
    stand_up(&table);
}

static void test_commands(void **unused) {
    (void)unused;
    const PlayOptions options = default_options();
    Table table;
    sit_down(&table, &options);
    for (const char *const *name = (const char *const[]){"hint", "why CELL", "undo", "score", "save FILE", "load FILE",
                                                         "level [N]", "side SIDE", "resign", "quit", NULL};
         *name; name++)
        ASSERT_SAYS(&table, "help", *name);
    ASSERT_SAYS(&table, "hint", "%");
    ASSERT_SAYS(&table, "score", "'s chance to win is ");
    ASSERT_SAYS(&table, "level 3", "level 3 of 8, casual");
    ASSERT_SAYS(&table, "level 0", "expected a whole number from 1 to 8");
    ASSERT_SAYS(&table, "level expert", "level 6 of 8, expert");
    ASSERT_SAYS(&table, "level", "2  novice         215 Elo");
    ASSERT_SAYS(&table, "save", "expected a file name");
    ASSERT_SAYS(&table, "save /no/such/folder/x.sgf", "/no/such/folder");
    ASSERT_SAYS(&table, "load /no/such/file", "/no/such/file");
    ASSERT_SAYS(&table, "board now", "takes no argument");
    ASSERT_SAYS(&table, "dance now", "is no command");
    ASSERT_SAYS(&table, "levle 3", "Did you mean `level'?");
    ASSERT_SAYS(&table, "resgin", "Did you mean `resign'?");
    assert_null(strstr(say(&table, "z9"), "Did you mean"));
    char line[5000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    ASSERT_SAYS(&table, line, "longer than");
    assert_false(play_line(table.play, "quit"));
    stand_up(&table);
}

/* The person changes sides, plays both, and gives one back to the computer. */
static void test_side(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.human = PLAY_AS_BLACK;
    Table table;
    sit_down(&table, &options);
    ASSERT_SAYS(&table, "side", "side: '', expected b, w or both");
    ASSERT_SAYS(&table, "side red", "side: 'red', expected b, w or both");
    assert_string_equal(play_prompt(table.play), "Black> ");
    ASSERT_SAYS(&table, "side black", "You play Black.\n");
    assert_string_equal(say(&table, "moves"), "No moves yet.\n");
    ASSERT_SAYS(&table, "side w", "You play White.\n");
    assert_non_null(strstr(table.text, "The computer (Black) plays "));
    assert_string_equal(play_prompt(table.play), "White> ");
    ASSERT_SAYS(&table, "side both", "You play both sides.\n");
    assert_string_equal(play_prompt(table.play), "White> ");
    ASSERT_SAYS(&table, "side b", "The computer (White) plays ");
    assert_string_equal(play_prompt(table.play), "Black> ");
    stand_up(&table);
}

static void test_computer_answers(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.human = PLAY_AS_WHITE;
    Table table;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "The computer (Black) plays "));
    assert_string_equal(play_prompt(table.play), "White> ");
    ASSERT_SAYS(&table, "undo", "nothing to take back"); /* the first move is not a person's */
    char first[64];
    snprintf(first, sizeof first, "%s", say(&table, "moves"));
    say(&table, "level 1");
    const char *const cells[] = {"a1", "a2", "a3"};
    int i = 0;
    while (!strstr(say(&table, cells[i]), "The computer (Black) plays "))
        assert_true(++i < 3);
    say(&table, "undo");
    assert_string_equal(say(&table, "moves"), first);
    stand_up(&table);
}

/* Ctrl-C came before or while it thinks: it moves all the same. */
static void test_stopped_thinking(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.human = PLAY_AS_WHITE;
    options.player.simulations = 0;
    options.player.move_seconds = 0.01;
    Table table;
    stop_flag_set(&stop);
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "The computer (Black) plays "));
    stand_up(&table);
}

static void test_komi_named_by_a_person(void **unused) {
    (void)unused;
    const PlayOptions options = choosing_options();
    Table table;
    sit_down(&table, &options);
    assert_string_equal(play_prompt(table.play), "komi> ");
    ASSERT_SAYS(&table, "99", "expected a whole number from -19 to 19");
    ASSERT_SAYS(&table, "c3", "expected a whole number");
    ASSERT_SAYS(&table, "hint", "komi is still open");
    ASSERT_SAYS(&table, "-15", "The computer chooses Black"); /* fifteen points for Black: who would not */
    assert_non_null(strstr(table.text, "Komi is -15. You play White."));
    assert_non_null(strstr(table.text, "komi -15, the button lies on the table"));
    assert_non_null(strstr(table.text, "The computer (Black) plays "));
    assert_string_equal(play_prompt(table.play), "White> ");
    stand_up(&table);
}

static void test_komi_named_by_the_computer(void **unused) {
    (void)unused;
    const PlayOptions options = choosing_options();
    Table table;
    sit_down(&table, &options);
    ASSERT_SAYS(&table, "", "The computer names komi ");
    assert_string_equal(play_prompt(table.play), "black or white> ");
    ASSERT_SAYS(&table, "green", "expected black or white");
    ASSERT_SAYS(&table, "black", "You play Black");
    assert_string_equal(play_prompt(table.play), "Black> ");
    stand_up(&table);
}

/* The next game of two people is one of two people, with the same komi: the computer neither names nor chooses. */
static void test_new_game_of_two_people(void **unused) {
    (void)unused;
    const PlayOptions options = choosing_options();
    Table table;
    sit_down(&table, &options);
    say(&table, "-15");
    say(&table, "side both");
    ASSERT_SAYS(&table, "new", "komi -15, the button lies on the table\nBlack to move.");
    say(&table, "c3");
    assert_string_equal(play_prompt(table.play), "White> ");
    say(&table, "side w");
    say(&table, "new");
    assert_string_equal(play_prompt(table.play), "komi> ");
    stand_up(&table);
}

/* Ctrl-C, again and again until somebody listens. */
static void *press_ctrl_c(void *heard) {
    while (!stop_flag_is_set(heard))
        stop_flag_set(&stop);
    return NULL;
}

/* Ctrl-C ends a search about komi: nothing is settled, and the question is asked again. */
static void test_stopped_komi(void **unused) {
    (void)unused;
    PlayOptions options = choosing_options();
    options.game.size = 10;
    assert_int_equal(setenv("STIGMERGY_DATA", "/nonexistent", 1),
                     0); /* no fair komi is known, so that there is a search */
    options.player.simulations = 1000000;
    Table table;
    sit_down(&table, &options);
    for (int i = 0; i < 2; i++) {
        StopFlag heard = {0};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, press_ctrl_c, &heard), 0);
        const char *answer = say(&table, i == 0 ? "" : "7");
        stop_flag_set(&heard);
        pthread_join(thread, NULL);
        assert_non_null(strstr(answer, "Stopped: the komi is still open.\n"));
        assert_non_null(strstr(answer, "Type a number from -271 to 271"));
        assert_string_equal(play_prompt(table.play), "komi> ");
    }
    assert_true(play_line(table.play, "help"));
    stand_up(&table);
    stop_flag_clear(&stop);
    assert_int_equal(unsetenv("STIGMERGY_DATA"), 0);
}

static void make_path(char path[64], const char *name) {
    snprintf(path, 64, "/tmp/test-play-%ld-%s", (long)getpid(), name);
}

/* What was taken back comes again, until something else is played; also the end by resignation. */
static void test_redo(void **unused) {
    (void)unused;
    const PlayOptions options = default_options();
    Table table;
    sit_down(&table, &options);
    assert_string_equal(say(&table, "redo"), "There is nothing to play again.\n");
    static const char *const lines[] = {"c3", "a1", "e1", "resign", "undo", "undo", "undo", "undo"};
    for (int i = 0; i < 8; i++)
        say(&table, lines[i]);
    assert_string_equal(say(&table, "moves"), "No moves yet.\n");
    ASSERT_SAYS(&table, "redo", "White to move.");
    ASSERT_SAYS(&table, "a1", "Black to move."); /* the same turn by hand */
    ASSERT_SAYS(&table, "redo", "White to move.");
    assert_string_equal(say(&table, "moves"), "1.c3 a1 2.e1\n");
    ASSERT_SAYS(&table, "redo", "White has resigned: Black wins.");
    assert_string_equal(say(&table, "redo"), "There is nothing to play again.\n");
    say(&table, "undo");
    say(&table, "undo");
    say(&table, "e3"); /* another turn: e1 is forgotten */
    assert_string_equal(say(&table, "redo"), "There is nothing to play again.\n");
    say(&table, "undo");
    ASSERT_SAYS(&table, "redo", "White to move.");
    assert_string_equal(say(&table, "moves"), "1.c3 a1 2.e3\n");
    say(&table, "new");
    assert_string_equal(say(&table, "redo"), "There is nothing to play again.\n");
    stand_up(&table);
}

/* After a swap the board says who has which stones. */
static void test_swap_is_announced(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.game.name = "sgolte";
    Table table;
    sit_down(&table, &options);
    say(&table, "c3");
    ASSERT_SAYS(&table, "swap", "The players have swapped colours; the stones stay.\nWhite to move.");
    assert_null(strstr(say(&table, "a1"), "swapped"));
    stand_up(&table);
    options.human = PLAY_AS_WHITE;
    sit_down(&table, &options);
    ASSERT_SAYS(&table, "swap", "The players have swapped colours: you are Black now.\n");
    assert_string_equal(play_prompt(table.play), "Black> ");
    ASSERT_SAYS(&table, "side b", "You play Black.\n"); /* the colour that it has now */
    assert_string_equal(play_prompt(table.play), "Black> ");
    stand_up(&table);
    options.human = PLAY_AS_BLACK;
    sit_down(&table, &options);
    ASSERT_SAYS(&table, "c3", "you are White now.\nThe computer swaps. White to move.");
    stand_up(&table);
}

/* The computer's answer comes again, too. */
static void test_redo_against_the_computer(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.human = PLAY_AS_BLACK;
    Table table;
    sit_down(&table, &options);
    say(&table, "c3");
    const char *answer = say(&table, "moves");
    char moves[64];
    snprintf(moves, sizeof moves, "%s", answer);
    say(&table, "undo");
    ASSERT_SAYS(&table, "redo", "Black to move.");
    assert_string_equal(say(&table, "moves"), moves);
    stand_up(&table);
}

/* After a change of sides the game that comes back ends in a turn of the computer, which makes it. */
static void test_redo_to_the_computers_turn(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    Table table;
    sit_down(&table, &options);
    say(&table, "a1");
    say(&table, "b1");
    say(&table, "undo");
    say(&table, "side w");
    ASSERT_SAYS(&table, "redo", "White to move.");
    ASSERT_SAYS(&table, "moves", "2.");
    stand_up(&table);
}

/* A game that the computer has lost on time in its turn comes back with this result. */
static void test_redo_to_a_lost_game(void **unused) {
    (void)unused;
    static const char lost[] = "(;RE[B+T]FF[4]GM[stigmergy]SZ[3]KM[1]PB[a person]PW[Stigmergy (beginner)];B[c3])";
    PlayOptions options = default_options();
    options.same_sides = true;
    char path[64];
    Error error;
    make_path(path, "lost.sgf");
    assert_true(file_write(path, lost, strlen(lost), &error));
    options.load = path;
    Table table;
    sit_down(&table, &options);
    ASSERT_SAYS(&table, "undo", "Black to move.");
    ASSERT_SAYS(&table, "redo", "White has lost on time: Black wins.");
    assert_string_equal(say(&table, "moves"), "1.c3\n");
    assert_string_equal(say(&table, "redo"), "There is nothing to play again.\n");
    stand_up(&table);
    unlink(path);
}

/* Before the game, help lists what is possible then, and asks again. */
static void test_help_at_the_start(void **unused) {
    (void)unused;
    const PlayOptions options = choosing_options();
    Table table;
    sit_down(&table, &options);
    assert_null(strstr(table.text, "Type a move"));
    assert_null(strstr(say(&table, "help"), "hint"));
    ASSERT_SAYS(&table, "help", "Type a number from -19 to 19");
    say(&table, "");
    ASSERT_SAYS(&table, "help", "You choose: black or white?");
    say(&table, "w");
    ASSERT_SAYS(&table, "help", "hint");
    stand_up(&table);
}

static const char record[] =
    "{\"id\": \"1\", \"version\": 2, \"game\": \"stigmergy\", \"size\": 3, \"komi\": 0, \"button\": false, "
    "\"seed\": \"1\", \"players\": {\"black\": \"a\", \"white\": \"b\"}, \"moves\": [\"c3\"], \"winner\": \"W\", "
    "\"margin\": 0, \"reason\": \"resign\"}";

/* A game that was saved goes on where it was, without what was taken back. */
static void test_save_and_load(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.komi = 3;
    char path[64], line[80];
    make_path(path, "a.sgf");
    Table table;
    sit_down(&table, &options);
    const char *const lines[] = {"c3", "a1", "undo", "c5", "take-button", "resign"};
    for (int i = 0; i < 6; i++)
        say(&table, lines[i]);
    snprintf(line, sizeof line, "save %s", path);
    ASSERT_SAYS(&table, line, path);
    stand_up(&table);
    options = default_options();
    options.load = path;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "komi 3, Black has the button"));
    assert_non_null(strstr(table.text, "White has resigned: Black wins."));
    assert_string_equal(say(&table, "moves"), "1.c3 c5 2.take-button\n");
    ASSERT_SAYS(&table, "a1", "The game is over");
    ASSERT_SAYS(&table, "score", "White has resigned: Black wins.");
    assert_null(strstr(say(&table, "why a1"), " may "));
    ASSERT_SAYS(&table, "undo", "White to move.");
    ASSERT_SAYS(&table, "a1", "Black to move.");
    snprintf(line, sizeof line, "load %s", path);
    ASSERT_SAYS(&table, line, "has resigned");
    stand_up(&table);
    options.load = "/no/such/file";
    Error error;
    assert_null(play_new(&options, stdout, &error));
    assert_non_null(strstr(error.text, "/no/such/file"));
    static const char two[] = "(;SZ[3];B[c3])\n(;SZ[3];B[a1])";
    assert_true(file_write(path, two, strlen(two), &error));
    options.load = path;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "This is the first of the 2 games in "));
    assert_string_equal(say(&table, "moves"), "1.c3\n");
    snprintf(line, sizeof line, "save %s", path);
    ASSERT_SAYS(&table, line, ": has 2 games, which would be lost; choose another name");
    static const char *const more[][2] = {
        {"(;SZ[3];B[c3](;W[a1])(;W[b1]))", ": has variations, which would be lost"},
        {"(;SZ[3];B[c3];W[a1](;)(;B[b2]))", ": has variations, which would be lost"}, /* turns that were taken back */
        {"(;SZ[3];B[c3]C[hm])", ": has comments, which would be lost"},
        {"(;SZ[3]GC[rain];B[c3])", ": has what the program does not keep (GC), which would be lost"},
        {"(;SZ[3]TM[9]OT[25/300 Canadian];B[c3]BL[5]OB[3])", ": has what the program does not keep (OT), which would"},
        {"(;SZ[3];B[c3]N[good]TR[c3])", ": has what the program does not keep (N), which would be lost"},
        {"(;SZ[3];B[c3]SBKV[40])", ": has an analysis, which would be lost"},
        {"(;SZ[3];B[c3]V[2])", ": has an analysis, which would be lost"},
        {record, ": has a game that is no SGF, which would be lost"},
        {"(;SZ[3];B[a1](;W[b1])(;", ": has no game that can be read, which would be lost"},
        {"my notes\n", ": has no game that can be read, which would be lost"}};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        assert_true(file_write(path, more[i][0], strlen(more[i][0]), &error));
        ASSERT_SAYS(&table, line, more[i][1]);
    }
    static const char plain[] = "(;FF[4]CA[UTF-8]AP[a]ST[2]SZ[3];B[c3])";
    assert_true(file_write(path, plain, strlen(plain), &error));
    ASSERT_SAYS(&table, line, "The game is in ");
    stand_up(&table);
    unlink(path);
}

/* A copy says what the file says: names, date, clock, times, and the result, if nothing was played. */
static void test_saved_again(void **unused) {
    (void)unused;
    static const char times[] = "DT[2026-01-05]", line_of_play[] = ";B[c3]BL[280];W[d2]WL[30]OW[5]";
    static const struct {
        const char *players, *side, *turn, *wanted;
    } cases[] = {
        {"PB[Ann]PW[Bob]", NULL, NULL, "PB[Ann]PW[Bob]"},
        {"PB[Ann]PW[Bob]", "side both", "b2", "PB[Ann]PW[Bob]"},
        {"PB[Ann]PW[Bob]", "side b", "b2", "PB[Ann]PW[Stigmergy (novice)]"},
        {"PB[Stigmergy (expert)]PW[Stigmergy (casual)]", NULL, NULL, "PB[Stigmergy (expert)]PW[Stigmergy (casual)]"},
        {"PB[Stigmergy (strange)]PW[Bob]", "side b", "b2", "PB[a person]PW[Stigmergy (novice)]"},
        {"PB[Ann]", "side both", "b2", "PB[Ann]PW[a person]"},
    };
    PlayOptions options = default_options();
    Error error;
    char path[64], line[80], text[256];
    make_path(path, "again.sgf");
    options.load = path;
    options.human = PLAY_AS_BLACK;
    assert_true(level_player(2, &options.player, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Table table;
        snprintf(text, sizeof text, "(;GM[stigmergy]SZ[3]KM[3]%s%sRE[W+3.5]TM[300]OT[5x30 byo-yomi]%s)",
                 cases[i].players, times, line_of_play);
        assert_true(file_write(path, text, strlen(text), &error));
        sit_down(&table, &options);
        if (cases[i].side)
            say(&table, cases[i].side);
        if (cases[i].turn)
            say(&table, cases[i].turn);
        snprintf(line, sizeof line, "save %s", path);
        ASSERT_SAYS(&table, line, "The game is in ");
        char *saved = file_read(path, NULL, &error);
        assert_non_null(saved);
        assert_non_null(strstr(saved, cases[i].wanted));
        assert_non_null(strstr(saved, times));
        assert_non_null(strstr(saved, "TM[300]OT[5x30 byo-yomi]"));
        assert_non_null(strstr(saved, line_of_play));
        assert_int_equal(strstr(saved, "RE[W+3.5]") != NULL, !cases[i].turn);
        free(saved);
        stand_up(&table);
    }
    unlink(path);
}

/* A game that was given up or lost on time says so when it is opened, whoever wrote the file and whoever is to move. */
static void test_results_of_files(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"(;GM[stigmergy]SZ[3]RE[B+R];B[c3])", "White has resigned: Black wins."},
        {"(;GM[stigmergy]SZ[3]RE[W+Resign];B[c3])", "Black has resigned: White wins."},
        {"(;GM[stigmergy]SZ[3]RE[W+T];B[c3])", "Black has lost on time: White wins."},
        {"(;GM[stigmergy]SZ[3]RE[B+Forfeit];B[c3])", "White has forfeited the game: Black wins."},
        {"(;GM[stigmergy]SZ[3]RE[B+5];B[c3])", "White to move."},
        {"(;GM[stigmergy]SZ[3]RE[?];B[c3])", "White to move."},
        {record, "Black has resigned: White wins."},
    };
    PlayOptions options = default_options();
    char path[64], saved[64], line[80];
    make_path(path, "result");
    make_path(saved, "result.sgf");
    options.load = path;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Table table;
        Error error;
        assert_true(file_write(path, cases[i].text, strlen(cases[i].text), &error));
        sit_down(&table, &options);
        assert_non_null(strstr(table.text, cases[i].wanted));
        snprintf(line, sizeof line, "save %s", saved); /* in the form of this program */
        ASSERT_SAYS(&table, line, "The game is in ");
        snprintf(line, sizeof line, "load %s", saved);
        ASSERT_SAYS(&table, line, cases[i].wanted);
        stand_up(&table);
    }
    unlink(path);
    unlink(saved);
}

/* A file of a game names its players: the person plays the same side, against the same level. */
static void test_players_of_files(void **unused) {
    (void)unused;
    static const struct {
        const char *players, *prompt, *level;
    } cases[] = {
        {"PB[Stigmergy (novice)]PW[a person]", "White> ", "plays as `novice'"},
        {"PB[Stigmergy (novice)]", "White> ", "plays as `novice'"},
        {"PB[Ada]PW[Stigmergy (casual)]", "Black> ", "plays as `casual'"},
        {"PB[a person]PW[a person]", "White> ", NULL},
        {"PB[Ada]PW[Stigmergy (unheard of)]", "Black> ", "plays as `intermediate'"},
        {"PB[Stigmergy (3 s a move)]PW[You]", "White> ", "plays as `intermediate'"},
        {"PB[Stigmergy (casual)]PW[Stigmergy (expert)]", "Black> ", "plays as `expert'"},
    };
    PlayOptions options = default_options();
    Error error;
    char path[64], text[200];
    make_path(path, "players.sgf");
    options.load = path;
    options.human = PLAY_AS_BLACK;
    options.same_sides = options.same_level = true;
    assert_true(level_player(4, &options.player, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Table table;
        snprintf(text, sizeof text, "(;GM[stigmergy]SZ[3]%s;B[c3])", cases[i].players);
        assert_true(file_write(path, text, strlen(text), &error));
        sit_down(&table, &options);
        assert_string_equal(play_prompt(table.play), cases[i].prompt);
        assert_true(cases[i].level ? strstr(table.text, cases[i].level) != NULL : !strstr(table.text, "plays as"));
        stand_up(&table);
    }
    options.human = PLAY_AS_WHITE; /* of the last case, which has two levels */
    Table table;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "plays as `casual'"));
    stand_up(&table);
    unlink(path);
}

/* After a swap in a file the sides are colours, too: those that the players have at its end. */
static void test_sides_after_a_swap(void **unused) {
    (void)unused;
    static const char swapped[] = "(;FF[4]CA[UTF-8]GM[sgolte]SZ[3];B[c3];W[swap];W[d2])";
    static const struct {
        PlayHuman human;
        bool asked;
        const char *prompt;
    } cases[] = {{PLAY_AS_BLACK, true, "Black> "}, {PLAY_AS_WHITE, true, "White> "}, {PLAY_AS_BLACK, false, "Black> "}};
    char path[64], line[80];
    Error error;
    make_path(path, "swapped.sgf");
    snprintf(line, sizeof line, "load %s", path);
    assert_true(file_write(path, swapped, strlen(swapped), &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PlayOptions options = default_options();
        options.game.name = "sgolte";
        options.load = path;
        options.human = cases[i].human;
        options.same_sides = !cases[i].asked;
        Table table;
        sit_down(&table, &options);
        assert_string_equal(play_prompt(table.play), cases[i].prompt);
        assert_int_equal(strstr(table.text, "The computer (Black) plays ") != NULL, cases[i].human == PLAY_AS_WHITE);
        say(&table, line);
        assert_string_equal(play_prompt(table.play), cases[i].prompt); /* your side stays */
        stand_up(&table);
        options.load = NULL;
        sit_down(&table, &options);
        say(&table, line);
        assert_string_equal(play_prompt(table.play), cases[i].prompt);
        stand_up(&table);
    }
    unlink(path);
}

/* Takes the last of what Tab offers, until the turn is complete: Tab adds nothing then. */
static void complete_turn(Table *table, char turn[128]) {
    for (bool more = true; more;) {
        char *words[100];
        const int count = play_complete(table->play, turn, words, 100);
        assert_true(count > 0);
        more = strcmp(turn, words[count - 1]) != 0; /* commands come first, then turns */
        snprintf(turn, 128, "%s", words[count - 1]);
        for (int w = 0; w < count; w++)
            free(words[w]);
    }
}

/* Plays whole games of every kind against itself through what the hints say would be possible: the completions. */
static void test_whole_games(void **unused) {
    (void)unused;
    int largest, usual;
    for (int i = 0; game_list(i, &largest, &usual); i++) {
        PlayOptions options = default_options();
        options.game.name = game_list(i, &largest, &usual);
        options.human = PLAY_AS_BLACK;
        options.player.simulations = 4;
        Table table;
        sit_down(&table, &options);
        int turns = 0;
        for (; turns < 100 && strncmp(play_prompt(table.play), "over: ", 6); turns++) {
            char turn[128] = "";
            complete_turn(&table, turn);
            assert_null(strstr(say(&table, turn), "is no "));
        }
        assert_in_range(turns, 2, 99);
        assert_non_null(strstr(table.text, "The game is over: "));
        assert_null(strstr(table.text, "%.")); /* the weak do not say what they think of their chance */
        ASSERT_SAYS(&table, "hint", "the game is over");
        ASSERT_SAYS(&table, "score", "The game is over: ");
        ASSERT_SAYS(&table, "undo", "to move.");
        stand_up(&table);
    }
}

static int count_completions(const PlaySession *play, const char *text, const char *wanted) {
    char *words[400];
    const int count = play_complete(play, text, words, 400);
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += !strcmp(words[i], wanted);
        free(words[i]);
    }
    assert_int_equal(found, 1);
    return count;
}

static void test_completion(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    Table table;
    sit_down(&table, &options);
    assert_int_equal(count_completions(table.play, "hi", "hint"), 1);
    assert_int_equal(count_completions(table.play, "c", "c5"), 5);
    assert_int_equal(count_completions(table.play, "why e", "why e3"), 3);
    stand_up(&table);
    options.game.name = "bug"; /* engine/docs/rules.md: X's stone on d3 eats both of O's */
    sit_down(&table, &options);
    const char *const turns[] = {"c5", "c3", "a1", "e3"};
    for (int i = 0; i < 4; i++)
        say(&table, turns[i]);
    assert_true(count_completions(table.play, "d3,", "d3,c3") >= 1);
    stand_up(&table);
    options.game.name = "sgolte"; /* engine/docs/rules.md: a stone that joins groups captures and places, too */
    options.game.size = 4;
    sit_down(&table, &options);
    const char *const placed[] = {"d3", "c2", "d5", "c3", "a1", "c4", "g4", "c5"};
    for (int i = 0; i < 8; i++)
        ASSERT_SAYS(&table, placed[i], "to move.");
    assert_int_equal(count_completions(table.play, "d4", "d4xc3>"), 4);
    stand_up(&table);
    options = choosing_options();
    sit_down(&table, &options);
    assert_int_equal(count_completions(table.play, "co", "computer"), 1);
    char *words[1];
    assert_int_equal(play_complete(table.play, "hi", words, 1), 0);
    stand_up(&table);
}

/* The names of files behind `load` and `save`, with whatever characters they have. */
static void test_file_completion(void **unused) {
    (void)unused;
    const PlayOptions options = default_options();
    char folder[] = "/tmp/test_play_XXXXXX", path[64], line[80], wanted[96];
    Error error;
    Table table;
    sit_down(&table, &options);
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = {"game one.sgf", "game[2]*.sgf", "other.json"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_true(file_write(path, "x", 1, &error));
    }
    snprintf(line, sizeof line, "load %s/ga", folder);
    snprintf(wanted, sizeof wanted, "load %s/%s", folder, names[0]);
    assert_int_equal(count_completions(table.play, line, wanted), 2);
    snprintf(line, sizeof line, "save %s/game[2]*", folder);
    snprintf(wanted, sizeof wanted, "save %s/%s", folder, names[1]);
    assert_int_equal(count_completions(table.play, line, wanted), 1);
    snprintf(line, sizeof line, "load %s", folder);
    snprintf(wanted, sizeof wanted, "load %s/", folder);
    assert_int_equal(count_completions(table.play, line, wanted), 1);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    stand_up(&table);
}

/* How many games are kept in a folder. The path of the last one is `path`. */
static int count_kept(const char *folder, char path[FILE_PATH_MAX]) {
    DIR *open = opendir(folder);
    int count = 0;
    for (const struct dirent *entry; open && (entry = readdir(open)) != NULL;)
        if (!strncmp(entry->d_name, "play-", 5)) {
            Error error;
            assert_true(file_path_in(folder, entry->d_name, path, &error));
            count++;
        }
    if (open)
        closedir(open);
    return count;
}

/* Sets a state folder of its own; kept games are in *folder. */
static void move_state(char state[FILE_PATH_MAX], char folder[FILE_PATH_MAX]) {
    strcpy(state, "/tmp/test_play_XXXXXX");
    assert_non_null(mkdtemp(state));
    Error error;
    assert_true(file_path_in(state, "stigmergy", folder, &error));
    assert_int_equal(setenv("XDG_STATE_HOME", state, 1), 0);
}

static void remove_state(const char *state, const char *folder) {
    char path[FILE_PATH_MAX];
    while (count_kept(folder, path) > 0)
        assert_int_equal(unlink(path), 0);
    rmdir(folder);
    assert_int_equal(rmdir(state), 0);
}

/* Games are kept for the user alone, in folders that the program makes. */
static void test_autosave_is_private(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    struct stat status;
    move_state(state, folder);
    const mode_t mask = umask(022);
    Table table;
    sit_down(&table, &options);
    say(&table, "c3");
    umask(mask);
    assert_int_equal(stat(folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    stand_up(&table);
    remove_state(state, folder);
}

/* Each line keeps the game, so that a kill loses nothing; each game has one file; what the person has saved is left
 * alone; the last game can be continued. */
static void test_autosave(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[FILE_PATH_MAX], line[FILE_PATH_MAX + 8];
    move_state(state, folder);
    Table table;
    sit_down(&table, &options);
    say(&table, "board");
    assert_int_equal(count_kept(folder, path), 0); /* nothing was played */
    say(&table, "c3");
    assert_int_equal(count_kept(folder, path), 1);
    say(&table, "a1");
    stand_up(&table); /* as if killed */
    options.resume = true;
    sit_down(&table, &options);
    assert_string_equal(say(&table, "moves"), "1.c3 a1\n");
    say(&table, "resign"); /* goes to the same file */
    play_leave(table.play);
    assert_non_null(strstr(table.text, path));
    assert_non_null(strstr(table.text, "To go on: stigmergy play --continue\n"));
    assert_int_equal(count_kept(folder, path), 1);
    const char *answer = say(&table, "new"); /* what --continue goes on with is the new game then */
    assert_non_null(strstr(answer, "The game is kept in "));
    assert_null(strstr(answer, "To go on"));
    say(&table, "e1");
    say(&table, "undo");
    say(&table, "e3");
    assert_int_equal(count_kept(folder, path), 2);
    snprintf(line, sizeof line, "load %s", path);
    say(&table, line);
    const size_t before = table.length;
    play_leave(table.play); /* it was read from a file */
    assert_int_equal(table.length, before);
    stand_up(&table);
    remove_state(state, folder);
}

/* A game that was taken back to its beginning is kept as that. */
static void test_taken_back(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    move_state(state, folder);
    Table table;
    sit_down(&table, &options);
    say(&table, "c3");
    say(&table, "undo");
    play_leave(table.play);
    assert_int_equal(count_kept(folder, path), 1);
    assert_non_null(strstr(table.text, path));
    stand_up(&table);
    options.resume = true;
    sit_down(&table, &options);
    assert_string_equal(say(&table, "moves"), "No moves yet.\n");
    stand_up(&table);
    remove_state(state, folder);
}

static void play_in_zone(const char *zone, const PlayOptions *options, const char *turn) {
    Table table;
    setenv("TZ", zone, 1);
    tzset();
    sit_down(&table, options);
    say(&table, turn);
    stand_up(&table);
}

/* The last game is the last one where the clock on the wall goes back, too. */
static void test_time_zones(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    move_state(state, folder);
    play_in_zone("EAST-14", &options, "c3");
    play_in_zone("WEST12", &options, "a1");
    unsetenv("TZ");
    tzset();
    options.resume = true;
    Table table;
    sit_down(&table, &options);
    assert_string_equal(say(&table, "moves"), "1.a1\n");
    stand_up(&table);
    remove_state(state, folder);
}

/* Waits until a file has a later time than those before. */
static void wait_for_later_time(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static void assert_continues(const PlayOptions *options, const char *moves) {
    PlayOptions again = *options;
    again.load = NULL;
    again.resume = true;
    Table table;
    sit_down(&table, &again);
    assert_string_equal(say(&table, "moves"), moves);
    stand_up(&table);
}

/* Of two games at the same time, the last one is the one that was played or left last, not the one that began last. */
static void test_two_terminals(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    move_state(state, folder);
    Table first, second;
    sit_down(&first, &options);
    say(&first, "c3");
    sit_down(&second, &options);
    say(&second, "a1");
    wait_for_later_time();
    say(&first, "c5");
    assert_continues(&options, "1.c3 c5\n");
    wait_for_later_time();
    play_leave(second.play);
    assert_continues(&options, "1.a1\n");
    stand_up(&first);
    stand_up(&second);
    remove_state(state, folder);
}

/* The file that keeps a game follows it to what the person has saved or loaded, too. */
static void test_kept_file_follows(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[64], line[80];
    move_state(state, folder);
    make_path(path, "follows.sgf");
    snprintf(line, sizeof line, "save %s", path);
    const char *const lines[] = {"c3", "c5", line, "undo", "redo"};
    Table table;
    sit_down(&table, &options);
    for (int i = 0; i < 5; i++)
        say(&table, lines[i]);
    assert_continues(&options, "1.c3 c5\n");
    stand_up(&table);
    options.load = path;
    sit_down(&table, &options);
    wait_for_later_time();
    say(&table, "a1");
    assert_continues(&options, "1.c3 c5 2.a1\n");
    say(&table, "undo");
    assert_continues(&options, "1.c3 c5\n");
    stand_up(&table);
    unlink(path);
    remove_state(state, folder);
}

/* A game that is open in one terminal goes on in a file of its own in another one; when the first one has ended, also
 * by a kill, its file is free. */
static void test_one_game_in_two_terminals(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    move_state(state, folder);
    Table first, second;
    sit_down(&first, &options);
    say(&first, "c3");
    options.resume = true;
    sit_down(&second, &options);
    assert_non_null(
        strstr(second.text, "another process is writing to it. From here on the game is kept in a file of "));
    assert_int_equal(count_kept(folder, path), 1); /* nothing is new yet */
    say(&second, "a1");
    assert_int_equal(count_kept(folder, path), 2);
    wait_for_later_time();
    say(&first, "c5");
    assert_continues(&options, "1.c3 c5\n");
    wait_for_later_time();
    say(&second, "e1");
    assert_continues(&options, "1.c3 a1 2.e1\n");
    stand_up(&second); /* as if killed */
    sit_down(&second, &options);
    assert_null(strstr(second.text, "another process"));
    say(&second, "c5");
    assert_int_equal(count_kept(folder, path), 2);
    say(&second, "new"); /* lets go of the file, too */
    assert_continues(&options, "1.c3 a1 2.e1 c5\n");
    stand_up(&first);
    stand_up(&second);
    remove_state(state, folder);
}

/* A game goes on with the sides and the level that it had, unless others are asked for. */
static void test_same_players(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    options.human = PLAY_AS_WHITE;
    Error error;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    move_state(state, folder);
    Table table;
    assert_true(level_player(2, &options.player, &error));
    sit_down(&table, &options); /* the computer begins */
    say(&table, "moves");
    stand_up(&table);
    options.resume = true;
    options.human = PLAY_AS_BLACK;
    assert_true(level_player(4, &options.player, &error));
    for (int asked = 0; asked < 2; asked++) {
        options.same_sides = options.same_level = !asked;
        sit_down(&table, &options);
        assert_non_null(strstr(table.text, asked ? "plays as `intermediate'" : "plays as `novice'"));
        assert_string_equal(play_prompt(table.play), asked ? "Black> " : "White> ");
        stand_up(&table);
    }
    remove_state(state, folder);
}

/* So does one of people who have names, which came from a file. */
static void test_named_players(void **unused) {
    (void)unused;
    static const char text[] = "(;GM[stigmergy]SZ[3]PB[Ann]PW[Bob];B[c3])";
    static const struct {
        PlayHuman human;
        const char *prompt, *wanted;
    } cases[] = {{PLAY_BOTH, "Black> ", "PB[Ann]PW[Bob]"},
                 {PLAY_AS_WHITE, "White> ", "PB[Stigmergy (default)]PW[Bob]"}};
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], file[64], path[FILE_PATH_MAX];
    Error error;
    make_path(file, "named.sgf");
    assert_true(file_write(file, text, strlen(text), &error));
    for (int i = 0; i < 2; i++) {
        PlayOptions options = default_options();
        Table table;
        move_state(state, folder);
        options.keep = true;
        options.load = file;
        options.human = cases[i].human;
        sit_down(&table, &options);
        say(&table, "a1");
        stand_up(&table);
        options.load = NULL;
        options.resume = options.same_sides = options.same_level = true;
        options.human = PLAY_AS_BLACK;
        sit_down(&table, &options);
        assert_string_equal(play_prompt(table.play), cases[i].prompt);
        assert_int_equal(strstr(table.text, "The computer plays as") != NULL, cases[i].human != PLAY_BOTH);
        stand_up(&table);
        assert_int_equal(count_kept(folder, path), 1);
        char *kept = file_read(path, NULL, &error);
        assert_non_null(kept);
        assert_non_null(strstr(kept, cases[i].wanted));
        free(kept);
        remove_state(state, folder);
    }
    unlink(file);
}

/* A kept game names the sides that were played last. */
static void test_changed_side_is_kept(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    Error error;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    move_state(state, folder);
    Table table;
    assert_true(level_player(2, &options.player, &error));
    sit_down(&table, &options);
    say(&table, "c3");
    say(&table, "side b"); /* the computer moves */
    say(&table, "side w"); /* and again */
    stand_up(&table);
    options.resume = options.same_sides = true;
    sit_down(&table, &options);
    assert_string_equal(play_prompt(table.play), "White> ");
    say(&table, "side both");
    stand_up(&table);
    options.human = PLAY_AS_BLACK;
    sit_down(&table, &options);
    assert_null(strstr(table.text, "The computer plays as"));
    stand_up(&table);
    remove_state(state, folder);
}

/* A level that was changed is kept, also without a further turn and after a copy was saved. */
static void test_changed_level_is_kept(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    options.human = PLAY_AS_BLACK;
    Error error;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[64], line[80];
    move_state(state, folder);
    make_path(path, "level.sgf");
    snprintf(line, sizeof line, "save %s", path);
    Table table;
    assert_true(level_player(2, &options.player, &error));
    sit_down(&table, &options);
    say(&table, "c3");
    say(&table, line);
    say(&table, "level 1");
    stand_up(&table);
    options.resume = options.same_sides = options.same_level = true;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, "plays as `beginner'"));
    say(&table, "level 3");
    ASSERT_SAYS(&table, line, "The game is in ");
    stand_up(&table);
    char *saved = file_read(path, NULL, &error);
    assert_non_null(saved);
    assert_non_null(strstr(saved, "PW[Stigmergy (casual)]"));
    free(saved);
    unlink(path);
    remove_state(state, folder);
}

/* A level means nothing in a game of two people. */
static void test_level_of_two_people(void **unused) {
    (void)unused;
    static const char text[] = "(;SZ[3];B[c3])";
    PlayOptions options = default_options();
    options.keep = true;
    Error error;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[64], kept[FILE_PATH_MAX];
    move_state(state, folder);
    make_path(path, "two.sgf");
    assert_true(file_write(path, text, strlen(text), &error));
    options.load = path;
    Table table;
    sit_down(&table, &options);
    say(&table, "level 3");
    assert_int_equal(count_kept(folder, kept), 0);
    stand_up(&table);
    unlink(path);
    remove_state(state, folder);
}

/* The oldest games make room for new ones; a folder that cannot be made is an error with its name. */
static void test_kept_games_end(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.keep = true;
    char state[FILE_PATH_MAX], folder[FILE_PATH_MAX], path[FILE_PATH_MAX], oldest[FILE_PATH_MAX];
    move_state(state, folder);
    Table table;
    sit_down(&table, &options);
    for (int game = 0; game < 52; game++) {
        say(&table, "c3");
        assert_int_equal(count_kept(folder, path), game < 50 ? game + 1 : 50);
        if (game == 0)
            strcpy(oldest, path);
        say(&table, "new");
    }
    assert_false(file_exists(oldest));
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    ASSERT_SAYS(&table, "c1", "The game could not be kept: /dev/null");
    assert_null(strstr(say(&table, "c3"), "kept"));
    setenv("XDG_STATE_HOME", state, 1);
    assert_null(strstr(say(&table, "d1"), "kept"));
    say(&table, "new");
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    ASSERT_SAYS(&table, "c1", "The game could not be kept: /dev/null");
    const size_t before = table.length;
    play_leave(table.play);
    assert_non_null(strstr(table.text + before, "The game could not be kept: /dev/null"));
    options.resume = true;
    Error error;
    assert_null(play_new(&options, stdout, &error));
    assert_non_null(strstr(error.text, "no game is kept in /dev/null"));
    stand_up(&table);
    remove_state(state, folder);
}

/* What is recommended has the best chance, and the score agrees with it. */
static void test_advice_agrees(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    for (int komi = 0; komi < 8; komi++) {
        Table table;
        options.komi = komi;
        sit_down(&table, &options);
        const char *line = strchr(say(&table, "hint"), '\n') + 1;
        double first = 2, chance;
        char move[8];
        for (; *line; line = strchr(line, '\n') + 1) {
            const bool certain = strstr(line, "a certain") != NULL && strchr(line, '\n') > strstr(line, "a certain");
            if (certain || sscanf(line, " %7s %lf%%", move, &chance) != 2)
                chance = strstr(line, "a certain win") ? 100 : 0;
            assert_true(chance <= first || first == 2);
            first = first == 2 ? chance : first;
        }
        const char *score = say(&table, "score");
        if (!strstr(score, "certain")) {
            assert_int_equal(sscanf(strstr(score, " is "), " is %lf%%", &chance), 1);
            assert_true(fabs((strstr(score, "Black's") ? chance : 100 - chance) - first) <= 1);
        }
        stand_up(&table);
    }
}

/* Who is far ahead is expected to win by some points, whether it is the mover or not. */
static void test_expected_margin(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.game.size = 4;
    for (int side = 0; side < 2; side++) {
        Table table;
        options.komi = side == BLACK ? -20 : 20;
        sit_down(&table, &options);
        const char *score = say(&table, "score");
        assert_non_null(strstr(score, side == BLACK ? "Black's chance to win is " : "White's chance to win is "));
        assert_non_null(strstr(score, "%; it is expected to win by "));
        stand_up(&table);
    }
}

/* On hexhex-2 White wins with this komi whatever Black does, and it is said so. */
static void test_certain_loss(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.game.size = 2;
    options.komi = 7;
    options.player.simulations = 5000;
    options.adviser = options.player;
    Table table;
    sit_down(&table, &options);
    const char *hint = say(&table, "hint");
    assert_true(strstr(hint, "a certain loss") && !strstr(hint, "a certain win"));
    ASSERT_SAYS(&table, "score", "White has a certain win.");
    stand_up(&table);
    options.human = PLAY_AS_WHITE;
    sit_down(&table, &options);
    assert_non_null(strstr(table.text, " Its loss is certain."));
    stand_up(&table);
}

/* Here the solver knows that White has lost, while the tree still likes White's moves. */
static void test_loss_by_the_solver(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    options.komi = 4;
    options.seed = 1;
    options.adviser = player_default();
    options.adviser.simulations = 130;
    options.adviser.memory_mb = 64;
    Table table;
    sit_down(&table, &options);
    static const char *const turns[] = {"b4", "e2", "a2", "b1", "c4", "e1", "d1"};
    for (int i = 0; i < 7; i++)
        ASSERT_SAYS(&table, turns[i], "to move.");
    assert_string_equal(play_prompt(table.play), "White> ");
    assert_string_equal(say(&table, "score"), "Black has a certain win.\n");
    const char *hint = say(&table, "hint");
    assert_non_null(strstr(hint, "a certain loss"));
    assert_null(strchr(hint, '%'));
    stand_up(&table);
}

/* Lines are broken between words, or after commas of a long one; the board is not touched. */
static void test_wrapping(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"one two three four five\n", "one two\n  three\n  four\n  five\n"},
        {"  · · · ·\n", "  · · · ·\n"},
        {" a b\n\n c\n", " a b\n\n c\n"},
        {"\033[48;5;179m · · · · \033[0m\n", "\033[48;5;179m · · · · \033[0m\n"},
        {"a1,b2,c3,d4,e5\n", "a1,b2,c3,\n  d4,e5\n"},
        {"go a1,b2,c3,d4\n", "go\n  a1,b2,\n  c3,d4\n"},
        {"abcdefghijklmn\n", "abcdefghijklmn\n"},
        {"end", "end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int columns = 10;
        char *text;
        size_t length;
        FILE *to = open_memstream(&text, &length), *out = wrap_open(to, &columns);
        fputs(cases[i].text, out);
        fflush(out);
        fclose(out);
        fflush(to);
        assert_string_equal(text, cases[i].wanted);
        columns = 0;
        out = wrap_open(to, &columns);
        fputs(cases[i].text, out);
        fclose(out);
        fflush(to);
        assert_string_equal(text + strlen(cases[i].wanted), cases[i].text);
        fclose(to);
        free(text);
    }
}

/* Boards that the terminal has no room for are announced, and those of all sizes fit into 80 x 24. */
static void test_room(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    PlayRoom room = {.columns = 80};
    options.room = &room;
    Table table;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        options.game.size = size;
        room.lines = 24;
        sit_down(&table, &options);
        assert_null(strstr(table.text, "needs"));
        int width = 0, lines = 1; /* that of the prompt */
        for (const char *c = say(&table, "a1") + 1, *begin = c; *c; c++)
            if (*c == '\n') {
                width = c - begin > width ? (int)(c - begin) : width;
                begin = c + 1;
                lines++;
            }
        assert_in_range(width, 1, 80);
        assert_in_range(lines, 1, 24);
        stand_up(&table);
        room.lines = lines - 1;
        sit_down(&table, &options);
        assert_non_null(strstr(table.text, "This board needs "));
        stand_up(&table);
    }
}

/* So is a board that is loaded, in the terminal as it is then. */
static void test_room_of_loaded_board(void **unused) {
    (void)unused;
    static const char text[] = "(;SZ[10];B[c3])";
    PlayOptions options = default_options();
    PlayRoom room = {.columns = 80, .lines = 24};
    Error error;
    char path[64], line[80];
    make_path(path, "large.sgf");
    assert_true(file_write(path, text, strlen(text), &error));
    snprintf(line, sizeof line, "load %s", path);
    options.room = &room;
    Table table;
    sit_down(&table, &options);
    assert_null(strstr(say(&table, line), "needs"));
    room.columns = 40;
    ASSERT_SAYS(&table, line, "This board needs 44 columns and 24 lines, but the terminal has 40 and 24.");
    stand_up(&table);
    unlink(path);
}

static void test_styles(void **unused) {
    (void)unused;
    PlayOptions options = default_options();
    Table table;
    for (int style = 0; style < 4; style++) {
        options.style = (PlayStyle){.unicode = style & 1, .colour = style & 2};
        sit_down(&table, &options);
        const char *board = say(&table, "c3");
        assert_int_equal(strstr(board, "\033[") != NULL, options.style.colour);
        assert_int_equal(strstr(board, "●") != NULL, options.style.unicode);
        stand_up(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_people),
        cmocka_unit_test(test_why_and_flip),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_side),
        cmocka_unit_test(test_changed_side_is_kept),
        cmocka_unit_test(test_changed_level_is_kept),
        cmocka_unit_test(test_level_of_two_people),
        cmocka_unit_test(test_computer_answers),
        cmocka_unit_test(test_stopped_thinking),
        cmocka_unit_test(test_komi_named_by_a_person),
        cmocka_unit_test(test_komi_named_by_the_computer),
        cmocka_unit_test(test_new_game_of_two_people),
        cmocka_unit_test(test_stopped_komi),
        cmocka_unit_test(test_redo),
        cmocka_unit_test(test_redo_against_the_computer),
        cmocka_unit_test(test_redo_to_the_computers_turn),
        cmocka_unit_test(test_redo_to_a_lost_game),
        cmocka_unit_test(test_help_at_the_start),
        cmocka_unit_test(test_swap_is_announced),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_saved_again),
        cmocka_unit_test(test_players_of_files),
        cmocka_unit_test(test_sides_after_a_swap),
        cmocka_unit_test(test_results_of_files),
        cmocka_unit_test(test_whole_games),
        cmocka_unit_test(test_completion),
        cmocka_unit_test(test_file_completion),
        cmocka_unit_test(test_autosave),
        cmocka_unit_test(test_autosave_is_private),
        cmocka_unit_test(test_taken_back),
        cmocka_unit_test(test_time_zones),
        cmocka_unit_test(test_two_terminals),
        cmocka_unit_test(test_kept_file_follows),
        cmocka_unit_test(test_one_game_in_two_terminals),
        cmocka_unit_test(test_same_players),
        cmocka_unit_test(test_named_players),
        cmocka_unit_test(test_kept_games_end),
        cmocka_unit_test(test_advice_agrees),
        cmocka_unit_test(test_expected_margin),
        cmocka_unit_test(test_certain_loss),
        cmocka_unit_test(test_loss_by_the_solver),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_room_of_loaded_board),
        cmocka_unit_test(test_styles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
