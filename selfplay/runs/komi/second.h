/* A second family of players: the fair komi of the same board, by players that have learnt from other games or not at
 * all.
 *
 * A network makes the same mistakes with 200 simulations and with 12,800, so its ladder may come to rest at a wrong
 * value: on hexhex-5 that of version 0.12 came to rest near 6.0, and the next one said 6.7. So a ladder has converged
 * only if another family says the same (convergence.h). That is another finished run, which is kept in the document of
 * this one: its highest rung, and how far it is from this one's. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_SECOND_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_SECOND_H

#include "selfplay/runs/komi/first_moves.h"

/* Takes the highest rung of the result at `path`, in place of what there was. False with an error, as where it is of
 * another board, where its players chose the first move, or where they play with the same network; and as where this
 * run has one rung or an upgrade, and so no convergence. */
bool komi_compare_with(Run *run, const char *path, Error *error);

/* Takes it from a document of this run, which may have none. False with an error if it has a damaged one. */
bool komi_read_second(Run *run, const cJSON *document, Error *error);

/* Whether two players of documents play with the same network, or both with none. */
bool komi_same_family(const cJSON *player, const cJSON *other);

/* What the second family says, and the name of its document; NULL if there is none. */
const RungValue *komi_second(const Run *run);
const char *komi_second_source(const Run *run);

/* Its result, which there must be, and the difference of `top`, the highest rung of this run, for the document. The
 * caller deletes it. */
cJSON *komi_second_to_json(const Run *run, const RungValue *top);

#endif
