/* The list of the kernels of this build: see kernel.h. */
#include "engine/eval/network/kernel.h"

#include <stdio.h>
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
    NULL,
};

static void list_names(char *out, size_t size) {
    size_t length = 0;
    *out = '\0';
    for (int i = 0; network_kernels[i]; i++)
        if (network_kernels[i]->runs_here() && length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "", network_kernels[i]->name);
}

const NetworkKernel *network_kernel(const char *name, Error *error) {
    const NetworkKernel *found = NULL;
    for (int i = 0; network_kernels[i]; i++)
        if (network_kernels[i]->runs_here() && (!name || !strcmp(name, network_kernels[i]->name)))
            found = network_kernels[i];
    if (!found) {
        char names[80];
        list_names(names, sizeof names);
        error_set(error, "no network kernel \"%s\" here, expected one of: %s", name, names);
    }
    return found;
}
