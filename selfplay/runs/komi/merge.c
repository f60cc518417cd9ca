/* Merges the shards of a fair-komi run; see selfplay/runs/merge.h. */
#include "selfplay/runs/merge.h"
#include "selfplay/runs/komi/result.h"

#include <string.h>

/* The configuration that the shards were played with. */
static bool read_config(const ShardEntry *entry, KomiConfig *config, Error *error) {
    char hash[20];
    *config = komi_config_default(5);
    if (!komi_config_from_json(entry->document.config, entry->path, config, error) ||
        !komi_config_check(config, error) || !komi_config_hash(config, hash, error))
        return false;
    return !strcmp(hash, entry->document.run) || error_set(error, "%s: its configuration is of run %s, expected run %s",
                                                           entry->path, hash, entry->document.run);
}

static bool plan(void *run, int shards, Error *error) {
    (void)shards;
    return komi_run_plan(run, error);
}

static cJSON *round_of(const void *run) {
    return komi_run_round(run);
}

static void share(const void *run, ShardSpec shard, int *games, int *left) {
    komi_run_share(run, shard, games, left);
}

static bool is_played(const void *user, const cJSON *round) {
    const KomiRun *run = user;
    for (int i = 0; i < run->rungs; i++) {
        const cJSON *end = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(round, run->rung[i].name), 1);
        if (cJSON_IsNumber(end) && run->rung[i].played < end->valueint)
            return false;
    }
    return true;
}

static bool enter(void *run, ShardSpec shard, const char *path, const char *text, size_t length, Error *error) {
    return komi_run_enter_shard(run, shard, path, text, length, error);
}

static bool join(void *run, const char *text, size_t length, Error *error) {
    return komi_run_join(run, text, length, error);
}

bool merge_komi(const char *result, const ShardSet *set, MergeReport *report, Error *error) {
    KomiConfig config;
    KomiRun run = {.records.lines.descriptor = -1};
    DocumentContext context = document_context();
    char records[FILE_PATH_MAX];
    const MergeTarget target = {&run, records, plan, round_of, share, is_played, enter, join};
    const bool good =
        read_config(&set->entries[0], &config, error) && record_file_path(result, records, error) &&
        komi_result_resume(result, &config, &context, error) && komi_run_open(&run, &config, records, error) &&
        merge_into(&target, set, &context, report, error) && komi_result_write(&run, &context, result, error);
    for (int rung = 0; rung < run.rungs; rung++)
        report->games += run.rung[rung].played;
    komi_run_close(&run);
    return good;
}
