/* See gtp_protocol.h. Bottom up: the position and its history, choosing a turn, the commands, the lines of input. */
#include "gtp_protocol.h"

#include "board_text.h"
#include "game_clock.h"
#include "options.h"
#include "rng.h"
#include "tool.h"

#include <stdlib.h>
#include <strings.h>

enum {
    LINE_LIMIT = 4096,     /* bytes of a command line; no command needs as many */
    WORDS_MAX = 8,         /* of a command line that are looked at */
    TURNS_LIMIT = 100000,  /* what all_legal lists at most */
    ESTIMATE_PLAYOUTS = 32 /* to guess how long the game will last */
};
static const double seconds_max = 1e9; /* of a time setting */

struct Gtp {
    FILE *out;
    Player player;
    bool clock_decides;
    double resign;
    uint64_t seed;

    Game *game;
    Search *search; /* its root is the position */
    int komi;
    GameState *past; /* the positions before each turn of the game */
    int turns, capacity;
    GameClock clock;

    char line[LINE_LIMIT + 1]; /* what has come of the current line */
    size_t length;
    bool in_comment, too_long;
    bool quit;

    char **arguments; /* of the current command, as many as it wants */
    FILE *answer;
    Error *error;
};

static const char *side_name(Side side) {
    return side == BLACK ? "Black" : "White";
}

/* ---- The position ---- */

static void restart(Gtp *gtp) {
    GameState start;
    gtp->game->rules->start(gtp->game, &start, gtp->komi);
    search_set_position(gtp->search, &start);
    gtp->turns = 0;
    game_clock_restart(&gtp->clock);
}

/* Another game or size; nothing changes where that fails. Komi stays. */
static bool change_game(Gtp *gtp, const char *name, int size, Error *error) {
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, error);
    Search *search = game ? player_new_search(&gtp->player, game, gtp->seed, error) : NULL;
    if (!search) {
        game_free(game);
        return false;
    }
    search_free(gtp->search);
    game_free(gtp->game);
    gtp->game = game;
    gtp->search = search;
    restart(gtp);
    return true;
}

static bool remember_position(Gtp *gtp, const GameState *state, Error *error) {
    if (gtp->turns == gtp->capacity) {
        const int capacity = gtp->capacity ? 2 * gtp->capacity : 256;
        GameState *past = realloc(gtp->past, (size_t)capacity * sizeof *past);
        if (!past)
            return error_set(error, "out of memory");
        gtp->past = past;
        gtp->capacity = capacity;
    }
    game_copy(gtp->game, &gtp->past[gtp->turns++], state);
    return true;
}

static void forget_turn(Gtp *gtp) {
    search_set_position(gtp->search, &gtp->past[--gtp->turns]);
}

static bool read_color(const char *text, Side *side, Error *error) {
    *side = !strcasecmp(text, "w") || !strcasecmp(text, "white") ? WHITE : BLACK;
    return *side == WHITE || !strcasecmp(text, "b") || !strcasecmp(text, "black") ||
           error_set(error, "invalid color '%.40s', expected b or w", text);
}

/* Whether the side named may move now: in these games nobody moves twice in succession. */
static bool check_turn(const Gtp *gtp, const char *color, Error *error) {
    const GameState *state = search_position(gtp->search);
    Side side;
    if (!read_color(color, &side, error))
        return false;
    if (gtp->game->rules->over(state))
        return error_set(error, "the game is over");
    const Side to_move = gtp->game->rules->to_move(state);
    return side == to_move || error_set(error, "it is %s's turn", side_name(to_move));
}

/* Appends an action to the text of a turn, which has room for every turn. */
static void append_action(const Game *game, const GameState *before, Action action, char text[GAME_TEXT_MAX]) {
    char name[GAME_TEXT_MAX];
    game->rules->format(game, before, action, name);
    const size_t used = strlen(text), length = strlen(name), comma = used > 0;
    if (used + comma + length >= GAME_TEXT_MAX)
        return;
    text[used] = ',';
    memcpy(text + used + comma, name, length + 1);
}

/* ---- Choosing a turn ---- */

/* About how many turns the side to move has still to play. */
static double own_moves_left(const Gtp *gtp) {
    const GameState *states[ESTIMATE_PLAYOUTS];
    uint64_t seeds[ESTIMATE_PLAYOUTS];
    PlayoutResult results[ESTIMATE_PLAYOUTS];
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++) {
        states[i] = search_position(gtp->search);
        seeds[i] = rng_split(gtp->seed, (uint64_t)i);
    }
    gtp->game->rules->playouts(gtp->game, states, seeds, ESTIMATE_PLAYOUTS, PLAYOUT_LIGHT, results);
    double length = 0;
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++)
        length += results[i].length;
    return length / (2 * ESTIMATE_PLAYOUTS);
}

static SearchLimits choose_limits(const Gtp *gtp, double spent) {
    SearchLimits limits = player_limits(&gtp->player, NULL);
    if (!gtp->clock.running)
        return limits;
    const Side side = gtp->game->rules->to_move(search_position(gtp->search));
    GameClock clock = gtp->clock;
    clock.left[side] -= spent;
    const double budget = game_clock_budget(&clock, side, own_moves_left(gtp));
    if (gtp->clock_decides)
        limits = (SearchLimits){0};
    if (limits.seconds == 0 || limits.seconds > budget)
        limits.seconds = budget;
    return limits;
}

/* The best action of the search's root and the chance to win that it has; a forced move costs no search. */
static Action choose_action(const Gtp *gtp, double spent, double *win_rate) {
    Action legal[GAME_LEGAL_MAX];
    *win_rate = 1;
    if (gtp->game->rules->legal(gtp->game, search_position(gtp->search), legal) == 1)
        return legal[0];
    const SearchLimits limits = choose_limits(gtp, spent);
    *win_rate = search_run(gtp->search, &limits).win_rate;
    return search_best(gtp->search);
}

/* Chooses a whole turn, writes it to `text` and plays it on the search's board. False where the side would resign
 * instead; then nothing is played. */
static bool choose_turn(Gtp *gtp, char text[GAME_TEXT_MAX]) {
    const GameRules *rules = gtp->game->rules;
    const GameState *state = search_position(gtp->search);
    const double begin = wall_seconds();
    text[0] = '\0';
    do {
        double win_rate;
        const Action action = choose_action(gtp, wall_seconds() - begin, &win_rate);
        if (!text[0] && win_rate < gtp->resign)
            return false;
        append_action(gtp->game, state, action, text);
        search_play(gtp->search, action);
    } while (!rules->over(state) && !rules->turn_start(state));
    return true;
}

/* ---- The commands ---- */

/* Carries out the current command: writes the answer, or fails with an error. */
typedef bool Handler(Gtp *gtp);

typedef struct Command {
    const char *name;
    int arguments;
    const char *usage;
    Handler *run;
} Command;

static const Command *find_command(const char *name);

static bool do_protocol_version(Gtp *gtp) {
    return fputs("2", gtp->answer) >= 0;
}

static bool do_name(Gtp *gtp) {
    return fputs("Stigmergy", gtp->answer) >= 0;
}

static bool do_version(Gtp *gtp) {
    return fputs(STIGMERGY_VERSION, gtp->answer) >= 0;
}

static bool do_known_command(Gtp *gtp) {
    return fputs(find_command(gtp->arguments[0]) ? "true" : "false", gtp->answer) >= 0;
}

static bool do_list_commands(Gtp *gtp);

static bool do_quit(Gtp *gtp) {
    return gtp->quit = true;
}

static bool do_boardsize(Gtp *gtp) {
    int size;
    if (!read_int("size", gtp->arguments[0], HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size, NULL))
        return error_set(gtp->error, "unacceptable size");
    return change_game(gtp, gtp->game->name, size, gtp->error);
}

static bool do_clear_board(Gtp *gtp) {
    restart(gtp);
    return true;
}

static bool do_komi(Gtp *gtp) {
    const int limit = gtp->game->has_points ? gtp->game->board.cells : 0;
    double komi;
    if (gtp->turns > 0)
        return error_set(gtp->error, "komi can be set only before the first move");
    if (!read_number("komi", gtp->arguments[0], -limit, limit, &komi, NULL) || komi != (int)komi)
        return error_set(gtp->error, "komi: '%.40s', expected a whole number from %d to %d", gtp->arguments[0], -limit,
                         limit);
    gtp->komi = (int)komi;
    restart(gtp);
    return true;
}

static bool do_play(Gtp *gtp) {
    if (!check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    const GameState *state = search_position(gtp->search);
    Action turn[GAME_TURN_MAX];
    Error reason;
    for (char *c = gtp->arguments[1]; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    const int count = gtp->game->rules->parse(gtp->game, state, gtp->arguments[1], turn, &reason);
    if (count < 0)
        return error_set(gtp->error, "illegal move: %s", reason.text);
    if (!remember_position(gtp, state, gtp->error))
        return false;
    for (int i = 0; i < count; i++)
        search_play(gtp->search, turn[i]);
    return true;
}

static bool do_genmove(Gtp *gtp) {
    if (!check_turn(gtp, gtp->arguments[0], gtp->error) ||
        !remember_position(gtp, search_position(gtp->search), gtp->error))
        return false;
    const Side side = gtp->game->rules->to_move(search_position(gtp->search));
    const double begin = wall_seconds();
    char text[GAME_TEXT_MAX];
    const bool moved = choose_turn(gtp, text);
    game_clock_spend(&gtp->clock, side, wall_seconds() - begin);
    if (!moved)
        gtp->turns--;
    fputs(moved ? text : "resign", gtp->answer);
    return true;
}

static bool do_reg_genmove(Gtp *gtp) {
    if (!check_turn(gtp, gtp->arguments[0], gtp->error) ||
        !remember_position(gtp, search_position(gtp->search), gtp->error))
        return false;
    char text[GAME_TEXT_MAX];
    const bool moved = choose_turn(gtp, text);
    forget_turn(gtp);
    fputs(moved ? text : "resign", gtp->answer);
    return true;
}

static bool do_undo(Gtp *gtp) {
    if (gtp->turns == 0)
        return error_set(gtp->error, "cannot undo");
    forget_turn(gtp);
    return true;
}

static bool do_showboard(Gtp *gtp) {
    fputs("\n", gtp->answer);
    board_text_print(gtp->game, search_position(gtp->search), gtp->komi, gtp->answer);
    return true;
}

static bool do_final_score(Gtp *gtp) {
    const Game *game = gtp->game;
    const GameState *state = search_position(gtp->search);
    if (!game->has_points && !game->rules->over(state))
        return error_set(gtp->error, "the game is not over");
    char text[16];
    board_text_score(game, state, text);
    fputs(text, gtp->answer);
    return true;
}

static bool do_time_settings(Gtp *gtp) {
    double main_time, period;
    int stones;
    if (!read_number("main time", gtp->arguments[0], 0, seconds_max, &main_time, gtp->error) ||
        !read_number("byo-yomi time", gtp->arguments[1], 0, seconds_max, &period, gtp->error) ||
        !read_int("byo-yomi stones", gtp->arguments[2], 0, 1000000, &stones, gtp->error))
        return false;
    game_clock_set(&gtp->clock, main_time, period, stones);
    return true;
}

static bool do_time_left(Gtp *gtp) {
    Side side;
    double seconds;
    int stones;
    if (!read_color(gtp->arguments[0], &side, gtp->error) ||
        !read_number("time", gtp->arguments[1], -seconds_max, seconds_max, &seconds, gtp->error) ||
        !read_int("stones", gtp->arguments[2], 0, 1000000, &stones, gtp->error))
        return false;
    game_clock_left(&gtp->clock, side, seconds, stones);
    return true;
}

static bool do_cputime(Gtp *gtp) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return fprintf(gtp->answer, "%.3f", (double)time.tv_sec + 1e-9 * (double)time.tv_nsec) > 0;
}

static bool do_game(Gtp *gtp) {
    return change_game(gtp, gtp->arguments[0], gtp->game->board.size, gtp->error);
}

/* Writes the turns that begin with `text` at `state`; false where there are too many. */
static bool list_turns(const Game *game, const GameState *state, const char *text, int *count, FILE *answer) {
    Action actions[GAME_LEGAL_MAX];
    const int choices = game->rules->legal(game, state, actions);
    for (int i = 0; i < choices; i++) {
        GameState next;
        char longer[GAME_TEXT_MAX];
        strcpy(longer, text);
        append_action(game, state, actions[i], longer);
        game_copy(game, &next, state);
        game->rules->apply(game, &next, actions[i]);
        if (!game->rules->over(&next) && !game->rules->turn_start(&next)) {
            if (!list_turns(game, &next, longer, count, answer))
                return false;
            continue;
        }
        if (++*count >= TURNS_LIMIT)
            return false;
        fprintf(answer, *count > 1 ? " %s" : "%s", longer);
    }
    return true;
}

static bool do_all_legal(Gtp *gtp) {
    const GameState *state = search_position(gtp->search);
    Side side;
    if (!read_color(gtp->arguments[0], &side, gtp->error))
        return false;
    if (gtp->game->rules->over(state))
        return true; /* nobody has a move */
    int count = 0;
    return check_turn(gtp, gtp->arguments[0], gtp->error) &&
           (list_turns(gtp->game, state, "", &count, gtp->answer) ||
            error_set(gtp->error, "there are %d legal turns or more, too many to list", TURNS_LIMIT));
}

static bool do_board_score(Gtp *gtp) {
    const Game *game = gtp->game;
    if (!game->rules->board_score)
        return error_set(gtp->error, "this game has no points");
    int cells[2];
    game->rules->board_score(game, search_position(gtp->search), cells);
    return fprintf(gtp->answer, "%d %d", cells[BLACK], cells[WHITE]) > 0;
}

static const Command commands[] = {
    {"protocol_version", 0, "", do_protocol_version},
    {"name", 0, "", do_name},
    {"version", 0, "", do_version},
    {"known_command", 1, "COMMAND", do_known_command},
    {"list_commands", 0, "", do_list_commands},
    {"quit", 0, "", do_quit},
    {"boardsize", 1, "SIZE", do_boardsize},
    {"clear_board", 0, "", do_clear_board},
    {"komi", 1, "KOMI", do_komi},
    {"play", 2, "COLOR VERTEX", do_play},
    {"genmove", 1, "COLOR", do_genmove},
    {"reg_genmove", 1, "COLOR", do_reg_genmove},
    {"undo", 0, "", do_undo},
    {"showboard", 0, "", do_showboard},
    {"final_score", 0, "", do_final_score},
    {"time_settings", 3, "MAIN-TIME BYO-YOMI-TIME BYO-YOMI-STONES", do_time_settings},
    {"time_left", 3, "COLOR TIME STONES", do_time_left},
    {"cputime", 0, "", do_cputime},
    {"game", 1, "NAME", do_game},
    {"all_legal", 1, "COLOR", do_all_legal},
    {"board_score", 0, "", do_board_score},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const Command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i].name))
            return &commands[i];
    return NULL;
}

static bool do_list_commands(Gtp *gtp) {
    for (int i = 0; i < COMMANDS; i++)
        fprintf(gtp->answer, i ? "\n%s" : "%s", commands[i].name);
    return true;
}

void gtp_print_commands(FILE *out) {
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %s%s%s\n", commands[i].name, commands[i].arguments ? " " : "", commands[i].usage);
}

/* ---- The lines of input ---- */

/* Carries out a command of `count` words, the name included. */
static bool run_command(Gtp *gtp, char **words, int count, FILE *answer, Error *error) {
    if (gtp->too_long)
        return error_set(error, "the line is longer than %d bytes", LINE_LIMIT);
    if (count == 0)
        return error_set(error, "a command is missing");
    const Command *command = find_command(words[0]);
    if (!command)
        return error_set(error, "unknown command");
    if (count - 1 != command->arguments)
        return error_set(error, "%s: expected %s", command->name, command->arguments ? command->usage : "no arguments");
    gtp->arguments = words + 1;
    gtp->answer = answer;
    gtp->error = error;
    return command->run(gtp);
}

static void answer_command(Gtp *gtp, const char *id, char **words, int count) {
    char *text = NULL;
    size_t length = 0;
    FILE *answer = open_memstream(&text, &length);
    Error error = {"out of memory"};
    bool good = answer && run_command(gtp, words, count, answer, &error);
    good = answer && fclose(answer) == 0 && good;
    while (length > 0 && text[length - 1] == '\n') /* an empty line would end the answer */
        text[--length] = '\0';
    const char *result = good ? text : error.text;
    fprintf(gtp->out, "%c%s%s%s\n\n", good ? '=' : '?', id, *result && *result != '\n' ? " " : "", result);
    fflush(gtp->out);
    free(text);
}

static int split_words(char *line, char *words[WORDS_MAX]) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < WORDS_MAX; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return count;
}

/* Answers the line that is complete, unless it is empty, and makes room for the next one. */
static bool end_line(Gtp *gtp) {
    char *words[WORDS_MAX];
    gtp->line[gtp->length] = '\0';
    const int count = split_words(gtp->line, words);
    const bool has_id = count > 0 && words[0][strspn(words[0], "0123456789")] == '\0';
    if (count > 0)
        answer_command(gtp, has_id ? words[0] : "", words + has_id, count - has_id);
    gtp->length = 0;
    gtp->in_comment = gtp->too_long = false;
    return !gtp->quit && !ferror(gtp->out);
}

/* The protocol's preprocessing: comments and control characters are removed, tabs are blanks. */
static void take_byte(Gtp *gtp, char byte) {
    const unsigned char code = (unsigned char)byte;
    if (byte == '#')
        gtp->in_comment = true;
    if (byte == '\t')
        byte = ' ';
    const bool control = (code < 0x20 && code != '\t') || code == 0x7f;
    const bool leading = gtp->length == 0 && byte == ' ';
    if (gtp->in_comment || control || leading)
        return;
    if (gtp->length < LINE_LIMIT)
        gtp->line[gtp->length++] = byte;
    else
        gtp->too_long = true;
}

bool gtp_feed(Gtp *gtp, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n')
            take_byte(gtp, bytes[i]);
        else if (!end_line(gtp))
            return false;
    }
    return true;
}

void gtp_end(Gtp *gtp) {
    if (!gtp->quit)
        end_line(gtp);
}

Gtp *gtp_new(const GtpOptions *options, FILE *out, Error *error) {
    Gtp *gtp = calloc(1, sizeof *gtp);
    if (!gtp) {
        error_set(error, "out of memory");
        return NULL;
    }
    gtp->out = out;
    gtp->player = options->player;
    gtp->clock_decides = options->clock_decides;
    gtp->resign = options->resign;
    gtp->seed = options->seed;
    gtp->komi = options->komi;
    if (!change_game(gtp, options->game, options->size, error)) {
        gtp_free(gtp);
        return NULL;
    }
    return gtp;
}

void gtp_free(Gtp *gtp) {
    if (!gtp)
        return;
    search_free(gtp->search);
    game_free(gtp->game);
    free(gtp->past);
    free(gtp);
}
