/* See book_answer.h. */
#include "tools/cli/book_answer.h"

#include "selfplay/io/exact_value.h"

#include <stdio.h>

void book_answer_format_first(const Run *run, const BookTree *tree, int edge, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, tree->komi);
    run->game->rules->format(run->game, &start, tree->edges[edge].action, out);
}

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

static void print_first_moves(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    for (int edge = 0; edge < tree->nodes[0].edges; edge++) {
        char text[GAME_TEXT_MAX];
        const int node = tree->edges[tree->nodes[0].first_edge + edge].node;
        book_answer_format_first(run, tree, tree->nodes[0].first_edge + edge, text);
        printf("    %-16s %6.2f   95%% interval [%.2f, %.2f], the best first move with %.0f%%\n", text,
               standing->estimate[node], standing->ci95[node].low, standing->ci95[node].high,
               100.0 * standing->best[tree->nodes[0].first_edge + edge] / standing->draws);
    }
}

static void print_book(const Run *run, int group, const BookStanding *standing) {
    const Book *book = &book_state(run)->books[group];
    const BookAnswer answer = book_run_answer(run, group, standing);
    printf("  %s, %d games, %d positions%s\n", book->odd ? "odd komi, with the button" : "even komi",
           run->groups[group].played, book->tree.count,
           book->full ? " (the limit: no more moves enter, see --nodes)" : "");
    printf("    fair komi        %6.2f   95%% interval [%.2f, %.2f]: Black wins up to komi %d, White from %d\n",
           answer.estimate, answer.ci95.low, answer.ci95.high, answer.black_up_to, answer.white_from);
    print_first_moves(run, group, standing);
    if (answer.best >= 0)
        print_line(run, group, standing);
}

static bool print_pair(const Run *run, const BookStanding *standing, Error *error) {
    BookPair pair;
    if (run->group_count < BOOK_PARITIES)
        return true;
    if (!book_run_pair(run, standing, &pair, error))
        return false;
    printf("  together           %6.2f   95%% interval [%.2f, %.2f]; even minus odd %.2f [%.2f, %.2f]\n", pair.middle,
           pair.middle_ci95.low, pair.middle_ci95.high, pair.gap, pair.gap_ci95.low, pair.gap_ci95.high);
    return true;
}

bool book_answer_print(const Run *run, Error *error) {
    const char *game = run->config->game;
    const int size = (int)run->config->size;
    BookStanding standing[BOOK_PARITIES] = {{0}};
    bool good = true;
    ExactValues exact;
    printf("Fair komi of %s on hexhex-%d, by an opening book:\n", game, size);
    for (int group = 0; good && group < run->group_count; group++) {
        good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing[group], error);
        if (good)
            print_book(run, group, &standing[group]);
    }
    good = good && print_pair(run, standing, error);
    for (int group = 0; group < BOOK_PARITIES; group++)
        book_standing_end(&standing[group]);
    good = good && exact_values(game, size, &exact, error);
    if (good && exact.known)
        printf("  perfect play: Black is ahead by %g, with the button (odd komi) by %g\n", exact.even, exact.odd);
    return good;
}
