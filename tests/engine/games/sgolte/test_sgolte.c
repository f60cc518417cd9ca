/* Tests of the rules of Sgolte: the engine against the reference implementation, action by action.
 *
 * A Twin is one position held by both. `assert_same` compares stones, stage and the legal actions. (Both find the
 * actions from which the turn can be completed, in quite different ways.) It is called at every action of random games
 * at every size with both rules of capture. On small boards the test tries all subsets: the sets of captured and
 * re-placed stones that the stages can produce must be the set forms of engine/docs/rules.md. (test_sgolte_room.c does
 * the same for the searches behind them.) Then follow the facts of engine/docs/rules.md, hashes, symmetries, the swap,
 * text, and playouts, which are played again with the game interface alone. At hexhex-2 their averages are known
 * exactly. */
#include "engine/base/rng.h"
#include "engine/game/game.h"
#include "engine/game/perft.h"
#include "engine/games/registry.h"
#include "engine/games/sgolte/sgolte.h"
#include "tests/support/same_playout.h"
#include "tests/support/sgolte_reference.h"
#include "tests/support/wander.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = SGOLTE_REFERENCE_CELLS, ACTIONS_MAX = 4096 };

static Game *games[SGOLTE_MAX_SIZE + 1][2]; /* by size and capture=line, with the pie rule */

static int make_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= SGOLTE_MAX_SIZE; size++) {
        for (int line = 0; line < 2; line++) {
            Error error;
            games[size][line] = game_new(&(GameOptions){.name = "sgolte",
                                                        .size = size,
                                                        .capture = line ? GAME_CAPTURE_LINE : GAME_CAPTURE_DEFAULT},
                                         &error);
            if (games[size][line] == NULL) {
                print_error("%s\n", error.text);
                return -1;
            }
        }
    }
    return 0;
}

static int free_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= SGOLTE_MAX_SIZE; size++) {
        game_free(games[size][0]);
        game_free(games[size][1]);
    }
    return 0;
}

static Game *new_game(int size, GamePie pie) {
    Game *game = game_new(&(GameOptions){.name = "sgolte", .size = size, .pie = pie}, NULL);
    assert_non_null(game);
    return game;
}

static int words_of(const Game *game) {
    return game->board.words;
}

static int stage_of(const GameState *state) {
    return ((const SgolteState *)state)->turn.stage;
}

/* ---- Both at once ---- */

typedef struct Twin {
    const Game *game;
    GameState state;
    SgolteReference reference;
} Twin;

static void twin_start(Twin *twin, int size, bool line) {
    memset(twin, 0, sizeof *twin);
    twin->game = games[size][line];
    twin->game->rules->start(twin->game, &twin->state, 0);
    sgolte_reference_start(&twin->reference, size, line, true);
}

/* Sets up a position from stones by cell (0, 1, 2), with Black to move. */
static void twin_set_up(Twin *twin, int size, bool line, const uint8_t stones[HEXHEX_MAX_CELLS]) {
    twin_start(twin, size, line);
    twin->reference.pie = false;
    assert_true(twin->game->rules->set_up(twin->game, &twin->state, stones, BLACK, 0, NULL));
    int count = 0;
    for (int cell = 0; cell < twin->reference.cells; cell++) {
        twin->reference.stone[cell] = ".BW"[stones[cell]];
        count += stones[cell] != 0;
    }
    twin->reference.pie = count == 0;
}

/* The engine's action number of a step. */
static Action action_of(const Game *game, SgolteStep step) {
    const int words = words_of(game);
    switch (step.kind) {
    case 's': return sgolte_swap(words);
    case 'p': return sgolte_action(words, SGOLTE_PLACE, step.cell);
    case 'c': return sgolte_action(words, SGOLTE_CAPTURE, step.cell);
    default: return sgolte_action(words, SGOLTE_REPLACE, step.cell);
    }
}

static SgolteStep step_of(const Twin *twin, Action action) {
    if (action == sgolte_swap(words_of(twin->game))) {
        return (SgolteStep){'s', twin->reference.cells};
    }
    return (SgolteStep){twin->reference.stage, action % (64 * words_of(twin->game))};
}

/* The legal steps by the engine, for tests that compare something else. */
static int legal_steps(const Twin *twin, SgolteStep steps[SGOLTE_REFERENCE_STEPS]) {
    Action legal[GAME_LEGAL_MAX];
    const int count = twin->game->rules->legal(twin->game, &twin->state, legal);
    for (int i = 0; i < count; i++) {
        steps[i] = step_of(twin, legal[i]);
    }
    return count;
}

static void twin_apply(Twin *twin, SgolteStep step) {
    twin->game->rules->apply(twin->game, &twin->state, action_of(twin->game, step));
    sgolte_reference_apply(&twin->reference, step);
}

static int count_stones(const SgolteReference *position) {
    int count = 0;
    for (int cell = 0; cell < position->cells; cell++) {
        count += position->stone[cell] != '.';
    }
    return count;
}

/* What occurred in the random games, for the report. */
static struct { long games, actions, merges, captures, blocked, swaps, unknown; } tally;

/* Compares everything that can be asked about a position. Returns the number of legal steps. */
static int assert_same(const Twin *twin, bool trusting, SgolteStep steps[SGOLTE_REFERENCE_STEPS]) {
    const GameRules *rules = twin->game->rules;
    const SgolteReference *reference = &twin->reference;
    uint8_t stones[HEXHEX_MAX_CELLS];
    rules->stones(twin->game, &twin->state, stones);
    for (int cell = 0; cell < reference->cells; cell++) {
        assert_int_equal(".BW"[stones[cell]], reference -> stone[cell]);
    }
    const Side mover = rules->to_move(&twin->state);
    assert_int_equal(game_colour(twin->game, &twin->state, mover), reference->side == 'B' ? BLACK : WHITE);
    assert_int_equal(mover, (reference->side == 'B') == !reference->swapped ? BLACK : WHITE);
    assert_int_equal(rules->turn_start(&twin->state), reference->stage == 'p');

    Action legal[GAME_LEGAL_MAX];
    const int known = sgolte_reference_steps(reference, trusting, steps);
    const int count = rules->legal(twin->game, &twin->state, legal);
    if (known < 0) { /* too much to try: check at least that they are allowed */
        legal_steps(twin, steps);
        for (int i = 0; i < count; i++) {
            assert_true(sgolte_reference_allowed(reference, steps[i]));
        }
    }
    tally.unknown += known < 0;
    assert_true(known < 0 || count == known);
    for (int i = 0; i < count; i++) {
        assert_int_equal(legal[i], action_of(twin->game, steps[i]));
        assert_true(legal[i] < 64 * twin->game->action_words);
    }
    assert_int_equal(rules->over(&twin->state), count == 0);
    if (count == 0) {
        const GameResult result = rules->result(twin->game, &twin->state);
        assert_int_equal(result.winner, side_opponent(mover));
        assert_int_equal(result.half_points, result.winner == BLACK ? 1 : -1);
    }
    return count;
}

/* Chooses the next step at random. Placements that join groups are preferred, because most rules are about them. */
static SgolteStep choose(const Twin *twin, const SgolteStep *steps, int count, Rng *rng) {
    SgolteStep merging[SGOLTE_REFERENCE_STEPS];
    int number = 0;
    for (int i = 0; i < count && twin->reference.stage == 'p' && rng_below(rng, 2); i++) {
        if (steps[i].kind == 'p' &&
            sgolte_reference_touched(&twin->reference, twin->reference.side, steps[i].cell) >= 2) {
            merging[number++] = steps[i];
        }
    }
    return number ? merging[rng_below(rng, (uint32_t)number)] : steps[rng_below(rng, (uint32_t)count)];
}

/* Plays to the end and compares at every action. The game ends because each turn but the swap adds one stone. */
static void play_to_the_end(Twin *twin, bool trusting, Rng *rng) {
    SgolteStep steps[SGOLTE_REFERENCE_STEPS];
    int before = count_stones(&twin->reference);
    for (int count; (count = assert_same(twin, trusting, steps)) > 0;) {
        const SgolteStep step = choose(twin, steps, count, rng);
        tally.actions++;
        tally.captures += step.kind == 'c';
        tally.swaps += step.kind == 's';
        tally.merges +=
            step.kind == 'p' && sgolte_reference_touched(&twin->reference, twin->reference.side, step.cell) >= 2;
        twin_apply(twin, step);
        if (twin->reference.stage == 'p' && step.kind != 's') {
            assert_int_equal(count_stones(&twin->reference), ++before);
        }
    }
    tally.blocked += before < twin->reference.cells;
    tally.games++;
}

static void test_random_games(void **unused) {
    (void)unused;
    static const int number[SGOLTE_MAX_SIZE + 1] = {0, 0, 2000, 1000, 30, 8, 3, 1};
    for (int size = HEXHEX_MIN_SIZE; size <= SGOLTE_MAX_SIZE; size++) {
        for (int line = 0; line < 2; line++) {
            memset(&tally, 0, sizeof tally);
            for (int i = 0; i < number[size]; i++) {
                Twin twin;
                Rng rng = rng_seed(rng_split(2300 + (uint64_t)size, (uint64_t)(2 * i + line)));
                twin_start(&twin, size, line);
                play_to_the_end(&twin, size >= 4 || i % 8 != 0, &rng);
            }
            print_message("hexhex-%d %s: %ld games, %ld actions, %ld turns that join groups, %ld captures, %ld ends on "
                          "a board not full, %ld swaps, %ld positions too much to try\n",
                          size, line ? "line" : "free", tally.games, tally.actions, tally.merges, tally.captures,
                          tally.blocked, tally.swaps, tally.unknown);
        }
    }
}

/* Starts from random stones. Such positions, with holes and many groups, are rare in games. */
static void test_random_stones(void **unused) {
    (void)unused;
    static const int number[6] = {0, 0, 300, 200, 40, 6};
    for (int size = 2; size <= 5; size++) {
        memset(&tally, 0, sizeof tally);
        for (int i = 0; i < number[size]; i++) {
            Twin twin;
            Rng rng = rng_seed(rng_split(2500 + (uint64_t)size, (uint64_t)i));
            uint8_t stones[HEXHEX_MAX_CELLS] = {0};
            const uint32_t filled = 50 + rng_below(&rng, 45), black = 20 + rng_below(&rng, 60);
            for (int cell = 0; cell < 3 * size * (size - 1) + 1; cell++) {
                if (rng_below(&rng, 100) < filled) {
                    stones[cell] = rng_below(&rng, 100) < black ? 1 : 2;
                }
            }
            twin_set_up(&twin, size, i % 2 == 1, stones);
            play_to_the_end(&twin, true, &rng);
        }
        print_message("hexhex-%d: %ld actions, %ld captures, %ld positions too much to try\n", size, tally.actions,
                      tally.captures, tally.unknown);
    }
}

/* ---- Sets of captured and of re-placed stones ---- */

/* Sets of cells of boards up to hexhex-4, as masks. */
typedef struct Masks {
    uint64_t *mask;
    int count, capacity;
} Masks;

static void add_mask(Masks *masks, uint64_t mask) {
    if (masks->count == masks->capacity) {
        masks->capacity = masks->capacity ? 2 * masks->capacity : 256;
        masks->mask = realloc(masks->mask, (size_t)masks->capacity * sizeof *masks->mask);
        assert_non_null(masks->mask);
    }
    masks->mask[masks->count++] = mask;
}

static int compare_words(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the masks and removes duplicates. */
static void tidy(Masks *masks) {
    int kept = 0;
    qsort(masks->mask, (size_t)masks->count, sizeof *masks->mask, compare_words);
    for (int i = 0; i < masks->count; i++) {
        if (i == 0 || masks->mask[i] != masks->mask[i - 1]) {
            masks->mask[kept++] = masks->mask[i];
        }
    }
    masks->count = kept;
}

static void assert_same_masks(Masks *a, Masks *b) {
    tidy(a);
    tidy(b);
    assert_int_equal(a->count, b->count);
    if (a->count > 0) {
        assert_memory_equal(a->mask, b->mask, (size_t)a->count * sizeof *a->mask);
    }
}

/* Adds the sets of cells on which the remaining actions of this stage can be. `set` holds the cells so far. */
static void stage_sets(const Game *game, const GameState *state, uint64_t set, Masks *seen, Masks *sets) {
    const int stage = stage_of(state);
    Action legal[GAME_LEGAL_MAX];
    const uint64_t hash = game->rules->hash(state);
    for (int i = 0; i < seen->count; i++) {
        if (seen->mask[i] == hash) {
            return;
        }
    }
    add_mask(seen, hash);
    const int count = game->rules->legal(game, state, legal);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        GameState next = *state;
        const uint64_t longer = set | 1ull << legal[i] % (64 * words_of(game));
        game->rules->apply(game, &next, legal[i]);
        if (stage_of(&next) == stage) {
            stage_sets(game, &next, longer, seen, sets);
        } else {
            add_mask(sets, longer);
        }
    }
}

static Masks engine_sets(const Game *game, const GameState *state) {
    Masks seen = {0}, sets = {0};
    stage_sets(game, state, 0, &seen, &sets);
    free(seen.mask);
    return sets;
}

static int list_cells(const SgolteReference *position, char what, int cells[CELLS]) {
    int count = 0;
    for (int cell = 0; cell < position->cells; cell++) {
        if (position->stone[cell] == what) {
            cells[count++] = cell;
        }
    }
    return count;
}

/* Called for every subset of `size` cells. Returns false to end. */
typedef bool SubsetVisitor(void *user, const bool set[CELLS], uint64_t mask);

static bool each_subset(const int *cells, int count, int size, bool set[CELLS], uint64_t mask, SubsetVisitor *visitor,
                        void *user) {
    if (size == 0) {
        return visitor(user, set, mask);
    }
    for (int i = 0; i + size <= count; i++) {
        set[cells[i]] = true;
        const bool more =
            each_subset(cells + i + 1, count - i - 1, size - 1, set, mask | 1ull << cells[i], visitor, user);
        set[cells[i]] = false;
        if (!more) {
            return false;
        }
    }
    return true;
}

typedef struct Replacing {
    const SgolteReference *position;
    Masks *sets; /* NULL: it is enough to know whether there is one */
    bool found;
} Replacing;

static bool try_replacing(void *user, const bool set[CELLS], uint64_t mask) {
    Replacing *replacing = user;
    if (sgolte_reference_keeps_apart(replacing->position, set)) {
        replacing->found = true;
        if (replacing->sets) {
            add_mask(replacing->sets, mask);
        }
    }
    return replacing->sets || !replacing->found;
}

/* All sets P of k cells, or whether there is one. */
static bool replacing_sets(const SgolteReference *position, int k, Masks *sets) {
    int empty[CELLS];
    bool set[CELLS] = {false};
    Replacing replacing = {position, sets, false};
    each_subset(empty, list_cells(position, '.', empty), k, set, 0, try_replacing, &replacing);
    return replacing.found;
}

typedef struct Capturing {
    const SgolteReference *position;
    int group; /* a cell of the group */
    Masks *sets;
} Capturing;

static bool try_capturing(void *user, const bool set[CELLS], uint64_t mask) {
    const Capturing *capturing = user;
    if (sgolte_reference_splits(capturing->position, capturing->group, set)) {
        SgolteReference after = *capturing->position;
        int count = 0;
        for (int cell = 0; cell < after.cells; cell++) {
            if (set[cell]) {
                after.stone[cell] = '.';
                count++;
            }
        }
        if (replacing_sets(&after, count, NULL)) {
            add_mask(capturing->sets, mask);
        }
    }
    return true;
}

/* All sets S of all enemy groups, after a placement that joins groups. False if that would take too long. */
static bool capturing_sets(const SgolteReference *position, Masks *sets) {
    bool group[CELLS], done[CELLS] = {false};
    for (int cell = 0; cell < position->cells; cell++) {
        if (position->stone[cell] != (position->side == 'B' ? 'W' : 'B') || done[cell]) {
            continue;
        }
        int cells[CELLS], count = 0;
        bool set[CELLS] = {false};
        if (sgolte_reference_group(position, cell, group) > 11) {
            return false;
        }
        for (int i = 0; i < position->cells; i++) {
            done[i] = done[i] || group[i];
            if (group[i]) {
                cells[count++] = i;
            }
        }
        Capturing capturing = {position, cell, sets};
        for (int size = 1; size <= count; size++) {
            each_subset(cells, count, size, set, 0, try_capturing, &capturing);
        }
    }
    return true;
}

/* Compares the sets S after a placement, and for some S the sets P. */
static void assert_same_sets(Twin *twin, Rng *rng, long compared[2]) {
    Masks by_rules = {0}, by_engine = engine_sets(twin->game, &twin->state);
    if (capturing_sets(&twin->reference, &by_rules)) {
        assert_same_masks(&by_engine, &by_rules);
        compared[0] += by_engine.count;
    }
    free(by_rules.mask);
    free(by_engine.mask);
    while (twin->reference.stage == 'c') {
        SgolteStep steps[SGOLTE_REFERENCE_STEPS];
        const int count = legal_steps(twin, steps);
        twin_apply(twin, steps[rng_below(rng, (uint32_t)count)]);
    }
    Masks places = {0}, engine_places = engine_sets(twin->game, &twin->state);
    replacing_sets(&twin->reference, twin->reference.captured, &places);
    assert_same_masks(&places, &engine_places);
    compared[1] += places.count;
    free(places.mask);
    free(engine_places.mask);
}

static void test_sets_by_brute_force(void **unused) {
    (void)unused;
    static const int number[5] = {0, 0, 600, 120, 15};
    for (int size = 2; size <= 4; size++) {
        long compared[2] = {0};
        for (int i = 0; i < number[size]; i++) {
            Twin twin;
            SgolteStep steps[SGOLTE_REFERENCE_STEPS];
            Rng rng = rng_seed(rng_split(3000 + (uint64_t)size, (uint64_t)i));
            twin_start(&twin, size, false);
            for (int count; (count = legal_steps(&twin, steps)) > 0;) {
                twin_apply(&twin, choose(&twin, steps, count, &rng));
                int empty[CELLS];
                if (twin.reference.stage == 'c' && twin.reference.captured == 0 &&
                    list_cells(&twin.reference, '.', empty) <= 12) {
                    Twin copy = twin;
                    assert_same_sets(&copy, &rng, compared);
                }
            }
        }
        print_message("hexhex-%d: %ld sets S, %ld sets P\n", size, compared[0], compared[1]);
        assert_true(compared[0] > 20 && compared[1] > 20);
    }
}

/* A position at hexhex-7: White's group on the named cells, and Black, far from it, about to join two stones. */
static void set_up_group(Twin *twin, bool line, const char *names, Action *joining) {
    static const char *const black[2] = {"a1", "a3"};
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ') {
        stones[sgolte_reference_cell(7, at)] = 2;
    }
    for (int i = 0; i < 2; i++) {
        stones[sgolte_reference_cell(7, black[i])] = 1;
    }
    twin_set_up(twin, 7, line, stones);
    *joining = (Action)sgolte_reference_cell(7, "a2");
}

/* The number of capture sets of each size that the engine finds. All turns are visited; each P counts once. */
typedef struct SetCount {
    uint64_t seen[64][2];
    int count, by_size[16];
} SetCount;

static bool count_captures(void *user, const Action *turn, int length, const GameState *after) {
    (void)after;
    SetCount *sets = user;
    uint64_t mask[2] = {0};
    int size = 0;
    for (int i = 1; i < length && turn[i] / 128 == SGOLTE_CAPTURE; i++, size++) {
        mask[turn[i] % 128 / 64] |= 1ull << turn[i] % 64;
    }
    for (int i = 0; i < sets->count; i++) {
        if (!memcmp(sets->seen[i], mask, sizeof mask)) {
            return true;
        }
    }
    assert_in_range(sets->count, 0, 63);
    memcpy(sets->seen[sets->count++], mask, sizeof mask);
    sets->by_size[size]++;
    return true;
}

/* Goes through the capture stage only. Each re-placement takes its first choice. */
static void count_sets(const Game *game, const GameState *state, Action *turn, int length, SetCount *sets) {
    if (stage_of(state) != SGOLTE_CAPTURE) {
        count_captures(sets, turn, length, state);
        return;
    }
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++) {
        GameState next = *state;
        game->rules->apply(game, &next, legal[i]);
        turn[length] = legal[i];
        count_sets(game, &next, turn, length + 1, sets);
    }
}

static void test_known_numbers_of_sets(void **unused) {
    (void)unused;
    static const struct {
        const char *cells;
        int sets, by_size[5], in_line;
    } known[] = {
        {"g7 g8", 0, {0}, 0},                           /* domino */
        {"g7 g8 h7", 0, {0}, 0},                        /* triangle */
        {"g7 g8 h8", 1, {0, 1}, 1},                     /* bent three */
        {"g7 g8 g9", 1, {0, 1}, 1},                     /* line of three */
        {"g7 g8 h7 h8", 1, {0, 0, 1}, 1},               /* rhombus: its two inner stones */
        {"h6 h7 g6 g8 f6 f7", 27, {0, 0, 9, 12, 6}, 0}, /* ring of six */
        {"h6 h7 g6 g7 g8 f6 f7", 32, {0}, 0},           /* with its centre */
        {"g5 g6 g7 g8 g9", 10, {0}, 0},                 /* line of five */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (int line = 0; line < 2; line++) {
            Twin twin;
            Action turn[GAME_TURN_MAX];
            SetCount sets = {.count = 0};
            set_up_group(&twin, line, known[i].cells, &turn[0]);
            const bool legal = game_is_legal(twin.game, &twin.state, turn[0]);
            assert_int_equal(legal, line ? known[i].in_line > 0 || i >= 6 : known[i].sets > 0);
            if (!legal) {
                continue;
            }
            twin.game->rules->apply(twin.game, &twin.state, turn[0]);
            count_sets(twin.game, &twin.state, turn, 1, &sets);
            for (int size = 1; size < 5 && !line && known[i].by_size[size]; size++) {
                assert_int_equal(sets.by_size[size], known[i].by_size[size]);
            }
            if (!line) {
                assert_int_equal(sets.count, known[i].sets);
            } else if (known[i].in_line) {
                assert_int_equal(sets.count, known[i].in_line);
            }
        }
    }
}

/* ---- Facts of engine/docs/rules.md ---- */

static void test_perft(void **unused) {
    (void)unused;
    static const uint64_t known[2][5] = {{7, 42, 210, 840, 2160}, {19, 342, 5814, 93024, 1353600}};
    for (int size = 2; size <= 3; size++) {
        Game *game = new_game(size, GAME_PIE_OFF);
        GameState start;
        game->rules->start(game, &start, 0);
        for (int depth = 1; depth <= (size == 2 ? 5 : 4); depth++) {
            assert_int_equal(perft(game, &start, depth), known[size - 2][depth - 1]);
        }
        game_free(game);
    }
}

static uint64_t reference_perft(const SgolteReference *position, int depth);

/* Adds the sequences that continue after a turn, once for each position that it leads to. */
static uint64_t reference_turns(const SgolteReference *position, int depth, SgolteReference *seen, int *count) {
    for (int i = 0; i < *count; i++) {
        if (!memcmp(&seen[i], position, sizeof *position)) {
            return 0;
        }
    }
    assert_in_range(*count, 0, 3999);
    seen[(*count)++] = *position;
    if (position->stage == 'p') {
        return reference_perft(position, depth);
    }
    SgolteStep steps[SGOLTE_REFERENCE_STEPS];
    uint64_t sum = 0;
    for (int i = 0, number = sgolte_reference_steps(position, true, steps); i < number; i++) {
        SgolteReference next = *position;
        sgolte_reference_apply(&next, steps[i]);
        sum += reference_turns(&next, depth, seen, count);
    }
    return sum;
}

static uint64_t reference_perft(const SgolteReference *position, int depth) {
    static SgolteReference seen[4][4000];
    SgolteStep steps[SGOLTE_REFERENCE_STEPS];
    uint64_t sum = 0;
    const int number = depth > 0 ? sgolte_reference_steps(position, true, steps) : 0;
    for (int i = 0; i < number; i++) {
        SgolteReference next = *position;
        int count = 0;
        sgolte_reference_apply(&next, steps[i]);
        sum += reference_turns(&next, depth - 1, seen[depth], &count);
    }
    return depth == 0 ? 1 : sum;
}

/* Starts also from positions where groups are joined: each (p, S, P) is one turn. */
static void test_perft_against_the_reference(void **unused) {
    (void)unused;
    for (int i = 0; i < 60; i++) {
        Twin twin;
        Rng rng = rng_seed(rng_split(5000, (uint64_t)i));
        SgolteStep steps[SGOLTE_REFERENCE_STEPS];
        const int size = 2 + i % 2, plies = size == 2 ? (int)rng_below(&rng, 5) : 10 + (int)rng_below(&rng, 8);
        twin_start(&twin, size, i % 4 > 1);
        for (int ply = 0, count; ply < plies || twin.reference.stage != 'p'; ply++) {
            if ((count = legal_steps(&twin, steps)) == 0) {
                break;
            }
            if (steps[count - 1].kind == 's' && ply < plies) {
                count--;
            }
            twin_apply(&twin, steps[rng_below(&rng, (uint32_t)count)]);
        }
        for (int depth = 1; depth <= (size == 2 ? 3 : 1); depth++) {
            assert_int_equal(perft(twin.game, &twin.state, depth), reference_perft(&twin.reference, depth));
        }
    }
}

/* ---- Hashes ---- */

typedef struct Seen {
    uint64_t hash;
    GameState state;
} Seen;

static int compare_seen(const void *a, const void *b) {
    return compare_words(&((const Seen *)a)->hash, &((const Seen *)b)->hash);
}

/* Positions of many games on a small board, where the same positions occur often. Equal hashes belong to equal
 * positions. Who has swapped is not part of a position. */
static void test_hashes(void **unused) {
    (void)unused;
    enum { MAX = 60000 };
    Seen *seen = malloc(MAX * sizeof *seen);
    assert_non_null(seen);
    for (int line = 0; line < 2; line++) {
        const Game *game = games[3][line];
        int count = 0, same = 0;
        for (uint64_t i = 0; count < MAX - 200; i++) {
            Rng rng = rng_seed(rng_split(4000, i / 4)); /* the games differ late, so positions recur */
            GameState state;
            game->rules->start(game, &state, 0);
            for (int ply = 0; !game->rules->over(&state); ply++) {
                Action legal[GAME_LEGAL_MAX];
                if (ply == 12) {
                    rng = rng_seed(rng_split(4001, i));
                }
                const int choices = game->rules->legal(game, &state, legal);
                game->rules->apply(game, &state, legal[rng_below(&rng, (uint32_t)choices)]);
                memset(&seen[count], 0, sizeof seen[count]);
                seen[count].hash = game->rules->hash(&state);
                game_copy(game, &seen[count].state, &state);
                ((SgolteState *)seen[count++].state.word)->turn.swapped = false;
            }
        }
        qsort(seen, (size_t)count, sizeof *seen, compare_seen);
        for (int i = 1; i < count; i++) {
            if (seen[i].hash == seen[i - 1].hash) {
                assert_memory_equal(&seen[i].state, &seen[i - 1].state, game->state_bytes);
                same++;
            }
        }
        print_message("%s: %d of %d positions met before\n", line ? "line" : "free", same, count);
        assert_true(same > 1000);
    }
    free(seen);
}

/* The hash of a position at the start of a turn equals the hash of its stones set up by hand. */
static void test_hash_of_a_set_up_position(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= SGOLTE_MAX_SIZE; size++) {
        const Game *game = games[size][0];
        Rng rng = rng_seed((uint64_t)size);
        GameState state, fresh;
        game->rules->start(game, &state, 0);
        while (!game->rules->over(&state)) {
            Action legal[GAME_LEGAL_MAX];
            uint8_t stones[HEXHEX_MAX_CELLS];
            const int count = game->rules->legal(game, &state, legal) - ((SgolteState *)state.word)->turn.pie;
            game->rules->apply(game, &state, legal[rng_below(&rng, (uint32_t)(count + !count))]);
            if (game->rules->turn_start(&state)) {
                game->rules->stones(game, &state, stones);
                assert_true(game->rules->set_up(game, &fresh, stones, game->rules->to_move(&state), 0, NULL));
                assert_int_equal(game->rules->hash(&fresh), game->rules->hash(&state));
                assert_int_equal(game->rules->over(&fresh), game->rules->over(&state));
            }
        }
    }
}

/* ---- Symmetries ---- */

/* A game and its image under a map of the board, action by action. */
static void test_symmetries(void **unused) {
    (void)unused;
    for (int i = 0; i < 12 * (SGOLTE_MAX_SIZE - 1); i++) {
        const int size = HEXHEX_MIN_SIZE + i / 12, map = i % 12;
        const Game *game = games[size][i % 2];
        Rng rng = rng_seed(rng_split(6000, (uint64_t)i));
        GameState state, image;
        game->rules->start(game, &state, 0);
        game->rules->start(game, &image, 0);
        while (!game->rules->over(&state)) {
            Action legal[GAME_LEGAL_MAX], mapped[GAME_LEGAL_MAX], expected[GAME_LEGAL_MAX];
            const int count = game->rules->legal(game, &state, legal);
            assert_int_equal(game->rules->legal(game, &image, mapped), count);
            bool is_legal[GAME_ACTIONS_MAX] = {false};
            for (int k = 0; k < count; k++) {
                is_legal[mapped[k]] = true;
            }
            for (int k = 0; k < count; k++) {
                expected[k] = game->rules->symmetry(game, map, legal[k]);
                assert_true(is_legal[expected[k]]);
                is_legal[expected[k]] = false;
            }
            const uint32_t chosen = rng_below(&rng, (uint32_t)count);
            game->rules->apply(game, &state, legal[chosen]);
            game->rules->apply(game, &image, expected[chosen]);
        }
        assert_true(game->rules->over(&image));
    }
}

/* ---- The swap ---- */

static void play_text(const Game *game, GameState *state, const char *text) {
    Error error = {.text = ""};
    if (!game_play_text(game, state, text, NULL, NULL, &error)) {
        fail_msg("%s: %s", text, error.text);
    }
}

static void assert_refuses(const Game *game, GameState *state, const char *text, const char *why) {
    const GameState before = *state;
    Error error = {.text = ""};
    assert_false(game_play_text(game, state, text, NULL, NULL, &error));
    if (strcmp(error.text, why) != 0) {
        fail_msg("%s: '%s', expected '%s'", text, error.text, why);
    }
    assert_memory_equal(&before, state, sizeof before);
    assert_false(game_play_text(game, state, text, NULL, NULL, NULL));
}

static void test_swap(void **unused) {
    (void)unused;
    const Game *game = games[3][0];
    const GameRules *rules = game->rules;
    GameState state, straight;
    uint8_t stones[HEXHEX_MAX_CELLS], after[HEXHEX_MAX_CELLS];
    Action legal[GAME_LEGAL_MAX];
    rules->start(game, &state, 0);
    assert_false(game_is_legal(game, &state, sgolte_swap(words_of(game))));
    play_text(game, &state, "c3");
    straight = state;
    rules->stones(game, &state, stones);
    assert_int_equal(rules->legal(game, &state, legal), 19);
    assert_int_equal(legal[18], sgolte_swap(words_of(game)));
    assert_refuses(game, &state, "pass",
                   "'pass': expected swap or a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups), a cell of "
                   "hexhex-3 (a1 to row e)");
    play_text(game, &state, "SWAP");
    rules->stones(game, &state, after);
    assert_memory_equal(stones, after, 19); /* the board does not change */
    assert_int_equal(rules->to_move(&state), BLACK);
    assert_int_equal(game_colour(game, &state, BLACK), WHITE);
    assert_int_equal(game_colour(game, &state, WHITE), BLACK);
    assert_true(rules->turn_start(&state));
    assert_int_equal(rules->legal(game, &state, legal), 18);
    play_text(game, &state, "c4");
    rules->stones(game, &state, after);
    assert_int_equal(after[legal[0]], 0);
    assert_int_equal(after[sgolte_reference_cell(3, "c4")], 2);
    play_text(game, &straight, "c4");
    assert_int_equal(game_colour(game, &straight, BLACK), BLACK);
    assert_false(game_is_legal(game, &state, sgolte_swap(words_of(game))));
    assert_false(game_is_legal(game, &straight, sgolte_swap(words_of(game))));
    assert_true(rules->hash(&state) != rules->hash(&straight)); /* the other player is to move */

    Game *no_pie = new_game(3, GAME_PIE_OFF);
    rules->start(no_pie, &state, 0);
    play_text(no_pie, &state, "c3");
    assert_int_equal(rules->legal(no_pie, &state, legal), 18);
    game_free(no_pie);
}

static void test_options(void **unused) {
    (void)unused;
    Error error;
    assert_null(game_new(&(GameOptions){.name = "sgolte", .size = 8}, &error));
    assert_string_equal(error.text, "size: 8 is not a board of sgolte, expected 2 to 7");
    assert_null(game_new(&(GameOptions){.name = "sgolte", .size = 3, .kernel = "fast"}, &error));
    assert_string_equal(error.text, "kernel: there is no 'fast' for this size on this processor, expected plain");
    assert_null(game_new(&(GameOptions){.size = 3, .capture = GAME_CAPTURE_FREE}, &error));
    assert_string_equal(error.text, "capture: stigmergy has no such option, leave it out");
    assert_null(game_new(&(GameOptions){.size = 3, .pie = GAME_PIE_ON}, &error));
    assert_string_equal(error.text, "pie: stigmergy is played without the swap, expected off");
    Game *game = game_new(&(GameOptions){.size = 3, .pie = GAME_PIE_OFF}, &error);
    assert_non_null(game);
    game_free(game);
}

/* ---- Text ---- */

/* Whole turns of random games are written and read again. All their beginnings are written too, and must be
 * rejected. */
static void test_texts_of_random_games(void **unused) {
    (void)unused;
    for (int i = 0; i < 30; i++) {
        const Game *game = games[2 + i % 6][i % 5 == 0];
        Rng rng = rng_seed(rng_split(7000, (uint64_t)i));
        GameState state;
        game->rules->start(game, &state, 0);
        while (!game->rules->over(&state)) {
            GameState before = state;
            Action turn[GAME_TURN_MAX], read[GAME_TURN_MAX];
            char text[GAME_TEXT_MAX];
            int count = 0;
            do {
                Action legal[GAME_LEGAL_MAX];
                const int choices = game->rules->legal(game, &state, legal);
                turn[count] = legal[rng_below(&rng, (uint32_t)choices)];
                game->rules->apply(game, &state, turn[count++]);
            } while (!game->rules->turn_start(&state));
            game->rules->format_turn(game, &before, turn, count, text);
            assert_int_equal(game->rules->parse(game, &before, text, read, NULL), count);
            assert_memory_equal(turn, read, (size_t)count * sizeof *turn);
            for (int k = 1; k < count; k++) {
                Error error = {.text = ""};
                game->rules->format_turn(game, &before, turn, k, text);
                assert_int_equal(game->rules->parse(game, &before, text, read, &error), -1);
                assert_non_null(strstr(error.text, "expected"));
            }
        }
    }
}

/* At hexhex-7 White has a line of five, g5 to g9. Black joins a1 and a3 with a2. */
static void test_refused_turns(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"", "'': expected a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups), a cell of hexhex-7 "
             "(a1 to row m)"},
        {"n1", "'n1': expected a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups), a cell of "
               "hexhex-7 (a1 to row m)"},
        {"a123", "'a123': expected a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups), a cell of "
                 "hexhex-7 (a1 to row m)"},
        {"pass", "'pass': expected a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups), a cell of "
                 "hexhex-7 (a1 to row m)"},
        {"swap", "swap: it may only answer Black's first stone, and only with the pie rule"},
        {"a1", "a1: there is a stone already, expected an empty cell"},
        {"g7", "g7: there is a stone already, expected an empty cell"},
        {"d4xg7>d5", "d4 joins no groups: expected the end of the turn after it, found 'xg7>d5'"},
        {"d4,d5", "d4 joins no groups: expected the end of the turn after it, found ',d5'"},
        {"a2", "a2 joins groups: expected x and captures after it, found ''"},
        {"a2>d4", "a2 joins groups: expected x and captures after it, found '>d4'"},
        {"a2x", "'': expected a capture, a cell of hexhex-7 (a1 to row m)"},
        {"a2xd4>d5", "xd4: there is no enemy stone, expected a stone of an enemy group"},
        {"a2xa1>d5", "xa1: there is no enemy stone, expected a stone of an enemy group"},
        {"a2xk1>d5", "xk1: expected a stone from which on the captures can split an enemy group, with room for their "
                     "stones"},
        {"a2xg5,k1>d5,d6",
         "xk1: expected a stone of the same group from which on the captures can split it, with room for their stones"},
        {"a2xg5,g6,g7>d5",
         "xg7: expected a stone of the same group from which on the captures can split it, with room for their stones"},
        {"a2xg6,g7>d5,d6", "xg6 splits the group: expected > and re-placements, not another capture"},
        {"a2xg5>d5", "xg5 does not split the group yet: expected a comma and another capture"},
        {"a2xg5", "xg5 does not split the group yet: expected a comma and another capture"},
        {"a2xg6", "xg6 splits the group: expected > and 1 re-placement, found ''"},
        {"a2xg5,g7", "xg7 splits the group: expected > and 2 re-placements, found ''"},
        {"a2xg6>", "'': expected a re-placement, a cell of hexhex-7 (a1 to row m)"},
        {"a2xg6>a1", ">a1: there is a stone already, expected an empty cell"},
        {"a2xg6>g5", ">g5: there is a stone already, expected an empty cell"},
        {"a2xg6>a4", ">a4: that joins groups or leaves no room for the other stones, expected a re-placement that does "
                     "neither"},
        {"a2xg6>d4,d5", "expected 1 re-placement, as many as captures, found ',d5' after 1"},
        {"a2xg6>d4 ", "expected 1 re-placement, as many as captures, found ' ' after 1"},
        {"a2xg5,g7>d4", "expected 2 re-placements, as many as captures, found '' after 1"},
        {"a2xg5,g7>d4,d4", ">d4: there is a stone already, expected an empty cell"},
        {"a2xg5,g7>d4,b3,b4", "expected 2 re-placements, as many as captures, found ',b4' after 2"},
    };
    Twin twin;
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    static const char *const black[] = {"a1", "a3", "a5"}, *const white[] = {"g5", "g6", "g7", "g8", "g9", "k1"};
    for (int i = 0; i < 3; i++) {
        stones[sgolte_reference_cell(7, black[i])] = 1;
    }
    for (int i = 0; i < 6; i++) {
        stones[sgolte_reference_cell(7, white[i])] = 2;
    }
    twin_set_up(&twin, 7, false, stones);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_refuses(twin.game, &twin.state, refused[i].text, refused[i].why);
    }
    static const char *const accepted[] = {
        "d4", "D4", "a2xg6>g6", "a2xg5,g7>d4,d5", "A2Xg5,G7>d4,d5", "a2xg9,g5,g7>g9,g5,g7"};
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        GameState state = twin.state;
        play_text(twin.game, &state, accepted[i]);
    }
}

/* A full board, and a board where every cell joins groups and nothing can be captured. The side to move has lost. */
static void test_blocked(void **unused) {
    (void)unused;
    const Game *game = games[2][0];
    GameState state;
    const uint8_t full[HEXHEX_MAX_CELLS] = {1, 2, 1, 2, 1, 2, 1}, blocked[HEXHEX_MAX_CELLS] = {1, 2, 2, 0, 1, 1, 2};
    assert_true(game->rules->set_up(game, &state, full, BLACK, 0, NULL));
    assert_true(game->rules->over(&state));
    assert_int_equal(game->rules->result(game, &state).winner, WHITE);
    for (Side side = BLACK; side <= WHITE; side++) {
        assert_true(game->rules->set_up(game, &state, blocked, side, 0, NULL));
        assert_true(game->rules->over(&state));
        assert_int_equal(game->rules->result(game, &state).winner, side_opponent(side));
        assert_refuses(game, &state, "b2", "the game is over");
    }
}

/* ---- Playouts ---- */

/* Exact expectations of uniform play from a position, stored by hash. */
typedef struct Exact {
    uint64_t hash;
    double margin, length, square; /* square: of the length */
} Exact;

typedef struct ExactTable {
    Exact *entry;
    int count, capacity;
} ExactTable;

static Exact expect(const Game *game, const GameState *state, ExactTable *table) {
    const GameRules *rules = game->rules;
    Exact exact = {.hash = rules->hash(state)};
    if (rules->over(state)) {
        exact.margin = rules->result(game, state).half_points;
        return exact;
    }
    for (int i = (int)(exact.hash % (uint64_t)table->capacity);; i = (i + 1) % table->capacity) {
        if (table->entry[i].hash == exact.hash) {
            return table->entry[i];
        }
        if (table->entry[i].hash == 0) {
            break;
        }
    }
    Action legal[GAME_LEGAL_MAX];
    const int count = rules->legal(game, state, legal);
    for (int i = 0; i < count; i++) {
        GameState next = *state;
        rules->apply(game, &next, legal[i]);
        const Exact behind = expect(game, &next, table);
        exact.margin += behind.margin / count;
        exact.length += (behind.length + 1) / count;
        exact.square += (behind.square + 2 * behind.length + 1) / count;
    }
    int slot = (int)(exact.hash % (uint64_t)table->capacity);
    while (table->entry[slot].hash != 0) {
        slot = (slot + 1) % table->capacity;
    }
    assert_in_range(++table->count, 1, table->capacity / 2);
    table->entry[slot] = exact;
    return exact;
}

static void test_playouts_of_hexhex_2(void **unused) {
    (void)unused;
    enum { PLAYOUTS = 40000 };
    static PlayoutResult results[PLAYOUTS];
    static const GameState *states[PLAYOUTS];
    static uint64_t seeds[PLAYOUTS];
    for (int line = 0; line < 2; line++) {
        const Game *game = games[2][line];
        ExactTable table = {.capacity = 1 << 16};
        table.entry = calloc((size_t)table.capacity, sizeof *table.entry);
        assert_non_null(table.entry);
        GameState start;
        game->rules->start(game, &start, 0);
        const Exact exact = expect(game, &start, &table);
        free(table.entry);
        for (int i = 0; i < PLAYOUTS; i++) {
            states[i] = &start;
            seeds[i] = rng_split(8000, (uint64_t)i);
        }
        game->rules->playouts(game, states, seeds, PLAYOUTS, PLAYOUT_UNIFORM, results);
        double margin = 0, length = 0;
        for (int i = 0; i < PLAYOUTS; i++) {
            margin += results[i].half_points;
            length += results[i].length;
        }
        const double spread = sqrt(exact.square - exact.length * exact.length);
        print_message("%s: margin %.4f, exactly %.4f; length %.4f, exactly %.4f\n", line ? "line" : "free",
                      margin / PLAYOUTS, exact.margin, length / PLAYOUTS, exact.length);
        assert_true(fabs(margin / PLAYOUTS - exact.margin) < 4 / sqrt(PLAYOUTS));
        assert_true(fabs(length / PLAYOUTS - exact.length) < 4 * spread / sqrt(PLAYOUTS));
    }
}

static int count_bits(const uint64_t *set, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) {
        count += __builtin_popcountll(set[i]);
    }
    return count;
}

/* From every position of random games, also within turns: the results of each playout fit together, and they do not
 * depend on the other playouts of the batch. */
static void test_playouts_are_sound(void **unused) {
    (void)unused;
    enum { BATCH = 3 };
    static PlayoutResult results[BATCH], alone;
    for (int i = 0; i < 24; i++) {
        const Game *game = games[2 + i % 6][i / 6 % 2];
        const int words = words_of(game);
        Rng rng = rng_seed(rng_split(9000, (uint64_t)i));
        GameState state;
        game->rules->start(game, &state, 0);
        while (!game->rules->over(&state)) {
            const GameState *states[BATCH] = {&state, &state, &state};
            uint64_t seeds[BATCH];
            for (int k = 0; k < BATCH; k++) {
                seeds[k] = rng_next(&rng);
            }
            const PlayoutPolicy policy = rng_below(&rng, 2) ? PLAYOUT_UNIFORM : PLAYOUT_LIGHT;
            memset(results, 0, sizeof results);
            game->rules->playouts(game, states, seeds, BATCH, policy, results);
            memset(&alone, 0, sizeof alone);
            game->rules->playouts(game, states + 1, seeds + 1, 1, policy, &alone);
            assert_memory_equal(&alone, &results[1], sizeof alone);
            for (int k = 0; k < BATCH; k++) {
                const PlayoutResult *result = &results[k];
                assert_int_equal(abs(result->half_points), 1);
                const int captures =
                    count_bits(result->played[0] + words, words) + count_bits(result->played[1] + words, words);
                const int noted =
                    count_bits(result->played[0], 3 * words + 1) + count_bits(result->played[1], 3 * words + 1);
                assert_in_range(result->length, noted, 4000);
                assert_true(captures <= result->length);
                assert_true(count_bits(result->black_owns, words) <= game->board.cells);
            }
            Action legal[GAME_LEGAL_MAX];
            const int count = game->rules->legal(game, &state, legal);
            game->rules->apply(game, &state, legal[rng_below(&rng, (uint32_t)count)]);
        }
    }
}

/* The cells among which a playout draws: before it looks which of them are legal. */
static int drawn_cells(const Game *game, const GameState *state, int cells[HEXHEX_MAX_CELLS]) {
    const uint64_t *target = ((const SgolteState *)state)->target;
    const bool begun = target[0] || target[1];
    const Side enemy = side_opponent(game->rules->to_move(state));
    const int wanted = stage_of(state) == SGOLTE_CAPTURE ? 1 + game_colour(game, state, enemy) : 0;
    uint8_t stones[HEXHEX_MAX_CELLS];
    int count = 0;
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++) {
        if (begun ? target[c / 64] >> (c % 64) & 1 : stones[c] == wanted) {
            cells[count++] = c;
        }
    }
    return count;
}

/* Draws cells until one is legal. A swap is drawn first, as if it were one more cell. */
static Action draw_action(const Game *game, const GameState *state, Rng *rng) {
    const Action swap = sgolte_swap(words_of(game));
    Action legal[GAME_LEGAL_MAX];
    bool is_legal[GAME_ACTIONS_MAX] = {false};
    int cells[HEXHEX_MAX_CELLS], count = drawn_cells(game, state, cells);
    for (int i = game->rules->legal(game, state, legal); i > 0; i--) {
        is_legal[legal[i - 1]] = true;
    }
    if (is_legal[swap] && rng_below(rng, (uint32_t)count + 1) == 0) {
        return swap;
    }
    for (;;) {
        const int drawn = (int)rng_below(rng, (uint32_t)count);
        const Action action = sgolte_action(words_of(game), (SgolteStage)stage_of(state), cells[drawn]);
        if (is_legal[action]) {
            return action;
        }
        count--;
        memmove(cells + drawn, cells + drawn + 1, (size_t)(count - drawn) * sizeof *cells);
    }
}

/* The playout that engine/games/sgolte/playout.c plays, with the game interface alone. */
static PlayoutResult play_by_interface(const Game *game, const GameState *from, uint64_t seed) {
    PlayoutResult result = {0};
    GameState state = *from;
    Rng rng = rng_seed(seed);
    while (!game->rules->over(&state)) {
        playout_take(game, &state, draw_action(game, &state, &rng), &result);
    }
    playout_end(game, &state, &result);
    return result;
}

static void test_playouts_by_the_interface(void **unused) {
    (void)unused;
    Rng rng = rng_seed(10);
    int within_turns = 0;
    for (int i = 0; i < 240; i++) {
        const Game *game = games[2 + i % 6][i / 6 % 2];
        const uint64_t seed = rng_next(&rng);
        GameState position;
        const GameState *from = &position;
        PlayoutResult result;
        random_position(game, 0, &position, &rng);
        within_turns += !game->rules->turn_start(&position);
        game->rules->playouts(game, &from, &seed, 1, PLAYOUT_LIGHT, &result);
        const PlayoutResult expected = play_by_interface(game, &position, seed);
        assert_same_playout(game, &expected, &result);
    }
    assert_true(within_turns > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_random_stones),
        cmocka_unit_test(test_sets_by_brute_force),
        cmocka_unit_test(test_known_numbers_of_sets),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_perft_against_the_reference),
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_hash_of_a_set_up_position),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_texts_of_random_games),
        cmocka_unit_test(test_refused_turns),
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_playouts_of_hexhex_2),
        cmocka_unit_test(test_playouts_are_sound),
        cmocka_unit_test(test_playouts_by_the_interface),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
