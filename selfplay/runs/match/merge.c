/* Merges the shards of a match; see selfplay/runs/merge.h. */
#include "selfplay/runs/merge.h"
#include "selfplay/runs/match/result.h"

#include <string.h>

/* The configuration that the shards were played with. */
static bool read_config(const ShardEntry *entry, MatchConfig *config, Error *error) {
    char hash[20];
    *config = match_config_default(5);
    if (!match_config_from_json(entry->document.config, entry->path, config, error) ||
        !match_config_check(config, error))
        return false;
    cJSON *identity = match_config_identity(config);
    const bool hashed = document_hash(identity, hash, error);
    cJSON_Delete(identity);
    return hashed && (!strcmp(hash, entry->document.run) ||
                      error_set(error, "%s: its configuration is of run %s, expected run %s", entry->path, hash,
                                entry->document.run));
}

static bool plan(void *run, int shards, Error *error) {
    (void)error;
    match_run_plan(run, shards);
    return true;
}

static cJSON *round_of(const void *run) {
    return match_run_round(run);
}

static void share(const void *run, ShardSpec shard, int *games, int *left) {
    match_run_share(run, shard, games, left);
}

static bool is_played(const void *user, const cJSON *round) {
    const MatchRun *run = user;
    const cJSON *end = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(round, "pairs"), 1);
    return run->round_start == run->round_end || (cJSON_IsNumber(end) && end->valueint <= run->round_start);
}

static bool enter(void *run, ShardSpec shard, const char *path, const char *text, size_t length, Error *error) {
    return match_run_enter_shard(run, shard, path, text, length, error);
}

static bool join(void *run, const char *text, size_t length, Error *error) {
    return match_run_join(run, text, length, error);
}

bool merge_match(const char *result, const ShardSet *set, MergeReport *report, Error *error) {
    MatchConfig config;
    DocumentContext context = document_context();
    char records[FILE_PATH_MAX];
    MatchRun *run = match_run_new();
    if (!run)
        return error_set(error, "out of memory");
    const MergeTarget target = {run, records, plan, round_of, share, is_played, enter, join};
    bool good = read_config(&set->entries[0], &config, error) && record_file_path(result, records, error) &&
                match_result_resume(result, &config, &context, run->timing, error) &&
                match_run_open_merge(run, &config, records, error) && merge_into(&target, set, &context, report, error);
    for (int i = 0; good && report->joined > 0 && i < set->count; i++)
        match_timing_add(run, set->entries[i].document.timing);
    good = good && match_result_write(run, &context, result, error);
    report->games = good ? match_run_played(run) : 0;
    match_run_close(run);
    return good;
}
