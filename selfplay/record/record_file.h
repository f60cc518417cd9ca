/* The record file of a run. A game counts as played if it is in this file.
 *
 * Every finished game is appended at once as a whole line and synced to disk. When a run is resumed, it reads the lines
 * back, and each must be a game of this run. Its id is GROUP-NUMBER ("800-17"), and the run says which groups count.
 * When a run ends, the file is sorted by group and number, so equal runs end with equal files. While the file is open,
 * no other process can use it.
 *
 * A file that was packed for publication, FILE.zst (zstd_file.h), is read where FILE is missing or empty. To play on,
 * it is unpacked first. */
#ifndef STIGMERGY_SELFPLAY_RECORD_RECORD_FILE_H
#define STIGMERGY_SELFPLAY_RECORD_RECORD_FILE_H

#include "selfplay/io/line_file.h"
#include "selfplay/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RECORD_NUMBER_MAX = 1000000000, RECORD_GROUP_KEPT = -1, RECORD_GROUP_UNKNOWN = -2 };

typedef struct RecordFile {
    LineFile lines;
    char run[RECORD_RUN_MAX]; /* the identity of the run; every record carries it */
    const Game *game;
    bool torn;                   /* the file ended in a torn line, which was cut off */
    int repeated;                /* records that were in the file twice and counted once */
    int kept;                    /* records of groups that do not count in this session, */
    char kept_id[RECORD_ID_MAX]; /* and the id of one of them */
} RecordFile;

/* A game of a run: the run's number of its group, and its number in the group. */
typedef struct GameId {
    int group, number;
} GameId;

/* The name of a game in records, "GROUP-NUMBER". */
void game_id_format(const char *group, int number, char out[RECORD_ID_MAX]);

/* The number in a name of `length` bytes that is written like that; *group becomes the length of GROUP, which need not
 * be one of any run. -1 for any other text: a number has no needless zeros and is below RECORD_NUMBER_MAX. */
int game_id_number(const char *id, size_t length, size_t *group);

/* The groups of a run. */
typedef struct RecordGroups {
    /* The number of the group with this name. RECORD_GROUP_KEPT if the group does not count in this session: then its
     * games are checked and kept, but not entered. RECORD_GROUP_UNKNOWN if no session of this run has such a group:
     * then the game is an error. */
    int (*find)(void *user, const char *name, size_t length);
    /* Enters a game that was read back. Games come in the order of groups and numbers. False with an error. */
    bool (*enter)(void *user, const char *source, GameId id, const GameRecord *record, Error *error);
    /* Whether a game belongs into the finished file. */
    bool (*keep)(void *user, GameId id);
    void *user;
} RecordGroups;

/* The record file of a result: FILE.records.jsonl for FILE.json. False with an error if the path is too long or
 * ends in a slash. */
bool record_file_path(const char *result, char path[FILE_PATH_MAX], Error *error);

/* Whether a path ends like that of a record file, packed or not. */
bool record_file_named(const char *path);

/* Refuses such a path where a result is expected: false with an error. */
bool record_file_no_result(const char *path, Error *error);

/* Whether there is such a file, or a packed one: PATH.zst. */
bool record_file_exists(const char *path);

/* The name of the file that is there, for people: the packed one, which is written to `packed`, where that stands
 * alone. */
const char *record_file_shown(const char *path, char packed[FILE_PATH_MAX]);

/* Reads the file without changing it and enters its games. Several processes may do this at the same time. A torn last
 * line is skipped. A missing file has no games. */
bool record_file_read(const char *path, const Game *game, const char *run, const RecordGroups *groups, Error *error);

/* The same for the text of a file that has been read. `path` names it in errors. */
bool record_text_read(const char *path, const char *text, size_t length, const Game *game, const char *run,
                      const RecordGroups *groups, Error *error);

/* Opens the file, creates it if it is missing, and locks it: from then on no other process writes to it. After the
 * call, also if it failed, record_file_close closes the file. A file that may be closed without having been opened must
 * be zero-initialized with lines.descriptor = -1. */
bool record_file_open(RecordFile *file, const char *path, const Game *game, const char *run, Error *error);

/* Reads back the games of a file that has been opened. To be called before games are appended. */
bool record_file_load(RecordFile *file, const RecordGroups *groups, Error *error);

bool record_file_close(RecordFile *file, Error *error);

/* Appends a game. It is safe against a crash at any moment, but only one thread at a time may call it. */
bool record_file_append(RecordFile *file, const GameRecord *record, Error *error);

/* Adds `length` bytes of lines to the file and sorts it as below, in one step: all of it or nothing. */
bool record_file_join(RecordFile *file, const char *more, size_t length, const RecordGroups *groups, Error *error);

/* Sorts the file by group and number, with each game once, and removes the games that are not to be kept. */
bool record_file_sort(RecordFile *file, const RecordGroups *groups, Error *error);

#ifdef __cplusplus
}
#endif

#endif
