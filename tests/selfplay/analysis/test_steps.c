/* The analysis engine in steps: one thread, several tasks. */
#include "selfplay/analysis/analysis_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* What a task has reported. */
typedef struct Reports {
    int running, last;
    AnalysisStage stage; /* of the last one */
    SearchSummary summary;
} Reports;

static Analysis *analysis;
static Player player;

static void take(const AnalysisTask *task, const AnalysisReport *report) {
    Reports *reports = task->user;
    assert_int_equal(reports->last, 0); /* nothing comes after the last one */
    reports->running += report->stage == ANALYSIS_RUNNING;
    reports->last += report->stage != ANALYSIS_RUNNING;
    reports->stage = report->stage;
    reports->summary = report->summary;
}

static int set_up(void **state) {
    Error error;
    (void)state;
    player = player_default();
    snprintf(player.network, sizeof player.network, "%s", PLAYER_PLAYOUTS);
    player.memory_mb = 16; /* a search without limits that reports ends when memory is full */
    analysis = analysis_new(&(AnalysisOptions){.workers = 2, .threads = 1}, &error);
    return analysis ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    analysis_free(analysis);
    return 0;
}

/* Adds a task on the empty board of this size. */
static void add_task(Reports *reports, int size, int komi, AnalysisTask task) {
    Error error;
    task.game = analysis_game(analysis, &(GameOptions){.size = size}, &error);
    task.player = analysis_player(analysis, &player, task.game, &error);
    task.report = take;
    task.user = reports;
    *reports = (Reports){.running = 0};
    task.game->rules->start(task.game, &task.state, komi);
    assert_true(analysis_add(analysis, &task, &error));
}

static void add(Reports *reports, uint64_t simulations, int64_t priority, double interval) {
    const AnalysisTask task = {.simulations = simulations, .priority = priority, .report_interval = interval};
    add_task(reports, 4, 0, task);
}

static void a_task_ends_at_its_limit(void **state) {
    (void)state;
    Reports reports;
    add(&reports, 300, 0, 0);
    assert_int_equal(analysis_pending(analysis), 1);
    while (analysis_step(analysis, 0.001)) {
    }
    assert_int_equal(reports.stage, ANALYSIS_FINISHED);
    assert_int_equal(reports.running, 0);
    assert_true(reports.summary.simulations >= 300);
    assert_int_equal(analysis_pending(analysis), 0);
}

/* Where simulations limit a task and the time is enough, its answer does not depend on the steps: neither in an endgame
 * that is too hard for the solver, nor in one that is lost. */
static void steps_do_not_matter(void **state) {
    (void)state;
    static const double steps[] = {1000, 0.0001, 0.0001}, limits[] = {0, 0, 600};
    Reports reports[3];
    for (int komi = 4; komi <= 9; komi += 5)
        for (int i = 0; i < 3; i++) {
            add_task(&reports[i], 3, komi, (AnalysisTask){.simulations = 4000, .seconds = limits[i]});
            while (analysis_step(analysis, steps[i])) {
            }
            assert_int_equal(reports[i].summary.simulations, reports[0].summary.simulations);
            assert_true(reports[i].summary.win_rate == reports[0].summary.win_rate);
            assert_true(reports[i].summary.margin == reports[0].summary.margin);
        }
}

static void reports_come_in_between(void **state) {
    (void)state;
    Reports reports;
    add(&reports, 0, 0, 0.001);
    while (reports.running < 3)
        assert_true(analysis_step(analysis, 0.001));
    analysis_stop(analysis, NULL, NULL);
    analysis_wait(analysis);
    assert_int_equal(reports.last, 1);
}

/* A task of higher priority ends before one that was there first goes on. */
static void a_higher_priority_goes_first(void **state) {
    (void)state;
    Reports low, high;
    add(&low, 0, 0, 0);
    assert_true(analysis_step(analysis, 0.001));
    add(&high, 200, 1, 0);
    for (int steps = 0; !high.last; steps++) {
        assert_true(steps < 1000);
        assert_true(analysis_step(analysis, 0.01));
    }
    assert_int_equal(low.last, 0);
    analysis_stop(analysis, NULL, NULL);
    analysis_wait(analysis);
    assert_int_equal(low.last, 1);
}

/* A short search ends beside a long one, which goes on meanwhile. */
static void equal_ones_take_turns(void **state) {
    (void)state;
    Reports first, second;
    add(&first, 0, 0, 0.001);
    for (int steps = 0; steps < 20; steps++)
        assert_true(analysis_step(analysis, 0.001));
    const int before = first.running;
    add(&second, 200, 0, 0);
    for (int steps = 0; !second.last || first.running == before; steps++) {
        assert_true(steps < 1000);
        assert_true(analysis_step(analysis, 0.001));
    }
    assert_int_equal(second.stage, ANALYSIS_FINISHED);
    assert_int_equal(first.last, 0);
    analysis_stop(analysis, NULL, NULL);
    analysis_wait(analysis);
    assert_int_equal(first.last, 1);
}

/* More tasks than places: those that wait begin when others end. A stopped one that waits is never begun. */
static void tasks_wait_for_a_place(void **state) {
    (void)state;
    Reports reports[4];
    for (int i = 0; i < 4; i++)
        add(&reports[i], 50, 0, 0);
    while (analysis_step(analysis, 0.01)) {
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(reports[i].stage, ANALYSIS_FINISHED);
    for (int i = 0; i < 4; i++)
        add(&reports[i], 50, 0, 0);
    assert_int_equal(analysis_stop(analysis, NULL, NULL), 4);
    analysis_wait(analysis);
    for (int i = 0; i < 4; i++)
        assert_int_equal(reports[i].stage, ANALYSIS_UNTOUCHED);
}

static bool is_of(const AnalysisTask *task, const void *wanted) {
    return task->user == wanted;
}

/* A stopped one that waits is over at once, while others have all the places. */
static void a_stopped_one_does_not_wait(void **state) {
    (void)state;
    Reports searched[2], waiting[3];
    for (int i = 0; i < 2; i++) {
        add(&searched[i], 0, 0, 0.001);
        assert_true(analysis_step(analysis, 0.001));
    }
    for (int i = 0; i < 3; i++)
        add(&waiting[i], 50, i, 0);
    assert_int_equal(analysis_stop(analysis, is_of, &waiting[1]), 1);
    assert_true(waiting[1].last == 1 && waiting[1].stage == ANALYSIS_UNTOUCHED);
    assert_true(searched[0].last == 0 && searched[1].last == 0 && waiting[0].last == 0 && waiting[2].last == 0);
    assert_int_equal(analysis_pending(analysis), 4);
    for (int i = 0; i < 2; i++)
        assert_int_equal(analysis_stop(analysis, is_of, &searched[i]), 1);
    analysis_wait(analysis);
    assert_true(waiting[0].stage == ANALYSIS_FINISHED && waiting[2].stage == ANALYSIS_FINISHED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_ends_at_its_limit),   cmocka_unit_test(steps_do_not_matter),
        cmocka_unit_test(reports_come_in_between),    cmocka_unit_test(a_higher_priority_goes_first),
        cmocka_unit_test(equal_ones_take_turns),      cmocka_unit_test(tasks_wait_for_a_place),
        cmocka_unit_test(a_stopped_one_does_not_wait)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
