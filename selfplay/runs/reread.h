/* A finished run of `komi` or `book`, read again.
 *
 * A published result holds for the program that played it: a version that plays other games (document_games_version)
 * cannot continue that run. But it can read the games, check them by the rules, and estimate again. So every published
 * number can be made again from the records, and an estimate that has become better holds for old games, too.
 *
 * What a fair-komi run says follows from its games alone. A book has learnt from them round by round. If this version
 * plans the rounds that were played, its document is the same again. Else the tree is made from the openings of the
 * games, and learns from all of them at once. */
#ifndef STIGMERGY_SELFPLAY_RUNS_REREAD_H
#define STIGMERGY_SELFPLAY_RUNS_REREAD_H

#include "selfplay/runs/run.h"

/* Reads the document of a run, of any version of the program, and its records beside it (packed ones too). Returns a
 * run that plays nothing, to be freed by run_free, and its document in *document, for the caller to delete. NULL with
 * an error. */
Run *reread_run(const char *path, cJSON **document, Error *error);

/* Lets another player guess what each first move is worth (komi/guess.h): documents of version 0.16 and earlier have no
 * guesses, and their own player may not be there any more. The document, of `path`, gets his description as
 * `guesses_by`. False with an error, as where the run did not force first moves. */
bool reread_guess(Run *run, const char *path, cJSON *document, const Player *player, Error *error);

/* Makes the document of such a run: this version's estimate. What tells how the games were played is as in `document`:
 * settings, dates, machine. The caller deletes it; NULL with an error. */
cJSON *reread_document(const Run *run, const cJSON *document, Error *error);

#endif
