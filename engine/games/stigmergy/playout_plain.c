/* The plain playout kernel: the scalar playout of scalar.h for any processor. Tests compare the other kernels with
 * it. */
#include "engine/base/cpu.h"
#include "engine/games/stigmergy/prior.h"
#include "engine/games/stigmergy/scalar.h"

STIGMERGY_DEFINE_KERNEL(scalar_playouts, scalar_priors)

const StigmergyKernel stigmergy_plain_kernel = {"plain", cpu_any, STIGMERGY_KERNEL_SIZES};
