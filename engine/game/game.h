/* The game interface: all that the rest of the program knows of a game.
 *
 * A game of a given board size is an immutable `Game`, made once and shared by all threads. A position is a
 * `GameState`, a plain value that holds no pointer and is copied by memcpy of `game->state_bytes`. An action is one
 * small integer. A turn of a player is one action or several (`turn_start` tells where one begins), so sides do not
 * always alternate from action to action: `to_move` tells whose it is.
 *
 * The interface is called once for an action in the tree and once for a batch of playouts, never inside a playout. */
#ifndef STIGMERGY_ENGINE_GAME_GAME_H
#define STIGMERGY_ENGINE_GAME_GAME_H

#include "engine/base/error.h"
#include "engine/board/hexhex.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t Action;

typedef int Side; /* BLACK or WHITE; an int because it is used as an index and in arithmetic */
enum { BLACK, WHITE };

static inline Side side_opponent(Side side) {
    return side == BLACK ? WHITE : BLACK;
}

enum {
    GAME_STATE_WORDS = 48,                     /* 64-bit words that a state may take */
    GAME_ACTION_WORDS = 2 * HEXHEX_WORDS + 1,  /* 64-bit words of a set of actions */
    GAME_ACTIONS_MAX = 64 * GAME_ACTION_WORDS, /* action numbers are below this */
    GAME_LEGAL_MAX = 2 * HEXHEX_MAX_CELLS,     /* legal actions of one position */
    GAME_TURN_MAX = HEXHEX_MAX_CELLS,          /* actions of one turn */
    GAME_TEXT_MAX = 6 * HEXHEX_MAX_CELLS,      /* a turn as text, terminator included */
    GAME_KOMI_LIMIT = 2 * HEXHEX_MAX_CELLS     /* |komi| of any game is at most this */
};

/* Whether a game with komi is played with the button: it is where komi is odd, negative numbers included. */
static inline bool komi_has_button(int komi) {
    return komi % 2 != 0;
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
    PLAYOUT_UNIFORM, /* any legal action with equal chance, no pass while another action exists */
    PLAYOUT_LIGHT,   /* no actions that the game knows to be useless */
    PLAYOUT_TACTICAL /* light, and actions that the game knows to be good come more often, where it knows any */
} PlayoutPolicy;

/* What a playout found. Sets are bit sets, 64 numbers a word; words beyond the game's own are not written. */
typedef struct PlayoutResult {
    int16_t half_points;                   /* as in GameResult */
    uint16_t length;                       /* actions played; passes at the end count only with PLAYOUT_UNIFORM */
    uint64_t played[2][GAME_ACTION_WORDS]; /* per side: the actions it took, except passes (all moves as first) */
    uint64_t black_owns[HEXHEX_WORDS];     /* cells that end as Black's; the others are White's */
} PlayoutResult;

typedef struct Game Game;

/* The functions of a game. Those marked optional may be NULL. */
typedef struct GameRules {
    void (*destroy)(Game *game);

    /* The start position. komi is 0 where the game has none, else |komi| <= GAME_KOMI_LIMIT. */
    void (*start)(const Game *game, GameState *state, int komi);

    /* Games with points: the komi of a position. */
    int (*komi)(const GameState *state);

    Side (*to_move)(const GameState *state);

    /* Optional, for games with a pie rule, where `swap` answers the first stone: the colour of a player's stones. A
     * Side is a player, and BLACK is the one who began. People and protocols see this colour instead. */
    Side (*colour)(const GameState *state, Side side);

    bool (*turn_start)(const GameState *state);
    bool (*over)(const GameState *state);

    /* The result of a finished game. In a game with points also of an unfinished one, counted as the board stands. */
    GameResult (*result)(const Game *game, const GameState *state);

    /* Writes the legal actions in ascending order and returns how many (0 only where the game is over). */
    int (*legal)(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]);

    /* Takes a legal action. Any other is a bug of the caller. */
    void (*apply)(const Game *game, GameState *state, Action action);

    /* Equal for equal positions, however they came about; komi is left out. */
    uint64_t (*hash)(const GameState *state);

    /* Plays `count` games to the end, the i-th from states[i] (not over) with the random stream rng_seed(seeds[i]). The
     * result of a playout depends on its state, seed and policy alone, never on the kernel or on its neighbours. */
    void (*playouts)(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results);

    /* Optional: what the game knows of legal actions. Action i is best with a probability proportional to 2^logits[i].
     */
    void (*priors)(const Game *game, const GameState *state, const Action *actions, int count, float *logits);

    /* Optional, the static evaluation: what the game knows of an unfinished position beyond its playouts, as log odds
     * (base e) of Black to be added to theirs. */
    float (*static_eval)(const Game *game, const GameState *state);

    /* Writes one action as text (terminated, at most GAME_TEXT_MAX bytes); `state` is the position before it. */
    void (*format)(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]);

    /* Optional, for games whose turns can have several actions: writes a whole turn; `state` is the position before
     * it. */
    void (*format_turn)(const Game *game, const GameState *state, const Action *turn, int count,
                        char out[GAME_TEXT_MAX]);

    /* Reads one turn, at a position where a turn begins. Writes its actions, which are legal one after the other, and
     * returns how many; -1 with an error that says what is wrong with the text. */
    int (*parse)(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX], Error *error);

    /* The stones by their colour on the board: 0 empty, 1 Black, 2 White for each cell. */
    void (*stones)(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]);

    /* Optional, for games with points: the cells of each side (own stones and empty cells that it controls). */
    void (*board_score)(const Game *game, const GameState *state, int cells[2]);

    /* Where symmetry `map` of the board takes an action. */
    Action (*symmetry)(const Game *game, int map, Action action);

    /* What an action number means: the name of its kind, a short string that lasts ("place"; "pass" for a pass in every
     * game), NULL where no action has this number. *cell is the cell that it is about, -1 where it is about none. */
    const char *(*kind)(const Game *game, Action action, int *cell);

    /* Optional, for games with several playout kernels: the name of the index-th one that runs here, the plainest
     * first; NULL behind the last. */
    const char *(*kernel)(const Game *game, int index);

    /* What only some games have, for boards on a screen and for planes.h; all optional. */

    /* Who controls each cell: 0 nobody, 1 Black, 2 White. */
    void (*control)(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]);

    /* The cells of the stones that a cell sees, in ascending order; returns how many. `*needed` of one colour control
     * the cell. */
    int (*sight)(const Game *game, const GameState *state, int cell, int16_t seen[HEXHEX_DIRECTIONS], int *needed);

    /* Optional, games with `sight`: how many stones of each colour every cell sees, faster than by `sight`. */
    void (*seen)(const Game *game, const GameState *state, uint8_t out[2][HEXHEX_MAX_CELLS]);

    /* The button: 0 there is none, 1 on the table, 2 Black has it, 3 White. */
    int (*button)(const GameState *state);

    /* A position set up by hand: stones as `stones` writes them, the side to move, komi; whatever else the game has is
     * as at the start. False with an error where it is no position of the game. */
    bool (*set_up)(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side to_move, int komi,
                   Error *error);

    /* Optional: a better way to solve the game exactly than through these functions (engine/solver/model.h). */
    const struct SolverModel *solver;
} GameRules;

struct Game {
    const char *name; /* "stigmergy" */
    const GameRules *rules;
    Hexhex board;
    size_t state_bytes; /* of a GameState that are in use */
    int action_words;   /* 64-bit words of a set of actions: action numbers are below 64 times this */
    bool has_points;    /* has komi and a score margin */
    bool turns_as_sets; /* turns that begin alike and lead to the same position are one turn, whatever the order */
    const char *kernel; /* name of the playout kernel in use */
};

/* Variants of games that have them. */
typedef enum GameCapture { GAME_CAPTURE_DEFAULT, GAME_CAPTURE_FREE, GAME_CAPTURE_LINE } GameCapture;
typedef enum GamePie { GAME_PIE_DEFAULT, GAME_PIE_OFF, GAME_PIE_ON } GamePie;

/* Which game: zero-initialize for the defaults. */
typedef struct GameOptions {
    const char *name;    /* NULL: "stigmergy" */
    int size;            /* cells a side */
    const char *kernel;  /* playout kernel, NULL: the fastest that this processor runs */
    GameCapture capture; /* Sgolte (default free) */
    GamePie pie;         /* Sgolte (default on) and Bug (default off); off is known to every game */
} GameOptions;

/* Frees a game made by game_new (engine/games/registry.h); NULL is fine. */
void game_free(Game *game);

/* Copies a state. */
static inline void game_copy(const Game *game, GameState *to, const GameState *from) {
    memcpy(to, from, game->state_bytes);
}

/* The colour of a player's stones: BLACK for black ones. A Side itself but after a swap. */
static inline Side game_colour(const Game *game, const GameState *state, Side side) {
    return game->rules->colour ? game->rules->colour(state, side) : side;
}

/* Whether `action` is legal in `state`. */
bool game_is_legal(const Game *game, const GameState *state, Action action);

/* Writes the turn that begins with actions[0] as text, takes its actions in `state` and returns how many they were.
 * `count` actions are known; the turn ends before them or with them. */
int game_format_turn(const Game *game, GameState *state, const Action *actions, int count, char out[GAME_TEXT_MAX]);

/* Parses one turn and takes its actions; false with an error and an unchanged state where it is not legal. The actions
 * go to `turn` and their number to `count` where those are not NULL. */
bool game_play_text(const Game *game, GameState *state, const char *text, Action turn[GAME_TURN_MAX], int *count,
                    Error *error);

/* Writes a margin in half points the way that people read it, "B+5" or "W+0.5"; "B+" and "W+" where a game has no
 * points. */
void game_format_result(const Game *game, GameResult result, char out[16]);

#endif
