/* See tree.h. */
#include "selfplay/runs/book/tree.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_TABLE = 1024 };

/* ---- Memory ---- */

/* Makes room for one more of `count` things in a list. */
static bool grow(void *list, int count, int *capacity, size_t bytes, Error *error) {
    return list_grow(list, capacity, count + 1, bytes) ||
           error_set(error, "out of memory for a book of %d positions", count);
}

void book_tree_free(BookTree *tree) {
    free(tree->nodes);
    free(tree->edges);
    free(tree->arms);
    free(tree->table);
    *tree = (BookTree){.game = NULL};
}

/* A list of as much room with the same `count` things in it; NULL without memory, or for an empty list without room. */
static void *copy_list(const void *list, int count, int capacity, size_t bytes) {
    void *copy = capacity ? malloc((size_t)capacity * bytes) : NULL;
    return copy && count ? memcpy(copy, list, (size_t)count * bytes) : copy;
}

bool book_tree_copy(BookTree *copy, const BookTree *tree, Error *error) {
    *copy = *tree;
    copy->nodes = copy_list(tree->nodes, tree->count, tree->capacity, sizeof *tree->nodes);
    copy->edges = copy_list(tree->edges, tree->edge_count, tree->edge_capacity, sizeof *tree->edges);
    copy->arms = copy_list(tree->arms, tree->arm_count, tree->arm_capacity, sizeof *tree->arms);
    copy->table = copy_list(tree->table, tree->table_size, tree->table_size, sizeof *tree->table);
    const bool good = copy->nodes && copy->table && (copy->edges || !tree->edges) && (copy->arms || !tree->arms);
    return good || error_set(error, "out of memory for a book of %d positions", tree->count);
}

/* ---- Nodes by key ---- */

static int find_node(const BookTree *tree, uint64_t key, int plies) {
    for (int i = tree->table[key % (uint64_t)tree->table_size]; i >= 0; i = tree->nodes[i].next_same)
        if (tree->nodes[i].key == key && tree->nodes[i].plies == plies)
            return i;
    return -1;
}

static void enter_node(BookTree *tree, int number) {
    BookNode *node = &tree->nodes[number];
    int *first = &tree->table[node->key % (uint64_t)tree->table_size];
    node->next_same = *first;
    *first = number;
}

/* Keeps the table at least as large as the number of nodes. */
static bool grow_table(BookTree *tree, Error *error) {
    if (tree->count < tree->table_size)
        return true;
    const int size = tree->table_size ? 2 * tree->table_size : FIRST_TABLE;
    int *table = malloc((size_t)size * sizeof *table);
    if (!table)
        return error_set(error, "out of memory for a book of %d positions", tree->count);
    free(tree->table);
    tree->table = table;
    tree->table_size = size;
    for (int i = 0; i < size; i++)
        table[i] = -1;
    for (int i = 0; i < tree->count; i++)
        enter_node(tree, i);
    return true;
}

/* Adds a node, the belief of which is still to be made; -1 without memory. */
static int add_node(BookTree *tree, const BookNode *node, Error *error) {
    if (!grow(&tree->nodes, tree->count, &tree->capacity, sizeof *node, error) || !grow_table(tree, error))
        return -1;
    const int number = tree->count++;
    tree->nodes[number] = *node;
    tree->nodes[number].first_arm = -1;
    tree->nodes[number].stale = true;
    enter_node(tree, number);
    return number;
}

static bool add_edge(BookTree *tree, int parent, int node, Action action, Error *error) {
    if (!grow(&tree->edges, tree->edge_count, &tree->edge_capacity, sizeof *tree->edges, error))
        return false;
    BookNode *from = &tree->nodes[parent];
    if (from->edges++ == 0)
        from->first_edge = tree->edge_count;
    tree->edges[tree->edge_count++] = (BookEdge){node, action};
    return true;
}

/* ---- Positions ---- */

void book_tree_through(const BookTree *tree, int *through) {
    for (int i = 0; i < tree->count; i++)
        through[i] = tree->nodes[i].games;
    for (int i = tree->count - 1; i > 0; i--) /* parents come before the children that they made */
        through[tree->nodes[i].parent] += through[i];
}

int book_tree_line(const BookTree *tree, int node, int map, Action out[BOOK_PLIES_MAX]) {
    const int count = tree->nodes[node].plies;
    for (int i = count; i > 0; node = tree->nodes[node].parent)
        out[--i] = tree->game->rules->symmetry(tree->game, map, tree->nodes[node].action);
    return count;
}

/* The image of a node's position under a symmetry. */
static void image_of(const BookTree *tree, int node, int map, GameState *state) {
    Action line[BOOK_PLIES_MAX];
    const int count = book_tree_line(tree, node, map, line);
    tree->game->rules->start(tree->game, state, tree->komi);
    for (int i = 0; i < count; i++)
        tree->game->rules->apply(tree->game, state, line[i]);
}

void book_tree_position(const BookTree *tree, int node, GameState *state) {
    image_of(tree, node, 0, state);
}

int book_tree_image(const BookTree *tree, int node, const GameState *state) {
    const uint64_t wanted = tree->game->rules->hash(state);
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        GameState image;
        image_of(tree, node, map, &image);
        if (tree->game->rules->hash(&image) == wanted)
            return map;
    }
    return 0;
}

/* The images of a position after an action, of which images[0] is the position itself: returns the key, and the
 * position in *next. */
static uint64_t key_after(const Game *game, const GameState images[HEXHEX_SYMMETRIES], Action action, GameState *next) {
    uint64_t key = UINT64_MAX;
    for (int map = HEXHEX_SYMMETRIES - 1; map >= 0; map--) {
        game_copy(game, next, &images[map]);
        game->rules->apply(game, next, game->rules->symmetry(game, map, action));
        const uint64_t hash = game->rules->hash(next);
        key = hash < key ? hash : key;
    }
    return key;
}

/* A position without games, its bounds by the rules alone. */
static BookNode node_of(const BookTree *tree, const GameState *state, uint64_t key) {
    const GameRules *rules = tree->game->rules;
    BookNode node = {.key = key,
                     .parent = -1,
                     .mover = (uint8_t)rules->to_move(state),
                     .over = rules->over(state),
                     .bounds = {-tree->komi_limit, tree->komi_limit}};
    if (node.over)
        node.bounds.low = node.bounds.high = 0.5 * rules->result(tree->game, state).half_points + tree->komi;
    node.asked = node.over;
    return node;
}

/* ---- Making trees ---- */

bool book_tree_begin(BookTree *tree, const Game *game, bool button, Error *error) {
    GameState state;
    *tree =
        (BookTree){.game = game, .komi = button, .komi_limit = game->board.cells + 1, .model = move_model_default()};
    game->rules->start(game, &state, tree->komi);
    const BookNode root = node_of(tree, &state, game->rules->hash(&state));
    return add_node(tree, &root, error) == 0;
}

/* ---- Expanding ---- */

/* The node after an action, which is made where it is missing; -1 without memory. */
static int child_after(BookTree *tree, int parent, const GameState images[HEXHEX_SYMMETRIES], Action action,
                       Error *error) {
    GameState state;
    const uint64_t key = key_after(tree->game, images, action, &state);
    const int16_t plies = (int16_t)(tree->nodes[parent].plies + 1);
    const int known = find_node(tree, key, plies);
    if (known >= 0)
        return known;
    BookNode node = node_of(tree, &state, key);
    node.parent = parent;
    node.action = action;
    node.plies = plies;
    return add_node(tree, &node, error);
}

static bool has_edge(const BookTree *tree, int parent, int child) {
    const BookNode *node = &tree->nodes[parent];
    for (int i = 0; i < node->edges; i++)
        if (tree->edges[node->first_edge + i].node == child)
            return true;
    return false;
}

bool book_tree_expand(BookTree *tree, int leaf, int64_t most, bool *full, Error *error) {
    GameState images[HEXHEX_SYMMETRIES];
    Action actions[GAME_LEGAL_MAX];
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        image_of(tree, leaf, map, &images[map]);
    const int count = tree->game->rules->legal(tree->game, &images[0], actions);
    if (tree->count + count > most) {
        *full = true;
        return true;
    }
    for (int i = 0; i < count; i++) {
        const int child = child_after(tree, leaf, images, actions[i], error);
        if (child < 0 || (!has_edge(tree, leaf, child) && !add_edge(tree, leaf, child, actions[i], error)))
            return false;
    }
    return true;
}

/* The node after an action of a node, whose images these are; -1 with an error. The limit is for the nodes that there
 * are, not for a leaf before it is expanded: the run expanded its leaves in another order. */
static int step(BookTree *tree, int node, const GameState images[HEXHEX_SYMMETRIES], Action action, int64_t most,
                Error *error) {
    GameState next;
    bool full = false;
    if (!tree->nodes[node].edges && !book_tree_expand(tree, node, BOOK_NODES_MAX, &full, error))
        return -1;
    full = full || tree->count > most;
    const int plies = tree->nodes[node].plies + 1, count = tree->count;
    const int child = full ? -1 : find_node(tree, key_after(tree->game, images, action, &next), plies);
    if (child < 0)
        error_set(error, full ? "the book has more than %d positions" : "a game leaves the book of %d positions",
                  full ? (int)most : count);
    return child;
}

int book_tree_follow(BookTree *tree, const Action *line, int count, int64_t most, Error *error) {
    const GameRules *rules = tree->game->rules;
    GameState images[HEXHEX_SYMMETRIES];
    int node = 0;
    if (count > BOOK_PLIES_MAX) {
        error_set(error, "a game begins with %d moves of the book, expected at most %d", count, BOOK_PLIES_MAX);
        return -1;
    }
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        rules->start(tree->game, &images[map], tree->komi);
    for (int i = 0; node >= 0 && i < count; i++) {
        node = step(tree, node, images, line[i], most, error);
        for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
            rules->apply(tree->game, &images[map], rules->symmetry(tree->game, map, line[i]));
    }
    return node;
}

/* ---- Games ---- */

int book_tree_arm(BookTree *tree, int node, int komi, Error *error) {
    for (int arm = tree->nodes[node].first_arm; arm >= 0; arm = tree->arms[arm].next)
        if (tree->arms[arm].result.komi == komi)
            return arm;
    if (!grow(&tree->arms, tree->arm_count, &tree->arm_capacity, sizeof *tree->arms, error))
        return -1;
    tree->arms[tree->arm_count] =
        (BookArm){.result = {.komi = komi}, .node = node, .next = tree->nodes[node].first_arm};
    tree->nodes[node].first_arm = tree->arm_count;
    return tree->arm_count++;
}

int book_tree_komi(const BookTree *tree, double place) {
    const int cells = tree->game->board.cells, odd = tree->komi;
    const int limit = cells - (cells - odd) % 2, komi = 2 * (int)floor((place - odd) / 2 + 0.5) + odd;
    return komi > limit ? limit : komi < -limit ? -limit : komi;
}

void book_tree_count(BookTree *tree, int arm, bool black_won) {
    BeliefResult *result = &tree->arms[arm].result;
    BookNode *node = &tree->nodes[tree->arms[arm].node];
    result->games++;
    result->black_wins += black_won;
    node->games++;
    node->stale = true;
    tree->games++;
}

int book_tree_results(const BookTree *tree, int node, BeliefResult *out) {
    int count = 0;
    for (int arm = tree->nodes[node].first_arm; arm >= 0; arm = tree->arms[arm].next)
        if (tree->arms[arm].result.games > 0)
            out[count++] = tree->arms[arm].result;
    return count;
}
