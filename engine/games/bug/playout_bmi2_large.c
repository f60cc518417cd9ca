/* The kernel of Bug for x86 processors with BMI2, boards of two words: hexhex 6 and 7. */
#define BUG_WORDS 2
#include "engine/base/cpu.h"
#include "engine/games/bug/playout.h"

const BugKernel bug_bmi2_large = BUG_KERNEL("bmi2", cpu_has_avx2);
