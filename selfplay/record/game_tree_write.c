/* Writing game trees; see game_tree.h. */
#include "selfplay/record/game_tree.h"
#include "selfplay/record/record.h"
#include "selfplay/record/sgf.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- SGF ---- */

/* Appends a property with one value to the newest node. */
static bool add(SgfTree *sgf, const char *name, const char *value) {
    return sgf_add_property(sgf, name) && sgf_add_value(sgf, value, strlen(value));
}

static bool add_number(SgfTree *sgf, const char *name, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    return add(sgf, name, text);
}

static bool add_stones(SgfTree *sgf, const GameTree *tree, const char *name, int colour) {
    const Hexhex *board = &tree->game->board;
    bool good = true, begun = false;
    for (int c = 0; c < board->cells && good; c++) {
        if (tree->stones[c] != colour)
            continue;
        char cell[HEXHEX_NAME_SIZE];
        const size_t length = hexhex_name(board, c, cell);
        good = (begun || sgf_add_property(sgf, name)) && sgf_add_value(sgf, cell, length);
        begun = true;
    }
    return good;
}

/* The result: that of the rules where the first variation ends the game, else what the source said. SGF names the
 * colour that has won, which after a swap is not that of the player who began with it. */
static bool add_result(SgfTree *sgf, const GameTree *tree) {
    const Game *game = tree->game;
    const GameState *end = &tree->nodes[game_tree_end(tree)].state;
    char text[16];
    if (!game->rules->over(end))
        return !tree->result[0] || add(sgf, "RE", tree->result);
    GameResult result = game->rules->result(game, end);
    result.winner = game_colour(game, end, result.winner);
    game_format_result(game, result, text);
    return add(sgf, "RE", text);
}

/* Variants that differ from the default: capture=line, pie=on, pie=off. */
static bool add_variants(SgfTree *sgf, const GameTree *tree) {
    const bool line = tree->capture == GAME_CAPTURE_LINE, pie = tree->pie != GAME_PIE_DEFAULT;
    char text[40];
    snprintf(text, sizeof text, "%s%s%s", line ? "capture=line" : "", line && pie ? " " : "",
             !pie                       ? ""
             : tree->pie == GAME_PIE_ON ? "pie=on"
                                        : "pie=off");
    return add(sgf, "RU", text);
}

static bool add_root(SgfTree *sgf, const GameTree *tree) {
    const Game *game = tree->game;
    bool good = sgf_add_node(sgf, -1) == 0 && add(sgf, "FF", "4") && add(sgf, "CA", "UTF-8") &&
                add(sgf, "AP", "stigmergy:" STIGMERGY_VERSION) && add(sgf, "GM", game->name) &&
                add_number(sgf, "SZ", game->board.size);
    if (game->has_points)
        good = good && add_number(sgf, "KM", tree->komi);
    if (tree->capture == GAME_CAPTURE_LINE || tree->pie != GAME_PIE_DEFAULT)
        good = good && add_variants(sgf, tree);
    if (tree->players[BLACK][0])
        good = good && add(sgf, "PB", tree->players[BLACK]);
    if (tree->players[WHITE][0])
        good = good && add(sgf, "PW", tree->players[WHITE]);
    if (tree->date[0])
        good = good && add(sgf, "DT", tree->date);
    good = good && add_result(sgf, tree);
    if (tree->set_up)
        good = good && add_stones(sgf, tree, "AB", 1) && add_stones(sgf, tree, "AW", 2) &&
               add(sgf, "PL", tree->first == BLACK ? "B" : "W");
    return good;
}

/* Nodes of a GameTree are numbered in the order in which they were added; those of SGF in the order of the text, which
 * the writer finds by itself: the numbers may stay. */
char *game_tree_to_sgf(const GameTree *tree, Error *error) {
    SgfTree sgf = {0};
    bool good = add_root(&sgf, tree);
    for (int i = 0; i < tree->count && good; i++) {
        const GameTreeNode *node = &tree->nodes[i];
        if (i > 0) {
            const GameState *before = &tree->nodes[node->parent].state;
            const Side side = game_colour(tree->game, before, tree->game->rules->to_move(before));
            good = sgf_add_node(&sgf, node->parent) == i && add(&sgf, side == BLACK ? "B" : "W", node->turn);
        }
        if (good && node->comment)
            good = add(&sgf, "C", node->comment);
    }
    char *text = good ? sgf_write(&sgf) : NULL;
    sgf_free(&sgf);
    if (!text)
        error_set(error, "out of memory for the text of a game");
    return text;
}

/* ---- Records ---- */

static bool fill_record(const GameTree *tree, GameRecord *record, Error *error) {
    const Game *game = tree->game;
    GameState state;
    game->rules->start(game, &state, tree->komi);
    snprintf(record->id, sizeof record->id, "game");
    record->komi = tree->komi;
    for (int side = BLACK; side <= WHITE; side++)
        snprintf(record->players[side], RECORD_NAME_MAX, "%.*s", RECORD_NAME_MAX - 1, tree->players[side]);
    for (int i = tree->nodes[0].first_child; i >= 0; i = tree->nodes[i].first_child) {
        Action turn[GAME_TURN_MAX];
        int count;
        if (!game_play_text(game, &state, tree->nodes[i].turn, turn, &count, error))
            return false;
        for (int k = 0; k < count; k++)
            if (!record_add(record, turn[k], error))
                return false;
    }
    record->result = game->rules->result(game, &state);
    return game->rules->over(&state) || error_set(error, "the game is not over, and a record is of a finished game");
}

char *game_tree_to_record(const GameTree *tree, Error *error) {
    if (tree->set_up) {
        error_set(error, "a record begins at the start position, this game was set up by hand");
        return NULL;
    }
    GameRecord record = {0};
    char *line = fill_record(tree, &record, error) ? record_to_line(&record, tree->game, error) : NULL;
    record_free(&record);
    return line;
}

/* ---- Lists of moves ---- */

/* AbstractPlay's word for a turn: flips have no x, the button is `button`. */
static void list_turn(const char *turn, FILE *out) {
    const size_t length = strlen(turn);
    if (!strcmp(turn, "take-button"))
        fputs("button", out);
    else
        fprintf(out, "%.*s", (int)(length > 1 && turn[length - 1] == 'x' ? length - 1 : length), turn);
}

char *game_tree_to_list(const GameTree *tree, Error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = tree->set_up ? NULL : open_memstream(&text, &length);
    if (!out) {
        error_set(error, tree->set_up ? "a list of moves begins at the start position, this game was set up by hand"
                                      : "out of memory for the text of a game");
        return NULL;
    }
    int number = 0;
    if (tree->game->has_points)
        fprintf(out, "%d. %d pie", ++number, tree->komi);
    for (int i = tree->nodes[0].first_child, ply = 0; i >= 0; i = tree->nodes[i].first_child, ply++) {
        if (ply % 2 == 0)
            fprintf(out, number ? "\n%d. " : "%d. ", number + 1), number++;
        else
            fputc(' ', out);
        list_turn(tree->nodes[i].turn, out);
    }
    fputc('\n', out);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    error_set(error, "out of memory for the text of a game");
    return NULL;
}
