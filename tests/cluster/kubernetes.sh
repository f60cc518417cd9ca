#!/bin/bash
# The rounds of configs/cluster/kubernetes.sh on a cluster that is only played: a kubectl that says what the test tells
# it, and a sleep that does not wait.     kubernetes.sh STIGMERGY SOURCES
set -u
sources=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "kubernetes: $*" >&2
    exit 1
}

# Its answers to `get` are the lines of the file states, in turn: the conditions of a job, or "gone". Behind each merge
# that is asked for its log, a line of the file logs.
mkdir "$folder/bin"
cat >"$folder/bin/kubectl" <<SHELL
#!/bin/bash
echo "\$*" >>'$folder/calls'
take() { head -n 1 "\$1"; sed -i 1d "\$1"; }
case \$1 in
get) state=\$(take '$folder/states'); [ "\$state" != gone ] && echo "\$state" ;;
logs) [ "\$(tail -n 2 '$folder/calls' | sort -u | wc -l)" -eq 1 ] && take '$folder/logs' || head -n 1 '$folder/logs' ;;
esac
SHELL
printf '#!/bin/sh\n' >"$folder/bin/sleep"
chmod +x "$folder/bin/kubectl" "$folder/bin/sleep"

# play STATUS STATE...: the script ends with the status; nothing is left of what it was to be told
play() {
    local expected=$1 status=0
    shift
    : >"$folder/calls"
    printf '%s\n' "$@" >"$folder/states"
    PATH=$folder/bin:$PATH timeout 60 "$sources/configs/cluster/kubernetes.sh" >"$folder/said" 2>&1 || status=$?
    [ $status -eq "$expected" ] || fail "status $status, expected $expected: $(cat "$folder/said")"
    [ ! -s "$folder/states" ] || fail "it did not ask for: $(cat "$folder/states")"
}
applied() { grep -c "^apply --filename kubernetes$1.yaml" "$folder/calls"; }
gone() { yes gone | head -n "$1"; }

# Two rounds: a job that runs on has no condition, and one question may fail.
printf '%s\n' 'Another round of 8 games is due' 'The run is finished.' >"$folder/logs"
play 0 "" gone "" "Complete " "Complete " "SuccessCriteriaMet Complete " "" "Complete "
[ "$(applied '')" -eq 2 ] && [ "$(applied -merge)" -eq 2 ] || fail "not two rounds: $(cat "$folder/calls")"
[ "$(grep -c '^delete job .*--cascade=foreground' "$folder/calls")" -eq 2 ] || fail "pods of the round before may play"

play 1 "" "FailureTarget Failed "
grep -q 'the round failed' "$folder/said" && [ "$(applied -merge)" -eq 0 ] || fail "a failed round: $(cat "$folder/said")"
printf 'a shard is missing\n' >"$folder/logs"
play 1 "Complete " "Failed "
grep -q 'a shard is missing' "$folder/said" || fail "a failed merge: $(cat "$folder/said")"
mapfile -t states < <(gone 30)
play 1 "" "${states[@]}" # somebody has deleted the job
echo "kubernetes: two rounds, a round and a merge that failed, a job that is gone"
