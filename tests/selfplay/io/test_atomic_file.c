/* Documents are replaced whole or not at all, whatever their path names; nothing else is left in the folder.
 *
 * The calls of the system by which a document is written are wrapped (-Wl,--wrap), so that a test can let them fail. */
#define _GNU_SOURCE /* mknod, makedev */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/data_folder.h"
#include "selfplay/io/file.h"
#include "selfplay/io/line_file.h"
#include "tests/support/fixtures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Calls that fail ---- */

typedef enum Call { NONE, OPENAT, LINKAT, FSYNC, RENAMEAT, CLOSE, STAT, ACCESS, READLINK } Call;

static Call failing;       /* the call that fails, */
static int failing_after;  /* after this many good ones, */
static int failing_reason; /* with this errno */
static bool no_nameless;   /* as on a file system without O_TMPFILE */

static bool fails(Call call) {
    if (call != failing || failing_after-- > 0)
        return false;
    errno = failing_reason;
    return true;
}

int __real_openat(int from, const char *name, int flags, mode_t mode);
int __wrap_openat(int from, const char *name, int flags, mode_t mode);
int __real_linkat(int from, const char *name, int to, const char *other, int flags);
int __wrap_linkat(int from, const char *name, int to, const char *other, int flags);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_renameat(int from, const char *name, int to, const char *other);
int __wrap_renameat(int from, const char *name, int to, const char *other);
int __real_close(int descriptor);
int __wrap_close(int descriptor);

int __real_stat(const char *path, struct stat *status);
int __wrap_stat(const char *path, struct stat *status);
int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
ssize_t __real_readlink(const char *path, char *target, size_t size);
ssize_t __wrap_readlink(const char *path, char *target, size_t size);

int __wrap_openat(int from, const char *name, int flags, mode_t mode) {
    if (no_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return fails(OPENAT) ? -1 : __real_openat(from, name, flags, mode);
}

int __wrap_linkat(int from, const char *name, int to, const char *other, int flags) {
    return fails(LINKAT) ? -1 : __real_linkat(from, name, to, other, flags);
}

int __wrap_fsync(int descriptor) {
    return fails(FSYNC) ? -1 : __real_fsync(descriptor);
}

int __wrap_renameat(int from, const char *name, int to, const char *other) {
    return fails(RENAMEAT) ? -1 : __real_renameat(from, name, to, other);
}

int __wrap_close(int descriptor) {
    const int closed = __real_close(descriptor);
    return fails(CLOSE) ? -1 : closed;
}

int __wrap_stat(const char *path, struct stat *status) {
    return fails(STAT) ? -1 : __real_stat(path, status);
}

int __wrap_access(const char *path, int mode) {
    return fails(ACCESS) ? -1 : __real_access(path, mode);
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size) {
    return fails(READLINK) ? -1 : __real_readlink(path, target, size);
}

/* ---- Files ---- */

static void write_good(const char *path, const char *text) {
    Error error;
    if (!file_write(path, text, strlen(text), &error))
        fail_msg("%s", error.text);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

/* Removes the named files (up to NULL), after which the folder must be empty. */
static void expect_only(const char *const *names) {
    char path[FIXTURE_PATH_MAX];
    for (; *names; names++) {
        in_folder(path, *names);
        assert_int_equal(remove(path), 0);
    }
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            fail_msg("%s was left behind", entry->d_name);
    closedir(entries);
}

static void links_are_followed(void **unused) {
    (void)unused;
    char inner[FIXTURE_PATH_MAX], target[FIXTURE_PATH_MAX], first[FIXTURE_PATH_MAX], second[FIXTURE_PATH_MAX];
    in_folder(inner, "inner");
    in_folder(target, "inner/target");
    in_folder(first, "inner/first");
    in_folder(second, "second");
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_int_equal(symlink("target", first), 0); /* relative to its own folder */
    assert_int_equal(symlink(first, second), 0);
    write_good(second, "made through links");
    expect_text(target, "made through links");
    write_good(second, "replaced");
    expect_text(target, "replaced");
    assert_true(S_ISLNK(mode_of(first)) && S_ISLNK(mode_of(second)) && S_ISREG(mode_of(target)));
    Error error;
    assert_int_equal(unlink(target), 0);
    assert_int_equal(symlink("first", target), 0);
    assert_named(file_write(second, "x", 1, &error), &error, "symbolic links");
    expect_only((const char *const[]){"inner/target", "inner/first", "inner", "second", NULL});
}

static void modes_stay(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "document");
    const mode_t before = umask(0027);
    write_good(path, "new");
    assert_int_equal(mode_of(path) & 07777, 0640);
    static const mode_t modes[] = {0600, 0444, 0666};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        write_good(path, "again");
        assert_int_equal(mode_of(path) & 07777, modes[i]);
    }
    umask(before);
    expect_only((const char *const[]){"document", NULL});
}

/* A group that may write documents (umask 002) may write records. */
static void line_files_follow_the_umask(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    LineFile file;
    Error error;
    in_folder(path, "document");
    const mode_t before = umask(0002);
    assert_true(line_file_open(&file, path, &error) && line_file_close(&file, &error));
    assert_int_equal(mode_of(path) & 07777, 0664);
    umask(before);
    expect_only((const char *const[]){"document", NULL});
}

/* In a process without privileges, the file of another user is not taken over. */
static void owners_stay(void **unused) {
    (void)unused;
    enum { OTHER = 65534 };
    char path[FIXTURE_PATH_MAX];
    struct stat status;
    if (geteuid() != 0)
        skip();
    in_folder(path, "document");
    write_good(path, "before");
    assert_int_equal(chown(path, OTHER, OTHER), 0);
    write_good(path, "after");
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_uid == OTHER && status.st_gid == OTHER);
    assert_int_equal(chown(path, 0, 0), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    const pid_t child = fork();
    if (child == 0) {
        Error error = {.text = ""};
        if (setgid(OTHER) != 0 || setuid(OTHER) != 0)
            _exit(1);
        const bool good = file_write(path, "taken", 5, &error);
        _exit(good ? 2 : strstr(error.text, "keep its owner") ? 0 : 3);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    expect_text(path, "after");
    expect_only((const char *const[]){"document", NULL});
}

static void expect_bytes(int descriptor, const char *expected) {
    char text[64];
    const ssize_t length = read(descriptor, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    assert_string_equal(text, expected);
}

static void pipes_are_written_to(void **unused) {
    (void)unused;
    char fifo[FIXTURE_PATH_MAX], link[FIXTURE_PATH_MAX], path[64];
    in_folder(fifo, "fifo");
    in_folder(link, "link");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink("fifo", link), 0);
    const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    assert_true(file_is_stream(fifo) && file_is_stream(link) && !file_is_stream(folder));
    write_good(link, "through the link");
    expect_bytes(reader, "through the link");
    write_good(fifo, "by name");
    expect_bytes(reader, "by name");
    assert_true(S_ISFIFO(mode_of(fifo)));
    close(reader);

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    static const char *const names[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, names[i], ends[1]);
        assert_true(file_is_stream(path));
        write_good(path, path);
        expect_bytes(ends[0], path);
    }
    close(ends[0]);
    close(ends[1]);
    Error error;
    assert_named(file_write(path, "x", 1, &error), &error, path); /* it is closed now */
    expect_only((const char *const[]){"fifo", "link", NULL});
}

/* Standard output that is a file is not replaced: what else is printed there would be lost. */
static void descriptors_of_files_are_written_to(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], name[64];
    in_folder(path, "output");
    const int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    snprintf(name, sizeof name, "/dev/fd/%d", descriptor);
    assert_true(file_is_stream(name) && !file_is_stream(path));
    assert_int_equal(write(descriptor, "before ", 7), 7);
    write_good(name, "the document ");
    assert_int_equal(write(descriptor, "after", 5), 5);
    close(descriptor);
    expect_text(path, "before the document after");
    expect_only((const char *const[]){"output", NULL});
}

/* Makes a device of the kernel's memory driver, such as 3: null. False where nobody may make or open one: without
 * privileges, on a file system without devices. */
static bool make_device(const char *path, unsigned minor_number) {
    if (mknod(path, S_IFCHR | 0600, makedev(1, minor_number)) != 0)
        return false;
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        unlink(path);
    else
        close(descriptor);
    return descriptor >= 0;
}

/* Devices of our own, in the test's folder: a test that fails must not destroy one of the machine. The full one shows
 * that it was asked. */
static void devices_are_written_to(void **unused) {
    (void)unused;
    enum { NULL_DEVICE = 3, FULL_DEVICE = 7 };
    char path[FIXTURE_PATH_MAX], full[FIXTURE_PATH_MAX];
    Error error;
    in_folder(path, "null");
    in_folder(full, "full");
    if (!make_device(path, NULL_DEVICE))
        skip();
    assert_true(make_device(full, FULL_DEVICE));
    assert_true(file_is_stream(path));
    write_good(path, "gone");
    assert_named(file_write(full, "x", 1, &error), &error, "full: cannot write: No space left");
    assert_true(S_ISCHR(mode_of(path)) && S_ISCHR(mode_of(full)));
    expect_only((const char *const[]){"null", "full", NULL});
}

/* What takes nothing says so: a full device, standard output by its short name, and a socket, which cannot be opened.
 */
static void streams_that_take_nothing_are_named(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    Error error;
    if (geteuid() != 0) /* who can replace the machine's device; see devices_are_written_to */
        assert_named(file_write("/dev/full", "x", 1, &error), &error, "/dev/full: cannot write: No space left");
    assert_named(file_write("-", "x", 1, &error), &error, "'-' is standard output, expected a file");
    in_folder(path, "socket");
    assert_int_equal(mknod(path, S_IFSOCK | 0600, 0), 0);
    assert_named(file_write(path, "x", 1, &error), &error, "socket: cannot write: No such device");
    assert_named(file_write("/dev/stderr/x", "x", 1, &error), &error, "cannot write: Not a directory");
    assert_named(file_write("/dev/fd/x", "x", 1, &error), &error, "cannot write");
    expect_only((const char *const[]){"socket", NULL});
}

/* A rehearsal says what the writing would say. */
static void streams_are_rehearsed(void **unused) {
    (void)unused;
    char path[40];
    Error error;
    const int to_read = open("/dev/null", O_RDONLY), to_write = open("/dev/null", O_WRONLY);
    snprintf(path, sizeof path, "/dev/fd/%d", to_write);
    assert_true(file_write_check(path, &error));
    for (int i = 0; i < 2; i++) { /* one that can only be read, then none */
        snprintf(path, sizeof path, "/dev/fd/%d", to_read);
        assert_named(file_write(path, "x", 1, &error), &error, "cannot write: Bad file descriptor");
        assert_named(file_write_check(path, &error), &error, "cannot write: Bad file descriptor");
        close(to_read);
    }
    close(to_write);
    assert_named(file_write("", "x", 1, &error), &error, ": cannot write: No such file");
    assert_named(file_write_check("", &error), &error, ": cannot write: No such file");
}

static void planted_names_are_not_touched(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], planted[FIXTURE_PATH_MAX], victim[FIXTURE_PATH_MAX];
    in_folder(path, "document");
    in_folder(planted, "document.tmp");
    in_folder(victim, "victim");
    write_good(victim, "untouched");
    assert_int_equal(symlink("victim", planted), 0);
    write_good(path, "text");
    expect_text(victim, "untouched");
    assert_true(S_ISLNK(mode_of(planted)) && S_ISREG(mode_of(path)));
    expect_only((const char *const[]){"document", "document.tmp", "victim", NULL});
}

static void limit_file_size(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void failures_leave_nothing(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], text[1000];
    Error error;
    in_folder(path, "document");
    write_good(path, "before");
    memset(text, 'x', sizeof text);
    struct sigaction old;
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, &old);
    limit_file_size(100);
    const bool good = file_write(path, text, sizeof text, &error);
    limit_file_size(RLIM_INFINITY);
    sigaction(SIGXFSZ, &old, NULL);
    assert_false(good);
    assert_says(&error, "File too large");
    assert_says(&error, path);
    expect_text(path, "before");
    assert_named(file_write(folder, "x", 1, &error), &error, "directory");
    assert_named(file_write("", "x", 1, &error), &error, "cannot write");
    expect_only((const char *const[]){"document", NULL});
}

/* Every call that fails is an error that is said, and nothing is left of the document that was not finished. */
static void every_call_counts(void **unused) {
    (void)unused;
    static const struct {
        Call call;
        int after, reason;
        const char *what, *left; /* what the document is after it */
    } cases[] = {
        {OPENAT, 0, ENOSPC, "cannot write: No space", "before"},
        {FSYNC, 0, EIO, "cannot write: Input/output error", "before"},
        {RENAMEAT, 0, EACCES, "cannot write: Permission denied", "before"},
        {CLOSE, 0, EDQUOT, "cannot write: Disk quota", "before"},
        {FSYNC, 1, EIO, "cannot sync the folder: Input/output error", "after"},
        {CLOSE, 1, EIO, "cannot write: Input/output error", "after"},
        {LINKAT, 0, ENOSPC, "cannot write: No space", "before"},
    };
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "document");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].call == LINKAT && no_nameless)
            continue;
        Error error = {.text = ""};
        write_good(path, "before");
        failing_after = cases[i].after;
        failing_reason = cases[i].reason;
        failing = cases[i].call;
        const bool good = file_write(path, "after", 5, &error);
        failing = NONE;
        assert_named(good, &error, cases[i].what);
        expect_text(path, cases[i].left);
        expect_only((const char *const[]){"document", NULL});
    }
    failing_after = 0;
    failing_reason = EINVAL; /* a file system whose folders need no sync */
    write_good(path, "before");
    failing = FSYNC;
    failing_after = 1;
    write_good(path, "after");
    failing = NONE;
    expect_only((const char *const[]){"document", NULL});
}

/* Whether a document can be written is found out without a trace, whatever is there. */
static void checks_leave_no_trace(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], fifo[FIXTURE_PATH_MAX], missing[FIXTURE_PATH_MAX];
    struct stat before, after;
    Error error;
    in_folder(path, "document");
    in_folder(fifo, "fifo");
    in_folder(missing, "missing/document");
    assert_true(file_write_check(path, &error));
    expect_only((const char *const[]){NULL});
    write_good(path, "kept");
    assert_int_equal(mkfifo(fifo, 0600), 0); /* nobody reads it, and nobody waits for that */
    assert_int_equal(stat(path, &before), 0);
    assert_true(file_write_check(path, &error) && file_write_check(fifo, &error));
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    expect_text(path, "kept");
    assert_named(file_write_check(missing, &error), &error, "missing/document: cannot write: No such file");
    assert_named(file_write_check(folder, &error), &error, "cannot write: Is a directory");
    assert_named(file_write_check("-", &error), &error, "'-' is standard output, expected a file");
    static const Call calls[] = {OPENAT, FSYNC, CLOSE};
    failing_reason = EROFS;
    for (int i = 0; i < 3; i++) {
        failing = calls[i], failing_after = 0;
        const bool good = file_write_check(path, &error);
        failing = NONE;
        assert_named(good, &error, "document: cannot write: Read-only file system");
    }
    expect_only((const char *const[]){"document", "fifo", NULL});
}

static bool replaces(const char *path, const char *other) {
    char first[FIXTURE_PATH_MAX], second[FIXTURE_PATH_MAX];
    Error error;
    bool does;
    in_folder(first, path);
    in_folder(second, other);
    if (!file_write_replaces(first, second, &does, &error))
        fail_msg("%s", error.text);
    return does;
}

/* A file is the same by whatever path, also before it is there. */
static void other_spellings_are_seen(void **unused) {
    (void)unused;
    static const char *const same[] = {"document", "./document", "inner/../document", "link"};
    char path[FIXTURE_PATH_MAX];
    Error error;
    bool does;
    in_folder(path, "inner");
    assert_int_equal(mkdir(path, 0700), 0);
    in_folder(path, "link");
    assert_int_equal(symlink("document", path), 0);
    in_folder(path, "document");
    for (int there = 0; there < 2; there++) {
        for (int i = 0; i < 4; i++)
            assert_true(replaces(same[i], "document") && replaces("document", same[i]));
        assert_false(replaces("inner/document", "document") || replaces("link", "missing/document"));
        assert_false(replaces("missing/document", "missing/document")); /* it would not be made */
        write_good(path, "there");
    }
    failing = READLINK, failing_after = 1, failing_reason = EIO;
    const bool known = file_write_replaces("new", path, &does, &error);
    failing = NONE;
    assert_named(known, &error, "document: cannot read: Input/output error");
    expect_only((const char *const[]){"link", "document", "inner", NULL});
}

/* The life of a file of lines. */
static bool write_lines(LineFile *file, const char *path, Error *error) {
    return line_file_open(file, path, error) && line_file_append(file, "a\n", 2, error) &&
           line_file_replace(file, "b\n", 2, error) && line_file_append(file, "c\n", 2, error) &&
           line_file_close(file, error);
}

/* Each sync and each close in its life is one that may say that something is lost. */
static void every_call_counts_for_lines(void **unused) {
    (void)unused;
    enum { SYNCS = 8, CLOSES = 6 }; /* of the files and of their folder */
    static const struct {
        Call call;
        int times;
    } calls[] = {{FSYNC, SYNCS}, {CLOSE, CLOSES}};
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "lines");
    failing_reason = EIO;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (int after = 0; after <= calls[i].times; after++) {
            LineFile file;
            Error error = {.text = ""};
            failing_after = after;
            failing = calls[i].call;
            const bool good = write_lines(&file, path, &error);
            failing = NONE;
            if (after == calls[i].times)
                assert_true(good);
            else
                assert_named(good, &error, "lines: cannot");
            line_file_close(&file, NULL);
            expect_only((const char *const[]){"lines", NULL});
        }
}

static void end_at_once(int signal) {
    (void)signal;
    file_write_interrupted();
    _exit(7);
}

/* The signal comes in the middle of the write: when the file would become too large. */
static void signals_leave_nothing(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], text[1000] = "";
    in_folder(path, "document");
    write_good(path, "before");
    const pid_t child = fork();
    if (child == 0) {
        sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = end_at_once}, NULL);
        limit_file_size(100);
        file_write(path, text, sizeof text, NULL);
        _exit(1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 7);
    expect_text(path, "before");
    expect_only((const char *const[]){"document", NULL});
}

/* Several processes write one document at the same time: none fails, and the document is one of theirs. */
static void last_writer_wins(void **unused) {
    (void)unused;
    enum { WRITERS = 3, TIMES = 30, LENGTH = 20000 };
    char path[FIXTURE_PATH_MAX], *text = malloc(LENGTH + 1);
    in_folder(path, "document");
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            int failed = 0;
            memset(text, 'a' + i, LENGTH);
            for (int k = 0; k < TIMES; k++)
                failed += !file_write(path, text, (size_t)(LENGTH - i), NULL);
            _exit(failed > 0);
        }
    for (int i = 0, ended; i < WRITERS; i++)
        assert_true(wait(&ended) > 0 && ended == 0);
    free(text);
    text = read_text(path);
    const int winner = text[0] - 'a';
    assert_in_range(winner, 0, WRITERS - 1);
    assert_int_equal(strlen(text), LENGTH - winner);
    assert_int_equal(strspn(text, (char[]){text[0], '\0'}), LENGTH - winner);
    free(text);
    expect_only((const char *const[]){"document", NULL});
}

static int without_nameless(void **unused) {
    (void)unused;
    no_nameless = true;
    return 0;
}

static int with_nameless(void **unused) {
    (void)unused;
    no_nameless = false;
    return 0;
}

/* A test on a file system that has nameless files, and on one that has not. */
#define ON_BOTH(test) cmocka_unit_test(test), cmocka_unit_test_setup_teardown(test, without_nameless, with_nameless)

/* What cannot be found out is no "no": the mode of a private file and a link would be lost. */
static void questions_that_fail_are_errors(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX], link[FIXTURE_PATH_MAX];
    Error error;
    in_folder(path, "private");
    in_folder(link, "link");
    write_good(path, "line\ntorn");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(symlink("private", link), 0);
    failing_reason = EIO;
    static const Call questions[] = {STAT, READLINK};
    for (int i = 0; i < 2; i++) {
        failing = questions[i], failing_after = 0;
        const bool good = file_write(link, "new", 3, &error);
        failing = NONE;
        assert_named(good, &error, "Input/output error");
        assert_true(S_ISLNK(mode_of(link)));
        assert_int_equal(mode_of(path) & 0777, 0600);
        expect_text(path, "line\ntorn");
    }
    bool is;
    assert_true(file_is_folder(folder, &is, &error) && is);
    assert_true(file_is_folder(path, &is, &error) && !is);
    assert_true(file_is_folder("/no/such/folder", &is, &error) && !is);
    assert_true(file_is_same(path, link, &is, &error) && is);
    assert_true(file_is_same(path, folder, &is, &error) && !is);
    assert_true(file_is_same("/no/such/file", "/no/such/file", &is, &error) && !is);
    for (int i = 0; i < 3; i++) {
        failing = STAT, failing_after = i == 2;
        const bool known = i == 0 ? file_is_folder(folder, &is, &error) : file_is_same(path, link, &is, &error);
        failing = NONE;
        assert_named(known, &error, "Input/output error");
    }
    char data[FILE_PATH_MAX];
    const char *variable = getenv("STIGMERGY_DATA");
    char *usual = variable ? strdup(variable) : NULL;
    unsetenv("STIGMERGY_DATA"); /* so the path of the program says where the data are */
    assert_true(data_folder(data, &error));
    failing = READLINK, failing_after = 0;
    const bool known = data_folder(data, &error);
    failing = NONE;
    assert_named(known, &error, "/proc/self/exe: cannot read: Input/output error; set STIGMERGY_DATA");
    if (usual)
        setenv("STIGMERGY_DATA", usual, 1);
    free(usual);
    LineFile file;
    failing = STAT, failing_after = 0;
    const bool good = line_file_open(&file, path, &error);
    failing = NONE;
    assert_named(good, &error, "Input/output error");
    in_folder(path, "missing");
    assert_false(file_exists(path));
    failing = ACCESS, failing_after = 0;
    assert_true(file_exists(path));
    failing = NONE;
    expect_only((const char *const[]){"link", "private", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_followed),
        ON_BOTH(modes_stay),
        cmocka_unit_test(line_files_follow_the_umask),
        cmocka_unit_test(owners_stay),
        cmocka_unit_test(questions_that_fail_are_errors),
        cmocka_unit_test(pipes_are_written_to),
        cmocka_unit_test(descriptors_of_files_are_written_to),
        cmocka_unit_test(devices_are_written_to),
        cmocka_unit_test(streams_that_take_nothing_are_named),
        cmocka_unit_test(streams_are_rehearsed),
        ON_BOTH(planted_names_are_not_touched),
        ON_BOTH(failures_leave_nothing),
        ON_BOTH(every_call_counts),
        ON_BOTH(checks_leave_no_trace),
        cmocka_unit_test(other_spellings_are_seen),
        cmocka_unit_test(every_call_counts_for_lines),
        ON_BOTH(signals_leave_nothing),
        ON_BOTH(last_writer_wins),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
