/* What the games of a fair-komi run begin with.
 *
 * In free play the players choose all moves: there is one beginning, the empty board. With `first_moves` each class of
 * first moves, up to the symmetries of the board, is a beginning that games are forced to start with (at odd komi
 * taking the button is one, too). A player who overlooks the best first move cannot hide it then. A game begins with an
 * image of its class that follows from its seed, so that a player whose play depends on the side of the board shows it.
 *
 * A round plans a beginning and a komi for each game: RunGame.plan is lowest komi + beginning * komi values + distance
 * from the lowest komi; in free play that is the komi. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_FIRST_MOVES_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_FIRST_MOVES_H

#include "engine/game/beginnings.h"
#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/komi/convergence.h"
#include "selfplay/runs/run.h"

/* The kind's own part of a run. */
typedef struct KomiState {
    Beginnings beginnings; /* at least one */
    double *guesses;       /* what is thought of each first move (guess.h), owned; NULL until it is needed */
    bool guessed;          /* false: all guesses are 0, for nothing is known of them */
    cJSON *second;         /* what another family of players says (second.h), owned; NULL: none was compared */
    RungValue second_value;
} KomiState;

/* The settings and the beginnings of a run. */
static inline const KomiConfig *komi_config(const Run *run) {
    return (const KomiConfig *)run->config;
}
static inline const Beginnings *komi_beginnings(const Run *run) {
    return &((const KomiState *)run->state)->beginnings;
}

/* Lists the beginnings, to be freed by beginnings_free. False with an error. */
bool komi_list_beginnings(const Game *game, const KomiConfig *config, Beginnings *all, Error *error);

/* How many komi values there are, of both parities; the parts of a plan. */
int komi_values(const KomiConfig *config);
int komi_of_plan(const KomiConfig *config, int plan);
int komi_beginning_of_plan(const KomiConfig *config, int plan);

/* The plan of a game that was played at this komi and began with these actions; KOMI_NO_PLAN if there is none. */
enum { KOMI_NO_PLAN = INT32_MAX };
int komi_plan_of(const Run *run, int komi, const Action *opening, int count);

/* Whether games begin so at odd komi, or at even komi. */
bool komi_beginning_legal(const Run *run, int beginning, bool odd);

/* The actions that a game begins with, for its seed. Returns their number. */
int komi_opening(const Run *run, int beginning, uint64_t seed, Action out[BEGINNING_ACTIONS_MAX]);

/* The name of a first move, and all of its class as an array of names, which the caller deletes. */
void komi_format_beginning(const Run *run, int beginning, char out[GAME_TEXT_MAX]);
cJSON *komi_beginning_images(const Run *run, int beginning);

#endif
