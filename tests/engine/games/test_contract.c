/* What game/game.h asks of every game, in random games of all that the registry lists, with all variants: also of one
 * that is added tomorrow. It does not know the rules; the test of each game compares them with a reference. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 3, GAMES = 6, PLAYED_APART = 8, ACTIONS_MAX = 10000 };

/* A position, and its image under a map of the board, which the image of the same game has led to. */
typedef struct Pair {
    const Game *game;
    const GameRules *rules;
    int map, komi;
    GameState state, image;
    Action legal[GAME_LEGAL_MAX];
    int count;
} Pair;

/* ---- The checks of a position ---- */

static void check_legal(Pair *pair) {
    const Game *game = pair->game;
    Action image[GAME_LEGAL_MAX];
    pair->count = pair->rules->legal(game, &pair->state, pair->legal);
    assert_int_equal(pair->count == 0, pair->rules->over(&pair->state));
    assert_int_equal(pair->rules->legal(game, &pair->image, image), pair->count);
    for (int i = 0; i < pair->count; i++) {
        assert_true(pair->legal[i] < 64 * game->action_words && (i == 0 || pair->legal[i - 1] < pair->legal[i]));
        assert_true(game_is_legal(game, &pair->image, pair->rules->symmetry(game, pair->map, pair->legal[i])));
    }
}

static void check_names(const Pair *pair) {
    static char names[GAME_LEGAL_MAX][GAME_TEXT_MAX];
    for (int i = 0; i < pair->count; i++) {
        int cell;
        pair->rules->format(pair->game, &pair->state, pair->legal[i], names[i]);
        assert_in_range(strlen(names[i]), 1, 15);
        for (const char *c = names[i]; *c; c++)
            assert_true(isgraph((unsigned char)*c) && !isupper((unsigned char)*c));
        for (int other = 0; other < i; other++)
            assert_string_not_equal(names[i], names[other]);
        assert_non_null(pair->rules->action_kind(pair->game, pair->legal[i], &cell));
        assert_true(cell >= -1 && cell < pair->game->board.cells);
    }
}

static void check_stones(const Pair *pair) {
    const Hexhex *board = &pair->game->board;
    uint8_t stones[HEXHEX_MAX_CELLS], images[HEXHEX_MAX_CELLS];
    pair->rules->stones(pair->game, &pair->state, stones);
    pair->rules->stones(pair->game, &pair->image, images);
    for (int c = 0; c < board->cells; c++) {
        assert_in_range(stones[c], 0, 2);
        assert_int_equal(images[board->symmetry[pair->map][c]], stones[c]);
    }
}

/* Whose the button makes the half point: 1 Black's, -1 White's, 0 nobody's. */
static int button_of(const Pair *pair) {
    const GameButton button = pair->rules->button(&pair->state);
    assert_in_range(button, 0, 3);
    assert_int_equal(button > 0, pair->komi % 2 != 0);
    return (button == BUTTON_BLACK) - (button == BUTTON_WHITE);
}

/* The solver takes a margin from the score of the board and the button, everybody else from the result. */
static void check_points(const Pair *pair) {
    const bool over = pair->rules->over(&pair->state);
    if (!pair->game->has_points) {
        if (over)
            assert_int_equal(abs(pair->rules->result(pair->game, &pair->state).half_points), 1);
        return;
    }
    int points[2];
    pair->rules->board_score(pair->game, &pair->state, points);
    const GameResult result = pair->rules->result(pair->game, &pair->state);
    const int margin = points[BLACK] - points[WHITE];
    assert_true(abs(margin) <= pair->game->board.cells);
    assert_int_equal(pair->rules->komi(&pair->state), pair->komi);
    assert_int_equal(result.half_points, 2 * (margin - pair->komi) + button_of(pair));
    if (over) {
        assert_int_equal(abs(margin) % 2, 1);
        assert_true(pair->komi % 2 == 0 || button_of(pair) != 0); /* somebody has taken it */
        assert_int_equal(result.winner, result.half_points > 0 ? BLACK : WHITE);
    }
}

/* Nothing beyond state_bytes belongs to a position, and its hash leaves the komi out. */
static void check_copy(const Pair *pair) {
    GameState copy;
    Action legal[GAME_LEGAL_MAX];
    memset(&copy, 0xa5, sizeof copy);
    assert_true(pair->game->state_bytes <= sizeof copy);
    game_copy(pair->game, &copy, &pair->state);
    assert_true(pair->rules->hash(&copy) == pair->rules->hash(&pair->state));
    assert_int_equal(pair->rules->legal(pair->game, &copy, legal), pair->count);
    assert_memory_equal(legal, pair->legal, (size_t)pair->count * sizeof *legal);
}

/* A playout is the same alone and beside others. */
static void check_playouts(const Pair *pair, uint64_t seed) {
    const GameState *const states[3] = {&pair->state, &pair->state, &pair->state};
    const uint64_t seeds[3] = {seed, seed + 1, seed + 2};
    PlayoutResult together[3], alone;
    pair->rules->playouts(pair->game, states, seeds, 3, PLAYOUT_LIGHT, together);
    pair->rules->playouts(pair->game, states, seeds + 1, 1, PLAYOUT_LIGHT, &alone);
    assert_int_equal(alone.half_points, together[1].half_points);
    assert_int_equal(alone.length, together[1].length);
    if (pair->game->has_points && pair->komi % 2 == 0)
        assert_int_equal(abs(alone.half_points) % 4, 2); /* twice an odd margin */
    else
        assert_int_equal(abs(alone.half_points) % 2, 1);
}

/* Of the numbers for actions about cells, those beyond the last cell mean nothing. */
static void check_numbers(const Game *game) {
    for (int action = 0; action < 64 * (game->action_words - 1); action++) {
        const int c = action % (64 * game->board.words);
        int cell;
        const char *kind = game->rules->action_kind(game, (Action)action, &cell);
        assert_int_equal(kind != NULL, c < game->board.cells);
        assert_int_equal(cell, c < game->board.cells ? c : -1);
    }
}

/* A position set up by hand takes the komi that `start` takes, and in a game without komi 0 alone. */
static void check_set_up(const Game *game) {
    const uint8_t empty[HEXHEX_MAX_CELLS] = {0};
    GameState state;
    Error error;
    assert_true(game->rules->set_up(game, &state, empty, BLACK, 0, &error));
    assert_int_equal(game->rules->set_up(game, &state, empty, WHITE, 3, &error), game->has_points);
    if (!game->has_points)
        assert_non_null(strstr(error.text, "komi 3, expected 0"));
}

/* ---- Games ---- */

/* Plays a whole turn at random. Its text must be read as a turn that leads to the same position. */
static void play_turn(Pair *pair, Rng *rng) {
    GameState before, read;
    Action turn[GAME_TURN_MAX], parsed[GAME_TURN_MAX];
    char text[GAME_TEXT_MAX];
    int count = 0;
    game_copy(pair->game, &before, &pair->state);
    do {
        check_legal(pair);
        check_names(pair);
        check_stones(pair);
        check_points(pair);
        check_copy(pair);
        Rng same = *rng;
        const Action action = game_random_action(pair->game, &pair->state, rng);
        assert_int_equal(action, pair->legal[rng_below(&same, (uint32_t)pair->count)]);
        assert_memory_equal(rng, &same, sizeof same); /* the games of a seed depend on how many numbers are drawn */
        assert_true(count < GAME_TURN_MAX);
        turn[count++] = action;
        pair->rules->apply(pair->game, &pair->state, action);
        pair->rules->apply(pair->game, &pair->image, pair->rules->symmetry(pair->game, pair->map, action));
    } while (!pair->rules->over(&pair->state) && !pair->rules->turn_start(&pair->state));
    game_copy(pair->game, &read, &before);
    game_format_turn(pair->game, &read, turn, count, text);
    Error error;
    const int actions = pair->rules->parse(pair->game, &before, text, parsed, &error);
    if (actions < 1)
        fail_msg("%s: %s", text, error.text);
    for (int i = 0; i < actions; i++)
        pair->rules->apply(pair->game, &before, parsed[i]);
    assert_true(pair->rules->hash(&before) == pair->rules->hash(&pair->state));
}

/* Random games end. Playouts of a game that need not would hang. */
static void check_end(const Game *game, int komi, uint64_t seed) {
    Rng rng = rng_seed(seed);
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    int actions = 0;
    for (game->rules->start(game, &state, komi); !game->rules->over(&state); actions++) {
        if (actions == ACTIONS_MAX)
            fail_msg("%s on hexhex-%d: a random game goes on after %d actions", game->name, game->board.size, actions);
        const int count = game->rules->legal(game, &state, legal);
        game->rules->apply(game, &state, legal[rng_below(&rng, (uint32_t)count)]);
    }
}

static void play_game(const Game *game, int komi, uint64_t seed) {
    static Pair pair;
    Rng rng = rng_seed(seed);
    pair = (Pair){.game = game, .rules = game->rules, .komi = komi, .map = (int)rng_below(&rng, HEXHEX_SYMMETRIES)};
    GameState other;
    check_end(game, komi, seed);
    pair.rules->start(game, &pair.state, komi);
    pair.rules->start(game, &pair.image, komi);
    pair.rules->start(game, &other, game->has_points ? komi + 2 : komi);
    assert_true(pair.rules->hash(&other) == pair.rules->hash(&pair.state));
    for (int turns = 0; !pair.rules->over(&pair.state); turns++) {
        assert_true(pair.rules->turn_start(&pair.state));
        if (turns % PLAYED_APART == 0)
            check_playouts(&pair, seed + (uint64_t)turns);
        play_turn(&pair, &rng);
    }
    check_legal(&pair);
    check_stones(&pair);
    check_points(&pair);
}

static void play_games(GameOptions options) {
    Error error;
    for (options.size = HEXHEX_MIN_SIZE; options.size < HEXHEX_MIN_SIZE + SIZES; options.size++) {
        Game *game = game_new(&options, &error);
        if (!game)
            fail_msg("%s", error.text);
        check_numbers(game);
        check_set_up(game);
        for (int i = 0; i < GAMES; i++)
            play_game(game, game->has_points ? i - 1 : 0, (uint64_t)(100 * options.size + i));
        game_free(game);
    }
}

static void every_game_keeps_the_contract(void **unused) {
    (void)unused;
    GameOptions options = {.size = HEXHEX_MIN_SIZE};
    int largest, usual;
    for (int i = 0; (options.name = game_list(i, &largest, &usual)); i++) {
        bool captures;
        GamePie pie;
        game_variants(i, &captures, &pie);
        for (int variant = 0; variant < 4; variant++) {
            options.capture = !captures ? GAME_CAPTURE_DEFAULT : variant & 1 ? GAME_CAPTURE_LINE : GAME_CAPTURE_FREE;
            options.pie = pie == GAME_PIE_DEFAULT ? GAME_PIE_DEFAULT : variant & 2 ? GAME_PIE_ON : GAME_PIE_OFF;
            if ((captures || !(variant & 1)) && (pie != GAME_PIE_DEFAULT || !(variant & 2)))
                play_games(options);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_game_keeps_the_contract)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
