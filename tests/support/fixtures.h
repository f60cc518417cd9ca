/* What tests of files and runs share: a temporary folder, the paths of a run in it, whole files, errors that must name
 * something. A test program has one folder: make_folder and drop_folder are its group's set-up and tear-down. */
#ifndef STIGMERGY_TESTS_SUPPORT_FIXTURES_H
#define STIGMERGY_TESTS_SUPPORT_FIXTURES_H

#include "engine/base/error.h"

#include <stdbool.h>

enum { FIXTURE_PATH_MAX = 256 };

/* The folder, and in it the result document and the records of a run; valid after make_folder. */
extern char folder[64], result_path[128], records_path[128];

int make_folder(void **unused);

/* Removes documents and records of a run and of its shards: run*.json and run*.records.jsonl. Tear-down of a test. */
int drop_files(void **unused);

/* Removes the folder, and fails where a test left something in it. */
int drop_folder(void **unused);

/* Removes the folder with all that is in it. */
int drop_folder_with_contents(void **unused);

/* The path of a file in the folder. */
void in_folder(char path[FIXTURE_PATH_MAX], const char *name);

/* A whole file, to be freed; fails the test where it cannot be read. */
char *read_text(const char *path);

/* Replaces a file by a text; fails the test where it cannot be written. */
void write_text(const char *path, const char *text);

/* Fails the test unless something went wrong (`good` is false) with an error that names `what`. */
void assert_named(bool good, const Error *error, const char *what);

#endif
