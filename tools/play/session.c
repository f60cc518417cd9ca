/* See session.h: the life of a session, and its lines of input. */
#include "tools/play/session_internal.h"

#include <ctype.h>
#include <stdlib.h>

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
