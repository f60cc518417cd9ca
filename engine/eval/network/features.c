/* See features.h. */
#include "engine/eval/network/features.h"

/* Where a plane comes from: a plane of planes.h, without its colour; or the board alone. */
typedef enum Source { FROM_PLANE, FROM_OWN, FROM_ENEMY, FROM_BOARD, FROM_EDGE, FROM_CORNER } Source;

typedef struct Feature {
    const char *name;
    Source source;
    const char *plane; /* what stands behind "black" and "white", or the whole name */
    uint8_t least;
} Feature;

struct FeatureSet {
    const char *name;
    int count;
    Feature feature[NETWORK_PLANES_MAX];
};

static const FeatureSet sets[] = {
    {"stigmergy-1",
     19,
     {{"on", FROM_BOARD, NULL, 0},
      {"own", FROM_OWN, "", 1},
      {"enemy", FROM_ENEMY, "", 1},
      {"own_seen>=1", FROM_OWN, "_seen", 1},
      {"own_seen>=2", FROM_OWN, "_seen", 2},
      {"own_seen>=3", FROM_OWN, "_seen", 3},
      {"own_seen>=4", FROM_OWN, "_seen", 4},
      {"own_seen>=5", FROM_OWN, "_seen", 5},
      {"own_seen>=6", FROM_OWN, "_seen", 6},
      {"enemy_seen>=1", FROM_ENEMY, "_seen", 1},
      {"enemy_seen>=2", FROM_ENEMY, "_seen", 2},
      {"enemy_seen>=3", FROM_ENEMY, "_seen", 3},
      {"enemy_seen>=4", FROM_ENEMY, "_seen", 4},
      {"enemy_seen>=5", FROM_ENEMY, "_seen", 5},
      {"enemy_seen>=6", FROM_ENEMY, "_seen", 6},
      {"own_control", FROM_OWN, "_control", 1},
      {"enemy_control", FROM_ENEMY, "_control", 1},
      {"edge", FROM_EDGE, NULL, 0},
      {"corner", FROM_CORNER, NULL, 0}}},
    {"bug-1",
     7,
     {{"on", FROM_BOARD, NULL, 0},
      {"own", FROM_OWN, "", 1},
      {"enemy", FROM_ENEMY, "", 1},
      {"turn", FROM_PLANE, "turn", 1},
      {"legal", FROM_PLANE, "legal", 1},
      {"edge", FROM_EDGE, NULL, 0},
      {"corner", FROM_CORNER, NULL, 0}}},
    {"sgolte-1",
     7,
     {{"on", FROM_BOARD, NULL, 0},
      {"own", FROM_OWN, "", 1},
      {"enemy", FROM_ENEMY, "", 1},
      {"turn", FROM_PLANE, "turn", 1},
      {"legal", FROM_PLANE, "legal", 1},
      {"edge", FROM_EDGE, NULL, 0},
      {"corner", FROM_CORNER, NULL, 0}}},
};

enum { SETS = sizeof sets / sizeof *sets, ON = 64 };

const FeatureSet *feature_set(const char *name, Error *error) {
    for (int i = 0; i < SETS; i++)
        if (!strcmp(sets[i].name, name))
            return &sets[i];
    error_set(error, "no feature set \"%s\" in this program, expected %s, %s or %s", name, sets[0].name, sets[1].name,
              sets[2].name);
    return NULL;
}

int feature_set_planes(const FeatureSet *set) {
    return (set->count + 3) / 4 * 4;
}

const char *feature_set_plane_name(const FeatureSet *set, int plane) {
    return set->feature[plane].name;
}

/* ---- Making an encoder ---- */

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

static bool on_board_plane(const Hexhex *board, Source source, int cell) {
    switch (source) {
    case FROM_BOARD: return true;
    case FROM_EDGE: return board->degree[cell] < 6;
    default: return board->degree[cell] == 3;
    }
}

bool feature_encoder_init(FeatureEncoder *encoder, const FeatureSet *set, const Game *game, Error *error) {
    static const char *const colours[] = {"black", "white"};
    memset(encoder, 0, sizeof *encoder);
    encoder->game = game;
    encoder->planes = feature_set_planes(set);
    encoder->same.size = game->board.size;
    for (int p = 0; p < encoder->planes; p++) {
        const Feature *feature = &set->feature[p];
        encoder->plane[p].least = feature->least;
        for (int mover = 0; mover < 2; mover++) {
            int *source = &encoder->plane[p].source[mover];
            *source = -1;
            if (p >= set->count || feature->source >= FROM_BOARD)
                continue;
            const int colour = feature->source == FROM_OWN ? mover : 1 - mover;
            *source = find_plane(game, feature->source == FROM_PLANE ? "" : colours[colour], feature->plane);
            if (*source < 0)
                return error_set(error, "the feature set %s asks for \"%s\", which the game %s has not", set->name,
                                 feature->name, game->name);
        }
        for (int c = 0; c < game->board.cells && p < set->count && feature->source >= FROM_BOARD; c++)
            if (on_board_plane(&game->board, feature->source, c))
                encoder->same.planes[c * encoder->planes + p] = ON;
    }
    return true;
}

/* ---- Encoding ---- */

static int8_t cut(int number) {
    return (int8_t)(number > 127 ? 127 : number < -127 ? -127 : number);
}

static void encode_points(const Game *game, const GameState *state, Side mover, int komi, int8_t *globals) {
    const int sign = mover == BLACK ? 1 : -1, lead = sign * game->rules->result(game, state).margin;
    globals[1] = cut(-sign * komi * 4);
    globals[2] = cut(-sign * komi);
    globals[3] = cut(lead);
    globals[4] = cut(lead >> 2);
    globals[8] = komi_has_button(komi) ? ON : 0;
}

static void encode_globals(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history, int empty,
                           int8_t *globals) {
    const Game *game = encoder->game;
    const Side mover = game->rules->to_move(state);
    int16_t plain[GLOBAL_COUNT];
    planes_write_globals(game, state, history, plain);
    memset(globals, 0, NETWORK_GLOBALS);
    globals[0] = ON;
    if (game->has_points)
        encode_points(game, state, mover, plain[GLOBAL_KOMI], globals);
    const int holder = plain[GLOBAL_BUTTON];
    globals[5] = holder == 1 ? ON : 0;
    globals[6] = holder == 2 + mover ? ON : 0;
    globals[7] = holder == 3 - mover ? ON : 0;
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
    planes_write(game, state, history, legal, count, planes);
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
    int empty = 0; /* the first two planes are the stones */
    for (int c = 0; c < cells; c++)
        empty += !(planes[c] | planes[cells + c]);
    encode_globals(encoder, state, history, empty, input->globals);
}
