/* The search: reproducible, exact when it says so, within its limits of simulations and memory, correct with many
 * threads. */
#include "engine/base/rng.h"
#include "engine/base/rough_math.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "engine/search/search_internal.h"
#include "tests/support/search_start.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Game *new_game(int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.size = size}, &error);
    assert_non_null(game);
    return game;
}

static Search *new_search_with(const Game *game, SearchParams params, int threads, size_t memory, uint64_t seed) {
    Error error;
    const SearchOptions options = {.params = params, .threads = threads, .memory = memory, .seed = seed};
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    return search;
}

/* Every action has an edge of its own, also on the empty board; test_symmetry.c is about those that share one. */
static Search *new_search(const Game *game, int threads, size_t memory, uint64_t seed) {
    SearchParams params = search_default_params();
    params.all_images = 1;
    return new_search_with(game, params, threads, memory, seed);
}

/* A search that does simulations only. */
static Search *new_search_without_solver(const Game *game, int threads, size_t memory, uint64_t seed) {
    SearchParams params = search_default_params();
    params.solver_share = 0;
    return new_search_with(game, params, threads, memory, seed);
}

/* PUCT without the solver; every action has an edge of its own. */
static SearchParams puct_params(void) {
    SearchParams params = search_default_params();
    params.selection = SELECTION_PUCT;
    params.all_images = 1;
    params.solver_share = 0;
    return params;
}

static Search *new_puct_search(const Game *game, uint64_t seed) {
    return new_search_with(game, puct_params(), 1, 16 << 20, seed);
}

static Edges root_edges(const Search *search) {
    return tree_edges(&search->tree, edge_node(&search->tree.root));
}

/* The edge with this action, which the node must have. */
static Edge *edge_in(const Search *search, NodeRef ref, Action action) {
    const Edges edges = tree_edges(&search->tree, ref);
    int i = 0;
    while (edge_at(&edges, i)->action != action)
        i++;
    return edge_at(&edges, i);
}

static void set_all_proven(const Edges *edges, Proven proven) {
    for (int i = 0; i < edges->count; i++)
        edge_at(edges, i)->proven = (uint8_t)proven;
}

static Edge *edge_of(const Search *search, Action action) {
    return edge_in(search, edge_node(&search->tree.root), action);
}

/* Of the half that is in use. */
static size_t bytes_used(const Tree *tree) {
    return (tree->half - tree_units_left(tree)) * sizeof(Edge);
}

/* Takes `plies` random actions, but none that would end the game. */
static void wander(const Game *game, GameState *state, int plies, Rng *rng) {
    for (int i = 0; i < plies; i++) {
        Action legal[GAME_LEGAL_MAX];
        GameState next = *state;
        game->rules->apply(game, &next, legal[rng_below(rng, (uint32_t)game->rules->legal(game, state, legal))]);
        if (!game->rules->over(&next))
            *state = next;
    }
}

/* A position some actions after the start. */
static void set_wandered(const Game *game, Search *search, int komi, int plies) {
    GameState state;
    Rng rng = rng_seed(1);
    game->rules->start(game, &state, komi);
    wander(game, &state, plies, &rng);
    search_set_position(search, &state);
}

/* ---- The choice of an edge ---- */

/* Uses few different numbers, so values are often equal. One node in four has proven edges. */
static void random_edges(Edge *edges, int count, Rng *rng) {
    static const uint32_t scales[] = {1, 3, 1000, TREE_VISITS_MAX};
    const uint32_t scale = scales[rng_below(rng, 4)];
    const bool proven = rng_below(rng, 4) == 0;
    for (int i = 0; i < count; i++) {
        const uint32_t visits = rng_below(rng, scale), playouts = rng_below(rng, scale);
        const uint64_t value = (uint64_t)rng_below(rng, visits + 1) * TREE_VALUE_ONE;
        edges[i] = (Edge){.stats = (uint64_t)visits << TREE_VALUE_BITS | value,
                          .rave = (uint64_t)playouts << 32 | rng_below(rng, playouts + 1),
                          .margin = (float)rng_below(rng, 100),
                          .node = rng_below(rng, 1u << 30),
                          .action = (Action)rng_below(rng, 100)};
        if (proven && rng_below(rng, 3) == 0)
            edges[i].proven = rng_below(rng, 9) ? PROVEN_LOSS : PROVEN_WIN;
    }
}

/* The best edge by the definition in engine/search/selection.h, computed one edge after the other. */
static int best_by_definition(const SelectionParams *params, const Edge *edges, int count, float parent_visits) {
    int best = 0;
    float highest = -1;
    for (int i = 0; i < count; i++) {
        const Edge *edge = &edges[i];
        const float n = (float)edge_visits(edge), w = (float)stats_value(edge->stats) / TREE_VALUE_ONE;
        const float rn = (float)(edge->rave >> 32), rw = (float)(edge->rave & 0xffffffff);
        const float weight = 1 + rn * params->per_rave;
        float value = (rw + weight * w + params->fpu) / (rn + weight * n + 1);
        if (params->exploration > 0)
            value += params->exploration * sqrtf(rough_log2(parent_visits + 1) / (n + 1));
        if (edge_proven(edge) == PROVEN_WIN)
            return i;
        if (edge_proven(edge) == PROVEN_LOSS || value <= highest)
            continue;
        best = i;
        highest = value;
    }
    return best;
}

static void kernels_select_alike(void **state) {
    (void)state;
    static const SelectionParams params[] = {
        {1.0f / 500, 0, 1}, {0, 0, 0.5f}, {1.0f / 500, 0.3f, 1}, {1.0f / 30, 0, 0}};
    Edge edges[GAME_LEGAL_MAX + TREE_PADDING];
    Rng rng = rng_seed(11);
    int kernels = 0;
    for (int k = 0; selection_kernels[k]; k++) {
        if (!selection_kernels[k]->runs_here())
            continue;
        kernels++;
        for (int trial = 0; trial < 20000; trial++) {
            const int count = 1 + (int)rng_below(&rng, trial % 2 ? 12 : GAME_LEGAL_MAX);
            random_edges(edges, count + TREE_PADDING, &rng);
            const SelectionParams *with = &params[rng_below(&rng, 4)];
            const float visits = (float)rng_below(&rng, 1000);
            assert_int_equal(selection_kernels[k]->best(with, edges, count, visits),
                             best_by_definition(with, edges, count, visits));
        }
    }
    assert_true(kernels >= 1);
    assert_true(selection_kernel()->runs_here());
}

/* ---- One thread ---- */

static void same_seed_same_search(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    SearchMove moves[2][GAME_LEGAL_MAX];
    int count[2];
    for (int i = 0; i < 2; i++) {
        Search *search = new_search(game, 1, 64 << 20, 7);
        set_start(game, search, 3);
        search_run(search, &(SearchLimits){.simulations = 2000});
        search_play(search, search_best(search));
        search_run(search, &(SearchLimits){.simulations = 2000});
        count[i] = search_moves(search, moves[i], GAME_LEGAL_MAX);
        search_free(search);
    }
    assert_int_equal(count[0], count[1]);
    for (int i = 0; i < count[0]; i++) {
        assert_int_equal(moves[0][i].action, moves[1][i].action);
        assert_int_equal(moves[0][i].visits, moves[1][i].visits);
        assert_true(moves[0][i].win_rate == moves[1][i].win_rate);
        assert_true(moves[0][i].margin == moves[1][i].margin);
    }
    game_free(game);
}

static void simulations_are_counted(void **unused) {
    (void)unused;
    Game *game = new_game(5);
    Search *search = new_search(game, 1, 64 << 20, 1);
    set_start(game, search, 0);
    SearchMove moves[GAME_LEGAL_MAX];
    assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX), 0);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 1000});
    assert_int_equal(summary.simulations, 1000);
    assert_false(summary.proven);
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    assert_int_equal(count, game->board.cells);
    uint64_t visits = 0;
    for (int i = 0; i < count; i++) {
        visits += moves[i].visits;
        assert_in_range((uintmax_t)(moves[i].win_rate * 1000), 0, 1000);
        if (i > 0)
            assert_true(moves[i].visits <= moves[i - 1].visits);
    }
    /* The first simulation ends at the root. One of 64 may come back to a move below, and does not count here. */
    assert_in_range(visits, 999 - 1000 / 64, 999);
    assert_int_equal(search_best(search), moves[0].action);
    search_free(search);
    game_free(game);
}

static void tree_is_kept_between_moves(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search(game, 1, 64 << 20, 1);
    set_start(game, search, 2);
    search_run(search, &(SearchLimits){.simulations = 5000});
    SearchMove before[GAME_LEGAL_MAX], after[GAME_LEGAL_MAX];
    search_moves(search, before, GAME_LEGAL_MAX);
    search_play(search, before[0].action);
    const int count = search_moves(search, after, GAME_LEGAL_MAX);
    uint64_t visits = 1;
    for (int i = 0; i < count; i++)
        visits += after[i].visits;
    assert_in_range(visits, before[0].visits, before[0].visits + 5000 / 64); /* simulations that came back to a move */
    /* A move that was never expanded leaves an empty tree, which must be usable. */
    search_set_position(search, search_position(search));
    search_play(search, after[0].action);
    assert_int_equal(search_moves(search, after, GAME_LEGAL_MAX), 0);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 10}).simulations, 10);
    search_free(search);
    game_free(game);
}

/* The nodes of PUCT make only some of their edges at first. The one that becomes the root has all. */
static void kept_roots_have_all_moves(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_puct_search(game, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    Action legal[GAME_LEGAL_MAX];
    search_run(search, &(SearchLimits){.simulations = 30});
    search_play(search, search_best(search));
    assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX),
                     game->rules->legal(game, search_position(search), legal));
    search_free(search);
    game_free(game);
}

/* Also after a single simulation the policies of all moves add up to 1. */
static void policies_of_a_first_simulation(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search(game, 1, 16 << 20, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    double sum = 0;
    set_start(game, search, 0);
    search_run(search, &(SearchLimits){.simulations = 1});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++)
        sum += moves[i].policy;
    assert_true(fabs(sum - 1) < 1e-4);
    search_free(search);
    game_free(game);
}

static void variation_is_legal(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search(game, 1, 64 << 20, 3);
    set_start(game, search, 1);
    search_run(search, &(SearchLimits){.simulations = 20000});
    Action variation[64];
    const Action best = search_best(search);
    const int length = search_variation(search, best, variation, 64);
    assert_in_range(length, 3, 64);
    assert_int_equal(variation[0], best);
    GameState state;
    game_copy(game, &state, search_position(search));
    for (int i = 0; i < length; i++) {
        assert_true(game_is_legal(game, &state, variation[i]));
        game->rules->apply(game, &state, variation[i]);
    }
    search_free(search);
    game_free(game);
}

/* A variation goes on as long as its replies have been visited. */
static void variations_have_been_visited(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 1, 16 << 20, 3);
    SearchMove moves[GAME_LEGAL_MAX];
    int replies = 0;
    set_wandered(game, search, 1, 3);
    search_run(search, &(SearchLimits){.simulations = 100});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < count; i++) {
        Action variation[64];
        const Edge *edge = &search->tree.root;
        const int length = search_variation(search, moves[i].action, variation, 64);
        for (int k = 0; k < length; k++) {
            edge = edge_in(search, edge_node(edge), variation[k]);
            assert_true(k == 0 || edge_visits(edge) > 0);
        }
        replies += length - 1;
    }
    assert_true(replies > 0);
    search_free(search);
    game_free(game);
}

static void owners_are_shares(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search(game, 2, 64 << 20, 3);
    set_start(game, search, 0);
    float owners[HEXHEX_MAX_CELLS];
    search_owners(search, owners);
    assert_true(owners[0] == 0.5f);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 3000});
    search_owners(search, owners);
    float sum = 0;
    for (int c = 0; c < game->board.cells; c++) {
        assert_true(owners[c] >= 0 && owners[c] <= 1);
        sum += 2 * owners[c] - 1;
    }
    assert_true(sum > summary.margin - 2 && sum < summary.margin + 2); /* komi is 0: the same expectation */
    search_free(search);
    game_free(game);
}

/* A search that has forgotten its tree says of the owners what a new one says. */
static void owners_are_forgotten_with_the_tree(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search_without_solver(game, 1, 16 << 20, 3);
    float owners[2][HEXHEX_MAX_CELLS];
    set_start(game, search, 0);
    for (int i = 0; i < 2; i++) {
        search_owners(search, owners[i]);
        assert_true(owners[i][0] == 0.5f);
        search_reseed(search, 5);
        search_run(search, &(SearchLimits){.simulations = 100});
        search_owners(search, owners[i]);
        search_forget_tree(search);
    }
    for (int c = 0; c < game->board.cells; c++)
        assert_true(owners[0][c] == owners[1][c]);
    search_free(search);
    game_free(game);
}

/* In a tree that is kept the owners go on to be known, also where the next move ends the game and nothing more is
 * evaluated; what is found anew soon outweighs them. */
static void owners_stay_with_the_tree(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search_without_solver(game, 2, 16 << 20, 3);
    float before[HEXHEX_MAX_CELLS], after[HEXHEX_MAX_CELLS], later[HEXHEX_MAX_CELLS];
    set_start(game, search, 0);
    search_run(search, &(SearchLimits){.simulations = 500});
    search_owners(search, before);
    search_play(search, search_best(search));
    search_owners(search, after);
    double moved = 0;
    for (int c = 0; c < game->board.cells; c++)
        assert_true(fabsf(before[c] - after[c]) < 0.1f);
    search_run(search, &(SearchLimits){.simulations = 2000});
    search_owners(search, later);
    for (int c = 0; c < game->board.cells; c++)
        moved += fabs((double)(later[c] - after[c]));
    assert_true(moved > 0.1);
    search_set_position(search, search_position(search));
    search_owners(search, after);
    assert_true(after[0] == 0.5f);
    search_free(search);
    game_free(game);
}

/* ---- Noise ---- */

/* Noise shifts values from what the search says of the position; without strength that is all it says of a move. */
static void noise_begins_with_the_value_of_the_root(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_puct_search(game, 1);
    set_start(game, search, 10);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 50});
    assert_true(summary.win_rate < 0.3);
    search_add_noise(search, 10000, 0, 1);
    const Edges edges = root_edges(search);
    for (int i = 0; i < edges.count; i++)
        assert_true(fabs((double)edge_rave_mean(edge_at(&edges, i), 1) - summary.win_rate) < 1e-3);
    search_free(search);
    game_free(game);
}

/* Noise that outweighs all else sends the simulations to the move that it favours, also to one of the last by prior. */
static void noise_is_for_all_moves(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    SearchParams params = puct_params();
    params.puct = params.score = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        Search *search = new_search_with(game, params, 1, 16 << 20, 1);
        search_run(search, &(SearchLimits){.simulations = 1});
        search_add_noise(search, 1000000, 0.02, seed);
        const Edges edges = root_edges(search);
        const Edge *favoured = edge_at(&edges, 0);
        for (int i = 1; i < edges.count; i++)
            if (edge_rave_mean(edge_at(&edges, i), 0) > edge_rave_mean(favoured, 0))
                favoured = edge_at(&edges, i);
        search_run(search, &(SearchLimits){.simulations = 10});
        assert_int_equal(edge_visits(favoured), 10);
        search_free(search);
    }
    game_free(game);
}

/* ---- Exactness ---- */

/* The winner by trying everything, with a table of the positions seen. */
enum { SOLVED_MAX = 1 << 20 };
typedef struct Solved {
    uint64_t key;
    int8_t winner; /* 0: empty; otherwise side + 1 */
} Solved;

static Side solve(const Game *game, const GameState *state, Solved *table) {
    if (game->rules->over(state))
        return game->rules->result(game, state).winner;
    const uint64_t key = game->rules->hash(state);
    Solved *entry = &table[key % SOLVED_MAX];
    while (entry->winner && entry->key != key)
        entry = entry + 1 < table + SOLVED_MAX ? entry + 1 : table;
    if (entry->winner)
        return entry->winner - 1;
    Action actions[GAME_LEGAL_MAX];
    const Side mover = game->rules->to_move(state);
    const int count = game->rules->legal(game, state, actions);
    Side winner = side_opponent(mover);
    for (int i = 0; i < count && winner != mover; i++) {
        GameState next;
        game_copy(game, &next, state);
        game->rules->apply(game, &next, actions[i]);
        winner = solve(game, &next, table);
    }
    while (table[key % SOLVED_MAX].winner && entry->winner) /* the search below may have filled this place */
        entry = entry + 1 < table + SOLVED_MAX ? entry + 1 : table;
    *entry = (Solved){key, (int8_t)(winner + 1)};
    return winner;
}

static void proofs_are_true(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    Solved *table = calloc(SOLVED_MAX, sizeof *table);
    Search *search = new_search(game, 1, 64 << 20, 5);
    int proven = 0;
    for (int komi = -7; komi <= 7; komi++) {
        memset(table, 0, SOLVED_MAX * sizeof *table);
        Rng rng = rng_seed((uint64_t)(komi + 100));
        for (int trial = 0; trial < 20; trial++) {
            GameState state;
            game->rules->start(game, &state, komi);
            for (uint32_t plies = rng_below(&rng, 8); plies > 0 && !game->rules->over(&state); plies--) {
                Action actions[GAME_LEGAL_MAX];
                const int count = game->rules->legal(game, &state, actions);
                game->rules->apply(game, &state, actions[rng_below(&rng, (uint32_t)count)]);
            }
            if (game->rules->over(&state))
                continue;
            search_set_position(search, &state);
            const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 30000});
            if (!summary.proven)
                continue;
            proven++;
            const Side mover = game->rules->to_move(&state), winner = solve(game, &state, table);
            assert_true(summary.win_rate == (winner == mover ? 1.0 : 0.0));
            game->rules->apply(game, &state, search_best(search));
            if (winner == mover) /* the chosen move keeps the win */
                assert_int_equal(solve(game, &state, table), winner);
        }
    }
    assert_in_range(proven, 200, 300);
    search_free(search);
    free(table);
    game_free(game);
}

/* A node that has made only some of its edges may have other moves than lost ones. */
static void edges_not_yet_made_are_not_lost(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_puct_search(game, 1);
    search_run(search, &(SearchLimits){.simulations = 30});
    const Edges of_root = root_edges(search);
    int checked = 0;
    for (int i = 0; i < of_root.count; i++) {
        const NodeRef ref = edge_node(edge_at(&of_root, i));
        Edges edges = ref ? tree_edges(&search->tree, ref) : (Edges){.count = 0};
        if (!ref || edges.count == tree_node(&search->tree, ref)->edges)
            continue;
        set_all_proven(&edges, PROVEN_LOSS);
        assert_int_equal(search_proven_by_edges(search, ref), PROVEN_NOT);
        assert_true(tree_extend(&search->tree, &search->workers[0].arena, ref));
        assert_int_equal(search_proven_by_edges(search, ref), PROVEN_NOT);
        edges = tree_edges(&search->tree, ref);
        set_all_proven(&edges, PROVEN_LOSS);
        assert_int_equal(search_proven_by_edges(search, ref), PROVEN_LOSS);
        checked++;
    }
    assert_true(checked > 0);
    search_free(search);
    game_free(game);
}

/* ---- The move to play ---- */

/* A proven win is played, though others have more visits and a good bound, and nothing else is drawn. */
static void a_proven_win_is_played(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_puct_search(game, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    Rng rng = rng_seed(1);
    search_run(search, &(SearchLimits){.simulations = 400});
    search_moves(search, moves, GAME_LEGAL_MAX);
    assert_true(moves[5].visits > 0 && moves[5].visits < moves[0].visits);
    edge_of(search, moves[5].action)->proven = PROVEN_WIN;
    assert_int_equal(search_best(search), moves[5].action);
    for (int i = 0; i < 50; i++)
        assert_int_equal(search_draw(search, 1, 1, &rng), moves[5].action);
    search_free(search);
    game_free(game);
}

/* A proven loss is neither played nor drawn, though it has the most visits and little doubt about its value. */
static void a_proven_loss_is_not_played(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Search *search = new_puct_search(game, seed);
        SearchMove moves[GAME_LEGAL_MAX];
        Rng rng = rng_seed(seed);
        search_run(search, &(SearchLimits){.simulations = 12});
        search_moves(search, moves, GAME_LEGAL_MAX);
        const Action lost = moves[0].action;
        edge_of(search, lost)->proven = PROVEN_LOSS;
        assert_int_not_equal(search_best(search), lost);
        for (int i = 0; i < 500; i++)
            assert_int_not_equal(search_draw(search, 1, 1, &rng), lost);
        search_free(search);
    }
    game_free(game);
}

/* Where no loss is allowed, a move that is drawn has at least the win rate of the first one. */
static void draws_without_loss(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_puct_search(game, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    Rng rng = rng_seed(1);
    int worse = 0;
    search_run(search, &(SearchLimits){.simulations = 400});
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    for (int i = 0; i < 200; i++) {
        const Action drawn = search_draw(search, 1, 0, &rng);
        for (int k = 0; k < count; k++)
            assert_true(moves[k].action != drawn || moves[k].win_rate >= moves[0].win_rate);
    }
    for (int k = 0; k < count; k++)
        worse += moves[k].visits > 0 && moves[k].win_rate < moves[0].win_rate;
    assert_true(worse > 0);
    search_free(search);
    game_free(game);
}

/* Of moves that are proven alike, the one with the best margin for the side to move is played. */
static void margins_rank_proven_moves(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search(game, 1, 16 << 20, 1);
    for (int plies = 0; plies < 2; plies++)
        for (Proven proven = PROVEN_WIN; proven <= PROVEN_LOSS; proven++) {
            set_wandered(game, search, 0, plies);
            search_run(search, &(SearchLimits){.simulations = 1});
            const Edges edges = root_edges(search);
            const float better = game->rules->to_move(search_position(search)) == BLACK ? 9 : -9;
            set_all_proven(&edges, proven);
            for (int i = 0; i < edges.count; i++)
                edge_at(&edges, i)->margin = 0;
            for (int i = 0; i < edges.count; i++) {
                edge_at(&edges, i)->margin = better;
                assert_int_equal(search_best(search), edge_at(&edges, i)->action);
                edge_at(&edges, i)->margin = 0;
            }
        }
    search_free(search);
    game_free(game);
}

/* The most visited move is ahead of moves that are not lost; where there are none, of nothing. */
static void lost_moves_are_no_rivals(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 1, 16 << 20, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    set_wandered(game, search, 3, 3);
    search_run(search, &(SearchLimits){.simulations = 500});
    search_moves(search, moves, GAME_LEGAL_MAX);
    assert_int_equal(search_lead(search), moves[0].visits - moves[1].visits);
    edge_of(search, moves[1].action)->proven = PROVEN_LOSS;
    assert_int_equal(search_lead(search), moves[0].visits - moves[2].visits);
    const Edges edges = root_edges(search);
    set_all_proven(&edges, PROVEN_LOSS);
    edge_of(search, moves[0].action)->proven = PROVEN_NOT;
    assert_true(search_lead(search) == UINT64_MAX);
    edge_of(search, moves[0].action)->proven = edge_of(search, moves[1].action)->proven = PROVEN_WIN;
    assert_int_equal(search_lead(search), moves[0].visits - moves[1].visits);
    search_free(search);
    game_free(game);
}

/* ---- Limits ---- */

static void full_memory_is_no_end(void **unused) {
    (void)unused;
    Game *game = new_game(6);
    Search *search = new_search(game, 2, TREE_MEMORY_MIN, 1);
    set_start(game, search, 0);
    for (int move = 0; move < 12; move++) {
        const uint64_t simulations = move == 0 ? 20000 : 2000;
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = simulations});
        assert_int_equal(summary.simulations, simulations);
        if (move == 0)
            assert_true(summary.memory_full);
        search_play(search, search_best(search));
    }
    set_start(game, search, 0);
    assert_false(search_run(search, &(SearchLimits){.simulations = 10}).memory_full); /* the tree was forgotten */
    search_free(search);
    game_free(game);
}

/* As memory runs out nodes cost more, but the tree still grows where the visits are. */
static void little_memory_goes_to_the_best_moves(void **unused) {
    (void)unused;
    Game *game = new_game(6);
    Search *search = new_search_without_solver(game, 1, 4 << 20, 1);
    Action variation[8];
    set_start(game, search, 0);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 4000});
    assert_false(summary.memory_full); /* 4,000 nodes of 92 units would be 12 MB */
    assert_in_range(bytes_used(&search->tree), 1 << 20, 2 << 20);
    assert_in_range(search_variation(search, search_best(search), variation, 8), 3, 8);
    search_free(search);
    game_free(game);
}

/* The solver's memory is a part of the search's, not more of it. */
static void the_solver_shares_the_memory(void **unused) {
    (void)unused;
    enum { MEMORY = 64 << 20 };
    Game *game = new_game(4);
    Search *with = new_search(game, 1, MEMORY, 1), *without = new_search_without_solver(game, 1, MEMORY, 1);
    assert_true(with->solver && !without->solver);
    assert_int_equal(without->tree.half * sizeof(Edge), MEMORY / 2);
    assert_int_equal(with->tree.half * sizeof(Edge), MEMORY / 2 / 4 * 3);
    search_free(with);
    search_free(without);
    game_free(game);
}

/* More would not fit into the words that count them. */
static void visits_of_a_root_come_to_an_end(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 1, 64 << 20, 1);
    set_start(game, search, 0);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 10}).simulations, 10);
    search->tree.root.stats = (uint64_t)TREE_VISITS_MAX << TREE_VALUE_BITS;
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 10}).simulations, 0);
    search_free(search);
    game_free(game);
}

/* Simulations that come back to a move are no visits of the root: a move can have more visits than the root. */
static void visits_of_a_move_come_to_an_end(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    SearchParams params = search_default_params();
    params.revisits = 0.5;
    Search *search = new_search_with(game, params, 1, 64 << 20, 1);
    SearchAvoid avoid;
    set_start(game, search, 0);
    memset(&avoid, 1, sizeof avoid);
    avoid.until[BLACK][17] = avoid.until[BLACK][18] = 0;
    search_avoid(search, &avoid);
    search_run(search, &(SearchLimits){.simulations = 1000, .wide = true});
    const Edges edges = root_edges(search);
    assert_int_equal(edges.count, 2);
    assert_true(edge_visits(&edges.near[0]) > edge_visits(&search->tree.root));
    edges.near[1].stats = (uint64_t)TREE_VISITS_MAX << TREE_VALUE_BITS;
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 10}).simulations, 0);
    search_free(search);
    game_free(game);
}

static void stop_ends_a_run(void **unused) {
    (void)unused;
    Game *game = new_game(5);
    Search *search = new_search(game, 2, 64 << 20, 1);
    set_start(game, search, 0);
    StopFlag stop = {0};
    stop_flag_set(&stop);
    assert_int_equal(search_run(search, &(SearchLimits){.stop = &stop}).simulations, 0);
    assert_true(search_run(search, &(SearchLimits){.seconds = 0.01}).simulations > 0);
    search_free(search);
    game_free(game);
}

/* The search always thinks about a move: even if time is up before the threads start, with one simulation, and with
 * late expansion. */
static void shortest_searches_know_something(void **unused) {
    (void)unused;
    Game *game = new_game(7);
    Search *search = new_search(game, 2, 64 << 20, 1);
    set_start(game, search, 0);
    assert_true(search_run(search, &(SearchLimits){.seconds = 1e-9}).simulations >= 16);
    search_free(search);
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN, .seed = 1};
    options.params.expand_visits = 1000;
    Error error;
    search = search_new(game, &options, &error);
    assert_non_null(search);
    set_start(game, search, 0);
    search_run(search, &(SearchLimits){.simulations = 1});
    assert_int_not_equal(search_best(search), 0); /* not the first action, a corner: RAVE prefers another */
    search_free(search);
    game_free(game);
}

/* A leaf gets a node with the visit that the settings say, also where visits are too many for virtual losses. */
static void leaves_expand_when_they_should(void **unused) {
    (void)unused;
    static const int visits[] = {1, 63, 64, 65, 100};
    Game *game = new_game(2);
    for (size_t i = 0; i < sizeof visits / sizeof visits[0]; i++) {
        SearchParams params = search_default_params();
        params.expand_visits = visits[i];
        params.revisits = params.solver_share = 0;
        Search *search = new_search_with(game, params, 1, 1 << 20, 1);
        set_start(game, search, 0);
        const Edge *expanded = NULL;
        while (!expanded) {
            search_run(search, &(SearchLimits){.simulations = 1});
            const Edges edges = tree_edges(&search->tree, edge_node(&search->tree.root));
            for (int k = 0; k < edges.count; k++) {
                const Edge *edge = edge_at(&edges, k);
                assert_true(edge_node(edge) || edge_visits(edge) < (uint32_t)visits[i]);
                expanded = edge_node(edge) ? edge : expanded;
            }
        }
        assert_int_equal(edge_visits(expanded), visits[i]);
        search_free(search);
    }
    game_free(game);
}

static void bad_options_are_refused(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    const SearchOptions good = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN};
    enum { BAD = 11 };
    SearchOptions bad[BAD] = {good, good, good, good, good, good, good, good, good, good, good};
    bad[0].threads = 0;
    bad[1].memory = 1000;
    bad[2].params.playouts = 0;
    bad[3].params.playouts = EVALUATION_PLAYOUTS_MAX + 1;
    bad[4].params.rave_equivalence = -1;
    bad[5].params.expand_visits = 0;
    bad[6].params.static_eval = -1;
    bad[7].params.fpu = 2;
    bad[8].params.selection = (SearchSelection)2;
    bad[9].params.playout_policy = (PlayoutPolicy)3;
    bad[10].threads = SEARCH_THREADS_MAX + 1;
    static const char *const fields[BAD] = {"threads: 0",           "memory: 1000 bytes",  "playouts: 0",
                                            "playouts: ",           "rave_equivalence: ",  "expand_visits: 0",
                                            "static_eval: -1, exp", "fpu: 2, expected",    "selection: 2, expect",
                                            "playout_policy: 3, e", "threads: 257, expect"};
    for (int i = 0; i < BAD; i++) {
        Error error = {.text = ""};
        assert_null(search_new(game, &bad[i], &error));
        assert_ptr_equal(strstr(error.text, fields[i]), error.text);
    }
    game_free(game);
}

/* Whether a search can be made where the field at this offset has this value. */
static bool takes(const Game *game, size_t offset, bool whole, double value) {
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN};
    const int number = (int)value;
    memcpy((char *)&options.params + offset, whole ? (const void *)&number : &value,
           whole ? sizeof number : sizeof value);
    Search *search = search_new(game, &options, NULL);
    search_free(search);
    return search != NULL;
}

static void ranges_are_those_of_a_search(void **unused) {
    (void)unused;
    static const struct {
        size_t offset;
        bool whole;
    } fields[] = {{offsetof(SearchParams, playout_policy), true}, {offsetof(SearchParams, playouts), true},
                  {offsetof(SearchParams, selection), true},      {offsetof(SearchParams, considered), true},
                  {offsetof(SearchParams, revisits), false},      {offsetof(SearchParams, puct), false},
                  {offsetof(SearchParams, score), false},         {offsetof(SearchParams, solver_carriers_open), true}};
    Game *game = new_game(3);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const SearchRange range = search_params_range(fields[i].offset);
        const double step = fields[i].whole ? 1 : 1e-3;
        assert_true(takes(game, fields[i].offset, fields[i].whole, range.low));
        assert_true(takes(game, fields[i].offset, fields[i].whole, range.high));
        assert_false(takes(game, fields[i].offset, fields[i].whole, range.low - step));
        assert_false(takes(game, fields[i].offset, fields[i].whole, range.high + step));
    }
    game_free(game);
}

/* What is left of a time may be less than nothing. */
static void time_that_is_over_ends_a_run(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    const SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN};
    const double over[] = {-1, -1e300, NAN};
    for (int i = 0; i < 3; i++) {
        Error error;
        Search *search = search_new(game, &options, &error);
        assert_non_null(search);
        const SearchSummary summary = search_run(search, &(SearchLimits){.seconds = over[i], .simulations = 100000});
        assert_in_range(summary.simulations, 1, 64);
        search_free(search);
    }
    game_free(game);
}

/* Also with a power that makes large numbers of small differences, the most visited move is the likeliest. */
static void draw_with_a_high_power(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN};
    options.params.selection = SELECTION_PUCT; /* plays by a bound, not always the most visited move */
    options.params.all_images = 1;
    int other = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        Error error;
        options.seed = seed;
        Search *search = search_new(game, &options, &error);
        assert_non_null(search);
        search_run(search, &(SearchLimits){.simulations = 200});
        SearchMove moves[GAME_LEGAL_MAX];
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        uint64_t most = 0, drawn = 0;
        Rng rng = rng_seed(seed);
        const Action action = search_draw(search, 100000, 1, &rng);
        for (int i = 0; i < count; i++) {
            most = moves[i].visits > most ? moves[i].visits : most;
            drawn = moves[i].action == action ? moves[i].visits : drawn;
        }
        assert_true(drawn == most);
        other += !search_plays_most_visited(search);
        search_free(search);
    }
    assert_true(other > 0);
    game_free(game);
}

/* Their reciprocals would leave the range of a number. */
static void tiny_parameters_count_as_none(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    SearchOptions options = {.params = search_default_params(), .threads = 1, .memory = TREE_MEMORY_MIN, .seed = 1};
    Action best[2];
    for (int i = 0; i < 2; i++) {
        options.params.rave_equivalence = i ? 1e-300 : 0;
        options.params.revisits = i ? 1e-300 : 0;
        Error error;
        Search *search = search_new(game, &options, &error);
        assert_non_null(search);
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 500});
        assert_true(summary.win_rate >= 0 && summary.win_rate <= 1);
        best[i] = search_best(search);
        search_free(search);
    }
    assert_int_equal(best[0], best[1]);
    game_free(game);
}

/* ---- Leaves ---- */

/* The static evaluation matters only where playouts disagree. */
static void static_evaluation_where_playouts_disagree(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.name = "bug", .size = 4}, &error);
    assert_non_null(game);
    const PlayoutEvaluator without = playout_evaluator(PLAYOUT_LIGHT, 4, 0);
    const PlayoutEvaluator with = playout_evaluator(PLAYOUT_LIGHT, 4, 1);
    void *context_without = without.evaluator.new_context(&without.evaluator, game, &error);
    void *context_with = with.evaluator.new_context(&with.evaluator, game, &error);
    assert_true(context_without && context_with);
    Rng rng = rng_seed(3);
    Evaluation plain, moved;
    int changed = 0, agreed = 0;
    for (int i = 0; i < 300; i++) {
        GameState state;
        game->rules->start(game, &state, 0);
        wander(game, &state, (int)rng_below(&rng, 36), &rng);
        const Leaf leaf = {.state = &state, .seed = (uint64_t)i};
        without.evaluator.evaluate(context_without, &leaf, 1, &plain);
        with.evaluator.evaluate(context_with, &leaf, 1, &moved);
        const float logit = game->rules->static_eval(game, &state), change = moved.black - plain.black;
        assert_true(moved.black >= 0 && moved.black <= 1);
        if (plain.black > 0 && plain.black < 1) {
            assert_true(logit > 0 ? change > 0 : logit < 0 ? change < 0 : change == 0);
            changed += change != 0;
        } else {
            assert_true(change == 0);
            agreed++;
        }
    }
    assert_true(changed > 50 && agreed > 50);
    without.evaluator.free_context(context_without);
    with.evaluator.free_context(context_with);
    game_free(game);
}

/* ---- Threads ---- */

static void threads_lose_no_visit(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 4, 64 << 20, 9);
    set_start(game, search, 3);
    for (int move = 0; move < 6; move++) {
        SearchMove moves[GAME_LEGAL_MAX];
        uint64_t before = 0, after = 0;
        int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++)
            before += moves[i].visits;
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 4000});
        assert_int_equal(summary.simulations, 4000);
        const bool first = count == 0;
        count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++) {
            after += moves[i].visits;
            assert_true(moves[i].win_rate >= 0 && moves[i].win_rate <= 1);
        }
        /* In an empty tree, one simulation of each thread can end at the root. One of 64 may come back to a move below,
         * and does not count here. */
        assert_in_range(after - before, 4000 - (first ? 4 : 0) - (4000 / 64 + 4), 4000);
        search_play(search, search_best(search));
    }
    search_free(search);
    game_free(game);
}

/* ---- Exact endgames ---- */

/* The value of hexhex-2 is +7, and with the button +6.5 (stigmergy/proof/MEASUREMENTS.md). At komi 6 only the centre
 * wins. */
static void the_solver_tells_who_wins(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    Search *search = new_search(game, 1, 16 << 20, 1);
    char best[GAME_TEXT_MAX];
    set_start(game, search, 6);
    SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 1000});
    assert_true(summary.proven && summary.win_rate == 1);
    game->rules->format(game, search_position(search), search_best(search), best);
    assert_string_equal(best, "b2");
    set_start(game, search, 7);
    summary = search_run(search, &(SearchLimits){.simulations = 1000});
    assert_true(summary.proven && summary.win_rate == 0);
    search_free(search);
    game_free(game);
}

/* A search that plays for both sides: after the winning move that the solver found, the side that lost has a search to
 * choose its move by, too. */
static void what_the_solver_calls_lost_is_searched(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    Search *search = new_search(game, 1, 16 << 20, 1);
    const SearchLimits limits = {.simulations = 1000};
    SearchMove moves[2];
    set_start(game, search, 6);
    assert_true(search_run(search, &limits).win_rate == 1);
    search_play(search, search_best(search));
    const SearchSummary summary = search_run(search, &limits);
    assert_true(summary.proven && summary.win_rate == 0);
    assert_true(summary.simulations > 100);
    assert_int_equal(search_moves(search, moves, 2), 2);
    assert_true(moves[0].visits > 0);
    search_free(search);
    game_free(game);
}

/* What the solver has found holds for the position, also in a run that is too short to ask it. It does not hold once
 * actions are avoided. */
static void a_proved_loss_is_remembered(void **unused) {
    (void)unused;
    static SearchAvoid avoid;
    Game *game = new_game(2);
    Search *search = new_search(game, 1, 16 << 20, 1);
    const SearchLimits one = {.simulations = 1};
    set_start(game, search, 7);
    assert_true(search_run(search, &(SearchLimits){.simulations = 200}).proven);
    assert_int_equal(edge_proven(&search->tree.root), PROVEN_NOT);
    const SearchSummary summary = search_run(search, &one);
    assert_true(summary.proven && summary.win_rate == 0);
    assert_int_equal(summary.simulations, 1);
    avoid.until[BLACK][0] = 1;
    search_avoid(search, &avoid);
    assert_false(search_run(search, &one).proven);
    set_start(game, search, 7);
    assert_false(search_run(search, &one).proven);
    search_free(search);
    game_free(game);
}

/* A game without bounds of its own asks the solver when few cells are empty, and not before. */
static void the_plain_model_waits_for_the_end(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    GameRules plain = *game->rules;
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    Rng rng = rng_seed(5);
    plain.solver = NULL;
    game->rules = &plain;
    Search *search = new_search(game, 1, 16 << 20, 1);
    set_start(game, search, 4);
    assert_int_equal(search_run(search, &(SearchLimits){.simulations = 300}).simulations, 300);
    plain.start(game, &state, 4);
    for (int stones = 0; stones < game->board.cells - 4; stones++) /* placements are the first actions */
        plain.apply(game, &state, legal[rng_below(&rng, (uint32_t)plain.legal(game, &state, legal) / 2)]);
    search_set_position(search, &state);
    assert_true(search_run(search, &(SearchLimits){.simulations = 100000}).proven);
    search_free(search);
    game_free(game);
}

/* A share of the effort that is no whole position is none, and not as much as the solver likes. */
static void a_small_share_asks_no_solver(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    SearchParams params = search_default_params();
    params.solver_share = 0.01;
    Search *search = new_search_with(game, params, 1, 16 << 20, 1);
    set_start(game, search, 6);
    assert_false(search_run(search, &(SearchLimits){.simulations = 1}).proven);
    search_free(search);
    game_free(game);
}

/* The same of a share of the time that no number stands for. */
static void no_share_of_a_time_asks_no_solver(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    SearchParams params = search_default_params();
    params.solver_share = DBL_TRUE_MIN;
    Search *search = new_search_with(game, params, 1, 16 << 20, 1);
    set_start(game, search, 6);
    search_run(search, &(SearchLimits){.seconds = 0.01});
    assert_false(search->solver_used);
    search_free(search);
    game_free(game);
}

/* A position that is too hard for the solver takes its share of the simulations, and no more. One that is stopped takes
 * next to nothing. */
static void the_solver_takes_its_share(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search(game, 1, 16 << 20, 1);
    StopFlag stop = {0};
    set_start(game, search, 4);
    const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 4000});
    assert_false(summary.proven);
    assert_in_range(summary.simulations, 1000, 1200); /* it looks at its limits now and then */
    stop_flag_set(&stop);
    search_run(search, &(SearchLimits){.stop = &stop});
    assert_in_range(atomic_load(&search->spent), 0, 200);
    search_free(search);
    game_free(game);
}

/* Of a time the solver takes its share, too. Where it takes all, only the 32 simulations are left that are made in any
 * case. A busy machine may take away what is left, but not every time. */
static void the_solver_takes_its_share_of_a_time(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    SearchParams params = search_default_params();
    uint64_t made = 0;
    params.solver_share = 0.01;
    Search *search = new_search_with(game, params, 1, 16 << 20, 1);
    for (int i = 0; i < 10 && made <= 32; i++) {
        set_start(game, search, 4);
        made = search_run(search, &(SearchLimits){.seconds = 0.3}).simulations;
    }
    assert_true(made > 32);
    search_free(search);
    game_free(game);
}

/* A run in parts. */
static SearchSummary run_in_parts(Search *search, uint64_t simulations, double pause) {
    SearchLimits limits = {.simulations = simulations, .pause = pause};
    SearchSummary summary;
    do {
        summary = search_run(search, &limits);
        limits.continues = true;
    } while (summary.paused);
    return summary;
}

/* In an endgame that is too hard for the solver at komi 4, and lost at komi 9. */
static void parts_find_what_one_run_finds(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search(game, 1, 16 << 20, 1);
    SearchSummary one, parts;
    SearchMove moves[2];
    for (int komi = 4; komi <= 9; komi += 5) {
        set_start(game, search, komi);
        search_reseed(search, 1);
        one = search_run(search, &(SearchLimits){.simulations = 4000});
        search_moves(search, &moves[0], 1);
        set_start(game, search, komi);
        search_reseed(search, 1);
        parts = run_in_parts(search, 4000, 1e-9);
        search_moves(search, &moves[1], 1);
        assert_int_equal(one.simulations, parts.simulations);
        assert_true(one.win_rate == parts.win_rate && one.margin == parts.margin && one.proven == parts.proven);
        assert_int_equal(moves[0].action, moves[1].action);
        assert_int_equal(moves[0].visits, moves[1].visits);
    }
    search_free(search);
    game_free(game);
}

/* Each part makes some simulations, and says whether there is more to do. */
static void a_run_pauses(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 1, 16 << 20, 1);
    SearchLimits limits = {.simulations = 80, .pause = 1e-9};
    for (uint64_t made = 32; made <= 80; made += 32, limits.continues = true) {
        const SearchSummary summary = search_run(search, &limits);
        assert_true(summary.paused);
        assert_int_equal(summary.simulations, made);
    }
    const SearchSummary last = search_run(search, &limits);
    assert_false(last.paused);
    assert_int_equal(last.simulations, 80);
    search_free(search);
    game_free(game);
}

/* Where its share is large, the solver pauses, too, but what it has taken counts. */
static void the_solver_has_one_share_in_all_parts(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    Search *search = new_search(game, 1, 16 << 20, 1);
    set_start(game, search, 4);
    const SearchSummary summary = run_in_parts(search, 100000, 0.02);
    assert_false(summary.proven);
    assert_in_range(summary.simulations, 29000, 31000);
    search_free(search);
    game_free(game);
}

/* From which memory on there is a solver, and one with carriers: see search.h and the manual. */
static void memory_makes_the_solver(void **unused) {
    (void)unused;
    static const struct {
        int size, memory; /* in MiB */
        bool solver, carriers;
    } cases[] = {{2, 3, false, false}, {2, 4, true, false},  {3, 3, false, false},   {3, 4, true, false},
                 {4, 32, true, false}, {5, 32, true, false}, {2, 40, true, true},    {3, 40, true, true},
                 {4, 40, true, true},  {5, 40, true, true},  {10, 21, false, false}, {10, 22, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Game *game = new_game(cases[i].size);
        Search *search = new_search(game, 1, (size_t)cases[i].memory << 20, 1);
        assert_int_equal(search->solver != NULL, cases[i].solver);
        assert_int_equal(search->solver && solver_has_carriers(search->solver), cases[i].carriers);
        search_free(search);
        game_free(game);
    }
}

/* The solver is asked on a fresh tree also where time alone is limited: the win takes no search. */
static void the_solver_is_asked_in_a_limit_of_time(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    Search *search = new_search(game, 1, 16 << 20, 1);
    set_start(game, search, 6);
    const SearchSummary summary = search_run(search, &(SearchLimits){.seconds = 100});
    assert_true(summary.proven && summary.win_rate == 1);
    assert_in_range(summary.simulations, 0, 1);
    search_free(search);
    game_free(game);
}

/* A run makes a simulation even where the solver takes all of them. */
static void the_solver_leaves_a_simulation(void **unused) {
    (void)unused;
    Game *game = new_game(3);
    SearchParams params = search_default_params();
    params.solver_share = 1;
    Search *search = new_search_with(game, params, 1, 16 << 20, 1);
    set_start(game, search, 4);
    for (int i = 0; i < 2; i++) {
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = 500});
        assert_false(summary.proven);
        assert_int_equal(summary.simulations, 1);
    }
    search_free(search);
    game_free(game);
}

/* Without a limit nothing is settled before it is proved, however many threads there are. */
static void without_limits_proofs_end_a_run(void **unused) {
    (void)unused;
    Game *game = new_game(2);
    Search *search = new_search_without_solver(game, 2, 64 << 20, 1);
    set_start(game, search, 0);
    assert_true(search_run(search, &(SearchLimits){.until_settled = true}).proven);
    search_free(search);
    game_free(game);
}

/* In late positions the solver alone finds the same winner that the search proves. From there on, the winner's play
 * keeps the win against every play of the other side. */
static void check_endgames(int threads, const SearchLimits *limits) {
    Game *game = new_game(4);
    Error error;
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 16 << 20, .threads = 1}, &error);
    Search *search = new_search(game, threads, 64 << 20, 3);
    Rng rng = rng_seed(5);
    int proven = 0;
    for (int i = 0; i < 30; i++) {
        const int komi = (int)rng_below(&rng, 9) - 2;
        GameState state;
        game->rules->start(game, &state, komi);
        wander(game, &state, 24 + i % 8, &rng);
        search_set_position(search, &state);
        SearchSummary summary = search_run(search, limits);
        if (!summary.proven)
            continue;
        proven++;
        const Side mover = game->rules->to_move(&state);
        const Side winner = summary.win_rate == 1 ? mover : side_opponent(mover);
        const SolverResult exact = solver_value(solver, &state, NULL);
        assert_true(exact.proved && (exact.lower_half_points > 2 * komi) == (winner == BLACK));
        while (!game->rules->over(search_position(search))) {
            Action legal[GAME_LEGAL_MAX];
            const int count = game->rules->legal(game, search_position(search), legal);
            Action action = legal[rng_below(&rng, (uint32_t)count)];
            if (game->rules->to_move(search_position(search)) == winner) {
                search_run(search, limits);
                action = search_best(search);
            }
            search_play(search, action);
        }
        assert_int_equal(game->rules->result(game, search_position(search)).winner, winner);
    }
    assert_in_range(proven, 16, 30);
    solver_free(solver);
    search_free(search);
    game_free(game);
}

static void endgames_are_played_perfectly(void **unused) {
    (void)unused;
    check_endgames(1, &(SearchLimits){.simulations = 1000});
}

/* The thread of the solver and the searching threads do not disturb each other. */
static void endgames_by_several_threads(void **unused) {
    (void)unused;
    check_endgames(4, &(SearchLimits){.simulations = 10000});
}

/* A run that may end once its choice is settled makes the same choice as a run that goes on, with fewer simulations. */
static void settled_choices_stay(void **unused) {
    (void)unused;
    Game *game = new_game(5);
    Rng rng = rng_seed(11);
    uint64_t made = 0;
    for (int i = 0; i < 20; i++) {
        SearchLimits limits = {.simulations = 2000};
        GameState state;
        Action chosen[2];
        game->rules->start(game, &state, 4);
        wander(game, &state, i, &rng);
        for (int settled = 0; settled < 2; settled++) {
            Search *search = new_search(game, 1, 16 << 20, 3);
            search_set_position(search, &state);
            limits.until_settled = settled;
            const SearchSummary summary = search_run(search, &limits);
            made += settled ? summary.simulations : 0;
            chosen[settled] = search_best(search);
            search_free(search);
        }
        assert_int_equal(chosen[0], chosen[1]);
    }
    assert_in_range(made, 20 * 1000, 20 * 2000 - 1); /* nothing is settled in the first half */
    game_free(game);
}

/* With PUCT the move to play may be another than the most visited one. Then nothing is settled. */
static void settled_choices_are_most_visited(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    int early = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const SearchLimits limits = {.simulations = 400, .until_settled = true};
        Search *search = new_puct_search(game, seed);
        SearchMove moves[GAME_LEGAL_MAX];
        const SearchSummary summary = search_run(search, &limits);
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        const bool ended = summary.simulations < limits.simulations;
        for (int i = 1; i < count; i++)
            assert_true(!ended || moves[0].visits > moves[i].visits);
        early += ended;
        search_free(search);
    }
    assert_true(early > 0);
    game_free(game);
}

/* On a tree of an earlier run, too, nothing is settled before it is known how many simulations the time is enough for.
 */
static void time_is_measured_before_a_choice_is_settled(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search_without_solver(game, 1, 16 << 20, 1);
    set_start(game, search, 3);
    search_run(search, &(SearchLimits){.simulations = 1000});
    assert_true(search_lead(search) > 0);
    assert_true(search_run(search, &(SearchLimits){.seconds = 0.05, .until_settled = true}).simulations >= 32);
    search_free(search);
    game_free(game);
}

/* Where there is nothing to choose, the choice is settled at once: only one action is allowed. */
static void an_only_move_is_settled(void **unused) {
    (void)unused;
    Game *game = new_game(5);
    static SearchAvoid avoid;
    for (int threads = 1; threads <= 3; threads += 2) {
        Search *search = new_search(game, threads, 16 << 20, 3);
        set_start(game, search, 4);
        for (int action = 0; action < GAME_ACTIONS_MAX; action++)
            avoid.until[BLACK][action] = action != 30;
        search_avoid(search, &avoid);
        const SearchLimits limits = {.simulations = 200000, .until_settled = true};
        /* One thread finds out; the others go on while it waits for a processor. */
        assert_in_range(search_run(search, &limits).simulations, 1, threads == 1 ? 1000 : 20000);
        assert_int_equal(search_best(search), 30);
        assert_int_equal(search_run(search, &(SearchLimits){.simulations = 2000}).simulations, 2000);
        search_free(search);
    }
    game_free(game);
}

/* With several threads too, a run ends at its limits, whatever the solver does. */
static void limits_hold_beside_the_solver(void **unused) {
    (void)unused;
    Game *game = new_game(4);
    Search *search = new_search(game, 3, 64 << 20, 3);
    Rng rng = rng_seed(6);
    for (int i = 0; i < 20; i++) {
        GameState state;
        game->rules->start(game, &state, 4);
        wander(game, &state, 8 + i % 8, &rng);
        search_set_position(search, &state);
        const uint64_t limit = i < 10 ? 1 + (uint64_t)i : 2000;
        const SearchSummary summary = search_run(search, &(SearchLimits){.simulations = limit});
        assert_in_range(summary.simulations, 1, limit);
        assert_true(game_is_legal(game, &state, search_best(search)));
        StopFlag stop = {0};
        stop_flag_set(&stop);
        search_run(search, &(SearchLimits){.stop = &stop});
    }
    search_free(search);
    game_free(game);
}

/* ---- The same on every machine ---- */

/* A digest of all visits and margins at the roots of the first moves of a game. */
static uint64_t digest_of_game(int size) {
    Game *game = new_game(size);
    Search *search = new_search_with(game, search_default_params(), 1, 8 << 20, (uint64_t)size);
    uint64_t digest = 0;
    set_start(game, search, size % 4);
    for (int move = 0; move < 12 && !game->rules->over(search_position(search)); move++) {
        SearchMove moves[GAME_LEGAL_MAX];
        search_run(search, &(SearchLimits){.simulations = 60});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int i = 0; i < count; i++) {
            uint64_t margin;
            memcpy(&margin, &moves[i].margin, sizeof margin);
            digest = rng_mix(digest ^ moves[i].action ^ moves[i].visits << 20);
            digest = rng_mix(digest ^ margin);
        }
        search_play(search, search_best(search));
    }
    search_free(search);
    game_free(game);
    return digest;
}

/* Golden games: every compiler, processor and playout kernel gives these numbers. They change only on purpose, when the
 * rules of playouts, the search or its default parameters change. Then the new numbers are put here. */
static void searches_are_golden(void **unused) {
    (void)unused;
    static const uint64_t golden[] = {0,
                                      0,
                                      0xceef91f9bf35f6fbu,
                                      0xa68341a768281e02u,
                                      0x50b9638454b079b8u,
                                      0x11f4d45a916e0165u,
                                      0x39bdeb7f63ef49a0u,
                                      0x3c3d46839c82ef85u,
                                      0xd2487078d33d260fu,
                                      0xd02f63dc015cd795u,
                                      0x84fffa6cb878f23bu};
    int others = 0;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const uint64_t digest = digest_of_game(size);
        if (digest != golden[size])
            print_error("hexhex-%d: the digest is 0x%016llx\n", size, (unsigned long long)digest);
        others += digest != golden[size];
    }
    assert_int_equal(others, 0);
}

/* Actions that are avoided have no edge, as deep as that is wanted; what is left is searched as ever. */
static void avoided_actions_are_not_taken(void **unused) {
    (void)unused;
    enum { DEPTH = 3 };
    static SearchAvoid avoid;
    Game *game = new_game(3);
    for (int selection = SELECTION_RAVE; selection <= SELECTION_PUCT; selection++) {
        SearchParams params = search_default_params();
        params.selection = (SearchSelection)selection;
        Search *search = new_search_with(game, params, 2, 1 << 22, 1);
        SearchMove moves[GAME_LEGAL_MAX];
        set_start(game, search, 0);
        const GameState start = *search_position(search);
        Action legal[GAME_LEGAL_MAX];
        const int count = game->rules->legal(game, &start, legal);
        avoid = (SearchAvoid){0};
        avoid.until[BLACK][legal[0]] = avoid.until[WHITE][legal[1]] = DEPTH;
        avoid.until[BLACK][legal[2]] = 1;
        assert_false(search_avoid(search, &avoid));
        assert_true(search_best(search) != legal[0]);
        search_run(search, &(SearchLimits){.simulations = 2000});
        assert_true(search_avoid(search, &avoid));
        assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX), count - 2);
        for (int i = 0; i < count - 2; i++) {
            Action line[DEPTH];
            const int length = search_variation(search, moves[i].action, line, DEPTH);
            assert_true(moves[i].action != legal[0] && moves[i].action != legal[2]);
            assert_true(length < 2 || line[1] != legal[1]);
            assert_true(length < 3 || line[2] != legal[0]);
        }
        search_play(search, moves[0].action); /* the tree behind it lacks actions too: it is forgotten */
        assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX), 0);
        search_set_position(search, &start);
        assert_true(search_avoid(search, NULL));
        for (int i = 0; i < count; i++)
            avoid.until[BLACK][legal[i]] = 1;
        assert_false(search_avoid(search, &avoid));
        search_run(search, &(SearchLimits){.simulations = 50}); /* nothing would be left: all are */
        assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX), count);
        search_free(search);
    }
    game_free(game);
}

/* What is avoided at the root alone is missing nowhere else: the tree behind a move is kept. */
static void actions_avoided_at_the_root_cost_no_tree(void **unused) {
    (void)unused;
    static SearchAvoid avoid;
    Game *game = new_game(3);
    Search *search = new_search(game, 1, 16 << 20, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    set_start(game, search, 0);
    avoid.until[BLACK][0] = 1;
    search_avoid(search, &avoid);
    search_run(search, &(SearchLimits){.simulations = 500});
    search_play(search, search_best(search));
    assert_true(search_moves(search, moves, GAME_LEGAL_MAX) > 0);
    search_free(search);
    game_free(game);
}

/* Its answer would be about all actions. It knows that hexhex-2 is lost at komi 7 (the_solver_tells_who_wins). */
static void the_solver_is_not_asked_where_actions_are_avoided(void **unused) {
    (void)unused;
    static SearchAvoid avoid;
    Game *game = new_game(2);
    Search *search = new_search(game, 1, 16 << 20, 1);
    set_start(game, search, 7);
    avoid.until[BLACK][0] = 1;
    search_avoid(search, &avoid);
    assert_false(search_run(search, &(SearchLimits){.simulations = 200}).proven);
    assert_false(search->solver_used);
    search_avoid(search, NULL);
    assert_true(search_run(search, &(SearchLimits){.simulations = 200}).proven);
    search_free(search);
    game_free(game);
}

/* After a swap, the player who began has the white stones. */
static void avoided_actions_are_those_of_a_colour(void **unused) {
    (void)unused;
    static SearchAvoid avoid;
    Error error;
    Game *game = game_new(&(GameOptions){.name = "bug", .size = 3, .pie = GAME_PIE_ON}, &error);
    assert_non_null(game);
    Search *search = new_search(game, 1, 16 << 20, 1);
    SearchMove moves[GAME_LEGAL_MAX];
    Action legal[GAME_LEGAL_MAX];
    GameState state;
    game->rules->start(game, &state, 0);
    assert_true(game_play_text(game, &state, "a1", NULL, NULL, &error));
    assert_true(game_play_text(game, &state, "swap", NULL, NULL, &error));
    assert_int_equal(game->rules->to_move(&state), BLACK);
    search_set_position(search, &state);
    const int count = game->rules->legal(game, &state, legal);
    avoid.until[WHITE][legal[0]] = avoid.until[BLACK][legal[1]] = avoid.until[BLACK][legal[2]] = 1;
    search_avoid(search, &avoid);
    search_run(search, &(SearchLimits){.simulations = 200});
    assert_int_equal(search_moves(search, moves, GAME_LEGAL_MAX), count - 1);
    for (int i = 0; i < count - 1; i++)
        assert_int_not_equal(moves[i].action, legal[0]);
    search_free(search);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_select_alike),
        cmocka_unit_test(same_seed_same_search),
        cmocka_unit_test(simulations_are_counted),
        cmocka_unit_test(tree_is_kept_between_moves),
        cmocka_unit_test(kept_roots_have_all_moves),
        cmocka_unit_test(policies_of_a_first_simulation),
        cmocka_unit_test(variation_is_legal),
        cmocka_unit_test(variations_have_been_visited),
        cmocka_unit_test(owners_are_shares),
        cmocka_unit_test(owners_are_forgotten_with_the_tree),
        cmocka_unit_test(owners_stay_with_the_tree),
        cmocka_unit_test(noise_begins_with_the_value_of_the_root),
        cmocka_unit_test(noise_is_for_all_moves),
        cmocka_unit_test(proofs_are_true),
        cmocka_unit_test(edges_not_yet_made_are_not_lost),
        cmocka_unit_test(a_proven_win_is_played),
        cmocka_unit_test(a_proven_loss_is_not_played),
        cmocka_unit_test(draws_without_loss),
        cmocka_unit_test(margins_rank_proven_moves),
        cmocka_unit_test(lost_moves_are_no_rivals),
        cmocka_unit_test(full_memory_is_no_end),
        cmocka_unit_test(little_memory_goes_to_the_best_moves),
        cmocka_unit_test(the_solver_shares_the_memory),
        cmocka_unit_test(visits_of_a_root_come_to_an_end),
        cmocka_unit_test(visits_of_a_move_come_to_an_end),
        cmocka_unit_test(stop_ends_a_run),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(ranges_are_those_of_a_search),
        cmocka_unit_test(tiny_parameters_count_as_none),
        cmocka_unit_test(time_that_is_over_ends_a_run),
        cmocka_unit_test(draw_with_a_high_power),
        cmocka_unit_test(shortest_searches_know_something),
        cmocka_unit_test(leaves_expand_when_they_should),
        cmocka_unit_test(static_evaluation_where_playouts_disagree),
        cmocka_unit_test(threads_lose_no_visit),
        cmocka_unit_test(searches_are_golden),
        cmocka_unit_test(the_solver_tells_who_wins),
        cmocka_unit_test(what_the_solver_calls_lost_is_searched),
        cmocka_unit_test(a_proved_loss_is_remembered),
        cmocka_unit_test(the_plain_model_waits_for_the_end),
        cmocka_unit_test(a_small_share_asks_no_solver),
        cmocka_unit_test(no_share_of_a_time_asks_no_solver),
        cmocka_unit_test(the_solver_takes_its_share),
        cmocka_unit_test(the_solver_takes_its_share_of_a_time),
        cmocka_unit_test(parts_find_what_one_run_finds),
        cmocka_unit_test(a_run_pauses),
        cmocka_unit_test(the_solver_has_one_share_in_all_parts),
        cmocka_unit_test(memory_makes_the_solver),
        cmocka_unit_test(the_solver_is_asked_in_a_limit_of_time),
        cmocka_unit_test(the_solver_leaves_a_simulation),
        cmocka_unit_test(without_limits_proofs_end_a_run),
        cmocka_unit_test(endgames_are_played_perfectly),
        cmocka_unit_test(endgames_by_several_threads),
        cmocka_unit_test(settled_choices_stay),
        cmocka_unit_test(settled_choices_are_most_visited),
        cmocka_unit_test(time_is_measured_before_a_choice_is_settled),
        cmocka_unit_test(an_only_move_is_settled),
        cmocka_unit_test(limits_hold_beside_the_solver),
        cmocka_unit_test(avoided_actions_are_not_taken),
        cmocka_unit_test(actions_avoided_at_the_root_cost_no_tree),
        cmocka_unit_test(the_solver_is_not_asked_where_actions_are_avoided),
        cmocka_unit_test(avoided_actions_are_those_of_a_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
