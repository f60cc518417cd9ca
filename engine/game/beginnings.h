/* All ways to begin a game, up to symmetry and transposition: the classes of first turns, of the first two, and so on.
 *
 * Two beginnings are of one class if a symmetry of the board takes the position of one to that of the other. Of each
 * class one member is kept. The list is made turn by turn, and grows fast: it is meant for a few turns, or for all
 * positions of a tiny board. */
#ifndef STIGMERGY_ENGINE_GAME_BEGINNINGS_H
#define STIGMERGY_ENGINE_GAME_BEGINNINGS_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BEGINNING_ACTIONS_MAX = 64 };

/* The actions that lead to a position from the start. */
typedef struct Beginning {
    Action actions[BEGINNING_ACTIONS_MAX];
    int count;
    uint64_t key; /* see game_class_key */
} Beginning;

typedef struct Beginnings {
    Beginning *list; /* owned */
    int count, capacity;
} Beginnings;

/* A number that is equal for two positions if a symmetry takes one to the other, whatever actions led to them; komi is
 * left out. The actions must be legal from the start at this komi. */
uint64_t game_class_key(const Game *game, int komi, const Action *actions, int count);

/* Makes a list that holds the start of the game alone; what *all held before is not freed. False with an error if
 * memory runs out. */
bool beginnings_start(const Game *game, int komi, Beginnings *all, Error *error);

/* Makes the list of all classes with one turn more, in the order of the legal turns. Games that end are left out; the
 * list is empty where all end. False with an error if memory runs out, or where a beginning has too many actions; then
 * the list is incomplete, and is still to be freed. */
bool beginnings_extend(const Game *game, int komi, Beginnings *all, Error *error);

void beginnings_free(Beginnings *all);

#ifdef __cplusplus
}
#endif

#endif
