/* stigmergy serve: the board in a web browser. The server is tools/serve/server.c, the page is in tools/serve/web/. */
#include "selfplay/io/atomic_file.h"
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"
#include "tools/serve/api.h"
#include "tools/serve/clients.h"
#include "tools/serve/guard.h"
#include "tools/serve/server.h"

#include <omp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    KEY_PORT = OPTIONS_OWN_KEYS,
    KEY_BIND,
    KEY_OPEN,
    KEY_TOKEN_FILE,
    KEY_BOOK,
    PORT = 8642,
    MOVES_BEGUN = 4, /* beside all analyses; more moves wait for one of these to end */
    MEMORY_MB = 256  /* for the tree of each search: all that one that goes on for hours can take */
};
_Static_assert((int)ANALYSES_MAX + (int)MOVES_BEGUN == 28, "the help and the manual say it");

typedef struct ServeOptions {
    Options common;
    int port;
    const char *bind, *token_file, *book;
    bool open;
} ServeOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    ServeOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &options->common); break;
    case KEY_PORT: good = read_int("--port", arg, 0, 65535, &options->port, &error); break;
    case KEY_BIND: options->bind = arg; break;
    case KEY_OPEN: options->open = true; break;
    case KEY_BOOK: options->book = arg; break;
    case KEY_TOKEN_FILE: options->token_file = arg; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp serve_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The server:", 1},
            {"port", KEY_PORT, "P", 0, "Port to listen on, 0 to 65535; 0 for any that is free (default 8642)", 0},
            {"bind", KEY_BIND, "ADDRESS", 0,
             "Address to listen on (default 127.0.0.1: reachable from this machine only). On any other address the "
             "page is reached only by the whole address that is printed, which has a secret in it",
             0},
            {"token-file", KEY_TOKEN_FILE, "FILE", 0,
             "Keep the secret of the address in FILE, which is made if it is missing: so the address stays the same "
             "when the server is started again (default: a new secret at each start)",
             0},
            {"open", KEY_OPEN, NULL, 0, "Open the page in the default browser", 0},
            {"book", KEY_BOOK, "FILE", 0,
             "Show in the page what an opening book says of the position: FILE is a result of `stigmergy book' "
             "(default: none)",
             0},
            {NULL, 0, NULL, 0, "The search:", 2},
            {"threads", SHARED_THREADS, "T", 0,
             "Threads that search one position together, 1 to 256 (default: one for each processor)", 0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {NULL, 0, NULL, 0, "The player that analyses:", 3},
            {"memory", SHARED_MEMORY, "MB", 0,
             "Memory of each search tree in MB, of which there are at most 28; 1 to 1048576 (default 256)", 0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations for a request of another program that names no limit and no level (the page always does); 1 "
             "to 1000000000 (default 1000, or what --player says; no limit with --move-time alone)",
             0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds for a request of another program that names no limit and no level, from 0.001, fractions allowed "
             "(default: no limit)",
             0},
            {0}},
    .parser = parse_option,
    .children = (const struct argp_child[]){{.argp = &shared_player_argp}, {0}},
    .doc =
        "Serves the board to a web browser: play against eight levels, analyse, review, keep games."
        "\vPrints its address and serves until Ctrl-C. Analysis in the page goes on until it is switched off, its tab "
        "is hidden or closed, its memory is full, or a day is over."};

static bool read_defaults(const Options *options, QueryDefaults *defaults, Error *error) {
    Player player;
    if (!options_player(options, &player, error))
        return false;
    if (!options->memory_mb)
        player.memory_mb = MEMORY_MB;
    if (!web_defaults(&player, options->seed, defaults, error))
        return false;
    defaults->effort_given = options_effort_given(options);
    return options_can_play(&player, "stigmergy", error);
}

/* The token that a file has; a file that is missing is made, for its owner's eyes only. */
static bool keep_token(const char *path, char token[WEB_TOKEN_LENGTH + 1], Error *error) {
    if (!file_exists(path)) {
        char line[WEB_TOKEN_LENGTH + 2];
        if (!web_guard_new_token(token, error))
            return false;
        const int length = snprintf(line, sizeof line, "%s\n", token);
        const mode_t before = umask(S_IRWXG | S_IRWXO);
        const bool good = file_write(path, line, (size_t)length, error);
        umask(before);
        return good;
    }
    char *text = file_read(path, NULL, error);
    if (!text)
        return false;
    text[strcspn(text, "\n")] = '\0';
    const bool good = web_guard_is_token(text);
    if (good)
        memcpy(token, text, WEB_TOKEN_LENGTH + 1);
    free(text);
    return good || error_set(error, "%.200s: expected a token, %d digits from 0 to f, or a name of no file", path,
                             WEB_TOKEN_LENGTH);
}

/* Starts a program in a process group of its own, so that Ctrl-C in the terminal ends the server and not a browser that
 * it has started, and with the signals that this program ignores as they usually are. */
static bool start_apart(pid_t *pid, char *arguments[]) {
    posix_spawnattr_t apart;
    sigset_t ignored;
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    if (posix_spawnattr_init(&apart) != 0)
        return false;
    posix_spawnattr_setsigdefault(&apart, &ignored);
    const bool started = posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF) == 0 &&
                         posix_spawnp(pid, arguments[0], NULL, &apart, arguments, environ) == 0;
    posix_spawnattr_destroy(&apart);
    return started;
}

/* Asks the desktop to show the page, and waits for its answer; that it has none is no reason to fail. */
static void open_page(const char *name, const char *address) {
    char *arguments[] = {"xdg-open", (char *)(uintptr_t)address, NULL};
    pid_t pid;
    int status;
    if (!start_apart(&pid, arguments))
        fprintf(stderr, "%s: --open needs xdg-open; the page is at %s\n", name, address);
    else if (waitpid(pid, &status, 0) == pid && status != 0)
        fprintf(stderr, "%s: --open: no browser could be opened; the page is at %s\n", name, address);
}

/* Serves until Ctrl-C. */
static int serve(const char *name, const ServeOptions *options, const char *token, const QueryDefaults *defaults,
                 const WebBook *book) {
    const int threads = options->common.threads ? options->common.threads : omp_get_num_procs();
    /* One position at a time, by all threads: what is shared is the time. */
    const AnalysisOptions engine = {.workers = ANALYSES_MAX + MOVES_BEGUN, .at_once = 1, .threads = threads};
    Error error;
    Analysis *analysis = analysis_new(&engine, &error);
    if (!analysis)
        return tool_fail(name, TOOL_FAILED, &error);
    const WebServerOptions server_options = {
        .bind = options->bind, .port = options->port, .token = options->token_file ? token : NULL, .book = book};
    WebServer *server = web_server_new(&server_options, analysis, defaults, &error);
    if (!server) {
        analysis_free(analysis);
        return tool_fail(name, TOOL_FAILED, &error);
    }
    if (printf("%s\n", web_server_address(server)) >= 0 && fflush(stdout) == 0) {
        if (options->open)
            open_page(name, web_server_address(server));
        for (;;)
            pause(); /* Ctrl-C ends the program */
    }
    web_server_free(server);
    analysis_free(analysis);
    return TOOL_FAILED;
}

int tool_serve(int argc, char **argv) {
    ServeOptions options = {.port = PORT};
    char token[WEB_TOKEN_LENGTH + 1];
    static QueryDefaults defaults;
    WebBook *book = NULL;
    Error error;
    if (!options_parse(&serve_argp, argc, argv, &options))
        return TOOL_USAGE;
    if (!web_server_can_bind(options.bind, &error) || !read_defaults(&options.common, &defaults, &error) ||
        (options.book && !(book = web_book_read(options.book, &error))) ||
        (options.token_file && !keep_token(options.token_file, token, &error))) {
        web_book_free(book);
        return tool_fail(argv[0], TOOL_USAGE, &error);
    }
    const int status = serve(argv[0], &options, token, &defaults, book);
    web_book_free(book);
    return status;
}
