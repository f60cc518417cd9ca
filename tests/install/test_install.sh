#!/bin/bash
# Installs into two prefixes and moves one. Both work there, each reads its own files only, and neither holds a path of
# the sources or of the build; where the system lets us, the sources and the build are out of sight meanwhile. Started by
# root, it lets another user run the program there: a run, a server, the manual. A program in C and one in C++, outside
# the tree, are built against the moved prefix, whose path has a space, by CMake and by pkg-config; so is the example of
# engine/README.md, by CMake. Every public header compiles alone, in C11 and in C++17, and declares the functions that
# functions.txt lists.
#     test_install.sh SOURCES BUILD      CMAKE, CC, CXX, NM and PYTHON3 name the programs
set -euo pipefail
sources=$(realpath "$1") build=$(realpath "$2")
cmake=${CMAKE:-cmake} cc=${CC:-cc} cxx=${CXX:-c++}
unset STIGMERGY_DATA DESTDIR
umask 022
folder=$(mktemp -d)
chmod 755 "$folder" # others may pass
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "test_install: $*" >&2
    exit 1
}

expect_status() { # expect_status STATUS WHAT WORDS COMMAND...: it ends with the status and prints the words
    local expected=$1 what=$2 words=$3 said status=0
    shift 3
    said=$("$@" 2>&1) || status=$?
    [[ $status -eq $expected && $said == *"$words"* ]] ||
        fail "$what: expected status $expected and '$words', got status $status: $said"
}
expect() { expect_status 0 "$@"; }
expect_refused() { expect_status 2 "$@"; }

unshare --map-root-user --mount true 2>/dev/null ||
    echo "test_install: hiding the sources: skipped, this system lets nobody mount a file system here"

# Runs a command with nothing to see where sources and build are, or just runs it.
without_sources() {
    if unshare --map-root-user --mount true 2>/dev/null; then
        unshare --map-root-user --mount bash -c '
            for path in "$1" "$2"; do [ ! -d "$path" ] || mount -t tmpfs none "$path"; done
            shift 2; exec "$@"' bash "$sources" "$build" "$@"
    else
        "$@"
    fi
}

install_to() { # as a careful root does, whose files nobody else may read
    (umask 077 && "$cmake" --install "$build" --prefix "$1" >"$folder/install.log") || fail "$(cat "$folder/install.log")"
}

check_program() { # check_program PREFIX MARK: a configuration named MARK is in no other prefix
    local prefix=$1 mark=$2 data=$1/share/stigmergy
    echo "{\"name\": \"$mark\", \"simulations\": 3}" >"$data/players/$mark.json"
    expect "players of $prefix" "$mark" without_sources "$prefix/bin/stigmergy" match --size 3 --games 2 --threads 1 \
        --player "$mark" --player level-1 --out "$folder/$mark.json"
    expect "positions of $prefix" "3 positions of stigmergy-2" without_sources "$prefix/bin/stigmergy" truth --size 2 \
        --sims 1 --count 3
    expect_refused "configurations of $prefix" "in $data/komi" without_sources "$prefix/bin/stigmergy" komi \
        --config no-such
    ln -sf "$prefix/bin/stigmergy" "$folder/link"
    expect_refused "a link to $prefix" "in $data/komi" without_sources "$folder/link" komi --config no-such
    cmp -s "$sources/LICENSE" "$prefix/share/doc/stigmergy/LICENSE" || fail "no licence in $prefix/share/doc/stigmergy"
    [ ! -e "$data/training" ] || fail "settings of the training loop are installed, which is not"
    [ -f "$prefix/share/man/man1/stigmergy.1" ] || fail "no man page in $prefix/share/man"
    expect_refused "no data" "in /no/such/komi" env STIGMERGY_DATA=/no/such "$prefix/bin/stigmergy" komi --config quick
}

by_cmake() { # by_cmake NAME PREFIX SETTING...: builds tests/install/NAME in $folder/NAME-by-cmake
    local name=$1 prefix=$2
    cp -r "$sources/tests/install/$name" "$folder"
    "$cmake" -S "$folder/$name" -B "$folder/$name-by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "${@:3}" \
        >"$folder/log" 2>&1 &&
        "$cmake" --build "$folder/$name-by-cmake" >>"$folder/log" 2>&1 || fail "$name by CMake: $(cat "$folder/log")"
}

by_example() { # by_example PREFIX DATA: the program of engine/README.md, which needs cells of hexhex-5
    mkdir -p "$folder/example"
    sed -n '/^```c$/,/^```$/{/^```/!p}' "$sources/engine/README.md" >"$folder/example/opening.c"
    sed -n '/^```cmake$/,/^```$/{/^```/!p}' "$sources/engine/README.md" >"$folder/example/CMakeLists.txt"
    "$cmake" -S "$folder/example" -B "$folder/example/build" -G Ninja -DCMAKE_PREFIX_PATH="$1" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" >"$folder/log" 2>&1 &&
        "$cmake" --build "$folder/example/build" >>"$folder/log" 2>&1 || fail "the example: $(cat "$folder/log")"
    expect "the example" "e5, Black wins " without_sources env STIGMERGY_DATA="$2" "$folder/example/build/opening"
}

by_pkg_config() { # by_pkg_config PREFIX OUT COMPILER ARGUMENT...
    local flags
    flags=$(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --cflags --libs stigmergy)
    eval '"${@:3}" '"$flags"' -o "$2"' || fail "$2" # the flags are quoted for a shell
}

# Runs a command as a user who owns nothing here, in a folder of theirs, with nothing to see where sources and build are.
as_nobody() {
    local hidden=()
    # Nothing is hidden where that is not allowed.
    unshare --mount true 2>/dev/null && hidden=("$sources" "$build")
    ${hidden:+unshare --mount} bash -c '
        for path in "$1" "$2"; do [ ! -d "$path" ] || mount -t tmpfs -o mode=700 none "$path"; done
        cd "$3" && exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "${@:4}"' \
        bash "${hidden[0]:-}" "${hidden[1]:-}" "$folder/nobody" "$@"
}

# Asks a server that another user has started for its page, its set-up, and a move.
check_server() { # check_server PREFIX
    as_nobody "$1/bin/stigmergy" serve --port 0 --memory 4 >"$folder/address" 2>"$folder/log" &
    local server=$! status=0
    "${PYTHON3:-python3}" - "$folder/address" <<'PYTHON' || status=$?
import sys, time, urllib.request
end = time.monotonic() + 30
while not (address := open(sys.argv[1]).read().strip()):
    assert time.monotonic() < end, "no address"
    time.sleep(0.02)
def ask(path, body=None):
    request = urllib.request.Request(address + path, body, {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=30).read().decode()
assert "<html" in ask("") and "levels" in ask("api/setup")
assert "moveInfos" in ask("api/analysis", b'{"id": "a", "size": 2, "maxSims": 2}')
PYTHON
    pkill -P $server || true # the shell that has become it is a child of the one in the background
    wait $server 2>/dev/null || true
    [ $status -eq 0 ] || fail "served to nobody: $(cat "$folder/log")"
}

check_other_user() { # check_other_user PREFIX
    local prefix=$1 closed
    if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
        echo "test_install: another user: skipped, that needs root"
        return
    fi
    closed=$(find "$prefix" ! -type l \( ! -perm -o=r -o -type d ! -perm -o=x \))
    [ -z "$closed" ] || fail "not for everybody: $closed"
    install -d -o 65534 -g 65534 "$folder/nobody"
    expect "a run of another user" "Fair komi" as_nobody "$prefix/bin/stigmergy" komi --config quick --size 2 --games 4 \
        --sims 2 --memory 4 --out run.json
    grep -q '"network":.*"stigmergy-4-5"' "$folder/nobody/run.json" || fail "the run of another user found no network"
    ! command -v man >/dev/null || expect "the manual of another user" "$prefix/share/man/man1/stigmergy-komi.1" \
        as_nobody man -M "$prefix/share/man" -w stigmergy-komi
    check_server "$prefix"
}

check_consumers() { # check_consumers PREFIX
    local prefix=$1 data
    localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" || fail "no locale with a decimal comma"
    by_cmake consumer "$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror"
    grep -qF "data: $prefix/share/stigmergy" "$folder/log" || fail "by CMake: another data folder: $(cat "$folder/log")"
    mkdir -p "$folder/components"
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(components C)\nfind_package(stigmergy REQUIRED COMPONENTS none)\n' \
        >"$folder/components/CMakeLists.txt"
    expect_status 1 "an unknown component" "set stigmergy_FOUND to FALSE" "$cmake" -S "$folder/components" -B "$folder/components/build" \
        -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
    by_pkg_config "$prefix" "$folder/by-pkg-config" \
        "$cc" -std=c11 -Wall -Wextra -pedantic -Werror "$folder/consumer/consumer.c"
    eval "data=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=datadir stigmergy)"
    for program in consumer-by-cmake/consumer by-pkg-config; do
        expect "$program" "komi 6: Black wins
komi 8: White wins" without_sources env STIGMERGY_DATA="$data" "$folder/$program"
        expect_status 1 "$program without data" "b . B ." without_sources "$folder/$program"
        expect "$program with a decimal comma" "600,5 seconds TM[600.5]OT[3x30.5 byo-yomi]
;B[b2]BL[12.5])" without_sources env STIGMERGY_DATA="$data" LC_ALL=de_DE.UTF-8 LOCPATH="$folder" "$folder/$program"
    done
    by_example "$prefix" "$data"
    by_cmake consumer_cpp "$prefix" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
    by_pkg_config "$prefix" "$folder/cpp-by-pkg-config" \
        "$cxx" -std=c++17 -Wall -Wextra -pedantic -Werror "$folder/consumer_cpp/consumer.cpp"
    for program in consumer_cpp-by-cmake/consumer_cpp cpp-by-pkg-config; do
        expect "$program" "value 7
stopped" without_sources env STIGMERGY_DATA="$data" "$folder/$program"
    done
}

check_headers() { # check_headers PREFIX COMPILER...: each alone, with nothing but public headers around it
    local include=$1/include
    (cd "$include" && find stigmergy -name '*.h' -print0) | xargs -0 -P "$(nproc)" -I '{}' sh -c \
        'echo "#include <$0>" | "$@" || { echo "test_install: $0 alone" >&2; exit 255; }' '{}' "${@:2}" \
        -Wall -Wextra -pedantic -Werror -fsyntax-only - -I"$include" -I"$include/stigmergy" \
        $(pkg-config --cflags libcjson) || fail "headers with $2"
}

check_relative_paths() { # a prefix and a DESTDIR below the folder where the installation is started
    local program
    mkdir "$folder/started here"
    (cd "$folder/started here" && install_to one && DESTDIR=staged install_to /usr)
    for program in one/bin/stigmergy staged/usr/bin/stigmergy; do
        expect "a relative path" "stigmergy " "$folder/started here/$program" --version
    done
    rm -r "$folder/started here"
}

# A project that can do without this one is configured where a library that it needs is missing.
check_optional() { # check_optional PREFIX
    mkdir "$folder/optional"
    cat >"$folder/optional/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(optional LANGUAGES C)
find_package(stigmergy QUIET)
message(STATUS "found: ${stigmergy_FOUND}, ${stigmergy_NOT_FOUND_MESSAGE}")
CMAKE
    expect "a library that is missing" "found: 0, pkg-config does not find libcjson" env \
        PKG_CONFIG_LIBDIR=/no/such PKG_CONFIG_PATH= "$cmake" -S "$folder/optional" -B "$folder/optional/build" \
        -DCMAKE_PREFIX_PATH="$1" -DCMAKE_C_COMPILER="$cc"
}

install_to "$folder/one"
install_to "$folder/two"
check_relative_paths
mkdir "$folder/else where"
mv "$folder/two" "$folder/else where/moved"
for prefix in "$folder/one" "$folder/else where/moved"; do
    ! grep -rlF -e "$sources" -e "$build" -e "$folder" "$prefix" || fail "a path of this machine is installed"
    check_program "$prefix" "mark-$(basename "$prefix")"
done
expect_refused "the other prefix" "no configuration of this name" "$folder/one/bin/stigmergy" match --size 3 \
    --player mark-moved --player level-1
check_consumers "$folder/else where/moved"
check_optional "$folder/else where/moved"
check_other_user "$folder/else where/moved"
check_headers "$folder/one" "$cc" -std=c11 -x c
for standard in c++11 c++17 c++20; do
    check_headers "$folder/one" "$cxx" "-std=$standard" -x c++
done
! find "$folder/one/include" -name '*_internal.h' | grep . || fail "internal headers are installed"
"${PYTHON3:-python3}" "$sources/tests/install/functions.py" "$folder/one" "$sources" || fail "the public functions differ"
echo "test_install: installed twice, moved, built against, $(find "$folder/one/include" -name '*.h' | wc -l) headers alone"
