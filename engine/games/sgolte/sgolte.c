/* See sgolte.h. */
#include "engine/games/sgolte/sgolte.h"

#include "engine/base/rng.h"
#include "engine/games/sgolte/legal.h"
#include "engine/games/sgolte/playout.h"
#include "engine/games/sgolte/prior.h"
#include "engine/games/sgolte/text.h"

_Static_assert(sizeof(SgolteState) <= sizeof(GameState), "a position fits into a GameState");

static const SgolteState *peek(const GameState *state) {
    return (const SgolteState *)state;
}

/* ---- Positions ---- */

static uint64_t hash_stones(const CellSet stones[2]) {
    uint64_t sum = 0;
    for (int side = BLACK; side <= WHITE; side++) {
        CellSet rest = stones[side];
        for (int c; set_take(&rest, &c);)
            sum ^= rng_split(0x5601, (uint64_t)(SGOLTE_CELLS * side + c));
    }
    return sum;
}

/* The hash covers the stones and the stage of the turn. Stones count by side: whether the players swapped does not
 * affect the rest of the game. */
static uint64_t hash(const GameState *state) {
    const SgolteTurn *turn = &peek(state)->turn;
    const CellSet target = set_load(peek(state)->target);
    const uint64_t lowest = target ? (uint64_t)set_lowest(target) : SGOLTE_NONE;
    const uint64_t index = turn->side | (uint64_t)turn->stage << 1 | (uint64_t)turn->pie << 3 |
                           (uint64_t)turn->captured << 8 | (uint64_t)turn->last << 16 |
                           (uint64_t)turn->direction << 24 | lowest << 32;
    return peek(state)->stones_hash ^ rng_split(0x5602, index);
}

static void store(const SgolteTables *tables, const SgolteBoard *board, GameState *out) {
    SgolteState *state = (SgolteState *)out;
    state->stones_hash = hash_stones(board->stones);
    for (int side = BLACK; side <= WHITE; side++)
        set_store(state->stones[side], board->stones[side]);
    set_store(state->target, board->target);
    state->turn = board->turn;
    state->turn.over = board->turn.stage == SGOLTE_PLACE && !sgolte_has_choice(tables, board);
}

static bool set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side to_move, int komi,
                   Error *error) {
    if (komi) /* any stones are a position */
        return error_set(error, "komi %d, expected 0: the game has none", komi);
    const SgolteTables *tables = sgolte_tables(game);
    SgolteState bare = {.turn = {.side = (uint8_t)to_move, .last = SGOLTE_NONE, .direction = SGOLTE_NONE}};
    CellSet set[2] = {0};
    for (int c = 0; c < game->board.cells; c++)
        if (stones[c])
            set[stones[c] - 1] |= tables->bit[c];
    for (int side = BLACK; side <= WHITE; side++)
        set_store(bare.stones[side], set[side]);
    /* A swap may still come on the empty board with Black to move, and after Black's first stone. */
    bare.turn.pie =
        ((const SgolteGame *)game)->pie && !set[WHITE] && set_count(set[BLACK]) == (to_move == BLACK ? 0 : 1);
    SgolteBoard board;
    sgolte_load(tables, &bare, &board);
    memset(state, 0, game->state_bytes);
    store(tables, &board, state);
    return true;
}

static void start(const Game *game, GameState *state, int komi) {
    const uint8_t empty[HEXHEX_MAX_CELLS] = {0};
    (void)komi;
    set_up(game, state, empty, BLACK, 0, NULL);
}

static Side to_move(const GameState *state) {
    return peek(state)->turn.side;
}

static Side colour(const GameState *state, Side side) {
    return peek(state)->turn.swapped ? side_opponent(side) : side;
}

static bool turn_start(const GameState *state) {
    return peek(state)->turn.stage == SGOLTE_PLACE;
}

static bool over(const GameState *state) {
    return peek(state)->turn.over;
}

static GameResult result(const Game *game, const GameState *state) {
    (void)game;
    const Side winner = side_opponent(to_move(state));
    return (GameResult){.winner = winner, .half_points = winner == BLACK ? 1 : -1};
}

static void stones(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    const CellSet black = set_load(peek(state)->stones[colour(state, BLACK)]);
    const CellSet white = set_load(peek(state)->stones[colour(state, WHITE)]);
    for (int c = 0; c < game->board.cells; c++)
        out[c] = set_has(black, c) ? 1 : set_has(white, c) ? 2 : 0;
}

/* ---- Actions ---- */

static int legal(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]) {
    const SgolteTables *tables = sgolte_tables(game);
    if (over(state))
        return 0;
    SgolteBoard board;
    sgolte_load(tables, peek(state), &board);
    CellSet rest = sgolte_choices(tables, &board);
    int count = 0;
    for (int c; set_take(&rest, &c);)
        out[count++] = sgolte_action(tables->words, (SgolteStage)board.turn.stage, c);
    if (sgolte_may_swap(board.turn))
        out[count++] = sgolte_swap(tables->words);
    return count;
}

static void apply(const Game *game, GameState *state, Action action) {
    const SgolteTables *tables = sgolte_tables(game);
    const int c = action % (64 * tables->words);
    SgolteBoard board;
    sgolte_load(tables, peek(state), &board);
    if (action == sgolte_swap(tables->words))
        sgolte_swap_sides(&board);
    else if (board.turn.stage == SGOLTE_PLACE)
        sgolte_place(tables, &board, c);
    else if (board.turn.stage == SGOLTE_CAPTURE)
        sgolte_capture(tables, &board, c);
    else
        sgolte_replace(tables, &board, c);
    store(tables, &board, state);
}

static const char *action_kind(const Game *game, Action action, int *cell) {
    static const char *const names[] = {"place", "capture", "replace", "swap", NULL};
    return game_kind(game, names, action, cell);
}

/* ---- Making the game ---- */

Game *sgolte_new(const GameOptions *options, Error *error) {
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
        .playouts = sgolte_playouts,
        .priors = sgolte_priors,
        .format = sgolte_format,
        .format_turn = sgolte_format_turn,
        .parse = sgolte_parse,
        .stones = stones,
        .symmetry = game_symmetry,
        .action_kind = action_kind,
        .set_up = set_up,
        .solver = &sgolte_solver_model,
    };
    SgolteGame *self = game_make(sizeof *self, "sgolte", &rules, options, error);
    if (!self)
        return NULL;
    Game *game = &self->game;
    game->state_bytes = sizeof(SgolteState);
    game->turns_as_sets = true;
    game->has_groups = true;
    game->action_words = 3 * game->board.words + 1;
    self->pie = options->pie != GAME_PIE_OFF;
    sgolte_board_init(&self->tables, &game->board, options->capture == GAME_CAPTURE_LINE);
    return game;
}
