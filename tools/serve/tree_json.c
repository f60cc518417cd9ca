/* See tree_json_internal.h. */
#include "selfplay/io/text.h"
#include "selfplay/io/variants.h"
#include "tools/serve/api.h"
#include "tools/serve/tree_json_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LEAD_MAX = 2 * HEXHEX_MAX_CELLS + 1 /* all cells, as much komi, and the button */
};

static const char *const colour_names[] = {"B", "W"};

/* ---- Writing ---- */

static void add_stones(cJSON *out, const GameTree *tree) {
    const Hexhex *board = &tree->game->board;
    cJSON *stones = cJSON_AddArrayToObject(out, "initialStones");
    for (int c = 0; c < board->cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        if (!tree->stones[c])
            continue;
        hexhex_name(board, c, name);
        json_add(stones, NULL, cJSON_CreateStringArray((const char *[]){colour_names[tree->stones[c] - 1], name}, 2));
    }
}

/* What an analysis found about a position, and whose turn it is there. */
static void add_findings(cJSON *out, const GameTree *tree, int number) {
    const GameTreeNode *node = &tree->nodes[number];
    const GameRules *rules = tree->game->rules;
    if (isnan(node->chance) && isnan(node->lead))
        return;
    if (!isnan(node->chance))
        json_add_number(out, "winrate", node->chance);
    if (!isnan(node->lead))
        json_add_number(out, "scoreLead", node->lead);
    cJSON_AddStringToObject(out, "toMove",
                            colour_names[game_colour(tree->game, &node->state, rules->to_move(&node->state))]);
}

/* Says that the first variation ends there, where turns follow. */
static void add_end(cJSON *out, const GameTree *tree, int number) {
    const GameTreeNode *node = &tree->nodes[number];
    if (node->ends && node->first_child >= 0 && number == game_tree_end(tree))
        cJSON_AddTrueToObject(out, "ends");
}

/* What the clock showed to the one who made the turn. */
static void add_time_left(cJSON *out, const GameTreeNode *node) {
    if (isnan(node->time_left))
        return;
    json_add_number(out, "timeLeft", node->time_left);
    if (node->periods_left > 0)
        cJSON_AddNumberToObject(out, "periodsLeft", node->periods_left);
}

static void add_nodes(cJSON *out, const GameTree *tree) {
    cJSON *nodes = cJSON_AddArrayToObject(out, "nodes");
    for (int i = 1; i < tree->count; i++) {
        cJSON *node = cJSON_CreateObject();
        cJSON_AddNumberToObject(node, "parent", tree->nodes[i].parent);
        cJSON_AddStringToObject(node, "turn", tree->nodes[i].turn);
        if (tree->nodes[i].comment)
            json_add_text(node, "comment", tree->nodes[i].comment);
        add_findings(node, tree, i);
        add_time_left(node, &tree->nodes[i]);
        add_end(node, tree, i);
        json_add(nodes, NULL, node);
    }
}

static void add_clock(cJSON *out, const GameTree *tree) {
    if (!game_tree_has_clock(tree))
        return;
    cJSON *clock = cJSON_AddObjectToObject(out, "clock");
    json_add_number(clock, "main", tree->clock.main_time);
    json_add_number(clock, "byoyomi", tree->clock.period);
    cJSON_AddNumberToObject(clock, "periods", tree->clock.periods);
    json_add_number(clock, "increment", tree->clock.increment);
}

cJSON *game_tree_to_json(const GameTree *tree) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "game", tree->game->name);
    cJSON_AddNumberToObject(out, "size", tree->game->board.size);
    cJSON_AddNumberToObject(out, "komi", tree->komi);
    variants_add(out, tree->game->capture, tree->game->pie);
    add_stones(out, tree);
    cJSON_AddStringToObject(out, "initialPlayer", colour_names[tree->first]);
    json_add_text(out, "black", tree->players[BLACK]);
    json_add_text(out, "white", tree->players[WHITE]);
    json_add_text(out, "date", tree->date);
    json_add_text(out, "result", tree->result);
    add_clock(out, tree);
    json_add_text(out, "comment", tree->nodes[0].comment ? tree->nodes[0].comment : "");
    cJSON *root = cJSON_AddObjectToObject(out, "root");
    add_findings(root, tree, 0);
    add_end(root, tree, 0);
    add_nodes(out, tree);
    return out;
}

/* ---- Reading ---- */

/* Reads what an analysis found about a position. Whose turn it is there, the game knows itself. */
static void read_findings(JsonReader *reader, GameTreeNode *node) {
    json_number(reader, "winrate", 0, 1, &node->chance);
    json_number(reader, "scoreLead", -LEAD_MAX, LEAD_MAX, &node->lead);
    json_any(reader, "toMove");
}

static void read_time_left(JsonReader *reader, GameTreeNode *node) {
    int64_t periods = 0;
    json_number(reader, "timeLeft", 0, GAME_TREE_SECONDS_MAX, &node->time_left);
    json_int(reader, "periodsLeft", 0, GAME_TREE_PERIODS_MAX, &periods);
    node->periods_left = (int)periods;
}

/* Plays the turn of an item after the node that it names. `place[n]` is where the n-th item is in the tree. */
static bool read_node(GameTree *tree, const cJSON *item, int number, int *place, Error *error) {
    char source[24];
    int64_t parent = 0;
    snprintf(source, sizeof source, "node %d", number);
    JsonReader reader = json_open(item, source);
    json_require(&reader, "parent");
    json_int(&reader, "parent", 0, number - 1, &parent);
    json_require(&reader, "turn");
    const char *turn = json_text(&reader, "turn", WEB_TREE_MAX), *comment = json_text(&reader, "comment", WEB_TREE_MAX);
    if (!reader.failed) {
        if ((place[number] = game_tree_add(tree, place[parent], turn, error)) < 0)
            return error_prefix(error, "%s: ", source);
        if (comment && !game_tree_comment(tree, place[number], comment, error))
            return false;
        read_findings(&reader, &tree->nodes[place[number]]);
        read_time_left(&reader, &tree->nodes[place[number]]);
        json_bool(&reader, "ends", &tree->nodes[place[number]].ends);
    }
    return json_close(&reader, error);
}

/* Reads a list of nodes. Numbers in the list and in the tree may differ: the tree has equal turns after the same node
 * only once. */
static bool read_nodes(GameTree *tree, const cJSON *list, Error *error) {
    int *place = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *place);
    bool good = place || error_set(error, "out of memory");
    int number = 1;
    for (const cJSON *item = list ? list->child : NULL; item && good; item = item->next, number++)
        good = read_node(tree, item, number, place, error);
    free(place);
    return good;
}

static void read_root(JsonReader *reader, const cJSON *root, GameTreeNode *node) {
    Error reason;
    if (!root)
        return;
    JsonReader inner = json_open(root, "root");
    read_findings(&inner, node);
    json_bool(&inner, "ends", &node->ends);
    if (!json_close(&inner, &reason))
        json_fail(reader, "root", &reason);
}

/* Gives the tree its first position. */
static bool set_up(GameTree *tree, const GameState *start, Error *error) {
    const GameRules *rules = tree->game->rules;
    uint8_t stones[HEXHEX_MAX_CELLS];
    rules->stones(tree->game, start, stones);
    return game_tree_set_up(tree, stones, rules->to_move(start), error);
}

static void read_name(JsonReader *reader, const char *key, char out[GAME_TREE_NAME_MAX]) {
    const char *text = json_text(reader, key, WEB_TREE_MAX);
    game_tree_copy_name(out, text ? text : "");
}

/* Reads the clock, if there is one. */
static GameTreeClock read_clock(JsonReader *reader) {
    const cJSON *object = json_object(reader, "clock");
    GameTreeClock clock = {.main_time = 0};
    int64_t periods = 1;
    if (!object)
        return clock;
    JsonReader inner = json_open(object, "clock");
    json_number(&inner, "main", 0, GAME_TREE_SECONDS_MAX, &clock.main_time);
    json_number(&inner, "byoyomi", 0, GAME_TREE_SECONDS_MAX, &clock.period);
    json_int(&inner, "periods", 0, GAME_TREE_PERIODS_MAX, &periods);
    json_number(&inner, "increment", 0, GAME_TREE_SECONDS_MAX, &clock.increment);
    clock.periods = periods > 1 ? (int)periods : 1;
    Error reason;
    bool good = json_close(&inner, &reason);
    if (good && clock.period > 0 && clock.increment > 0)
        good = error_set(&reason, "expected byoyomi or increment, not both");
    if (!good)
        json_fail(reader, "clock", &reason);
    return clock;
}

/* The tree from a position on, with the nodes of a list; NULL with an error. */
static GameTree *make_tree(const GameLine *line, const GameState *start, const cJSON *nodes, const char *comment,
                           Error *error) {
    GameTree *tree = game_tree_new(&line->options, line->komi, error);
    if (tree && set_up(tree, start, error) && read_nodes(tree, nodes, error) &&
        (!comment || game_tree_comment(tree, 0, comment, error)))
        return tree;
    game_tree_free(tree);
    return NULL;
}

GameTree *game_tree_from_json(JsonReader *reader, Analysis *analysis, const GameOptions *defaults) {
    GameLine line;
    GameState start;
    char names[4][GAME_TREE_NAME_MAX];
    if (game_line_read_game(&line, reader, analysis, defaults, 0))
        game_line_read_start(&line, reader, &start);
    read_name(reader, "black", names[0]);
    read_name(reader, "white", names[1]);
    read_name(reader, "date", names[2]);
    read_name(reader, "result", names[3]);
    const GameTreeClock clock = read_clock(reader);
    const char *comment = json_text(reader, "comment", WEB_TREE_MAX);
    const cJSON *nodes = json_array(reader, "nodes"), *root = json_object(reader, "root");
    Error reason;
    GameTree *tree = reader->failed ? NULL : make_tree(&line, &start, nodes, comment, &reason);
    if (!reader->failed && !tree)
        json_fail(reader, "nodes", &reason);
    if (!tree)
        return NULL;
    read_root(reader, root, &tree->nodes[0]);
    memcpy(tree->players[BLACK], names[0], sizeof names[0]);
    memcpy(tree->players[WHITE], names[1], sizeof names[1]);
    memcpy(tree->date, names[2], sizeof names[2]);
    memcpy(tree->result, names[3], sizeof names[3]);
    tree->clock = clock;
    return tree;
}
