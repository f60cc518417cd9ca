# For tests that stop a running program (sourced): stop_run SIGNAL PID [SECONDS] waits until the program can be stopped
# cleanly, SECONDS more (0.1 unless told), and sends the signal.

# Whether a process is the program, no longer the shell that starts it, and catches SIGTERM (bit 14).
catches_term() {
    ! [ "/proc/$1/exe" -ef "/proc/$$/exe" ] && grep -qsE '^SigCgt:.*[4-7c-f][0-9a-f]{3}$' "/proc/$1/status"
}

stop_run() {
    until catches_term "$2" || ! kill -0 "$2" 2>/dev/null; do sleep 0.01; done
    sleep "${3:-0.1}"
    kill -"$1" "$2" 2>/dev/null
}
