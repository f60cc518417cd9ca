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

void run_tool_catch_signals(void) {
    signals_catch(SIGINT, ask_to_stop);
    signals_catch(SIGTERM, ask_to_stop);
}

const StopFlag *run_tool_stop(void) {
    return &stop_asked;
}

void run_tool_opened(const char *name, const char *path, bool torn, int repeated, int64_t played) {
    if (torn)
        fprintf(stderr, "%s: %s: the last line was torn and has been cut off; its game is played again\n", name, path);
    if (repeated)
        fprintf(stderr, "%s: %s: %d game%s stood twice in this file and count%s once\n", name, path, repeated,
                repeated == 1 ? "" : "s", repeated == 1 ? "s" : "");
    if (played)
        fprintf(stderr, "%s: going on after %lld game%s\n", name, (long long)played, played == 1 ? "" : "s");
}

static void print_quoted(FILE *out, const char *text) {
    fputc('\'', out);
    for (const char *c = text; *c; c++)
        fprintf(out, *c == '\'' ? "'\\''" : "%c", *c);
    fputc('\'', out);
}

void run_tool_print_word(FILE *out, const char *word) {
    const bool plain =
        *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%")];
    if (plain)
        fputs(word, out);
    else
        print_quoted(out, word);
}

/* A command: the program ("": left out), what follows it as it is, and the words behind argv[0]. NULL without memory.
 */
static char *format_command(const char *program, const char *name, int argc, char **argv) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    if (*program)
        run_tool_print_word(out, program);
    fputs(name, out);
    for (int i = 1; i < argc; i++) {
        fputc(' ', out);
        run_tool_print_word(out, argv[i]);
    }
    const bool whole = !ferror(out), closed = fclose(out) == 0;
    if (whole && closed)
        return text;
    free(text);
    return NULL;
}

char *run_tool_command(int argc, char **argv, Error *error) {
    char *command = format_command("", argv[0], argc, argv);
    if (!command)
        error_set(error, "out of memory for the command");
    return command;
}

int run_tool_stopped(int argc, char **argv) {
    const char *subcommand = strchr(argv[0], ' ');
    char *command = format_command(program_invocation_name, subcommand ? subcommand : "", argc, argv);
    fprintf(stderr, "%s: stopped; go on with%s%s\n", argv[0], command ? ": " : " the same command",
            command ? command : "");
    free(command);
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
