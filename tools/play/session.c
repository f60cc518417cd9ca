/* See session.h: the life of a session, and its lines of input. */
#include "engine/games/registry.h"
#include "selfplay/io/variants.h"
#include "tools/play/session_internal.h"

#include <ctype.h>
#include <stdlib.h>

/* Whether the game to go on with is of the variant that was asked for. */
static bool is_variant_asked(const PlaySession *session, const char *source, Error *error) {
    const Game *game = session->tree->game;
    const GameOptions *options = &session->options.game;
    const GameOptions asked =
        game_usual((GameOptions){.name = game->name, .capture = options->capture, .pie = options->pie});
    if (options->capture != GAME_CAPTURE_DEFAULT && game->capture != asked.capture)
        return error_set(error, "%s: is of another variant, expected capture %s as --capture says", source,
                         variants_captures[options->capture - GAME_CAPTURE_FREE]);
    return options->pie == GAME_PIE_DEFAULT || game->pie == asked.pie ||
           error_set(error, "%s: is of another variant, expected pie %s as --pie says", source,
                     variants_pies[options->pie - GAME_PIE_OFF]);
}

/* Whether the game to go on with is the one that was asked for. */
static bool is_as_asked(const PlaySession *session, Error *error) {
    const PlayOptions *options = &session->options;
    const Game *game = session->tree->game;
    const char *source = options->load ? options->load : "the last game";
    if (options->same_game && strcmp(game->name, options->game.name))
        return error_set(error, "%s: is a game of %s, expected %s as --game says", source, game->name,
                         options->game.name);
    if (options->same_size && game->board.size != options->game.size)
        return error_set(error, "%s: is on hexhex-%d, expected hexhex-%d as --size says", source, game->board.size,
                         options->game.size);
    return is_variant_asked(session, source, error);
}

/* The game before one is loaded, which may be another one, with variants that this one lacks. */
static GameOptions first_game(const PlayOptions *options) {
    GameOptions game = options->game;
    if ((options->load || options->resume) && !options->same_game) {
        game.capture = GAME_CAPTURE_DEFAULT;
        game.pie = GAME_PIE_DEFAULT;
    }
    return game;
}

PlaySession *play_new(const PlayOptions *options, FILE *out, Error *error) {
    PlaySession *session = calloc(1, sizeof *session);
    if (!session) {
        error_set(error, "out of memory");
        return NULL;
    }
    session->out = out;
    session->options = *options;
    session->saved = session->kept = (PlayMark){.node = -1};
    session->kept_file.descriptor = -1;
    session->networks = player_networks_new(error);
    const GameOptions first = first_game(options);
    session->tree = session->networks ? game_tree_new(&first, options->komi, error) : NULL;
    if (!session->tree || !play_new_search(session, error) ||
        (options->load && !play_load(session, options->load, false, error)) ||
        (options->resume && !play_continue(session, error)) ||
        ((options->load || options->resume) && !is_as_asked(session, error))) {
        play_free(session);
        return NULL;
    }
    if (!options->load && !options->resume)
        session->stage = play_first_stage(session);
    return session;
}

void play_free(PlaySession *session) {
    if (!session)
        return;
    line_file_close(&session->kept_file, NULL);
    search_free(session->search);
    player_networks_free(session->networks);
    game_tree_free(session->tree);
    free(session);
}

void play_begin(PlaySession *session) {
    const Game *game = session->tree->game;
    fprintf(session->out, "%c%s on hexhex-%d. %s\n", toupper((unsigned char)*game->name), game->name + 1,
            game->board.size, session->stage == PLAY_GAME ? "Type a move, or `help'." : "`help' lists the commands.");
    if (session->options.human != PLAY_BOTH)
        fprintf(session->out, "The computer plays as `%s'; `level' changes that.\n", session->options.player.name);
    play_board_legend(game, session->options.style, session->out);
    play_check_room(session);
    play_start(session);
    fflush(session->out);
}

/* Ends a line about a word that is neither a turn nor a command. */
static void suggest(const PlaySession *session, const char *word) {
    const char *near = play_nearest_command(session, word);
    if (near)
        fprintf(session->out, " Did you mean `%s'?\n", near);
    else
        fputs(" (`help' lists the commands.)\n", session->out);
}

static void take_turn(PlaySession *session, const char *line) {
    Error error;
    if (play_is_over(session)) {
        fputs("The game is over.", session->out);
        suggest(session, line);
    } else if (!play_turn(session, line, &error)) {
        fprintf(session->out, "%s.", error.text);
        suggest(session, line);
    } else {
        play_autosave(session); /* before the computer thinks */
        play_show(session);
        play_computer(session);
    }
}

/* A line that is no command: an answer about komi, or a turn. */
static void take_words(PlaySession *session, const char *words, const char *argument) {
    if (*argument) {
        fprintf(session->out, "'%.40s' is no command, and a turn is one word.", words);
        suggest(session, words);
    } else if (session->stage == PLAY_NAME_KOMI)
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
    play_autosave(session);
    fflush(session->out);
    return !session->over && !ferror(session->out);
}

const char *play_prompt(PlaySession *session) {
    const char *what = session->stage == PLAY_NAME_KOMI     ? "komi"
                       : session->stage == PLAY_CHOOSE_SIDE ? "black or white"
                       : play_is_over(session)              ? "over: new, undo, save, quit"
                                                            : play_colour(session, play_side_to_move(session));
    snprintf(session->prompt, sizeof session->prompt, "%s> ", what);
    return session->prompt;
}
