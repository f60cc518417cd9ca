/* Processor time in seconds: what the work of this thread, or of the whole process, has taken of processors. Other
 * programs do not count in it, so that --dry-run says the same beside them. */
#ifndef STIGMERGY_TOOLS_CLI_PROCESSOR_TIME_H
#define STIGMERGY_TOOLS_CLI_PROCESSOR_TIME_H

#include <time.h>

static inline double processor_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline double processor_seconds_of_thread(void) {
    return processor_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static inline double processor_seconds_of_process(void) {
    return processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
