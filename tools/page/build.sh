#!/bin/sh
# Builds the page that needs no server: a folder of files for any web host.
#
#   tools/page/build.sh FOLDER PROGRAM
#
# The engine is compiled to WebAssembly by clang and wasi-libc. Files of the page are those of tools/serve/web, with the
# worker of this folder in the place of the server. PROGRAM, a stigmergy that runs here, writes fair-komi.html, the
# report of the published results, to which the page links. build/page keeps the objects, and two libraries, which
# Debian has for WebAssembly as source only.
set -eu
self=$(realpath "$0")
out=$(realpath -m "${1:?'expected the folder for the page'}")
program=$(realpath "${2:?'expected a stigmergy that runs here'}")
cd "$(dirname "$0")/../.."
work=build/page
new=$work/new
version=$(sed -n 's/^project(stigmergy VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
clang=${WASM_CLANG:-clang-14}
mkdir -p $work/objects

# Debian's sources of cJSON and of libmd's SHA-256, with their security patches.
fetch_libraries() {
    [ -f $work/library/sha2.c ] && return
    mkdir -p $work/apt/parts $work/apt/lists $work/library/cjson
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$list" ] && sed 's/^deb /deb-src /' "$list" >"$work/apt/parts/$(basename "$list" .list).list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/apt/parts/$(basename "$list")"
    done
    parts=$PWD/$work/apt/parts
    lists=$PWD/$work/apt/lists
    (cd $work/apt && for order in update 'source cjson' 'source libmd'; do
        # shellcheck disable=SC2086 # an order and its argument
        apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$parts" \
            -o Dir::State::lists="$lists" -o Dir::Cache="$PWD" -o APT::Sandbox::User=root $order >/dev/null
    done)
    cp $work/apt/cjson-*/cJSON.h $work/library/cjson/
    cp $work/apt/cjson-*/cJSON.[ch] $work/apt/libmd-*/include/sha*.h $work/library/
    : >$work/library/config.h
    grep -v '^libmd_alias' $work/apt/libmd-*/src/local-link.h >$work/library/local-link.h
    cp $work/apt/libmd-*/src/sha2.c $work/library/
}

# The sources: the engine without kernels for other processors, what analysis needs of selfplay, and the page.
list_sources() {
    find engine -name '*.c' ! -name '*_amx*' ! -name '*_avx*' ! -name '*_bmi2*' ! -name '*_dotprod*'
    printf 'selfplay/stats/%s.c\n' posterior posterior_draws interval goodness
    printf 'selfplay/io/%s.c\n' data_folder exact_value file json nearest_word text variants
    find selfplay/record -name '*.c' ! -name record_file.c
    printf 'selfplay/players/%s.c\n' game_clock level_names levels networks player player_text
    printf 'selfplay/analysis/%s.c\n' analysis_steps avoid catalogue game_line known_komi komi_offer position_json \
        priors query query_answer query_clock query_katago search_pool task_queue task_run
    printf 'tools/serve/%s.c\n' api stream tree_json
    printf 'tools/page/%s.c\n' page
    printf '%s\n' $work/library/cJSON.c $work/library/sha2.c
}

# A file's SHA-256 as browsers want it.
hash_of() {
    sha256sum "$new/$1" | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64
}

compile() {
    object=$work/objects/$(echo "$1" | tr / _).o
    [ "$object" -nt "$1" ] && [ "$object" -nt "$work/stamp" ] && return
    "$clang" --target=wasm32-wasi -O3 -msimd128 -std=c11 -ffp-contract=off -ffunction-sections -D_GNU_SOURCE \
        -D_WASI_EMULATED_MMAN -DSTIGMERGY_VERSION="\"$version\"" -DSTIGMERGY_DATA_FROM_PROGRAM='"data"' \
        -I. -Itools/page/include -I$work/library -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-parameter -c "$1" -o "$object"
}

if [ "${3:-}" = compile ]; then
    compile "$4"
    exit
fi
fetch_libraries
find engine selfplay tools/serve tools/page CMakeLists.txt \( -name '*.h' -o -name CMakeLists.txt -o -name build.sh \) \
    -newer $work/stamp 2>/dev/null | grep -q . && touch $work/stamp # headers; the version; the options of the compiler
[ -f $work/stamp ] || touch -d '1 Jan 2000' $work/stamp
# The stack below is STACK_NEEDED of tools/cli/stack.h.
list_sources | xargs -P "$(nproc)" -n 1 "$self" "$out" "$program" compile
rm -rf $new
mkdir -p $new
# shellcheck disable=SC2046 # a list of files
"$clang" --target=wasm32-wasi -mexec-model=reactor -O2 -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=2097152 \
    -Wl,--max-memory=1073741824 -o $new/stigmergy.wasm $(list_sources | tr / _ | sed "s#.*#$work/objects/&.o#") -lwasi-emulated-mman

# The files of the page, the data that the engine reads, and the list of all for the time without a network.
cp tools/serve/web/*.css tools/serve/web/*.js tools/serve/web/*.svg tools/page/web/*.js $new/
rm -f $new/remote.js # for a server
# The policy is that of the server (tools/serve/server.c), without what only a header can say.
policy="default-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
sed -e "s#^<meta charset.*#&\n<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">#" \
    -e 's/^<html /<html data-engine="worker" /' -e 's/"remote.js"/"local.js"/' \
    -e 's/\(id="komi-source".*\) hidden>/\1>/' tools/serve/web/index.html >$new/index.html
for folder in players networks exact fair; do
    mkdir -p "$new/data/$folder"
    find configs/$folder -maxdepth 1 -name '*.json' -exec cp {} "$new/data/$folder/" \;
done
cp configs/networks/*.bin $new/data/networks/
(cd $new/data && find . -type f ! -name files.json | sed 's#^\./##' | LC_ALL=C sort | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/[&]/' >files.json)
files="'./': '$(hash_of index.html)'" # for the address of the folder
for file in $(cd $new && find . -type f ! -name offline.js | sed 's#^\./##' | LC_ALL=C sort); do
    files="$files, '$file': '$(hash_of "$file")'"
done
name=stigmergy-$version-$(echo "$files" | sha256sum | cut -c1-12)
sed "s#@NAME@#$name#; s#@FILES@#$files#" tools/page/web/offline.js >$new/offline.js
# Too large to be kept for the time without a network.
"$program" report --data --out $new/fair-komi.html selfplay/results/hexhex-[2-9].json selfplay/results/hexhex-10.json
# What an earlier version left in the folder stays there, but nothing asks for it.
mkdir -p "$out"
cp -R $new/. "$out/"
