/* See merge.h. */
#include "selfplay/runs/merge.h"

#include "selfplay/runs/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The run ---- */

/* The run that a shard is of: with its settings, checked, with its identity. */
static Run *run_of(const ShardEntry *entry, Error *error) {
    const RunKind *kind = kind_named(entry->document.kind);
    if (!kind) {
        error_set(error, "%s: 'kind' is wrong, expected book, komi, match or openings", entry->path);
        return NULL;
    }
    KindConfig config = kind_defaults(kind);
    Run *run = run_config_read(entry->document.config, entry->path, &config.run, error)
                   ? run_new(kind, &config.run, SHARD_WHOLE, error)
                   : NULL;
    if (!run || !strcmp(run->hash, entry->document.run))
        return run;
    error_set(error, "%s: its configuration is of run %s, expected run %s", entry->path, run->hash,
              entry->document.run);
    run_free(run);
    return NULL;
}

/* ---- Joining ---- */

/* Enters the games of a shard and appends its records to *all. */
static bool take_shard(Run *run, const ShardEntry *entry, char **all, size_t *length, Error *error) {
    char path[FILE_PATH_MAX];
    size_t part;
    char *text = shard_document_records(&entry->document, entry->path, &part, error);
    bool good = text && record_file_path(entry->path, path, error) &&
                run_enter_shard(run, entry->document.shard, path, text, part, error);
    char *more = good ? realloc(*all, *length + part + 1) : NULL;
    if (more) {
        memcpy(more + *length, text, part);
        *length += part;
        *all = more;
    } else if (good) {
        good = error_set(error, "%s: out of memory for %zu bytes", path, *length + part);
    }
    free(text);
    return good;
}

/* Enters the games of all shards, sees whether they are all games of the round, and writes them down. */
static bool take_shards(Run *run, const ShardSet *set, MergeReport *report, Error *error) {
    char *all = NULL;
    size_t length = 0;
    int games, left;
    bool good = true;
    for (int i = 0; good && i < set->count; i++)
        good = take_shard(run, &set->entries[i], &all, &length, error);
    run_share(run, SHARD_WHOLE, &games, &left);
    if (good && left > 0)
        good = error_set(error, "%s: %d games of its round are in no shard, expected all %d; run the shards again",
                         set->entries[0].path, left, games);
    report->good = good;
    good = good && run_join(run, all, length, error);
    free(all);
    return good;
}

/* The run began when the first of its shards did; their times add up. */
static void add_contexts(Run *run, const ShardSet *set, DocumentContext *context) {
    for (int i = 0; i < set->count; i++) {
        const DocumentContext *part = &set->entries[i].document.context;
        context->seconds += part->seconds;
        if (strcmp(part->started, context->started) < 0) /* ISO 8601 sorts by time */
            strcpy(context->started, part->started);
        if (run->kind->add_timing)
            run->kind->add_timing(run, set->entries[i].document.timing);
    }
}

/* Takes the games of the shards into an open run. */
static bool merge_into(Run *run, const ShardSet *set, DocumentContext *context, MergeReport *report, Error *error) {
    const ShardEntry *first = &set->entries[0];
    int games;
    if (!run_plan(run, set->count, error))
        return false;
    cJSON *round = run_round(run);
    const bool current = cJSON_Compare(round, first->document.round, true);
    cJSON_Delete(round);
    if (!current && !run_has_round(run, first->document.round))
        return error_set(error, "%s: is of another round than the next one after the games in %s", first->path,
                         run->records.lines.path);
    if (current) {
        run_share(run, SHARD_WHOLE, &games, &report->joined);
        report->idle = games == 0;
        if (!take_shards(run, set, report, error) || !run_plan(run, set->count, error))
            return false;
    }
    if (report->joined > 0 || run->documented < run_counted(run)) /* they are not in the document yet */
        add_contexts(run, set, context);
    run_share(run, SHARD_WHOLE, &games, &report->left);
    report->good = true;
    return true;
}

static bool merge_set(const char *result, const ShardSet *set, MergeReport *report, Error *error) {
    DocumentContext context = document_context();
    char records[FILE_PATH_MAX];
    Run *run = run_of(&set->entries[0], error);
    const bool good = run && record_file_path(result, records, error) &&
                      run_claim(run, result, records, &context, error) && run_open_to_merge(run, error) &&
                      run_set_aside(run, result, error) && merge_into(run, set, &context, report, error) &&
                      run_write(run, &context, result, error) && run_close(run, error);
    if (run)
        report->damage = run->damage;
    if (run && !good)
        line_file_remove_empty(&run->records.lines, NULL); /* what a refused merge has made */
    if (good) {
        strcpy(report->kind, run->config->kind->name);
        report->games = run_counted(run);
    }
    run_free(run);
    return good;
}

bool merge_shards(const char *result, const char *const *shards, int count, MergeReport *report, Error *error) {
    ShardSet set;
    *report = (MergeReport){.shards = count};
    for (int i = 0; i < count; i++)
        if (record_file_named(shards[i]))
            return error_set(error, "%s: holds games, expected the document of a shard: FILE.shard-I-of-N.json",
                             shards[i]);
    const bool good = shard_set_read(shards, count, &set, error) && merge_set(result, &set, report, error);
    shard_set_free(&set);
    return good;
}
