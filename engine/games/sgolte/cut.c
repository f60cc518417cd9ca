/* See cut.h. */
#include "engine/games/sgolte/cut.h"

#include <stdlib.h>

/* The frontier: one byte, its colour, for each filled cell that is adjacent to a cell still to come. The colour says
 * which group or part the cell belongs with. The two bytes above these slots are for the table of failures. */
__extension__ typedef unsigned __int128 Frontier;

enum {
    SLOTS = 14,   /* a row of hexhex-7 and one cell */
    LOOSE = 0x80, /* colours: 0 is a cell left empty, i + 1 is next to group i, LOOSE + n is part n next to no group */
    NEW = LOOSE + SLOTS + 1,
    SPARE_AT = 8 * SLOTS,
    STEP_AT = SPARE_AT + 8,
    BUCKET = 4,     /* places for one frontier in the table of failures */
    SMALL = 1024,   /* places in the table at first */
    LARGE = 1 << 22 /* and at most */
};

/* The choice for one cell. */
typedef struct Step {
    uint8_t slot, own;                        /* own: the colour of the group that the cell is next to, or 0 */
    uint8_t count, before[HEXHEX_DIRECTIONS]; /* the slots of the adjacent cells that were chosen before */
    Frontier later;                           /* the slots that still matter afterwards */
} Step;

typedef struct Search {
    int count;
    Step steps[SGOLTE_CELLS];
    int needed[SGOLTE_CELLS + 1]; /* number of empty cells that the cells from each step on need by themselves */
    uint32_t size, stored;        /* places in the table of failures, and failures stored since it was enlarged */
    Frontier *failures, small[SMALL];
} Search;

/* ---- Frontiers ---- */

static int colour_at(Frontier frontier, int slot) {
    return (int)(frontier >> 8 * slot) & 0xff;
}

static Frontier coloured(int colour, int slot) {
    return (Frontier)(unsigned)colour << 8 * slot;
}

/* Numbers the parts that are next to no group in the order of their slots. Frontiers that mean the same become
 * equal. */
static Frontier renumber(Frontier frontier) {
    const Frontier loose = ((Frontier)0x8080808080808080 << 64) | 0x8080808080808080;
    int name[SLOTS + 2] = {0}, count = 0;
    for (Frontier rest = frontier & loose; rest; rest &= rest - 1) {
        const int slot = set_lowest(rest) / 8, colour = colour_at(frontier, slot);
        int *new = &name[colour - LOOSE];
        if (!*new)
            *new = LOOSE + ++count;
        frontier ^= coloured(colour ^ *new, slot);
    }
    return frontier;
}

static Frontier recolour(Frontier frontier, int from, int to) {
    for (int slot = 0; slot < SLOTS; slot++)
        if (colour_at(frontier, slot) == from)
            frontier ^= coloured(from ^ to, slot);
    return frontier;
}

/* Fills the cell. False if that would join two groups. */
static bool fill(const Step *step, Frontier *frontier) {
    int colour = step->own;
    for (int i = 0; i < step->count; i++) {
        const int other = colour_at(*frontier, step->before[i]);
        if (!other || other >= LOOSE)
            continue;
        if (colour && colour != other)
            return false;
        colour = other;
    }
    if (!colour)
        colour = NEW;
    for (int i = 0; i < step->count; i++) {
        const int other = colour_at(*frontier, step->before[i]);
        if (other >= LOOSE && other != colour)
            *frontier = recolour(*frontier, other, colour);
    }
    *frontier = renumber((*frontier | coloured(colour, step->slot)) & step->later);
    return true;
}

/* ---- Failures ---- */

/* The place that holds the key, or else a place where it may be stored (which may hold another key). */
static Frontier *find_place(Search *search, Frontier key) {
    const uint64_t mixed = ((uint64_t)key * 0x9e3779b97f4a7c15 ^ (uint64_t)(key >> 64)) * 0xc2b2ae3d27d4eb4f;
    Frontier *bucket = &search->failures[(mixed >> 32) & (search->size - BUCKET)];
    for (int i = 0; i < BUCKET; i++)
        if (!bucket[i] || (bucket[i] & ~coloured(0xff, SLOTS)) == key)
            return &bucket[i];
    return &bucket[(mixed >> 30) % BUCKET];
}

static void enlarge(Search *search) {
    const uint32_t old_size = search->size;
    Frontier *old = search->failures, *failures = old_size < LARGE ? calloc(8 * old_size, sizeof *old) : NULL;
    search->stored = 0;
    if (!failures)
        return;
    search->failures = failures;
    search->size = 8 * old_size;
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i])
            *find_place(search, old[i] & ~coloured(0xff, SLOTS)) = old[i];
    if (old != search->small)
        free(old);
}

/* ---- The search ---- */

static bool is_enough(Search *search, int at, Frontier frontier, int spare);

/* Whether `spare` empty cells are enough for the cells from this step on. `spare` must be at least `needed`. */
static bool try_both(Search *search, int at, Frontier frontier, int spare) {
    const Step *step = &search->steps[at];
    Frontier filled = frontier;
    if (fill(step, &filled) && is_enough(search, at + 1, filled, spare))
        return true;
    return spare > 0 && is_enough(search, at + 1, renumber(frontier & step->later), spare - 1);
}

static bool is_enough(Search *search, int at, Frontier frontier, int spare) {
    if (spare < search->needed[at] || !frontier)
        return spare >= search->needed[at];
    const Frontier key = frontier | (Frontier)(unsigned)at << STEP_AT, failure = *find_place(search, key);
    if ((failure & ~coloured(0xff, SLOTS)) == key && colour_at(failure, SLOTS) >= spare)
        return false;
    if (try_both(search, at, frontier, spare))
        return true;
    if (++search->stored > search->size / 2)
        enlarge(search);
    *find_place(search, key) = key | (Frontier)(unsigned)spare << SPARE_AT;
    return false;
}

/* ---- The steps ---- */

/* The cells of the frontier while the steps are made, and their slots. */
typedef struct Slots {
    CellSet cells;
    unsigned open; /* the slots that are free, as bits */
    uint8_t of[SGOLTE_CELLS];
} Slots;

static uint8_t enter(Slots *slots, const SgolteTables *tables, int c) {
    slots->cells |= tables->bit[c];
    slots->of[c] = (uint8_t)__builtin_ctz(slots->open);
    slots->open &= slots->open - 1;
    return slots->of[c];
}

/* Returns the slot that is free now. */
static uint8_t leave(Slots *slots, const SgolteTables *tables, int c) {
    slots->cells &= ~tables->bit[c];
    slots->open |= 1u << slots->of[c];
    return slots->of[c];
}

/* Makes the steps for one order of the cells. Returns an estimate of the effort: a good order has small frontiers (a
 * small vertex separation), for they separate the cells chosen so far from those still to come. */
static uint64_t plan(Search *search, const SgolteTables *tables, const uint8_t own[], const uint8_t order[],
                     CellSet cells) {
    Slots slots = {.open = (1u << SLOTS) - 1};
    uint64_t effort = 0;
    search->count = 0;
    for (int i = 0; i < tables->cells; i++) {
        const int c = order[i];
        if (!set_has(cells, c))
            continue;
        CellSet before = tables->adjacent[c] & slots.cells, may_leave = before | tables->bit[c];
        Step *step = &search->steps[search->count++];
        *step = (Step){.slot = enter(&slots, tables, c), .own = own[c], .later = ~(Frontier)0};
        cells &= ~tables->bit[c];
        for (int d; set_take(&before, &d);)
            step->before[step->count++] = slots.of[d];
        for (int d; set_take(&may_leave, &d);)
            if (!(tables->adjacent[d] & cells))
                step->later &= ~coloured(0xff, leave(&slots, tables, d));
        effort += 1u << set_count(slots.cells);
    }
    return effort;
}

static void plan_best(Search *search, const SgolteTables *tables, const uint8_t own[], CellSet cells) {
    int best = 0;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < SGOLTE_ORDERS; i++) {
        const uint64_t effort = plan(search, tables, own, tables->order[i], cells);
        if (effort < least) {
            least = effort;
            best = i;
        }
    }
    plan(search, tables, own, tables->order[best], cells);
}

int sgolte_cut(const SgolteTables *tables, const CellSet near[], int count, CellSet cells, int most) {
    uint8_t own[SGOLTE_CELLS] = {0};
    for (int i = 0; i < count; i++) {
        CellSet rest = cells & near[i];
        for (int c; set_take(&rest, &c);)
            own[c] = (uint8_t)(i + 1);
    }
    Search search;
    plan_best(&search, tables, own, cells);
    memset(search.small, 0, sizeof search.small);
    search.failures = search.small;
    search.size = SMALL;
    search.stored = 0;
    search.needed[search.count] = 0;
    int at = search.count;
    while (at > 0 && search.needed[at] <= most) {
        at--;
        search.needed[at] = search.needed[at + 1];
        search.needed[at] += !try_both(&search, at, 0, search.needed[at]);
    }
    if (search.failures != search.small)
        free(search.failures);
    return search.needed[at];
}
