/* See line_file.h. */
#include "selfplay/io/line_file.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { READERS_TRIES = 250, READERS_PAUSE = 20000000 }; /* 5 seconds in all; nanoseconds */

/* Uses flock, because the lock of fcntl would end when any descriptor of the file is closed. On a parallel file system
 * without locks, the file is used without a lock. 1: locked; 0: others have it; -1: an error, with errno. */
static int try_lock(int descriptor, int how) {
    if (flock(descriptor, how | LOCK_NB) == 0 || errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK)
        return 1;
    return errno == EWOULDBLOCK ? 0 : -1;
}

static bool is_taken(Error *error, const char *path, const char *how) {
    error_set(error, "%s: another process is %s it", path, how);
    if (error)
        error->passing = true;
    return false;
}

static bool lock_to_read(int descriptor, const char *path, Error *error) {
    const int locked = try_lock(descriptor, LOCK_SH);
    return locked > 0 || (locked < 0 ? file_failed(error, path, "lock") : is_taken(error, path, "writing to"));
}

/* Waits for readers, who are soon done: while they have the file, it can be shared. */
static bool lock_to_write(int descriptor, const char *path, Error *error) {
    for (int i = 0; i < READERS_TRIES; i++) {
        const int locked = try_lock(descriptor, LOCK_EX);
        if (locked != 0)
            return locked > 0 || file_failed(error, path, "lock");
        if (try_lock(descriptor, LOCK_SH) <= 0)
            return is_taken(error, path, "writing to");
        flock(descriptor, LOCK_UN); /* or two that wait would wait for each other */
        nanosleep(&(struct timespec){.tv_nsec = READERS_PAUSE}, NULL);
    }
    return is_taken(error, path, "reading");
}

/* Opens and locks the file that a path leads to. If another process replaced it in between, *again becomes true. */
static int open_locked(const char *target, const char *path, bool *again, Error *error) {
    const int descriptor = open(target, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat opened, named = {.st_ino = 0}; /* which no file has */
    *again = false;
    if (descriptor < 0) {
        file_failed(error, path, "open");
    } else if (!lock_to_write(descriptor, path, error)) {
        /* `error` is set already */
    } else if (fstat(descriptor, &opened) != 0) {
        file_failed(error, path, "read");
    } else if (!S_ISREG(opened.st_mode)) {
        error_set(error, "%s: expected a regular file", path);
    } else if (stat(target, &named) != 0 && errno != ENOENT) {
        file_failed(error, path, "read");
    } else if (opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
        *again = true;
    } else {
        return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

bool line_file_open(LineFile *file, const char *path, Error *error) {
    file->descriptor = -1;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return error_set(error, "%.80s...: the path is too long", path);
    bool again;
    int descriptor;
    do {
        if (!file_follow_links(path, file->target))
            return file_failed(error, path, "open");
        descriptor = open_locked(file->target, path, &again, error);
    } while (again);
    if (descriptor < 0)
        return false;
    const bool good = file_sync_folder_of(file->target, error);
    if (good)
        file->descriptor = descriptor;
    else
        close(descriptor);
    return good;
}

char *line_file_read(const char *path, size_t *length, Error *error) {
    const int descriptor = file_open_to_read(path);
    if (descriptor < 0 && errno != ENOENT) {
        file_failed(error, path, "read");
        return NULL;
    }
    char *text = NULL;
    if (descriptor < 0) {
        text = calloc(1, 1);
        *length = 0;
        if (!text)
            error_set(error, "%s: out of memory", path);
    } else if (lock_to_read(descriptor, path, error)) {
        text = file_read(path, length, error);
    }
    if (descriptor >= 0)
        close(descriptor);
    while (text && *length > 0 && text[*length - 1] != '\n')
        text[--*length] = '\0';
    return text;
}

bool line_file_append(LineFile *file, const char *text, size_t length, Error *error) {
    const off_t before = lseek(file->descriptor, 0, SEEK_END);
    if (!file_write_all(file->descriptor, text, length)) {
        file_failed(error, file->path, "write");
        const bool cut = before >= 0 && ftruncate(file->descriptor, before) == 0;
        (void)cut; /* if this failed, the next session finds a torn line */
        return false;
    }
    return fsync(file->descriptor) == 0 || file_failed(error, file->path, "write");
}

bool line_file_cut(LineFile *file, size_t length, Error *error) {
    return ftruncate(file->descriptor, (off_t)length) == 0 || file_failed(error, file->path, "write");
}

bool line_file_remove_empty(LineFile *file, Error *error) {
    if (file->descriptor < 0)
        return true;
    const off_t length = lseek(file->descriptor, 0, SEEK_END);
    if (length != 0)
        return length > 0 || file_failed(error, file->path, "read");
    return file_remove(file->target, error);
}

bool line_file_close(LineFile *file, Error *error) {
    if (file->descriptor < 0)
        return true;
    const bool good = file_close(file->descriptor, fsync(file->descriptor) == 0);
    file->descriptor = -1;
    return good || file_failed(error, file->path, "write");
}

bool line_file_replace(LineFile *file, const char *text, size_t length, Error *error) {
    LineFile old = *file;
    if (!file_write(old.path, text, length, error))
        return false;
    const bool good = line_file_open(file, old.path, error);
    return line_file_close(&old, good ? error : NULL) && good;
}
