/* JSON, files, player descriptions and game records: good ones are read again unchanged, bad ones are named. */
#include "engine/base/rng.h"
#include "engine/base/utf8.h"
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/data_folder.h"
#include "selfplay/io/document.h"
#include "selfplay/io/exact_value.h"
#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/line_file.h"
#include "selfplay/io/text.h"
#include "selfplay/players/contest.h"
#include "selfplay/record/record.h"
#include "selfplay/record/record_file.h"
#include "selfplay/record/record_line.h"
#include "selfplay/runs/komi/config.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- JSON ---- */

static cJSON *parse(const char *text) {
    Error error;
    return json_parse(text, strlen(text), "test.json", &error);
}

static void values_are_read(void **unused) {
    (void)unused;
    cJSON *json = parse("{\"i\": -3, \"n\": 0.5, \"b\": true, \"s\": \"abc\", \"u\": \"18446744073709551615\", "
                        "\"a\": [1, 2, 3], \"o\": {}}");
    JsonReader reader = json_open(json, "test.json");
    int64_t i = 0, array[4], missing = 17;
    int count = 0;
    double n = 0;
    bool b = false;
    char s[8];
    uint64_t u = 0;
    json_int(&reader, "i", -10, 10, &i);
    json_int(&reader, "missing", 0, 1, &missing);
    json_number(&reader, "n", 0, 1, &n);
    json_bool(&reader, "b", &b);
    json_string(&reader, "s", s, sizeof s);
    json_u64(&reader, "u", &u);
    json_ints(&reader, "a", 0, 9, array, 4, &count);
    assert_non_null(json_object(&reader, "o"));
    Error error;
    assert_true(json_close(&reader, &error));
    assert_true(i == -3 && missing == 17 && n == 0.5 && b && !strcmp(s, "abc") && u == UINT64_MAX);
    assert_true(count == 3 && array[2] == 3);
    cJSON_Delete(json);
}

/* Reads {"i": whole 0..9, "s": string below 4 bytes, "a": whole numbers}. Expects an error that contains both words. */
static void expect_bad(const char *text, const char *word, const char *other) {
    cJSON *json = parse(text);
    JsonReader reader = json_open(json, "test.json");
    int64_t i = 0, array[2];
    int count = 0;
    char s[4] = "";
    json_int(&reader, "i", 0, 9, &i);
    json_string(&reader, "s", s, sizeof s);
    json_ints(&reader, "a", 0, 9, array, 2, &count);
    Error error = {.text = ""};
    assert_false(json_close(&reader, &error));
    assert_non_null(strstr(error.text, "test.json"));
    assert_non_null(strstr(error.text, word));
    assert_non_null(strstr(error.text, other));
    cJSON_Delete(json);
}

static void bad_values_are_named(void **unused) {
    (void)unused;
    expect_bad("{\"i\": 10}", "'i'", "from 0 to 9");
    expect_bad("{\"i\": 1.5}", "'i'", "whole number");
    expect_bad("{\"i\": \"1\"}", "'i'", "whole number");
    expect_bad("{\"i\": 1e300}", "'i'", "whole number");
    expect_bad("{\"s\": 3}", "'s'", "string");
    expect_bad("{\"s\": \"abcd\"}", "'s'", "at most 3");
    expect_bad("{\"a\": [1, 2, 3]}", "'a'", "at most 2");
    expect_bad("{\"a\": [\"x\"]}", "'a'", "array");
    expect_bad("{\"kk\": 1}", "'kk'", "expected one of i, s, a");
    expect_bad("{\"i\": 1, \"s\": \"x\", \"i\": 1}", "'i'", "twice");
    expect_bad("[]", "object", "test.json");
    Error error = {.text = ""};
    static const char *const broken[] = {"", "{", "{\"a\": 1} x", "{\n\n\"a\" 1}", "nul"};
    for (int i = 0; i < 5; i++)
        assert_null(json_parse(broken[i], strlen(broken[i]), "test.json", &error));
    assert_null(json_parse(broken[3], strlen(broken[3]), "test.json", &error));
    assert_non_null(strstr(error.text, "line 3"));
    assert_null(json_parse(broken[2], strlen(broken[2]), "test.json", &error));
    assert_says(&error, "test.json: goes on after the end of the JSON");
    assert_null(json_parse("{}\n{}\n", 6, "test.json", &error));
    assert_says(&error, "test.json: line 2 goes on after the end of the JSON");
}

/* Reads {"turns": whole 0..9} as the object 'o' of a document. */
static void expect_bad_inside(const char *text, const char *expected) {
    cJSON *json = parse(text);
    JsonReader reader = json_open_inside(json, "test.json", "'o'");
    int64_t i = 0;
    json_require(&reader, "turns");
    json_int(&reader, "turns", 0, 9, &i);
    Error error = {.text = ""};
    assert_named(json_close(&reader, &error), &error, expected);
    cJSON_Delete(json);
}

static void objects_inside_are_named(void **unused) {
    (void)unused;
    expect_bad_inside("{\"turns\": 10}", "test.json: 'turns' of 'o' is wrong, expected a whole number from 0 to 9");
    expect_bad_inside("{}", "test.json: 'turns' of 'o' is missing");
    expect_bad_inside("{\"turns\": 1, \"turns\": 1}", "test.json: 'turns' of 'o' is given twice");
    expect_bad_inside("{\"turns\": 1, \"trns\": 1}", "test.json: unknown key 'trns' of 'o', did you mean 'turns'?");
    expect_bad_inside("{\"turns\": 1, \"kkkk\": 1}", "test.json: unknown key 'kkkk' of 'o', expected one of turns");
    expect_bad_inside("3", "test.json: 'o' is wrong, expected an object");
}

/* cJSON takes a NUL byte for a blank, and ends a string at an escaped one. */
static void nul_bytes_are_wrong(void **unused) {
    (void)unused;
    static const char texts[][20] = {"{}\n\0", "\0{}", "{\n\0\"a\": 1}", "[1,\0 2]", "[\"\\\\\\u0000b\"]"};
    static const size_t lengths[] = {4, 3, 10, 8, 13};
    static const char *const words[] = {"json: line 2 has a NUL byte", "json: has a NUL byte", "json: line 2 has",
                                        "json: has a", "json: has a NUL byte"};
    Error error = {.text = ""};
    for (int i = 0; i < 5; i++) {
        assert_null(json_parse(texts[i], lengths[i], "test.json", &error));
        assert_says(&error, words[i]);
    }
    static const char backslash[] = "[\"\\\\u0000\"]", cut[] = "[\"\\u000";
    cJSON *json = json_parse(backslash, strlen(backslash), "test.json", &error);
    assert_string_equal(json->child->valuestring, "\\u0000");
    cJSON_Delete(json);
    assert_null(json_parse(cut, strlen(cut), "test.json", &error));
    assert_says(&error, "is not valid JSON");
}

static void expect_formatted(const char *text, const char *expected) {
    cJSON *json = cJSON_CreateArray();
    json_add_text(json, NULL, text);
    char *formatted = json_print(json);
    assert_string_equal(formatted, expected);
    free(formatted);
}

/* At the borders of UTF-8: the shortest and longest sequence of each length stays; overlong ones, surrogates and what
 * is beyond the last character become a replacement for each byte. */
static void texts_become_utf8(void **unused) {
    (void)unused;
    static const char *const good[] = {"\x7f",         "\xc2\x80",         "\xdf\xbf",     "\xe0\xa0\x80",
                                       "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xe0\xa0",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff"};
    char text[100];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "12345678[\"%s\"]", good[i]);
        expect_formatted(good[i], text + 8);
        for (const char *begin = text; *begin != '"'; begin++) /* wherever it lies among the others */
            assert_null(text_find_foreign(begin, strlen(begin)));
        assert_int_equal(text_character(good[i], strlen(good[i])), strlen(good[i]));
        assert_int_equal(text_character(good[i], strlen(good[i]) - 1), 0); /* cut */
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[20] = "[\"";
        for (size_t k = 0; k < strlen(bad[i]); k++)
            strcat(expected, "\xef\xbf\xbd");
        expect_formatted(bad[i], strcat(expected, "\"]"));
        snprintf(text, sizeof text, "12345678%s90123456", bad[i]);
        for (int begin = 0; begin <= 8; begin++)
            assert_ptr_equal(text_find_foreign(text + begin, strlen(text + begin)), text + 8);
    }
}

/* What others could not read is not read here either: a file, the line of one, and text that ends within a character.
 */
static void other_encodings_are_wrong(void **unused) {
    (void)unused;
    static const char *const texts[][2] = {{"{\"name\": \"M\xfcller\"}\n", "test.json: line 1 is not UTF-8"},
                                           {"{\n\"a\": 1,\n\"M\xfcller\": 1}\n", "test.json: line 3 is not UTF-8"},
                                           {"\"\xed\xa0\x80\"", "test.json: is not UTF-8"},
                                           {"\xc3", "test.json: is not UTF-8"},
                                           {"", "test.json: is empty"}};
    Error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(json_parse(texts[i][0], strlen(texts[i][0]), "test.json", &error));
        assert_string_equal(error.text, texts[i][1]);
    }
    static const char good[] = "{\"M\u00fcller\": \"\U0001f40d\"}";
    cJSON *json = json_parse(good, strlen(good), "test.json", &error);
    assert_string_equal(json->child->valuestring, "\U0001f40d");
    cJSON_Delete(json);
}

static void seeds_are_whole(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"-1",  "1.5", "\"\"", "\"-1\"", "\"1x\"", "\":\"", "\"18446744073709551616\"",
                                        "true"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"u\": %s}", wrong[i]);
        cJSON *json = parse(text);
        JsonReader reader = json_open(json, "test.json");
        uint64_t u = 17;
        json_u64(&reader, "u", &u);
        Error error;
        assert_named(json_close(&reader, &error), &error, "decimal digits, below 2^64");
        assert_int_equal(u, 17);
        cJSON_Delete(json);
    }
    cJSON *json = parse("{\"u\": 5}");
    JsonReader reader = json_open(json, "test.json");
    uint64_t u = 17;
    json_u64(&reader, "u", &u);
    assert_int_equal(u, 5);
    cJSON_Delete(json);
}

/* ---- Files ---- */

static void files_are_whole(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "a.json");
    Error error;
    size_t length;
    assert_true(file_write(path, "one", 3, &error));
    assert_true(file_write(path, "three", 5, &error));
    char *text = file_read(path, &length, &error);
    assert_string_equal(text, "three");
    assert_int_equal(length, 5);
    free(text);
    unlink(path);
    assert_null(file_read(path, &length, &error));
    assert_non_null(strstr(error.text, path));
    assert_null(file_read(folder, &length, &error));
    in_folder(path, "no/such/folder.json");
    assert_false(file_write(path, "x", 1, &error));
    assert_non_null(strstr(error.text, path));
}

/* What grows by lines is read back: a device or a pipe cannot be that. Reading does not wait for its writer. */
static void line_files_are_regular(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "fifo");
    LineFile file;
    Error error;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_named(line_file_open(&file, path, &error), &error, "expected a regular file");
    size_t length;
    assert_null(line_file_read(path, &length, &error));
    assert_says(&error, "expected a regular file");
    assert_null(file_read(path, &length, &error));
    assert_says(&error, "expected a regular file");
    unlink(path);
    assert_named(line_file_open(&file, folder, &error), &error, "directory");
}

/* Opening changes nothing; what is appended stands behind what is there, and a cut takes off the end. */
static void line_files_grow_and_are_cut(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "lines");
    LineFile file;
    Error error;
    assert_true(file_write(path, "a\ntorn", 6, &error));
    assert_true(line_file_open(&file, path, &error) && line_file_close(&file, &error));
    char *text = read_text(path);
    assert_string_equal(text, "a\ntorn");
    free(text);
    assert_true(line_file_open(&file, path, &error) && line_file_cut(&file, 2, &error));
    assert_true(line_file_append(&file, "new\n", 4, &error) && line_file_close(&file, &error));
    text = read_text(path);
    assert_string_equal(text, "a\nnew\n");
    free(text);
    unlink(path);
}

/* A symbolic link is followed and stays: what is removed is the empty file that it leads to. */
static void line_files_follow_links(void **unused) {
    (void)unused;
    char link[FIXTURE_PATH_MAX], target[FIXTURE_PATH_MAX];
    in_folder(link, "link");
    in_folder(target, "elsewhere");
    LineFile file;
    Error error;
    assert_int_equal(symlink("elsewhere", link), 0);
    assert_true(line_file_open(&file, link, &error) && line_file_remove_empty(&file, &error));
    assert_true(line_file_close(&file, &error));
    assert_false(file_exists(target));
    assert_true(line_file_open(&file, link, &error) && line_file_append(&file, "a\n", 2, &error));
    assert_true(line_file_remove_empty(&file, &error) && line_file_close(&file, &error));
    char *text = read_text(target);
    assert_string_equal(text, "a\n");
    free(text);
    unlink(target);
    unlink(link);
}

static void *let_go(void *descriptor) {
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    close(*(int *)descriptor);
    return NULL;
}

/* A writer waits for readers, not for another writer. */
static void line_files_wait_for_readers(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "lines");
    LineFile file, other;
    Error error;
    write_text(path, "a\n");
    int reader = open(path, O_RDONLY | O_CLOEXEC);
    pthread_t thread;
    assert_int_equal(flock(reader, LOCK_SH), 0);
    assert_int_equal(pthread_create(&thread, NULL, let_go, &reader), 0);
    assert_true(line_file_open(&file, path, &error));
    pthread_join(thread, NULL);
    assert_named(line_file_open(&other, path, &error), &error, "another process is writing to it");
    assert_true(error.passing);
    assert_true(line_file_close(&file, &error));
    unlink(path);
}

/* A full disk in the middle of a line: what was written of it is taken back, and the file can grow later. */
static void appends_that_fail_leave_whole_lines(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], line[3000];
    in_folder(path, "lines");
    LineFile file;
    Error error;
    struct rlimit before;
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    assert_true(line_file_open(&file, path, &error) && line_file_append(&file, "a\n", 2, &error));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, before.rlim_max}), 0);
    assert_named(line_file_append(&file, line, sizeof line, &error), &error, "lines: cannot write: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_true(line_file_append(&file, "b\n", 2, &error) && line_file_close(&file, &error));
    char *text = read_text(path);
    assert_string_equal(text, "a\nb\n");
    free(text);
    unlink(path);
}

/* The variable that names the data folder, to be restored by restore_variable; NULL: it is not set. */
static char *read_variable(void) {
    const char *value = getenv("STIGMERGY_DATA");
    return value ? strdup(value) : NULL;
}

static void restore_variable(char *value) {
    value ? setenv("STIGMERGY_DATA", value, 1) : unsetenv("STIGMERGY_DATA");
    free(value);
}

/* A path that is too long is named by its beginning, wherever it is made longer. */
static void long_paths_are_refused(void **unused) {
    (void)unused;
    char path[FILE_PATH_MAX + 10], out[FILE_PATH_MAX];
    Error error, damage = {.text = "damaged"};
    LineFile file;
    bool found;
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_named(line_file_open(&file, path, &error), &error, "ppp...: the path is too long");
    assert_named(file_write(path, "x", 1, &error), &error, "File name too long");
    assert_named(data_look("players", path, out, &found, &error), &error, "too long");
    assert_named(data_find("players", path, out, &error), &error, "too long");
    path[FILE_PATH_MAX - 4] = '\0';
    assert_named(file_path_in("folder", path, out, &error), &error, "the path is too long");
    assert_named(record_file_path(path, out, &error), &error, "ppp...: the path is too long");
    assert_named(record_file_path("folder/", out, &error), &error, "'folder/': is the path of a folder, expected");
    assert_named(document_set_aside(path, "", &damage, &error), &error, "File name too long");
    assert_named(data_find("players", "/no/such/player.json", out, &error), &error, "no such file");
}

/* Settings that stand on one side only make another run, whichever side it is. */
static void settings_on_one_side_are_named(void **unused) {
    (void)unused;
    static const DocumentSchema schema = {"test", 1, "a test"};
    const char *const more = "{\"seed\": 1, \"first_moves\": true}", *const less = "{\"seed\": 1}";
    char text[256];
    for (int i = 0; i < 4; i++) {
        cJSON *identity = cJSON_Parse(i & 1 ? more : less), *found = NULL;
        DocumentContext context;
        Error error, damage;
        snprintf(
            text, sizeof text,
            "{\"schema\": {\"name\": \"test\", \"version\": 1}, \"settings\": %s, \"started\": \"\", \"seconds\": 0}",
            i & 2 ? more : less);
        assert_true(file_write(result_path, text, strlen(text), &error));
        const bool good = document_resume(result_path, &schema, identity, &context, &found, &damage, &error);
        assert_int_equal(good, i == 0 || i == 3);
        if (!good)
            assert_named(good, &error, "'first_moves' is");
        cJSON_Delete(found);
        cJSON_Delete(identity);
    }
}

/* The first setting that differs is named by its path; of another version of the program the version is. */
static void other_runs_are_named(void **unused) {
    (void)unused;
    static const DocumentSchema schema = {"test", 1, "a test"};
    static const char *const cases[][2] = {
        {"{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 2}}}", "'player.b.c' is 2 there, 3 here"},
        {"{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 3, \"d\": 4}}}",
         "'player.b.d' is 4 there, the default"},
        {"{\"engine\": \"0.2.0\", \"player\": 5}", "'player' is 5 there, {"},
        {"{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 3}}, \"list\": [1, {\"e\": 2}, {\"e\": 5}]}",
         "'list[2].e' is 5 there, 4 here"},
        {"{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 3}}, \"list\": [1, {\"e\": 2}, {\"e\": 4, "
         "\"f\": 6}]}",
         "'list[2].f' is 6 there, the default"},
        {"{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 3}}, \"list\": [1, {\"e\": 2}]}",
         "'list' is [1,{\"e\":2}] there, [1,{\"e\":2},{\"e\":4}] here"},
        /* Version 0.1.3, which has written these, plays the games of 0.1.2, and has only estimated those of 0.1.0
           again. */
        {"{\"engine\": \"0.1.2\", \"player\": 5}", "version 0.1.2 is the first that plays its games"},
        {"{\"engine\": \"0.1.0\", \"player\": 5}", "version 0.1.0 is the first that plays its games"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *identity = cJSON_Parse("{\"engine\": \"0.2.0\", \"player\": {\"a\": 1, \"b\": {\"c\": 3}}, "
                                      "\"list\": [1, {\"e\": 2}, {\"e\": 4}]}"),
              *found = NULL;
        DocumentContext context;
        Error error, damage;
        char text[300];
        snprintf(text, sizeof text,
                 "{\"schema\": {\"name\": \"test\", \"version\": 1}, \"program\": {\"version\": \"0.1.3\", \"games\": "
                 "\"0.1.2\"}, "
                 "\"settings\": %s, \"started\": \"\", \"seconds\": 0}",
                 cases[i][0]);
        assert_true(file_write(result_path, text, strlen(text), &error));
        assert_named(document_resume(result_path, &schema, identity, &context, &found, &damage, &error), &error,
                     cases[i][1]);
        cJSON_Delete(identity);
    }
}

/* What was a document of this kind once is damaged, whatever is left of it. What says that it is something else is
 * refused. */
static void damage_is_told_from_other_documents(void **unused) {
    (void)unused;
    static const DocumentSchema schema = {"test", 2, "a test"};
#define TEST "{\"schema\": {\"name\": \"test\", \"version\": 2}, "
    static const struct {
        const char *text, *word;
        bool damaged;
    } cases[] = {
        {"", "is empty", true},
        {"{}", "is not a result of a test", true},
        {"[1]", "is not a result of a test", true},
        {"{\"shema\": {\"name\": \"test\", \"version\": 2}, \"settings\": {}}", "is not a result of a test", true},
        {"{\"schema\": {\"name\": \"test\"}}", "has schema version 0", true},
        {TEST "\"setings\": {}, \"started\": \"\", \"seconds\": 1}", "'settings', 'started'", true},
        {TEST "\"settings\": {}, \"started\": \"\", \"seconds\": \"1\"}", "'seconds' is missing", true},
        {TEST "\"settings\": {\"a\": 2}, \"started\": \"\", \"seconds\": 1}", "belongs to another run", false},
        {"{\"schema\": {\"name\": \"other\", \"version\": 2}}", "is not a result of a test", false},
        {"{\"schema\": {\"name\": \"other\"}, \"settings\": {}}", "is not a result of a test", false},
        {"{\"schema\": {\"name\": \"test\", \"version\": 3}}", "has schema version 3", false},
    };
#undef TEST
    cJSON *identity = cJSON_Parse("{\"a\": 1}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error damage, error = {.text = ""};
        DocumentContext context;
        cJSON *found;
        write_text(result_path, cases[i].text);
        const bool good = document_resume(result_path, &schema, identity, &context, &found, &damage, &error);
        if (good != cases[i].damaged || found || !strstr(good ? damage.text : error.text, cases[i].word) ||
            (good ? error.text : damage.text)[0])
            fail_msg("%s: damage '%s', error '%s'", cases[i].text, damage.text, error.text);
    }
    cJSON_Delete(identity);
}

/* A document of another program, of another version, or not whole is named. */
static void wrong_documents_are_named(void **unused) {
    (void)unused;
    static const DocumentSchema schema = {"test", 2, "a test"};
    static const char *const cases[][2] = {
        {"[1]", "is not a result of a test, expected schema name 'test'"},
        {"{\"schema\": \"test\"}", "is not a result of a test"},
        {"{\"schema\": {\"name\": \"other\", \"version\": 2}}", "is not a result of a test"},
        {"{\"schema\": {\"name\": \"test\", \"version\": 3}}", "has schema version 3, expected 2"},
        {"{\"schema\": {\"name\": \"test\"}}", "has schema version 0, expected 2"},
        {"{\"schema\": {\"name\": \"test\", \"version\": 2}, \"started\": \"\", \"seconds\": 1}",
         "'settings', 'started'"},
        {"{\"schema\": {\"name\": \"test\", \"version\": 2}, \"settings\": {}, \"started\": 5, \"seconds\": 1}",
         "'started'"},
        {"{\"schema\": {\"name\": \"test\", \"version\": 2}, \"settings\": {}, \"started\": \"\"}",
         "'seconds' is missing"},
        {"{\n \"schema\": }", "line 2 is not valid JSON"},
        {"", "json: is empty"},
    };
    DocumentContext context;
    Error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(result_path, cases[i][0]);
        assert_named(document_read(result_path, &schema, &context, &error) != NULL, &error, cases[i][1]);
    }
    write_text(result_path, "{\"schema\": {\"name\": \"test\", \"version\": 2}, \"settings\": {}, "
                            "\"started\": \"then\", \"seconds\": 3}");
    cJSON *json = document_read(result_path, &schema, &context, &error);
    assert_true(json && !strcmp(context.started, "then") && context.seconds == 3);
    cJSON_Delete(json);
    assert_named(document_read("/no/such/file.json", &schema, &context, &error) != NULL, &error, "/no/such/file.json");
}

/* Damaged documents are kept under names of their own, as long as there are such names. */
static void damaged_documents_are_kept(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], kept[2][FIXTURE_PATH_MAX], name[40];
    Error error, damage = {.text = "it is cut"};
    in_folder(path, "cut.json");
    in_folder(kept[0], "cut.json.damaged");
    in_folder(kept[1], "cut.json.damaged-2");
    assert_named(document_set_aside(path, "", &damage, &error), &error, "cut.json");
    for (int i = 0; i < 6; i++) { /* what is kept is not kept again */
        const char *cut = i % 2 ? "{\"cu" : "{\"cut";
        char expected[2 * FIXTURE_PATH_MAX];
        write_text(path, cut);
        damage = (Error){.text = "it is cut"};
        assert_true(document_set_aside(path, "by hand", &damage, &error));
        snprintf(expected, sizeof expected, "it is cut; kept as %s, and made again by hand", kept[i % 2]);
        assert_string_equal(damage.text, expected);
        char *text = read_text(kept[i % 2]);
        assert_string_equal(text, cut);
        free(text);
    }
    write_text(path, "{");
    for (int i = 3; i < 1000; i++) {
        snprintf(name, sizeof name, "cut.json.damaged-%d", i);
        in_folder(kept[1], name);
        write_text(kept[1], "");
    }
    assert_named(document_set_aside(path, "", &damage, &error), &error, "there is no name to keep it under");
    for (int i = 2; i < 1000; i++) {
        snprintf(name, sizeof name, "cut.json.damaged-%d", i);
        in_folder(kept[1], name);
        unlink(kept[1]);
    }
    unlink(kept[0]);
    unlink(path);
}

/* The name under which one is kept is said also where the path is long. */
static void long_names_are_told(void **unused) {
    (void)unused;
    char long_folder[FIXTURE_PATH_MAX], path[FIXTURE_PATH_MAX], kept[FIXTURE_PATH_MAX + 10], name[201];
    Error error, damage = {.text = "it is cut"};
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    in_folder(long_folder, name);
    assert_int_equal(mkdir(long_folder, 0700), 0);
    assert_true(snprintf(path, sizeof path, "%s/cut.json", long_folder) < (int)sizeof path);
    write_text(path, "{");
    error_prefix(&damage, "%s: ", path);
    assert_true(document_set_aside(path, "by hand", &damage, &error));
    assert_non_null(strstr(damage.text, "nnn/cut.json.damaged, and made again by hand"));
    snprintf(kept, sizeof kept, "%s.damaged", path);
    unlink(kept);
    unlink(path);
    rmdir(long_folder);
}

/* ---- The data folder ---- */

static void data_is_where_the_variable_says(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], out[FILE_PATH_MAX], *usual = read_variable();
    bool found;
    Error error;
    char too_long[FILE_PATH_MAX + 10];
    memset(too_long, 'p', sizeof too_long);
    too_long[0] = '/';
    too_long[sizeof too_long - 1] = '\0';
    setenv("STIGMERGY_DATA", folder, 1);
    assert_true(data_folder(out, &error));
    assert_string_equal(out, folder);
    assert_true(data_look("players", "mine", out, &found, &error) && !found);
    assert_named(data_find("players", "mine", out, &error), &error, "no configuration of this name in ");
    assert_named(data_find("players", folder, out, &error), &error, "expected a regular file");
    in_folder(path, "players");
    assert_int_equal(mkdir(path, 0777), 0);
    in_folder(path, "players/mines.json");
    write_text(path, "{}");
    assert_named(data_find("players", "mins", out, &error), &error, "players, did you mean 'mines'?");
    assert_named(data_find("players", "json", out, &error), &error, "a path has a slash");
    assert_named(data_find("players", "mines.jsonl", out, &error), &error, "mines.jsonl: no such file");
    unlink(path);
    in_folder(path, "players");
    rmdir(path);
    /* a file, where a folder is expected */
    write_text(path, "");
    assert_named(data_look("players", "mine", out, &found, &error), &error, "Not a directory");
    assert_named(data_find("players", "mine", out, &error), &error, "Not a directory");
    unlink(path);
    too_long[FILE_PATH_MAX - 5] = '\0';
    setenv("STIGMERGY_DATA", too_long, 1);
    assert_named(data_find("players", "mine", out, &error), &error, "the path is too long");
    too_long[FILE_PATH_MAX - 5] = 'p';
    setenv("STIGMERGY_DATA", too_long, 1);
    assert_named(data_folder(out, &error), &error, "STIGMERGY_DATA: the path is too long");
    assert_named(data_look("players", "mine", out, &found, &error), &error, "STIGMERGY_DATA");
    assert_named(data_find("players", too_long, out, &error), &error, "no such file");
    setenv("STIGMERGY_DATA", "", 1); /* as if it were not set */
    assert_true(data_find("players", "level-1", out, &error));
    restore_variable(usual);
}

/* Of a board that is not solved, its bounds go into a document; of a solved one, its values. */
static void bounds_are_of_boards_without_a_value(void **unused) {
    (void)unused;
    static const char bounds[] = "{\"moves\": \"\", \"proved\": false, \"value\": null, \"lower\": 1, \"upper\": 19}";
    static const char solved[] = "{\"moves\": \"\", \"proved\": true, \"value\": 7, \"lower\": 7, \"upper\": 7}";
    char board[FIXTURE_PATH_MAX], button[FIXTURE_PATH_MAX], exact[FIXTURE_PATH_MAX], *usual = read_variable();
    Error error;
    setenv("STIGMERGY_DATA", folder, 1);
    in_folder(exact, "exact");
    in_folder(board, "exact/stigmergy-2.json");
    in_folder(button, "exact/stigmergy-2-button.json");
    assert_true(file_make_folder(exact, &error));
    for (int is_solved = 0; is_solved < 2; is_solved++) {
        ProvedBounds found;
        cJSON *json = cJSON_CreateObject();
        write_text(board, is_solved ? solved : bounds);
        write_text(button, is_solved ? solved : bounds);
        assert_true(exact_bounds("stigmergy", 2, &found, &error) && found.known);
        assert_true(found.lower == (is_solved ? 7 : 1) && found.upper == (is_solved ? 7 : 19));
        assert_true(exact_bounds("stigmergy", 3, &found, &error) && !found.known);
        assert_true(exact_values_add(json, "stigmergy", 2, &error));
        assert_true(cJSON_HasObjectItem(json, "exact") == is_solved);
        assert_true(cJSON_HasObjectItem(json, "proved_bounds") == !is_solved);
        cJSON_Delete(json);
    }
    unlink(board);
    unlink(button);
    rmdir(exact);
    restore_variable(usual);
}

/* A value is exact only if it is that of the empty board, by the usual rules without a swap, and proved. */
static void exact_values_are_of_the_empty_board(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool known;
    } cases[] = {{"{\"moves\": \"\", \"proved\": true, \"value\": 7}", true},
                 {"{\"moves\": \"a1\", \"proved\": true, \"value\": 7}", false},
                 {"{\"proved\": true, \"value\": 7}", false},
                 {"{\"moves\": \"\", \"pie\": \"off\", \"capture\": \"free\", \"proved\": true, \"value\": 7}", true},
                 {"{\"moves\": \"\", \"pie\": \"on\", \"proved\": true, \"value\": 7}", false},
                 {"{\"moves\": \"\", \"capture\": \"line\", \"proved\": true, \"value\": 7}", false},
                 {"{\"moves\": \"\", \"proved\": false, \"value\": 7}", false},
                 {"{\"moves\": \"\", \"proved\": true, \"value\": \"7\"}", false}};
    char path[FIXTURE_PATH_MAX], exact[FIXTURE_PATH_MAX], *usual = read_variable();
    Error error;
    setenv("STIGMERGY_DATA", folder, 1);
    in_folder(exact, "exact");
    in_folder(path, "exact/stigmergy-2.json");
    assert_true(file_make_folder(exact, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        bool known;
        ExactValues both;
        write_text(path, cases[i].text);
        assert_true(exact_value("stigmergy", 2, false, &value, &known, &error));
        assert_true(known == cases[i].known && (!known || value == 7));
        assert_true(exact_values("stigmergy", 2, &both, &error) && !both.known); /* that with the button is missing */
    }
    write_text(path, "{\"moves\"");
    ExactValues both;
    assert_named(exact_values("stigmergy", 2, &both, &error), &error, "stigmergy-2.json");
    unlink(path);
    rmdir(exact);
    restore_variable(usual);
}

/* Sgolte usually has the swap, so that a document which does not say it is of the game with it. */
static void exact_values_are_without_the_swap(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *pie;
        bool known;
    } cases[] = {{"sgolte", "", false},
                 {"sgolte", "\"pie\": \"off\", ", true},
                 {"sgolte", "\"pie\": \"off\", \"capture\": \"line\", ", false},
                 {"bug", "", true},
                 {"bug", "\"pie\": \"on\", ", false}};
    char exact[FIXTURE_PATH_MAX], *usual = read_variable();
    Error error;
    setenv("STIGMERGY_DATA", folder, 1);
    in_folder(exact, "exact");
    assert_true(file_make_folder(exact, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[FIXTURE_PATH_MAX], name[32], text[120];
        Side winner;
        cJSON *document;
        snprintf(name, sizeof name, "exact/%s-2.json", cases[i].game);
        snprintf(text, sizeof text, "{\"moves\": \"\", %s\"proved\": true, \"value\": \"B\"}", cases[i].pie);
        in_folder(path, name);
        write_text(path, text);
        assert_true(exact_document(cases[i].game, 2, 0, &document, &error));
        assert_int_equal(exact_winner(document, NULL, 0, &winner), cases[i].known);
        cJSON_Delete(document);
        unlink(path);
    }
    rmdir(exact);
    restore_variable(usual);
}

/* ---- Records ---- */

#define WHOLE "{\"id\":\"4-0\"}\n"

/* What a power loss leaves of the last line is left out. Only of a record that is a file's first line the text itself
 * must tell that it is one. */
static void torn_records_are_left_out(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int length, whole; /* -1: an error */
    } cases[] = {{"", 0, 0},
                 {WHOLE, 13, 13},
                 {WHOLE WHOLE, 26, 26},
                 {WHOLE "{\"id\":\"4-1\"}", 25, 13},
                 {WHOLE "#####\n", 19, 13},
                 {WHOLE "#", 14, 13},
                 {WHOLE "\0\0\0\n", 17, 13},
                 {"{", 1, 0},
                 {"{\"id\":\"4-0\"}", 12, 0},
                 {"\0\0\0\0\0\0\0\0\0\0\0\0\n", 13, 0},
                 {"\0\0\0\0\0\0\0\0\0\0\0\0\0", 13, 0},
                 {"{\"id\":\"4\0\0\0\0\n", 13, 0},
                 {"\0\0\0\0\0\0x4-0\"}\n", 13, -1},
                 {"\0\0\0\0\0\0\0"
                  "4-0\"}\n",
                  13, 0},
                 {"\n", 1, -1},
                 {"notes", 5, -1},
                 {"notes\n", 6, -1},
                 {"\0notes\n", 7, -1},
                 {"{\"id\":\"4-0\"\n", 12, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = (size_t)cases[i].length;
        Error error;
        const bool good = record_lines_whole("run.records.jsonl", cases[i].text, &length, &error);
        size_t again = (size_t)cases[i].length; /* also where nobody wants to know why */
        assert_int_equal(record_lines_whole("run.records.jsonl", cases[i].text, &again, NULL), good);
        assert_int_equal(again, length);
        assert_int_equal(good, cases[i].whole >= 0);
        if (good)
            assert_int_equal(length, cases[i].whole);
        else
            assert_non_null(strstr(error.text, "run.records.jsonl: line 1 is no record"));
    }
}

/* ---- Players ---- */

static void players_round_trip(void **unused) {
    (void)unused;
    Player player = playout_player();
    strcpy(player.name, "other");
    player.simulations = 0;
    player.move_seconds = 0.25;
    player.memory_mb = 8;
    player.search_threads = 2;
    player.params = (SearchParams){.playout_policy = PLAYOUT_UNIFORM,
                                   .playouts = 3,
                                   .static_eval = 0.5,
                                   .expand_visits = 2,
                                   .rave_equivalence = 123.5,
                                   .prior_playouts = 7,
                                   .prior_slope = 0.3,
                                   .solver_share = 0.2,
                                   .solver_open = 11,
                                   .solver_carriers_open = 12,
                                   .exploration = 0.1,
                                   .fpu = 0.25};
    Player read = described_player(&player);
    assert_int_equal(read.params.playouts, 3);
    assert_true(read.params.rave_equivalence == 123.5);
    player.params.selection = SELECTION_PUCT;
    player.params.puct = 1.5;
    player.params.fpu_reduction = 0.125;
    player.params.score = 0.75;
    read = described_player(&player);
    assert_true(read.params.selection == SELECTION_PUCT && read.params.puct == 1.5);
    assert_true(read.params.fpu_reduction == 0.125 && read.params.score == 0.75);
}

static void bad_players_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *word;
    } cases[] = {{"{\"simulations\": 0}", "move_time"},
                 {"{\"search\": 3}", "search"},
                 {"{\"search\": {\"rave\": -1}}", "rave"},
                 {"{\"search\": {\"raev\": 1}}", "raev"},
                 {"{\"memory_mb\": 0}", "memory_mb"},
                 {"{\"search\": {\"playout_policy\": \"x\"}}", "uniform"},
                 {"{\"search\": {\"selection\": \"uct\"}}", "rave or puct"},
                 {"{\"search\": {\"playouts\": -1}}", "playouts"},
                 {"3", "object"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *json = parse(cases[i].text);
        Player player = player_default();
        Error error = {.text = ""};
        assert_false(player_from_json(json, "test", &player, &error));
        assert_non_null(strstr(error.text, cases[i].word));
        cJSON_Delete(json);
    }
    Player player = player_default();
    Error error;
    assert_false(player_load("no-such-player", &player, &error));
    assert_false(player_load("../../etc/passwd", &player, &error));
}

/* ---- Records ---- */

static void play_random(const Game *game, GameRecord *record, int komi, uint64_t seed) {
    Rng rng = rng_seed(seed);
    GameState state;
    Error error;
    record_clear(record);
    record->komi = komi;
    record->seed = seed;
    strcpy(record->id, "r-1");
    strcpy(record->run, "run");
    game->rules->start(game, &state, komi);
    while (!game->rules->over(&state)) {
        Action actions[GAME_LEGAL_MAX];
        const int count = game->rules->legal(game, &state, actions);
        const Action action = actions[count - 1] >= 128 * game->board.words ? actions[count - 1]
                                                                            : actions[rng_below(&rng, (uint32_t)count)];
        assert_true(record_add(record, action, &error));
        game->rules->apply(game, &state, action);
    }
    record->result = game->rules->result(game, &state);
}

static void records_round_trip(void **unused) {
    (void)unused;
    for (int size = 2; size <= 10; size += 2) {
        Error error;
        Game *game = game_new(&(GameOptions){.size = size}, &error);
        GameRecord record = {0}, read = {0};
        for (int komi = -1; komi <= 2; komi++) {
            play_random(game, &record, komi, UINT64_MAX - (uint64_t)komi);
            char *line = record_to_line(&record, game, &error);
            assert_non_null(line);
            assert_true(record_from_line(line, strlen(line), "test", game, &read, &error));
            assert_int_equal(read.count, record.count);
            assert_memory_equal(read.actions, record.actions, (size_t)record.count * sizeof(Action));
            assert_int_equal(read.seed, record.seed);
            assert_int_equal(read.result.half_points, record.result.half_points);
            assert_int_equal(record_canonical_hash(&read, game), record_canonical_hash(&record, game));
            char *again = record_to_line(&read, game, &error);
            assert_string_equal(line, again);
            free(line);
            free(again);
        }
        record_free(&record);
        record_free(&read);
        game_free(game);
    }
}

static void symmetric_games_are_one(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 5}, &error);
    GameRecord record = {0}, other = {0};
    play_random(game, &record, 1, 5);
    const uint64_t hash = record_canonical_hash(&record, game);
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        record_clear(&other);
        other.komi = 1;
        for (int i = 0; i < record.count; i++)
            record_add(&other, game->rules->symmetry(game, map, record.actions[i]), &error);
        assert_int_equal(record_canonical_hash(&other, game), hash);
    }
    other.komi = 3;
    assert_int_not_equal(record_canonical_hash(&other, game), hash);
    other.komi = 1;
    other.count--;
    assert_int_not_equal(record_canonical_hash(&other, game), hash);
    record_free(&record);
    record_free(&other);
    game_free(game);
}

/* Replaces the first `from` in the line by `to`. Expects that the result is rejected with an error that contains
 * `word`. */
static void expect_bad_record(const Game *game, const char *line, const char *from, const char *to, const char *word) {
    char changed[8192];
    const char *at = strstr(line, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - line), line, to, at + strlen(from));
    GameRecord record = {0};
    Error error = {.text = ""};
    assert_false(record_from_line(changed, strlen(changed), "FILE", game, &record, &error));
    assert_non_null(strstr(error.text, "FILE"));
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    record_free(&record);
}

static void damaged_records_are_named(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    GameRecord record = {0};
    play_random(game, &record, 1, 11);
    char *line = record_to_line(&record, game, &error);
    expect_bad_record(game, line, "\"seed\":\"11", "\"seed\":\"12", "was changed");
    expect_bad_record(game, line, "\"black\":\"", "\"black\":\"x", "was changed");
    expect_bad_record(game, line, "\"moves\":[", "\"moves\": [", "was changed");
    expect_bad_record(game, line, "\"check\":\"", "\"check\":\"0", "'check' is missing or not the last key");
    expect_bad_record(game, line, "\"version\":2", "\"version\":3", "'version' is wrong, expected 2");
    expect_bad_record(game, line, "\"version\":2", "\"version\":1", "'version' is wrong, expected 2");
    expect_bad_record(game, line, "\"version\":2,", "", "'version' is wrong, expected 2");
    drop_checksums(line);
    assert_true(record_from_line(line, strlen(line), "test", game, &record, &error));
    expect_bad_record(game, line, "\"size\":3", "\"size\":4", "hexhex-3");
    expect_bad_record(game, line, "stigmergy", "bug", "stigmergy");
    expect_bad_record(game, line, "\"komi\":1", "\"komi\":2", "button");
    expect_bad_record(game, line, "\"komi\":1", "\"komi\":\"1\"", "komi");
    expect_bad_record(game, line, "\"moves\":[", "\"moves\":[\"pass\",", "move 1");
    expect_bad_record(game, line, "\"moves\":[", "\"moves\":[7,", "strings");
    expect_bad_record(game, line, ",\"pass\"]", "]", "do not end");
    expect_bad_record(game, line, "\"margin\":", "\"margin\":1", "does not follow from its moves");
    expect_bad_record(game, line, "\"reason\":\"score\"", "\"extra\":1", "reason");
    expect_bad_record(game, line, "\"score\"", "\"no-move\"", "'reason' is wrong, expected score, illegal");
    expect_bad_record(game, line, "\"score\"", "\"resign\"", "forfeited, but the moves end the game");
    expect_bad_record(game, line, "\"reason\"", "\"opening\":999,\"reason\"", "its opening is longer than the game");
    expect_bad_record(game, line, "{", "", "JSON");
    record_free(&record);
    free(line);
    game_free(game);
}

/* A move is a turn, however many actions it has. */
static void moves_are_counted_by_turns(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.name = "bug", .size = 4}, &error);
    GameRecord record = {0};
    GameState state;
    Rng rng = rng_seed(1);
    int turns = 0;
    strcpy(record.id, "r-1");
    game->rules->start(game, &state, 0);
    while (record.count == turns || !game->rules->turn_start(&state)) { /* until a turn of several actions has ended */
        assert_false(game->rules->over(&state));
        turns += game->rules->turn_start(&state);
        const Action action = game_random_action(game, &state, &rng);
        assert_true(record_add(&record, action, &error));
        game->rules->apply(game, &state, action);
    }
    record_forfeit(&record, WHITE, END_RESIGN, "");
    char *line = record_to_line(&record, game, &error), word[40];
    drop_checksums(line);
    snprintf(word, sizeof word, "game r-1: move %d: ", turns + 1);
    expect_bad_record(game, line, "\"],\"winner\"", "\",\"nosuch\"],\"winner\"", word);
    free(line);
    record_free(&record);
    game_free(game);
}

/* A record says what variant was played, where that is not the usual one. Older ones say nothing. */
static void records_know_variants(void **unused) {
    (void)unused;
    static const char keys[] = "\"capture\":\"line\",\"pie\":\"off\",";
    Error error;
    Game *usual = game_new(&(GameOptions){.name = "sgolte", .size = 3, .pie = GAME_PIE_ON}, &error),
         *other = game_new(
             &(GameOptions){.name = "sgolte", .size = 3, .capture = GAME_CAPTURE_LINE, .pie = GAME_PIE_OFF}, &error);
    const Game *const games[] = {usual, other};
    char lines[2][4096];
    GameRecord record = {0};
    for (int i = 0; i < 2; i++) {
        record_clear(&record);
        strcpy(record.id, "r-1");
        record_forfeit(&record, WHITE, END_RESIGN, "");
        char *line = record_to_line(&record, games[i], &error);
        assert_true(record_from_line(line, strlen(line), "test", games[i], &record, &error));
        snprintf(lines[i], sizeof lines[i], "%s", line);
        drop_checksums(lines[i]);
        free(line);
    }
    assert_null(strstr(lines[0], "\"capture\"") || strstr(lines[0], "\"pie\"") ? lines[0] : NULL);
    expect_bad_record(usual, lines[1], "\"id\"", "\"id\"", "game r-1: 'capture' is wrong");
    expect_bad_record(usual, lines[1], "\"capture\":\"line\",", "", "game r-1: 'pie' is wrong");
    expect_bad_record(other, lines[1], "\"line\"", "\"free\"", "game r-1: 'capture' is wrong");
    expect_bad_record(other, lines[1], "\"line\"", "\"lines\"", "'lines', expected free or line");
    char *at = strstr(lines[1], keys);
    assert_non_null(at);
    memmove(at, at + strlen(keys), strlen(at + strlen(keys)) + 1);
    assert_string_equal(lines[0], lines[1]);
    for (int i = 0; i < 2; i++)
        assert_true(record_from_line(lines[0], strlen(lines[0]), "test", games[i], &record, &error));
    record_free(&record);
    game_free(usual);
    game_free(other);
}

/* ---- Contests ---- */

static void contests_repeat(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    Player player = playout_player();
    player.simulations = 50;
    char *lines[2];
    for (int i = 0; i < 2; i++) {
        Search *black = player_new_search(&player, NULL, game, 99, &error),
               *white = player_new_search(&player, NULL, game, 98, &error);
        Seat *const seats[2] = {&(Seat){&player, black, NULL}, &(Seat){&player, white, NULL}};
        GameRecord record = {.komi = 3, .seed = 5};
        assert_int_equal(contest_play(game, seats, &(ContestStop){0}, &record, &error), CONTEST_FINISHED);
        lines[i] = record_to_line(&record, game, &error);
        StopFlag stop = {0};
        stop_flag_set(&stop);
        record_clear(&record);
        assert_int_equal(contest_play(game, seats, &(ContestStop){.flag = &stop}, &record, &error), CONTEST_STOPPED);
        record_free(&record);
        search_free(black);
        search_free(white);
    }
    assert_string_equal(lines[0], lines[1]);
    free(lines[0]);
    free(lines[1]);
    game_free(game);
}

/* ---- Configurations ---- */

static void expect_bad_config(const char *text, const char *word) {
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "config.json");
    Error error = {.text = ""};
    KomiConfig config = komi_config_default(5);
    assert_true(file_write(path, text, strlen(text), &error));
    const bool good = run_config_load(path, &config.run, &error) && run_config_check(&config.run, &error);
    unlink(path);
    assert_false(good);
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
}

static void bad_configs_are_named(void **unused) {
    (void)unused;
    expect_bad_config("{\"size\": 11}", "'size' is wrong, expected a whole number from 2 to 10");
    expect_bad_config("{\"size\": \"five\"}", "'size'");
    expect_bad_config("{\"sizes\": 5}", "unknown key 'sizes'");
    expect_bad_config("{\"komi_range\": []}", "komi_range");
    expect_bad_config("{\"komi_range\": [0]}", "komi_range");
    expect_bad_config("{\"komi_range\": [4, 2]}", "komi_range");
    expect_bad_config("{\"komi_range\": [0, 100]}", "komi_range");
    expect_bad_config("{\"parity\": \"none\"}", "parity");
    expect_bad_config("{\"ladder\": [800, 200]}", "ladder");
    expect_bad_config("{\"ladder\": 800}", "ladder");
    expect_bad_config("{\"ladder\": []}", "empty");
    expect_bad_config("{\"ladder\": [1], \"move_time\": 1}", "exclude");
    expect_bad_config("{\"parity\": \"\"}", "parity");
    expect_bad_config("{\"player\": 3}", "object");
    expect_bad_config("{\"player\": {\"simulations\": -1}}", "config.json: player: 'simulations' is wrong");
    expect_bad_config("{\"player\": {\"search\": {\"depth\": 3}}}", "unknown key 'depth' of 'search'");
    expect_bad_config("{\"games\": 0}", "games");
    expect_bad_config("{\"seed\": \"-1\"}", "seed");
    expect_bad_config("{\"komi_range\": [3, 3], \"parity\": \"even\"}", "parity");
    expect_bad_config("{\"komi_range\": 3}", "komi_range");
    expect_bad_config("{\"first_moves\": \"all\"}", "first_moves");
    expect_bad_config("{\"first_moves\": 1}", "first_moves");
    expect_bad_config("{\"upgrade\": \"both\"}", "upgrade");
    expect_bad_config("{\"parity\": 4}", "parity");
}

static void identity_is_of_the_games(void **unused) {
    (void)unused;
    KomiConfig config = komi_config_default(4);
    char hash[3][20];
    Error error;
    assert_true(run_config_hash(&config.run, hash[0], &error));
    config.run.games = 7;
    config.run.seconds = 3;
    config.until_width = 1;
    assert_true(run_config_hash(&config.run, hash[1], &error));
    assert_string_equal(hash[0], hash[1]);
    config.run.seed = 2;
    assert_true(run_config_hash(&config.run, hash[2], &error));
    assert_string_not_equal(hash[0], hash[2]);
}

static void json_is_written(void **unused) {
    (void)unused;
    cJSON *json = cJSON_CreateObject(), *list;
    json_add_text(json, "a\"", "\\\n\x01 \xc3\xa9 \xff\xc3 \xed\xa0\x80 \xf0\x9f\x98\x80");
    list = cJSON_AddArrayToObject(json, "b");
    json_add_number(list, NULL, 0.5);
    json_add_number(list, NULL, 2.0 / 3);
    json_add_number(list, NULL, 1e9);
    json_add_number(list, NULL, INFINITY);
    json_add_text_or_null(json, "c", "");
    json_add_text_or_null(json, "d", "");
    assert_true(json_set(json, "d", cJSON_CreateString("text")));
    assert_false(json_set(json, "d", NULL));
    assert_true(json_set(json, "e", cJSON_CreateNumber(7)));
    assert_false(json_set(NULL, "e", cJSON_CreateNumber(8)));
    char *text = json_print(json);
    assert_string_equal(text, "{\"a\\\"\":\"\\\\\\n\\u0001 \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd "
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x98\x80\","
                              "\"b\":[0.5,0.666667,1000000000,null],\"c\":null,\"d\":\"text\",\"e\":7}");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_written),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(bad_values_are_named),
        cmocka_unit_test(objects_inside_are_named),
        cmocka_unit_test(files_are_whole),
        cmocka_unit_test(texts_become_utf8),
        cmocka_unit_test(other_encodings_are_wrong),
        cmocka_unit_test(seeds_are_whole),
        cmocka_unit_test(nul_bytes_are_wrong),
        cmocka_unit_test(line_files_are_regular),
        cmocka_unit_test(line_files_grow_and_are_cut),
        cmocka_unit_test(line_files_follow_links),
        cmocka_unit_test(line_files_wait_for_readers),
        cmocka_unit_test(torn_records_are_left_out),
        cmocka_unit_test(appends_that_fail_leave_whole_lines),
        cmocka_unit_test(long_paths_are_refused),
        cmocka_unit_test(players_round_trip),
        cmocka_unit_test(bad_players_are_refused),
        cmocka_unit_test(records_round_trip),
        cmocka_unit_test(symmetric_games_are_one),
        cmocka_unit_test(damaged_records_are_named),
        cmocka_unit_test(moves_are_counted_by_turns),
        cmocka_unit_test(records_know_variants),
        cmocka_unit_test_teardown(settings_on_one_side_are_named, drop_files),
        cmocka_unit_test_teardown(other_runs_are_named, drop_files),
        cmocka_unit_test_teardown(damage_is_told_from_other_documents, drop_files),
        cmocka_unit_test_teardown(wrong_documents_are_named, drop_files),
        cmocka_unit_test(damaged_documents_are_kept),
        cmocka_unit_test(long_names_are_told),
        cmocka_unit_test(data_is_where_the_variable_says),
        cmocka_unit_test(exact_values_are_of_the_empty_board),
        cmocka_unit_test(exact_values_are_without_the_swap),
        cmocka_unit_test(bounds_are_of_boards_without_a_value),
        cmocka_unit_test(contests_repeat),
        cmocka_unit_test(bad_configs_are_named),
        cmocka_unit_test(identity_is_of_the_games),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
