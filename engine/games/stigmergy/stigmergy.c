/* See stigmergy.h. The position updates are in core.h, the playouts in playout_*.c. */
#include "engine/games/stigmergy/stigmergy.h"

#include "engine/base/bits.h"
#include "engine/base/rng.h"
#include "engine/games/stigmergy/core.h"
#include "engine/games/stigmergy/text.h"

#include <stdlib.h>

static const StigmergyGame *self_of(const Game *game) {
    return (const StigmergyGame *)game;
}

static StigmergyState *view(GameState *state) {
    return (StigmergyState *)state;
}

static const StigmergyState *peek(const GameState *state) {
    return (const StigmergyState *)state;
}

_Static_assert(sizeof(StigmergyState) <= sizeof(GameState), "a position fits into a GameState");

/* ---- Making the game ---- */

static void init_keys(StigmergyGame *self) {
    uint64_t next = 0;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < HEXHEX_MAX_CELLS; c++)
            self->stone_key[side][c] = rng_split(0x5716, next++);
    for (int i = 1; i < 4; i++)
        self->button_key[i] = rng_split(0x5716, next++);
    for (int i = 1; i < 3; i++)
        self->pass_key[i] = rng_split(0x5716, next++);
    self->side_key = rng_split(0x5716, next);
}

/* ---- Positions ---- */

static void put_stone(const StigmergyGame *self, StigmergyState *state, int c, Side side) {
    const StigmergyTables *tables = &self->tables;
    switch (tables->words) {
    case 1: stigmergy_core_change(tables, state->plane, c, side, 1); break;
    case 2: stigmergy_core_change(tables, state->plane, c, side, 2); break;
    case 3: stigmergy_core_change(tables, state->plane, c, side, 3); break;
    case 4: stigmergy_core_change(tables, state->plane, c, side, 4); break;
    default: stigmergy_core_change(tables, state->plane, c, side, 5); break;
    }
    state->hash ^= self->stone_key[side][c];
}

void stigmergy_set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side side, int passes,
                      int komi, GameButton button) {
    const StigmergyGame *self = self_of(game);
    const int words = game->board.words;
    StigmergyState *position = view(state);
    memset(state, 0, game->state_bytes);
    for (int owner = 0; owner < 2; owner++)
        for (int bit = 0; bit < 2; bit++)
            memcpy(position->plane + plane_count(owner, words) + bit * words, self->tables.start[bit],
                   (size_t)words * sizeof(uint64_t));
    for (int c = 0; c < game->board.cells; c++)
        if (stones[c])
            put_stone(self, position, c, stones[c] == 1 ? BLACK : WHITE);
    position->komi = (int16_t)komi;
    position->side = (uint8_t)side;
    position->passes = (uint8_t)passes;
    position->button = (uint8_t)button;
    position->hash ^= self->button_key[button] ^ self->pass_key[passes] ^ (side == WHITE ? self->side_key : 0);
}

static bool set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side to_move, int komi,
                   Error *error) {
    if (abs(komi) > GAME_KOMI_LIMIT) /* any stones are a position */
        return error_set(error, "komi: %d, expected %d to %d", komi, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT);
    stigmergy_set_up(game, state, stones, to_move, 0, komi, komi_has_button(komi) ? BUTTON_ON_TABLE : BUTTON_NONE);
    return true;
}

static void start(const Game *game, GameState *state, int komi) {
    const uint8_t empty[HEXHEX_MAX_CELLS] = {0};
    set_up(game, state, empty, BLACK, komi, NULL);
}

const uint64_t *stigmergy_control(const Game *game, const GameState *state, Side side) {
    return peek(state)->plane + plane_control(side, game->board.words);
}

static int komi_of(const GameState *state) {
    return peek(state)->komi;
}

static Side to_move(const GameState *state) {
    return (Side)peek(state)->side;
}

static bool turn_start(const GameState *state) {
    (void)state;
    return true;
}

static bool over(const GameState *state) {
    return peek(state)->passes == 2;
}

static uint64_t hash(const GameState *state) {
    return peek(state)->hash;
}

/* ---- Actions ---- */

static int list_set(const uint64_t *set, int words, int offset, Action *out) {
    int count = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1)
            out[count++] = (Action)(offset + 64 * i + __builtin_ctzll(rest));
    return count;
}

static int legal(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]) {
    if (over(state))
        return 0;
    const int words = game->board.words;
    CoreMoves moves;
    stigmergy_core_moves(stigmergy_tables(game), peek(state), &moves);
    int count = list_set(moves.place, words, 0, out);
    count += list_set(moves.flip, words, 64 * words, out + count);
    if (moves.pass)
        out[count++] = stigmergy_pass(words);
    if (moves.button)
        out[count++] = stigmergy_take_button(words);
    return count;
}

static void apply(const Game *game, GameState *state, Action action) {
    const StigmergyGame *self = self_of(game);
    const int words = game->board.words;
    StigmergyState *position = view(state);
    const Side side = (Side)position->side;
    position->hash ^= self->pass_key[position->passes];
    if (action == stigmergy_pass(words)) {
        position->passes++;
    } else {
        position->passes = 0;
        if (action == stigmergy_take_button(words)) {
            position->hash ^= self->button_key[position->button];
            position->button = (uint8_t)button_taken_by(side);
            position->hash ^= self->button_key[position->button];
        } else {
            const int c = action % (64 * words);
            if (action >= 64 * words)
                position->hash ^= self->stone_key[side_opponent(side)][c];
            put_stone(self, position, c, side);
        }
    }
    position->hash ^= self->pass_key[position->passes] ^ self->side_key;
    position->side = (uint8_t)side_opponent(side);
}

/* ---- Results ---- */

static int count_cells(const StigmergyState *state, Side side, int words) {
    const uint64_t *own = state->plane + plane_stones(side, words);
    const uint64_t *enemy = state->plane + plane_stones(side_opponent(side), words);
    const uint64_t *control = state->plane + plane_control(side, words);
    int count = 0;
    for (int i = 0; i < words; i++)
        count += bits_count(own[i] | (control[i] & ~enemy[i]));
    return count;
}

static void board_score(const Game *game, const GameState *state, int cells[2]) {
    for (int side = 0; side < 2; side++)
        cells[side] = count_cells(peek(state), (Side)side, game->board.words);
}

static GameResult result(const Game *game, const GameState *state) {
    const StigmergyState *position = peek(state);
    int cells[2];
    board_score(game, state, cells);
    GameResult outcome = {.half_points = 2 * (cells[BLACK] - cells[WHITE] - position->komi) +
                                         button_half_points((GameButton)position->button)};
    outcome.winner = outcome.half_points > 0 ? BLACK : WHITE;
    return outcome;
}

static void stones(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    const int words = game->board.words;
    const uint64_t *plane = peek(state)->plane;
    const uint64_t *black = plane + plane_stones(BLACK, words), *white = plane + plane_stones(WHITE, words);
    for (int c = 0; c < game->board.cells; c++)
        out[c] = core_has(black, c) ? 1 : core_has(white, c) ? 2 : 0;
}

static void control(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    const uint64_t *black = stigmergy_control(game, state, BLACK), *white = stigmergy_control(game, state, WHITE);
    for (int c = 0; c < game->board.cells; c++)
        out[c] = core_has(black, c) ? 1 : core_has(white, c) ? 2 : 0;
}

static int sight(const Game *game, const GameState *state, int cell, int16_t seen[HEXHEX_DIRECTIONS], int *needed) {
    const Hexhex *board = &game->board;
    const uint64_t *plane = peek(state)->plane;
    const uint64_t *black = plane + plane_stones(BLACK, board->words),
                   *white = plane + plane_stones(WHITE, board->words);
    int count = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        int c = board->neighbour[cell][d];
        while (c >= 0 && !core_has(black, c) && !core_has(white, c))
            c = board->neighbour[c][d];
        if (c < 0)
            continue;
        int at = count++;
        for (; at > 0 && seen[at - 1] > c; at--)
            seen[at] = seen[at - 1];
        seen[at] = (int16_t)c;
    }
    *needed = board->degree[cell] / 2 + 1;
    return count;
}

/* From the counters, eight cells at a time. */
static void seen(const Game *game, const GameState *state, uint8_t out[2][HEXHEX_MAX_CELLS]) {
    const int words = game->board.words, cells = game->board.cells;
    const StigmergyTables *tables = stigmergy_tables(game);
    for (Side side = BLACK; side <= WHITE; side++) {
        const uint64_t *count = peek(state)->plane + plane_count(side, words);
        for (int c = 0; c < cells; c += 8) {
            uint64_t eight = 0;
            for (int bit = 0; bit < 3; bit++) {
                const uint32_t start = tables->start[bit][c / 64] >> (c % 64) & 0xff;
                const uint32_t now = count[bit * words + c / 64] >> (c % 64) & 0xff;
                eight += (bits_spread(now) - bits_spread(start)) << bit;
            }
            for (int i = 0; i < 8 && c + i < cells; i++)
                out[side][c + i] = (uint8_t)(eight >> (8 * i));
        }
    }
}

static GameButton button(const GameState *state) {
    return (GameButton)peek(state)->button;
}

static void playouts(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results) {
    const StigmergyGame *self = self_of(game);
    self->kernel->playouts[game->board.words](&self->tables, states, seeds, count, policy, results);
}

static void priors(const Game *game, const GameState *state, const Action *actions, int count, float *logits) {
    self_of(game)->kernel->priors[game->board.words](&self_of(game)->tables, state, actions, count, logits);
}

static const char *action_kind(const Game *game, Action action, int *cell) {
    static const char *const names[] = {"place", "flip", "pass", "take-button", NULL};
    return game_kind(game, names, action, cell);
}

/* ---- The kernels ---- */

/* The index-th of the kernels that run on this processor; NULL behind the last. */
static const StigmergyKernel *kernel_at(int index) {
    for (const StigmergyKernel *const *kernel = stigmergy_kernels; *kernel; kernel++)
        if ((*kernel)->runs_here() && index-- == 0)
            return *kernel;
    return NULL;
}

static const char *kernel_name(const Game *game, int index) {
    (void)game;
    const StigmergyKernel *kernel = kernel_at(index);
    return kernel ? kernel->name : NULL;
}

Game *stigmergy_new(const GameOptions *options, Error *error) {
    static const GameRules rules = {
        .start = start,
        .komi = komi_of,
        .to_move = to_move,
        .turn_start = turn_start,
        .over = over,
        .result = result,
        .legal = legal,
        .apply = apply,
        .hash = hash,
        .playouts = playouts,
        .priors = priors,
        .static_eval = stigmergy_static_eval,
        .format = stigmergy_format,
        .parse = stigmergy_parse,
        .stones = stones,
        .board_score = board_score,
        .symmetry = game_symmetry,
        .action_kind = action_kind,
        .kernel = kernel_name,
        .control = control,
        .sight = sight,
        .seen = seen,
        .button = button,
        .set_up = set_up,
        .solver = &stigmergy_solver_model,
    };
    StigmergyGame *self = game_make(sizeof *self, "stigmergy", &rules, options, error);
    if (!self)
        return NULL;
    Game *game = &self->game;
    const int words = game->board.words;
    self->kernel = kernel_at(game->kernel_index);
    game->state_bytes = offsetof(StigmergyState, plane) + (size_t)(PLANES * words) * sizeof(uint64_t);
    game->action_words = 2 * words + 1;
    game->has_points = true;
    stigmergy_core_init(&self->tables, &game->board);
    init_keys(self);
    return game;
}
