/* Inside a GTP session: its state, and what its files offer each other. Each of these files has a table of commands:
 * protocol.c (the session itself), commands.c (the game), sgf.c, analyze.c, gogui.c. genmove.c chooses turns,
 * position.c has the position and the turns that led to it, vertices.c spells turns. */
#ifndef STIGMERGY_TOOLS_GTP_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_GTP_SESSION_INTERNAL_H

#include "selfplay/players/game_clock.h"
#include "selfplay/record/game_tree.h"
#include "tools/gtp/protocol.h"

enum {
    GTP_LINE_LIMIT = 4096,     /* bytes of a command line; every command is shorter */
    GTP_ARGUMENTS_MAX = 100,   /* that a command may take */
    GTP_FIRST_SIMULATIONS = 16 /* of a report: even if the next line is already there, or there is an only move */
};

/* A turn that was played. */
typedef struct GtpTurn {
    GameState before;    /* the position before it */
    GameHistory history; /* what came before that */
    char *text;
    bool generated; /* by genmove */
} GtpTurn;

struct Gtp {
    FILE *out;
    GtpOptions options;

    Game *game;
    GameOptions game_options; /* the game was made with these */
    Player player;            /* that of the options, settled for the game */
    int komi;                 /* as it was asked for: see gtp_komi */
    PlayerNetworks *networks; /* of the searches */
    Search *search;           /* its root is the position */
    GameHistory history;      /* what came before the position */
    GtpTurn *past;            /* the turns of the game */
    int turns, capacity;
    bool set_up; /* the game began with these stones and this side to move, else with the usual start */
    uint8_t stones[HEXHEX_MAX_CELLS];
    Side first;
    GameTree *file; /* the game that was loaded, for what it says beside the turns; NULL: none, or another game began */
    GameClock clock;

    char line[GTP_LINE_LIMIT + 1]; /* the current line, as far as it has come in */
    size_t length;
    bool in_comment, too_long;
    bool quit;     /* the session is over */
    bool answered; /* the current command has called gtp_begin_answer */

    const char *id;   /* of the current command, "" without one */
    char **arguments; /* of the current command */
    int count;        /* how many arguments there are */
    FILE *answer;     /* where the current command writes its answer */
    Error *error;     /* why it failed */
};

typedef struct GtpCommand {
    const char *name;
    int fewest, most; /* how many arguments it takes */
    const char *usage;
    bool (*run)(Gtp *gtp); /* writes to gtp->answer; false with gtp->error */
    bool needs_komi;       /* it plays, searches, shows or saves: not before the board has the komi (gtp_check_komi) */
} GtpCommand;

/* The tables. Each ends with an entry whose name is NULL. */
extern const GtpCommand gtp_game_commands[], gtp_sgf_commands[], gtp_analyze_commands[], gtp_gogui_commands[];

/* Begins the answer of a command that succeeds and writes to gtp->out while it runs: "=id", without a newline. */
static inline void gtp_begin_answer(Gtp *gtp) {
    fprintf(gtp->out, "=%s", gtp->id);
    gtp->answered = true;
}

/* ---- vertices.c ---- */

/* Spells a turn that the rules have written, in place, as the session's client does. */
void gtp_spell(const Gtp *gtp, char *text);

/* The cell at a point of the square on which such clients show the board (gogui.c): a row of the board is a column
 * there, row 0 at the left, and a column is a row, column 1 at the bottom. -1 for points that are no cells. */
int gtp_square_cell(const Game *game, int row, int column);

/* The reverse: a client's turn as the rules spell it, in lower case. */
bool gtp_unspell(const Gtp *gtp, const char *vertex, char out[GAME_TEXT_MAX], Error *error);

/* ---- genmove.c ---- */

bool gtp_genmove(Gtp *gtp);

/* A turn that is reported before it is played: `report` gets the session, whose search has the position still, and what
 * that has found. */
typedef struct GtpReports {
    void (*report)(const Gtp *gtp, const void *settings, const SearchSummary *found);
    const void *settings;
    const SearchAvoid *avoid; /* what the actions of the turn must not be; the search has it already */
} GtpReports;

/* Chooses a turn and plays it, or resigns; `reports` may be NULL. `text` becomes the turn as the client spells it.
 * False with an error without memory. */
bool gtp_generate(Gtp *gtp, const GtpReports *reports, char text[GAME_TEXT_MAX]);

bool gtp_reg_genmove(Gtp *gtp);

/* Whether more runs of a search would find more than the last one. */
static inline bool gtp_goes_on(const SearchSummary *last) {
    return last->simulations > 0 && !last->proven && !last->memory_full;
}

/* If the session ponders and the last turn is its own, searches the position until the next line of input. */
void gtp_ponder(const Gtp *gtp);

/* ---- position.c: the position and how it came about ---- */

static inline const GameState *gtp_state(const Gtp *gtp) {
    return search_position(gtp->search);
}

/* The colour to move, as people see it. */
Side gtp_colour(const Gtp *gtp);

/* Goes to the start position, with the current komi. */
void gtp_restart(Gtp *gtp);

/* Changes komi before the first turn; a position that was set up stays. */
void gtp_change_komi(Gtp *gtp, int komi);

/* The komi of the position: the one that was asked for, or the nearest that the board has, 0 in a game without points.
 * A controller may send komi before boardsize, or boardsize before another komi. So neither forgets what was asked for,
 * but until the board has it nothing is played, searched, shown or saved: that would be another game. gtp_check_komi is
 * false then, with an error. */
int gtp_komi(const Gtp *gtp);
bool gtp_check_komi(const Gtp *gtp, Error *error);

/* Changes the game or its size; komi stays. False with an error; nothing has changed then. */
bool gtp_change_game(Gtp *gtp, const GameOptions *options, Error *error);

/* Sets a search to a position that the turns played have led to. */
void gtp_set_search(const Gtp *gtp, Search *search, const GameState *state);

/* Adds a turn to those played, and writes its text. The caller moves the search. False without memory. */
bool gtp_remember(Gtp *gtp, const GameState *before, const Action *turn, int count, char text[GAME_TEXT_MAX],
                  Error *error);

/* Takes back the last turn. There must be one. */
void gtp_forget(Gtp *gtp);

/* Reads b, w, black or white. */
bool gtp_read_colour(const char *text, Side *colour, Error *error);

/* Whether it is the turn of this colour. (Only after a swap does a colour move twice in a row.) */
bool gtp_check_turn(const Gtp *gtp, const char *colour, Error *error);

/* Writes all legal turns, separated by spaces. False with an error if there are too many. */
bool gtp_list_turns(const Gtp *gtp, FILE *out, Error *error);

#endif
