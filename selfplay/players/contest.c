/* See contest.h. */
#include "selfplay/players/contest.h"

#include "engine/base/rng.h"
#include "engine/base/wall_time.h"

#include <stdio.h>

/* Of a move of a side that is proved to have lost against itself: only points are open. */
enum { LOST_SIMULATIONS = 100 };

/* A game in progress. */
typedef struct Contest {
    const Game *game;
    Seat *const *seats;
    const ContestStop *stop;
    GameRecord *record;
    Error *error;
    GameState state;
    GameHistory history;  /* what came before it */
    GameState turn_state; /* at the start of the current turn */
    int turn_begin;       /* index of the first action of the current turn */
    Side lost;            /* the side that the search of both sides has proved to have lost, or NOBODY */
} Contest;

bool contest_stopped(const ContestStop *stop) {
    return stop_flag_is_set(stop->flag) || (stop->asked && stop->asked(stop->user));
}

static bool given_up(void *user) {
    return contest_stopped(((const Contest *)user)->stop);
}

static void note_move(RecordEffort *effort, double seconds) {
    effort->moves++;
    effort->seconds += seconds;
    effort->longest = seconds > effort->longest ? seconds : effort->longest;
}

/* ---- Engines ---- */

/* What the answer of the engine of `side` means for the game. */
static ContestStep take_answer(Contest *contest, Side side, GtpStatus status) {
    static const EndReason reasons[] = {
        [GTP_TIMEOUT] = END_TIME, [GTP_BROKEN] = END_CRASH, [GTP_REFUSED] = END_CRASH, [GTP_RESIGNED] = END_RESIGN};
    if (status == GTP_GOOD)
        return STEP_GOOD;
    if (status == GTP_STOPPED)
        return STEP_STOPPED;
    if (status == GTP_UNABLE) {
        error_set(contest->error, "%s", gtp_player_complaint(contest->seats[side]->engine));
        return STEP_FAILED;
    }
    record_forfeit(contest->record, side, reasons[status], gtp_player_complaint(contest->seats[side]->engine));
    return STEP_FORFEIT;
}

/* The colour of the side to move. Engines hear of colours, which a swap exchanges, and never of sides. */
static Side colour_to_move(const Contest *contest, const GameState *state) {
    return game_colour(contest->game, state, contest->game->rules->to_move(state));
}

/* Takes the turn that begins with record->actions[begin] at *state, and tells it to the engine of `side` if this side
 * is an engine. *end is the index after the turn. */
static ContestStep tell_turn(Contest *contest, Side side, GameState *state, int begin, int *end) {
    const GameRecord *record = contest->record;
    GtpPlayer *engine = contest->seats[side]->engine;
    const Side colour = colour_to_move(contest, state); /* before a swap, which is a turn of the old colour */
    char text[GAME_TEXT_MAX];
    *end = begin + game_format_turn(contest->game, state, record->actions + begin, record->count - begin, text);
    const GtpWait wait = {given_up, contest};
    return engine ? take_answer(contest, side, gtp_player_play(engine, colour, text, &wait)) : STEP_GOOD;
}

/* Sets up the board of an engine, opening included. */
static ContestStep begin_engine(Contest *contest, Side side) {
    const GtpWait wait = {given_up, contest};
    GtpPlayer *engine = contest->seats[side]->engine;
    GameState state;
    if (!gtp_player_may_go_on(engine, contest->error))
        return STEP_FAILED;
    contest->game->rules->start(contest->game, &state, contest->record->komi);
    ContestStep step =
        take_answer(contest, side, gtp_player_begin(engine, contest->game, contest->record->komi, &wait));
    for (int i = 0; i < contest->record->opening_actions && step == STEP_GOOD;)
        step = tell_turn(contest, side, &state, i, &i);
    return step;
}

/* Asks the engine of `side` for a turn. */
static ContestStep engine_turn(Contest *contest, Side side, Action turn[GAME_TURN_MAX], int *count) {
    char text[GAME_TEXT_MAX];
    Error reason;
    const GtpWait wait = {given_up, contest};
    GtpPlayer *engine = contest->seats[side]->engine;
    const Side colour = colour_to_move(contest, &contest->state);
    const double begin = wall_seconds();
    const ContestStep step = take_answer(contest, side, gtp_player_genmove(engine, colour, text, &wait));
    note_move(&contest->record->effort[side], wall_seconds() - begin);
    if (step != STEP_GOOD)
        return step;
    *count = contest->game->rules->parse(contest->game, &contest->state, text, turn, &reason);
    if (*count > 0)
        return STEP_GOOD;
    gtp_player_drop(engine); /* its position is unknown now */
    record_forfeit(contest->record, side, END_ILLEGAL, reason.text);
    return STEP_FORFEIT;
}

/* ---- Searches ---- */

static bool shared(const Contest *contest) {
    return contest->seats[BLACK] == contest->seats[WHITE];
}

/* The limits of the next search. A player against itself knows what its search has proved; against another player the
 * side that lost thinks on, for the other one may not see the win. */
static SearchLimits limits_of(const Contest *contest, Side side) {
    SearchLimits limits = player_limits(contest->seats[side]->player, contest->stop->flag);
    const bool fewer = limits.simulations == 0 || limits.simulations > LOST_SIMULATIONS;
    if (side == contest->lost && fewer)
        limits.simulations = LOST_SIMULATIONS;
    return limits;
}

/* Learns from a search of `side` who has lost. Fewer simulations may not prove again what more have proved. */
static void note_proof(Contest *contest, Side side, const SearchSummary *summary) {
    if (shared(contest) && summary->proven)
        contest->lost = summary->win_rate > 0.5 ? side_opponent(side) : side;
    else if (side != contest->lost)
        contest->lost = NOBODY;
}

/* Lets the search of `side` choose an action. */
static Action search_action(Contest *contest, Side side) {
    const Seat *seat = contest->seats[side];
    Action actions[GAME_LEGAL_MAX];
    if (contest->game->rules->legal(contest->game, &contest->state, actions) == 1)
        return actions[0];
    const SearchLimits limits = limits_of(contest, side);
    const double begin = wall_seconds();
    const SearchSummary summary = search_run(seat->search, &limits);
    note_proof(contest, side, &summary);
    const uint64_t seed = rng_split(~contest->record->seed, (uint64_t)contest->record->count);
    const Action action = player_choose(seat->player, seat->search, seed);
    const double seconds = wall_seconds() - begin;
    RecordEffort *effort = &contest->record->effort[side];
    note_move(effort, seconds);
    effort->simulations += summary.simulations;
    effort->overruns += limits.seconds > 0 && seconds > limits.seconds + CONTEST_OVERRUN;
    return action;
}

static void begin_search(Contest *contest, Side side) {
    Search *search = contest->seats[side]->search;
    search_set_position(search, &contest->state);
    search_set_history(search, &contest->history);
    search_reseed(search, rng_split(contest->record->seed, (uint64_t)side));
}

/* Takes an action on the board and on the boards of the searches. */
static ContestStep take_action(Contest *contest, Action action, bool is_new) {
    if (is_new && !record_add(contest->record, action, contest->error))
        return STEP_FAILED;
    contest->game->rules->apply(contest->game, &contest->state, action);
    game_history_add(contest->game, &contest->history, action, &contest->state);
    for (Side side = BLACK; is_new && side <= (shared(contest) ? BLACK : WHITE); side++)
        if (contest->seats[side]->search)
            search_play(contest->seats[side]->search, action);
    return STEP_GOOD;
}

/* ---- The game ---- */

/* Brings the board and the players to the end of the opening. */
static ContestStep begin_game(Contest *contest) {
    ContestStep step = STEP_GOOD;
    contest->game->rules->start(contest->game, &contest->state, contest->record->komi);
    for (int i = 0; i < contest->record->opening_actions; i++)
        take_action(contest, contest->record->actions[i], false);
    for (Side side = BLACK; side <= (shared(contest) ? BLACK : WHITE) && step == STEP_GOOD; side++) {
        if (contest->seats[side]->search)
            begin_search(contest, side);
        else
            step = begin_engine(contest, side);
    }
    contest->turn_begin = contest->record->count;
    game_copy(contest->game, &contest->turn_state, &contest->state);
    return step;
}

/* If a turn has ended, tells it to the side that did not choose it. */
static ContestStep end_turn(Contest *contest, Side mover) {
    const GameRules *rules = contest->game->rules;
    ContestStep step = STEP_GOOD;
    if (rules->over(&contest->state) || !rules->turn_start(&contest->state))
        return step;
    if (contest->seats[side_opponent(mover)]->engine)
        step =
            tell_turn(contest, side_opponent(mover), &contest->turn_state, contest->turn_begin, &contest->turn_begin);
    contest->turn_begin = contest->record->count;
    game_copy(contest->game, &contest->turn_state, &contest->state);
    return step;
}

/* The side to move chooses a turn, or one action of it, and takes it. */
static ContestStep move(Contest *contest) {
    const Side side = contest->game->rules->to_move(&contest->state);
    Action turn[GAME_TURN_MAX];
    int count = 1;
    ContestStep step = STEP_GOOD;
    if (contest->seats[side]->search)
        turn[0] = search_action(contest, side);
    else
        step = engine_turn(contest, side, turn, &count);
    if (given_up(contest))
        return STEP_STOPPED;
    for (int i = 0; i < count && step == STEP_GOOD; i++)
        step = take_action(contest, turn[i], true);
    return step == STEP_GOOD ? end_turn(contest, side) : step;
}

ContestEnd contest_end(const Game *game, const GameState *state, ContestStep last, GameRecord *record) {
    if (last == STEP_STOPPED)
        return CONTEST_STOPPED;
    if (last == STEP_FAILED)
        return CONTEST_FAILED;
    if (last == STEP_GOOD) {
        record->result = game->rules->result(game, state);
        record->reason = game->has_points ? END_SCORE : END_NO_MOVE;
    }
    return CONTEST_FINISHED;
}

ContestEnd contest_play(const Game *game, Seat *const seats[2], const ContestStop *stop, GameRecord *record,
                        Error *error) {
    Contest contest = {.game = game, .seats = seats, .stop = stop, .record = record, .error = error, .lost = NOBODY};
    record->opening_actions = record->count;
    ContestStep step = begin_game(&contest);
    while (step == STEP_GOOD && !game->rules->over(&contest.state))
        step = move(&contest);
    return contest_end(game, &contest.state, step, record);
}
