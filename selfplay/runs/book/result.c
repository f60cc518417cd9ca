/* See result_internal.h. */
#include "selfplay/runs/book/result_internal.h"

#include "engine/game/symmetry.h"
#include "selfplay/io/exact_value.h"

#include <stdio.h>
#include <stdlib.h>

/* A book that is written down. */
typedef struct Writer {
    const Run *run;
    int group;
    const BookTree *tree;
    const BookStanding *standing;
    int *different; /* games by node */
    int *through;   /* the same, all that were played through it */
    Error *error;
    bool failed;
} Writer;

/* ---- Different games ---- */

static int compare_hashes(const void *left, const void *right) {
    const RunGame *a = *(const RunGame *const *)left, *b = *(const RunGame *const *)right;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Counts the games that differ, by node and in all. A game may have been planned for a position and again for a later
 * one on its line, so there may be fewer in all than at the nodes together. */
static bool count_different(const Run *run, int group, const BookTree *tree, int *different, int *all, Error *error) {
    const RunGame **games;
    const int count = run_sorted_games(run, group, &games, error);
    *all = 0;
    for (int i = 0; i < count; i++)
        different[tree->arms[games[i]->plan].node] += !run_repeats(games, i);
    if (count > 0)
        qsort(games, (size_t)count, sizeof *games, compare_hashes);
    for (int i = 0; i < count; i++)
        *all += i == 0 || games[i]->hash != games[i - 1]->hash;
    free(games);
    return count >= 0;
}

/* ---- Moves ---- */

/* Adds actions from the start as one string of moves. */
static void add_line(cJSON *json, const char *key, const BookTree *tree, const Action *line, int count) {
    char text[BOOK_PLIES_MAX * 16], move[GAME_TEXT_MAX];
    size_t length = 0;
    GameState state;
    tree->game->rules->start(tree->game, &state, tree->komi);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        tree->game->rules->format(tree->game, &state, line[i], move);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.14s", i ? " " : "", move);
        tree->game->rules->apply(tree->game, &state, line[i]);
    }
    cJSON_AddStringToObject(json, key, text);
}

static void add_move(cJSON *json, const BookTree *tree, int node, Action action) {
    GameState state;
    char move[GAME_TEXT_MAX];
    book_tree_position(tree, node, &state);
    tree->game->rules->format(tree->game, &state, action, move);
    cJSON_AddStringToObject(json, "move", move);
}

/* The first moves that are images of one, each once. */
static void add_images(cJSON *json, const BookTree *tree, Action action) {
    const GameRules *rules = tree->game->rules;
    cJSON *moves = cJSON_AddArrayToObject(json, "moves");
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    rules->start(tree->game, &state, tree->komi);
    const int count = rules->legal(tree->game, &state, legal);
    const Symmetries all = symmetries_of(tree->game, &state);
    const Action first = symmetries_first(tree->game, &all, action);
    for (int i = 0; i < count; i++)
        if (symmetries_first(tree->game, &all, legal[i]) == first) {
            char move[GAME_TEXT_MAX];
            rules->format(tree->game, &state, legal[i], move);
            json_add(moves, NULL, cJSON_CreateString(move));
        }
}

/* ---- Nodes ---- */

static double probability_of(const Writer *writer, int edge) {
    return (double)writer->standing->best[edge] / writer->standing->draws;
}

/* The chance that an edge is the best one of its node. */
static cJSON *edge_to_json(const Writer *writer, int node, int edge) {
    const BookEdge *to = &writer->tree->edges[edge];
    cJSON *json = cJSON_CreateObject();
    add_move(json, writer->tree, node, to->action);
    cJSON_AddNumberToObject(json, "node", to->node);
    document_add_number(json, "probability", probability_of(writer, edge));
    return json;
}

static void add_value(cJSON *json, KomiEstimate known) {
    document_add_number(json, "fair_komi", known.estimate);
    document_add_interval(json, "ci95", known.ci95);
}

/* The same of a move or a position. */
static void add_estimate(cJSON *json, const Writer *writer, int node) {
    const KomiEstimate known = book_standing_komi(writer->standing, writer->tree, node);
    add_value(json, known);
    if (known.bracket)
        cJSON_AddTrueToObject(json, "bracket");
}

static void add_children(cJSON *json, Writer *writer, int node) {
    int *edges, unplayed = 0;
    const int count = book_sorted_edges(writer->tree, writer->standing, node, &edges, writer->error);
    cJSON *children = cJSON_AddArrayToObject(json, "children");
    writer->failed |= !edges;
    for (int i = 0; i < count; i++) {
        const bool shown = book_shown(&writer->tree->nodes[writer->tree->edges[edges[i]].node]);
        unplayed += !shown;
        if (shown)
            json_add(children, NULL, edge_to_json(writer, node, edges[i]));
    }
    cJSON_AddNumberToObject(json, "unplayed", unplayed);
    free(edges);
}

static int compare_results(const void *left, const void *right) {
    return ((const BeliefResult *)left)->komi - ((const BeliefResult *)right)->komi;
}

static void add_results(cJSON *json, const BookTree *tree, int node) {
    BeliefResult results[BOOK_KOMI_ARMS];
    const int count = book_tree_results(tree, node, results);
    cJSON *array = cJSON_AddArrayToObject(json, "results");
    qsort(results, (size_t)count, sizeof *results, compare_results);
    for (int i = 0; i < count; i++)
        json_add(array, NULL,
                 cJSON_CreateIntArray((int[]){results[i].komi, results[i].games, results[i].black_wins}, 3));
}

static cJSON *node_to_json(Writer *writer, int number) {
    const BookNode *node = &writer->tree->nodes[number];
    Action line[BOOK_PLIES_MAX];
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "node", number);
    add_line(json, "line", writer->tree, line, book_tree_line(writer->tree, number, 0, line));
    if (node->over)
        cJSON_AddNullToObject(json, "to_move");
    else
        cJSON_AddStringToObject(json, "to_move", node->mover == BLACK ? "B" : "W");
    cJSON_AddNumberToObject(json, "games", node->games);
    cJSON_AddNumberToObject(json, "games_through", writer->through[number]);
    cJSON_AddNumberToObject(json, "different_games", writer->different[number]);
    add_results(json, writer->tree, number);
    add_estimate(json, writer, number);
    cJSON_AddBoolToObject(json, "exact", book_node_exact(node));
    if (node->edges)
        add_children(json, writer, number);
    return json;
}

/* ---- A book ---- */

static cJSON *first_move_to_json(const Writer *writer, int edge) {
    const BookEdge *to = &writer->tree->edges[edge];
    cJSON *json = cJSON_CreateObject();
    add_move(json, writer->tree, 0, to->action);
    add_images(json, writer->tree, to->action);
    cJSON_AddNumberToObject(json, "node", to->node);
    cJSON_AddNumberToObject(json, "games", writer->tree->nodes[to->node].games);
    cJSON_AddNumberToObject(json, "games_through", writer->through[to->node]);
    add_estimate(json, writer, to->node);
    document_add_number(json, "probability", probability_of(writer, edge));
    return json;
}

static void add_first_moves(cJSON *json, Writer *writer) {
    int *edges;
    const int count = book_sorted_edges(writer->tree, writer->standing, 0, &edges, writer->error);
    cJSON *moves = cJSON_AddArrayToObject(json, "first_moves");
    writer->failed |= !edges;
    for (int i = 0; i < count; i++)
        json_add(moves, NULL, first_move_to_json(writer, edges[i]));
    free(edges);
}

static void add_answer(cJSON *json, const Writer *writer) {
    const BookAnswer answer = book_run_answer(writer->run, writer->group, writer->standing);
    Action line[BOOK_PLIES_MAX];
    int leaf;
    add_value(json, answer.fair_komi);
    cJSON_AddBoolToObject(json, "bracket", answer.fair_komi.bracket);
    cJSON_AddNumberToObject(json, "black_wins_up_to", answer.black_up_to);
    cJSON_AddNumberToObject(json, "white_wins_from", answer.white_from);
    if (answer.best >= 0) {
        cJSON *best = cJSON_AddObjectToObject(json, "best");
        add_move(best, writer->tree, 0, writer->tree->edges[answer.best].action);
        document_add_number(best, "probability", answer.probability);
    } else {
        cJSON_AddNullToObject(json, "best");
    }
    add_line(json, "line", writer->tree, line,
             book_run_line(writer->run, writer->group, writer->standing, line, &leaf));
}

static void add_counts(cJSON *json, const Writer *writer) {
    const BookTree *tree = writer->tree;
    const Book *book = &book_state(writer->run)->books[writer->group];
    const int wanted = (int)book_config(writer->run)->plan.leaf_games;
    int inner = 0, judged = 0, exact = 0, deepest = 0;
    for (int i = 0; i < tree->count; i++) {
        const BookNode *node = &tree->nodes[i];
        inner += node->edges > 0;
        judged += !node->edges && node->games >= wanted;
        exact += book_node_exact(node);
        if (node->games > 0 && node->plies > deepest)
            deepest = node->plies;
    }
    cJSON_AddNumberToObject(json, "positions", tree->count);
    cJSON_AddNumberToObject(json, "inner", inner);
    cJSON_AddNumberToObject(json, "judged", judged);
    cJSON_AddNumberToObject(json, "exact", exact);
    cJSON_AddNumberToObject(json, "deepest", deepest);
    cJSON_AddBoolToObject(json, "full", book->full);
    if (book->planned_after >= 0)
        cJSON_AddNumberToObject(json, "planned_after", book->planned_after);
    else if (book->planned_after != BOOK_PLANS_UNKNOWN)
        cJSON_AddNullToObject(json, "planned_after");
    cJSON *curve = cJSON_AddObjectToObject(json, "curve");
    document_add_number(curve, "scale", tree->model.curve.scale);
    document_add_number(curve, "lapse", tree->model.curve.lapse);
    document_add_number(json, "spread", tree->model.spread);
    document_add_number(json, "error", tree->model.error);
}

/* Writes a book. *different becomes the number of its games that differ. NULL with an error. */
static cJSON *book_to_json(const Run *run, int group, const BookStanding *standing, int *different, Error *error) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    Writer writer = {.run = run, .group = group, .tree = tree, .standing = standing, .error = error};
    writer.different = calloc((size_t)tree->count, sizeof *writer.different);
    writer.through = calloc((size_t)tree->count, sizeof *writer.through);
    if (!writer.different || !writer.through) {
        error_set(error, "out of memory for a book of %d positions", tree->count);
        free(writer.different);
        free(writer.through);
        return NULL;
    }
    book_tree_through(tree, writer.through);
    cJSON *json = cJSON_CreateObject();
    writer.failed = !count_different(run, group, tree, writer.different, different, error);
    cJSON_AddStringToObject(json, "parity", run->groups[group].name);
    cJSON_AddNumberToObject(json, "games", run->groups[group].played);
    cJSON_AddNumberToObject(json, "different_games", *different);
    add_answer(json, &writer);
    add_first_moves(json, &writer);
    add_counts(json, &writer);
    cJSON *nodes = cJSON_AddArrayToObject(json, "nodes");
    for (int i = 0; i < tree->count && !writer.failed; i++)
        if (i == 0 || book_shown(&tree->nodes[i]))
            json_add(nodes, NULL, node_to_json(&writer, i));
    free(writer.different);
    free(writer.through);
    if (!writer.failed)
        return json;
    cJSON_Delete(json);
    return NULL;
}

/* ---- The document ---- */

static bool add_pair(cJSON *json, const Run *run, const BookStanding *standing, Error *error) {
    BookPair pair;
    if (run->group_count < BOOK_PARITIES)
        return true;
    if (!book_run_pair(run, standing, &pair, error))
        return false;
    cJSON *combined = cJSON_AddObjectToObject(json, "combined");
    add_value(combined, pair.middle);
    cJSON_AddBoolToObject(combined, "bracket", pair.middle.bracket);
    if (!pair.gap_known)
        return true;
    cJSON *gap = cJSON_AddObjectToObject(json, "gap");
    document_add_number(gap, "estimate", pair.gap);
    document_add_interval(gap, "ci95", pair.gap_ci95);
    return true;
}

static bool add_books(cJSON *json, const Run *run, const BookStanding *standing, Error *error) {
    int all = 0, different;
    cJSON *games = cJSON_AddNumberToObject(json, "games", run_played(run));
    cJSON *different_games = cJSON_AddNumberToObject(json, "different_games", 0);
    cJSON *books = cJSON_AddArrayToObject(json, "books");
    for (int group = 0; group < run->group_count; group++) {
        cJSON *book = book_to_json(run, group, &standing[group], &different, error);
        if (!book)
            return false;
        json_add(books, NULL, book);
        all += different;
    }
    if (!games || !different_games)
        return error_set(error, "out of memory");
    cJSON_SetNumberValue(different_games, all);
    return true;
}

cJSON *book_result(const Run *run, const DocumentContext *context, Error *error) {
    static const char *const keys[] = {"game", "size", "player", "seed", NULL};
    BookStanding standing[BOOK_PARITIES] = {{0}};
    cJSON *json = run_begin_document(run, context, keys);
    bool good = true;
    for (int group = 0; good && group < run->group_count; group++)
        good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing[group], error);
    good = good && add_books(json, run, standing, error) && add_pair(json, run, standing, error);
    for (int group = 0; group < BOOK_PARITIES; group++)
        book_standing_end(&standing[group]);
    if (good && exact_values_add(json, run->config->game, (int)run->config->size, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}
