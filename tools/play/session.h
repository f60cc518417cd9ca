/* A game at a terminal as an object: a person's lines go in; boards and answers come out as text to a FILE. It does not
 * know the terminal: tools/commands/play.c has one, tests have none.
 *
 * A line is a turn as the rules write it (c3, c3x, pass, take-button, or several actions where a turn has several), or
 * a command (see `help`). If the komi is still open, the first lines settle it by the pie rule: one side names it, the
 * other chooses a colour. The computer answers a turn within the same call. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_H
#define STIGMERGY_TOOLS_PLAY_SESSION_H

#include "selfplay/players/player.h"
#include "tools/play/board.h"

typedef enum PlayHuman { PLAY_AS_BLACK, PLAY_AS_WHITE, PLAY_BOTH } PlayHuman;

/* The size of a terminal; 0: unknown. */
typedef struct PlayRoom {
    int columns, lines;
} PlayRoom;

typedef struct PlayOptions {
    GameOptions game;
    int komi;
    bool choose;     /* in a game with komi against the computer, choose komi and sides first; else `komi` and `human`
                        are fixed */
    PlayHuman human; /* the sides that people play; with a file or game to go on with, the colours at its end */
    Player player;   /* the computer; like the adviser, it is settled for each game */
    Player adviser;  /* gives hints and scores, so that they are as good with a weak computer as with a strong one */
    uint64_t seed;
    PlayStyle style;
    const PlayRoom *room;      /* of the terminal, which may change; NULL: unknown. It must outlive the session */
    const char *load;          /* a file to go on with; NULL: a new game */
    bool resume;               /* go on with the game that was kept or left last */
    bool same_game, same_size; /* a file or game to go on with must be of the game, of the size of `game`; and of its
                                  variants, where they are not DEFAULT */
    bool same_sides;           /* people play the sides that they play in a file or game to go on with, not `human` */
    bool same_level; /* and the computer plays at the level that it has there, if it has one; else as `player` */
    bool keep;       /* after each turn and line the game is kept in a file (autosave.c) */
    StopFlag *stop;  /* set by Ctrl-C: the computer stops thinking and moves. Cleared before it thinks, so not NULL */
} PlayOptions;

typedef struct PlaySession PlaySession;

/* Starts a session that writes to `out`, to be freed by play_free. NULL with an error if the game, komi or file cannot
 * be used. */
PlaySession *play_new(const PlayOptions *options, FILE *out, Error *error);
void play_free(PlaySession *session);

/* Shows the board or the first question, and lets the computer move if it is its turn. */
void play_begin(PlaySession *session);

/* Says so where the terminal has not enough room for the board. For the caller who has changed the room. */
void play_check_room(const PlaySession *session);

/* Takes a line without its newline; false when the session is over. */
bool play_line(PlaySession *session, const char *line);

/* Saves the game as SGF, without turns that were taken back; false with an error. */
bool play_save(PlaySession *session, const char *path, Error *error);

/* The last words: where the game is kept, and how to go on with it, or that there is nothing to keep. */
void play_leave(PlaySession *session);

/* The prompt of the next line: "Black> ". Valid until the next call. */
const char *play_prompt(PlaySession *session);

/* The lines that `text` can be completed to: commands, legal turns, file names. Returns how many were written, at most
 * `capacity`. The caller frees each. */
int play_complete(const PlaySession *session, const char *text, char **out, int capacity);

#endif
