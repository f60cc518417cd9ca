/* The plain kernel of Bug for any processor, boards of one word: hexhex 2 to 5. */
#define BUG_WORDS 1
#include "engine/games/bug/playout.h"

static bool runs_here(void) {
    return true;
}

const BugKernel bug_plain_small = BUG_KERNEL("plain", runs_here);
