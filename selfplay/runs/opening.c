/* See opening.h. */
#include "selfplay/runs/opening.h"

#include "engine/base/rng.h"

#include <math.h>

const char *const opening_words[] = {"empty", "first", "second"};

OpeningSettings opening_default_settings(void) {
    return (OpeningSettings){.turns = 2, .limit = 0.85, .even = 0.42, .simulations = 400};
}

Search *opening_referee(const Game *game, Error *error) {
    const SearchParams params = {.playout_policy = PLAYOUT_LIGHT,
                                 .playouts = 8,
                                 .expand_visits = 1,
                                 .rave_equivalence = 500,
                                 .exploration = 0,
                                 .fpu = 1};
    const SearchOptions options = {.params = params, .threads = 1, .memory = (size_t)64 << 20};
    return search_new(game, &options, error);
}

/* Takes random turns from the start; false where the game ends with them or they do not fit. */
static bool random_turns(const Game *game, int64_t turns, Rng *rng, Opening *opening) {
    const GameRules *rules = game->rules;
    GameState state;
    rules->start(game, &state, opening->komi);
    opening->count = 0;
    for (int64_t turn = 0; turn < turns; turn++) {
        do {
            if (opening->count == OPENING_ACTIONS_MAX)
                return false;
            const Action action = game_random_action(game, &state, rng);
            opening->actions[opening->count++] = action;
            rules->apply(game, &state, action);
        } while (!rules->over(&state) && !rules->turn_start(&state));
        if (rules->over(&state))
            return false;
    }
    return true;
}

bool opening_legal_at(const Game *game, const Opening *opening, int komi) {
    GameState state;
    game->rules->start(game, &state, komi);
    for (int i = 0; i < opening->count; i++) {
        if (!game_is_legal(game, &state, opening->actions[i]))
            return false;
        game->rules->apply(game, &state, opening->actions[i]);
    }
    return true;
}

/* What the referee thinks of the opening at a komi: Black's chance and, where that is asked for, margin. */
static double ask_referee(const Game *game, Search *referee, const OpeningSettings *settings, uint64_t seed,
                          const Opening *opening, int komi, double *margin) {
    GameState state;
    GameHistory history = {0};
    SearchMove best;
    game->rules->start(game, &state, komi);
    for (int i = 0; i < opening->count; i++) {
        game->rules->apply(game, &state, opening->actions[i]);
        game_history_add(game, &history, opening->actions[i], &state);
    }
    search_set_position(referee, &state);
    search_set_history(referee, &history);
    search_reseed(referee, seed);
    search_run(referee, &(SearchLimits){.simulations = (uint64_t)settings->simulations});
    search_best_by_rules(referee, &best);
    if (margin)
        *margin = best.margin;
    return game->rules->to_move(&state) == BLACK ? best.win_rate : 1 - best.win_rate;
}

void opening_even_out(const Game *game, Search *referee, const OpeningSettings *settings, uint64_t seed,
                      Opening *opening) {
    double margin;
    ask_referee(game, referee, settings, seed, opening, 0, &margin);
    const int limit = game_komi_limit(game);
    int komi = game_clamp_komi(game, (int)lround(margin));
    double black = ask_referee(game, referee, settings, seed, opening, komi, NULL);
    const double even = settings->even;
    const int step = black > even ? 1 : -1;
    opening->komi = komi;
    opening->black = black;
    while (komi + step >= -limit && komi + step <= limit && (black - even) * step > 0) {
        komi += step;
        black = ask_referee(game, referee, settings, seed, opening, komi, NULL);
        if (fabs(black - even) < fabs(opening->black - even)) {
            opening->komi = komi;
            opening->black = black;
        }
    }
}

static bool refuse_turns(const OpeningSettings *settings, Error *error) {
    return error_set(error, "openings: every game ends within %lld turns, expected fewer turns",
                     (long long)settings->turns);
}

/* Reports that the most even of many openings is too far from even. (Then the limit is below 1, which allows all.) */
static bool refuse_limit(const Game *game, const OpeningSettings *settings, double nearest, Error *error) {
    if (settings->auto_komi)
        return error_set(error,
                         "openings: none of %d is playable: at its best komi Black's chance is at least %.2f away from "
                         "the %g of an even game in each; choose a limit above %g",
                         OPENING_TRIES, nearest - 0.5, settings->even, settings->limit);
    return error_set(error,
                     "openings: none of %d is playable: one side would win at least %.0f%% of each; choose %sa limit "
                     "above %g",
                     OPENING_TRIES, 100 * nearest, game->has_points ? "another komi, or " : "", settings->limit);
}

bool opening_draw(const Game *game, Search *referee, const OpeningSettings *settings, uint64_t seed, Opening *opening,
                  Error *error) {
    const double even = settings->auto_komi ? settings->even : 0.5;
    double nearest = INFINITY; /* as long as no opening has left a game */
    for (uint64_t attempt = 0; attempt < OPENING_TRIES; attempt++) {
        const uint64_t own_seed = rng_split(seed, attempt);
        Rng rng = rng_seed(own_seed);
        *opening = (Opening){.komi = settings->auto_komi ? 0 : (int)settings->komi};
        if (!random_turns(game, settings->turns, &rng, opening))
            continue;
        if (settings->auto_komi && !opening_legal_at(game, opening, 1))
            continue;
        if (settings->auto_komi)
            opening_even_out(game, referee, settings, own_seed, opening);
        else
            opening->black = ask_referee(game, referee, settings, own_seed, opening, opening->komi, NULL);
        const double favourite = fabs(opening->black - even) + 0.5;
        if (favourite <= settings->limit)
            return true;
        nearest = favourite < nearest ? favourite : nearest;
    }
    return isinf(nearest) ? refuse_turns(settings, error) : refuse_limit(game, settings, nearest, error);
}

/* ---- All ways to begin ---- */

bool opening_list(const Game *game, const OpeningSettings *settings, Beginnings *all, Error *error) {
    const int komi = settings->auto_komi ? 0 : (int)settings->komi;
    bool good = beginnings_start(game, komi, all, error);
    for (int64_t turn = 0; turn < settings->turns && good; turn++)
        good = beginnings_extend(game, komi, all, error);
    if (good && all->count == 0)
        good = refuse_turns(settings, error);
    if (!good)
        beginnings_free(all);
    return good;
}

/* Where the number `index` goes in an order of `count` numbers shuffled by a seed. */
static int shuffled(uint64_t seed, int count, int index) {
    Rng rng = rng_seed(seed);
    int at = index;
    for (int i = count - 1; i > 0; i--) { /* Fisher-Yates: swaps i with `other` */
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        at = at == i ? other : at == other ? i : at;
    }
    return at;
}

void opening_take(const Game *game, Search *referee, const OpeningSettings *settings, const Beginnings *all,
                  uint64_t seed, int number, Opening *opening) {
    const int index = shuffled(rng_split(seed, (uint64_t)(number / all->count)), all->count, number % all->count);
    const Beginning *beginning = &all->list[index];
    *opening = (Opening){.count = beginning->count, .komi = settings->auto_komi ? 0 : (int)settings->komi};
    memcpy(opening->actions, beginning->actions, (size_t)beginning->count * sizeof(Action));
    if (settings->auto_komi)
        opening_even_out(game, referee, settings, rng_split(~seed, (uint64_t)index), opening);
}
