/* A file of lines that grows: every line is appended whole, and is on the disk when that returns. A crash can leave a
 * part of a line at the end. line_file_open leaves it there, because the file may be somebody else's. A caller who has
 * checked that the lines are its own cuts it off (line_file_cut). One process at a time may write. */
#ifndef STIGMERGY_SELFPLAY_IO_LINE_FILE_H
#define STIGMERGY_SELFPLAY_IO_LINE_FILE_H

#include "selfplay/io/file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LineFile {
    int descriptor; /* -1: not open. line_file_open sets it; if the file may be closed without that, set it first */
    char path[FILE_PATH_MAX];
    char target[FILE_PATH_MAX]; /* the file itself, where the path is a symbolic link */
} LineFile;

/* Reads the whole lines of such a file. Other processes may read it at the same time, but none may write to it. Text
 * after the last newline is left out. A missing file has no lines. The caller frees the result. NULL with an error. */
char *line_file_read(const char *path, size_t *length, Error *error);

/* Opens the file for appending, and creates it if it is missing; a symbolic link is followed and stays. Locks it
 * against a second writer, if the file system has locks; waits some seconds for those who read it. */
bool line_file_open(LineFile *file, const char *path, Error *error);

/* Appends text, which must end in a newline, with one write, and syncs it to disk. */
bool line_file_append(LineFile *file, const char *text, size_t length, Error *error);

/* Cuts the file to its first `length` bytes. */
bool line_file_cut(LineFile *file, size_t length, Error *error);

/* Removes an open file that has no lines. It must still be closed. */
bool line_file_remove_empty(LineFile *file, Error *error);

/* Closes the file, where it is open. False with an error if something may not be on the disk. */
bool line_file_close(LineFile *file, Error *error);

/* Replaces the whole file in one step, as file_write does, and locks the new one. A process that takes the new file
 * before it is locked again keeps it: that is an error here, and nothing is lost. */
bool line_file_replace(LineFile *file, const char *text, size_t length, Error *error);

#ifdef __cplusplus
}
#endif

#endif
