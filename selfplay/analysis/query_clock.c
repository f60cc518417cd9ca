/* See query_internal.h. A query with a clock: the search gets the share of it that one move may take, and ends earlier
 * if the move is settled and later moves can use the time. */
#include "selfplay/analysis/query_internal.h"
#include "selfplay/players/game_clock.h"

enum { MOVES_MAX = 10000 };

/* Reads the clock of a side, and how much of it the turn has taken so far. */
static bool read_clock(const cJSON *object, Side side, GameClock *clock, double *spent, Error *error) {
    JsonReader reader = json_open(object, "clock");
    double left = 0, period = 0, increment = 0;
    int64_t moves_left = 0, period_moves = 1;
    json_number(&reader, "timeLeft", 0, QUERY_SECONDS_MAX, &left);
    json_require(&reader, "timeLeft");
    json_int(&reader, "movesLeft", 0, MOVES_MAX, &moves_left);
    json_number(&reader, "periodTime", 0, QUERY_SECONDS_MAX, &period);
    json_int(&reader, "periodMoves", 1, MOVES_MAX, &period_moves);
    json_number(&reader, "increment", 0, QUERY_SECONDS_MAX, &increment);
    json_number(&reader, "spent", 0, QUERY_SECONDS_MAX, spent);
    clock->times =
        (GameTimes){.period = period, .period_stones = period > 0 ? (int)period_moves : 0, .increment = increment};
    game_clock_left(clock, side, left + *spent, (int)moves_left);
    return json_close(&reader, error);
}

void query_read_clock(AnalysisQuery *query, JsonReader *reader, bool limited) {
    const cJSON *object = json_object(reader, "clock");
    if (!object)
        return;
    const Game *game = query->line.game;
    const GameState *state = query_position(query, query->turns[0]);
    AnalysisTask *task = &query->task;
    const Side side = game->rules->to_move(state);
    GameClock clock = {.running = false};
    double spent = 0;
    Error reason;
    if (!read_clock(object, side, &clock, &spent, &reason)) {
        json_fail(reader, "clock", &reason);
        return;
    }
    if (query->turn_count > 1) {
        error_set(&reason, "it is that of one position, expected one turn in 'analyzeTurns'");
        json_fail(reader, "clock", &reason);
        return;
    }
    if (game->rules->over(state))
        return;
    const double budget = game_clock_budget(&clock, side, spent, game_clock_moves_left(game, state, task->seed));
    if (!limited)
        task->simulations = 0;
    if (!limited || task->seconds == 0 || task->seconds > budget)
        task->seconds = budget;
    task->until_settled = game_clock_saves(&clock, side);
}
