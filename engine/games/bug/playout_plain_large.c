/* The plain kernel of Bug for any processor, boards of two words: hexhex 6 and 7. */
#define BUG_WORDS 2
#include "engine/base/cpu.h"
#include "engine/games/bug/playout.h"

const BugKernel bug_plain_large = BUG_KERNEL("plain", cpu_any);
