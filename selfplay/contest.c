/* See contest.h. */
#include "contest.h"

#include "rng.h"

static Action choose(const Game *game, const Seat *seat, const GameState *state, const ContestStop *stop) {
    Action actions[GAME_LEGAL_MAX];
    if (game->rules->legal(game, state, actions) == 1)
        return actions[0];
    const SearchLimits limits = player_limits(seat->player, stop->flag);
    search_run(seat->search, &limits);
    return search_best(seat->search);
}

static bool given_up(const ContestStop *stop) {
    return (stop->flag && atomic_load(stop->flag)) || (stop->asked && stop->asked(stop->user));
}

ContestEnd contest_play(const Game *game, const Seat seats[2], const ContestStop *stop, GameRecord *record,
                        Error *error) {
    const bool shared = seats[BLACK].search == seats[WHITE].search;
    GameState state;
    game->rules->start(game, &state, record->komi);
    for (int side = BLACK; side <= (shared ? BLACK : WHITE); side++) {
        search_set_position(seats[side].search, &state);
        search_reseed(seats[side].search, rng_split(record->seed, (uint64_t)side));
    }
    while (!game->rules->over(&state)) {
        const Action action = choose(game, &seats[game->rules->to_move(&state)], &state, stop);
        if (given_up(stop))
            return CONTEST_STOPPED;
        if (!record_add(record, action, error))
            return CONTEST_FAILED;
        game->rules->apply(game, &state, action);
        search_play(seats[BLACK].search, action);
        if (!shared)
            search_play(seats[WHITE].search, action);
    }
    record->result = game->rules->result(game, &state);
    return CONTEST_FINISHED;
}
