/* See contents.h. */
#include "selfplay/dataset/contents.h"

#include <string.h>

DatasetPart dataset_total(const Dataset *dataset) {
    DatasetPart total = {0};
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        const DatasetPart *part = &dataset->parts[size];
        total.games += part->games;
        total.distinct_games += part->distinct_games;
        total.positions += part->positions;
        total.rows += part->rows;
        total.full += part->full;
        total.black_wins += part->black_wins;
        total.resigned += part->resigned;
    }
    return total;
}

bool dataset_has_file(const Dataset *dataset, const char *path) {
    for (int i = 0; i < dataset->files.count; i++)
        if (!strcmp(dataset->files.items[i].path, path))
            return true;
    return false;
}
