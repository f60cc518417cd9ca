/* A game as a state of AbstractPlay's site: what its Playground reads under "Paste state". It is JSON with an entry for
 * each position: the turn that led there, the stones and the scores. The form was learned from the site's public source
 * (gameslib of 2026-08-07, version 20250607 of its Stigmergy; front of 2026-08-21). game_tree_list.c reads such states.
 */
#include "selfplay/io/json.h"
#include "selfplay/record/game_tree_internal.h"

#include <stdio.h>

enum { SITE_SMALLEST = 7 };

/* Players have numbers. The first is Black here, because the second one always answers `play-second`. */
static int number_of(Side side) {
    return side == BLACK ? 1 : 2;
}

static void add_pair(cJSON *out, const char *key, int first, int second) {
    const int pair[] = {first, second};
    cJSON_AddItemToObject(out, key, cJSON_CreateIntArray(pair, 2));
}

static void add_result(cJSON *entry, const char *type, const char *where) {
    cJSON *result = cJSON_CreateObject();
    cJSON_AddStringToObject(result, "type", type);
    if (where)
        cJSON_AddStringToObject(result, "where", where);
    cJSON_AddItemToArray(json_get(entry, "_results"), result);
}

/* The stones: a map from cells to players. */
static void add_board(cJSON *entry, const Game *game, const GameState *state) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    cJSON *board = cJSON_AddObjectToObject(entry, "board");
    cJSON_AddStringToObject(board, "dataType", "Map");
    cJSON *cells = cJSON_AddArrayToObject(board, "value");
    game->rules->stones(game, state, stones);
    for (int cell = 0; cell < game->board.cells; cell++) {
        char name[HEXHEX_NAME_SIZE];
        if (!stones[cell])
            continue;
        hexhex_name(&game->board, cell, name);
        cJSON *pair = cJSON_CreateArray();
        cJSON_AddItemToArray(pair, cJSON_CreateString(name));
        cJSON_AddItemToArray(pair, cJSON_CreateNumber(stones[cell]));
        cJSON_AddItemToArray(cells, pair);
    }
}

/* An entry of the stack. `turn` led to it; NULL at the start. */
static cJSON *add_entry(cJSON *stack, const GameTree *tree, const GameState *state, const char *turn, Side next) {
    cJSON *entry = cJSON_CreateObject();
    int cells[2];
    tree->game->rules->board_score(tree->game, state, cells);
    cJSON_AddStringToObject(entry, "_version", "20250607");
    cJSON_AddArrayToObject(entry, "_results");
    cJSON_AddStringToObject(entry, "_timestamp", "1970-01-01T00:00:00.000Z"); /* nobody knows when */
    cJSON_AddNumberToObject(entry, "currplayer", number_of(next));
    if (turn)
        cJSON_AddStringToObject(entry, "lastmove", turn);
    add_board(entry, tree->game, state);
    add_pair(entry, "scores", cells[BLACK], cells[WHITE]);
    cJSON_AddItemToArray(stack, entry);
    return entry;
}

/* The komi is that of the second player. While it is not known who moves first, it has the other sign. */
static void add_komi(cJSON *entry, int komi, bool chosen) {
    cJSON_AddNumberToObject(entry, "komi", chosen ? komi : -komi);
    cJSON_AddBoolToObject(entry, "swapped", !chosen);
}

/* The choice of komi. */
static void add_start(cJSON *stack, const GameTree *tree) {
    const GameState *start = &tree->nodes[0].state;
    char komi[16];
    snprintf(komi, sizeof komi, "%d", tree->komi);
    cJSON_AddBoolToObject(add_entry(stack, tree, start, NULL, BLACK), "swapped", true);
    cJSON *named = add_entry(stack, tree, start, komi, WHITE);
    add_result(named, "komi", NULL);
    cJSON_AddNumberToObject(json_get(named, "_results")->child, "value", tree->komi);
    add_komi(named, tree->komi, false);
    cJSON *chosen = add_entry(stack, tree, start, "play-second", BLACK);
    add_result(chosen, "play-second", NULL);
    add_komi(chosen, tree->komi, true);
}

/* What a turn did, in the site's words. */
static void describe_turn(cJSON *entry, const char *turn) {
    const size_t length = strlen(turn);
    char cell[HEXHEX_NAME_SIZE];
    if (!strcmp(turn, "pass")) {
        add_result(entry, "pass", NULL);
    } else if (!strcmp(turn, "take-button")) {
        add_result(entry, "button", NULL);
    } else {
        const bool flips = turn[length - 1] == 'x';
        snprintf(cell, sizeof cell, "%.*s", (int)(length - flips), turn);
        add_result(entry, flips ? "capture" : "place", cell);
    }
}

static void add_turn(cJSON *stack, const GameTree *tree, int node) {
    const GameTreeNode *at = &tree->nodes[node];
    const GameRules *rules = tree->game->rules;
    const Side next = side_opponent(rules->to_move(&tree->nodes[at->parent].state));
    const GameButton button = rules->button(&at->state);
    cJSON *entry = add_entry(stack, tree, &at->state, at->turn, next);
    describe_turn(entry, at->turn);
    if (button == BUTTON_BLACK || button == BUTTON_WHITE)
        cJSON_AddNumberToObject(entry, "buttontaker", number_of(button == BUTTON_BLACK ? BLACK : WHITE));
    add_komi(entry, tree->komi, true);
    if (rules->over(&at->state)) {
        const int winner = number_of(rules->result(tree->game, &at->state).winner);
        add_result(entry, "eog", NULL);
        add_result(entry, "winners", NULL);
        cJSON_AddItemToObject(cJSON_GetArrayItem(json_get(entry, "_results"), 2), "players",
                              cJSON_CreateIntArray(&winner, 1));
    }
}

static bool is_possible(const GameTree *tree, Error *error) {
    const int size = tree->game->board.size;
    if (strcmp(tree->game->name, "stigmergy"))
        return error_set(error, "AbstractPlay's states are for stigmergy, but this game is %s", tree->game->name);
    if (size < SITE_SMALLEST)
        return error_set(error, "AbstractPlay has boards of size %d to %d, but this one has size %d", SITE_SMALLEST,
                         HEXHEX_MAX_SIZE, size);
    return !tree->set_up ||
           error_set(error, "a state must begin at the start position, but this game was set up by hand");
}

char *game_tree_to_state(const GameTree *tree, Error *error) {
    if (!is_possible(tree, error))
        return NULL;
    const int size = tree->game->board.size;
    cJSON *state = cJSON_CreateObject();
    cJSON_AddStringToObject(state, "game", "stigmergy");
    cJSON_AddNumberToObject(state, "numplayers", 2);
    cJSON *variants = cJSON_AddArrayToObject(state, "variants");
    char variant[16];
    snprintf(variant, sizeof variant, "size-%d", size);
    if (size != GAME_TREE_SITE_SIZE)
        cJSON_AddItemToArray(variants, cJSON_CreateString(variant));
    cJSON *stack = cJSON_AddArrayToObject(state, "stack");
    add_start(stack, tree);
    for (int i = game_tree_next(tree, 0); i >= 0; i = game_tree_next(tree, i))
        add_turn(stack, tree, i);
    const GameState *end = &tree->nodes[game_tree_end(tree)].state;
    const bool over = tree->game->rules->over(end);
    const int winner = over ? number_of(tree->game->rules->result(tree->game, end).winner) : 0;
    cJSON_AddBoolToObject(state, "gameover", over);
    cJSON_AddItemToObject(state, "winner", cJSON_CreateIntArray(&winner, over));
    char *text = json_print(state);
    if (!text)
        error_set(error, "out of memory for the text of a game");
    return text;
}
