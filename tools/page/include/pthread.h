/* Threads for a program that has only one: locks are free, and nobody waits. The types are those of wasi-libc.
 *
 * A wait on a condition is a wait for work that this thread has to do itself, so it does some of it (page_work) and
 * comes back; callers look at their condition again, as POSIX asks of them. A wait with a time limit is over at once.
 */
#ifndef STIGMERGY_TOOLS_PAGE_PTHREAD_H
#define STIGMERGY_TOOLS_PAGE_PTHREAD_H

#include <errno.h>
#include <sys/types.h>
#include <time.h>

/* Does a piece of the work that waits (page.c). */
void page_work(void);

#define PTHREAD_MUTEX_INITIALIZER                                                                                      \
    {                                                                                                                  \
        {                                                                                                              \
            { 0 }                                                                                                      \
        }                                                                                                              \
    }

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    (void)mutex;
    (void)attributes;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_condattr_init(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

static inline int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    (void)attributes;
    (void)clock;
    return 0;
}

static inline int pthread_condattr_destroy(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    (void)condition;
    (void)attributes;
    return 0;
}

static inline int pthread_cond_signal(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition;
    (void)mutex;
    page_work();
    return 0;
}

static inline int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         const struct timespec *until) {
    (void)condition;
    (void)mutex;
    (void)until;
    return ETIMEDOUT;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

#endif
