/* See session_internal.h. */
#include "engine/base/list.h"
#include "engine/game/turns.h"
#include "engine/games/registry.h"
#include "tools/gtp/session_internal.h"

#include <stdlib.h>
#include <strings.h>

enum {
    TURNS_LIMIT = 100000,              /* longer lists are not written */
    POSITIONS_LIMIT = 10 * TURNS_LIMIT /* within turns: about a second, and 32 MB */
};

static const char *side_name(Side side) {
    return side == BLACK ? "Black" : "White";
}

Side gtp_colour(const Gtp *gtp) {
    const GameState *state = gtp_state(gtp);
    return game_colour(gtp->game, state, gtp->game->rules->to_move(state));
}

static void forget_all(Gtp *gtp) {
    while (gtp->turns > 0)
        free(gtp->past[--gtp->turns].text);
    gtp->set_up = false;
    game_tree_free(gtp->file);
    gtp->file = NULL;
    gtp->history = (GameHistory){0};
}

void gtp_set_search(const Gtp *gtp, Search *search, const GameState *state) {
    search_set_position(search, state);
    search_set_history(search, &gtp->history);
}

int gtp_komi(const Gtp *gtp) {
    return game_clamp_komi(gtp->game, gtp->komi);
}

bool gtp_check_komi(const Gtp *gtp, Error *error) {
    const int limit = game_komi_limit(gtp->game);
    return !gtp->game->has_points || gtp->komi == gtp_komi(gtp) ||
           error_set(error,
                     "komi is %d, which this board does not have, expected first the command komi, from %d to %d",
                     gtp->komi, -limit, limit);
}

void gtp_restart(Gtp *gtp) {
    GameState start;
    gtp->game->rules->start(gtp->game, &start, gtp_komi(gtp));
    search_set_position(gtp->search, &start);
    forget_all(gtp);
    game_clock_restart(&gtp->clock);
}

void gtp_change_komi(Gtp *gtp, int komi) {
    GameState start;
    gtp->komi = komi;
    if (!gtp->set_up || !gtp->game->rules->set_up(gtp->game, &start, gtp->stones, gtp->first, gtp_komi(gtp), NULL)) {
        gtp_restart(gtp);
        return;
    }
    gtp_set_search(gtp, gtp->search, &start);
    game_clock_restart(&gtp->clock);
}

bool gtp_change_game(Gtp *gtp, const GameOptions *options, Error *error) {
    Game *game = gtp_check_vertices(gtp->options.vertices, options->name, error) ? game_new(options, error) : NULL;
    Player player = gtp->options.player;
    Search *search = game && player_settle(&player, game->name, game->board.size, error)
                         ? player_new_search(&player, gtp->networks, game, gtp->options.seed, error)
                         : NULL;
    if (!search) {
        game_free(game);
        return false;
    }
    search_free(gtp->search);
    game_free(gtp->game);
    gtp->game = game;
    gtp->player = player;
    gtp->game_options = *options;
    gtp->game_options.name = game->name;
    gtp->search = search;
    gtp_restart(gtp);
    return true;
}

bool gtp_remember(Gtp *gtp, const GameState *before, const Action *turn, int count, char text[GAME_TEXT_MAX],
                  Error *error) {
    if (!list_grow(&gtp->past, &gtp->capacity, gtp->turns + 1, sizeof *gtp->past))
        return error_set(error, "out of memory");
    GtpTurn *last = &gtp->past[gtp->turns];
    game_copy(gtp->game, &last->before, before);
    game_format_turn(gtp->game, &last->before, turn, count, text);
    game_copy(gtp->game, &last->before, before);
    last->generated = false;
    last->text = strdup(text);
    if (!last->text)
        return error_set(error, "out of memory");
    gtp->turns++;
    last->history = gtp->history;
    game_history_add_turn(gtp->game, &gtp->history, before, turn, count);
    return true;
}

void gtp_forget(Gtp *gtp) {
    const GtpTurn *last = &gtp->past[--gtp->turns];
    gtp->history = last->history;
    gtp_set_search(gtp, gtp->search, &last->before);
    free(last->text);
}

bool gtp_read_colour(const char *text, Side *colour, Error *error) {
    *colour = !strcasecmp(text, "w") || !strcasecmp(text, "white") ? WHITE : BLACK;
    return *colour == WHITE || !strcasecmp(text, "b") || !strcasecmp(text, "black") ||
           error_set(error, "invalid color '%.40s', expected b or w", text);
}

bool gtp_check_turn(const Gtp *gtp, const char *colour, Error *error) {
    Side side;
    if (!gtp_read_colour(colour, &side, error))
        return false;
    if (gtp->game->rules->over(gtp_state(gtp)))
        return error_set(error, "the game is over");
    return side == gtp_colour(gtp) || error_set(error, "it is %s's turn", side_name(gtp_colour(gtp)));
}

/* The list of legal turns while it is written. */
typedef struct TurnList {
    const Gtp *gtp;
    const GameState *state;
    FILE *out;
    int count;
} TurnList;

static bool list_turn(void *user, const Action *turn, int count, const GameState *after) {
    (void)after;
    TurnList *list = user;
    GameState state;
    char text[GAME_TEXT_MAX];
    if (++list->count >= TURNS_LIMIT)
        return false;
    game_copy(list->gtp->game, &state, list->state);
    game_format_turn(list->gtp->game, &state, turn, count, text);
    gtp_spell(list->gtp, text);
    fprintf(list->out, list->count > 1 ? " %s" : "%s", text);
    return true;
}

bool gtp_list_turns(const Gtp *gtp, FILE *out, Error *error) {
    TurnList list = {.gtp = gtp, .state = gtp_state(gtp), .out = out};
    if (gtp->game->rules->over(list.state))
        return true; /* an empty list */
    const TurnsEnd end = turns_visit(gtp->game, list.state, POSITIONS_LIMIT, list_turn, &list);
    if (end == TURNS_NO_MEMORY)
        return error_set(error, "out of memory");
    return end == TURNS_ALL || error_set(error, "there are too many legal turns to list");
}
