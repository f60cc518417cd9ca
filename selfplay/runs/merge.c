/* See merge.h. */
#include "selfplay/runs/merge.h"

#include "selfplay/record/record_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ShardSpec whole = {0, 0};

/* Enters the games of a shard and appends its records to *all. */
static bool take_shard(const MergeTarget *target, const ShardEntry *entry, char **all, size_t *length, Error *error) {
    char path[FILE_PATH_MAX];
    size_t part;
    char *text = shard_document_records(&entry->document, entry->path, &part, error);
    bool good = text && record_file_path(entry->path, path, error) &&
                target->enter(target->run, entry->document.shard, path, text, part, error);
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
static bool take_shards(const MergeTarget *target, const ShardSet *set, MergeReport *report, Error *error) {
    char *all = NULL;
    size_t length = 0;
    int games, left;
    bool good = true;
    for (int i = 0; good && i < set->count; i++)
        good = take_shard(target, &set->entries[i], &all, &length, error);
    target->share(target->run, whole, &games, &left);
    if (good && left > 0)
        good = error_set(error, "%s: %d games of its round are in no shard, expected all %d; run the shards again",
                         set->entries[0].path, left, games);
    report->good = good;
    good = good && target->join(target->run, all, length, error);
    free(all);
    return good;
}

/* The run began when the first of its shards did. */
static void add_contexts(const ShardSet *set, DocumentContext *context) {
    for (int i = 0; i < set->count; i++) {
        const DocumentContext *part = &set->entries[i].document.context;
        context->seconds += part->seconds;
        if (strcmp(part->started, context->started) < 0) /* ISO 8601 sorts by time */
            strcpy(context->started, part->started);
    }
}

bool merge_into(const MergeTarget *target, const ShardSet *set, DocumentContext *context, MergeReport *report,
                Error *error) {
    const ShardEntry *first = &set->entries[0];
    int games;
    if (!target->plan(target->run, set->count, error))
        return false;
    cJSON *round = target->round(target->run);
    const bool current = cJSON_Compare(round, first->document.round, true);
    cJSON_Delete(round);
    if (!current && !target->is_played(target->run, first->document.round))
        return error_set(error, "%s: is of another round than the next one after the games in %s", first->path,
                         target->records);
    if (current) {
        target->share(target->run, whole, &games, &report->joined);
        add_contexts(set, context);
        if (!take_shards(target, set, report, error) || !target->plan(target->run, set->count, error))
            return false;
    }
    target->share(target->run, whole, &games, &report->left);
    report->good = true;
    return true;
}

bool merge_shards(const char *result, const char *const *shards, int count, MergeReport *report, Error *error) {
    static const struct {
        const char *kind;
        bool (*merge)(const char *result, const ShardSet *set, MergeReport *report, Error *error);
    } kinds[] = {{"komi", merge_komi}, {"match", merge_match}};
    *report = (MergeReport){.shards = count};
    ShardSet set;
    bool good = shard_set_read(shards, count, &set, error), known = false;
    for (size_t i = 0; good && i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kinds[i].kind, set.entries[0].document.kind)) {
            known = true;
            strcpy(report->kind, kinds[i].kind);
            good = kinds[i].merge(result, &set, report, error);
        }
    if (good && !known)
        good = error_set(error, "%s: 'kind' is wrong, expected komi or match", set.entries[0].path);
    shard_set_free(&set);
    return good;
}
