/* Asking the processor, at run time, for the instructions that a kernel is compiled for. x86 only. */
#ifndef STIGMERGY_CPU_H
#define STIGMERGY_CPU_H

#include <cpuid.h>
#include <stdbool.h>

/* AVX2, BMI, BMI2, LZCNT and POPCNT. */
static inline bool cpu_has_bmi2(void) {
    unsigned a, b, c = 0, d; /* clang 14 cannot ask for LZCNT by name */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

#endif
