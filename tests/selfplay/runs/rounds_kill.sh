#!/bin/bash
# Kills runs of komi or openings at any moment, fills their disk, and expects the same games in the end.
#   rounds_kill.sh STIGMERGY komi|openings [KILLS]
set -u
. "$(dirname "$0")/../../support/stop_run.sh"
stigmergy=$1 kind=$2 kills=${3:-5}
case $kind in
komi) options=(--size 3 --ladder 10,40 --games 150) answer='play with komi' ;;
openings) options=(--game bug --size 3 --sims 20 --games 120) answer='The fairest first move' ;;
esac
folder=$(mktemp -d)
trap 'mountpoint -q "$folder/small" && umount "$folder/small"; rm -rf "$folder"' EXIT

fail() {
    echo "rounds_kill $kind: $*" >&2
    exit 1
}
run() { # run NAME [OPTION...]
    local name=$1
    shift
    set -- "$stigmergy" "$kind" "${options[@]}" --memory 8 --threads 4 --out "$folder/$name.json" "$@"
    [ "$BASHPID" -eq $$ ] || exec "$@" # in the background $! is then the program itself, not a shell around it
    "$@"
}
same() { # same NAME: the run NAME ended with the games of the run that nobody disturbed
    "$(dirname "$0")/../../support/same_run.sh" "$folder/whole" "$folder/$1" || fail "the run '$1' is another one"
}

begin=$(date +%s%N)
run whole >"$folder/answer" 2>/dev/null || fail "a plain run failed"
span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds
grep -q "$answer" "$folder/answer" || fail "no answer was printed"

# kill -9, the fourth time with a torn line besides.
for i in $(seq "$kills"); do
    run killed >/dev/null 2>&1 &
    pause=$((RANDOM * RANDOM % (span / 4 + 50)))
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ "$i" -eq 4 ] && printf '{"id":"10-1","torn' >>"$folder/killed.records.jsonl"
done
run killed >/dev/null 2>"$folder/errors" || fail "a killed run did not go on: $(cat "$folder/errors")"
same killed

# Ctrl-C and SIGTERM end cleanly, with status 130 and the command to go on with.
for signal in INT TERM; do
    rm -f "$folder/errors"
    set -m # a shell's background job ignores SIGINT unless it has job control
    run stopped >/dev/null 2>"$folder/errors" &
    set +m
    stop_run "$signal" $!
    wait $!
    status=$?
    [ $status -eq 130 ] || [ $status -eq 0 ] || fail "status $status after SIG$signal, expected 130"
    [ $status -eq 0 ] || grep -q "go on with: .*stigmergy $kind" "$folder/errors" || fail "no command to go on with"
done
run stopped >/dev/null 2>&1 || fail "a stopped run did not go on"
same stopped

# A full disk: one line that names the file, and what was finished stays good.
disk=
mkdir "$folder/small"
if mount -t tmpfs -o size=64k tmpfs "$folder/small" 2>/dev/null; then
    run small/run >/dev/null 2>"$folder/errors"
    [ $? -eq 1 ] || fail "a full disk did not end the run with status 1"
    tail -n 1 "$folder/errors" | grep -q 'small/run.*No space left' || fail "a full disk was not named: $(tail -n 1 "$folder/errors")"
    mount -o remount,size=16m "$folder/small" || fail "remount"
    run small/run >/dev/null 2>&1 || fail "the run did not go on after the disk was full"
    cp "$folder"/small/run.* "$folder"
    same run
    disk=", a full disk"
else
    echo "rounds_kill: skipped: a full disk, for there is no right to mount a small one"
fi
echo "rounds_kill $kind: $kills kills, 2 stops$disk: the same games"
