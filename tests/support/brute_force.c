/* See brute_force.h. */
#include "tests/support/brute_force.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 48, FIRST_CAPACITY = 1 << 12 };

/* A complete position: its stones row by row, side, passes and button. Unused bytes are 0; the first byte never is. */
typedef struct Known {
    char key[KEY_SIZE];
    int value;
} Known;

struct BruteForce {
    Known *known; /* hash table with linear probing, at least half empty */
    size_t capacity, count;
};

BruteForce *brute_force_new(void) {
    BruteForce *memory = malloc(sizeof *memory);
    if (memory) {
        *memory = (BruteForce){.known = calloc(FIRST_CAPACITY, sizeof(Known)), .capacity = FIRST_CAPACITY};
        if (!memory->known) {
            free(memory);
            return NULL;
        }
    }
    return memory;
}

void brute_force_free(BruteForce *memory) {
    if (memory)
        free(memory->known);
    free(memory);
}

static void write_key(const Reference *position, char key[KEY_SIZE]) {
    const int reach = position->size - 1;
    size_t at = 0;
    memset(key, 0, KEY_SIZE);
    for (int r = -reach; r <= reach; r++)
        for (int q = -reach; q <= reach; q++)
            if (reference_on_board(position->size, q, r))
                key[at++] = reference_stone(position, q, r);
    key[at++] = position->side;
    key[at++] = (char)('0' + position->passes);
    key[at] = position->button;
}

/* The place of a key: where it is, or where it would be stored. */
static Known *find(const BruteForce *memory, const char key[KEY_SIZE]) {
    uint64_t hash = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < KEY_SIZE; i++)
        hash = (hash ^ (unsigned char)key[i]) * 1099511628211u;
    size_t at = hash % memory->capacity;
    while (memory->known[at].key[0] && memcmp(memory->known[at].key, key, KEY_SIZE) != 0)
        at = (at + 1) % memory->capacity;
    return &memory->known[at];
}

static bool grow(BruteForce *memory) {
    BruteForce larger = {.capacity = 2 * memory->capacity, .count = memory->count};
    larger.known = calloc(larger.capacity, sizeof *larger.known);
    if (!larger.known)
        return false;
    for (size_t i = 0; i < memory->capacity; i++)
        if (memory->known[i].key[0])
            *find(&larger, memory->known[i].key) = memory->known[i];
    free(memory->known);
    *memory = larger;
    return true;
}

static bool keep(BruteForce *memory, const char key[KEY_SIZE], int value) {
    if (2 * memory->count >= memory->capacity && !grow(memory))
        return false;
    Known *known = find(memory, key);
    memcpy(known->key, key, KEY_SIZE);
    known->value = value;
    memory->count++;
    return true;
}

static bool minimax(BruteForce *memory, const Reference *position, size_t most, int *value) {
    char key[KEY_SIZE];
    write_key(position, key);
    const Known *known = find(memory, key);
    if (known->key[0]) {
        *value = known->value;
        return true;
    }
    if (memory->count >= most)
        return false;
    if (reference_over(position)) {
        *value = reference_margin(position) + 2 * position->komi;
        return keep(memory, key, *value);
    }
    ReferenceTurn turns[REFERENCE_TURNS];
    const int count = reference_legal(position, turns);
    for (int i = 0; i < count; i++) {
        Reference next = *position;
        int reply;
        if (!reference_apply(&next, turns[i].text) || !minimax(memory, &next, most, &reply))
            return false;
        if (i == 0 || (position->side == 'B' ? reply > *value : reply < *value))
            *value = reply;
    }
    return keep(memory, key, *value);
}

bool brute_force_value(BruteForce *memory, const Reference *position, size_t limit, int *half_points) {
    return minimax(memory, position, memory->count + limit, half_points);
}
