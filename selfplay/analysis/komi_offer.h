/* The computer's part in the choice of komi by the pie rule: one player names it, the other chooses sides. Both answers
 * are what is known of the board (known_komi.h). Where nothing is known, they come from searches of the start position,
 * for which these functions wait. A search has as many simulations as the player has for a move, at least 200; for a
 * player with 1,000 or more, or with a limit of time alone, it has 20,000, but at most two seconds. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_KOMI_OFFER_H
#define STIGMERGY_SELFPLAY_ANALYSIS_KOMI_OFFER_H

#include "selfplay/analysis/analysis.h"

/* Who is asked, and about which game. */
typedef struct KomiOffer {
    Analysis *analysis;
    const Game *game;     /* must have points */
    const Player *player; /* settled */
    uint64_t seed;
    const StopFlag *stop; /* ends the search; NULL: nothing does */
} KomiOffer;

/* Names the komi at which Black's chance is nearest to one half; *chance is that chance. False with an error if a
 * search fails or is stopped. */
bool komi_offer_name(const KomiOffer *offer, int *komi, double *chance, Error *error);

/* Chooses the better side at a komi that the other player named; *chance is Black's. */
bool komi_offer_choose(const KomiOffer *offer, int komi, Side *side, double *chance, Error *error);

#endif
