/* See run_internal.h. The rounds of a run, and the shares of machines in them. */
#include "selfplay/runs/run_internal.h"

#include "engine/base/rng.h"

#include <stdlib.h>

/* ---- Rounds ---- */

/* Swaps the plans of a round at random. */
static void shuffle(const Run *run, int group, int start, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint32_t)i + 1);
        RunGame *a = run_place(run, (GameId){group, start + i}), *b = run_place(run, (GameId){group, start + other});
        const int32_t plan = a->plan;
        a->plan = b->plan;
        b->plan = plan;
    }
}

static int sum_of(const int *shares, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += shares[i];
    return sum;
}

/* Rounds grow so that there are not many of them. */
bool run_grow(Run *run, int number, Error *error) {
    RunGroup *group = &run->groups[number];
    const int first = (int)run->config->first_round, start = group->planned;
    int size = start / 2 > first ? start / 2 : first, lowest, count;
    int *shares = run->kind->by_results->share_out(run, number, size, &lowest, &count, error);
    size = shares ? sum_of(shares, count) : 0;
    if (!shares || !run_make_room(group, start + size, error)) {
        free(shares);
        return false;
    }
    for (int i = 0, next = start; i < count; i++)
        for (int k = 0; k < shares[i]; k++)
            run_place(run, (GameId){number, next++})->plan = lowest + i;
    free(shares);
    group->planned = start + size;
    shuffle(run, number, start, size, rng_split(group->seed, (uint64_t)start) ^ 1);
    group->round_start = start;
    return true;
}

/* Settles the current round of a group that grows: what is left of the last one, or the next one where it is needed. */
static bool settle_growing(Run *run, int number, Error *error) {
    RunGroup *group = &run->groups[number];
    const int64_t wanted = run->config->games;
    bool enough = false;
    if (group->played == group->planned) { /* between two rounds */
        if (group->played > 0 && !run->kind->by_results->enough(run, number, &enough, error))
            return false;
        if (!enough && group->played < wanted && !run_grow(run, number, error))
            return false;
    }
    const bool finished = group->played == group->planned || group->played >= wanted;
    group->round_end = finished ? group->round_start : wanted < group->planned ? (int)wanted : group->planned;
    return true;
}

bool run_settle(Run *run, int number, int shards, Error *error) {
    RunGroup *group = &run->groups[number];
    if (run->kind->by_results)
        return settle_growing(run, number, error);
    run->kind->by_number->plan(run, number, shards, &group->round_start, &group->round_end);
    return true;
}

bool run_plan(Run *run, int shards, Error *error) {
    for (int group = 0; group < run->group_count; group++)
        if (!run_settle(run, group, shards, error))
            return false;
    return true;
}

/* ---- Shares ---- */

/* The number of a task among all those that are dealt out: groups one by one from the last, whose games are the
 * longest, or in turn. */
static int64_t task_of(const Run *run, GameId id) {
    if (!run->kind->by_results)
        return (int64_t)(id.number / run_task_games(run->kind)) * run->group_count + id.group;
    int64_t task = id.number - run->groups[id.group].round_start;
    for (int above = id.group + 1; above < run->group_count; above++)
        task += run->groups[above].round_end - run->groups[above].round_start;
    return task;
}

bool run_is_of_share(const Run *run, ShardSpec shard, GameId id) {
    const RunGroup *group = &run->groups[id.group];
    return id.number >= group->round_start && id.number < group->round_end && shard_spec_has(shard, task_of(run, id));
}

void run_count_share(const Run *run, ShardSpec shard, int group, int *games, int *left) {
    for (int number = run->groups[group].round_start; number < run->groups[group].round_end; number++)
        if (run_is_of_share(run, shard, (GameId){group, number})) {
            *games += 1;
            *left += !run_has_game(run, (GameId){group, number});
        }
}

int64_t run_left(const Run *run, int number) {
    const RunGroup *group = &run->groups[number];
    int left = group->round_end - group->round_start;
    if (run->kind->by_results)
        return left > 0 ? run->config->games - group->played : 0;
    for (int i = group->round_start; i < group->round_end && i < group->room; i++)
        left -= run_has_game(run, (GameId){number, i});
    return left;
}

void run_share(const Run *run, ShardSpec shard, int *games, int *left) {
    *games = *left = 0;
    for (int group = 0; group < run->group_count; group++)
        run_count_share(run, shard, group, games, left);
}

cJSON *run_round(const Run *run) {
    cJSON *json = cJSON_CreateObject();
    const int groups = run->kind->by_results ? run->group_count : 1, task = run_task_games(run->kind);
    for (int i = 0; i < groups; i++) {
        const RunGroup *group = &run->groups[i];
        const int range[2] = {group->round_start / task, group->round_end / task};
        if (range[0] < range[1])
            json_add(json, run->kind->by_results ? group->name : run->kind->by_number->tasks_name,
                     cJSON_CreateIntArray(range, 2));
    }
    return json;
}

static int end_of(const cJSON *round, const char *name) {
    const cJSON *end = cJSON_GetArrayItem(json_get(round, name), 1);
    return cJSON_IsNumber(end) ? end->valueint : -1;
}

bool run_has_round(const Run *run, const cJSON *round) {
    if (!run->kind->by_results) {
        const RunGroup *first = &run->groups[0];
        const int end = end_of(round, run->kind->by_number->tasks_name);
        return first->round_start == first->round_end ||
               (end >= 0 && end <= first->round_start / run_task_games(run->kind));
    }
    for (int group = 0; group < run->group_count; group++)
        if (run->groups[group].played < end_of(round, run->groups[group].name))
            return false;
    return true;
}
