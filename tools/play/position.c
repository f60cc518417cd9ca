/* The position of a terminal game: how it is shown, how it changes. See session_internal.h. */
#include "selfplay/record/board_text.h"
#include "tools/play/session_internal.h"

const char *play_colour(const PlaySession *session, Side player) {
    return game_colour(session->tree->game, play_state(session), player) == BLACK ? "Black" : "White";
}

bool play_is_human(const PlaySession *session, Side player) {
    return session->options.human == PLAY_BOTH || (session->options.human == PLAY_AS_BLACK) == (player == BLACK);
}

Side play_human_colour(const PlaySession *session) {
    const Side player = session->options.human == PLAY_AS_BLACK ? BLACK : WHITE;
    return game_colour(session->tree->game, play_state(session), player);
}

void play_take_colour(PlaySession *session, Side colour) {
    const Side player = game_colour(session->tree->game, play_state(session), colour);
    session->options.human = player == BLACK ? PLAY_AS_BLACK : PLAY_AS_WHITE;
}

bool play_is_over(const PlaySession *session) {
    return session->now.forfeit || session->tree->game->rules->over(play_state(session));
}

Side play_side_to_move(const PlaySession *session) {
    return session->tree->game->rules->to_move(play_state(session));
}

static void show_forfeit(const PlaySession *session) {
    const bool black_wins = session->now.winner == BLACK;
    fprintf(session->out, "%s has %s: %s wins.", black_wins ? "White" : "Black",
            session->now.forfeit == FORFEIT_RESIGN ? "resigned"
            : session->now.forfeit == FORFEIT_TIME ? "lost on time"
                                                   : "forfeited the game",
            black_wins ? "Black" : "White");
}

void play_show_result(const PlaySession *session) {
    const Game *game = session->tree->game;
    if (session->now.forfeit) {
        show_forfeit(session);
        return;
    }
    const Side winner = game->rules->result(game, play_state(session)).winner;
    fputs("The game is over: ", session->out);
    if (session->options.human == PLAY_BOTH)
        fprintf(session->out, "%s wins", play_colour(session, winner));
    else
        fputs(play_is_human(session, winner) ? "you win" : "the computer wins", session->out);
    if (game->has_points) {
        char score[16];
        board_text_score(game, play_state(session), score);
        fprintf(session->out, ", %s", score);
    }
    fprintf(session->out, ".");
}

/* Says whose the stones are now if the last turn has swapped the colours. */
static void show_swap(const PlaySession *session) {
    const Game *game = session->tree->game;
    const int parent = session->tree->nodes[session->now.node].parent;
    if (parent < 0 ||
        game_colour(game, play_state(session), BLACK) == game_colour(game, &session->tree->nodes[parent].state, BLACK))
        return;
    if (session->options.human == PLAY_BOTH)
        fputs("The players have swapped colours; the stones stay.\n", session->out);
    else
        fprintf(session->out, "The players have swapped colours: you are %s now.\n",
                play_human_colour(session) == BLACK ? "Black" : "White");
}

void play_show(PlaySession *session) {
    static const char *const buttons[] = {[BUTTON_NONE] = "",
                                          [BUTTON_ON_TABLE] = ", the button lies on the table",
                                          [BUTTON_BLACK] = ", Black has the button",
                                          [BUTTON_WHITE] = ", White has the button"};
    const Game *game = session->tree->game;
    const GameState *state = play_state(session);
    const int parent = session->tree->nodes[session->now.node].parent;
    fputc('\n', session->out);
    play_board_draw(game, state, parent >= 0 ? &session->tree->nodes[parent].state : NULL, session->options.style,
                    session->out);
    if (game->has_points) {
        int cells[2];
        game->rules->board_score(game, state, cells);
        fprintf(session->out, "Black %d, White %d cells, komi %d%s\n", cells[BLACK], cells[WHITE], session->tree->komi,
                buttons[game_button(game, state)]);
    }
    show_swap(session);
    fputs(session->news, session->out);
    session->news[0] = '\0';
    if (play_is_over(session))
        play_show_result(session);
    else
        fprintf(session->out, "%s to move.", play_colour(session, play_side_to_move(session)));
    fputc('\n', session->out);
}

void play_check_room(const PlaySession *session) {
    const Game *game = session->tree->game;
    const PlayRoom *room = session->options.room;
    const int columns = play_board_columns(game), lines = play_board_lines(game);
    if (room && ((room->columns && room->columns < columns) || (room->lines && room->lines < lines)))
        fprintf(session->out,
                "This board needs %d columns and %d lines, but the terminal has %d and %d. Make it larger or its font "
                "smaller, or play on a smaller board (--size).\n",
                columns, lines, room->columns, room->lines);
}

void play_set_search(const PlaySession *session, Search *search) {
    search_set_position(search, play_state(session));
    search_set_history(search, &session->tree->nodes[session->now.node].history);
}

bool play_new_search(PlaySession *session, Error *error) {
    const Game *game = session->tree->game;
    Player player = session->options.player, adviser = session->options.adviser;
    Search *search = player_settle(&player, game->name, game->board.size, error) &&
                             player_settle(&adviser, game->name, game->board.size, error)
                         ? player_new_search(&player, session->networks, game, session->options.seed, error)
                         : NULL;
    if (!search)
        return false;
    session->player = player;
    session->adviser = adviser;
    search_free(session->search);
    session->search = search;
    play_set_search(session, search);
    return true;
}

bool play_change_player(PlaySession *session, Player player, Error *error) {
    const Player old = session->options.player;
    player.search_threads = old.search_threads;
    player.memory_mb = old.memory_mb;
    session->options.player = player;
    if (play_new_search(session, error))
        return true;
    session->options.player = old;
    return false;
}

bool play_take_tree(PlaySession *session, GameTree *tree, Error *error) {
    GameTree *old = session->tree;
    const PlayMark old_now = session->now;
    session->tree = tree;
    session->now = (PlayMark){.node = game_tree_end(tree)};
    if (!play_new_search(session, error)) { /* which leaves the old one in place */
        session->tree = old;
        session->now = old_now;
        game_tree_free(tree);
        return false;
    }
    game_tree_free(old);
    session->loaded = tree->count;
    session->now.forfeit = game_tree_forfeit(tree, &session->now.winner);
    session->ahead = session->now;
    session->stage = PLAY_GAME;
    session->saved = session->kept = (PlayMark){.node = -1};
    line_file_close(&session->kept_file, NULL); /* it keeps the old game */
    return true;
}

void play_go_to(PlaySession *session, PlayMark mark) {
    session->now = mark;
    play_set_search(session, session->search);
}

void play_moved(PlaySession *session, int node) {
    int way = session->ahead.node;
    while (way > node) /* parents come before their children */
        way = session->tree->nodes[way].parent;
    session->now = (PlayMark){.node = node};
    if (way != node)
        session->ahead = session->now;
}

bool play_turn(PlaySession *session, const char *text, Error *error) {
    const Game *game = session->tree->game;
    Action turn[GAME_TURN_MAX];
    GameState state;
    int count;
    game_copy(game, &state, play_state(session));
    if (!game_play_text(game, &state, text, turn, &count, error))
        return false;
    const int node = game_tree_add(session->tree, session->now.node, text, error);
    if (node < 0)
        return false;
    for (int i = 0; i < count; i++)
        search_play(session->search, turn[i]);
    play_moved(session, node);
    return true;
}
