/* See book_positions.h. */
#include "tools/report/book_positions.h"

#include <math.h>
#include <stdlib.h>

static void read_position(ReportSource *source, const Game *game, const cJSON *json, int komi, BookPosition *position) {
    position->number = source_int(source, json, "node", 0, 1000000000);
    position->line = source_text(source, json, "line");
    const bool says_more = source_optional(source, json, "games_through");
    position->games = source_int(source, json, says_more ? "games_through" : "games", 0, 1000000000);
    position->fair_komi = source_fair_komi(source, json);
    position->exact = source_bool(source, json, "exact");
    position->children = source_optional(source, json, "children");
    position->parent = -1;
    if (position->children && !cJSON_IsArray(position->children))
        source_fail(source, "children", "an array");
    position->state = source_position(source, game, json, "line", komi);
}

/* The index of a position, or -1: the numbers ascend. */
static int find_position(const BookPositions *positions, double number) {
    int low = 0, high = positions->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (positions->list[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < positions->count && fabs(positions->list[low].number - number) < 0.5 ? low : -1;
}

int book_positions_child(const BookPositions *positions, const cJSON *child) {
    const cJSON *number = json_get(child, "node");
    return cJSON_IsNumber(number) ? find_position(positions, number->valuedouble) : -1;
}

/* Checks the children, and lets those that have no parent yet know theirs. */
static void adopt_children(ReportSource *source, BookPositions *positions, int parent) {
    const cJSON *children = positions->list[parent].children;
    for (const cJSON *child = children ? children->child : NULL; child; child = child->next) {
        const int at = book_positions_child(positions, child);
        (void)source_text(source, child, "move");
        (void)source_number(source, child, "probability", 0, 1);
        if (at < 0)
            source_fail(source, "children", "the numbers of positions in 'nodes'");
        else if (at != 0 && at != parent && positions->list[at].parent < 0)
            positions->list[at].parent = parent;
    }
}

void book_positions_read(ReportSource *source, const Game *game, const cJSON *nodes, int komi,
                         BookPositions *positions) {
    *positions = (BookPositions){.list = source_list(source, "nodes", nodes, sizeof *positions->list)};
    for (const cJSON *item = nodes ? nodes->child : NULL; item && !source->failed; item = item->next) {
        BookPosition *position = &positions->list[positions->count++];
        read_position(source, game, item, komi, position);
        if (positions->count > 1 && position->number <= position[-1].number)
            source_fail(source, "node", "ascending numbers");
    }
    for (int i = 0; i < positions->count && !source->failed; i++)
        adopt_children(source, positions, i);
}

void book_positions_free(BookPositions *positions) {
    for (int i = 0; i < positions->count; i++)
        free(positions->list[i].state);
    free(positions->list);
    *positions = (BookPositions){.list = NULL};
}
