/* Documents that are replaced whole or not at all.
 *
 * The new content goes to a temporary file in the folder of the document. That is synced to disk and gets the
 * document's name, and then the folder is synced. So a reader, a crash or a second writer never meets half a document,
 * and the last writer that is finished wins. The temporary name is random and must be new, so no one can plant a link
 * there. The file is removed again on every way out, but a program that is killed may leave it (file_is_temporary).
 *
 * A path need not name a plain file:
 *   - a symbolic link is followed: the document is made in the folder of its target, and the link stays;
 *   - a device, a FIFO or an open descriptor (/dev/stdout, /dev/fd/3) is written to and stays what it is.
 * "-" is an error here, because commands take it for standard output: no file gets this name by mistake.
 *
 * A file that is replaced keeps its mode, its owner and its group. If the system does not permit that, it is an error
 * and the file stays as it was. */
#ifndef STIGMERGY_SELFPLAY_IO_ATOMIC_FILE_H
#define STIGMERGY_SELFPLAY_IO_ATOMIC_FILE_H

#include "selfplay/io/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces the document at `path` by `length` bytes of text. False with an error. */
bool file_write(const char *path, const char *text, size_t length, Error *error);

/* Finds out before long work whether file_write could write there. Makes a temporary file and removes it; what is at
 * `path` stays as it is, and nothing is sent to what is no plain file. False with the error that file_write would have.
 */
bool file_write_check(const char *path, Error *error);

/* Writes to *does whether file_write to `path` would make or replace the file that `other` leads to, which need not
 * exist yet. False with an error where the system cannot tell. */
bool file_write_replaces(const char *path, const char *other, bool *does, Error *error);

/* Whether file_write would write into what the path names, because that is no plain file: a device, a FIFO, a socket or
 * an open descriptor. Nothing can be kept beside it, and it cannot be read again. */
bool file_is_stream(const char *path);

/* Whether a name, without its folder, is one of a temporary file. A program that was killed may have left it behind. */
bool file_is_temporary(const char *name);

/* Removes the temporary files of all threads. For a signal handler that ends the program next. */
void file_write_interrupted(void);

#ifdef __cplusplus
}
#endif

#endif
