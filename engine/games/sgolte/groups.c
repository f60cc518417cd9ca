/* See groups.h. */
#include "engine/games/sgolte/groups.h"

void sgolte_board_init(SgolteTables *tables, const Hexhex *board, bool line) {
    static const uint8_t cyclic[HEXHEX_DIRECTIONS] = {0, 2, 4, 1, 3, 5}; /* each neighbour is adjacent to the next */
    tables->cells = board->cells;
    tables->words = board->words;
    tables->line = line;
    for (int c = 0; c < board->cells; c++) {
        tables->bit[c] = (CellSet)1 << c;
        tables->full |= tables->bit[c];
    }
    for (int c = 0; c < board->cells; c++)
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            const int next = board->neighbour[c][d], around = board->neighbour[c][cyclic[d]];
            tables->neighbour[c][d] = (int16_t)next;
            tables->around[c][d] = (uint8_t)(around < 0 ? SGOLTE_NONE : around);
            if (next >= 0)
                tables->adjacent[c] |= tables->bit[next];
            else
                tables->edge |= tables->bit[c];
        }
    for (int i = 0; i < SGOLTE_ORDERS; i++) /* by i rotations of 60 degrees */
        for (int c = 0; c < board->cells; c++)
            tables->order[i][board->symmetry[i][c]] = (uint8_t)c;
}

CellSet sgolte_near(const SgolteTables *tables, CellSet set) {
    CellSet near = 0;
    for (int c; set_take(&set, &c);)
        near |= tables->adjacent[c];
    return near;
}

CellSet sgolte_flood(const SgolteTables *tables, CellSet inside, CellSet seed) {
    CellSet todo = seed;
    inside &= ~seed;
    for (int c; set_take(&todo, &c);) {
        const CellSet found = tables->adjacent[c] & inside;
        inside &= ~found;
        todo |= found;
        seed |= found;
    }
    return seed;
}

/* If c's neighbours in the set form one arc around c, they stay connected without c. Otherwise a flood decides. */
bool sgolte_is_cut(const SgolteTables *tables, CellSet set, int c) {
    unsigned inside = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        const int next = tables->around[c][d];
        inside |= (unsigned)(next != SGOLTE_NONE && set_has(set, next)) << d;
    }
    const unsigned previous = (inside << 1 | inside >> 5) & 0x3f;
    const unsigned arcs = inside & ~previous; /* a bit at the start of each arc */
    if ((arcs & (arcs - 1)) == 0)
        return false;
    const CellSet rest = set & ~tables->bit[c], ends = tables->adjacent[c] & rest;
    return (ends & ~sgolte_flood(tables, rest, ends & -ends)) != 0;
}

int sgolte_direction(const SgolteTables *tables, int from, int to) {
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++)
        if (tables->neighbour[from][d] == to)
            return d;
    return SGOLTE_NONE;
}

/* ---- Cut vertices ---- */

typedef struct Pass {
    const SgolteTables *tables;
    CellSet set, unseen, cuts;
    int clock;
    uint8_t order[SGOLTE_CELLS];
} Pass;

/* Visits c from its parent (-1 for the root). Returns the earliest visited cell that is adjacent to c's subtree. */
static int visit(Pass *pass, int c, int parent) {
    const int own = ++pass->clock;
    int lowest = own, children = 0;
    bool cut = false;
    pass->order[c] = (uint8_t)own;
    pass->unseen &= ~pass->tables->bit[c];
    CellSet rest = pass->tables->adjacent[c] & pass->set;
    for (int next; set_take(&rest, &next);) {
        int low;
        if (set_has(pass->unseen, next)) {
            low = visit(pass, next, c);
            children++;
            cut = cut || low >= own;
        } else {
            low = pass->order[next];
        }
        lowest = low < lowest ? low : lowest;
    }
    if (parent < 0 ? children > 1 : cut)
        pass->cuts |= pass->tables->bit[c];
    return lowest;
}

CellSet sgolte_cuts(const SgolteTables *tables, CellSet set) {
    Pass pass = {.tables = tables, .set = set, .unseen = set};
    if (set)
        visit(&pass, set_lowest(set), -1);
    return pass.cuts;
}

/* ---- Positions ---- */

static void add_group(SgolteGroups *groups, CellSet stones, CellSet near) {
    groups->stones[groups->count] = stones;
    groups->near[groups->count++] = near;
}

static void find_groups(const SgolteTables *tables, CellSet stones, SgolteGroups *groups) {
    groups->count = 0;
    while (stones) {
        const CellSet group = sgolte_flood(tables, stones, stones & -stones);
        add_group(groups, group, sgolte_near(tables, group));
        stones &= ~group;
    }
}

static int find_group(const SgolteGroups *groups, CellSet member) {
    int number = 0;
    while (!(groups->stones[number] & member))
        number++;
    return number;
}

void sgolte_load(const SgolteTables *tables, const SgolteState *state, SgolteBoard *board) {
    board->turn = state->turn;
    board->target = set_load(state->target);
    for (int side = BLACK; side <= WHITE; side++) {
        board->stones[side] = set_load(state->stones[side]);
        find_groups(tables, board->stones[side], &board->groups[side]);
    }
    if (board->target)
        board->target_number = find_group(&board->groups[1 - board->turn.side], board->target);
}

/* Adds a stone to the groups that it touches. Returns the number of groups that it touched. */
static int join(const SgolteTables *tables, SgolteGroups *groups, int c) {
    const CellSet bit = tables->bit[c];
    CellSet stones = bit, near = tables->adjacent[c];
    int kept = 0;
    for (int i = 0; i < groups->count; i++) {
        if (groups->near[i] & bit) {
            stones |= groups->stones[i];
            near |= groups->near[i];
        } else {
            groups->stones[kept] = groups->stones[i];
            groups->near[kept++] = groups->near[i];
        }
    }
    const int joined = groups->count - kept;
    groups->count = kept;
    add_group(groups, stones, near);
    return joined;
}

static void end_turn(SgolteBoard *board) {
    SgolteTurn *turn = &board->turn;
    turn->side = (uint8_t)side_opponent(turn->side);
    turn->stage = SGOLTE_PLACE;
}

/* The two players exchange their stones. Then the first player, who now has White's stones, is to move. */
void sgolte_swap_sides(SgolteBoard *board) {
    const CellSet black = board->stones[BLACK];
    const SgolteGroups groups = board->groups[BLACK];
    board->stones[BLACK] = board->stones[WHITE];
    board->stones[WHITE] = black;
    board->groups[BLACK] = board->groups[WHITE];
    board->groups[WHITE] = groups;
    board->turn.pie = false;
    board->turn.swapped = true;
    board->turn.side = BLACK;
}

void sgolte_place(const SgolteTables *tables, SgolteBoard *board, int c) {
    SgolteTurn *turn = &board->turn;
    board->stones[turn->side] |= tables->bit[c];
    turn->pie = turn->pie && turn->side == BLACK;
    if (join(tables, &board->groups[turn->side], c) >= 2)
        turn->stage = SGOLTE_CAPTURE;
    else
        end_turn(board);
}

/* Makes each part of the target a group of its own. */
static void split_target(const SgolteTables *tables, SgolteBoard *board, SgolteGroups *groups) {
    const int last = --groups->count;
    groups->stones[board->target_number] = groups->stones[last];
    groups->near[board->target_number] = groups->near[last];
    for (CellSet rest = board->target; rest;) {
        const CellSet part = sgolte_flood(tables, rest, rest & -rest);
        add_group(groups, part, sgolte_near(tables, part));
        rest &= ~part;
    }
}

void sgolte_capture(const SgolteTables *tables, SgolteBoard *board, int c) {
    SgolteTurn *turn = &board->turn;
    const Side enemy = side_opponent(turn->side);
    SgolteGroups *groups = &board->groups[enemy];
    if (turn->captured++ == 0) {
        board->target_number = find_group(groups, tables->bit[c]);
        board->target = groups->stones[board->target_number];
    }
    if (tables->line) {
        if (turn->last != SGOLTE_NONE)
            turn->direction = (uint8_t)sgolte_direction(tables, turn->last, c);
        turn->last = (uint8_t)c;
    }
    const bool splits = sgolte_is_cut(tables, board->target, c);
    board->stones[enemy] &= ~tables->bit[c];
    board->target &= ~tables->bit[c];
    groups->stones[board->target_number] = board->target;
    if (!splits)
        return;
    split_target(tables, board, groups);
    turn->stage = SGOLTE_REPLACE;
    turn->last = turn->direction = SGOLTE_NONE;
    board->target = 0;
}

void sgolte_replace(const SgolteTables *tables, SgolteBoard *board, int c) {
    SgolteTurn *turn = &board->turn;
    board->stones[turn->side] |= tables->bit[c];
    join(tables, &board->groups[turn->side], c);
    if (--turn->captured == 0)
        end_turn(board);
}
