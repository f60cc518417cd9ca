/* Inside Sgolte: which actions look good at first sight. */
#ifndef STIGMERGY_SGOLTE_PRIOR_H
#define STIGMERGY_SGOLTE_PRIOR_H

#include "sgolte_board.h"

/* GameRules.priors. */
void sgolte_priors(const SgolteTables *tables, const SgolteState *state, const Action *actions, int count,
                   float *logits);

#endif
