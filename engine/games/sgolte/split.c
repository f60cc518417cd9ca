/* See split.h. */
#include "engine/games/sgolte/split.h"

enum { SPLIT_MAX = 3 }; /* the smallest set that splits a group has at most 3 stones */

void sgolte_captures(const SgolteTables *tables, const SgolteBoard *board, int c, SgolteCaptures *captures) {
    captures->tables = tables;
    captures->empty = sgolte_empty(tables, board);
    if (c != SGOLTE_NONE)
        captures->empty &= ~tables->bit[c];
    sgolte_fences(tables, &board->groups[board->turn.side], c, &captures->fences);
    captures->bound = sgolte_room_bound(&captures->fences, captures->empty);
    captures->way = captures->reached = 0;
}

bool sgolte_captures_room(const SgolteCaptures *captures, CellSet empty, int k) {
    return captures->bound >= k || sgolte_room(captures->tables, &captures->fences, empty, k);
}

/* Whether there is room for all stones after a set of further captures, and for `more` stones besides. */
static bool has_room_after(const SgolteCaptures *captures, const SgolteTarget *target, CellSet set, int more) {
    return sgolte_captures_room(captures, target->empty | set, target->k + set_count(set) + more);
}

/* ---- Sets that split ---- */

/* Whether a connected group can be split: if it has four stones, or three that are not a triangle. */
static bool can_be_split(const SgolteTables *tables, CellSet group) {
    const int count = set_count(group);
    if (count != 3)
        return count > 3;
    const int lowest = set_lowest(group), next = set_lowest(group & (group - 1));
    return (group & ~(tables->bit[lowest] | tables->adjacent[lowest])) != 0 ||
           (group & ~(tables->bit[next] | tables->adjacent[next])) != 0;
}

/* The cells that separate one part of a group from one part of the cells behind them. Empty if there are no such
 * cells. */
static CellSet border_of(const SgolteTables *tables, CellSet group, CellSet part) {
    const CellSet border = sgolte_near(tables, part) & group & ~part, beyond = group & ~(part | border);
    return beyond ? border & sgolte_near(tables, sgolte_flood(tables, beyond, beyond & -beyond)) : 0;
}

/* A small subset of `allowed` that splits a group, or the empty set if there is none. There is none if the other cells
 * are connected and each allowed cell is adjacent to them. */
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

/* Whether the way that was found last also works for this target. */
static bool way_remains(const SgolteCaptures *captures, const SgolteTarget *target) {
    const CellSet way = captures->way & target->group, rest = target->group & ~way;
    return captures->way && rest && (rest & ~sgolte_flood(captures->tables, rest, rest & -rest)) &&
           has_room_after(captures, target, way, 0);
}

/* ---- Reaches ---- */

/* Finds the reaches of a cell that touches no group but is adjacent to cells that can be filled. For each group next to
 * its part, this tries what happens if the cell touched that group. All other groups give the same answer, so one is
 * tried. */
static void find_reaches_of(SgolteCaptures *captures, const SgolteTarget *target, int c, CellSet usable) {
    const CellSet bit = captures->tables->bit[c], part = sgolte_flood(captures->tables, usable | bit, bit);
    SgolteFences fences = captures->fences;
    bool known = false, others = false;
    fences.once |= bit;
    for (int i = 0; i < fences.count; i++) {
        const bool local = (fences.near[i] & part) != 0;
        bool reached = others;
        if (local || !known) {
            fences.near[i] |= bit;
            reached = sgolte_room(captures->tables, &fences, target->empty | bit, target->k + 1);
            fences.near[i] &= ~bit;
        }
        if (!local) {
            known = true;
            others = reached;
        }
        if (reached)
            captures->reaches.of[i] |= bit;
    }
}

/* For a target where the captured stones have room, but not one stone more. */
static void find_reaches(SgolteCaptures *captures, const SgolteTarget *target) {
    const SgolteTables *tables = captures->tables;
    const SgolteFences *fences = &captures->fences;
    const CellSet usable = target->empty & ~fences->twice, unfenced = target->group & ~fences->once;
    CellSet fenced = target->group & fences->once & ~fences->twice, open = unfenced & sgolte_near(tables, usable);
    for (CellSet rest = fenced; rest; rest &= rest - 1)
        if (!has_room_after(captures, target, rest & -rest, 0))
            fenced &= ~(rest & -rest);
    for (int i = 0; i < fences->count; i++)
        captures->reaches.of[i] = (unfenced & ~open) | (fenced & fences->near[i]);
    for (int c; set_take(&open, &c);)
        find_reaches_of(captures, target, c, usable);
    captures->reached = target->group;
}

/* Whether the reaches of a group are known. From then on, no extra stone has room. */
static bool has_reaches(const SgolteCaptures *captures, CellSet group) {
    return !(group & ~captures->reached);
}

/* ---- Closed curves ---- */

/* The graph of split.h. A part of the outside is stored as the cells of the group that touch it. Part 0 is the edge of
 * the board with everything connected to it. A patch is stored as its cells and the parts that it touches, at least
 * two. Without cycles there are fewer patches than parts. */
typedef struct Graph {
    int parts, patches;
    CellSet touching[SGOLTE_CELLS + 1];
    struct {
        CellSet cells, touched;
    } patch[SGOLTE_CELLS];
} Graph;

static void find_outside(const SgolteTables *tables, CellSet group, Graph *graph) {
    graph->patches = 0;
    graph->parts = 1;
    graph->touching[0] = tables->edge;
    for (CellSet rest = tables->full & ~group; rest;) {
        const CellSet part = sgolte_flood(tables, rest, rest & -rest), near = sgolte_near(tables, part);
        if (part & tables->edge)
            graph->touching[0] |= near;
        else
            graph->touching[graph->parts++] = near;
        rest &= ~part;
    }
}

static void add_patch(Graph *graph, CellSet cells) {
    CellSet touched = 0;
    for (int i = 0; i < graph->parts; i++)
        if (graph->touching[i] & cells)
            touched |= (CellSet)1 << i;
    if (!(touched & (touched - 1)))
        return; /* no cycle goes through it */
    graph->patch[graph->patches].cells = cells;
    graph->patch[graph->patches++].touched = touched;
}

/* Marks the patches that can lie on a cycle. It removes patches that share fewer than two parts with other patches,
 * until there are no more of them. False if no patch is left: then there is no cycle. */
static bool find_cycle(const Graph *graph, bool in_cycle[]) {
    int count = graph->patches, before = count + 1;
    for (int i = 0; i < graph->patches; i++)
        in_cycle[i] = true;
    while (count > 0 && count < before) {
        CellSet once = 0, twice = 0;
        for (int i = 0; i < graph->patches; i++) {
            twice |= in_cycle[i] ? once & graph->patch[i].touched : 0;
            once |= in_cycle[i] ? graph->patch[i].touched : 0;
        }
        before = count;
        count = 0;
        for (int i = 0; i < graph->patches; i++) {
            const CellSet shared = graph->patch[i].touched & twice;
            in_cycle[i] = in_cycle[i] && (shared & (shared - 1));
            count += in_cycle[i];
        }
    }
    return count > 0;
}

/* Unites the patches of each cycle until one of them contains a set that splits the group, and returns that set.
 * Returns the empty set when no cycle is left. */
static CellSet unite_cycles(const SgolteTables *tables, CellSet group, Graph *graph) {
    bool in_cycle[SGOLTE_CELLS];
    while (find_cycle(graph, in_cycle)) {
        CellSet all = 0;
        int kept = 0;
        for (int i = 0; i < graph->patches; i++) {
            if (in_cycle[i])
                all |= graph->patch[i].cells;
            else
                graph->patch[kept++] = graph->patch[i];
        }
        const CellSet splitter = find_splitter(tables, group, all);
        if (splitter)
            return splitter;
        graph->patches = kept;
        add_patch(graph, all);
    }
    return 0;
}

/* A set that splits the group; it may have room or not. If it is empty, no set that splits the group has room, by the
 * theorem of split.h. */
static CellSet find_candidate(const SgolteCaptures *captures, CellSet group, const SgolteReaches *reaches) {
    const SgolteTables *tables = captures->tables;
    CellSet splitter = 0;
    Graph graph;
    find_outside(tables, group, &graph);
    for (int i = 0; i < captures->fences.count && !splitter; i++) {
        CellSet rest = reaches->of[i] & group;
        splitter = rest ? find_splitter(tables, group, rest) : 0;
        while (rest && !splitter) {
            const CellSet patch = sgolte_flood(tables, rest, rest & -rest);
            rest &= ~patch;
            add_patch(&graph, patch);
            splitter = unite_cycles(tables, group, &graph);
        }
    }
    return splitter;
}

/* ---- The search ---- */

/* `set` holds further captures that leave no room. Returns a smallest such subset: each of its proper subsets leaves
 * room. */
static CellSet find_crowd(const SgolteCaptures *captures, const SgolteTarget *target, CellSet set) {
    CellSet members = set;
    for (int c; set_take(&members, &c);)
        if (!has_room_after(captures, target, set & ~captures->tables->bit[c], 0))
            set &= ~captures->tables->bit[c];
    return set;
}

/* Whether a splitter answers the question for a way: there is none, or it has room. */
static bool answers(const SgolteCaptures *captures, const SgolteTarget *target, CellSet splitter) {
    return !splitter || has_room_after(captures, target, splitter, 0);
}

/* A subset of `allowed` that splits the group and leaves room, or the empty set if there is none. Sets that cannot
 * contain `taken` are left out. In a crowd at least one cell stays uncaptured: each cell in turn is tried as the first
 * such cell. */
static CellSet find_way(const SgolteCaptures *captures, const SgolteTarget *target, CellSet allowed, CellSet taken) {
    if (!has_room_after(captures, target, taken, 0))
        return 0;
    const CellSet splitter = find_splitter(captures->tables, target->group, allowed);
    if (answers(captures, target, splitter))
        return splitter;
    CellSet left_out = find_crowd(captures, target, splitter) & ~taken, way = 0;
    for (int c; !way && set_take(&left_out, &c); taken |= captures->tables->bit[c])
        way = find_way(captures, target, allowed & ~captures->tables->bit[c], taken);
    return way;
}

/* The number of reaches that a cell is in. Sets *reach to one of them. */
static int count_reaches(const SgolteCaptures *captures, const SgolteReaches *reaches, int c, int *reach) {
    int count = 0;
    for (int i = 0; i < captures->fences.count; i++)
        if (set_has(reaches->of[i], c)) {
            *reach = i;
            count++;
        }
    return count;
}

/* The cell of a set that is in the fewest reaches. */
static int choose_cell(const SgolteCaptures *captures, const SgolteReaches *reaches, CellSet set) {
    int best = -1, fewest = SGOLTE_GROUPS_MAX + 1, reach;
    for (int c; set_take(&set, &c);) {
        const int count = count_reaches(captures, reaches, c, &reach);
        if (count < fewest) {
            fewest = count;
            best = c;
        }
    }
    return best;
}

static void leave_out(const SgolteCaptures *captures, SgolteReaches *reaches, CellSet cells, int but) {
    for (int i = 0; i < captures->fences.count; i++)
        if (i != but)
            reaches->of[i] &= ~cells;
}

/* Leaves in the reaches what may be captured together with c. If c is in one reach alone, so is its whole connected
 * part of the way: the cells adjacent to it are in no other one. */
static void capture(const SgolteCaptures *captures, SgolteReaches *reaches, int c) {
    int reach;
    if (count_reaches(captures, reaches, c, &reach) == 1)
        leave_out(captures, reaches, captures->tables->adjacent[c], reach);
}

static CellSet find_tight_way(const SgolteCaptures *captures, const SgolteTarget *target, SgolteReaches reaches,
                              CellSet taken);

/* find_tight_way where at least one cell of `crowd` stays uncaptured. Each in turn is tried as the first such cell.
 * Before each turn of the loop, no way leaves out a cell that has moved from `crowd` to `taken`: so all ways that are
 * left contain `taken`, leave out a cell of `crowd`, and lie within the reaches. */
static CellSet find_way_without(const SgolteCaptures *captures, const SgolteTarget *target, SgolteReaches *reaches,
                                CellSet taken, CellSet crowd) {
    CellSet way = 0;
    while (crowd && !way) {
        const int c = choose_cell(captures, reaches, crowd);
        const CellSet bit = captures->tables->bit[c];
        SgolteReaches without = *reaches;
        leave_out(captures, &without, bit, -1);
        way = find_tight_way(captures, target, without, taken);
        crowd &= ~bit;
        taken |= bit;
        capture(captures, reaches, c);
    }
    return way;
}

/* find_way within reaches. They shrink during the search, because a cell adjacent to a captured one touches the same
 * group. */
static CellSet find_tight_way(const SgolteCaptures *captures, const SgolteTarget *target, SgolteReaches reaches,
                              CellSet taken) {
    CellSet allowed = 0;
    for (int i = 0; i < captures->fences.count; i++)
        allowed |= reaches.of[i] & target->group;
    if ((taken & ~allowed) || !has_room_after(captures, target, taken, 0))
        return 0;
    const CellSet splitter = find_splitter(captures->tables, target->group, allowed);
    if (answers(captures, target, splitter))
        return splitter;
    const CellSet candidate = find_candidate(captures, target->group, &reaches);
    if (answers(captures, target, candidate))
        return candidate;
    const CellSet crowd = find_crowd(captures, target, candidate) & ~taken;
    return find_way_without(captures, target, &reaches, taken, crowd);
}

/* Any way to split the target, for targets where three more stones do not have room. Empty if there is none. */
static CellSet find_any_way(const SgolteCaptures *captures, const SgolteTarget *target) {
    if (has_reaches(captures, target->group))
        return find_tight_way(captures, target, captures->reaches, 0);
    CellSet allowed = 0;
    for (CellSet rest = target->group; rest; rest &= rest - 1)
        if (has_room_after(captures, target, rest & -rest, 0))
            allowed |= rest & -rest;
    const CellSet cuts = allowed & sgolte_cuts(captures->tables, target->group);
    return cuts ? cuts & -cuts : find_way(captures, target, allowed, 0);
}

bool sgolte_can_split(SgolteCaptures *captures, const SgolteTarget *target, int c) {
    const SgolteTables *tables = captures->tables;
    SgolteTarget rest = *target;
    if (c != SGOLTE_NONE) {
        rest.group &= ~tables->bit[c];
        rest.empty |= tables->bit[c];
        rest.k++;
    }
    if (!can_be_split(tables, rest.group))
        return false;
    if (has_room_after(captures, &rest, 0, SPLIT_MAX))
        return true;
    if (!has_room_after(captures, &rest, 0, 0))
        return false;
    if (way_remains(captures, &rest))
        return true;
    if (!has_reaches(captures, rest.group) && !has_room_after(captures, &rest, 0, 1))
        find_reaches(captures, has_room_after(captures, target, 0, 1) ? &rest : target);
    const CellSet way = find_any_way(captures, &rest);
    if (way)
        captures->way = way;
    return way != 0;
}
