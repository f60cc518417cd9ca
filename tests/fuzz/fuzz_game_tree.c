/* Fuzz target: any bytes are read as a game (SGF, record, list of moves); what is accepted is written in all formats,
 * and the SGF must be read again as the same tree. See fuzz_gtp.c. */
#include "selfplay/record/game_tree.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const GameOptions options = {.size = 3};
    GameTree *tree = game_tree_read((const char *)data, size, "fuzz", &options, NULL);
    if (!tree)
        return 0;
    char *sgf = game_tree_to_sgf(tree, NULL);
    GameTree *again = sgf ? game_tree_read(sgf, strlen(sgf), "fuzz", &options, NULL) : NULL;
    if (!again || again->count != tree->count)
        abort();
    free(game_tree_to_record(tree, NULL));
    free(game_tree_to_list(tree, NULL));
    free(sgf);
    game_tree_free(again);
    game_tree_free(tree);
    return 0;
}
