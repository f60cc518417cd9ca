/* Searches that take turns: equal shares, the higher priority alone, and an end for those that hold. */
#include "engine/base/wall_time.h"
#include "selfplay/analysis/scheduler.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* Something that works as a search does: in small steps, between which it looks at its stop flag. */
typedef struct Work {
    Scheduler *scheduler;
    SearchTurn turn;
    pthread_t thread;
    _Atomic int steps;
    _Atomic bool ended;
} Work;

static void pause_for(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

static void *work(void *argument) {
    Work *each = argument;
    while (!stop_flag_obey(&each->turn.stop)) {
        pause_for(0.0005);
        atomic_fetch_add(&each->steps, 1);
    }
    atomic_store(&each->ended, true);
    return NULL;
}

static void start(Work *each, Scheduler *scheduler, int64_t priority) {
    *each = (Work){.scheduler = scheduler, .turn = {.priority = priority}};
    scheduler_enter(scheduler, &each->turn);
    assert_int_equal(pthread_create(&each->thread, NULL, work, each), 0);
}

static void end(Work *each) {
    scheduler_stop(each->scheduler, &each->turn);
    pthread_join(each->thread, NULL);
    scheduler_leave(each->scheduler, &each->turn);
}

/* Waits until the work has made `more` steps. */
static void see_steps(const Work *each, int more) {
    const int wanted = atomic_load(&each->steps) + more;
    while (atomic_load(&each->steps) < wanted)
        pause_for(0.001);
}

/* Whether all have made enough steps since `before`, and none twice as many as another one. */
static bool are_even(const Work *works, const int *before, int count) {
    int least = INT_MAX, most = 0;
    for (int i = 0; i < count; i++) {
        const int steps = atomic_load(&works[i].steps) - before[i];
        least = steps < least ? steps : least;
        most = steps > most ? steps : most;
    }
    return least >= 80 && most <= 2 * least;
}

/* Four share the time of one, and the one that comes later makes up for nothing. A loaded machine may stretch a slice:
 * then it takes a while until all are even again. */
static void test_equal_shares(void **state) {
    (void)state;
    Error error;
    Scheduler *scheduler = scheduler_new(1, &error);
    Work works[4];
    for (int i = 0; i < 3; i++)
        start(&works[i], scheduler, 0);
    see_steps(&works[0], 100);
    start(&works[3], scheduler, 0);
    int before[4];
    for (int i = 0; i < 4; i++)
        before[i] = atomic_load(&works[i].steps);
    const double begin = wall_seconds();
    bool even;
    while (!(even = are_even(works, before, 4)) && wall_seconds() < begin + 20)
        pause_for(0.001);
    assert_true(even);
    for (int i = 0; i < 4; i++)
        end(&works[i]);
    scheduler_free(scheduler);
}

static void test_priority(void **state) {
    (void)state;
    Error error;
    Scheduler *scheduler = scheduler_new(1, &error);
    Work low, high;
    start(&low, scheduler, 0);
    see_steps(&low, 5);
    start(&high, scheduler, 1);
    see_steps(&high, 2); /* the other one is at most in a last step by now */
    const int before = atomic_load(&low.steps);
    see_steps(&high, 100); /* several slices */
    assert_in_range(atomic_load(&low.steps), before, before + 1);
    end(&high);
    see_steps(&low, 5);
    end(&low);
    scheduler_free(scheduler);
}

/* One that comes while a higher priority goes on makes up for nothing either. */
static void test_later_beside_priority(void **state) {
    (void)state;
    Error error;
    Scheduler *scheduler = scheduler_new(1, &error);
    Work low, high, later;
    start(&low, scheduler, 0);
    see_steps(&low, 1000);
    start(&high, scheduler, 1);
    start(&later, scheduler, 0);
    see_steps(&high, 2);
    end(&high);
    see_steps(&low, 1);
    assert_true(atomic_load(&later.steps) < 500);
    end(&low);
    end(&later);
    scheduler_free(scheduler);
}

/* All that there is room for go on; who holds can be stopped. */
static void test_at_once(void **state) {
    (void)state;
    Error error;
    Scheduler *scheduler = scheduler_new(2, &error);
    Work works[3];
    for (int i = 0; i < 2; i++)
        start(&works[i], scheduler, 1);
    start(&works[2], scheduler, 0);
    see_steps(&works[0], 60);
    see_steps(&works[1], 60);
    assert_int_equal(atomic_load(&works[2].steps), 0);
    end(&works[2]);
    assert_int_equal(atomic_load(&works[2].steps), 0);
    end(&works[0]);
    end(&works[1]);
    scheduler_free(scheduler);
}

/* A flag of the search's own caller ends it, too, while another search has the processor. */
static void test_stopped_by_parent(void **state) {
    (void)state;
    Error error;
    Scheduler *scheduler = scheduler_new(1, &error);
    StopFlag caller = {0};
    Work first, held = {.scheduler = scheduler, .turn = {.priority = 0, .stop.parent = &caller}};
    start(&first, scheduler, 1);
    scheduler_enter(scheduler, &held.turn);
    assert_int_equal(pthread_create(&held.thread, NULL, work, &held), 0);
    see_steps(&first, 20);
    assert_false(atomic_load(&held.ended));
    stop_flag_set(&caller);
    const double begin = wall_seconds();
    while (!atomic_load(&held.ended) && wall_seconds() < begin + 20)
        pause_for(0.001);
    assert_true(atomic_load(&held.ended));
    end(&held);
    end(&first);
    scheduler_free(scheduler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_shares),          cmocka_unit_test(test_priority),
        cmocka_unit_test(test_later_beside_priority), cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_stopped_by_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
