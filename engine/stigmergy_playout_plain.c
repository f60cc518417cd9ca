/* The plain playout kernel: the scalar playout of stigmergy_scalar.h for any processor. The others are tested against
 * it. */
#include "stigmergy_prior.h"
#include "stigmergy_scalar.h"

STIGMERGY_DEFINE_KERNEL(scalar_playouts, scalar_priors)

static bool runs_here(void) {
    return true;
}

const StigmergyKernel stigmergy_plain_kernel = {"plain", runs_here, STIGMERGY_KERNEL_SIZES};
