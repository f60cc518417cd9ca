/* Logarithm and power to base 2, rough and quick, from the bits of a number. Unlike those of a libm they are the same
 * on every processor, so that searches are reproducible. */
#ifndef STIGMERGY_ENGINE_BASE_ROUGH_MATH_H
#define STIGMERGY_ENGINE_BASE_ROUGH_MATH_H

#include <stdint.h>
#include <string.h>

/* log2(x) for x >= 2^-126 to about 0.01. */
static inline float rough_log2(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t mantissa_bits = (bits & 0x7fffff) | 0x3f800000;
    float mantissa;
    memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
    const float exponent = (float)(int)(bits >> 23) - 127.0f;
    return exponent + (mantissa - 1.0f) * (1.3465f - 0.3465f * (mantissa - 1.0f));
}

/* 2^x for x <= 0 to about 1%; 0 from -126 down. */
static inline float rough_exp2(float x) {
    if (x < -126.0f)
        return 0.0f;
    const int whole = (int)x - 1; /* rounds down, except for whole numbers, where the fraction is 1 */
    const float fraction = x - (float)whole;
    const uint32_t power_bits = (uint32_t)(whole + 127) << 23;
    float power;
    memcpy(&power, &power_bits, sizeof power);
    return power * (1.0f + fraction * (0.6565f + 0.3435f * fraction));
}

/* The highest of `count` numbers, at least one. */
static inline float rough_highest(const float *numbers, int count) {
    float highest = numbers[0];
    for (int i = 1; i < count; i++)
        highest = numbers[i] > highest ? numbers[i] : highest;
    return highest;
}

/* log2 of the sum of 2^logits[i], divided by `part`; count is at least 1. */
static inline float rough_logit_of_sum(const float *logits, int count, float part) {
    const float highest = rough_highest(logits, count);
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += rough_exp2(logits[i] - highest);
    return highest + rough_log2(sum / part);
}

#endif
