/* The kernel for AVX2 with AVX-VNNI, which is vpdpbusd without AVX-512: see kernel_lanes.h. */
#include "engine/eval/network/kernel_lanes_256.h"

#include <cpuid.h>

enum { LANES_TILE = 6, LANES_GROUPS = 1, LANES_QUADS = 1 };

typedef Group Weights;
typedef __m256i Activations;

static inline Weights group_weights(const int8_t *from, int stride) {
    (void)stride;
    return (Weights){load_256(from), load_256(from + 32)};
}

static inline Activations cell_activations(const uint8_t *cell, const int32_t *offsets) {
    return quad_broadcast(cell + offsets[0]);
}

/* In assembly because gcc 12 copies the sums to other registers and back around the built-in function. */
static inline Group group_dot(Group sums, Activations a, Weights w) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.low) : "x"(a), "x"(w.low));
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.high) : "x"(a), "x"(w.high));
    return sums;
}

#include "engine/eval/network/kernel_lanes.h"

static bool runs_here(void) {
    unsigned a, b, c, d; /* gcc before 13 cannot ask for AVX-VNNI by name */
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

const NetworkKernel network_avxvnni = {.name = "avxvnni",
                                       .runs_here = runs_here,
                                       .quads = LANES_QUADS,
                                       .convolution = tiled_convolution,
                                       .dense = grouped_dense,
                                       .pool = grouped_pool};
