/* Runs that are read again: the same document, from plain and packed records, and from games that this version would
 * not have planned; what does not belong together is refused. */
#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/book/run.h"
#include "selfplay/runs/komi/run.h"
#include "selfplay/runs/komi/second.h"
#include "selfplay/runs/reread.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static KomiConfig small_config(bool first_moves) {
    KomiConfig config = komi_config_default(first_moves ? 2 : 3);
    config.ladder[0] = 2;
    config.ladder[1] = 8;
    config.rungs = 2;
    config.first_moves = first_moves;
    make_small(&config.run, 60, &config.player);
    return config;
}

/* The solver proves some positions of this book, but not all. */
static BookConfig small_book(void) {
    BookConfig config = book_config_default(3);
    config.effort.simulations = 20;
    config.plan.leaf_games = 8;
    config.plan.solver_nodes = 300;
    make_small(&config.run, 150, &config.player);
    return config;
}

/* Plays a run, writes its document, and returns that. */
static cJSON *play(const RunKind *kind, const RunConfig *config) {
    Error error;
    assert_int_equal(play_run(kind, config, records_path, 2, 0, NULL), RUN_DONE);
    Run *run = open_run(kind, config, records_path);
    const DocumentContext context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};
    cJSON *json = run->kind->document(run, &context, &error);
    run_free(run);
    document_write(cJSON_Duplicate(json, true), result_path, &error);
    return json;
}

/* The document that the files give again. */
static cJSON *reread(void) {
    Error error = {.text = ""};
    cJSON *document;
    Run *run = reread_run(result_path, &document, &error);
    if (!run)
        fail_msg("%s", error.text);
    cJSON *json = reread_document(run, document, &error);
    run_free(run);
    cJSON_Delete(document);
    return json;
}

static void expect_same(cJSON *again, const cJSON *document) {
    char *a = cJSON_Print(again), *b = cJSON_Print(document);
    assert_string_equal(a, b);
    free(a);
    free(b);
    cJSON_Delete(again);
}

static void document_is_made_again(void **unused) {
    (void)unused;
    for (int first_moves = 0; first_moves < 2; first_moves++) {
        const KomiConfig config = small_config(first_moves);
        cJSON *document = play(&komi_kind, &config.run);
        expect_same(reread(), document);
        cJSON_Delete(document);
        drop_files(NULL);
    }
}

/* Documents of version 0.16 and earlier have no guesses. */
static void guesses_come_from_the_document(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"\"1\"", "1e9", "true"};
    const KomiConfig config = small_config(true);
    cJSON *document = play(&komi_kind, &config.run);
    cJSON *first_moves = json_get(document, "first_moves"), *move;
    Error error;
    for (int i = 0; i < 3; i++) {
        cJSON_ReplaceItemInObjectCaseSensitive(first_moves->child, "guess", cJSON_Parse(wrong[i]));
        document_write(cJSON_Duplicate(document, true), result_path, &error);
        cJSON *unused_document;
        assert_null(reread_run(result_path, &unused_document, &error));
        assert_non_null(strstr(error.text, "run.json: 'guess'"));
    }
    cJSON_ArrayForEach(move, first_moves) cJSON_DeleteItemFromObjectCaseSensitive(move, "guess");
    document_write(document, result_path, &error);
    cJSON *again = reread();
    cJSON_ArrayForEach(move, json_get(again, "first_moves")) assert_null(json_get(move, "guess"));
    cJSON_Delete(again);
}

/* Reads the run, compares it with the result at `path`, and returns the document; NULL with an error. */
static cJSON *compare(const char *path, Error *error) {
    cJSON *document;
    Run *run = reread_run(result_path, &document, error);
    cJSON *json = run && komi_compare_with(run, path, error) ? reread_document(run, document, error) : NULL;
    run_free(run);
    cJSON_Delete(document);
    return json;
}

/* Writes a result of other players beside that of the run, with this `key` of `part` (NULL: of the document). */
static void write_other(const cJSON *document, const char *path, const char *part, const char *key, const char *value) {
    Error error;
    cJSON *other = cJSON_Duplicate(document, true);
    cJSON_ReplaceItemInObjectCaseSensitive(json_get(other, "player"), "network", cJSON_CreateString("learnt"));
    cJSON *place = part ? json_get(other, part) : other;
    cJSON_DeleteItemFromObjectCaseSensitive(place, key);
    json_add(place, key, cJSON_Parse(value));
    assert_true(document_write(other, path, &error));
}

/* Results that say nothing about this run are refused. */
static void expect_others_refused(const cJSON *document, const char *other) {
    static const char disorder[] = "{\"estimate\": 6, \"ci95\": [7, 5], \"by_model\": 6, \"by_model_ci95\": [5, 7]}";
    static const char *const wrong[][4] = {
        {NULL, "size", "3", "another board"},
        {NULL, "game", "\"bug\"", "another board"},
        {"settings", "parity", "\"even\"", "other komi values"},
        {"settings", "komi_range", "[-7, 5]", "other komi values"},
        {"settings", "upgrade", "\"black\"", "two equal sides"},
        {"fair_komi", "combined", "{\"estimate\": 6, \"ci95\": [5, 7]}", "fair_komi"},
        {"fair_komi", "combined", disorder, "fair_komi"},
        {"player", "network", "\"none\"", "the same network"},
        {"settings", "first_moves", "\"free\"", "\"each\""},
        {NULL, "fair_komi", "{}", "fair_komi"},
        {NULL, "schema", "{}", "schema"}};
    Error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_other(document, other, wrong[i][0], wrong[i][1], wrong[i][2]);
        assert_null(compare(other, &error));
        assert_non_null(strstr(error.text, wrong[i][3]));
    }
}

/* What another family says is in the document, which a later estimate keeps. A damaged one is refused. */
static void second_family_stays(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(true);
    char other[FIXTURE_PATH_MAX], *written;
    Error error;
    cJSON *document = play(&komi_kind, &config.run), *unused_document;
    snprintf(other, sizeof other, "%s.other.json", result_path);
    expect_others_refused(document, other);
    write_other(document, other, NULL, "games", "77");
    cJSON *compared = compare(other, &error);
    assert_non_null(compared);
    const cJSON *second = json_get(json_get(compared, "convergence"), "second_family");
    assert_string_equal(cJSON_GetStringValue(json_get(second, "source")), strrchr(other, '/') + 1);
    assert_int_equal(json_get(second, "games")->valueint, 77);
    assert_true(cJSON_IsBool(json_get(second, "agrees")) && json_get(json_get(second, "difference"), "ci95"));
    assert_true(document_write(compared, result_path, &error));
    written = read_text(result_path);
    cJSON *again = cJSON_Parse(written);
    expect_same(reread(), again);
    Run *run = open_run(&komi_kind, &config.run, records_path); /* and so does a run that goes on */
    DocumentContext context;
    assert_true(run_resume(run, result_path, &context, &error));
    cJSON *gone_on = run->kind->document(run, &context, &error);
    expect_same(cJSON_Duplicate(json_get(gone_on, "convergence"), true), json_get(again, "convergence"));
    cJSON_Delete(gone_on);
    run_free(run);
    static const char *const needed[] = {"player", "source", "games", "fair_komi"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        cJSON *damaged = cJSON_Duplicate(again, true);
        cJSON_DeleteItemFromObject(json_get(json_get(damaged, "convergence"), "second_family"), needed[i]);
        assert_true(document_write(damaged, result_path, &error));
        assert_null(reread_run(result_path, &unused_document, &error));
        assert_non_null(strstr(error.text, "run.json: convergence: the second family"));
    }
    cJSON_Delete(again);
    free(written);
    cJSON_Delete(document);
}

/* Writes a result as that of the run, but with forced first moves, by other players, and with this fair komi. */
static void write_second(const cJSON *document, const char *path, const char *fair) {
    Error error;
    cJSON *other = cJSON_Duplicate(document, true), *player = json_get(other, "player");
    cJSON_ReplaceItemInObjectCaseSensitive(player, "network", cJSON_CreateString("learnt"));
    cJSON_ReplaceItemInObjectCaseSensitive(player, "simulations", cJSON_CreateNumber(40));
    cJSON_DeleteItemFromObjectCaseSensitive(json_get(other, "settings"), "first_moves");
    json_add_text(json_get(other, "settings"), "first_moves", "each");
    cJSON_ReplaceItemInObjectCaseSensitive(other, "games", cJSON_CreateNumber(300));
    cJSON_ReplaceItemInObjectCaseSensitive(other, "fair_komi", cJSON_Parse(fair));
    assert_true(document_write(other, path, &error));
}

static void expect_interval(Interval interval, double low, double high) {
    assert_true(fabs(interval.low - low) < 1e-4 && fabs(interval.high - high) < 1e-4);
}

/* What a run says of its second family where its own highest rung has this value by the model, +- 0.1. */
static void expect_difference(const Run *run, double by_model, double difference, bool agrees) {
    const RungValue top = {.fair = {.by_model = by_model, .by_model_ci95 = {by_model - 0.1, by_model + 0.1}}};
    const double error = hypot(0.25, 0.1);
    cJSON *json = komi_second_to_json(run, &top);
    const cJSON *found = json_get(json, "difference"), *ci95 = json_get(found, "ci95");
    assert_true(fabs(json_get(found, "estimate")->valuedouble - difference) < 1e-4);
    expect_interval((Interval){cJSON_GetArrayItem(ci95, 0)->valuedouble, cJSON_GetArrayItem(ci95, 1)->valuedouble},
                    difference - error, difference + error);
    assert_int_equal(cJSON_IsTrue(json_get(json, "agrees")), agrees);
    cJSON_Delete(json);
}

/* Each number of another family has its place. */
static void second_family_is_what_its_result_says(void **unused) {
    (void)unused;
    static const char known[] = "{\"combined\": {\"estimate\": 6, \"ci95\": [5, 7], \"by_model\": 6.5, "
                                "\"by_model_ci95\": [6.25, 6.75]}, \"black_wins_up_to\": 5, \"white_wins_from\": 7}",
                      open[] = "{\"combined\": {\"estimate\": 6, \"ci95\": [6, 6], \"by_model\": 6.5, "
                               "\"by_model_ci95\": [6.25, 6.75]}, \"black_wins_up_to\": 5, \"white_wins_from\": null}";
    KomiConfig config = small_config(false);
    char other[FIXTURE_PATH_MAX];
    Error error;
    config.run.games = 10;
    cJSON *document = play(&komi_kind, &config.run);
    Run *run = open_run(&komi_kind, &config.run, records_path);
    snprintf(other, sizeof other, "%s.other.json", result_path);
    assert_null(komi_second(run));
    write_second(document, other, known);
    if (!komi_compare_with(run, other, &error))
        fail_msg("%s", error.text);
    const RungValue *second = komi_second(run);
    assert_true(second->effort == 40 && second->games == 300);
    assert_true(second->fair.pair_known && second->fair.black_wins_up_to == 5 && second->fair.white_wins_from == 7);
    assert_true(second->fair.combined == 6 && second->fair.by_model == 6.5);
    expect_interval(second->fair.combined_ci95, 5, 7);
    expect_interval(second->fair.by_model_ci95, 6.25, 6.75);
    expect_difference(run, 6.9, 0.4, true);
    expect_difference(run, 7, 0.5, false); /* +- 0.27 */
    expect_difference(run, 6, -0.5, false);
    write_second(document, other, open);
    assert_true(komi_compare_with(run, other, &error)); /* in place of the other */
    assert_false(komi_second(run)->fair.pair_known);
    expect_interval(komi_second(run)->fair.combined_ci95, 6, 6);
    run_free(run);
    cJSON_Delete(document);
}

/* A network is known by its hash; only where there is none, by its name. */
static void families_are_networks(void **unused) {
    (void)unused;
    static const struct {
        const char *player, *other;
        bool same;
    } cases[] = {
        {"{\"network\": \"a\", \"network_hash\": \"1\"}", "{\"network\": \"a\", \"network_hash\": \"2\"}", false},
        {"{\"network\": \"a\", \"network_hash\": \"1\"}", "{\"network\": \"b\", \"network_hash\": \"1\"}", true},
        {"{\"network\": \"a\", \"network_hash\": \"1\"}", "{\"network\": \"none\"}", false},
        {"{\"network\": \"none\"}", "{}", true}}; /* of before there were networks */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *player = cJSON_Parse(cases[i].player), *other = cJSON_Parse(cases[i].other);
        assert_int_equal(komi_same_family(player, other), cases[i].same);
        assert_int_equal(komi_same_family(other, player), cases[i].same);
        cJSON_Delete(player);
        cJSON_Delete(other);
    }
}

/* Without a ladder of equal sides there is no convergence that a second family could be part of. */
static void second_family_needs_a_ladder(void **unused) {
    (void)unused;
    char other[FIXTURE_PATH_MAX];
    Error error;
    snprintf(other, sizeof other, "%s.other.json", result_path);
    for (int upgrade = 0; upgrade < 2; upgrade++) {
        KomiConfig config = small_config(true);
        config.rungs = upgrade ? 2 : 1;
        config.upgrade = upgrade ? UPGRADE_BLACK : UPGRADE_NONE;
        cJSON *document = play(&komi_kind, &config.run);
        cJSON_DeleteItemFromObject(json_get(document, "settings"), "upgrade");
        write_other(document, other, NULL, "games", "77");
        assert_named(compare(other, &error) != NULL, &error,
                     upgrade ? "with an upgrade, expected a ladder of two rungs or more and two equal sides"
                             : "with one rung, expected a ladder of two rungs or more and two equal sides");
        config.rungs = 2; /* one that has no games yet makes no ladder */
        Run *run = open_run(&komi_kind, &config.run, records_path);
        assert_false(komi_compare_with(run, other, &error));
        run_free(run);
        cJSON_Delete(document);
        drop_files(NULL);
    }
}

static void book_is_made_again(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    cJSON *document = play(&book_kind, &config.run);
    expect_same(reread(), document);
    cJSON_Delete(document);
}

/* Replaces the records by packed ones. */
static void pack(char packed[FIXTURE_PATH_MAX]) {
    Error error;
    char *text = read_text(records_path);
    snprintf(packed, FIXTURE_PATH_MAX, "%s.zst", records_path);
    assert_true(zstd_file_write(packed, text, strlen(text), &error));
    free(text);
    assert_int_equal(unlink(records_path), 0);
}

static void packed_records_are_read(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    char packed[FIXTURE_PATH_MAX];
    cJSON *document = play(&komi_kind, &config.run);
    char *text = read_text(records_path);
    pack(packed);
    expect_same(reread(), document);
    assert_false(file_exists(records_path)); /* it was only read */
    int played;
    assert_int_equal(play_run(&komi_kind, &config.run, records_path, 2, 0, &played), RUN_DONE);
    assert_int_equal(played, 0); /* the run goes on from the packed games */
    char *unpacked = read_text(records_path);
    assert_string_equal(unpacked, text);
    free(unpacked);
    free(text);
    cJSON_Delete(document);
    unlink(packed);
}

/* Without every second game of the first rung no plan of this version has led to the others. */
static void plans_do_not_matter(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(true);
    cJSON *document = play(&komi_kind, &config.run), *rung;
    char *text = read_text(records_path), *kept = calloc(1, strlen(text) + 1);
    int games = 0, number = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (number++ % 2 == 0) {
            strcat(strcat(kept, line), "\n");
            games++;
        }
    write_text(records_path, kept);
    expect_run_refused(&komi_kind, &config.run, records_path, "not complete");
    Error error;
    cJSON_ArrayForEach(rung, json_get(document, "ladder")) cJSON_SetNumberValue(json_get(rung, "games"), games / 2);
    assert_true(document_write(document, result_path, &error));
    cJSON *json = reread();
    double counted = 0;
    cJSON_ArrayForEach(rung, json_get(json, "ladder")) counted += json_get(rung, "games")->valuedouble;
    assert_true(counted == games);
    cJSON_Delete(json);
    free(kept);
    free(text);
}

static void expect_refused(const char *word) {
    Error error = {.text = ""};
    cJSON *document;
    Run *run = reread_run(result_path, &document, &error);
    assert_null(document);
    assert_named(run != NULL, &error, word);
}

/* Lost games are no matter of the plan: what is left is not what the document says. */
static void lost_games_are_named(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    cJSON_Delete(play(&komi_kind, &config.run));
    char *text = read_text(records_path);
    *strstr(text, "{\"id\":\"8-") = '\0'; /* all games of the highest rung */
    write_text(records_path, text);
    free(text);
    expect_refused("run.records.jsonl: has 60 games of this run, expected the 120 that its result counts");
}

/* A damaged document may count more games than an int has room for. */
static void many_games_are_counted(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    cJSON *document = play(&komi_kind, &config.run), *rung;
    Error error;
    cJSON_ArrayForEach(rung, json_get(document, "ladder"))
        cJSON_ReplaceItemInObjectCaseSensitive(rung, "games", cJSON_CreateNumber(INT32_MAX));
    assert_true(document_write(document, result_path, &error));
    expect_refused("run.records.jsonl: has 120 games of this run, expected the 4294967294 that its result counts");
}

/* A number far beyond the others would need memory for all games before it. */
/* Errors name the file that is there. */
static void packed_records_are_named(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    char packed[FIXTURE_PATH_MAX];
    Error error;
    cJSON_Delete(play(&komi_kind, &config.run));
    pack(packed);
    char *text = zstd_file_read(packed, &(size_t){0}, &error);
    char *second = strchr(text, '\n') + 1;
    assert_true(zstd_file_write(packed, text, (size_t)(second - text), &error));
    expect_refused(".records.jsonl.zst: has 1 games of this run, expected ");
    *strstr(text, "\"run\"") = ' ';
    assert_true(zstd_file_write(packed, text, (size_t)(second - text), &error));
    expect_refused(".records.jsonl.zst: line 1");
    free(text);
    unlink(packed);
}

static void strange_numbers_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    cJSON_Delete(play(&komi_kind, &config.run));
    char *text = read_text(records_path);
    drop_checksums(text);
    char *last = strstr(text, "{\"id\":\"8-59\"");
    assert_non_null(last);
    FILE *file = fopen(records_path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s{\"id\":\"8-999999999\"%s", (int)(last - text), text, last + strlen("{\"id\":\"8-59\""));
    assert_int_equal(fclose(file), 0);
    free(text);
    expect_refused("game 8-999999999 is there, but most games before it are not");
}

static const cJSON *first_book(const cJSON *document) {
    return cJSON_GetArrayItem(json_get(document, "books"), 0);
}

static double number_of(const cJSON *json, const char *key) {
    return json_get(json, key)->valuedouble;
}

/* The games and wins of the positions of a book, by komi and depth: what no order of positions changes. */
static double checksum(const cJSON *book) {
    const cJSON *node, *result;
    double sum = 0;
    cJSON_ArrayForEach(node, json_get(book, "nodes")) {
        const double depth = (double)strlen(json_get(node, "line")->valuestring);
        cJSON_ArrayForEach(result, json_get(node, "results")) sum +=
            (1 + depth) * (100 + cJSON_GetArrayItem(result, 0)->valuedouble) *
            (cJSON_GetArrayItem(result, 1)->valuedouble + sqrt(cJSON_GetArrayItem(result, 2)->valuedouble));
    }
    return sum;
}

/* Plays a book whose files then are of another version. Returns the document. */
static cJSON *play_other_version(const BookConfig *config) {
    cJSON *document = play(&book_kind, &config->run);
    char *text = read_text(records_path), hash[20];
    snprintf(hash, sizeof hash, "%s", json_get(document, "run")->valuestring);
    drop_checksums(text);
    for (char *at = text; (at = strstr(at, hash)); at++)
        memcpy(at, "0123456789abcdef", 16);
    write_text(records_path, text);
    cJSON_ReplaceItemInObjectCaseSensitive(document, "run", cJSON_CreateString("0123456789abcdef"));
    Error error;
    assert_true(document_write(cJSON_Duplicate(document, true), result_path, &error));
    free(text);
    return document;
}

/* The rounds of another version are not those of this one, but they make the same tree. */
static void books_of_other_versions_are_read(void **unused) {
    (void)unused;
    static const char *const same[] = {"games",  "different_games", "positions", "inner",
                                       "judged", "exact",           "deepest",   "planned_after"};
    const BookConfig config = small_book();
    cJSON *document = play_other_version(&config), *again = reread();
    const cJSON *was = first_book(document), *is = first_book(again);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (number_of(was, same[i]) != number_of(is, same[i]))
            fail_msg("%s: %g, expected %g", same[i], number_of(is, same[i]), number_of(was, same[i]));
    assert_true(fabs(checksum(is) - checksum(was)) < 1e-6);
    assert_true(fabs(number_of(is, "fair_komi") - number_of(was, "fair_komi")) < 0.5);
    cJSON_Delete(again);
    cJSON_Delete(document);
}

/* In another order its positions might not have had room; they had. */
static void full_books_of_other_versions_are_read(void **unused) {
    (void)unused;
    BookConfig config = book_config_default(2);
    config.effort.simulations = 3;
    config.plan.leaf_games = 4;
    config.plan.solver_nodes = 0;
    config.plan.nodes = 60;
    make_small(&config.run, 600, &config.player);
    cJSON *document = play_other_version(&config), *again = reread();
    for (int i = 0; i < 2; i++) {
        const cJSON *was = cJSON_GetArrayItem(json_get(document, "books"), i),
                    *is = cJSON_GetArrayItem(json_get(again, "books"), i);
        assert_true(cJSON_IsTrue(json_get(was, "full")) && cJSON_IsTrue(json_get(is, "full")));
        assert_true(number_of(was, "games") == number_of(is, "games"));
        assert_true(number_of(is, "positions") > 20 && number_of(is, "positions") <= 60);
    }
    cJSON_Delete(again);
    cJSON_Delete(document);
}

/* Where a version did not say how far it planned, nobody knows it afterwards. */
static void unknown_plans_stay_unknown(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    Error error;
    cJSON *document = play_other_version(&config), *book;
    cJSON_ArrayForEach(book, json_get(document, "books"))
        cJSON_DeleteItemFromObjectCaseSensitive(book, "planned_after");
    assert_true(document_write(document, result_path, &error));
    cJSON *again = reread();
    assert_non_null(first_book(again));
    assert_null(json_get(first_book(again), "planned_after"));
    cJSON_Delete(again);
}

/* Plays a book for about `stop_after` games (0: to its end), and returns the document that the session leaves. */
static cJSON *play_session(const BookConfig *config, int stop_after) {
    Error error;
    Run *run = open_run(&book_kind, &config->run, records_path);
    play_open_run(run, 1, stop_after, NULL);
    const DocumentContext context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};
    cJSON *document = run->kind->document(run, &context, &error);
    run_free(run);
    assert_true(document_write(cJSON_Duplicate(document, true), result_path, &error));
    return document;
}

/* What a book has learnt without a game is the same again, too: in this version, and in others. */
static void decided_book_needs_no_games(void **unused) {
    (void)unused;
    BookConfig config = book_config_default(2);
    make_small(&config.run, 6, &config.player);
    cJSON *document = play_session(&config, 0);
    assert_true(number_of(document, "games") == 0 && number_of(first_book(document), "fair_komi") == 7);
    expect_same(reread(), document);
    Error error;
    cJSON_ReplaceItemInObjectCaseSensitive(document, "run", cJSON_CreateString("0123456789abcdef"));
    assert_true(document_write(cJSON_Duplicate(document, true), result_path, &error));
    expect_same(reread(), document);
    cJSON_ReplaceItemInObjectCaseSensitive(document, "games", cJSON_CreateNumber(6));
    assert_true(document_write(document, result_path, &error));
    expect_refused("has no games");
}

/* The second book has not begun. */
static void stopped_book_is_made_again(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    cJSON *document = play_session(&config, 30);
    expect_same(reread(), document);
    cJSON_Delete(document);
}

/* Plays a book as it says, and expects the same document from its files. Returns how many games of the first round it
 * has planned. */
static int expect_session_again(const BookConfig *config) {
    Error error;
    Run *run = open_run(&book_kind, &config->run, records_path);
    play_open_run(run, 1, 0, NULL);
    const int planned = run->groups[0].planned;
    const DocumentContext context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};
    cJSON *document = run->kind->document(run, &context, &error);
    run_free(run);
    assert_true(document_write(cJSON_Duplicate(document, true), result_path, &error));
    expect_same(reread(), document);
    cJSON_Delete(document);
    drop_files(NULL);
    return planned;
}

/* Where a session ends, its last round is planned or not, whatever ended it: the time, the width of the interval, or
 * the number of games just when a round was complete. */
static void ends_of_books_are_made_again(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    config.run.games = 1;
    const int first_round = expect_session_again(&config);
    config.run.games = first_round;
    assert_int_equal(expect_session_again(&config), first_round);
    config.run.games = 100000;
    config.until_width = 1000;
    assert_int_equal(expect_session_again(&config), first_round);
    config.until_width = 0;
    for (int i = 0; i < 6; i++) {
        config.run.seconds = 0.002 * i * i + 1e-6; /* until the first games, or until some rounds have been played */
        expect_session_again(&config);
    }
}

/* Of a document that does not say how far it planned, the usual end is taken. */
static void older_books_are_made_again(void **unused) {
    (void)unused;
    BookConfig config = small_book();
    cJSON *document = play_session(&config, 30), *book, *json;
    Error error;
    json = cJSON_Duplicate(document, true);
    cJSON_ArrayForEach(book, json_get(json, "books")) cJSON_DeleteItemFromObjectCaseSensitive(book, "planned_after");
    assert_true(document_write(json, result_path, &error));
    expect_same(reread(), document);
    cJSON_Delete(document);
}

/* A game that its book has no room for is named. */
static void books_that_are_too_small_are_refused(void **unused) {
    (void)unused;
    const BookConfig config = small_book();
    Error error;
    cJSON *document = play_other_version(&config);
    json_set(json_get(document, "settings"), "nodes", cJSON_CreateNumber(1));
    assert_true(document_write(document, result_path, &error));
    expect_refused("run.records.jsonl: game even-");
    expect_refused(": the book has more than 1 positions");
}

static void others_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    expect_refused("run.json");
    cJSON *document = play(&komi_kind, &config.run);
    char *text = read_text(records_path);
    write_text(records_path, "");
    expect_refused("has no games");
    drop_checksums(text);
    memcpy(strstr(text, "\"seed\":\"") + 8, "0", 1);
    write_text(records_path, text);
    expect_refused("has the seed");
    free(text);
    Error error;
    cJSON_ReplaceItemInObjectCaseSensitive(document, "run", cJSON_CreateString("0123456789abcdef"));
    assert_true(document_write(document, result_path, &error));
    expect_refused("another run");
    write_text(result_path, "{\"schema\": {\"name\": \"stigmergy-match\", \"version\": 1}}");
    expect_refused("not a result of a komi run or of an opening book");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(document_is_made_again, drop_files),
        cmocka_unit_test_teardown(guesses_come_from_the_document, drop_files),
        cmocka_unit_test_teardown(second_family_stays, drop_files),
        cmocka_unit_test_teardown(second_family_is_what_its_result_says, drop_files),
        cmocka_unit_test(families_are_networks),
        cmocka_unit_test_teardown(second_family_needs_a_ladder, drop_files),
        cmocka_unit_test_teardown(book_is_made_again, drop_files),
        cmocka_unit_test_teardown(packed_records_are_read, drop_files),
        cmocka_unit_test_teardown(packed_records_are_named, drop_files),
        cmocka_unit_test_teardown(plans_do_not_matter, drop_files),
        cmocka_unit_test_teardown(lost_games_are_named, drop_files),
        cmocka_unit_test_teardown(many_games_are_counted, drop_files),
        cmocka_unit_test_teardown(strange_numbers_are_refused, drop_files),
        cmocka_unit_test_teardown(books_of_other_versions_are_read, drop_files),
        cmocka_unit_test_teardown(full_books_of_other_versions_are_read, drop_files),
        cmocka_unit_test_teardown(unknown_plans_stay_unknown, drop_files),
        cmocka_unit_test_teardown(decided_book_needs_no_games, drop_files),
        cmocka_unit_test_teardown(stopped_book_is_made_again, drop_files),
        cmocka_unit_test_teardown(ends_of_books_are_made_again, drop_files),
        cmocka_unit_test_teardown(older_books_are_made_again, drop_files),
        cmocka_unit_test_teardown(books_that_are_too_small_are_refused, drop_files),
        cmocka_unit_test_teardown(others_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
