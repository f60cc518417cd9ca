#!/bin/bash
# A fair-komi run with GNU parallel: shards are killed (SIGKILL) and stopped (SIGTERM) at any moment, a record file is
# cut; in the end records and document are those of one process.     parallel.sh STIGMERGY SOURCES [KILLS]
# Status 77 and a reason where GNU parallel is missing.
set -u
stigmergy=$(realpath "$1") sources=$(realpath "$2") kills=${3:-8}
folder=$(mktemp -d)
export STIGMERGY=$stigmergy
settings=(--size 3 --ladder 40,160 --games 120 --memory 8 --player '{}') # {} has a meaning for GNU parallel
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "parallel: $*" >&2
    tail -n 20 "$folder"/*.txt >&2
    exit 1
}
command -v parallel >/dev/null || {
    echo "parallel: skipped: GNU parallel is not installed"
    exit 77
}
shards() { pgrep -f "^$stigmergy komi .*--out $folder/run.json"; }
play() { "$sources/configs/cluster/parallel.sh" "$folder/run.json" "${1:-6}" komi "${settings[@]}"; } # play [SHARDS]

refused() { # refused SHARDS SUBCOMMAND...
    "$sources/configs/cluster/parallel.sh" "$folder/run.json" "$@" >"$folder/refused.txt" 2>&1
    [ $? -eq 2 ] && grep -q '^usage' "$folder/refused.txt" || fail "$* was not refused"
}
refused 2 selfplay --size 2
refused 08 komi --size 2

"$stigmergy" komi "${settings[@]}" --threads 2 --out "$folder/whole.json" >"$folder/whole.txt" 2>&1 || fail "a plain run failed"

# The run goes on for as long as there is somebody who kills its shards.
for ((killed = 0; killed < kills; )); do
    play >"$folder/run.txt" 2>&1 &
    run=$!
    while kill -0 $run 2>/dev/null && [ $killed -lt "$kills" ]; do
        sleep "0.0$((RANDOM % 10))"
        victim=$(shards | shuf -n 1)
        [ -n "$victim" ] && kill -"$([ $((RANDOM % 2)) -eq 0 ] && echo KILL || echo TERM)" "$victim" 2>/dev/null && killed=$((killed + 1))
    done
    wait $run
    status=$?
    [ $status -eq 0 ] || [ $status -eq 1 ] || fail "status $status, expected 0, or 1 where a shard was killed three times"
    if [ $status -eq 0 ]; then # all played: once more from the start
        "$sources/tests/support/same_run.sh" "$folder/whole" "$folder/run" || fail "the runs differ after $killed kills"
        [ $killed -lt "$kills" ] && rm "$folder"/run.*
    fi
done
play >"$folder/run.txt" 2>&1 || fail "the run did not go on"
"$sources/tests/support/same_run.sh" "$folder/whole" "$folder/run" || fail "the runs differ after $killed kills"

# Damaged records are found by the merge, and played again by the next run of the same command.
rm "$folder"/run.*
for i in 0 1 2 3 4 5; do
    "$stigmergy" komi "${settings[@]}" --out "$folder/run.json" --shard "$i/6" >/dev/null 2>&1 || fail "shard $i failed"
done
truncate --size=-200 "$folder/run.shard-4-of-6.records.jsonl"
"$stigmergy" merge "$folder/run.json" "$folder"/run.shard-*-of-6.json >"$folder/merge.txt" 2>&1
[ $? -eq 2 ] && grep -q 'shard-4-of-6.records.jsonl: is damaged' "$folder/merge.txt" || fail "the damage was not found"
play >"$folder/run.txt" 2>&1 || fail "the damaged shard was not played again"
"$sources/tests/support/same_run.sh" "$folder/whole" "$folder/run" || fail "the runs differ after damage"

# A finished run is shared again, also by another number of shards; and one that the solver decides gets its result.
for shards in 6 5; do
    play $shards >"$folder/run.txt" 2>&1 || fail "a finished run in $shards shards did not end with status 0"
    "$sources/tests/support/same_run.sh" "$folder/whole" "$folder/run" || fail "a finished run differs after $shards shards"
done
"$sources/configs/cluster/parallel.sh" "$folder/book.json" 2 book --size 2 --sims 1 >"$folder/run.txt" 2>&1 &&
    [ -s "$folder/book.json" ] || fail "a book without games has no result"
echo "parallel: $kills shards killed or stopped, one damaged: the same games"
