/* Inside the terminal game: its state, and what its files offer each other. session.c has the lines of input,
 * start.c how a game begins, position.c the position, computer.c the computer's turns, komi_choice.c the choice of
 * komi, advice.c hints, files.c saved games, autosave.c the file that keeps the game, commands.c the commands,
 * completion.c the Tab key. wrap.c is the stream that breaks long lines. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H

#include "selfplay/io/file.h"
#include "selfplay/record/game_tree.h"
#include "tools/play/session.h"

enum { PLAY_LINE_MAX = 2048 /* bytes of a line of input */ };

/* What a file has of the game: the turns up to a node, and whether somebody has resigned there. */
typedef struct PlayMark {
    int node;
    bool resigned;
} PlayMark;

typedef enum PlayStage { PLAY_NAME_KOMI, PLAY_CHOOSE_SIDE, PLAY_GAME } PlayStage;

struct PlaySession {
    FILE *out;
    PlayOptions options;
    Player player, adviser;        /* those of the options, settled for the game */
    GameTree *tree;                /* all turns that were played, also those that were taken back */
    int node;                      /* the current position; the game is the path from the root to here */
    PlayMark saved;                /* what the person has last saved or loaded */
    PlayMark kept;                 /* what kept_path has */
    char kept_path[FILE_PATH_MAX]; /* "": none yet */
    PlayerNetworks *networks;      /* of the searches */
    Search *search;                /* the computer's; its root is the current position */
    PlayStage stage;
    bool resigned; /* the side to move has given up */
    bool over;     /* the session has ended */
    char prompt[32];
    char news[GAME_TEXT_MAX + 96]; /* the computer's turn, to be shown below the board; "" else */
};

static inline const GameState *play_state(const PlaySession *session) {
    return &session->tree->nodes[session->node].state;
}

/* ---- position.c ---- */

/* "Black" or "White": the colour that a player's stones have now. */
const char *play_colour(const PlaySession *session, Side player);

/* Whether a person moves for this player. */
bool play_is_human(const PlaySession *session, Side player);

Side play_side_to_move(const PlaySession *session);

/* Whether the game has a result, by the rules or by resignation. */
bool play_is_over(const PlaySession *session);

/* Shows the board, the news, and whose turn it is, or the result. The news are old then. */
void play_show(PlaySession *session);

/* Sets a search to the current position. */
void play_set_search(const PlaySession *session, Search *search);

/* Makes the search anew, for another player or game; the old one stays if that fails. False with an error. */
bool play_new_search(PlaySession *session, Error *error);

/* Makes `tree` the game, at its end; the session owns it then. False with an error, and nothing has changed. */
bool play_take_tree(PlaySession *session, GameTree *tree, Error *error);

/* Goes to a node of the tree. */
void play_go_to(PlaySession *session, int node);

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

/* ---- advice.c: commands ---- */

void play_hint(PlaySession *session, const char *argument);
void play_score(PlaySession *session, const char *argument);
void play_why(PlaySession *session, const char *argument);

/* ---- autosave.c ---- */

/* Keeps the game in a file if there is something new in it. */
void play_autosave(PlaySession *session);

/* Goes on with the game that was kept last, and in its file. False with an error. */
bool play_continue(PlaySession *session, Error *error);

/* ---- files.c ---- */

/* Where the game is now. */
PlayMark play_mark(const PlaySession *session);

/* Whether a file has the whole game, or there are no turns. */
bool play_has_all(const PlaySession *session, PlayMark mark);

/* Writes the game as SGF, without turns that were taken back. False with an error. */
bool play_write(const PlaySession *session, const char *path, Error *error);

/* The options of the game that is being played. */
GameOptions play_game_options(const PlaySession *session);

/* Goes on with the game of a file; the game stays as it is if that fails. False with an error. */
bool play_load(PlaySession *session, const char *path, Error *error);

/* ---- start.c ---- */

/* Where a new game begins: with the choice of komi, if the options want it. */
PlayStage play_first_stage(const PlaySession *session);

/* Shows the board, or asks about komi; then the computer moves if it is its turn. */
void play_start(PlaySession *session);

/* Begins a game of the same kind. False with an error. */
bool play_again(PlaySession *session, Error *error);

/* ---- commands.c ---- */

/* Runs a command; false if the word is none. */
bool play_command(PlaySession *session, const char *word, const char *argument);

/* The names of the commands, "" for those that are not possible at this stage, NULL after the last. */
const char *play_command_name(const PlaySession *session, int index);

#endif
