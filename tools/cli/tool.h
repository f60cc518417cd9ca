/* A command of the stigmergy binary, and what all of them share.
 *
 * A command is a function like main: argv[0] is "stigmergy COMMAND", the name that its messages begin with. It returns
 * an exit status. Results go to standard output, whose write errors main reports at exit, so that a command only has to
 * stop writing; everything else goes to standard error. A command that is added needs its function and its table of
 * options here, a line in main.c, and a page in tools/man/. */
#ifndef STIGMERGY_TOOLS_CLI_TOOL_H
#define STIGMERGY_TOOLS_CLI_TOOL_H

#include "engine/base/error.h"
#include "engine/base/wall_time.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/document.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit statuses. */
enum { TOOL_DONE = 0, TOOL_FAILED = 1, TOOL_USAGE = 2, TOOL_INTERRUPTED = 130 };

typedef struct Tool {
    const char *name;        /* of the command */
    const char *summary;     /* a line for `stigmergy --help` */
    const struct argp *argp; /* its options (options.h) and the text of its --help */
    int (*run)(int argc, char **argv);
} Tool;

int tool_analyze(int argc, char **argv);
int tool_bench(int argc, char **argv);
int tool_book(int argc, char **argv);
int tool_estimate(int argc, char **argv);
int tool_gtp(int argc, char **argv);
int tool_komi(int argc, char **argv);
int tool_match(int argc, char **argv);
int tool_openings(int argc, char **argv);
int tool_merge(int argc, char **argv);
int tool_perft(int argc, char **argv);
int tool_play(int argc, char **argv);
int tool_report(int argc, char **argv);
int tool_selfplay(int argc, char **argv);
int tool_serve(int argc, char **argv);
int tool_solve(int argc, char **argv);
int tool_truth(int argc, char **argv);

extern const struct argp analyze_argp, bench_argp, book_argp, estimate_argp, gtp_argp, komi_argp, match_argp,
    merge_argp, openings_argp, perft_argp, play_argp, report_argp, selfplay_argp, serve_argp, solve_argp, truth_argp;

/* Reports an error on a line of standard error and returns the status, TOOL_FAILED where another try may succeed.
 * `name` is argv[0] of the command. */
static inline int tool_fail(const char *name, int status, const Error *error) {
    fprintf(stderr, "%s: %s\n", name, error->text);
    return error->passing ? TOOL_FAILED : status;
}

/* Writes a result to a file, or to standard output where `path` is NULL or "-". False with an error. */
static inline bool tool_write(const char *path, const char *text, size_t length, Error *error) {
    if (!path || !strcmp(path, "-")) {
        fwrite(text, 1, length, stdout); /* main looks after its errors */
        return true;
    }
    fflush(stdout); /* the path may name that too */
    return file_write(path, text, length, error);
}

/* The same with a document, which it deletes. */
static inline bool tool_write_document(cJSON *json, const char *path, Error *error) {
    char *text = document_text(json, error);
    const bool good = text && tool_write(path, text, strlen(text), error);
    free(text);
    return good;
}

#endif
