/* See rows.h. In this order: the arrays, the tables of a board, one position, one game. */
#include "selfplay/dataset/rows.h"

#include "engine/game/planes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The arrays ---- */

/* An axis of an array. */
typedef enum Axis { AXIS_END, AXIS_PLANES, AXIS_SIDE, AXIS_SQUARE, AXIS_GLOBALS, AXIS_ACTIONS, AXIS_MAPS, AXES } Axis;

/* The letters of the axes in descriptions. */
static const char *const axis_names[AXES] = {"", "C", "D", "D*D", "G", "A", "12"};

typedef struct ArraySpec {
    const char *name, *type;
    Axis axes[NPZ_DIMENSIONS_MAX]; /* after the axis of the rows, if there is one; up to AXIS_END */
    const char *about;
} ArraySpec;

/* The arrays with an axis for rows. */
enum {
    PLANES,
    GLOBALS,
    LEGAL,
    POLICY,
    OWNER,
    VALUE,
    SCORE,
    FINISHED,
    SEARCH_VALUE,
    SEARCH_SCORE,
    SEARCH_OWNER,
    ACTION_VALUE,
    WEIGHT,
    GAME,
    PLY,
    PLAYED,
    ROW_ARRAYS
};
static const ArraySpec row_specs[ROW_ARRAYS] = {
    [PLANES] = {"planes",
                "|u1",
                {AXIS_PLANES, AXIS_SIDE, AXIS_SIDE},
                "the position, a plane for each of `plane_names`; 0 off the board"},
    [GLOBALS] = {"globals", "<i2", {AXIS_GLOBALS}, "the rest of the position, a number for each of `global_names`"},
    [LEGAL] = {"legal", "|u1", {AXIS_ACTIONS}, "1 for each legal action"},
    [POLICY] = {"policy",
                "<u4",
                {AXIS_ACTIONS},
                "how good a full search found each action: visits, or after sequential halving (by default of players "
                "with a network) the improved policy in 1/10000; all 0 for a cheap search"},
    [OWNER] = {"owner",
               "|i1",
               {AXIS_SIDE, AXIS_SIDE},
               "owner of each cell at the end of the game: 1 Black, -1 White, 0 nobody or off the board"},
    [VALUE] = {"value", "|u1", {AXIS_END}, "1 if Black won, 0 if White won"},
    [SCORE] = {"score",
               "<f4",
               {AXIS_END},
               "Black's final margin in points, with komi and button; 0 in games without points"},
    [FINISHED] =
        {"finished",
         "|u1",
         {AXIS_END},
         "1 if the game was played to its end; 0 if it ended with a resignation, and then `score` and `owner` are 0"},
    [SEARCH_VALUE] = {"search_value",
                      "<f4",
                      {AXIS_END},
                      "the search's estimate of Black's chance to win, 0 to 1; 0 or 1 where the winner is proved"},
    [SEARCH_SCORE] = {"search_score",
                      "<f4",
                      {AXIS_END},
                      "the search's estimate of Black's final margin in points, also where the winner is proved, and "
                      "then it may be wrong even in its sign; 0 in games without points"},
    [SEARCH_OWNER] =
        {"search_owner",
         "|i1",
         {AXIS_SIDE, AXIS_SIDE},
         "the search's estimate of each cell: 200 p - 100, where p is the chance that it ends as Black's; -128 on "
         "all cells where unknown; always 0 off the board"},
    [ACTION_VALUE] = {"action_value",
                      "<f4",
                      {AXIS_ACTIONS},
                      "the search's estimate of Black's chance to win after each action, 0 to 1; NaN where unknown"},
    [WEIGHT] = {"weight",
                "<f4",
                {AXIS_END},
                "1 for a full search, whose `policy` should be learnt; 0 for a cheap search"},
    [GAME] = {"game", "<i4", {AXIS_END}, "number of the game, whose record is `game-NUMBER`"},
    [PLY] = {"ply", "<i2", {AXIS_END}, "number of actions before the position"},
    [PLAYED] = {"played", "<i2", {AXIS_END}, "the action that was played, as an index into the actions"}};

/* The tables of a board. */
enum { MASK, PLANE_NAMES, GLOBAL_NAMES, ACTION_KIND, ACTION_CELL, MAP_CELLS, MAP_ACTIONS, TABLES };
static const ArraySpec table_specs[TABLES] = {
    [MASK] = {"mask",
              "|u1",
              {AXIS_SIDE, AXIS_SIDE},
              "1 on the board; the cell with axial coordinates (q, r) is at [r + N - 1, q + N - 1]"},
    [PLANE_NAMES] = {"plane_names", "|S16", {AXIS_PLANES}, "the names of the planes"},
    [GLOBAL_NAMES] = {"global_names", "|S16", {AXIS_GLOBALS}, "the names of the globals"},
    [ACTION_KIND] = {"action_kind", "|S16", {AXIS_ACTIONS}, "what each action does"},
    [ACTION_CELL] = {"action_cell",
                     "<i2",
                     {AXIS_ACTIONS},
                     "the cell of each action as an index into a flattened plane, -1 if it has none"},
    [MAP_CELLS] =
        {"symmetry_cells",
         "<i2",
         {AXIS_MAPS, AXIS_SQUARE},
         "the image of flattened planes `x` under symmetry s is `x[..., symmetry_cells[s]]`; 0 is the identity"},
    [MAP_ACTIONS] = {
        "symmetry_actions", "<i2", {AXIS_MAPS, AXIS_ACTIONS}, "the same for `legal`, `policy` and `action_value`"}};

_Static_assert((int)ROW_ARRAYS + (int)TABLES <= DATASET_ARRAYS_MAX, "callers have room for all arrays");
enum { NAME_BYTES = 16, OWNER_CERTAIN = 100, OWNER_UNKNOWN = -128 };

struct DatasetRows {
    const Game *game;
    size_t axes[AXES];
    size_t row_bytes[ROW_ARRAYS];
    size_t count, capacity;
    char *data[ROW_ARRAYS];
    char *tables[TABLES];
    int16_t square[HEXHEX_MAX_CELLS]; /* for each cell: its place in a plane */
    int16_t column[GAME_ACTIONS_MAX]; /* for each action: its column, or -1 if no action has this number */
    Action actions[GAME_ACTIONS_MAX]; /* for each column: its action */
};

static NpzArray describe(const DatasetRows *rows, const ArraySpec *spec, bool with_rows, const char *data) {
    NpzArray array = {.data = data, .optional = spec == &row_specs[PLAYED]}; /* sets of earlier versions lack it */
    snprintf(array.name, sizeof array.name, "%s", spec->name);
    snprintf(array.type, sizeof array.type, "%s", spec->type);
    if (with_rows)
        array.shape[array.dimensions++] = rows->count;
    for (int i = 0; i < NPZ_DIMENSIONS_MAX && spec->axes[i] != AXIS_END; i++)
        array.shape[array.dimensions++] = rows->axes[spec->axes[i]];
    return array;
}

const char *dataset_rows_about(int array, char shape[DATASET_SHAPE_MAX]) {
    const bool of_rows = array < ROW_ARRAYS;
    const ArraySpec *spec = of_rows ? &row_specs[array] : &table_specs[array - ROW_ARRAYS];
    snprintf(shape, DATASET_SHAPE_MAX, "(%s", of_rows ? "rows" : "");
    for (int i = 0; i < NPZ_DIMENSIONS_MAX && spec->axes[i] != AXIS_END; i++) {
        const size_t used = strlen(shape);
        snprintf(shape + used, DATASET_SHAPE_MAX - used, "%s%s", used > 1 ? ", " : "", axis_names[spec->axes[i]]);
    }
    strcat(shape, ")");
    return spec->about;
}

int dataset_rows_arrays(const DatasetRows *rows, NpzArray out[DATASET_ARRAYS_MAX]) {
    int count = 0;
    for (int i = 0; i < ROW_ARRAYS; i++)
        out[count++] = describe(rows, &row_specs[i], true, rows->data[i]);
    for (int i = 0; i < TABLES; i++)
        out[count++] = describe(rows, &table_specs[i], false, rows->tables[i]);
    return count;
}

/* ---- Tables of a board ---- */

static void number_actions(DatasetRows *rows) {
    const Game *game = rows->game;
    for (int action = 0; action < 64 * game->action_words; action++) {
        int cell;
        const bool known = game->rules->action_kind(game, (Action)action, &cell) != NULL;
        rows->column[action] = known ? (int16_t)rows->axes[AXIS_ACTIONS] : -1;
        if (known)
            rows->actions[rows->axes[AXIS_ACTIONS]++] = (Action)action;
    }
}

static void fill_cells(DatasetRows *rows) {
    const Hexhex *board = &rows->game->board;
    const int side = 2 * board->size - 1;
    for (int c = 0; c < board->cells; c++) {
        rows->square[c] = (int16_t)((board->r[c] + board->size - 1) * side + board->q[c] + board->size - 1);
        rows->tables[MASK][rows->square[c]] = 1;
    }
}

/* A map lists the sources: entry i of the image is entry map[i] of the original. */
static void fill_maps(DatasetRows *rows) {
    const Game *game = rows->game;
    const size_t squares = rows->axes[AXIS_SQUARE], actions = rows->axes[AXIS_ACTIONS];
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        int16_t *cells = (int16_t *)(void *)rows->tables[MAP_CELLS] + (size_t)map * squares;
        int16_t *columns = (int16_t *)(void *)rows->tables[MAP_ACTIONS] + (size_t)map * actions;
        for (size_t i = 0; i < squares; i++)
            cells[i] = (int16_t)i; /* places off the board stay */
        for (int c = 0; c < game->board.cells; c++)
            cells[rows->square[game->board.symmetry[map][c]]] = rows->square[c];
        for (size_t i = 0; i < actions; i++)
            columns[rows->column[game->rules->symmetry(game, map, rows->actions[i])]] = (int16_t)i;
    }
}

static void fill_tables(DatasetRows *rows) {
    const Game *game = rows->game;
    const char *plane_names[PLANES_MAX];
    planes_names(game, plane_names);
    for (size_t i = 0; i < rows->axes[AXIS_PLANES]; i++)
        strncpy(rows->tables[PLANE_NAMES] + NAME_BYTES * i, plane_names[i], NAME_BYTES);
    for (int i = 0; i < GLOBAL_COUNT; i++)
        strncpy(rows->tables[GLOBAL_NAMES] + NAME_BYTES * i, planes_global_name(i), NAME_BYTES);
    fill_cells(rows);
    fill_maps(rows);
    for (size_t i = 0; i < rows->axes[AXIS_ACTIONS]; i++) {
        int cell;
        const char *kind = game->rules->action_kind(game, rows->actions[i], &cell);
        strncpy(rows->tables[ACTION_KIND] + NAME_BYTES * i, kind, NAME_BYTES);
        const int16_t square = cell < 0 ? -1 : rows->square[cell];
        memcpy(rows->tables[ACTION_CELL] + sizeof square * i, &square, sizeof square);
    }
}

DatasetRows *dataset_rows_new(const Game *game, Error *error) {
    const char *plane_names[PLANES_MAX];
    DatasetRows *rows = calloc(1, sizeof *rows);
    bool good = rows != NULL;
    if (good) {
        rows->game = game;
        rows->axes[AXIS_PLANES] = (size_t)planes_names(game, plane_names);
        rows->axes[AXIS_SIDE] = (size_t)(2 * game->board.size - 1);
        rows->axes[AXIS_SQUARE] = rows->axes[AXIS_SIDE] * rows->axes[AXIS_SIDE];
        rows->axes[AXIS_GLOBALS] = GLOBAL_COUNT;
        rows->axes[AXIS_MAPS] = HEXHEX_SYMMETRIES;
        number_actions(rows);
    }
    for (int i = 0; i < TABLES && good; i++) {
        const NpzArray array = describe(rows, &table_specs[i], false, NULL);
        rows->tables[i] = calloc(1, npz_array_bytes(&array));
        good = rows->tables[i] != NULL;
    }
    if (!good) {
        error_set(error, "out of memory for the rows of a data set");
        dataset_rows_free(rows);
        return NULL;
    }
    rows->count = 1;
    for (int i = 0; i < ROW_ARRAYS; i++) {
        const NpzArray array = describe(rows, &row_specs[i], true, NULL);
        rows->row_bytes[i] = npz_array_bytes(&array);
    }
    rows->count = 0;
    fill_tables(rows);
    return rows;
}

void dataset_rows_free(DatasetRows *rows) {
    if (!rows)
        return;
    for (int i = 0; i < ROW_ARRAYS; i++)
        free(rows->data[i]);
    for (int i = 0; i < TABLES; i++)
        free(rows->tables[i]);
    free(rows);
}

size_t dataset_rows_count(const DatasetRows *rows) {
    return rows->count;
}

const Hexhex *dataset_rows_board(const DatasetRows *rows) {
    return &rows->game->board;
}

void dataset_rows_clear(DatasetRows *rows) {
    rows->count = 0;
}

/* Appends a row of zeros. */
static bool new_row(DatasetRows *rows, Error *error) {
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity ? rows->capacity + rows->capacity / 2 : 1024;
        for (int i = 0; i < ROW_ARRAYS; i++) {
            char *larger = realloc(rows->data[i], capacity * rows->row_bytes[i]);
            if (!larger)
                return error_set(error, "out of memory for %zu rows of a data set", capacity);
            rows->data[i] = larger;
        }
        rows->capacity = capacity;
    }
    for (int i = 0; i < ROW_ARRAYS; i++)
        memset(rows->data[i] + rows->count * rows->row_bytes[i], 0, rows->row_bytes[i]);
    rows->count++;
    return true;
}

/* The part of an array that belongs to the newest row. */
static void *last_row(const DatasetRows *rows, int array) {
    return rows->data[array] + (rows->count - 1) * rows->row_bytes[array];
}

/* ---- One position ---- */

/* A record that is being played again. */
typedef struct Replay {
    DatasetRows *rows;
    const GameRecord *record;
    GameState state;
    GameHistory history;
    int ply;                        /* number of actions taken */
    int8_t owner[HEXHEX_MAX_CELLS]; /* at the end: 1 who began, -1 the other player, 0 nobody */
} Replay;

/* The engine writes planes cell by cell. A row has them as squares. */
static void write_planes(const Replay *replay, const Action *legal, int count) {
    const DatasetRows *rows = replay->rows;
    const size_t squares = rows->axes[AXIS_SQUARE];
    const int cells = rows->game->board.cells;
    uint8_t planes[PLANES_MAX * HEXHEX_MAX_CELLS], *row = last_row(rows, PLANES);
    planes_write(rows->game, &replay->state, &replay->history, legal, count, planes);
    for (size_t plane = 0; plane < rows->axes[AXIS_PLANES]; plane++)
        for (int c = 0; c < cells; c++)
            row[plane * squares + (size_t)rows->square[c]] = planes[plane * (size_t)cells + (size_t)c];
}

/* From a record's chance that a cell ends as Black's: -100 to 100. */
static int owner_percent(int level) {
    return (2 * OWNER_CERTAIN * level + RECORD_OWNER_ONE / 2) / RECORD_OWNER_ONE - OWNER_CERTAIN;
}

/* The side that has the black stones in the position. */
static Side black_side(const Replay *replay) {
    return game_colour(replay->rows->game, &replay->state, BLACK);
}

/* The chance of the side with the black stones, from that of the side to move in the units of a record. */
static float black_chance(const Replay *replay, int win_rate) {
    const float mover = (float)win_rate / RECORD_WIN_RATE_ONE;
    return replay->rows->game->rules->to_move(&replay->state) == black_side(replay) ? mover : 1.0f - mover;
}

/* Writes what there is for each action. */
static void write_actions(const Replay *replay, const Action *legal, int count) {
    const DatasetRows *rows = replay->rows;
    const RecordSearches *searches = &replay->record->searches;
    const RecordSearch *search = &searches->entries[replay->ply];
    uint8_t *is_legal = last_row(rows, LEGAL);
    uint32_t *policy = last_row(rows, POLICY);
    float *values = last_row(rows, ACTION_VALUE);
    for (size_t i = 0; i < rows->axes[AXIS_ACTIONS]; i++)
        values[i] = NAN;
    for (int i = 0; i < count; i++) {
        const int column = rows->column[legal[i]];
        is_legal[column] = 1;
        if (search->kind != SEARCH_FULL)
            continue;
        policy[column] = (uint32_t)searches->visits[search->actions + i];
        if (searches->values[search->actions + i] != RECORD_VALUE_UNKNOWN)
            values[column] = black_chance(replay, searches->values[search->actions + i]);
    }
}

static void write_position(const Replay *replay) {
    const Game *game = replay->rows->game;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, &replay->state, legal);
    write_planes(replay, legal, count);
    planes_write_globals(game, &replay->state, &replay->history, last_row(replay->rows, GLOBALS));
    write_actions(replay, legal, count);
}

static void write_float(const Replay *replay, int array, float value) {
    memcpy(last_row(replay->rows, array), &value, sizeof value);
}

/* Writes what the search found, for the colour of the stones. */
static void write_search(const Replay *replay) {
    const RecordSearches *searches = &replay->record->searches;
    const RecordSearch *search = &searches->entries[replay->ply];
    const int sign = black_side(replay) == BLACK ? 1 : -1;
    write_float(replay, SEARCH_VALUE, black_chance(replay, search->win_rate));
    write_float(replay, SEARCH_SCORE, (float)(sign * search->score) / RECORD_SCORE_POINT);
    write_float(replay, WEIGHT, search->kind == SEARCH_FULL ? 1.0f : 0.0f);
    int8_t *owner = last_row(replay->rows, SEARCH_OWNER);
    for (int c = 0; c < replay->rows->game->board.cells; c++) {
        int8_t *cell = &owner[replay->rows->square[c]];
        *cell = OWNER_UNKNOWN;
        if (search->owners >= 0)
            *cell = (int8_t)(sign * owner_percent(searches->owners[search->owners + c]));
    }
}

/* Writes how the game went on and ended, for the colour of the stones, and which game it is. */
static void write_end(const Replay *replay, int64_t number) {
    const Game *game = replay->rows->game;
    const GameRecord *record = replay->record;
    const Side black = black_side(replay);
    const float sign = black == BLACK ? 1.0f : -1.0f;
    const bool finished = !end_is_forfeit(record->reason);
    *(uint8_t *)last_row(replay->rows, VALUE) = record->result.winner == black;
    *(uint8_t *)last_row(replay->rows, FINISHED) = finished;
    if (game->has_points) /* 0 in a game that was resigned */
        write_float(replay, SCORE, sign * 0.5f * (float)record->result.half_points);
    const int32_t id = (int32_t)number;
    const int16_t ply = (int16_t)replay->ply, played = replay->rows->column[record->actions[replay->ply]];
    memcpy(last_row(replay->rows, GAME), &id, sizeof id);
    memcpy(last_row(replay->rows, PLY), &ply, sizeof ply);
    memcpy(last_row(replay->rows, PLAYED), &played, sizeof played);
    int8_t *owner = last_row(replay->rows, OWNER);
    for (int c = 0; c < game->board.cells; c++)
        owner[replay->rows->square[c]] = (int8_t)(black == BLACK ? replay->owner[c] : -replay->owner[c]);
}

/* ---- One game ---- */

/* Finds the owner of each cell at the end of the record: 1 who began, -1 the other player, 0 nobody. All are 0 if the
 * game was not played to its end. */
static void find_owners(Replay *replay) {
    const Game *game = replay->rows->game;
    uint8_t owners[HEXHEX_MAX_CELLS];
    GameState state;
    memset(replay->owner, 0, sizeof replay->owner);
    if (end_is_forfeit(replay->record->reason))
        return;
    game->rules->start(game, &state, replay->record->komi);
    for (int i = 0; i < replay->record->count; i++)
        game->rules->apply(game, &state, replay->record->actions[i]);
    game_owners(game, &state, owners);
    const int8_t black = game_colour(game, &state, BLACK) == BLACK ? 1 : -1;
    for (int c = 0; c < game->board.cells; c++)
        replay->owner[c] = (int8_t)(owners[c] == 1 ? black : owners[c] == 2 ? -black : 0);
}

static void take_action(Replay *replay) {
    const Game *game = replay->rows->game;
    const Action action = replay->record->actions[replay->ply++];
    game->rules->apply(game, &replay->state, action);
    game_history_add(game, &replay->history, action, &replay->state);
}

bool dataset_rows_add(DatasetRows *rows, const GameRecord *record, int64_t number, Error *error) {
    if (record->searches.count == 0)
        return true;
    Replay replay = {.rows = rows, .record = record};
    find_owners(&replay);
    rows->game->rules->start(rows->game, &replay.state, record->komi);
    while (replay.ply < record->count) {
        if (record->searches.entries[replay.ply].kind != SEARCH_NONE) {
            if (!new_row(rows, error))
                return false;
            write_position(&replay);
            write_search(&replay);
            write_end(&replay, number);
        }
        take_action(&replay);
    }
    return true;
}
