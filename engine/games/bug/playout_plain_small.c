/* The plain kernel of Bug for any processor, boards of one word: hexhex 2 to 5. */
#define BUG_WORDS 1
#include "engine/base/cpu.h"
#include "engine/games/bug/playout.h"

const BugKernel bug_plain_small = BUG_KERNEL("plain", cpu_any);
