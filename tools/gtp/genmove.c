/* The session's own turns: genmove, reg_genmove, pondering. See session_internal.h. */
#include "engine/base/wall_time.h"
#include "tools/gtp/session_internal.h"

static const double ponder_step = 1; /* seconds between two checks of whether the memory is full */

/* ---- Time ---- */

static SearchLimits choose_limits(const Gtp *gtp, double spent) {
    const StopFlag *stop = gtp->options.input ? gtp_input_quit(gtp->options.input) : NULL;
    SearchLimits limits = player_limits(&gtp->player, stop);
    if (!gtp->clock.running)
        return limits;
    const Side side = gtp->game->rules->to_move(gtp_state(gtp));
    const double moves = game_clock_moves_left(gtp->game, gtp_state(gtp), gtp->options.seed);
    const double budget = game_clock_budget(&gtp->clock, side, spent, moves);
    GameClock now = gtp->clock;
    now.left[side] -= spent;
    if (gtp->options.clock_decides)
        limits = (SearchLimits){.stop = stop};
    if (limits.seconds == 0 || limits.seconds > budget)
        limits.seconds = budget;
    limits.until_settled = game_clock_saves(&now, side);
    return limits;
}

/* ---- Choosing a turn ---- */

/* Whether there is only one action at the root of a search, and which one. */
static bool only_action(const Gtp *gtp, const Search *search, Action *only) {
    Action legal[GAME_LEGAL_MAX];
    const int count = gtp->game->rules->legal(gtp->game, search_position(search), legal);
    *only = legal[0];
    return count == 1;
}

/* The best action at the root of a search, the `number`-th of its turn from 0 on, and what the search has found. An
 * only move costs no search, and is not resigned. */
static Action choose_action(const Gtp *gtp, Search *search, int number, double spent, SearchSummary *found) {
    Action only;
    *found = (SearchSummary){.win_rate = 1};
    if (only_action(gtp, search, &only))
        return only;
    const SearchLimits limits = choose_limits(gtp, spent);
    *found = search_run(search, &limits);
    return player_choose(&gtp->player, search, player_draw_seed(gtp->options.seed, gtp->turns, number));
}

/* Forbids what `avoid` (NULL: nothing) still forbids after so many actions. */
static void avoid_after(Search *search, const SearchAvoid *avoid, int actions) {
    SearchAvoid left;
    if (!avoid)
        return;
    for (int colour = 0; colour < 2; colour++)
        for (int a = 0; a < GAME_ACTIONS_MAX; a++) {
            const int until = avoid->until[colour][a];
            left.until[colour][a] = (uint8_t)(until > actions ? until - actions : 0);
        }
    search_avoid(search, &left);
}

/* Chooses the further actions of a turn whose first one `search` has played. Returns how many actions the turn has. */
static int choose_rest(const Gtp *gtp, Search *search, double begin, const SearchAvoid *avoid,
                       Action turn[GAME_TURN_MAX]) {
    const GameRules *rules = gtp->game->rules;
    const GameState *state = search_position(search);
    int count = 1;
    for (SearchSummary found; !rules->over(state) && !rules->turn_start(state); count++) {
        avoid_after(search, avoid, count);
        turn[count] = choose_action(gtp, search, count, wall_seconds() - begin, &found);
        search_play(search, turn[count]);
    }
    return count;
}

/* Chooses a whole turn, reports, and plays it in the session's search. Returns how many actions it has, 0 to resign
 * instead. */
static int choose_turn(const Gtp *gtp, const GtpReports *reports, Action turn[GAME_TURN_MAX]) {
    const double begin = wall_seconds();
    SearchSummary found;
    Action only;
    turn[0] = choose_action(gtp, gtp->search, 0, 0, &found);
    const bool resigns = found.win_rate < gtp->options.resign;
    if (reports && only_action(gtp, gtp->search, &only)) /* there is something to say of it, too */
        found = search_run(gtp->search, &(SearchLimits){.simulations = GTP_FIRST_SIMULATIONS});
    if (reports)
        reports->report(gtp, reports->settings, &found);
    if (resigns)
        return 0;
    search_play(gtp->search, turn[0]);
    return choose_rest(gtp, gtp->search, begin, reports ? reports->avoid : NULL, turn);
}

/* The same for a turn that is not played: the session's search stays at its position and keeps its tree. If the turn
 * has several actions, a second search finds the further ones. -1 with an error without memory for that one. */
static int choose_turn_aside(const Gtp *gtp, Action turn[GAME_TURN_MAX], Error *error) {
    const double begin = wall_seconds();
    SearchSummary found;
    GameState state;
    turn[0] = choose_action(gtp, gtp->search, 0, 0, &found);
    if (found.win_rate < gtp->options.resign)
        return 0;
    game_copy(gtp->game, &state, gtp_state(gtp));
    gtp->game->rules->apply(gtp->game, &state, turn[0]);
    if (gtp->game->rules->over(&state) || gtp->game->rules->turn_start(&state))
        return 1;
    Search *aside = player_new_search(&gtp->player, gtp->networks, gtp->game, gtp->options.seed, error);
    if (!aside)
        return -1;
    GameHistory history = gtp->history;
    game_history_add(gtp->game, &history, turn[0], &state);
    search_set_position(aside, &state);
    search_set_history(aside, &history);
    const int count = choose_rest(gtp, aside, begin, NULL, turn);
    search_free(aside);
    return count;
}

/* ---- The commands ---- */

bool gtp_generate(Gtp *gtp, const GtpReports *reports, char text[GAME_TEXT_MAX]) {
    GameState before;
    Action turn[GAME_TURN_MAX];
    strcpy(text, "resign");
    game_copy(gtp->game, &before, gtp_state(gtp));
    const Side side = gtp->game->rules->to_move(&before);
    const double begin = wall_seconds();
    const int count = choose_turn(gtp, reports, turn);
    game_clock_spend(&gtp->clock, side, wall_seconds() - begin);
    if (count > 0 && !gtp_remember(gtp, &before, turn, count, text, gtp->error)) {
        gtp_set_search(gtp, gtp->search, &before);
        return false;
    }
    if (count > 0)
        gtp->past[gtp->turns - 1].generated = true;
    gtp_spell(gtp, text);
    return true;
}

bool gtp_genmove(Gtp *gtp) {
    char text[GAME_TEXT_MAX];
    return gtp_check_turn(gtp, gtp->arguments[0], gtp->error) && gtp_generate(gtp, NULL, text) &&
           fputs(text, gtp->answer) >= 0;
}

bool gtp_reg_genmove(Gtp *gtp) {
    if (!gtp_check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    GameState state;
    Action turn[GAME_TURN_MAX];
    char text[GAME_TEXT_MAX] = "resign";
    game_copy(gtp->game, &state, gtp_state(gtp));
    const int count = choose_turn_aside(gtp, turn, gtp->error);
    if (count > 0)
        game_format_turn(gtp->game, &state, turn, count, text);
    gtp_spell(gtp, text);
    return count >= 0 && fputs(text, gtp->answer) >= 0;
}

/* ---- Pondering ---- */

void gtp_ponder(const Gtp *gtp) {
    if (!gtp->options.ponder || !gtp->options.input || gtp->turns == 0 || !gtp->past[gtp->turns - 1].generated ||
        gtp->game->rules->over(gtp_state(gtp)))
        return;
    const StopFlag *waiting = gtp_input_waiting(gtp->options.input);
    SearchSummary summary = {.simulations = 1};
    while (!stop_flag_is_set(waiting) && gtp_goes_on(&summary))
        summary = search_run(gtp->search, &(SearchLimits){.seconds = ponder_step, .stop = waiting});
    if (summary.proven && summary.win_rate > 0.5) {
        /* The opponent has a proved win, but may not see it. Start anew, so that the answer to a mistake is searched.
         */
        GameState state;
        game_copy(gtp->game, &state, gtp_state(gtp));
        gtp_set_search(gtp, gtp->search, &state);
    }
}
