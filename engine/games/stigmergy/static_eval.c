/* The static evaluation of Stigmergy: what it knows about a position that playouts do not show (GameRules.static_eval).
 *
 * Random moves seldom flip a stone that can be flipped, so playouts underestimate threats. The weights come from a
 * regression on leaves of searches on hexhex-4 and -5, towards the result of 2,000 simulations from there. They count
 * most in the middle of the range of empty cells. With fewer empty cells the playouts know better; with more, the
 * stones will be flipped again. The scale of the whole was found by matches (engine/search/MEASUREMENTS.md). */
#include "engine/base/bits.h"
#include "engine/games/static_eval_fading.h"
#include "engine/games/stigmergy/stigmergy.h"

/* In empty cells: full weight from FULL_FROM to FULL_TO, halved with every HALVING more. */
enum { FULL_FROM = 8, FULL_TO = 15, HALVING = 7 };

/* Log odds at full weight. "Near": true once one more stone is seen. */
static const float stone = 0.05f, threatened = -0.5f, near_threat = -0.135f, to_move = 0.15f;

/* The worth of the stones of a side. Adds their number to *stones. */
static float standing(const StigmergyState *state, Side side, int words, int *stones) {
    const Side opponent = side_opponent(side);
    const uint64_t *own = state->plane + plane_stones(side, words);
    const uint64_t *count = state->plane + plane_count(opponent, words);
    const uint64_t *control = state->plane + plane_control(opponent, words);
    int all = 0, threats = 0, near = 0;
    for (int i = 0; i < words; i++) {
        all += bits_count(own[i]);
        threats += bits_count(own[i] & control[i]);
        near += bits_count(own[i] & count[i] & count[words + i] & ~control[i]);
    }
    *stones += all;
    return stone * (float)all + threatened * (float)threats + near_threat * (float)near;
}

float stigmergy_static_eval(const Game *game, const GameState *game_state) {
    const StigmergyState *state = (const StigmergyState *)game_state;
    int stones = 0;
    float black = standing(state, BLACK, game->board.words, &stones);
    black -= standing(state, WHITE, game->board.words, &stones);
    black += state->side == BLACK ? to_move : -to_move;
    const int empty = game->board.cells - stones;
    return black * (empty < FULL_FROM ? (float)empty / FULL_FROM : static_eval_fading(empty, FULL_TO, HALVING));
}
