/* The game in files: saved, and loaded. See session.h. */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file.h"
#include "selfplay/players/levels.h"
#include "tools/cli/output.h"
#include "tools/play/session_internal.h"

#include <stdlib.h>

static const char person[] = "a person", computer[] = "Stigmergy ("; /* as player_title writes it */

/* Whether a name in a file is that of the computer, at a level or not. */
static bool is_computer(const char *name) {
    return !strncmp(name, computer, sizeof computer - 1);
}

/* The name of the player of a side, for a file. People keep the names of the file that was loaded. */
static void name_player(const PlaySession *session, Side side, bool all_stay, char out[GAME_TREE_NAME_MAX]) {
    const char *name = session->tree->players[side];
    const bool human = play_is_human(session, side);
    if (*name && (all_stay || (human && !is_computer(name))))
        snprintf(out, GAME_TREE_NAME_MAX, "%s", name);
    else if (human)
        snprintf(out, GAME_TREE_NAME_MAX, "%s", person);
    else
        player_title(&session->player, out);
}

/* Adds a node of the game to its copy. Returns the new node, or -1 with an error. */
static int copy_node(GameTree *copy, int parent, const GameTreeNode *from, Error *error) {
    const int node = game_tree_add(copy, parent, from->turn, error);
    if (node >= 0) {
        copy->nodes[node].time_left = from->time_left;
        copy->nodes[node].periods_left = from->periods_left;
    }
    return node;
}

/* The turns from the start to the current node, without what was taken back; NULL with an error. */
static GameTree *copy_line(const PlaySession *session, Error *error) {
    const GameTree *tree = session->tree;
    const GameOptions options = game_tree_options(tree);
    int *line = malloc((size_t)tree->count * sizeof *line), count = 0;
    if (!line)
        error_set(error, "out of memory for a game of %d positions", tree->count);
    GameTree *copy = line ? game_tree_new(&options, tree->komi, error) : NULL;
    bool good = copy && (!tree->set_up || game_tree_set_up(copy, tree->stones, tree->first, error));
    for (int i = session->now.node; good && i > 0; i = tree->nodes[i].parent)
        line[count++] = i;
    for (int node = 0; good && count > 0;)
        good = (node = copy_node(copy, node, &tree->nodes[line[--count]], error)) >= 0;
    free(line);
    if (good)
        return copy;
    game_tree_free(copy);
    return NULL;
}

/* The game as it is saved; NULL with an error. */
static GameTree *finish_line(const PlaySession *session, bool all_stay, Error *error) {
    const GameTree *tree = session->tree;
    GameTree *copy = copy_line(session, error);
    if (!copy)
        return NULL;
    for (Side side = BLACK; side <= WHITE; side++)
        name_player(session, side, all_stay, copy->players[side]);
    memcpy(copy->date, tree->date, sizeof copy->date);
    copy->clock = tree->clock;
    if (session->now.forfeit)
        game_tree_set_forfeit(copy, session->now.forfeit, session->now.winner);
    else if (all_stay && session->now.node == game_tree_end(tree) && !game_tree_forfeit(tree, &(Side){BLACK}))
        memcpy(copy->result, tree->result, sizeof copy->result);
    return copy;
}

char *play_to_sgf(const PlaySession *session, bool all_stay, Error *error) {
    GameTree *line = finish_line(session, all_stay, error);
    char *text = line ? game_tree_to_sgf(line, error) : NULL;
    game_tree_free(line);
    return text;
}

bool play_save(PlaySession *session, const char *path, Error *error) {
    const bool all_stay = session->now.node < session->loaded; /* nothing was played since */
    char *text = output_check_line(path, error) ? play_to_sgf(session, all_stay, error) : NULL;
    const bool good = text && file_write(path, text, strlen(text), error);
    free(text);
    if (good)
        session->saved = session->now;
    return good;
}

bool play_has_all(const PlaySession *session, PlayMark mark) {
    const PlayMark now = session->now;
    const bool is_empty = now.node == 0 && !play_has_file(session); /* else the file has what was taken back */
    return is_empty || (mark.node == now.node && mark.forfeit == now.forfeit);
}

/* The level that a player's name in a file stands for; 0: none. */
static int find_level(const char *title) {
    for (int level = LEVELS; level > 0; level--) {
        Player player;
        Error error;
        char own[PLAYER_TITLE_MAX];
        if (!level_player(level, &player, &error))
            continue;
        player_title(&player, own);
        if (!strcmp(own, title))
            return level;
    }
    return 0;
}

/* Takes over who plays which side, as the names in the file say. Names of other kinds are those of people in a game
 * that this program has kept, and change nothing else. */
static bool take_players(PlaySession *session, bool kept, Error *error) {
    PlayOptions *options = &session->options;
    bool is_person[2], is_own[2];
    int levels[2];
    for (Side side = BLACK; side <= WHITE; side++) {
        const char *name = session->tree->players[side];
        is_person[side] = !strcmp(name, person) || (kept && !is_computer(name));
        is_own[side] = is_computer(name);
        levels[side] = find_level(name);
    }
    /* The other side of the computer is a person, whatever the name. */
    const bool black = is_person[BLACK] || is_own[WHITE], white = is_person[WHITE] || is_own[BLACK];
    if (options->same_sides && is_person[BLACK] && is_person[WHITE])
        options->human = PLAY_BOTH;
    else if (options->same_sides && black != white)
        options->human = black ? PLAY_AS_BLACK : PLAY_AS_WHITE;
    const Side own = play_is_human(session, WHITE) ? BLACK : WHITE; /* the computer's, if it plays one */
    const int level = levels[own] > 0 ? levels[own] : levels[side_opponent(own)];
    Player player;
    if (!options->same_level || level == 0)
        return true;
    return level_player(level, &player, error) && play_change_player(session, player, error);
}

bool play_load(PlaySession *session, const char *path, bool kept, Error *error) {
    size_t length, begin;
    char *text = file_read(path, &length, error);
    GameTree *tree = text ? game_tree_read(text, length, path, &session->options.game, error) : NULL;
    const int games = text ? game_tree_count(text, length, 1, &begin) : 0;
    free(text);
    const Side colour = play_human_colour(session);
    if (!tree || !play_take_tree(session, tree, error))
        return false;
    if (session->options.human != PLAY_BOTH)
        play_take_colour(session, colour);
    if (!take_players(session, kept, error))
        return false;
    if (games > 1)
        fprintf(session->out, "This is the first of the %d games in %s.\n", games, path);
    session->saved = session->now;
    return true;
}
