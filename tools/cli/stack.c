/* See stack.h. */
#define _GNU_SOURCE /* pthread_getattr_np, pthread_setattr_default_np, environ */
#include "tools/cli/stack.h"

#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { KB = 1024 };

/* A variable of the environment that sets the stack of OpenMP's threads (OMP_STACKSIZE, GOMP_STACKSIZE, KMP_STACKSIZE);
 * NULL: none. */
static const char *find_setting(void) {
    for (char **variable = environ; *variable; variable++)
        if (strstr(*variable, "_STACKSIZE") && strcspn(*variable, "=") > strlen("_STACKSIZE") &&
            (!strncmp(*variable, "OMP_", 4) || !strncmp(*variable, "GOMP_", 5) || !strncmp(*variable, "KMP_", 4)))
            return *variable;
    return NULL;
}

/* The stack of the thread that calls this; SIZE_MAX where that is not known. */
static size_t own_stack(void) {
    pthread_attr_t attributes;
    size_t size = SIZE_MAX;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return SIZE_MAX;
    if (pthread_attr_getstacksize(&attributes, &size) != 0)
        size = SIZE_MAX;
    pthread_attr_destroy(&attributes);
    return size;
}

/* The stack that OpenMP gives a thread. */
static size_t team_stack(void) {
    size_t size = SIZE_MAX;
#pragma omp parallel num_threads(2) reduction(min : size)
    if (omp_get_thread_num() > 0)
        size = own_stack();
    return size;
}

/* Of LLVM's OpenMP, which has read the old limit already. GNU's takes the default of threads. */
void kmp_set_stacksize_s(size_t size) __attribute__((weak));

/* Asks for the main thread's need. What other threads get was settled by the old limit when the program started, and
 * follows. False if the system gives no more. */
static bool ask_for_stack(struct rlimit limit) {
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < STACK_NEEDED)
        return false;
    limit.rlim_cur = STACK_NEEDED;
    pthread_attr_t attributes;
    if (setrlimit(RLIMIT_STACK, &limit) != 0 || pthread_attr_init(&attributes) != 0)
        return false;
    const bool good =
        pthread_attr_setstacksize(&attributes, STACK_NEEDED) == 0 && pthread_setattr_default_np(&attributes) == 0;
    pthread_attr_destroy(&attributes);
    if (kmp_set_stacksize_s && !find_setting())
        kmp_set_stacksize_s(STACK_NEEDED);
    return good;
}

bool stack_ensure(Error *error) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < STACK_NEEDED &&
        !ask_for_stack(limit))
        return error_set(error, "the stack is limited to %llu KB, expected at least %d (ulimit -s %d)",
                         (unsigned long long)limit.rlim_max / KB, STACK_NEEDED / KB, STACK_NEEDED / KB);
    const char *setting = find_setting();
    const size_t size = setting ? team_stack() : SIZE_MAX;
    return size >= STACK_NEEDED || error_set(error, "%.60s: threads get a stack of %zu KB, expected at least %d",
                                             setting, size / KB, STACK_NEEDED / KB);
}
