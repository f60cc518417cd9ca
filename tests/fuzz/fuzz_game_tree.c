/* Fuzz target: any bytes are read as a game (SGF, record, list of moves, state of AbstractPlay); what is accepted is
 * written in all formats, the SGF must be read again as the same tree, and the state as a game. See fuzz_gtp.c. */
#include "selfplay/record/game_tree.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const GameOptions options = {.size = 3};
    size_t begin;
    if (game_tree_count((const char *)data, size, 2, &begin) < 1 || begin > size)
        abort();
    GameTree *tree = game_tree_read((const char *)data, size, "fuzz", &options, NULL);
    if (!tree)
        return 0;
    char *sgf = game_tree_to_sgf(tree, NULL);
    GameTree *again = sgf ? game_tree_read(sgf, strlen(sgf), "fuzz", &options, NULL) : NULL;
    if (!again || again->count != tree->count)
        abort();
    char *state = game_tree_to_state(tree, NULL);
    GameTree *site = state ? game_tree_read(state, strlen(state), "fuzz", &options, NULL) : NULL;
    if (state && (!site || site->komi != tree->komi))
        abort();
    free(state);
    game_tree_free(site);
    free(game_tree_to_record(tree, NULL));
    free(game_tree_to_list(tree, NULL));
    free(sgf);
    game_tree_free(again);
    game_tree_free(tree);
    return 0;
}
