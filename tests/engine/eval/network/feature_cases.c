/* Plays random games and writes what the engine makes of their positions, for test_features.py, which makes the same
 * features from the planes of a data set.
 *
 *     feature_cases GAME SET SIZE GAMES
 *
 * Each line is a JSON object: names, planes [plane][cell] and globals as a data set has them; input [cell][plane] and
 * input_globals as a network has them. */
#include "engine/base/rng.h"
#include "engine/eval/network/features.h"
#include "engine/games/registry.h"

#include <stdio.h>
#include <stdlib.h>

static void write_bytes(const char *name, const uint8_t *bytes, int count) {
    printf("\"%s\": [", name);
    for (int i = 0; i < count; i++)
        printf("%s%d", i ? ", " : "", bytes[i]);
    printf("], ");
}

static void write_position(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history,
                           const Action *legal, int count) {
    static NetworkInput input;
    static uint8_t planes[PLANES_MAX * HEXHEX_MAX_CELLS];
    const Game *game = encoder->game;
    const char *names[PLANES_MAX];
    int16_t globals[GLOBAL_COUNT];
    const int kept = planes_names(game, names), cells = game->board.cells;
    planes_write(game, state, history, legal, count, planes);
    planes_write_globals(game, state, history, globals);
    feature_encode(encoder, state, history, legal, count, &input);
    printf("{\"names\": [");
    for (int i = 0; i < kept; i++)
        printf("%s\"%s\"", i ? ", " : "", names[i]);
    printf("], ");
    write_bytes("planes", planes, kept * cells);
    write_bytes("input", input.planes, encoder->planes * cells);
    for (int i = 0; i < GLOBAL_COUNT; i++)
        printf("%s%d", i ? ", " : "\"globals\": [", globals[i]);
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        printf("%s%d", i ? ", " : "], \"input_globals\": [", input.globals[i]);
    printf("]}\n");
}

static void play(const FeatureEncoder *encoder, Rng *rng) {
    const Game *game = encoder->game;
    GameState state;
    GameHistory history = {0};
    game->rules->start(game, &state, (int)rng_below(rng, 12) - 2);
    while (!game->rules->over(&state)) {
        Action legal[GAME_LEGAL_MAX];
        const int count = game->rules->legal(game, &state, legal);
        const Action action = legal[rng_below(rng, (uint32_t)count)];
        write_position(encoder, &state, &history, legal, count);
        game->rules->apply(game, &state, action);
        game_history_add(game, &history, action, &state);
    }
}

int main(int argc, char **argv) {
    Error error = {.text = "usage: feature_cases GAME SET SIZE GAMES"};
    FeatureEncoder encoder;
    const FeatureSet *set = argc == 5 ? feature_set(argv[2], &error) : NULL;
    Game *game = set ? game_new(&(GameOptions){.name = argv[1], .size = atoi(argv[3])}, &error) : NULL;
    if (!game || !feature_encoder_init(&encoder, set, game, &error)) {
        fprintf(stderr, "feature_cases: %s\n", error.text);
        return 2;
    }
    Rng rng = rng_seed(7);
    for (int i = 0; i < atoi(argv[4]); i++)
        play(&encoder, &rng);
    game_free(game);
    return 0;
}
