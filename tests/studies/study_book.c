/* How often the intervals of an opening book contain the truth: simulated players on the positions of a real board.
 *
 *     study_book [RUNS [GAMES]]
 *
 * Every position has a location, which is what it is worth to the players: one move keeps that of the position before
 * it, the others lose some points, and all have an error, for the players judge a position otherwise than the one
 * before it. Black wins a game with the chance of a logistic curve around the location. The truth about the root is the
 * minimax over the locations of the leaves that the book has at that time. What the players' errors at the leaves do to
 * the board's own value is another matter: it is for matches against known positions to say.
 *
 * The table says how often the central 95% contain the truth, their mean width, and the mean error of the median, after
 * a quarter of the games, half of them, and all. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/runs/book/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 3, DRAWS = 400, ROUND = 64, STAGES = 3 };

typedef struct Board {
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

static bool look(BookTree *tree, const Board *board, Coverage *coverage, Error *error) {
    BookStanding standing;
    book_tree_refresh(tree, false);
    const bool good = book_standing_begin(&standing, tree, 5, DRAWS, error);
    if (good) {
        const double truth = minimax(tree, board, 0);
        coverage->runs++;
        coverage->inside += truth >= standing.ci95[0].low && truth <= standing.ci95[0].high;
        coverage->width += standing.ci95[0].high - standing.ci95[0].low;
        coverage->error += standing.estimate[0] - truth;
    }
    book_standing_end(&standing);
    return good;
}

static bool run(const Game *game, const Board *board, int games, Coverage coverage[STAGES], Error *error) {
    const BookPlanSettings settings = {.leaf_games = 40, .expand_share = 0.1, .nodes = 100000};
    BookTree tree;
    bool good = book_tree_begin(&tree, game, false, error);
    int stage = 0;
    for (uint64_t round = 0; good && stage < STAGES; round++) {
        good = play_round(&tree, board, &settings, rng_split(board->seed, 1000 + round), error);
        if (good && tree.games >= games >> (STAGES - 1 - stage))
            good = look(&tree, board, &coverage[stage++], error);
    }
    book_tree_free(&tree);
    return good;
}

int main(int argc, char **argv) {
    static const Board boards[] = {{1, 0.01, 2, 0, 0},    {1, 0.01, 2, 0.7, 0}, {0.3, 0.01, 2, 0.7, 0},
                                   {3, 0.01, 2, 0.7, 0},  {1, 0.05, 2, 0.7, 0}, {1, 0.01, 0.7, 0.3, 0},
                                   {0.05, 0.01, 4, 1, 0}, {1, 0.01, 6, 1.5, 0}};
    const int runs = argc > 1 ? atoi(argv[1]) : 100, games = argc > 2 ? atoi(argv[2]) : 2000;
    Error error;
    Game *game = game_new(&(GameOptions){.size = SIZE}, &error);
    bool good = game != NULL;
    puts("scale lapse  loss error    inside  width  median too high by (after a quarter, half, all games)");
    for (size_t i = 0; good && i < sizeof boards / sizeof boards[0]; i++) {
        Coverage coverage[STAGES] = {{0}};
        Board board = boards[i];
        for (int n = 0; good && n < runs; n++) {
            board.seed = rng_split(99, (uint64_t)n);
            good = run(game, &board, games, coverage, &error);
        }
        printf("%5.2f %5.2f %5.1f %5.1f", board.scale, board.lapse, board.loss, board.error);
        for (int k = 0; k < STAGES; k++)
            printf("    %5.1f%% %6.2f %+6.2f", 100.0 * coverage[k].inside / coverage[k].runs,
                   coverage[k].width / coverage[k].runs, coverage[k].error / coverage[k].runs);
        puts("");
        fflush(stdout);
    }
    game_free(game);
    if (!good)
        fprintf(stderr, "%s\n", error.text);
    return !good;
}
