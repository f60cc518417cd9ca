/* A session of a self-play run: it opens the run in its folder, or resumes it, and keeps the run's document, with the
 * seconds of all sessions. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_SESSION_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_SESSION_H

#include "selfplay/runs/generate/document.h"
#include "selfplay/runs/generate/run.h"

typedef struct SelfplaySession {
    const char *folder;
    SelfplayDocument *document;
    Run *run;
    Error aside; /* what was wrong with the document that was there, and where that is kept; "": nothing */
    double begin, seconds_before; /* when this session began, seconds of those before it */
    double written_at;            /* when it last wrote the document */
} SelfplaySession;

/* Opens or resumes the run whose settings, shard, command and context (of a run that starts now) are in `document`;
 * what else is there is filled in. Afterwards no other process can use the folder. `folder` and `document` must
 * outlive the session.
 * The caller closes and frees session->run, also after a failure, where it may be NULL. */
bool selfplay_session_open(SelfplaySession *session, const char *folder, SelfplayDocument *document, Error *error);

/* Writes the document. */
bool selfplay_session_write(SelfplaySession *session, Error *error);

/* The same, from time to time while games are played: where the last one is half a minute old. So a session that is
 * killed loses little of its seconds. */
bool selfplay_session_keep(SelfplaySession *session, Error *error);

/* A document of the set that is damaged (*damage says so; "": it is not) is kept under another name, to be made again
 * from the games, which *damage then says too (document_set_aside). Without games the damage is an error. */
bool selfplay_session_set_aside(const SelfplaySession *session, const char *name, Error *damage, Error *error);

#endif
