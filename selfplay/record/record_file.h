/* The record file of a run: what is in it is what has been played.
 *
 * Every finished game is appended as a line, whole, at once, and synced to disk. A run that goes on reads the lines
 * back: each must be a game of this run, and is named GROUP-NUMBER ("800-17"), where the run knows its groups. When a
 * run ends the file is put into the order of groups and numbers, so that equal runs end in equal files. Another
 * process is kept out as long as the file is open. */
#ifndef STIGMERGY_SELFPLAY_RECORD_RECORD_FILE_H
#define STIGMERGY_SELFPLAY_RECORD_RECORD_FILE_H

#include "selfplay/io/file.h"
#include "selfplay/record/record.h"

enum { RECORD_NUMBER_MAX = 1000000000 };

typedef struct RecordFile {
    LineFile lines;
    char run[RECORD_RUN_MAX]; /* the identity of the run, which every record carries */
    const Game *game;
    bool torn;    /* the file ended in a torn line, which was cut off */
    int repeated; /* records that stood in the file twice and were read once */
} RecordFile;

/* A game of a run: its group, as the run numbers them, and its number in the group. */
typedef struct GameId {
    int group, number;
} GameId;

/* The name of a game in records, "GROUP-NUMBER". */
void game_id_format(const char *group, int number, char out[RECORD_ID_MAX]);

/* The groups of a run. */
typedef struct RecordGroups {
    /* The number of the group of that name; -1 where there is none that counts in this session: its games are checked
     * and kept, but not entered. */
    int (*find)(void *user, const char *name, size_t length);
    /* Enters a game that was read back; games come in the order of groups and numbers. False with an error. */
    bool (*enter)(void *user, const char *source, GameId id, const GameRecord *record, Error *error);
    /* Whether a game belongs into the finished file. */
    bool (*keep)(void *user, GameId id);
    void *user;
} RecordGroups;

/* The record file beside a result: FILE.records.jsonl for FILE.json. False with an error where the path is too long. */
bool record_file_path(const char *result, char path[FILE_PATH_MAX], Error *error);

/* Reads the file without changing it and enters its games; to be read by several processes at once. A torn last line is
 * passed over, a file that is missing has no games. */
bool record_file_read(const char *path, const Game *game, const char *run, const RecordGroups *groups, Error *error);

/* The same for the text of a file that has been read; `path` names it in errors. */
bool record_text_read(const char *path, const char *text, size_t length, const Game *game, const char *run,
                      const RecordGroups *groups, Error *error);

/* Opens the file (made where it is missing) and reads it back. To be closed by record_file_close, also where it failed;
 * zero-initialized with lines.descriptor = -1 before that. */
bool record_file_open(RecordFile *file, const char *path, const Game *game, const char *run, const RecordGroups *groups,
                      Error *error);
bool record_file_close(RecordFile *file, Error *error);

/* Appends a game; safe against a crash at any moment, but one thread at a time. */
bool record_file_append(RecordFile *file, const GameRecord *record, Error *error);

/* Takes `length` bytes of more lines into the file and puts it into order, as below, in one step: all or none. */
bool record_file_join(RecordFile *file, const char *more, size_t length, const RecordGroups *groups, Error *error);

/* Puts the file into the order of groups and numbers, each game once, without those that are not to be kept. */
bool record_file_sort(RecordFile *file, const RecordGroups *groups, Error *error);

#endif
