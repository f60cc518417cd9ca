/* See guess.h. */
#include "selfplay/runs/komi/guess.h"

#include "engine/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIMULATIONS = 200, /* of a search */
    STEP = 2,          /* komi values of one parity are so far apart */
    IN_A_POINT = 100   /* steps of a guess */
};

static const double SURE = 0.01; /* chances are taken to be at least so far from 0 and 1 */

/* The first move that is guessed, and the player. */
typedef struct Guesser {
    const Run *run;
    Search *search;
    int beginning;
} Guesser;

/* The log odds that Black wins after the first move at this komi. */
static double log_odds(const Guesser *guesser, int komi) {
    const Game *game = guesser->run->game;
    const Beginning *begin = &komi_beginnings(guesser->run)->list[guesser->beginning];
    const uint64_t seed = rng_split(guesser->run->config->seed, (uint64_t)guesser->beginning);
    GameState state;
    game->rules->start(game, &state, komi);
    for (int i = 0; i < begin->count; i++)
        game->rules->apply(game, &state, begin->actions[i]);
    search_set_position(guesser->search, &state);
    search_reseed(guesser->search, rng_split(seed, (uint64_t)(komi + GAME_KOMI_LIMIT)));
    const SearchLimits limits = {.simulations = SIMULATIONS, .stop = guesser->run->stop};
    const SearchSummary summary = search_run(guesser->search, &limits);
    const double mover = fmin(fmax(summary.win_rate, SURE), 1 - SURE);
    return (game->rules->to_move(&state) == BLACK ? 1 : -1) * log(mover / (1 - mover));
}

/* The lowest and the highest komi of the parity at which a first move is guessed: even where it can be played there.
 * Whether these are two. */
static bool find_range(const Run *run, int beginning, int *low, int *high) {
    const KomiConfig *config = komi_config(run);
    const bool odd = !komi_beginning_legal(run, beginning, false);
    *low = (int)config->komi_range[0];
    *high = (int)config->komi_range[1];
    *low += komi_has_button(*low) != odd;
    *high -= komi_has_button(*high) != odd;
    return *low < *high;
}

/* Whether there are enough komi values to tell first moves apart. Of guesses only the differences count, so all first
 * moves are guessed or none. */
static bool can_guess(const Run *run) {
    int low, high, beginning = 0;
    while (beginning < komi_beginnings(run)->count && find_range(run, beginning, &low, &high))
        beginning++;
    return beginning == komi_beginnings(run)->count;
}

/* The komi at which the chances are even: bisection, then the place between two neighbours. */
static double even_komi(const Guesser *guesser) {
    int low, high;
    find_range(guesser->run, guesser->beginning, &low, &high);
    double at_low = log_odds(guesser, low), at_high = log_odds(guesser, high);
    while (high - low > STEP) {
        const int middle = low + (high - low) / (2 * STEP) * STEP;
        const double at = log_odds(guesser, middle);
        if (at > 0) {
            low = middle;
            at_low = at;
        } else {
            high = middle;
            at_high = at;
        }
    }
    return at_low <= 0 ? low : at_high >= 0 ? high : low + STEP * at_low / (at_low - at_high);
}

/* Makes room for guesses, all 0. */
static double *new_guesses(const Run *run, Error *error) {
    KomiState *state = run->state;
    free(state->guesses);
    state->guesses = calloc((size_t)state->beginnings.count, sizeof *state->guesses);
    if (!state->guesses)
        error_set(error, "out of memory for %d first moves", state->beginnings.count);
    return state->guesses;
}

static void drop_guesses(const Run *run) {
    KomiState *state = run->state;
    free(state->guesses);
    state->guesses = NULL;
}

bool komi_guess_by(const Run *run, const Player *player, Error *error) {
    Player limited = player_with_effort(*player, (Effort){.simulations = SIMULATIONS});
    limited.search_threads = 1;
    Guesser guesser = {.run = run,
                       .search = player_new_search(&limited, run->networks, run->game, run->config->seed, error)};
    double *guesses = guesser.search ? new_guesses(run, error) : NULL;
    const int count = can_guess(run) ? komi_beginnings(run)->count : 0;
    for (; guesses && guesser.beginning < count && !stop_flag_is_set(run->stop); guesser.beginning++)
        guesses[guesser.beginning] = floor(even_komi(&guesser) * IN_A_POINT + 0.5) / IN_A_POINT;
    search_free(guesser.search);
    if (guesses && count > 0 && stop_flag_is_set(run->stop)) {
        drop_guesses(run);
        return error_set(error, "stopped while first moves were guessed");
    }
    ((KomiState *)run->state)->guessed = guesses && count > 0;
    return guesses != NULL;
}

bool komi_guess(const Run *run, Error *error) {
    return ((const KomiState *)run->state)->guesses || komi_guess_by(run, &komi_config(run)->player, error);
}

/* ---- Documents ---- */

/* The number of the first move with this name; -1: none. */
static int beginning_of(const Run *run, const char *move) {
    for (int i = 0; i < komi_beginnings(run)->count; i++) {
        char name[GAME_TEXT_MAX];
        komi_format_beginning(run, i, name);
        if (!strcmp(name, move))
            return i;
    }
    return -1;
}

bool komi_read_guesses(Run *run, const cJSON *document, Error *error) {
    double *guesses = new_guesses(run, error);
    const cJSON *first_move;
    if (!guesses)
        return false;
    cJSON_ArrayForEach(first_move, json_get(document, "first_moves")) {
        const cJSON *move = json_get(first_move, "move");
        const cJSON *guess = json_get(first_move, "guess");
        const int beginning = cJSON_IsString(move) ? beginning_of(run, move->valuestring) : -1;
        if (!guess)
            continue;
        if (beginning < 0 || !cJSON_IsNumber(guess) || fabs(guess->valuedouble) > GAME_KOMI_LIMIT)
            return error_set(error, "'guess' of a first move is wrong, expected a komi value for a move of this board");
        guesses[beginning] = guess->valuedouble;
        ((KomiState *)run->state)->guessed = true;
    }
    return true;
}

static int count_guesses(const cJSON *document) {
    const cJSON *first_move;
    int count = 0;
    cJSON_ArrayForEach(first_move, json_get(document, "first_moves")) count += cJSON_HasObjectItem(first_move, "guess");
    return count;
}

void komi_resume_guesses(Run *run, const cJSON *document) {
    KomiState *state = run->state;
    Error unused;
    if (!komi_config(run)->first_moves || state->guesses || cJSON_HasObjectItem(document, "guesses_by") ||
        count_guesses(document) != state->beginnings.count || komi_read_guesses(run, document, &unused))
        return;
    drop_guesses(run);
    state->guessed = false;
}
