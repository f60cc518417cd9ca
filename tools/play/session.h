/* A game at a terminal, as an object: lines of a person go in, boards and answers come out, as text to a FILE. It knows
 * no terminal itself: tools/commands/play.c has one, tests have none.
 *
 * A line is a turn as the rules write it (c3, c3x, pass, take-button; whole turns of games whose turns have several
 * actions) or a command, see `help`. Where the komi is still open, the first lines settle it by the pie rule: one side
 * names it, the other chooses. The computer answers a turn within the same call. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_H
#define STIGMERGY_TOOLS_PLAY_SESSION_H

#include "selfplay/players/player.h"
#include "tools/play/board.h"

typedef enum PlayHuman { PLAY_AS_BLACK, PLAY_AS_WHITE, PLAY_BOTH } PlayHuman;

typedef struct PlayOptions {
    GameOptions game;
    int komi;
    bool choose; /* komi and sides are chosen first, where the game has komi; else `komi` and `human` hold */
    PlayHuman human;
    Player player; /* the computer's, hints included as far as it is stronger than they are */
    uint64_t seed;
    PlayStyle style;
    const char *load;  /* a file to go on with, NULL: a new game */
    atomic_bool *stop; /* set by Ctrl-C: the computer stops thinking and moves. Cleared before it thinks. */
} PlayOptions;

typedef struct Play Play;

/* Starts a session that writes to `out`, to be freed by play_free; NULL with an error for a game, komi or file that is
 * not usable. */
Play *play_new(const PlayOptions *options, FILE *out, Error *error);
void play_free(Play *play);

/* Shows the board or the first question, and lets the computer move where it begins. */
void play_begin(Play *play);

/* Takes a line without its newline; false when the session is over. */
bool play_line(Play *play, const char *line);

/* Keeps the game, without what was taken back, as SGF; false with an error. */
bool play_save(Play *play, const char *path, Error *error);

/* Whether there is nothing that would be lost: no turn, or all of them are in a file. */
bool play_is_saved(const Play *play);

/* What the command line needs beside --load to go on with the same sides: "", " --side w", " --side both". */
const char *play_side_option(const Play *play);

/* What stands before the next line: "Black> ". Valid until the next call. */
const char *play_prompt(Play *play);

/* The words that `text` can be completed to, the whole line each: commands, turns that are legal now, names of files.
 * Returns how many were written, at most `capacity`, each to be freed. */
int play_complete(const Play *play, const char *text, char **out, int capacity);

#endif
