/* See session.h: the position and how it is shown, the life of a session, its lines of input. */
#include "selfplay/record/board_text.h"
#include "tools/play/session_internal.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- The position ---- */

const char *play_colour(const PlaySession *session, Side player) {
    return game_colour(session->tree->game, play_state(session), player) == BLACK ? "Black" : "White";
}

bool play_is_human(const PlaySession *session, Side player) {
    return session->options.human == PLAY_BOTH || (session->options.human == PLAY_AS_BLACK) == (player == BLACK);
}

bool play_is_over(const PlaySession *session) {
    return session->resigned || session->tree->game->rules->over(play_state(session));
}

Side play_side_to_move(const PlaySession *session) {
    return session->tree->game->rules->to_move(play_state(session));
}

static void show_result(PlaySession *session) {
    const Game *game = session->tree->game;
    if (session->resigned) {
        fprintf(session->out, "%s has resigned: %s wins.\n", play_colour(session, play_side_to_move(session)),
                play_colour(session, side_opponent(play_side_to_move(session))));
        return;
    }
    const Side winner = game->rules->result(game, play_state(session)).winner;
    fprintf(session->out, "The game is over: %s wins", play_colour(session, winner));
    if (game->has_points) {
        char score[16];
        board_text_score(game, play_state(session), score);
        fprintf(session->out, ", %s", score);
    }
    if (session->options.human != PLAY_BOTH)
        fprintf(session->out, ". %s", play_is_human(session, winner) ? "Well played" : "The computer has won");
    fprintf(session->out, ". (`undo' takes back, `save FILE' keeps the game, `quit' leaves.)\n");
}

void play_show(PlaySession *session) {
    static const char *const buttons[] = {"", ", the button lies on the table", ", Black has the button",
                                          ", White has the button"};
    const Game *game = session->tree->game;
    const GameState *state = play_state(session);
    const int parent = session->tree->nodes[session->node].parent;
    fputc('\n', session->out);
    play_board_draw(game, state, parent >= 0 ? &session->tree->nodes[parent].state : NULL, session->options.style,
                    session->out);
    if (game->has_points) {
        int cells[2];
        game->rules->board_score(game, state, cells);
        fprintf(session->out, "Black %d, White %d cells, komi %d%s\n", cells[BLACK], cells[WHITE], session->tree->komi,
                buttons[game->rules->button ? game->rules->button(state) : 0]);
    }
    if (play_is_over(session))
        show_result(session);
    else
        fprintf(session->out, "%s to move.\n", play_colour(session, play_side_to_move(session)));
}

void play_set_search(const PlaySession *session, Search *search) {
    search_set_position(search, play_state(session));
    search_set_history(search, &session->tree->nodes[session->node].history);
}

bool play_new_search(PlaySession *session, Error *error) {
    const Game *game = session->tree->game;
    Player player = session->options.player;
    Search *search = player_settle(&player, game->name, error)
                         ? player_new_search(&player, session->networks, game, session->options.seed, error)
                         : NULL;
    if (!search)
        return false;
    session->player = player;
    search_free(session->search);
    session->search = search;
    play_set_search(session, search);
    return true;
}

void play_go_to(PlaySession *session, int node) {
    session->node = node;
    session->resigned = false;
    play_set_search(session, session->search);
}

bool play_turn(PlaySession *session, const char *text, Error *error) {
    const Game *game = session->tree->game;
    Action turn[GAME_TURN_MAX];
    GameState state;
    int count;
    game_copy(game, &state, play_state(session));
    if (!game_play_text(game, &state, text, turn, &count, error))
        return false;
    const int node = game_tree_add(session->tree, session->node, text, error);
    if (node < 0)
        return false;
    for (int i = 0; i < count; i++)
        search_play(session->search, turn[i]);
    session->node = node;
    return true;
}

/* ---- Its life ---- */

PlaySession *play_new(const PlayOptions *options, FILE *out, Error *error) {
    PlaySession *session = calloc(1, sizeof *session);
    if (!session) {
        error_set(error, "out of memory");
        return NULL;
    }
    session->out = out;
    session->options = *options;
    session->networks = player_networks_new(error);
    session->tree = session->networks ? game_tree_new(&options->game, options->komi, error) : NULL;
    if (!session->tree || !play_new_search(session, error) ||
        (options->load && !play_load(session, options->load, error))) {
        play_free(session);
        return NULL;
    }
    session->stage = options->choose && !options->load && session->tree->game->has_points ? PLAY_NAME_KOMI : PLAY_GAME;
    return session;
}

void play_free(PlaySession *session) {
    if (!session)
        return;
    search_free(session->search);
    player_networks_free(session->networks);
    game_tree_free(session->tree);
    free(session);
}

void play_begin(PlaySession *session) {
    const Game *game = session->tree->game;
    fprintf(session->out, "%c%s on hexhex-%d. Type a move, or `help'.\n", toupper((unsigned char)*game->name),
            game->name + 1, game->board.size);
    play_board_legend(game, session->options.style, session->out);
    if (session->stage == PLAY_GAME) {
        play_show(session);
        play_computer(session);
    } else {
        fprintf(session->out,
                "One names the komi (White's points), the other chooses sides.\nName it, or type `computer' "
                "(or nothing) to let the computer do so.\n");
    }
    fflush(session->out);
}

static void take_turn(PlaySession *session, const char *line) {
    Error error;
    if (play_is_over(session)) {
        fprintf(session->out, "The game is over; `help' lists what can be done.\n");
    } else if (!play_turn(session, line, &error)) {
        fprintf(session->out, "%s (or a command: see `help')\n", error.text);
    } else {
        play_show(session);
        play_computer(session);
    }
}

/* A line that is no command: an answer about komi, or a turn. */
static void take_words(PlaySession *session, const char *words, const char *argument) {
    if (*argument)
        fprintf(session->out, "'%.40s' is no command; `help' lists them.\n", words);
    else if (session->stage == PLAY_NAME_KOMI)
        play_name_komi(session, words);
    else if (session->stage == PLAY_CHOOSE_SIDE)
        play_choose_side(session, words);
    else
        take_turn(session, words);
}

/* Ends the first word with a terminator, in lower case, and returns the words after it. */
static char *split_first_word(char *words) {
    char *argument = words + strcspn(words, " \t");
    for (char *c = words; c < argument; c++)
        *c = (char)tolower((unsigned char)*c);
    while (*argument && isspace((unsigned char)*argument))
        *argument++ = '\0';
    return argument;
}

bool play_line(PlaySession *session, const char *line) {
    char words[PLAY_LINE_MAX];
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length >= sizeof words) {
        fprintf(session->out, "The line is longer than %d bytes.\n", PLAY_LINE_MAX - 1);
        return !session->over;
    }
    memcpy(words, line, length);
    words[length] = '\0';
    const char *argument = split_first_word(words);
    const bool empty = !*words && session->stage != PLAY_NAME_KOMI;
    if (!empty && !play_command(session, words, argument))
        take_words(session, words, argument);
    fflush(session->out);
    return !session->over && !ferror(session->out);
}

const char *play_prompt(PlaySession *session) {
    const char *what = session->stage == PLAY_NAME_KOMI     ? "komi"
                       : session->stage == PLAY_CHOOSE_SIDE ? "black or white"
                       : play_is_over(session)              ? "over"
                                                            : play_colour(session, play_side_to_move(session));
    snprintf(session->prompt, sizeof session->prompt, "%s> ", what);
    return session->prompt;
}
