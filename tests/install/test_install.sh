#!/bin/bash
# Installs into two prefixes and moves one. Both work there, each reads its own files only, and neither holds a path of
# the sources or of the build; where the system lets us, the sources and the build are out of sight meanwhile. A program
# outside the tree is built against each, by CMake and by pkg-config, and every public header compiles alone.
#     test_install.sh SOURCES BUILD      CMAKE and CC name the programs
set -euo pipefail
sources=$(realpath "$1") build=$(realpath "$2")
cmake=${CMAKE:-cmake} cc=${CC:-cc}
unset STIGMERGY_DATA DESTDIR
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "test_install: $*" >&2
    exit 1
}

expect() { # expect WHAT WORDS COMMAND...: it prints the words
    local what=$1 words=$2 said
    shift 2
    said=$("$@" 2>&1) || true
    [[ $said == *"$words"* ]] || fail "$what: expected '$words', got: $said"
}

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

install_to() {
    "$cmake" --install "$build" --prefix "$1" >"$folder/install.log" || fail "$(cat "$folder/install.log")"
}

check_program() { # check_program PREFIX MARK: a configuration named MARK is in no other prefix
    local prefix=$1 mark=$2 data=$1/share/stigmergy
    echo "{\"name\": \"$mark\", \"simulations\": 3}" >"$data/players/$mark.json"
    expect "players of $prefix" "$mark" without_sources "$prefix/bin/stigmergy" match --size 3 --games 2 --threads 1 \
        --player "$mark" --player level-1 --out "$folder/$mark.json"
    expect "positions of $prefix" "3 positions of stigmergy-2" without_sources "$prefix/bin/stigmergy" truth --size 2 \
        --sims 1 --count 3
    expect "configurations of $prefix" "in $data/komi" without_sources "$prefix/bin/stigmergy" komi --config no-such
    ln -sf "$prefix/bin/stigmergy" "$folder/link"
    expect "a link to $prefix" "in $data/komi" without_sources "$folder/link" komi --config no-such
    [ -f "$prefix/share/man/man1/stigmergy.1" ] || fail "no man page in $prefix/share/man"
    expect "no data" "in /no/such/komi" env STIGMERGY_DATA=/no/such "$prefix/bin/stigmergy" komi --config quick
}

check_consumer() { # check_consumer PREFIX
    local prefix=$1 consumer=$sources/tests/install/consumer data
    cp -r "$consumer" "$folder/consumer"
    "$cmake" -S "$folder/consumer" -B "$folder/by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" >"$folder/log" 2>&1 &&
        "$cmake" --build "$folder/by-cmake" >>"$folder/log" 2>&1 || fail "by CMake: $(cat "$folder/log")"
    grep -qF "data: $prefix/share/stigmergy" "$folder/log" || fail "by CMake: another data folder: $(cat "$folder/log")"

    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    "$cc" -std=c11 -Wall -Wextra -pedantic -Werror "$folder/consumer/consumer.c" \
        $(pkg-config --cflags --libs stigmergy) -o "$folder/by-pkg-config" || fail "by pkg-config"
    data=$(pkg-config --variable=datadir stigmergy)
    for program in by-cmake/consumer by-pkg-config; do
        expect "$program" "komi 6: Black wins
komi 8: White wins" without_sources env STIGMERGY_DATA="$data" "$folder/$program"
        expect "$program" "b . B ." without_sources "$folder/$program"
    done
    rm -r "$folder/consumer" "$folder/by-cmake"
}

check_headers() { # check_headers PREFIX: each alone, with nothing but public headers around it
    local header
    (cd "$1/include" && find stigmergy -name '*.h') | while read -r header; do
        echo "#include <$header>" | "$cc" -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c - \
            -I"$1/include" -I"$1/include/stigmergy" $(pkg-config --cflags libcjson) || fail "$header alone"
    done
    ! find "$1/include" -name '*_internal.h' | grep . || fail "internal headers are installed"
}

install_to "$folder/one"
install_to "$folder/two"
mkdir "$folder/elsewhere"
mv "$folder/two" "$folder/elsewhere/moved"
for prefix in "$folder/one" "$folder/elsewhere/moved"; do
    ! grep -rlF -e "$sources" -e "$build" -e "$folder" "$prefix" || fail "a path of this machine is installed"
    check_program "$prefix" "mark-$(basename "$prefix")"
done
expect "the other prefix" "no such file" "$folder/one/bin/stigmergy" match --size 3 --player mark-moved --player level-1
check_consumer "$folder/elsewhere/moved"
check_headers "$folder/one"
echo "test_install: installed twice, moved, built against, $(find "$folder/one/include" -name '*.h' | wc -l) headers alone"
