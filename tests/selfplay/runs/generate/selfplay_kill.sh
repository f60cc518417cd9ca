#!/bin/bash
# Kills and stops self-play runs at any moment, fills the disk, and expects the same set in the end.
# selfplay_kill.sh STIGMERGY [KILLS]
set -u
. "$(dirname "$0")/../../../support/stop_run.sh"
stigmergy=$1 kills=${2:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "selfplay_kill: $*" >&2
    exit 1
}
cat >"$folder/config.json" <<'JSON'
{"sizes": [{"size": 3, "weight": 1}, {"size": 2, "weight": 2}], "simulations": 40, "games": 300, "rows": 2000,
 "cheap": {"share": 0.6, "simulations": 10}, "openings": {"simulations": 10}, "player": {"memory_mb": 8}}
JSON
selfplay() { # selfplay NAME OPTION...
    local name=$1
    shift
    # In the background $! is then the program itself, not a shell around it.
    [ "$BASHPID" -eq $$ ] || exec "$stigmergy" selfplay --config "$folder/config.json" --out "$folder/$name" "$@"
    "$stigmergy" selfplay --config "$folder/config.json" --out "$folder/$name" "$@"
}
limited() { # limited KILOBYTES NAME OPTION...: as on a full disk, of which a limit of the size of files makes one
    (trap '' XFSZ && ulimit -f "$1" && shift && selfplay "$@")
}
same() { # same NAME: the run ended with the set of the run that nobody disturbed
    local kind
    for kind in records shards README.md; do
        diff -r "$folder/whole/$kind" "$folder/$1/$kind" >/dev/null || fail "$kind of run '$1' differ"
    done
    [ ! -e "$folder/$1/games.jsonl" ] || fail "games of run '$1' were left unpacked"
    "$stigmergy" selfplay --check "$folder/$1" >/dev/null 2>"$folder/errors" ||
        fail "the set of run '$1' is not sound: $(cat "$folder/errors")"
}

begin=$(date +%s%N)
selfplay whole --threads 2 >"$folder/answer" 2>/dev/null || fail "a plain run failed"
span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds
grep -q '^300 games' "$folder/answer" || fail "no answer was printed"
"$stigmergy" selfplay --check "$folder/whole" >/dev/null || fail "the set of a plain run is not sound"

# kill -9 at any moment, also while games are packed and arrays are written; the third time with a torn line besides.
# Eight kills to a run, then it must go on to the same set, and end at once when it is asked again.
go_on() {
    selfplay killed >/dev/null 2>"$folder/errors" || fail "a killed run did not go on: $(cat "$folder/errors")"
    same killed
    selfplay killed 2>/dev/null | grep -q 'is complete: 300 games' || fail "a finished run did not end at once"
    same killed
    rm -rf "$folder/killed"
}
for i in $(seq "$kills"); do
    selfplay killed --threads $((i % 2 + 1)) >/dev/null 2>&1 &
    pause=$((RANDOM * RANDOM % (span / 4 + 50)))
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ "$i" -eq 3 ] && [ -d "$folder/killed" ] && printf '{"id":"game-1","torn' >>"$folder/killed/games.jsonl"
    { [ $((i % 8)) -eq 0 ] || [ "$i" -eq "$kills" ]; } && go_on
done

# Ctrl-C and SIGTERM end cleanly, with status 130 and the command to go on with.
for signal in INT TERM; do
    set -m # a shell's background job ignores SIGINT unless it has job control
    selfplay stopped --threads 4 >/dev/null 2>"$folder/errors" &
    set +m
    stop_run "$signal" $!
    wait $!
    status=$?
    [ $status -eq 130 ] || [ $status -eq 0 ] || fail "status $status after SIG$signal, expected 130"
    [ $status -eq 0 ] || grep -q 'go on with: .* selfplay --config' "$folder/errors" || fail "no command to go on with after SIG$signal, status $status: $(cat "$folder/errors")"
done
selfplay stopped >/dev/null 2>&1 || fail "a stopped run did not go on"
same stopped

# Ctrl-C is no success either where nothing is kept; the rate so far is printed.
set -m
"$stigmergy" selfplay --config "$folder/config.json" --discard --games 1000000 --threads 4 >"$folder/answer" 2>"$folder/errors" &
set +m
stop_run INT $!
wait $!
status=$?
[ $status -eq 130 ] || fail "status $status after SIGINT with --discard, expected 130: $(cat "$folder/errors")"
grep -q '^[0-9]* games, [0-9.]* a second$' "$folder/answer" || fail "no rate after SIGINT with --discard"

# A full disk: named, status 1, and all is well after it.
for blocks in 10 30 60; do
    limited $blocks full >/dev/null 2>"$folder/errors"
    status=$?
    [ $status -eq 1 ] && tail -n 1 "$folder/errors" | grep -q 'cannot write: File too large' ||
        fail "status $status with files of at most $blocks blocks: $(tail -n 1 "$folder/errors")"
done
selfplay full >/dev/null 2>"$folder/errors" || fail "no going on after a full disk: $(cat "$folder/errors")"
same full

# Three machines, one of them out of disk, put together; a missing game is named. (A kill here could come too late.)
selfplay shared --shard 0/3 >/dev/null 2>&1
limited 10 shared --shard 1/3 >/dev/null 2>&1
selfplay shared --shard 2/3 >/dev/null 2>&1
parts=(--from "$folder/shared.shard-0-of-3" --from "$folder/shared.shard-1-of-3" --from "$folder/shared.shard-2-of-3")
"$stigmergy" selfplay "${parts[@]}" --rows 2000 --out "$folder/shared" >/dev/null 2>"$folder/errors"
[ $? -eq 2 ] && grep -q 'of 300 games are missing' "$folder/errors" || fail "missing games: $(cat "$folder/errors")"
selfplay shared --shard 1/3 >/dev/null 2>&1 || fail "a broken part did not go on"
"$stigmergy" selfplay "${parts[@]}" --rows 2000 --out "$folder/shared" >/dev/null 2>"$folder/errors" ||
    fail "the parts were not put together: $(cat "$folder/errors")"
same shared

# Another run is not mixed in.
selfplay whole --seed 2 >/dev/null 2>"$folder/errors"
[ $? -eq 2 ] && grep -q "'seed'" "$folder/errors" || fail "another seed was not refused"
echo "selfplay_kill: $kills kills, 3 stops, a full disk, 3 machines: the same set"
