/* See sgf.h. Variations of moves, with what is known of each position as a comment. Positions are added breadth first:
 * a file that cannot hold all of them has those near the start. */
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
    int *edges; /* of the book, by node of `out`: the one that leads there, -1 at the root */
    int most;   /* nodes of `out` */
    bool cut;   /* there are more */
    Error *error;
} Writer;

/* The node of the book that stands at a place. */
static int node_at(const Writer *writer, int at) {
    return at == 0 ? 0 : writer->tree->edges[writer->edges[at]].node;
}

/* Whether what follows a position stands at this place. It has several places if several orders of moves lead to it. */
static bool goes_on(const Writer *writer, int at) {
    if (at == 0)
        return true;
    const BookNode *node = &writer->tree->nodes[node_at(writer, at)];
    return node->parent == node_at(writer, writer->out->nodes[at].parent) &&
           node->action == writer->tree->edges[writer->edges[at]].action;
}

/* ---- Moves ---- */

static bool add_move(Writer *writer, int at, int edge) {
    const BookEdge *to = &writer->tree->edges[edge];
    char move[GAME_TEXT_MAX];
    if (!book_shown(&writer->tree->nodes[to->node]))
        return true;
    if (writer->out->count >= writer->most) {
        writer->cut = true;
        return true;
    }
    writer->tree->game->rules->format(writer->tree->game, &writer->out->nodes[at].state, to->action, move);
    const int next = game_tree_add(writer->out, at, move, writer->error);
    if (next >= 0)
        writer->edges[next] = edge;
    return next >= 0;
}

/* Adds the moves of the position at a place, the best first. */
static bool add_moves(Writer *writer, int at) {
    int *edges;
    const int count = book_sorted_edges(writer->tree, writer->standing, node_at(writer, at), &edges, writer->error);
    bool good = edges != NULL;
    for (int i = 0; good && i < count; i++)
        good = add_move(writer, at, edges[i]);
    free(edges);
    return good;
}

/* ---- Comments ---- */

/* What is known of a position. */
static int format_value(const Writer *writer, int node, char *text, size_t size) {
    char known[KOMI_ESTIMATE_TEXT];
    if (book_node_exact(&writer->tree->nodes[node]))
        return snprintf(text, size, "Fair komi %.4g, proved", writer->standing->estimate[node]);
    komi_estimate_text(book_standing_komi(writer->standing, writer->tree, node), known);
    return snprintf(text, size, "Fair komi %s", known);
}

static bool comment(const Writer *writer, int at) {
    const int node = node_at(writer, at), through = writer->through[node];
    const bool elsewhere = !goes_on(writer, at) && writer->tree->nodes[node].edges > 0;
    char text[300];
    int length = format_value(writer, node, text, sizeof text);
    if (at > 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ", the best move with %.0f%%",
                           100.0 * writer->standing->best[writer->edges[at]] / writer->standing->draws);
    if (through > 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ", %d games through here", through);
    length += snprintf(text + length, sizeof text - (size_t)length, "%s",
                       elsewhere ? ". Another order of moves leads to this position, too; it goes on there." : ".");
    if (at == 0 && writer->cut)
        snprintf(text + length, sizeof text - (size_t)length,
                 " This file has only the %d positions nearest to the start; the rest of the book is left out.",
                 writer->out->count);
    return game_tree_comment(writer->out, at, text, writer->error);
}

/* ---- The file ---- */

/* Adds all positions. What is added while they are gone through comes after them. */
static bool add_all(Writer *writer) {
    bool good = true;
    for (int at = 0; good && at < writer->out->count; at++)
        good = !goes_on(writer, at) || add_moves(writer, at);
    for (int at = 0; good && at < writer->out->count; at++)
        good = comment(writer, at);
    return good;
}

static char *book_sgf(const Run *run, int group, int most, Error *error) {
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
                     .edges = malloc((size_t)most * sizeof *writer.edges),
                     .most = most,
                     .error = error};
    const bool room = writer.through && writer.edges;
    if (!room)
        error_set(error, "out of memory for a book of %d positions", book->tree.count);
    else
        book_tree_through(&book->tree, writer.through);
    if (writer.out && room && add_all(&writer))
        text = game_tree_to_sgf(writer.out, error);
    game_tree_free(writer.out);
    free(writer.through);
    free(writer.edges);
    book_standing_end(&standing);
    return text;
}

char *book_run_sgf(const Run *run, int most, Error *error) {
    char *all = NULL;
    size_t length = 0;
    for (int group = 0; group < run->group_count; group++) {
        char *text = book_sgf(run, group, most, error), *more = text ? realloc(all, length + strlen(text) + 1) : NULL;
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
