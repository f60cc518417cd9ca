/* See kernel_peak.h. */
#include "tools/cli/kernel_peak.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __x86_64__ || defined __aarch64__
enum { CHAINS = 12, TURNS = 1 << 16 };

/* In assembly, for a compiler would do it fewer times. TWELVE sums go through a turn of instructions each. */
#define TWELVE(TURN)                                                                                                   \
    TURN("0")                                                                                                          \
    TURN("1") TURN("2") TURN("3") TURN("4") TURN("5") TURN("6") TURN("7") TURN("8") TURN("9") TURN("10") TURN("11")
#endif

#if defined __aarch64__
#define SDOT(SUM) "sdot v" SUM ".4s, v12.16b, v13.4b[0]\n\t"

static double turns_dotprod(void) {
    for (int turn = 0; turn < TURNS; turn++)
        __asm__ volatile(".arch armv8.2-a+dotprod\n\t" TWELVE(SDOT)::
                             : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11");
    return 16.0 * CHAINS * TURNS;
}
#elif defined __x86_64__
#define VNNI_512(SUM) "vpdpbusd %%zmm12, %%zmm13, %%zmm" SUM "\n\t"
#define VNNI_256(SUM) "%{vex%} vpdpbusd %%ymm12, %%ymm13, %%ymm" SUM "\n\t"
/* Two maddubs, an addition in 16 bits, a madd and an addition in 32 bits make 64 multiplications. */
#define AVX2(SUM)                                                                                                      \
    "vpmaddubsw %%ymm12, %%ymm13, %%ymm14\n\tvpmaddubsw %%ymm12, %%ymm13, %%ymm15\n\t"                                 \
    "vpaddw %%ymm14, %%ymm15, %%ymm14\n\tvpmaddwd %%ymm12, %%ymm14, %%ymm14\n\t"                                       \
    "vpaddd %%ymm14, %%ymm" SUM ", %%ymm" SUM "\n\t"
#define LOOP(TURN)                                                                                                     \
    for (int turn = 0; turn < TURNS; turn++)                                                                           \
    __asm__ volatile(TWELVE(TURN)::                                                                                    \
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",    \
                           "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")

static double turns_amx(void) {
    enum { SUMS = 4, TILE_TURNS = TURNS / 16, TILE = 16 * 16 * 64 };
    static const uint8_t form[64] = {/* of the tile registers: eight times 16 rows of 64 bytes */
                                     1,         [16] = 64, [18] = 64, [20] = 64, [22] = 64, [24] = 64,
                                     [26] = 64, [28] = 64, [30] = 64, [48] = 16, 16,        16,
                                     16,        16,        16,        16,        16};
    __asm__ volatile("ldtilecfg %0" ::"m"(form));
    for (int turn = 0; turn < TILE_TURNS; turn++)
        __asm__ volatile("tdpbusd %tmm6, %tmm4, %tmm0\n\ttdpbusd %tmm7, %tmm4, %tmm1\n\t"
                         "tdpbusd %tmm6, %tmm5, %tmm2\n\ttdpbusd %tmm7, %tmm5, %tmm3");
    __asm__ volatile("tilerelease");
    return (double)TILE * SUMS * TILE_TURNS;
}

static double turns_avx512(void) {
    LOOP(VNNI_512);
    return 64.0 * CHAINS * TURNS;
}

static double turns_avxvnni(void) {
    LOOP(VNNI_256);
    return 32.0 * CHAINS * TURNS;
}

static double turns_avx2(void) {
    LOOP(AVX2);
    return 64.0 * CHAINS * TURNS;
}
#endif

double kernel_peak_multiply(const char *kernel) {
    static const struct {
        const char *kernel;
        double (*turns)(void);
    } known[] = {
#if defined __aarch64__
        {"dotprod", turns_dotprod},
#elif defined __x86_64__
        {"amx", turns_amx},
        {"avx512", turns_avx512},
        {"avxvnni", turns_avxvnni},
        {"avx2", turns_avx2},
#endif
        {"", NULL},
    };
    for (int i = 0; known[i].turns; i++)
        if (!strcmp(kernel, known[i].kernel))
            return known[i].turns();
    return 0;
}
