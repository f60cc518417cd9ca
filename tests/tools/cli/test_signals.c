/* A signal in the middle of a write ends the program, and leaves the old document and nothing else. The file system is
 * one without nameless files (O_TMPFILE), where the temporary file has a name; the signal comes when it is synced. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "selfplay/io/atomic_file.h"
#include "tests/support/fixtures.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/signals.h"
#include "tools/cli/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int coming; /* the signal that comes at the next fsync; 0 for none */

int __real_openat(int from, const char *name, int flags, mode_t mode);
int __wrap_openat(int from, const char *name, int flags, mode_t mode);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);

int __wrap_openat(int from, const char *name, int flags, mode_t mode) {
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_openat(from, name, flags, mode);
}

int __wrap_fsync(int descriptor) {
    if (coming)
        raise(coming);
    return __real_fsync(descriptor);
}

/* How a process ends that gets this signal while it writes the document. */
static int status_after(int number, const char *path, bool ignored) {
    int ended;
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (ignored)
            signal(number, SIG_IGN);
        signals_set_up();
        coming = number;
        _exit(file_write(path, "after", 5, NULL) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void signals_leave_nothing(void **unused) {
    (void)unused;
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM};
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "document");
    write_text(path, "before");
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const int ended = status_after(signals[i], path, false);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == signals[i]);
    }
    const int ended = status_after(SIGINT, path, false);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == TOOL_INTERRUPTED);
    expect_text(path, "before");
    unlink(path); /* drop_folder finds what else is there */
}

/* As under nohup. */
static void ignored_signals_stay_ignored(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    in_folder(path, "document");
    assert_int_equal(status_after(SIGHUP, path, true), 0);
    expect_text(path, "after");
    unlink(path);
}

/* Whether a run is asked to stop by this signal, which whoever started it has ignored. */
static bool stops_run(int number) {
    int ended;
    const pid_t child = fork();
    if (child == 0) {
        signal(number, SIG_IGN);
        signals_set_up();
        run_tool_catch_signals();
        raise(number);
        _exit(stop_flag_is_set(run_tool_stop()));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

/* Scripts have SIGINT ignored in their background jobs, and stop them by it. */
static void runs_go_on_after_ignored_signals(void **unused) {
    (void)unused;
    assert_false(stops_run(SIGTERM));
    assert_true(stops_run(SIGINT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_leave_nothing),
        cmocka_unit_test(ignored_signals_stay_ignored),
        cmocka_unit_test(runs_go_on_after_ignored_signals),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
