/* See merge.h. */
#include "selfplay/runs/generate/merge.h"

#include "selfplay/runs/generate/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shard as its document says. */
typedef struct Part {
    const char *folder;
    char run[RECORD_RUN_MAX];
    ShardSpec shard;
} Part;

static bool load(const char *folder, Part *part, Error *error) {
    SelfplayDocument *document = calloc(1, sizeof *document);
    if (!document)
        return error_set(error, "out of memory");
    const bool good = selfplay_document_load(folder, document, error);
    *part = (Part){.folder = folder, .shard = document->shard};
    strcpy(part->run, document->run);
    free(document);
    return good;
}

/* Whether a part belongs to the same run as the first one, and to none of those before it. */
static bool check_part(const Part *parts, int i, const char **of_shard, Error *error) {
    const Part *part = &parts[i], *first = &parts[0];
    const ShardSpec shard = part->shard;
    if (shard_spec_whole(shard))
        return error_set(error, "%s: is a whole run, expected a shard of one", part->folder);
    if (strcmp(part->run, first->run))
        return error_set(error, "%s: is of run %s, expected run %s as %s is", part->folder, part->run, first->run,
                         first->folder);
    if (shard.count != first->shard.count)
        return error_set(error, "%s: is one of %d shards, expected one of %d as %s is", part->folder, shard.count,
                         first->shard.count, first->folder);
    if (of_shard[shard.index])
        return error_set(error, "%s: shard %d is there twice, as %s too", part->folder, shard.index,
                         of_shard[shard.index]);
    of_shard[shard.index] = part->folder;
    return true;
}

bool selfplay_merge_check(const char *const *folders, int count, Error *error) {
    Part *parts = calloc((size_t)count, sizeof *parts);
    const char **of_shard = calloc(SHARDS_MAX, sizeof *of_shard);
    bool good = (parts && of_shard) || error_set(error, "out of memory for %d shards", count);
    for (int i = 0; good && i < count; i++)
        good = load(folders[i], &parts[i], error) && check_part(parts, i, of_shard, error);
    for (int i = 0; good && i < parts[0].shard.count; i++)
        if (!of_shard[i])
            good = error_set(error, "shard %d of %d is missing, expected the folders of all of them", i,
                             parts[0].shard.count);
    free(of_shard);
    free(parts);
    return good;
}
