/* What Tab offers: commands, cells, files, and legal turns. See session.h. */
#include "tools/play/session_internal.h"

#include <glob.h>
#include <stdlib.h>

typedef struct Completion {
    const PlaySession *session;
    const char *text; /* the beginning that was typed */
    char **out;
    int count, capacity;
} Completion;

static void offer(Completion *completion, const char *word) {
    if (!*word || strncmp(word, completion->text, strlen(completion->text)) ||
        completion->count == completion->capacity)
        return;
    char *copy = strdup(word);
    if (copy)
        completion->out[completion->count++] = copy;
}

/* Appends to the text of a turn that is not complete what comes next whatever is chosen: a comma, an x, a >. */
static void add_separator(const Game *game, const GameState *start, const GameState *state, Action turn[GAME_TURN_MAX],
                          int count, char text[GAME_TEXT_MAX]) {
    Action legal[GAME_LEGAL_MAX];
    char longer[GAME_TEXT_MAX];
    GameState copy;
    const size_t length = strlen(text);
    if (game->rules->legal(game, state, legal) == 0)
        return;
    turn[count] = legal[0];
    game_copy(game, &copy, start);
    game_format_turn(game, &copy, turn, count + 1, longer);
    memcpy(text, longer, length + 1);
    text[length + 1] = '\0';
}

/* Offers the turns that begin with `count` actions, up to the next choice behind what was typed: whole turns can be far
 * too many. */
static void offer_turns(Completion *completion, const GameState *start, const GameState *state,
                        Action turn[GAME_TURN_MAX], int count) {
    const Game *game = completion->session->tree->game;
    const size_t typed = strlen(completion->text);
    Action legal[GAME_LEGAL_MAX];
    const int choices = game->rules->legal(game, state, legal);
    for (int i = 0; i < choices; i++) {
        char text[GAME_TEXT_MAX];
        GameState after;
        turn[count] = legal[i];
        game_copy(game, &after, start);
        game_format_turn(game, &after, turn, count + 1, text);
        const size_t length = strlen(text);
        const bool whole = game->rules->over(&after) || game->rules->turn_start(&after);
        if (!whole && length <= typed) {
            if (!strncmp(text, completion->text, length))
                offer_turns(completion, start, &after, turn, count + 1);
            continue;
        }
        if (!whole)
            add_separator(game, start, &after, turn, count + 1, text);
        offer(completion, text);
    }
}

/* The files whose names begin with what was typed after `command` and a space. */
static void offer_files(Completion *completion, const char *command) {
    const size_t length = strlen(command);
    if (strncmp(completion->text, command, length) || completion->text[length] != ' ')
        return;
    char pattern[2 * PLAY_LINE_MAX], *to = pattern;
    const char *from = completion->text + length + 1;
    for (; *from && to < pattern + sizeof pattern - 3; *to++ = *from++)
        if (strchr("*?[]\\", *from))
            *to++ = '\\';
    memcpy(to, "*", 2);
    glob_t files;
    if (glob(pattern, GLOB_MARK, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++) {
            char word[2 * PLAY_LINE_MAX];
            if (snprintf(word, sizeof word, "%s %s", command, files.gl_pathv[i]) < (int)sizeof word)
                offer(completion, word);
        }
        globfree(&files);
    }
}

int play_complete(const PlaySession *session, const char *text, char **out, int capacity) {
    Completion completion = {.session = session, .text = text, .out = out, .capacity = capacity};
    const Hexhex *board = &session->tree->game->board;
    for (int i = 0; play_command_name(session, i); i++)
        offer(&completion, play_command_name(session, i));
    if (session->stage == PLAY_NAME_KOMI)
        offer(&completion, "computer");
    if (session->stage == PLAY_CHOOSE_SIDE) {
        offer(&completion, "black");
        offer(&completion, "white");
    }
    for (int cell = 0; cell < board->cells && !strncmp(text, "why ", 4); cell++) {
        char word[4 + HEXHEX_NAME_SIZE] = "why ";
        hexhex_name(board, cell, word + 4);
        offer(&completion, word);
    }
    offer_files(&completion, "save");
    offer_files(&completion, "load");
    if (session->stage == PLAY_GAME && !play_is_over(session))
        offer_turns(&completion, play_state(session), play_state(session), (Action[GAME_TURN_MAX]){0}, 0);
    return completion.count;
}
