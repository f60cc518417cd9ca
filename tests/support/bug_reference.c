/* The rules of Bug, slow and obvious; see bug_reference.h. Each function follows a sentence of engine/docs/rules.md. */
#include "tests/support/bug_reference.h"

#include <stdlib.h>
#include <string.h>

static const int step[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};

static char opponent(char colour) {
    return colour == 'B' ? 'W' : 'B';
}

static char stone_at(const BugReference *position, int q, int r) {
    return reference_on_board(position->size, q, r) ? position->stone[q + REFERENCE_REACH][r + REFERENCE_REACH] : '#';
}

static void put(BugReference *position, int q, int r, char stone) {
    position->stone[q + REFERENCE_REACH][r + REFERENCE_REACH] = stone;
}

void bug_reference_start(BugReference *position, int size) {
    memset(position, 0, sizeof *position);
    position->size = size;
    memset(position->stone, '.', sizeof position->stone);
    position->side = 'B';
}

/* Bugs. */

static bool contains(const ReferenceBug *bug, int q, int r) {
    for (int i = 0; i < bug->size; i++) {
        if (bug->q[i] == q && bug->r[i] == r) {
            return true;
        }
    }
    return false;
}

static bool touches(const ReferenceBug *bug, int q, int r) {
    for (int d = 0; d < 6; d++) {
        if (contains(bug, q + step[d][0], r + step[d][1])) {
            return true;
        }
    }
    return false;
}

/* The bug that the stone on (q, r) belongs to. */
static void flood(const BugReference *position, int q, int r, ReferenceBug *bug) {
    bug->colour = stone_at(position, q, r);
    bug->size = 1;
    bug->q[0] = q;
    bug->r[0] = r;
    for (int i = 0; i < bug->size; i++) {
        for (int d = 0; d < 6; d++) {
            const int x = bug->q[i] + step[d][0], y = bug->r[i] + step[d][1];
            if (stone_at(position, x, y) == bug->colour && !contains(bug, x, y)) {
                bug->q[bug->size] = x;
                bug->r[bug->size] = y;
                bug->size++;
            }
        }
    }
}

int bug_reference_bugs(const BugReference *position, ReferenceBug bugs[BUG_REFERENCE_CELLS]) {
    int count = 0;
    for (int r = -REFERENCE_REACH; r <= REFERENCE_REACH; r++) {
        for (int q = -REFERENCE_REACH; q <= REFERENCE_REACH; q++) {
            const char stone = stone_at(position, q, r);
            bool known = stone != 'B' && stone != 'W';
            for (int i = 0; i < count && !known; i++) {
                known = contains(&bugs[i], q, r);
            }
            if (!known) {
                flood(position, q, r, &bugs[count++]);
            }
        }
    }
    return count;
}

/* Rotates a bug by 60 degrees about (0, 0), or reflects it. */
static void rotate(ReferenceBug *bug) {
    for (int i = 0; i < bug->size; i++) {
        const int q = bug->q[i], r = bug->r[i];
        bug->q[i] = -r;
        bug->r[i] = q + r;
    }
}

static void reflect(ReferenceBug *bug) {
    for (int i = 0; i < bug->size; i++) {
        const int q = bug->q[i];
        bug->q[i] = bug->r[i];
        bug->r[i] = q;
    }
}

/* Whether some translation moves a onto b: one that moves the first cell of a to a cell of b. */
static bool is_translation(const ReferenceBug *a, const ReferenceBug *b) {
    for (int to = 0; to < b->size; to++) {
        const int q = b->q[to] - a->q[0], r = b->r[to] - a->r[0];
        int common = 0;
        while (common < a->size && contains(b, a->q[common] + q, a->r[common] + r)) {
            common++;
        }
        if (common == a->size) {
            return true;
        }
    }
    return false;
}

/* Whether two bugs are congruent: by a translation after one of six rotations, with or without a reflection. */
static bool have_same_shape(const ReferenceBug *a, const ReferenceBug *b) {
    ReferenceBug turned = *a;
    if (a->size != b->size) {
        return false;
    }
    for (int mirror = 0; mirror < 2; mirror++) {
        for (int turn = 0; turn < 6; turn++) {
            if (is_translation(&turned, b)) {
                return true;
            }
            rotate(&turned);
        }
        reflect(&turned);
    }
    return false;
}

/* Growing. */

static int largest(const ReferenceBug *bugs, int count) {
    int size = 0;
    for (int i = 0; i < count; i++) {
        size = bugs[i].size > size ? bugs[i].size : size;
    }
    return size;
}

static bool may_grow(const BugReference *position, const ReferenceBug *bugs, int count, int q, int r) {
    int touched = 0, size = 0;
    if (stone_at(position, q, r) != '.') {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (bugs[i].colour == position->side && touches(&bugs[i], q, r)) {
            touched++;
            size = bugs[i].size;
        }
    }
    return touched == 0 || (touched == 1 && size < largest(bugs, count));
}

/* Eating. */

static bool adjacent(const ReferenceBug *a, const ReferenceBug *b) {
    for (int i = 0; i < b->size; i++) {
        if (touches(a, b->q[i], b->r[i])) {
            return true;
        }
    }
    return false;
}

static bool is_prey(const ReferenceBug *eater, const ReferenceBug *bug) {
    return bug->colour == opponent(eater->colour) && bug->size == eater->size && adjacent(eater, bug) &&
           have_same_shape(eater, bug);
}

static bool has_prey(const ReferenceBug *bugs, int count, int eater) {
    for (int i = 0; i < count; i++) {
        if (is_prey(&bugs[eater], &bugs[i])) {
            return true;
        }
    }
    return false;
}

/* Whether (q, r) is in growth(eater). */
static bool is_growth(const BugReference *position, const ReferenceBug *bugs, int count, int eater, int q, int r) {
    bool open = stone_at(position, q, r) == '.';
    if (!touches(&bugs[eater], q, r)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (contains(&bugs[i], q, r)) {
            open = is_prey(&bugs[eater], &bugs[i]);
        }
        if (i != eater && bugs[i].colour == bugs[eater].colour && touches(&bugs[i], q, r)) {
            return false;
        }
    }
    return open;
}

static void remove_prey(BugReference *position, const ReferenceBug *bugs, int count, int eater) {
    for (int i = 0; i < count; i++) {
        if (is_prey(&bugs[eater], &bugs[i])) {
            for (int k = 0; k < bugs[i].size; k++) {
                put(position, bugs[i].q[k], bugs[i].r[k], '.');
            }
        }
    }
}

/* Turns. */

/* For each cell whether the next stone may go there, and for a BONUS stone which bug eats. Also the number of these
 * cells. */
typedef struct Choices {
    int count;
    bool may[REFERENCE_SPAN][REFERENCE_SPAN];
    int eater[REFERENCE_SPAN][REFERENCE_SPAN];
} Choices;

static void add_choice(Choices *choices, int q, int r, int eater) {
    choices->count++;
    choices->may[q + REFERENCE_REACH][r + REFERENCE_REACH] = true;
    choices->eater[q + REFERENCE_REACH][r + REFERENCE_REACH] = eater;
}

static void find_choices(const BugReference *position, const ReferenceBug *bugs, int count, Choices *choices) {
    memset(choices, 0, sizeof *choices);
    for (int eater = 0; eater < count && position->bonus; eater++) {
        if (bugs[eater].colour != position->side || !has_prey(bugs, count, eater)) {
            continue;
        }
        for (int q = -position->size; q <= position->size; q++) {
            for (int r = -position->size; r <= position->size; r++) {
                if (is_growth(position, bugs, count, eater, q, r)) {
                    add_choice(choices, q, r, eater);
                }
            }
        }
    }
    for (int q = -position->size; q <= position->size && !position->bonus; q++) {
        for (int r = -position->size; r <= position->size; r++) {
            if (may_grow(position, bugs, count, q, r)) {
                add_choice(choices, q, r, -1);
            }
        }
    }
}

int bug_reference_legal(const BugReference *position, ReferenceTurn cells[BUG_REFERENCE_CELLS]) {
    ReferenceBug bugs[BUG_REFERENCE_CELLS];
    Choices choices;
    find_choices(position, bugs, bug_reference_bugs(position, bugs), &choices);
    int count = 0;
    for (int r = -REFERENCE_REACH; r <= REFERENCE_REACH; r++) {
        for (int q = -REFERENCE_REACH; q <= REFERENCE_REACH; q++) {
            if (choices.may[q + REFERENCE_REACH][r + REFERENCE_REACH]) {
                cells[count++] = reference_name(position->size, q, r);
            }
        }
    }
    return count;
}

bool bug_reference_apply(BugReference *position, const char *cell) {
    ReferenceBug bugs[BUG_REFERENCE_CELLS];
    Choices choices;
    const int count = bug_reference_bugs(position, bugs);
    int q, r;
    find_choices(position, bugs, count, &choices);
    if (!reference_find(position->size, cell, &q, &r) || !choices.may[q + REFERENCE_REACH][r + REFERENCE_REACH]) {
        return false;
    }
    if (position->bonus) {
        remove_prey(position, bugs, count, choices.eater[q + REFERENCE_REACH][r + REFERENCE_REACH]);
    }
    put(position, q, r, position->side);
    position->bonus = true;
    find_choices(position, bugs, bug_reference_bugs(position, bugs), &choices);
    if (choices.count == 0) { /* no own bug can eat: the turn is over */
        position->bonus = false;
        position->side = opponent(position->side);
    }
    return true;
}

bool bug_reference_over(const BugReference *position) {
    ReferenceTurn cells[BUG_REFERENCE_CELLS];
    return !position->bonus && bug_reference_legal(position, cells) == 0;
}
