/* What an opening book is: the board, the player who judges its leaves, when a leaf is expanded, and how far it goes.
 */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_CONFIG_H

#include "selfplay/runs/book/plan.h"
#include "selfplay/runs/config.h"

typedef struct BookConfig {
    RunConfig run; /* first_round: the games of each round (key `round`). games: of each parity */
    /* Part of the identity: */
    Player player;    /* its limits a move are those of the run */
    Effort effort;    /* of a move: simulations or a time */
    RunParity parity; /* of komi; each has a book of its own */
    BookPlanSettings plan;
    /* How far it goes: */
    double until_width; /* a book ends where the 95% interval of its fair komi is narrower, in points, or is a
                           bracket of neighbours; 0: never */
} BookConfig;

/* The defaults: Stigmergy, 800 simulations, 2,000 games and a book for each parity, rounds of 64 games. */
BookConfig book_config_default(int size);

extern const RunConfigKind book_config_kind;

#endif
