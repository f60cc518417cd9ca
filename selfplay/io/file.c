/* See file.h. */
#include "selfplay/io/file.h"

#include "selfplay/io/file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the machine lacks something for now: the same call may succeed later. */
static bool is_passing(int reason) {
    static const int passing[] = {EAGAIN, EDQUOT, EINTR, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, ESTALE, ETIMEDOUT};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (reason == passing[i])
            return true;
    return false;
}

bool file_failed(Error *error, const char *path, const char *what) {
    const int reason = errno;
    error_set(error, "%s: cannot %s: %s", path, what, strerror(reason));
    if (error)
        error->passing = is_passing(reason);
    return false;
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Reads up to `size` bytes from a descriptor. Returns the number of bytes, or -1. */
static ssize_t read_all(int descriptor, char *buffer, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(descriptor, buffer + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

bool file_write_all(int descriptor, const char *text, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t put = write(descriptor, text + done, length - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

int file_open_to_read(const char *path) {
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

char *file_read(const char *path, size_t *length, Error *error) {
    const int descriptor = file_open_to_read(path);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        file_failed(error, path, "read");
        if (descriptor >= 0)
            close(descriptor);
        return NULL;
    }
    char *text = NULL;
    if (!S_ISREG(status.st_mode)) {
        error_set(error, "%s: expected a regular file", path);
    } else if (!(text = malloc((size_t)status.st_size + 1))) {
        error_set(error, "%s: out of memory for %lld bytes", path, (long long)status.st_size);
    } else {
        const ssize_t got = read_all(descriptor, text, (size_t)status.st_size);
        if (got < 0) {
            file_failed(error, path, "read");
            free(text);
            text = NULL;
        } else {
            text[got] = '\0';
            if (length)
                *length = (size_t)got;
        }
    }
    close(descriptor);
    return text;
}

/* *there: whether anything is at `path`, and then its status. */
static bool look(const char *path, struct stat *status, bool *there, Error *error) {
    *there = stat(path, status) == 0;
    return *there || errno == ENOENT || errno == ENOTDIR || file_failed(error, path, "read");
}

bool file_is_folder(const char *path, bool *is, Error *error) {
    struct stat status;
    const bool good = look(path, &status, is, error);
    *is = *is && S_ISDIR(status.st_mode);
    return good;
}

bool file_expect_folder(const char *path, bool may_be_made, Error *error) {
    struct stat status;
    bool there;
    if (!look(path, &status, &there, error))
        return false;
    if (!there)
        return may_be_made || error_set(error, "%s: no such folder", path);
    return S_ISDIR(status.st_mode) || error_set(error, "%s: is a file, expected a folder", path);
}

bool file_is_same(const char *path, const char *other, bool *same, Error *error) {
    struct stat first, second;
    bool both;
    const bool good = look(path, &first, same, error) && look(other, &second, &both, error);
    *same = good && *same && both && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    return good;
}

const char *file_name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_path_in(const char *folder, const char *name, char out[FILE_PATH_MAX], Error *error) {
    return snprintf(out, FILE_PATH_MAX, "%s/%s", folder, name) < FILE_PATH_MAX ||
           error_set(error, "%.80s...: the path is too long", folder);
}

bool file_close(int descriptor, bool good) {
    const int reason = errno;
    const bool closed = close(descriptor) == 0;
    if (!good)
        errno = reason;
    return good && closed;
}

bool file_sync_folder(int folder) {
    return fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool file_sync_folder_of(const char *path, Error *error) {
    char copy[FILE_PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return (folder >= 0 && file_close(folder, file_sync_folder(folder))) || file_failed(error, path, "sync the folder");
}

bool file_make_folder(const char *path, Error *error) {
    if (mkdir(path, 0777) == 0)
        return file_sync_folder_of(path, error);
    return errno == EEXIST || error_set(error, "%s: cannot make the folder: %s", path, strerror(errno));
}

bool file_remove(const char *path, Error *error) {
    if (unlink(path) == 0)
        return file_sync_folder_of(path, error);
    return errno == ENOENT || file_failed(error, path, "remove");
}
