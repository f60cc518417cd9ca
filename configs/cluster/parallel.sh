#!/bin/bash
# Plays a long run with GNU parallel: rounds of shards on this machine, or on those that PARALLEL names, and merges.
#
#     parallel.sh RESULT.json SHARDS komi --config size7     (or match, book, openings; all behind SHARDS but --out and --shard)
#     PARALLEL='--sshloginfile machines --workdir . --jobs 100%' parallel.sh ...     over ssh; RESULT.json lies where all see it
#
# STIGMERGY is the program, if it is not on the PATH. A shard that fails is tried again; stopped by Ctrl-C or otherwise,
# the same command goes on.
set -u
if ! [[ ${2:-} =~ ^[1-9][0-9]*$ && ${3:-} =~ ^(komi|match|book|openings)$ ]]; then
    echo "usage: parallel.sh RESULT.json SHARDS komi|match|book|openings OPTION..." >&2
    exit 2
fi
stigmergy=${STIGMERGY:-stigmergy} result=$1 shards=$2
shift 2
trap 'exit 130' INT TERM

# commands SUBCOMMAND...: a line for each shard. In lines that it reads parallel replaces nothing, so an option may have {}.
commands() {
    local shard
    for ((shard = 0; shard < shards; shard++)); do
        printf '%q ' "$stigmergy" "$@" --threads 1 --out "$result" --shard "$shard/$shards"
        echo
    done
}

status=3
while [ $status -eq 3 ]; do
    commands "$@" | parallel --retries 3 >"${result%.json}.log" ||
        { echo "parallel.sh: a shard failed three times; see above" >&2; exit 1; }
    "$stigmergy" merge --exit-code "$result" "${result%.json}".shard-*-of-"$shards".json
    status=$?
done
exit $status
