/* The rules of Stigmergy, slow and obvious; see reference.h. Each function follows a sentence of engine/docs/rules.md.
 */
#include "tests/support/reference.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int step[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};

static char opponent(char colour) {
    return colour == 'B' ? 'W' : 'B';
}

void reference_start(Reference *position, int size, int komi) {
    memset(position, 0, sizeof *position);
    position->size = size;
    memset(position->stone, '.', sizeof position->stone);
    position->side = 'B';
    position->komi = komi;
    position->button = komi % 2 == 0 ? '-' : 't';
}

/* The board and its names. */

bool reference_on_board(int size, int q, int r) {
    return abs(q) <= size - 1 && abs(r) <= size - 1 && abs(q + r) <= size - 1;
}

static int count_neighbours(int size, int q, int r) {
    int count = 0;
    for (int d = 0; d < 6; d++) {
        count += reference_on_board(size, q + step[d][0], r + step[d][1]);
    }
    return count;
}

/* The q of the leftmost cell of row r. */
static int left_end(int size, int r) {
    int q = -(size - 1);
    while (!reference_on_board(size, q, r)) {
        q++;
    }
    return q;
}

ReferenceTurn reference_name(int size, int q, int r) {
    ReferenceTurn name;
    snprintf(name.text, sizeof name.text, "%c%d", 'a' + (size - 1 - r), q - left_end(size, r) + 1);
    return name;
}

bool reference_find(int size, const char *text, int *q, int *r) {
    const int row = text[0] - 'a';
    if (row < 0 || row > 2 * (size - 1) || !isdigit((unsigned char)text[1])) {
        return false;
    }
    *r = size - 1 - row;
    *q = left_end(size, *r) + atoi(text + 1) - 1;
    return reference_on_board(size, *q, *r);
}

/* Seeing and control. */

char reference_stone(const Reference *position, int q, int r) {
    return position->stone[q + REFERENCE_REACH][r + REFERENCE_REACH];
}

/* The number of stones of a colour that a cell sees. */
static int count_seen(const Reference *position, int q, int r, char colour) {
    int count = 0;
    for (int d = 0; d < 6; d++) {
        int x = q + step[d][0], y = r + step[d][1];
        while (reference_on_board(position->size, x, y) && reference_stone(position, x, y) == '.') {
            x += step[d][0];
            y += step[d][1];
        }
        count += reference_on_board(position->size, x, y) && reference_stone(position, x, y) == colour;
    }
    return count;
}

char reference_controller(const Reference *position, int q, int r) {
    const int adjacent = count_neighbours(position->size, q, r);
    if (2 * count_seen(position, q, r, 'B') > adjacent) {
        return 'B';
    }
    return 2 * count_seen(position, q, r, 'W') > adjacent ? 'W' : '.';
}

/* Turns. */

static bool may_place(const Reference *position, int q, int r) {
    return reference_stone(position, q, r) == '.' && reference_controller(position, q, r) != opponent(position->side);
}

static bool may_flip(const Reference *position, int q, int r) {
    return reference_stone(position, q, r) == opponent(position->side) &&
           reference_controller(position, q, r) == position->side;
}

static bool may_pass(const Reference *position) {
    const int reach = position->size - 1;
    for (int q = -reach; q <= reach; q++) {
        for (int r = -reach; r <= reach; r++) {
            if (reference_on_board(position->size, q, r) && reference_stone(position, q, r) == '.' &&
                reference_controller(position, q, r) == '.') {
                return false;
            }
        }
    }
    return position->button != 't';
}

static bool may_take_button(const Reference *position) {
    return position->button == 't';
}

int reference_legal(const Reference *position, ReferenceTurn turns[REFERENCE_TURNS]) {
    const int reach = position->size - 1;
    int count = 0;
    if (reference_over(position)) {
        return 0;
    }
    for (int flips = 0; flips <= 1; flips++) {
        for (int r = -reach; r <= reach; r++) {
            for (int q = -reach; q <= reach; q++) {
                if (!reference_on_board(position->size, q, r)) {
                    continue;
                }
                if (!flips && may_place(position, q, r)) {
                    turns[count++] = reference_name(position->size, q, r);
                }
                if (flips && may_flip(position, q, r)) {
                    turns[count] = reference_name(position->size, q, r);
                    strcat(turns[count++].text, "x");
                }
            }
        }
    }
    if (may_pass(position)) {
        strcpy(turns[count++].text, "pass");
    }
    if (may_take_button(position)) {
        strcpy(turns[count++].text, "take-button");
    }
    return count;
}

bool reference_apply(Reference *position, const char *text) {
    const bool flip = text[strlen(text) - 1] == 'x';
    int q, r;
    if (reference_over(position)) {
        return false;
    }
    if (strcmp(text, "pass") == 0 && may_pass(position)) {
        position->passes++;
    } else if (strcmp(text, "take-button") == 0 && may_take_button(position)) {
        position->button = position->side;
        position->passes = 0;
    } else if (reference_find(position->size, text, &q, &r) &&
               (flip ? may_flip(position, q, r) : may_place(position, q, r))) {
        position->stone[q + REFERENCE_REACH][r + REFERENCE_REACH] = position->side;
        position->passes = 0;
    } else {
        return false;
    }
    position->side = opponent(position->side);
    return true;
}

/* The end. */

bool reference_over(const Reference *position) {
    return position->passes == 2;
}

int reference_cells(const Reference *position, char colour) {
    const int reach = position->size - 1;
    int count = 0;
    for (int q = -reach; q <= reach; q++) {
        for (int r = -reach; r <= reach; r++) {
            if (reference_on_board(position->size, q, r)) {
                const char stone = reference_stone(position, q, r);
                count += stone == colour || (stone == '.' && reference_controller(position, q, r) == colour);
            }
        }
    }
    return count;
}

int reference_margin(const Reference *position) {
    const int half_points_of_button = position->button == 'B' ? 1 : position->button == 'W' ? -1 : 0;
    return 2 * reference_cells(position, 'B') - 2 * reference_cells(position, 'W') - 2 * position->komi +
           half_points_of_button;
}

/* Two stones of one colour on one line see each other if nothing is between them. Each pair is found from both ends. */
int reference_pairs(const Reference *position) {
    const int reach = position->size - 1;
    int ends = 0;
    for (int q = -reach; q <= reach; q++) {
        for (int r = -reach; r <= reach; r++) {
            if (reference_on_board(position->size, q, r) && reference_stone(position, q, r) != '.') {
                ends += count_seen(position, q, r, reference_stone(position, q, r));
            }
        }
    }
    return ends / 2;
}
