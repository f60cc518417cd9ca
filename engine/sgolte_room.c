/* See sgolte_room.h. */
#include "sgolte_room.h"

void sgolte_fences(const SgolteTables *tables, const SgolteGroups *groups, int c, SgolteFences *fences) {
    CellSet once = 0, twice = 0, stone = 0, joined = 0;
    int count = 0;
    if (c != SGOLTE_NONE) {
        stone = tables->bit[c];
        joined = tables->adjacent[c];
    }
    for (int i = 0; i < groups->count; i++) {
        const CellSet near = groups->near[i];
        if (near & stone) {
            joined |= near;
            continue;
        }
        fences->near[count++] = near;
        twice |= once & near;
        once |= near;
    }
    if (c != SGOLTE_NONE)
        fences->near[count++] = joined;
    fences->twice = twice | (once & joined);
    fences->once = once | joined;
    fences->count = count;
}

int sgolte_room_bound(const SgolteFences *fences, CellSet empty) {
    const CellSet usable = empty & ~fences->twice;
    int most = 0;
    for (int i = 0; i < fences->count; i++) {
        const int count = set_count(usable & fences->near[i]);
        most = count > most ? count : most;
    }
    return set_count(usable & ~fences->once) + most;
}

typedef struct Search {
    const SgolteTables *tables;
    const SgolteFences *fences;
    CellSet contested;            /* usable cells that may be on a path between two groups */
    CellSet rivals[SGOLTE_CELLS]; /* of a contested cell next to a group: adjacent ones next to another group */
} Search;

/* The other usable cells may all be filled: each is next to a group, and adjacent ones are next to the same. */
static void find_contested(Search *search, CellSet usable) {
    const SgolteFences *fences = search->fences;
    const CellSet claimed = usable & fences->once, unclaimed = usable & ~fences->once;
    search->contested = unclaimed | (sgolte_near(search->tables, unclaimed) & claimed);
    for (int i = 0; i < fences->count; i++) {
        CellSet own = claimed & fences->near[i];
        const CellSet others = claimed & ~own;
        for (int c; set_take(&own, &c);) {
            search->rivals[c] = search->tables->adjacent[c] & others;
            if (search->rivals[c])
                search->contested |= search->tables->bit[c];
        }
    }
}

/* The cells of a shortest path through `cells` from group number i to another one, as a set; empty without one. */
static CellSet find_path(const Search *search, CellSet cells, int i) {
    CellSet layer[SGOLTE_CELLS + 1];
    const CellSet others = cells & search->fences->once & ~search->fences->near[i];
    int depth = 0;
    layer[0] = cells & search->fences->near[i];
    for (CellSet unseen = cells & ~layer[0]; !(layer[depth] & others); depth++) {
        layer[depth + 1] = sgolte_near(search->tables, layer[depth]) & unseen;
        if (!layer[depth + 1])
            return 0;
        unseen &= ~layer[depth + 1];
    }
    CellSet at = layer[depth] & others, path = at & -at;
    for (at = path; depth-- > 0;) {
        at = layer[depth] & search->tables->adjacent[set_lowest(at)];
        at &= -at;
        path |= at;
    }
    return path;
}

/* A shortest path between any two groups. */
static CellSet find_shortest_path(const Search *search, CellSet cells) {
    CellSet best = 0;
    for (int i = 0; i < search->fences->count; i++) {
        const CellSet path = find_path(search, cells, i);
        if (path && (!best || set_count(path) < set_count(best)))
            best = path;
        if (best && set_count(best) == 2)
            break; /* none is shorter: cells next to two groups are left out */
    }
    return best;
}

/* Whether `spare` cells are enough to block all paths, when adjacent rivals have been dealt with. The `kept` ones are
 * not empty: who tries the cells of a path in turn need not try the earlier ones again. */
static bool block_paths(const Search *search, CellSet cells, CellSet kept, int spare) {
    const CellSet first = cells & ~search->fences->once ? find_shortest_path(search, cells) : 0;
    CellSet rest = cells, path = first;
    for (int paths = 0; path; path = find_shortest_path(search, rest &= ~path))
        if (++paths > spare)
            return false;
    CellSet blocks = first & ~kept;
    for (int c; set_take(&blocks, &c); kept |= search->tables->bit[c])
        if (block_paths(search, cells & ~search->tables->bit[c], kept, spare - 1))
            return true;
    return !first;
}

/* A lower bound on the cells that leave no two rivals adjacent: pairs of rivals without a common cell. */
static int count_pairs(const Search *search, CellSet cells) {
    CellSet rest = cells & search->fences->once;
    int pairs = 0;
    for (int c; set_take(&rest, &c);) {
        const CellSet rivals = search->rivals[c] & rest;
        pairs += rivals != 0;
        rest &= ~(rivals & -rivals);
    }
    return pairs;
}

/* Whether `spare` cells are enough to leave no two rivals adjacent and to block all longer paths. Of the cell with the
 * most rivals and those, one or the other are empty. */
static bool separate(const Search *search, CellSet cells, int spare) {
    CellSet rest = cells & search->fences->once;
    int busiest = -1, most = 0;
    for (int c; set_take(&rest, &c);) {
        const int count = set_count(search->rivals[c] & cells);
        if (count > most) {
            most = count;
            busiest = c;
        }
    }
    if (!most)
        return block_paths(search, cells, 0, spare);
    if (count_pairs(search, cells) > spare)
        return false;
    return separate(search, cells & ~search->tables->bit[busiest], spare - 1) ||
           (most <= spare && separate(search, cells & ~search->rivals[busiest], spare - most));
}

/* So many cells are enough: all next to a group are left empty but those next to the one with the most. */
static int enough_blocks(const SgolteFences *fences, CellSet part) {
    int most = 0;
    for (int i = 0; i < fences->count; i++) {
        const int count = set_count(part & fences->near[i]);
        most = count > most ? count : most;
    }
    return set_count(part & fences->once) - most;
}

/* Whether `spare` cells are enough in all parts of the contested cells together. */
static bool separate_parts(const Search *search, int spare) {
    CellSet parts[SGOLTE_CELLS];
    int count = 0, enough[SGOLTE_CELLS], rest = 0;
    for (CellSet cells = search->contested; cells; cells &= ~parts[count++]) {
        parts[count] = sgolte_flood(search->tables, cells, cells & -cells);
        enough[count] = enough_blocks(search->fences, parts[count]);
        rest += enough[count];
    }
    for (int i = 0; i < count && rest > spare; i++) {
        int needed = 0;
        while (needed < enough[i] && needed <= spare && !separate(search, parts[i], needed))
            needed++;
        spare -= needed;
        rest -= enough[i];
    }
    return rest <= spare;
}

bool sgolte_room(const SgolteTables *tables, const SgolteFences *fences, CellSet empty, int k) {
    const CellSet usable = empty & ~fences->twice;
    const int count = set_count(usable);
    if (count < k)
        return false;
    if (k == 0 || set_count(usable & ~fences->once) >= k)
        return true;
    Search search;
    search.tables = tables;
    search.fences = fences;
    find_contested(&search, usable);
    return set_count(usable & ~search.contested) >= k || separate_parts(&search, count - k);
}
