/* Positions of known value, and the file that they are kept in: the yardstick of players.
 *
 * A position is stored with the komi at which the side to move just wins. So the player must find one of the best
 * moves, and there is no room for error. At the next komi of the same parity (the button belongs to odd komi) the same
 * side just loses, unless that komi is beyond the board. So a position asks two questions whose answers are known: who
 * wins at `komi`, and who at the losing komi.
 *
 * The file is lines of JSON, compressed by Zstandard if its name ends in .zst. The first line describes it:
 *
 *     {"schema": {"name": "stigmergy-truth-positions", "version": 1}, "program": {...}, "game": "stigmergy", "size": 4,
 *      "seed": "17", "positions": 1000, "made": {...}, "left_out": {...}, "provenance": "..."}
 *
 * and every other line is a position:
 *
 *     {"moves": "d4 c3 e4", "komi": 4, "value": 5, "wins": "d2 f3", "source": "game"}
 *
 * `moves` are the turns that lead to it. `value` is Black's margin with best play, in points, komi left out (with the
 * button's half point). `wins` are all moves that win at `komi`; each move that is not among them loses. `source` is
 * where the position comes from: "turns" (all ways to begin), "random" (random turns) or "game" (a game of players). */
#ifndef STIGMERGY_SELFPLAY_TRUTH_POSITIONS_H
#define STIGMERGY_SELFPLAY_TRUTH_POSITIONS_H

#include "engine/game/beginnings.h"
#include "engine/game/history.h"
#include "selfplay/io/document.h"

extern const DocumentSchema truth_positions_schema; /* of the file */

typedef enum TruthSource { TRUTH_TURNS, TRUTH_RANDOM, TRUTH_GAME, TRUTH_SOURCES } TruthSource;

extern const char *const truth_source_names[TRUTH_SOURCES];

typedef struct TruthPosition {
    Action *actions; /* that lead to it; owned */
    int count;
    int komi;        /* at which the side to move just wins */
    int half_points; /* the value */
    uint64_t wins[GAME_ACTION_WORDS];
    TruthSource source;
    /* What follows from the actions: */
    Side mover;
    int empty;          /* cells */
    int legal, winning; /* number of moves, and of those that win */
    uint64_t key;       /* equal for symmetric positions, see game_class_key */
} TruthPosition;

typedef struct TruthSet {
    Game *game; /* owned */
    TruthPosition *list;
    int count, capacity;
    char hash[20]; /* of the file's text */
} TruthSet;

enum { TRUTH_POSITIONS_MAX = 1000000 };

/* An empty set for a game; false with an error, also for a game without points. To be freed by truth_set_free in any
 * case. */
bool truth_set_init(TruthSet *set, const GameOptions *options, Error *error);
void truth_set_free(TruthSet *set);

/* Adds a position, whose actions then belong to the set (and position->actions is NULL). False without memory: they
 * stay the caller's. */
bool truth_set_add(TruthSet *set, TruthPosition *position, Error *error);

/* The position at a komi of the same parity. `history` may be NULL. */
void truth_replay(const Game *game, const TruthPosition *position, int komi, GameState *state, GameHistory *history);

/* Fills in what follows from the actions. */
void truth_complete(const Game *game, TruthPosition *position);

/* The komi at which the side to move just wins a position of this value, and that at which it just loses. Komi is at
 * most the number of cells either way: truth_komi_fits. */
int truth_winning_komi(int half_points, bool button, Side mover);
int truth_losing_komi(const TruthPosition *position);
bool truth_komi_fits(const Game *game, int komi);

static inline bool truth_wins(const TruthPosition *position, Action action) {
    return position->wins[action / 64] >> action % 64 & 1;
}

/* Reads a set. Every position must be legal, not over, and agree with itself: the value with the komi, the winning
 * moves with the legal ones. Not checked is whether the values are true. False with an error that names the line. */
bool truth_set_read(const char *path, TruthSet *set, Error *error);

/* The same for the text of a file. */
bool truth_set_parse(const char *text, size_t length, const char *source, TruthSet *set, Error *error);

/* Writes a set. `made` and `left_out` (both are deleted) go into the first line as they are. */
bool truth_set_write(const TruthSet *set, uint64_t seed, cJSON *made, cJSON *left_out, const char *path, Error *error);

#endif
