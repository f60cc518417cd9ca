/* See kinds.h. */
#include "selfplay/runs/kinds.h"

enum { SIZE = 5 }; /* of the board, where settings do not say it */

static void book(KindConfig *config) {
    config->book = book_config_default(SIZE);
}
static void komi(KindConfig *config) {
    config->komi = komi_config_default(SIZE);
}
static void match(KindConfig *config) {
    config->match = match_config_default(SIZE);
}
static void openings(KindConfig *config) {
    config->openings = openings_config_default(SIZE);
}

static const struct {
    const char *name;
    const RunKind *kind;
    void (*use_defaults)(KindConfig *config);
} kinds[] = {{"book", &book_kind, book},
             {"komi", &komi_kind, komi},
             {"match", &match_kind, match},
             {"openings", &openings_kind, openings}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const RunKind *use(int number, KindConfig *config) {
    if (number == KINDS)
        return NULL;
    kinds[number].use_defaults(config);
    return kinds[number].kind;
}

const RunKind *kind_named(const char *name, KindConfig *config) {
    int number = 0;
    while (number < KINDS && strcmp(name, kinds[number].name) != 0)
        number++;
    return use(number, config);
}

const RunKind *kind_of_schema(const char *name, KindConfig *config) {
    int number = 0;
    while (number < KINDS && strcmp(name, kinds[number].kind->schema.name) != 0)
        number++;
    return use(number, config);
}
