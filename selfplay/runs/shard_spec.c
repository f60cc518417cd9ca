/* See shard_spec.h. */
#include "selfplay/runs/shard_spec.h"

#include "selfplay/io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads up to `end` as a whole number from 0 to `high`, decimal digits only; -1 where it is none. */
static int64_t read_digits(const char *text, const char *end, int64_t high) {
    int64_t value = 0;
    if (text == end)
        return -1;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        value = 10 * value + (*text - '0');
        if (value > high)
            return -1;
    }
    return value;
}

/* Reads "I/N" or "I" and completes *count, which is 0 or the N that is known otherwise. */
static bool read_option(const char *text, int64_t *count, int *index, Error *error) {
    const char *slash = strchr(text, '/'), *end = slash ? slash : text + strlen(text);
    if (slash) {
        const int64_t named = read_digits(slash + 1, text + strlen(text), SHARDS_MAX);
        if (named < 1)
            return error_set(error, "--shard: '%.40s', expected I/N with N from 1 to %d and I from 0 to N-1", text,
                             SHARDS_MAX);
        if (*count && *count != named)
            return error_set(error, "--shard: '%.40s', expected %lld shards, as --shards or the configuration says",
                             text, (long long)*count);
        *count = named;
    }
    if (!*count)
        return error_set(
            error, "--shard: '%.40s', expected I/N, or I with --shards N or the key 'shards' in a configuration", text);
    *index = (int)read_digits(text, end, *count - 1);
    return *index >= 0 || error_set(error, "--shard: '%.40s', expected a shard from 0 to %lld of %lld", text,
                                    (long long)*count - 1, (long long)*count);
}

/* What a batch system says: *index stays -1 where it says nothing. */
static bool read_environment(int64_t count, int *index, Error *error) {
    static const char *const names[] = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"};
    for (int i = 0; i < 2; i++) {
        const char *text = getenv(names[i]);
        if (!text)
            continue;
        const int value = (int)read_digits(text, text + strlen(text), count - 1);
        if (value < 0)
            return error_set(error, "%s: '%.40s', expected a shard from 0 to %lld of %lld", names[i], text,
                             (long long)count - 1, (long long)count);
        if (*index >= 0 && *index != value)
            return error_set(error, "%s is %d and %s is %d, expected one of them, or --shard I/N", names[0], *index,
                             names[1], value);
        *index = value;
    }
    return true;
}

bool shard_spec_settle(const char *text, int64_t count, bool needed, ShardSpec *out, Error *error) {
    int index = -1;
    *out = SHARD_WHOLE;
    if (count < 0 || count > SHARDS_MAX)
        return error_set(error, "shards: %lld, expected 1 to %d", (long long)count, SHARDS_MAX);
    if (text ? !read_option(text, &count, &index, error) : count > 0 && !read_environment(count, &index, error))
        return false;
    if (index >= 0)
        *out = (ShardSpec){index, (int)count};
    return index >= 0 || !needed ||
           error_set(error,
                     "--shards: which of the %lld shards this is, is not known: expected --shard I, or "
                     "SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX in the environment",
                     (long long)count);
}

/* The path of a shard's file, where `index` says which one it is. Returns its length, which may be too long. */
static int format_path(const char *index, int count, const char *path, const char *ending, char out[FILE_PATH_MAX]) {
    const size_t stem = strlen(path) - (text_ends_with(path, ending) ? strlen(ending) : 0);
    return snprintf(out, FILE_PATH_MAX, "%.*s.shard-%s-of-%d%s", (int)stem, path, index, count, ending);
}

bool shard_spec_path(ShardSpec shard, const char *path, const char *ending, char out[FILE_PATH_MAX], Error *error) {
    char index[12];
    snprintf(index, sizeof index, "%d", shard.index);
    const int written = shard_spec_whole(shard) ? snprintf(out, FILE_PATH_MAX, "%s", path)
                                                : format_path(index, shard.count, path, ending, out);
    return written < FILE_PATH_MAX || error_set(error, "%.80s...: the path is too long", path);
}

void shard_spec_pattern(ShardSpec shard, const char *path, const char *ending, char out[FILE_PATH_MAX]) {
    format_path("*", shard.count, path, ending, out);
}

/* ---- All shards of a run ---- */

/* Whether a claim is of a shard of the same run as the first one. */
static bool same_run(const ShardClaim *claim, const ShardClaim *first, Error *error) {
    if (shard_spec_whole(claim->shard))
        return error_set(error, "%s: is a whole run, expected a shard of one", claim->path);
    if (strcmp(claim->run, first->run))
        return error_set(error, "%s: is of run %s, expected run %s as %s is", claim->path, claim->run, first->run,
                         first->path);
    return claim->shard.count == first->shard.count ||
           error_set(error, "%s: is one of %d shards, expected one of %d as %s is", claim->path, claim->shard.count,
                     first->shard.count, first->path);
}

/* Enters the path of each claim at its shard. False with an error where two are of one shard. */
static bool enter_paths(const ShardClaim *claims, int count, const char **of_shard, Error *error) {
    for (int i = 0; i < count; i++) {
        const char **path = &of_shard[claims[i].shard.index];
        if (*path)
            return error_set(error, "%s: shard %d is there twice, as %s too", claims[i].path, claims[i].shard.index,
                             *path);
        *path = claims[i].path;
    }
    return true;
}

bool shard_claims_check(const ShardClaim *claims, int count, Error *error) {
    const int wanted = claims[0].shard.count;
    for (int i = 0; i < count; i++)
        if (!same_run(&claims[i], &claims[0], error))
            return false;
    const char **of_shard = calloc((size_t)wanted, sizeof *of_shard);
    if (!of_shard)
        return error_set(error, "out of memory for %d shards", wanted);
    bool good = enter_paths(claims, count, of_shard, error);
    for (int i = 0; good && i < wanted; i++)
        if (!of_shard[i])
            good = error_set(error, "shard %d of %d is missing, expected the name of the result and then all shards", i,
                             wanted);
    free(of_shard);
    return good;
}
