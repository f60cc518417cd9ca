/* The computer's turns. See session_internal.h. */
#include "tools/play/session_internal.h"

#include <string.h>

enum { JUDGEMENT = 1000 /* playouts of a player who judges well */ };

/* Searches a whole turn, action by action, and plays it in the session's search. Returns how many actions it has;
 * *summary is what the first search found. */
static int choose_turn(PlaySession *session, Action turn[GAME_TURN_MAX], SearchSummary *summary) {
    const Game *game = session->tree->game;
    const GameState *state = search_position(session->search);
    Action legal[GAME_LEGAL_MAX];
    int count = 0;
    *summary = (SearchSummary){0};
    do {
        if (game->rules->legal(game, state, legal) > 1) {
            const SearchLimits limits = player_limits(&session->player, session->options.stop);
            const SearchSummary found = search_run(session->search, &limits);
            *summary = count == 0 ? found : *summary;
        }
        const uint64_t seed = player_draw_seed(session->options.seed, session->now.node, count);
        turn[count] = player_choose(&session->player, session->search, seed);
        search_play(session->search, turn[count++]);
    } while (!game->rules->over(state) && !game->rules->turn_start(state));
    return count;
}

/* Whether what a player thinks of its chance tells people something. The weakest levels do not know, and would
 * contradict the hints and the choice of komi. */
static bool has_judgement(const Player *player) {
    return player_has_network(player) || player->simulations >= JUDGEMENT || player->move_seconds > 0;
}

/* `colour`: that of the computer before the turn. After a swap it has the other one, which the line before says. */
static void make_news(PlaySession *session, const char *colour, const char *turn, const SearchSummary *summary) {
    char chance[48] = "";
    if (play_is_over(session))
        chance[0] = '\0';
    else if (summary->proven)
        snprintf(chance, sizeof chance, summary->win_rate > 0.5 ? " It has a certain win." : " Its loss is certain.");
    else if (summary->simulations > 0 && has_judgement(&session->player))
        snprintf(chance, sizeof chance, " It gives itself %.0f%%.", 100 * summary->win_rate);
    if (!strcmp(turn, "swap"))
        snprintf(session->news, sizeof session->news, "The computer swaps.%s ", chance);
    else
        snprintf(session->news, sizeof session->news, "The computer (%s) plays %s.%s ", colour, turn, chance);
}

/* Plays one turn; false with a message if there is no memory for it. */
static bool move(PlaySession *session) {
    const Game *game = session->tree->game;
    const char *colour = play_colour(session, play_side_to_move(session));
    Action turn[GAME_TURN_MAX];
    SearchSummary summary;
    GameState state;
    char text[GAME_TEXT_MAX];
    Error error;
    stop_flag_clear(session->options.stop);
    const int count = choose_turn(session, turn, &summary);
    game_copy(game, &state, play_state(session));
    game_format_turn(game, &state, turn, count, text);
    const int node = game_tree_add(session->tree, session->now.node, text, &error);
    if (node < 0) {
        fprintf(session->out, "%s\n", error.text);
        return false;
    }
    play_moved(session, node);
    play_autosave(session);
    make_news(session, colour, text, &summary);
    play_show(session);
    return true;
}

void play_computer(PlaySession *session) {
    while (!session->over && !play_is_over(session) && !play_is_human(session, play_side_to_move(session)))
        session->over = !move(session);
}
