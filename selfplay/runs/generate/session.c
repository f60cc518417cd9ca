/* See session.h. */
#include "selfplay/runs/generate/session.h"

#include "engine/base/wall_time.h"
#include "selfplay/runs/generate/dataset_files.h"

#include <string.h>

static const double KEEP_SECONDS = 30; /* between two documents while games are played */

bool selfplay_session_open(SelfplaySession *session, const char *folder, SelfplayDocument *document, Error *error) {
    *session = (SelfplaySession){.folder = folder, .document = document, .begin = wall_seconds()};
    /* A document of another run is named before the folder is touched. But a session that has the folder until then may
     * write its last one in between, so what counts is read when no other session can. */
    if (!selfplay_document_resume(folder, document, &session->aside, error) ||
        !(session->run = run_new(&selfplay_kind, &document->config.run, document->shard, error)) ||
        !selfplay_run_open(session->run, folder, error) ||
        !selfplay_document_resume(folder, document, &session->aside, error) ||
        !selfplay_session_set_aside(session, DATASET_RUN, &session->aside, error))
        return false;
    strcpy(document->run, session->run->hash);
    session->seconds_before = document->context.seconds;
    return true;
}

bool selfplay_session_write(SelfplaySession *session, Error *error) {
    session->written_at = wall_seconds();
    session->document->context.seconds = session->seconds_before + session->written_at - session->begin;
    return selfplay_document_write(session->folder, session->document, error);
}

bool selfplay_session_keep(SelfplaySession *session, Error *error) {
    return wall_seconds() < session->written_at + KEEP_SECONDS || selfplay_session_write(session, error);
}

bool selfplay_session_set_aside(const SelfplaySession *session, const char *name, Error *damage, Error *error) {
    char path[FILE_PATH_MAX];
    if (!damage->text[0])
        return true;
    if (selfplay_state(session->run)->store.played == 0)
        return error_pass(error, damage);
    return file_path_in(session->folder, name, path, error) &&
           document_set_aside(path, "from the records", damage, error);
}
