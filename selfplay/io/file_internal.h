/* What those that read and write files have in common: file.c, atomic_file.c and line_file.c. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_INTERNAL_H
#define STIGMERGY_SELFPLAY_IO_FILE_INTERNAL_H

#include "selfplay/io/file.h"

/* Says what cannot be done to a file, with errno's reason, and whether that may pass. Returns false. */
bool file_failed(Error *error, const char *path, const char *what);

/* Follows symbolic links to a path that is none. It need not exist. False with errno. */
bool file_follow_links(const char *path, char target[FILE_PATH_MAX]);

/* Opens a file that is only read; -1 with errno. A FIFO, which nobody may write to, is opened at once: the caller finds
 * out that it is no regular file. */
int file_open_to_read(const char *path);

/* Writes all bytes to a descriptor; false with errno. */
bool file_write_all(int descriptor, const char *text, size_t length);

/* Closes a descriptor after work that went well or not (`good`). False with errno where the work or the closing failed;
 * where both did, the reason is that of the work. */
bool file_close(int descriptor, bool good);

/* Makes sure that the names in an open folder are on the disk; false with errno. Some file systems know no such thing:
 * there it does nothing. */
bool file_sync_folder(int folder);

/* The same for the folder that a file or folder is in; false with an error. */
bool file_sync_folder_of(const char *path, Error *error);

#endif
