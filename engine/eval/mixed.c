/* See mixed.h. */
#include "engine/eval/mixed.h"

#include <stdlib.h>

typedef struct MixedContext {
    const MixedEvaluator *evaluator;
    void *main, *playouts; /* contexts of the two */
    Evaluation said[];     /* by the playouts, Evaluator.batch of them */
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
    MixedContext *self = calloc(1, sizeof *self + (size_t)evaluator->batch * sizeof *self->said);
    if (!self) {
        error_set(error, "out of memory for evaluations");
        return NULL;
    }
    self->evaluator = mixed;
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

static void evaluate(void *context, const Leaf *leaves, int count, Evaluation *out) {
    MixedContext *self = context;
    const float share = self->evaluator->share;
    self->evaluator->main->evaluate(self->main, leaves, count, out);
    self->evaluator->playouts->evaluate(self->playouts, leaves, count, self->said);
    for (int i = 0; i < count; i++)
        out[i].black += share * (self->said[i].black - out[i].black);
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
