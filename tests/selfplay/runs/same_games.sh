#!/bin/bash
# Small runs of every kind leave the records that they have always left, byte for byte: so a run that an earlier version
# began goes on. The versions since which that holds, and the digests of the records, are in same_games.txt. (Records name
# their run, and the run depends on the version. So where that is raised, the digests change, too.)
#   same_games.sh STIGMERGY GAMES_VERSIONS SMALL_NETWORK
#
# If this test fails, the change plays other games. If that is its purpose, raise in CMakeLists.txt the version of these
# runs, STIGMERGY_GAMES_VERSION or STIGMERGY_KOMI_GAMES_VERSION, to that of the project, and put what the test prints
# into same_games.txt.
set -eu
stigmergy=$(realpath "$1") version=$2 small_network=$(realpath "$3")
expected=$(realpath "$(dirname "$0")")/same_games.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" # the name of a network is part of a run

digest() { # digest NAME FILE: a line of same_games.txt
    echo "$1 $(sha256sum <"$2" | cut -c 1-32)"
}

# Playouts, and networks that stay as they are: those of the default players change from time to time.
player='{"network": "none", "memory_mb": 8}' network='"network": "stigmergy.bin", "memory_mb": 8'
"$small_network" stigmergy stigmergy.bin
"$small_network" sgolte sgolte.bin
play() { # play NAME KIND OPTION...
    local name=$1
    shift
    "$stigmergy" "$@" --threads 2 --seed 5 --out "$folder/$name.json" >"$folder/answer" 2>&1 ||
        { cat "$folder/answer" >&2; return 1; }
    digest "$name" "$folder/$name.records.jsonl"
}

make_set() { # make_set NAME PLAYER: a data set
    cat >"$folder/$1.json" <<JSON
{"seed": 5, "sizes": [{"size": 3, "weight": 1}, {"size": 4, "weight": 1}], "simulations": 40, "games": 12,
 "cheap": {"share": 0.6, "simulations": 10}, "openings": {"simulations": 10},
 "resign": {"below": 0.2, "moves": 2, "finish": 4}, "player": $2}
JSON
    "$stigmergy" selfplay --config "$folder/$1.json" --threads 2 --out "$folder/$1" >"$folder/answer" 2>&1 ||
        { cat "$folder/answer" >&2; return 1; }
    zstd -dcq "$folder/$1"/records/*.zst >"$folder/$1.jsonl"
    digest "$1" "$folder/$1.jsonl"
}

{
    echo "$version"
    play komi komi --size 3 --ladder 10,40 --games 40 --player "$player"
    play komi-first-moves komi --size 4 --first-moves each --sims 20 --games 60 --player "$player"
    play book book --size 3 --sims 20 --games 40 --player "$player"
    play openings openings --game bug --size 3 --sims 20 --games 40 --player "$player"
    play match match --size 4 --komi auto --games 8 --player '{"name": "a", "network": "none", "simulations": 40}' \
        --player '{"name": "b", "network": "none", "simulations": 20, "draw": 2}'
    play sgolte match --game sgolte --size 3 --games 4 --player '{"name": "a", "network": "none", "simulations": 20}' \
        --player '{"name": "b", "network": "none", "simulations": 10}'
    make_set selfplay "$player"
    play solver komi --size 3 --sims 300 --games 20 --player "$player" # enough simulations for the solver to be asked
    play network-komi komi --size 4 --first-moves each --sims 30 --games 40 --player "{$network}"
    play network-match match --size 4 --komi auto --games 8 \
        --player "{\"name\": \"a\", $network, \"search\": {\"playout_share\": 0.3}, \"simulations\": 30}" \
        --player "{\"name\": \"b\", $network, \"search\": {\"considered\": 8}, \"simulations\": 30}"
    play network-sgolte match --game sgolte --size 3 --games 4 \
        --player '{"name": "a", "network": "sgolte.bin", "simulations": 20}' \
        --player '{"name": "b", "network": "sgolte.bin", "simulations": 10, "draw": 2}'
    make_set network-selfplay "{$network}"
} >"$folder/same_games.txt"
diff "$expected" "$folder/same_games.txt" || {
    echo "same_games: this program plays other games. What it plays:" >&2
    cat "$folder/same_games.txt" >&2
    exit 1
}
