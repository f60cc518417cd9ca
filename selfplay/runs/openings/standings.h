/* Where a run of openings stands: its classes of first moves (run.h), the games of each summed up, and which class is
 * the fairest. A round is planned from this, and the document and the answer are made from it. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_STANDINGS_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_STANDINGS_H

#include "engine/game/symmetry.h"
#include "selfplay/runs/openings/config.h"
#include "selfplay/runs/run.h"
#include "selfplay/stats/design_effect.h"
#include "selfplay/stats/fairest_move.h"

/* The kind's own part of a run. */
typedef struct OpeningsState {
    ActionClass classes[GAME_LEGAL_MAX]; /* each in ascending order; games begin with its first action */
    int count;
} OpeningsState;

/* The settings and the classes of a run. */
static inline const OpeningsConfig *openings_config(const Run *run) {
    return (const OpeningsConfig *)run->config;
}
static inline const OpeningsState *openings_state(const Run *run) {
    return run->state;
}

/* The games of a class summed up. All games count. If the player does not play by chance, equal games depend on each
 * other, and effective_games says how many independent ones they are worth (selfplay/stats/design_effect.h). */
typedef struct OpeningsStanding {
    int games, wins; /* of the first player */
    double effective_games;
    FairestMoveData distinct; /* the different games, up to a symmetry of the board */
    double margin_sum;        /* Black's, in points, komi and button included */
    double plies;
    double probability; /* of being the fairest */
} OpeningsStanding;

/* The standings of all classes, to be freed; NULL with an error if memory runs out. */
OpeningsStanding *openings_standings(const Run *run, Error *error);

/* The 95% interval of a class's win rate: Wilson's for the effective games. */
Interval openings_interval(const OpeningsStanding *standing);

/* The class that is most probably the fairest. */
int openings_fairest(const Run *run, const OpeningsStanding *standings);

/* The name of an action of the first move. */
void openings_format(const Run *run, Action action, char out[GAME_TEXT_MAX]);

/* The exact document that belongs to the run; *exact becomes NULL where there is none. The caller deletes it. False
 * with an error. */
bool openings_exact(const Run *run, cJSON **exact, Error *error);

#endif
