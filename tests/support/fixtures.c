/* See fixtures.h. */
#include "tests/support/fixtures.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"

#include <dirent.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

char folder[64] = "/tmp/stigmergy-test-XXXXXX";
char result_path[128], records_path[128];

int make_folder(void **unused) {
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    snprintf(result_path, sizeof result_path, "%s/run.json", folder);
    snprintf(records_path, sizeof records_path, "%s/run.records.jsonl", folder);
    return 0;
}

int drop_files(void **unused) {
    (void)unused;
    static const char *const patterns[] = {"run*.json", "run*.records.jsonl"};
    for (int i = 0; i < 2; i++) {
        char pattern[FIXTURE_PATH_MAX];
        glob_t found;
        in_folder(pattern, patterns[i]);
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t j = 0; j < found.gl_pathc; j++)
                unlink(found.gl_pathv[j]);
        globfree(&found);
    }
    return 0;
}

/* Removes a folder with its contents. */
static void drop_tree(const char *path) {
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char name[1024];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) != 0)
            drop_tree(name);
    }
    if (entries)
        closedir(entries);
    rmdir(path);
}

/* cmocka 1.1.5 ends with success where the tear-down of a group fails. So this ends the program. */
int drop_folder(void **unused) {
    (void)unused;
    if (rmdir(folder) == 0)
        return 0;
    char pattern[FIXTURE_PATH_MAX];
    glob_t left;
    perror(folder);
    in_folder(pattern, "*");
    if (glob(pattern, 0, NULL, &left) == 0)
        for (size_t i = 0; i < left.gl_pathc; i++)
            fprintf(stderr, "a test has left %s\n", left.gl_pathv[i]);
    globfree(&left);
    drop_tree(folder);
    exit(EXIT_FAILURE);
}

int drop_folder_with_contents(void **unused) {
    (void)unused;
    drop_tree(folder);
    return 0;
}

void in_folder(char path[FIXTURE_PATH_MAX], const char *name) {
    snprintf(path, FIXTURE_PATH_MAX, "%s/%s", folder, name);
}

char *read_text(const char *path) {
    Error error;
    char *text = file_read(path, NULL, &error);
    if (!text)
        fail_msg("%s", error.text);
    return text;
}

void expect_text(const char *path, const char *expected) {
    char *text = read_text(path);
    assert_string_equal(text, expected);
    free(text);
}

void write_text(const char *path, const char *text) {
    Error error;
    if (!file_write(path, text, strlen(text), &error))
        fail_msg("%s", error.text);
}

/* Removes `length` bytes at `at`. */
static void cut_out(char *at, size_t length) {
    memmove(at, at + length, strlen(at + length) + 1);
}

void drop_checksums(char *records) {
    static const char version[] = "\"version\":2,", check[] = ",\"check\":\"";
    for (char *at; (at = strstr(records, version)) != NULL;)
        cut_out(at, sizeof version - 1);
    for (char *at; (at = strstr(records, check)) != NULL;)
        cut_out(at, sizeof check - 1 + 17); /* with 16 digits and the quotation mark */
}

Player described_player(const Player *player) {
    Player read = player_default();
    Error error;
    cJSON *json = player_to_json(player);
    if (!player_from_json(json, "test", &read, &error))
        fail_msg("%s", error.text);
    cJSON *again = player_to_json(&read);
    assert_true(cJSON_Compare(json, again, true));
    cJSON_Delete(json);
    cJSON_Delete(again);
    return read;
}

void assert_says(const Error *error, const char *what) {
    if (!strstr(error->text, what))
        fail_msg("%s, expected an error with '%s'", error->text, what);
}

void assert_named(bool good, Error *error, const char *what) {
    if (good)
        fail_msg("no error, expected one with '%s'", what);
    assert_says(error, what);
    error->text[0] = '\0';
}
