/* The list of the kernels of this build. */
#include "engine/games/stigmergy/core.h"
#include "engine/games/stigmergy/stigmergy.h"

const StigmergyKernel *const stigmergy_kernels[] = {
    &stigmergy_plain_kernel,
#ifdef STIGMERGY_HAS_BMI2
    &stigmergy_bmi2_kernel,
#endif
#ifdef STIGMERGY_HAS_AVX2
    &stigmergy_avx2_kernel,
#endif
#ifdef STIGMERGY_HAS_AVX512
    &stigmergy_avx512_kernel,
#endif
    NULL,
};
