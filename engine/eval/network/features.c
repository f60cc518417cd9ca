/* See features.h. */
#include "engine/eval/network/features.h"

#include "engine/base/words.h"

/* Where a plane comes from: a plane of planes.h, without its colour; or the board alone. */
typedef enum Source { FROM_PLANE, FROM_OWN, FROM_ENEMY, FROM_BOARD, FROM_EDGE, FROM_CORNER } Source;

/* One plane for each number from `least` to `most` that the source must reach. */
typedef struct Feature {
    const char *name;
    Source source;
    const char *plane; /* what stands behind "black" and "white", or the whole name */
    uint8_t least, most;
} Feature;

enum {
    FEATURES_MAX = 16, /* one more than the longest set has: the last one is without a name */
    ON = 64
};

struct FeatureSet {
    const char *name;
    Feature feature[FEATURES_MAX]; /* up to the one without a name */
};

static const FeatureSet sets[] = {
    {"stigmergy-1",
     {{"on", FROM_BOARD, NULL, 1, 1},
      {"own", FROM_OWN, "", 1, 1},
      {"enemy", FROM_ENEMY, "", 1, 1},
      {"own_seen", FROM_OWN, "_seen", 1, 6},
      {"enemy_seen", FROM_ENEMY, "_seen", 1, 6},
      {"own_control", FROM_OWN, "_control", 1, 1},
      {"enemy_control", FROM_ENEMY, "_control", 1, 1},
      {"edge", FROM_EDGE, NULL, 1, 1},
      {"corner", FROM_CORNER, NULL, 1, 1}}},
    {"groups-3",
     {{"on", FROM_BOARD, NULL, 1, 1},
      {"own", FROM_OWN, "", 1, 1},
      {"enemy", FROM_ENEMY, "", 1, 1},
      {"own_size", FROM_OWN, "_size", 2, 6},
      {"enemy_size", FROM_ENEMY, "_size", 2, 6},
      {"own_touch", FROM_OWN, "_touch", 1, 3},
      {"enemy_touch", FROM_ENEMY, "_touch", 1, 3},
      {"turn", FROM_PLANE, "turn", 1, 1},
      {"legal", FROM_PLANE, "legal", 1, 1},
      {"edge", FROM_EDGE, NULL, 1, 1},
      {"corner", FROM_CORNER, NULL, 1, 1}}},
    {"bug-2",
     {{"on", FROM_BOARD, NULL, 1, 1},
      {"own", FROM_OWN, "", 1, 1},
      {"enemy", FROM_ENEMY, "", 1, 1},
      {"own_size", FROM_OWN, "_size", 2, 6},
      {"enemy_size", FROM_ENEMY, "_size", 2, 6},
      {"own_touch", FROM_OWN, "_touch", 1, 3},
      {"enemy_touch", FROM_ENEMY, "_touch", 1, 3},
      {"turn", FROM_PLANE, "turn", 1, 1},
      {"legal", FROM_PLANE, "legal", 1, 1},
      {"own_place", FROM_OWN, "_place", 1, 6},
      {"enemy_place", FROM_ENEMY, "_place", 1, 6},
      {"own_capture", FROM_OWN, "_capture", 1, 1},
      {"enemy_capture", FROM_ENEMY, "_capture", 1, 1},
      {"edge", FROM_EDGE, NULL, 1, 1},
      {"corner", FROM_CORNER, NULL, 1, 1}}},
};

enum { SETS = sizeof sets / sizeof *sets };

static const FeatureSet *unknown_set(const char *name, Error *error) {
    const char *names[SETS];
    char list[160];
    for (int i = 0; i < SETS; i++)
        names[i] = sets[i].name;
    words_join(names, SETS, list, sizeof list);
    error_set(error, "no feature set \"%s\" in this program, expected %s", name, list);
    return NULL;
}

const FeatureSet *feature_set(const char *name, Error *error) {
    for (int i = 0; i < SETS; i++)
        if (!strcmp(sets[i].name, name))
            return &sets[i];
    return unknown_set(name, error);
}

/* The feature that a plane is of, and which of its numbers; NULL behind the last plane. */
static const Feature *feature_of(const FeatureSet *set, int plane, int *least) {
    for (const Feature *feature = set->feature; feature->name; feature++) {
        const int planes = 1 + feature->most - feature->least;
        *least = feature->least + plane;
        if (plane < planes)
            return feature;
        plane -= planes;
    }
    return NULL;
}

int feature_set_planes(const FeatureSet *set) {
    int count = 0, least;
    while (feature_of(set, count, &least))
        count++;
    return (count + 3) / 4 * 4;
}

/* ---- Making an encoder ---- */

static const char *const colours[] = {"black", "white"};

/* The number of the plane of planes.h with this name and colour, -1 where the game has none. */
static int find_plane(const Game *game, const char *colour, const char *rest) {
    const char *names[PLANES_MAX];
    const int count = planes_names(game, names);
    const size_t length = strlen(colour);
    for (int i = 0; i < count; i++)
        if (!strncmp(names[i], colour, length) && !strcmp(names[i] + length, rest))
            return i;
    return -1;
}

static bool has_plane(const FeatureSet *set, const char *plane) {
    for (const Feature *feature = set->feature; feature->name; feature++)
        if (feature->plane && !strcmp(feature->plane, plane))
            return true;
    return false;
}

static bool on_board_plane(const Hexhex *board, Source source, int cell) {
    switch (source) {
    case FROM_BOARD: return true;
    case FROM_EDGE: return board->degree[cell] < 6;
    default: return board->degree[cell] == 3;
    }
}

/* The plane of planes.h that a feature is made of when `mover` is the colour to move; -1 with an error. */
static int source_of(const Game *game, const FeatureSet *set, const Feature *feature, int mover, Error *error) {
    const int colour = feature->source == FROM_OWN ? mover : 1 - mover;
    const int plane = find_plane(game, feature->source == FROM_PLANE ? "" : colours[colour], feature->plane);
    if (plane < 0)
        error_set(error, "the feature set %s asks for \"%s\", which the game %s has not", set->name, feature->name,
                  game->name);
    return plane;
}

bool feature_encoder_init(FeatureEncoder *encoder, const FeatureSet *set, const Game *game, Error *error) {
    memset(encoder, 0, sizeof *encoder);
    encoder->game = game;
    encoder->planes = feature_set_planes(set);
    for (Side colour = BLACK; colour <= WHITE; colour++) {
        encoder->touch[colour] = find_plane(game, colours[colour], "_touch");
        encoder->place[colour] = has_plane(set, "_place") ? find_plane(game, colours[colour], "_place") : -1;
        encoder->capture[colour] = has_plane(set, "_capture") ? find_plane(game, colours[colour], "_capture") : -1;
    }
    encoder->same.size = game->board.size;
    for (int p = 0; p < encoder->planes; p++) {
        int least = 0;
        const Feature *feature = feature_of(set, p, &least);
        const bool varies = feature && feature->source < FROM_BOARD;
        encoder->plane[p].least = (uint8_t)least;
        for (int mover = 0; mover < 2; mover++) {
            encoder->plane[p].source[mover] = varies ? source_of(game, set, feature, mover, error) : -1;
            if (varies && encoder->plane[p].source[mover] < 0)
                return false;
            encoder->needs_actions |= encoder->plane[p].source[mover] >= planes_of_board(game);
        }
        for (int c = 0; c < game->board.cells && feature && !varies; c++)
            encoder->same.planes[c * encoder->planes + p] = on_board_plane(&game->board, feature->source, c) ? ON : 0;
    }
    return true;
}

/* ---- Encoding ---- */

static int8_t cut(int number) {
    return (int8_t)(number > 127 ? 127 : number < -127 ? -127 : number);
}

static void encode_points(const Game *game, const GameState *state, Side mover, int komi, int8_t *globals) {
    const int sign = mover == BLACK ? 1 : -1, lead = sign * game->rules->result(game, state).half_points;
    globals[1] = cut(-sign * komi * 4);
    globals[2] = cut(-sign * komi);
    globals[3] = cut(lead);
    globals[4] = cut(lead >> 2);
    globals[8] = komi_has_button(komi) ? ON : 0;
}

static int count_empty(const FeatureEncoder *encoder, const uint8_t *planes) {
    const int cells = encoder->game->board.cells;
    int count = 0; /* the first two planes are the stones */
    for (int c = 0; c < cells; c++)
        count += !(planes[c] | planes[cells + c]);
    return count;
}

/* The cells where a colour may still begin a turn. */
static bool is_free(const FeatureEncoder *encoder, const uint8_t *planes, Side colour, int cell) {
    const int cells = encoder->game->board.cells;
    if (encoder->place[colour] >= 0)
        return planes[encoder->place[colour] * cells + cell] > 0;
    return !(planes[cell] | planes[cells + cell]) && planes[encoder->touch[colour] * cells + cell] <= 1;
}

static int count_captures(const FeatureEncoder *encoder, const uint8_t *planes, Side colour) {
    const int cells = encoder->game->board.cells;
    int count = 0;
    for (int c = 0; c < cells && encoder->capture[colour] >= 0; c++)
        count += planes[encoder->capture[colour] * cells + c];
    return count;
}

static void encode_free_cells(const FeatureEncoder *encoder, const uint8_t *planes, Side colour, int empty,
                              int8_t *globals) {
    int own = 0, enemy = 0, both = 0;
    for (int c = 0; c < encoder->game->board.cells; c++) {
        const bool mine = is_free(encoder, planes, colour, c);
        const bool theirs = is_free(encoder, planes, side_opponent(colour), c);
        own += mine;
        enemy += theirs;
        both += mine && theirs;
    }
    globals[1] = cut(own);
    globals[2] = cut(enemy);
    globals[3] = cut(8 * (own - enemy));
    globals[4] = empty % 2 ? ON : 0;
    globals[5] = cut(both);
    globals[6] = both % 2 ? ON : 0;
    globals[7] = cut(16 * count_captures(encoder, planes, colour));
    globals[8] = cut(16 * count_captures(encoder, planes, side_opponent(colour)));
    globals[14] = own % 2 ? ON : 0;
    globals[15] = enemy % 2 ? ON : 0;
}

static void encode_button(GameButton button, Side mover, int8_t *globals) {
    globals[5] = button == BUTTON_ON_TABLE ? ON : 0;
    globals[6] = button == button_taken_by(mover) ? ON : 0;
    globals[7] = button == button_taken_by(side_opponent(mover)) ? ON : 0;
}

static void encode_globals(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history,
                           const uint8_t *planes, int8_t *globals) {
    const Game *game = encoder->game;
    const Side mover = game->rules->to_move(state);
    const int empty = count_empty(encoder, planes);
    int16_t plain[GLOBAL_COUNT];
    planes_write_globals(game, state, history, plain);
    memset(globals, 0, NETWORK_GLOBALS);
    globals[0] = ON;
    if (game->has_points)
        encode_points(game, state, mover, plain[GLOBAL_KOMI], globals);
    if (game->has_groups)
        encode_free_cells(encoder, planes, game_colour(game, state, mover), empty, globals);
    else
        encode_button((GameButton)plain[GLOBAL_BUTTON], mover, globals);
    globals[9] = plain[GLOBAL_PASSES] > 0 ? ON : 0;
    globals[10] = plain[GLOBAL_TURN_ACTIONS] > 0 ? ON : 0;
    globals[11] = cut(16 * (plain[GLOBAL_SIZE] - 6));
    globals[12] = (int8_t)((127 * empty + game->board.cells / 2) / game->board.cells);
    globals[13] = cut(16 * plain[GLOBAL_TURN_ACTIONS]);
}

void feature_encode(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history,
                    const Action *legal, int count, NetworkInput *input) {
    const Game *game = encoder->game;
    const int cells = game->board.cells, stride = encoder->planes;
    const Side colour = game_colour(game, state, game->rules->to_move(state));
    uint8_t planes[PLANES_MAX * HEXHEX_MAX_CELLS];
    if (encoder->needs_actions)
        planes_write(game, state, history, legal, count, planes);
    else
        planes_write_board(game, state, planes);
    input->size = encoder->same.size;
    memcpy(input->planes, encoder->same.planes, (size_t)(cells * stride));
    for (int p = 0; p < stride; p++) {
        if (encoder->plane[p].source[colour] < 0)
            continue;
        const uint8_t *from = planes + encoder->plane[p].source[colour] * cells, least = encoder->plane[p].least;
        uint8_t *to = input->planes + p;
        for (int c = 0; c < cells; c++)
            to[c * stride] = from[c] >= least ? ON : 0;
    }
    encode_globals(encoder, state, history, planes, input->globals);
}
