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

/* Finds the usable cells that need a closer look. All the others may be filled: each is next to a group, and adjacent
 * ones are next to the same group. */
static CellSet find_contested(const SgolteTables *tables, const SgolteFences *fences, CellSet usable) {
    const CellSet fenced = usable & fences->once, unfenced = usable & ~fences->once;
    CellSet contested = unfenced | (sgolte_near(tables, unfenced) & fenced);
    for (int i = 0; i < fences->count; i++) {
        const CellSet own = fenced & fences->near[i];
        if (own)
            contested |= sgolte_near(tables, own) & fenced & ~own;
    }
    return contested;
}

/* A number of empty cells that is enough for a part: all cells next to a group, except those of the group that is next
 * to the most cells of the part. */
static int enough_blocks(const SgolteFences *fences, CellSet part) {
    int most = 0;
    for (int i = 0; i < fences->count; i++) {
        const int count = set_count(part & fences->near[i]);
        most = count > most ? count : most;
    }
    return set_count(part & fences->once) - most;
}

/* Whether `spare` empty cells are enough for all parts of the contested cells together. Each part that is next to two
 * groups or more needs at least one. `excess` is how many more the parts that are still unknown need at most. */
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
