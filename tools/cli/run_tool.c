/* See run_tool.h. */
#define _GNU_SOURCE /* program_invocation_name */
#include "tools/cli/run_tool.h"

#include "tools/cli/signals.h"
#include "tools/cli/tool.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static StopFlag stop_asked;

static void ask_to_stop(int signal) {
    if (stop_flag_is_set(&stop_asked))
        signals_end(signal);
    stop_flag_set(&stop_asked);
}

const StopFlag *run_tool_catch_signals(void) {
    signals_catch(SIGINT, ask_to_stop);
    signals_catch(SIGTERM, ask_to_stop);
    return &stop_asked;
}

void run_tool_opened(const char *name, const char *path, bool torn, int repeated, int64_t played) {
    if (torn)
        fprintf(stderr, "%s: %s: the last line was torn and has been cut off; its game is played again\n", name, path);
    if (repeated)
        fprintf(stderr, "%s: %s: %d games stood there twice and count once\n", name, path, repeated);
    if (played)
        fprintf(stderr, "%s: going on after %lld games\n", name, (long long)played);
}

/* Appends as much of `text` as there is room for. */
static void append(char *out, size_t size, const char *text) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

static void append_quoted(char *out, size_t size, const char *text) {
    append(out, size, "'");
    for (const char *c = text; *c; c++)
        append(out, size, *c == '\'' ? "'\\''" : (char[]){*c, '\0'});
    append(out, size, "'");
}

/* A word of a command, quoted where a shell would read it otherwise. */
static void append_word(char *out, size_t size, const char *word) {
    const bool plain =
        *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%")];
    (plain ? append : append_quoted)(out, size, word);
}

void run_tool_command(int argc, char **argv, char *out, size_t size) {
    snprintf(out, size, "%s", argv[0]);
    for (int i = 1; i < argc; i++) {
        append(out, size, " ");
        append_word(out, size, argv[i]);
    }
}

int run_tool_stopped(int argc, char **argv) {
    static char command[1 << 16];
    const char *subcommand = strchr(argv[0], ' ');
    run_tool_command(argc, argv, command, sizeof command);
    char program[1 << 13] = "";
    append_word(program, sizeof program, program_invocation_name);
    fprintf(stderr, "%s: stopped; go on with: %s%s\n", argv[0], program,
            subcommand ? command + (subcommand - argv[0]) : "");
    return TOOL_INTERRUPTED;
}

int run_tool_end(Run *run, int status, const char *name) {
    Error error;
    const bool went_well = status == TOOL_DONE || status == TOOL_INTERRUPTED;
    if (run && !run_close(run, &error) && went_well)
        status = tool_fail(name, TOOL_FAILED, &error);
    run_free(run);
    return status;
}
