/* A flag by which one thread asks others to end soon, or to hold on for a while.
 *
 * Those who are asked look at it often. Work that only has to end calls stop_flag_is_set. Work that may be held for any
 * time calls stop_flag_obey, at a place where it has no lock; the search and the solver do. The flag is a plain struct:
 * it can be a static variable, a signal handler can set it, and C++ knows it too. */
#ifndef STIGMERGY_ENGINE_BASE_STOP_FLAG_H
#define STIGMERGY_ENGINE_BASE_STOP_FLAG_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: go on. `state` is for the functions below. The others are set before any thread knows the flag. */
typedef struct StopFlag {
    int state;
    const struct StopFlag *parent; /* this flag asks for what its parent asks for, too; may be NULL */
    /* Waits until the flag no longer says hold. Whoever said hold must take it back when the parent asks to end. May be
     * NULL if the flag never says hold. */
    void (*wait)(const struct StopFlag *flag);
} StopFlag;

/* Asks to end. */
void stop_flag_set(StopFlag *flag);

/* Asks for nothing any more. */
void stop_flag_clear(StopFlag *flag);

/* Asks to hold on, or to go on again. A flag that is set stays set. */
void stop_flag_hold(StopFlag *flag, bool hold);

/* Whether it asks to hold on, its parent left out. */
bool stop_flag_holds(const StopFlag *flag);

/* Whether it asks to end; false for NULL. */
bool stop_flag_is_set(const StopFlag *flag);

/* Whether it asks to end; false for NULL. Waits as long as it asks to hold on. */
bool stop_flag_obey(const StopFlag *flag);

#ifdef __cplusplus
}
#endif

#endif
