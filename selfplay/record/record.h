/* The record of one game, a JSON line. Every statistic comes from records.
 *
 *     {"id": "800-17", "version": 2, "run": "5b0c...", "game": "stigmergy", "size": 4, "komi": 3, "button": true,
 * "seed": "123", "players": {"black": "default", "white": "default"}, "moves": ["c3", "d4x", "take-button", "pass",
 * ...], "winner": "B", "margin": 4.5, "reason": "score", "check": "90a1..."}
 *
 * `moves` are turns as the rules write them. `margin` is Black's margin in points, komi and button included. It is 0 if
 * the game was forfeited; in a game without points it is 0.5 if Black won and -0.5 if White did. In a record Black is
 * the player who began, also after a swap. `run` is the identity of the run that the game belongs to. `reason` is how
 * the game ended: by the rules ("score", or "no-move" in a game without points), or because a player forfeited it
 * ("illegal", "time", "crash", "resign"). Optional keys:
 *
 *     "capture": "line", "pie": "on"      variants, where they are not the game's usual ones
 *     "opening": 2      number of turns at the beginning that were given, not chosen by the players
 *     "effort": {"black": {"moves": 20, "sims": 16000}, "white": {...}}      moves that were searched, and simulations
 *     "note": "..."     what exactly went wrong in a forfeited game
 *     "searches": {...}     the results of the searches (searches.h)
 *
 * To add a key: make it optional, write it only where it is not the usual value, read it in record_from_json, and leave
 * RECORD_VERSION as it is. So equal games keep equal lines, old records are read as before, and old programs refuse
 * only records that have the key. RECORD_VERSION is about the line itself (record_line.h). If it rises, check_version
 * must still accept the older numbers, because published games have them.
 *
 * Reading a line plays the moves again by the rules. So every record that can be read is a legal game. */
#ifndef STIGMERGY_SELFPLAY_RECORD_RECORD_H
#define STIGMERGY_SELFPLAY_RECORD_RECORD_H

#include "selfplay/record/searches.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RECORD_ID_MAX = 48, RECORD_NAME_MAX = 64, RECORD_RUN_MAX = 20, RECORD_NOTE_MAX = 160 };

typedef enum EndReason { END_SCORE, END_NO_MOVE, END_ILLEGAL, END_TIME, END_CRASH, END_RESIGN, END_REASONS } EndReason;

extern const char *const end_reason_names[END_REASONS];

/* Whether the game ended because a player failed or resigned, not by the rules. */
static inline bool end_is_forfeit(EndReason reason) {
    return reason != END_SCORE && reason != END_NO_MOVE;
}

/* Whether the game ended because a player failed: it did not resign. */
static inline bool end_is_failure(EndReason reason) {
    return end_is_forfeit(reason) && reason != END_RESIGN;
}

/* The effort of one side in one game. */
typedef struct RecordEffort {
    int moves;            /* searches that ran (one for each action of a turn), or turns that an engine answered */
    uint64_t simulations; /* of all searches */
    double seconds;       /* of all moves. This and the fields below depend on the machine and are not written */
    double longest;
    int overruns; /* see selfplay/players/contest.h */
} RecordEffort;

typedef struct GameRecord {
    char id[RECORD_ID_MAX];   /* unique in a run */
    char run[RECORD_RUN_MAX]; /* the run's identity, "" for none */
    int komi;
    uint64_t seed;
    char players[2][RECORD_NAME_MAX];
    Action *actions; /* all actions of the game, owned by the record */
    int count, capacity;
    int opening_actions; /* number of actions, from the first on, that were given */
    GameResult result;
    EndReason reason;
    char note[RECORD_NOTE_MAX]; /* "" for none */
    bool has_effort;            /* whether `effort` is written */
    RecordEffort effort[2];
    RecordSearches searches; /* not written if empty */
} GameRecord;

/* Empties a record for reuse but keeps its memory. Zero-initialize a record before its first use. */
void record_clear(GameRecord *record);
void record_free(GameRecord *record);

/* Ends the game: `loser` forfeits it. `note` is "" for none, not NULL. */
void record_forfeit(GameRecord *record, Side loser, EndReason reason, const char *note);

/* Appends an action. False without memory. */
bool record_add(GameRecord *record, Action action, Error *error);

/* The record as a line with its newline. NULL with an error if memory runs out. The caller frees it. */
char *record_to_line(const GameRecord *record, const Game *game, Error *error);

/* Reads a line and plays its moves. False with an error if one of these holds: it is not valid JSON; it was changed
 * after it was written (record_line.h); a key is wrong; the game, size or a variant that it names is not that of
 * `game`; a move is illegal; the game does not end and was not forfeited; the result does not follow from the moves.
 * After an error, too, the record belongs to the caller, with a part of the game in it: it can be read into again, and
 * record_free frees it. */
bool record_from_line(const char *line, size_t length, const char *source, const Game *game, GameRecord *record,
                      Error *error);

/* The same for a line that record_line_parse has parsed, or for JSON whose text does not matter. The JSON stays the
 * caller's. */
bool record_from_json(const cJSON *json, const char *source, const Game *game, GameRecord *record, Error *error);

/* Whether a game that was read back has this seed and these players, by side. False with an error. */
bool record_has_origin(const GameRecord *record, const char *source, uint64_t seed, const char *const players[2],
                       Error *error);

/* The number of turns that the players began. */
int record_turns(const GameRecord *record, const Game *game);

/* A hash that is equal for games with the same komi and, up to a symmetry of the board, the same moves. */
uint64_t record_canonical_hash(const GameRecord *record, const Game *game);

#ifdef __cplusplus
}
#endif

#endif
