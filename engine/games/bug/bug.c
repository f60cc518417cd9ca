/* See bug.h. The position updates are in core.h, the kernels in playout.h. */
#include "engine/games/bug/bug.h"

#include "engine/base/rng.h"

#include <stdio.h>
#include <strings.h>

typedef struct BugGame {
    Game game; /* first: a Game * is a BugGame * */
    const BugKernel *kernel;
    bool pie;
    uint64_t stone_key[2][BUG_CELLS_MAX], side_key, bonus_key, pie_key; /* Zobrist keys */
    BugTables tables;
} BugGame;

static const BugGame *self_of(const Game *game) {
    return (const BugGame *)game;
}

static BugState *view(GameState *state) {
    return (BugState *)state;
}

static const BugState *peek(const GameState *state) {
    return (const BugState *)state;
}

_Static_assert(sizeof(BugState) <= sizeof(GameState), "a position fits into a GameState");

static bool has(const uint64_t *set, int c) {
    return set[c >> 6] >> (c & 63) & 1;
}

static const uint64_t *stones_of(const Game *game, const BugState *state, Side side) {
    return state->set + (BUG_STONES + side) * game->board.words;
}

static const uint64_t *moves_of(const Game *game, const BugState *state) {
    return state->set + BUG_MOVES * game->board.words;
}

/* ---- Making the game ---- */

static void init_keys(BugGame *self) {
    uint64_t next = 0;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < BUG_CELLS_MAX; c++)
            self->stone_key[side][c] = rng_split(0xb06, next++);
    self->side_key = rng_split(0xb06, next++);
    self->bonus_key = rng_split(0xb06, next++);
    self->pie_key = rng_split(0xb06, next);
}

static void init_tables(BugTables *tables, const Hexhex *board) {
    uint64_t *const rings[5] = {[1] = tables->near, [3] = tables->diagonal, [4] = tables->far};
    tables->board = *board;
    for (int a = 0; a < board->cells; a++) {
        tables->full[a >> 6] |= 1ull << (a & 63);
        for (int b = 0; b < board->cells; b++) {
            const int q = board->q[a] - board->q[b], r = board->r[a] - board->r[b];
            const int squared = q * q + q * r + r * r; /* squared distance; neighbours are 1 apart */
            if (squared < 5 && rings[squared])
                rings[squared][board->words * a + (b >> 6)] |= 1ull << (b & 63);
        }
    }
}

/* ---- Positions ---- */

/* The exclusive or of the keys of a set of stones. */
static uint64_t keys_of(const BugGame *self, const uint64_t *stones, Side side) {
    uint64_t sum = 0;
    for (int i = 0; i < self->game.board.words; i++)
        for (uint64_t rest = stones[i]; rest; rest &= rest - 1)
            sum ^= self->stone_key[side][64 * i + __builtin_ctzll(rest)];
    return sum;
}

static uint64_t stage_key(const BugGame *self, const BugState *state) {
    return (state->side == WHITE ? self->side_key : 0) ^ (state->bonus ? self->bonus_key : 0) ^
           (state->pie ? self->pie_key : 0);
}

/* The hash computed from scratch. Stones count by side: whether the players swapped does not affect the rest of
 * the game. */
static uint64_t hash_of(const BugGame *self, const BugState *state) {
    const Game *game = &self->game;
    return keys_of(self, stones_of(game, state, BLACK), BLACK) ^ keys_of(self, stones_of(game, state, WHITE), WHITE) ^
           stage_key(self, state);
}

void bug_set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side side, bool bonus) {
    const BugGame *self = self_of(game);
    uint64_t sets[2][BUG_WORDS_MAX] = {{0}};
    int count[2] = {0};
    for (int c = 0; c < game->board.cells; c++) {
        if (!stones[c])
            continue;
        sets[stones[c] - 1][c >> 6] |= 1ull << (c & 63);
        count[stones[c] - 1]++;
    }
    memset(state, 0, game->state_bytes);
    self->kernel->set_up(&self->tables, view(state), (const uint64_t *const[2]){sets[0], sets[1]}, side, bonus);
    /* A swap may still come on the empty board with Black to move, and after Black's first stone. */
    view(state)->pie = self->pie && count[WHITE] == 0 && count[BLACK] == (side == BLACK ? 0 : 1);
    view(state)->hash = hash_of(self, view(state));
}

static bool set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side to_move, int komi,
                   Error *error) {
    if (komi) /* any stones are a position */
        return error_set(error, "komi %d, expected 0: the game has none", komi);
    bug_set_up(game, state, stones, to_move, false);
    return true;
}

static void start(const Game *game, GameState *state, int komi) {
    (void)komi;
    bug_set_up(game, state, (const uint8_t[HEXHEX_MAX_CELLS]){0}, BLACK, false);
}

static Side to_move(const GameState *state) {
    return (Side)peek(state)->side;
}

static Side colour(const GameState *state, Side side) {
    return peek(state)->swapped ? side_opponent(side) : side;
}

static bool turn_start(const GameState *state) {
    return !peek(state)->bonus;
}

static bool over(const GameState *state) {
    return peek(state)->over;
}

static uint64_t hash(const GameState *state) {
    return peek(state)->hash;
}

static int legal(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]) {
    const int words = game->board.words, offset = peek(state)->bonus ? 64 * words : 0;
    const uint64_t *moves = moves_of(game, peek(state));
    int count = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t rest = moves[i]; rest; rest &= rest - 1)
            out[count++] = (Action)(offset + 64 * i + __builtin_ctzll(rest));
    if (bug_may_swap(peek(state)))
        out[count++] = bug_swap(words);
    return count;
}

static void apply(const Game *game, GameState *state, Action action) {
    const BugGame *self = self_of(game);
    const int words = game->board.words, cell = action % (64 * words);
    BugState *position = view(state);
    if (action == bug_swap(words)) {
        self->kernel->swap(position);
        position->pie = false;
        position->swapped = true;
        position->hash = hash_of(self, position);
        return;
    }
    const Side side = (Side)position->side, enemy = side_opponent(side);
    uint64_t eaten[BUG_WORDS_MAX];
    memcpy(eaten, stones_of(game, position, enemy), (size_t)words * sizeof(uint64_t));
    position->hash ^= stage_key(self, position) ^ self->stone_key[side][cell];
    self->kernel->step(&self->tables, position, cell);
    position->pie = position->pie && side == BLACK;
    for (int i = 0; i < words; i++)
        eaten[i] &= ~stones_of(game, position, enemy)[i];
    position->hash ^= stage_key(self, position) ^ keys_of(self, eaten, enemy);
}

static GameResult result(const Game *game, const GameState *state) {
    (void)game;
    const Side winner = to_move(state);
    return (GameResult){.winner = winner, .half_points = winner == BLACK ? 1 : -1};
}

static void stones(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    const uint64_t *black = stones_of(game, peek(state), colour(state, BLACK));
    const uint64_t *white = stones_of(game, peek(state), colour(state, WHITE));
    for (int c = 0; c < game->board.cells; c++)
        out[c] = has(black, c) ? 1 : has(white, c) ? 2 : 0;
}

static void places(const Game *game, const GameState *state, uint8_t closed[2][HEXHEX_MAX_CELLS],
                   uint8_t captures[2][HEXHEX_MAX_CELLS]) {
    const BugGame *self = self_of(game);
    for (Side side = BLACK; side <= WHITE; side++) {
        uint8_t *const own_closed = closed[colour(state, side)], *const own_captures = captures[colour(state, side)];
        memset(own_closed, 0, (size_t)game->board.cells);
        memset(own_captures, 0, (size_t)game->board.cells);
        self->kernel->places(&self->tables, peek(state), side, own_closed, own_captures);
    }
}

static void playouts(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results) {
    const BugGame *self = self_of(game);
    self->kernel->playouts(&self->tables, states, seeds, count, policy, results);
}

static const char *action_kind(const Game *game, Action action, int *cell) {
    static const char *const names[] = {"grow", "bonus", "swap", NULL};
    return game_kind(game, names, action, cell);
}

static float static_eval(const Game *game, const GameState *state) {
    return self_of(game)->kernel->static_eval(&self_of(game)->tables, peek(state));
}

/* ---- Text ---- */

static void format_turn(const Game *game, const GameState *state, const Action *turn, int count,
                        char out[GAME_TEXT_MAX]) {
    (void)state;
    size_t length = 0;
    if (turn[0] == bug_swap(game->board.words)) {
        strcpy(out, "swap");
        return;
    }
    for (int i = 0; i < count; i++) {
        if (i > 0)
            out[length++] = ',';
        length += hexhex_name(&game->board, turn[i] % (64 * game->board.words), out + length);
    }
}

static void format(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]) {
    format_turn(game, state, &action, 1, out);
}

/* Errors. Each begins with the turn up to the wrong stone. These functions return -1. */

static int not_growable(const Game *game, const BugState *state, int c, const char *turn, Error *error) {
    const Side side = (Side)state->side;
    if (has(stones_of(game, state, BLACK), c) || has(stones_of(game, state, WHITE), c))
        error_set(error, "%.40s: there is a stone already, expected an empty cell for the GROW stone", turn);
    else if (has(state->set + (BUG_TWICE + side) * game->board.words, c))
        error_set(error, "%.40s: touches several own bugs, expected a GROW stone that touches at most one", turn);
    else
        error_set(error,
                  "%.40s: touches an own bug of the largest size, expected a GROW stone that touches no own bug or one "
                  "of fewer than %d cells",
                  turn, state->largest);
    return -1;
}

static int not_eaten(const Game *game, const BugState *state, const char *turn, const char *reason, Error *error) {
    char cells[160] = "";
    size_t used = 0;
    bool all = true;
    for (int c = 0; c < game->board.cells && all; c++) {
        char name[HEXHEX_NAME_SIZE];
        if (!has(moves_of(game, state), c))
            continue;
        hexhex_name(&game->board, c, name);
        all = used + 32 < sizeof cells;
        used += (size_t)snprintf(cells + used, sizeof cells - used, "%s%s", used ? " or " : "",
                                 all ? name : "another cell");
    }
    error_set(error, "%.60s: %s, expected a BONUS stone on %s", turn, reason, cells);
    return -1;
}

static int no_more_stones(const Game *game, const GameState *state, const Action *turn, int count, Error *error) {
    char text[GAME_TEXT_MAX];
    format_turn(game, state, turn, count, text);
    error_set(error, "%.60s: no bug can eat after that, expected the end of the turn", text);
    return -1;
}

static int not_a_turn(const Game *game, const GameState *state, const char *text, Error *error) {
    char highest[HEXHEX_NAME_SIZE];
    hexhex_name(&game->board, 0, highest);
    error_set(
        error,
        "'%.40s' is no turn: expected %scells of hexhex-%d (a1 to row %c) with commas between them, the GROW stone "
        "and its BONUS stones",
        text, bug_may_swap(peek(state)) ? "swap, or " : "", game->board.size, highest[0]);
    return -1;
}

/* Reads cell names with commas between them. Returns their number, or -1 if the text is anything else. */
static int read_cells(const Hexhex *board, const char *text, int16_t cells[GAME_TURN_MAX]) {
    for (int count = 0; count < GAME_TURN_MAX;) {
        const char *end;
        const int c = hexhex_parse(board, text, &end);
        if (c < 0 || (*end && *end != ','))
            return -1;
        cells[count++] = (int16_t)c;
        if (!*end)
            return count;
        text = end + 1;
    }
    return -1;
}

static int parse_swap(const Game *game, const GameState *state, Action *out, Error *error) {
    *out = bug_swap(game->board.words);
    if (bug_may_swap(peek(state)))
        return 1;
    error_set(error, "swap: it may only answer Black's first stone, and only with the pie rule");
    return -1;
}

static int parse(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX], Error *error) {
    int16_t cells[GAME_TURN_MAX];
    GameState now;
    if (over(state)) {
        error_set(error, "the game is over");
        return -1;
    }
    if (!strcasecmp(text, "swap"))
        return parse_swap(game, state, turn, error);
    const int count = read_cells(&game->board, text, cells);
    if (count < 0)
        return not_a_turn(game, state, text, error);
    game_copy(game, &now, state);
    for (int i = 0; i < count; i++) {
        const bool bonus = peek(&now)->bonus;
        char put[GAME_TEXT_MAX];
        turn[i] = (Action)(cells[i] + (bonus ? 64 * game->board.words : 0));
        format_turn(game, state, turn, i + 1, put);
        if (i > 0 && !bonus)
            return no_more_stones(game, state, turn, i, error);
        if (!has(moves_of(game, peek(&now)), cells[i]))
            return bonus ? not_eaten(game, peek(&now), put, "no bug can eat and grow there", error)
                         : not_growable(game, peek(&now), cells[i], put, error);
        apply(game, &now, turn[i]);
    }
    if (!turn_start(&now))
        return not_eaten(game, peek(&now), text, "the turn is not over while a bug can eat", error);
    return count;
}

/* ---- The kernels ---- */

extern const BugKernel bug_plain_small, bug_plain_large;
#ifdef STIGMERGY_HAS_BMI2
extern const BugKernel bug_bmi2_small, bug_bmi2_large;
#endif

const BugKernel *const bug_kernels[BUG_WORDS_MAX + 1][4] = {
    [1] = {&bug_plain_small,
#ifdef STIGMERGY_HAS_BMI2
           &bug_bmi2_small,
#endif
           NULL},
    [2] = {&bug_plain_large,
#ifdef STIGMERGY_HAS_BMI2
           &bug_bmi2_large,
#endif
           NULL},
};

/* The index-th of the kernels that run on this processor; NULL behind the last. */
static const BugKernel *kernel_at(const Game *game, int index) {
    for (const BugKernel *const *kernel = bug_kernels[game->board.words]; *kernel; kernel++)
        if ((*kernel)->runs_here() && index-- == 0)
            return *kernel;
    return NULL;
}

static const char *kernel_name(const Game *game, int index) {
    const BugKernel *kernel = kernel_at(game, index);
    return kernel ? kernel->name : NULL;
}

Game *bug_new(const GameOptions *options, Error *error) {
    static const GameRules rules = {
        .start = start,
        .to_move = to_move,
        .colour = colour,
        .turn_start = turn_start,
        .over = over,
        .result = result,
        .legal = legal,
        .apply = apply,
        .hash = hash,
        .playouts = playouts,
        .static_eval = static_eval,
        .format = format,
        .format_turn = format_turn,
        .parse = parse,
        .stones = stones,
        .places = places,
        .symmetry = game_symmetry,
        .action_kind = action_kind,
        .kernel = kernel_name,
        .set_up = set_up,
        .solver = &bug_solver_model,
    };
    BugGame *self = game_make(sizeof *self, "bug", &rules, options, error);
    if (!self)
        return NULL;
    Game *game = &self->game;
    const int words = game->board.words;
    game->has_groups = true;
    self->pie = options->pie == GAME_PIE_ON;
    self->kernel = kernel_at(game, game->kernel_index);
    game->state_bytes = offsetof(BugState, set) + (size_t)(BUG_SETS * words) * sizeof(uint64_t);
    game->action_words = 2 * words + 1;
    init_tables(&self->tables, &game->board);
    init_keys(self);
    return game;
}
