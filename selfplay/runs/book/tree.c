/* See tree.h. */
#include "selfplay/runs/book/tree.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "selfplay/stats/estimate.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_TABLE = 1024, SPREADS = 11, SETTLING = 8 };

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

static double spread_mean(const double evidence[SPREADS]);

bool book_tree_begin(BookTree *tree, const Game *game, bool button, Error *error) {
    GameState state;
    double curves[BELIEF_CURVES] = {0}, spreads[SPREADS] = {0};
    *tree = (BookTree){.game = game,
                       .komi = button,
                       .komi_limit = game->board.cells + 1,
                       .curve = belief_curve_mean(curves),
                       .spread = spread_mean(spreads)};
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

/* ---- Beliefs ---- */

/* What is believed of a node before its own games. The root's guess is that of a komi run. */
static BeliefPrior prior_of(const BookTree *tree, const BookNode *node, double spread) {
    BeliefPrior prior = {.bounds = node->bounds};
    if (node->parent < 0) {
        const EstimateConfig komi = estimate_config(tree->game->board.size);
        prior.location = komi.prior_location;
        prior.scale = komi.prior_scale;
        return prior;
    }
    const BookNode *parent = &tree->nodes[node->parent];
    const double below = spread * belief_best_of(parent->edges);
    prior.location = komi_belief_mean(&parent->belief) + (parent->mover == BLACK ? -below : below);
    prior.scale = spread;
    return prior;
}

static void believe(BookTree *tree, int number) {
    BeliefResult results[BOOK_KOMI_ARMS];
    BookNode *node = &tree->nodes[number];
    const BeliefPrior prior = prior_of(tree, node, tree->spread);
    komi_belief(&node->belief, results, book_tree_results(tree, number, results), tree->curve, &prior);
}

void book_tree_bound(BookTree *tree, int leaf, Interval bounds) {
    tree->nodes[leaf].bounds = bounds;
    believe(tree, leaf);
}

/* ---- Learning ---- */

/* The spreads that are thought of, half a power of two apart. */
static double spread_candidate(int number) {
    return 0.25 * pow(2, 0.5 * number);
}

static double spread_mean(const double evidence[SPREADS]) {
    double most = evidence[0], sum = 0, log_spread = 0;
    for (int i = 1; i < SPREADS; i++)
        most = fmax(most, evidence[i]);
    for (int i = 0; i < SPREADS; i++) {
        const double weight = exp(evidence[i] - most);
        sum += weight;
        log_spread += weight * log(spread_candidate(i));
    }
    return exp(log_spread / sum);
}

/* Adds the evidence of a node for each curve and each spread. */
static void add_evidence(const BookTree *tree, int number, double curves[BELIEF_CURVES], double spreads[SPREADS]) {
    BeliefResult results[BOOK_KOMI_ARMS];
    KomiBelief unused;
    const BookNode *node = &tree->nodes[number];
    const int count = book_tree_results(tree, number, results);
    const BeliefPrior prior = prior_of(tree, node, tree->spread);
    for (int i = 0; count > 0 && i < BELIEF_CURVES; i++)
        curves[i] += komi_belief(&unused, results, count, belief_curve_candidate(i), &prior);
    for (int i = 0; count > 0 && node->parent >= 0 && i < SPREADS; i++) {
        const BeliefPrior other = prior_of(tree, node, spread_candidate(i));
        spreads[i] += komi_belief(&unused, results, count, tree->curve, &other) - log(other.scale);
    }
}

/* Learns curve and spread from all games. What is believed of a parent, and so of its children beforehand, and each of
 * the two while the other one is learnt, is what was learnt last. */
static void learn(BookTree *tree) {
    double curves[BELIEF_CURVES] = {0}, spreads[SPREADS] = {0};
    for (int i = 0; i < tree->count; i++)
        add_evidence(tree, i, curves, spreads);
    tree->curve = belief_curve_mean(curves);
    tree->spread = spread_mean(spreads);
    tree->learnt = tree->games;
}

static bool has_looked(const BookTree *tree, const BookNode *node) {
    for (int i = 0; i < node->edges; i++) {
        const BookNode *child = &tree->nodes[tree->edges[node->first_edge + i].node];
        if (child->games == 0 && !book_node_exact(child))
            return false;
    }
    return node->edges > 0;
}

/* Brings the beliefs up to date that the games since the last time may have changed, or all of them. */
static void believe_all(BookTree *tree, bool all) {
    for (int i = 0; i < tree->count; i++) { /* parents first, from whose belief the guess comes */
        BookNode *node = &tree->nodes[i];
        if (all || node->stale || (node->parent >= 0 && tree->nodes[node->parent].stale)) {
            believe(tree, i);
            node->stale = true; /* for its children */
        }
    }
    for (int i = 0; i < tree->count; i++) {
        tree->nodes[i].stale = false;
        tree->nodes[i].inner = tree->nodes[i].inner || has_looked(tree, &tree->nodes[i]);
    }
}

void book_tree_refresh(BookTree *tree, bool learns) {
    believe_all(tree, false);
    if (learns && tree->games > 0 && tree->games >= tree->learnt + tree->learnt / 4) {
        learn(tree);
        believe_all(tree, true);
    }
}

void book_tree_settle(BookTree *tree) {
    for (int i = 0; i < SETTLING; i++) {
        tree->learnt = 0;
        book_tree_refresh(tree, true);
    }
}
