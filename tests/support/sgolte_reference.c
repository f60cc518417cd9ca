/* The rules of Sgolte, slow and obvious; see sgolte_reference.h. */
#include "tests/support/sgolte_reference.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = SGOLTE_REFERENCE_CELLS, SIZES = 8 };
static const int step[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};

/* The board: neighbours[size][cell][direction], -1 off the board. */

static int number_of(int size, int q, int r) {
    int number = 0;
    if (!reference_on_board(size, q, r)) {
        return -1;
    }
    for (int y = -(size - 1); y <= size - 1; y++) {
        for (int x = -(size - 1); x <= size - 1; x++) {
            if (x == q && y == r) {
                return number;
            }
            number += reference_on_board(size, x, y);
        }
    }
    return -1;
}

static const int (*neighbours(int size))[6] {
    static int table[SIZES][CELLS][6];
    static bool known[SIZES];
    for (int r = -(size - 1); r <= size - 1 && !known[size]; r++) {
        for (int q = -(size - 1); q <= size - 1; q++) {
            for (int d = 0; d < 6 && reference_on_board(size, q, r); d++) {
                table[size][number_of(size, q, r)][d] = number_of(size, q + step[d][0], r + step[d][1]);
            }
        }
    }
    known[size] = true;
    return (const int(*)[6])table[size];
}

int sgolte_reference_cell(int size, const char *name) {
    int q, r;
    return reference_find(size, name, &q, &r) ? number_of(size, q, r) : -1;
}

/* Groups. */

static char opponent(char colour) {
    return colour == 'B' ? 'W' : 'B';
}

/* Marks the cells that are connected to `from` within the cells where `inside` is set. Returns their number. */
static int flood(int size, const bool inside[CELLS], int from, bool found[CELLS]) {
    const int(*next)[6] = neighbours(size);
    int todo[CELLS], count = 0;
    memset(found, 0, CELLS * sizeof *found);
    found[from] = true;
    todo[count++] = from;
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 6; d++) {
            const int cell = next[todo[i]][d];
            if (cell >= 0 && inside[cell] && !found[cell]) {
                found[cell] = true;
                todo[count++] = cell;
            }
        }
    }
    return count;
}

/* Marks the group of `from` if it is not marked yet. Returns the number of cells that were added. */
static int mark_group(const SgolteReference *position, int from, bool group[CELLS]) {
    const int(*next)[6] = neighbours(position->size);
    const char colour = position->stone[from];
    int todo[CELLS], count = 0;
    group[from] = true;
    todo[count++] = from;
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 6; d++) {
            const int cell = next[todo[i]][d];
            if (cell >= 0 && position->stone[cell] == colour && !group[cell]) {
                group[cell] = true;
                todo[count++] = cell;
            }
        }
    }
    return count;
}

int sgolte_reference_group(const SgolteReference *position, int cell, bool group[CELLS]) {
    memset(group, 0, CELLS * sizeof *group);
    return mark_group(position, cell, group);
}

int sgolte_reference_touched(const SgolteReference *position, char colour, int cell) {
    const int(*next)[6] = neighbours(position->size);
    bool counted[CELLS] = {false};
    int count = 0;
    for (int d = 0; d < 6; d++) {
        const int other = next[cell][d];
        if (other >= 0 && position->stone[other] == colour && !counted[other]) {
            mark_group(position, other, counted);
            count++;
        }
    }
    return count;
}

/* Whether the marked cells are connected. The empty set is. */
static bool connected(int size, const bool set[CELLS]) {
    bool found[CELLS];
    int first = -1, count = 0;
    for (int i = 0; i < 3 * size * (size - 1) + 1; i++) {
        if (set[i] && first < 0) {
            first = i;
        }
        count += set[i];
    }
    return count == 0 || flood(size, set, first, found) == count;
}

/* Steps. */

void sgolte_reference_start(SgolteReference *position, int size, bool line, bool pie) {
    memset(position, 0, sizeof *position);
    position->size = size;
    position->cells = 3 * size * (size - 1) + 1;
    position->line = line;
    position->pie = pie;
    memset(position->stone, '.', sizeof position->stone);
    position->side = 'B';
    position->stage = 'p';
    position->target = position->last = position->direction = -1;
}

static int count_stones(const SgolteReference *position) {
    int count = 0;
    for (int i = 0; i < position->cells; i++) {
        count += position->stone[i] != '.';
    }
    return count;
}

/* Whether the rules allow capturing the stone on a cell next. Looks at this stone alone. */
static bool may_capture(const SgolteReference *position, int cell) {
    bool rest[CELLS];
    if (position->stone[cell] != opponent(position->side)) {
        return false;
    }
    if (position->captured > 0 && position->target < 0) {
        return false; /* nothing is left of the group */
    }
    if (position->target >= 0) {
        sgolte_reference_group(position, position->target, rest);
        if (!rest[cell]) {
            return false;
        }
    }
    if (position->line && position->last >= 0) {
        const int(*next)[6] = neighbours(position->size);
        bool in_line = false;
        for (int d = 0; d < 6; d++) {
            in_line =
                in_line || (next[position->last][d] == cell && (position->direction < 0 || position->direction == d));
        }
        return in_line;
    }
    return true;
}

bool sgolte_reference_allowed(const SgolteReference *position, SgolteStep next) {
    if (next.kind == 's') {
        return position->pie && position->side == 'W' && position->stage == 'p' && count_stones(position) == 1;
    }
    if (next.kind != position->stage) {
        return false;
    }
    switch (next.kind) {
    case 'p': return position->stone[next.cell] == '.';
    case 'c': return may_capture(position, next.cell);
    default:
        return position->stone[next.cell] == '.' && sgolte_reference_touched(position, position->side, next.cell) <= 1;
    }
}

static void end_turn(SgolteReference *position) {
    position->side = opponent(position->side);
    position->stage = 'p';
    position->captured = 0;
}

static void capture(SgolteReference *position, int cell) {
    const int(*next)[6] = neighbours(position->size);
    bool rest[CELLS];
    sgolte_reference_group(position, cell, rest);
    rest[cell] = false;
    for (int d = 0; d < 6 && position->line && position->last >= 0; d++) {
        if (next[position->last][d] == cell) {
            position->direction = d;
        }
    }
    position->stone[cell] = '.';
    position->captured++;
    position->last = position->line ? cell : -1;
    position->target = -1;
    for (int i = position->cells - 1; i >= 0; i--) {
        if (rest[i]) {
            position->target = i;
        }
    }
    if (!connected(position->size, rest)) {
        position->stage = 'r';
        position->target = position->last = position->direction = -1;
    }
}

void sgolte_reference_apply(SgolteReference *position, SgolteStep next) {
    switch (next.kind) {
    case 's':
        position->swapped = true;
        position->pie = false;
        return; /* White, who is now the other player, is still to move */
    case 'p': {
        const bool merges = sgolte_reference_touched(position, position->side, next.cell) >= 2;
        if (position->side == 'W') {
            position->pie = false;
        }
        position->stone[next.cell] = position->side;
        if (merges) {
            position->stage = 'c';
        } else {
            end_turn(position);
        }
        return;
    }
    case 'c': capture(position, next.cell); return;
    default:
        position->stone[next.cell] = position->side;
        if (--position->captured == 0) {
            end_turn(position);
        }
    }
}

/* Which turns can be completed. Dead ends are remembered, because many ways lead to the same position. */

typedef struct DeadEnds {
    SgolteReference *position;
    int count, capacity;
    int *slot; /* a hash table of position numbers, -1 is empty */
    int slots;
    int tried;
} DeadEnds;

static uint64_t fingerprint(const SgolteReference *position) {
    const unsigned char *bytes = (const unsigned char *)position;
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < sizeof *position; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum ^ sum >> 29;
}

/* The slot of a position, or the empty slot where it belongs. */
static int find_slot(const DeadEnds *dead, const SgolteReference *position) {
    int at = (int)(fingerprint(position) % (uint64_t)dead->slots);
    while (dead->slot[at] >= 0 && memcmp(&dead->position[dead->slot[at]], position, sizeof *position) != 0) {
        at = (at + 1) % dead->slots;
    }
    return at;
}

static void remember(DeadEnds *dead, const SgolteReference *position) {
    if (dead->count == dead->capacity) {
        dead->capacity = dead->capacity ? 2 * dead->capacity : 64;
        dead->slots = 3 * dead->capacity;
        dead->position = realloc(dead->position, (size_t)dead->capacity * sizeof *dead->position);
        dead->slot = realloc(dead->slot, (size_t)dead->slots * sizeof *dead->slot);
        if (dead->position == NULL || dead->slot == NULL) {
            abort();
        }
        memset(dead->slot, -1, (size_t)dead->slots * sizeof *dead->slot);
        for (int i = 0; i < dead->count; i++) {
            dead->slot[find_slot(dead, &dead->position[i])] = i;
        }
    }
    dead->slot[find_slot(dead, position)] = dead->count;
    dead->position[dead->count++] = *position;
}

static bool completable(const SgolteReference *position, bool trusting, DeadEnds *dead) {
    if (position->stage == 'p' || ++dead->tried > SGOLTE_REFERENCE_TRIES) {
        return true; /* the turn has ended, or the answer is unknown */
    }
    if (dead->slots > 0 && dead->slot[find_slot(dead, position)] >= 0) {
        return false;
    }
    bool found = false, hopeless = false;
    if (trusting && position->stage == 'c' && position->captured > 0) {
        SgolteReference replacing = *position; /* as if no more stones were captured */
        replacing.stage = 'r';
        replacing.target = replacing.last = replacing.direction = -1;
        hopeless = !completable(&replacing, true, dead);
    }
    for (int cell = 0; cell < position->cells && !found && !hopeless; cell++) {
        const SgolteStep next = {position->stage, cell};
        if (sgolte_reference_allowed(position, next)) {
            SgolteReference after = *position;
            sgolte_reference_apply(&after, next);
            found = completable(&after, trusting, dead);
        }
    }
    if (!found) {
        remember(dead, position);
    }
    return found;
}

int sgolte_reference_steps(const SgolteReference *position, bool trusting, SgolteStep steps[SGOLTE_REFERENCE_STEPS]) {
    int count = 0;
    DeadEnds dead = {0};
    for (int cell = 0; cell <= position->cells; cell++) {
        const SgolteStep next = {cell < position->cells ? position->stage : 's', cell};
        if (!sgolte_reference_allowed(position, next)) {
            continue;
        }
        SgolteReference after = *position;
        sgolte_reference_apply(&after, next);
        if (completable(&after, trusting, &dead)) {
            steps[count++] = next;
        }
    }
    free(dead.position);
    free(dead.slot);
    return dead.tried > SGOLTE_REFERENCE_TRIES ? -1 : count;
}

/* The set forms. */

bool sgolte_reference_splits(const SgolteReference *position, int of, const bool set[CELLS]) {
    bool group[CELLS], rest[CELLS];
    sgolte_reference_group(position, of, group);
    for (int i = 0; i < position->cells; i++) {
        if (set[i] && !group[i]) {
            return false;
        }
        rest[i] = group[i] && !set[i];
    }
    if (connected(position->size, rest)) {
        return false;
    }
    for (int l = 0; l < position->cells; l++) {
        if (set[l]) {
            rest[l] = true;
            const bool before = connected(position->size, rest);
            rest[l] = false;
            if (before) {
                return true;
            }
        }
    }
    return false;
}

bool sgolte_reference_keeps_apart(const SgolteReference *position, const bool set[CELLS]) {
    bool filled[CELLS] = {false}, component[CELLS], group[CELLS];
    for (int i = 0; i < position->cells; i++) {
        if (set[i] && position->stone[i] != '.') {
            return false;
        }
        filled[i] = set[i] || position->stone[i] == position->side;
    }
    /* If two groups are in one component, one of them has a stone outside the other group. */
    for (int i = 0; i < position->cells; i++) {
        if (position->stone[i] != position->side) {
            continue;
        }
        flood(position->size, filled, i, component);
        sgolte_reference_group(position, i, group);
        for (int j = 0; j < position->cells; j++) {
            if (component[j] && position->stone[j] == position->side && !group[j]) {
                return false;
            }
        }
    }
    return true;
}
