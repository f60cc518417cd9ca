/* See run.h. In the order of a session: planning a round, records, playing. */
#include "selfplay/runs/komi/run.h"

#include "engine/base/rng.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/komi/guess.h"
#include "selfplay/runs/komi/result_internal.h"
#include "selfplay/runs/komi/second.h"
#include "selfplay/stats/allocation.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)BEGINNING_ACTIONS_MAX <= (int)OPENING_ACTIONS_MAX, "a game can begin with any beginning");

/* ---- Rounds ---- */

/* Fills in the games of a round by beginning and komi. */
static bool allocate(const Run *run, const KomiArms *arms, int size, int *shares, Error *error) {
    const EstimateConfig config = komi_config_estimate(komi_config(run));
    if (komi_config(run)->first_moves)
        return arms_allocate(arms->arms, arms->count, &config, size, shares, error);
    return allocate_games(arms->arms[0].data, arms->arms[0].count, &config, size, shares, error);
}

static int *share_out(Run *run, int rung, int size, int *lowest, int *count, Error *error) {
    const KomiConfig *config = komi_config(run);
    const int looks = komi_beginnings(run)->count * ARMS_FIRST_GAMES;
    KomiArms arms = {0};
    *lowest = (int)config->komi_range[0];
    *count = komi_beginnings(run)->count * komi_values(config);
    if (config->first_moves && run->groups[rung].planned == 0 && size < looks)
        size = looks;
    int *shares = calloc((size_t)*count, sizeof *shares);
    if (!shares)
        error_set(error, "out of memory for a round of %d games", size);
    if (shares && !(komi_sum_up(run, rung, &arms, error) && allocate(run, &arms, size, shares, error))) {
        free(shares);
        shares = NULL;
    }
    komi_arms_free(&arms);
    return shares;
}

static bool enough(const Run *run, int rung, bool *enough, Error *error) {
    const KomiConfig *config = komi_config(run);
    const double wanted = config->until_width;
    const int neighbours = config->parity == PARITY_BOTH ? 1 : 2; /* how far apart they are: no pair is narrower */
    FairKomi fair;
    if (wanted == 0)
        return true;
    if (!komi_estimate(run, rung, &fair, error))
        return false;
    const KomiEstimate known = fair_komi_together(&fair);
    const double width = known.ci95.high - known.ci95.low;
    *enough = width < wanted || (known.bracket && width <= neighbours);
    return true;
}

/* By the square root of the effort, so that the higher rungs get the most time and the lower ones the most games. */
static double time_weight(const Run *run, int rung) {
    return sqrt((double)komi_config(run)->ladder[rung]);
}

/* ---- The run ---- */

static bool begin(Run *run, Error *error) {
    const KomiConfig *config = komi_config(run);
    if (!run->game->has_points)
        return error_set(error, "komi: %s is played without komi; see `stigmergy openings` for its balance",
                         run->config->game);
    if (!komi_list_beginnings(run->game, config, &((KomiState *)run->state)->beginnings, error))
        return false;
    for (int rung = 0; rung < komi_config_rungs(config); rung++) {
        char name[RUN_GROUP_MAX];
        uint64_t seed = rng_split(run->config->seed, (uint64_t)run->config->size);
        effort_name(komi_config_effort(config, rung), name);
        for (const char *c = name; *c; c++)
            seed = rng_split(seed, (uint64_t)(unsigned char)*c);
        if (!run_add_group(run, name, seed, error))
            return false;
    }
    return true;
}

static void close_run(Run *run) {
    KomiState *state = run->state;
    beginnings_free(&state->beginnings);
    free(state->guesses);
    cJSON_Delete(state->second);
}

static void start(const Run *run, GameId id, RunStart *start) {
    const KomiConfig *config = komi_config(run);
    const int plan = run_place(run, id)->plan;
    start->opening.komi = komi_of_plan(config, plan);
    start->opening.count =
        komi_opening(run, komi_beginning_of_plan(config, plan), run_seed(run, id), start->opening.actions);
    for (Side side = BLACK; side <= WHITE; side++)
        start->players[side] = komi_config_side(config, id.group, side);
    start->plays_itself = config->upgrade == UPGRADE_NONE;
}

static const RunPlanByResults by_results = {.share_out = share_out, .enough = enough, .start = start};

/* ---- Read again ---- */

/* The efforts of a ladder: those that have games are in the document. */
static cJSON *ladder_of(const cJSON *document) {
    cJSON *ladder = cJSON_CreateArray();
    const cJSON *rungs = json_get(document, "ladder"), *rung;
    if (!rungs)
        json_add(ladder, NULL, cJSON_Duplicate(json_get(json_get(document, "player"), "simulations"), true));
    cJSON_ArrayForEach(rung, rungs) json_add(ladder, NULL, cJSON_Duplicate(json_get(rung, "simulations"), true));
    return ladder;
}

static void add_effort(cJSON *settings, const cJSON *document) {
    const cJSON *move_time = json_get(settings, "move_time");
    if (cJSON_IsNumber(move_time) && move_time->valuedouble > 0)
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(settings, "move_time");
    json_add(settings, "ladder", ladder_of(document));
}

static bool plan_of(const Run *run, const char *source, GameId id, const GameRecord *record, int *plan, Error *error) {
    (void)id;
    const int64_t *range = komi_config(run)->komi_range;
    if (record->komi < range[0] || record->komi > range[1])
        return error_set(error, "%s: game %s was played at komi %d, expected %d to %d", source, record->id,
                         record->komi, (int)range[0], (int)range[1]);
    *plan = komi_plan_of(run, record->komi, record->actions, record->opening_actions);
    return *plan != KOMI_NO_PLAN ||
           error_set(error, "%s: game %s begins in a way that this run does not have", source, record->id);
}

static bool resume(Run *run, const cJSON *document, Error *error) {
    komi_resume_guesses(run, document);
    return komi_read_second(run, document, error);
}

static const RunReread reread = {.add_effort = add_effort, .take_over = komi_read_guesses, .plan_of = plan_of};

const RunKind komi_kind = {.config = &komi_config_kind,
                           .schema = {"stigmergy-komi", 1, "a komi run"},
                           .state_size = sizeof(KomiState),
                           .has_ladder = true,
                           .by_results = &by_results,
                           .reread = &reread,
                           .begin = begin,
                           .close = close_run,
                           .time_weight = time_weight,
                           .document = komi_result,
                           .resume = resume};
