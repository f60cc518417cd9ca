/* GTP commands for games in files: loadsgf and printsgf. See session_internal.h. */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"
#include "selfplay/record/game_tree.h"
#include "tools/cli/numbers.h"
#include "tools/cli/output.h"
#include "tools/gtp/session_internal.h"

#include <limits.h>
#include <stdlib.h>

/* How many turns of the first variation come before move `number`. */
static int count_turns(const GameTree *tree, int number) {
    int turns = 0;
    for (int i = game_tree_next(tree, 0); i >= 0 && turns < number - 1; i = game_tree_next(tree, i))
        turns++;
    return turns;
}

/* Plays the first variation, up to `turns` turns. The tree's game has the same options as the session's. */
static bool replay(Gtp *gtp, const GameTree *tree, int turns, Error *error) {
    GameState state;
    game_copy(gtp->game, &state, &tree->nodes[0].state);
    for (int i = game_tree_next(tree, 0); turns > 0; i = game_tree_next(tree, i), turns--) {
        Action turn[GAME_TURN_MAX];
        char text[GAME_TEXT_MAX];
        int count;
        GameState before;
        game_copy(gtp->game, &before, &state);
        if (!game_play_text(gtp->game, &state, tree->nodes[i].turn, turn, &count, error) ||
            !gtp_remember(gtp, &before, turn, count, text, error))
            return false;
    }
    gtp_set_search(gtp, gtp->search, &state);
    return true;
}

/* Takes game, komi and turns over from the tree. If memory runs out on the way, the board is empty. */
static bool take_tree(Gtp *gtp, const GameTree *tree, int turns, Error *error) {
    const GameOptions options = game_tree_options(tree);
    if (!gtp_change_game(gtp, &options, error))
        return false;
    if (gtp->game->has_points)
        gtp->komi = tree->komi;
    gtp_restart(gtp);
    gtp->set_up = tree->set_up;
    gtp->first = tree->first;
    memcpy(gtp->stones, tree->stones, sizeof gtp->stones);
    if (replay(gtp, tree, turns, error))
        return true;
    gtp_restart(gtp);
    return false;
}

static bool check_files(const Gtp *gtp) {
    return !gtp->options.no_files || error_set(gtp->error, "files are not allowed here");
}

static bool do_loadsgf(Gtp *gtp) {
    const char *path = gtp->arguments[0];
    int number = INT_MAX;
    if (!check_files(gtp))
        return false;
    if (gtp->count > 1 && !read_int("move number", gtp->arguments[1], 1, INT_MAX, &number, gtp->error))
        return false;
    size_t length;
    char *text = file_read(path, &length, gtp->error);
    GameTree *tree = text ? game_tree_read(text, length, path, &gtp->game_options, gtp->error) : NULL;
    const bool good = tree && take_tree(gtp, tree, count_turns(tree, number), gtp->error);
    if (good)
        gtp->file = tree;
    else
        game_tree_free(tree);
    free(text);
    return good || error_prefix(gtp->error, "cannot load file: ");
}

/* Adds a turn of the session to the tree, with the name of the player if it is the session's own turn. Returns the new
 * node, or -1 with an error. */
static int add_turn(const Gtp *gtp, GameTree *tree, int node, const GtpTurn *turn, Error *error) {
    if (turn->generated)
        player_title(&gtp->player, tree->players[gtp->game->rules->to_move(&turn->before)]);
    return game_tree_add(tree, node, turn->text, error);
}

/* Takes over what the loaded file says: of the game, and of each turn as far as the turns are still the file's. */
static void keep_file(const GameTree *file, GameTree *tree) {
    int from = 0, node = 0;
    for (Side side = BLACK; side <= WHITE; side++)
        if (!*tree->players[side])
            memcpy(tree->players[side], file->players[side], sizeof tree->players[side]);
    memcpy(tree->date, file->date, sizeof tree->date);
    tree->clock = file->clock;
    while ((node = game_tree_next(tree, node)) >= 0 && (from = game_tree_next(file, from)) >= 0 &&
           !strcmp(tree->nodes[node].turn, file->nodes[from].turn)) {
        tree->nodes[node].time_left = file->nodes[from].time_left;
        tree->nodes[node].periods_left = file->nodes[from].periods_left;
    }
    if (node < 0 && from == game_tree_end(file) && tree->komi == file->komi)
        memcpy(tree->result, file->result, sizeof tree->result);
}

/* The game so far as SGF, to be freed; NULL with an error. */
static char *write_sgf(const Gtp *gtp, Error *error) {
    GameTree *tree = game_tree_new(&gtp->game_options, gtp_komi(gtp), error);
    bool good = tree && (!gtp->set_up || game_tree_set_up(tree, gtp->stones, gtp->first, error));
    for (int i = 0, node = 0; i < gtp->turns && good; i++)
        good = (node = add_turn(gtp, tree, node, &gtp->past[i], error)) >= 0;
    if (good && gtp->file)
        keep_file(gtp->file, tree);
    char *text = good ? game_tree_to_sgf(tree, error) : NULL;
    game_tree_free(tree);
    return text;
}

static bool do_printsgf(Gtp *gtp) {
    if (gtp->count > 0 && !check_files(gtp))
        return false;
    char *text = write_sgf(gtp, gtp->error);
    bool good = text != NULL;
    if (good && gtp->count > 0)
        good = output_check_line(gtp->arguments[0], gtp->error) &&
               file_write(gtp->arguments[0], text, strlen(text), gtp->error);
    else if (good)
        fputs(text, gtp->answer);
    free(text);
    return good;
}

const GtpCommand gtp_sgf_commands[] = {
    {"loadsgf", 1, 2, "FILE [MOVE-NUMBER]", do_loadsgf, false}, {"printsgf", 0, 1, "[FILE]", do_printsgf, true}, {0}};
