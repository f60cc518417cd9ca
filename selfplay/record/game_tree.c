/* See game_tree.h. game_tree_read.c recognizes the format of a text. The formats are in game_tree_sgf.c,
 * game_tree_record.c, game_tree_list.c (which also reads states) and game_tree_state.c. */
#include "selfplay/record/game_tree.h"

#include "engine/base/list.h"
#include "engine/base/utf8.h"
#include "engine/games/registry.h"
#include "selfplay/io/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void game_tree_free(GameTree *tree) {
    if (!tree)
        return;
    for (int i = 0; i < tree->count; i++) {
        free(tree->nodes[i].turn);
        free(tree->nodes[i].comment);
    }
    free(tree->nodes);
    game_free(tree->game);
    free(tree);
}

/* Appends a node without a position. NULL without memory. */
static GameTreeNode *new_node(GameTree *tree, int parent, const char *turn, Error *error) {
    if (tree->count == GAME_TREE_NODES_MAX) {
        error_set(error, "a game of more than %d positions", GAME_TREE_NODES_MAX);
        return NULL;
    }
    if (!list_grow(&tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes)) {
        error_set(error, "out of memory for a game of %d positions", tree->count + 1);
        return NULL;
    }
    GameTreeNode *node = &tree->nodes[tree->count];
    memset(node, 0, sizeof *node);
    node->parent = parent;
    node->first_child = node->last_child = node->next_sibling = -1;
    node->chance = node->lead = node->time_left = NAN;
    node->turn = turn ? strdup(turn) : NULL;
    if (turn && !node->turn) {
        error_set(error, "out of memory");
        return NULL;
    }
    tree->count++;
    return node;
}

GameTree *game_tree_new(const GameOptions *options, int komi, Error *error) {
    GameTree *tree = calloc(1, sizeof *tree);
    if (!tree) {
        error_set(error, "out of memory");
        return NULL;
    }
    tree->game = game_new(options, error);
    if (tree->game && new_node(tree, -1, NULL, error) && game_tree_set_komi(tree, komi, error))
        return tree;
    game_tree_free(tree);
    return NULL;
}

bool game_tree_set_komi(GameTree *tree, int komi, Error *error) {
    const Game *game = tree->game;
    if (tree->count > 1 || tree->set_up)
        return error_set(error, "komi: %d, but it is set before all turns and stones", komi);
    if (!game_check_komi(game, komi, error))
        return error_prefix(error, "komi: %d, ", komi);
    tree->komi = komi;
    game->rules->start(game, &tree->nodes[0].state, komi);
    tree->first = game->rules->to_move(&tree->nodes[0].state);
    return true;
}

GameOptions game_tree_options(const GameTree *tree) {
    const Game *game = tree->game;
    return (GameOptions){.name = game->name, .size = game->board.size, .capture = game->capture, .pie = game->pie};
}

/* Whether a position is the usual start, an empty board with Black to move. */
static bool is_usual(const Game *game, const uint8_t *stones, Side first) {
    bool usual = first == BLACK;
    for (int c = 0; c < game->board.cells; c++)
        usual = usual && stones[c] == 0;
    return usual;
}

bool game_tree_set_up(GameTree *tree, const uint8_t stones[HEXHEX_MAX_CELLS], Side first, Error *error) {
    const GameRules *rules = tree->game->rules;
    if (!tree->set_up && is_usual(tree->game, stones, first))
        return true;
    if (!rules->set_up)
        return error_set(error, "positions of %s cannot be set up by hand", tree->game->name);
    if (tree->count > 1)
        return error_set(error, "a position is set up before the first turn, and this game has %d", tree->count - 1);
    for (int c = 0; c < tree->game->board.cells; c++)
        if (stones[c] > 2)
            return error_set(error, "cell %d: %d is no stone, expected 0 to 2", c, stones[c]);
    GameState state;
    if (!rules->set_up(tree->game, &state, stones, first, tree->komi, error))
        return false;
    game_copy(tree->game, &tree->nodes[0].state, &state);
    memcpy(tree->stones, stones, (size_t)tree->game->board.cells);
    tree->first = first;
    tree->set_up = true;
    return true;
}

int game_tree_add(GameTree *tree, int parent, const char *turn, Error *error) {
    const Game *game = tree->game;
    GameState state;
    game_copy(game, &state, &tree->nodes[parent].state);
    Action actions[GAME_TURN_MAX];
    int count;
    if (!game_play_text(game, &state, turn, actions, &count, error))
        return -1;
    GameState before;
    char text[GAME_TEXT_MAX];
    game_copy(game, &before, &tree->nodes[parent].state);
    game_format_turn(game, &before, actions, count, text);
    for (int i = tree->nodes[parent].first_child; i >= 0; i = tree->nodes[i].next_sibling)
        if (!strcmp(tree->nodes[i].turn, text))
            return i;
    const int number = tree->count;
    GameTreeNode *node = new_node(tree, parent, text, error);
    if (!node)
        return -1;
    game_copy(game, &node->state, &state);
    node->history = tree->nodes[parent].history;
    game_history_add_turn(game, &node->history, &tree->nodes[parent].state, actions, count);
    GameTreeNode *above = &tree->nodes[parent];
    if (above->last_child >= 0)
        tree->nodes[above->last_child].next_sibling = number;
    else
        above->first_child = number;
    above->last_child = number;
    return number;
}

bool game_tree_has_clock(const GameTree *tree) {
    return tree->clock.main_time > 0 || tree->clock.period > 0 || tree->clock.increment > 0;
}

void game_tree_copy_name(char out[GAME_TREE_NAME_MAX], const char *text) {
    text_copy(out, GAME_TREE_NAME_MAX, text);
    for (char *c = out; text && *c; c++)
        memset(c, ' ', text_control(c));
}

bool game_tree_comment(GameTree *tree, int node, const char *comment, Error *error) {
    char *copy = comment && *comment ? strdup(comment) : NULL;
    if (comment && *comment && !copy)
        return error_set(error, "out of memory");
    free(tree->nodes[node].comment);
    tree->nodes[node].comment = copy;
    return true;
}

GameForfeit game_tree_forfeit(const GameTree *tree, Side *winner) {
    static const struct {
        const char *words[2];
        GameForfeit forfeit;
    } forfeits[] = {
        {{"R", "Resign"}, FORFEIT_RESIGN}, {{"T", "Time"}, FORFEIT_TIME}, {{"F", "Forfeit"}, FORFEIT_OTHER}};
    const char colour = tree->result[0];
    if ((colour != 'B' && colour != 'W') || tree->result[1] != '+' ||
        tree->game->rules->over(&tree->nodes[game_tree_end(tree)].state))
        return FORFEIT_NONE;
    *winner = colour == 'B' ? BLACK : WHITE;
    for (size_t i = 0; i < sizeof forfeits / sizeof forfeits[0]; i++)
        for (int word = 0; word < 2; word++)
            if (!strcasecmp(tree->result + 2, forfeits[i].words[word]))
                return forfeits[i].forfeit;
    return FORFEIT_NONE;
}

void game_tree_set_forfeit(GameTree *tree, GameForfeit forfeit, Side winner) {
    snprintf(tree->result, sizeof tree->result, "%c+%c", winner == BLACK ? 'B' : 'W', (char)forfeit);
}

int game_tree_next(const GameTree *tree, int node) {
    return tree->nodes[node].ends ? -1 : tree->nodes[node].first_child;
}

int game_tree_end(const GameTree *tree) {
    int node = 0;
    for (int next; (next = game_tree_next(tree, node)) >= 0;)
        node = next;
    return node;
}
