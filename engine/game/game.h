/* The game interface: everything that the rest of the program knows about a game.
 *
 * A game on a board of a given size is an immutable `Game`. It is made once and shared by all threads. A position is a
 * `GameState`: a plain value without pointers, copied by memcpy of `game->state_bytes`. An action is one small integer.
 * A player's turn is one action or several (`turn_start` tells where a turn begins). So sides do not always alternate
 * from action to action: `to_move` tells whose action it is.
 *
 * Black and White are Sides, the players, in results, playouts, static_eval and board_score. In stones, control, sight,
 * seen, places and button they are colours of stones, which differ after a swap (game_colour). game_format_result
 * writes the winner that it gets, so people who see colours get a translated one (board_text.c).
 *
 * The functions of GameRules are called once for each action in the tree and once for each batch of playouts, never
 * inside a playout. */
#ifndef STIGMERGY_ENGINE_GAME_GAME_H
#define STIGMERGY_ENGINE_GAME_GAME_H

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/board/hexhex.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint16_t Action;

typedef int Side; /* BLACK or WHITE, or NOBODY where it says so; an int because it is an index and used in arithmetic */
enum { NOBODY = -1, BLACK, WHITE };

static inline Side side_opponent(Side side) {
    return side == BLACK ? WHITE : BLACK;
}

enum {
    GAME_STATE_WORDS = 48,                     /* 64-bit words that a state may use */
    GAME_ACTION_WORDS = 2 * HEXHEX_WORDS + 1,  /* 64-bit words in a set of actions */
    GAME_ACTIONS_MAX = 64 * GAME_ACTION_WORDS, /* action numbers are below this */
    GAME_LEGAL_MAX = 2 * HEXHEX_MAX_CELLS,     /* legal actions of one position */
    GAME_TURN_MAX = HEXHEX_MAX_CELLS,          /* actions of one turn */
    GAME_TEXT_MAX = 6 * HEXHEX_MAX_CELLS,      /* a turn as text, terminator included */
    GAME_KOMI_LIMIT = 2 * HEXHEX_MAX_CELLS     /* |komi| of any game is at most this */
};

/* Whether a game with this komi is played with the button. It is when komi is odd, negative numbers included, in every
 * game with points: so the margin is never 0. Records, solver and estimates rely on it. */
static inline bool komi_has_button(int komi) {
    return komi % 2 != 0;
}

/* Where the button is (GameRules.button). Data sets hold these numbers (planes.h). */
typedef enum GameButton { BUTTON_NONE, BUTTON_ON_TABLE, BUTTON_BLACK, BUTTON_WHITE } GameButton;

/* The button in the hands of a side. */
static inline GameButton button_taken_by(Side side) {
    return side == BLACK ? BUTTON_BLACK : BUTTON_WHITE;
}

/* What the button adds to Black's margin. */
static inline int button_half_points(GameButton button) {
    return (button == BUTTON_BLACK) - (button == BUTTON_WHITE);
}

typedef struct GameState {
    uint64_t word[GAME_STATE_WORDS];
} GameState;

/* How a game ended. */
typedef struct GameResult {
    Side winner;
    int half_points; /* Black's margin, komi and button included; +1 or -1 in a game without points */
} GameResult;

typedef enum PlayoutPolicy {
    PLAYOUT_UNIFORM, /* each legal action with equal chance, but no pass while another action exists */
    PLAYOUT_LIGHT,   /* without the actions that the game knows to be useless */
    PLAYOUT_TACTICAL /* as light, but actions that the game knows to be good come more often */
} PlayoutPolicy;

/* The result of a playout. Sets are bit sets with 64 numbers in each word. Words beyond those that the game uses are
 * not written. */
typedef struct PlayoutResult {
    int16_t half_points;                   /* as in GameResult */
    uint16_t length;                       /* actions played; passes at the end count only with PLAYOUT_UNIFORM */
    uint64_t played[2][GAME_ACTION_WORDS]; /* per side: its actions except passes (all moves as first) */
    uint64_t black_owns[HEXHEX_WORDS];     /* cells that are Black's at the end: a black stone is there, or it is empty
                                              and `control` says so; the others are White's or nobody's */
} PlayoutResult;

typedef struct Game Game;

/* The functions of a game. Those marked optional may be NULL. */
typedef struct GameRules {
    /* Makes the start position. komi is 0 in a game without komi, otherwise |komi| <= GAME_KOMI_LIMIT. */
    void (*start)(const Game *game, GameState *state, int komi);

    /* The komi of a position. Required in games with points, NULL in others. */
    int (*komi)(const GameState *state);

    Side (*to_move)(const GameState *state);

    /* Required in games with a swap (where `swap` answers the first stone), NULL in others: the colour of a player's
     * stones. A Side is a player, and BLACK is the player who began. People and protocols see this colour instead. */
    Side (*colour)(const GameState *state, Side side);

    /* Whether the next action begins a turn. Of a finished game it may say either. */
    bool (*turn_start)(const GameState *state);
    bool (*over)(const GameState *state);

    /* The result of a finished game. In a game with points, also that of an unfinished one: the score of the board as
     * it is. */
    GameResult (*result)(const Game *game, const GameState *state);

    /* Writes the legal actions in ascending order and returns their number. It is 0 if and only if the game is over. */
    int (*legal)(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]);

    /* Takes an action, which must be legal: this is not checked. */
    void (*apply)(const Game *game, GameState *state, Action action);

    /* Equal for equal positions, whatever moves led to them. Positions have different hashes, except by chance, if they
     * differ in anything that the rest of the game depends on: stones, the side to move, the stage of the turn, passes,
     * the button, whether there may be a swap. The solver and the opening book rely on it. Two things are left out:
     * komi, and the colours of the stones. Stones count by Side, so it does not matter whether the players swapped. */
    uint64_t (*hash)(const GameState *state);

    /* Plays `count` games to the end. Game i starts from states[i], which must not be over, with the random stream
     * rng_seed(seeds[i]). The result of a playout depends only on its state, seed and policy. It does not depend on the
     * kernel or on the other playouts of the batch. */
    void (*playouts)(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results);

    /* Optional: which legal actions look good to the game. Action i is best with a probability proportional to
     * 2^logits[i]. */
    void (*priors)(const Game *game, const GameState *state, const Action *actions, int count, float *logits);

    /* Optional, the static evaluation: what the game knows about an unfinished position that playouts do not show.
     * These are log odds (base e) for Black, to be added to those of the playouts. */
    float (*static_eval)(const Game *game, const GameState *state);

    /* Turns as text. Different turns of a position have different texts, in lower case and without spaces, and `parse`
     * reads what was written. "resign" is no turn, because protocols have this word. */

    /* Writes one action as text: at most 15 bytes and a terminator. `state` is the position before it. The action need
     * not be legal there: some callers want the names of all actions. */
    void (*format)(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]);

    /* Required in games whose turns can have several actions, NULL in others: writes a whole turn. Without it only the
     * first action of a turn is written. `state` is the position before it. */
    void (*format_turn)(const Game *game, const GameState *state, const Action *turn, int count,
                        char out[GAME_TEXT_MAX]);

    /* Reads one turn in a position where a turn begins. Writes its actions, each of them legal after those before it,
     * and returns their number. Returns -1 with an error that says what is wrong with the text. */
    int (*parse)(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX], Error *error);

    /* The colour of the stone on each cell: 0 empty, 1 Black, 2 White. */
    void (*stones)(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]);

    /* The points of each side on the board, without komi and button; in Stigmergy its stones and the empty cells that
     * it controls. The result is 2 * (Black's - White's - komi), and half a point for who has the button: the solver
     * relies on that. The difference of both is at most the number of cells, and odd at the end. Required in games with
     * points, NULL in others. */
    void (*board_score)(const Game *game, const GameState *state, int points[2]);

    /* The action that results when `map` of the board is applied to an action. */
    Action (*symmetry)(const Game *game, int map, Action action);

    /* What an action number means. Returns the name of its kind, a string that lasts ("place"; every game says "pass"
     * for a pass; at most 16 bytes), or NULL if no action has this number. *cell is the cell of the action, or -1 if it
     * has none. */
    const char *(*action_kind)(const Game *game, Action action, int *cell);

    /* Optional, for games with several playout kernels: the name of the index-th kernel that runs on this processor,
     * the plainest first, the fastest last. NULL after it. */
    const char *(*kernel)(const Game *game, int index);

    /* What only some games have, for boards on a screen and for planes.h: all optional to the end of the table, except
     * `seen` and `button`. */

    /* Who controls each cell: 0 nobody, 1 Black, 2 White. */
    void (*control)(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]);

    /* Writes the cells of the stones that a cell sees, in ascending order, and returns their number. A player who has
     * `*needed` of these stones controls the cell. */
    int (*sight)(const Game *game, const GameState *state, int cell, int16_t seen[HEXHEX_DIRECTIONS], int *needed);

    /* Required in games with `sight`: the number of stones of each colour that every cell sees. Faster than `sight`.
     */
    void (*seen)(const Game *game, const GameState *state, uint8_t out[2][HEXHEX_MAX_CELLS]);

    /* For games that are decided by who runs out of placements: where each colour could begin a turn with a stone if it
     * were to move. closed[colour][cell] is 0 where it could not. Elsewhere it is the number of such cells that it
     * loses by this stone, the cell itself included. captures[colour][cell] is 1 if a capture would follow in the same
     * turn, else 0. */
    void (*places)(const Game *game, const GameState *state, uint8_t closed[2][HEXHEX_MAX_CELLS],
                   uint8_t captures[2][HEXHEX_MAX_CELLS]);

    /* The button. Required in games with points. It is there if and only if komi is odd. To take it is a turn,
     * "take-button", of the kind "take-button", about no cell, and the game does not end before. Fair komi assumes that
     * it is worth half a point to whoever wins with perfect play, as a tie-break is. That follows for Stigmergy from
     * games/stigmergy/proof/safe_stones_internal.h. It is false where a turn can be a burden: there the button is also
     * a pass, and even and odd komi may be points apart. */
    GameButton (*button)(const GameState *state);

    /* A position set up by hand: stones in the format of `stones`, the side to move, and komi. Everything else is as at
     * the start. False with an error if it is no position of the game, or for a komi that `start` does not take. */
    bool (*set_up)(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side to_move, int komi,
                   Error *error);

    /* A better way to solve the game than with these functions alone (engine/solver/model.h). */
    const struct SolverModel *solver;
} GameRules;

/* Variants, for the games that have them. */
typedef enum GameCapture { GAME_CAPTURE_DEFAULT, GAME_CAPTURE_FREE, GAME_CAPTURE_LINE } GameCapture;
typedef enum GamePie { GAME_PIE_DEFAULT, GAME_PIE_OFF, GAME_PIE_ON } GamePie;

struct Game {
    const char *name; /* "stigmergy" */
    const GameRules *rules;
    Hexhex board;
    size_t state_bytes; /* bytes of a GameState that this game uses */
    int action_words;   /* 64-bit words in a set of actions: action numbers are below 64 times this */
    bool has_points;    /* has komi and a margin in points */
    bool has_groups;    /* connected groups of stones of one colour matter in the rules (planes.h, features.h) */
    bool turns_as_sets; /* turns that begin with the same action and lead to the same position are one turn */
    const char *kernel; /* name of the playout kernel that is used */
    int kernel_index;   /* and its number among those of game_kernel */
    /* The variants that are played. DEFAULT is the game's usual one, also where that was named. */
    GameCapture capture;
    GamePie pie;
};

/* Which game to make. `size` must be set; what else is zero means the default. */
typedef struct GameOptions {
    const char *name;    /* NULL: "stigmergy" */
    int size;            /* cells on each side */
    const char *kernel;  /* playout kernel; NULL: the fastest one that runs on this processor */
    GameCapture capture; /* Sgolte (default free) */
    GamePie pie;         /* Sgolte (default on) and Bug (default off); every game accepts off */
} GameOptions;

/* Frees a game made by game_new (engine/games/registry.h). NULL is allowed. */
void game_free(Game *game);

/* The name of the index-th playout kernel that runs on this processor, the plain one first; NULL behind the last. */
const char *game_kernel(const Game *game, int index);

/* Copies a state. */
static inline void game_copy(const Game *game, GameState *to, const GameState *from) {
    memcpy(to, from, game->state_bytes);
}

/* The colour of a player's stones: BLACK for black stones. It is the Side itself except after a swap. It is its own
 * inverse: of a colour it is the player. */
static inline Side game_colour(const Game *game, const GameState *state, Side side) {
    return game->rules->colour ? game->rules->colour(state, side) : side;
}

/* The button; BUTTON_NONE in games that never have one. */
static inline GameButton game_button(const Game *game, const GameState *state) {
    return game->rules->button ? game->rules->button(state) : BUTTON_NONE;
}

/* The number of cells without a stone. */
int game_empty_cells(const Game *game, const GameState *state);

/* Who owns each cell if the game ends here: 0 nobody, 1 Black, 2 White. A stone's colour owns its cell, and who
 * controls an empty one, in games with control. */
void game_owners(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]);

/* Helpers of games for their own functions. A game numbers its actions so that those about cells come first, kind by
 * kind: 64 * board.words * kind + cell. The last of its action_words holds those about no cell. */

/* A game of `bytes` bytes, of which a Game is the first member: name (at most 15 bytes, lower case) and rules, which
 * last for ever, board and kernel are set, all else is zero. The caller sets state_bytes, action_words (at most
 * GAME_ACTION_WORDS), and those of the flags has_points, has_groups and turns_as_sets that are true. It calls
 * `rules->kernel`, which may use the board alone. The game lies on a cache line and is freed by game_free. NULL with an
 * error if memory runs out or there is no such kernel. */
void *game_make(size_t bytes, const char *name, const GameRules *rules, const GameOptions *options, Error *error);

/* Implementations of `symmetry` and `action_kind` of GameRules for actions with such numbers. `names` are the names of
 * the kinds, first those about cells; NULL ends them. */
Action game_symmetry(const Game *game, int map, Action action);
const char *game_kind(const Game *game, const char *const *names, Action action, int *cell);

/* ---- For everyone ---- */

/* The largest komi of the board, either way: its number of cells, or 0 in a game without points. */
static inline int game_komi_limit(const Game *game) {
    return game->has_points ? game->board.cells : 0;
}

/* The komi of the board that is nearest to this one. */
static inline int game_clamp_komi(const Game *game, int komi) {
    const int limit = game_komi_limit(game);
    return komi < -limit ? -limit : komi > limit ? limit : komi;
}

/* Whether a number is a komi of the board: whole, and within game_komi_limit. False with an error that says only what
 * was expected; the caller puts before it what was given. NAN stands for what is no number. */
bool game_check_komi(const Game *game, double komi, Error *error);

/* Whether `action` is legal in `state`. */
bool game_is_legal(const Game *game, const GameState *state, Action action);

/* Draws a legal action, each with the same chance, by one number of `rng`. The game must not be over. */
Action game_random_action(const Game *game, const GameState *state, Rng *rng);

/* The legal action with this text, in letters of either case; -1 if there is none, as where the game is over. */
int game_find_action(const Game *game, const GameState *state, const char *text);

/* Writes the turn that begins with actions[0] as text and plays it: `state` becomes the position after it. Returns how
 * many actions it has. There are `count` actions, 1 or more. If they end within the turn, it is written as far as they
 * go. */
int game_format_turn(const Game *game, GameState *state, const Action *actions, int count, char out[GAME_TEXT_MAX]);

/* Reads one turn from text and takes its actions. A turn must begin in `state`. Returns false with an error, and leaves
 * the state unchanged, if the turn is not legal. The actions are written to `turn` and their number to `count`; both
 * may be NULL. */
bool game_play_text(const Game *game, GameState *state, const char *text, Action turn[GAME_TURN_MAX], int *count,
                    Error *error);

/* Copies the next of the turns of a text, which blanks separate, and moves *at behind it. False where there is none. A
 * text that is longer than any turn is cut. */
bool game_next_turn(const char **at, char turn[GAME_TEXT_MAX]);

/* Writes a margin as people read it: "B+5" or "W+0.5", and "B+" or "W+" in a game without points. */
void game_format_result(const Game *game, GameResult result, char out[16]);

#ifdef __cplusplus
}
#endif

#endif
