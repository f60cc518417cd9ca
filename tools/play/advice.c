/* What people may ask about the position: hint, score, why. See session_internal.h. */
#include "tools/play/session_internal.h"

enum { HINTS = 3, HINT_TURNS = 5, CANDIDATES = 12, VARIATION_MAX = 12 };

/* ---- What the computer thinks ---- */

/* Searches the position as the adviser, in a tree of its own, so that a weak level does not learn from it. Many
 * candidates are looked at. NULL with a message. The caller frees the result. */
static Search *search_aside(const PlaySession *session, SearchSummary *summary) {
    const Player *player = &session->adviser;
    Error error;
    Search *search = player_new_search(player, session->networks, session->tree->game, session->options.seed, &error);
    if (!search) {
        fprintf(session->out, "%s\n", error.text);
        return NULL;
    }
    stop_flag_clear(session->options.stop);
    play_set_search(session, search);
    SearchLimits limits = player_limits(player, session->options.stop);
    limits.wide = true;
    *summary = search_run(search, &limits);
    if (stop_flag_is_set(limits.stop))
        fputc('\n', session->out); /* after the ^C */
    return search;
}

/* A move, its chance, and the turns that may follow. */
static void print_hint(const PlaySession *session, const Search *search, const SearchMove *move) {
    const Game *game = session->tree->game;
    Action actions[VARIATION_MAX];
    GameState state;
    const int count = search_variation(search, move->action, actions, VARIATION_MAX);
    game_copy(game, &state, play_state(session));
    for (int i = 0, turns = 0; i < count && turns < HINT_TURNS && !game->rules->over(&state); turns++) {
        char text[GAME_TEXT_MAX];
        i += game_format_turn(game, &state, actions + i, count - i, text);
        const bool whole = game->rules->over(&state) || game->rules->turn_start(&state);
        fprintf(session->out, turns == 0 ? "  %s%s" : " %s%s", text, whole ? "" : "...");
        if (turns == 0 && move->proven)
            fprintf(session->out, "  %s  ", move->win_rate > 0.5 ? "a certain win" : "a certain loss");
        else if (turns == 0)
            fprintf(session->out, "  %.0f%%  ", 100 * move->win_rate);
    }
    fputc('\n', session->out);
}

/* Puts the recommended move first, then the others by their chance. A move that seems better than the recommended one,
 * but was not looked at enough to be recommended, is left out. Returns how many are left. */
static int compare_candidates(SearchMove *moves, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const SearchMove move = moves[i];
        if (i > 0 && (move.win_rate > moves[0].win_rate || !move.known))
            continue;
        int at = kept++;
        for (; at > 1 && moves[at - 1].win_rate < move.win_rate; at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
    return kept;
}

/* What a search has found out about the moves, the recommended one first. All are lost where the position is, which the
 * solver may have found out without looking at each. Returns how many there are. */
static int find_candidates(const Search *search, const SearchSummary *summary, SearchMove moves[CANDIDATES]) {
    const int count = search_moves(search, moves, CANDIDATES);
    for (int i = 0; i < count && summary->proven && summary->win_rate == 0; i++) {
        moves[i].win_rate = 0;
        moves[i].proven = true;
    }
    return compare_candidates(moves, count);
}

/* The move that a hint recommends. */
static SearchMove best_candidate(const Search *search, const SearchSummary *summary) {
    SearchMove moves[CANDIDATES];
    if (find_candidates(search, summary, moves) == 0)
        moves[0] = (SearchMove){.win_rate = summary->win_rate, .margin = summary->margin};
    return moves[0];
}

void play_hint(PlaySession *session, const char *argument) {
    (void)argument;
    SearchSummary summary;
    Search *search = search_aside(session, &summary);
    if (!search)
        return;
    SearchMove moves[CANDIDATES];
    const int count = find_candidates(search, &summary, moves);
    fprintf(session->out, "Best moves, the chance to win, and how it may go on:\n");
    for (int i = 0; i < count && i < HINTS; i++)
        print_hint(session, search, &moves[i]);
    search_free(search);
}

void play_score(PlaySession *session, const char *argument) {
    (void)argument;
    if (play_is_over(session)) {
        play_show_result(session);
        fputc('\n', session->out);
        return;
    }
    const Side mover = session->tree->game->rules->to_move(play_state(session));
    SearchSummary summary;
    Search *search = search_aside(session, &summary);
    if (!search)
        return;
    const SearchMove best = best_candidate(search, &summary);
    search_free(search);
    const bool mover_leads = best.win_rate >= 0.5;
    const Side leader = mover_leads ? mover : side_opponent(mover);
    if (summary.proven) {
        fprintf(session->out, "%s has a certain win.\n", play_colour(session, leader));
        return;
    }
    fprintf(session->out, "%s's chance to win is %.0f%%", play_colour(session, leader),
            100 * (mover_leads ? best.win_rate : 1 - best.win_rate));
    const double lead = leader == BLACK ? best.margin : -best.margin;
    if (session->tree->game->has_points && lead > 0) /* it may be behind by a little where the game is even */
        fprintf(session->out, "; it is expected to win by %.1f points", lead);
    fputs(".\n", session->out);
}

/* ---- Why ---- */

/* The stones of a colour among those seen: "2 black (c3 d4)". */
static void print_seen(const PlaySession *session, const int16_t *seen, int count, const uint8_t *stones, int colour) {
    const Hexhex *board = &session->tree->game->board;
    int number = 0;
    for (int i = 0; i < count; i++)
        number += stones[seen[i]] == colour;
    fprintf(session->out, "%d %s", number, colour == 1 ? "black" : "white");
    for (int i = 0, named = 0; i < count; i++) {
        char name[HEXHEX_NAME_SIZE];
        if (stones[seen[i]] != colour)
            continue;
        hexhex_name(board, seen[i], name);
        fprintf(session->out, named++ == 0 ? " (%s" : " %s", name);
    }
    fputs(number ? ")" : "", session->out);
}

static void print_control(const PlaySession *session, int cell, const uint8_t *stones) {
    const Game *game = session->tree->game;
    uint8_t control[HEXHEX_MAX_CELLS];
    int16_t seen[HEXHEX_DIRECTIONS];
    int needed;
    const int count = game->rules->sight(game, play_state(session), cell, seen, &needed);
    game->rules->control(game, play_state(session), control);
    fputs(" It sees ", session->out);
    print_seen(session, seen, count, stones, 1);
    fputs(" and ", session->out);
    print_seen(session, seen, count, stones, 2);
    fprintf(session->out, "; %d of a colour control it: %s.", needed,
            control[cell] == 1   ? "it is Black's"
            : control[cell] == 2 ? "it is White's"
                                 : "it is nobody's");
}

/* Whether the side to move may play on a cell, and if not, why. */
static void print_permission(const PlaySession *session, const char *name, bool has_stone) {
    const GameRules *rules = session->tree->game->rules;
    const char *mover = play_colour(session, play_side_to_move(session));
    Action turn[GAME_TURN_MAX];
    Error reason;
    if (rules->parse(session->tree->game, play_state(session), name, turn, &reason) >= 0)
        fprintf(session->out, "\n%s may %s.", mover, has_stone ? "flip it" : "move there");
    else {
        const size_t length = strlen(name);
        const bool named = !strncmp(reason.text, name, length) && reason.text[length] == ':';
        fprintf(session->out, "\n%s may not move there: %s.", mover, reason.text + (named ? length + 2 : 0));
    }
}

void play_why(PlaySession *session, const char *argument) {
    const Game *game = session->tree->game;
    const int cell = hexhex_named(&game->board, argument);
    uint8_t stones[HEXHEX_MAX_CELLS];
    char name[HEXHEX_NAME_SIZE];
    if (cell < 0) {
        fprintf(session->out, "why: '%.40s', expected a cell, as in `why a1'\n", argument);
        return;
    }
    hexhex_name(&game->board, cell, name);
    game->rules->stones(game, play_state(session), stones);
    fprintf(session->out, "%s %s.", name,
            stones[cell] == 1   ? "is a black stone"
            : stones[cell] == 2 ? "is a white stone"
                                : "is empty");
    if (game->rules->sight && game->rules->control)
        print_control(session, cell, stones);
    if (!play_is_over(session))
        print_permission(session, name, stones[cell] != 0);
    fputc('\n', session->out);
}
