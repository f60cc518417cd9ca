/* The kernel of Bug for x86 processors with BMI2, boards of one word: hexhex 2 to 5. */
#define BUG_WORDS 1
#include "engine/base/cpu.h"
#include "engine/games/bug/playout.h"

const BugKernel bug_bmi2_small = BUG_KERNEL("bmi2", cpu_has_avx2);
