/* See room.h. */
#include "engine/games/sgolte/room.h"

#include "engine/games/sgolte/cut.h"

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

/* The other usable cells may all be filled: each is next to a group, and adjacent ones are next to the same. */
static CellSet find_contested(const SgolteTables *tables, const SgolteFences *fences, CellSet usable) {
    const CellSet claimed = usable & fences->once, unclaimed = usable & ~fences->once;
    CellSet contested = unclaimed | (sgolte_near(tables, unclaimed) & claimed);
    for (int i = 0; i < fences->count; i++) {
        const CellSet own = claimed & fences->near[i];
        if (own)
            contested |= sgolte_near(tables, own) & claimed & ~own;
    }
    return contested;
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

/* Whether `spare` cells are enough in all parts of the contested cells together. A part next to two groups or more
 * needs one at least; `excess` is what may come to that. */
static bool separate_parts(const SgolteTables *tables, const SgolteFences *fences, CellSet contested, int spare) {
    CellSet parts[SGOLTE_CELLS];
    int count = 0, enough[SGOLTE_CELLS], excess = 0;
    while (contested) {
        const CellSet part = sgolte_flood(tables, contested, contested & -contested);
        contested &= ~part;
        enough[count] = enough_blocks(fences, part);
        if (enough[count] > 0) {
            spare--;
            excess += enough[count] - 1;
            parts[count++] = part;
        }
    }
    for (int i = 0; i < count && spare >= 0 && excess > spare; i++) {
        const int most = enough[i] - 1 < spare + 1 ? enough[i] - 1 : spare + 1;
        if (most > 0)
            spare -= sgolte_cut(tables, fences->near, fences->count, parts[i], most) - 1;
        excess -= enough[i] - 1;
    }
    return excess <= spare;
}

bool sgolte_room(const SgolteTables *tables, const SgolteFences *fences, CellSet empty, int k) {
    const CellSet usable = empty & ~fences->twice;
    const int count = set_count(usable);
    if (count < k)
        return false;
    if (k == 0 || set_count(usable & ~fences->once) >= k)
        return true;
    const CellSet contested = find_contested(tables, fences, usable);
    return set_count(usable & ~contested) >= k || separate_parts(tables, fences, contested, count - k);
}
