/* Runs that several machines share: which shard a process is; shards and merges give the records and the document of
 * one process, whatever interrupts them; what is missing, damaged or does not belong together is refused by name. */
#include "selfplay/io/json.h"
#include "selfplay/runs/kinds.h"
#include "selfplay/runs/merge.h"
#include "tests/support/fixtures.h"
#include "tests/support/power_loss.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { SHARDS = 8 };

static char shard_paths[SHARDS][FILE_PATH_MAX];
static const char *shards[SHARDS];

static void drop_run(void) {
    unlink(result_path);
    unlink(records_path);
}

static void set_shard_paths(int count) {
    for (int i = 0; i < count; i++) {
        assert_true(shard_spec_path((ShardSpec){i, count}, result_path, ".json", shard_paths[i], NULL));
        shards[i] = shard_paths[i];
    }
}

/* ---- Which shard this is ---- */

static void options_name_the_shard(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int known;
        const char *slurm, *kubernetes;
        int index, count; /* -1: an error with this word */
        const char *word;
    } cases[] = {
        {"0/1", 0, NULL, NULL, 0, 1, NULL},
        {"5/6", 0, NULL, NULL, 5, 6, NULL},
        {"5/6", 6, NULL, NULL, 5, 6, NULL},
        {"5", 6, NULL, NULL, 5, 6, NULL},
        {"99999/100000", 0, NULL, NULL, 99999, 100000, NULL},
        {NULL, 0, NULL, NULL, 0, 0, NULL},
        {NULL, 6, NULL, NULL, 0, 0, NULL},
        {NULL, 6, "3", NULL, 3, 6, NULL},
        {NULL, 6, NULL, "2", 2, 6, NULL},
        {NULL, 6, "2", "2", 2, 6, NULL},
        {NULL, 0, "3", NULL, 0, 0, NULL}, /* an array of whole runs */
        {"1", 6, "3", "4", 1, 6, NULL},   /* what is typed counts */
        {"6/6", 0, NULL, NULL, -1, 0, "from 0 to 5 of 6"},
        {"-1/6", 0, NULL, NULL, -1, 0, "from 0 to 5"},
        {"1/0", 0, NULL, NULL, -1, 0, "expected I/N"},
        {"1/100001", 0, NULL, NULL, -1, 0, "expected I/N"},
        {"1/6/2", 0, NULL, NULL, -1, 0, "expected I/N"},
        {"1/", 0, NULL, NULL, -1, 0, "expected I/N"},
        {"/6", 0, NULL, NULL, -1, 0, "from 0 to 5"},
        {"", 6, NULL, NULL, -1, 0, "from 0 to 5"},
        {"+1/6", 0, NULL, NULL, -1, 0, "from 0 to 5"},
        {" 1/6", 0, NULL, NULL, -1, 0, "from 0 to 5"},
        {"1", 0, NULL, NULL, -1, 0, "--shards"},
        {"1/5", 6, NULL, NULL, -1, 0, "expected 6 shards"},
        {"99999999999999999999/6", 0, NULL, NULL, -1, 0, "from 0 to 5"},
        {NULL, 6, "6", NULL, -1, 0, "SLURM_ARRAY_TASK_ID: '6'"},
        {NULL, 6, "", NULL, -1, 0, "SLURM_ARRAY_TASK_ID: ''"},
        {NULL, 6, NULL, "x", -1, 0, "JOB_COMPLETION_INDEX: 'x'"},
        {NULL, 6, "1", "2", -1, 0, "SLURM_ARRAY_TASK_ID is 1"},
        {NULL, 100001, NULL, NULL, -1, 0, "100001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ShardSpec shard;
        Error error = {.text = ""};
        if (cases[i].slurm)
            setenv("SLURM_ARRAY_TASK_ID", cases[i].slurm, 1);
        if (cases[i].kubernetes)
            setenv("JOB_COMPLETION_INDEX", cases[i].kubernetes, 1);
        const bool good = shard_spec_settle(cases[i].text, cases[i].known, false, &shard, &error);
        unsetenv("SLURM_ARRAY_TASK_ID");
        unsetenv("JOB_COMPLETION_INDEX");
        if (cases[i].word && (good || !strstr(error.text, cases[i].word)))
            fail_msg("case %zu: '%s' is not in: %s", i, cases[i].word, error.text);
        if (!cases[i].word && (!good || shard.index != cases[i].index || shard.count != cases[i].count))
            fail_msg("case %zu: %d/%d, %s", i, shard.index, shard.count, error.text);
    }
    ShardSpec shard;
    Error error;
    assert_false(shard_spec_settle(NULL, 6, true, &shard, &error));
    assert_non_null(strstr(error.text, "which of the 6 shards"));
}

static void shards_have_files_of_their_own(void **unused) {
    (void)unused;
    char path[FILE_PATH_MAX];
    Error error;
    assert_true(shard_spec_path((ShardSpec){2, 6}, "a/run.json", ".json", path, &error));
    assert_string_equal(path, "a/run.shard-2-of-6.json");
    assert_true(shard_spec_path((ShardSpec){0, 0}, "a/run.json", ".json", path, &error));
    assert_string_equal(path, "a/run.json");
    assert_true(shard_spec_path((ShardSpec){2, 6}, "set", "", path, &error));
    assert_string_equal(path, "set.shard-2-of-6");
    char longest[FILE_PATH_MAX];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_false(shard_spec_path((ShardSpec){2, 6}, longest, ".json", path, &error));
    assert_non_null(strstr(error.text, "too long"));
}

/* ---- Runs of any kind ---- */

/* Writes the document of a shard of a planned run. */
static void write_document(const Run *run, ShardSpec shard, bool finished) {
    Error error;
    char path[FILE_PATH_MAX];
    ShardDocument document = {.shard = shard,
                              .round = run_round(run),
                              .config = run_config_to_json(run->config),
                              .timing = run->kind->timing ? run->kind->timing(run) : NULL,
                              .context = document_context(),
                              .finished = finished};
    document.context.seconds = 1.5;
    strcpy(document.kind, run->config->kind->name);
    strcpy(document.run, run->hash);
    assert_true(shard_spec_path(shard, result_path, ".json", path, &error));
    if (!shard_document_write(&document, path, &error))
        fail_msg("%s", error.text);
    shard_document_free(&document);
}

/* Plays a share as the tool does, for at most `stop_after` games (0: all); returns how many were played. */
static int play_shard(const RunConfig *config, ShardSpec shard, int stop_after) {
    Error error = {.text = ""};
    int played;
    char path[FILE_PATH_MAX], records[FILE_PATH_MAX];
    Run *run = make_run(kind_named(config->kind->name), config, shard);
    assert_true(shard_spec_path(shard, result_path, ".json", path, &error) && record_file_path(path, records, &error));
    if (!run_lock(run, records, &error) || !run_open_shard(run, records_path, &error))
        fail_msg("%s", error.text);
    const RunEnd end = play_open_run(run, 1, stop_after, &played);
    if (!run_sort_records(run, &error))
        fail_msg("%s", error.text);
    write_document(run, shard, end == RUN_DONE);
    run_free(run);
    return played;
}

static void play_whole(const RunConfig *config, int stop_after) {
    Error error = {.text = ""};
    const DocumentContext context = document_context();
    Run *run = open_run(kind_named(config->kind->name), config, records_path);
    play_open_run(run, 1, stop_after, NULL);
    if (!run_sort_records(run, &error) || !run_write(run, &context, result_path, &error))
        fail_msg("%s", error.text);
    run_free(run);
}

static MergeReport merge(int count) {
    MergeReport report;
    Error error = {.text = ""};
    set_shard_paths(count);
    if (!merge_shards(result_path, shards, count, &report, &error))
        fail_msg("%s", error.text);
    return report;
}

/* Plays all rounds in `count` shards; returns how many rounds there were. */
static int play_rounds(const RunConfig *config, int count) {
    MergeReport report;
    int rounds = 0;
    do {
        for (int i = 0; i < count; i++)
            play_shard(config, (ShardSpec){i, count}, 0);
        report = merge(count);
        assert_string_equal(report.kind, config->kind->name);
        rounds++;
    } while (report.left > 0 && rounds < 20);
    return rounds;
}

/* Records and document of a run. */
typedef struct Outcome {
    char *records, *document;
} Outcome;

static Outcome read_outcome(void) {
    return (Outcome){read_text(records_path), comparable_document(result_path)};
}

static void free_outcome(Outcome outcome) {
    free(outcome.records);
    free(outcome.document);
}

static void expect_outcome(Outcome expected) {
    const Outcome found = read_outcome();
    assert_string_equal(expected.records, found.records);
    assert_string_equal(expected.document, found.document);
    free_outcome(found);
}

/* Plays a run whole, and in shards from the beginning, which must be the same; returns the number of rounds. */
static int compare(const RunConfig *config, int count) {
    drop_files(NULL);
    play_whole(config, 0);
    const Outcome whole = read_outcome();
    drop_run();
    const int rounds = play_rounds(config, count);
    expect_outcome(whole);
    assert_int_equal(merge(count).joined, 0);
    free_outcome(whole);
    return rounds;
}

/* The same with three shards of which one is stopped again and again. */
static void compare_interrupted(const RunConfig *config, int stop_after, int least, int most) {
    const ShardSpec shard = {1, 3};
    drop_files(NULL);
    play_whole(config, 0);
    const Outcome whole = read_outcome();
    drop_run();
    MergeReport report;
    do {
        int played = 0, sessions = 0, games;
        while ((games = play_shard(config, shard, stop_after)) > 0 && ++sessions < 20)
            played += games;
        assert_in_range(played, least, most);
        play_shard(config, (ShardSpec){0, 3}, 0);
        play_shard(config, (ShardSpec){2, 3}, 0);
        assert_int_equal(play_shard(config, shard, 0), 0);
        report = merge(3);
    } while (report.left > 0);
    expect_outcome(whole);
    free_outcome(whole);
}

/* ---- Fair-komi runs ---- */

static KomiConfig small_komi(void) {
    KomiConfig config = komi_config_default(2);
    config.ladder[0] = 2;
    config.ladder[1] = 5;
    config.rungs = 2;
    make_small(&config.run, 50, &config.player);
    return config;
}

static void komi_shards_are_the_whole_run(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    for (int count = 1; count <= SHARDS; count = 2 * count + 1) {
        assert_int_equal(compare(&config.run, count), 3); /* of 20, 20 and 10 games, both rungs at once */
        assert_int_equal(play_shard(&config.run, (ShardSpec){0, count}, 0), 0);
    }
}

static void komi_shards_force_first_moves(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    config.rungs = 1;
    config.first_moves = true;
    assert_int_equal(compare(&config.run, 3), 3);
}

static void interrupted_shards_go_on(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    compare_interrupted(&config.run, 3, 6, 14); /* a third of 40 games, and later of 20 */
}

/* A run may be begun by one process, go on in shards, change their number between rounds, and be extended. */
static void runs_change_hands(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    play_whole(&config.run, 0);
    char *records = read_text(records_path);
    drop_run();
    play_whole(&config.run, 31); /* into the second round of the first rung */
    config.run.games = 45;
    play_rounds(&config.run, 3);
    config.run.games = 50;
    play_rounds(&config.run, 2);
    char *merged = read_text(records_path);
    assert_string_equal(records, merged);
    play_whole(&config.run, 0);
    char *again = read_text(records_path);
    assert_string_equal(records, again);
    free(records);
    free(merged);
    free(again);
}

/* More games or rungs deal the games of a round that is not merged to other shards. Those play them again. */
static void rounds_are_dealt_again_for_other_settings(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    play_whole(&config.run, 0);
    const Outcome whole = read_outcome();
    for (int rungs = 1; rungs <= 2; rungs++) {
        KomiConfig first = config;
        Error error;
        char path[FILE_PATH_MAX];
        drop_files(NULL);
        set_shard_paths(3);
        first.rungs = rungs;
        first.run.games = 10;
        for (int i = 0; i < 3; i++)
            play_shard(&first.run, (ShardSpec){i, 3}, i == 2 ? 2 : 0);
        assert_true(record_file_path(shard_paths[0], path, &error));
        char *before = read_text(path);
        Run *run = make_run(&komi_kind, &config.run, (ShardSpec){0, 3});
        assert_true(run_lock(run, path, &error) && run_open_shard(run, records_path, &error));
        assert_in_range(run->dealt_away, 2, 4); /* of the lower rung, a third of 10 games */
        run_free(run);
        char *after = read_text(path);
        assert_string_equal(before, after); /* the settings of before could still go on */
        play_rounds(&config.run, 3);
        expect_outcome(whole);
        free(before);
        free(after);
    }
    free_outcome(whole);
}

/* The games of a strength that later rounds leave out stand once in the file, however often shards are merged. */
static void what_is_left_out_stands_once(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    for (int i = 0; i < 2; i++)
        play_shard(&config.run, (ShardSpec){i, 2}, 0);
    merge(2);
    config.rungs = 1;
    config.run.games = 60;
    play_rounds(&config.run, 2);
    merge(2);
    config.rungs = 2;
    Run *run = open_run(&komi_kind, &config.run, records_path);
    assert_int_equal(run->records.repeated, 0);
    run_free(run);
}

static void narrow_intervals_end_shared_runs(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    config.ladder[0] = 20;
    config.ladder[1] = 40;
    config.run.games = 100000;
    config.until_width = 2;
    compare(&config.run, 3);
    char *records = read_text(records_path);
    int games = 0;
    for (const char *line = records; (line = strchr(line, '\n')) != NULL; line++)
        games++;
    assert_in_range(games, 2 * config.run.first_round, config.run.games); /* both rungs ended before their time */
    free(records);
}

static void merging_twice_changes_nothing(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    for (int i = 0; i < 3; i++)
        play_shard(&config.run, (ShardSpec){i, 3}, 0);
    MergeReport report = merge(3);
    assert_string_equal(report.kind, "komi");
    assert_int_equal(report.joined, 40);
    assert_int_equal(report.games, 40);
    assert_int_equal(report.left, 40);
    char *records = read_text(records_path), *document = read_text(result_path);
    report = merge(3);
    assert_int_equal(report.joined, 0);
    assert_int_equal(report.games, 40);
    assert_int_equal(report.left, 40);
    char *repeated = read_text(result_path);
    unlink(result_path); /* as if the merge had been killed before it wrote it */
    report = merge(3);
    char *written = read_text(result_path);
    const char *const documents[] = {document, repeated, written};
    for (int i = 0; i < 3; i++) {
        cJSON *json = cJSON_Parse(documents[i]);
        assert_true(cJSON_GetObjectItem(json, "seconds")->valuedouble == 4.5);
        cJSON_Delete(json);
    }
    free(repeated);
    free(written);
    char *records_again = read_text(records_path), *document_again = comparable_document(result_path);
    write_text(result_path, document);
    char *document_before = comparable_document(result_path);
    assert_string_equal(records, records_again);
    assert_string_equal(document_before, document_again);
    free(records);
    free(records_again);
    free(document);
    free(document_again);
    free(document_before);
}

/* In whatever order the shards began. */
static void a_merged_run_began_with_its_first_shard(void **unused) {
    (void)unused;
    static const char *const years[] = {"2002", "2001", "2003"};
    const KomiConfig config = small_komi();
    set_shard_paths(3);
    for (int i = 0; i < 3; i++) {
        play_shard(&config.run, (ShardSpec){i, 3}, 0);
        char *text = read_text(shards[i]);
        memcpy(strstr(text, "\"started\":\t\"") + strlen("\"started\":\t\""), years[i], 4);
        write_text(shards[i], text);
        free(text);
    }
    merge(3);
    char *document = read_text(result_path);
    assert_non_null(strstr(document, "\"started\":\t\"2001"));
    free(document);
}

static void time_limits_are_refused(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    Error error;
    config.run.seconds = 10;
    Run *run = make_run(&komi_kind, &config.run, (ShardSpec){0, 2});
    assert_false(run_open_shard(run, records_path, &error));
    assert_non_null(strstr(error.text, "time: 10 seconds, expected none"));
    run_free(run);
}

/* ---- What a merge refuses ---- */

static void expect_refused(int count, const char *word) {
    MergeReport report;
    Error error = {.text = ""};
    assert_false(merge_shards(result_path, shards, count, &report, &error));
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
}

/* Replaces the first `old` in a file by `fresh` of the same length. */
static void replace_in(const char *path, const char *old, const char *fresh) {
    char *text = read_text(path), *place = strstr(text, old);
    assert_non_null(place);
    assert_int_equal(strlen(old), strlen(fresh));
    memcpy(place, fresh, strlen(fresh));
    write_text(path, text);
    free(text);
}

static void wrong_sets_are_refused(void **unused) {
    (void)unused;
    KomiConfig config = small_komi();
    for (int i = 0; i < 3; i++)
        play_shard(&config.run, (ShardSpec){i, 3}, 0);
    set_shard_paths(3);
    expect_refused(2, "shard 2 of 3 is missing");
    shards[2] = shards[1];
    expect_refused(3, "shard 1 is there twice");
    shards[1] = shard_paths[2];
    shards[2] = shard_paths[1];
    shards[3] = shard_paths[1];
    expect_refused(4, "shard 1 is there twice");
    shards[0] = shard_paths[1];
    expect_refused(1, "shard 0 of 3 is missing");
    set_shard_paths(3);
    shards[1] = "/no/such/shard.json";
    expect_refused(3, "/no/such/shard.json");
    play_shard(&config.run, (ShardSpec){0, 2}, 0);
    shards[1] = shard_paths[3];
    assert_true(shard_spec_path((ShardSpec){0, 2}, result_path, ".json", shard_paths[3], NULL));
    expect_refused(3, "is one of 2 shards, expected one of 3");
    set_shard_paths(3);
    assert_int_equal(access(records_path, F_OK), -1); /* nothing was written */
    config.run.seed = 2;
    char path[FILE_PATH_MAX];
    assert_true(record_file_path(shard_paths[1], path, NULL));
    unlink(path);
    play_shard(&config.run, (ShardSpec){1, 3}, 0);
    expect_refused(3, "'seed' differs");
}

/* Replaces the first `old` in a document by a `fresh` that is longer. */
static void insert_in(const char *path, const char *old, const char *fresh) {
    char *before = read_text(path), *place = strstr(before, old), text[8192];
    assert_non_null(place);
    assert_in_range(strlen(before) + strlen(fresh), 1, sizeof text - 1);
    sprintf(text, "%.*s%s%s", (int)(place - before), before, fresh, place + strlen(old));
    write_text(path, text);
    free(before);
}

static void wrong_documents_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    for (int i = 0; i < 2; i++)
        play_shard(&config.run, (ShardSpec){i, 2}, 0);
    set_shard_paths(2);
    char *good = read_text(shard_paths[1]);
    static const struct {
        const char *old, *fresh, *word;
    } cases[] = {{"stigmergy-shard", "stigmergy-share", "expected schema name 'stigmergy-shard'"},
                 {"\"version\":\t1", "\"version\":\t2", "schema version 2, expected 1"},
                 {"\"games\":\t\"0", "\"games\":\t\"9", "has games as version '9"},
                 {"\"komi\",", "\"kono\",", "is a shard of kono"},
                 {"[0, 20]", "[0, 21]", "another round"},
                 {"\"size\":\t2", "\"size\":\t3", "'size' differs"},
                 {"\"shard\":\t1", "\"shard\":\t2", "'shard' is wrong"},
                 {"\"finished\":\ttrue", "\"finished\":\t1234", "'finished' is wrong"},
                 {"\"seconds\"", "\"sekonds\"", "'seconds' is missing"},
                 {"\"run\":\t\"", "\"run\":\t\"0\"", "JSON"},
                 {"\"run\":\t\"", "\"run\":\t\"x", "is of run x"},
                 {"\"config\":\t{", "\"config\":\t{\"more\":1,", "'more' differs"},
                 {"{", "[", "JSON"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strlen(cases[i].old) == strlen(cases[i].fresh)) {
            replace_in(shard_paths[1], cases[i].old, cases[i].fresh);
        } else {
            insert_in(shard_paths[1], cases[i].old, cases[i].fresh);
        }
        expect_refused(2, cases[i].word);
        write_text(shard_paths[1], good);
    }
    char *cut = read_text(shard_paths[1]);
    cut[strlen(cut) / 2] = '\0';
    write_text(shard_paths[1], cut);
    expect_refused(2, "JSON");
    free(cut);
    write_text(shard_paths[1], good);
    char *first = read_text(shard_paths[0]);
    insert_in(shard_paths[0], "\"config\":\t{", "\"config\":\t{\"more\":1,");
    expect_refused(2, "'more' differs");
    write_text(shard_paths[0], first);
    for (int i = 0; i < 2; i++)
        insert_in(shard_paths[i], "\"run\":\t\"", "\"run\":\t\"x");
    expect_refused(2, "its configuration is of run");
    write_text(shard_paths[0], first);
    write_text(shard_paths[1], good);
    assert_int_equal(merge(2).joined, 40);
    free(first);
    free(good);
}

static void damaged_records_are_refused_and_played_again(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    for (int i = 0; i < 2; i++)
        play_shard(&config.run, (ShardSpec){i, 2}, 0);
    set_shard_paths(2);
    char path[FILE_PATH_MAX];
    assert_true(record_file_path(shard_paths[1], path, NULL));
    char *good = read_text(path), *cut = read_text(path);
    cut[strlen(cut) / 2] = '\0';
    write_text(path, cut);
    expect_refused(2, "shard-1-of-2.records.jsonl: is damaged");
    assert_int_equal(access(records_path, F_OK), -1); /* nothing was written */
    replace_in(path, "\"W\"", "\"B\"");
    expect_refused(2, "is damaged");
    unlink(path);
    expect_refused(2, "shard-1-of-2.records.jsonl");
    write_text(path, cut);
    assert_in_range(play_shard(&config.run, (ShardSpec){1, 2}, 0), 8, 12);
    char *again = read_text(path);
    assert_string_equal(good, again);
    assert_int_equal(merge(2).joined, 40);
    free(good);
    free(cut);
    free(again);
}

/* A document that says of its records what they are, though they are not the shard's. */
static void records_of_other_shards_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    Error error;
    for (int i = 0; i < 2; i++)
        play_shard(&config.run, (ShardSpec){i, 2}, 0);
    set_shard_paths(2);
    char paths[2][FILE_PATH_MAX];
    for (int i = 0; i < 2; i++)
        assert_true(record_file_path(shard_paths[i], paths[i], NULL));
    char *zero = read_text(paths[0]), *one = read_text(paths[1]);
    Run *run = open_run(&komi_kind, &config.run, records_path);
    assert_true(run_plan(run, 2, &error));
    write_text(paths[1], zero);
    write_document(run, (ShardSpec){1, 2}, true);
    expect_refused(2, "another process"); /* the run is open here */
    record_file_close(&run->records, &error);
    expect_refused(2, "is not of shard 1 of 2");
    *strchr(one, '\n') = '\0';
    strcat(one, "\n");
    write_text(paths[1], one);
    write_document(run, (ShardSpec){1, 2}, true);
    run_free(run);
    expect_refused(2, "19 games of its round are in no shard");
    free(zero);
    free(one);
}

static void unfinished_and_late_shards_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_komi();
    play_shard(&config.run, (ShardSpec){0, 2}, 0);
    play_shard(&config.run, (ShardSpec){1, 2}, 3);
    set_shard_paths(2);
    expect_refused(2, "shard 1 of 2 is not finished");
    play_shard(&config.run, (ShardSpec){1, 2}, 0);
    merge(2);
    play_shard(&config.run, (ShardSpec){0, 2}, 0); /* of the second round */
    expect_refused(2, "is of another round than");
    play_shard(&config.run, (ShardSpec){1, 2}, 0);
    unlink(records_path); /* the first round is lost */
    unlink(result_path);
    expect_refused(2, "another round than the next one");
    KomiConfig other = config;
    other.run.seed = 3;
    play_whole(&other.run, 0); /* a result of another run stands there */
    expect_refused(2, "'seed' is \"3\" there");
}

/* ---- Matches ---- */

static MatchConfig small_match(int players) {
    MatchConfig config = match_config_default(3);
    Error error;
    static const char *const descriptions[] = {
        "{\"name\": \"a\", \"network\": \"none\", \"simulations\": 12, \"memory_mb\": 1}",
        "{\"name\": \"b\", \"network\": \"none\", \"simulations\": 4, \"memory_mb\": 1}",
        "{\"name\": \"c\", \"network\": \"none\", \"simulations\": 6, \"memory_mb\": 1}"};
    config.openings.simulations = 10;
    config.run.games = 20;
    for (int i = 0; i < players; i++)
        assert_true(match_config_add_player(&config, descriptions[i], "test", &error));
    return config;
}

static void match_shards_are_the_whole_match(void **unused) {
    (void)unused;
    MatchConfig config = small_match(2);
    assert_int_equal(compare(&config.run, 3), 1);
    config = small_match(3);
    assert_int_equal(compare(&config.run, 4), 1);
    compare_interrupted(&config.run, 5, 0, 22); /* a third of 60 games */
}

static void tests_of_shared_matches_look_at_pairs_in_order(void **unused) {
    (void)unused;
    MatchConfig config = small_match(2);
    config.sprt = true;
    config.elo0 = 0;
    config.elo1 = 100;
    config.run.games = 0;
    assert_in_range(compare(&config.run, 1), 1, 3); /* a verdict in the midst of a round */
    assert_in_range(compare(&config.run, 3), 1, 3);
    config = small_match(2);
    config.sprt = true;
    config.elo0 = -1;
    config.elo1 = 1;
    config.run.games = 150; /* no verdict: rounds of 64 and 11 pairs */
    assert_int_equal(compare(&config.run, 3), 2);
}

static void timing_is_added_up(void **unused) {
    (void)unused;
    const MatchConfig config = small_match(2);
    double moves[2] = {0, 0};
    for (int turn = 0; turn < 2; turn++) {
        drop_files(NULL);
        if (turn == 0)
            play_whole(&config.run, 0);
        else
            play_rounds(&config.run, 2);
        char *text = read_text(result_path);
        cJSON *json = cJSON_Parse(text);
        const cJSON *timing = cJSON_GetObjectItem(json, "timing");
        moves[turn] = cJSON_GetObjectItem(cJSON_GetArrayItem(timing, 0), "moves")->valuedouble;
        cJSON_Delete(json);
        free(text);
    }
    assert_true(moves[0] > 0 && moves[0] == moves[1]);
}

/* ---- Openings ---- */

static OpeningsConfig small_openings(const char *game) {
    OpeningsConfig config = openings_config_default(3);
    strcpy(config.run.game, game);
    config.effort.simulations = 3;
    make_small(&config.run, 50, &config.player);
    return config;
}

static void openings_shards_are_the_whole_run(void **unused) {
    (void)unused;
    static const char *const games[] = {"stigmergy", "bug", "sgolte"};
    for (int g = 0; g < 3; g++) {
        OpeningsConfig config = small_openings(games[g]);
        config.komi = g == 0 ? 4 : 0;
        assert_int_equal(compare(&config.run, 1), 3); /* of 20, 20 and 10 games */
        assert_int_equal(compare(&config.run, 3), 3);
        assert_int_equal(play_shard(&config.run, (ShardSpec){0, 3}, 0), 0);
        compare_interrupted(&config.run, 2, 3, 7); /* a third of 20 games, and later of 10 */
    }
    OpeningsConfig config = small_openings("sgolte");
    config.run.capture = GAME_CAPTURE_LINE;
    config.until_probability = 0.5;
    compare(&config.run, 7);
}

/* Openings shards that are damaged, missing, of another round or of another kind. */
static void wrong_openings_shards_are_refused(void **unused) {
    (void)unused;
    const OpeningsConfig config = small_openings("bug");
    for (int i = 0; i < 2; i++)
        play_shard(&config.run, (ShardSpec){i, 2}, 0);
    set_shard_paths(2);
    expect_refused(1, "shard 1 of 2 is missing");
    char path[FILE_PATH_MAX];
    assert_true(record_file_path(shard_paths[1], path, NULL));
    char *good = read_text(path), *cut = read_text(path);
    cut[strlen(cut) / 2] = '\0';
    write_text(path, cut);
    expect_refused(2, "shard-1-of-2.records.jsonl: is damaged");
    assert_in_range(play_shard(&config.run, (ShardSpec){1, 2}, 0), 3, 7);
    char *again = read_text(path);
    assert_string_equal(good, again);
    replace_in(shard_paths[1], "\"openings\",", "\"komi\",    ");
    expect_refused(2, "is a shard of komi, expected one of openings");
    for (int i = 0; i < 2; i++) /* both agree on a kind that there is not */
        replace_in(shard_paths[i], i ? "\"komi\",    " : "\"openings\",", "\"closings\",");
    expect_refused(2, "'kind' is wrong, expected book, komi, match or openings");
    for (int i = 0; i < 2; i++)
        replace_in(shard_paths[i], "\"closings\",", "\"openings\",");
    assert_int_equal(merge(2).joined, 20);
    free(good);
    free(cut);
    free(again);
}

/* ---- Books ---- */

static void book_shards_are_the_whole_run(void **unused) {
    (void)unused;
    BookConfig config = book_config_default(3);
    config.effort.simulations = 3;
    config.plan.leaf_games = 10;
    config.plan.solver_nodes = 100; /* which proves some bounds */
    make_small(&config.run, 45, &config.player);
    const int rounds = compare(&config.run, 3);
    assert_in_range(rounds, 3, 12); /* of 20 games, and smaller ones with new positions; both books at once */
    assert_int_equal(play_shard(&config.run, (ShardSpec){0, 3}, 0), 0);
    config.parity = PARITY_EVEN;
    compare_interrupted(&config.run, 2, 0, 7); /* a third of up to 20 games */
}

static double seconds_of_result(void) {
    char *text = read_text(result_path);
    cJSON *json = cJSON_Parse(text);
    const double seconds = cJSON_GetObjectItem(json, "seconds")->valuedouble;
    cJSON_Delete(json);
    free(text);
    return seconds;
}

/* The solver decides hexhex-2, and no game is needed. The shards get their document all the same, by one merge. */
static void shards_of_a_finished_run_are_merged(void **unused) {
    (void)unused;
    BookConfig config = book_config_default(2);
    config.effort.simulations = 1;
    make_small(&config.run, 45, &config.player);
    assert_int_equal(compare(&config.run, 2), 1);
    assert_true(seconds_of_result() == 3); /* of both shards, and the second merge has added nothing */
    for (int i = 0; i < 3; i++)
        assert_int_equal(play_shard(&config.run, (ShardSpec){i, 3}, 0), 0);
    const MergeReport report = merge(3);
    assert_true(report.idle && report.joined == 0 && report.left == 0 && report.games == 0);
    assert_true(seconds_of_result() == 3);
}

/* ---- Power that is lost while shards are merged (tests/support/power_loss.h) ---- */

/* Whatever a cut has left, the same merge ends with the same files. If it had ended before the cut, they are there. */
static void merge_again(void *user, const PowerLoss *state) {
    const Outcome *expected = user;
    if (state->promise)
        expect_outcome(*expected);
    merge(2);
    expect_outcome(*expected);
}

static void merges_go_on_from_every_cut(void **unused) {
    (void)unused;
    KomiConfig config = komi_config_default(2);
    config.ladder[0] = 2;
    config.rungs = 1;
    make_small(&config.run, 7, &config.player);
    config.run.first_round = 4;
    for (int rounds = 1; rounds <= 2; rounds++) { /* into a new run, and into one that has games */
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < 2; i++)
                play_shard(&config.run, (ShardSpec){i, 2}, 0);
            if (round == rounds)
                power_loss_begin();
            merge(2);
        }
        power_loss_promise(1);
        power_loss_end();
        Outcome expected = read_outcome();
        assert_true(power_loss_each(merge_again, &expected) > 5);
        free_outcome(expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_name_the_shard),
        cmocka_unit_test(shards_have_files_of_their_own),
        cmocka_unit_test_teardown(komi_shards_are_the_whole_run, drop_files),
        cmocka_unit_test_teardown(komi_shards_force_first_moves, drop_files),
        cmocka_unit_test_teardown(interrupted_shards_go_on, drop_files),
        cmocka_unit_test_teardown(runs_change_hands, drop_files),
        cmocka_unit_test_teardown(rounds_are_dealt_again_for_other_settings, drop_files),
        cmocka_unit_test_teardown(what_is_left_out_stands_once, drop_files),
        cmocka_unit_test_teardown(narrow_intervals_end_shared_runs, drop_files),
        cmocka_unit_test_teardown(merging_twice_changes_nothing, drop_files),
        cmocka_unit_test_teardown(a_merged_run_began_with_its_first_shard, drop_files),
        cmocka_unit_test_teardown(time_limits_are_refused, drop_files),
        cmocka_unit_test_teardown(wrong_sets_are_refused, drop_files),
        cmocka_unit_test_teardown(wrong_documents_are_refused, drop_files),
        cmocka_unit_test_teardown(damaged_records_are_refused_and_played_again, drop_files),
        cmocka_unit_test_teardown(records_of_other_shards_are_refused, drop_files),
        cmocka_unit_test_teardown(unfinished_and_late_shards_are_refused, drop_files),
        cmocka_unit_test_teardown(match_shards_are_the_whole_match, drop_files),
        cmocka_unit_test_teardown(tests_of_shared_matches_look_at_pairs_in_order, drop_files),
        cmocka_unit_test_teardown(timing_is_added_up, drop_files),
        cmocka_unit_test_teardown(openings_shards_are_the_whole_run, drop_files),
        cmocka_unit_test_teardown(wrong_openings_shards_are_refused, drop_files),
        cmocka_unit_test_teardown(book_shards_are_the_whole_run, drop_files),
        cmocka_unit_test_teardown(shards_of_a_finished_run_are_merged, drop_files),
        cmocka_unit_test(merges_go_on_from_every_cut),
    };
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("JOB_COMPLETION_INDEX");
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
