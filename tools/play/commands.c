/* See session_internal.h: what people may ask for beside playing a turn. */
#include "selfplay/io/file.h"
#include "selfplay/players/levels.h"
#include "tools/cli/options.h"
#include "tools/play/session_internal.h"

#include <stdlib.h>

enum { HINTS = 3, HINT_SIMULATIONS = 2000, VARIATION_MAX = 12 };

/* ---- What the computer thinks ---- */

/* Searches the position apart from the computer's own tree, so that a weak level does not learn from it. NULL with a
 * message; to be freed. */
static Search *search_aside(const Play *play, SearchSummary *summary) {
    Player player = play->options.player;
    Error error;
    if (player.simulations < HINT_SIMULATIONS && player.move_seconds == 0)
        player.simulations = HINT_SIMULATIONS;
    Search *search = player_new_search(&player, play->tree->game, play->options.seed, &error);
    if (!search) {
        fprintf(play->out, "%s\n", error.text);
        return NULL;
    }
    atomic_store(play->options.stop, false);
    search_set_position(search, play_state(play));
    const SearchLimits limits = player_limits(&player, play->options.stop);
    *summary = search_run(search, &limits);
    return search;
}

static void print_hint(const Play *play, const Search *search, const SearchMove *move) {
    const Game *game = play->tree->game;
    Action actions[VARIATION_MAX];
    GameState state;
    const int count = search_variation(search, move->action, actions, VARIATION_MAX);
    game_copy(game, &state, play_state(play));
    for (int i = 0, turns = 0; i < count && turns < 5 && !game->rules->over(&state); turns++) {
        char text[GAME_TEXT_MAX];
        i += game_format_turn(game, &state, actions + i, count - i, text);
        const bool whole = game->rules->over(&state) || game->rules->turn_start(&state);
        fprintf(play->out, turns == 0 ? "  %s%s" : " %s%s", text, whole ? "" : "...");
        if (turns == 0 && move->proven)
            fprintf(play->out, "  %s  ", move->win_rate > 0.5 ? "a certain win" : "a certain loss");
        else if (turns == 0)
            fprintf(play->out, "  %.0f%%  ", 100 * move->win_rate);
    }
    fputc('\n', play->out);
}

static void do_hint(Play *play, const char *argument) {
    (void)argument;
    SearchSummary summary;
    Search *search = search_aside(play, &summary);
    if (!search)
        return;
    SearchMove moves[HINTS];
    const int count = search_moves(search, moves, HINTS);
    fprintf(play->out, "Best moves, the chance to win, and how it may go on:\n");
    for (int i = 0; i < count && (i == 0 || moves[i].visits > 0); i++)
        print_hint(play, search, &moves[i]);
    search_free(search);
}

static void do_score(Play *play, const char *argument) {
    (void)argument;
    const Side mover = play->tree->game->rules->to_move(play_state(play));
    SearchSummary summary;
    Search *search = search_aside(play, &summary);
    if (!search)
        return;
    search_free(search);
    if (summary.proven) {
        fprintf(play->out, "%s has a certain win.\n",
                play_colour(play, summary.win_rate > 0.5 ? mover : side_opponent(mover)));
        return;
    }
    fprintf(play->out, "%s wins with %.0f%%", play_colour(play, mover), 100 * summary.win_rate);
    if (play->tree->game->has_points)
        fprintf(play->out, ", the expected result is %s by %.1f points", summary.margin >= 0 ? "Black" : "White",
                summary.margin >= 0 ? summary.margin : -summary.margin);
    fputs(", says the computer.\n", play->out);
}

/* ---- Why ---- */

/* The stones of a colour among those seen: " 2 of Black (c3 d4)". */
static void print_seen(const Play *play, const int16_t *seen, int count, const uint8_t *stones, int colour) {
    const Hexhex *board = &play->tree->game->board;
    int number = 0;
    for (int i = 0; i < count; i++)
        number += stones[seen[i]] == colour;
    fprintf(play->out, "%d %s", number, colour == 1 ? "black" : "white");
    for (int i = 0, named = 0; i < count; i++) {
        char name[HEXHEX_NAME_SIZE];
        if (stones[seen[i]] != colour)
            continue;
        hexhex_name(board, seen[i], name);
        fprintf(play->out, named++ == 0 ? " (%s" : " %s", name);
    }
    fputs(number ? ")" : "", play->out);
}

static void print_control(const Play *play, int cell, const uint8_t *stones) {
    const Game *game = play->tree->game;
    uint8_t control[HEXHEX_MAX_CELLS];
    int16_t seen[HEXHEX_DIRECTIONS];
    int needed;
    const int count = game->rules->sight(game, play_state(play), cell, seen, &needed);
    game->rules->control(game, play_state(play), control);
    fputs(" It sees ", play->out);
    print_seen(play, seen, count, stones, 1);
    fputs(" and ", play->out);
    print_seen(play, seen, count, stones, 2);
    fprintf(play->out, "; %d of a colour control it: %s.", needed,
            control[cell] == 1   ? "it is Black's"
            : control[cell] == 2 ? "it is White's"
                                 : "it is nobody's");
}

static void do_why(Play *play, const char *argument) {
    const Game *game = play->tree->game;
    const GameState *state = play_state(play);
    const char *end = argument;
    const int cell = hexhex_parse(&game->board, argument, &end);
    uint8_t stones[HEXHEX_MAX_CELLS];
    char name[HEXHEX_NAME_SIZE];
    if (cell < 0 || *end) {
        fprintf(play->out, "why: '%.40s', expected a cell, as in `why a1'\n", argument);
        return;
    }
    hexhex_name(&game->board, cell, name);
    game->rules->stones(game, state, stones);
    fprintf(play->out, "%s %s.", name,
            stones[cell] == 1   ? "is a black stone"
            : stones[cell] == 2 ? "is a white stone"
                                : "is empty");
    if (game->rules->sight && game->rules->control)
        print_control(play, cell, stones);
    if (!play_is_over(play)) {
        Action turn[GAME_TURN_MAX];
        Error reason;
        const char *mover = play_colour(play, game->rules->to_move(state));
        if (game->rules->parse(game, state, name, turn, &reason) >= 0)
            fprintf(play->out, "\n%s may %s.", mover, stones[cell] ? "flip it" : "move there");
        else
            fprintf(play->out, "\n%s may not move there: %s.", mover, reason.text);
    }
    fputc('\n', play->out);
}

/* ---- The game ---- */

/* Back to where a person was to move. */
static void do_undo(Play *play, const char *argument) {
    (void)argument;
    const GameTree *tree = play->tree;
    int node = play->resigned ? play->node : tree->nodes[play->node].parent;
    while (node >= 0 && !play_is_human(play, tree->game->rules->to_move(&tree->nodes[node].state)))
        node = tree->nodes[node].parent;
    if (node < 0) {
        fprintf(play->out, "There is nothing to take back.\n");
        return;
    }
    play_go_to(play, node);
    play_show(play);
}

/* The game as it went, without what was taken back; NULL with an error. */
static GameTree *copy_line(const Play *play, Error *error) {
    const GameTree *tree = play->tree;
    const GameOptions options = {
        .name = tree->game->name, .size = tree->game->board.size, .capture = tree->capture, .pie = tree->pie};
    int *line = malloc((size_t)tree->count * sizeof *line), count = 0;
    GameTree *copy = line ? game_tree_new(&options, tree->komi, error) : NULL;
    bool good = copy && (!tree->set_up || game_tree_set_up(copy, tree->stones, tree->first, error));
    for (int i = play->node; good && i > 0; i = tree->nodes[i].parent)
        line[count++] = i;
    for (int node = 0; good && count > 0;)
        good = (node = game_tree_add(copy, node, tree->nodes[line[--count]].turn, error)) >= 0;
    free(line);
    if (!good) {
        game_tree_free(copy);
        return NULL;
    }
    for (Side side = BLACK; side <= WHITE; side++) {
        if (play_is_human(play, side))
            snprintf(copy->players[side], GAME_TREE_NAME_MAX, "a person");
        else
            player_title(&play->options.player, copy->players[side]);
    }
    if (play->resigned)
        snprintf(copy->result, sizeof copy->result, "%c+R",
                 play_colour(play, side_opponent(tree->game->rules->to_move(play_state(play))))[0]);
    return copy;
}

bool play_save(Play *play, const char *path, Error *error) {
    GameTree *line = copy_line(play, error);
    char *text = line ? game_tree_to_sgf(line, error) : NULL;
    const bool good = text && file_write(path, text, strlen(text), error);
    if (good)
        play->saved = play->node;
    free(text);
    game_tree_free(line);
    return good;
}

bool play_is_saved(const Play *play) {
    return play->node == 0 || play->node == play->saved;
}

const char *play_side_option(const Play *play) {
    static const char *const options[] = {"", " --side w", " --side both"};
    return options[play->options.human];
}

static void do_save(Play *play, const char *argument) {
    Error error;
    if (!*argument)
        fprintf(play->out, "save: expected a file name, as in `save game.sgf'\n");
    else if (play_save(play, argument, &error))
        fprintf(play->out, "The game is in %s.\n", argument);
    else
        fprintf(play->out, "%s\n", error.text);
}

static void do_load(Play *play, const char *argument) {
    Error error;
    if (!*argument || !play_load(play, argument, &error)) {
        fprintf(play->out, "%s\n", *argument ? error.text : "load: expected a file name, as in `load game.sgf'");
        return;
    }
    play_show(play);
    play_computer(play);
}

static void list_levels(const Play *play) {
    for (int level = 1; level <= LEVELS; level++)
        fprintf(play->out, "%d  %-12s  %4d Elo\n", level, level_name(level), level_elo(level));
    fprintf(play->out, "Elo: above level 1, on hexhex-5. The computer is %s.\n", play->options.player.name);
}

/* Gives the computer another player; its threads and memory stay. False with a message. */
static bool change_player(Play *play, Player player) {
    const Player old = play->options.player;
    Error error;
    player.search_threads = old.search_threads;
    player.memory_mb = old.memory_mb;
    play->options.player = player;
    if (play_new_search(play, &error))
        return true;
    play->options.player = old;
    fprintf(play->out, "%s\n", error.text);
    return false;
}

static void do_level(Play *play, const char *argument) {
    Player player;
    Error error;
    int level;
    if (!*argument)
        list_levels(play);
    else if (!level_read("level", argument, &level, &error) || !level_player(level, &player, &error))
        fprintf(play->out, "%s\n", error.text);
    else if (change_player(play, player))
        fprintf(play->out, "The computer plays at level %d of %d, %s.\n", level, LEVELS, level_name(level));
}

static void do_board(Play *play, const char *argument) {
    (void)argument;
    play_show(play);
}

static void do_moves(Play *play, const char *argument) {
    (void)argument;
    const GameTreeNode *nodes = play->tree->nodes;
    int depth = 0;
    for (int i = play->node; i > 0; i = nodes[i].parent)
        depth++;
    for (int number = 1; number <= depth; number++) {
        int node = play->node;
        for (int back = depth - number; back > 0; back--)
            node = nodes[node].parent;
        if (number % 2)
            fprintf(play->out, "%s%d.", number > 1 ? " " : "", (number + 1) / 2);
        fprintf(play->out, " %s", nodes[node].turn);
    }
    fputs(depth ? "\n" : "No moves yet.\n", play->out);
}

static void do_resign(Play *play, const char *argument) {
    (void)argument;
    if (play_is_over(play)) {
        fprintf(play->out, "The game is over.\n");
        return;
    }
    play->resigned = true;
    play_show(play);
}

static void do_quit(Play *play, const char *argument) {
    (void)argument;
    play->over = true;
}

static void do_help(Play *play, const char *argument);

/* ---- The table ---- */

enum { ANY_TIME = 1, WHILE_PLAYING = 2 /* no result yet */, IN_GAME = 4 /* komi is settled */ };

static const struct {
    const char *name, *usage, *help;
    int when;
    void (*run)(Play *play, const char *argument);
} commands[] = {
    {"hint", "", "the best moves, as the computer sees them", WHILE_PLAYING, do_hint},
    {"score", "", "who is ahead, as the computer sees it", WHILE_PLAYING, do_score},
    {"why", " CELL", "what a cell sees, whose it is, whether you may move there", IN_GAME, do_why},
    {"undo", "", "take your last turn back", IN_GAME, do_undo},
    {"board", "", "show the board again", IN_GAME, do_board},
    {"moves", "", "list the game so far", IN_GAME, do_moves},
    {"level", " [N]", "how well the computer plays, 1 to 8 or a name; alone: the list", ANY_TIME, do_level},
    {"save", " FILE", "keep the game as SGF", IN_GAME, do_save},
    {"load", " FILE", "go on with a game (SGF, a record, a list of moves)", ANY_TIME, do_load},
    {"resign", "", "give up", IN_GAME, do_resign},
    {"help", "", "this list", ANY_TIME, do_help},
    {"quit", "", "leave", ANY_TIME, do_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void do_help(Play *play, const char *argument) {
    (void)argument;
    fprintf(play->out, "A move is written as the rules write it: a cell is a row letter (a is the bottom\n"
                       "row) and a number from the row's left end.");
    if (play->tree->game->has_points)
        fprintf(play->out, " c3 places a stone, c3x flips one;\npass, take-button.");
    else
        fprintf(play->out, "\nA turn of several stones is typed whole; Tab shows how it can go on.");
    fprintf(play->out, " Commands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(play->out, "  %s%-*s %s\n", commands[i].name, 12 - (int)strlen(commands[i].name), commands[i].usage,
                commands[i].help);
    fprintf(play->out, "Ctrl-C while the computer thinks makes it move at once.\n");
}

bool play_command(Play *play, const char *word, const char *argument) {
    int i = 0;
    while (i < COMMANDS && strcmp(word, commands[i].name))
        i++;
    if (i == COMMANDS)
        return false;
    if (*argument && !*commands[i].usage)
        fprintf(play->out, "%s takes no argument, but '%.40s' was given.\n", word, argument);
    else if (play->stage != PLAY_GAME && commands[i].when != ANY_TIME)
        fprintf(play->out, "%s: the game has not begun, the komi is still open.\n", word);
    else if (play_is_over(play) && commands[i].when == WHILE_PLAYING)
        fprintf(play->out, "%s: the game is over.\n", word);
    else
        commands[i].run(play, argument);
    return true;
}

const char *play_command_name(const Play *play, int index) {
    if (index >= COMMANDS)
        return NULL;
    return play->stage == PLAY_GAME || commands[index].when == ANY_TIME ? commands[index].name : "";
}
