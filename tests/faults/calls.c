/* Lets one call of the C library fail, in a program that is linked with -Wl,--wrap for each name of calls.txt.
 *
 * --wrap redirects the calls of what is linked statically. That is our own code: the C library, OpenMP, cJSON and the
 * sanitizers are shared libraries and keep the real functions. (cJSON takes its memory from selfplay/io/json.c.) So
 * only our own calls are counted, and AddressSanitizer still sees the real ones. A preloaded library would have to tell
 * the callers apart at run time, and would compete with the sanitizer for malloc.
 *
 * A call is named by its place, the address that it returns to in the program, and its number among the calls from
 * there in its process, from 1 on: threads may change the order of calls, but hardly that. The environment says what
 * happens:
 *   FAULTS_AT="PLACE NUMBER"   this call fails
 *   FAULTS_AT="PLACE NUMBER+"  and so does every later call of the same function: a full disk, no more memory
 *   FAULTS_LOG=FILE            each call is written there, with FAULTS_AT the one that fails: function, place, process
 * A close that fails has closed, as on Linux. What goes to standard error does not count: there failures are named. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char __executable_start[]; /* where the program lies in memory; of the linker */

static atomic_long calls; /* from the place that is to fail */
static long failing_place = -1, failing_call;
static bool repeated;
static FILE *journal;
static const char *_Atomic failing; /* the function that fails from now on */

__attribute__((constructor(101))) static void read_settings(void) {
    const char *setting = getenv("FAULTS_AT"), *name = getenv("FAULTS_LOG");
    char *end = NULL;
    if (setting) {
        failing_place = strtol(setting, &end, 0);
        failing_call = strtol(end, &end, 10);
        repeated = *end == '+';
    }
    journal = name ? fopen(name, "ae") : NULL;
}

/* Counts a call. True with errno if it is to fail. */
static bool fails(const char *function, int reason, const char *caller) {
    const long place = caller - __executable_start;
    const char *always = failing;
    const bool due = place == failing_place && atomic_fetch_add(&calls, 1) + 1 == failing_call;
    if (journal && (due || failing_place < 0))
        dprintf(fileno(journal), "%s %#lx %d\n", function, place, (int)getpid());
    if (due && repeated)
        failing = function;
    if (!due && !(always && !strcmp(always, function)))
        return false;
    errno = reason;
    return true;
}

#define FAILS(name, reason) fails(#name, reason, __builtin_return_address(0))

/* A function that gives back `failed` with an errno. */
#define WRAP(type, name, reason, failed, parameters, arguments)                                                        \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters {                                                                                    \
        return FAILS(name, reason) ? failed : __real_##name arguments;                                                 \
    }

WRAP(void *, malloc, ENOMEM, NULL, (size_t size), (size))
WRAP(void *, calloc, ENOMEM, NULL, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, ENOMEM, NULL, (void *old, size_t size), (old, size))
WRAP(void *, aligned_alloc, ENOMEM, NULL, (size_t alignment, size_t size), (alignment, size))
WRAP(char *, strdup, ENOMEM, NULL, (const char *text), (text))
WRAP(char *, strndup, ENOMEM, NULL, (const char *text, size_t length), (text, length))
WRAP(FILE *, open_memstream, ENOMEM, NULL, (char **text, size_t *length), (text, length))
WRAP(FILE *, fmemopen, ENOMEM, NULL, (void *text, size_t length, const char *mode), (text, length, mode))
WRAP(FILE *, fopencookie, ENOMEM, NULL, (void *cookie, const char *mode, cookie_io_functions_t functions),
     (cookie, mode, functions))
WRAP(ssize_t, read, EIO, -1, (int file, void *to, size_t length), (file, to, length))
WRAP(ssize_t, getrandom, EIO, -1, (void *to, size_t length, unsigned flags), (to, length, flags))
WRAP(int, fsync, EIO, -1, (int file), (file))
WRAP(int, ftruncate, EIO, -1, (int file, off_t length), (file, length))
WRAP(int, fstat, EIO, -1, (int file, struct stat *status), (file, status))
WRAP(int, stat, EIO, -1, (const char *path, struct stat *status), (path, status))
WRAP(int, access, EIO, -1, (const char *path, int mode), (path, mode))
WRAP(off_t, lseek, EIO, -1, (int file, off_t offset, int whence), (file, offset, whence))
WRAP(ssize_t, readlink, EIO, -1, (const char *path, char *target, size_t size), (path, target, size))
WRAP(int, flock, EIO, -1, (int file, int how), (file, how))
WRAP(int, linkat, ENOSPC, -1, (int from_folder, const char *old, int folder, const char *name, int flags),
     (from_folder, old, folder, name, flags))
WRAP(int, renameat, EIO, -1, (int from_folder, const char *old, int folder, const char *name),
     (from_folder, old, folder, name))
WRAP(int, mkdir, ENOSPC, -1, (const char *path, mode_t mode), (path, mode))
WRAP(int, fchmod, EPERM, -1, (int file, mode_t mode), (file, mode))
WRAP(int, fchown, EPERM, -1, (int file, uid_t owner, gid_t group), (file, owner, group))
WRAP(int, unlink, EIO, -1, (const char *path), (path))
WRAP(int, rmdir, EIO, -1, (const char *path), (path))
WRAP(char *, realpath, EIO, NULL, (const char *path, char *target), (path, target))
WRAP(char *, SHA256File, EIO, NULL, (const char *path, char *hash), (path, hash)) /* of libmd: it reads the file */
/* So far only called behind another failure: no run reaches it alone. */
WRAP(int, unlinkat, EIO, -1, (int folder, const char *path, int flags), (folder, path, flags))
WRAP(ssize_t, getline, EIO, -1, (char **line, size_t *room, FILE *stream), (line, room, stream))
WRAP(DIR *, opendir, EMFILE, NULL, (const char *path), (path))
WRAP(int, scandir, ENOMEM, -1,
     (const char *path, struct dirent ***list, int (*choose)(const struct dirent *),
      int (*compare)(const struct dirent **, const struct dirent **)),
     (path, list, choose, compare))
WRAP(pid_t, fork, EAGAIN, -1, (void), ())
WRAP(int, fcntl, EMFILE, -1, (int file, int command, long value), (file, command, value)) /* see open */
WRAP(int, dup2, EMFILE, -1, (int file, int number), (file, number))
WRAP(int, poll, ENOMEM, -1, (struct pollfd * files, nfds_t count, int milliseconds), (files, count, milliseconds))
WRAP(int, waitid, EINVAL, -1, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))
WRAP(int, pipe, EMFILE, -1, (int ends[2]), (ends))
WRAP(int, pipe2, EMFILE, -1, (int ends[2], int flags), (ends, flags))
WRAP(int, socket, EMFILE, -1, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(int, setsockopt, ENOMEM, -1, (int file, int level, int option, const void *value, socklen_t length),
     (file, level, option, value, length))
WRAP(int, getaddrinfo, 0, EAI_MEMORY,
     (const char *name, const char *service, const struct addrinfo *wanted, struct addrinfo **list),
     (name, service, wanted, list))
WRAP(int, bind, EADDRINUSE, -1, (int file, const struct sockaddr *address, socklen_t length), (file, address, length))
WRAP(int, pthread_create, EAGAIN, EAGAIN,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user),
     (thread, attributes, start, user))
WRAP(int, posix_spawn, EAGAIN, EAGAIN,
     (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const argv[], char *const environment[]),
     (child, path, actions, attributes, argv, environment))
WRAP(int, posix_spawnp, EAGAIN, EAGAIN,
     (pid_t * child, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const argv[], char *const environment[]),
     (child, file, actions, attributes, argv, environment))

/* Those with something more to do. */

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __real_openat(int folder, const char *path, int flags, mode_t mode);
int __wrap_openat(int folder, const char *path, int flags, mode_t mode);
int __real_close(int file);
int __wrap_close(int file);
ssize_t __real_write(int file, const void *text, size_t length);
ssize_t __wrap_write(int file, const void *text, size_t length);
size_t __real_fwrite(const void *items, size_t size, size_t count, FILE *stream);
size_t __wrap_fwrite(const void *items, size_t size, size_t count, FILE *stream);
int __wrap_printf(const char *format, ...);
int __wrap_fprintf(FILE *stream, const char *format, ...);
int __real_puts(const char *text);
int __wrap_puts(const char *text);
int __real_putchar(int letter);
int __wrap_putchar(int letter);
int __real_fputs(const char *text, FILE *stream);
int __wrap_fputs(const char *text, FILE *stream);
int __real_fputc(int letter, FILE *stream);
int __wrap_fputc(int letter, FILE *stream);
int __real_fflush(FILE *stream);
int __wrap_fflush(FILE *stream);
int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);

int __wrap_open(const char *path, int flags, mode_t mode) { /* the mode is rubbish where none was given, and unused */
    return FAILS(open, EMFILE) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, mode_t mode) {
    return FAILS(openat, EMFILE) ? -1 : __real_openat(folder, path, flags, mode);
}

int __wrap_close(int file) {
    const bool failed = FAILS(close, EIO);
    const int closed = __real_close(file);
    if (failed)
        errno = EIO;
    return failed ? -1 : closed;
}

/* Half of the text is written before the disk is full. */
ssize_t __wrap_write(int file, const void *text, size_t length) {
    static atomic_bool full;
    if (!FAILS(write, ENOSPC))
        return __real_write(file, text, length);
    if (length > 1 && !atomic_exchange(&full, true)) {
        const ssize_t half = __real_write(file, text, length / 2);
        (void)half;
    }
    errno = ENOSPC;
    return -1;
}

/* A stream remembers that writing failed. */
static bool stream_fails(FILE *stream, bool failed) {
    if (failed && stream)
        stream->_flags |= 0x20; /* _IO_ERR_SEEN of the GNU C library */
    return failed;
}

#define STREAM_FAILS(name, stream) ((stream) != stderr && stream_fails(stream, FAILS(name, ENOSPC)))

size_t __wrap_fwrite(const void *items, size_t size, size_t count, FILE *stream) {
    return STREAM_FAILS(fwrite, stream) ? 0 : __real_fwrite(items, size, count, stream);
}

int __wrap_printf(const char *format, ...) {
    if (STREAM_FAILS(printf, stdout))
        return -1;
    va_list arguments;
    va_start(arguments, format);
    const int printed = vprintf(format, arguments);
    va_end(arguments);
    return printed;
}

int __wrap_fprintf(FILE *stream, const char *format, ...) {
    if (STREAM_FAILS(fprintf, stream))
        return -1;
    va_list arguments;
    va_start(arguments, format);
    const int printed = vfprintf(stream, format, arguments);
    va_end(arguments);
    return printed;
}

int __wrap_puts(const char *text) {
    return STREAM_FAILS(puts, stdout) ? EOF : __real_puts(text);
}

int __wrap_putchar(int letter) {
    return STREAM_FAILS(putchar, stdout) ? EOF : __real_putchar(letter);
}

int __wrap_fputs(const char *text, FILE *stream) {
    return STREAM_FAILS(fputs, stream) ? EOF : __real_fputs(text, stream);
}

int __wrap_fputc(int letter, FILE *stream) {
    return STREAM_FAILS(fputc, stream) ? EOF : __real_fputc(letter, stream);
}

int __wrap_fflush(FILE *stream) {
    return STREAM_FAILS(fflush, stream) ? EOF : __real_fflush(stream);
}

int __wrap_fclose(FILE *stream) {
    const bool failed = FAILS(fclose, ENOSPC);
    const int closed = __real_fclose(stream);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : closed;
}
