/* The kernel for AVX-512 with VNNI: see kernel_lanes_512.h and kernel_lanes.h. */
#include "engine/eval/network/kernel_lanes_512.h"

#include "engine/eval/network/kernel_lanes.h"

const NetworkKernel network_avx512 = {.name = "avx512",
                                      .runs_here = lanes_512_run_here,
                                      .quads = LANES_QUADS,
                                      .convolution = tiled_convolution,
                                      .dense = grouped_dense,
                                      .pool = grouped_pool};
