/* Tests of the rules of Stigmergy: the engine against the reference implementation, position by position.
 *
 * A Twin is one position held by both. `assert_same` compares everything that can be asked about it,
 * `assert_same_legal` the legal turns and their texts, and `assert_reads` the reading of good and bad texts. They are
 * called in every position of hexhex-2, reachable or not, with all its successors. They are also called at every ply of
 * random games at every size, from the start and from random stones. Then follow the facts of engine/docs/rules.md, the
 * symmetries of board and colours, and the playouts: at hexhex-2 against their exact expectations, on larger boards
 * against the known averages. */
#include "engine/base/rng.h"
#include "engine/game/game.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "tests/support/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLIES_MAX = 8192 }; /* limit for a game, checked by an assertion; no game comes close */

static Game *games[HEXHEX_MAX_SIZE + 1];

/* The coordinates of the engine's cells, found by their names. */
static int cell_q[HEXHEX_MAX_SIZE + 1][HEXHEX_MAX_CELLS], cell_r[HEXHEX_MAX_SIZE + 1][HEXHEX_MAX_CELLS];

static int make_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const GameOptions options = {.size = size};
        Error error;
        games[size] = game_new(&options, &error);
        if (games[size] == NULL) {
            print_error("%s\n", error.text);
            return -1;
        }
        for (int cell = 0; cell < games[size]->board.cells; cell++) {
            char name[HEXHEX_NAME_SIZE];
            hexhex_name(&games[size]->board, cell, name);
            if (!reference_find(size, name, &cell_q[size][cell], &cell_r[size][cell])) {
                return -1;
            }
        }
    }
    return 0;
}

static int free_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        game_free(games[size]);
    }
    return 0;
}

/* One position, held by the engine and by the reference. */
typedef struct Twin {
    const Game *game;
    GameState state;
    Reference reference;
} Twin;

/* What has been compared, for the report. */
static struct {
    long games, positions, texts;
    long neutral, fills, flips, passes, unanswered, buttons, buttons_with_choice;
} tally;

static char colour_of(Side side) {
    return side == BLACK ? 'B' : 'W';
}

static char stone_at(const Twin *twin, int cell) {
    return reference_stone(&twin->reference, cell_q[twin->game->board.size][cell],
                           cell_r[twin->game->board.size][cell]);
}

static char controller_of(const Twin *twin, int cell) {
    return reference_controller(&twin->reference, cell_q[twin->game->board.size][cell],
                                cell_r[twin->game->board.size][cell]);
}

static Action flip_of(const Game *game, int cell) {
    return (Action)(64 * game->board.words + cell);
}

static bool has_bit(const uint64_t *set, int bit) {
    return (set[bit / 64] >> (bit % 64) & 1) != 0;
}

static void twin_start(Twin *twin, int size, int komi) {
    memset(twin, 0, sizeof *twin);
    twin->game = games[size];
    twin->game->rules->start(twin->game, &twin->state, komi);
    reference_start(&twin->reference, size, komi);
}

/* A position with given stones, as for stigmergy_set_up. */
static void twin_set_up(Twin *twin, int size, const uint8_t *stones, Side side, int passes, int komi,
                        GameButton button) {
    memset(twin, 0, sizeof *twin);
    twin->game = games[size];
    stigmergy_set_up(twin->game, &twin->state, stones, side, passes, komi, button);
    reference_start(&twin->reference, size, komi);
    for (int cell = 0; cell < twin->game->board.cells; cell++) {
        twin->reference.stone[cell_q[size][cell] + REFERENCE_REACH][cell_r[size][cell] + REFERENCE_REACH] =
            ".BW"[stones[cell]];
    }
    twin->reference.side = colour_of(side);
    twin->reference.passes = passes;
    twin->reference.button = "-tBW"[button];
}

/* Applies a legal action to both. */
static void twin_apply(Twin *twin, Action action) {
    char text[GAME_TEXT_MAX];
    twin->game->rules->format(twin->game, &twin->state, action, text);
    twin->game->rules->apply(twin->game, &twin->state, action);
    assert_true(reference_apply(&twin->reference, text));
}

/* The hash of the same position set up from its stones. A finished game is set up as it was before its last pass. */
static uint64_t hash_from_scratch(const Twin *twin) {
    const GameRules *rules = twin->game->rules;
    const Reference *reference = &twin->reference;
    const bool over = reference_over(reference);
    const Side side = reference->side == 'B' ? BLACK : WHITE;
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    GameState fresh;
    for (int cell = 0; cell < twin->game->board.cells; cell++) {
        const char stone = stone_at(twin, cell);
        stones[cell] = stone == 'B' ? 1 : stone == 'W' ? 2 : 0;
    }
    const GameButton button = (GameButton)(strchr("-tBW", reference->button) - "-tBW");
    stigmergy_set_up(twin->game, &fresh, stones, over ? side_opponent(side) : side, over ? 1 : reference->passes,
                     reference->komi, button);
    if (over) {
        rules->apply(twin->game, &fresh, stigmergy_pass(twin->game->board.words));
    }
    return rules->hash(&fresh);
}

/* Compares stones and control, and checks that no cell has two owners. */
static void assert_same_board(const Twin *twin) {
    const uint64_t *control[2] = {stigmergy_control(twin->game, &twin->state, BLACK),
                                  stigmergy_control(twin->game, &twin->state, WHITE)};
    uint8_t stones[HEXHEX_MAX_CELLS];
    twin->game->rules->stones(twin->game, &twin->state, stones);
    for (int cell = 0; cell < twin->game->board.cells; cell++) {
        const char controller = controller_of(twin, cell);
        assert_int_equal(".BW"[stones[cell]], stone_at(twin, cell));
        assert_int_equal(has_bit(control[BLACK], cell), controller == 'B');
        assert_int_equal(has_bit(control[WHITE], cell), controller == 'W');
    }
    for (int bit = twin->game->board.cells; bit < 64 * twin->game->board.words; bit++) {
        assert_false(has_bit(control[BLACK], bit) || has_bit(control[WHITE], bit));
    }
}

/* Compares everything that can be asked about a position, except its legal turns. */
static void assert_same(const Twin *twin) {
    const GameRules *rules = twin->game->rules;
    const Reference *reference = &twin->reference;
    int cells[2];
    assert_same_board(twin);
    rules->board_score(twin->game, &twin->state, cells);
    assert_int_equal(cells[BLACK], reference_cells(reference, 'B'));
    assert_int_equal(cells[WHITE], reference_cells(reference, 'W'));

    const GameResult result = rules->result(twin->game, &twin->state);
    const bool over = reference_over(reference);
    assert_int_equal(result.half_points, reference_margin(reference));
    assert_int_equal(rules->over(&twin->state), over);
    assert_true(rules->turn_start(&twin->state));
    if (result.half_points != 0) {
        assert_int_equal(result.winner, result.half_points > 0 ? BLACK : WHITE);
    }
    if (!over) {
        assert_int_equal(colour_of(rules->to_move(&twin->state)), reference->side);
    }
    assert_int_equal(rules->hash(&twin->state), hash_from_scratch(twin));
    tally.positions++;
}

/* Compares the legal turns (both lists have the same order), and reads each text again. */
static int assert_same_legal(const Twin *twin, Action legal[GAME_LEGAL_MAX]) {
    const GameRules *rules = twin->game->rules;
    ReferenceTurn turns[REFERENCE_TURNS];
    const int count = rules->legal(twin->game, &twin->state, legal);
    assert_int_equal(count, reference_legal(&twin->reference, turns));
    assert_int_equal(count == 0, reference_over(&twin->reference)); /* a player who may move always has a turn */
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        Action turn[GAME_TURN_MAX];
        Error error;
        assert_true(i == 0 || legal[i - 1] < legal[i]);
        assert_true(legal[i] < 64 * twin->game->action_words);
        rules->format(twin->game, &twin->state, legal[i], text);
        assert_string_equal(text, turns[i].text);
        assert_int_equal(rules->parse(twin->game, &twin->state, text, turn, &error), 1);
        assert_int_equal(turn[0], legal[i]);
    }
    return count;
}

/* A rejected text does not change the position and leaves one line that says why. */
static void assert_refuses(Twin *twin, const char *text) {
    const GameState before = twin->state;
    Action turn[GAME_TURN_MAX];
    int count = 0;
    Error error = {.text = ""};
    assert_int_equal(twin->game->rules->parse(twin->game, &twin->state, text, turn, &error), -1);
    assert_in_range(strlen(error.text), 1, sizeof error.text - 1);
    assert_null(strpbrk(error.text, "\n\r"));
    error.text[0] = '\0';
    assert_false(game_play_text(twin->game, &twin->state, text, turn, &count, &error));
    assert_int_not_equal(error.text[0], '\0');
    assert_false(game_play_text(twin->game, &twin->state, text, NULL, NULL, NULL));
    assert_memory_equal(&before, &twin->state, sizeof before);
    tally.texts++;
}

static void assert_reads_as(Twin *twin, const char *text, Action action) {
    Action turn[GAME_TURN_MAX];
    Error error;
    assert_int_equal(twin->game->rules->parse(twin->game, &twin->state, text, turn, &error), 1);
    assert_int_equal(turn[0], action);
    tally.texts++;
}

/* Reads the name of each cell, with x and without, and the two other turns. A move onto an enemy stone may omit its
 * x. */
static void assert_reads(Twin *twin) {
    const Game *game = twin->game;
    for (int cell = 0; cell < game->board.cells; cell++) {
        char place[HEXHEX_NAME_SIZE], flip[HEXHEX_NAME_SIZE + 1];
        Reference after_place = twin->reference, after_flip = twin->reference;
        hexhex_name(&game->board, cell, place);
        snprintf(flip, sizeof flip, "%sx", place);
        const bool may_place = reference_apply(&after_place, place), may_flip = reference_apply(&after_flip, flip);
        assert_int_equal(game_is_legal(game, &twin->state, (Action)cell), may_place);
        assert_int_equal(game_is_legal(game, &twin->state, flip_of(game, cell)), may_flip);
        if (may_flip) {
            assert_reads_as(twin, flip, flip_of(game, cell));
            assert_reads_as(twin, place, flip_of(game, cell));
        } else {
            assert_refuses(twin, flip);
        }
        if (may_place) {
            assert_reads_as(twin, place, (Action)cell);
        } else if (!may_flip) {
            assert_refuses(twin, place);
        }
    }
    Reference after_pass = twin->reference, after_button = twin->reference;
    if (!reference_apply(&after_pass, "pass")) {
        assert_refuses(twin, "pass");
    }
    if (!reference_apply(&after_button, "take-button")) {
        assert_refuses(twin, "take-button");
    }
}

/* Random games. */

/* A way to play at random: the chances, in percent, to prefer each kind of action if there is one. */
typedef struct Style {
    uint32_t pass, button, flip, fill;
} Style;

static Style random_style(Rng *rng) {
    static const uint32_t pass[] = {0, 10, 60}, button[] = {0, 3, 100}, flip[] = {0, 0, 40}, fill[] = {0, 0, 30, 60};
    return (Style){pass[rng_below(rng, 3)], button[rng_below(rng, 3)], flip[rng_below(rng, 3)],
                   fill[rng_below(rng, 4)]};
}

/* Chooses among `count` legal actions. A pass or the button is the last of them, and is taken only if there is no
 * other. */
static Action choose(const Twin *twin, const Action *legal, int count, Style style, Rng *rng) {
    const Action pass = stigmergy_pass(twin->game->board.words), last = legal[count - 1];
    if (last >= pass) {
        if (count == 1 || rng_below(rng, 100) < (last == pass ? style.pass : style.button)) {
            return last;
        }
        count--;
    }
    const uint32_t roll = rng_below(rng, 100);
    const bool want_flip = roll < style.flip, want_fill = !want_flip && roll < style.flip + style.fill;
    Action wanted[GAME_LEGAL_MAX];
    int number = 0;
    for (int i = 0; i < count && (want_flip || want_fill); i++) {
        const bool flip = legal[i] >= flip_of(twin->game, 0);
        if (want_flip ? flip : !flip && controller_of(twin, legal[i]) == twin->reference.side) {
            wanted[number++] = legal[i];
        }
    }
    return number > 0 ? wanted[rng_below(rng, (uint32_t)number)] : legal[rng_below(rng, (uint32_t)count)];
}

/* Counts an action by its kind. */
static void count_action(const Twin *twin, Action action, int legal) {
    const Action pass = stigmergy_pass(twin->game->board.words);
    if (action > pass) {
        tally.buttons++;
        tally.buttons_with_choice += legal > 1;
    } else if (action == pass) {
        tally.passes++;
    } else if (action >= flip_of(twin->game, 0)) {
        tally.flips++;
    } else if (controller_of(twin, action) == twin->reference.side) {
        tally.fills++;
    } else {
        tally.neutral++;
    }
    tally.unanswered += action != pass && twin->reference.passes == 1;
}

/* Applies an action to both. Each flip makes more pairs of one colour see each other. */
static void play(Twin *twin, Action action) {
    const bool flip = action >= flip_of(twin->game, 0) && action < stigmergy_pass(twin->game->board.words);
    const int pairs = flip ? reference_pairs(&twin->reference) : 0;
    twin_apply(twin, action);
    assert_true(!flip || reference_pairs(&twin->reference) > pairs);
}

static int compare_hashes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void assert_distinct(uint64_t *hashes, size_t count) {
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t i = 1; i < count; i++) {
        assert_true(hashes[i - 1] != hashes[i]);
    }
}

/* The facts of engine/docs/rules.md about a finished game. */
static void assert_finished(const Twin *twin) {
    int cells[2];
    twin->game->rules->board_score(twin->game, &twin->state, cells);
    assert_int_equal(cells[BLACK] + cells[WHITE], twin->game->board.cells);
    const GameResult result = twin->game->rules->result(twin->game, &twin->state);
    assert_int_not_equal(result.half_points, 0);
    assert_int_equal(result.winner, result.half_points > 0 ? BLACK : WHITE);
    const bool taken = twin->reference.button == 'B' || twin->reference.button == 'W';
    assert_int_equal(result.half_points % 2 != 0, taken);
    assert_int_equal(taken, twin->reference.komi % 2 != 0);
}

/* Plays a position to the end at random and compares at every ply. No position occurs twice. */
static void play_to_the_end(Twin *twin, Style style, Rng *rng) {
    static uint64_t hashes[PLIES_MAX];
    Action legal[GAME_LEGAL_MAX];
    size_t plies = 0;
    for (;;) {
        assert_same(twin);
        const int count = assert_same_legal(twin, legal);
        if (rng_below(rng, 16) == 0) {
            assert_reads(twin);
        }
        assert_true(plies < PLIES_MAX);
        hashes[plies++] = twin->game->rules->hash(&twin->state);
        if (count == 0) {
            break;
        }
        const Action action = choose(twin, legal, count, style, rng);
        count_action(twin, action, count);
        play(twin, action);
    }
    assert_reads(twin);
    assert_finished(twin);
    assert_distinct(hashes, plies);
    tally.games++;
}

/* Even and odd, of both signs, and sometimes the largest possible. */
static int random_komi(Rng *rng) {
    return rng_below(rng, 10) == 0 ? (int)rng_below(rng, 2 * GAME_KOMI_LIMIT + 1) - GAME_KOMI_LIMIT
                                   : (int)rng_below(rng, 14) - 6;
}

/* Random stones. Each cell has one with the same random chance, and the colours have a random share. */
static void random_stones(const Game *game, uint8_t stones[HEXHEX_MAX_CELLS], Rng *rng) {
    const double density = rng_unit(rng), black = rng_below(rng, 2) == 0 ? 0.5 : rng_unit(rng);
    for (int cell = 0; cell < game->board.cells; cell++) {
        stones[cell] = rng_unit(rng) >= density ? 0 : rng_unit(rng) < black ? 1 : 2;
    }
}

static GameButton random_button(int komi, Rng *rng) {
    return komi % 2 == 0 ? BUTTON_NONE : (GameButton)(BUTTON_ON_TABLE + rng_below(rng, 3));
}

/* The number of games of a kind at each size. Each size takes about the same time: length times cost of a
 * comparison. */
static const int games_at[HEXHEX_MAX_SIZE + 1] = {0, 0, 1500, 600, 200, 100, 60, 40, 25, 20, 15};

static void report(const char *what) {
    print_message("%s: %ld games, %ld positions, %ld texts; %ld neutral cells, %ld fills, %ld flips, %ld passes "
                  "(%ld answered by a move), %ld buttons (%ld by choice)\n",
                  what, tally.games, tally.positions, tally.texts, tally.neutral, tally.fills, tally.flips,
                  tally.passes, tally.unanswered, tally.buttons, tally.buttons_with_choice);
    assert_true(tally.neutral > 0 && tally.fills > 0 && tally.flips > 0 && tally.unanswered > 0);
    assert_true(tally.passes > 2 * tally.games && tally.buttons_with_choice > 0);
    assert_true(tally.buttons > tally.buttons_with_choice);
    memset(&tally, 0, sizeof tally);
}

static void test_games_from_the_start(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        for (int i = 0; i < games_at[size]; i++) {
            Rng rng = rng_seed(rng_split((uint64_t)size, (uint64_t)i));
            Twin twin;
            twin_start(&twin, size, random_komi(&rng));
            play_to_the_end(&twin, random_style(&rng), &rng);
        }
    }
    report("from the start");
}

static void test_games_from_random_stones(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        for (int i = 0; i < 2 * games_at[size]; i++) {
            Rng rng = rng_seed(rng_split((uint64_t)(100 + size), (uint64_t)i));
            const int komi = random_komi(&rng);
            uint8_t stones[HEXHEX_MAX_CELLS];
            Twin twin;
            random_stones(games[size], stones, &rng);
            twin_set_up(&twin, size, stones, (Side)rng_below(&rng, 2), 0, komi, random_button(komi, &rng));
            play_to_the_end(&twin, random_style(&rng), &rng);
        }
    }
    report("from random stones");
}

/* All of hexhex-2. */

enum { HEXHEX_2_BOARDS = 2187 }; /* 3^7 */

/* The board whose cells, 0 1 2, are the digits of `code` to base 3. */
static void stones_of(int code, uint8_t stones[HEXHEX_MAX_CELLS]) {
    for (int cell = 0; cell < 7; cell++, code /= 3) {
        stones[cell] = (uint8_t)(code % 3);
    }
}

/* One position, with all its successors. */
static void check_with_successors(Twin *twin) {
    Action legal[GAME_LEGAL_MAX], further[GAME_LEGAL_MAX];
    assert_same(twin);
    assert_reads(twin);
    const int count = assert_same_legal(twin, legal);
    for (int i = 0; i < count; i++) {
        Twin next = *twin;
        play(&next, legal[i]);
        assert_same(&next);
        assert_same_legal(&next, further);
        assert_true(next.game->rules->hash(&next.state) != twin->game->rules->hash(&twin->state));
    }
}

/* Every board, side, number of passes and place of the button. All their hashes differ. */
static void test_every_position_of_hexhex_2(void **unused) {
    (void)unused;
    static uint64_t hashes[HEXHEX_2_BOARDS * 14];
    size_t count = 0;
    for (int code = 0; code < HEXHEX_2_BOARDS; code++) {
        for (int variant = 0; variant < 16; variant++) {
            const GameButton button = (GameButton)(variant / 4);
            const int passes = variant / 2 % 2, komi = button == BUTTON_NONE ? code % 5 * 2 - 4 : code % 5 * 2 - 5;
            uint8_t stones[HEXHEX_MAX_CELLS];
            Twin twin;
            if (button == BUTTON_ON_TABLE && passes == 1) {
                continue; /* impossible: no pass is legal while the button lies on the table */
            }
            stones_of(code, stones);
            twin_set_up(&twin, 2, stones, variant % 2, passes, komi, button);
            check_with_successors(&twin);
            hashes[count++] = twin.game->rules->hash(&twin.state);
        }
    }
    assert_int_equal(count, HEXHEX_2_BOARDS * 14);
    assert_distinct(hashes, count);
    print_message("hexhex-2: %zu positions with their successors, %ld compared, %ld texts\n", count, tally.positions,
                  tally.texts);
    memset(&tally, 0, sizeof tally);
}

/* Boards with one or two stones all have different hashes, at every size. Komi is not part of the hash. */
static void test_hashes_differ(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const Game *game = games[size];
        const int stones_of_two_colours = 2 * game->board.cells;
        uint64_t *hashes = malloc((size_t)(stones_of_two_colours * stones_of_two_colours) * sizeof *hashes);
        size_t count = 0;
        assert_non_null(hashes);
        for (int a = 0; a < stones_of_two_colours; a++) {
            for (int b = a; b < stones_of_two_colours; b++) {
                uint8_t stones[HEXHEX_MAX_CELLS] = {0};
                GameState state;
                if (a != b && a / 2 == b / 2) {
                    continue; /* two colours on one cell */
                }
                stones[a / 2] = (uint8_t)(1 + a % 2);
                stones[b / 2] = (uint8_t)(1 + b % 2);
                stigmergy_set_up(game, &state, stones, BLACK, 0, 2 * (b % 3), BUTTON_NONE);
                hashes[count++] = game->rules->hash(&state);
            }
        }
        assert_distinct(hashes, count);
        free(hashes);
    }
}

/* Positions by hand. */

static void play_text(Twin *twin, const char *texts) {
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", texts);
    for (char *text = strtok_r(copy, " ", &rest); text != NULL; text = strtok_r(NULL, " ", &rest)) {
        Error error;
        if (!game_play_text(twin->game, &twin->state, text, NULL, NULL, &error)) {
            fail_msg("%s: %s", text, error.text);
        }
        assert_true(reference_apply(&twin->reference, text));
    }
}

static void test_start(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        for (int komi = -7; komi <= 7; komi++) {
            Action legal[GAME_LEGAL_MAX];
            Twin twin;
            twin_start(&twin, size, komi);
            assert_same(&twin);
            assert_int_equal(assert_same_legal(&twin, legal), twin.game->board.cells + (komi % 2 != 0));
            assert_int_equal(twin.game->rules->to_move(&twin.state), BLACK);
            assert_int_equal(twin.game->rules->result(twin.game, &twin.state).half_points, -2 * komi);
            assert_refuses(&twin, "pass");
        }
    }
}

/* Two of three at a corner, three of four at an edge, four of six inside. */
static void test_control_by_hand(void **unused) {
    (void)unused;
    Twin twin;
    twin_start(&twin, 3, 0);
    play_text(&twin, "a3 c4 c1"); /* the corner a1 sees a3 and c1 */
    assert_refuses(&twin, "a1");
    assert_refuses(&twin, "a1x");
    play_text(&twin, "d2 c5 c3"); /* c3 sees c1 and a3, but not c5 behind c4: two of six, so White may enter */
    assert_same(&twin);

    twin_start(&twin, 3, 0);
    play_text(&twin, "c1 a1 a3"); /* White stands on the corner a1, which sees c1 and a3 */
    assert_refuses(&twin, "c1x");
    play_text(&twin, "d2 a1x");
    assert_same(&twin);

    twin_start(&twin, 3, 0);
    play_text(&twin, "a1 d2 a3 d3 c1"); /* the edge cell a2 sees a1 and a3, two of four: no control yet */
    assert_reads_as(&twin, "a2", 17);
    play_text(&twin, "d4 b2"); /* now three */
    assert_refuses(&twin, "a2");
    play_text(&twin, "d1 a2"); /* its own side may fill it */
    assert_same(&twin);
}

static void test_button_by_hand(void **unused) {
    (void)unused;
    for (int komi = -3; komi <= 3; komi += 2) {
        Twin twin;
        twin_start(&twin, 2, komi);
        play_text(&twin, "b2 take-button");
        assert_refuses(&twin, "take-button");
        assert_int_equal(twin.game->rules->result(twin.game, &twin.state).half_points, 2 * 1 - 2 * komi - 1);
        assert_same(&twin);
    }
    for (int komi = -4; komi <= 4; komi += 2) {
        Twin twin;
        twin_start(&twin, 2, komi);
        assert_refuses(&twin, "take-button");
    }
}

static void test_nonsense_is_refused(void **unused) {
    (void)unused;
    static const char *const nonsense[] = {
        "",        " ",         "c",         "3",      "c0",           "c-1",      "c99",         "c3xx",   "c3xc3",
        "c3 x",    "c3c3",      "c3,c3",     "c3,b1",  "c3 b1",        "cx",       "x",           "xc3",    "c3y",
        "c33",     "c3x3",      "c3\nx",     "c3!",    "z1",           "t1",       "ab",          "passs",  "pas",
        "pass c3", "pass,pass", "passx",     "take",   "take-buttons", "button",   "take-",       "-",      ",",
        "c3;",     "\xff\xfe",  "c\xc2\xb3", "%s%s%n", "\n",           "c3\r\nd4", "a4294967297", "resign", "swap",
        "c3,",     ",c3",       "c+3",       "c 3",    "c3.0",         "0",        "take_button", "a1>a2",  "c3\tx"};
    char *const endless = malloc(100001);
    assert_non_null(endless);
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        for (int komi = 0; komi <= 1; komi++) {
            Twin twin;
            twin_start(&twin, size, komi);
            for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
                assert_refuses(&twin, nonsense[i]);
            }
            static const char *const beginnings[] = {"", "c3", "c3x", "pass", "take-button", "a1,", "a"};
            for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
                memset(endless, i % 2 == 0 ? '1' : 'x', 100000);
                memcpy(endless, beginnings[i], strlen(beginnings[i]));
                endless[100000] = '\0';
                assert_refuses(&twin, endless);
            }
        }
    }
    free(endless);
    memset(&tally, 0, sizeof tally);
}

/* Symmetries of board and colours. */

static int compare_actions(const void *a, const void *b) {
    return *(const Action *)a - *(const Action *)b;
}

/* Checks that `image` is the image of `state` under a map: legal actions, control, score, static evaluation. */
static void assert_image(const Game *game, int map, const GameState *state, const GameState *image) {
    Action legal[GAME_LEGAL_MAX], of_image[GAME_LEGAL_MAX];
    int cells[2], cells_of_image[2];
    const int count = game->rules->legal(game, state, legal);
    assert_int_equal(game->rules->legal(game, image, of_image), count);
    for (int i = 0; i < count; i++) {
        legal[i] = game->rules->symmetry(game, map, legal[i]);
    }
    qsort(legal, (size_t)count, sizeof *legal, compare_actions);
    for (int i = 0; i < count; i++) {
        assert_int_equal(legal[i], of_image[i]);
    }
    for (Side side = BLACK; side <= WHITE; side++) {
        for (int cell = 0; cell < game->board.cells; cell++) {
            assert_int_equal(has_bit(stigmergy_control(game, state, side), cell),
                             has_bit(stigmergy_control(game, image, side), game->board.symmetry[map][cell]));
        }
    }
    assert_true(game->rules->static_eval(game, state) == game->rules->static_eval(game, image));
    game->rules->board_score(game, state, cells);
    game->rules->board_score(game, image, cells_of_image);
    assert_memory_equal(cells, cells_of_image, sizeof cells);
    assert_int_equal(game->rules->result(game, state).half_points, game->rules->result(game, image).half_points);
}

/* A random game and its image in step. */
static void play_with_image(const Game *game, int map, int komi, Rng *rng) {
    GameState state, image;
    Action legal[GAME_LEGAL_MAX];
    int count;
    game->rules->start(game, &state, komi);
    game->rules->start(game, &image, komi);
    while ((count = game->rules->legal(game, &state, legal)) > 0) {
        const Action action = legal[rng_below(rng, (uint32_t)count)];
        assert_image(game, map, &state, &image);
        game->rules->apply(game, &state, action);
        game->rules->apply(game, &image, game->rules->symmetry(game, map, action));
    }
    assert_true(game->rules->over(&image));
    assert_image(game, map, &state, &image);
}

static void test_symmetries(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const Game *game = games[size];
        const Action pass = stigmergy_pass(game->board.words), button = stigmergy_take_button(game->board.words);
        Rng rng = rng_seed((uint64_t)(200 + size));
        for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
            assert_int_equal(game->rules->symmetry(game, map, pass), pass);
            assert_int_equal(game->rules->symmetry(game, map, button), button);
            for (int cell = 0; cell < game->board.cells; cell++) {
                const int to = game->board.symmetry[map][cell];
                assert_int_equal(game->rules->symmetry(game, map, (Action)cell), to);
                assert_int_equal(game->rules->symmetry(game, map, flip_of(game, cell)), flip_of(game, to));
            }
            for (int i = 0; i < 1 + 40 / size; i++) {
                play_with_image(game, map, i - 2, &rng);
            }
        }
    }
}

/* A position with colours, sides and the sign of komi exchanged has the same actions. Its margin and static evaluation
 * are negated. */
static void assert_swapped(const Game *game, const GameState *state, const GameState *swapped) {
    Action legal[GAME_LEGAL_MAX], of_swapped[GAME_LEGAL_MAX];
    int cells[2], of_other[2];
    const int count = game->rules->legal(game, state, legal);
    assert_int_equal(game->rules->legal(game, swapped, of_swapped), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(legal[i], of_swapped[i]);
    }
    assert_int_equal(game->rules->to_move(state), side_opponent(game->rules->to_move(swapped)));
    assert_int_equal(game->rules->result(game, state).half_points, -game->rules->result(game, swapped).half_points);
    assert_true(game->rules->static_eval(game, state) == -game->rules->static_eval(game, swapped));
    game->rules->board_score(game, state, cells);
    game->rules->board_score(game, swapped, of_other);
    assert_true(cells[BLACK] == of_other[WHITE] && cells[WHITE] == of_other[BLACK]);
}

static void test_colours_swapped(void **unused) {
    (void)unused;
    static const GameButton exchanged[] = {BUTTON_NONE, BUTTON_ON_TABLE, BUTTON_WHITE, BUTTON_BLACK};
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        const Game *game = games[size];
        Rng rng = rng_seed((uint64_t)(300 + size));
        for (int i = 0; i < 400 / size; i++) {
            uint8_t stones[HEXHEX_MAX_CELLS], other[HEXHEX_MAX_CELLS];
            const int komi = random_komi(&rng);
            const GameButton button = random_button(komi, &rng);
            GameState state, swapped;
            Action legal[GAME_LEGAL_MAX];
            int count;
            random_stones(game, stones, &rng);
            for (int cell = 0; cell < game->board.cells; cell++) {
                other[cell] = (uint8_t)((3 - stones[cell]) % 3);
            }
            stigmergy_set_up(game, &state, stones, BLACK, 0, komi, button);
            stigmergy_set_up(game, &swapped, other, WHITE, 0, -komi, exchanged[button]);
            while ((count = game->rules->legal(game, &state, legal)) > 0) {
                const Action action = legal[rng_below(&rng, (uint32_t)count)];
                assert_swapped(game, &state, &swapped);
                game->rules->apply(game, &state, action);
                game->rules->apply(game, &swapped, action);
            }
            assert_true(game->rules->over(&swapped));
            assert_swapped(game, &state, &swapped);
        }
    }
}

/* Playouts. */

/* The averages of uniform play on hexhex-2, in the terms of PlayoutResult. */
enum { LENGTH, MARGIN, OWNED, PLACED = OWNED + 7, BUTTON_TAKEN = PLACED + 14, FEATURES = BUTTON_TAKEN + 2 };

typedef struct Expectation {
    bool known;
    double value[FEATURES];
} Expectation;

/* Indexed by board, side, passes and button, for one komi and its negative. */
static Expectation expectations[HEXHEX_2_BOARDS * 16];

static size_t expectation_index(const Reference *reference) {
    size_t index = 0;
    for (int cell = 6; cell >= 0; cell--) {
        const char stone = reference_stone(reference, cell_q[2][cell], cell_r[2][cell]);
        index = 3 * index + (stone == 'B' ? 1 : stone == 'W' ? 2 : 0);
    }
    return ((index * 2 + (reference->side == 'W')) * 2 + (size_t)reference->passes) * 4 +
           (size_t)(strchr("-tBW", reference->button) - "-tBW");
}

/* The value of a finished game. */
static void expect_end(const Reference *reference, double value[FEATURES]) {
    value[MARGIN] = reference_margin(reference);
    for (int cell = 0; cell < 7; cell++) {
        const int q = cell_q[2][cell], r = cell_r[2][cell];
        const char stone = reference_stone(reference, q, r);
        value[OWNED + cell] = (stone == '.' ? reference_controller(reference, q, r) : stone) == 'B';
    }
}

/* Adds what a turn itself counts. A cell is filled at most once in a game, so the expected number of placements is the
 * probability of one. */
static void expect_turn(char side, const char *text, double share, double value[FEATURES]) {
    const int player = side == 'W';
    value[LENGTH] += share;
    if (strcmp(text, "take-button") == 0) {
        value[BUTTON_TAKEN + player] += share;
    } else if (strlen(text) == 2) { /* neither a flip nor a pass */
        int cell = 0;
        while (strcmp(reference_name(2, cell_q[2][cell], cell_r[2][cell]).text, text) != 0) {
            cell++;
        }
        value[PLACED + 7 * player + cell] += share;
    }
}

/* The exact expectation, by the reference, of uniform play that passes only if there is nothing else. */
static void expect(const Reference *reference, double value[FEATURES]) {
    ReferenceTurn turns[REFERENCE_TURNS];
    int count = reference_legal(reference, turns);
    memset(value, 0, FEATURES * sizeof *value);
    if (count == 0) {
        expect_end(reference, value);
        return;
    }
    Expectation *stored = &expectations[expectation_index(reference)];
    if (!stored->known) {
        if (count > 1 && strcmp(turns[count - 1].text, "pass") == 0) {
            count--;
        }
        for (int i = 0; i < count; i++) {
            Reference next = *reference;
            double after[FEATURES];
            reference_apply(&next, turns[i].text);
            expect(&next, after);
            for (int f = 0; f < FEATURES; f++) {
                stored->value[f] += after[f] / count;
            }
            expect_turn(reference->side, turns[i].text, 1.0 / count, stored->value);
        }
        stored->known = true;
    }
    memcpy(value, stored->value, sizeof stored->value);
}

/* A batch of playouts from one position. The caller frees it. */
static PlayoutResult *playouts(const Game *game, const GameState *state, int count, PlayoutPolicy policy,
                               uint64_t seed) {
    PlayoutResult *results = calloc((size_t)count, sizeof *results);
    uint64_t *seeds = calloc((size_t)count, sizeof *seeds);
    const GameState **states = calloc((size_t)count, sizeof *states);
    assert_true(results != NULL && seeds != NULL && states != NULL);
    for (int i = 0; i < count; i++) {
        seeds[i] = rng_split(seed, (uint64_t)i);
        states[i] = state;
    }
    game->rules->playouts(game, states, seeds, count, policy, results);
    free(states);
    free(seeds);
    return results;
}

/* The features of a playout on hexhex-2, in the terms of its expectation. */
static void features_of(const Game *game, const PlayoutResult *result, double value[FEATURES]) {
    value[LENGTH] = result->length;
    value[MARGIN] = result->half_points;
    for (int cell = 0; cell < 7; cell++) {
        value[OWNED + cell] = has_bit(result->black_owns, cell);
        value[PLACED + cell] = has_bit(result->played[BLACK], cell);
        value[PLACED + 7 + cell] = has_bit(result->played[WHITE], cell);
    }
    const Action button = stigmergy_take_button(game->board.words);
    value[BUTTON_TAKEN] = has_bit(result->played[BLACK], button);
    value[BUTTON_TAKEN + 1] = has_bit(result->played[WHITE], button);
}

/* Compares playouts from a position of hexhex-2 with their expectation. All must be within five standard errors. */
static void assert_as_expected(const Twin *twin, int count, uint64_t seed) {
    double expected[FEATURES], sum[FEATURES] = {0}, squares[FEATURES] = {0};
    PlayoutResult *results = playouts(twin->game, &twin->state, count, PLAYOUT_UNIFORM, seed);
    expect(&twin->reference, expected);
    for (int i = 0; i < count; i++) {
        double value[FEATURES];
        features_of(twin->game, &results[i], value);
        for (int f = 0; f < FEATURES; f++) {
            sum[f] += value[f];
            squares[f] += value[f] * value[f];
        }
    }
    for (int f = 0; f < FEATURES; f++) {
        const double mean = sum[f] / count, variance = fmax(0, squares[f] / count - mean * mean);
        const double off = fabs(mean - expected[f]), tolerance = 5 * sqrt(variance / count) + 6.0 / count;
        if (off > tolerance) {
            fail_msg("feature %d: mean %.5f, expected %.5f, tolerance %.5f", f, mean, expected[f], tolerance);
        }
    }
    free(results);
}

/* The game of a size with the playout kernel of this name, to be freed. */
static Game *game_with_kernel(int size, const char *kernel) {
    Error error;
    Game *game = game_new(&(GameOptions){.size = size, .kernel = kernel}, &error);
    if (game == NULL) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(game->kernel, kernel);
    return game;
}

/* Uses the plain kernel. The other kernels are then compared with it. */
static void test_playouts_of_hexhex_2(void **unused) {
    (void)unused;
    Game *plain = game_with_kernel(2, stigmergy_kernels[0]->name);
    for (int komi = -3; komi <= 3; komi++) {
        Rng rng = rng_seed((uint64_t)(400 + komi));
        Twin twin;
        memset(expectations, 0, sizeof expectations);
        twin_start(&twin, 2, komi);
        twin.game = plain;
        assert_as_expected(&twin, 100000, rng_next(&rng));
        for (int i = 0; i < 200; i++) {
            uint8_t stones[HEXHEX_MAX_CELLS];
            const GameButton button = random_button(komi, &rng);
            const int passes = button == BUTTON_ON_TABLE ? 0 : (int)rng_below(&rng, 2);
            random_stones(games[2], stones, &rng);
            twin_set_up(&twin, 2, stones, (Side)rng_below(&rng, 2), passes, komi, button);
            twin.game = plain;
            assert_as_expected(&twin, 1000, rng_next(&rng));
        }
    }
    game_free(plain);
}

static void test_komi_of_a_set_up_position(void **unused) {
    (void)unused;
    const uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    const Game *game = games[4];
    GameState state;
    Error error;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(game->rules->set_up(game, &state, stones, BLACK, sign * GAME_KOMI_LIMIT, &error));
        assert_int_equal(game->rules->komi(&state), sign * GAME_KOMI_LIMIT);
        assert_false(game->rules->set_up(game, &state, stones, BLACK, sign * (GAME_KOMI_LIMIT + 1), &error));
        assert_non_null(strstr(error.text, "expected -542 to 542"));
    }
}

static int bits_in(const uint64_t *set, int from, int to) {
    int count = 0;
    for (int bit = from; bit < to; bit++) {
        count += has_bit(set, bit);
    }
    return count;
}

/* Checks that a playout from a position fits together. Owners and margin agree, each side's moves were possible, a
 * player who placed a stone found the cell empty, and the button was taken once. Passes are not recorded. */
static void assert_sound(const Twin *twin, const PlayoutResult *result) {
    const Game *game = twin->game;
    const int cells = game->board.cells, flips = 64 * game->board.words, black = bits_in(result->black_owns, 0, cells);
    const Action pass = stigmergy_pass(game->board.words), button = stigmergy_take_button(game->board.words);
    const uint64_t *const *played = (const uint64_t *const[]){result->played[BLACK], result->played[WHITE]};
    int placements = 0, different = 0;
    for (int cell = 0; cell < cells; cell++) {
        const bool by_black = has_bit(played[BLACK], cell), by_white = has_bit(played[WHITE], cell);
        assert_false(by_black && by_white);
        assert_true(stone_at(twin, cell) == '.' || (!by_black && !by_white));
        placements += by_black || by_white;
    }
    for (Side side = BLACK; side <= WHITE; side++) {
        different += bits_in(played[side], 0, 64 * game->action_words);
        assert_int_equal(bits_in(played[side], cells, flips) + bits_in(played[side], flips + cells, pass), 0);
        assert_false(has_bit(played[side], pass)); /* never recorded */
    }
    assert_in_range(result->length, different, PLIES_MAX);
    const bool by_black = has_bit(played[BLACK], button), by_white = has_bit(played[WHITE], button);
    const bool lies_there = twin->reference.button == 't';
    assert_int_equal(by_black + by_white, lies_there);
    const char holder = lies_there ? (by_black ? 'B' : 'W') : twin->reference.button;
    const int half_points = holder == 'B' ? 1 : holder == 'W' ? -1 : 0;
    assert_int_equal(result->half_points, 2 * (2 * black - cells) - 2 * twin->reference.komi + half_points);
    assert_int_equal(bits_in(result->black_owns, cells, 64 * game->board.words), 0);
    assert_true(placements <= cells);
}

static void test_playouts_are_sound(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Rng rng = rng_seed((uint64_t)(500 + size));
        for (int i = 0; i < 40; i++) {
            uint8_t stones[HEXHEX_MAX_CELLS];
            const int komi = random_komi(&rng);
            Twin twin;
            random_stones(games[size], stones, &rng);
            twin_set_up(&twin, size, stones, (Side)rng_below(&rng, 2), 0, komi, random_button(komi, &rng));
            for (PlayoutPolicy policy = PLAYOUT_UNIFORM; policy <= PLAYOUT_TACTICAL; policy++) {
                PlayoutResult *results = playouts(twin.game, &twin.state, 20, policy, rng_next(&rng));
                for (int k = 0; k < 20; k++) {
                    assert_sound(&twin, &results[k]);
                }
                free(results);
            }
        }
    }
}

enum { BATCH_MAX = 37 };

/* Positions of one size and seeds for a playout from each. */
typedef struct Batch {
    GameState positions[BATCH_MAX];
    const GameState *states[BATCH_MAX];
    uint64_t seeds[BATCH_MAX];
} Batch;

static void random_batch(const Game *game, Batch *batch, Rng *rng) {
    for (int i = 0; i < BATCH_MAX; i++) {
        uint8_t stones[HEXHEX_MAX_CELLS];
        const int komi = random_komi(rng);
        const GameButton button = random_button(komi, rng);
        const int passes = button == BUTTON_ON_TABLE ? 0 : (int)rng_below(rng, 2);
        random_stones(game, stones, rng);
        stigmergy_set_up(game, &batch->positions[i], stones, (Side)rng_below(rng, 2), passes, komi, button);
        batch->states[i] = &batch->positions[i];
        batch->seeds[i] = rng_next(rng);
    }
}

/* Checks that batches of any size, by one kernel, hold the same playouts as another kernel makes one by one. */
static void assert_same_playouts(const Game *game, const Game *one_by_one, const Batch *batch, PlayoutPolicy policy) {
    for (int count = 1; count <= BATCH_MAX; count += 1 + count / 3) {
        PlayoutResult together[BATCH_MAX], alone;
        memset(together, 0, sizeof together);
        game->rules->playouts(game, batch->states, batch->seeds, count, policy, together);
        for (int i = 0; i < count; i++) {
            memset(&alone, 0, sizeof alone);
            one_by_one->rules->playouts(one_by_one, &batch->states[i], &batch->seeds[i], 1, policy, &alone);
            assert_memory_equal(&alone, &together[i], sizeof alone);
        }
    }
}

/* A playout is the same alone and in a batch with others, and the same with every kernel as with the plain one. */
static void test_playouts_alone_and_together(void **unused) {
    (void)unused;
    static Batch batch;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Rng rng = rng_seed((uint64_t)(600 + size));
        Game *plain = game_with_kernel(size, stigmergy_kernels[0]->name);
        for (int k = 0; stigmergy_kernels[k] != NULL; k++) {
            const StigmergyKernel *kernel = stigmergy_kernels[k];
            if (!kernel->runs_here()) {
                continue;
            }
            Game *game = game_with_kernel(size, kernel->name);
            for (int i = 0; i < 4; i++) {
                random_batch(game, &batch, &rng);
                assert_same_playouts(game, plain, &batch, PLAYOUT_UNIFORM);
                assert_same_playouts(game, plain, &batch, PLAYOUT_LIGHT);
                assert_same_playouts(game, plain, &batch, PLAYOUT_TACTICAL);
            }
            game_free(game);
        }
        game_free(plain);
    }
}

/* Averages. */

typedef struct Average {
    double sum, squares;
    int count;
} Average;

static void average_add(Average *average, double value) {
    average->sum += value;
    average->squares += value * value;
    average->count++;
}

static double mean_of(const Average *average) {
    return average->sum / average->count;
}

/* The square of the standard error of the mean. */
static double error2_of(const Average *average) {
    const double mean = mean_of(average);
    return (average->squares / average->count - mean * mean) / average->count;
}

/* A uniform game that passes only if there is nothing else, action by action: its length, flips and margin. */
static void uniform_game(const Game *game, Rng *rng, Average *length, Average *flips, Average *margin) {
    const Action pass = stigmergy_pass(game->board.words);
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    int count, plies = 0, flipped = 0;
    game->rules->start(game, &state, 0);
    for (; (count = game->rules->legal(game, &state, legal)) > 0; plies++) {
        count -= count > 1 && legal[count - 1] == pass;
        const Action action = legal[rng_below(rng, (uint32_t)count)];
        flipped += action >= flip_of(game, 0) && action < pass;
        game->rules->apply(game, &state, action);
    }
    average_add(length, plies);
    average_add(flips, flipped);
    average_add(margin, game->rules->result(game, &state).half_points / 2.0);
}

/* The facts of engine/docs/rules.md: the lengths to the digits given there, one flip in about 8 plies, Black ahead by
 * about 1 point. Playouts and games played action by action agree. */
static void test_averages_of_playouts(void **unused) {
    (void)unused;
    static const struct {
        int size, games;
        double length, rounding;
    } known[] = {{3, 8000, 26.5, 0.05}, {5, 3000, 77, 0.5}, {8, 1000, 204, 0.5}, {10, 600, 322, 0.5}};
    enum { PLAYOUTS = 10000 };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const Game *game = games[known[k].size];
        Rng rng = rng_seed(700 + k);
        Average length = {0}, flips = {0}, margin = {0}, playout_length = {0}, playout_margin = {0};
        for (int i = 0; i < known[k].games; i++) {
            uniform_game(game, &rng, &length, &flips, &margin);
        }
        GameState start;
        game->rules->start(game, &start, 0);
        PlayoutResult *results = playouts(game, &start, PLAYOUTS, PLAYOUT_UNIFORM, rng_next(&rng));
        for (int i = 0; i < PLAYOUTS; i++) {
            average_add(&playout_length, results[i].length);
            average_add(&playout_margin, results[i].half_points / 2.0);
        }
        free(results);
        const double ahead = mean_of(&playout_margin), share = mean_of(&flips) / mean_of(&length);
        print_message("hexhex-%d: playouts %.2f plies, Black %.2f ahead; games %.2f plies, Black %.2f ahead, flips "
                      "%.3f\n",
                      known[k].size, mean_of(&playout_length), ahead, mean_of(&length), mean_of(&margin), share);
        assert_true(fabs(mean_of(&playout_length) - known[k].length) <
                    known[k].rounding + 4 * sqrt(error2_of(&playout_length)));
        assert_true(fabs(ahead - 1) < 0.5 + 4 * sqrt(error2_of(&playout_margin)));
        assert_true(fabs(share - 1.0 / 8) < 0.02);
        assert_true(fabs(mean_of(&length) - mean_of(&playout_length)) <
                    4 * sqrt(error2_of(&length) + error2_of(&playout_length)));
        assert_true(fabs(mean_of(&margin) - ahead) < 4 * sqrt(error2_of(&margin) + error2_of(&playout_margin)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_control_by_hand),
        cmocka_unit_test(test_button_by_hand),
        cmocka_unit_test(test_komi_of_a_set_up_position),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_every_position_of_hexhex_2),
        cmocka_unit_test(test_games_from_the_start),
        cmocka_unit_test(test_games_from_random_stones),
        cmocka_unit_test(test_hashes_differ),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_colours_swapped),
        cmocka_unit_test(test_playouts_of_hexhex_2),
        cmocka_unit_test(test_playouts_are_sound),
        cmocka_unit_test(test_playouts_alone_and_together),
        cmocka_unit_test(test_averages_of_playouts),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
