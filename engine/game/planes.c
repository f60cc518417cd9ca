/* See planes.h. The planes are written in the order of planes_names. */
#include "engine/game/planes.h"

int planes_names(const Game *game, const char *names[PLANES_MAX]) {
    static const char *const last[GAME_HISTORY_LAST] = {"last_1", "last_2", "last_3"};
    int count = 0;
    names[count++] = "black";
    names[count++] = "white";
    if (game->rules->control) {
        names[count++] = "black_control";
        names[count++] = "white_control";
    }
    if (game->rules->seen) {
        names[count++] = "black_seen";
        names[count++] = "white_seen";
    }
    if (game->has_groups) {
        names[count++] = "black_size";
        names[count++] = "white_size";
        names[count++] = "black_touch";
        names[count++] = "white_touch";
    }
    if (game->rules->places) {
        names[count++] = "black_place";
        names[count++] = "white_place";
        names[count++] = "black_capture";
        names[count++] = "white_capture";
    }
    for (int i = 0; i < GAME_HISTORY_LAST; i++)
        names[count++] = last[i];
    names[count++] = "turn";
    names[count++] = "legal";
    return count;
}

const char *planes_global_name(int global) {
    static const char *const names[GLOBAL_COUNT] = {"size", "komi", "button", "to_move", "passes", "turn_actions"};
    return names[global];
}

/* Writes two planes: one for the cells with mark 1, one for those with mark 2. */
static uint8_t *write_marks(const Game *game, const uint8_t *marks, uint8_t *out) {
    const int cells = game->board.cells;
    for (int c = 0; c < cells; c++) {
        out[c] = marks[c] == 1;
        out[cells + c] = marks[c] == 2;
    }
    return out + 2 * cells;
}

/* Writes a plane of each colour. */
static uint8_t *write_pair(const Game *game, uint8_t pair[2][HEXHEX_MAX_CELLS], uint8_t *out) {
    const size_t cells = (size_t)game->board.cells;
    memcpy(out, pair[BLACK], cells);
    memcpy(out + cells, pair[WHITE], cells);
    return out + 2 * cells;
}

/* ---- Groups ---- */

/* The groups of a position. */
typedef struct Groups {
    int16_t of[HEXHEX_MAX_CELLS]; /* the number of each cell's group, -1 on empty cells */
    int16_t size[HEXHEX_MAX_CELLS];
} Groups;

/* Gives all stones of the group of `first` its number. */
static void fill_group(const Hexhex *board, const uint8_t *stones, int first, int number, Groups *groups) {
    int16_t queue[HEXHEX_MAX_CELLS];
    int count = 1;
    queue[0] = (int16_t)first;
    groups->of[first] = (int16_t)number;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            const int next = board->neighbour[queue[i]][d];
            if (next >= 0 && stones[next] == stones[first] && groups->of[next] < 0) {
                groups->of[next] = (int16_t)number;
                queue[count++] = (int16_t)next;
            }
        }
    groups->size[number] = (int16_t)count;
}

/* How many groups of a colour are adjacent to a cell. */
static int groups_touched(const Hexhex *board, const uint8_t *stones, const Groups *groups, int cell, int colour) {
    int16_t touched[HEXHEX_DIRECTIONS];
    int count = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        const int next = board->neighbour[cell][d];
        int i = 0;
        if (next < 0 || stones[next] != colour)
            continue;
        while (i < count && touched[i] != groups->of[next])
            i++;
        if (i == count)
            touched[count++] = groups->of[next];
    }
    return count;
}

static uint8_t *write_groups(const Game *game, const uint8_t *stones, uint8_t *out) {
    const int cells = game->board.cells;
    Groups groups;
    int number = 0;
    memset(groups.of, -1, sizeof groups.of);
    for (int c = 0; c < cells; c++)
        if (stones[c] && groups.of[c] < 0)
            fill_group(&game->board, stones, c, number++, &groups);
    for (int colour = 1; colour <= 2; colour++, out += cells)
        for (int c = 0; c < cells; c++) {
            const int size = stones[c] == colour ? groups.size[groups.of[c]] : 0;
            out[c] = (uint8_t)(size > 255 ? 255 : size);
        }
    for (int colour = 1; colour <= 2; colour++, out += cells)
        for (int c = 0; c < cells; c++)
            out[c] = stones[c] ? 0 : (uint8_t)groups_touched(&game->board, stones, &groups, c, colour);
    return out;
}

/* ---- Actions ---- */

/* A plane with 1 on the cells of the given actions. */
static uint8_t *write_actions(const Game *game, const Action *actions, int count, uint8_t *out) {
    memset(out, 0, (size_t)game->board.cells);
    for (int i = 0; i < count; i++) {
        int cell;
        game->rules->action_kind(game, actions[i], &cell);
        if (cell >= 0)
            out[cell] = 1;
    }
    return out + game->board.cells;
}

static uint8_t *write_history(const Game *game, const GameHistory *history, uint8_t *out) {
    for (int i = 0; i < GAME_HISTORY_LAST; i++)
        out = write_actions(game, history->last + i, i < history->known, out);
    for (int c = 0; c < game->board.cells; c++)
        out[c] = history->turn_cells[c / 64] >> (c % 64) & 1;
    return out + game->board.cells;
}

int planes_of_board(const Game *game) {
    const char *names[PLANES_MAX];
    return planes_names(game, names) - GAME_HISTORY_LAST - 2;
}

uint8_t *planes_write_board(const Game *game, const GameState *state, uint8_t *out) {
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS], pair[2][HEXHEX_MAX_CELLS],
        captures[2][HEXHEX_MAX_CELLS];
    game->rules->stones(game, state, stones);
    out = write_marks(game, stones, out);
    if (game->rules->control) {
        game->rules->control(game, state, control);
        out = write_marks(game, control, out);
    }
    if (game->rules->seen) {
        game->rules->seen(game, state, pair);
        out = write_pair(game, pair, out);
    }
    if (game->has_groups)
        out = write_groups(game, stones, out);
    if (game->rules->places) {
        game->rules->places(game, state, pair, captures);
        out = write_pair(game, captures, write_pair(game, pair, out));
    }
    return out;
}

void planes_write(const Game *game, const GameState *state, const GameHistory *history, const Action *legal, int count,
                  uint8_t *out) {
    out = planes_write_board(game, state, out);
    out = write_history(game, history, out);
    write_actions(game, legal, count, out);
}

void planes_write_globals(const Game *game, const GameState *state, const GameHistory *history,
                          int16_t out[GLOBAL_COUNT]) {
    const GameRules *rules = game->rules;
    out[GLOBAL_SIZE] = (int16_t)game->board.size;
    out[GLOBAL_KOMI] = (int16_t)(rules->komi ? rules->komi(state) : 0);
    out[GLOBAL_BUTTON] = (int16_t)game_button(game, state);
    out[GLOBAL_TO_MOVE] = (int16_t)game_colour(game, state, rules->to_move(state));
    out[GLOBAL_PASSES] = (int16_t)history->passes;
    out[GLOBAL_TURN_ACTIONS] = (int16_t)history->turn_actions;
}
