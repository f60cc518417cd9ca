/* What tests of files and runs share: a temporary folder, the paths of a run in it, whole files, descriptions of
 * players, and errors that must name something. A test program has one folder. make_folder and drop_folder are the
 * set-up and tear-down of its group. */
#ifndef STIGMERGY_TESTS_SUPPORT_FIXTURES_H
#define STIGMERGY_TESTS_SUPPORT_FIXTURES_H

#include "selfplay/players/player.h"

enum { FIXTURE_PATH_MAX = 256 };

/* The folder, and the result document and the records of a run in it. Valid after make_folder. */
extern char folder[64], result_path[128], records_path[128];

int make_folder(void **unused);

/* Removes documents and records of a run and of its shards: run*.json and run*.records.jsonl. The tear-down of a
 * test. */
int drop_files(void **unused);

/* Removes the folder. If a test left something in it, that is named, and the program fails. */
int drop_folder(void **unused);

/* Removes the folder with its contents. */
int drop_folder_with_contents(void **unused);

/* The path of a file in the folder. */
void in_folder(char path[FIXTURE_PATH_MAX], const char *name);

/* Reads a whole file, to be freed. Fails the test if the file cannot be read. */
char *read_text(const char *path);

/* Fails the test unless the file has this text. */
void expect_text(const char *path, const char *expected);

/* Replaces a file by a text. Fails the test if that is impossible. */
void write_text(const char *path, const char *text);

/* Makes records of version 1 of those in a text, in place: without checksums, so that a test can change a line and meet
 * what is checked behind them. */
void drop_checksums(char *records);

/* What a player's description is read back as. Fails the test unless that has the same description again. */
Player described_player(const Player *player);

/* Fails the test unless an error names `what`. */
void assert_says(const Error *error, const char *what);

/* Fails the test unless something went wrong (`good` is false) with an error that names `what`. Then empties the error:
 * what says nothing the next time cannot pass for what was said before. */
void assert_named(bool good, Error *error, const char *what);

#endif
