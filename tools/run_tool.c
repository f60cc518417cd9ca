/* See run_tool.h. */
#define _GNU_SOURCE /* program_invocation_name */
#include "run_tool.h"

#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static atomic_bool stop_asked;

bool run_tool_records_path(const char *out, char path[FILE_PATH_MAX], Error *error) {
    const size_t length = strlen(out);
    const size_t stem = length > 5 && !strcmp(out + length - 5, ".json") ? length - 5 : length;
    if (length + 16 > FILE_PATH_MAX)
        return error_set(error, "--out: the path is too long");
    snprintf(path, FILE_PATH_MAX, "%.*s.records.jsonl", (int)stem, out);
    return true;
}

static void ask_to_stop(int signal) {
    (void)signal;
    atomic_store(&stop_asked, true);
}

const atomic_bool *run_tool_catch_signals(void) {
    static bool caught;
    const struct sigaction once = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND}; /* the second one kills */
    if (!caught) {
        sigaction(SIGINT, &once, NULL);
        sigaction(SIGTERM, &once, NULL);
    }
    caught = true;
    return &stop_asked;
}

void run_tool_opened(const char *name, const RecordFile *records, int played) {
    if (records->torn)
        fprintf(stderr, "%s: %s: the last line was torn and has been cut off; its game is played again\n", name,
                records->lines.path);
    if (records->repeated)
        fprintf(stderr, "%s: %s: %d games stood there twice and count once\n", name, records->lines.path,
                records->repeated);
    if (played)
        fprintf(stderr, "%s: going on after %d games\n", name, played);
}

/* The command line again, quoted for a shell where that is needed; argv[0] is the subcommand's name in messages. */
static void print_command(FILE *file, int argc, char **argv) {
    const char *subcommand = strchr(argv[0], ' ');
    fprintf(file, "%s%s", program_invocation_name, subcommand ? subcommand : "");
    for (int i = 1; i < argc; i++) {
        const bool plain = *argv[i] && !argv[i][strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                                "0123456789_-+=./,:@%")];
        fputs(plain ? " " : " '", file);
        for (const char *c = argv[i]; *c; c++)
            if (*c == '\'')
                fputs("'\\''", file);
            else
                fputc(*c, file);
        if (!plain)
            fputc('\'', file);
    }
    fputc('\n', file);
}

int run_tool_stopped(int argc, char **argv) {
    fprintf(stderr, "%s: stopped; go on with: ", argv[0]);
    print_command(stderr, argc, argv);
    return TOOL_INTERRUPTED;
}
