#!/bin/bash
# Kills fair-komi runs at any moment, fills their disk, and expects the same games in the end.
#   komi_kill.sh STIGMERGY [KILLS]
set -u
. "$(dirname "$0")/../../support/stop_run.sh"
stigmergy=$1 kills=${2:-12}
folder=$(mktemp -d)
options=(--size 3 --ladder 10,40 --games 150 --memory 8 --threads 2)
trap 'mountpoint -q "$folder/small" && umount "$folder/small"; rm -rf "$folder"' EXIT

fail() {
    echo "komi_kill: $*" >&2
    exit 1
}
komi() { # komi NAME [OPTION...]
    local name=$1
    shift
    # In the background $! is then the program itself, not a shell around it.
    [ "$BASHPID" -eq $$ ] || exec "$stigmergy" komi "${options[@]}" --out "$folder/$name.json" "$@"
    "$stigmergy" komi "${options[@]}" --out "$folder/$name.json" "$@"
}
same() { # same NAME: the run NAME ended with the games of the run that nobody disturbed
    cmp "$folder/whole.records.jsonl" "$folder/$1.records.jsonl" || fail "the games of run '$1' differ"
    python3 - "$folder/whole.json" "$folder/$1.json" <<'PYTHON' || fail "the documents of run '$1' differ"
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
for document in (a, b):
    for key in ("started", "seconds", "machine"):
        del document[key]
sys.exit(a != b)
PYTHON
}

komi whole >"$folder/answer" 2>/dev/null || fail "a plain run failed"
grep -q 'play with komi' "$folder/answer" || fail "no answer was printed"

# kill -9, the fourth time with a torn line besides.
for i in $(seq "$kills"); do
    komi killed >/dev/null 2>&1 &
    sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ "$i" -eq 4 ] && printf '{"id":"10-1","torn' >>"$folder/killed.records.jsonl"
done
komi killed >/dev/null 2>"$folder/errors" || fail "a killed run did not go on: $(cat "$folder/errors")"
same killed

# Ctrl-C and SIGTERM end cleanly, with status 130 and the command to go on with.
for signal in INT TERM INT TERM; do
    rm -f "$folder/errors"
    # A shell's background job ignores SIGINT unless it has job control.
    set -m
    komi stopped >/dev/null 2>"$folder/errors" &
    set +m
    stop_run "$signal" $!
    wait $!
    status=$?
    [ $status -eq 130 ] || [ $status -eq 0 ] || fail "status $status after SIG$signal, expected 130"
    [ $status -eq 0 ] || grep -q 'go on with: .*stigmergy komi' "$folder/errors" || fail "no command to go on with"
done
komi stopped >/dev/null 2>&1 || fail "a stopped run did not go on"
same stopped

# A full disk: one line that names the file, and what was finished stays good.
mkdir "$folder/small"
if mount -t tmpfs -o size=64k tmpfs "$folder/small" 2>/dev/null; then
    komi small/run >/dev/null 2>"$folder/errors"
    [ $? -eq 1 ] || fail "a full disk did not end the run with status 1"
    tail -n 1 "$folder/errors" | grep -q 'small/run.*No space left' || fail "a full disk was not named: $(tail -n 1 "$folder/errors")"
    mount -o remount,size=16m "$folder/small" || fail "remount"
    komi small/run >/dev/null 2>&1 || fail "the run did not go on after the disk was full"
    cp "$folder"/small/run.* "$folder"
    same run
else
    echo "komi_kill: no right to mount a small disk, that part is skipped"
fi
echo "komi_kill: $kills kills, 4 stops, a full disk: the same games"
