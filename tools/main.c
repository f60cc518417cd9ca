/* The stigmergy binary: finds the subcommand and runs it.
 *
 * Also the few things that hold for all of them: Ctrl-C ends the program with status 130 (a subcommand that has work to
 * save sets its own handler), and a standard output that cannot be written is an error of one line. */
#include "tools/cli/tool.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Tool tools[] = {
    {"analyze", "an analysis engine: queries and answers as lines of JSON", tool_analyze},
    {"bench", "playouts, moves and simulations per second", tool_bench},
    {"gtp", "a Go Text Protocol engine on standard input and output", tool_gtp},
    {"komi", "the fair komi of a board size, by self-play across komi values", tool_komi},
    {"match", "how much stronger one player is than another; ratings of several", tool_match},
    {"merge", "puts the shards of a run of several machines together", tool_merge},
    {"openings", "how good each first placement is: which is the fairest?", tool_openings},
    {"perft", "counts sequences of turns", tool_perft},
    {"play", "a game in the terminal", tool_play},
    {"report", "one HTML page that shows result documents", tool_report},
    {"selfplay", "data sets of self-play games, for training", tool_selfplay},
    {"serve", "the board in a web browser: play, analyse, review", tool_serve},
    {"solve", "the exact value of a position, or proved bounds", tool_solve},
};
enum { TOOLS = sizeof tools / sizeof tools[0] };

static char program[64] = "stigmergy"; /* with the subcommand: what messages begin with */

/* At exit, wherever that is called: nothing of the results may be lost in silence. */
static void close_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "%s: cannot write to standard output%s%s\n", program, errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(TOOL_FAILED);
}

static void interrupted(int signal) {
    (void)signal;
    _exit(TOOL_INTERRUPTED);
}

static int print_help(void) {
    printf("Usage: stigmergy SUBCOMMAND [OPTION...]\n"
           "The hex territory game Stigmergy: a strong player and the search for its fair komi.\n\n"
           "Subcommands:\n");
    for (int i = 0; i < TOOLS; i++)
        printf("  %-10s %s\n", tools[i].name, tools[i].summary);
    printf("\n"
           "  --help     print this list (stigmergy SUBCOMMAND --help describes the options of one)\n"
           "  --version  print name and version\n\n"
           "Exit status: 0 done, 1 failed while running, 2 unusable arguments or input, 130 after Ctrl-C.\n");
    return TOOL_DONE;
}

/* Says what was expected instead of `argument`. */
static int refuse(const char *argument) {
    char names[160] = "";
    for (int i = 0; i < TOOLS; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", tools[i].name);
    }
    Error error;
    error_set(&error, "%s%.40s%s, expected one of %s (or --help)", *argument ? "'" : "", argument,
              *argument ? "' is no subcommand" : "a subcommand is missing", names);
    return tool_fail(program, TOOL_USAGE, &error);
}

static int run_tool(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    for (int i = 0; i < TOOLS; i++)
        if (!strcmp(name, tools[i].name)) {
            snprintf(program, sizeof program, "stigmergy %s", tools[i].name);
            argv[1] = program;
            return tools[i].run(argc - 1, argv + 1);
        }
    if (argc == 2 && !strcmp(name, "--help"))
        return print_help();
    if (argc == 2 && !strcmp(name, "--version")) {
        puts(argp_program_version);
        return TOOL_DONE;
    }
    return refuse(argc > 2 && *name == '-' ? argv[2] : name);
}

int main(int argc, char **argv) {
    argp_program_version = "stigmergy " STIGMERGY_VERSION;
    argp_err_exit_status = TOOL_USAGE;
    atexit(close_output);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = interrupted}, NULL);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    return run_tool(argc, argv);
}
