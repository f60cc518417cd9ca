/* See shard_session.h. */
#include "tools/cli/shard_session.h"

#include "engine/base/wall_time.h"
#include "selfplay/record/record_file.h"

#include <stdio.h>
#include <string.h>

bool shard_session_open(ShardSession *session, const char *name, const char *kind, const char *result, ShardSpec shard,
                        Error *error) {
    *session = (ShardSession){.name = name, .result = result, .begin = wall_seconds()};
    session->document.shard = shard;
    session->document.context = document_context();
    snprintf(session->document.kind, sizeof session->document.kind, "%s", kind);
    return shard_spec_path(shard, result, ".json", session->path, error) &&
           record_file_path(session->path, session->records, error) && record_file_path(result, session->merged, error);
}

void shard_session_close(ShardSession *session) {
    shard_document_free(&session->document);
}

static void say_finished(const ShardSession *session) {
    const ShardSpec shard = session->document.shard;
    char ending[48];
    snprintf(ending, sizeof ending, ".shard-%d-of-%d.json", shard.index, shard.count);
    printf("Shard %d of %d: all %d games of its share of this round are played.\n"
           "When all shards are finished: stigmergy merge %s %.*s.shard-*-of-%d.json\n",
           shard.index, shard.count, session->games, session->result, (int)(strlen(session->path) - strlen(ending)),
           session->path, shard.count);
}

bool shard_session_begin(ShardSession *session, const char *run, cJSON *round, cJSON *config, int games, int left,
                         bool *to_play, Error *error) {
    ShardDocument *document = &session->document;
    document->round = round;
    document->config = config;
    session->games = games;
    *to_play = left > 0;
    snprintf(document->run, sizeof document->run, "%s", run);
    if (!round || !config)
        return error_set(error, "out of memory");
    if (!round->child) {
        printf("The run is finished: nothing is left to play.\n");
        return true;
    }
    shard_document_resume(session->path, document);
    session->before = document->context.seconds;
    if (document->finished && left == 0) {
        say_finished(session);
        return true;
    }
    document->finished = false;
    if (left < games)
        fprintf(stderr, "%s: shard %d of %d goes on after %d of %d games\n", session->name, document->shard.index,
                document->shard.count, games - left, games);
    return left > 0 ? shard_document_write(document, session->path, error) : shard_session_end(session, true, error);
}

bool shard_session_end(ShardSession *session, bool finished, Error *error) {
    session->document.finished = finished;
    session->document.context.seconds = session->before + wall_seconds() - session->begin;
    if (!shard_document_write(&session->document, session->path, error))
        return false;
    if (finished)
        say_finished(session);
    return true;
}
