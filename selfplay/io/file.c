/* See file.h. */
#include "selfplay/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(Error *error, const char *path, const char *what) {
    return error_set(error, "%s: cannot %s: %s", path, what, strerror(errno));
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
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

static bool write_all(int descriptor, const char *text, size_t length) {
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

char *file_read(const char *path, size_t *length, Error *error) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        failed(error, path, "read");
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
            failed(error, path, "read");
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

static void sync_folder_of(const char *path) {
    char copy[FILE_PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
}

bool file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_path_in(const char *folder, const char *name, char out[FILE_PATH_MAX], Error *error) {
    return snprintf(out, FILE_PATH_MAX, "%s/%s", folder, name) < FILE_PATH_MAX ||
           error_set(error, "%.80s...: the path is too long", folder);
}

bool file_make_folder(const char *path, Error *error) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           error_set(error, "%s: cannot make the folder: %s", path, strerror(errno));
}

bool file_write(const char *path, const char *text, size_t length, Error *error) {
    char temporary[FILE_PATH_MAX];
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
        return error_set(error, "%.80s...: the path is too long", path);
    const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0)
        return failed(error, path, "write");
    bool good = write_all(descriptor, text, length) && fsync(descriptor) == 0;
    int reason = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        unlink(temporary);
        errno = reason;
        return failed(error, path, "write");
    }
    sync_folder_of(path);
    return true;
}

/* Cuts off what follows the last newline of the file. */
static bool cut_torn_line(int descriptor, bool *torn) {
    const off_t size = lseek(descriptor, 0, SEEK_END);
    off_t end = size;
    char block[4096];
    while (end > 0) {
        const off_t start = end > (off_t)sizeof block ? end - (off_t)sizeof block : 0;
        if (lseek(descriptor, start, SEEK_SET) < 0 || read_all(descriptor, block, (size_t)(end - start)) != end - start)
            return false;
        while (end > start && block[end - start - 1] != '\n')
            end--;
        if (end > start)
            break;
    }
    *torn = end != size;
    return !*torn || ftruncate(descriptor, end) == 0;
}

/* Uses flock, because the lock of fcntl would end when any descriptor of the file is closed. On a parallel file system
 * without locks, the file is used without a lock. */
static bool lock(int descriptor, int how, const char *path, Error *error) {
    if (flock(descriptor, how | LOCK_NB) == 0 || errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK)
        return true;
    return errno == EWOULDBLOCK ? error_set(error, "%s: another process is writing to it", path)
                                : failed(error, path, "lock");
}

/* Opens and locks the file. If another process replaced the file in between, *again becomes true. */
static int open_locked(const char *path, bool *again, Error *error) {
    const int descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    struct stat opened, named;
    *again = false;
    if (descriptor < 0) {
        failed(error, path, "open");
    } else if (!lock(descriptor, LOCK_EX, path, error)) {
        /* `error` is set already */
    } else if (fstat(descriptor, &opened) != 0) {
        failed(error, path, "read");
    } else if (stat(path, &named) != 0 || opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
        *again = true;
    } else {
        return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

bool line_file_open(LineFile *file, const char *path, bool *torn, Error *error) {
    file->descriptor = -1;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path)
        return error_set(error, "%.80s...: the path is too long", path);
    bool again;
    int descriptor;
    do
        descriptor = open_locked(path, &again, error);
    while (again);
    if (descriptor < 0)
        return false;
    if (!cut_torn_line(descriptor, torn)) {
        failed(error, path, "read");
        close(descriptor);
        return false;
    }
    sync_folder_of(path);
    file->descriptor = descriptor;
    return true;
}

char *line_file_read(const char *path, size_t *length, Error *error) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno != ENOENT) {
        failed(error, path, "read");
        return NULL;
    }
    char *text = NULL;
    if (descriptor < 0) {
        text = calloc(1, 1);
        *length = 0;
        if (!text)
            error_set(error, "%s: out of memory", path);
    } else if (lock(descriptor, LOCK_SH, path, error)) {
        text = file_read(path, length, error);
    }
    if (descriptor >= 0)
        close(descriptor);
    while (text && *length > 0 && text[*length - 1] != '\n')
        text[--*length] = '\0';
    return text;
}

bool line_file_append(LineFile *file, const char *text, size_t length, bool sync, Error *error) {
    const off_t before = lseek(file->descriptor, 0, SEEK_END);
    if (!write_all(file->descriptor, text, length)) {
        failed(error, file->path, "write");
        const bool cut = before >= 0 && ftruncate(file->descriptor, before) == 0;
        (void)cut; /* if this failed, the torn line is cut off when the file is next opened */
        return false;
    }
    if (sync && fsync(file->descriptor) != 0)
        return failed(error, file->path, "write");
    return true;
}

bool line_file_cut(LineFile *file, size_t length, Error *error) {
    return ftruncate(file->descriptor, (off_t)length) == 0 || failed(error, file->path, "write");
}

bool line_file_close(LineFile *file, Error *error) {
    if (file->descriptor < 0)
        return true;
    const bool good = fsync(file->descriptor) == 0;
    const bool closed = close(file->descriptor) == 0;
    file->descriptor = -1;
    return (good && closed) || failed(error, file->path, "write");
}

bool line_file_replace(LineFile *file, const char *text, size_t length, Error *error) {
    LineFile old = *file;
    bool torn;
    if (!file_write(old.path, text, length, error))
        return false;
    const bool good = line_file_open(file, old.path, &torn, error);
    line_file_close(&old, NULL);
    return good;
}
