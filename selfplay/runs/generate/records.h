/* The records of a data set: JSON lines (selfplay/record/record.h) of games "game-0", "game-1", ... on boards of
 * several sizes, in plain files and in packed ones. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORDS_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_RECORDS_H

#include "selfplay/record/record.h"
#include "selfplay/runs/generate/config.h"
#include "selfplay/runs/generate/record_files.h"

/* The group of all games (selfplay/runs/run.h). */
#define SELFPLAY_GROUP "game"

/* The games of a run by board size, and what every record of it carries: what is needed to read its records. */
typedef struct SelfplayBoards {
    Game *game[HEXHEX_MAX_SIZE + 1]; /* NULL: no size of this run */
    char run[RECORD_RUN_MAX];
    uint64_t seed;                /* of the run */
    char player[PLAYER_NAME_MAX]; /* who plays */
} SelfplayBoards;

/* Makes the games of a checked configuration. To be closed by selfplay_boards_close, also if it failed. */
bool selfplay_boards_open(SelfplayBoards *boards, const SelfplayConfig *config, Error *error);
void selfplay_boards_close(SelfplayBoards *boards);

/* The number of the game with this name; -1 if it is not the name of a game. */
int64_t selfplay_game_number(const char *id);

/* The same for the name with which a line begins, as record_to_line writes it; -1 if it begins otherwise. */
int64_t selfplay_line_number(const char *line);

/* A game that was read and replayed, until the visitor returns. */
typedef struct SelfplayFound {
    const Game *game;
    int64_t number; /* of its name */
    const GameRecord *record;
    const char *line; /* its text, without the newline */
    size_t length;
} SelfplayFound;

/* False with an error ends the visit. */
typedef bool SelfplayVisitor(void *user, const SelfplayFound *found, Error *error);

/* Reads every line of a text; `source` names it in errors. */
bool selfplay_visit_text(const SelfplayBoards *boards, const char *source, const char *text, size_t length,
                         SelfplayVisitor *visitor, void *user, Error *error);

/* Reads all games of the files, one file after the other. */
bool selfplay_files_visit(const RecordFiles *files, const SelfplayBoards *boards, SelfplayVisitor *visitor, void *user,
                          Error *error);

#endif
