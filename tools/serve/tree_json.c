/* See tree_json_internal.h. */
#include "tools/serve/tree_json_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMENT_MAX = 1 << 19 };

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
    if (isnan(node->chance))
        return;
    json_add_number(out, "winrate", node->chance);
    if (!isnan(node->lead))
        json_add_number(out, "scoreLead", node->lead);
    cJSON_AddStringToObject(out, "toMove",
                            colour_names[game_colour(tree->game, &node->state, rules->to_move(&node->state))]);
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
        json_add(nodes, NULL, node);
    }
}

static void add_clock(cJSON *out, const GameTree *tree) {
    if (tree->main_time == 0 && tree->period == 0)
        return;
    cJSON *clock = cJSON_AddObjectToObject(out, "clock");
    cJSON_AddNumberToObject(clock, "main", tree->main_time);
    cJSON_AddNumberToObject(clock, "byoyomi", tree->period);
}

cJSON *game_tree_to_json(const GameTree *tree) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "game", tree->game->name);
    cJSON_AddNumberToObject(out, "size", tree->game->board.size);
    cJSON_AddNumberToObject(out, "komi", tree->komi);
    if (tree->capture == GAME_CAPTURE_LINE)
        cJSON_AddStringToObject(out, "capture", "line");
    if (tree->pie != GAME_PIE_DEFAULT)
        cJSON_AddStringToObject(out, "pie", tree->pie == GAME_PIE_ON ? "on" : "off");
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
    add_nodes(out, tree);
    return out;
}

/* ---- Reading ---- */

/* Takes over what an analysis found about a position, where the item has it. */
static void read_findings(GameTreeNode *node, const cJSON *item) {
    const cJSON *chance = cJSON_GetObjectItemCaseSensitive(item, "winrate"),
                *lead = cJSON_GetObjectItemCaseSensitive(item, "scoreLead");
    if (cJSON_IsNumber(chance) && chance->valuedouble >= 0 && chance->valuedouble <= 1)
        node->chance = chance->valuedouble;
    if (cJSON_IsNumber(lead) && fabs(lead->valuedouble) <= 2 * HEXHEX_MAX_CELLS)
        node->lead = lead->valuedouble;
}

/* Plays the turns of a list of nodes. Numbers in the list and in the tree may differ: the tree has equal turns after
 * the same node only once. */
static bool read_nodes(GameTree *tree, const cJSON *list, Error *error) {
    int *place = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *place); /* where the n-th node is in the tree */
    bool good = place || error_set(error, "out of memory");
    int number = 0;
    for (const cJSON *item = list ? list->child : NULL; item && good; item = item->next) {
        const cJSON *parent = cJSON_GetObjectItemCaseSensitive(item, "parent"),
                    *turn = cJSON_GetObjectItemCaseSensitive(item, "turn"),
                    *comment = cJSON_GetObjectItemCaseSensitive(item, "comment");
        const double above = cJSON_IsNumber(parent) ? parent->valuedouble : -1;
        Error reason;
        number++;
        if (!cJSON_IsString(turn) || !(above >= 0 && above < number))
            good = error_set(error, "node %d: expected an earlier `parent' and a `turn'", number);
        else if ((place[number] = game_tree_add(tree, place[(int)above], turn->valuestring, &reason)) < 0)
            good = error_set(error, "node %d: %s", number, reason.text);
        else if (cJSON_IsString(comment))
            good = game_tree_comment(tree, place[number], comment->valuestring, error);
        if (good)
            read_findings(&tree->nodes[place[number]], item);
    }
    free(place);
    return good;
}

/* Gives the tree the first position of the line, if that is not the usual one. */
static bool set_up(GameTree *tree, const GameLine *line, Error *error) {
    const GameRules *rules = line->game->rules;
    const Side first = rules->to_move(&line->states[0]);
    uint8_t stones[HEXHEX_MAX_CELLS];
    bool unusual = first != BLACK;
    rules->stones(line->game, &line->states[0], stones);
    for (int c = 0; c < line->game->board.cells; c++)
        unusual = unusual || stones[c];
    return !unusual || game_tree_set_up(tree, stones, first, error);
}

static void read_name(JsonReader *reader, const char *key, char out[GAME_TREE_NAME_MAX]) {
    const char *text = json_text(reader, key, COMMENT_MAX);
    snprintf(out, GAME_TREE_NAME_MAX, "%s", text ? text : "");
}

/* Reads the seconds of the clock, if there is one. */
static void read_clock(JsonReader *reader, double *main_time, double *period) {
    const cJSON *object = json_object(reader, "clock");
    if (!object)
        return;
    JsonReader clock = json_open(object, "clock");
    json_number(&clock, "main", 0, GAME_TREE_SECONDS_MAX, main_time);
    json_number(&clock, "byoyomi", 0, GAME_TREE_SECONDS_MAX, period);
    Error reason;
    if (!json_close(&clock, &reason))
        json_fail(reader, "clock", &reason);
}

/* The tree of a line, with the nodes of a list; NULL with an error. */
static GameTree *make_tree(const GameLine *line, const cJSON *nodes, const char *comment, Error *error) {
    GameTree *tree = game_tree_new(&line->options, line->komi, error);
    if (tree && set_up(tree, line, error) && read_nodes(tree, nodes, error) &&
        (!comment || game_tree_comment(tree, 0, comment, error)))
        return tree;
    game_tree_free(tree);
    return NULL;
}

GameTree *game_tree_from_json(JsonReader *reader, Analysis *analysis, const GameOptions *defaults) {
    GameLine line;
    char names[4][GAME_TREE_NAME_MAX];
    game_line_read(&line, reader, analysis, defaults, 0);
    read_name(reader, "black", names[0]);
    read_name(reader, "white", names[1]);
    read_name(reader, "date", names[2]);
    read_name(reader, "result", names[3]);
    double main_time = 0, period = 0;
    read_clock(reader, &main_time, &period);
    const char *comment = json_text(reader, "comment", COMMENT_MAX);
    const cJSON *nodes = json_array(reader, "nodes"), *root = json_object(reader, "root");
    Error reason;
    GameTree *tree = reader->failed ? NULL : make_tree(&line, nodes, comment, &reason);
    if (!reader->failed && !tree)
        json_fail(reader, "nodes", &reason);
    game_line_free(&line);
    if (!tree)
        return NULL;
    read_findings(&tree->nodes[0], root);
    memcpy(tree->players[BLACK], names[0], sizeof names[0]);
    memcpy(tree->players[WHITE], names[1], sizeof names[1]);
    memcpy(tree->date, names[2], sizeof names[2]);
    memcpy(tree->result, names[3], sizeof names[3]);
    tree->main_time = main_time;
    tree->period = period;
    return tree;
}
