/* Lists and texts that grow: arrays of malloc that have room for more items than are in them. */
#ifndef STIGMERGY_ENGINE_BASE_LIST_H
#define STIGMERGY_ENGINE_BASE_LIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `wanted` items of `size` bytes. `list` is the address of the pointer to the array, which is NULL while
 * *capacity is 0; the caller frees the array. A full list more than doubles, so that adding items one by one is cheap.
 * What is in the list stays, the new room is not initialized. False without memory, or beyond what an int counts; then
 * the list is as it was. */
static inline bool list_grow(void *list, int *capacity, int wanted, size_t size) {
    void *array;
    if (wanted <= *capacity)
        return true;
    if (wanted > INT_MAX - 16 - *capacity)
        return false;
    const int room = wanted + *capacity + 16;
    memcpy(&array, list, sizeof array);
    array = realloc(array, (size_t)room * size);
    if (!array)
        return false;
    memcpy(list, &array, sizeof array);
    *capacity = room;
    return true;
}

/* The same for bytes. */
static inline bool list_grow_bytes(char **bytes, size_t *capacity, size_t wanted) {
    if (wanted <= *capacity)
        return true;
    const size_t room = wanted + *capacity + 256;
    char *larger = realloc(*bytes, room);
    if (!larger)
        return false;
    *bytes = larger;
    *capacity = room;
    return true;
}

#endif
