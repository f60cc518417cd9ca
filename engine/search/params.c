/* The parameters of a search: their defaults and their ranges. */
#include "engine/search/search_internal.h"

SearchParams search_default_params(void) {
    return (SearchParams){
        .playout_policy = PLAYOUT_TACTICAL,
        .playouts = 8,
        .static_eval = 1,
        .expand_visits = 1,
        .revisits = 0.03125,
        .selection = SELECTION_RAVE,
        .rave_equivalence = 500,
        .prior_playouts = 16,
        .prior_slope = 0.14,
        .exploration = 0,
        .fpu = 1,
        .puct = 0.8,
        .fpu_reduction = 0.2,
        .score = 0.4,
        .solver_share = 0.7,
        .solver_open = 24,
        .solver_carriers_open = 32,
    };
}

/* A field of SearchParams: a double, or an int or an enumeration. */
typedef struct Field {
    const char *name;
    size_t offset;
    bool whole;
    SearchRange range;
} Field;

_Static_assert(sizeof(PlayoutPolicy) == sizeof(int) && sizeof(SearchSelection) == sizeof(int),
               "an enumeration is read as an int");

#define FIELD(name) #name, offsetof(SearchParams, name)

static const Field fields[] = {
    {FIELD(playout_policy), true, {PLAYOUT_UNIFORM, PLAYOUT_TACTICAL}},
    {FIELD(playouts), true, {1, EVALUATION_PLAYOUTS_MAX}},
    {FIELD(static_eval), false, {0, 10}},
    {FIELD(expand_visits), true, {1, 1000000}},
    {FIELD(revisits), false, {0, 0.5}},
    {FIELD(all_images), true, {0, 1}},
    {FIELD(selection), true, {SELECTION_RAVE, SELECTION_PUCT}},
    {FIELD(rave_equivalence), false, {0, 1e6}},
    {FIELD(prior_playouts), true, {0, 1000}},
    {FIELD(prior_slope), false, {0, 10}},
    {FIELD(exploration), false, {0, 100}},
    {FIELD(fpu), false, {0, 1}},
    {FIELD(puct), false, {0, 100}},
    {FIELD(fpu_reduction), false, {0, 1}},
    {FIELD(considered), true, {0, GAME_LEGAL_MAX}},
    {FIELD(playout_share), false, {0, 1}},
    {FIELD(score), false, {0, 1}},
    {FIELD(solver_share), false, {0, 1}},
    {FIELD(solver_open), true, {0, HEXHEX_MAX_CELLS}},
    {FIELD(solver_carriers_open), true, {0, HEXHEX_MAX_CELLS}},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

SearchRange search_params_range(size_t offset) {
    int i = 0;
    while (i + 1 < FIELDS && fields[i].offset != offset)
        i++;
    return fields[i].range;
}

/* Names are those of the fields, which a caller of the library knows. Descriptions of players, some of whose keys are
 * other names, are checked where they are read. */
bool search_check_params(const SearchParams *params, Error *error) {
    for (int i = 0; i < FIELDS; i++) {
        const void *field = (const char *)params + fields[i].offset;
        const double value = fields[i].whole ? *(const int *)field : *(const double *)field;
        const SearchRange range = fields[i].range;
        if (!(value >= range.low && value <= range.high))
            return error_set(error, "%s: %g, expected %g to %g", fields[i].name, value, range.low, range.high);
    }
    return true;
}
