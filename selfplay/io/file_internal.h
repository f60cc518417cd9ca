/* What those that write files have in common: atomic_file.c and line_file.c. */
#ifndef STIGMERGY_SELFPLAY_IO_FILE_INTERNAL_H
#define STIGMERGY_SELFPLAY_IO_FILE_INTERNAL_H

#include "selfplay/io/file.h"

/* Says what cannot be done to a file, with errno's reason. Returns false. */
bool file_failed(Error *error, const char *path, const char *what);

/* Writes all bytes to a descriptor; false with errno. */
bool file_write_all(int descriptor, const char *text, size_t length);

/* Makes sure that the names in an open folder are on the disk; false with errno. Some file systems know no such thing:
 * there it does nothing. */
bool file_sync_folder(int folder);

#endif
