/* The search tree's memory: near and far edges, what a thread takes and gives back, and what is kept of a tree. */
#include "engine/search/tree.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EDGES = 61, NEAR = 8 };

static Tree new_tree(size_t bytes) {
    Tree tree;
    Error error;
    assert_true(tree_init(&tree, bytes, &error));
    return tree;
}

/* A node whose edge i has action `first` + i and prior 1 / (i + 1). */
static NodeRef new_node(Tree *tree, Arena *arena, Edge *parent, int first) {
    const NodeRef ref = tree_new_node(tree, arena, EDGES, NEAR);
    if (!ref)
        return 0;
    tree_node(tree, ref)->margin = (float)first;
    for (int i = 0; i < EDGES; i++)
        tree_set_edge(tree, ref, i, (Action)(first + i), 1.0f / (float)(i + 1));
    atomic_store(&parent->node, ref);
    return ref;
}

static void check_node(const Tree *tree, NodeRef ref, int first, int count) {
    const Edges edges = tree_edges(tree, ref);
    assert_int_equal(tree_node(tree, ref)->edges, EDGES);
    assert_int_equal(edges.count, count);
    for (int i = 0; i < count; i++) {
        const Edge *edge = edge_at(&edges, i);
        assert_int_equal(edge->action, first + i);
        assert_true(edge->prior == 1.0f / (float)(i + 1) && edge->margin == (float)first);
    }
}

/* Far edges get what was kept for them; near ones stay where they are, with what has happened to them. */
static void far_edges_are_made_when_asked_for(void **unused) {
    (void)unused;
    Tree tree = new_tree(TREE_MEMORY_MIN);
    Arena arena = {0};
    const NodeRef ref = new_node(&tree, &arena, &tree.root, 100);
    check_node(&tree, ref, 100, NEAR);
    const Edges before = tree_edges(&tree, ref);
    Edge *edge = edge_at(&before, 5);
    edge->stats = 7ull << TREE_VALUE_BITS;
    assert_true(tree_extend(&tree, &arena, ref));
    check_node(&tree, ref, 100, EDGES);
    const Edges after = tree_edges(&tree, ref);
    assert_ptr_equal(edge_at(&after, 5), edge);
    assert_int_equal(edge_visits(edge), 7);
    const size_t used = arena.next;
    assert_true(tree_extend(&tree, &arena, ref)); /* once is enough */
    assert_int_equal(arena.next, used);
    tree_free(&tree);
}

static void nodes_are_small_until_then(void **unused) {
    (void)unused;
    Tree tree = new_tree(TREE_MEMORY_MIN);
    Arena arena = {0};
    const NodeRef first = new_node(&tree, &arena, &tree.root, 0), second = new_node(&tree, &arena, &tree.root, 0);
    assert_true(second - first <= (1 + EDGES) / 3);
    const size_t used = arena.next;
    const NodeRef third = tree_new_node(&tree, &arena, EDGES, NEAR);
    tree_drop_node(&tree, &arena, third);
    assert_int_equal(arena.next, used);
    const NodeRef all = tree_new_node(&tree, &arena, EDGES, EDGES);
    assert_int_equal(tree_edges(&tree, all).count, EDGES);
    tree_free(&tree);
}

/* A kept subtree has its far edges and what is behind them, and takes no more memory than it needs. */
static void subtrees_are_kept_with_far_edges(void **unused) {
    (void)unused;
    Tree tree = new_tree(TREE_MEMORY_MIN);
    Arena arena = {0};
    const NodeRef root = new_node(&tree, &arena, &tree.root, 0);
    const Edges of_root = tree_edges(&tree, root);
    const NodeRef child = new_node(&tree, &arena, edge_at(&of_root, 2), 200);
    new_node(&tree, &arena, edge_at(&of_root, 3), 300); /* is forgotten */
    assert_true(tree_extend(&tree, &arena, child));
    const Edges of_child = tree_edges(&tree, child);
    new_node(&tree, &arena, edge_at(&of_child, 1), 400);
    new_node(&tree, &arena, edge_at(&of_child, EDGES - 1), 500);
    for (int times = 0; times < 3; times++) { /* to the other half and back */
        if (times == 0)
            tree_keep(&tree, edge_at(&of_root, 2), true);
        else
            tree_keep(&tree, &(Edge){.node = edge_node(&tree.root)}, true);
        const NodeRef kept = edge_node(&tree.root);
        check_node(&tree, kept, 200, EDGES);
        const Edges edges = tree_edges(&tree, kept);
        check_node(&tree, edge_node(edge_at(&edges, 1)), 400, NEAR);
        check_node(&tree, edge_node(edge_at(&edges, EDGES - 1)), 500, NEAR);
        assert_int_equal(edge_node(edge_at(&edges, 3)), 0);
    }
    assert_true(tree.half - tree_units_left(&tree) <= 200);
    tree_free(&tree);
}

/* What a root knows is seen from the opponent of the side to move. Where the same side goes on, all is turned round. */
static void statistics_are_those_of_the_right_side(void **unused) {
    (void)unused;
    static const Proven other[] = {[PROVEN_NOT] = PROVEN_NOT, [PROVEN_WIN] = PROVEN_LOSS, [PROVEN_LOSS] = PROVEN_WIN};
    const uint64_t visits = 7, value = 2 * TREE_VALUE_ONE + 5;
    Tree tree = new_tree(TREE_MEMORY_MIN);
    for (Proven proven = PROVEN_NOT; proven <= PROVEN_LOSS; proven++) {
        for (int changes = 0; changes < 2; changes++) {
            Edge edge = {.stats = visits << TREE_VALUE_BITS | value, .rave = 3, .margin = 4, .proven = (uint8_t)proven};
            tree_keep(&tree, &edge, changes);
            assert_int_equal(edge_visits(&tree.root), visits);
            assert_int_equal(stats_value(tree.root.stats), changes ? value : visits * TREE_VALUE_ONE - value);
            assert_int_equal(edge_proven(&tree.root), changes ? proven : other[proven]);
            assert_int_equal(tree.root.rave, 0);
            assert_true(tree.root.margin == 4);
        }
    }
    tree_free(&tree);
}

/* When memory is used up, nothing is made, and what is there stays whole. The other half is left alone. */
static void memory_ends(void **unused) {
    (void)unused;
    Tree tree = new_tree(TREE_MEMORY_MIN);
    Arena arena = {0};
    const NodeRef root = new_node(&tree, &arena, &tree.root, 0);
    const Edges edges = tree_edges(&tree, root);
    NodeRef last = root, next;
    int count = 0;
    while ((next = new_node(&tree, &arena, edge_at(&edges, count % NEAR), count))) {
        last = next;
        count++;
    }
    assert_in_range(count, 700, 800);
    assert_true(last + 1 + EDGES < tree.half);
    Arena other = {0}; /* of another thread, without a slab */
    assert_false(tree_extend(&tree, &other, root));
    check_node(&tree, root, 0, NEAR);
    tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_edges_are_made_when_asked_for),
        cmocka_unit_test(nodes_are_small_until_then),
        cmocka_unit_test(subtrees_are_kept_with_far_edges),
        cmocka_unit_test(statistics_are_those_of_the_right_side),
        cmocka_unit_test(memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
