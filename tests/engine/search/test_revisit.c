/* Coming back to dismissed moves: when, to which edge of a node, and what that does to a search. */
#include "engine/search/revisit.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EDGES = 10, MOST = 4 };

typedef struct Bandit {
    Edge edges[EDGES];
} Bandit;

static void add_visits(Bandit *bandit, int edge, uint64_t visits, double value) {
    bandit->edges[edge].stats +=
        (visits << TREE_VALUE_BITS) + (uint64_t)((double)visits * value * TREE_VALUE_ONE + 0.5);
}

/* Edge MOST has many visits of value 0.5, the others are not known. */
static Bandit new_bandit(void) {
    Bandit bandit = {0};
    add_visits(&bandit, MOST, 1000, 0.5);
    return bandit;
}

static Edges edges_of(Edge *edges, int count) {
    return (Edges){.near = edges, .far = edges + 3, .near_count = 3, .count = count};
}

static int next_edge(Bandit *bandit) {
    const Edges edges = edges_of(bandit->edges, EDGES);
    return revisit_edge(&edges);
}

/* ---- When ---- */

static void depths_halve(void **unused) {
    (void)unused;
    const uint64_t period = 5;
    int times[20] = {0};
    for (uint64_t number = 1; number < period * 1024; number++) {
        const int depth = revisit_depth(period, number);
        assert_int_equal(depth >= 0, number % period == period - 1);
        times[depth + 1]++;
    }
    for (int depth = 0; depth < 10; depth++)
        assert_int_equal(times[depth + 1], 512 >> depth);
    assert_int_equal(revisit_depth(0, 64), -1);
}

/* ---- Where ---- */

/* Edge i is i steps of 0.1 from the best one, above or below in value: the nearer, the more visits; all get some. */
static void visits_follow_the_difference(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit();
    for (int i = 0; i < 2000; i++) {
        const int next = next_edge(&bandit);
        assert_true(next >= 0 && next < EDGES && next != MOST);
        add_visits(&bandit, next, 1, 0.5 - 0.1 * (next < MOST ? MOST - next : (next - MOST) * 0.5));
        if (edge_visits(&bandit.edges[next]) > 900) /* it must stay below the most visited one */
            add_visits(&bandit, MOST, 1000, 0.5);
    }
    for (int i = 0; i < MOST - 1; i++)
        assert_true(edge_visits(&bandit.edges[i]) < edge_visits(&bandit.edges[i + 1]));
    for (int i = MOST + 1; i < EDGES - 1; i++)
        assert_true(edge_visits(&bandit.edges[i]) > edge_visits(&bandit.edges[i + 1]));
    assert_in_range(edge_visits(&bandit.edges[0]), 10, 60); /* the furthest one: 0.4 below */
}

/* A move that does badly in its first visits: whoever looks only where most was won never learns what it is worth. */
static void a_late_bloomer_is_found(void **unused) {
    (void)unused;
    enum { LATE = 7, PERIOD = 16, BAD_VISITS = 6 };
    static const double values[EDGES] = {0.2, 0.2, 0.2, 0.4, 0.2, 0.2, 0.2, 0.3, 0.2, 0.2};
    for (int period = 0; period <= PERIOD; period += PERIOD) {
        Bandit bandit = {0};
        for (int i = 0; i < EDGES; i++)
            add_visits(&bandit, i, 1, values[i]);
        for (uint64_t number = 1; number <= 4000; number++) {
            int taken = revisit_depth((uint64_t)period, number) == 0 ? next_edge(&bandit) : -1;
            for (int i = 0; i < EDGES && taken < 0; i++) /* the rule of selection: the best mean */
                for (int k = taken = i; k < EDGES; k++)
                    if (edge_mean(&bandit.edges[k]) > edge_mean(&bandit.edges[taken]))
                        taken = k;
            const bool bad = taken == LATE && edge_visits(&bandit.edges[LATE]) < BAD_VISITS;
            add_visits(&bandit, taken, 1, taken == LATE && !bad ? 0.9 : values[taken]);
        }
        if (period == 0)
            assert_int_equal(edge_visits(&bandit.edges[LATE]), 1);
        else
            assert_true(edge_visits(&bandit.edges[LATE]) > 2000);
    }
}

static void proven_edges_are_left_alone(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit();
    for (int i = 0; i < EDGES; i++)
        if (i != 8)
            bandit.edges[i].proven = i == 2 ? PROVEN_WIN : PROVEN_LOSS;
    assert_int_equal(next_edge(&bandit), 8);
    bandit.edges[8].proven = PROVEN_LOSS;
    assert_int_equal(next_edge(&bandit), -1);
}

/* What RAVE says of edges without visits tells them apart. */
static void unknown_edges_go_by_rave(void **unused) {
    (void)unused;
    Bandit bandit = new_bandit();
    for (int i = 0; i < EDGES; i++)
        bandit.edges[i].rave = (uint64_t)100 << 32 | (i == 6 ? 45 : 30);
    assert_int_equal(next_edge(&bandit), 6);
}

/* In a wide run the best moves get visits in equal parts, worse ones less, and the worst of many none. */
static void alternatives_can_be_compared(void **unused) {
    (void)unused;
    enum { MANY = 30, GOOD = 6, COMPARED = 12, VISITS = 6000 };
    Edge edges[MANY] = {0};
    const Edges all = edges_of(edges, MANY);
    edges[0].stats = (10000ull << TREE_VALUE_BITS) + 5000ull * TREE_VALUE_ONE;
    edges[MANY - 1].proven = PROVEN_LOSS;
    for (int i = 0; i < VISITS; i++) {
        const int next = wide_edge(&all);
        assert_in_range(next, 1, MANY - 2);
        const double value = next <= GOOD ? 0.5 : 0.3 - 0.005 * next; /* all others far below */
        edges[next].stats += (1ull << TREE_VALUE_BITS) + (uint64_t)(value * TREE_VALUE_ONE);
    }
    for (int i = 1; i <= GOOD; i++)
        assert_in_range(edge_visits(&edges[i]), VISITS / COMPARED, VISITS / GOOD);
    for (int i = GOOD + 1; i <= COMPARED; i++)
        assert_in_range(edge_visits(&edges[i]), VISITS / COMPARED / 5, VISITS / COMPARED);
    assert_true(edge_visits(&edges[MANY - 2]) < VISITS / COMPARED / 5);
    const Edges one = {.near = edges, .near_count = 1, .count = 1};
    assert_int_equal(wide_edge(&one), -1);
}

/* With few visits nothing has been dismissed; a node with one edge has nothing to come back to. */
static void there_may_be_nothing_to_come_back_to(void **unused) {
    (void)unused;
    Bandit bandit = {0};
    add_visits(&bandit, 0, 10, 0.5);
    assert_int_equal(next_edge(&bandit), -1);
    bandit = new_bandit();
    add_visits(&bandit, 0, 1000, 0.5);
    const Edges one = {.near = bandit.edges, .near_count = 1, .count = 1};
    assert_int_equal(revisit_edge(&one), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_halve),
        cmocka_unit_test(visits_follow_the_difference),
        cmocka_unit_test(a_late_bloomer_is_found),
        cmocka_unit_test(proven_edges_are_left_alone),
        cmocka_unit_test(unknown_edges_go_by_rave),
        cmocka_unit_test(alternatives_can_be_compared),
        cmocka_unit_test(there_may_be_nothing_to_come_back_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
