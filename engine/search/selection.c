/* See selection.h: the list of the kernels. */
#include "engine/search/selection.h"

const SelectionKernel *const selection_kernels[] = {
    &selection_plain,
#ifdef STIGMERGY_HAS_AVX2
    &selection_avx2,
#endif
#ifdef STIGMERGY_HAS_AVX512
    &selection_avx512,
#endif
    NULL,
};

const SelectionKernel *selection_kernel(void) {
    const SelectionKernel *fastest = selection_kernels[0];
    for (int i = 1; selection_kernels[i]; i++)
        if (selection_kernels[i]->runs_here())
            fastest = selection_kernels[i];
    return fastest;
}
