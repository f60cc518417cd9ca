#!/bin/bash
# Kills and stops matches at any moment and expects the same games in the end. match_kill.sh STIGMERGY [KILLS]
set -u
. "$(dirname "$0")/../../../support/stop_run.sh"
stigmergy=$1 kills=${2:-8}
folder=$(mktemp -d)
options=(--player '{"name": "a", "simulations": 60}' --player '{"name": "b", "simulations": 30}'
    --player "gtp:'$stigmergy' gtp --size 3 --sims 10 --memory 8"
    --size 3 --komi auto --games 60 --memory 8 --threads 4)
plain=("${options[@]:0:4}" "${options[@]:6}") # without the engine, whose games are not the same again
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "match_kill: $*" >&2
    exit 1
}
match() { # match NAME OPTION...
    local name=$1
    shift
    # In the background $! is then the program itself, not a shell around it.
    [ "$BASHPID" -eq $$ ] || exec "$stigmergy" match --out "$folder/$name.json" "$@"
    "$stigmergy" match --out "$folder/$name.json" "$@"
}
same() { # same NAME: the run NAME ended with the games of the run that nobody disturbed
    "$(dirname "$0")/../../../support/same_run.sh" "$folder/whole" "$folder/$1" || fail "the run '$1' is another one"
}

begin=$(date +%s%N)
match whole "${plain[@]}" >"$folder/answer" 2>/dev/null || fail "a plain run failed"
span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds
grep -q '^Elo of a over b' "$folder/answer" || fail "no answer was printed"

# kill -9, the third time with a torn line besides. Some kills must come between two games.
amid=0 games=0
for i in $(seq "$kills"); do
    match killed "${plain[@]}" >/dev/null 2>&1 &
    pause=$((RANDOM * RANDOM % (span / 3 + 50)))
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    before=$games games=$(cat "$folder/killed.records.jsonl" 2>/dev/null | wc -l)
    [ "$games" -gt "$before" ] && [ "$games" -lt 60 ] && amid=$((amid + 1))
    [ "$i" -eq 3 ] && printf '{"id":"1v2-1","torn' >>"$folder/killed.records.jsonl"
done
[ $amid -gt 0 ] || fail "no kill came between two games: $games of 60 after $kills"
match killed "${plain[@]}" >/dev/null 2>"$folder/errors" || fail "a killed run did not go on: $(cat "$folder/errors")"
same killed

# Ctrl-C and SIGTERM end cleanly, with status 130 and the command to go on with, quoted; engines end too.
program=$stigmergy
mkdir "$folder/a folder"
stigmergy="$folder/a folder/stigmergy"
ln -s "$(realpath "$program")" "$stigmergy"
for signal in INT TERM INT; do
    # A shell's background job ignores SIGINT unless it has job control.
    set -m
    match stopped "${options[@]}" >/dev/null 2>"$folder/errors" &
    set +m
    stop_run "$signal" $! 0.3
    wait $!
    status=$?
    [ $status -eq 130 ] || [ $status -eq 0 ] || fail "status $status after SIG$signal, expected 130"
    [ $status -eq 0 ] || grep -qF "go on with: '$stigmergy' match" "$folder/errors" || fail "no command to go on with"
done
stigmergy=$program
match stopped "${options[@]}" >"$folder/answer" 2>&1 || fail "a stopped run did not go on"
[ "$(wc -l <"$folder/stopped.records.jsonl")" -eq 180 ] || fail "a stopped run did not play 180 games"
[ "$(cut -d'"' -f4 "$folder/stopped.records.jsonl" | sort -u | wc -l)" -eq 180 ] || fail "games were played twice"
grep -q '^Ratings' "$folder/answer" || fail "no ratings were printed"

# A second session of a run is refused before it reads anything that the first could still change: the first waits for
# it while its engine starts.
cat >"$folder/engine.sh" <<SHELL
[ -e '$folder/second' ] || { sh '$folder/twice.sh'; echo "status \$?"; } >'$folder/second' 2>&1
exec '$stigmergy' gtp --size 3 --sims 5 --memory 8
SHELL
cat >"$folder/twice.sh" <<SHELL
exec '$stigmergy' match --player level-1 --player "gtp:sh '$folder/engine.sh'" --size 3 --openings empty --games 10 \\
    --sims 5 --memory 8 --threads 1 --out '$folder/twice.json'
SHELL
sh "$folder/twice.sh" >"$folder/answer" 2>&1 || fail "a match beside a second session: $(cat "$folder/answer")"
grep -q 'twice.records.jsonl: another process is writing to it' "$folder/second" &&
    grep -qx 'status 1' "$folder/second" || # it may succeed later
    fail "a second session was not refused: $(cat "$folder/second")"
python3 -c 'import json, sys; sys.exit(any(row["moves"] == 0 for row in json.load(open(sys.argv[1]))["timing"]))' \
    "$folder/twice.json" || fail "the document lost its timing to a second session"

# Engines end with a match that is killed, also the children in sessions of their own of one that hangs.
engines_left() { # processes that have inherited the mark
    grep -lzs "^STIGMERGY_TEST_MARK=$folder" /proc/[0-9]*/environ | wc -l
}
fake=$(realpath "$(dirname "$0")/../../../support/fake_engine.sh")
STIGMERGY_TEST_MARK=$folder "$stigmergy" match --player "gtp:exec '$fake' brood" --player "gtp:exec '$fake' resign" \
    --size 3 --openings empty --threads 1 --out "$folder/engines.json" >/dev/null 2>&1 &
tries=200
until [ "$(engines_left)" -ge 8 ] || [ $((tries -= 1)) -eq 0 ]; do sleep 0.05; done
kill -9 $!
wait $! 2>/dev/null
[ $tries -gt 0 ] || fail "the engines did not start"
tries=200
until [ "$(engines_left)" -eq 0 ]; do
    [ $((tries -= 1)) -gt 0 ] || fail "$(engines_left) processes are left of the engines of a killed match"
    sleep 0.05
done

# Another match is not mixed in.
match whole "${plain[@]}" --seed 2 >/dev/null 2>"$folder/errors"
[ $? -eq 2 ] && grep -q "'seed'" "$folder/errors" || fail "another seed was not refused"
echo "match_kill: $kills kills, 3 stops: the same games"
