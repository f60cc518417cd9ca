/* See first_moves.h. */
#include "selfplay/runs/komi/first_moves.h"

#include "engine/base/rng.h"
#include "engine/game/symmetry.h"
#include "selfplay/stats/komi_data.h"

enum { SEED_IMAGE = 1 << 30 }; /* what the image is drawn for from the seed of a game */

bool komi_list_beginnings(const Game *game, const KomiConfig *config, Beginnings *all, Error *error) {
    const EstimateConfig estimate = komi_config_estimate(config);
    const int komi = estimate_config_plays(&estimate, true); /* with the button there is one first move more */
    if (!beginnings_start(game, komi, all, error))
        return false;
    return !config->first_moves || beginnings_extend(game, komi, all, error);
}

int komi_values(const KomiConfig *config) {
    return (int)(config->komi_range[1] - config->komi_range[0]) + 1;
}

int komi_of_plan(const KomiConfig *config, int plan) {
    const int lowest = (int)config->komi_range[0];
    return lowest + (plan - lowest) % komi_values(config);
}

int komi_beginning_of_plan(const KomiConfig *config, int plan) {
    return (plan - (int)config->komi_range[0]) / komi_values(config);
}

bool komi_beginning_legal(const Run *run, int beginning, bool odd) {
    const Beginning *begin = &komi_beginnings(run)->list[beginning];
    GameState start;
    run->game->rules->start(run->game, &start, odd);
    return begin->count == 0 || game_is_legal(run->game, &start, begin->actions[0]);
}

int komi_opening(const Run *run, int beginning, uint64_t seed, Action out[BEGINNING_ACTIONS_MAX]) {
    const Beginning *begin = &komi_beginnings(run)->list[beginning];
    const int map = (int)(rng_split(seed, SEED_IMAGE) % HEXHEX_SYMMETRIES);
    for (int i = 0; i < begin->count; i++)
        out[i] = run->game->rules->symmetry(run->game, map, begin->actions[i]);
    return begin->count;
}

static bool is_image(const Run *run, const Beginning *begin, const Action *opening, int count) {
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        int same = 0;
        while (same < begin->count && same < count &&
               run->game->rules->symmetry(run->game, map, begin->actions[same]) == opening[same])
            same++;
        if (same == begin->count && same == count)
            return true;
    }
    return false;
}

int komi_plan_of(const Run *run, int komi, const Action *opening, int count) {
    const KomiConfig *config = komi_config(run);
    const Beginnings *all = komi_beginnings(run);
    int beginning = 0;
    while (beginning < all->count && !is_image(run, &all->list[beginning], opening, count))
        beginning++;
    return beginning < all->count ? komi + beginning * komi_values(config) : KOMI_NO_PLAN;
}

/* ---- Names ---- */

enum { NAMING_KOMI = 1 }; /* at each komi they have the same names */

void komi_format_beginning(const Run *run, int beginning, char out[GAME_TEXT_MAX]) {
    run_format_first(run, NAMING_KOMI, komi_beginnings(run)->list[beginning].actions[0], out);
}

cJSON *komi_beginning_images(const Run *run, int beginning) {
    const Game *game = run->game;
    GameState start;
    game->rules->start(game, &start, NAMING_KOMI);
    const Symmetries all = symmetries_of(game, &start);
    const ActionClass class = symmetries_class(game, &all, komi_beginnings(run)->list[beginning].actions[0]);
    cJSON *moves = cJSON_CreateArray();
    for (int i = 0; i < class.count; i++) {
        char move[GAME_TEXT_MAX];
        run_format_first(run, NAMING_KOMI, class.action[i], move);
        json_add(moves, NULL, cJSON_CreateString(move));
    }
    return moves;
}
