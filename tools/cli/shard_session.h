/* A session of a shard, as the subcommands that several machines share have it in common: where its files are, what is
 * said of it, and its document (selfplay/runs/shard_document.h), which is written when the session begins and when it
 * ends. */
#ifndef STIGMERGY_TOOLS_CLI_SHARD_SESSION_H
#define STIGMERGY_TOOLS_CLI_SHARD_SESSION_H

#include "selfplay/runs/shard_document.h"

typedef struct ShardSession {
    const char *name, *result;   /* of the subcommand, for messages; the result of the whole run, --out */
    char path[FILE_PATH_MAX];    /* of the shard's document */
    char records[FILE_PATH_MAX]; /* of its games */
    char merged[FILE_PATH_MAX];  /* of the games of all shards in earlier rounds */
    ShardDocument document;
    int games;            /* of its share of the round */
    double begin, before; /* when this session began, seconds of those before it */
} ShardSession;

/* Finds the files of a shard of the run whose result is `result`. */
bool shard_session_open(ShardSession *session, const char *name, const char *kind, const char *result, ShardSpec shard,
                        Error *error);
void shard_session_close(ShardSession *session);

/* Begins to play `left` of the `games` games of the share; takes `round` and `config` over
 * (selfplay/runs/shard_document.h). *to_play is false where nothing is left: that has been said, and the session is
 * over. False with an error. */
bool shard_session_begin(ShardSession *session, const char *run, cJSON *round, cJSON *config, int games, int left,
                         bool *to_play, Error *error);

/* Ends it: finished, or stopped so that it can go on. */
bool shard_session_end(ShardSession *session, bool finished, Error *error);

#endif
