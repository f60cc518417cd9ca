/* See mixed.h. */
#include "engine/eval/mixed.h"

#include <stdlib.h>

typedef struct MixedContext {
    const MixedEvaluator *evaluator;
    const Game *game;
    void *main, *playouts; /* contexts of the two */
    Evaluation said;       /* by the playouts */
} MixedContext;

static void free_context(void *context) {
    MixedContext *self = context;
    if (self->main)
        self->evaluator->main->free_context(self->main);
    if (self->playouts)
        self->evaluator->playouts->free_context(self->playouts);
    free(self);
}

static void *new_context(const Evaluator *evaluator, const Game *game, Error *error) {
    const MixedEvaluator *mixed = (const MixedEvaluator *)evaluator;
    MixedContext *self = calloc(1, sizeof *self);
    if (!self) {
        error_set(error, "out of memory for evaluations");
        return NULL;
    }
    self->evaluator = mixed;
    self->game = game;
    self->main = mixed->main->new_context(mixed->main, game, error);
    self->playouts = self->main ? mixed->playouts->new_context(mixed->playouts, game, error) : NULL;
    if (self->playouts)
        return self;
    free_context(self);
    return NULL;
}

static void share_cache(void *context, void *with) {
    MixedContext *self = context, *other = with;
    self->evaluator->main->share_cache(self->main, other->main);
}

/* The share of the playouts in the chance of a position. */
static float share_of(const MixedContext *self, const GameState *state) {
    const int cells = self->game->board.cells, full = cells - 2 * game_empty_cells(self->game, state);
    return full > 0 ? self->evaluator->share * (float)full / (float)cells : 0;
}

static void evaluate(void *context, const Leaf *leaves, int count, Evaluation *out) {
    MixedContext *self = context;
    self->evaluator->main->evaluate(self->main, leaves, count, out);
    for (int i = 0; i < count; i++) {
        const float share = share_of(self, leaves[i].state);
        if (share == 0)
            continue;
        self->evaluator->playouts->evaluate(self->playouts, &leaves[i], 1, &self->said);
        out[i].black += share * (self->said.black - out[i].black);
    }
}

MixedEvaluator mixed_evaluator(const Evaluator *main, const Evaluator *playouts, float share) {
    MixedEvaluator mixed = {.evaluator = *main, .main = main, .playouts = playouts, .share = share};
    mixed.evaluator.name = "mixed";
    mixed.evaluator.has_amaf = false;
    mixed.evaluator.batch = main->batch < playouts->batch ? main->batch : playouts->batch;
    mixed.evaluator.solver_positions = main->solver_positions + playouts->solver_positions;
    mixed.evaluator.new_context = new_context;
    mixed.evaluator.free_context = free_context;
    mixed.evaluator.share_cache = main->share_cache ? share_cache : NULL;
    mixed.evaluator.evaluate = evaluate;
    return mixed;
}
