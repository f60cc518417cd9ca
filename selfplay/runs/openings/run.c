/* See run.h. In the order of a session: the first moves, planning a round, records, playing. */
#include "selfplay/runs/openings/run.h"

#include "engine/base/rng.h"
#include "selfplay/runs/openings/result_internal.h"

#include <stdlib.h>

/* ---- First moves ---- */

/* The class that begins with this action, a new one if there is none. */
static ActionClass *find_class(OpeningsState *state, Action first) {
    int i = 0;
    while (i < state->count && state->classes[i].action[0] != first)
        i++;
    state->count += i == state->count;
    return &state->classes[i];
}

static void list_classes(const Game *game, int komi, OpeningsState *state) {
    GameState start;
    Action actions[GAME_LEGAL_MAX];
    game->rules->start(game, &start, komi);
    const Symmetries all = symmetries_of(game, &start);
    const int count = game->rules->legal(game, &start, actions);
    for (int i = 0; i < count; i++) {
        ActionClass *class = find_class(state, symmetries_first(game, &all, actions[i]));
        class->action[class->count++] = actions[i];
    }
}

/* ---- Rounds ---- */

/* Shares out by the different games alone, as ever, so that runs of earlier versions go on. What decides which games
 * are played may be anything that is known before: it biases no rate. */
static bool allocate(const Run *run, const OpeningsStanding *standings, int size, int *shares, Error *error) {
    const int count = openings_state(run)->count;
    FairestMoveData distinct[GAME_LEGAL_MAX] = {{0}};
    double probability[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++)
        distinct[i] = standings[i].distinct;
    if (!fairest_move_probabilities(distinct, count, probability, error))
        return false;
    fairest_move_allocate(probability, count, size, shares);
    return true;
}

static int *share_out(Run *run, int group, int size, int *lowest, int *count, Error *error) {
    (void)group;
    *lowest = 0;
    *count = openings_state(run)->count;
    OpeningsStanding *standings = openings_standings(run, error);
    int *shares = standings ? malloc((size_t)*count * sizeof *shares) : NULL;
    if (standings && !shares)
        error_set(error, "out of memory for a round of %d games", size);
    if (shares && !allocate(run, standings, size, shares, error)) {
        free(shares);
        shares = NULL;
    }
    free(standings);
    return shares;
}

static bool enough(const Run *run, int group, bool *enough, Error *error) {
    const double wanted = openings_config(run)->until_probability;
    (void)group;
    if (wanted == 0)
        return true;
    OpeningsStanding *standings = openings_standings(run, error);
    *enough = standings && standings[openings_fairest(run, standings)].probability >= wanted;
    free(standings);
    return standings != NULL;
}

/* ---- The run ---- */

static bool begin(Run *run, Error *error) {
    const OpeningsConfig *config = openings_config(run);
    char name[RUN_GROUP_MAX];
    list_classes(run->game, (int)config->komi, run->state);
    effort_name(config->effort, name);
    const uint64_t seed = rng_split(rng_split(run->config->seed, (uint64_t)run->config->size), 0x09e);
    return run_add_group(run, name, seed, error) != NULL;
}

static void start(const Run *run, GameId id, RunStart *start) {
    const OpeningsConfig *config = openings_config(run);
    start->opening.komi = (int)config->komi;
    start->opening.count = 1;
    start->opening.actions[0] = openings_state(run)->classes[run_place(run, id)->plan].action[0];
    start->players[BLACK] = start->players[WHITE] = player_with_effort(config->player, config->effort);
    start->plays_itself = true;
}

static const RunPlanByResults by_results = {.share_out = share_out, .enough = enough, .start = start};

const RunKind openings_kind = {.config = &openings_config_kind,
                               .schema = {"stigmergy-openings", 1, "a run of openings"},
                               .state_size = sizeof(OpeningsState),
                               .by_results = &by_results,
                               .begin = begin,
                               .document = openings_result};
