#!/bin/bash
# Sets up everything on a fresh Debian 12 machine (as root or with sudo) and does one of these things:
#   tools/setup.sh run    builds, and finds the fair komi of a small board in about two minutes (configs/komi/quick.json)
#   tools/setup.sh play   builds, and opens the board in the browser
#   tools/setup.sh test   builds in all the ways that count, and runs all tests
#   tools/setup.sh page [FOLDER]   builds the page that needs no server: files for any web host (default build/page/web)
#   tools/setup.sh soak [MINUTES]   uses the program for MINUTES (default 60), lets engines go wrong in 1,000 games,
#                                   and fuzzes each target for a third of that time
#   tools/setup.sh fuzz [MINUTES]   fuzzes each target for MINUTES (default 20)
#   tools/setup.sh arm    builds for AArch64, and runs the tests of the engine under an emulator (about 5 minutes)
#   tools/setup.sh faults   lets each place that calls the C library fail, in all commands (--all: each single call)
#   tools/setup.sh coverage prints the branch coverage of the tests, and fails if it is too low
set -euo pipefail
from=$PWD # FOLDER is seen from there
cd "$(dirname "$0")/.."

packages() { # packages KIND...: their names
    for kind in "$@"; do
        awk -v kind="$kind" '$1 == kind { print $2 }' tools/packages.txt
    done
}

install_packages() {
    local missing=() name
    for name in $(packages "$@"); do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' ||
            command -v "$name" >/dev/null || missing+=("$name") # a tool may come from elsewhere, as npm with Node.js
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

build() { # build PRESET [TARGET [SETTING...]]: quiet unless it fails
    local log="build/$1.log"
    mkdir -p build
    if ! { cmake --preset "$1" "${@:3}" && cmake --build "build/$1" --target "${2:-all}"; } >"$log" 2>&1; then
        cat "$log"
        echo "setup: the build '$1' failed" >&2
        exit 1
    fi
}

# Runs tests, and names those, and parts of them, that this machine could not run.
run_tests() { # run_tests PRESET ARGUMENT...: of ctest
    local skipped status=0
    ctest --test-dir "build/$1" --no-tests=error --output-on-failure -j "$(nproc)" "${@:2}" || status=$?
    skipped=$(grep -E '^\[  SKIPPED \] [a-z_0-9]+$|(^|: )skipped' "build/$1/Testing/Temporary/LastTest.log" | sort -u || true)
    echo "setup: $(grep -c . <<<"$skipped") skipped in the build '$1'"
    [ -z "$skipped" ] || sed 's/^/    /' <<<"$skipped"
    return $status
}

# Builds the program alone, and says where it is.
build_program() {
    install_packages run
    build release all -DBUILD_TESTING=OFF
    echo "The program is $PWD/build/release/tools/stigmergy. To call it by its name:"
    echo "    export PATH=\"$PWD/build/release/tools:\$PATH\""
}

run() {
    build_program
    build/release/tools/stigmergy komi --config quick --out fair-komi.json
}

play() {
    build_program
    exec build/release/tools/stigmergy serve --open
}

page() { # page FOLDER
    build_program
    install_packages page
    tools/page/build.sh "$1" build/release/tools/stigmergy
    echo "The page is in $1: copy this folder to a web host. To try it here: python3 -m http.server --directory \"$1\""
}

check_format() {
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror
    if git grep -nE '^(<{7}|>{7}) '; then
        echo "setup: a merge is unfinished there" >&2
        exit 1
    fi
}

# What needs Node.js: the engine spoken to by another project's GTP client, the board in a headless browser.
test_browser() { # test_browser PRESET
    (cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund >../../build/npm.log 2>&1) ||
        { cat build/npm.log; exit 1; }
    local limited=(timeout --foreground 900 node) # seconds: what hangs ends
    "${limited[@]}" tests/browser/gtp_client.mjs "build/$1/tools/stigmergy"
    "${limited[@]}" tests/browser/board.mjs "build/$1/tools/stigmergy"
    tools/page/build.sh build/page/web "build/$1/tools/stigmergy"
    "${limited[@]}" tests/browser/engine.mjs "build/$1/tools/stigmergy" build/page/web
    for test in 'whole game' offline upload redirected results; do
        ONLY=$test "${limited[@]}" tests/browser/board.mjs build/page/web
    done
    "${limited[@]}" tests/browser/report.mjs "build/$1/tools/stigmergy" selfplay/results/hexhex-[345].json
}

check_minutes() { # check_minutes COMMAND MINUTES
    [[ $2 =~ ^[1-9][0-9]*$ ]] || { echo "setup: $1 '$2', expected a number of minutes" >&2; exit 2; }
}

# Each target from its corpus in tests/corpus, whose files the builds with gcc replay as a test. What is new goes to
# build/fuzz/corpus, and an input that breaks something to build/fuzz.
fuzz() { # fuzz SECONDS
    build fuzz fuzz_targets
    ls tests/corpus | xargs -P "$(nproc)" -I{} sh -c 'mkdir -p build/fuzz/corpus/{}
        exec build/fuzz/tests/fuzz_{} -timeout=60 -print_final_stats=0 -verbosity=0 -artifact_prefix=build/fuzz/{}- \
            "$@" build/fuzz/corpus/{} tests/corpus/{}' sh -max_total_time="$1"
}

# What takes too long for every change.
soak() {
    local minutes=${1:-60}
    check_minutes soak "$minutes"
    install_packages run test
    build release all -DBUILD_TESTING=ON
    echo "== serve, analyze and gtp for $minutes minutes"
    python3 tests/soak/soak.py build/release/tools/stigmergy --minutes "$minutes"
    echo "== engines that go wrong"
    python3 tests/soak/hostile.py build/release/tools/stigmergy
    echo "== a disk that fills and empties"
    tests/selfplay/runs/full_disk.sh build/release/tools/stigmergy 10 || [ $? -eq 77 ]
    echo "== fuzz targets, $((20 * minutes)) seconds each"
    fuzz $((20 * minutes))
}

fuzz_alone() {
    local minutes=${1:-20}
    check_minutes fuzz "$minutes"
    install_packages run test
    fuzz $((60 * minutes))
}

test_all() {
    install_packages run test page
    echo "== code style"
    check_format
    # What clang may compute differently is in the engine: numbers and the kernels of processors, and the rules, whose
    # lines of play test_perft counts. Its warnings are errors in the build 'thread', which is of all.
    echo "== tests, build 'clang'"
    build clang engine_tests
    run_tests clang -L engine -E '^test_(bug|carriers|connection|sgolte|solver|solver_threads|stigmergy)$'
    # What tests scripts around the program, or its manual, or reads its files with Python, is done once, in the build
    # 'gcc'. With AddressSanitizer the corpora of the fuzz targets play the games, and the test of failing calls runs the
    # commands: so the slow tests of these do not run with it. What has no threads, or looks at the program from
    # outside, needs no ThreadSanitizer. Of test_solver, which is slow, test_solver_threads is the part for threads, and
    # with test_solver_games the part for memory. They and test_komi_run use what test_connection, test_arms,
    # test_estimate and test_reread test, which are slow under AddressSanitizer.
    local scripts='training|publish(ed)?|same_games|manual|completion|full_disk|cluster_.*|test_solver|.*_kill|plan_stop|.*_numpy'
    local -A skip=([sanitize]="$scripts|cli|test_(arms|bug|connection|estimate|merge|reread|sgolte|stigmergy)" [thread]="$scripts|test_(bug|sgolte|sgolte_room|solver_games|stigmergy|kernels|safe_stones|hexhex|perft|planes|carriers|carrier_list|connection|forward|weights|features|levels|nearest_word|arms|estimate|merge|reread|set_power_loss|run_power_loss|report|truth)|cli|install|terminal")
    for preset in sanitize thread; do
        echo "== tests, build '$preset'"
        build "$preset" all "-DSTIGMERGY_LEAVE_OUT=^(${skip[$preset]})\$"
        # gcc's OpenMP is not instrumented for ThreadSanitizer; clang's is, with the help of Archer.
        OMP_TOOL_LIBRARIES=$(ls /usr/lib/llvm-*/lib/libarcher.so 2>/dev/null | head -n 1) \
            TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" \
            run_tests "$preset" -E "^(${skip[$preset]})$"
    done
    # The tests with a browser wait for a part of their time.
    echo "== tests, build 'gcc', and beside them those with Node.js and a browser"
    build gcc studies # nothing runs them here, but they must compile
    build gcc
    local failed=0 browser
    set -m # a process group of its own, which ends with this script
    test_browser gcc >build/browser.log 2>&1 &
    browser=$!
    set +m
    trap "kill -- -$browser" EXIT
    run_tests gcc -E '^test_solver_threads$' || failed=1 # which is for the sanitizers
    wait "$browser" || failed=1
    trap - EXIT
    cat build/browser.log
    return $failed
}

# Fills build/aarch64-root with Debian's libraries for that architecture, by an apt of its own: nothing of this machine
# changes.
fill_aarch64_root() {
    local root=$PWD/build/aarch64-root package
    [ -e "$root/complete" ] && return
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    : >"$root/apt/status"
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$root/apt"
        -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt" -o Debug::NoLocking=1 -o APT::Sandbox::User=)
    "${apt[@]}" update
    "${apt[@]}" install -y --download-only --no-install-recommends $(packages run | grep '^lib') libcmocka-dev
    for package in "$root"/apt/archives/*.deb; do
        dpkg-deb --extract "$package" "$root"
    done
    touch "$root/complete"
}

test_aarch64() {
    install_packages run arm
    fill_aarch64_root
    build aarch64
    run_tests aarch64 -L engine
}

# Under AddressSanitizer, so that what is lost or used after it was freed is found, too. A call that fails once, and one
# that fails from then on.
test_faults() {
    install_packages run test
    build sanitize stigmergy_faults
    python3 tests/faults/faults.py build/sanitize/tests/stigmergy_faults "$@"
    python3 tests/faults/faults.py build/sanitize/tests/stigmergy_faults --from "$@"
}

# Also of the error paths that only failing calls take. gcov's counts are files too: tests that limit the size of files
# fail here, which says nothing.
test_coverage() {
    install_packages run test
    build coverage
    find build/coverage -name '*.gcda' -delete
    ctest --test-dir build/coverage --output-on-failure -j "$(nproc)" -E 'cluster|training|layers|manual|completion' ||
        [ $? -eq 8 ]
    local failed=0
    python3 tests/faults/faults.py build/coverage/tests/stigmergy_faults || failed=1
    python3 tests/coverage.py build/coverage selfplay/io=90 selfplay/record=90 selfplay/runs=90 engine=85 && return $failed
}

case "${1:-}" in
run) run ;;
play) play ;;
page)
    folder=$PWD/build/page/web
    [ -z "${2:-}" ] || folder=$(cd "$from" && realpath -m "$2")
    page "$folder"
    ;;
test) test_all ;;
soak) soak "${2:-}" ;;
fuzz) fuzz_alone "${2:-}" ;;
arm) test_aarch64 ;;
faults) test_faults "${@:2}" ;;
coverage) test_coverage ;;
*)
    echo "usage: tools/setup.sh run|play|page [FOLDER]|test|soak [MINUTES]|fuzz [MINUTES]|arm|faults|coverage" >&2
    exit 2
    ;;
esac
