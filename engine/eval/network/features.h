/* What a network sees of a position: the planes and globals of engine/game/planes.h as numbers from the view of the
 * side to move.
 *
 * A feature set is a list of planes, each with a name that training uses too. A plane is 64 on a cell (the value 1)
 * where a plane of planes.h is at least some number there, and 0 elsewhere; "own" and "enemy" are the black and white
 * of planes.h, or the other way round, by the colour to move. A set is never changed once networks were trained on it:
 * a new list gets a new name. The last planes up to a multiple of 4 are 0.
 *
 *   stigmergy-1  on, own, enemy, own_seen >= 1 to 6, enemy_seen >= 1 to 6, own_control, enemy_control, edge, corner
 *   groups-3     on, own, enemy, own_size >= 2 to 6, enemy_size >= 2 to 6, own_touch >= 1 to 3, enemy_touch >= 1 to 3,
 *                turn, legal, edge, corner; for games with groups and with turns of several actions
 *   bug-2        groups-3, and before edge: own_place >= 1 to 6, enemy_place >= 1 to 6, own_capture, enemy_capture
 * "on" is 1 on every cell; "edge" where a cell has fewer than six neighbours, corners included; "corner" where it has
 * three.
 *
 * The globals do not belong to a set: they follow from the game. Games without groups have those of the first table,
 * games with groups those of the second in some places. Global i is n/64, with the whole number n of this table, cut
 * off at -127 and 127. Points are the mover's. >> rounds down.
 *
 *    i  n
 *    0  64
 *    1  4 * komi, positive where it is the mover's (minus komi for Black, komi for White)
 *    2  komi, likewise
 *    3  the lead in half points, were the game to end now with what each side controls: GameRules.result
 *    4  that >> 2
 *    5, 6, 7  64 where the button is on the table, the mover's, the opponent's
 *    8  64 where komi is odd
 *    9  64 after a pass
 *   10  64 where the turn has begun
 *   11  16 * (size - 6)
 *   12  (127 * empty cells + floor(cells / 2)) / cells, rounded down
 *   13  16 * actions of the turn so far
 *   14, 15  0
 *
 * Games without points have 0 at 8; those of them that have no groups either, also at 1 to 4. Games with groups have
 * the following at 1 to 8, 14 and 15 instead. A cell is free for a side if it is empty and touches at most one of its
 * groups; in a set with own_place and enemy_place, if it is one of those. Who runs out of turns first is a matter of
 * odd and even, which a network hardly finds out by itself.
 *
 *    i  n
 *    1, 2  free cells of the mover, of the opponent
 *    3  8 * their difference
 *    4  64 where the number of empty cells is odd
 *    5  cells that are free for both
 *    6  64 where their number is odd
 *    7, 8  16 * free cells where a capture would follow a stone of the mover, of the opponent; 0 in other sets
 *   14, 15  64 where the number of free cells is odd, of the mover, of the opponent
 *
 * A network sees no option of the game: not which captures there are, nor whether the mover may swap. Nor does it have
 * to see the latter: the evaluator knows what a swap is worth (network_evaluator.c). */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_FEATURES_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_FEATURES_H

#include "engine/eval/network/network.h"
#include "engine/game/planes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FeatureSet FeatureSet;

/* The set with this name. If there is none, NULL with an error that lists the names. */
const FeatureSet *feature_set(const char *name, Error *error);

/* The number of planes of a set, a multiple of 4. */
int feature_set_planes(const FeatureSet *set);

/* A feature set made ready for a game of one size. */
typedef struct FeatureEncoder {
    const Game *game;
    int planes;
    struct {
        int source[2]; /* the plane of planes.h by the colour to move, -1 for a plane that is always the same */
        uint8_t least; /* from which number on it is 1 */
    } plane[NETWORK_PLANES_MAX];
    int touch[2];       /* the planes of planes.h that count groups touched, by colour; -1 in games without groups */
    int place[2];       /* those of places; -1 if the set has none */
    int capture[2];     /* those of captures; -1 likewise */
    bool needs_actions; /* whether some planes are about actions, not only about the board */
    NetworkInput same;  /* the planes that are always the same; the others are 0 */
} FeatureEncoder;

/* False with an error if the game lacks what the set is made of. */
bool feature_encoder_init(FeatureEncoder *encoder, const FeatureSet *set, const Game *game, Error *error);

/* Writes a position, not over, with its history and its `count` legal actions. */
void feature_encode(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history,
                    const Action *legal, int count, NetworkInput *input);

#ifdef __cplusplus
}
#endif

#endif
