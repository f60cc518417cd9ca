/* Inside the terminal game: its state, and what its files offer each other. session.c has the lines of input, start.c
 * how a game begins, position.c the position, computer.c the computer's turns, komi_choice.c the choice of komi,
 * advice.c hints, files.c saved games, autosave.c the file that keeps the game, commands.c the commands, completion.c
 * the Tab key. wrap.c is the stream that breaks long lines. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H

#include "selfplay/io/line_file.h"
#include "selfplay/record/game_tree.h"
#include "tools/play/session.h"

enum { PLAY_LINE_MAX = 2048 /* bytes of a line of input */ };

/* A state of the game: the turns up to a node, and whether somebody has resigned there or lost on time. */
typedef struct PlayMark {
    int node;
    GameForfeit forfeit;
    Side winner; /* the colour that has won by it */
} PlayMark;

typedef enum PlayStage { PLAY_NAME_KOMI, PLAY_CHOOSE_SIDE, PLAY_GAME } PlayStage;

struct PlaySession {
    FILE *out;
    PlayOptions options;
    Player player, adviser;   /* those of the options, settled for the game */
    GameTree *tree;           /* all turns that were played, also those that were taken back */
    int loaded;               /* how many nodes of it a file had that names the players; the others were played since */
    PlayMark now;             /* the current position; the game is the path from the root to here */
    PlayMark ahead;           /* where `redo` leads: now, or a node behind it */
    PlayMark saved;           /* what the person has last saved or loaded; node -1: nothing */
    PlayMark kept;            /* what kept_file has; node -1: nothing */
    LineFile kept_file;       /* locked, so that no other program goes on in it; not open: none yet */
    bool warned;              /* that the game could not be kept */
    PlayerNetworks *networks; /* of the searches */
    Search *search;           /* the computer's; its root is the current position */
    PlayStage stage;
    int named_komi; /* with PLAY_CHOOSE_SIDE: by the computer */
    bool over;      /* the session has ended */
    char prompt[32];
    char news[GAME_TEXT_MAX + 96]; /* the computer's turn, to be shown below the board; "" else */
};

static inline const GameState *play_state(const PlaySession *session) {
    return &session->tree->nodes[session->now.node].state;
}

/* Whether the game has a file that keeps it. */
static inline bool play_has_file(const PlaySession *session) {
    return session->kept_file.descriptor >= 0;
}

/* ---- position.c ---- */

/* "Black" or "White": the colour that a player's stones have now. */
const char *play_colour(const PlaySession *session, Side player);

/* Whether a person moves for this player. */
bool play_is_human(const PlaySession *session, Side player);

/* The colour that the person has now. Without a meaning if two people play. */
Side play_human_colour(const PlaySession *session);

/* Gives the person the player who has this colour now. */
void play_take_colour(PlaySession *session, Side colour);

Side play_side_to_move(const PlaySession *session);

/* Whether the game has a result, by the rules or not. */
bool play_is_over(const PlaySession *session);

/* Shows the board, the news, and whose turn it is, or the result. The news are old then. */
void play_show(PlaySession *session);

/* Says who has won, and the score if the game was played to its end. Only if the game is over. */
void play_show_result(const PlaySession *session);

/* Sets a search to the current position. */
void play_set_search(const PlaySession *session, Search *search);

/* Makes the search anew, for another player or game; the old one stays if that fails. False with an error. */
bool play_new_search(PlaySession *session, Error *error);

/* Gives the computer another player; its threads and memory stay. False with an error, and the old player stays. */
bool play_change_player(PlaySession *session, Player player, Error *error);

/* Makes `tree` the game, at its end; the session owns it then. False with an error, and nothing has changed. */
bool play_take_tree(PlaySession *session, GameTree *tree, Error *error);

/* Goes to a state of the game. */
void play_go_to(PlaySession *session, PlayMark mark);

/* The game has gone on to a node, with the search: `redo` leads no further, unless this is the way to where it led. */
void play_moved(PlaySession *session, int node);

/* Plays a turn; false with an error if it is not legal. */
bool play_turn(PlaySession *session, const char *text, Error *error);

/* ---- computer.c ---- */

/* Lets the computer play while it is its turn. */
void play_computer(PlaySession *session);

/* ---- komi_choice.c ---- */

/* Takes a line as the komi that a person names ("computer", or nothing: the computer names it), or as the colour that a
 * person chooses. */
void play_name_komi(PlaySession *session, const char *line);
void play_choose_side(PlaySession *session, const char *line);

/* Reads a colour as people type it: b, black, w or white. False if it is none. */
bool play_read_colour(const char *text, Side *colour);

/* ---- advice.c: commands ---- */

void play_hint(PlaySession *session, const char *argument);
void play_score(PlaySession *session, const char *argument);
void play_why(PlaySession *session, const char *argument);

/* ---- autosave.c ---- */

/* Keeps the game in a file if the options want that and there is something new in it. Says so at the first turn that
 * could not be kept. */
void play_autosave(PlaySession *session);

/* Says where the game is kept, or that it could not be kept. Nothing if there are no turns, or if the person has saved
 * them. Returns whether it is kept. */
bool play_say_kept(PlaySession *session);

/* Goes on with the game that was kept or left last, and in its file, unless another program has that. False with an
 * error. */
bool play_continue(PlaySession *session, Error *error);

/* ---- files.c ---- */

/* Whether a file has the whole game, or there are no turns and no file. */
bool play_has_all(const PlaySession *session, PlayMark mark);

/* The game as SGF, without turns that were taken back, to be freed; with the date, the clock and the times of the file
 * that was loaded, and with its names of people. `all_stay`: with all its names, as long as nobody has played since.
 * NULL with an error. */
char *play_to_sgf(const PlaySession *session, bool all_stay, Error *error);

/* Goes on with the game of a file, and with the sides and the level that it names, as far as the options want that.
 * Otherwise the person keeps his colour. `kept`: this program has kept the game there. The game stays as it is if the
 * file cannot be read. False with an error. */
bool play_load(PlaySession *session, const char *path, bool kept, Error *error);

/* ---- start.c ---- */

/* Where a new game begins: with the choice of komi, if the options want it and the computer plays. */
PlayStage play_first_stage(const PlaySession *session);

/* Asks for the komi or the side, as the stage wants it. */
void play_ask(PlaySession *session);

/* Shows the board, or asks about komi; then the computer moves if it is its turn. */
void play_start(PlaySession *session);

/* Begins a game of the same kind; two people keep the komi. False with an error. */
bool play_again(PlaySession *session, Error *error);

/* ---- commands.c ---- */

/* Runs a command; false if the word is none. */
bool play_command(PlaySession *session, const char *word, const char *argument);

/* The command that is possible at this stage and nearest to a word that is none; NULL if none is near. */
const char *play_nearest_command(const PlaySession *session, const char *word);

/* The names of the commands, "" for those that are not possible at this stage, NULL after the last. */
const char *play_command_name(const PlaySession *session, int index);

#endif
