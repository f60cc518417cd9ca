/* GTP commands for the game itself: board, komi, turns, clock. See session_internal.h. */
#include "engine/base/words.h"
#include "engine/games/registry.h"
#include "selfplay/players/levels.h"
#include "selfplay/record/board_text.h"
#include "tools/cli/numbers.h"
#include "tools/cli/processor_time.h"
#include "tools/gtp/session_internal.h"

#include <math.h>

static const double seconds_max = 1e9; /* of a time setting */

static bool do_boardsize(Gtp *gtp) {
    const bool square = gtp->options.vertices == GTP_VERTICES_GOGUI; /* the columns of the square around the board */
    int size;
    if (!read_int("size", gtp->arguments[0], 1, 2 * HEXHEX_MAX_SIZE, &size, NULL) || (square && size % 2 == 0))
        return error_set(gtp->error, "unacceptable size");
    size = square ? (size + 1) / 2 : size;
    if (size < HEXHEX_MIN_SIZE || size > HEXHEX_MAX_SIZE)
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
    double komi = NAN;
    read_number("komi", gtp->arguments[0], -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, NULL);
    if (!game_check_komi(gtp->game, komi, gtp->error))
        return error_prefix(gtp->error, "komi: '%.40s', ", gtp->arguments[0]);
    if (gtp->komi == (int)komi ||
        !gtp->game->has_points) /* without points there is none, and that of other games stays */
        return true;
    if (gtp->turns > 0)
        return error_set(gtp->error, "komi can be changed only before the first move");
    gtp_change_komi(gtp, (int)komi);
    return true;
}

static bool do_play(Gtp *gtp) {
    if (!gtp_check_turn(gtp, gtp->arguments[0], gtp->error))
        return false;
    const GameState *state = gtp_state(gtp);
    Action turn[GAME_TURN_MAX];
    char text[GAME_TEXT_MAX];
    if (!gtp_unspell(gtp, gtp->arguments[1], text, gtp->error))
        return false;
    const int count = gtp->game->rules->parse(gtp->game, state, text, turn, gtp->error);
    if (count < 0)
        return error_prefix(gtp->error, "illegal move: ");
    if (!gtp_remember(gtp, state, turn, count, text, gtp->error))
        return false;
    for (int i = 0; i < count; i++)
        search_play(gtp->search, turn[i]);
    return true;
}

static bool do_undo(Gtp *gtp) {
    if (gtp->turns == 0)
        return error_set(gtp->error, "cannot undo");
    gtp_forget(gtp);
    return true;
}

static bool do_showboard(Gtp *gtp) {
    fputs("\n", gtp->answer);
    board_text_print(gtp->game, gtp_state(gtp), gtp_komi(gtp), gtp->answer);
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

static bool take_seconds(const Gtp *gtp, int argument, const char *what, double *out) {
    return read_number(what, gtp->arguments[argument], 0, seconds_max, out, gtp->error);
}

static bool take_count(const Gtp *gtp, int argument, const char *what, int least, int *out) {
    return read_int(what, gtp->arguments[argument], least, 1000000, out, gtp->error);
}

static bool do_time_settings(Gtp *gtp) {
    GameTimes times = {.periods = 1};
    if (!take_seconds(gtp, 0, "main time", &times.main_time) || !take_seconds(gtp, 1, "byo-yomi time", &times.period) ||
        !take_count(gtp, 2, "byo-yomi stones", 0, &times.period_stones))
        return false;
    game_clock_set(&gtp->clock, &times);
    return true;
}

/* The kinds of clocks that kgs-time_settings and kata-time_settings know; the first does not know the last kind. */
typedef enum ClockKind { CLOCK_NONE, CLOCK_ABSOLUTE, CLOCK_BYOYOMI, CLOCK_CANADIAN, CLOCK_FISCHER } ClockKind;
enum { KGS_KINDS = CLOCK_FISCHER, KATA_KINDS = CLOCK_FISCHER + 1 };

static const char *const clock_names[KATA_KINDS] = {"none", "absolute", "byoyomi", "canadian", "fischer"};

/* The numbers that follow the name. */
static const struct {
    int count;
    const char *expected;
} clock_numbers[KATA_KINDS] = {{0, "no number"},
                               {1, "the main time"},
                               {3, "the main time, the time of a period and the number of periods"},
                               {3, "the main time, the time of a period and its number of stones"},
                               {2, "the main time and the increment"}};

static bool take_times(const Gtp *gtp, ClockKind kind, GameTimes *times) {
    if (kind != CLOCK_NONE && !take_seconds(gtp, 1, "main time", &times->main_time))
        return false;
    switch (kind) {
    case CLOCK_BYOYOMI:
        times->period_stones = 1;
        return take_seconds(gtp, 2, "byo-yomi time", &times->period) &&
               take_count(gtp, 3, "byo-yomi periods", 1, &times->periods);
    case CLOCK_CANADIAN:
        return take_seconds(gtp, 2, "byo-yomi time", &times->period) &&
               take_count(gtp, 3, "byo-yomi stones", 1, &times->period_stones);
    case CLOCK_FISCHER: return take_seconds(gtp, 2, "increment", &times->increment);
    default: return true;
    }
}

static bool set_clock_of_kind(Gtp *gtp, int kinds) {
    const int kind = words_find(clock_names, kinds, gtp->arguments[0]);
    GameTimes times = {.periods = 1};
    char names[80];
    words_join(clock_names, kinds, names, sizeof names);
    if (kind < 0)
        return error_set(gtp->error, "'%.40s', expected %s", gtp->arguments[0], names);
    if (gtp->count != 1 + clock_numbers[kind].count)
        return error_set(gtp->error, "%s: %d numbers, expected %s", clock_names[kind], gtp->count - 1,
                         clock_numbers[kind].expected);
    if (!take_times(gtp, (ClockKind)kind, &times))
        return false;
    game_clock_set(&gtp->clock, &times);
    if (kind == CLOCK_NONE)
        gtp->clock.limited = gtp->clock.running = false;
    return true;
}

static bool do_kgs_time_settings(Gtp *gtp) {
    return set_clock_of_kind(gtp, KGS_KINDS);
}

static bool do_kata_time_settings(Gtp *gtp) {
    return set_clock_of_kind(gtp, KATA_KINDS);
}

static bool do_kata_list_time_settings(Gtp *gtp) {
    for (int i = 0; i < KATA_KINDS; i++)
        fprintf(gtp->answer, "%s%s", i > 0 ? " " : "", clock_names[i]);
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
    /* The protocol names colours, the clock knows players: they differ after a swap. */
    game_clock_left(&gtp->clock, game_colour(gtp->game, gtp_state(gtp), side), seconds, stones);
    return true;
}

static bool do_cputime(Gtp *gtp) {
    return fprintf(gtp->answer, "%.3f", processor_seconds_of_process()) > 0;
}

static bool do_game(Gtp *gtp) {
    const bool same = !strcmp(gtp->arguments[0], gtp->game->name); /* then its variants are kept */
    GameOptions options = same ? gtp->game_options : (GameOptions){.size = gtp->game->board.size};
    options.name = gtp->arguments[0];
    return gtp_change_game(gtp, &options, gtp->error);
}

static bool read_variant(const char *text, GameOptions *options, Error *error) {
    static const char *const words[] = {"capture=free", "capture=line", "pie=off", "pie=on"};
    int word;
    if (!read_word("variant", text, words, 4, &word, error))
        return false;
    if (word < 2)
        options->capture = (GameCapture)(GAME_CAPTURE_FREE + word);
    else
        options->pie = (GamePie)(GAME_PIE_OFF + word - 2);
    return true;
}

/* What is not named is usual. A game that is this one already is not made anew. */
static bool do_variant(Gtp *gtp) {
    GameOptions options = gtp->game_options;
    options.capture = GAME_CAPTURE_DEFAULT;
    options.pie = GAME_PIE_DEFAULT;
    for (int i = 0; i < gtp->count; i++)
        if (!read_variant(gtp->arguments[i], &options, gtp->error))
            return false;
    options = game_usual(options);
    if (options.capture != gtp->game->capture || options.pie != gtp->game->pie)
        return gtp_change_game(gtp, &options, gtp->error);
    gtp_restart(gtp);
    return true;
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
    return (gtp->game->rules->over(gtp_state(gtp)) || gtp_check_turn(gtp, gtp->arguments[0], gtp->error)) &&
           gtp_list_turns(gtp, gtp->answer, gtp->error);
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
    {"boardsize", 1, 1, "SIZE", do_boardsize, false},
    {"clear_board", 0, 0, "", do_clear_board, false},
    {"komi", 1, 1, "KOMI", do_komi, false},
    {"play", 2, 2, "COLOR VERTEX", do_play, true},
    {"genmove", 1, 1, "COLOR", gtp_genmove, true},
    {"reg_genmove", 1, 1, "COLOR", gtp_reg_genmove, true},
    {"undo", 0, 0, "", do_undo, false},
    {"showboard", 0, 0, "", do_showboard, true},
    {"final_score", 0, 0, "", do_final_score, true},
    {"time_settings", 3, 3, "MAIN-TIME BYO-YOMI-TIME BYO-YOMI-STONES", do_time_settings, false},
    {"kgs-time_settings", 1, 4, "none|absolute|byoyomi|canadian [NUMBER ...]", do_kgs_time_settings, false},
    {"kata-time_settings", 1, 4, "none|absolute|byoyomi|canadian|fischer [NUMBER ...]", do_kata_time_settings, false},
    {"kata-list_time_settings", 0, 0, "", do_kata_list_time_settings, false},
    {"time_left", 3, 3, "COLOR TIME STONES", do_time_left, false},
    {"cputime", 0, 0, "", do_cputime, false},
    {"game", 1, 1, "NAME", do_game, false},
    {"variant", 0, 2, "[capture=free|line] [pie=on|off]", do_variant, false},
    {"stigmergy-levels", 0, 0, "", do_levels, false},
    {"all_legal", 1, 1, "COLOR", do_all_legal, true},
    {"board_score", 0, 0, "", do_board_score, true},
    {0}};
