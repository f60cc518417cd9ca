#!/bin/bash
# For tests, a GTP engine that goes wrong, mostly at genmove: fake_engine.sh HOW
leave_children() { # in a session of their own, deaf to signals, their parent gone, output still open in one of them
    (setsid sh -c 'trap "" TERM HUP INT; sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &)
    (setsid sleep 1000 &)
    sleep 1000 &
}
[ "$1" = slow ] && sleep 0.3
while read -r command rest; do
    [ "$1" = hears ] && echo "$command $rest" >>"$2"
    case $command in
    known_command) # `hears` knows them all, as a program in Python says it, and writes what it hears to the file $2
        if [ "$1" = hears ]; then printf '= True\n\n'; else printf '= false\n\n'; fi ;;
    genmove)
        case $1 in
        crash) kill -SEGV $$ ;;
        exit) exit 3 ;;
        hang) sleep 1000 ;;
        nonsense) printf 'hello\n\n' ;;
        illegal) printf '= z9\n\n' ;;
        bytes) printf '= \xff\xfe"\\\x01\n\n' ;;
        refuse) printf '? no\n\n' ;;
        close) exec >&-; sleep 1000 ;;
        huge) head -c 1000000 /dev/zero | tr '\0' x ;;
        flood) printf '= '; head -c 1000000 /dev/zero | tr '\0' x ;;
        long) printf '= %s\n\n' "$(head -c 30000 /dev/zero | tr '\0' y)" ;;
        blank) yes '' ;;
        stop) kill -STOP $$ ;;
        children) leave_children; exit 1 ;;
        brood) leave_children; sleep 1000 ;;
        partial) printf '= c3\n'; sleep 1000 ;;
        resign | slow | leave | stay) printf '=1 RESIGN \r\n\r\n' ;;
        once) # breaks down in every second game, in the others it answers $3; the file $2 tells which
            if [ -e "$2" ]; then rm "$2"; printf '= %s\n\n' "$3"; else touch "$2"; exit 1; fi ;;
        esac ;;
    play)
        case $1 in
        deaf) printf '? illegal move\n\n' ;;
        twice) awk 'BEGIN { printf "=\n\n=\n\n" }' ;; # in one piece
        *) printf '=\n\n' ;;
        esac ;;
    quit)
        [ "$1" = stay ] && trap '' TERM && sleep 1000
        [ "$1" = leave ] && leave_children
        printf '=\n\n'
        exit 0 ;;
    *) printf '\n\n= \n\n' ;;
    esac
done
