/* The record of one game: what every statistic is made from, one JSON line a game.
 *
 *     {"id": "800-17", "run": "5b0c...", "game": "stigmergy", "size": 4, "komi": 3, "button": true, "seed": "123",
 *      "players": {"black": "default", "white": "default"}, "moves": ["c3", "d4x", "take-button", "pass", ...],
 *      "winner": "B", "margin": 4.5, "reason": "score"}
 *
 * `moves` are turns as the rules write them, `margin` is Black's in points, komi and button included (0 where the game
 * was forfeited); `run` is the identity of the run that the game belongs to. `reason` says how the game ended: by the
 * rules ("score", or "no-move" in a game without points), or because a player forfeited it ("illegal", "time", "crash",
 * "resign"). Keys that are left out where there is nothing to say:
 *
 *     "opening": 2      so many turns at the beginning were given, not chosen by the players
 *     "effort": {"black": {"moves": 20, "sims": 16000}, "white": {...}}      moves thought about, simulations in them
 *     "note": "..."     what exactly went wrong in a forfeited game
 *     "searches": {...}     what was found before each action (searches.h)
 *
 * Reading a line plays the moves again by the rules, so that a record that was read is a game that can have happened.
 */
#ifndef STIGMERGY_SELFPLAY_RECORD_RECORD_H
#define STIGMERGY_SELFPLAY_RECORD_RECORD_H

#include "selfplay/record/searches.h"

enum { RECORD_ID_MAX = 48, RECORD_NAME_MAX = 64, RECORD_RUN_MAX = 20, RECORD_NOTE_MAX = 160 };

typedef enum EndReason { END_SCORE, END_NO_MOVE, END_ILLEGAL, END_TIME, END_CRASH, END_RESIGN, END_REASONS } EndReason;

extern const char *const end_reason_names[END_REASONS];

/* Whether the game was ended by a player's failure or will, not by the rules. */
static inline bool end_is_forfeit(EndReason reason) {
    return reason != END_SCORE && reason != END_NO_MOVE;
}

/* What the moves of a side took in one game. */
typedef struct RecordEffort {
    int moves;            /* that were thought about: searches, or answers of an engine */
    uint64_t simulations; /* of its searches */
    double seconds;       /* of all; this and what follows depends on the machine and is not written */
    double longest;
    int overruns; /* see selfplay/players/contest.h */
} RecordEffort;

typedef struct GameRecord {
    char id[RECORD_ID_MAX];   /* unique in a run */
    char run[RECORD_RUN_MAX]; /* the run's identity, "" for none */
    int komi;
    uint64_t seed;
    char players[2][RECORD_NAME_MAX];
    Action *actions; /* all of them, owned by the record */
    int count, capacity;
    int opening; /* the first so many of them were given */
    GameResult result;
    EndReason reason;
    char note[RECORD_NOTE_MAX]; /* "" for none */
    bool has_effort;            /* whether `effort` is written */
    RecordEffort effort[2];
    RecordSearches searches; /* empty: not written */
} GameRecord;

/* Empties a record for reuse; its arrays stay. Zero-initialize before the first use. */
void record_clear(GameRecord *record);
void record_free(GameRecord *record);

/* Ends the game as `loser` forfeits it. */
void record_forfeit(GameRecord *record, Side loser, EndReason reason, const char *note);

/* Appends an action; false without memory. */
bool record_add(GameRecord *record, Action action, Error *error);

/* The record as one line with its newline, to be freed by the caller; NULL with an error without memory. */
char *record_to_line(const GameRecord *record, const Game *game, Error *error);

/* Reads a line and plays it again; false with an error that names what is wrong: JSON, a key, another game or size than
 * `game`, a move that is not legal, a game that does not end and was not forfeited, a result that is not that of the
 * moves. */
bool record_from_line(const char *line, size_t length, const char *source, const Game *game, GameRecord *record,
                      Error *error);

/* The same from a line that has been parsed. */
bool record_from_json(const cJSON *json, const char *source, const Game *game, GameRecord *record, Error *error);

/* A hash that is equal for games at the same komi whose moves are the same up to a symmetry of the board. */
uint64_t record_canonical_hash(const GameRecord *record, const Game *game);

#endif
