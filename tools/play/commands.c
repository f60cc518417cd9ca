/* The commands of a terminal game and their table. See session_internal.h. */
#include "selfplay/io/nearest_word.h"
#include "selfplay/players/levels.h"
#include "tools/play/session_internal.h"

#include <stdlib.h>

/* ---- The game ---- */

/* Whether a person is to move at a node. */
static bool is_persons_turn(const PlaySession *session, int node) {
    const GameTree *tree = session->tree;
    return play_is_human(session, tree->game->rules->to_move(&tree->nodes[node].state));
}

/* Goes back to the last turn of a person. */
static void do_undo(PlaySession *session, const char *argument) {
    (void)argument;
    const GameTree *tree = session->tree;
    int node = session->now.forfeit ? session->now.node : tree->nodes[session->now.node].parent;
    while (node >= 0 && !is_persons_turn(session, node))
        node = tree->nodes[node].parent;
    if (node < 0) {
        fprintf(session->out, "There is nothing to take back.\n");
        return;
    }
    play_go_to(session, (PlayMark){.node = node});
    play_show(session);
}

/* The node after `node` on the way to one of its descendants. */
static int next_node(const GameTree *tree, int node, int descendant) {
    while (tree->nodes[descendant].parent != node)
        descendant = tree->nodes[descendant].parent;
    return descendant;
}

/* Plays again what was taken back, up to the next turn of a person, or else to its end, with the result that it had
 * there. After a change of sides that may be a turn of the computer, which then moves. */
static void do_redo(PlaySession *session, const char *argument) {
    (void)argument;
    const PlayMark ahead = session->ahead;
    int node = session->now.node;
    if (node == ahead.node && session->now.forfeit == ahead.forfeit) {
        fprintf(session->out, "There is nothing to play again.\n");
        return;
    }
    bool persons = false;
    while (node != ahead.node && !persons) {
        node = next_node(session->tree, node, ahead.node);
        persons = is_persons_turn(session, node);
    }
    play_go_to(session, persons ? (PlayMark){.node = node} : ahead);
    play_show(session);
    play_computer(session);
}

static void do_save(PlaySession *session, const char *argument) {
    Error error;
    if (!*argument)
        fprintf(session->out, "save: expected a file name, as in `save game.sgf'\n");
    else if (play_save(session, argument, &error))
        fprintf(session->out, "The game is in %s.\n", argument);
    else
        fprintf(session->out, "%s\n", error.text);
}

static void do_load(PlaySession *session, const char *argument) {
    Error error;
    if (file_exists(argument))
        play_say_kept(session); /* the game before */
    if (*argument && play_load(session, argument, false, &error)) {
        play_check_room(session);
        play_start(session);
    } else {
        fprintf(session->out, "%s\n", *argument ? error.text : "load: expected a file name, as in `load game.sgf'");
    }
}

static void do_new(PlaySession *session, const char *argument) {
    (void)argument;
    Error error;
    play_say_kept(session);
    if (play_again(session, &error))
        play_start(session);
    else
        fprintf(session->out, "%s\n", error.text);
}

static void list_levels(const PlaySession *session) {
    for (int level = 1; level <= LEVELS; level++)
        fprintf(session->out, "%d  %-12s  %4d Elo\n", level, level_name(level), level_elo(level));
    fprintf(session->out, "Elo: above level 1, at Stigmergy on hexhex-5. The computer is %s.\n",
            session->options.player.name);
}

/* Other players go on: a file of the game has to name them. */
static void change_names(PlaySession *session) {
    session->saved = session->kept = (PlayMark){.node = -1};
    session->loaded = 0;
}

static void do_level(PlaySession *session, const char *argument) {
    Player player;
    Error error;
    int level;
    if (!*argument) {
        list_levels(session);
    } else if (!level_read("level", argument, &level, &error) || !level_player(level, &player, &error) ||
               !play_change_player(session, player, &error)) {
        fprintf(session->out, "%s\n", error.text);
    } else {
        fprintf(session->out, "The computer plays at level %d of %d, %s.\n", level, LEVELS, level_name(level));
        if (session->options.human != PLAY_BOTH)
            change_names(session);
    }
}

/* Says who plays now, and lets the computer move if it is its turn. */
static void do_side(PlaySession *session, const char *argument) {
    const bool both = !strcmp(argument, "both");
    Side colour = BLACK;
    if (!both && !play_read_colour(argument, &colour)) {
        fprintf(session->out, "side: '%.40s', expected b, w or both.\n", argument);
        return;
    }
    if (both)
        session->options.human = PLAY_BOTH;
    else
        play_take_colour(session, colour);
    change_names(session);
    fprintf(session->out, "You play %s.\n", both ? "both sides" : colour == BLACK ? "Black" : "White");
    play_computer(session);
}

static void do_board(PlaySession *session, const char *argument) {
    (void)argument;
    play_show(session);
}

static void do_moves(PlaySession *session, const char *argument) {
    (void)argument;
    const GameTreeNode *nodes = session->tree->nodes;
    int depth = 0;
    for (int i = session->now.node; i > 0; i = nodes[i].parent)
        depth++;
    for (int number = 1; number <= depth; number++) {
        int node = session->now.node;
        for (int back = depth - number; back > 0; back--)
            node = nodes[node].parent;
        if (number % 2)
            fprintf(session->out, "%s%d.%s", number > 1 ? " " : "", (number + 1) / 2, nodes[node].turn);
        else
            fprintf(session->out, " %s", nodes[node].turn);
    }
    fputs(depth ? "\n" : "No moves yet.\n", session->out);
}

static void do_resign(PlaySession *session, const char *argument) {
    (void)argument;
    if (play_is_over(session)) {
        fprintf(session->out, "The game is over.\n");
        return;
    }
    const GameState *state = play_state(session);
    session->now.forfeit = FORFEIT_RESIGN;
    session->now.winner = game_colour(session->tree->game, state, side_opponent(play_side_to_move(session)));
    session->ahead = session->now;
    play_show(session);
}

static void do_quit(PlaySession *session, const char *argument) {
    (void)argument;
    session->over = true;
}

static void do_help(PlaySession *session, const char *argument);

/* ---- The table ---- */

enum { ANY_TIME = 1, WHILE_PLAYING = 2 /* no result yet */, IN_GAME = 4 /* komi is settled */ };

static const struct {
    const char *name, *usage, *help;
    int when;
    void (*run)(PlaySession *session, const char *argument);
} commands[] = {
    {"hint", "", "the best moves, by a search of a second on any level", WHILE_PLAYING, play_hint},
    {"score", "", "who is ahead, as the computer sees it; after the end the result", IN_GAME, play_score},
    {"why", " CELL", "what a cell sees, whose it is, whether you may move there", IN_GAME, play_why},
    {"undo", "", "take your last turn back", IN_GAME, do_undo},
    {"redo", "", "play it again", IN_GAME, do_redo},
    {"board", "", "show the board again", IN_GAME, do_board},
    {"moves", "", "list the game so far", IN_GAME, do_moves},
    {"level", " [N]", "how well the computer plays, 1 to 8 or a name; alone: the list", ANY_TIME, do_level},
    {"side", " SIDE", "what you play from here on: b, w or both", IN_GAME, do_side},
    {"save", " FILE", "keep the game as SGF; the board in the browser reviews it", IN_GAME, do_save},
    {"load", " FILE", "go on with a game (SGF, a record, a list of moves)", ANY_TIME, do_load},
    {"resign", "", "give up", IN_GAME, do_resign},
    {"new", "", "begin another game of the same kind", ANY_TIME, do_new},
    {"help", "", "this list", ANY_TIME, do_help},
    {"quit", "", "leave", ANY_TIME, do_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* How a turn is written. */
static const char *turn_help(const GameRules *rules) {
    if (rules->sight)
        return "A turn is c3 (a stone), c3x (flips a stone), pass or take-button.";
    return rules->format_turn ? "A turn of several stones is one word; Tab shows how it goes on."
                              : "Tab shows the turns.";
}

static void do_help(PlaySession *session, const char *argument) {
    (void)argument;
    if (session->stage == PLAY_GAME)
        fprintf(session->out,
                "A cell is the letter of its row (a is the lowest) and its number from the left.\n%s Commands:\n",
                turn_help(session->tree->game->rules));
    for (int i = 0; i < COMMANDS; i++)
        if (*play_command_name(session, i))
            fprintf(session->out, "  %s%-*s %s\n", commands[i].name, 12 - (int)strlen(commands[i].name),
                    commands[i].usage, commands[i].help);
    if (session->stage == PLAY_GAME)
        fprintf(session->out, "Ctrl-C while the computer thinks makes it move at once; at the prompt it leaves.\n");
    else
        play_ask(session);
}

bool play_command(PlaySession *session, const char *word, const char *argument) {
    int i = 0;
    while (i < COMMANDS && strcmp(word, commands[i].name))
        i++;
    if (i == COMMANDS)
        return false;
    if (*argument && !*commands[i].usage)
        fprintf(session->out, "%s takes no argument, but '%.40s' was given.\n", word, argument);
    else if (session->stage != PLAY_GAME && commands[i].when != ANY_TIME)
        fprintf(session->out, "%s: the game has not begun, the komi is still open.\n", word);
    else if (play_is_over(session) && commands[i].when == WHILE_PLAYING)
        fprintf(session->out, "%s: the game is over.\n", word);
    else
        commands[i].run(session, argument);
    return true;
}

const char *play_nearest_command(const PlaySession *session, const char *word) {
    const char *names[COMMANDS];
    int count = 0;
    for (int i = 0; i < COMMANDS; i++)
        if (*play_command_name(session, i))
            names[count++] = commands[i].name;
    return nearest_word(word, names, count);
}

const char *play_command_name(const PlaySession *session, int index) {
    if (index >= COMMANDS)
        return NULL;
    return session->stage == PLAY_GAME || commands[index].when == ANY_TIME ? commands[index].name : "";
}
