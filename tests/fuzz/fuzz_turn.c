/* Fuzz target: any text is read as a turn, of any game, in any position.
 *
 * The first bytes choose game, size and variants, the next ones the actions that lead to the position; what is left is
 * the text. A turn that is refused must say why and leave the position alone; one that is read must be legal action by
 * action, end a turn, and be read again from what is written of it. Built as fuzz_gtp.c says. */
#include "engine/game/game.h"
#include "engine/games/registry.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

/* The game that the bytes choose, made once; NULL for a variant that it does not have. */
static const Game *choose_game(const uint8_t bytes[3]) {
    static Game *made[4][HEXHEX_MAX_SIZE + 1][9];
    int games = 0, largest, usual;
    while (game_list(games, &largest, &usual))
        games++;
    const int number = bytes[0] % games, variant = bytes[2] % 9;
    GameOptions options = {.name = game_list(number, &largest, &usual)};
    options.size = HEXHEX_MIN_SIZE + bytes[1] % (largest - HEXHEX_MIN_SIZE + 1);
    options.capture = (GameCapture)(variant % 3);
    options.pie = (GamePie)(variant / 3);
    Game **game = &made[number][options.size][variant];
    if (!*game)
        *game = game_new(&options, NULL);
    return *game;
}

/* Takes the actions of a turn that was read, and reads it once more. */
static void check_turn(const Game *game, const GameState *state, const Action *turn, int count) {
    const GameRules *rules = game->rules;
    GameState after;
    game_copy(game, &after, state);
    for (int i = 0; i < count; i++) {
        check(i == 0 || !rules->turn_start(&after));
        check(game_is_legal(game, &after, turn[i]));
        rules->apply(game, &after, turn[i]);
    }
    check(rules->over(&after) || rules->turn_start(&after));
    char text[GAME_TEXT_MAX];
    Action again[GAME_TURN_MAX];
    GameState copy;
    game_copy(game, &copy, state);
    check(game_format_turn(game, &copy, turn, count, text) == count);
    check(rules->parse(game, state, text, again, NULL) == count);
    check(!memcmp(again, turn, (size_t)count * sizeof *turn));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4)
        return 0;
    const Game *game = choose_game(data);
    if (!game)
        return 0;
    GameState state;
    game->rules->start(game, &state, 0);
    size_t at = 4;
    for (int actions = data[3]; actions > 0 || !game->rules->turn_start(&state); actions--) {
        Action legal[GAME_LEGAL_MAX];
        if (game->rules->over(&state))
            break;
        const int count = game->rules->legal(game, &state, legal);
        game->rules->apply(game, &state, legal[(at < size ? data[at] : 0) % count]);
        at += at < size;
    }
    char *text = calloc(1, size - at + 1);
    check(text != NULL);
    memcpy(text, data + at, size - at);
    const GameState before = state;
    Action turn[GAME_TURN_MAX];
    Error error = {.text = ""};
    const int count = game->rules->parse(game, &state, text, turn, &error);
    check(!memcmp(&before, &state, game->state_bytes));
    if (count < 0)
        check(error.text[0] != '\0');
    else
        check_turn(game, &state, turn, count);
    free(text);
    return 0;
}
