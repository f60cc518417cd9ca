/* See kinds.h. */
#include "selfplay/runs/kinds.h"

enum { SIZE = 5 }; /* of the board, where settings do not say it */

static const RunKind *const kinds[] = {&book_kind, &komi_kind, &match_kind, &openings_kind};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const RunKind *kind_named(const char *name) {
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(name, kinds[i]->config->name))
            return kinds[i];
    return NULL;
}

const RunKind *kind_of_schema(const char *name) {
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(name, kinds[i]->schema.name))
            return kinds[i];
    return NULL;
}

KindConfig kind_defaults(const RunKind *kind) {
    KindConfig config;
    kind->config->set_defaults(&config.run, SIZE);
    return config;
}
