#!/bin/bash
# Plays a long run on Slurm: rounds of job arrays, a shard a task, and behind each array a merge that plans the next one.
#
#     slurm.sh RESULT.json SHARDS komi --config size7        (or match, book, openings; all behind SHARDS but --out and --shards)
#
# RESULT.json lies where all nodes see it. Adapt the lines below, or set what sbatch takes from the environment
# (SBATCH_PARTITION, SBATCH_TIMELIMIT, SBATCH_ACCOUNT, ...); STIGMERGY is the program, if it is not on the PATH.
# A task that is preempted or killed is requeued by Slurm and goes on; what a merge finds missing, unfinished or cut off
# at its end is played again, STIGMERGY_TRIES times a round (default 3). A record file that is damaged in the middle must
# be deleted first. To stop the run, cancel its jobs; the same command goes on.
# Logs: RESULT.shard-I.log and RESULT.merge.log.
#SBATCH --job-name=stigmergy
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
stigmergy=${STIGMERGY:-stigmergy}

# submit TRY RESULT SHARDS SUBCOMMAND...: a round and its merge
submit() {
    local stem=${2%.json} array
    # The jobs need what is exported here, also on sites that export nothing by default.
    array=$(sbatch --export=ALL --parsable --array="0-$(($3 - 1))" --output="$stem.shard-%a.log" \
        "$STIGMERGY_SLURM" shard "$@") &&
        sbatch --export=ALL --cpus-per-task=1 --dependency="afterany:${array%%;*}" --output="$stem.merge.log" \
            "$STIGMERGY_SLURM" merge "$@"
}

# merge TRY RESULT SHARDS SUBCOMMAND...: the round that was played; then the next one, or what is missing of this one
merge() {
    local try=$1 result=$2 shards=$3
    shift 3
    "$stigmergy" merge --exit-code "$result" "${result%.json}".shard-*-of-"$shards".json
    case $? in
    0) ;;
    3) submit 1 "$result" "$shards" "$@" ;;
    *)
        [ "$try" -lt "${STIGMERGY_TRIES:-3}" ] || { echo "slurm.sh: gave up after $try tries" >&2; exit 1; }
        submit $((try + 1)) "$result" "$shards" "$@"
        ;;
    esac
}

case "${1:-}" in
shard) # shard TRY RESULT SHARDS SUBCOMMAND...; which one it is, the program takes from SLURM_ARRAY_TASK_ID
    result=$3 shards=$4
    shift 4
    exec "$stigmergy" "$@" --out "$result" --shards "$shards" --threads "${SLURM_CPUS_PER_TASK:-1}"
    ;;
merge)
    shift
    merge "$@"
    ;;
*)
    if ! [[ ${2:-} =~ ^[1-9][0-9]*$ && ${3:-} =~ ^(komi|match|book|openings)$ ]]; then
        echo "usage: slurm.sh RESULT.json SHARDS komi|match|book|openings OPTION..." >&2
        exit 2
    fi
    STIGMERGY_SLURM=$(realpath "$0") # within a job $0 is a copy
    export STIGMERGY_SLURM
    submit 1 "$@"
    ;;
esac
