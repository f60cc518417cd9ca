/* A game with its variations, as people keep it: set-up, names, comments, and a tree of turns.
 *
 * Each turn is checked by the rules when it is added, so a tree holds only legal games. It can be read and written in
 * four formats: SGF (selfplay/docs/sgf.md lists the properties), the record of a game (record.h), lists of moves as
 * people and AbstractPlay write them, and the state of a game on AbstractPlay's site. */
#ifndef STIGMERGY_SELFPLAY_RECORD_GAME_TREE_H
#define STIGMERGY_SELFPLAY_RECORD_GAME_TREE_H

#include "engine/game/history.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GAME_TREE_NAME_MAX = 128,
    GAME_TREE_NODES_MAX = 50000,
    GAME_TREE_SECONDS_MAX = 10000000,
    GAME_TREE_PERIODS_MAX = 1000
};

/* The time that each player has: the main time, and then byo-yomi, or instead of that an increment after each turn. All
 * seconds 0: there is no clock. */
typedef struct GameTreeClock {
    double main_time, increment;
    double period; /* of byo-yomi: one turn may take so long; one that takes longer uses up a period */
    int periods;
} GameTreeClock;

/* How a player lost a game that the rules do not end: the letters of SGF. */
typedef enum GameForfeit { FORFEIT_NONE, FORFEIT_RESIGN = 'R', FORFEIT_TIME = 'T', FORFEIT_OTHER = 'F' } GameForfeit;

typedef struct GameTreeNode {
    int parent;                                /* -1 at the root */
    int first_child, last_child, next_sibling; /* -1: none */
    char *turn;                                /* as the rules write it; NULL at the root. Owned by the tree */
    char *comment;                             /* NULL if there is none. Owned by the tree */
    double chance; /* of the black stones to win, 0 to 1, and their lead in points, by an analysis; NAN: unknown */
    double lead;
    double time_left; /* seconds that the clock showed after this turn, to the one who made it; NAN: unknown */
    int periods_left; /* of his byo-yomi; 0: that was the main time */
    bool ends;        /* the first variation ends here, if it comes here: what follows was none of the game */
    GameState state;
    GameHistory history; /* what came before it */
} GameTreeNode;

typedef struct GameTree {
    Game *game;                       /* owned */
    int komi;                         /* of all positions; game_tree_set_komi changes it */
    bool set_up;                      /* the game begins with `stones`; otherwise with an empty board */
    uint8_t stones[HEXHEX_MAX_CELLS]; /* per cell: 0 empty, 1 Black, 2 White */
    Side first;                       /* to move at the root */
    char players[2][GAME_TREE_NAME_MAX], date[GAME_TREE_NAME_MAX];
    char result[GAME_TREE_NAME_MAX]; /* as in the source; "" if the source has none */
    char dropped[8];                 /* a property of the SGF that the tree does not keep, such as GC; "": none */
    GameTreeClock clock;
    GameTreeNode *nodes; /* node 0 is the root; parents come before their children. game_tree_add may move them all:
                            keep numbers, not pointers */
    int count, capacity;
} GameTree;

/* A tree with only the start position, to be freed by game_tree_free. NULL with an error for an unknown game, size or
 * komi, or without memory. */
GameTree *game_tree_new(const GameOptions *options, int komi, Error *error);
void game_tree_free(GameTree *tree);

/* The options with which its game is made again. */
GameOptions game_tree_options(const GameTree *tree);

/* Changes the komi of a tree without turns, before a position is set up. False with an error, and nothing has changed,
 * if it has any, or for a komi that the board has not. */
bool game_tree_set_komi(GameTree *tree, int komi, Error *error);

/* Sets up the first position of a tree without turns: 0 for an empty cell, 1 for a black stone, 2 for a white one.
 * An empty board with Black to move is the usual start, which every tree has: nothing is set up then. False with an
 * error if the tree has turns, or if the game allows no such position. */
bool game_tree_set_up(GameTree *tree, const uint8_t stones[HEXHEX_MAX_CELLS], Side first, Error *error);

/* Plays a turn after a node. Returns the new node, or the node that has this turn already. -1 with an error. */
int game_tree_add(GameTree *tree, int parent, const char *turn, Error *error);

/* Whether there is a clock. */
bool game_tree_has_clock(const GameTree *tree);

/* Copies a name, a date or a result in one line: control characters become blanks, as SGF's SimpleText asks. NULL:
 * leaves it as it is. */
void game_tree_copy_name(char out[GAME_TREE_NAME_MAX], const char *text);

/* Replaces the comment of a node. False with an error if memory runs out. */
bool game_tree_comment(GameTree *tree, int node, const char *comment, Error *error);

/* The node after this one on the first variation, or -1 at its end. */
int game_tree_next(const GameTree *tree, int node);

/* The last node of the first variation. */
int game_tree_end(const GameTree *tree);

/* How the first variation was forfeited, as `result` says it: "B+R" or "B+Resign". *winner is the colour that has won.
 * FORFEIT_NONE if the rules end it, or if there is no such result. */
GameForfeit game_tree_forfeit(const GameTree *tree, Side *winner);

/* Writes such a result. */
void game_tree_set_forfeit(GameTree *tree, GameForfeit forfeit, Side winner);

/* Reads any of the formats: SGF (the first game), a record, AbstractPlay's JSON, or a list of moves. A list of moves
 * has the game, size and variant of `options`; SGF and records name their own; what they leave out is usual, but SGF
 * without GM is of the game of `options`. NULL with an error that names what is wrong. */
GameTree *game_tree_read(const char *text, size_t length, const char *source, const GameOptions *options, Error *error);

/* Whether game_tree_read takes a text for SGF. */
bool game_tree_is_sgf(const char *text, size_t length);

/* How many games a text holds: one, except in SGF. *begin becomes where the `number`-th one begins, counted from 1. */
int game_tree_count(const char *text, size_t length, int number, size_t *begin);

/* Writes the tree as SGF. NULL without memory. The caller frees the result. */
char *game_tree_to_sgf(const GameTree *tree, Error *error);

/* Writes the first variation as a record, a JSON line. NULL with an error if it is not a finished game from the usual
 * start position, or without memory. The caller frees the result. */
char *game_tree_to_record(const GameTree *tree, Error *error);

/* Writes the first variation as a list of moves in AbstractPlay's words, komi first in games with points. The game need
 * not be finished. NULL with an error if it was set up by hand, or without memory. The caller frees the result. */
char *game_tree_to_list(const GameTree *tree, Error *error);

/* Writes the first variation as a state of AbstractPlay's site (game_tree_state.c). NULL with an error if the site does
 * not have this game or board, or without memory. The caller frees the result. */
char *game_tree_to_state(const GameTree *tree, Error *error);

#ifdef __cplusplus
}
#endif

#endif
