/* The stigmergy binary: finds the command and runs it.
 *
 * Also the few things that hold for all of them: what signals do (signals.h), no file takes the place of a standard
 * stream that is closed, a standard output that cannot be written is an error of one line, and memory that is freed
 * goes back to the system. */
#include "engine/base/words.h"
#include "selfplay/io/nearest_word.h"
#include "tools/cli/describe.h"
#include "tools/cli/signals.h"
#include "tools/cli/stack.h"
#include "tools/cli/tool.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Tool tools[] = {
    {"analyze", "an analysis engine: queries and answers as lines of JSON", &analyze_argp, tool_analyze},
    {"bench", "playouts, evaluations and simulations per second", &bench_argp, tool_bench},
    {"book", "the fair komi of a board size, by games from all first moves and deeper", &book_argp, tool_book},
    {"estimate", "the fair komi again, from the games of a finished run", &estimate_argp, tool_estimate},
    {"gtp", "a Go Text Protocol engine on standard input and output", &gtp_argp, tool_gtp},
    {"komi", "the fair komi of a board size, by self-play across komi values", &komi_argp, tool_komi},
    {"match", "how much stronger one player is than another; ratings of several", &match_argp, tool_match},
    {"merge", "puts the shards of a run of several machines together", &merge_argp, tool_merge},
    {"openings", "how good each first move is, and which is the fairest", &openings_argp, tool_openings},
    {"perft", "counts sequences of turns", &perft_argp, tool_perft},
    {"play", "a game in the terminal", &play_argp, tool_play},
    {"report", "one HTML page that shows result documents", &report_argp, tool_report},
    {"selfplay", "data sets of self-play games, for training", &selfplay_argp, tool_selfplay},
    {"serve", "the board in a web browser: play, analyse, review", &serve_argp, tool_serve},
    {"solve", "the exact value of a position, or proved bounds", &solve_argp, tool_solve},
    {"truth", "how good a player is in positions of known value", &truth_argp, tool_truth},
};
enum { TOOLS = sizeof tools / sizeof tools[0] };

static char program[64] = "stigmergy"; /* with the command: what messages begin with */

/* At exit, wherever that is called: nothing of the results may be lost in silence. Some file systems tell only at the
 * end that a disk is full. An output that was never open is no loss if nothing was printed. */
static void close_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout) && (fclose(stdout) == 0 || errno == EBADF))
        return;
    fprintf(stderr, "%s: cannot write to standard output%s%s\n", program, errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(TOOL_FAILED);
}

/* A file that is opened takes the lowest number that is free. If that is the number of a closed standard stream,
 * messages would go into the file. So the number is taken, in a way that reading or writing fails as before. */
static bool occupy_standard_streams(Error *error) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 &&
            (errno != EBADF || open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream))
            return error_set(error, "cannot use the standard streams: %s", strerror(errno));
    return true;
}

static int print_help(void) {
    printf("Usage: stigmergy COMMAND [OPTION...]\n"
           "The hex territory game Stigmergy: a strong player and the search for its fair komi.\n\n"
           "Commands:\n");
    for (int i = 0; i < TOOLS; i++)
        printf("  %-10s %s\n", tools[i].name, tools[i].summary);
    printf("  %-10s %s\n", "help", "this list, or the help of a command: stigmergy help COMMAND");
    printf("\n"
           "  -h, --help     print this list (stigmergy COMMAND --help describes the options of one)\n"
           "  -V, --version  print name and version\n\n"
           "Exit status: 0 done, 1 failed while running, 2 unusable arguments or input, 130 after Ctrl-C.\n"
           "The manual: man stigmergy, man stigmergy-COMMAND; the rules of the games: man stigmergy-rules.\n");
    return TOOL_DONE;
}

/* glibc raises the size from which memory goes back when it is freed, up to 32 MB, as soon as such a piece is freed
 * once. With the trees of many threads a server keeps ten times what it needs. A limit that is set stays. */
static void give_memory_back(void) {
#ifdef __GLIBC__
    enum { BYTES = 1 << 17 };
    mallopt(M_MMAP_THRESHOLD, BYTES);
#endif
}

static const Tool *find_tool(const char *name) {
    for (int i = 0; i < TOOLS; i++)
        if (!strcmp(name, tools[i].name))
            return &tools[i];
    return NULL;
}

/* Says what was expected instead of `argument`. A command is one too many. */
static int refuse(const char *argument) {
    const char *words[TOOLS + 1];
    char names[160];
    for (int i = 0; i < TOOLS; i++)
        words[i] = tools[i].name;
    words_join(words, TOOLS, names, sizeof names);
    words[TOOLS] = "help";
    const char *meant = nearest_word(argument, words, TOOLS + 1);
    Error error;
    if (find_tool(argument))
        error_set(&error, "unexpected argument '%s', expected none", argument);
    else if (meant)
        error_set(&error, "'%.40s' is no command, did you mean '%s'?", argument, meant);
    else if (!*argument)
        error_set(&error, "a command is missing, expected %s (or --help)", names);
    else
        error_set(&error, "'%.40s' is no %s, expected %s (or --help)", argument,
                  *argument == '-' ? "option before a command" : "command", names);
    return tool_fail(program, TOOL_USAGE, &error);
}

static int run_tool(const Tool *tool, int argc, char **argv) {
    snprintf(program, sizeof program, "stigmergy %s", tool->name);
    argv[0] = program;
    Error error;
    return stack_ensure(&error) ? tool->run(argc, argv) : tool_fail(program, TOOL_FAILED, &error);
}

/* stigmergy help|--help|-h [COMMAND] */
static int help(int argc, char **argv) {
    if (argc == 0 || (argc == 1 && !strcmp(argv[0], "help")))
        return print_help();
    const Tool *tool = find_tool(argv[0]);
    char *arguments[] = {program, "--help", NULL};
    return argc == 1 && tool ? run_tool(tool, 2, arguments) : refuse(argv[argc - 1]);
}

/* stigmergy --describe man [COMMAND], --describe SHELL: what the build makes manual pages and completions of. */
static int describe(int argc, char **argv) {
    const bool man = argc > 0 && !strcmp(argv[0], "man");
    const Tool *tool = argc == 2 ? find_tool(argv[1]) : NULL;
    bool good = true;
    if (man && tool)
        describe_man_options(stdout, tool);
    else if (man && argc == 1)
        describe_man_commands(stdout, tools, TOOLS);
    else
        good = argc == 1 && describe_completion(stdout, argv[0], tools, TOOLS);
    if (good)
        return TOOL_DONE;
    Error error;
    error_set(&error, "--describe: expected man, man COMMAND, bash, zsh or fish");
    return tool_fail(program, TOOL_USAGE, &error);
}

static bool is_one_of(const char *word, const char *first, const char *second) {
    return !strcmp(word, first) || !strcmp(word, second);
}

int main(int argc, char **argv) {
    argp_program_version = "stigmergy " STIGMERGY_VERSION;
    argp_err_exit_status = TOOL_USAGE;
    unsetenv("ARGP_HELP_FMT"); /* some of its values make glibc print for ever */
    atexit(close_output);
    Error error;
    if (!occupy_standard_streams(&error))
        return tool_fail(program, TOOL_FAILED, &error);
    signals_set_up();
    give_memory_back();
    const char *name = argc > 1 ? argv[1] : "";
    const Tool *tool = find_tool(name);
    if (tool)
        return run_tool(tool, argc - 1, argv + 1);
    if (!strcmp(name, "help") || is_one_of(name, "--help", "-h"))
        return help(argc - 2, argv + 2);
    if (!strcmp(name, "--describe"))
        return describe(argc - 2, argv + 2);
    if (!is_one_of(name, "--version", "-V"))
        return refuse(name);
    if (argc > 2)
        return refuse(argv[2]);
    puts(argp_program_version);
    return TOOL_DONE;
}
