/* See legal.h. From the bottom up: captures in a group, captures from a group, captures after a placement, then the
 * lists. */
#include "engine/games/sgolte/legal.h"

/* ---- Captures in a group ---- */

/* For capture=line, when k stones of a group were captured and `rest` is left of it. Whether stone c can be the next
 * stone of a line in this direction (SGOLTE_NONE: any) that splits the group, with room for all captured stones. */
static bool can_line(const SgolteCaptures *captures, CellSet rest, CellSet empty, int k, int c, int direction) {
    const SgolteTables *tables = captures->tables;
    const CellSet after = rest & ~tables->bit[c], more = empty | tables->bit[c];
    if (!sgolte_captures_room(captures, more, k + 1))
        return false;
    if (sgolte_is_cut(tables, rest, c))
        return true;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        const int next = tables->neighbour[c][d];
        if ((direction == SGOLTE_NONE || direction == d) && next >= 0 && set_has(after, next) &&
            can_line(captures, after, more, k + 1, next, d))
            return true;
    }
    return false;
}

/* ---- Captures from a group, and by a placement ---- */

/* Whether stone c of a group may be the next one captured. `turn` counts the captures before it. */
static bool may_take(SgolteCaptures *captures, const SgolteTurn *turn, CellSet group, CellSet empty, int c) {
    const SgolteTables *tables = captures->tables;
    const int k = turn->captured;
    if (tables->line) {
        const int direction = turn->last == SGOLTE_NONE ? SGOLTE_NONE : sgolte_direction(tables, turn->last, c);
        const bool in_line =
            turn->last == SGOLTE_NONE ||
            (direction != SGOLTE_NONE && (turn->direction == SGOLTE_NONE || turn->direction == direction));
        return in_line && can_line(captures, group, empty, k, c, direction);
    }
    if (sgolte_is_cut(tables, group, c))
        return sgolte_captures_room(captures, empty | tables->bit[c], k + 1);
    return sgolte_can_split(captures, &(SgolteTarget){group, empty, k}, c);
}

static bool can_take_any(SgolteCaptures *captures, CellSet group) {
    static const SgolteTurn first = {.last = SGOLTE_NONE, .direction = SGOLTE_NONE};
    if (!captures->tables->line)
        return sgolte_can_split(captures, &(SgolteTarget){group, captures->empty, 0}, SGOLTE_NONE);
    for (CellSet rest = group; rest; rest &= rest - 1)
        if (may_take(captures, &first, group, captures->empty, set_lowest(rest)))
            return true;
    return false;
}

bool sgolte_may_place(const SgolteTables *tables, const SgolteBoard *board, int c) {
    const Side side = board->turn.side;
    if (sgolte_touched(&board->groups[side], tables->bit[c]) <= 1)
        return true;
    const SgolteGroups *enemies = &board->groups[side_opponent(side)];
    SgolteCaptures captures;
    sgolte_captures(tables, board, c, &captures);
    for (int i = 0; i < enemies->count; i++)
        if (can_take_any(&captures, enemies->stones[i]))
            return true;
    return false;
}

bool sgolte_may_capture(SgolteCaptures *captures, const SgolteBoard *board, int c) {
    const SgolteGroups *enemies = &board->groups[side_opponent(board->turn.side)];
    const CellSet bit = captures->tables->bit[c];
    CellSet group = board->target;
    for (int i = 0; !group; i++)
        if (enemies->stones[i] & bit)
            group = enemies->stones[i];
    return (group & bit) && may_take(captures, &board->turn, group, sgolte_empty(captures->tables, board), c);
}

bool sgolte_may_replace(const SgolteTables *tables, const SgolteBoard *board, int c) {
    const SgolteGroups *own = &board->groups[board->turn.side];
    if (sgolte_touched(own, tables->bit[c]) > 1)
        return false;
    if (board->turn.captured == 1)
        return true;
    SgolteFences fences;
    sgolte_fences(tables, own, c, &fences);
    return sgolte_room(tables, &fences, sgolte_empty(tables, board) & ~tables->bit[c], board->turn.captured - 1);
}

/* ---- The lists ---- */

static CellSet choose_captures(const SgolteTables *tables, const SgolteBoard *board) {
    SgolteCaptures captures;
    sgolte_captures(tables, board, SGOLTE_NONE, &captures);
    CellSet rest = board->target ? board->target : board->stones[side_opponent(board->turn.side)], legal = 0;
    for (int c; set_take(&rest, &c);)
        if (sgolte_may_capture(&captures, board, c))
            legal |= tables->bit[c];
    return legal;
}

CellSet sgolte_choices(const SgolteTables *tables, const SgolteBoard *board) {
    if (board->turn.stage == SGOLTE_CAPTURE)
        return choose_captures(tables, board);
    CellSet rest = sgolte_empty(tables, board), legal = 0;
    const bool place = board->turn.stage == SGOLTE_PLACE;
    for (int c; set_take(&rest, &c);)
        if (place ? sgolte_may_place(tables, board, c) : sgolte_may_replace(tables, board, c))
            legal |= tables->bit[c];
    return legal;
}

bool sgolte_has_choice(const SgolteTables *tables, const SgolteBoard *board) {
    CellSet rest = sgolte_empty(tables, board);
    SgolteFences fences;
    sgolte_fences(tables, &board->groups[board->turn.side], SGOLTE_NONE, &fences);
    if (rest & ~fences.twice)
        return true;
    for (int c; set_take(&rest, &c);)
        if (sgolte_may_place(tables, board, c))
            return true;
    return false;
}
