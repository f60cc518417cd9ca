/* The scalar playout of stigmergy_scalar.h, compiled for x86 processors with BMI2: a PDEP and a bit scan find the n-th
 * member of a set. (On AMD processors before Zen 3 PDEP is slow, and the results are the same.) */
#include "stigmergy_scalar.h"

STIGMERGY_DEFINE_KERNEL(scalar_playouts)

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

const StigmergyKernel stigmergy_bmi2_kernel = {"bmi2", runs_here, STIGMERGY_KERNEL_SIZES};
