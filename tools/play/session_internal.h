/* Inside the terminal game: its state. session.c has the game, commands.c what people may ask. */
#ifndef STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H
#define STIGMERGY_TOOLS_PLAY_SESSION_INTERNAL_H

#include "selfplay/record/game_tree.h"
#include "tools/play/session.h"

typedef enum PlayStage { PLAY_NAME_KOMI, PLAY_CHOOSE_SIDE, PLAY_GAME } PlayStage;

struct Play {
    FILE *out;
    PlayOptions options;
    GameTree *tree; /* all that was played; the game is the way to `node` */
    int node;
    int saved;      /* the node at which the game was saved or loaded last */
    Search *search; /* of the computer, its root is the position */
    PlayStage stage;
    bool resigned; /* the side to move has given up */
    bool over;     /* the session is */
    char prompt[32];
};

static inline const GameState *play_state(const Play *play) {
    return &play->tree->nodes[play->node].state;
}

/* "Black" or "White": the colour of a player's stones now. */
const char *play_colour(const Play *play, Side player);

/* Whether a person moves for this player. */
bool play_is_human(const Play *play, Side player);

bool play_is_over(const Play *play);

/* Shows the board and whose turn it is, or the result. */
void play_show(Play *play);

/* Goes to a node of the tree and lets the computer move where it is its turn. */
void play_go_to(Play *play, int node);
void play_computer(Play *play);

/* Another player for the computer, or another game in the tree: a new search. */
bool play_new_search(Play *play, Error *error);

/* Goes on with the game of a file. */
bool play_load(Play *play, const char *path, Error *error);

/* Plays a turn; false with an error where it is not legal. */
bool play_turn(Play *play, const char *text, Error *error);

/* Carries out a command; false where the word is none. */
bool play_command(Play *play, const char *word, const char *argument);

/* The names of the commands, "" for those that mean nothing at this stage; NULL behind the last. */
const char *play_command_name(const Play *play, int index);

#endif
