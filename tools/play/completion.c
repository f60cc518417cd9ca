/* What Tab offers: commands, cells, files, and legal turns. See session.h. */
#include "engine/game/turns.h"
#include "tools/play/session_internal.h"

#include <glob.h>
#include <stdlib.h>

enum {
    LOOKED_AT = 20000 /* legal turns that are examined, */,
    POSITIONS = 10 * LOOKED_AT /* or this many within turns */
};

typedef struct Completion {
    const PlaySession *session;
    const char *text; /* the beginning that was typed */
    char **out;
    int count, capacity, looked_at;
} Completion;

static void offer(Completion *completion, const char *word) {
    if (!*word || strncmp(word, completion->text, strlen(completion->text)) ||
        completion->count == completion->capacity)
        return;
    char *copy = strdup(word);
    if (copy)
        completion->out[completion->count++] = copy;
}

static bool offer_turn(void *user, const Action *turn, int count, const GameState *after) {
    (void)after;
    Completion *completion = user;
    const Game *game = completion->session->tree->game;
    GameState state;
    char text[GAME_TEXT_MAX];
    game_copy(game, &state, play_state(completion->session));
    game_format_turn(game, &state, turn, count, text);
    offer(completion, text);
    return ++completion->looked_at < LOOKED_AT && completion->count < completion->capacity;
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
        turns_visit(session->tree->game, play_state(session), POSITIONS, offer_turn, &completion);
    return completion.count;
}
