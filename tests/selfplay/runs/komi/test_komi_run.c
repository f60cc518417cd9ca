/* Fair-komi runs: the same games whatever interrupts them and however many are played at a time; files that do not
 * belong together are refused; the document says what the records say. */
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/komi/guess.h"
#include "selfplay/runs/komi/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static KomiConfig small_config(void) {
    KomiConfig config = komi_config_default(3);
    config.ladder[0] = 4;
    config.ladder[1] = 12;
    config.rungs = 2;
    make_small(&config.run, 50, &config.player);
    return config;
}

static Run *open_komi(const KomiConfig *config) {
    return open_run(&komi_kind, &config->run, records_path);
}

static void play(const KomiConfig *config, int *played) {
    assert_int_equal(play_run(&komi_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}

/* ---- The same games ---- */

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    expect_same_records(&komi_kind, &config.run, records_path, 100, 30, 60);
}

static void rungs_can_be_added(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.run.games = 90;
    play(&config, NULL);
    char *whole = read_text(records_path);
    drop_files(NULL);
    config.run.games = 25;
    config.rungs = 1;
    int played;
    play(&config, &played);
    assert_int_equal(played, 25);
    config.rungs = 2;
    config.run.games = 90;
    play(&config, &played);
    assert_int_equal(played, 155);
    char *pieces = read_text(records_path);
    assert_string_equal(whole, pieces);
    free(whole);
    free(pieces);
}

/* A network has no chance in it, so the run lets its player draw moves, unless the description says otherwise. */
static void networks_do_not_repeat_their_games(void **unused) {
    (void)unused;
    Error error;
    KomiConfig config = komi_config_default(3), same;
    assert_true(run_config_check(&config.run, &error));
    assert_true(player_has_network(&config.player) && config.player.draw > 0);
    same = komi_config_default(3);
    same.player.draw = 0;
    assert_true(run_config_check(&same.run, &error));
    assert_int_equal(same.player.draw, 0);
    same = small_config();
    assert_true(run_config_check(&same.run, &error));
    assert_true(!player_has_network(&same.player) && same.player.draw <= 0);
}

static void narrow_interval_ends_a_rung(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.run.games = 100000;
    config.until_width = 3;
    int played;
    play(&config, &played);
    assert_in_range(played, 40, 2000);
    Error error;
    Run *run = open_komi(&config);
    for (int rung = 0; rung < 2; rung++) {
        FairKomi fair;
        assert_true(komi_estimate(run, rung, &fair, &error));
        assert_true(fair.combined_ci95.high - fair.combined_ci95.low < 3);
        assert_int_equal(run->groups[rung].played, run->groups[rung].planned);
    }
    run_free(run);
}

/* Where the time ends first, each rung has had a share of it. */
static void time_is_shared_out(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.run.games = 100000;
    config.run.seconds = 0.5;
    Run *run = open_komi(&config);
    assert_int_equal(play_open_run(run, 2, 0, NULL), RUN_TIME_UP);
    for (int rung = 0; rung < 2; rung++)
        assert_in_range(run->groups[rung].played, 1, 99999);
    run_free(run);
}

/* ---- Forced first moves ---- */

static KomiConfig first_moves_config(void) {
    KomiConfig config = komi_config_default(2);
    config.first_moves = true;
    config.ladder[0] = 2;
    make_small(&config.run, 30, &config.player);
    return config;
}

/* Neighbouring komi of one parity are two apart: then no more can be known. */
static void neighbours_of_one_parity_end_a_rung(void **unused) {
    (void)unused;
    KomiConfig config = first_moves_config();
    config.parity = PARITY_EVEN;
    config.ladder[0] = 40;
    config.run.games = 1000;
    config.until_width = 1;
    int played;
    play(&config, &played);
    assert_in_range(played, 20, 999);
    Error error;
    FairKomi fair;
    Run *run = open_komi(&config);
    assert_true(komi_estimate(run, 0, &fair, &error) && fair.pair_known);
    assert_int_equal(fair.white_wins_from - fair.black_wins_up_to, 2);
    run_free(run);
}

static void forced_games_stay_the_same(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    expect_same_records(&komi_kind, &config.run, records_path, 30, 20, 20);
}

/* hexhex-2 has the centre and the edge, and at odd komi the button. */
static void each_first_move_is_played(void **unused) {
    (void)unused;
    static const char *const names[] = {"a1", "b2", "take-button"};
    KomiConfig config = first_moves_config();
    config.run.first_round = 5; /* not enough for them all: the round gets larger */
    Error error;
    play(&config, NULL);
    Run *run = open_komi(&config);
    KomiArms arms;
    assert_true(komi_sum_up(run, 0, &arms, &error));
    assert_int_equal(arms.count, 3);
    double games = 0;
    for (int a = 0; a < arms.count; a++) {
        char name[GAME_TEXT_MAX];
        bool known = false;
        double own = 0;
        komi_format_beginning(run, a, name);
        cJSON *images = komi_beginning_images(run, a);
        for (int i = 0; i < 3; i++)
            for (const cJSON *image = images->child; image; image = image->next)
                known |= !strcmp(image->valuestring, names[i]);
        assert_true(known);
        assert_int_equal(cJSON_GetArraySize(images), !strcmp(name, "b2") || !strcmp(name, "take-button") ? 1 : 6);
        cJSON_Delete(images);
        assert_true(arms.arms[a].legal[1] && arms.arms[a].legal[0] == (strcmp(name, "take-button") != 0));
        for (int i = 0; i < arms.arms[a].count; i++) {
            own += arms.data[a][i].games;
            assert_true(komi_has_button(arms.data[a][i].komi) || arms.arms[a].legal[0]);
        }
        assert_true(own >= ARMS_FIRST_GAMES);
        assert_true(arms.arms[a].guess == komi_guess_of(run, a));
        games += own;
    }
    assert_true(games == 30);
    komi_arms_free(&arms);
    run_free(run);
}

/* With forced first moves a rung says what the board is worth, which is not what its best first move is worth alone. */
static void a_rung_says_what_its_games_say(void **unused) {
    (void)unused;
    KomiConfig config = first_moves_config();
    Error error;
    RungValue value;
    ArmsEstimate arms;
    play(&config, NULL);
    config.ladder[1] = 8;
    config.rungs = 2;
    Run *run = open_komi(&config);
    assert_true(komi_rung_value(run, 0, &value, &arms, &error));
    assert_true(value.effort == 2 && value.games == 30);
    char name[GAME_TEXT_MAX];
    komi_format_beginning(run, value.best, name);
    assert_string_equal(name, "b2");
    assert_true(value.best == arms.best && value.fair.combined == arms.board.combined);
    assert_true(value.fair.combined != arms.arms[arms.best].fair.combined);
    arms_free(&arms);
    assert_true(komi_rung_value(run, 1, &value, &arms, &error));
    assert_true(value.effort == 8 && value.games == 0);
    arms_free(&arms);
    run_free(run);
}

static void the_best_first_moves_come_first(void **unused) {
    (void)unused;
    ArmEstimate arms[] = {{.share = 0.2, .fair.combined = 1},
                          {.share = 0, .fair.combined = 3},
                          {.share = 0.6, .fair.combined = 0},
                          {.share = 0, .fair.combined = 4},
                          {.share = 0.2, .fair.combined = 2}};
    static const int expected[] = {2, 4, 0, 3, 1};
    const ArmsEstimate estimate = {.count = 5, .arms = arms};
    int order[5];
    komi_order_arms(&estimate, order);
    assert_memory_equal(order, expected, sizeof order);
}

/* Where only even komi is played, taking the button is no first move. */
static void no_button_at_even_komi(void **unused) {
    (void)unused;
    KomiConfig config = first_moves_config();
    config.run.games = 8;
    config.komi_range[0] = config.komi_range[1] = 4;
    play(&config, NULL);
    Run *run = open_komi(&config);
    assert_int_equal(komi_beginnings(run)->count, 2);
    run_free(run);
}

/* An image of the class that was planned is expected, and the setting is part of the run's identity. */
static void other_first_moves_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    KomiConfig free_play = config;
    play(&config, NULL);
    free_play.first_moves = false;
    expect_run_refused(&komi_kind, &free_play.run, records_path, "another run");
    char *text = read_text(records_path);
    drop_checksums(text);
    char *moves = strstr(text, "\"opening\":");
    assert_non_null(moves);
    memcpy(moves, "\"opening\":0", 11);
    write_text(records_path, text);
    expect_run_refused(&komi_kind, &config.run, records_path, "does not begin as planned");
    free(text);
}

/* The side with the upgrade has four times the simulations, which makes other games, and another run. */
static void upgrades_are_one_sided(void **unused) {
    (void)unused;
    static const uint64_t simulations[][2] = {{2, 2}, {8, 2}, {2, 8}};
    char *games[3];
    for (KomiUpgrade upgrade = UPGRADE_NONE; upgrade <= UPGRADE_WHITE; upgrade++) {
        KomiConfig config = first_moves_config();
        config.upgrade = upgrade;
        for (Side side = BLACK; side <= WHITE; side++)
            assert_int_equal(komi_config_side(&config, 0, side).simulations, simulations[upgrade][side]);
        play(&config, NULL);
        games[upgrade] = read_text(records_path);
        drop_checksums(games[upgrade]);
        config.upgrade = upgrade == UPGRADE_NONE ? UPGRADE_WHITE : UPGRADE_NONE;
        expect_run_refused(&komi_kind, &config.run, records_path, "another run");
        drop_files(NULL);
    }
    for (int i = 0; i < 3; i++)
        assert_string_not_equal(strstr(games[i], "\"moves\""), strstr(games[(i + 1) % 3], "\"moves\""));
    for (int i = 0; i < 3; i++)
        free(games[i]);
}

/* A game begins with an image of its first move, at its komi: all first moves of the board are met, and each leads back
 * to the plan. With an upgrade the stronger side has four times the simulations, and nobody plays itself. */
static void games_start_as_planned(void **unused) {
    (void)unused;
    for (KomiUpgrade upgrade = UPGRADE_NONE; upgrade <= UPGRADE_WHITE; upgrade++) {
        KomiConfig config = komi_config_default(4);
        config.first_moves = true;
        config.upgrade = upgrade;
        config.ladder[0] = 2;
        make_small(&config.run, 120, &config.player);
        config.run.first_round = 120;
        play(&config, NULL);
        Run *run = open_komi(&config);
        int64_t first_moves = 0; /* as bits */
        int count = 0;
        for (int i = 0; i < run->groups[0].planned; i++) {
            RunStart start = {.plays_itself = false};
            const GameId id = {.group = 0, .number = i};
            run->kind->by_results->start(run, id, &start);
            assert_int_equal(start.opening.count, 1);
            assert_int_equal(komi_plan_of(run, start.opening.komi, start.opening.actions, 1), run_place(run, id)->plan);
            assert_int_equal(start.players[BLACK].simulations, upgrade == UPGRADE_BLACK ? 8 : 2);
            assert_int_equal(start.players[WHITE].simulations, upgrade == UPGRADE_WHITE ? 8 : 2);
            assert_int_equal(start.plays_itself, upgrade == UPGRADE_NONE);
            first_moves |= (int64_t)1 << start.opening.actions[0] % 64;
        }
        for (; first_moves; first_moves &= first_moves - 1)
            count++;
        assert_in_range(count, 25, 38); /* of 37 cells and the button; without turns they would be eight */
        run_free(run);
        drop_files(NULL);
    }
}

/* ---- What does not belong together ---- */

static void expect_refused(const KomiConfig *config, const char *word) {
    expect_run_refused(&komi_kind, &config->run, records_path, word);
}

static void foreign_records_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    KomiConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.player.params.rave_equivalence = 20;
    expect_refused(&other, "another run");
    other = config;
    other.run.size = 4;
    other.komi_range[0] = -37;
    other.komi_range[1] = 37;
    expect_refused(&other, "hexhex-4");
    other = config;
    strcpy(other.run.game, "chess");
    expect_refused(&other, "chess");

    char *text = read_text(records_path);
    drop_checksums(text);
    char *second = strchr(text, '\n') + 1; /* without the first line the second round has no first one */
    write_text(records_path, second);
    expect_refused(&config, "not complete");
    memcpy(strstr(text, "\"id\":\"12-0\"") + 6, "12-1", 4); /* a number that another game has */
    write_text(records_path, text);
    expect_refused(&config, "expected");
    free(text);
    write_text(records_path, "{}\n");
    expect_refused(&config, "line 1");
    write_text(records_path, "not a record\n");
    expect_refused(&config, "line 1");
}

/* Writes the records with the first `from` replaced by `to`, which has the same length. Expects that they are refused:
 * with their checksums, and as version 1. */
static void expect_found(const KomiConfig *config, const char *records, const char *from, const char *to,
                         const char *word) {
    for (int version = 2; version > 0; version--) {
        char *text = strdup(records);
        memcpy(strstr(text, from), to, strlen(to));
        if (version == 1)
            drop_checksums(text);
        write_text(records_path, text);
        expect_refused(config, version == 2 ? "was changed" : word);
        free(text);
    }
}

static void changed_records_are_found(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    char *text = read_text(records_path);
    expect_found(&config, text, "\"seed\":\"", "\"seed\":\"0", "has the seed");
    expect_found(&config, text, "\"black\":\"default", "\"black\":\"somebdy", "Black is 'somebdy', expected 'default'");
    expect_found(&config, text, "\"white\":\"default", "\"white\":\"DEFAULT", "White is 'DEFAULT', expected 'default'");
    expect_found(&config, text, "\"id\":\"4-0\"", "\"id\":\"x-0\"", "'x-0' is not a game of this run");
    expect_found(&config, text, "\"moves\":[\"", "\"moves\":[\"z9", "move 1");
    expect_found(&config, text, "\"winner\":\"B", "\"winner\":\"W", "does not follow from its moves");
    expect_found(&config, text, "\"margin\":", "\"margin\":9", "does not follow from its moves");
    free(text);
}

/* An id must be a group and a number, and is shown as it is. */
static void wrong_ids_are_named(void **unused) {
    (void)unused;
    static const char *const ids[][2] = {{"\"4_0\"", "'4_0' is not a game of this run"},
                                         {"\"4-x\"", "'4-x' is not a game of this run"},
                                         {"\"4-/\"", "'4-/' is not a game of this run"},
                                         {"   40", "'id' is wrong or missing"}};
    const KomiConfig config = small_config();
    play(&config, NULL);
    char *records = read_text(records_path);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char *text = strdup(records);
        drop_checksums(text);
        memcpy(strstr(text, "\"4-0\""), ids[i][0], 5);
        write_text(records_path, text);
        expect_refused(&config, ids[i][1]);
        free(text);
    }
    drop_checksums(records);
    memcpy(strstr(records, "\"12-0\""), "\"4-00\"", 6); /* no second name of game 4-0 */
    write_text(records_path, records);
    expect_refused(&config, "'4-00' is not a game of this run");
    free(records);
}

/* Packed records are unpacked where there are no others, or only what a power loss has left of the first one. A damaged
 * packed file is named, and so is one that lacks its end. */
static void packed_records_go_on(void **unused) {
    (void)unused;
    char packed[FIXTURE_PATH_MAX];
    const KomiConfig config = small_config();
    Error error;
    int played;
    play(&config, NULL);
    char *records = read_text(records_path);
    in_folder(packed, "run.records.jsonl.zst");
    assert_true(zstd_file_write(packed, records, strlen(records), &error));
    static const char *const found[] = {"", "{\"id\":\"4-0", "{\"id\""};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        write_text(records_path, found[i]);
        play(&config, &played);
        assert_int_equal(played, 0);
        char *text = read_text(records_path);
        assert_string_equal(text, records);
        free(text);
    }
    write_text(records_path, "");
    assert_true(zstd_file_write(packed, records, strlen(records) - 1, &error));
    expect_refused(&config, "run.records.jsonl.zst: its last line has no end");
    write_text(packed, "not packed");
    expect_refused(&config, "run.records.jsonl.zst");
    unlink(packed);
    free(records);
}

/* Games of a rung that this session does not ask for stay, and are counted. */
static void other_rungs_are_kept(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    play(&config, NULL);
    config.rungs = 1;
    Run *run = open_komi(&config);
    assert_int_equal(run->records.kept, 50);
    assert_int_equal(strncmp(run->records.kept_id, "12-", 3), 0);
    run_free(run);
}

static void kept_name(int i, char out[FIXTURE_PATH_MAX]) {
    char name[32];
    snprintf(name, sizeof name, i ? "run.json.damaged-%d" : "run.json.damaged", i + 1);
    in_folder(out, name);
}

/* A document whose games are gone is not made anew without them. */
static void games_must_be_there(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    DocumentContext context = document_context();
    Error error;
    play(&config, NULL);
    Run *run = make_run(&komi_kind, &config.run, (ShardSpec){0, 0});
    assert_true(lock_and_open(run, records_path, &error) && run_write(run, &context, result_path, &error));
    run_free(run);
    assert_int_equal(unlink(records_path), 0);
    run = make_run(&komi_kind, &config.run, (ShardSpec){0, 0});
    assert_named(run_resume(run, result_path, &context, &error), &error, "run.records.jsonl: is missing or empty, but");
    assert_int_equal(access(records_path, F_OK), -1);
    write_text(records_path, "");
    assert_true(run_resume(run, result_path, &context, &error) && lock_and_open(run, records_path, &error));
    assert_named(run_set_aside(run, result_path, &error), &error, "run.records.jsonl: is missing or empty, but");
    run_free(run);
    assert_int_equal(unlink(result_path), 0);
}

/* Without games, a damaged document is an error. With them it is set aside, and made again. */
static void damaged_documents_are_set_aside(void **unused) {
    (void)unused;
    static const char *const damaged[] = {"", "{\"schema\"", "\n\n\n", "{}",
                                          "{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 1}}"};
    static const char *const words[] = {"is empty", "is not valid JSON", "line", "is not a result of",
                                        "'settings', 'started' or 'seconds' is missing"};
    enum { DAMAGED = sizeof words / sizeof words[0] };
    const KomiConfig config = small_config();
    DocumentContext context = document_context();
    Error error;
    char aside[FIXTURE_PATH_MAX];
    for (int i = -1; i < DAMAGED; i++) {
        if (i == 0)
            play(&config, NULL);
        write_text(result_path, damaged[i < 0 ? 0 : i]);
        Run *run = make_run(&komi_kind, &config.run, (ShardSpec){0, 0});
        assert_true(run_resume(run, result_path, &context, &error) && lock_and_open(run, records_path, &error));
        assert_non_null(strstr(run->damage.text, words[i < 0 ? 0 : i]));
        if (i < 0) {
            assert_named(run_set_aside(run, result_path, &error), &error, "is empty");
        } else {
            assert_true(run_set_aside(run, result_path, &error));
            kept_name(i, aside);
            assert_non_null(strstr(run->damage.text, aside));
            assert_true(run_write(run, &context, result_path, &error));
            char *text = read_text(aside);
            assert_string_equal(text, damaged[i]);
            free(text);
        }
        run_free(run);
    }
    for (int i = 0; i < DAMAGED; i++) {
        kept_name(i, aside);
        unlink(aside);
    }
}

static void doubled_records_count_once(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    char *text = read_text(records_path);
    const size_t first = (size_t)(strchr(text, '\n') - text) + 1;
    char *doubled = malloc(strlen(text) + first + 1);
    strcpy(doubled, text);
    strncat(doubled, text, first);
    write_text(records_path, doubled);
    Error error;
    Run *run = open_komi(&config);
    assert_int_equal(run->records.repeated, 1);
    assert_int_equal(run->groups[0].played, 50);
    assert_true(run_sort_records(run, &error));
    run_free(run);
    char *sorted = read_text(records_path);
    assert_string_equal(sorted, text);
    free(sorted);
    free(doubled);
    free(text);
}

/* Without checksums, a game under the id of another one does not count as a repetition of that. */
static void other_games_are_no_repetitions(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    char *text = read_text(records_path);
    drop_checksums(text);
    memcpy(strstr(text, "\"id\":\"4-1\""), "\"id\":\"4-0\"", 10);
    write_text(records_path, text);
    expect_refused(&config, "game 4-0 has the seed");
    free(text);
}

/* Power that was lost before a line was synced may leave its end without its beginning. */
static void damaged_last_line_is_played_again(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.rungs = 1;
    play(&config, NULL);
    char *text = read_text(records_path);
    char *last = text + strlen(text) - 1;
    while (last[-1] != '\n')
        last--;
    memset(last, '#', 30);
    write_text(records_path, text);
    free(text);
    int played;
    play(&config, &played);
    assert_int_equal(played, 1);
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    Error error;
    if (!file_write(path, bytes, length, &error))
        fail_msg("%s", error.text);
}

/* Power that was lost while the first record of a run was written leaves a beginning of it, with zeros for what was not
 * on the disk yet. */
static void first_line_may_be_torn(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.rungs = 1;
    config.run.games = 3;
    play(&config, NULL);
    char *whole = read_text(records_path);
    const size_t length = (size_t)(strchr(whole, '\n') - whole) + 1;
    static const struct {
        size_t zeros, end; /* the bytes that are zeros: from `zeros` to `end`, counted from the end of the line */
        bool cut;          /* nothing comes behind them */
    } cases[] = {{1000, 0, false},  {1000, 1, false}, {100, 1, false}, {100, 0, false}, {1000, 100, false},
                 {200, 100, false}, {1, 0, true},     {100, 0, true},  {1000, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *line = strdup(whole);
        const size_t begin = cases[i].zeros < length ? length - cases[i].zeros : 0;
        memset(line + begin, 0, length - cases[i].end - begin);
        write_bytes(records_path, line, cases[i].cut ? begin : length);
        free(line);
        Run *run = open_komi(&config);
        assert_true(run->records.torn == (begin > 0 || !cases[i].cut));
        assert_int_equal(play_open_run(run, 1, 0, NULL), RUN_DONE);
        run_free(run);
        char *text = read_text(records_path);
        assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
}

/* What is no run's file is not cut, whatever its last line is like. */
static void foreign_files_are_not_cut(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"my notes", 8},
                 {"my notes\n", 9},
                 {"my notes\nand more", 17},
                 {"my\0notes\n", 9},
                 {"{\"id\": no record\n", 18},
                 {"{\"id\":\"no record\n", 18},
                 {"\n", 1},
                 {"\0\0\0 \0\0\0\0\n", 9}};
    const KomiConfig config = small_config();
    Error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        write_bytes(records_path, cases[i].text, cases[i].length);
        expect_refused(&config, "run.records.jsonl: line 1");
        char *text = file_read(records_path, &length, &error);
        assert_int_equal(length, cases[i].length);
        assert_memory_equal(text, cases[i].text, length);
        free(text);
    }
}

static void second_process_is_locked_out(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    Run *run = open_komi(&config);
    const pid_t child = fork(); /* locks are between processes */
    if (child == 0) {
        Error refused = {.text = ""};
        const bool opened = lock_and_open(make_run(&komi_kind, &config.run, (ShardSpec){0, 0}), records_path, &refused);
        _exit(opened ? 1 : strstr(refused.text, "another process") ? 0 : 2);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    run_free(run);
}

/* ---- The document ---- */

static double number_at(const cJSON *json, const char *object, const char *key) {
    const cJSON *parent = object ? json_get(json, object) : json;
    const cJSON *item = json_get(parent, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void check_points(const cJSON *points, double games) {
    double sum = 0;
    for (const cJSON *point = points->child; point; point = point->next) {
        const double n = number_at(point, NULL, "games"), wins = number_at(point, NULL, "black_wins");
        const double lines = number_at(point, NULL, "distinct_games");
        assert_true(wins >= 0 && wins <= n && lines >= 1 && lines <= n);
        assert_true(number_at(point, NULL, "effective_games") == n); /* playouts are chance */
        assert_true(fabs(number_at(point, NULL, "duplicate_share") - (1 - lines / n)) < 1e-4);
        const double rate = number_at(point, NULL, "win_rate") - wins / n;
        assert_true(rate < 1e-4 && rate > -1e-4);
        const cJSON *button = json_get(point, "button");
        assert_int_equal(cJSON_IsTrue(button), (int)number_at(point, NULL, "komi") % 2 != 0);
        sum += n;
    }
    assert_true(sum == games);
}

static void document_is_complete(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    Run *run = open_komi(&config); /* from the records alone */
    cJSON *json = run_document(run);
    static const char *const keys[] = {"schema",    "program",        "game",           "size",    "player",
                                       "seed",      "games",          "started",        "seconds", "machine",
                                       "points",    "fair_komi",      "ladder",         "drift",   "duplicate_share",
                                       "by_chance", "distinct_games", "effective_games"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(json_get(json, keys[i]));
    assert_true(number_at(json, NULL, "games") == 50);
    check_points(json_get(json, "points"), 50);
    const cJSON *fair = json_get(json, "fair_komi");
    static const char *const curves[] = {"even", "odd_with_button", "combined"};
    for (int i = 0; i < 3; i++) {
        const cJSON *curve = json_get(fair, curves[i]);
        const cJSON *interval = json_get(curve, "ci95");
        const double estimate = number_at(curve, NULL, "estimate");
        assert_int_equal(cJSON_GetArraySize(interval), 2);
        assert_true(cJSON_GetArrayItem(interval, 0)->valuedouble <= estimate);
        assert_true(cJSON_GetArrayItem(interval, 1)->valuedouble >= estimate);
    }
    const cJSON *ladder = json_get(json, "ladder");
    assert_int_equal(cJSON_GetArraySize(ladder), 2);
    assert_true(number_at(cJSON_GetArrayItem(ladder, 1), NULL, "simulations") == 12);
    assert_true(run->groups[0].seed != run->groups[1].seed);
    assert_true(number_at(json, "player", "simulations") == 12);
    assert_true(number_at(json, "exact", "even") == 5 && number_at(json, "exact", "odd_with_button") == 4.5);
    cJSON_Delete(json);
    run_free(run);
}

/* A session that has extended the ladder downwards and in the middle, and was stopped at once, loses no rung that has
 * games, and shows none that has not. */
static void document_has_the_rungs_with_games(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    play(&config, NULL);
    memcpy(config.ladder, (const int64_t[]){2, 4, 8, 12, 20}, 5 * sizeof *config.ladder);
    config.rungs = 5;
    Run *run = open_komi(&config);
    cJSON *json = run_document(run);
    const cJSON *ladder = json_get(json, "ladder");
    assert_int_equal(cJSON_GetArraySize(ladder), 2);
    assert_true(number_at(cJSON_GetArrayItem(ladder, 0), NULL, "simulations") == 4);
    assert_true(number_at(cJSON_GetArrayItem(ladder, 1), NULL, "simulations") == 12);
    assert_true(number_at(json, "player", "simulations") == 12 && number_at(json, NULL, "games") == 50);
    assert_string_equal(cJSON_GetStringValue(json_get(json_get(json, "drift"), "from")), "4");
    assert_string_equal(cJSON_GetStringValue(json_get(json_get(json, "drift"), "to")), "12");
    assert_int_equal(cJSON_GetArraySize(json_get(json_get(json, "convergence"), "drifts")), 1);
    cJSON_Delete(json);
    run_free(run);
}

/* What the search guesses on hexhex-2, where only the centre wins. */
static void guesses_are_near_the_truth(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    Error error;
    Run *run = open_komi(&config);
    assert_true(komi_guess(run, &error));
    for (int i = 0; i < komi_beginnings(run)->count; i++) {
        char name[GAME_TEXT_MAX];
        komi_format_beginning(run, i, name);
        const double guess = komi_guess_of(run, i);
        if (!strcmp(name, "b2"))
            assert_true(guess >= 6 && guess < 8); /* it is worth 7 */
        else
            assert_true(guess < 0);
    }
    run_free(run);
}

/* A run that is stopped while it guesses keeps no part of the guesses. */
static void guesses_are_stopped(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    Error error;
    StopFlag stop = {0};
    Run *run = open_komi(&config);
    run->stop = &stop;
    stop_flag_set(&stop);
    assert_false(komi_guess(run, &error));
    assert_non_null(strstr(error.text, "stopped"));
    assert_null(((const KomiState *)run->state)->guesses);
    stop_flag_clear(&stop);
    assert_true(komi_guess(run, &error));
    run_free(run);
}

static void expect_resumed(const KomiConfig *config, bool guessed) {
    DocumentContext context = document_context();
    Error error = {.text = ""};
    Run *run = make_run(&komi_kind, &config->run, (ShardSpec){0, 0});
    if (!run_resume(run, result_path, &context, &error))
        fail_msg("%s", error.text);
    const KomiState *state = run->state;
    assert_true((state->guesses != NULL) == guessed && state->guessed == guessed);
    Run *fresh = make_run(&komi_kind, &config->run, (ShardSpec){0, 0});
    assert_true(komi_guess(fresh, &error));
    for (int i = 0; guessed && i < komi_beginnings(run)->count; i++)
        assert_true(komi_guess_of(run, i) == komi_guess_of(fresh, i));
    run_free(fresh);
    run_free(run);
}

/* A run that goes on does not guess again: the guesses are in its document, unless another player made them. */
static void guesses_are_made_once(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    const DocumentContext context = document_context();
    Error error;
    Run *run = open_komi(&config);
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    char *good = read_text(result_path);
    expect_resumed(&config, true);
    for (int i = 0; i < 3; i++) {
        cJSON *document = cJSON_Parse(good), *first = json_get(document, "first_moves")->child;
        if (i == 0)
            cJSON_DeleteItemFromObjectCaseSensitive(first, "guess");
        else if (i == 1)
            cJSON_ReplaceItemInObjectCaseSensitive(first, "move", cJSON_CreateString("no move"));
        else
            cJSON_AddObjectToObject(document, "guesses_by");
        char *text = cJSON_Print(document);
        write_text(result_path, text);
        expect_resumed(&config, false);
        free(text);
        cJSON_Delete(document);
    }
    free(good);
}

/* A range with one even komi, or one odd komi, cannot tell all first moves apart: none is guessed then. */
static void few_komi_are_no_guess(void **unused) {
    (void)unused;
    static const int64_t ranges[][2] = {{5, 7}, {4, 6}};
    for (int i = 0; i < 2; i++) {
        KomiConfig config = first_moves_config();
        memcpy(config.komi_range, ranges[i], sizeof config.komi_range);
        Error error;
        Run *run = open_komi(&config);
        assert_true(komi_guess(run, &error));
        for (int move = 0; move < komi_beginnings(run)->count; move++)
            assert_true(komi_guess_of(run, move) == 0);
        run_free(run);
        drop_files(NULL);
    }
}

/* The points of the board are those of its curves: at each parity of the first move that is most probably the best. */
static void check_board_points(const cJSON *json) {
    const cJSON *const points = json_get(json, "points");
    int known = 0;
    for (int odd = 0; odd < 2; odd++) {
        const cJSON *best = NULL;
        double most = -1;
        for (const cJSON *move = json_get(json, "first_moves")->child; move; move = move->next) {
            const cJSON *curve = json_get(move, odd ? "odd_with_button" : "even");
            if (!cJSON_IsNull(curve) && number_at(curve, NULL, "probability") > most) {
                most = number_at(curve, NULL, "probability");
                best = move;
            }
        }
        const cJSON *own = points->child;
        for (const cJSON *point = json_get(best, "points")->child; point; point = point->next) {
            if (cJSON_IsTrue(json_get(point, "button")) != odd)
                continue;
            while (own && cJSON_IsTrue(json_get(own, "button")) != odd)
                own = own->next;
            assert_true(own && cJSON_Compare(own, point, true));
            own = own->next;
            known++;
        }
    }
    assert_int_equal(known, cJSON_GetArraySize(points));
    for (const cJSON *point = points->child; point && point->next; point = point->next)
        assert_true(number_at(point, NULL, "komi") < number_at(point->next, NULL, "komi"));
}

static void document_has_the_first_moves(void **unused) {
    (void)unused;
    const KomiConfig config = first_moves_config();
    Error error;
    play(&config, NULL);
    Run *run = open_komi(&config);
    ArmsEstimate estimate;
    RungValue value;
    cJSON *json = run_document(run);
    assert_true(json && komi_rung_value(run, 0, &value, &estimate, &error));
    const cJSON *moves = json_get(json, "first_moves");
    double games = 0, probability = 0, last = 1, by_parity[2] = {0};
    assert_int_equal(cJSON_GetArraySize(moves), 3);
    for (const cJSON *move = moves->child; move; move = move->next) {
        const double own = number_at(move, NULL, "probability");
        check_points(json_get(move, "points"), number_at(move, NULL, "games"));
        assert_true(own <= last);
        assert_true(fabs(number_at(move, NULL, "guess")) <= 19);
        int beginning = 0;
        for (char name[GAME_TEXT_MAX] = ""; strcmp(name, json_get(move, "move")->valuestring) != 0; beginning++)
            komi_format_beginning(run, beginning, name);
        const ArmEstimate *arm = &estimate.arms[beginning - 1];
        for (int odd = 0; odd < 2; odd++) {
            const cJSON *curve = json_get(move, odd ? "odd_with_button" : "even");
            assert_int_equal(cJSON_IsNull(curve), !komi_beginning_legal(run, beginning - 1, odd));
            if (cJSON_IsNull(curve))
                continue;
            const CurveEstimate *known = odd ? &arm->fair.odd : &arm->fair.even;
            assert_true(fabs(number_at(curve, NULL, "estimate") - known->estimate) < 1e-4);
            assert_true(fabs(number_at(curve, NULL, "probability") - arm->probability[odd]) < 1e-4);
            by_parity[odd] += number_at(curve, NULL, "games");
        }
        games += number_at(move, NULL, "games");
        probability += last = own;
    }
    assert_true(games == 30 && number_at(json, NULL, "games") == 30 && fabs(probability - 1) < 1e-3);
    check_board_points(json);
    assert_true(by_parity[0] + by_parity[1] == 30);
    assert_true(number_at(json_get(json, "fair_komi"), "even", "games") == by_parity[0]);
    assert_true(number_at(json_get(json, "fair_komi"), "odd_with_button", "games") == by_parity[1]);
    const cJSON *combined = json_get(json_get(json, "fair_komi"), "combined");
    assert_true(fabs(number_at(combined, NULL, "estimate") - estimate.board.combined) < 1e-4);
    assert_true(fabs(number_at(moves->child, NULL, "fair_komi") - estimate.arms[estimate.best].fair.combined) < 1e-4);
    arms_free(&estimate);
    cJSON_Delete(json);
    run_free(run);
}

static void margins_lose_komi_and_button(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.rungs = 1;
    play(&config, NULL);
    Error error;
    Run *run = open_komi(&config);
    KomiPoint *points;
    const int count = komi_points(run, 0, 0, &points, &error);
    assert_true(count > 1);
    for (int i = 0; i < count; i++) {
        const KomiPoint *point = &points[i];
        const double games = point->data.games; /* the button is half a point a game at most, komi the rest */
        const double difference = point->data.board_margin_sum - point->margin_sum - games * point->data.komi;
        const double limit = point->data.komi % 2 ? 0.5 * games : 0;
        assert_true(difference <= limit && difference >= -limit);
    }
    free(points);
    run_free(run);
}

/* ---- The document from the records ---- */

enum { KOMI_MAX = 19, GAMES_MAX = 64 }; /* of hexhex-3, of a rung */

/* What the record file says of the games at one komi. */
typedef struct Tally {
    KomiData data;
    double margins, margin_squares, plies; /* margins with komi and button */
    uint64_t lines[GAMES_MAX];
    int line_count;
} Tally;

static void tally_game(Tally *tally, const GameRecord *record, const Game *game) {
    const uint64_t line = record_canonical_hash(record, game);
    const double button = record->komi % 2 == 0 ? 0 : record->result.half_points & 2 ? -0.5 : 0.5;
    const double cells = record->result.half_points / 2.0 + record->komi - button;
    int same = 0;
    while (same < tally->line_count && tally->lines[same] != line)
        same++;
    tally->lines[same] = line;
    tally->line_count += same == tally->line_count;
    tally->margins += record->result.half_points / 2.0;
    tally->margin_squares += record->result.half_points / 2.0 * (record->result.half_points / 2.0);
    tally->plies += record->count;
    tally->data.games++;
    tally->data.black_wins += record->result.winner == BLACK;
    tally->data.margin_games++;
    tally->data.board_margin_sum += cells;
    tally->data.board_margin_squares += cells * cells;
}

/* Reads the games of a rung from the record file. */
static void tally_records(const char *rung, Tally tally[2 * KOMI_MAX + 1]) {
    Error error;
    const GameOptions options = {.name = "stigmergy", .size = 3};
    Game *game = game_new(&options, &error);
    GameRecord record = {0};
    char *text = read_text(records_path);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        record_clear(&record);
        assert_true(record_from_line(line, (size_t)(end - line), "record", game, &record, &error));
        if (!strncmp(record.id, rung, strlen(rung)))
            tally_game(&tally[record.komi + KOMI_MAX], &record, game);
    }
    record_free(&record);
    free(text);
    game_free(game);
}

static void expect_number(const cJSON *json, const char *object, const char *key, double expected) {
    if (fabs(number_at(json, object, key) - expected) > 1e-4)
        fail_msg("%s %s: %g, expected %g", object ? object : "", key, number_at(json, object, key), expected);
}

static void expect_interval(const cJSON *json, const char *key, Interval expected) {
    const cJSON *interval = json_get(json, key);
    assert_true(fabs(cJSON_GetArrayItem(interval, 0)->valuedouble - expected.low) < 1e-4);
    assert_true(fabs(cJSON_GetArrayItem(interval, 1)->valuedouble - expected.high) < 1e-4);
}

static void expect_curve(const cJSON *fair, const char *name, const CurveEstimate *curve) {
    const cJSON *json = json_get(fair, name);
    const cJSON *model = json_get(fair, "model");
    expect_number(json, NULL, "estimate", curve->estimate);
    expect_interval(json, "ci95", curve->ci95);
    expect_number(json, NULL, "games", curve->games);
    expect_number(model, name, "slope", 1 / curve->shape.scale);
    expect_number(model, name, "lapse_low", curve->shape.lapse_low);
    expect_number(model, name, "lapse_high", curve->shape.lapse_high);
    expect_number(json_get(model, name), "fit", "p", curve->fit.p);
    expect_number(json_get(fair, "checks"), name, "firth", curve->firth);
    expect_number(json_get(fair, "checks"), name, "isotonic", curve->isotonic);
    assert_int_equal(cJSON_IsTrue(json_get(json_get(json_get(fair, "checks"), name), "isotonic_defined")),
                     curve->isotonic_defined);
}

static void expect_point(const cJSON *point, const Tally *tally) {
    expect_number(point, NULL, "games", tally->data.games);
    expect_number(point, NULL, "black_wins", tally->data.black_wins);
    expect_number(point, NULL, "distinct_games", tally->line_count);
    const double n = tally->data.games, mean = tally->margins / n;
    expect_number(point, NULL, "mean_margin", mean);
    expect_number(point, NULL, "sd_margin",
                  n > 1 ? sqrt(fmax(0, tally->margin_squares - n * mean * mean) / (n - 1)) : 0);
    expect_number(point, NULL, "mean_plies", tally->plies / n);
    expect_interval(point, "ci95", wilson_interval(tally->data.black_wins, n));
}

static void expect_probabilities(const cJSON *fair_json, const FairKomi *fair) {
    const cJSON *array = json_get(fair_json, "komi_probabilities");
    assert_int_equal(cJSON_GetArraySize(array), fair->probability_count);
    for (int i = 0; i < fair->probability_count; i++) {
        expect_number(cJSON_GetArrayItem(array, i), NULL, "komi", fair->probabilities[i].komi);
        expect_number(cJSON_GetArrayItem(array, i), NULL, "probability", fair->probabilities[i].probability);
    }
}

/* Nothing but the record file is needed to make the numbers of the document again. */
static void records_make_the_document(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    Error error;
    Run *run = open_komi(&config);
    cJSON *json = run_document(run);
    run_free(run);
    Tally *tally = calloc(2 * KOMI_MAX + 1, sizeof *tally);
    KomiData data[2 * KOMI_MAX + 1];
    int count = 0;
    tally_records("12-", tally);
    const cJSON *point = json_get(json, "points")->child;
    for (int komi = -KOMI_MAX; komi <= KOMI_MAX; komi++) {
        tally[komi + KOMI_MAX].data.komi = komi;
        data[count++] = tally[komi + KOMI_MAX].data;
        if (tally[komi + KOMI_MAX].line_count == 0)
            continue;
        assert_true(number_at(point, NULL, "komi") == komi);
        expect_point(point, &tally[komi + KOMI_MAX]);
        point = point->next;
    }
    assert_null(point);
    FairKomi fair;
    const EstimateConfig estimate = estimate_config(3);
    assert_true(estimate_fair_komi(data, count, &estimate, &fair, &error));
    const cJSON *fair_json = json_get(json, "fair_komi");
    expect_curve(fair_json, "even", &fair.even);
    expect_curve(fair_json, "odd_with_button", &fair.odd);
    expect_number(fair_json, "combined", "estimate", fair.combined);
    assert_true(cJSON_HasObjectItem(fair_json, "gap") != (fair.even.bracket_used || fair.odd.bracket_used));
    double gap;
    Interval gap_ci95;
    if (fair_komi_gap(&fair, &gap, &gap_ci95)) {
        expect_number(fair_json, "gap", "estimate", gap);
        expect_interval(json_get(fair_json, "gap"), "ci95", gap_ci95);
    }
    expect_interval(json_get(fair_json, "combined"), "by_model_ci95", fair.by_model_ci95);
    expect_interval(fair_json, "win_rate_ci95", fair.win_rate_ci95);
    expect_number(fair_json, "model", "slope", 1 / sqrt(fair.even.shape.scale * fair.odd.shape.scale));
    expect_number(fair_json, "model", "lapse",
                  (fair.even.shape.lapse_low + fair.even.shape.lapse_high + fair.odd.shape.lapse_low +
                   fair.odd.shape.lapse_high) /
                      2);
    expect_number(fair_json, "checks", "margin_standard_error", fair.margin_error);
    expect_number(fair_json, NULL, "recommended", fair.recommended);
    expect_number(fair_json, NULL, "win_rate_at_recommended", fair.win_rate);
    expect_probabilities(fair_json, &fair);
    free(tally);
    cJSON_Delete(json);
}

/* ---- Players without chance ---- */

/* A network that does not draw its moves plays one game at each komi. Its intervals come from that many games. */
static void equal_games_without_chance_are_one(void **unused) {
    (void)unused;
    KomiConfig config = komi_config_default(2);
    config.ladder[0] = 30; /* with few simulations a curve may not fit: then they count as still fewer games */
    config.run.games = 60;
    config.player.draw = 0;
    config.player.memory_mb = 1;
    assert_int_equal(play_run(&komi_kind, &config.run, records_path, 1, 0, NULL), RUN_DONE);
    Error error;
    Run *run = open_komi(&config);
    assert_false(player_plays_by_chance(&komi_config(run)->player));
    KomiPoint *points;
    FairKomi fair;
    const int count = komi_points(run, 0, 0, &points, &error);
    double games = 0;
    for (int i = 0; i < count; i++) {
        assert_int_equal(points[i].lines, 1);
        assert_true(points[i].data.design_effect == points[i].data.games);
        games += points[i].data.games;
    }
    assert_true(games == 60);
    assert_true(komi_estimate(run, 0, &fair, &error));
    assert_true(fair.even.games + fair.odd.games == 60);
    assert_true(fabs(fair.even.effective_games + fair.odd.effective_games - count) < 1e-9);
    KomiCounts counts = {0};
    assert_true(count > 1 && komi_count_games(run, 0, 0, &counts, &error));
    assert_true(counts.games == 60 && counts.lines == count && fabs(counts.effective - count) < 1e-9);
    RungValue value;
    ArmsEstimate arms;
    assert_true(komi_rung_value(run, 0, &value, &arms, &error));
    assert_int_equal(value.best, -1); /* the players chose it */
    free(points);
    run_free(run);
}

static bool resume(const KomiConfig *config, DocumentContext *context, Error *error) {
    return resumes(&komi_kind, &config->run, result_path, context, error);
}

static void other_documents_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    Error error;
    DocumentContext context = {.seconds = -1};
    assert_true(resume(&config, &context, &error)); /* none there */
    Run *run = open_komi(&config);
    context = document_context();
    context.seconds = 12.5;
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    DocumentContext read = {.seconds = 0};
    assert_true(resume(&config, &read, &error));
    assert_true(read.seconds == 12.5);
    assert_string_equal(read.started, context.started);
    KomiConfig other = config;
    other.run.seed = 4;
    assert_false(resume(&other, &read, &error));
    assert_non_null(strstr(error.text, "'seed'"));
    static const struct {
        const char *text, *word;
    } cases[] = {{"{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 2}}", "version 2, expected 1"},
                 {"{\"schema\": {\"name\": \"other\"}}", "not a result of a komi run"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(result_path, cases[i].text);
        assert_false(resume(&config, &read, &error));
        if (!strstr(error.text, cases[i].word))
            fail_msg("'%s' is not in: %s", cases[i].word, error.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(rungs_can_be_added, drop_files),
        cmocka_unit_test(networks_do_not_repeat_their_games),
        cmocka_unit_test_teardown(narrow_interval_ends_a_rung, drop_files),
        cmocka_unit_test_teardown(time_is_shared_out, drop_files),
        cmocka_unit_test_teardown(neighbours_of_one_parity_end_a_rung, drop_files),
        cmocka_unit_test_teardown(forced_games_stay_the_same, drop_files),
        cmocka_unit_test_teardown(each_first_move_is_played, drop_files),
        cmocka_unit_test_teardown(a_rung_says_what_its_games_say, drop_files),
        cmocka_unit_test(the_best_first_moves_come_first),
        cmocka_unit_test_teardown(upgrades_are_one_sided, drop_files),
        cmocka_unit_test_teardown(games_start_as_planned, drop_files),
        cmocka_unit_test_teardown(no_button_at_even_komi, drop_files),
        cmocka_unit_test_teardown(other_first_moves_are_refused, drop_files),
        cmocka_unit_test_teardown(guesses_are_near_the_truth, drop_files),
        cmocka_unit_test_teardown(guesses_are_stopped, drop_files),
        cmocka_unit_test_teardown(guesses_are_made_once, drop_files),
        cmocka_unit_test_teardown(few_komi_are_no_guess, drop_files),
        cmocka_unit_test_teardown(document_has_the_first_moves, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(changed_records_are_found, drop_files),
        cmocka_unit_test_teardown(wrong_ids_are_named, drop_files),
        cmocka_unit_test_teardown(packed_records_go_on, drop_files),
        cmocka_unit_test_teardown(other_rungs_are_kept, drop_files),
        cmocka_unit_test_teardown(games_must_be_there, drop_files),
        cmocka_unit_test_teardown(damaged_documents_are_set_aside, drop_files),
        cmocka_unit_test_teardown(doubled_records_count_once, drop_files),
        cmocka_unit_test_teardown(other_games_are_no_repetitions, drop_files),
        cmocka_unit_test_teardown(damaged_last_line_is_played_again, drop_files),
        cmocka_unit_test_teardown(first_line_may_be_torn, drop_files),
        cmocka_unit_test_teardown(foreign_files_are_not_cut, drop_files),
        cmocka_unit_test_teardown(second_process_is_locked_out, drop_files),
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(document_has_the_rungs_with_games, drop_files),
        cmocka_unit_test_teardown(records_make_the_document, drop_files),
        cmocka_unit_test_teardown(equal_games_without_chance_are_one, drop_files),
        cmocka_unit_test_teardown(margins_lose_komi_and_button, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
