/* See run_internal.h. The records of a run: reading them back, opening and joining their files. */
#include "selfplay/runs/run_internal.h"

#include "engine/base/rng.h"

#include <stdio.h>

/* A record may be this far ahead of the games before it: what threads play side by side. */
enum { NUMBERS_AHEAD = 4 * SEARCH_THREADS_MAX };

/* ---- What counts of a record ---- */

uint64_t run_opening_hash(const GameRecord *record) {
    uint64_t hash = rng_mix((uint64_t)(record->komi + GAME_KOMI_LIMIT));
    for (int i = 0; i < record->opening_actions; i++)
        hash = rng_split(hash, record->actions[i]);
    return hash;
}

void run_enter_game(Run *run, GameId id, const GameRecord *record, bool *wanted) {
    RunGame *game = run_place(run, id);
    *game = (RunGame){.hash = record_canonical_hash(record, run->game),
                      .opening = run_opening_hash(record),
                      .turns = (uint16_t)record_turns(record, run->game),
                      .actions = (uint16_t)record->count,
                      .plan = game->plan,
                      .komi = (int16_t)record->komi,
                      .margin_half_points = (int16_t)record->result.half_points,
                      .winner = (uint8_t)record->result.winner,
                      .reason = (uint8_t)record->reason,
                      .played = true};
    for (Side side = BLACK; side <= WHITE; side++) {
        game->simulations[side] = record->effort[side].simulations;
        game->moves[side] = (uint16_t)record->effort[side].moves;
    }
    run->groups[id.group].played++;
    if (run->kind->count)
        run->kind->count(run, id, record, game, wanted);
}

/* ---- Entering games ---- */

static int find_group(void *user, const char *name, size_t length) {
    const Run *run = user;
    for (int group = 0; group < run->group_count; group++)
        if (strlen(run->groups[group].name) == length && !strncmp(run->groups[group].name, name, length))
            return group;
    return run->kind->has_ladder && effort_is_name(name, length) ? RECORD_GROUP_KEPT : RECORD_GROUP_UNKNOWN;
}

RunStart run_start(const Run *run, GameId id) {
    RunStart start = {0};
    run->kind->by_results->start(run, id, &start);
    return start;
}

/* Whether a game that a round has planned was played to its end. */
static bool is_whole(const char *source, const GameRecord *record, Error *error) {
    return !end_is_forfeit(record->reason) ||
           error_set(error, "%s: game %s ended by '%s', expected one that was played to its end", source, record->id,
                     end_reason_names[record->reason]);
}

static bool begins_as_planned(const char *source, const Opening *opening, const GameRecord *record, Error *error) {
    if (record->komi != opening->komi)
        return error_set(error, "%s: game %s was played at komi %d, expected %d", source, record->id, record->komi,
                         opening->komi);
    bool same = record->opening_actions == opening->count;
    for (int i = 0; same && i < opening->count; i++)
        same = record->actions[i] == opening->actions[i];
    return same || error_set(error, "%s: game %s does not begin as planned, expected an opening of %d other actions",
                             source, record->id, opening->count);
}

/* Whether a game has the seed and the players that its number has in this run. */
static bool has_origin(const Run *run, const char *source, GameId id, const char *black, const char *white,
                       const GameRecord *record, Error *error) {
    return record_has_origin(record, source, run_seed(run, id), (const char *[]){black, white}, error);
}

/* Whether a game that was read back is one that this run could have played. */
static bool check(const Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    const RunPlanByNumber *by_number = run->kind->by_number;
    if (by_number)
        return by_number->check(run, source, id, record, error) &&
               has_origin(run, source, id, by_number->player(run, id, BLACK), by_number->player(run, id, WHITE), record,
                          error);
    const RunStart start = run_start(run, id);
    return is_whole(source, record, error) && begins_as_planned(source, &start.opening, record, error) &&
           has_origin(run, source, id, start.players[BLACK].name, start.players[WHITE].name, record, error);
}

/* Enters a game that was read back, whose number has been checked. */
static bool enter_checked(Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    if (!run_make_room(&run->groups[id.group], id.number + 1, error) || !check(run, source, id, record, error))
        return false;
    run_enter_game(run, id, record, NULL);
    return true;
}

/* Whether most games before this one are there. Each of them takes memory, so a number that is wrong could take all. */
static bool follows_others(const Run *run, const char *source, GameId id, const GameRecord *record, Error *error) {
    return id.number - run->groups[id.group].played <= NUMBERS_AHEAD ||
           error_set(error, "%s: game %s is there, but most games before it are not", source, record->id);
}

/* Enters a game of the run's own records; its round must be one that the games before it lead to. */
static bool enter(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    const RunGroup *group = &run->groups[id.group];
    if (run->kind->by_number && !follows_others(run, source, id, record, error))
        return false;
    while (run->kind->by_results && id.number >= group->planned) {
        if (group->played < group->planned)
            return error_set(error, "%s: game %s is there, but the round before it is not complete", source,
                             record->id);
        const int planned = group->planned;
        if (!run_grow(run, id.group, error))
            return false;
        if (group->planned == planned)
            return error_set(error, "%s: game %s is there, but the run needs only %d games", source, record->id,
                             planned);
    }
    return enter_checked(run, source, id, record, error);
}

/* Enters a game whose round may have been planned by another version. */
static bool enter_played(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    int plan;
    if (!follows_others(run, source, id, record, error) || !is_whole(source, record, error) ||
        !run->kind->reread->plan_of(run, source, id, record, &plan, error) ||
        !run_make_room(&run->groups[id.group], id.number + 1, error))
        return false;
    run_place(run, id)->plan = plan;
    const RunStart start = run_start(run, id);
    if (!has_origin(run, source, id, start.players[BLACK].name, start.players[WHITE].name, record, error))
        return false;
    run_enter_game(run, id, record, NULL);
    return true;
}

static bool is_of_round(const Run *run, GameId id) {
    return run_is_of_share(run, SHARD_WHOLE, id);
}

/* Enters a game of a shard: it is of its share of the round, or was merged in an earlier one. */
static bool enter_shared(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    const bool own = run_is_of_share(run, run->shard, id);
    if ((own || !is_of_round(run, id)) && run_game(run, id))
        return true;
    if (!own)
        return error_set(error,
                         "%s: game %s is not of shard %d of %d in this round; if the settings have changed, first "
                         "finish and merge the round with those of before, or delete this file",
                         source, record->id, run->shard.index, run->shard.count);
    return enter_checked(run, source, id, record, error);
}

/* Enters a game that a shard finds in its own file. One that it played before the settings changed may be dealt to
 * another shard now, which plays the same game again. */
static bool enter_own(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Run *run = user;
    if (!is_of_round(run, id) || run_is_of_share(run, run->shard, id))
        return enter_shared(run, source, id, record, error);
    run->dealt_away++;
    return true;
}

static bool keep(void *user, GameId id) {
    const Run *run = user;
    return run->keeps_all || id.number < run_end_of(run, id.group);
}

static bool keep_shared(void *user, GameId id) {
    const Run *run = user;
    return run_is_of_share(run, run->shard, id);
}

static bool keep_of_round(void *user, GameId id) {
    return is_of_round(user, id);
}

static RecordGroups groups_of(Run *run) {
    return (RecordGroups){.find = find_group, .enter = enter, .keep = keep, .user = run};
}

static RecordGroups shared_groups_of(Run *run) {
    return (RecordGroups){.find = find_group, .enter = enter_shared, .keep = keep_shared, .user = run};
}

/* ---- Files ---- */

bool run_open_to_merge(Run *run, Error *error) {
    const RecordGroups groups = groups_of(run);
    const bool good = record_file_load(&run->records, &groups, error);
    run->keeps_all = !run->drops_rest && run_counted(run) < run_played(run);
    return good;
}

static bool rehearse(const Run *run, Error *error) {
    return !run->kind->rehearse || run->kind->rehearse(run, error);
}

bool run_open(Run *run, Error *error) {
    return rehearse(run, error) && run_open_to_merge(run, error);
}

/* Plans as far as the process did that played these games, if it had no limit of time or width: it plays group after
 * group, and comes to the next one when none of a round is left. */
static bool plan_as_played(Run *run, Error *error) {
    bool open = false;
    for (int i = 0; i < run->group_count && !open; i++) {
        if (!run_settle(run, i, 0, error))
            return false;
        open = run->groups[i].round_start < run->groups[i].round_end;
    }
    return true;
}

/* The games have led to the rounds that they are of. A round without games yet is still to be planned. */
static bool plan_as_said(Run *run, const int *planned_after, Error *error) {
    for (int i = 0; i < run->group_count; i++) {
        const RunGroup *group = &run->groups[i];
        if (group->played == group->planned && planned_after[i] == group->played && !run_grow(run, i, error))
            return false;
    }
    return true;
}

static int find_and_count(void *user, const char *name, size_t length) {
    Run *run = user;
    const int group = find_group(run, name, length);
    run->kept_aside += group == RECORD_GROUP_KEPT;
    return group;
}

bool run_open_to_read(Run *run, const char *path, const int *planned_after, Error *error) {
    RecordGroups groups = groups_of(run);
    groups.find = find_and_count;
    return record_file_read(path, run->game, run->hash, &groups, error) &&
           (planned_after ? plan_as_said(run, planned_after, error) : plan_as_played(run, error));
}

bool run_open_played(Run *run, const char *path, const char *hash, Error *error) {
    const RecordGroups groups = {.find = find_group, .enter = enter_played, .user = run};
    snprintf(run->hash, sizeof run->hash, "%s", hash);
    const RunReread *reread = run->kind->reread;
    return record_file_read(path, run->game, run->hash, &groups, error) &&
           (!reread->settle || reread->settle(run, error));
}

bool run_open_shard(Run *run, const char *path, Error *error) {
    RecordGroups groups = groups_of(run);
    const RecordGroups own = {.find = find_group, .enter = enter_own, .keep = keep_of_round, .user = run};
    groups.find = find_and_count;
    if (run->config->seconds > 0)
        return error_set(error, "time: %g seconds, expected none for a shard; Ctrl-C or the batch system stops it",
                         run->config->seconds);
    return rehearse(run, error) && record_file_read(path, run->game, run->hash, &groups, error) &&
           run_plan(run, run->shard.count, error) && record_file_load(&run->records, &own, error) &&
           record_file_sort(&run->records, &own, error);
}

bool run_enter_shard(Run *run, ShardSpec shard, const char *path, const char *text, size_t length, Error *error) {
    const RecordGroups shared = shared_groups_of(run);
    run->shard = shard;
    const bool good = record_text_read(path, text, length, run->game, run->hash, &shared, error);
    run->shard = SHARD_WHOLE;
    return good;
}

bool run_join(Run *run, const char *text, size_t length, Error *error) {
    const RecordGroups groups = groups_of(run);
    return record_file_join(&run->records, text, length, &groups, error);
}

bool run_sort_records(Run *run, Error *error) {
    const RecordGroups groups = shard_spec_whole(run->shard) ? groups_of(run) : shared_groups_of(run);
    return record_file_sort(&run->records, &groups, error);
}
