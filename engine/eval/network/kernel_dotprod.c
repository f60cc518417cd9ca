/* The kernel for AArch64 with the instruction SDOT (Armv8.2 with DotProd: Apple's processors, Graviton 2, Cortex-A76
 * and later ones), which multiplies 16 bytes by 16 bytes and adds the products in fours, in 32 bits: see
 * kernel_lanes.h. Activations are at most 127, so they are signed bytes, too. */
#include <arm_neon.h>
#include <string.h>
#include <sys/auxv.h>

/* A tile of six cells has 24 registers of sums, 4 of weights and one of activations, of 32. */
enum { LANES_TILE = 6, LANES_GROUPS = 1, LANES_QUADS = 1, FOURS = 4 };

typedef struct Group {
    int32x4_t of[FOURS];
} Group;

typedef struct Weights {
    int8x16_t of[FOURS];
} Weights;

typedef int8x8_t Activations; /* the first four bytes */

typedef struct Values {
    int16x8_t low, high;
} Values;

/* ---- Sums ---- */

static inline Group group_load(const int32_t *from) {
    return (Group){{vld1q_s32(from), vld1q_s32(from + 4), vld1q_s32(from + 8), vld1q_s32(from + 12)}};
}

static inline void group_store(int32_t *to, Group group) {
    for (int i = 0; i < FOURS; i++)
        vst1q_s32(to + 4 * i, group.of[i]);
}

static inline Weights group_weights(const int8_t *from, int stride) {
    (void)stride;
    return (Weights){{vld1q_s8(from), vld1q_s8(from + 16), vld1q_s8(from + 32), vld1q_s8(from + 48)}};
}

/* SDOT takes the four bytes from one place of a register, so they need not be broadcast. */
static inline Activations cell_activations(const uint8_t *cell, const int32_t *offsets) {
    int32_t four;
    memcpy(&four, cell + offsets[0], sizeof four);
    return vreinterpret_s8_s32(vset_lane_s32(four, vdup_n_s32(0), 0));
}

static inline Group group_dot(Group sums, Activations a, Weights w) {
    for (int i = 0; i < FOURS; i++)
        sums.of[i] = vdotq_lane_s32(sums.of[i], w.of[i], a, 0);
    return sums;
}

static inline Group group_dense(Group sums, int32_t pair, const int16_t *weights) {
    const int16_t first = (int16_t)pair, second = (int16_t)(pair >> 16);
    for (int i = 0; i < FOURS; i++) {
        const int16x4x2_t of = vld2_s16(weights + 8 * i);
        sums.of[i] = vmlal_n_s16(vmlal_n_s16(sums.of[i], of.val[0], first), of.val[1], second);
    }
    return sums;
}

static inline Group group_shift(Group sums, Group bits) {
    for (int i = 0; i < FOURS; i++)
        sums.of[i] = vshlq_s32(sums.of[i], vnegq_s32(bits.of[i]));
    return sums;
}

static inline Values group_narrow(Group sums) {
    return (Values){vqmovn_high_s32(vqmovn_s32(sums.of[0]), sums.of[1]),
                    vqmovn_high_s32(vqmovn_s32(sums.of[2]), sums.of[3])};
}

/* ---- Values ---- */

static inline Values values_load(const int16_t *from) {
    return (Values){vld1q_s16(from), vld1q_s16(from + 8)};
}

static inline void values_store(int16_t *to, Values values) {
    vst1q_s16(to, values.low);
    vst1q_s16(to + 8, values.high);
}

static inline Values values_of_bytes(const uint8_t *from) {
    const uint8x16_t bytes = vld1q_u8(from);
    return (Values){vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes))), vreinterpretq_s16_u16(vmovl_high_u8(bytes))};
}

static inline void values_hidden(uint8_t *to, Values values) {
    const uint8x16_t bytes = vqmovun_high_s16(vqmovun_s16(values.low), values.high);
    vst1q_u8(to, vminq_u8(bytes, vdupq_n_u8(127)));
}

/* Where adding 16 saturates, the activation is 127 all the same. */
static inline Values values_activation(Values values) {
    const int16x8_t half = vdupq_n_s16(16);
    return (Values){vshrq_n_s16(vqaddq_s16(values.low, half), 5), vshrq_n_s16(vqaddq_s16(values.high, half), 5)};
}

static inline Values values_add(Values a, Values b) {
    return (Values){vaddq_s16(a.low, b.low), vaddq_s16(a.high, b.high)};
}

static inline Values values_add_saturated(Values a, Values b) {
    return (Values){vqaddq_s16(a.low, b.low), vqaddq_s16(a.high, b.high)};
}

static inline Values values_max(Values a, Values b) {
    return (Values){vmaxq_s16(a.low, b.low), vmaxq_s16(a.high, b.high)};
}

#include "engine/eval/network/kernel_lanes.h"

static bool runs_here(void) {
    return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
}

const NetworkKernel network_dotprod = {.name = "dotprod",
                                       .runs_here = runs_here,
                                       .quads = LANES_QUADS,
                                       .convolution = tiled_convolution,
                                       .dense = grouped_dense,
                                       .pool = grouped_pool};
