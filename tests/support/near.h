/* Numbers that are nearly the same. */
#ifndef STIGMERGY_TESTS_SUPPORT_NEAR_H
#define STIGMERGY_TESTS_SUPPORT_NEAR_H

#include <math.h>
#include <stdbool.h>

static inline bool near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

#endif
