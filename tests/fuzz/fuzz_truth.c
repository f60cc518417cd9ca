/* Fuzz target: a file of positions of known value. Built with -DSTIGMERGY_FUZZ=ON and clang (preset "fuzz"). What is
 * read must agree with itself: the side to move wins at the komi, if the value is true, and loses at the next one. */
#include "selfplay/truth/positions.h"

#include <stdlib.h>

static void check(const TruthSet *set, const TruthPosition *position) {
    GameState state;
    const bool black = position->mover == BLACK;
    truth_replay(set->game, position, position->komi, &state, NULL);
    if (set->game->rules->over(&state) || position->winning < 1 || position->winning > position->legal ||
        (position->half_points > 2 * position->komi) != black ||
        (position->half_points > 2 * truth_losing_komi(position)) == black)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    TruthSet set;
    Error error;
    if (!truth_set_parse((const char *)data, size, "fuzz", &set, &error))
        return 0;
    for (int i = 0; i < set.count; i++)
        check(&set, &set.list[i]);
    truth_set_free(&set);
    return 0;
}
