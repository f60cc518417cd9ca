/* The plain kernel of Bug for any processor, boards of two words: hexhex 6 and 7. */
#define BUG_WORDS 2
#include "engine/games/bug/playout.h"

static bool runs_here(void) {
    return true;
}

const BugKernel bug_plain_large = BUG_KERNEL("plain", runs_here);
