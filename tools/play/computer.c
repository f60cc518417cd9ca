/* The computer's turns. See session_internal.h. */
#include "engine/base/rng.h"
#include "tools/play/session_internal.h"

/* Searches a whole turn, action by action, and plays it in the session's search. Returns how many actions it has;
 * *summary is what the first search found. */
static int choose_turn(PlaySession *session, Action turn[GAME_TURN_MAX], SearchSummary *summary) {
    const Game *game = session->tree->game;
    Action legal[GAME_LEGAL_MAX];
    GameState state;
    int count = 0;
    game_copy(game, &state, play_state(session));
    *summary = (SearchSummary){0};
    do {
        if (game->rules->legal(game, &state, legal) > 1) {
            const SearchLimits limits = player_limits(&session->player, session->options.stop);
            const SearchSummary found = search_run(session->search, &limits);
            *summary = count == 0 ? found : *summary;
        }
        const uint64_t seed = rng_split(~session->options.seed, (uint64_t)session->node);
        turn[count] = player_choose(&session->player, session->search, seed);
        search_play(session->search, turn[count]);
        game->rules->apply(game, &state, turn[count++]);
    } while (!game->rules->over(&state) && !game->rules->turn_start(&state));
    return count;
}

static void say_chance(PlaySession *session, const SearchSummary *summary) {
    if (summary->proven)
        fprintf(session->out, summary->win_rate > 0.5 ? " It has a certain win." : " Its loss is certain.");
    else if (summary->simulations > 0)
        fprintf(session->out, " It gives itself %.0f%%.", 100 * summary->win_rate);
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
    const int node = game_tree_add(session->tree, session->node, text, &error);
    if (node < 0) {
        fprintf(session->out, "%s\n", error.text);
        return false;
    }
    session->node = node;
    play_show(session);
    fprintf(session->out, "The computer (%s) plays %s.", colour, text);
    say_chance(session, &summary);
    fputc('\n', session->out);
    return true;
}

void play_computer(PlaySession *session) {
    while (!session->over && !play_is_over(session) && !play_is_human(session, play_side_to_move(session)))
        session->over = !move(session);
}
