/* See book_answer.h. */
#include "tools/cli/book_answer.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/exact_value.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/runs/book/sgf.h"
#include "tools/cli/fair_komi_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    Action line[BOOK_PLIES_MAX];
    GameState state;
    char text[GAME_TEXT_MAX];
    int leaf;
    const int count = book_run_line(run, group, standing, line, &leaf);
    run->game->rules->start(run->game, &state, tree->komi);
    printf("    best line       ");
    for (int i = 0; i < count; i++) {
        run->game->rules->format(run->game, &state, line[i], text);
        run->game->rules->apply(run->game, &state, line[i]);
        printf(" %s", text);
    }
    putchar('\n');
}

static bool print_first_moves(const Run *run, int group, const BookStanding *standing, Error *error) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    int *edges, *through = malloc((size_t)tree->count * sizeof *through);
    const int count = book_sorted_edges(tree, standing, 0, &edges, error);
    const bool good = edges && (through || error_set(error, "out of memory for a book of %d positions", tree->count));
    if (good)
        book_tree_through(tree, through);
    for (int i = 0; i < count && good; i++) {
        char text[GAME_TEXT_MAX];
        const int node = tree->edges[edges[i]].node;
        run_format_first(run, tree->komi, tree->edges[edges[i]].action, text);
        fair_komi_line_begin(text, book_standing_komi(standing, tree, node));
        printf(", the best first move with %.0f%%, %d games\n", 100.0 * standing->best[edges[i]] / standing->draws,
               through[node]);
    }
    free(edges);
    free(through);
    return good;
}

static bool print_book(const Run *run, int group, const BookStanding *standing, Error *error) {
    const Book *book = &book_state(run)->books[group];
    const BookAnswer answer = book_run_answer(run, group, standing);
    printf("  %s, %d game%s, %d position%s%s\n", book->odd ? "odd komi, with the button" : "even komi",
           run->groups[group].played, run->groups[group].played == 1 ? "" : "s", book->tree.count,
           book->tree.count == 1 ? "" : "s", book->full ? " (the limit: no more moves enter, see --nodes)" : "");
    fair_komi_line_begin("fair komi", answer.fair_komi);
    putchar('\n');
    if (!print_first_moves(run, group, standing, error))
        return false;
    if (answer.best >= 0)
        print_line(run, group, standing);
    return true;
}

static bool print_pair(const Run *run, const BookStanding *standing, Error *error) {
    BookPair pair;
    if (run->group_count < BOOK_PARITIES)
        return true;
    if (!book_run_pair(run, standing, &pair, error))
        return false;
    printf("  both parities\n");
    fair_komi_line_together(pair.middle);
    if (pair.gap_known)
        fair_komi_line_gap(pair.gap, pair.gap_ci95);
    return true;
}

/* What perfect play is worth, and whether the interval of a book leaves that out. */
static void print_perfect_play(const Run *run, const BookStanding *standing, const ExactValues *exact) {
    bool left_out[BOOK_PARITIES] = {false};
    for (int group = 0; group < run->group_count; group++) {
        const bool odd = book_state(run)->books[group].odd;
        const Interval ci95 = book_run_answer(run, group, &standing[group]).fair_komi.ci95;
        left_out[odd] = !interval_contains(ci95, odd ? exact->odd : exact->even);
    }
    fair_komi_line_perfect_play(exact, left_out[false], left_out[true]);
}

bool book_answer_print(const Run *run, Error *error) {
    const char *game = run->config->game;
    const int size = (int)run->config->size;
    BookStanding standing[BOOK_PARITIES] = {{0}};
    bool good = true;
    ExactValues exact;
    printf("Fair komi of %s on hexhex-%d, by an opening book:\n", game, size);
    for (int group = 0; good && group < run->group_count; group++) {
        good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing[group], error) &&
               print_book(run, group, &standing[group], error);
    }
    good = good && print_pair(run, standing, error) && exact_values(game, size, &exact, error);
    if (good && exact.known)
        print_perfect_play(run, standing, &exact);
    for (int group = 0; group < BOOK_PARITIES; group++)
        book_standing_end(&standing[group]);
    return good;
}

bool book_answer_check_sgf(const char *path, Error *error) {
    return !path || strcmp(path, "-") ||
           error_set(error, "--sgf: '-' is standard output, where the answer goes, expected a file");
}

bool book_answer_write_sgf(const Run *run, const char *path, Error *error) {
    char *text = path ? book_run_sgf(run, GAME_TREE_NODES_MAX, error) : NULL;
    const bool good = !path || (text && file_write(path, text, strlen(text), error));
    free(text);
    return good;
}
