#!/bin/bash
# Small runs of every kind leave the records that they have always left, byte for byte: so a run that an earlier version
# began goes on. The version since which that holds, and the digests of the records, are in same_games.txt.
#   same_games.sh STIGMERGY GAMES_VERSION
#
# If this test fails, the change plays other games. If that is its purpose, raise STIGMERGY_GAMES_VERSION in
# CMakeLists.txt to the version of the project, and put what the test prints into same_games.txt.
set -eu
stigmergy=$1 version=$2 expected=$(dirname "$0")/same_games.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

digest() { # digest NAME FILE: a line of same_games.txt
    echo "$1 $(sha256sum <"$2" | cut -c 1-32)"
}

# Playouts, for the network of the default player changes from time to time. Of a network there is one in the tests of
# its evaluator.
player='{"network": "none", "memory_mb": 8}'
play() { # play NAME KIND OPTION...
    local name=$1
    shift
    "$stigmergy" "$@" --threads 2 --seed 5 --out "$folder/$name.json" >"$folder/answer" 2>&1 ||
        { cat "$folder/answer" >&2; return 1; }
    digest "$name" "$folder/$name.records.jsonl"
}

cat >"$folder/selfplay.json" <<'JSON'
{"seed": 5, "sizes": [{"size": 3, "weight": 1}, {"size": 4, "weight": 1}], "simulations": 40, "games": 12,
 "cheap": {"share": 0.6, "simulations": 10}, "openings": {"simulations": 10},
 "resign": {"below": 0.2, "moves": 2, "finish": 4}, "player": {"network": "none", "memory_mb": 8}}
JSON

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
    "$stigmergy" selfplay --config "$folder/selfplay.json" --threads 2 --out "$folder/set" >"$folder/answer" 2>&1 ||
        { cat "$folder/answer" >&2; exit 1; }
    zstd -dcq "$folder"/set/records/*.zst >"$folder/set.jsonl"
    digest selfplay "$folder/set.jsonl"
} >"$folder/same_games.txt"
diff "$expected" "$folder/same_games.txt" || {
    echo "same_games: this program plays other games. What it plays:" >&2
    cat "$folder/same_games.txt" >&2
    exit 1
}
