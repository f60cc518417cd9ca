/* See sgf.h. Variations of moves, with what is known of each position as a comment. */
#include "selfplay/runs/book/sgf.h"

#include "selfplay/record/game_tree.h"
#include "selfplay/runs/book/result_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    const BookTree *tree;
    const BookStanding *standing;
    int *through; /* games by node */
    GameTree *out;
    Error *error;
} Writer;

/* What is known of a position; `edge` leads there, -1: the root. `elsewhere`: how it goes on stands at another place.
 */
static bool comment(const Writer *writer, int at, int node, int edge, bool elsewhere) {
    const BookNode *position = &writer->tree->nodes[node];
    const BookStanding *standing = writer->standing;
    char text[300];
    const Interval ci95 = standing->ci95[node];
    int length;
    if (book_node_exact(position))
        length = snprintf(text, sizeof text, "Fair komi %.4g, proved", standing->estimate[node]);
    else if (book_is_bracket(writer->tree, standing, node))
        length = snprintf(text, sizeof text, "Fair komi (%g, %g)", ci95.low, ci95.high);
    else
        length =
            snprintf(text, sizeof text, "Fair komi %.2f [%.2f, %.2f]", standing->estimate[node], ci95.low, ci95.high);
    if (edge >= 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ", the best move with %.0f%%",
                           100.0 * standing->best[edge] / standing->draws);
    if (writer->through[node] > 0)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ", %d games through here", writer->through[node]);
    snprintf(text + length, sizeof text - (size_t)length, "%s",
             elsewhere ? ". Another order of moves leads to this position, too; it goes on there." : ".");
    return game_tree_comment(writer->out, at, text, writer->error);
}

static bool add_node(const Writer *writer, int at, int node, int edge);

/* Adds the move of an edge of `node`, which is at `at`, and what follows it there. */
static bool add_edge(const Writer *writer, int at, int node, int edge) {
    const BookTree *tree = writer->tree;
    const BookEdge *to = &tree->edges[edge];
    const BookNode *child = &tree->nodes[to->node];
    char move[GAME_TEXT_MAX];
    if (!book_shown(child) || writer->out->count >= GAME_TREE_NODES_MAX)
        return true;
    tree->game->rules->format(tree->game, &writer->out->nodes[at].state, to->action, move);
    const int next = game_tree_add(writer->out, at, move, writer->error);
    if (next < 0)
        return false;
    return child->parent == node && child->action == to->action
               ? add_node(writer, next, to->node, edge)
               : comment(writer, next, to->node, edge, child->edges > 0);
}

/* Adds what is known of a node, and its moves, the best first. It calls itself at most BOOK_PLIES_MAX deep. */
static bool add_node(const Writer *writer, int at, int node, int edge) {
    int *edges;
    const int count = book_sorted_edges(writer->tree, writer->standing, node, &edges, writer->error);
    bool good = edges && comment(writer, at, node, edge, false);
    for (int i = 0; good && i < count; i++)
        good = add_edge(writer, at, node, edges[i]);
    free(edges);
    return good;
}

static char *book_sgf(const Run *run, int group, Error *error) {
    const Book *book = &book_state(run)->books[group];
    const GameOptions options = run_config_game(run->config, run->config->size);
    BookStanding standing;
    char *text = NULL;
    if (!book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing, error)) {
        book_standing_end(&standing);
        return NULL;
    }
    Writer writer = {.tree = &book->tree,
                     .standing = &standing,
                     .through = malloc((size_t)book->tree.count * sizeof *writer.through),
                     .out = game_tree_new(&options, book_tree_komi(&book->tree, standing.estimate[0]), error),
                     .error = error};
    if (!writer.through)
        error_set(error, "out of memory for a book of %d positions", book->tree.count);
    else
        book_tree_through(&book->tree, writer.through);
    if (writer.out && writer.through && add_node(&writer, 0, 0, -1))
        text = game_tree_to_sgf(writer.out, error);
    game_tree_free(writer.out);
    free(writer.through);
    book_standing_end(&standing);
    return text;
}

char *book_run_sgf(const Run *run, Error *error) {
    char *all = NULL;
    size_t length = 0;
    for (int group = 0; group < run->group_count; group++) {
        char *text = book_sgf(run, group, error), *more = text ? realloc(all, length + strlen(text) + 1) : NULL;
        if (text && !more)
            error_set(error, "out of memory for an SGF file");
        if (more) {
            all = more;
            length += (size_t)sprintf(all + length, "%s", text);
        }
        free(text);
        if (!more) {
            free(all);
            return NULL;
        }
    }
    return all;
}
