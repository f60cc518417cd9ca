/* stigmergy play: a game in the terminal. The game itself is in tools/play/session.c; here are the options, Ctrl-C, and
 * the line editor (libedit, where standard input is a terminal; else lines are read as they are, so that scripts can
 * play). */
#include "selfplay/players/levels.h"
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/signals.h"
#include "tools/cli/tool.h"
#include "tools/play/session.h"
#include "tools/play/wrap.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    KEY_LEVEL = OPTIONS_OWN_KEYS,
    KEY_SIDE,
    KEY_ASCII,
    KEY_LOAD,
    KEY_CONTINUE,
    USUAL_LEVEL = 4,
    HINT_SECONDS = 1,
    HISTORY_LINES = 500,
    COMPLETIONS_MAX = 400
};

typedef struct CommandLine {
    Options common;
    int level; /* 0: not given */
    const char *load;
    bool resume, game_given, size_given, side_given, ascii;
    PlayHuman human;
} CommandLine;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const sides[] = {"b", "w", "both"}; /* by PlayHuman */
    CommandLine *line = state->input;
    Error error;
    bool good = true;
    int word = 0;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &line->common); break;
    case KEY_LEVEL: good = level_read("--level", arg, &line->level, &error); break;
    case KEY_SIDE:
        good = read_word("--side", arg, sides, 3, &word, &error);
        line->human = (PlayHuman)word;
        line->side_given = true;
        break;
    case KEY_ASCII: line->ascii = true; break;
    case KEY_LOAD: line->load = arg; break;
    case KEY_CONTINUE: line->resume = true; break;
    default:
        line->game_given |= key == SHARED_GAME;
        line->size_given |= key == SHARED_SIZE;
        return options_parse_shared(key, arg, state, &line->common);
    }
    return options_check(state, good, &error);
}

const struct argp play_argp = {
    .options =
        (const struct argp_option[]){
            {"komi", SHARED_KOMI, "K", 0,
             "Points for White in Stigmergy: a whole number, at most the number of cells either way (default: the "
             "players choose it; 0 with --side)",
             0},
            {"load", KEY_LOAD, "FILE", 0,
             "Continue a game: SGF, a record, or a list of moves. If one player is a level, you play the other side "
             "against it (default: a new game)",
             1},
            {"continue", KEY_CONTINUE, NULL, 0, "Continue the last game that was played at a terminal", 1},
            {"side", KEY_SIDE, "b|w|both", 0,
             "Your side; both: two people at one terminal (default: chosen with the komi; b with --komi, in games "
             "without komi, and with a file that does not say)",
             0},
            {"ascii", KEY_ASCII, NULL, 0, "Draw the board in plain ASCII, for a terminal without UTF-8", 0},
            {"player", SHARED_PLAYER, "PLAYER", 0,
             "A player description instead of a level: its JSON, a file, or the name of an installed one (default: the "
             "level)",
             0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations a move, 1 to 1000000000, of the player `default' or of --player (default: a level plays)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, of the player `default' or of --player (default: a level "
             "plays)",
             0},
            {"level", KEY_LEVEL, "LEVEL", 0, "How well the computer plays, 1 to 8 or the name of a level (default 4)",
             3},
            {0}},
    .parser = parse_option,
    .children = shared_search_argps,
    .doc =
        "A game in the terminal, against the computer or another person."
        "\vWithout --komi and --side, a game of Stigmergy begins with the choice of komi: one player names it, the "
        "other chooses sides. With --komi alone you play Black. Type a move as the rules write it (c3, c3x, pass, "
        "take-button), or `help'. Tab completes; Ctrl-C while the computer thinks makes it move at once. A game that "
        "you leave without `save' is kept: --continue goes on with it. NO_COLOR switches colours off."};

/* ---- Leaving ---- */

static StopFlag stop;                        /* the computer's thinking */
static volatile sig_atomic_t reading, ended; /* a line is being read; it is time to leave */

/* Ctrl-C ends the thinking, or the program where nobody thinks; a closed terminal and a kill end both. */
static void interrupt(int signal) {
    stop_flag_set(&stop);
    if (reading || signal != SIGINT)
        ended = 1;
    if (ended)
        alarm(1); /* interrupts a read again that was only about to begin */
}

/* ---- A terminal ---- */

typedef struct Terminal {
    PlaySession *play;
    PlayRoom *room;
    EditLine *line;
    History *history;
} Terminal;

/* The size of the terminal, which may change at any time; 80 x 24 where it does not say. */
static PlayRoom measure_terminal(void) {
    struct winsize size;
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    return known ? (PlayRoom){size.ws_col, size.ws_row} : (PlayRoom){80, 24};
}

static const char *find_prompt(EditLine *line) {
    Terminal *terminal;
    el_get(line, EL_CLIENTDATA, &terminal);
    return play_prompt(terminal->play);
}

/* How many bytes all the words begin with. */
static size_t common_length(char **words, int count) {
    size_t length = strlen(words[0]);
    for (int i = 1; i < count; i++)
        for (size_t at = 0; at < length; at++)
            if (words[i][at] != words[0][at])
                length = at;
    return length;
}

static void list_words(const Terminal *terminal, char **words, int count) {
    int column = terminal->room->columns;
    for (int i = 0; i < count; i++) {
        const int width = (int)strlen(words[i]);
        const bool has_room = column + 2 + width <= terminal->room->columns;
        printf(has_room ? "  %s" : "\n%s", words[i]);
        column = has_room ? column + 2 + width : width;
    }
    putchar('\n');
}

/* Tab: completes what all possible words have in common, or lists them. */
static unsigned char complete(EditLine *line, int key) {
    (void)key;
    Terminal *terminal;
    el_get(line, EL_CLIENTDATA, &terminal);
    const LineInfo *info = el_line(line);
    char *text = strndup(info->buffer, (size_t)(info->cursor - info->buffer)), *words[COMPLETIONS_MAX];
    const int count = text ? play_complete(terminal->play, text, words, COMPLETIONS_MAX) : 0;
    unsigned char result = CC_ERROR;
    if (count > 0) {
        const size_t typed = strlen(text), length = common_length(words, count);
        if (length > typed) {
            words[0][length] = '\0';
            result = el_insertstr(line, words[0] + typed) == 0 ? CC_REFRESH : CC_ERROR;
        } else if (count > 1) {
            list_words(terminal, words, count);
            result = CC_REDISPLAY;
        }
    }
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(text);
    return result;
}

static bool open_terminal(Terminal *terminal) {
    terminal->line = el_init("stigmergy", stdin, stdout, stderr);
    terminal->history = history_init();
    if (!terminal->line || !terminal->history)
        return false;
    HistEvent event;
    history(terminal->history, &event, H_SETSIZE, HISTORY_LINES);
    history(terminal->history, &event, H_SETUNIQUE, 1);
    el_set(terminal->line, EL_CLIENTDATA, terminal);
    el_set(terminal->line, EL_PROMPT, find_prompt);
    el_set(terminal->line, EL_EDITOR, "emacs");
    /* After Ctrl-Z and `fg` the line is shown again. Signals go on to our own handlers, and to the whole job. */
    el_set(terminal->line, EL_SIGNAL, 1);
    el_set(terminal->line, EL_HIST, history, terminal->history);
    el_set(terminal->line, EL_ADDFN, "complete-turn", "Completes a command or a turn", complete);
    el_set(terminal->line, EL_BIND, "^I", "complete-turn", NULL);
    el_source(terminal->line, NULL);
    return true;
}

/* The next line, kept until the next call; NULL at the end, after Ctrl-C, or with an errno as the reason. */
static const char *read_terminal(Terminal *terminal, int *reason) {
    int count = 0;
    const char *line = el_gets(terminal->line, &count);
    *reason = line || count >= 0 ? 0 : errno;
    HistEvent event;
    if (line && count > 1)
        history(terminal->history, &event, H_ENTER, line);
    return line && count > 0 ? line : NULL;
}

/* Whether reading went well: it came to the end, or to a signal that ended it. */
static bool read_well(int reason, Error *error) {
    return !reason || ended || error_set(error, "cannot read standard input: %s", strerror(reason));
}

/* Measures the terminal again, which people make larger and smaller. */
static void follow_size(PlaySession *play, PlayRoom *room) {
    const PlayRoom before = *room;
    *room = measure_terminal();
    if (room->columns != before.columns || room->lines != before.lines)
        play_check_room(play);
}

static bool play_at_terminal(PlaySession *play, PlayRoom *room, Error *error) {
    Terminal terminal = {.play = play, .room = room};
    const char *line = NULL;
    int reason = 0;
    if (!open_terminal(&terminal))
        return error_set(error, "out of memory for the line editor");
    for (bool going_on = true; going_on && !ended;) {
        reading = 1;
        line = read_terminal(&terminal, &reason);
        reading = 0;
        follow_size(play, room);
        going_on = line && !ended && play_line(play, line);
    }
    if (!line)
        putchar('\n');
    history_end(terminal.history);
    el_end(terminal.line);
    return read_well(reason, error);
}

/* ---- A script ---- */

static bool play_script(PlaySession *play, Error *error) {
    char *line = NULL;
    size_t room = 0;
    int reason = 0;
    for (bool going_on = true; going_on && !ended;) {
        reading = 1;
        going_on = getline(&line, &room, stdin) >= 0;
        reason = going_on || feof(stdin) ? 0 : errno;
        reading = 0;
        going_on = going_on && !ended && play_line(play, line);
    }
    free(line);
    return read_well(reason, error);
}

static PlayStyle find_style(bool ascii) {
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    const bool dumb = !terminal || !strcmp(terminal, "dumb");
    return (PlayStyle){.unicode = !ascii, .colour = isatty(STDOUT_FILENO) && !dumb && !(no_colour && *no_colour)};
}

/* Who gives hints: the strongest judgement that a second allows. */
static Player find_adviser(const Player *computer) {
    Player adviser = player_default();
    player_set_limits(&adviser, 0, HINT_SECONDS);
    adviser.search_threads = computer->search_threads;
    adviser.memory_mb = computer->memory_mb;
    return adviser;
}

/* The computer's player: a level, unless the command line says more. */
static bool find_player(const CommandLine *line, Player *player, Error *error) {
    const Options *common = &line->common;
    if (line->level && options_effort_given(common))
        return error_set(error, "--level: cannot be combined with --sims, --move-time or --player");
    const bool good = options_effort_given(common)
                          ? options_player(common, player, error)
                          : level_player(line->level ? line->level : USUAL_LEVEL, player, error);
    if (good && common->threads)
        player->search_threads = common->threads;
    if (good && common->memory_mb)
        player->memory_mb = common->memory_mb;
    return good;
}

/* Plays until the person leaves. False with an error where that was not the end. */
static bool play_game(PlaySession *play, PlayRoom *room, Error *error) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++)
        signals_catch(signals[i], interrupt);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = interrupt}, NULL); /* its own */
    play_begin(play);
    const bool at_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    const bool good = at_terminal ? play_at_terminal(play, room, error) : play_script(play, error);
    play_leave(play);
    return good;
}

/* The options of the session; the size of the terminal too. */
static bool find_options(const CommandLine *line, PlayOptions *options, PlayRoom *room, Error *error) {
    const Options *common = &line->common;
    *room = isatty(STDOUT_FILENO) ? measure_terminal() : (PlayRoom){0, 0};
    *options = (PlayOptions){.game = common->game,
                             .choose = !common->komi && !line->side_given,
                             .human = line->human,
                             .seed = common->seed,
                             .style = find_style(line->ascii),
                             .room = room,
                             .load = line->load,
                             .resume = line->resume,
                             .same_game = line->game_given,
                             .same_size = line->size_given,
                             .same_sides = !line->side_given,
                             .same_level = !line->level && !options_effort_given(common),
                             .keep = isatty(STDIN_FILENO),
                             .stop = &stop};
    if (line->load && line->resume)
        return error_set(error, "--continue: cannot be combined with --load");
    const bool is_old = line->load || line->resume;
    if (common->komi && is_old)
        return error_set(error, "--komi: cannot be combined with --load or --continue, as the game has a komi");
    Game *game = is_old ? NULL : options_game(common, &options->komi, error);
    game_free(game);
    if ((!is_old && !game) || !find_player(line, &options->player, error))
        return false;
    options->adviser = find_adviser(&options->player);
    return true;
}

int tool_play(int argc, char **argv) {
    CommandLine line = {.level = 0};
    PlayOptions options;
    PlayRoom room;
    Error error;
    if (!options_parse(&play_argp, argc, argv, &line))
        return TOOL_USAGE;
    setlocale(LC_CTYPE, "C.UTF-8"); /* the line editor's; a language may have other small and capital letters */
    if (!find_options(&line, &options, &room, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    FILE *out = wrap_open(stdout, &room.columns);
    if (!out) {
        error_set(&error, "out of memory");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    PlaySession *play = play_new(&options, out, &error);
    const bool begun = play != NULL, good = begun && play_game(play, &room, &error);
    play_free(play);
    const bool all_taken = !ferror(out), written = fclose(out) == 0 && all_taken;
    if (!good)
        return tool_fail(argv[0], begun ? TOOL_FAILED : TOOL_USAGE, &error);
    if (!written && !ferror(stdout)) { /* main tells what is wrong with standard output itself */
        error_set(&error, "cannot write to standard output");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    return ended ? TOOL_INTERRUPTED : ferror(stdout) ? TOOL_FAILED : TOOL_DONE;
}
