/* Inside the protocol: the state of a session, and what its parts offer each other. Each part of the commands is a
 * table: protocol.c (the session itself), commands.c (the game), sgf.c, analyze.c, gogui.c. */
#ifndef STIGMERGY_TOOLS_GTP_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_GTP_SESSION_INTERNAL_H

#include "tools/gtp/game_clock.h"
#include "tools/gtp/protocol.h"

enum { GTP_LINE_LIMIT = 4096 }; /* bytes of a command line; no command needs as many */

/* A turn that was played, and the position before it. */
typedef struct GtpTurn {
    GameState before;
    char *text;
    bool generated; /* by genmove */
} GtpTurn;

struct Gtp {
    FILE *out;
    GtpOptions options;

    Game *game;
    GameOptions game_options; /* that it was made of */
    int komi;
    Search *search; /* its root is the position */
    GtpTurn *past;  /* the turns of the game */
    int turns, capacity;
    bool set_up; /* whether the game began with these stones and this side to move */
    uint8_t stones[HEXHEX_MAX_CELLS];
    Side first;
    GameClock clock;

    char line[GTP_LINE_LIMIT + 1]; /* what has come of the current line */
    size_t length;
    bool in_comment, too_long;
    bool quit;     /* the session is over */
    bool answered; /* the current command has begun its answer by gtp_begin_answer */

    const char *id;   /* of the current command, "" without one */
    char **arguments; /* of the current command ... */
    int count;        /* ... and how many */
    FILE *answer;
    Error *error;
};

typedef struct GtpCommand {
    const char *name;
    int fewest, most; /* arguments */
    const char *usage;
    bool (*run)(Gtp *gtp); /* writes to gtp->answer; false with gtp->error */
} GtpCommand;

/* The tables, each ends with an entry without a name. */
extern const GtpCommand gtp_game_commands[], gtp_sgf_commands[], gtp_analyze_commands[], gtp_gogui_commands[];

/* Begins a good answer that is written to gtp->out while the command runs: "=id", and the first line is still open. */
void gtp_begin_answer(Gtp *gtp);

/* After a turn of its own, where the session ponders, searches the position until the next line comes (commands.c).
 */
void gtp_ponder(const Gtp *gtp);

/* ---- position.c: the position and how it came about ---- */

static inline const GameState *gtp_state(const Gtp *gtp) {
    return search_position(gtp->search);
}

/* The colour to move, as people see it. */
Side gtp_colour(const Gtp *gtp);

/* The start position, with the komi that is set. */
void gtp_restart(Gtp *gtp);

/* Another game or size; nothing changes where that fails. Komi stays. */
bool gtp_change_game(Gtp *gtp, const GameOptions *options, Error *error);

/* Adds a turn to the past and writes its text; the search's position is left to the caller. False without memory. */
bool gtp_remember(Gtp *gtp, const GameState *before, const Action *turn, int count, char text[GAME_TEXT_MAX],
                  Error *error);

/* Takes the last turn back; there must be one. */
void gtp_forget(Gtp *gtp);

/* Reads b, w, black or white. */
bool gtp_read_colour(const char *text, Side *colour, Error *error);

/* Whether the colour named may move now: in these games nobody moves twice in succession. */
bool gtp_check_turn(const Gtp *gtp, const char *colour, Error *error);

/* Writes all legal turns, separated by blanks; false with an error where there are too many. */
bool gtp_list_turns(const Gtp *gtp, FILE *out, Error *error);

#endif
