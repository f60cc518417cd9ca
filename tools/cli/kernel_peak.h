/* How much the processor could multiply at most: loops of the instructions of a network's kernel, on registers alone.
 */
#ifndef STIGMERGY_TOOLS_CLI_KERNEL_PEAK_H
#define STIGMERGY_TOOLS_CLI_KERNEL_PEAK_H

/* Runs such a loop for a fraction of a millisecond. Returns how many multiplications of bytes with additions it made. 0
 * if there is no loop for this kernel ("avx512"; engine/eval/network/kernel.h). */
double kernel_peak_multiply(const char *kernel);

#endif
