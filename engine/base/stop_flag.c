/* See stop_flag.h. The operations are the compiler's own, because C++ knows no _Atomic member. */
#include "engine/base/stop_flag.h"

enum { GO, HOLD, STOP };

static int state_of(const StopFlag *flag) {
    return __atomic_load_n(&flag->state, __ATOMIC_ACQUIRE);
}

void stop_flag_set(StopFlag *flag) {
    __atomic_store_n(&flag->state, STOP, __ATOMIC_RELEASE);
}

void stop_flag_clear(StopFlag *flag) {
    __atomic_store_n(&flag->state, GO, __ATOMIC_RELEASE);
}

void stop_flag_hold(StopFlag *flag, bool hold) {
    int before = hold ? GO : HOLD;
    __atomic_compare_exchange_n(&flag->state, &before, hold ? HOLD : GO, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

bool stop_flag_holds(const StopFlag *flag) {
    return state_of(flag) == HOLD;
}

bool stop_flag_is_set(const StopFlag *flag) {
    for (; flag; flag = flag->parent)
        if (state_of(flag) == STOP)
            return true;
    return false;
}

bool stop_flag_obey(const StopFlag *flag) {
    for (; flag; flag = flag->parent) {
        if (stop_flag_holds(flag))
            flag->wait(flag);
        if (state_of(flag) == STOP)
            return true;
    }
    return false;
}
