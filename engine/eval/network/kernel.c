/* The list of the kernels of this build: see kernel.h. */
#include "engine/eval/network/kernel.h"

#include "engine/base/words.h"

#include <string.h>

const NetworkKernel *const network_kernels[] = {
    &network_plain,
#ifdef STIGMERGY_HAS_DOTPROD
    &network_dotprod,
#endif
#ifdef STIGMERGY_HAS_AVX2
    &network_avx2,
#endif
#ifdef STIGMERGY_HAS_AVXVNNI
    &network_avxvnni,
#endif
#ifdef STIGMERGY_HAS_AVX512VNNI
    &network_avx512,
#endif
#ifdef STIGMERGY_HAS_AMX
    &network_amx,
#endif
    NULL,
};

const NetworkKernel *network_kernel(const char *name, Error *error) {
    const NetworkKernel *found = NULL;
    const char *names[sizeof network_kernels / sizeof *network_kernels]; /* of those that run here */
    int count = 0;
    for (const NetworkKernel *const *kernel = network_kernels; *kernel; kernel++) {
        if (!(*kernel)->runs_here())
            continue;
        names[count++] = (*kernel)->name;
        if (!name || !strcmp(name, (*kernel)->name))
            found = *kernel;
    }
    if (!found) {
        char list[80];
        words_join(names, count, list, sizeof list);
        error_set(error, "no network kernel \"%s\" here, expected %s", name, list);
    }
    return found;
}
