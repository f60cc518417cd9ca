#!/bin/bash
# Runs on a disk that fills and empties again: no finished game is lost, the run says what is wrong in one line, and the
# same command goes on to the records and the document of a run that nobody disturbed.
#     full_disk.sh STIGMERGY [ROUNDS]      skipped (status 77) where no small file system can be mounted
set -u
support=$(realpath "$(dirname "$0")/../../support")
stigmergy=$(realpath "$1") rounds=${2:-2}
if [ "${FULL_DISK:-}" != mounted ]; then # once more, where a mount is ours alone
    for as_root in "" --map-root-user; do
        unshare $as_root --mount true 2>/dev/null && FULL_DISK=mounted exec unshare $as_root --mount "$0" "$@"
    done
    echo "full_disk: skipped: this system lets nobody mount a file system here"
    exit 77
fi
folder=$(mktemp -d)
trap 'umount "$folder/disk" 2>/dev/null; rm -rf "$folder"' EXIT
mkdir "$folder/disk"
mount -t tmpfs -o size=256k none "$folder/disk" || { echo "full_disk: skipped: there is no small file system"; exit 77; }

fail() {
    echo "full_disk: $*" >&2
    exit 1
}
run() { # run KIND NAME: a run of that kind, of some 100 kB
    case $1 in
    komi) set -- "$@" --games 150 --player '{"network": "none"}' ;;
    match) set -- "$@" --games 150 --player '{"network": "none"}' --player '{"network": "none", "search": {"rave": 3}}' ;;
    esac
    "$stigmergy" "$1" --size 3 --sims 4 --memory 1 --threads 2 --out "$2.json" "${@:3}" >/dev/null 2>"$folder/errors"
}
fill() { # fill KILOBYTES: until only so much is left
    head -c 1M /dev/zero >"$folder/disk/ballast" 2>/dev/null
    truncate -s "-${1}k" "$folder/disk/ballast"
}
full=0
expect_full() { # expect_full WHEN STATUS
    [ "$2" -eq 0 ] && return
    full=$((full + 1))
    [ "$2" -eq 1 ] && tail -n 1 "$folder/errors" | grep -q '^stigmergy .*No space left on device' ||
        fail "status $2 $1: $(tail -n 1 "$folder/errors")"
}
lines() { # the whole records of a file
    cat "$1" 2>/dev/null | tr -dc '\n' | wc -c
}

for kind in komi match; do
    run $kind "$folder/whole" || fail "a plain run failed: $(cat "$folder/errors")"
    # Full from some moment on, then empty: what was written stays, and the run goes on.
    before=0 full_before=$full
    for room in 8 24 40 56 80; do
        fill $room
        run $kind "$folder/disk/run"
        expect_full "with $room kB" $?
        now=$(lines "$folder/disk/run.records.jsonl")
        [ "$now" -ge "$before" ] || fail "$now records with $room kB, $before before"
        before=$now
        rm "$folder/disk/ballast"
    done
    [ "$full" -gt "$full_before" ] || fail "the disk never was full in a run of $kind"
    run $kind "$folder/disk/run" || fail "no going on: $(cat "$folder/errors")"
    "$support/same_run.sh" "$folder/whole" "$folder/disk/run" || fail "the $kind run is another one"
    rm "$folder/disk"/*
    # Full and empty in turn, while it runs.
    for _ in $(seq "$rounds"); do
        touch "$folder/toggling"
        while [ -e "$folder/toggling" ]; do sleep 0.02; fill 4; sleep 0.02; rm -f "$folder/disk/ballast"; done &
        for _ in 1 2 3 4 5; do
            run $kind "$folder/disk/run"
            expect_full "while it fills and empties" $?
        done
        rm "$folder/toggling"
        wait
        run $kind "$folder/disk/run" || fail "no going on: $(cat "$folder/errors")"
        "$support/same_run.sh" "$folder/whole" "$folder/disk/run" || fail "the $kind run is another one"
        rm "$folder/disk"/*
    done
    rm "$folder"/whole*
done
echo "full_disk: a disk that was full $full times: the same runs, no record lost"
