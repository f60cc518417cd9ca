/* The plain playout kernel: the scalar playout of scalar.h for any processor. Tests compare the other kernels with
 * it. */
#include "engine/games/stigmergy/prior.h"
#include "engine/games/stigmergy/scalar.h"

STIGMERGY_DEFINE_KERNEL(scalar_playouts, scalar_priors)

static bool runs_here(void) {
    return true;
}

const StigmergyKernel stigmergy_plain_kernel = {"plain", runs_here, STIGMERGY_KERNEL_SIZES};
