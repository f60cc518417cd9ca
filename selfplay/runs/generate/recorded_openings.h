/* Openings from recorded games: where a player is to learn what it did not find by itself.
 *
 * Self-play shows a player only the lines that it likes. Where another player refutes them, it does not see it. So a
 * share of the games can begin in the games of a match against other players (or of any other run). KataGo learnt a
 * problem that it could not solve in this way, from games that began in its lines (Wu 2019, "Deep-Learning the Hardest
 * Go Problem in the World").
 *
 * An opening is the beginning of one of these games on the same board: one turn, or more, up to half of its turns. All
 * games, and all these numbers of turns, have the same chance. Komi is that of the game, and is spread as usual.
 *
 * The games are read when the settings are checked, and again when the first game begins. A hash says which games they
 * are, and belongs to the settings. So a run goes on only with the same games, and a set can be read without them. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORDED_OPENINGS_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORDED_OPENINGS_H

#include "engine/base/rng.h"
#include "selfplay/record/record.h"
#include "selfplay/runs/opening.h"

#include <pthread.h>

enum { RECORDED_HASH_SIZE = 17 /* 16 digits */ };

typedef struct RecordedSettings {
    char from[256]; /* a file or folder of records (record_files.h); "": none, and the rest means nothing */
    char hash[RECORDED_HASH_SIZE]; /* of these records; "": whatever is there */
    double share;                  /* of the games that begin in one of them */
} RecordedSettings;

/* The first half of a game. */
typedef struct RecordedGame {
    int begin; /* its first action in `actions` of RecordedOpenings */
    int turns, komi;
} RecordedGame;

typedef struct RecordedOpenings {
    pthread_mutex_t lock; /* while they are loaded */
    bool tried, loaded;
    Error failure; /* of the loading */
    struct {
        RecordedGame *games;
        int count, capacity;
    } of_size[HEXHEX_MAX_SIZE + 1];
    Action *actions;
    int count, capacity; /* of `actions` */
} RecordedOpenings;

/* Has no games at first. To be closed by recorded_openings_close. */
void recorded_openings_open(RecordedOpenings *openings);
void recorded_openings_close(RecordedOpenings *openings);

/* The hash of the records of `from`, which are read and checked. `games` are those of the run by board size, NULL for
 * other sizes, whose records are skipped. False with an error, also if there is no game on any of the boards. */
bool recorded_openings_hash(const char *from, Game *const games[HEXHEX_MAX_SIZE + 1], char hash[RECORDED_HASH_SIZE],
                            Error *error);

/* Reads the games at the first call, if the settings name some; later calls have its answer. Several threads may call
 * it at once. False with an error, also if their hash is not that of the settings. */
bool recorded_openings_load(RecordedOpenings *openings, const RecordedSettings *settings,
                            Game *const games[HEXHEX_MAX_SIZE + 1], Error *error);

/* Draws turns and komi of an opening. False if there is no game on this board. */
bool recorded_openings_draw(const RecordedOpenings *openings, const Game *game, Rng *rng, Opening *opening);

#endif
