/* The scalar playout of stigmergy_scalar.h, compiled for x86 processors with BMI2: a PDEP and a bit scan find the n-th
 * member of a set. (On AMD processors before Zen 3 PDEP is slow.) */
#include "stigmergy_scalar.h"

#include <cpuid.h>

STIGMERGY_DEFINE_KERNEL(scalar_playouts)

/* clang 14 cannot ask for LZCNT by name. */
static bool has_lzcnt(void) {
    unsigned a, b, c = 0, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

static bool runs_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && has_lzcnt();
}

const StigmergyKernel stigmergy_bmi2_kernel = {"bmi2", runs_here, STIGMERGY_KERNEL_SIZES};
