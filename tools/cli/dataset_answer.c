/* See dataset_answer.h. */
#include "tools/cli/dataset_answer.h"

#include <stdio.h>

void dataset_answer_print(const Dataset *dataset) {
    const DatasetPart total = dataset_total(dataset);
    printf("%lld games of %s, %lld positions, %lld rows, %lld of them of full searches\n", (long long)total.games,
           dataset->document->config.run.game, (long long)total.positions, (long long)total.rows,
           (long long)total.full);
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        const DatasetPart *part = &dataset->parts[size];
        if (part->games)
            printf("  hexhex-%-2d %lld games, %lld of them distinct; Black wins %.1f%%\n", size, (long long)part->games,
                   (long long)part->distinct_games, 100 * (double)part->black_wins / (double)part->games);
    }
}
