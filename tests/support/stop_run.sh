# For tests that stop a running program (sourced): stop_run SIGNAL PID [SECONDS] waits until the program can be stopped
# cleanly, SECONDS more (0.1 unless told), and sends the signal. The program must have been started with --threads 4.

# Whether it plays or searches, which it can be stopped in. Before that it has two threads, or one more of a sanitizer.
has_four_threads() {
    grep -qsE '^Threads:[[:space:]]*([4-9]|[1-9][0-9])' "/proc/$1/status"
}

stop_run() {
    until has_four_threads "$2" || ! kill -0 "$2" 2>/dev/null; do sleep 0.01; done
    sleep "${3:-0.1}"
    kill -"$1" "$2" 2>/dev/null
}
