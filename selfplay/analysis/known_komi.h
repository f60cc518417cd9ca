/* What is known of a board's fair komi before anybody searches: proved values (configs/exact), else the published
 * result of a komi run (configs/fair). A published result is that of thousands of games, far more than a search of the
 * start position can find out while people wait. For a board without a result, the results of smaller boards say more
 * than such a search, too: the fair komi is that of the straight line through theirs, rounded, and the chances are
 * those of the largest of them, shifted by the difference. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_KNOWN_KOMI_H
#define STIGMERGY_SELFPLAY_ANALYSIS_KNOWN_KOMI_H

#include "engine/game/game.h"

/* The komi at which Black's chance is nearest to one half; of a solved board the highest at which Black wins. *known
 * says whether anything is known of this game and size. False with an error if a file of it cannot be read. */
bool known_komi(const Game *game, int *komi, bool *known, Error *error);

/* Black's chance to win from the empty board at a komi: 0 or 1 of a solved board. *known and errors as above. */
bool known_chance(const Game *game, int komi, double *chance, bool *known, Error *error);

#endif
