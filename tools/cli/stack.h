/* How much stack the program needs, and that it gets it.
 *
 * A thread that overflows its stack dies by a signal, without a word. So the program asks for its need before anything
 * runs. Without settings, threads get as much as the main thread (ulimit -s); OMP_STACKSIZE and the like give those of
 * OpenMP another size, which was settled before main and is only checked. */
#ifndef STIGMERGY_TOOLS_CLI_STACK_H
#define STIGMERGY_TOOLS_CLI_STACK_H

#include "engine/base/error.h"
#include "engine/solver/solver.h"

/* The solver goes deepest. Nothing else takes more than a few arrays, of which the build warns of a function with more
 * than 64 KB (-Wframe-larger-than). */
enum { STACK_NEEDED = SOLVER_STACK + (512 << 10) };

/* Raises a limit that is too low, as far as the system allows. False with an error that names the setting if some
 * thread still gets less than it needs. */
bool stack_ensure(Error *error);

#endif
