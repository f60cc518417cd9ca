/* A game with its variations, as people keep it: set-up, names, comments, a tree of turns.
 *
 * Every turn is played by the rules when it is added, so that a tree is always one of games that can have happened.
 * It is read from and written to the formats in which games travel: SGF (the properties are in selfplay/docs/sgf.md),
 * the record of a game (record.h), and lists of moves as AbstractPlay and people write them. */
#ifndef STIGMERGY_SELFPLAY_RECORD_GAME_TREE_H
#define STIGMERGY_SELFPLAY_RECORD_GAME_TREE_H

#include "engine/game/game.h"

enum { GAME_TREE_NAME_MAX = 128, GAME_TREE_NODES_MAX = 50000 };

typedef struct GameTreeNode {
    int parent; /* -1: the root */
    int first_child, last_child, next_sibling;
    char *turn;    /* as the rules write it; NULL at the root. Owned by the tree */
    char *comment; /* NULL where there is none. Owned by the tree */
    GameState state;
} GameTreeNode;

typedef struct GameTree {
    Game *game;          /* owned */
    GameCapture capture; /* the variants of the game, as it was made */
    GamePie pie;
    int komi;
    bool set_up;                      /* whether it begins with ... */
    uint8_t stones[HEXHEX_MAX_CELLS]; /* ... these stones: 0 empty, 1 Black, 2 White */
    Side first;                       /* to move at the root */
    char players[2][GAME_TREE_NAME_MAX], date[GAME_TREE_NAME_MAX];
    char result[GAME_TREE_NAME_MAX]; /* as the source said it, "" where it did not */
    GameTreeNode *nodes;             /* node 0 is the root; a parent stands before its children */
    int count, capacity;
} GameTree;

/* A tree of the start position alone, to be freed by game_tree_free; NULL with an error for an unknown game, size or
 * komi, or without memory. */
GameTree *game_tree_new(const GameOptions *options, int komi, Error *error);
void game_tree_free(GameTree *tree);

/* Lets a tree without turns begin with a position set up by hand; false with an error where the game has none. */
bool game_tree_set_up(GameTree *tree, const uint8_t stones[HEXHEX_MAX_CELLS], Side first, Error *error);

/* Plays a turn below a node and returns the new node, or the one that has the same turn already; -1 with an error. */
int game_tree_add(GameTree *tree, int parent, const char *turn, Error *error);

/* Replaces the comment of a node; false without memory. */
bool game_tree_comment(GameTree *tree, int node, const char *comment, Error *error);

/* The node at the end of the first variation. */
int game_tree_end(const GameTree *tree);

/* Reads any of the formats: SGF, a record or AbstractPlay's JSON, a list of moves. The last does not say its game and
 * size: they are taken from `options`. NULL with an error that names what is wrong. */
GameTree *game_tree_read(const char *text, size_t length, const char *source, const GameOptions *options, Error *error);

/* Writes the tree as SGF; NULL without memory. The caller frees it. */
char *game_tree_to_sgf(const GameTree *tree, Error *error);

/* Writes the first variation as a record, a JSON line; NULL with an error where it is not a finished game from the
 * start position, or without memory. The caller frees it. */
char *game_tree_to_record(const GameTree *tree, Error *error);

/* Writes the first variation as a list of moves, komi first, with AbstractPlay's words; NULL as above. */
char *game_tree_to_list(const GameTree *tree, Error *error);

#endif
