/* How much stack the program needs, and whether it gets that.
 *
 * A thread that overflows its stack dies by a signal, without a word. So the need is checked before anything runs.
 * Without settings, threads get as much as the main thread (ulimit -s); OMP_STACKSIZE and the like give those of OpenMP
 * another size. */
#ifndef STIGMERGY_TOOLS_CLI_STACK_H
#define STIGMERGY_TOOLS_CLI_STACK_H

#include "engine/base/error.h"

/* The solver goes deepest: up to 600 actions, 2600 bytes each. Nothing else takes more than a few arrays, of which the
 * build warns of a function with more than 64 KB (-Wframe-larger-than). */
enum { STACK_NEEDED = 2 << 20 };

/* Whether all threads get that much. False with an error that names the setting. */
bool stack_check(Error *error);

#endif
