/* Transpositions: nodes that several edges share, seen from inside the graph. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/search/search_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LEAVES_MAX = 20000 };

/* ---- An evaluator whose opinion follows from the position alone, and which notes what it is asked ---- */

typedef struct Opinion {
    Evaluator evaluator; /* first */
    const Game *game;
    uint64_t seen[LEAVES_MAX];
    int count;
    float spread; /* of the chances around 0.5; 0: all positions are even */
} Opinion;

static void *new_context(const Evaluator *evaluator, const Game *game, Error *error) {
    (void)error;
    Opinion *self = (Opinion *)evaluator;
    self->game = game;
    return self;
}

static void free_context(void *context) {
    (void)context;
}

static void evaluate(void *context, const Leaf *leaves, int count, Evaluation *out) {
    Opinion *self = context;
    for (int i = 0; i < count; i++) {
        const uint64_t hash = self->game->rules->hash(leaves[i].state);
        Rng rng = rng_seed(hash);
        out[i].black = 0.5f + self->spread * (float)(rng_unit(&rng) - 0.5);
        out[i].margin = 4;
        for (int a = 0; a < leaves[i].action_count; a++) { /* the same actions are good everywhere */
            Rng action = rng_seed(leaves[i].actions[a]);
            out[i].logits[a] = 8 * (float)rng_unit(&action);
        }
        if (self->count < LEAVES_MAX) /* with several threads nobody reads it */
            self->seen[self->count++] = hash;
    }
}

static Opinion *new_opinion(float spread, int batch) {
    Opinion *opinion = calloc(1, sizeof *opinion);
    assert_non_null(opinion);
    opinion->spread = spread;
    opinion->evaluator = (Evaluator){.name = "opinion",
                                     .has_policy = true,
                                     .batch = batch,
                                     .solver_positions = 8,
                                     .new_context = new_context,
                                     .free_context = free_context,
                                     .evaluate = evaluate};
    return opinion;
}

static Search *new_search(const Game *game, const Opinion *opinion, int transpositions, int threads) {
    Error error;
    SearchOptions options = {.params = search_default_params(),
                             .evaluator = &opinion->evaluator,
                             .threads = threads,
                             .memory = 64 << 20,
                             .seed = 5};
    options.params.selection = SELECTION_PUCT;
    options.params.solver_share = 0;
    options.params.transpositions = transpositions;
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    return search;
}

static Game *new_game(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

static void set_start(const Game *game, Search *search, int komi) {
    GameState state;
    game->rules->start(game, &state, komi);
    search_set_position(search, &state);
}

/* ---- The nodes of a search ---- */

typedef struct Nodes {
    NodeRef refs[LEAVES_MAX];
    int count, edges_to_nodes; /* each node is there once, however many edges lead to it */
} Nodes;

static void add_node(Nodes *nodes, bool *reached, NodeRef ref) {
    if (reached[ref])
        return;
    reached[ref] = true;
    assert_in_range(nodes->count, 0, LEAVES_MAX - 1);
    nodes->refs[nodes->count++] = ref;
}

/* All nodes that can be reached from the root; to be freed. */
static Nodes *find_nodes(const Search *search) {
    Nodes *nodes = calloc(1, sizeof *nodes);
    bool *reached = calloc(2 * search->tree.half, 1);
    assert_non_null(nodes);
    assert_non_null(reached);
    add_node(nodes, reached, edge_node(&search->tree.root));
    for (int i = 0; i < nodes->count; i++) {
        const Edge *edges = tree_edges(&search->tree, nodes->refs[i]);
        for (int k = 0; k < tree_node(&search->tree, nodes->refs[i])->edges; k++)
            if (edge_node(&edges[k])) {
                nodes->edges_to_nodes++;
                add_node(nodes, reached, edge_node(&edges[k]));
            }
    }
    free(reached);
    return nodes;
}

static int compare(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static int count_repeats(uint64_t *hashes, int count) {
    int repeats = 0;
    qsort(hashes, (size_t)count, sizeof *hashes, compare);
    for (int i = 1; i < count; i++)
        repeats += hashes[i] == hashes[i - 1];
    return repeats;
}

/* Positions that have more than one node. */
static int count_double_nodes(const Search *search, const Nodes *nodes) {
    uint64_t *hashes = calloc((size_t)nodes->count, sizeof *hashes);
    assert_non_null(hashes);
    for (int i = 0; i < nodes->count; i++)
        hashes[i] = tree_node(&search->tree, nodes->refs[i])->hash;
    const int repeats = count_repeats(hashes, nodes->count);
    free(hashes);
    return repeats;
}

/* The statistics of shared nodes are those of their edges and their own evaluation. Returns how many are shared. */
static int check_shared(const Search *search, const Nodes *nodes) {
    int shared = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = tree_node(&search->tree, nodes->refs[i]);
        const Edge *edges = tree_edges(&search->tree, nodes->refs[i]);
        uint64_t stats = 1ull << TREE_VALUE_BITS | (uint64_t)(node->value * (float)TREE_VALUE_ONE + 0.5f);
        for (int k = 0; k < node->edges; k++) {
            stats += edges[k].stats;
            assert_int_equal(edges[k].awaited, 0);
        }
        if (node->shared)
            assert_true(node->stats == stats);
        shared += node->shared;
    }
    return shared;
}

/* ---- Tests ---- */

static void positions_are_evaluated_once(void **unused) {
    (void)unused;
    static const char *const names[] = {"stigmergy", "bug", "sgolte"};
    for (int i = 0; i < 3; i++)
        for (int transpositions = 0; transpositions <= 1; transpositions++) {
            Game *game = new_game(names[i], 4);
            Opinion *opinion = new_opinion(0.5f, 1);
            Search *search = new_search(game, opinion, transpositions, 1);
            set_start(game, search, 0);
            search_run(search, &(SearchLimits){.simulations = 4000});
            Nodes *nodes = find_nodes(search);
            const int repeats = count_repeats(opinion->seen, opinion->count);
            assert_int_equal(check_shared(search, nodes) > 0, transpositions);
            assert_int_equal(nodes->edges_to_nodes > nodes->count - 1, transpositions);
            if (transpositions) {
                assert_int_equal(repeats, 0);
                assert_int_equal(count_double_nodes(search, nodes), 0);
                assert_int_equal(nodes->count, opinion->count);
            } else
                assert_true(repeats > 20); /* so the tree has what a graph avoids */
            free(nodes);
            search_free(search);
            free(opinion);
            game_free(game);
        }
}

/* After some moves each node has been copied once, can be found, and the search goes on in the graph. */
static void graph_is_kept(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Opinion *opinion = new_opinion(0.5f, 1);
    Search *search = new_search(game, opinion, 1, 1);
    set_start(game, search, 5);
    for (int move = 0; move < 6; move++) {
        search_run(search, &(SearchLimits){.simulations = 1500});
        const size_t before = search_memory_used(search);
        search_play(search, search_best(search));
        Nodes *nodes = find_nodes(search);
        assert_true(nodes->count > 10);
        assert_true(check_shared(search, nodes) > 0);
        assert_int_equal(count_double_nodes(search, nodes), 0);
        assert_true(search_memory_used(search) < before);
        for (int i = 0; i < nodes->count; i++) {
            const Node *node = tree_node(&search->tree, nodes->refs[i]);
            assert_false(node->moved);
            assert_int_equal(tree_find(&search->tree, node->hash), nodes->refs[i]);
        }
        free(nodes);
    }
    search_free(search);
    free(opinion);
    game_free(game);
}

/* What a simulation by this edge of the node `ref` results in, for the side of that node; -1 if it goes on. */
static double known_result(Search *search, NodeRef ref, Edge *edge) {
    Simulation *simulation = calloc(1, sizeof *simulation);
    Edge above = {.node = ref};
    assert_non_null(simulation);
    simulation->depth = 1;
    simulation->path[0] = &above;
    simulation->path[1] = edge;
    double result = -1;
    if (search_knows(search, simulation, edge_node(edge)))
        result = node_side(search, ref) == BLACK ? (double)simulation->black : 1 - (double)simulation->black;
    assert_true(result < 0 || simulation->margin == 4);
    free(simulation);
    return result;
}

/* A node that knows more than an edge brings the edge to its own value, as far as one result can. */
static void edges_take_over_the_value(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Opinion *opinion = new_opinion(0.9f, 1);
    Search *search = new_search(game, opinion, 1, 1);
    set_start(game, search, 5);
    search_run(search, &(SearchLimits){.simulations = 10000});
    Nodes *nodes = find_nodes(search);
    int corrected = 0, clipped = 0, gone_on = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = tree_node(&search->tree, nodes->refs[i]);
        Edge *edges = tree_edges(&search->tree, nodes->refs[i]);
        for (int k = 0; k < node->edges; k++) {
            const Node *behind = edge_node(&edges[k]) ? tree_node(&search->tree, edge_node(&edges[k])) : NULL;
            if (!behind || behind->proven)
                continue;
            const double result = known_result(search, nodes->refs[i], &edges[k]);
            const double visits = edge_visits(&edges[k]), own = visits * (double)edge_mean(&edges[k]);
            const double mean = (double)stats_value(behind->stats) / TREE_VALUE_ONE / stats_visits(behind->stats);
            const double wanted = behind->side == node->side ? mean : 1 - mean;
            gone_on += result < 0;
            clipped += result == 0 || result == 1;
            corrected += result > 0 && result < 1;
            if (result < 0)
                assert_true(!behind->shared || stats_visits(behind->stats) < 2 * visits ||
                            fabs(own / visits - wanted) < 0.0101);
            else if (result > 0 && result < 1)
                assert_true(fabs((own + result) / (visits + 1) - wanted) < 1e-3);
            else
                assert_true((wanted - own / visits > 0) == (result == 1));
        }
    }
    assert_true(corrected > 20 && clipped > 5 && gone_on > 20);
    free(nodes);
    search_free(search);
    free(opinion);
    game_free(game);
}

/* The winner is the same, and proven, with and without. On hexhex-2 Black wins up to komi 6. */
static void proofs_go_through_shared_nodes(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 2);
    for (int komi = 6; komi <= 8; komi += 2)
        for (int transpositions = 0; transpositions <= 1; transpositions++) {
            Opinion *opinion = new_opinion(0.5f, 1);
            Search *search = new_search(game, opinion, transpositions, 1);
            set_start(game, search, komi);
            const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 400000});
            assert_true(summary.proven);
            assert_true(summary.win_rate == (komi == 6 ? 1 : 0));
            search_free(search);
            free(opinion);
        }
    game_free(game);
}

/* Side by side, with batches, all that is on its way arrives, and equal values stay equal. */
static void threads_share_nodes(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Opinion *opinion = new_opinion(0, 8);
    opinion->count = LEAVES_MAX;
    Search *search = new_search(game, opinion, 1, 4);
    SearchMove moves[GAME_LEGAL_MAX];
    set_start(game, search, 5);
    for (int move = 0; move < 3; move++) {
        search_run(search, &(SearchLimits){.simulations = 4000});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++)
            assert_true(moves[i].visits == 0 || fabs(moves[i].win_rate - 0.5) < 0.02);
        Nodes *nodes = find_nodes(search);
        int shared = 0;
        for (int i = 0; i < nodes->count; i++) {
            const Edge *edges = tree_edges(&search->tree, nodes->refs[i]);
            for (int k = 0; k < tree_node(&search->tree, nodes->refs[i])->edges; k++)
                assert_int_equal(edges[k].awaited, 0);
            shared += tree_node(&search->tree, nodes->refs[i])->shared;
        }
        assert_true(shared > 0);
        free(nodes);
        search_play(search, search_best(search));
    }
    search_free(search);
    free(opinion);
    game_free(game);
}

/* What may be done near the root depends on the depth there, so nodes are not shared. */
static void avoiding_searches_share_nothing(void **unused) {
    (void)unused;
    Game *game = new_game("stigmergy", 4);
    Opinion *opinion = new_opinion(0.5f, 1);
    Search *search = new_search(game, opinion, 1, 1);
    SearchAvoid avoid = {0};
    set_start(game, search, 5);
    avoid.until[BLACK][0] = 2;
    search_avoid(search, &avoid);
    search_run(search, &(SearchLimits){.simulations = 2000});
    Nodes *nodes = find_nodes(search);
    assert_int_equal(check_shared(search, nodes), 0);
    assert_int_equal(nodes->edges_to_nodes, nodes->count - 1);
    free(nodes);
    search_free(search);
    free(opinion);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_evaluated_once), cmocka_unit_test(graph_is_kept),
        cmocka_unit_test(edges_take_over_the_value),    cmocka_unit_test(proofs_go_through_shared_nodes),
        cmocka_unit_test(threads_share_nodes),          cmocka_unit_test(avoiding_searches_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
