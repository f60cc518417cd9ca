/* How often the intervals of an opening book contain the truth: simulated players on the positions of a real board.
 *
 *     study_book [RUNS [GAMES [FROM [TO]]]]
 *
 * plays the lines FROM up to TO - 1 of the table; each stands for players of one kind, and a board.
 *
 * Every position has a location, which is what it is worth to the players: one move keeps that of the position before
 * it, the others lose some points, and all have an error, for the players judge a position otherwise than the one
 * before it. Black wins a game with the chance of a logistic curve around the location. The truth about the root is the
 * minimax over the locations of the leaves that the book has at that time. What the players' errors at the leaves do to
 * the board's own value is another matter: it is for matches against known positions to say.
 *
 * The table says how often the central 95% contain the truth, their mean width, and the mean error of the median, after
 * a quarter of the games, half of them, and all. Then it says the same of all positions below the root that are judged
 * by their moves, after all games; there the error is by how much the median is too good for the side to move. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DRAWS = 400, ROUND = 64, STAGES = 3 };

typedef struct Board {
    int size;
    double scale, lapse; /* of the players' curve */
    double loss, error;  /* the mean loss of a move that is not the best; the standard deviation of the errors */
    uint64_t seed;
} Board;

typedef struct Coverage {
    int runs, inside;
    double width, error;
} Coverage;

/* A normal number, by the sum of twelve uniform ones. */
static double normal(Rng *rng) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rng_unit(rng);
    return sum;
}

/* The location of a node, from those of its parents. */
static double location_of(const BookTree *tree, const Board *board, int number) {
    const BookNode *node = &tree->nodes[number];
    if (node->parent < 0)
        return 3;
    const BookNode *parent = &tree->nodes[node->parent];
    Rng rng = rng_seed(board->seed ^ node->key);
    const double loss = -board->loss * log(1 - rng_unit(&rng)), error = board->error * normal(&rng);
    const bool best =
        tree->edges[parent->first_edge + (int)(rng_split(board->seed, parent->key) % (uint64_t)parent->edges)].node ==
        number;
    return location_of(tree, board, node->parent) + error + (best ? 0 : parent->mover == BLACK ? -loss : loss);
}

static double minimax(const BookTree *tree, const Board *board, int number) {
    const BookNode *node = &tree->nodes[number];
    double value = node->mover == BLACK ? -1000 : 1000;
    if (book_node_exact(node))
        return node->bounds.low;
    for (int i = 0; node->inner && i < node->edges; i++) {
        const double child = minimax(tree, board, tree->edges[node->first_edge + i].node);
        value = node->mover == BLACK ? fmax(value, child) : fmin(value, child);
    }
    return node->inner ? value : location_of(tree, board, number);
}

static bool play_round(BookTree *tree, const Board *board, const BookPlanSettings *settings, uint64_t seed,
                       Error *error) {
    const BookPlanner planner = {.settings = *settings};
    BookPlan plan;
    Rng rng = rng_seed(rng_split(seed, 1));
    if (!book_plan(tree, &planner, seed, ROUND, &plan, error))
        return false;
    for (int arm = 0, arms = tree->arm_count; arm < arms; arm++) {
        const double ahead = location_of(tree, board, tree->arms[arm].node) - tree->arms[arm].result.komi;
        const double chance = board->lapse / 2 + (1 - board->lapse) / (1 + exp(-ahead / board->scale));
        for (int i = 0; i < plan.games[arm]; i++)
            book_tree_count(tree, arm, rng_unit(&rng) < chance);
    }
    free(plan.games);
    return true;
}

/* Compares what the book says of a node with the truth. */
static void judge(const BookTree *tree, const Board *board, const BookStanding *standing, int node, double sign,
                  Coverage *coverage) {
    const double truth = minimax(tree, board, node);
    coverage->runs++;
    coverage->inside += truth >= standing->ci95[node].low && truth <= standing->ci95[node].high;
    coverage->width += standing->ci95[node].high - standing->ci95[node].low;
    coverage->error += sign * (standing->estimate[node] - truth);
}

/* Looks at the root, and at all positions below it where `below` is there. */
static bool look(BookTree *tree, const Board *board, Coverage *root, Coverage *below, Error *error) {
    BookStanding standing;
    book_tree_refresh(tree, false);
    const bool good = book_standing_begin(&standing, tree, 5, DRAWS, error);
    if (good)
        judge(tree, board, &standing, 0, 1, root);
    for (int i = 1; good && below && i < tree->count; i++)
        if (tree->nodes[i].inner)
            judge(tree, board, &standing, i, tree->nodes[i].mover == BLACK ? 1 : -1, below);
    book_standing_end(&standing);
    return good;
}

/* The last coverage is that of the positions below the root. */
static bool run(const Game *game, const Board *board, int games, Coverage coverage[STAGES + 1], Error *error) {
    const BookPlanSettings settings = {.leaf_games = 40, .expand_share = 0.1, .nodes = 100000};
    BookTree tree;
    bool good = book_tree_begin(&tree, game, false, error);
    int stage = 0;
    for (uint64_t round = 0; good && stage < STAGES; round++) {
        good = play_round(&tree, board, &settings, rng_split(board->seed, 1000 + round), error);
        if (good && tree.games >= games >> (STAGES - 1 - stage)) {
            good = look(&tree, board, &coverage[stage], stage == STAGES - 1 ? &coverage[STAGES] : NULL, error);
            stage++;
        }
    }
    book_tree_free(&tree);
    return good;
}

/* Plays the books of one kind of players and prints their line. */
static bool study(Board board, int runs, int games, Error *error) {
    Coverage coverage[STAGES + 1] = {{0}};
    Game *game = game_new(&(GameOptions){.size = board.size}, error);
    bool good = game != NULL;
    for (int n = 0; good && n < runs; n++) {
        board.seed = rng_split(99, (uint64_t)n);
        good = run(game, &board, games, coverage, error);
    }
    game_free(game);
    printf("%4d %5.2f %5.2f %5.1f %5.1f", board.size, board.scale, board.lapse, board.loss, board.error);
    for (int k = 0; good && k <= STAGES; k++)
        printf("    %5.1f%% %6.2f %+6.2f", 100.0 * coverage[k].inside / coverage[k].runs,
               coverage[k].width / coverage[k].runs, coverage[k].error / coverage[k].runs);
    printf("  (%d)\n", coverage[STAGES].runs);
    fflush(stdout);
    return good;
}

int main(int argc, char **argv) {
    static const Board boards[] = {{3, 1, 0.01, 2, 0, 0},     {3, 1, 0.01, 2, 0.7, 0}, {3, 0.3, 0.01, 2, 0.7, 0},
                                   {3, 3, 0.01, 2, 0.7, 0},   {3, 1, 0.05, 2, 0.7, 0}, {3, 1, 0.01, 0.7, 0.3, 0},
                                   {3, 0.05, 0.01, 4, 1, 0},  {3, 1, 0.01, 6, 1.5, 0}, {5, 1, 0.01, 2, 0.7, 0},
                                   {5, 1.5, 0.01, 1, 0.7, 0}, {5, 1, 0.01, 6, 1, 0}};
    const int runs = argc > 1 ? atoi(argv[1]) : 100, games = argc > 2 ? atoi(argv[2]) : 2000;
    const int from = argc > 3 ? atoi(argv[3]) : 0,
              to = argc > 4 ? atoi(argv[4]) : (int)(sizeof boards / sizeof boards[0]);
    Error error;
    bool good = true;
    puts("size scale lapse  loss error    inside  width  median too high by (after a quarter, half, all games; below "
         "the root)");
    for (int i = from; good && i < to; i++)
        good = study(boards[i], runs, games, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.text);
    return !good;
}
