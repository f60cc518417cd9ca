/* What the document of a fair-komi run says of a rung: its games by komi, the estimate, the first moves. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RUNG_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RUNG_INTERNAL_H

#include "selfplay/runs/komi/standings.h"

typedef struct RungJson {
    cJSON *points;      /* of the best first move, if first moves were forced */
    cJSON *fair;        /* `fair_komi` */
    cJSON *first_moves; /* NULL in free play */
    KomiCounts counts;  /* of all games */
} RungJson;

/* Makes the parts, for the caller to delete in any case, and *value, from which they are. False with an error. */
bool komi_rung_to_json(const Run *run, int rung, RungValue *value, RungJson *out, Error *error);
void komi_rung_delete(RungJson *rung);

void komi_add_counts(cJSON *json, const KomiCounts *counts);

#endif
