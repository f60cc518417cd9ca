/* Inside the terminal game: its state, and what its files offer each other. session.c has the lines of input,
 * position.c the position, computer.c the computer's turns, komi_choice.c the choice of komi, advice.c hints, files.c
 * saved games, commands.c the commands, completion.c the Tab key. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H

#include "selfplay/record/game_tree.h"
#include "tools/play/session.h"

enum { PLAY_LINE_MAX = 2048 /* bytes of a line of input */ };

typedef enum PlayStage { PLAY_NAME_KOMI, PLAY_CHOOSE_SIDE, PLAY_GAME } PlayStage;

struct PlaySession {
    FILE *out;
    PlayOptions options;
    Player player;            /* that of the options, settled for the game */
    GameTree *tree;           /* all turns that were played, also those that were taken back */
    int node;                 /* the current position; the game is the path from the root to here */
    int saved;                /* the node where the game was last saved or loaded */
    PlayerNetworks *networks; /* of the searches */
    Search *search;           /* the computer's; its root is the current position */
    PlayStage stage;
    bool resigned; /* the side to move has given up */
    bool over;     /* the session has ended */
    char prompt[32];
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

/* Shows the board and whose turn it is, or the result. */
void play_show(PlaySession *session);

/* Sets a search to the current position. */
void play_set_search(const PlaySession *session, Search *search);

/* Makes the search anew, for another player or game; the old one stays if that fails. False with an error. */
bool play_new_search(PlaySession *session, Error *error);

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

/* ---- files.c ---- */

/* Goes on with the game of a file; the game stays as it is if that fails. False with an error. */
bool play_load(PlaySession *session, const char *path, Error *error);

/* ---- commands.c ---- */

/* Runs a command; false if the word is none. */
bool play_command(PlaySession *session, const char *word, const char *argument);

/* The names of the commands, "" for those that are not possible at this stage, NULL after the last. */
const char *play_command_name(const PlaySession *session, int index);

#endif
