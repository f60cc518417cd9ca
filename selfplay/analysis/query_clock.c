/* See query_internal.h. A query with a clock: the search gets the share of it that one move may take, and ends earlier
 * if the move is settled and later moves can use the time. */
#include "selfplay/analysis/query_internal.h"
#include "selfplay/players/game_clock.h"

enum { MOVES_MAX = 10000 };

void query_read_clock(AnalysisQuery *query, JsonReader *reader, bool limited) {
    const cJSON *object = json_object(reader, "clock");
    if (!object)
        return;
    JsonReader clock_reader = json_open(object, "clock");
    double left = 0, period = 0, increment = 0;
    int64_t moves_left = 0, period_moves = 0;
    json_number(&clock_reader, "timeLeft", 0, QUERY_SECONDS_MAX, &left);
    json_require(&clock_reader, "timeLeft");
    json_int(&clock_reader, "movesLeft", 0, MOVES_MAX, &moves_left);
    json_number(&clock_reader, "periodTime", 0, QUERY_SECONDS_MAX, &period);
    json_int(&clock_reader, "periodMoves", 0, MOVES_MAX, &period_moves);
    json_number(&clock_reader, "increment", 0, QUERY_SECONDS_MAX, &increment);
    Error reason;
    if (!json_close(&clock_reader, &reason)) {
        json_fail(reader, "clock", &reason);
        return;
    }
    const Game *game = query->line.game;
    const Side side = game->rules->to_move(&query->line.end);
    GameClock clock = {
        .times = {.period = period, .period_stones = (int)period_moves, .increment = increment},
    };
    game_clock_left(&clock, side, left, (int)moves_left);
    const double budget = game_clock_budget(&clock, side, game_clock_moves_left(game, &query->line.end, query->seed));
    if (!limited)
        query->simulations = 0;
    if (!limited || query->seconds == 0 || query->seconds > budget)
        query->seconds = budget;
    query->until_settled = game_clock_saves(&clock, side);
}
