/* The scalar playout of scalar.h, compiled for x86 processors with BMI2. PDEP and a bit scan find the n-th member of a
 * set. (PDEP is slow on AMD processors before Zen 3.) */
#include "engine/base/cpu.h"
#include "engine/games/stigmergy/prior.h"
#include "engine/games/stigmergy/scalar.h"

STIGMERGY_DEFINE_KERNEL(scalar_playouts, scalar_priors)

const StigmergyKernel stigmergy_bmi2_kernel = {"bmi2", cpu_has_avx2, STIGMERGY_KERNEL_SIZES};
