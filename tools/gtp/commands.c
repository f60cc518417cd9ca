/* GTP commands for the game itself: the board, turns, and moves of its own. See session_internal.h. */
#include "engine/base/rng.h"
#include "engine/base/wall_time.h"
#include "selfplay/players/levels.h"
#include "selfplay/record/board_text.h"
#include "tools/cli/options.h"
#include "tools/gtp/session_internal.h"

#include <time.h>

enum { ESTIMATE_PLAYOUTS = 32 /* to guess how long the game will last */ };
static const double seconds_max = 1e9;    /* of a time setting */
static const double searched_share = 0.6; /* of a game's turns: the last ones are decided and take no time */
static const double ponder_step = 1;      /* seconds between two looks at whether the memory is full */

/* ---- Choosing a turn ---- */

/* About how many turns the side to move has still to search. */
static double own_moves_left(const Gtp *gtp) {
    const GameState *states[ESTIMATE_PLAYOUTS];
    uint64_t seeds[ESTIMATE_PLAYOUTS];
    PlayoutResult results[ESTIMATE_PLAYOUTS];
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++) {
        states[i] = gtp_state(gtp);
        seeds[i] = rng_split(gtp->options.seed, (uint64_t)i);
    }
    gtp->game->rules->playouts(gtp->game, states, seeds, ESTIMATE_PLAYOUTS, PLAYOUT_LIGHT, results);
    double length = 0;
    for (int i = 0; i < ESTIMATE_PLAYOUTS; i++)
        length += results[i].length;
    return searched_share * length / (2 * ESTIMATE_PLAYOUTS);
}

static SearchLimits choose_limits(const Gtp *gtp, double spent) {
    const atomic_bool *stop = gtp->options.input ? gtp_input_quit(gtp->options.input) : NULL;
    SearchLimits limits = player_limits(&gtp->options.player, stop);
    if (!gtp->clock.running)
        return limits;
    const Side side = gtp->game->rules->to_move(gtp_state(gtp));
    GameClock clock = gtp->clock;
    clock.left[side] -= spent;
    const double budget = game_clock_budget(&clock, side, own_moves_left(gtp));
    if (gtp->options.clock_decides)
        limits = (SearchLimits){.stop = stop};
    if (limits.seconds == 0 || limits.seconds > budget)
        limits.seconds = budget;
    limits.until_settled = game_clock_saves(&clock, side);
    return limits;
}

/* The best action of a search's root and the chance to win that it has; a forced move costs no search. */
static Action choose_action(const Gtp *gtp, Search *search, double spent, double *win_rate) {
    Action legal[GAME_LEGAL_MAX];
    *win_rate = 1;
    if (gtp->game->rules->legal(gtp->game, search_position(search), legal) == 1)
        return legal[0];
    const SearchLimits limits = choose_limits(gtp, spent);
    *win_rate = search_run(search, &limits).win_rate;
    return search_best(search);
}

/* Chooses the actions of a turn behind the first one, which `search` has taken; returns how many the turn has. */
static int choose_rest(const Gtp *gtp, Search *search, double begin, Action turn[GAME_TURN_MAX]) {
    const GameRules *rules = gtp->game->rules;
    const GameState *state = search_position(search);
    int count = 1;
    for (double win_rate; !rules->over(state) && !rules->turn_start(state); count++) {
        turn[count] = choose_action(gtp, search, wall_seconds() - begin, &win_rate);
        search_play(search, turn[count]);
    }
    return count;
}

/* Chooses a whole turn, which the session's search then has taken, and returns how many actions it has; 0 where the
 * side would resign instead. */
static int choose_turn(const Gtp *gtp, Action turn[GAME_TURN_MAX]) {
    const double begin = wall_seconds();
    double win_rate;
    turn[0] = choose_action(gtp, gtp->search, 0, &win_rate);
    if (win_rate < gtp->options.resign)
        return 0;
    search_play(gtp->search, turn[0]);
    return choose_rest(gtp, gtp->search, begin, turn);
}

/* The same for a turn that is not played: the session's search keeps its place and its tree. Where the turn has several
 * actions, a second search finds the others. -1 with an error where there is no memory for that one. */
static int choose_turn_aside(const Gtp *gtp, Action turn[GAME_TURN_MAX], Error *error) {
    const double begin = wall_seconds();
    double win_rate;
    GameState state;
    turn[0] = choose_action(gtp, gtp->search, 0, &win_rate);
    if (win_rate < gtp->options.resign)
        return 0;
    game_copy(gtp->game, &state, gtp_state(gtp));
    gtp->game->rules->apply(gtp->game, &state, turn[0]);
    if (gtp->game->rules->over(&state) || gtp->game->rules->turn_start(&state))
        return 1;
    Search *aside = player_new_search(&gtp->options.player, gtp->game, gtp->options.seed, error);
    if (!aside)
        return -1;
    search_set_position(aside, &state);
    const int count = choose_rest(gtp, aside, begin, turn);
    search_free(aside);
    return count;
}

void gtp_ponder(const Gtp *gtp) {
    if (!gtp->options.ponder || !gtp->options.input || gtp->turns == 0 || !gtp->past[gtp->turns - 1].generated ||
        gtp->game->rules->over(gtp_state(gtp)))
        return;
    const atomic_bool *waiting = gtp_input_waiting(gtp->options.input);
    SearchSummary summary = {0};
    while (!atomic_load(waiting) && !summary.proven && !summary.memory_full)
        summary = search_run(gtp->search, &(SearchLimits){.seconds = ponder_step, .stop = waiting});
    if (summary.proven && summary.win_rate > 0.5) {
        /* The opponent may not see that he wins: what is proved must not keep the answer from being searched. */
        GameState state;
        game_copy(gtp->game, &state, gtp_state(gtp));
        search_set_position(gtp->search, &state);
    }
}

/* ---- The commands ---- */

static bool do_boardsize(Gtp *gtp) {
    int size;
    if (!read_int("size", gtp->arguments[0], HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size, NULL))
        return error_set(gtp->error, "unacceptable size");
    GameOptions options = gtp->game_options;
    options.size = size;
    return gtp_change_game(gtp, &options, gtp->error);
}

static bool do_clear_board(Gtp *gtp) {
    gtp_restart(gtp);
    return true;
}

static bool do_komi(Gtp *gtp) {
    const int limit = gtp->game->has_points ? gtp->game->board.cells : 0;
    double komi;
    if (gtp->turns > 0)
        return error_set(gtp->error, "komi can be set only before the first move");
    if (!read_number("komi", gtp->arguments[0], -limit, limit, &komi, NULL) || komi != (int)komi)
        return error_set(gtp->error, "komi: '%.40s', expected a whole number from %d to %d", gtp->arguments[0], -limit,
                         limit);
    gtp->komi = (int)komi;
    gtp_restart(gtp);
    return true;
}

static bool do_play(Gtp *gtp) {
    if (!gtp_check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    const GameState *state = gtp_state(gtp);
    Action turn[GAME_TURN_MAX];
    Error reason;
    for (char *c = gtp->arguments[1]; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    const int count = gtp->game->rules->parse(gtp->game, state, gtp->arguments[1], turn, &reason);
    if (count < 0)
        return error_set(gtp->error, "illegal move: %s", reason.text);
    char text[GAME_TEXT_MAX];
    if (!gtp_remember(gtp, state, turn, count, text, gtp->error))
        return false;
    for (int i = 0; i < count; i++)
        search_play(gtp->search, turn[i]);
    return true;
}

static bool do_genmove(Gtp *gtp) {
    if (!gtp_check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    GameState before;
    Action turn[GAME_TURN_MAX];
    char text[GAME_TEXT_MAX] = "resign";
    game_copy(gtp->game, &before, gtp_state(gtp));
    const Side side = gtp->game->rules->to_move(&before);
    const double begin = wall_seconds();
    const int count = choose_turn(gtp, turn);
    game_clock_spend(&gtp->clock, side, wall_seconds() - begin);
    if (count > 0 && !gtp_remember(gtp, &before, turn, count, text, gtp->error)) {
        search_set_position(gtp->search, &before);
        return false;
    }
    if (count > 0)
        gtp->past[gtp->turns - 1].generated = true;
    return fputs(text, gtp->answer) >= 0;
}

static bool do_reg_genmove(Gtp *gtp) {
    if (!gtp_check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    GameState state;
    Action turn[GAME_TURN_MAX];
    char text[GAME_TEXT_MAX] = "resign";
    game_copy(gtp->game, &state, gtp_state(gtp));
    const int count = choose_turn_aside(gtp, turn, gtp->error);
    if (count > 0)
        game_format_turn(gtp->game, &state, turn, count, text);
    return count >= 0 && fputs(text, gtp->answer) >= 0;
}

static bool do_undo(Gtp *gtp) {
    if (gtp->turns == 0)
        return error_set(gtp->error, "cannot undo");
    gtp_forget(gtp);
    return true;
}

static bool do_showboard(Gtp *gtp) {
    fputs("\n", gtp->answer);
    board_text_print(gtp->game, gtp_state(gtp), gtp->komi, gtp->answer);
    return true;
}

static bool do_final_score(Gtp *gtp) {
    const Game *game = gtp->game;
    const GameState *state = gtp_state(gtp);
    if (!game->has_points && !game->rules->over(state))
        return error_set(gtp->error, "the game is not over");
    char text[16];
    board_text_score(game, state, text);
    fputs(text, gtp->answer);
    return true;
}

static bool do_time_settings(Gtp *gtp) {
    double main_time, period;
    int stones;
    if (!read_number("main time", gtp->arguments[0], 0, seconds_max, &main_time, gtp->error) ||
        !read_number("byo-yomi time", gtp->arguments[1], 0, seconds_max, &period, gtp->error) ||
        !read_int("byo-yomi stones", gtp->arguments[2], 0, 1000000, &stones, gtp->error))
        return false;
    game_clock_set(&gtp->clock, main_time, period, stones);
    return true;
}

static bool do_time_left(Gtp *gtp) {
    Side side;
    double seconds;
    int stones;
    if (!gtp_read_colour(gtp->arguments[0], &side, gtp->error) ||
        !read_number("time", gtp->arguments[1], -seconds_max, seconds_max, &seconds, gtp->error) ||
        !read_int("stones", gtp->arguments[2], 0, 1000000, &stones, gtp->error))
        return false;
    game_clock_left(&gtp->clock, side, seconds, stones);
    return true;
}

static bool do_cputime(Gtp *gtp) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return fprintf(gtp->answer, "%.3f", (double)time.tv_sec + 1e-9 * (double)time.tv_nsec) > 0;
}

static bool do_game(Gtp *gtp) {
    const bool same = !strcmp(gtp->arguments[0], gtp->game->name); /* then its variants are kept */
    GameOptions options = same ? gtp->game_options : (GameOptions){.size = gtp->game->board.size};
    options.name = gtp->arguments[0];
    return gtp_change_game(gtp, &options, gtp->error);
}

static bool do_levels(Gtp *gtp) {
    for (int level = 1; level <= LEVELS; level++)
        fprintf(gtp->answer, "%d %s %d\n", level, level_name(level), level_elo(level));
    return true;
}

static bool do_all_legal(Gtp *gtp) {
    Side side;
    if (!gtp_read_colour(gtp->arguments[0], &side, gtp->error))
        return false;
    if (gtp->game->rules->over(gtp_state(gtp)))
        return true; /* nobody has a move */
    return gtp_check_turn(gtp, gtp->arguments[0], gtp->error) && gtp_list_turns(gtp, gtp->answer, gtp->error);
}

static bool do_board_score(Gtp *gtp) {
    const Game *game = gtp->game;
    if (!game->rules->board_score)
        return error_set(gtp->error, "this game has no points");
    int cells[2];
    game->rules->board_score(game, gtp_state(gtp), cells);
    return fprintf(gtp->answer, "%d %d", cells[BLACK], cells[WHITE]) > 0;
}

const GtpCommand gtp_game_commands[] = {
    {"boardsize", 1, 1, "SIZE", do_boardsize},
    {"clear_board", 0, 0, "", do_clear_board},
    {"komi", 1, 1, "KOMI", do_komi},
    {"play", 2, 2, "COLOR VERTEX", do_play},
    {"genmove", 1, 1, "COLOR", do_genmove},
    {"reg_genmove", 1, 1, "COLOR", do_reg_genmove},
    {"undo", 0, 0, "", do_undo},
    {"showboard", 0, 0, "", do_showboard},
    {"final_score", 0, 0, "", do_final_score},
    {"time_settings", 3, 3, "MAIN-TIME BYO-YOMI-TIME BYO-YOMI-STONES", do_time_settings},
    {"time_left", 3, 3, "COLOR TIME STONES", do_time_left},
    {"cputime", 0, 0, "", do_cputime},
    {"game", 1, 1, "NAME", do_game},
    {"stigmergy-levels", 0, 0, "", do_levels},
    {"all_legal", 1, 1, "COLOR", do_all_legal},
    {"board_score", 0, 0, "", do_board_score},
    {0}};
