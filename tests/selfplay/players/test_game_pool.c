/* Tests of games side by side: whoever starts them learns why they ended. */
#include "selfplay/players/game_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A job whose function `failing` fails: 0 take, 1 play_task, 2 finished. */
static bool succeed(int failing, int place, Error *error) {
    return failing != place || error_set(error, "out of memory in %d", place);
}

static int take(void *user, Error *error) {
    return succeed(*(int *)user, 0, error) ? 0 : POOL_TASK_FAILED;
}

static bool play_task(GamePool *pool, void **worker, int task, Error *error) {
    const GameRecord record = {.count = 0};
    (void)worker;
    (void)task;
    pool_finish(pool, (GameId){.group = 0}, &record);
    return succeed(*(int *)pool_user(pool), 1, error);
}

static bool finished(void *user, GameId id, const GameRecord *record, bool *wanted, Error *error) {
    (void)id;
    (void)record;
    (void)wanted;
    return succeed(*(int *)user, 2, error);
}

/* A failure for lack of memory may pass: the command that reports it must know. */
static void test_cause(void **unused) {
    (void)unused;
    static const char *const texts[] = {"out of memory in 0", "out of memory in 1", "out of memory in 2"};
    for (int failing = 0; failing < 3; failing++) {
        const PoolJob job = {
            .threads = 2, .take = take, .play_task = play_task, .finished = finished, .user = &failing};
        Error error;
        assert_int_equal(pool_run(&job, &error), POOL_FAILED);
        assert_string_equal(error.text, texts[failing]);
        assert_true(error.no_memory && error.passing);
        assert_int_equal(pool_run(&job, NULL), POOL_FAILED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
