#!/bin/bash
# For tests, a GTP engine that goes wrong at genmove: fake_engine.sh HOW
while read -r command rest; do
    case $command in
    known_command) printf '= false\n\n' ;;
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
        partial) printf '= c3\n'; sleep 1000 ;;
        resign) printf '=1 RESIGN \r\n\r\n' ;;
        once) # breaks down in every second game; the file $2 tells which
            if [ -e "$2" ]; then rm "$2"; printf '= resign\n\n'; else touch "$2"; exit 1; fi ;;
        esac ;;
    play) if [ "$1" = deaf ]; then printf '? illegal move\n\n'; else printf '=\n\n'; fi ;;
    quit)
        [ "$1" = stay ] && trap '' TERM && sleep 1000
        printf '=\n\n'
        exit 0 ;;
    *) printf '\n\n= \n\n' ;;
    esac
done
