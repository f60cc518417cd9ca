/* The game in files: saved, and loaded. See session.h. */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"
#include "tools/play/session_internal.h"

#include <stdlib.h>

/* The name of the player of a side, for a file. */
static void name_player(const PlaySession *session, Side side, char out[GAME_TREE_NAME_MAX]) {
    if (play_is_human(session, side))
        snprintf(out, GAME_TREE_NAME_MAX, "a person");
    else
        player_title(&session->player, out);
}

/* The turns from the start to the current node, without what was taken back; NULL with an error. */
static GameTree *copy_line(const PlaySession *session, Error *error) {
    const GameTree *tree = session->tree;
    const GameOptions options = {
        .name = tree->game->name, .size = tree->game->board.size, .capture = tree->capture, .pie = tree->pie};
    int *line = malloc((size_t)tree->count * sizeof *line), count = 0;
    GameTree *copy = line ? game_tree_new(&options, tree->komi, error) : NULL;
    bool good = copy && (!tree->set_up || game_tree_set_up(copy, tree->stones, tree->first, error));
    for (int i = session->node; good && i > 0; i = tree->nodes[i].parent)
        line[count++] = i;
    for (int node = 0; good && count > 0;)
        good = (node = game_tree_add(copy, node, tree->nodes[line[--count]].turn, error)) >= 0;
    free(line);
    if (good)
        return copy;
    game_tree_free(copy);
    return NULL;
}

/* The game as it is saved; NULL with an error. */
static GameTree *finish_line(const PlaySession *session, Error *error) {
    GameTree *copy = copy_line(session, error);
    if (!copy)
        return NULL;
    for (Side side = BLACK; side <= WHITE; side++)
        name_player(session, side, copy->players[side]);
    if (session->resigned)
        snprintf(copy->result, sizeof copy->result, "%c+R",
                 play_colour(session, side_opponent(play_side_to_move(session)))[0]);
    return copy;
}

bool play_save(PlaySession *session, const char *path, Error *error) {
    GameTree *line = finish_line(session, error);
    char *text = line ? game_tree_to_sgf(line, error) : NULL;
    const bool good = text && file_write(path, text, strlen(text), error);
    if (good)
        session->saved = session->node;
    free(text);
    game_tree_free(line);
    return good;
}

bool play_is_saved(const PlaySession *session) {
    return session->node == 0 || session->node == session->saved;
}

const char *play_side_option(const PlaySession *session) {
    static const char *const options[] = {"", " --side w", " --side both"};
    return options[session->options.human];
}

bool play_load(PlaySession *session, const char *path, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    GameTree *tree = text ? game_tree_read(text, length, path, &session->options.game, error) : NULL;
    free(text);
    if (!tree)
        return false;
    GameTree *old = session->tree;
    const int old_node = session->node;
    session->tree = tree;
    session->node = game_tree_end(tree);
    if (!play_new_search(session, error)) { /* which leaves the old one in place */
        session->tree = old;
        session->node = old_node;
        game_tree_free(tree);
        return false;
    }
    session->resigned = tree->result[0] && !strcmp(tree->result + 1, "+R");
    session->stage = PLAY_GAME;
    session->saved = session->node;
    game_tree_free(old);
    return true;
}
