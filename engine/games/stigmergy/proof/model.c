/* Stigmergy as the solver sees it (engine/solver/model.h), built on the theorems of safe_stones_internal.h.
 *
 * Bounds. A cell is *settled* when it is safe for one side, otherwise *live*. Whatever is played, each side ends with
 * its safe cells at least. A node keeps both sides' closures. A side's own moves do not change its closure, so each
 * move costs one new closure, the opponent's.
 *
 * Moves. Lines of sight only get shorter. So a move on a cell that sees no live cell changes nothing that matters, now
 * or later: it is a pass in disguise, and no better than any other move (theorem 7). The moves are the placements and
 * flips on the *context* alone: the live cells and all that they see up to the first stone. Passes are not needed
 * either. A side without moves on the context never gets one again by the other side's moves (theorem 2). So the other
 * side alone goes on to its closure, and the value is known.
 *
 * Keys. The rest of the game depends on the context alone: on the stones there, on which cells are live, and on who may
 * place on the settled empty cells. Positions that agree in this, apart from the names of the colours, share an entry
 * of the table. The settled cells and a button that has been taken go into the offset. Near the start of the game,
 * where all twelve symmetric positions come up, the key is that of the canonical form.
 *
 * The empty board. By theorem 7 and the symmetry of the colours, the side to move there has at least half: the value of
 * every board is 1 or more for Black (strategy stealing).
 *
 * The button. Taking it is worth half a point and is otherwise a pass. Where it is on the table, the side to move can
 * have it for certain. */
#include "engine/base/bits.h"
#include "engine/games/stigmergy/proof/carriers_internal.h"
#include "engine/games/stigmergy/proof/safe_stones_internal.h"
#include "engine/solver/canonical.h"

enum {
    PART_REACH, /* of Black, of White */
    PART_LIVE = 2,
    PART_CONTEXT,
    PART_PLANES, /* those of the position */
    PARTS = PART_PLANES + PLANES
};

typedef struct StigmergyNode {
    uint8_t side, passes, button;
    uint8_t unused[5];
    uint64_t part[PARTS * HEXHEX_WORDS]; /* sets of board.words words each */
} StigmergyNode;

enum {
    CANONICAL_STONES = 4, /* with more stones, finding the canonical form costs more than it saves */
    MARGIN_WEIGHT = 8,    /* of the current margin in cells ... */
    BOUNDS_WEIGHT = 12    /* ... and of the sum of the bounds, for the order of moves */
};

_Static_assert(sizeof(StigmergyNode) <= sizeof(SolverNode), "a node fits into a SolverNode");

/* ---- One size of sets ---- */

/* Where the reach of a side begins in `part`. */
CORE_INLINE int part_reach(Side side, int words) {
    return (PART_REACH + side) * words;
}

CORE_INLINE int count_set(const uint64_t *set, int words) {
    int count = 0;
    for (int i = 0; i < words; i++)
        count += bits_count(set[i]);
    return count;
}

/* The cells visible from c: along each ray up to the first stone, that one included. Being visible is mutual. */
CORE_INLINE void view_from(const StigmergyTables *tables, const uint64_t *occupied, int c, int words, uint64_t *view) {
    for (int i = 0; i < words; i++)
        view[i] = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        uint64_t segment[HEXHEX_WORDS];
        core_segment(core_ray(tables, c, d, words), occupied, d % 2 == 0, words, segment);
        for (int i = 0; i < words; i++)
            view[i] |= segment[i];
    }
}

/* The live cells and what they see: gathered from the live cells or from the others, whichever are fewer. */
CORE_INLINE void find_context(const StigmergyTables *tables, const uint64_t *planes, const uint64_t *live, int words,
                              uint64_t *context) {
    uint64_t occupied[HEXHEX_WORDS], view[HEXHEX_WORDS];
    for (int i = 0; i < words; i++) {
        occupied[i] = planes[plane_stones(BLACK, words) + i] | planes[plane_stones(WHITE, words) + i];
        context[i] = live[i];
    }
    const bool from_live = 2 * count_set(live, words) <= tables->cells;
    for (int i = 0; i < words; i++)
        for (uint64_t rest = from_live ? live[i] : tables->full[i] & ~live[i]; rest; rest &= rest - 1) {
            const int c = 64 * i + __builtin_ctzll(rest);
            view_from(tables, occupied, c, words, view);
            if (!from_live)
                context[i] |= core_meet(view, live, words) ? 1ull << (c & 63) : 0;
            else
                for (int k = 0; k < words; k++)
                    context[k] |= view[k];
        }
}

/* Three bits a cell: live or not, stone or not, the mover's or not, and one pattern for cells beyond the context. An
 * empty cell counts as the mover's where it is settled for him. */
CORE_INLINE void make_key(const Hexhex *board, const uint64_t *full, const StigmergyNode *node, int words,
                          SolverLook *look) {
    const Side side = (Side)node->side, opponent = side_opponent(side);
    const uint64_t *planes = node->part + PART_PLANES * words, *live = node->part + PART_LIVE * words;
    const uint64_t *own = planes + plane_stones(side, words), *enemy = planes + plane_stones(opponent, words);
    const uint64_t *enemy_reach = node->part + part_reach(opponent, words);
    uint64_t sets[3 * HEXHEX_WORDS];
    int stones = 0;
    for (int i = 0; i < words; i++) {
        const uint64_t context = node->part[PART_CONTEXT * words + i], occupied = own[i] | enemy[i];
        const uint64_t mine = own[i] | (~enemy[i] & ~enemy_reach[i]), beyond = full[i] & ~context;
        sets[i] = live[i] | beyond;
        sets[words + i] = occupied & context;
        sets[2 * words + i] = (mine & context) | beyond;
        stones += bits_count(occupied);
    }
    look->map = stones <= CANONICAL_STONES ? solver_canonical_form(board, sets, 3) : 0;
    const uint64_t button = node->button == BUTTON_ON_TABLE;
    solver_make_key(sets, 3 * words, button + 2 * (uint64_t)node->passes, look->key);
}

CORE_INLINE bool any_move(const StigmergyTables *tables, const uint64_t *part, Side side, int words) {
    uint64_t moves[HEXHEX_WORDS];
    safe_moves(tables, part + PART_PLANES * words, side, words, moves);
    return core_meet(moves, part + PART_CONTEXT * words, words) != 0;
}

/* Black's cells less White's if the game ended here. */
CORE_INLINE int board_margin(const uint64_t *planes, int words) {
    int margin = 0;
    for (int i = 0; i < words; i++) {
        const uint64_t black = planes[plane_stones(BLACK, words) + i], white = planes[plane_stones(WHITE, words) + i];
        margin += bits_count(black | (planes[plane_control(BLACK, words) + i] & ~white));
        margin -= bits_count(white | (planes[plane_control(WHITE, words) + i] & ~black));
    }
    return margin;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* The bounds after a pass, when the side to move may end the game with the value `stop`, or after two, when it has
 * ended. Going on is no better than it is without passes. */
static void look_at_passes(int passes, int stop, SolverLook *look) {
    int *lower = &look->lower_half_points, *upper = &look->upper_half_points;
    if (passes == 2) {
        *lower = *upper = stop;
    } else if (look->side == BLACK) {
        *lower = larger(*lower, stop);
        *upper = larger(*upper, stop);
    } else {
        *lower = smaller(*lower, stop);
        *upper = smaller(*upper, stop);
    }
}

CORE_INLINE void look_words(const Game *game, const StigmergyTables *tables, StigmergyNode *node, SolverLook *look,
                            int words) {
    uint64_t *part = node->part;
    const uint64_t *planes = part + PART_PLANES * words;
    const uint64_t *black_reach = part + part_reach(BLACK, words), *white_reach = part + part_reach(WHITE, words);
    const Side side = (Side)node->side;
    const int sign = side == BLACK ? 1 : -1;
    const int held = button_half_points((GameButton)node->button);
    const int half = node->button == BUTTON_ON_TABLE ? sign : held;
    for (int i = 0; i < words; i++)
        part[PART_LIVE * words + i] = black_reach[i] & white_reach[i];
    const int cells = tables->cells, black = cells - count_set(white_reach, words);
    const int white = cells - count_set(black_reach, words), margin = board_margin(planes, words);
    *look = (SolverLook){.side = side,
                         .lower_half_points = 2 * (2 * black - cells) + half,
                         .upper_half_points = 2 * (cells - 2 * white) + half,
                         .sign = sign,
                         .offset_half_points = 2 * (black - white) + held};
    look->guess = MARGIN_WEIGHT * margin + BOUNDS_WEIGHT * (look->lower_half_points + look->upper_half_points);
    find_context(tables, planes, part + PART_LIVE * words, words, part + PART_CONTEXT * words);
    const bool own_moves = any_move(tables, part, side, words);
    if (!own_moves || !any_move(tables, part, side_opponent(side), words)) { /* one side alone goes on */
        const bool black_moves = own_moves == (side == BLACK);
        look->lower_half_points = look->upper_half_points =
            black_moves ? look->upper_half_points : look->lower_half_points;
    }
    /* The empty board is the same for both, and having the move does no harm. */
    if (count_set(planes + plane_stones(BLACK, words), 2 * words) == 0)
        *(side == BLACK ? &look->lower_half_points : &look->upper_half_points) = held;
    if (node->passes)
        look_at_passes(node->passes, 2 * margin + held, look);
    make_key(&game->board, tables->full, node, words, look);
}

CORE_INLINE int moves_words(const StigmergyTables *tables, const StigmergyNode *node, Action *out, int words) {
    const Side side = (Side)node->side;
    const uint64_t *planes = node->part + PART_PLANES * words;
    const uint64_t *enemy = planes + plane_stones(side_opponent(side), words);
    uint64_t moves[HEXHEX_WORDS];
    safe_moves(tables, planes, side, words, moves);
    int count = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t rest = moves[i] & node->part[PART_CONTEXT * words + i]; rest; rest &= rest - 1) {
            const int c = 64 * i + __builtin_ctzll(rest);
            out[count++] = (Action)(core_has(enemy, c) ? 64 * words + c : c);
        }
    if (node->button == BUTTON_ON_TABLE)
        out[count++] = stigmergy_take_button(words);
    return count;
}

CORE_INLINE void play_words(const StigmergyTables *tables, const StigmergyNode *node, Action action,
                            StigmergyNode *child, int words) {
    const Side side = (Side)node->side, opponent = side_opponent(side);
    memcpy(child, node, offsetof(StigmergyNode, part) + (size_t)(PARTS * words) * sizeof(uint64_t));
    child->side = (uint8_t)opponent;
    child->passes = 0;
    if (action == stigmergy_take_button(words)) {
        child->button = (uint8_t)button_taken_by(side);
        return;
    }
    uint64_t *planes = child->part + PART_PLANES * words;
    stigmergy_core_change(tables, planes, action % (64 * words), side, words);
    safe_reach(tables, planes, opponent, words, child->part + part_reach(opponent, words));
}

CORE_INLINE void open_words(const StigmergyTables *tables, const StigmergyState *state, StigmergyNode *node,
                            int words) {
    *node = (StigmergyNode){.side = state->side, .passes = state->passes, .button = state->button};
    uint64_t *planes = node->part + PART_PLANES * words;
    memcpy(planes, state->plane, (size_t)(PLANES * words) * sizeof *planes);
    for (int side = 0; side < 2; side++)
        safe_reach(tables, planes, side, words, node->part + part_reach(side, words));
}

/* ---- All sizes ---- */

static void open(const Game *game, const GameState *state, SolverNode *node) {
    const StigmergyTables *tables = stigmergy_tables(game);
    switch (tables->words) {
    case 1: open_words(tables, (const StigmergyState *)state, (StigmergyNode *)node, 1); break;
    case 2: open_words(tables, (const StigmergyState *)state, (StigmergyNode *)node, 2); break;
    case 3: open_words(tables, (const StigmergyState *)state, (StigmergyNode *)node, 3); break;
    case 4: open_words(tables, (const StigmergyState *)state, (StigmergyNode *)node, 4); break;
    default: open_words(tables, (const StigmergyState *)state, (StigmergyNode *)node, 5); break;
    }
}

static void look(const Game *game, SolverNode *node, SolverLook *out) {
    const StigmergyTables *tables = stigmergy_tables(game);
    switch (tables->words) {
    case 1: look_words(game, tables, (StigmergyNode *)node, out, 1); break;
    case 2: look_words(game, tables, (StigmergyNode *)node, out, 2); break;
    case 3: look_words(game, tables, (StigmergyNode *)node, out, 3); break;
    case 4: look_words(game, tables, (StigmergyNode *)node, out, 4); break;
    default: look_words(game, tables, (StigmergyNode *)node, out, 5); break;
    }
}

static int moves(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]) {
    const StigmergyTables *tables = stigmergy_tables(game);
    switch (tables->words) {
    case 1: return moves_words(tables, (const StigmergyNode *)node, out, 1);
    case 2: return moves_words(tables, (const StigmergyNode *)node, out, 2);
    case 3: return moves_words(tables, (const StigmergyNode *)node, out, 3);
    case 4: return moves_words(tables, (const StigmergyNode *)node, out, 4);
    default: return moves_words(tables, (const StigmergyNode *)node, out, 5);
    }
}

static void play(const Game *game, const SolverNode *node, Action action, SolverNode *child) {
    const StigmergyTables *tables = stigmergy_tables(game);
    switch (tables->words) {
    case 1: play_words(tables, (const StigmergyNode *)node, action, (StigmergyNode *)child, 1); break;
    case 2: play_words(tables, (const StigmergyNode *)node, action, (StigmergyNode *)child, 2); break;
    case 3: play_words(tables, (const StigmergyNode *)node, action, (StigmergyNode *)child, 3); break;
    case 4: play_words(tables, (const StigmergyNode *)node, action, (StigmergyNode *)child, 4); break;
    default: play_words(tables, (const StigmergyNode *)node, action, (StigmergyNode *)child, 5); break;
    }
}

/* A board margin is odd, as the number of cells is, so it is 2 modulo 4 in half points. */
static int round_up(const Game *game, const SolverNode *node, int half_points) {
    (void)game;
    const GameButton button = (GameButton)((const StigmergyNode *)node)->button;
    if (button == BUTTON_ON_TABLE)
        return half_points + (half_points % 2 == 0);
    return half_points + ((2 + button_half_points(button) - half_points) & 3);
}

const SolverModel stigmergy_solver_model = {
    .open = open, .look = look, .moves = moves, .play = play, .round_up = round_up, .carriers = &stigmergy_carriers};
