#!/bin/bash
# Stops runs while they are opened or a round is planned, which may take minutes: a book asks the solver, a komi run
# guesses first moves. They end at once, with status 130, and go on.
#   plan_stop.sh STIGMERGY
set -u
stigmergy=$1
book=(book --size 5 --sims 1 --parity even --player '{"network":"none","memory_mb":1}')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "plan_stop: $*" >&2
    cat "$folder/errors" >&2
    exit 1
}
catches_term() { ((16#$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null || echo 0) & 1 << 14)); }
# stop WAIT OPTION...: the command, stopped so many seconds after it can be, ends within five, on a busy machine, too
stop() {
    local wait=$1 pid status
    shift
    "$stigmergy" "$@" >/dev/null 2>"$folder/errors" &
    pid=$!
    until catches_term $pid || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
    sleep "$wait"
    kill -TERM $pid
    timeout 5 tail --pid=$pid -f /dev/null || { kill -KILL $pid; fail "it was not stopped: $*"; }
    wait $pid
    status=$?
    [ $status -eq 130 ] && grep -q 'stopped; go on with: ' "$folder/errors" || fail "status $status, expected 130: $*"
}

# The first plan, and that of a shard, ask about the empty board.
endless=("${book[@]}" --games 10 --solver-nodes 1000000000)
stop 1 "${endless[@]}" --out "$folder/first.json"
stop 1 "${endless[@]}" --out "$folder/first.json" --shard 0/2
timeout --kill-after=5 20 "$stigmergy" "${endless[@]}" --out "$folder/timed.json" --time 1 >"$folder/out" 2>"$folder/errors" ||
    fail "--time did not end a plan (status $?)"
grep -q '0 games' "$folder/out" || fail "--time did not answer: $(cat "$folder/out")"

# A run that is opened again asks about all positions again; stopped then, it keeps its games.
slow=("${book[@]}" --games 3 --solver-nodes 3000000)
"$stigmergy" "${slow[@]}" --out "$folder/again.json" >/dev/null 2>"$folder/errors" || fail "a book was not played"
cp "$folder/again.records.jsonl" "$folder/whole.records.jsonl"
stop 0.3 "${slow[@]}" --out "$folder/again.json"
cmp -s "$folder/again.records.jsonl" "$folder/whole.records.jsonl" || fail "a stopped book lost games"
stop 1 komi --size 10 --first-moves each --sims 200 --games 20 --threads 1 --out "$folder/komi.json"
echo "plan_stop: four stops and a limit of time while rounds were planned"
