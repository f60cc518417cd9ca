/* External engines. Our own one plays what the built-in player plays. Engines that go wrong lose that game for the
 * right reason, and are started again for the next game. Arguments: the stigmergy binary, the folder of this file. */
#define _GNU_SOURCE /* memmem, pipe2 */
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/io/file.h"
#include "selfplay/players/contest.h"
#include "selfplay/players/gtp_client.h"
#include "selfplay/runs/match/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"
#include "tests/support/run_play.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char *binary, *sources;

/* The program is linked with --wrap=fcntl. */
int __real_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...);
static int failing_fcntl; /* how many calls come up to the one that fails, here or in a new process; 0: none does */

int __wrap_fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    const long value = va_arg(arguments, long);
    va_end(arguments);
    if (failing_fcntl > 0 && --failing_fcntl == 0) {
        errno = EMFILE;
        return -1;
    }
    return __real_fcntl(file, command, value);
}

static int open_descriptors(void) {
    int count = 0;
    DIR *entries = opendir("/proc/self/fd");
    if (!entries)
        return -1;
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

/* How many processes run that were started from here, or from there, and so on: they have inherited the mark. */
static int processes_left(void) {
    int count = 0;
    DIR *entries = opendir("/proc");
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        static char environment[1 << 16];
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid() ? fopen(path, "r") : NULL;
        const size_t length = file ? fread(environment, 1, sizeof environment, file) : 0;
        count += memmem(environment, length, folder, strlen(folder)) != NULL;
        if (file)
            fclose(file);
    }
    if (entries)
        closedir(entries);
    return count;
}

/* ---- Our own engine ---- */

static void engine_plays_like_the_search(void **unused) {
    (void)unused;
    Error error;
    static const char *const games[] = {"stigmergy", "bug"};
    for (int i = 0; i < 2; i++) {
        Game *game = game_new(&(GameOptions){.name = games[i], .size = 3}, &error);
        Player player = playout_player();
        player.simulations = 30;
        player.memory_mb = 1;
        const uint64_t seed = 12345;
        GtpPlayerOptions options = {.patience = 60};
        snprintf(options.command, sizeof options.command,
                 "'%s' gtp --player '{\"network\": \"none\"}' --sims 30 --memory 1 --seed %llu", binary,
                 (unsigned long long)rng_split(seed, BLACK));
        GtpPlayer *engine = gtp_player_new(&options);
        Search *black = player_new_search(&player, NULL, game, 0, &error),
               *white = player_new_search(&player, NULL, game, 0, &error);
        GameRecord first = {.komi = game->has_points ? 3 : 0, .seed = seed}, second = first;
        Seat as_search = {&player, black, NULL}, as_engine = {&player, NULL, engine}, opponent = {&player, white, NULL};
        assert_int_equal(contest_play(game, (Seat *const[2]){&as_search, &opponent}, &(ContestStop){0}, &first, &error),
                         CONTEST_FINISHED);
        assert_int_equal(
            contest_play(game, (Seat *const[2]){&as_engine, &opponent}, &(ContestStop){0}, &second, &error),
            CONTEST_FINISHED);
        assert_string_equal(second.note, "");
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.actions, second.actions, (size_t)first.count * sizeof(Action));
        record_free(&first);
        record_free(&second);
        search_free(black);
        search_free(white);
        gtp_player_free(engine);
        game_free(game);
    }
}

/* Plays a game from a strong first turn between the built-in player and our own engine, who has `side` and hears that
 * there is the pie rule. If `told`, the swap is in the opening. Returns whether there was a swap. */
static bool play_with_pie(const char *name, Side side, bool told) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = 3, .pie = GAME_PIE_ON}, &error);
    Player player = playout_player();
    player.simulations = 30;
    player.memory_mb = 1;
    GtpPlayerOptions options = {.patience = 60};
    snprintf(options.command, sizeof options.command,
             "'%s' gtp --game %s --pie off --player '{\"network\": \"none\"}' --sims 30 --memory 1", binary, name);
    GtpPlayer *engine = gtp_player_new(&options);
    Search *search = player_new_search(&player, NULL, game, 0, &error);
    GameRecord record = {.seed = 1};
    GameState state;
    game->rules->start(game, &state, 0);
    for (int i = 0; i < 1 + told; i++) {
        Action turn[GAME_TURN_MAX];
        assert_int_equal(game->rules->parse(game, &state, i ? "swap" : "c3", turn, &error), 1);
        assert_true(record_add(&record, turn[0], &error));
        game->rules->apply(game, &state, turn[0]);
    }
    Seat as_search = {&player, search, NULL}, as_engine = {&player, NULL, engine};
    Seat *const seats[2] = {side == BLACK ? &as_engine : &as_search, side == BLACK ? &as_search : &as_engine};
    assert_int_equal(contest_play(game, seats, &(ContestStop){0}, &record, &error), CONTEST_FINISHED);
    assert_string_equal(record.note, "");
    assert_false(end_is_forfeit(record.reason));
    game->rules->start(game, &state, 0);
    for (int i = 0; i < record.count; i++)
        game->rules->apply(game, &state, record.actions[i]);
    const bool swapped = game_colour(game, &state, BLACK) == WHITE;
    record_free(&record);
    search_free(search);
    gtp_player_free(engine);
    game_free(game);
    return swapped;
}

/* An engine hears of colours. After a swap they are not those of the players who began. */
static void engine_follows_a_swap(void **unused) {
    (void)unused;
    for (Side side = BLACK; side <= WHITE; side++) {
        assert_true(play_with_pie("sgolte", side, false));
        assert_true(play_with_pie("sgolte", side, true));
        assert_true(play_with_pie("bug", side, true));
    }
}

/* An engine hears of the variant of each game, whatever its command says. */
static void engine_follows_the_variant(void **unused) {
    (void)unused;
    Error error;
    GtpPlayerOptions options = {.patience = 60};
    snprintf(options.command, sizeof options.command,
             "'%s' gtp --game sgolte --pie off --player '{\"network\": \"none\"}' --memory 1", binary);
    GtpPlayer *engine = gtp_player_new(&options);
    for (int i = 0; i < 6; i++) {
        const GamePie pie = i % 2 ? GAME_PIE_OFF : GAME_PIE_ON;
        Game *game = game_new(&(GameOptions){.name = i < 3 ? "sgolte" : "bug", .size = 3, .pie = pie}, &error);
        assert_int_equal(gtp_player_begin(engine, game, 0, NULL), GTP_GOOD);
        assert_int_equal(gtp_player_play(engine, BLACK, "c3", NULL), GTP_GOOD);
        assert_int_equal(gtp_player_play(engine, WHITE, "swap", NULL), i % 2 ? GTP_REFUSED : GTP_GOOD);
        game_free(game);
    }
    gtp_player_free(engine);
}

/* An engine may say that it knows a command as programs in Python do. */
static void engines_say_true_in_capitals(void **unused) {
    (void)unused;
    Error error;
    char heard[64];
    snprintf(heard, sizeof heard, "/tmp/test-engines-%ld", (long)getpid());
    GtpPlayerOptions options = {.patience = 60, .move_seconds = 2};
    snprintf(options.command, sizeof options.command, "exec '%s/fake_engine.sh' hears %s", sources, heard);
    Game *game = game_new(&(GameOptions){.name = "sgolte", .size = 3}, &error);
    GtpPlayer *engine = gtp_player_new(&options);
    assert_int_equal(gtp_player_begin(engine, game, 0, NULL), GTP_GOOD);
    gtp_player_free(engine);
    char *text = file_read(heard, NULL, &error);
    assert_non_null(strstr(text, "\nvariant \n"));
    assert_non_null(strstr(text, "\ntime_settings 0 2 1\n"));
    free(text);
    game_free(game);
    unlink(heard);
}

/* ---- Engines that go wrong ---- */

/* Setting up may take as long as a busy machine needs. If `hurried`, a move may not. */
static MatchConfig config_with(const char *how, bool hurried) {
    MatchConfig config = match_config_default(3);
    Error error;
    char text[512];
    snprintf(text, sizeof text, "{\"gtp\": \"exec '%s/fake_engine.sh' %s\", \"move_time\": %s}", sources, how,
             hurried ? "0.1" : "0");
    assert_true(match_config_add_player(&config, text, "test", &error));
    assert_true(match_config_add_player(
        &config, "{\"name\": \"good\", \"network\": \"none\", \"simulations\": 2, \"memory_mb\": 1}", "test", &error));
    config.allow_programs = true;
    config.run.games = 4;
    config.grace = 0.2;
    config.openings.simulations = 10;
    config.openings.limit = 1;
    assert_true(run_config_check(&config.run, &error));
    return config;
}

/* Plays the four games. Returns the tally of the engine. The records must be readable again. */
static MatchTally play(const MatchConfig *config, int threads) {
    Run *run = open_run(&match_kind, &config->run, records_path);
    assert_int_equal(play_open_run(run, threads, 0, NULL), RUN_DONE);
    run_free(run);
    run = open_run(&match_kind, &config->run, records_path);
    const MatchTally tally = match_tally(run, 0);
    assert_int_equal(tally.games[BLACK] + tally.games[WHITE], 4);
    run_free(run);
    return tally;
}

static void failures_lose_the_game_and_leave_nothing(void **unused) {
    (void)unused;
    static const struct {
        const char *how;
        EndReason reason;
    } cases[] = {
        {"crash", END_CRASH},     {"exit", END_CRASH},   {"nonsense", END_CRASH}, {"refuse", END_CRASH},
        {"huge", END_CRASH},      {"flood", END_CRASH},  {"close", END_CRASH},    {"deaf", END_CRASH},
        {"illegal", END_ILLEGAL}, {"long", END_ILLEGAL}, {"bytes", END_ILLEGAL},  {"resign", END_RESIGN},
        {"hang", END_TIME},       {"partial", END_TIME}, {"blank", END_CRASH},    {"twice", END_CRASH},
        {"stop", END_TIME},       {"slow", END_RESIGN},  {"children", END_CRASH}, {"leave", END_RESIGN},
    };
    const int before = open_descriptors();
    setenv("STIGMERGY_TEST_MARK", folder, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const MatchConfig config = config_with(cases[i].how, cases[i].reason == END_TIME);
        const MatchTally tally = play(&config, 4);
        if (tally.lost_by[cases[i].reason] != 4)
            fail_msg("%s: %d games lost by %s, expected 4", cases[i].how, tally.lost_by[cases[i].reason],
                     end_reason_names[cases[i].reason]);
        drop_files(NULL);
    }
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left, not even a zombie */
    assert_int_equal(processes_left(), 0);
}

/* Without a time for a move, --patience is what ends the wait. */
static void patience_ends_the_wait_for_a_move(void **unused) {
    (void)unused;
    MatchConfig config = config_with("hang", false);
    config.patience = 3; /* for what the engine does answer, on a busy machine */
    const double begin = wall_seconds();
    assert_int_equal(play(&config, 4).lost_by[END_TIME], 4);
    assert_true(wall_seconds() - begin >= config.patience);
}

/* An engine breaks down in every second game, and loses the others by an answer. */
static void see_restarts(const char *answer, EndReason reason) {
    char how[160];
    snprintf(how, sizeof how, "once '%s/sign' %s", folder, answer);
    MatchConfig config = config_with(how, false);
    config.restarts = 1;
    const MatchTally tally = play(&config, 1);
    assert_int_equal(tally.lost_by[END_CRASH], 2);
    assert_int_equal(tally.lost_by[reason], 2);
}

static void engine_is_started_again(void **unused) {
    (void)unused;
    see_restarts("resign", END_RESIGN);
}

static void illegal_turn_is_no_breakdown(void **unused) {
    (void)unused;
    see_restarts("z9", END_ILLEGAL);
}

/* A second answer to a command, which comes when the first one has been taken, is not the answer to the next one. */
static void second_answers_are_found(void **unused) {
    (void)unused;
    static char answer[GTP_ANSWER_MAX];
    Error error;
    char sign[FIXTURE_PATH_MAX], command[3 * FIXTURE_PATH_MAX];
    in_folder(sign, "sign");
    snprintf(command, sizeof command, "read x; printf '= a\n\n'; read y <'%s'; printf '= b\n\n'; echo >'%s'; cat", sign,
             sign);
    assert_int_equal(mkfifo(sign, 0600), 0);
    GtpClient *client = gtp_client_start(command, &error);
    assert_int_equal(gtp_client_ask(client, "name", 60, NULL, answer, &error), GTP_GOOD);
    assert_string_equal(answer, "a");
    FILE *told = fopen(sign, "w");
    fputs("\n", told);
    fclose(told);
    told = fopen(sign, "r");
    assert_int_equal(fgetc(told), '\n'); /* it has answered again */
    fclose(told);
    assert_int_equal(gtp_client_ask(client, "name", 60, NULL, answer, &error), GTP_BROKEN);
    assert_says(&error, "more than one answer");
    gtp_client_end(client, 0);
    unlink(sign);
}

/* The same where it comes after the next command: the number that it repeats is that of the command before. */
static void late_answers_are_found(void **unused) {
    (void)unused;
    static char answer[GTP_ANSWER_MAX];
    static const struct {
        const char *program;
        GtpStatus first, second;
        const char *says;
    } cases[] = {
        {"read x; printf '=1 a\n\n'; read x; printf '=1 late\n\n=2 b\n\n'; cat", GTP_GOOD, GTP_BROKEN, "more than one"},
        {"read x; printf '=1 a\n\n'; read x; printf '= late\n\n=2 b\n\n'; cat", GTP_GOOD, GTP_BROKEN, "more than one"},
        {"read x; printf '?1 no\n\n'; read x; printf '=2 b\n\n'; cat", GTP_REFUSED, GTP_GOOD, "b"},
        /* It knows no numbers: it takes the first one for a command, or leaves it out. */
        {"read x; printf '? what\n\n'; read x; printf \"= $x\n\n\"; read x; printf \"= $x\n\n\"; cat", GTP_GOOD,
         GTP_GOOD, "second"},
        {"read x; printf '= a\n\n'; read x; printf \"= $x\n\n\"; cat", GTP_GOOD, GTP_GOOD, "second"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        GtpClient *client = gtp_client_start(cases[i].program, &error);
        assert_int_equal(gtp_client_ask(client, "first", 60, NULL, answer, &error), cases[i].first);
        assert_int_equal(gtp_client_ask(client, "second", 60, NULL, answer, &error), cases[i].second);
        if (cases[i].second == GTP_GOOD)
            assert_string_equal(answer, cases[i].says);
        else
            assert_says(&error, cases[i].says);
        gtp_client_end(client, 0);
    }
}

/* The games that it has lost are kept, and the run can go on. */
static void engine_that_never_works_ends_the_run(void **unused) {
    (void)unused;
    MatchConfig config = config_with("hang", true);
    config.restarts = 1;
    config.run.games = 20;
    for (int session = 1; session <= 2; session++) {
        Error error = {.text = ""};
        Run *run = open_run(&match_kind, &config.run, records_path);
        const RunSession one_thread = {.threads = 1};
        assert_int_equal(run_play(run, &one_thread, &error), RUN_FAILED);
        assert_says(&error, "broke down in 2 games in a row, the last time so: genmove");
        run_free(run);
        run = open_run(&match_kind, &config.run, records_path);
        assert_int_equal(run_counted(run), 2 * session);
        run_free(run);
    }
}

static void engine_that_does_not_quit_is_ended(void **unused) {
    (void)unused;
    GtpPlayerOptions options = {.patience = 30};
    Error error;
    snprintf(options.command, sizeof options.command, "exec '%s/fake_engine.sh' stay", sources);
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GtpPlayer *engine = gtp_player_new(&options);
    assert_int_equal(gtp_player_begin(engine, game, 0, NULL), GTP_GOOD);
    const double begin = wall_seconds();
    gtp_player_free(engine);
    assert_true(wall_seconds() - begin < 30);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    game_free(game);
}

/* ---- A signal that arrives before the new process has become another program ---- */

static int handled[2]; /* a pipe that the new process shares */
static bool signal_new_process;

static void tell(int number) {
    if (write(handled[1], "h", 1) != 1)
        abort();
    (void)number;
}

static void signal_oneself(void) {
    if (signal_new_process)
        kill(getpid(), SIGURG);
}

static void new_process_runs_no_handler(void **unused) {
    (void)unused;
    GtpPlayerOptions options = {.patience = 30};
    Error error;
    char told;
    assert_int_equal(pipe2(handled, O_NONBLOCK | O_CLOEXEC), 0);
    assert_int_equal(pthread_atfork(NULL, NULL, signal_oneself), 0);
    const struct sigaction telling = {.sa_handler = tell}, standard = {.sa_handler = SIG_DFL};
    sigaction(SIGURG, &telling, NULL);
    signal_new_process = true;
    snprintf(options.command, sizeof options.command, "exec '%s/fake_engine.sh' resign", sources);
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GtpPlayer *engine = gtp_player_new(&options);
    assert_int_equal(gtp_player_begin(engine, game, 0, NULL), GTP_GOOD);
    gtp_player_free(engine);
    game_free(game);
    signal_new_process = false;
    assert_int_equal(read(handled[0], &told, 1), -1);
    raise(SIGURG); /* the handler works */
    assert_int_equal(read(handled[0], &told, 1), 1);
    sigaction(SIGURG, &standard, NULL);
    close(handled[0]);
    close(handled[1]);
}

static bool kill_program;

static void kill_parent(void) {
    const pid_t parent = getppid();
    if (!kill_program)
        return;
    kill(parent, SIGKILL);
    while (getppid() == parent)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The program may die as soon as it has made the new process. That still becomes a keeper, and ends. */
static void new_process_ends_with_the_program(void **unused) {
    (void)unused;
    Error error;
    int status;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0); /* the keeper becomes our child */
    assert_int_equal(pthread_atfork(NULL, NULL, kill_parent), 0);
    const pid_t program = fork();
    assert_true(program >= 0);
    if (program == 0) {
        kill_program = true;
        gtp_client_start("sleep 1000", &error);
        pause();
    }
    assert_int_equal(waitpid(program, &status, 0), program);
    assert_true(WIFSIGNALED(status));
    const double deadline = wall_seconds() + 60;
    pid_t keeper;
    while ((keeper = waitpid(-1, NULL, WNOHANG)) == 0 && wall_seconds() < deadline)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(keeper > 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

static bool always(void *unused) {
    (void)unused;
    return true;
}

static void waiting_can_be_given_up(void **unused) {
    (void)unused;
    GtpPlayerOptions options = {.patience = 1000};
    Error error;
    char turn[GAME_TEXT_MAX];
    snprintf(options.command, sizeof options.command, "exec '%s/fake_engine.sh' hang", sources);
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GtpPlayer *engine = gtp_player_new(&options);
    assert_int_equal(gtp_player_begin(engine, game, 0, NULL), GTP_GOOD);
    const GtpWait wait = {always, NULL};
    assert_int_equal(gtp_player_genmove(engine, BLACK, turn, &wait), GTP_STOPPED);
    gtp_player_free(engine);
    game_free(game);
}

static void engines_that_do_not_start_are_refused(void **unused) {
    (void)unused;
    static const char *const commands[][2] = {{"gtp:/no/such/engine", "no such command"},
                                              {"gtp:true", "ended with status 0"},
                                              {"gtp:exit 200", "ended with status 200"},
                                              {"gtp:kill -9 $$", "signal 9"},
                                              {"gtp:read line; echo hello; sleep 5", "no answer"},
                                              {"gtp:read line; printf 'hello\\n\\n'; sleep 5", "what is no answer"}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        MatchConfig config = match_config_default(3);
        Error error = {.text = ""};
        assert_true(match_config_add_player(&config, commands[i][0], "test", &error));
        assert_true(match_config_add_player(&config, "default", "test", &error));
        assert_true(run_config_check(&config.run, &error));
        Run *run = run_new(&match_kind, &config.run, (ShardSpec){0, 0}, &error);
        assert_false(lock_and_open(run, records_path, &error));
        if (!strstr(error.text, commands[i][1]))
            fail_msg("'%s' is not in: %s", commands[i][1], error.text);
        run_free(run);
    }
}

/* What a description says may come from anywhere: only "gtp:COMMAND" on the command line starts a program. */
static void descriptions_start_no_programs(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], started[FIXTURE_PATH_MAX], text[2 * FIXTURE_PATH_MAX], list[FIXTURE_PATH_MAX];
    in_folder(path, "run-player.json");
    in_folder(list, "run-config.json");
    in_folder(started, "run-started.json");
    snprintf(text, sizeof text, "{\"players\": [\"gtp:touch %s\", \"default\"]}", started);
    write_text(list, text);
    snprintf(text, sizeof text, "{\"name\": \"sly\", \"gtp\": \"touch %s\"}", started);
    write_text(path, text);
    for (int i = 0; i < 3; i++) {
        MatchConfig config = match_config_default(3);
        Error error = {.text = ""};
        if (i < 2)
            assert_true(match_config_add_player(&config, i ? text : path, "test", &error) &&
                        match_config_add_player(&config, "default", "test", &error));
        else
            assert_true(run_config_load(list, &config.run, &error));
        assert_true(run_config_check(&config.run, &error));
        for (int allowed = 0; allowed < 2; allowed++) {
            config.allow_programs = allowed;
            Run *run = run_new(&match_kind, &config.run, (ShardSpec){0, 0}, &error);
            assert_named(lock_and_open(run, records_path, &error), &error,
                         allowed ? "does not start" : "expected --allow-programs");
            assert_int_equal(access(started, F_OK), allowed ? 0 : -1);
            run_free(run);
        }
        unlink(started);
    }
}

/* An engine may be told to end at any moment while it starts: what it has started by then ends too. */
static void engines_end_while_they_start(void **unused) {
    (void)unused;
    Error error;
    setenv("STIGMERGY_TEST_MARK", folder, 1);
    for (int i = 0; i < 60; i++) {
        GtpClient *client = gtp_client_start("setsid sleep 1000 & sleep 1000", &error);
        assert_non_null(client);
        nanosleep(&(struct timespec){.tv_nsec = i * 100000L}, NULL);
        gtp_client_end(client, 0);
    }
    assert_int_equal(processes_left(), 0);
}

/* Where there are too few descriptors, an engine does not start, rather than speak through those of this program. */
static void engines_never_get_our_descriptors(void **unused) {
    (void)unused;
    struct rlimit before;
    Error error;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){100, before.rlim_max}), 0);
    int taken[100], count = 0;
    while ((taken[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    char started[FIXTURE_PATH_MAX], command[2 * FIXTURE_PATH_MAX];
    in_folder(started, "run-started.json");
    snprintf(command, sizeof command, "touch '%s'; read x; printf '=\\n\\n'; cat", started);
    for (int left = 0; left < 12; left++) {
        static char answer[GTP_ANSWER_MAX];
        GtpClient *client = gtp_client_start(command, &error);
        const bool good = client && gtp_client_ask(client, "name", 60, NULL, answer, &error) == GTP_GOOD;
        gtp_client_end(client, 0);
        assert_int_equal(access(started, F_OK), good ? 0 : -1);
        unlink(started);
        close(taken[--count]);
    }
    while (count > 0)
        close(taken[--count]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* Each call of fcntl in turn fails: our ends that must not block, the leash, the descriptors of the command. */
static void engines_start_whole_or_not_at_all(void **unused) {
    (void)unused;
    enum { OUR_ENDS = 2, STANDARD_ERROR = 8 /* which may stay ours */, CALLS = 9 };
    static char answer[GTP_ANSWER_MAX];
    for (int call = 1; call <= CALLS; call++) {
        Error error = {.text = ""};
        failing_fcntl = call;
        GtpClient *client = gtp_client_start("read x; printf '=\n\n'; cat", &error);
        failing_fcntl = 0;
        assert_int_equal(client != NULL, call > OUR_ENDS);
        const bool good = client && gtp_client_ask(client, "name", 60, NULL, answer, &error) == GTP_GOOD;
        assert_int_equal(good, call == STANDARD_ERROR);
        if (!good)
            assert_says(&error, call <= OUR_ENDS ? "cannot make a pipe: Too many" : "126 (cannot start it)");
        gtp_client_end(client, 0);
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    binary = argv[1];
    sources = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engine_plays_like_the_search),
        cmocka_unit_test(engine_follows_a_swap),
        cmocka_unit_test(engine_follows_the_variant),
        cmocka_unit_test(engines_say_true_in_capitals),
        cmocka_unit_test_teardown(failures_lose_the_game_and_leave_nothing, drop_files),
        cmocka_unit_test_teardown(descriptions_start_no_programs, drop_files),
        cmocka_unit_test_teardown(patience_ends_the_wait_for_a_move, drop_files),
        cmocka_unit_test_teardown(engine_is_started_again, drop_files),
        cmocka_unit_test_teardown(illegal_turn_is_no_breakdown, drop_files),
        cmocka_unit_test(second_answers_are_found),
        cmocka_unit_test(late_answers_are_found),
        cmocka_unit_test_teardown(engine_that_never_works_ends_the_run, drop_files),
        cmocka_unit_test(engine_that_does_not_quit_is_ended),
        cmocka_unit_test(new_process_runs_no_handler),
        cmocka_unit_test(new_process_ends_with_the_program),
        cmocka_unit_test(waiting_can_be_given_up),
        cmocka_unit_test_teardown(engines_that_do_not_start_are_refused, drop_files),
        cmocka_unit_test(engines_end_while_they_start),
        cmocka_unit_test(engines_never_get_our_descriptors),
        cmocka_unit_test(engines_start_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
