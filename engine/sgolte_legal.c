/* See sgolte_legal.h. Bottom up: captures in a group, from a group, by a placement; then the lists. */
#include "sgolte_legal.h"

enum { SPLIT_MAX = 3 }; /* stones, at most, of a smallest set that splits a group */

/* ---- Captures in a group ---- */

/* Whether there is a way to split a connected group: four stones, or three that are no triangle. */
static bool can_be_split(const SgolteTables *tables, CellSet group) {
    const int count = set_count(group);
    if (count != 3)
        return count > 3;
    const int lowest = set_lowest(group), next = set_lowest(group & (group - 1));
    return (group & ~(tables->bit[lowest] | tables->adjacent[lowest])) != 0 ||
           (group & ~(tables->bit[next] | tables->adjacent[next])) != 0;
}

static bool has_room(const SgolteCaptures *captures, CellSet empty, int k) {
    return captures->bound >= k || sgolte_room(captures->tables, &captures->fences, empty, k);
}

/* The cells on the way from one part of a group to what lies behind its neighbours; empty where nothing does. */
static CellSet border_of(const SgolteTables *tables, CellSet group, CellSet part) {
    const CellSet border = sgolte_near(tables, part) & group & ~part, beyond = group & ~(part | border);
    return beyond ? border & sgolte_near(tables, sgolte_flood(tables, beyond, beyond & -beyond)) : 0;
}

/* A small subset of `allowed` that splits a group; empty where there is none. If the other cells are connected, and
 * each of the allowed ones is adjacent to them, then there is none. */
static CellSet find_splitter(const SgolteTables *tables, CellSet group, CellSet allowed) {
    const CellSet others = group & ~allowed;
    CellSet best = 0, lone = allowed & ~sgolte_near(tables, others);
    for (CellSet rest = others | lone, part; rest; rest &= ~part) {
        const CellSet first = rest & -rest;
        part = first & lone ? first : sgolte_flood(tables, others, first);
        const CellSet border = border_of(tables, group, part);
        if (border && (!best || set_count(border) < set_count(best)))
            best = border;
    }
    return best;
}

/* What is left of a group after k captures, when there are `empty` cells. */
typedef struct Rest {
    const SgolteCaptures *captures;
    CellSet group, empty;
    int k;
} Rest;

/* Whether there is room after a set of further captures. */
static bool has_room_after(const Rest *rest, CellSet set) {
    return has_room(rest->captures, rest->empty | set, rest->k + set_count(set));
}

/* Of a set of further captures that leaves no room, a subset that leaves none though all smaller ones of it do. */
static CellSet find_crowd(const Rest *rest, CellSet set) {
    CellSet members = set;
    for (int c; set_take(&members, &c);)
        if (!has_room_after(rest, set & ~rest->captures->tables->bit[c]))
            set &= ~rest->captures->tables->bit[c];
    return set;
}

/* Whether a subset of `allowed` splits the group and leaves room, and contains `taken` or may do so. Of a crowd, one
 * cell at least is not captured: the first such is tried in turn. */
static bool find_split(const Rest *rest, CellSet allowed, CellSet taken) {
    if (!has_room_after(rest, taken))
        return false;
    const CellSet splitter = find_splitter(rest->captures->tables, rest->group, allowed);
    if (!splitter || has_room_after(rest, splitter))
        return splitter != 0;
    CellSet left_out = find_crowd(rest, splitter) & ~taken;
    for (int c; set_take(&left_out, &c); taken |= rest->captures->tables->bit[c])
        if (find_split(rest, allowed & ~rest->captures->tables->bit[c], taken))
            return true;
    return false;
}

/* capture=free. Whether what is left of a group after k captures can be split, with room for all. */
static bool can_go_on(const SgolteCaptures *captures, CellSet group, CellSet empty, int k) {
    if (!can_be_split(captures->tables, group))
        return false;
    if (has_room(captures, empty, k + SPLIT_MAX))
        return true;
    if (!has_room(captures, empty, k))
        return false;
    const Rest rest = {captures, group, empty, k};
    CellSet stones = group, allowed = 0;
    for (int c; set_take(&stones, &c);)
        if (has_room_after(&rest, (CellSet)1 << c))
            allowed |= (CellSet)1 << c;
    return (allowed & sgolte_cuts(captures->tables, group)) || find_split(&rest, allowed, 0);
}

/* capture=line. Whether the stone c of what is left of a group after k captures can be the next one of a line in this
 * direction (SGOLTE_NONE: in any) that splits the group, with room for all. */
static bool can_line(const SgolteCaptures *captures, CellSet rest, CellSet empty, int k, int c, int direction) {
    const SgolteTables *tables = captures->tables;
    const CellSet after = rest & ~tables->bit[c], more = empty | tables->bit[c];
    if (!has_room(captures, more, k + 1))
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

void sgolte_captures(const SgolteTables *tables, const SgolteBoard *board, int c, SgolteCaptures *captures) {
    captures->tables = tables;
    captures->empty = sgolte_empty(tables, board);
    if (c != SGOLTE_NONE)
        captures->empty &= ~tables->bit[c];
    sgolte_fences(tables, &board->groups[board->turn.side], c, &captures->fences);
    captures->bound = sgolte_room_bound(&captures->fences, captures->empty);
}

/* Whether a stone of a group may be the next one captured, after those that `turn` counts. */
static bool may_take(const SgolteCaptures *captures, const SgolteTurn *turn, CellSet group, CellSet empty, int c) {
    const SgolteTables *tables = captures->tables;
    const int k = turn->captured;
    if (tables->line) {
        const int direction = turn->last == SGOLTE_NONE ? SGOLTE_NONE : sgolte_direction(tables, turn->last, c);
        const bool in_line =
            turn->last == SGOLTE_NONE ||
            (direction != SGOLTE_NONE && (turn->direction == SGOLTE_NONE || turn->direction == direction));
        return in_line && can_line(captures, group, empty, k, c, direction);
    }
    const CellSet more = empty | tables->bit[c];
    if (sgolte_is_cut(tables, group, c))
        return has_room(captures, more, k + 1);
    return can_go_on(captures, group & ~tables->bit[c], more, k + 1);
}

static bool can_take_any(const SgolteCaptures *captures, CellSet group) {
    static const SgolteTurn first = {.last = SGOLTE_NONE, .direction = SGOLTE_NONE};
    if (!captures->tables->line)
        return can_go_on(captures, group, captures->empty, 0);
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

bool sgolte_may_capture(const SgolteCaptures *captures, const SgolteBoard *board, int c) {
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
