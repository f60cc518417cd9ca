/* Asks the processor at run time which instructions it has. */
#ifndef STIGMERGY_ENGINE_BASE_CPU_H
#define STIGMERGY_ENGINE_BASE_CPU_H

#include <stdbool.h>

/* What a kernel for any processor needs. */
static inline bool cpu_any(void) {
    return true;
}

#ifdef __x86_64__
#include <cpuid.h>

/* Whether the processor has AVX2 and what came with it: BMI, BMI2, LZCNT and POPCNT. */
static inline bool cpu_has_avx2(void) {
    unsigned a, b, c = 0, d; /* clang 14 has no name for LZCNT in __builtin_cpu_supports */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* Whether it also has the AVX-512 extensions F, BW, CD, DQ, VBMI, BITALG and VPOPCNTDQ. */
static inline bool cpu_has_avx512(void) {
    return cpu_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

#endif
