#!/bin/bash
# A fair-komi run on a real Slurm, of one node with 6 processors that is started here and stopped again: one task is
# preempted (SIGTERM), one killed (SIGKILL), one record file is cut; in the end records and document are those of one
# process.     slurm.sh STIGMERGY SOURCES; status 77 and a reason where Slurm cannot run.
set -u
stigmergy=$(realpath "$1") sources=$(realpath "$2")
folder=$(mktemp -d)
chmod 755 "$folder"
export SLURM_CONF=$folder/slurm.conf STIGMERGY=$stigmergy SBATCH_EXPORT=NONE # as on many sites

stop_slurm() {
    local name pid
    [ -e "$folder/slurmctld.pid" ] && scancel --user=root 2>/dev/null
    for name in slurmd slurmctld munged; do
        pid=$(cat "$folder/$name.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null
        for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    done
}
trap 'stop_slurm; rm -rf "$folder"' EXIT

skip() {
    echo "slurm: skipped: $*"
    exit 77
}
fail() {
    echo "slurm: $*" >&2
    tail -n 20 "$folder"/run.*.log "$folder"/slurmctld.log >&2
    exit 1
}
wait_for() { # wait_for SECONDS COMMAND...
    local tries=$((20 * $1))
    shift
    while ! "$@" >/dev/null 2>&1; do
        [ $((tries -= 1)) -gt 0 ] || return 1
        sleep 0.05
    done
}

start_slurm() {
    local name host port=$((20000 + RANDOM % 20000))
    for name in munged slurmctld slurmd sbatch; do
        command -v $name >/dev/null || skip "$name is not installed"
    done
    [ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
    host=$(hostname -s) || skip "this machine has no name"
    head -c 128 /dev/urandom >"$folder/munge.key"
    chmod 600 "$folder/munge.key"
    munged --force --socket="$folder/munge.sock" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" >/dev/null 2>&1 || skip "munged does not start"
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=1,bf_interval=1
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=$host NodeAddr=127.0.0.1 CPUs=6 State=UNKNOWN
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=OFF
CONF
    mkdir "$folder/state" "$folder/spool"
    slurmctld -c >"$folder/errors" 2>&1 || skip "slurmctld does not start: $(tail -n 1 "$folder/errors")"
    slurmd >"$folder/errors" 2>&1 || skip "slurmd does not start: $(tail -n 1 "$folder/errors")"
    wait_for 10 sh -c 'sinfo --noheader --format=%T | grep -q idle' || skip "the node does not come up: $(tail -n 1 "$folder/slurmd.log")"
}

shard() { echo "$folder/run.shard-$1-of-6"; } # shard I: its files, without their endings
has_games() { [ -s "$(shard "$1").records.jsonl" ]; }
all_have_games() { for i in 0 1 2 3 4 5; do has_games $i || return 1; done; }
is_finished() { grep -q '"finished":.*true' "$(shard "$1").json"; }
waiting() { squeue --noheader --states=PD --format='%K %r' | sed -n 's/^\([0-5]\) BeginTime$/\1/p'; } # requeued tasks
is_waiting() { waiting | grep -qx "$1"; }
some_waits() { [ -n "$(waiting)" ]; }
signal_shards() { # signal_shards SIGNAL TASK...: the processes of these tasks
    local signal=$1 pid task
    shift
    for pid in $(pgrep -f "^$stigmergy komi .*$folder/run.json"); do
        for task in "$@"; do
            tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "SLURM_ARRAY_TASK_ID=$task" && kill -"$signal" "$pid"
        done
    done
}
is_over() { [ -z "$(squeue --noheader)" ] && [ -e "$folder/run.merge.log" ] && tail -n 1 "$folder/run.merge.log" | grep -q '^The result\|gave up'; }

cat >"$folder/settings.json" <<'JSON'
{"size": 3, "ladder": [2000, 3000], "games": 60, "first_round": 48, "player": {"memory_mb": 16}}
JSON
settings=(--config "$folder/settings.json")

start_slurm
"$sources/configs/cluster/slurm.sh" "$folder/run.json" 6 komi "${settings[@]}" >/dev/null || fail "no job was submitted"
wait_for 60 all_have_games || fail "the tasks do not play"
signal_shards STOP 0 1 2 3 4 5 # time stands still for them

# Preempted: a job of higher priority takes the place of one task.
sbatch --partition=high --ntasks=1 --output=/dev/null --wrap='true' >/dev/null || fail "no second job was submitted"
wait_for 60 some_waits || fail "no task was preempted"
preempted=$(waiting | head -n 1)
is_finished "$preempted" && fail "the preempted task had finished before"
grep -q 'stopped; go on with' "$folder/run.shard-$preempted.log" || fail "the preempted task did not end cleanly"

# Killed: another one, which is then requeued by hand.
killed=$(((preempted + 1) % 6))
is_finished "$killed" && fail "the task to be killed had finished before"
signal_shards KILL "$killed"
signal_shards CONT 0 1 2 3 4 5
job=$(squeue --noheader --array --format='%A %F %K' | awk -v task="$preempted" '$3 == task { print $2; exit }')
wait_for 60 sh -c "scontrol show job ${job}_$killed | grep -q JobState=FAILED" || fail "the killed task has not failed"
scontrol requeue "${job}_$killed" || fail "the killed task was not requeued"
wait_for 60 is_waiting "$killed" || fail "the killed task is not requeued"

# Damaged: the records of a task that has finished lose their end.
damaged=$(((preempted + 2) % 6))
wait_for 60 is_finished "$damaged" || fail "the other tasks do not finish"
truncate --size=-200 "$(shard "$damaged").records.jsonl"

# The rest is up to Slurm and the script: the requeued tasks go on, the merge finds the damage, and further rounds follow.
for task in $preempted $killed; do
    scontrol update JobId="${job}_$task" StartTime=now || fail "a requeued task does not start"
done
"$stigmergy" komi "${settings[@]}" --threads 2 --out "$folder/whole.json" >/dev/null 2>&1 || fail "a plain run failed"
wait_for 180 is_over || fail "the run does not end"
grep -q 'is damaged' "$folder/run.merge.log" || fail "the damage was not found"
grep -q 'goes on after' "$folder/run.shard-$preempted.log" || fail "the preempted task began again"
grep -q 'goes on after' "$folder/run.shard-$killed.log" || fail "the killed task began again"
grep -q 'goes on after' "$folder/run.shard-$damaged.log" || fail "the damaged shard began again"
[ "$(grep -c '^Merged' "$folder/run.merge.log")" -ge 2 ] || fail "there was only one round"
"$sources/tests/support/same_run.sh" "$folder/whole" "$folder/run" || fail "the runs differ"
echo "slurm: a task preempted, one killed, a file cut: the same $(wc -l <"$folder/run.records.jsonl") games"
