/* See atomic_file.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "selfplay/io/atomic_file.h"

#include "selfplay/io/file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, TRIES = 16, BASE_MAX = 200, DIGITS = 16 };
static const char ending[] = ".tmp";

/* ---- What an interrupted program leaves behind ---- */

enum { FREE, CLAIMED, LIVE, WRITERS_MAX = 64 };

/* The temporary files that exist, for file_write_interrupted. A writer that finds no place here is not cleaned up after
 * a signal. */
static struct {
    atomic_int state;
    int folder;
    char name[NAME_MAX + 1];
} writers[WRITERS_MAX];

static int register_writer(int folder, const char *name) {
    for (int i = 0; i < WRITERS_MAX; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&writers[i].state, &expected, CLAIMED))
            continue;
        writers[i].folder = folder;
        snprintf(writers[i].name, sizeof writers[i].name, "%s", name);
        atomic_store(&writers[i].state, LIVE);
        return i;
    }
    return -1;
}

static void forget_writer(int writer) {
    if (writer >= 0)
        atomic_store(&writers[writer].state, FREE);
}

void file_write_interrupted(void) {
    for (int i = 0; i < WRITERS_MAX; i++)
        if (atomic_load(&writers[i].state) == LIVE)
            unlinkat(writers[i].folder, writers[i].name, 0);
}

/* ---- What a path names ---- */

/* The open descriptor that a path such as /dev/stdout or /dev/fd/3 names, or -1. */
static int descriptor_of(const char *path) {
    char own[40];
    snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
    const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", own};
    if (!strcmp(path, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(path, "/dev/stderr"))
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length))
            continue;
        const char *digits = path + length;
        return *digits && !digits[strspn(digits, "0123456789")] && strlen(digits) < 9 ? atoi(digits) : -1;
    }
    return -1;
}

/* Splits a path behind its last slash. Returns the name; `folder` becomes what is before it, "." if there is none. */
static const char *split_path(const char *path, char folder[FILE_PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, FILE_PATH_MAX, ".");
    else
        snprintf(folder, FILE_PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return slash ? slash + 1 : path;
}

bool file_follow_links(const char *path, char target[FILE_PATH_MAX]) {
    if (snprintf(target, FILE_PATH_MAX, "%s", path) >= FILE_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (int i = 0; i < LINKS_MAX; i++) {
        char link[FILE_PATH_MAX], folder[FILE_PATH_MAX];
        if (descriptor_of(target) >= 0)
            return true;
        const ssize_t length = readlink(target, link, sizeof link);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT; /* no link; no file */
        split_path(target, folder);
        if (length == (ssize_t)sizeof link || snprintf(target, FILE_PATH_MAX, "%s%s%.*s", link[0] == '/' ? "" : folder,
                                                       link[0] == '/' ? "" : "/", (int)length, link) >= FILE_PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
    }
    errno = ELOOP;
    return false;
}

static bool is_plain(const struct stat *status) {
    return S_ISREG(status->st_mode) || S_ISDIR(status->st_mode);
}

bool file_is_stream(const char *path) {
    char target[FILE_PATH_MAX];
    struct stat status;
    return file_follow_links(path, target) &&
           (descriptor_of(target) >= 0 || (stat(target, &status) == 0 && !is_plain(&status)));
}

/* ---- Writing ---- */

/* Writes to what is no plain file. False with errno. */
static bool write_stream(const char *target, const char *text, size_t length) {
    const int open_already = descriptor_of(target);
    if (open_already >= 0)
        return file_write_all(open_already, text, length);
    const int descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return descriptor >= 0 && file_close(descriptor, file_write_all(descriptor, text, length));
}

/* Makes a random name beside `base`. False with errno. */
static bool make_name(const char *base, char name[NAME_MAX + 1]) {
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return false;
    snprintf(name, NAME_MAX + 1, "%.*s.%0*" PRIx64 "%s", BASE_MAX, base, DIGITS, random, ending);
    return true;
}

bool file_is_temporary(const char *name) {
    const size_t length = strlen(name), tail = 1 + DIGITS + strlen(ending);
    if (length <= tail)
        return false;
    const char *random = name + length - tail;
    return *random == '.' && strspn(random + 1, "0123456789abcdef") == DIGITS && !strcmp(random + 1 + DIGITS, ending);
}

/* A temporary file. Where the file system can, it has no name while it is written: then a program that is killed leaves
 * nothing, unless that happens in the moment between the name and the replacement (name_temporary, replace_in). No call
 * of the system gives a nameless file a name that is taken, so this moment cannot be avoided. */
typedef struct Temporary {
    int folder, descriptor;
    int writer; /* its place among the writers once it has a name; -1 */
    char name[NAME_MAX + 1];
} Temporary;

/* Opens one. False with errno. */
static bool open_temporary(Temporary *file, const char *base, bool nameless, mode_t mode) {
    file->writer = -1;
    if (nameless) {
        file->descriptor = openat(file->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
        return file->descriptor >= 0;
    }
    for (int i = 0; i < TRIES; i++) {
        if (!make_name(base, file->name))
            return false;
        file->writer = register_writer(file->folder, file->name);
        file->descriptor = openat(file->folder, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file->descriptor >= 0)
            return true;
        forget_writer(file->writer);
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Gives a nameless file a random name. False with errno. */
static bool name_temporary(Temporary *file, const char *base) {
    char own[40];
    snprintf(own, sizeof own, "/proc/self/fd/%d", file->descriptor);
    for (int i = 0; i < TRIES; i++) {
        if (!make_name(base, file->name))
            return false;
        file->writer = register_writer(file->folder, file->name);
        if (linkat(AT_FDCWD, own, file->folder, file->name, AT_SYMLINK_FOLLOW) == 0)
            return true;
        file->name[0] = '\0';
        forget_writer(file->writer);
        file->writer = -1; /* for replace_in: another thread may have the slot by then */
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Gives a file the owner, the group and the mode of the one that it replaces. */
static bool take_over(int descriptor, const struct stat *old) {
    struct stat own;
    return fstat(descriptor, &own) == 0 &&
           ((own.st_uid == old->st_uid && own.st_gid == old->st_gid) ||
            fchown(descriptor, own.st_uid == old->st_uid ? (uid_t)-1 : old->st_uid, old->st_gid) == 0) &&
           fchmod(descriptor, old->st_mode & 07777) == 0;
}

/* What is to be written, and where. */
typedef struct Document {
    const char *base;       /* its name in the folder */
    const struct stat *old; /* of the file that is there, or NULL */
    const char *text;
    size_t length;
    bool rehearsal;   /* only to find out whether it can be written: it never gets its name */
    const char *what; /* becomes what failed */
} Document;

/* Fills a temporary file and closes it; it has a name then, except in a rehearsal. False with errno. */
static bool fill(Temporary *file, Document *document) {
    bool good = file_write_all(file->descriptor, document->text, document->length);
    if (good && document->old && !take_over(file->descriptor, document->old)) {
        good = false;
        document->what = "keep its owner and mode";
    }
    good = good && fsync(file->descriptor) == 0 &&
           (file->name[0] || document->rehearsal || name_temporary(file, document->base));
    return file_close(file->descriptor, good);
}

/* Replaces a document in an open folder; a rehearsal leaves the folder as it was. False with errno. */
static bool replace_in(int folder, Document *document, bool nameless) {
    Temporary file = {.folder = folder};
    /* What replaces a private file is never readable for others, not even for a moment. */
    if (!open_temporary(&file, document->base, nameless, document->old ? 0600 : 0666))
        return false;
    const bool good =
        fill(&file, document) && (document->rehearsal || renameat(folder, file.name, folder, document->base) == 0);
    const int reason = errno;
    if ((!good || document->rehearsal) && file.name[0])
        unlinkat(folder, file.name, 0);
    forget_writer(file.writer);
    errno = reason;
    return good;
}

/* Whether a file system, or a system without /proc, may have no nameless files. */
static bool knows_no_nameless(int reason) {
    return reason == EOPNOTSUPP || reason == EISDIR || reason == ENOENT || reason == EINVAL;
}

/* Replaces a plain file, or makes it. */
static bool replace(const char *target, Document *document) {
    char folder_path[FILE_PATH_MAX];
    document->base = split_path(target, folder_path);
    const int folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    bool good = replace_in(folder, document, true) || (knows_no_nameless(errno) && replace_in(folder, document, false));
    if (good && !file_sync_folder(folder)) {
        good = false;
        document->what = "sync the folder";
    }
    return file_close(folder, good);
}

/* Whether a stream would take something. Sends nothing to it and does not wait for a reader. False with errno. */
static bool check_stream(const char *target) {
    const int open_already = descriptor_of(target);
    if (open_already < 0)
        return access(target, W_OK) == 0;
    const int flags = fcntl(open_already, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        errno = EBADF;
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* Whether a file can give its name to another one. The root of a mount cannot, nor can an immutable file or one that
 * can only grow. False with errno. */
static bool check_name(const char *target) {
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx status;
    if (statx(AT_FDCWD, target, 0, STATX_TYPE, &status) == 0) {
        const uint64_t fixed = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
        errno = status.stx_attributes & fixed ? EPERM : EBUSY;
        return !(status.stx_attributes & (fixed | STATX_ATTR_MOUNT_ROOT));
    }
#endif
    (void)target;
    return true;
}

/* Writes a document to a file, or to what is a stream. A rehearsal does nothing to either. False with errno. */
static bool write_or_rehearse(const char *target, Document *document, bool is_stream) {
    if (!document->rehearsal)
        return is_stream ? write_stream(target, document->text, document->length) : replace(target, document);
    if (is_stream)
        return check_stream(target);
    return (!document->old || check_name(target)) && replace(target, document);
}

/* Writes a document to whatever the path names. */
static bool write_to(const char *path, Document *document, Error *error) {
    char target[FILE_PATH_MAX];
    struct stat status;
    document->what = "write";
    if (!strcmp(path, "-"))
        return error_set(error, "'-' is standard output, expected a file; ./- is one of this name");
    errno = ENOENT; /* where the path is empty */
    if (!*path || !file_follow_links(path, target))
        return file_failed(error, path, document->what);
    const bool is_descriptor = descriptor_of(target) >= 0;
    const bool exists = !is_descriptor && stat(target, &status) == 0;
    if (!exists && !is_descriptor && errno != ENOENT)
        return file_failed(error, path, document->what);
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return file_failed(error, path, document->what);
    }
    document->old = exists ? &status : NULL;
    return write_or_rehearse(target, document, is_descriptor || (exists && !is_plain(&status))) ||
           file_failed(error, path, document->what);
}

bool file_write(const char *path, const char *text, size_t length, Error *error) {
    return write_to(path, &(Document){.text = text, .length = length}, error);
}

bool file_write_check(const char *path, Error *error) {
    return write_to(path, &(Document){.text = "", .rehearsal = true}, error);
}

bool file_write_replaces(const char *path, const char *other, bool *does, Error *error) {
    char target[FILE_PATH_MAX], other_target[FILE_PATH_MAX], folder[FILE_PATH_MAX], other_folder[FILE_PATH_MAX];
    if (!file_is_same(path, other, does, error) || *does)
        return *does;
    if (!file_follow_links(path, target))
        return file_failed(error, path, "write");
    if (!file_follow_links(other, other_target))
        return file_failed(error, other, "read");
    return strcmp(split_path(target, folder), split_path(other_target, other_folder)) != 0 ||
           file_is_same(folder, other_folder, does, error);
}
