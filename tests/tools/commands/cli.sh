#!/bin/sh
# Tests of the command line: cli.sh BINARY. Exit statuses, one-line errors, and what goes where.
. "$(dirname "$0")/../../support/stop_run.sh"
binary=$1
[ -x "$binary" ] || { echo "usage: cli.sh BINARY" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    /' "$work/out" "$work/err"
}

# run ARGUMENTS...: runs the binary on an empty input, or on $work/in where a test made one
run() {
    [ -f "$work/in" ] || : >"$work/in"
    "$binary" "$@" <"$work/in" >"$work/out" 2>"$work/err"
    status=$?
    rm -f "$work/in"
}

# refused PATTERN ARGUMENTS...: status 2, nothing on standard output, one line with the pattern on standard error
refused() {
    pattern=$1
    shift
    run "$@"
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q -e "^stigmergy.*: .*$pattern" "$work/err" || fail "$* (status $status, expected 2 and '$pattern')"
}

# accepted PATTERN ARGUMENTS...: status 0, the pattern on standard output, nothing on standard error
accepted() {
    pattern=$1
    shift
    run "$@"
    [ $status -eq 0 ] && [ ! -s "$work/err" ] && grep -q -e "$pattern" "$work/out" ||
        fail "$* (status $status, expected 0 and '$pattern')"
}

# unwritable ARGUMENTS...: standard output that is full: status 1 and one line
unwritable() {
    [ -c /dev/full ] || return
    : >"$work/out"
    printf 'name\n' | "$binary" "$@" >/dev/full 2>"$work/err"
    status=$?
    [ $status -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'standard output' "$work/err" ||
        fail "$* on a full disk (status $status)"
}

# wait_for FILE PID: until the file is not empty, or the process is gone
wait_for() {
    until [ -s "$1" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.02; done
}

# Help and versions
accepted '^stigmergy 0\.[0-9]*\.[0-9]*$' --version
for tool in bench gtp perft; do
    accepted "^  $tool " --help
    accepted '^stigmergy 0' $tool --version
    accepted '--size' $tool --help
done
accepted 'and beyond keep their letters' gtp --help
accepted '  all_legal COLOR' gtp --help
accepted '--kernels' bench --help
accepted '--depth' perft --help

accepted '^stigmergy 0' -V
accepted '^Usage: stigmergy COMMAND' -h
accepted '^Usage: stigmergy COMMAND' help
accepted '^Usage: stigmergy komi ' help komi
accepted '^Usage: stigmergy komi ' --help komi
accepted '^Usage: stigmergy COMMAND' help help
ARGP_HELP_FMT=rmargin=1 timeout 20 "$binary" help gtp 2>&1 | head -c 100000 >"$work/out"
grep -q '^Usage: stigmergy gtp ' "$work/out" || fail "help gtp with ARGP_HELP_FMT"
for tool in analyze bench book estimate gtp komi match merge openings perft play report selfplay serve solve truth; do
    run $tool --help
    cp "$work/out" "$work/help"
    for words in "$tool -h" "$tool -?" "help $tool"; do
        accepted '^  -h, --help' $words
        cmp -s "$work/out" "$work/help" || fail "$words is not $tool --help"
    done
    accepted '^stigmergy 0' $tool -V
    accepted '^Usage: ' $tool --usage
    refused "unrecognized option '--vesion', did you mean '--version'?" $tool --vesion
    refused "invalid option -- 'x'" $tool -x
done
refused "'chess' is no command" help chess
refused "'junk' is no command" help komi junk

# Did you mean
refused "'kmoi' is no command, did you mean 'komi'?" kmoi
refused "'self-play' is no command, did you mean 'selfplay'?" self-play --out x
refused "'analyse' is no command, did you mean 'analyze'?" help analyse
refused "unrecognized option '--siez', did you mean '--size'?" komi --siez 5
refused "unrecognized option '--siez', did you mean '--size'?" komi --siez=5
refused "unrecognized option '--ladders', did you mean '--ladder'?" komi --out --junk --ladders 3
refused "unrecognized option '--until', expected one of those" gtp --until
refused '\-\-siez: no configuration of this name' gtp --player --siez # a value, however it looks

# What a command does not take, it does not offer, and says what to do instead
refused "unrecognized option '--capture'" komi --capture line
refused "unrecognized option '--pie'" komi --pie on
refused '--komi: .*expected --komi-range' komi --komi 3
for range in : 1: :1 a:b 3; do
    refused "--komi-range: '$range', expected LOW:HIGH" komi --size 2 --komi-range "$range" --out "$work/komi.json"
done
# A range of --config holds on another size, too
printf '{"size": 3, "komi_range": [-2, 4], "games": 4, "ladder": [4]}' >"$work/range.json"
run komi --config "$work/range.json" --size 2 --memory 1 --out "$work/range.out.json"
[ $status -eq 0 ] && tr -d '[:space:]' <"$work/range.out.json" | grep -q '"komi_range":\[-2,4\]' ||
    fail "komi --size with a range of --config (status $status)"
# A bad fit is one below 0.05, which two decimals do not show; a few games have one now and then
printf '{"size": 2, "parity": "even", "player": {"network": "none", "memory_mb": 1}, "ladder": [2], "games": 10}' >"$work/fit.json"
for seed in $(seq 40); do
    run komi --config "$work/fit.json" --seed $seed --threads 1 --out "$work/fit.$seed.json"
    grep -q 'goodness of fit' "$work/out" && break
done
grep -q '(goodness of fit: p = 0\.0[0-9][0-9])$' "$work/out" || fail "komi: the goodness of fit of a bad one"
# A run that ends before its first game says so, and nothing else
run komi --size 2 --sims 2 --time 0.0001 --out "$work/early.json"
[ $status -eq 0 ] && [ "$(sed -n '2p' "$work/out")" = '  no game has ended yet' ] && [ "$(wc -l <"$work/out")" -eq 3 ] ||
    fail "komi without a game (status $status)"
refused 'komi_range: -1000 to 1000, expected .*, the cells of hexhex-2' komi --size 2 --komi-range -1000:1000 --out "$work/komi.json"
refused "\-\-first-moves: 'all', expected free or each" komi --first-moves all
refused "\-\-upgrade: 'both', expected none, black or white" komi --upgrade both
refused "unrecognized option '--threads'" merge --threads 3
for hidden in 'komi --komi' 'solve --komi' 'openings --pie' 'perft --pie' 'selfplay --move-time'; do
    run ${hidden%% *} --help
    ! grep -q -e "${hidden##* }[= ]" "$work/out" || fail "$hidden is offered"
done

# The descriptions that the build uses
accepted '^complete -F' --describe bash
refused '--describe: expected man' --describe csh
refused '--describe: expected man' --describe man chess
refused '--describe: expected man' --describe

# What is not there
refused 'a command is missing'
refused "'chess' is no command, expected analyze" chess
refused "'--chess' is no option" --chess
refused "'junk'" --version junk
refused "unexpected argument 'gtp', expected none" --version gtp
refused "unexpected argument 'play', expected none" help gtp play
refused "'chess' is no command" help chess
refused "'--size' is no option before a command, expected analyze, .*, solve or truth (or --help)" --size 5 play
refused "unrecognized option '--chess'" gtp --chess
refused "unexpected argument 'junk'" gtp junk
refused "unexpected argument ''" gtp ''
refused "unexpected argument 'x'" perft --depth 1 -- x
refused "'--size' requires an argument" bench --size
refused "'--json' doesn't allow an argument" bench --json=yes
refused 'ambiguous' gtp --s 3

# Values
for size in 0 1 11 -3 x '' ' 5' 5x 0x5 +5 5.0 1e1 99999999999999999999; do
    refused '--size: .*, expected a whole number from 2 to 10' gtp "--size=$size"
done
for komi in 62 -62 2.5 x '' 1e1 99999999999999999999; do
    refused '--komi: .*, expected a whole number from -61 to 61' bench "--komi=$komi"
done
refused '--komi: .*-7 to 7' perft --size 2 --komi 8 --depth 1
refused "--komi: '1', expected 0, for sgolte has no points" bench --game sgolte --komi 1
refused "--capture: 'lines', expected free or line" bench --game sgolte --capture lines
refused "--pie: '', expected off or on" gtp --game sgolte --pie ''
refused 'capture: stigmergy has no such option' gtp --capture line
refused 'pie: stigmergy is played without the swap' gtp --pie on
refused '--pie: .*expected off' perft --game sgolte --pie on --depth 1
refused 'size: 8 is not a board of sgolte, expected 2 to 7' bench --game sgolte --size 8
refused '--threads: .*1 to 256' gtp --threads 0
refused '--threads: .*1 to 256' bench --threads 257
refused '--sims: .*expected' gtp --sims 0
refused '--sims: .*expected' gtp --sims -5
refused '--move-time: .*expected' gtp --move-time 0
refused '--move-time: .*expected' gtp --move-time nan
refused '--move-time: .*expected' gtp --move-time 1s
refused '--memory: .*expected' gtp --memory 0
refused '--seed: .*expected' gtp --seed -1
refused '--seed: .*expected' gtp --seed 18446744073709551616
refused '--resign: .*from 0 to 1' gtp --resign 2
refused '--seconds: .*expected' bench --seconds 0
refused "'chess' is not known, expected stigmergy" bench --game chess
refused "'chess'.*expected plain" bench --kernel chess
refused 'nosuchplayer' gtp --player nosuchplayer
refused "'gtp:foo': programs can play only in .stigmergy match., expected a description" gtp --player gtp:foo
echo 'komi 1' >"$work/in"
accepted '^=' gtp --size 2 --player ' {"name": "a"}'
refused 'it needs --vertices rules' gtp --vertices gogui --game bug
refused '--depth' perft
refused '--depth: .*1 to 1000' perft --depth 0
printf '{"simulations": -1}' >"$work/player.json"
refused 'simulations' gtp --player "$work/player.json"
printf '{"simulations": 1' >"$work/player.json"
refused 'player.json' gtp --player "$work/player.json"

# perft
accepted '^4 624$' perft --size 2 --depth 4
accepted '^2 56$' perft --size 2 --komi 1 --depth 2
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "perft prints a line per depth"
accepted '^5 2160$' perft --game sgolte --size 2 --depth 5
accepted '^3 5814$' perft --game sgolte --size 3 --depth 3 --capture line --pie off

# bug
accepted '^3 13002$' perft --game bug --size 3 --depth 3
accepted '"moves_per_second"' bench --game bug --json --size 4 --seconds 0.01 --memory 16
accepted '^plain ' bench --game bug --kernels --size 7 --seconds 0.01
refused 'size: 8 is not a board of bug, expected 2 to 7' perft --game bug --size 8 --depth 1
refused "--komi: '1', expected 0, for bug has no points" bench --game bug --size 4 --komi 1
refused 'bug is played without komi; see `stigmergy openings`' komi --game bug --size 4 --out "$work/bug.json"
printf 'play b c4\nplay w c3,c2\ngenmove b\nplay w c3\nfinal_score\n' >"$work/in"
accepted '^? illegal move: c3: ' gtp --game bug --size 3 --sims 10 --memory 1
grep -q '^? the game is not over' "$work/out" || fail "gtp: final_score of an unfinished game of bug"
printf 'play b c4\nplay w swap\nplay w a1\n' >"$work/in"
accepted '^= *$' gtp --game bug --size 3 --pie on --memory 1
! grep -q '^?' "$work/out" || fail "gtp: the swap of bug"

# book
accepted '--sgf=FILE' book --help
refused '--out is missing' book --size 3
refused '--komi: .*expected --parity' book --size 3 --komi 3 --out "$work/book.json"
refused "--parity: 'all', expected both, even or odd" book --parity all --out "$work/book.json"
refused 'bug is played without komi, expected one with points' book --game bug --size 3 --out "$work/book.json"
refused 'it plays the same game from a position each time' book --size 3 --player '{"draw": 0}' --out "$work/book.json"
refused "--sgf: '-' is standard output" book --size 3 --sgf - --out "$work/book.json"
refused '--sgf: a shard has a part of the games, expected no --sgf' book --size 3 --sgf "$work/book.sgf" \
    --out "$work/book.json" --shard 0/2
refused '--sims and --move-time exclude' book --sims 3 --move-time 1 --out "$work/book.json"
refused '--nodes: .*1 to 10000000' book --nodes 0 --out "$work/book.json"
printf '{"size": 2, "parity": "none"}' >"$work/config.json"
refused "'parity' is wrong: 'none', expected both, even or odd" book --config "$work/config.json" --out "$work/book.json"
printf '{"size": 2, "player": {"network": "none", "memory_mb": 1}, "simulations": 5, "games": 20, "solver_nodes": 0}' >"$work/config.json"
for games in 20 30; do
    run book --config "$work/config.json" --out "$work/book.json" --sgf "$work/book.sgf" --games $games
    [ $status -eq 0 ] && tail -n 1 "$work/out" | grep -q "records.jsonl, the SGF is in $work/book.sgf.$" && grep -q '^Fair komi of stigmergy on hexhex-2, by an opening book' "$work/out" ||
        fail "book --games $games (status $status)"
    grep -q '^stigmergy, hexhex-2, even komi: ' "$work/err" && grep -q ', odd komi: ' "$work/err" ||
        fail "book --games $games: what a group is"
done
[ "$(wc -l <"$work/book.records.jsonl")" -eq 60 ] || fail "book: another number of games"
[ "$(grep -c 'GM\[stigmergy\]' "$work/book.sgf")" -eq 2 ] || fail "book: another SGF than of two books"
run estimate "$work/book.json" --sgf "$work/again.sgf"
[ $status -eq 0 ] && cmp -s "$work/book.sgf" "$work/again.sgf" || fail "estimate --sgf: another SGF than that of book (status $status)"
refused "--sgf: '-' is standard output" estimate "$work/book.json" --sgf -
for name in book.json book.records.jsonl again.json; do
    refused "--sgf: $work/$name: the command needs this file itself" estimate "$work/book.json" --sgf "$work/$name" --out "$work/again.json"
done
refused "'leaf_games' is .* there" book --config "$work/config.json" --out "$work/book.json" --leaf-games 3
refused "'player.network' is \"none\" there" book --config "$work/config.json" \
    --out "$work/book.json" --player '{"search": {"considered": 3}}'
for run in book empty; do # one whose files are there, and one whose are not
    for name in $run.json ./$run.json $run.records.jsonl ./$run.records.jsonl.zst; do
        refused "--sgf: $work/$name: the command needs this file itself" book --config "$work/config.json" \
            --out "$work/$run.json" --sgf "$work/$name"
    done
done
refused 'no/folder.sgf: cannot write: No such file' book --config "$work/config.json" --out "$work/empty.json" --sgf "$work/no/folder.sgf"
[ ! -e "$work/empty.json" ] && [ "$(wc -l <"$work/book.records.jsonl")" -eq 60 ] || fail "book: a refused --sgf changed files"
accepted 'in all: at most about' book --size 3 --sims 5 --dry-run # the solver may decide it
accepted 'in all: about' book --size 3 --sims 5 --solver-nodes 0 --dry-run
accepted 'in all: at most about' book --size 3 --sims 5 --solver-nodes 0 --until-width 3 --dry-run

# What a run costs: searches that end early, because the solver has decided, count as they are
accepted '^  10 simulations a move: ' komi --size 2 --ladder '5, 10' --dry-run
accepted '^  10 simulations a move: at most 500 games' komi --size 2 --ladder '5, 10' --games 500 --until-width 3 --dry-run
grep -q 'in all: at most about' "$work/out" || fail "komi --until-width --dry-run: the sum"
accepted 'in all: about' komi --size 3 --sims 800 --dry-run
words=$(sed -n 's/.* about \([0-9]*\) moves. A game costs as much as \([0-9]*\)$/\1 \2/p' "$work/out")
[ "${words% *}" -gt "$((2 * ${words#* }))" ] || fail "komi --dry-run: moves and full searches '$words'"
# and the upgrade of a side counts: 10 s and 40 s a move
accepted 'in all: about' komi --size 5 --move-time 10 --upgrade white --player '{"network": "none"}' --dry-run
words=$(sed -n 's/.*as much as \([0-9]*\)$/\1/p; s/.* games of \([0-9]*\)\..* s$/\1/p' "$work/out" | tr '\n' ' ')
searches=${words%% *} seconds=${words#* }
[ "$((seconds))" -gt "$((24 * searches))" ] || fail "komi --dry-run --upgrade: full searches and seconds '$words'"

# Games of other rungs stay, and the program says so
run komi --size 2 --ladder 2,4 --games 10 --out "$work/rungs.json"
run komi --size 2 --sims 4 --games 10 --out "$work/rungs.json"
grep -q "10 games have another number of simulations (such as game 2-[0-9]*); they stay in .*, but $work/rungs.json leaves" "$work/err" ||
    fail "komi: games of other rungs"
results=$(dirname "$0")/../../../selfplay/results
accepted 'no whole komi is fair (at [0-9]*.* Black wins' estimate "$results/hexhex-3.json"
accepted 'c3 *(4, 5), the best first move with 100%' estimate "$results/hexhex-3.json"
# Another way to estimate a curve is named where it disagrees, with what it says: on hexhex-4 isotonic regression, odd komi
run estimate "$results/hexhex-4.json" --out "$work/checks.json"
grep -A1 'odd with button    5\.21 ' "$work/out" | grep -q '  outside the interval: 5\.6[0-9], by centred isotonic regression$' ||
    fail "estimate: the checks that disagree"
accepted 'last step  *-*0\.[0-9]* *95% interval' estimate "$results/hexhex-4.json"
accepted 'from the others  *-*0\.[0-9]* *95% interval .*[0-9]\]$' estimate "$results/hexhex-4.json"
sed -n '/another family/,/changes,/p' "$work/out" | grep -q 'outside the interval' &&
    fail "estimate: of the second family no checks are known"
accepted 'from the others .*(beyond 0.75)' estimate "$results/hexhex-4-no-network.json" --second "$results/hexhex-4-version-0.12.json"

# Games that are there need not be played again
run komi --size 2 --sims 2 --games 32 --out "$work/begun.json"
accepted '^  2 simulations a move: 8 games of .*; 32 more are there$' komi --size 2 --ladder 2,8 --games 40 --dry-run --out "$work/begun.json"
grep -q '^  8 simulations a move: 40 games of [0-9.]* s: [0-9]* s$' "$work/out" || fail "komi --dry-run: a rung without games"
zstd -q --rm "$work/begun.records.jsonl"
accepted '^  8 games of .*; 32 more are there$' komi --size 2 --sims 2 --games 40 --dry-run --out "$work/begun.json"
for options in '--games 32' '--games 10' '--games 99 --until-width 1000'; do # which ends a run after a round
    accepted '^The run is finished with 32 games: nothing is left to play.$' \
        komi --size 2 --sims 2 $options --dry-run --out "$work/begun.json"
done
refused "begun.json: belongs to another run: 'seed'" komi --size 2 --sims 2 --seed 2 --dry-run --out "$work/begun.json"
accepted '^  30 games of [0-9.]* s$' komi --size 2 --sims 2 --games 30 --dry-run --out "$work/nothing.json"
accepted '^  40 games of .*; 60 more are there$' book --config "$work/config.json" --games 50 --dry-run --out "$work/book.json"
for options in 'komi' 'book' 'openings' 'match --player default --player level-1'; do
    for shard in '--shard 0/2' '--shard 0 --shards 2'; do
        refused '--dry-run: says what the whole run costs, expected no --shard' $options --size 2 --sims 2 --dry-run $shard
    done
done
# What the run would refuse because of what is there, --dry-run refuses
accepted 'in all: about' komi --size 2 --sims 3 --games 40 --dry-run --out "$work/begun.json" # other efforts have games
: >"$work/emptied.records.jsonl"
echo '{' >"$work/damaged.json"
for dry in '--dry-run' ''; do
    cp "$work/begun.json" "$work/emptied.json"
    refused 'emptied.records.jsonl: is missing or empty, but .*emptied.json counts 32 games' \
        komi --size 2 --sims 2 --games 40 --out "$work/emptied.json" $dry
    refused 'damaged.json: .*is not valid JSON' komi --size 2 --sims 2 --games 40 --out "$work/damaged.json" $dry
done
rm "$work/emptied"* "$work/damaged"*
ls "$work" | grep -q 'nothing\|begun.*jsonl$' && fail "--dry-run leaves files"

# openings
accepted '--until-probability=P' openings --help
refused '--out is missing' openings --game bug --size 3
refused '--pie: .*expected off' openings --game bug --size 3 --pie on --out "$work/openings.json"
refused "komi: '1000', expected a whole number from -19 to 19" openings --size 3 --komi 1000 --out "$work/openings.json"
refused 'komi: 20 on hexhex-3, expected a whole number from -19 to 19' openings --size 3 --komi 20 --out "$work/openings.json"
refused 'komi: 1 on hexhex-3, expected 0, for sgolte has no points' openings --game sgolte --size 3 --komi 1 --out "$work/openings.json"
refused '--sims and --move-time exclude' openings --sims 3 --move-time 1 --out "$work/openings.json"
refused '--until-probability: .*0 to 1' openings --until-probability 2 --out "$work/openings.json"
refused 'size: 8 is not a board of bug' openings --game bug --size 8 --out "$work/openings.json"
refused 'nosuchconfig' openings --config nosuchconfig --out "$work/openings.json"
printf '{"simulations": 5, "move_time": 1}' >"$work/config.json"
refused "'move_time' is wrong: it and 'simulations' exclude" openings --config "$work/config.json" --out "$work/openings.json"
printf '{"game": "sgolte", "capture": "lines"}' >"$work/config.json"
refused "'capture' is wrong: 'lines', expected free or line" openings --config "$work/config.json" --out "$work/openings.json"
printf '{"game": "sgolte", "size": 2, "capture": "line", "simulations": 3, "games": 12}' >"$work/config.json"
for games in 12 20; do
    run openings --config "$work/config.json" --out "$work/openings.json" --games $games
    [ $status -eq 0 ] && grep -q '^The fairest first move is' "$work/out" || fail "openings --games $games (status $status)"
    grep -q '^sgolte, hexhex-2, 3 simulations a move: ' "$work/err" || fail "openings --games $games: what a group is"
done
run openings --game bug --size 2 --sims 20 --games 40 --out "$work/unfair.json" # the first player loses every game
grep -q 'But no first move is fair: none' "$work/out" || fail "openings: no first move is fair (status $status)"
[ "$(wc -l <"$work/openings.records.jsonl")" -eq 20 ] || fail "openings: another number of games"
refused "'capture' is .*line.* there" openings --config "$work/config.json" --out "$work/openings.json" --capture free
accepted 'in all: about' openings --game bug --size 3 --sims 5 --dry-run
accepted 'in all: at most about' openings --game bug --size 3 --sims 5 --until-probability 0.9 --dry-run

# match
accepted '--sprt=ELO0,ELO1' match --help
out="--out $work/match.json"
refused 'players: 0, expected two or more' match $out
refused 'players: 1, expected two or more' match $out --player default
refused 'nosuchplayer' match $out --player default --player nosuchplayer
refused '--out is missing' match --player default --player default
refused "'5,0', expected ELO0 below ELO1" match $out --player default --player default --sprt 5,0
refused "'5', expected ELO0,ELO1" match $out --player default --player default --sprt 5
refused 'expected two' match $out --player default --player default --player default --sprt 0,5
refused '--games: .*expected' match $out --player default --player default --games 0
refused 'even number' match $out --player default --player default --games 5
refused "'half'.*'auto'" match $out --player default --player default --komi half
refused 'komi: 62 on hexhex-5, expected a whole number from -61 to 61' match $out --player default --player default --komi 62
refused '--openings: .*empty, first, second.*0 to 20' match $out --player default --player default --openings 21
refused "'third', expected empty" match $out --player default --player default --openings third
refused '--opening-limit: .*0.5 to 1' match $out --player default --player default --opening-limit 0.4
refused "unknown key 'rave'" match $out --player default --player '{"rave": 3}'
refused 'not valid JSON' match $out --player default --player '{'
refused 'no such command' match $out --player default --player gtp:/no/such/engine
# Documents can be read by others: they are UTF-8
printf '{"name": "M\374ller"}\n' >"$work/latin.json"
refused 'latin.json: line 1 is not UTF-8' match $out --player default --player "$work/latin.json" --size 2 --sims 1 --games 2
refused '--player: is not UTF-8' match $out --player default --player "$(cat "$work/latin.json")" --size 2 --sims 1 --games 2
refused '--player: .* engine is not UTF-8' match $out --player default --player "gtp:$(printf '/m\374ller')"
printf '{"games": 2, "creator": "M\374ller"}' >"$work/latin.json"
refused 'latin.json: is not UTF-8' selfplay --size 2 --sims 1 --config "$work/latin.json" --out "$work/latin"
latin="$work/$(printf 'M\374ller')"
if mkdir "$latin" 2>/dev/null; then # not every file system has such names
    run selfplay --size 2 --sims 1 --games 2 --out "$latin/set"
    python3 -c 'import json, sys; [json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]]' \
        "$latin/set/run.json" "$latin/set/manifest.json" || fail "a folder that is not UTF-8 (status $status)"
fi
program=$binary binary=$work/no-children # whoever starts the program may have the end of children ignored
printf '#!/bin/sh\nexec env --ignore-signal=CHLD "%s" "$@"\n' "$program" >"$binary"
chmod +x "$binary"
refused 'ended with status 3' match $out --player default --player 'gtp:exit 3'
binary=$program
refused 'choose another komi' match $out --player default --player default --size 3 --komi 19
refused 'nosuchmatch' match $out --config nosuchmatch
# Two players without chance repeat their pairs, which are worth less then; with drawn moves all pairs count.
worth_of() { # worth_of DRAW: as many pairs as 20 are worth between players that draw their moves, or do not (0)
    rm -f "$work"/match.*
    run match $out --size 3 --komi 4 --openings 1 --games 40 --player '{"name": "a", "simulations": 4, "draw": '"$1"'}' \
        --player '{"name": "b", "simulations": 8, "draw": '"$1"'}'
    sed -n 's/.*"effective_pairs"[^0-9]*\([0-9]*\).*/\1/p' "$work/match.json"
}
[ "$(worth_of 1)" = 20 ] || fail 'pairs of players that draw'
[ "$(worth_of 0)" -lt 12 ] || fail 'equal pairs of players without chance'
# Nor has an external engine a chance of its own that is known: Stigmergy by GTP plays as it does here.
rm -f "$work"/match.*
run match $out --size 3 --komi 4 --openings 1 --games 40 --player '{"name": "b", "simulations": 8, "draw": 0}' \
    --player '{"name": "a", "gtp": "'"'$binary'"' gtp --sims 4 --memory 1"}' --allow-programs
[ "$(sed -n 's/.*"effective_pairs"[^0-9]*\([0-9]*\).*/\1/p' "$work/match.json")" -lt 12 ] || fail 'equal pairs with an engine'
# A report counts the games before the verdict of a test, and no others: twice, by length and by margin
rm -f "$work"/match.*
for test in '' '--sprt 0,400'; do
    run match $out --size 3 --komi 0 --games 60 --sims 20 --memory 1 --player '{"name": "a"}' \
        --player '{"name": "b", "network": "none", "simulations": 1}' $test
done
games=$(sed -n 's/^	"games":	\([0-9]*\),$/\1/p' "$work/match.json")
run report --out "$work/match.html" "$work/match.json"
shown=$(grep -o '<title>[-0-9]*\( to [-0-9]*\)\{0,1\}: [0-9]* games\{0,1\}</title>' "$work/match.html" | awk '{sum += $(NF-1)} END {print sum + 0}')
[ "$games" -lt 60 ] && [ "$shown" -eq $((2 * games)) ] || fail "report of a test: $shown in two histograms, of $games games"
# After a swap colours say nothing
rm -f "$work"/match.*
run match $out --game sgolte --size 3 --games 4 --sims 4 --memory 1 --player default --player level-1
[ $status -eq 0 ] && grep -q 'wins [0-2] of 2 as the first player, [0-2] of 2 as the second' "$work/out" ||
    fail "match with the swap (status $status)"
rm -f "$work"/match.*
run match --out "$work/no/folder.json" --player default --player default --size 3
[ $status -eq 2 ] && grep -q "no/folder" "$work/err" || fail "match into a folder that is not there"
random="gtp:/usr/bin/env python3 '$(cd "$(dirname "$0")/../../support" && pwd)/random_engine.py' '$binary' 7"
run match $out --size 3 --games 12 --sims 100 --komi auto --player default --player "$random"
[ $status -eq 0 ] && grep -q 'default  .* wins 6 of 6 as Black, 6 of 6 as White' "$work/out" ||
    fail "match against a random mover (status $status)"
grep -q '^  default is stronger$' "$work/out" || fail "match does not say who is stronger"
# Resigned games are no failures, and an option that no player heeds is noticed
resigner="gtp:bash '$(cd "$(dirname "$0")/../../support" && pwd)/fake_engine.sh' resign"
run match --size 3 --games 4 --sims 10 --memory 1 --player "$resigner" --player "$resigner" --out "$work/resigned.json"
[ $status -eq 0 ] && grep -q '; resigned: 2$' "$work/out" && ! grep -q 'forfeited' "$work/out" && ! grep -q 'loses (' "$work/err" &&
    grep -q '^  either may be stronger: the interval contains 0$' "$work/out" || fail "a match of resigned games (status $status)"
grep -q 'warning: --sims changes nothing' "$work/err" || fail "match does not warn of --sims that no player heeds"
# A run that ends with an error keeps what its games took
broken="gtp:bash '$(cd "$(dirname "$0")/../../support" && pwd)/fake_engine.sh' exit"
for shard in '' '--shard 0/1'; do
    run match --size 3 --komi auto --games 20 --sims 10 --memory 1 --threads 1 --restarts 1 $shard \
        --player level-1 --player "$broken" --out "$work/broken.json"
    [ $status -eq 1 ] && grep -q 'broke down in 2 games in a row' "$work/err" &&
        grep -q '"moves":	[1-9]' "$work/broken${shard:+.shard-0-of-1}.json" ||
        fail "match that ends with an error${shard:+, $shard} (status $status)"
done
players="--player default --player level-1 --player level-2"
accepted '^  default  *its moves in 20 games, [0-9.]* s in each: [0-9]* s$' match --size 2 --sims 4 --memory 1 --games 10 $players --dry-run
grep -q ' 0 games are there:$' "$work/out" && grep -q 'in all: about' "$work/out" || fail "match --dry-run"
run match --size 3 --komi auto --sims 4 --memory 1 --games 4 $players --out "$work/three.json"
accepted ' 12 games are there:$' match --size 3 --komi auto --sims 4 --memory 1 --games 10 $players --dry-run --out "$work/three.json"
[ "$(grep -c '^  .* its moves in 12 games, ' "$work/out")" -eq 3 ] || fail "match --dry-run: games that are there"
accepted '^The run is finished with 12 games' match --size 3 --komi auto --sims 4 --memory 1 --games 4 $players --dry-run --out "$work/three.json"
# Pairings that an interrupted match left unlike far: some are further than --games
three="match --size 3 --komi auto --sims 4 --memory 1 $players --out $work/unlike.json"
run $three --games 10
sed -n -i '1,24p' "$work/unlike.records.jsonl" # 10, 10 and 4 games
rm "$work/unlike.json"
accepted '^  default  *its moves in 0 games, ' $three --games 6 --dry-run
[ "$(grep -c ' its moves in 2 games, ' "$work/out")" -eq 2 ] || fail "match --dry-run: pairings that are ahead"
accepted '^  beginner  *its moves in 6 games, ' $three --games 10 --dry-run
# What is wrong with the document is said, as the match would say it
echo '{' >"$work/unlike.json"
run $three --games 10 --dry-run
[ $status -eq 0 ] && grep -q 'stigmergy match: .*unlike.json: ' "$work/err" && grep -q ' 24 games are there:$' "$work/out" &&
    [ "$(cat "$work/unlike.json")" = '{' ] || fail "match --dry-run beside a damaged document (status $status)"
refused "three.json: belongs to another run: 'seed'" match --size 3 --komi auto --sims 4 --memory 1 --seed 2 $players --dry-run --out "$work/three.json"
refused "--dry-run: player 'gtp:.*' is a program" match --player default --player "$random" --dry-run
refused '--dry-run: a test without --games' match --player default --player level-1 --sprt 0,5 --dry-run
test="match --player default --player level-1 --size 2 --sims 4 --memory 1"
accepted 'its moves in at most 6 games' $test --sprt 0,5 --games 6 --dry-run
grep -q 'in all: at most about' "$work/out" || fail "match --sprt --dry-run: the sum"
test="match --player default --player level-1 --size 3 --komi auto --sims 4 --memory 1 --sprt=-1000,1000 --out $work/verdict.json"
run $test
[ $status -eq 0 ] && grep -q ' accepted (the Elo above lies too far out: ' "$work/out" || fail "match --sprt without a verdict (status $status)"
accepted '^The run is finished with [1-9][0-9]* games: nothing is left to play.$' $test --dry-run
accepted '^The run is finished with [1-9][0-9]* games: nothing is left to play.$' $test --games 1000 --dry-run
# The effort of --config is that of the players of --player, too; options override it
echo '{"size": 3, "komi": "auto", "simulations": 5, "memory_mb": 1, "games": 2}' >"$work/effort.json"
test="match --config $work/effort.json --player level-1 --player level-2"
options=
for simulations in 5 6; do
    run $test $options --out "$work/effort-$simulations.json"
    [ $status -eq 0 ] && [ "$(grep -c '"memory_mb":	1,' "$work/effort-$simulations.json")" -ge 2 ] &&
        [ "$(grep -c "\"simulations\":	$simulations," "$work/effort-$simulations.json")" -ge 2 ] ||
        fail "match --config with an effort, and --player${options:+ $options} (status $status)"
    options='--sims 6'
done

# What --out names
mkfifo "$work/fifo"
ln -s fifo "$work/link"
for name in fifo link; do
    cat "$work/fifo" >"$work/piped" &
    run solve --game bug --size 2 --memory 16 --out "$work/$name"
    wait $!
    [ $status -eq 0 ] && [ -p "$work/fifo" ] && grep -q '"stigmergy-solve"' "$work/piped" || fail "solve into a $name"
done
for command in 'solve --game bug --size 2 --memory 16' 'truth --size 2 --sims 1 --count 2' 'komi --size 2' \
    'book --size 2' 'openings --size 2' 'match --size 2 --player level-1 --player level-2' 'komi --size 2 --shard 0/2'; do
    refused 'no/folder\(.shard-0-of-2\)\?.json: cannot write: No such file' $command --out "$work/no/folder.json"
done
timeout 20 "$binary" truth --make "$work/no/folder.jsonl" --size 5 --games 1000000 >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'no/folder.jsonl: cannot write: No such file' "$work/err" || fail "truth --make works before it looks"
if unshare --map-root-user --mount true 2>/dev/null; then # a file that is mounted alone, as containers do it
    touch "$work/mounted" "$work/source"
    timeout 20 unshare --map-root-user --mount sh -c 'mount --bind "$1" "$2" && exec "$3" truth --make "$2" --size 5 \
        --games 1000000' sh "$work/source" "$work/mounted" "$binary" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'mounted: cannot write: Device or resource busy' "$work/err" ||
        fail "a file that cannot be replaced is found after the work: $(cat "$work/err")"
fi
"$binary" truth --make "$work/never.jsonl" --size 5 --games 1000000 --threads 4 >"$work/out" 2>"$work/err" &
pid=$!
stop_run INT $pid 0.3
wait $pid
[ $? -eq 130 ] && ! ls "$work" | grep -q never || fail "truth --make that was stopped leaves a file"
for name in - /dev/fd/1 "$work/fifo" "$work/link"; do
    refused "$name: is standard output, a device or a pipe, expected a file" komi --size 2 --out "$name"
done
for command in 'komi --size 2' selfplay 'book --size 2' 'openings --size 2' 'match --player level-1 --player level-2'; do
    refused 'ends as files of games do' $command --out "$work/never.records.jsonl"
done
refused 'ends as files of games do' merge "$work/never.records.jsonl" "$work/komi.json"
for name in - /dev/null /dev/stdout; do
    refused 'a device or a pipe' merge "$name" "$work/komi.json"
    for command in selfplay 'book --size 2' 'openings --size 2' 'match --player level-1 --player level-2 --size 2'; do
        refused 'a device or a pipe' $command --out "$name"
    done
done
accepted '"stigmergy-solve"' solve --game bug --size 2 --memory 16 --out -
grep -q '^value' "$work/out" && fail "solve --out -: text beside the document"
accepted '"stigmergy-truth"' truth --size 2 --sims 1 --count 2 --out -
accepted '"memory_mb":	3,$' truth --size 2 --sims 1 --count 2 --memory 3 --out - # the option reaches the player
for name in /dev/fd/1 /dev/stdout; do
    "$binary" solve --game bug --size 2 --memory 16 --out "$name" 2>"$work/err" | cat >"$work/out"
    [ ! -s "$work/err" ] && grep -q '"stigmergy-solve"' "$work/out" || fail "solve --out $name into a pipe"
    [ -L /dev/stdout ] || fail "solve --out $name has replaced /dev/stdout"
done
[ ! -e "$work/-" ] && [ ! -e ./- ] || fail "--out - made a file"
grep -q __tsan_init "$binary" || ( # ThreadSanitizer does not run with a limit of file sizes
    ulimit -f 8                    # 4 KB: clang's OpenMP keeps a file of 1 KB in shared memory
    run komi --size 3 --sims 2 --games 100 --out "$work/large.json"
    [ $status -eq 1 ] && tail -n 1 "$work/err" | grep -q 'large.*: cannot write: File too large' || fail "ulimit -f: status $status"
    [ $failures -eq 0 ]
) || failures=$((failures + 1))
ls "$work" | grep -q 'large.*tmp' && fail "ulimit -f: a temporary file is left"
rm -f "$work"/large.*

# What another run has made is not lost, by whatever command and path; anything else is replaced
(
    mkdir "$work/others"
    cd "$work/others" || exit 1
    lost='which would be lost; choose another name'
    book='book --size 2 --sims 2 --games 2 --out b.json --sgf'
    make='truth --size 2 --turns 1 --sims 1 --memory 1 --make'
    run komi --size 2 --sims 2 --games 4 --out komi.json
    run solve --game bug --size 2 --memory 16 --out solve.json
    run truth --size 2 --sims 1 --count 2 --out truth.json
    run $make made.jsonl.zst
    run selfplay --size 2 --sims 4 --games 2 --memory 4 --out set
    mkdir elsewhere
    zstd -q komi.records.jsonl
    cp komi.records.jsonl elsewhere/games
    cp komi.json elsewhere/page
    ln -s elsewhere/games linked.records.jsonl
    ln -s komi.records.jsonl to-games
    ln -s elsewhere/page page.html
    find . -type f | sort | xargs sha256sum >../before
    for name in komi.records.jsonl komi.records.jsonl.zst linked.records.jsonl to-games; do
        for command in 'solve --size 2 --memory 16 --out' 'truth --size 2 --count 1 --sims 1 --out' "$make" "$book" \
            'report solve.json --out' 'openings --size 2 --sims 2 --games 2 --out'; do
            refused "$name: has the games of a run, $lost" $command "$name"
        done
    done
    for command in 'solve --size 2 --memory 16 --out' 'truth --size 2 --count 1 --sims 1 --out' "$make" "$book" \
        'report solve.json --out' 'openings --size 2 --sims 2 --games 2 --out'; do
        refused "page.html: is a result of komi, $lost" $command page.html
        [ "${command##*report*}" ] || continue # takes no such name
        refused "komi.json: is a result of komi, $lost" $command komi.json
        refused "set/run.json: is the document of a data set, $lost" $command set/run.json
        refused "set/manifest.json: is the manifest of a data set, $lost" $command set/manifest.json
        refused "set/croissant.json: is a file of a data set, $lost" $command set/croissant.json
    done
    refused "solve.json: is a result of solve, $lost" truth --size 2 --count 1 --sims 1 --out solve.json
    refused "solve.json: is a result of solve, $lost" estimate komi.json --out solve.json
    refused "truth.json: is a result of truth, $lost" solve --size 2 --memory 16 --out truth.json
    refused "made.jsonl.zst: is a file of positions of known value, $lost" solve --size 2 --memory 16 --out made.jsonl.zst
    for name in set/README.md set/../set/README.md set/records/*.zst set/shards/*; do
        refused "$name: is a file of a data set, $lost" $book "$name"
    done
    for name in komi.json komi.records.jsonl set/README.md; do
        printf 'printsgf %s\nplay b a1\n' $name >../in
        accepted "^? $name: .*, $lost" gtp --size 2
        printf 'a1\nsave %s\n' $name >../in
        accepted "^$name: .*, $lost" play --size 2 --side both
    done
    find . -type f | sort | xargs sha256sum | cmp -s - ../before || fail "a file of another run was changed, or one is new"
    rm -r ./b.*json* to-games page.html 2>/dev/null
    echo '{"a": 1}' >json
    echo '{' >damaged
    echo text >text.zst
    : >empty
    for name in json damaged text.zst empty truth.json; do
        run truth --size 2 --count 1 --sims 1 --out $name
        [ $status -eq 0 ] && grep -q stigmergy-truth $name || fail "truth --out $name (status $status)"
    done
    run $make made.jsonl.zst
    [ $status -eq 0 ] || fail "positions are made again (status $status)"
    # A run that is refused leaves nothing
    echo text >note.json
    refused 'note.json: .*is not valid JSON' komi --size 2 --games 2 --sims 1 --out note.json
    refused 'note.json: .*is not valid JSON' komi --size 2 --games 2 --sims 1 --out note.json --shard 0/2
    [ "$(ls | grep -c note)" -eq 1 ] && [ "$(cat note.json)" = text ] || fail "a run that was refused left files: $(ls)"
    [ $failures -eq 0 ]
) || failures=$((failures + 1))
rm -rf "$work/others" "$work/before"

# A name that is empty, or that of a folder
for options in 'komi --out' 'komi --config' 'solve --out' 'play --load' 'truth --make' 'report --out' 'gtp --player' \
    'selfplay --check' 'selfplay --from' 'estimate a.json --second'; do
    refused "${options##* }: is empty, expected " $options ''
done
refused '--out: is empty, expected a file name' komi --out=
for options in merge 'merge a.json' report 'report --' estimate; do
    refused "'': is empty, expected a file name" $options ''
done
refused "'nowhere/': is the path of a folder, expected a file name" komi --size 2 --out nowhere/
refused "'nowhere/': is the path of a folder, expected a file name" merge nowhere/ a.json

# A link into a folder that is not there: no games are kept beside it
ln -s missing/run.json "$work/lost.json"
refused 'lost.json: cannot write: No such file' komi --size 2 --sims 2 --games 4 --out "$work/lost.json"
[ ! -e "$work/lost.records.jsonl" ] || fail "komi into a folder that is not there, by a link"

# Where a protocol or a conversation uses standard output, it takes no document
(
    cd "$work" || exit 1
    printf 'printsgf -\n' >in
    accepted "^? '-' is standard output, expected a file" gtp --size 2
    printf 'a1\nsave -\n' >in
    accepted "^'-' is standard output, expected a file" play --size 2 --side both
    refused "'-' is standard output, expected a file" serve --port 0 --token-file -
    [ ! -e - ] || fail "a file of the name -"
    [ $failures -eq 0 ]
) || failures=$((failures + 1))

# A FIFO as input: nobody waits for its writer
for options in "report --out $work/page.html" 'estimate' 'play --load' 'serve --port 0 --token-file' 'serve --port 0 --book' 'komi --dry-run --config' \
    'gtp --player' 'truth --positions'; do
    refused 'fifo: expected a regular file' $options "$work/fifo"
done
refused 'fifo: expected a regular file' merge "$work/komi.json" "$work/fifo"

# Standard input that cannot be read
"$binary" play --size 2 <"$work" >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 1 ] && grep -q 'stigmergy play: cannot read standard input: Is a directory' "$work/err" ||
    fail "play from a folder (status $status)"

# A finished run, estimated again, from packed games too
refused 'no result is named' estimate
refused "'b.json': expected one RESULT.json" estimate a.json b.json
refused 'none.json: cannot read' estimate "$work/none.json"
run komi --size 2 --sims 2 --games 20 --out "$work/again.json"
sed '$d' "$work/out" >"$work/said" # without the line that names the files
run estimate "$work/again.json"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/said" || fail "estimate says something else (status $status)"
zstd -q --rm "$work/again.records.jsonl"
accepted '"stigmergy-komi"' estimate "$work/again.json" --out -
cmp -s "$work/out" "$work/again.json" || fail "estimate --out -: another document"
run komi --size 2 --sims 2 --games 30 --out "$work/again.json"
[ $status -eq 0 ] && grep -q '20 games' "$work/err" || fail "a run with packed games (status $status)"
refused 'again.json: has no forced first moves to guess, expected a result of komi with "first_moves"' estimate "$work/again.json" --guesses-by default
refused 'holds games, expected a result document' estimate "$work/again.records.jsonl"
# A result does not replace what it is made of, by whatever path
run komi --size 2 --sims 2 --games 20 --out "$work/kept.json"
cp "$work/kept.records.jsonl" "$work/records"
ln -s kept.records.jsonl "$work/to-games"
mkdir "$work/side"
for name in kept.records.jsonl side/../kept.records.jsonl kept.records.jsonl.zst to-games; do
    for command in estimate report; do
        refused "--out: $work/$name: the command needs this file itself" $command "$work/kept.json" --out "$work/$name"
    done
done
refused 'the command needs this file itself' estimate "$work/kept.json" --second "$work/again.json" --out "$work/side/../again.json"
refused "the command needs this file itself" estimate "$work/kept.json" --second "$work/again.json" --out "$work/again.records.jsonl"
ln -s kept.json "$work/to-result"
refused 'the command needs this file itself' report "$work/again.json" "$work/kept.json" --out "$work/to-result"
# nor what says how it is made: settings, players and their networks
(
    cd "$work" || exit 1
    needed='the command needs this file itself, expected another one'
    printf '{"name": "mine", "network": "none", "simulations": 3}' | tee p.json p.records.jsonl >p.shard-0-of-2.json
    printf '{"player": "./p.json"}' >c.json
    printf '{"players": ["./p.json", "level-1"]}' >m.json
    cp "$(dirname "$binary")/../share/stigmergy/networks/stigmergy-4-5.bin" n.bin
    cp p.json described && cp c.json settings && cp n.bin weights
    mkdir mine
    for name in p.json mine/../p.json; do
        refused "--out: $name: $needed" truth --size 2 --count 2 --player ./p.json --out "$name"
        refused "--make: $name: $needed" truth --size 2 --turns 1 --player level-1 --player ./p.json --make "$name"
        refused "--sgf: $name: $needed" book --size 2 --player ./p.json --out b.json --sgf "$name"
        refused "--out: $name: $needed" estimate kept.json --guesses-by ./p.json --out "$name"
    done
    for command in book komi openings 'match --player level-1'; do
        refused "--out: p.json: $needed" $command --size 2 --player ./p.json --out p.json
    done
    refused "--out: p.records.jsonl: $needed" komi --size 2 --player ./p.records.jsonl --out p.json
    refused "--out: p.shard-0-of-2.json: $needed" komi --size 2 --player ./p.shard-0-of-2.json --out p.json --shard 0/2
    for name in c p; do
        refused "--out: $name.json: $needed" komi --size 2 --config ./c.json --out $name.json
        refused "--sgf: $name.json: $needed" book --size 2 --config ./c.json --out b.json --sgf $name.json
    done
    refused "--out: p.json: $needed" match --size 2 --config ./m.json --out p.json
    echo '"./s.json"' >s.json # which is no description
    refused 's.json: expected a JSON object' estimate kept.json --guesses-by ./s.json --out e.json
    refused "--out: n.bin: $needed" truth --size 2 --count 2 --player '{"network": "n.bin"}' --out n.bin
    refused "--sgf: n.bin: $needed" book --size 2 --player '{"network": "./n.bin"}' --out b.json --sgf n.bin
    cmp -s p.json described && cmp -s c.json settings && cmp -s n.bin weights || fail "a description was replaced"
    # also a network that nobody names: that of the game, by its board
    cp -r "$(dirname "$binary")/../share/stigmergy" data
    export STIGMERGY_DATA=data
    network=data/networks/stigmergy-4-5.bin
    refused "--out: $network: $needed" truth --size 4 --count 2 --sims 2 --out $network
    refused "--make: $network: $needed" truth --size 4 --turns 1 --make $network
    refused "--sgf: $network: $needed" book --size 4 --player level-8 --out b.json --sgf $network
    refused "--out: $network: $needed" estimate kept.json --out $network
    refused "--out: $network: $needed" estimate book.json --guesses-by level-8 --out $network
    for command in book komi openings 'match --player level-8 --player level-8'; do
        refused "--out: $network: $needed" $command --size 4 --player level-8 --out $network
    done
    printf '{"players": ["level-7", "level-8"]}' >m.json
    refused "--out: $network: $needed" match --size 4 --config ./m.json --out $network
    unset STIGMERGY_DATA
    cmp -s $network weights && rm -r data m.json || fail "a network was replaced"
    accepted 'Stigmergy (mine, no network)' truth --size 2 --count 2 --player ./p.json --out mine/p.json # another folder's
    rm -r mine p.* [cms].json n.bin described settings weights
    [ $failures -eq 0 ]
) || failures=$((failures + 1))
refused 'no/folder.json: cannot write: No such file' estimate "$work/kept.json" --out "$work/no/folder.json"
accepted 'Fair komi' estimate "$work/kept.json" --out "$work/side/../kept.json" # in place
run komi --size 2 --sims 2 --games 10 --seed 7 --out "$work/other.json"
refused 'kept.json: is the result of another run, which would be lost' estimate "$work/other.json" --out "$work/kept.json"
rm "$work"/other.*
cmp -s "$work/kept.records.jsonl" "$work/records" || fail "games were replaced"
rm "$work"/again.records.jsonl* "$work"/to-* && rmdir "$work/side"

# A book that the solver has decided has no games
run book --size 2 --games 6 --sims 4 --threads 1 --out "$work/decided.json"
[ ! -s "$work/decided.records.jsonl" ] || fail "a decided book has games"
grep -q '^  even komi, 0 games, 1 position$' "$work/out" || fail "a decided book: the number of its positions"
sed '$d' "$work/out" >"$work/said"
run estimate "$work/decided.json"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/said" || fail "estimate of a decided book says something else (status $status)"

# Another player guesses what each first move is worth
run komi --size 2 --first-moves each --sims 2 --games 20 --player '{"network": "none"}' --out "$work/first.json"
accepted '"guesses_by"' estimate "$work/first.json" --guesses-by level-2 --out -
cp "$work/out" "$work/first.json"
accepted '"guesses_by"' estimate "$work/first.json" --out -
cmp -s "$work/out" "$work/first.json" || fail "estimate: guesses by another player are not kept"
refused "no-such-player" estimate "$work/first.json" --guesses-by no-such-player
run komi --size 2 --first-moves each --komi-range 1:1 --sims 2 --games 5 --player '{"network": "none"}' --out "$work/one.json"
grep -q '"guess"' "$work/one.json" && fail "a guess that nobody made"
refused 'one.json: has too few komi values to guess' estimate "$work/one.json" --guesses-by level-2
sed 's/"size":\([^"]*\)2/"size":\13/' "$work/first.json" >"$work/larger.json"
cp "$work/first.records.jsonl" "$work/larger.records.jsonl"
refused "larger.json: 'guess' of a first move is wrong" estimate "$work/larger.json"
refused 'its games are missing, expected .*again.records.jsonl' estimate "$work/again.json"

# What the answer of a komi run warns of
run komi --size 3 --sims 3 --games 200 --player level-1 --out "$work/low.json"
grep -q 'see --first-moves each' "$work/out" || fail "komi does not warn of free first moves"
! grep -q 'see --ladder' "$work/out" || fail "komi doubts a solved board"
grep -q 'does not contain the proved value' "$work/out" || fail "komi does not see that it contradicts a proof"
run komi --size 2 --first-moves each --sims 2 --games 10 --out "$work/each.json"
! grep -q 'see --first-moves each' "$work/out" || fail "komi --first-moves each warns of free first moves"

# A closed standard stream: no file takes its place, so messages do not go among the games
"$binary" komi --size 2 --sims 2 --games 4 --out "$work/closed.json" >"$work/out" 2>"$work/err" </dev/null
"$binary" komi --size 2 --sims 2 --games 8 --out "$work/closed.json" >"$work/out" 2>&- </dev/null ||
    fail "komi 2>&-: status $?"
accepted 'Fair komi of' estimate "$work/closed.json"
[ "$(grep -c '"id"' "$work/closed.records.jsonl")" -eq 8 ] || fail "komi 2>&-: records"
rm -f "$work"/closed.*

# The server needs files for its connections
(
    ulimit -n 40
    run serve --port 0
    [ $status -eq 1 ] && grep -q 'only 40 files may be open, expected at least 64 (ulimit -n)' "$work/err" || fail "ulimit -n: status $status"
    [ $failures -eq 0 ]
) || failures=$((failures + 1))

# The stack that threads get
OMP_STACKSIZE=16k "$binary" komi --size 2 --sims 2 --games 4 --threads 2 --out "$work/stack.json" >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 1 ] && grep -q 'OMP_STACKSIZE=16k: .* KB, expected at least 2048' "$work/err" ||
    fail "OMP_STACKSIZE: status $status"
(
    ulimit -S -s 512 # the program asks for more
    accepted 'best   b2' solve --size 2 --memory 1
    accepted 'positions of stigmergy-2' truth --size 2 --sims 1 --count 3 --threads 2
    ulimit -H -s 512 # and does not get it
    run solve --game bug --size 2 --memory 16
    [ $status -eq 1 ] && grep -q 'the stack is limited to 512 KB, expected at least 2048' "$work/err" || fail "ulimit -s: status $status"
    [ $failures -eq 0 ]
) || failures=$((failures + 1))

# Names mean installed files, and only the command line starts programs
mkdir "$work/here"
cd "$work/here" || exit 1
printf '{"name": "sly", "gtp": "touch %s/started"}' "$work" | tee level-1 >sly.json
printf '{"simulations": -1}' | tee default quick >quick.json
printf '{"players": ["default", "gtp:touch %s/started"]}' "$work" >players.json
names="--out $work/names.json"
run match $names --size 3 --games 2 --sims 2 --player level-1 --player default
[ $status -eq 0 ] || fail "names of the current folder count (status $status)"
rm -f "$work"/names.*
refused 'sly: no configuration of this name in .*; a path has a slash, as in ./sly' match $names --player sly --player default
refused "lvel-3: no configuration of this name in .*, did you mean 'level-3'?" match $names --player lvel-3 --player default
refused "siz4: no configuration of this name in .*, did you mean 'size4'?" komi --config siz4 $names
refused "player 'sly': its description starts the program .*, expected --allow-programs" match $names --player sly.json --player default
refused "player 'sly': .*, expected --allow-programs" match $names --player ./level-1 --player default
refused "player 'gtp:touch .*, expected --allow-programs" match $names --config players.json
[ ! -e "$work/started" ] || fail "a description has started a program"
refused 'does not start.*add 2>FILE to its command' match $names --allow-programs --player sly.json --player default
[ -e "$work/started" ] || fail "--allow-programs starts no program"
refused "quick.json: 'simulations'\\|quick.json: unknown key" komi --config quick.json --out "$work/quick.json"
cd - >/dev/null || exit 1
refused 'rungs.json: is a document that a command wrote, expected settings' komi --config "$work/rungs.json" --out "$work/x.json"

# A damaged document beside whole records
run komi --size 2 --sims 2 --games 10 --out "$work/damaged.json"
: >"$work/damaged.json"
run komi --size 2 --sims 2 --games 10 --out "$work/damaged.json"
[ $status -eq 0 ] && grep -q 'damaged.json: is empty; kept as .*damaged.json.damaged, and made again' "$work/err" &&
    [ -s "$work/damaged.json" ] && [ -f "$work/damaged.json.damaged" ] || fail "a damaged document (status $status)"
printf '{"schema": {"name": "stigmergy-match", "version": 1}}' >"$work/damaged.json"
refused 'damaged.json: is a result of match, which would be lost; choose another name' komi --size 2 --sims 2 --games 10 --out "$work/damaged.json"
grep -q 'stigmergy-match' "$work/damaged.json" || fail "the document of another run was overwritten"
sed '3s/"seed":"/"seed":"1/' "$work/damaged.records.jsonl" >"$work/changed.records.jsonl"
refused 'changed.records.jsonl: line 3: game 2-2: the line was changed' komi --size 2 --sims 2 --games 10 --out "$work/changed.json"

# shards and merge
accepted '--exit-code' merge --help
refused 'no file is named' merge
refused 'no shard is named' merge "$work/run.json"
refused 'run.shard-0-of-2.json: cannot read' merge "$work/run.json" "$work/run.shard-0-of-2.json"
refused "unrecognized option '--shard'" merge --shard 1
run_options="--size 2 --sims 4 --games 40 --memory 1 --out $work/run.json"
for shard in 2/2 -1/2 1 1/0 x/2 1/2/3 '' 1/100001 0x1/2; do
    refused "--shard: '$shard', expected" komi $run_options "--shard=$shard"
done
refused '--shards: .*1 to 100000' komi $run_options --shards 0
refused "'1/3', expected 2 shards" match $run_options --player default --player default --shard 1/3 --shards 2
refused 'which of the 2 shards' komi $run_options --shards 2
refused 'time: 9 seconds, expected none' komi $run_options --shard 0/2 --time 9
refused 'time: 9 seconds, expected none' match $run_options --player default --player default --shard 0/2 --time 9
run komi $run_options --shard 0/2
[ $status -eq 0 ] && grep -q '^Shard 0 of 2: all 16 games' "$work/out" || fail "komi --shard (status $status)"
cp "$work/run.shard-0-of-2.json" "$work/whole.json"
printf '{}' >"$work/run.shard-0-of-2.json"
run komi $run_options --shard 0/2
[ $status -eq 0 ] && grep -q 'shard-0-of-2.json: is not a result .*; kept as .*2.json.damaged, and made again' "$work/err" &&
    [ "$(cat "$work/run.shard-0-of-2.json.damaged")" = '{}' ] || fail "a damaged document of a shard (status $status)"
for key in hash games finished; do
    [ "$(grep "\"$key\"" "$work/run.shard-0-of-2.json")" = "$(grep "\"$key\"" "$work/whole.json")" ] ||
        fail "the document of a shard was made again, but not its '$key'"
done
sed 's/"round"/"rouns"/' "$work/whole.json" >"$work/run.shard-0-of-2.json"
run komi $run_options --shard 0/2
[ $status -eq 0 ] && grep -q "'round' is missing; kept as .*damaged-2, and made again" "$work/err" ||
    fail "a letter that was changed in the document of a shard (status $status)"
cp "$work/first.json" "$work/run.shard-0-of-2.json"
refused 'shard-0-of-2.json: is a result of komi, which would be lost' komi $run_options --shard 0/2
cmp -s "$work/first.json" "$work/run.shard-0-of-2.json" || fail "what is no document of a shard was overwritten"
cp "$work/whole.json" "$work/run.shard-0-of-2.json"
refused 'records.jsonl: holds games, expected the document of a shard' merge "$work/run.json" "$work"/run.shard-0-of-2.*
refused 'shard 1 of 2 is missing' merge "$work/run.json" "$work/run.shard-0-of-2.json"
JOB_COMPLETION_INDEX=1 "$binary" komi $run_options --shards 2 >"$work/out" 2>"$work/err"
[ $? -eq 0 ] && grep -q 'Shard 1 of 2: all 16 games' "$work/out" || fail "a shard by JOB_COMPLETION_INDEX"
run merge --exit-code "$work/run.json" "$work"/run.shard-*-of-2.json
[ $status -eq 3 ] && grep -q '^Another round of 8 games is due: run the same shards again' "$work/out" || fail "merge --exit-code (status $status)"
accepted 'were merged before' merge "$work/run.json" "$work"/run.shard-*-of-2.json
for before in 0 '0 1'; do # shards that had finished this round when more games were wanted
    extended="komi --size 2 --sims 1 --memory 1 --threads 1 --out $work/extended.json"
    for shard in $before; do
        run $extended --games 32 --shard $shard/2
    done
    for shard in 0 1; do
        run $extended --games 64 --shard $shard/2
        [ $status -eq 0 ] && grep -q "^Shard $shard of 2: all 16 games" "$work/out" || fail "a shard with more games (status $status)"
    done
    run merge --exit-code "$work/extended.json" "$work"/extended.shard-*-of-2.json
    [ $status -eq 3 ] && grep -q '^Another round of 32 games is due' "$work/out" ||
        fail "a merge of shards of which $before had finished with fewer games (status $status)"
    rm "$work"/extended.*
done
rungs="komi --size 2 --games 10 --memory 1 --out $work/left-out.json"
run $rungs --ladder 1,2
for shard in 0 1; do # shards of another rung than those of the run so far
    run $rungs --ladder 4 --shard $shard/2
    [ $status -eq 0 ] && grep -q "^Shard $shard of 2: all 5 games" "$work/out" || fail "a shard of another rung (status $status)"
done
run merge "$work/left-out.json" "$work"/left-out.shard-*-of-2.json
[ $status -eq 0 ] && [ "$(wc -l <"$work/left-out.records.jsonl")" -eq 30 ] || fail "a merge of another rung (status $status)"
spaced="$work/it's a run" # the commands that are printed can be pasted
for shard in 0 1; do
    run komi --size 2 --sims 1 --games 4 --memory 1 --out "$spaced.json" --shard $shard/2
done
command=$(sed -n 's/^When all shards are finished: stigmergy //p' "$work/out")
eval "run $command"
[ $status -eq 0 ] && grep -q '^Merged 2 shards of komi with 4 games' "$work/out" || fail "a merge as a shard prints it (status $status)"
command=$(sed -n 's/^To see the fair komi: stigmergy //p' "$work/out")
eval "run $command"
[ $status -eq 0 ] || fail "an estimate as a merge prints it (status $status)"
opening_options="--game bug --size 2 --sims 4 --games 20 --memory 1 --seed 7"
run openings $opening_options --out "$work/unshared-openings.json"
for shard in 0 1 2; do
    run openings $opening_options --out "$work/bugs.json" --shard $shard/3
    [ $status -eq 0 ] && grep -q "^Shard $shard of 3: all " "$work/out" || fail "openings --shard $shard/3 (status $status)"
done
run merge --exit-code "$work/bugs.json" "$work"/bugs.shard-*-of-3.json
[ $status -eq 0 ] && grep -q '^Merged 3 shards of openings with 20 games' "$work/out" || fail "merge of openings (status $status)"
cmp -s "$work/bugs.records.jsonl" "$work/unshared-openings.records.jsonl" || fail "merge of openings: other games"
accepted 'nothing is left to play' openings $opening_options --out "$work/bugs.json" --shard 0/3
cp "$work/bugs.json" "$work/whole.json"
for shard in 0 1; do # another number of shards, which have nothing to play
    accepted 'nothing is left to play' openings $opening_options --out "$work/bugs.json" --shard $shard/2
done
run merge --exit-code "$work/bugs.json" "$work"/bugs.shard-*-of-2.json
[ $status -eq 0 ] && grep -q '^These 2 shards of openings had nothing to play; the run has 20 games' "$work/out" &&
    cmp -s "$work/bugs.json" "$work/whole.json" || fail "merge of a finished run (status $status)"
for shard in 0 1; do
    accepted 'nothing is left to play' book --size 2 --sims 1 --out "$work/proved.json" --shard $shard/2
done
run merge --exit-code "$work/proved.json" "$work"/proved.shard-*-of-2.json
[ $status -eq 0 ] && grep -q '^The run is finished' "$work/out" || fail "merge of a book that is proved (status $status)"
accepted 'even komi, 0 games' estimate "$work/proved.json"
: >"$work/bugs.json"
for shard in 0 1 2; do # the later ones do not keep it again
    run openings $opening_options --out "$work/bugs.json" --shard $shard/3
    [ $status -eq 0 ] && grep -q 'bugs.json: is empty; kept as .*bugs.json.damaged, and made again by the next merge' "$work/err" ||
        fail "a damaged document beside a shard (status $status)"
done
run merge "$work/bugs.json" "$work"/bugs.shard-*-of-3.json
[ $status -eq 0 ] && grep -q 'made again from the records' "$work/err" && [ "$(ls "$work"/bugs.json.damaged*)" = "$work/bugs.json.damaged" ] &&
    [ "$(grep -v '"started"\|"seconds"' "$work/bugs.json")" = "$(grep -v '"started"\|"seconds"' "$work/whole.json")" ] ||
    fail "a damaged document before a merge (status $status)"
for shard in 0 1; do
    run selfplay --size 2 --sims 4 --games 6 --memory 4 --out "$work/merged" --shard $shard/2
    [ $status -eq 0 ] || fail "selfplay --shard $shard/2 (status $status)"
done
refused 'shard 1 of 2 is missing' merge "$work/merged" "$work/merged.shard-0-of-2"
refused 'shard 0 is there twice' merge "$work/merged" "$work/merged.shard-0-of-2" "$work/merged.shard-0-of-2"
refused 'run.json' merge "$work/merged" "$work"
refused 'no/folder/set: cannot make' merge "$work/no/folder/set" "$work/merged.shard-0-of-2" "$work/merged.shard-1-of-2"
refused 'is standard output, a device' merge /dev/null "$work/merged.shard-0-of-2" "$work/merged.shard-1-of-2"
grep -q '^stigmergy merge: ' "$work/err" || fail "merge of a data set has another name"
run merge "$work/merged" "$work/merged.shard-0-of-2" "$work/merged.shard-1-of-2"
[ $status -eq 0 ] || fail "merge of a data set (status $status)"
for name in run.json manifest.json; do
    grep -q "\"command\":[[:space:]]*\"stigmergy selfplay --from $work/merged.shard-0-of-2 --from $work/merged.shard-1-of-2 --out $work/merged\"" "$work/merged/$name" ||
        fail "merge of a data set: $name has another command"
done
# A source that is damaged, missing or unfinished changes nothing, and leaves nothing where nothing was
for source in 'is damaged' 'no such file or folder' '3 of 6 games are missing'; do
    parts="$work/merged.shard-0-of-2 $work/merged.shard-1-of-2"
    case $source in
    'is damaged') truncate -s 100 "$work"/merged.shard-1-of-2/records/*.zst ;;
    no*) parts="$work/nothere" ;;
    3*) parts="$work/merged.shard-0-of-2" ;;
    esac
    for set in merged fresh; do
        case $source/$set in
        'is damaged'/*) refused "$source" merge "$work/$set" $parts ;;
        3*/merged) ;; # which has all games itself
        *) refused "$source" selfplay --size 2 --sims 4 --games 6 --memory 4 --from $parts --out "$work/$set" ;;
        esac
    done
    accepted 'is sound' selfplay --check "$work/merged"
    [ ! -e "$work/fresh" ] || fail "a refused merge left $(find "$work/fresh")"
done
run selfplay --size 2 --sims 4 --games 6 --memory 4 --out "$work/unshared"
cmp -s "$work/merged/README.md" "$work/unshared/README.md" && diff -r "$work/merged/shards" "$work/unshared/shards" >"$work/out" ||
    fail "merge of a data set: another set"
refused 'is a whole run, expected a shard' merge "$work/other" "$work/unshared"
SLURM_ARRAY_TASK_ID=2 "$binary" komi $run_options --shards 2 >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'SLURM_ARRAY_TASK_ID: .2., expected a shard from 0 to 1' "$work/err" || fail "a task beyond the shards"

# gtp
printf 'name\ngenmove b\nfinal_score\nquit\nname\n' >"$work/in"
accepted '^= [ a-z0-9-]*$' gtp --size 2 --komi -1 --sims 4 --threads 2 --seed 3 --memory 1
[ "$(grep -c '^=' "$work/out")" -eq 4 ] || fail "gtp answers up to quit"
printf '{"network": "none", "simulations": 3, "search": {"playouts": 1}}' >"$work/player.json"
printf 'genmove b' >"$work/in"
accepted '^= ' gtp --player "$work/player.json" --size 3
printf '{"simulations": 3, "search": {"playouts": 1}}' >"$work/player.json"
refused "'playouts' means nothing with a network, and stigmergy has one; add \"network\": \"none\"" \
    gtp --player "$work/player.json" --size 3
# Without the network there is no game, and no weaker player either; only playouts do not need it.
mkdir "$work/data"
for command in 'gtp' 'play' 'analyze' "komi --out $work/none.json" "selfplay --out $work/none"; do
    STIGMERGY_DATA="$work/data" refused "network 'stigmergy-4-5': no file $work/data/networks/stigmergy-4-5.bin" \
        $command --sims 2 --size 3 </dev/null
done
printf 'genmove b' >"$work/in"
STIGMERGY_DATA="$work/data" accepted '^= ' gtp --player '{"network": "none"}' --size 3 --sims 2
rmdir "$work/data"
head -c 1000000 /dev/zero >"$work/in"
printf '\nname\n' >>"$work/in"
accepted '^= Stigmergy$' gtp
printf 'genmove b\ngenmove w\n' >"$work/in"
accepted '^= ' gtp --seed 5 --sims 20
cp "$work/out" "$work/first"
printf 'genmove b\ngenmove w\n' >"$work/in"
accepted '^= ' gtp --sims 20 --seed 5
cmp -s "$work/out" "$work/first" || fail "gtp: the same seed, other moves"
printf 'genmove b\n' >"$work/in"
accepted '^= ' gtp --ponder --sims 20 # the end of the input ends it

# play
printf 'c3\nhint\nwhy c3\nundo\nsave %s\nquit\nc3\n' "$work/game.sgf" >"$work/in"
accepted 'The computer (White) plays' play --side b --size 3 --level 1 --seed 2
grep -q 'GM\[stigmergy\]' "$work/game.sgf" || fail "play: the saved game"
printf '1\n' >"$work/in"
accepted 'Komi is 1. You play ' play --size 3 --sims 20 --ascii
: >"$work/in"
accepted 'Stigmergy on hexhex-3' play --game stigmergy --size 3 --side both --load "$work/game.sgf"
refused 'game.sgf: is a game of stigmergy, expected bug' play --game bug --load "$work/game.sgf"
refused 'game.sgf: is on hexhex-3, expected hexhex-4' play --size 4 --load "$work/game.sgf"
refused '--komi: cannot be combined with --load' play --komi 3 --load "$work/game.sgf"
refused '--komi: cannot be combined with .*--continue' play --komi 3 --continue
# Variants must be those of the game too, whatever the file is
mkdir "$work/variants"
for variant in 'free off' 'line on'; do
    printf 'save %s/variants/%s.sgf\nquit\n' "$work" "${variant% *}" >"$work/in"
    accepted 'Sgolte on hexhex-3' play --game sgolte --size 3 --capture "${variant% *}" --pie "${variant#* }" --side both
done
head -n 1 "$work/unshared-openings.records.jsonl" >"$work/variants/bug.jsonl"
for game in '' '--game sgolte'; do
    accepted 'Sgolte on hexhex-3' play $game --capture line --pie on --load "$work/variants/line.sgf"
    accepted 'Sgolte on hexhex-3' play $game --capture free --pie off --load "$work/variants/free.sgf"
    refused 'line.sgf: is of another variant, expected capture free as --capture says' \
        play $game --capture free --load "$work/variants/line.sgf"
    refused 'free.sgf: is of another variant, expected capture line as --capture says' \
        play $game --capture line --load "$work/variants/free.sgf"
    refused 'line.sgf: is of another variant, expected pie off as --pie says' play $game --pie off --load "$work/variants/line.sgf"
    refused 'free.sgf: is of another variant, expected pie on as --pie says' play $game --pie on --load "$work/variants/free.sgf"
done
accepted 'Bug on hexhex-2' play --game bug --pie off --load "$work/variants/bug.jsonl"
refused 'bug.jsonl: is of another variant, expected pie on as --pie says' play --game bug --pie on --load "$work/variants/bug.jsonl"
refused 'is of another variant, expected capture line' play --capture line --load "$work/game.sgf"
mkdir -p "$work/state/stigmergy" && cp "$work/variants/line.sgf" "$work/state/stigmergy/play-1.sgf"
XDG_STATE_HOME="$work/state" refused 'the last game: is of another variant, expected pie off' play --continue --pie off
XDG_STATE_HOME="$work/state" refused 'the last game: is of another variant, expected capture free' play --continue --capture free
XDG_STATE_HOME="$work/state" accepted 'Sgolte on hexhex-3' play --continue --capture line
echo 'b2' >"$work/moves.txt" # which do not say the game
accepted 'Sgolte on hexhex-3' play --game sgolte --size 3 --capture line --side both --load "$work/moves.txt"
refused 'capture: stigmergy has no such option' play --capture line --load "$work/moves.txt"
echo 'c3 d4' >"$work/moves.txt" # which do not say the size
accepted 'Stigmergy on hexhex-4' play --size 4 --side both --load "$work/moves.txt"
refused '--level: .*1 to 8' play --level 9
refused "strongest: is the name of a level, did you mean 'level-8'?" play --player strongest
refused "--level: 'begin', did you mean 'beginner'?" play --level begin
refused '--level: cannot be combined' play --level 3 --sims 10
refused "--side: 'x', expected b, w or both" play --side x
refused '/no/such/game' play --load /no/such/game

# bench
accepted '"moves_per_second"' bench --json --size 3 --komi 1 --seconds 0.01 --threads 2
for key in game size komi playout search_playout search policy kernel playouts_per_second mean_length mean_margin \
    simulations_per_second threads scaling; do
    grep -q "\"$key\":" "$work/out" || fail "bench --json has no $key"
done
accepted '"kernel":.*"plain"' bench --json --kernel plain --size 10 --seconds 0.01
accepted '^plain ' bench --kernels --size 4 --seconds 0.01
accepted '"ratio"' bench --kernels --json --seconds 0.01
refused '--kernels: .*expected no --threads' bench --kernels --threads 2 --seconds 0.01
refused '--kernels: .*expected no --threads' bench --kernels --player default --seconds 0.01
accepted '"capture":."line"' bench --game sgolte --capture line --size 3 --json --seconds 0.01
accepted '"pie":."off"' bench --game sgolte --pie off --size 3 --json --seconds 0.01
accepted '^sgolte, size 3, komi 0, capture=line' bench --game sgolte --capture line --size 3 --seconds 0.01
refused '--kernel and --kernels exclude each other' bench --kernels --kernel plain --seconds 0.01
accepted 'simulations/s' bench --size 2 --seconds 0.01 --memory 16

# analyze
printf '{"id": "a", "size": 3, "maxSims": 20}\r\nnonsense\n{"id": "v", "action": "query_version"}' >"$work/in"
accepted '"id":"a","turnNumber":0,"isDuringSearch":false,"rootInfo":{"currentPlayer":"B","sims":20,' analyze --threads 2 --memory 1
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "analyze answers every line"
grep -q '"error":"[^"]*","field":null' "$work/out" || fail "analyze names what is wrong"
accepted 'terminate_all' analyze --help
refused "unexpected argument 'x'" analyze x
refused '--komi: .*-61 to 61' analyze --komi 99
printf '{"id": "a", "size": 9, "maxTime": 1000, "reportDuringSearchEvery": 0.01}\n' >"$work/in"
"$binary" analyze <"$work/in" 2>"$work/err" | head -n 1 >"$work/out" # a client that goes away
grep -q '"isDuringSearch":true' "$work/out" || fail "analyze reports during the search"
python3 - "$binary" <<'PYTHON' || fail "analyze goes on without a reader, while its input is open"
import subprocess, sys
engine = subprocess.Popen([sys.argv[1], "analyze"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
engine.stdout.close()
engine.stdin.write(b'{"id": "a", "size": 2, "maxSims": 1}\n')
engine.stdin.flush()
assert engine.wait(60) == 1
assert len(engine.stderr.read().splitlines()) == 1
PYTHON

# report
"$binary" komi --size 3 --sims 8 --games 32 --out "$work/komi.json" >/dev/null 2>&1
accepted '<svg role="img"' report "$work/komi.json"
grep -q 'How long the games were' "$work/out" || fail "report: the records beside a result"
cp "$work/out" "$work/page.html"
accepted '<svg role="img"' report --out - "$work/komi.json"
cmp -s "$work/page.html" "$work/out" || fail "report --out -: another page"
run report --out "$work/again.html" "$work/komi.json"
cmp -s "$work/page.html" "$work/again.html" || fail "report: the same documents, another page"
grep -q '<code>stigmergy komi .* --player ' "$work/page.html" && fail "report: --player for the default player"
# The command that a page shows plays the same games.
printf '{"first_round": 16, "player": {"name": "it'\''s", "draw": 3}}' >"$work/settings.json"
run komi --config "$work/settings.json" --size 2 --ladder 2,4 --games 40 --seed 7 --out "$work/shown.json"
run report --out "$work/shown.html" "$work/shown.json"
shown=$(sed -n "s/&quot;/\"/g; s/&#39;/'/g
    s/.*<code>stigmergy \(.*\)<.code>, with settings that have first_round 16,.*/\1/p" "$work/shown.html")
printf '{"first_round": 16}' >"$work/settings.json"
eval "run $shown --config '$work/settings.json' --out '$work/played.json'"
cmp -s "$work/shown.records.jsonl" "$work/played.records.jsonl" || fail "report: the command plays other games: $shown"
refused 'no documents, expected RESULT.json' report
refused '--out: again.json, expected the name of a page' report --out again.json "$work/komi.json"
refused '/no/such.json: .*' report /no/such.json
printf '{"a": 1}' >"$work/bad.json"
refused 'komi.records.jsonl: holds games, expected a result document' report "$work/komi.records.jsonl"
head -n 1 "$work/komi.records.jsonl" >"$work/game"
refused 'game: holds games, expected a result document' report "$work/game"
refused 'komi.json: is a result, expected a game' play --load "$work/komi.json"
refused 'komi.json: is a result, expected a game' selfplay --from "$work/komi.json" --size 3 --out "$work/taken"
refused 'line 1: its games hold no searches; sets are made only' selfplay --from "$work/komi.records.jsonl" --size 2 --out "$work/taken"
zstd -q "$work/komi.records.jsonl" -o "$work/packed.records.jsonl.zst"
zstd -q "$work/komi.json" -o "$work/packed"
refused 'packed.records.jsonl.zst: is packed by zstd, expected one game' play --load "$work/packed.records.jsonl.zst"
for command in estimate report; do
    refused 'packed.records.jsonl.zst: holds games, expected a result' $command "$work/packed.records.jsonl.zst"
    refused 'packed: is packed by zstd, expected JSON' $command "$work/packed"
done
mkdir "$work/foreign"
cp "$work/komi.json" "$work/foreign/run.json"
cp "$work/komi.records.jsonl" "$work/foreign/games.jsonl"
refused "run.json: is not a result of a self-play run, expected schema name 'stigmergy-selfplay'" selfplay --from "$work/foreign" --out "$work/taken"
refused "bad.json: is no result document" report "$work/komi.json" "$work/bad.json"
sed 's/"win_rate"/"win_rat"/' "$work/komi.json" >"$work/bad.json"
refused "bad.json: 'win_rate' is wrong or missing, expected a number from 0 to 1" report "$work/bad.json"
sed 's/"winner":"B"/"winner":"W"/' "$work/komi.records.jsonl" >"$work/bad.records.jsonl"
cp "$work/komi.json" "$work/bad.json"
refused 'bad.records.jsonl: line [0-9]*: ' report "$work/bad.json"
refused '/no/folder/page.html: cannot write: No such file' report --out /no/folder/page.html "$work/komi.json"
unwritable report "$work/komi.json"

# serve
accepted '--bind' serve --help
refused '--port: .*0 to 65535' serve --port 65536
refused "unexpected argument 'x'" serve x
refused "'no-such-name.invalid' is no address of this machine" serve --bind no-such-name.invalid
refused "'192.0.2.1' is no address of this machine" serve --bind 192.0.2.1
: >"$work/out"
"$binary" serve --port 0 >"$work/out" 2>"$work/err" &
pid=$!
wait_for "$work/out" $pid
grep -q '^http://127\.0\.0\.1:[0-9]*/$' "$work/out" || fail "serve prints its address"
port=$(sed 's/.*:\([0-9]*\).*/\1/' "$work/out")
run serve --port "$port"
[ $status -eq 1 ] && grep -q 'already in use; choose another --port' "$work/err" || fail "serve on a port in use"
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "Ctrl-C of serve"
# A browser that --open starts is in a process group of its own, which Ctrl-C does not end, and ignores no signal
mkdir "$work/desktop"
cat >"$work/desktop/xdg-open" <<'END'
#!/bin/sh
{ cut -d ' ' -f 5 /proc/$$/stat; sed -n 's/^SigIgn:[[:blank:]]*//p' /proc/$$/status; } >"$0.says.new"
mv "$0.says.new" "$0.says"
END
chmod +x "$work/desktop/xdg-open"
PATH="$work/desktop:$PATH" "$binary" serve --port 0 --open >"$work/out" 2>"$work/err" &
pid=$!
wait_for "$work/desktop/xdg-open.says" $pid
kill -INT $pid
wait $pid
[ "$(sed -n 1p "$work/desktop/xdg-open.says")" != "$(cut -d ' ' -f 5 /proc/$$/stat)" ] || fail "Ctrl-C would end the browser"
[ $((0x$(sed -n 2p "$work/desktop/xdg-open.says") & 0x1001000)) -eq 0 ] || fail "the browser ignores SIGPIPE or SIGXFSZ"
for start in 1 2; do # the address stays the same, and only its owner can read the file
    "$binary" serve --port 0 --token-file "$work/token" >"$work/start-$start" 2>"$work/err" &
    pid=$!
    wait_for "$work/start-$start" $pid
    kill -INT $pid
    wait $pid
    sed -i 's/:[0-9][0-9]*/:PORT/' "$work/start-$start"
done
cmp -s "$work/start-1" "$work/start-2" && [ "$(cat "$work/start-1")" = "http://127.0.0.1:PORT/$(cat "$work/token")/" ] ||
    fail "the token of serve stays the same"
[ "$(stat -c %a "$work/token")" = 600 ] || fail "mode of the token's file"
echo word >"$work/token"
refused "token: expected a token, 32 digits from 0 to f" serve --token-file "$work/token"
refused "nowhere/token: " serve --token-file "$work/nowhere/token"
refused "nowhere/book.json: " serve --port 0 --book "$work/nowhere/book.json"
refused "is not a result of an opening book, expected schema name 'stigmergy-book'" serve --port 0 --book "$work/config.json"

# openings without a game name no first move
run openings --size 9 --time 0.001 --sims 1000000 --player '{"network": "none"}' --out "$work/no-openings.json"
[ $status -eq 0 ] && grep -q 'No game has ended yet' "$work/out" && ! grep -q 'The fairest first' "$work/out" || fail "openings names a first move without a game"

# solve
accepted '^value  +7$' solve --memory 16 --size 2
accepted '^value  +6.5$' solve --memory 16 --size 2 --button --threads 2
accepted '^  take-button  -6.5$' solve --memory 16 --size 2 --button --all-moves
accepted '^value  -7$' solve --memory 16 --size 2 --moves 'c1'
accepted '^value  from +1 to +169$' solve --memory 16 --size 8 --time 0.01
accepted '^value  W$' solve --memory 16 --game bug --size 2
accepted '^value  W$' solve --memory 16 --game sgolte --size 2
# the colour of the winner, also after a swap: as in GTP's final_score
accepted '^value  B$' solve --memory 16 --game sgolte --size 2 --moves 'a1 swap b1 b2 c1 c2 b3 a2'
accepted '^  [a-c][1-3] *B$' solve --memory 16 --game sgolte --size 2 --pie on --moves 'b2 swap' --all-moves
# a move is a whole turn, which can be played and has the value that stands beside it
for case in 'bug --size 2/b1 a2 c2' 'sgolte --size 2/c2 a1 c1 b3 b1' \
    'bug --size 3/a2 b4 d1 e2 c3 d4 e3,d4 d2,d3,e3 b2 c5 e2 a3 d1' 'sgolte --size 3/c1 c4 d1 b4 c3 e3 e2 d2 d4 a1 a2 c5 b1'; do
    game="solve --memory 16 --game ${case%/*}"
    accepted '^best   [a-e][1-5]\(,\|x.*>\)' $game --moves "${case#*/}" --all-moves
    awk '/^value/ { value = $2 } /^best/ { print $2, value } /^  .*[,x]/ { print $1, $2 }' "$work/out" >"$work/turns"
    while read -r turn value; do
        accepted "^value  $value\$" $game --moves "${case#*/} $turn"
    done <"$work/turns"
done
for options in 'sgolte' 'sgolte --pie off' 'sgolte --capture line' 'bug' 'bug --pie on'; do # the rules that were solved
    accepted '"proved":.*true' solve --memory 16 --size 2 --json --game $options --out "$work/rules.json"
    [ "$options" = "$(python3 -c 'import json, sys
solved = json.load(open(sys.argv[1]))
print(solved["game"], *(f"--{key} {solved[key]}" for key in ("capture", "pie") if key in solved))' "$work/rules.json")" ] ||
        fail "solve --game $options: other rules in the document"
done
run solve --memory 16 --game sgolte --size 7 --time 300 # ends long before
[ $status -eq 0 ] && grep -q '^value  unknown$' "$work/out" && grep -q 'longer than the solver has room for' "$work/err" ||
    fail "solve without enough room (status $status)"
accepted '"proved":.*true' solve --memory 16 --size 2 --moves ' b2  a1 ' --all-moves --json --out "$work/solved.json"
python3 - "$work/solved.json" <<'PYTHON' || fail "solve --out"
import json, sys
solved = json.load(open(sys.argv[1]))
assert solved["schema"]["name"] == "stigmergy-solve" and solved["value"] == 7 == solved["lower"] == solved["upper"]
assert len(solved["all_moves"]) >= 5 and solved["best"] in [move["move"] for move in solved["all_moves"]]
PYTHON
refused '--size: .*2 to 10' solve --size 11
refused "'chess' is not known" solve --game chess
refused '--komi' solve --size 2 --komi 3
refused '--button: bug has none' solve --game bug --size 2 --button
refused '--moves: turn 2: c1: ' solve --size 2 --moves 'c1 c1'
refused "--moves: turn 1: 'z9' is not a move" solve --size 2 --moves z9
refused '--memory: .*1 to' solve --memory 0
refused 'memory: 1 MB is too little .*expected at least' solve --size 5 --memory 1 --threads 4
refused '--threads: .*1 to 256' solve --threads 0
refused '--time: .*expected' solve --time 0
unwritable solve --memory 16 --size 2
"$binary" solve --size 5 --threads 4 >"$work/out" 2>"$work/err" &
pid=$!
stop_run INT $pid 0.3
wait $pid
[ $? -eq 130 ] && grep -q '^value  from +1 to' "$work/out" || fail "Ctrl-C on solve"

# truth
accepted '^4 sims  *649  9[0-9]\.[0-9]% \[' truth --size 2 --ladder 1,4 --threads 2 --out "$work/truth.json"
python3 - "$work/truth.json" <<'PYTHON' || fail "truth --out"
import json, sys
truth = json.load(open(sys.argv[1]))
assert truth["schema"] == {"name": "stigmergy-truth", "version": 1} and truth["solver"] is False
assert [effort["simulations"] for effort in truth["efforts"]] == [1, 4]
for effort in truth["efforts"]:
    every, bins, rates = effort["all"], effort["by_empty"], effort["reliability"]
    assert every["positions"] == truth["positions"]["count"] == 649 == sum(rate["won"] for rate in rates)
    for key in "positions", "choices", "kept", "questions":
        assert every[key] == sum(part[key] for part in bins), key
    assert sum(rate["questions"] for rate in rates) == every["questions"]
    assert len(effort["missed"]) == every["choices"] - every["kept"]
    assert every["ci95"][0] <= every["keeps_win"] <= every["ci95"][1] and 0 < every["brier"] < 0.5
PYTHON
accepted '^1 sims  *5  ' truth --size 2 --sims 1 --count 5 --positions stigmergy-2.jsonl.zst
accepted '^0.001 s  *5  ' truth --size 2 --move-time 0.001 --count 5
accepted '^[0-9]* positions of hexhex-2' truth --make "$work/made.jsonl" --size 2 --turns 1 --sims 1 --memory 1
run truth --make - --size 2 --turns 1 --sims 1 --memory 1
[ $status -eq 0 ] && cmp -s "$work/out" "$work/made.jsonl" && grep -q '^[0-9]* positions of hexhex-2 in -;' "$work/err" &&
    [ ! -e - ] || fail "truth --make -"
cp "$work/made.jsonl" "$work/good.jsonl"
run truth --make "$work/good.jsonl" --size 4 --turns 0 --nodes 1 --sims 5 --threads 1
[ $status -eq 1 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "stigmergy truth: no position was found; left out: \
2 that the solver did not decide, 0 without a choice" ] && cmp -s "$work/good.jsonl" "$work/made.jsonl" ||
    fail "truth --make without a position (status $status)"
run truth --make "$work/few.jsonl" --size 2 --games 12 --most-empty 1 --sims 1 --player '{"network": "none"}'
[ $status -eq 0 ] && grep -q '^8 positions of' "$work/out" &&
    [ "$(cat "$work/err")" = 'stigmergy truth: 8 of 12 positions from games: 600 tries had no more' ] ||
    fail "truth --make with fewer positions than it was asked for (status $status)"
refused '--random and --games: 1000001 positions, expected at most 1000000 together' truth --make "$work/few.jsonl" --random 1 --games 1000000
accepted '^1000 sims  *[0-9]*  100.0% ' truth --positions "$work/made.jsonl" --sims 1000
refused '--out: .*/made.jsonl: the command needs this file itself' truth --positions "$work/made.jsonl" --sims 1 --out "$work/./made.jsonl"
( # a name that ends as files of positions do is a path, but an installed file comes first
    cd "$work" || exit 1
    accepted '^1 sims ' truth --positions made.jsonl --sims 1
    zstd -q made.jsonl
    accepted '^1 sims ' truth --positions made.jsonl.zst --sims 1
    refused 'damaged.jsonl.zst: no such file' truth --positions damaged.jsonl.zst
    cp made.jsonl.zst stigmergy-2.jsonl.zst
    accepted '^1 sims  *649 ' truth --positions stigmergy-2.jsonl.zst --sims 1
    rm made.jsonl.zst stigmergy-2.jsonl.zst
    [ $failures -eq 0 ]
) || failures=$((failures + 1))
: >"$work/none.jsonl"
refused 'none.jsonl: is empty, expected positions made by .stigmergy truth --make' truth --positions "$work/none.jsonl" --size 2
refused 'made.jsonl: positions of hexhex-2, expected hexhex-3' truth --positions "$work/made.jsonl" --size 3
sed '2s/"komi":[0-9]*/"komi":2/' "$work/made.jsonl" >"$work/damaged.jsonl"
refused "damaged.jsonl: line 2: 'komi': 2, expected" truth --positions "$work/damaged.jsonl"
refused 'damaged.jsonl.zst: ' truth --positions "$work/damaged.jsonl.zst"
accepted '^1 sims ' truth --positions stigmergy-2 --sims 1 --count 5
refused 'stigmergy-9.*no positions of this size' truth --size 9
refused 'stigmergy-6.*no positions of this size' truth --size 6
refused 'game: bug has no points' truth --game bug --size 2
refused 'bug has no points' truth --make "$work/made.jsonl" --game bug --size 2 --turns 1
refused 'expected --turns, --random or --games' truth --make "$work/made.jsonl" --size 2
refused 'nobody is judged' truth --make "$work/made.jsonl" --turns 1 --ladder 3
refused '--make is missing' truth --random 3
refused '2 players, expected one' truth --player default --player default
refused 'no --sims' truth --ladder 3 --sims 3
refused "--ladder: ''" truth --ladder 3,
refused '--count: .*1 to' truth --count 0
refused 'nosuchplayer' truth --size 2 --player nosuchplayer
refused 'b0.py: no .* of this name in .*/truth; a path has a slash, as in ./b0.py$' truth --positions b0.py
refused '[.]: is a folder, expected a file$' truth --positions .
accepted '^Stigmergy (default, no network) on hexhex-2' truth --size 2 --sims 1 --count 2 --player '{"network": "none"}'
accepted '^Stigmergy (default, network stigmergy-4-5 [0-9a-f]\{8\}) on hexhex-2' truth --size 2 --sims 1 --count 2

# selfplay
accepted '--from=RECORDS' selfplay --help
out="--out $work/set"
refused '--out is missing' selfplay --size 3
refused '--games: .*expected' selfplay $out --games 0
printf '{"sizes": [{"size": 2, "weight": 1}, {"size": 3, "weight": 3}], "simulations": 4}' >"$work/selfplay.json"
accepted 'in all: about' selfplay --config "$work/selfplay.json" --games 400 --memory 4 --dry-run $out
grep -q '^  hexhex-3: about 300 games of ' "$work/out" && [ ! -e "${out#--out }" ] || fail "selfplay --dry-run"
for option in --discard '--check x' '--from x' '--shard 0/2'; do
    refused '--dry-run: \|--check: ' selfplay --dry-run $option
done
refused '--move-time: .*expected --sims' selfplay $out --move-time 1
refused 'komi: 20 on hexhex-3, expected a whole number from -19 to 19' selfplay $out --size 3 --komi 20
refused "'chess' is not known" selfplay $out --game chess
refused 'license' selfplay $out --license 'all mine'
refused "--license: '0\{20\}[.]*', expected an SPDX identifier of at most 63 bytes" selfplay $out --license "$(printf '%064d' 0)"
refused '--license: is not UTF-8' selfplay $out --license "$(printf 'all\377')"
refused 'nosuchconfig' selfplay $out --config nosuchconfig
refused 'no-such-set: no such folder' selfplay --check "$work/no-such-set"
mkdir "$work/unfinished"
refused 'unfinished: has no manifest.json, expected a data set that is finished' selfplay --check "$work/unfinished"
# a network of another game is found before the run has files, which would keep the right player out
for command in selfplay 'match --player default' 'match --openings empty --player default' komi book \
    'openings --game sgolte'; do
    refused "network 'bug': a network for the game bug cannot play" $command --size 3 --out "$work/other" \
        --player '{"network": "bug"}'
    ls "$work" | grep '^other' >"$work/err" && fail "$command: files of a run whose network is for another game"
done
printf '{"sizes": [{"size": 3, "network": "bug"}]}' >"$work/other-network"
refused 'cannot play stigmergy' selfplay $out --config "$work/other-network"
for command in truth bench; do
    refused "network 'bug': a network for the game bug cannot play" $command --size 3 --player '{"network": "bug"}'
done
rm "$work/other-network"
refused 'selfplay.json: is a file, expected a folder' selfplay --check "$work/selfplay.json"
refused 'selfplay.json: is a file, expected a folder' selfplay --size 2 --out "$work/selfplay.json"
refused 'no-such-records' selfplay $out --from "$work/no-such-records"
refused 'no-such-records' selfplay $out $(printf -- '--from no-such-records%.0s ' $(seq 1025)) # any number of them
refused '--shard: .*0 to 2 of 3' selfplay $out --shard 3/3
printf '{"cheap": {"share": 2}}' >"$work/selfplay.json"
refused "'share' of 'cheap' is wrong" selfplay $out --config "$work/selfplay.json"
rm -rf "$work/set"
# the default player by its name is that of a command without --player
for player in '' '--player default'; do
    rm -rf "$work/named"
    accepted 'The set is in' selfplay --out "$work/named" --size 2 --games 2 --memory 4 --threads 1 $player
    grep -q '"simulations":[[:space:]]*400' "$work/named/manifest.json" || fail "selfplay $player: not 400 simulations"
done
for game in bug sgolte; do
    accepted 'The set is in' selfplay --out "$work/$game" --game $game --size 3 --sims 10 --games 3 --memory 4
    accepted 'is sound' selfplay --check "$work/$game"
done
printf '{"game": "bug", "sizes": [{"size": 3}, {"size": 2}], "simulations": 4, "openings": {"from": "%s", "share": 1}}' \
    "$work/bug" >"$work/begun.json" # which has no game on hexhex-2: that board has random openings
accepted '^  hexhex-2: about 2 games of ' selfplay --config "$work/begun.json" --games 4 --memory 4 --dry-run
STIGMERGY_DATA=$work/none accepted 'is sound' selfplay --check "$work/bug" # which needs no network of the default player
STIGMERGY_DATA=$work/none accepted 'The set is in' selfplay --from "$work/bug" --out "$work/again"
cmp -s "$work/bug/shards/bug-3-000000.npz" "$work/again/shards/bug-3-000000.npz" || fail "selfplay --from: other arrays"

# The set keeps the command that made it, however long that is
accepted 'The set is in' selfplay $(printf -- "--from $work/bug%.0s " $(seq 400)) --license MIT --out "$work/long"
for name in run.json manifest.json; do
    [ "$(grep -o -- "--from $work/bug" "$work/long/$name" | wc -l)" -eq 400 ] && grep -q -- " --license MIT --out $work/long\"" "$work/long/$name" ||
        fail "$name has a part of a long command"
done
accepted 'is sound' selfplay --check "$work/long"
accepted 'The set is in' selfplay --from "$work/long" --out "$work/short"
rm -r "$work/long" "$work/short"

# What a file of settings says of the new set counts, alone or with the settings of the games, and options before it
said() { # said FOLDER LICENSE CREATOR URL ROWS
    grep -q "\"license\":[[:space:]]*\"$2\"" "$1/manifest.json" && grep -q "\"creator\":[[:space:]]*\"$3\"" "$1/manifest.json" &&
        grep -q "\"url\":[[:space:]]*\"$4\"" "$1/manifest.json" && grep -q "\"rows_a_shard\":[[:space:]]*$5," "$1/manifest.json" &&
        grep -q "\"$3\"" "$1/croissant.json" && tail -n 1 "$1/README.md" | grep -qx "$2"
}
printf '{"license": "MIT", "creator": "A B", "url": "https://a.example", "rows": 30}' >"$work/alone.json"
printf '{"game": "bug", "sizes": [{"size": 3, "weight": 1}], "simulations": 10, "games": 3, "player": {"memory_mb": 4}, "creator": "C D"}' \
    >"$work/settings.json"
accepted 'The set is in' selfplay --from "$work/bug" --out "$work/told" --config "$work/alone.json"
said "$work/told" MIT 'A B' https://a.example 30 || fail "selfplay --from --config alone"
accepted 'is sound' selfplay --check "$work/told"
accepted 'The set is in' selfplay --from "$work/told" --out "$work/retold" --config "$work/settings.json" --license 0BSD --rows 40
said "$work/retold" 0BSD 'C D' https://a.example 40 || fail "selfplay --from --config with settings"
accepted 'The set is in' selfplay --from "$work/retold" --out "$work/kept"
said "$work/kept" 0BSD 'C D' https://a.example 40 || fail "selfplay --from keeps what the set says"
printf '{"games": 4, "creator": "C D"}' >"$work/settings.json"
refused 'run.json: is of another run than the options say' selfplay --from "$work/bug" --out "$work/other" --config "$work/settings.json"
rm -r "$work/told" "$work/retold" "$work/kept"

# Damaged documents of a whole set are kept once and made again; what is no document of a set is refused
set="$work/again"
bug="selfplay --game bug --size 3 --sims 10 --games 3 --memory 4 --out $set"
cp -r "$set" "$work/whole"
for name in run.json manifest.json; do
    for from in '' "--from $work/bug"; do
        for change in '1,$d' 's/"settings"/"setting"/' 's/"machine_shard"/"machine"/'; do
            sed "$change" "$work/whole/$name" >"$set/$name"
            run $bug $from
            [ $status -eq 0 ] && grep -q "again/$name: .*; kept as .*/$name.damaged.*, and made again from the records" "$work/err" ||
                fail "$name of a set, changed by $change (status $status)"
            accepted 'is sound' selfplay --check "$set"
        done
    done
    [ "$(ls "$set" | grep -c "^$name.damaged")" -eq 3 ] || fail "a set has $(ls "$set")"
    rm "$set/$name"
    run $bug
    accepted 'is sound' selfplay --check "$set"
    cp "$work/first.json" "$set/$name"
    refused "$name: is not a result of" $bug
    cmp -s "$work/first.json" "$set/$name" || fail "$name of something else was overwritten"
    rm "$set/$name"
done
cp -r "$work/whole" "$work/out of memory" # whose name is no error
sed -i 's/"settings"/"setting"/' "$work/out of memory/manifest.json"
run selfplay --game bug --size 3 --sims 10 --games 3 --memory 4 --out "$work/out of memory"
[ $status -eq 0 ] && grep -q 'manifest.json.damaged.*, and made again from the records' "$work/err" ||
    fail "a damaged manifest in a folder whose name is an error (status $status)"
rm -r "$work/out of memory"
run $bug
for damage in 'rm -r SET/shards' 'truncate -s -1 SET/README.md' 'rm SET/croissant.json'; do
    $(echo "$damage" | sed "s,SET,$set,")
    run $bug
    [ $status -eq 0 ] && grep -q '^The set is in' "$work/out" || fail "$bug after $damage (status $status)"
    accepted 'is sound' selfplay --check "$set"
    accepted 'is complete: 3 games' $bug
done

# A card or metadata that somebody has edited are kept, once, when the set is made again
kept="is not what the program wrote; kept as"
for name in README.md croissant.json; do
    cp "$set/$name" "$work/own"
    echo 'my words' >>"$set/$name"
    for command in "$bug" "selfplay --from $set --out $set" "$bug --rows 30"; do
        cp "$set/$name" "$work/edited"
        rm -f "$set"/*.damaged*
        run $command
        [ $status -eq 0 ] && grep -q "$set/$name: $kept $set/$name.damaged, and made again from the records" "$work/err" &&
            [ "$(grep -c 'kept as' "$work/err")" -eq 1 ] && cmp -s "$set/$name.damaged" "$work/edited" || fail "an edited $name, $command"
        accepted 'is sound' selfplay --check "$set"
        cp "$work/edited" "$set/$name"
        run $command # again, with the same words
        [ "$(ls "$set" | grep -c damaged)" -eq 1 ] || fail "an edited $name is kept twice"
        cp "$work/edited" "$set/$name"
    done
    run $bug
    cmp -s "$set/$name" "$work/own" || fail "an edited $name is not made again"
    rm "$set/$name.damaged"
done
sed 's/games/GAMES/' "$work/own" >"$set/croissant.json" # of the same length: nobody makes the set again
accepted 'is complete: 3 games' $bug
grep -q GAMES "$set/croissant.json" || fail "an edited file of a complete set was replaced"
refused 'croissant.json: is damaged' selfplay --check "$set"
run $bug --games 4
[ $status -eq 0 ] && grep -q GAMES "$set/croissant.json.damaged" && ! grep -q GAMES "$set/croissant.json" ||
    fail "an edited file of a set that grows"
accepted 'is sound' selfplay --check "$set"
# whatever has become of the manifest; the program's own text of fewer games is none of somebody
rm "$set"/*.damaged*
games=4
for manifest in 'sed -i s/"settings"/"setting"/ SET/manifest.json' 'rm SET/manifest.json'; do
    games=$((games + 1))
    $(echo "$manifest" | sed "s,SET,$set,")
    run $bug --games $games
    cp "$set/README.md" "$work/own"
    ls "$set" | grep -q 'README.md.damaged\|croissant.json.damaged' && fail "a copy of the program's own text after $manifest"
    $(echo "$manifest" | sed "s,SET,$set,")
    sed 's/games/GAMES/' "$work/own" >"$set/README.md"
    run $bug --games $games
    [ $status -eq 0 ] && grep -q "README.md: $kept $set/README.md.damaged" "$work/err" && grep -q GAMES "$set/README.md.damaged" &&
        cmp -s "$set/README.md" "$work/own" || fail "an edited README.md after $manifest (status $status)"
    rm "$set"/*.damaged*
done
# a text that was there before the set
mkdir "$work/cloned"
echo 'my own words' | tee "$work/cloned/README.md" >"$work/own"
run selfplay --game bug --size 3 --sims 10 --games 3 --memory 4 --out "$work/cloned"
[ $status -eq 0 ] && grep -q "README.md: $kept $work/cloned/README.md.damaged" "$work/err" &&
    cmp -s "$work/cloned/README.md.damaged" "$work/own" || fail "a README.md that was there before the set (status $status)"
accepted 'is sound' selfplay --check "$work/cloned"
# and texts of a version without stamps, which the manifest names, are not kept
rm "$work/cloned/README.md.damaged"
sed -i '/^<!-- text-sha256/d' "$work/cloned/README.md"
sum=$(sha256sum <"$work/cloned/README.md")
python3 - "$work/cloned/manifest.json" "${sum%% *}" "$(wc -c <"$work/cloned/README.md")" <<'END'
import json, sys
path, digits, length = sys.argv[1:]
manifest = json.load(open(path))
for file in manifest["files"]:
    if file["path"] == "README.md":
        file["sha256"], file["bytes"] = digits, int(length)
json.dump(manifest, open(path, "w"))
END
run selfplay --game bug --size 3 --sims 10 --games 4 --memory 4 --out "$work/cloned"
[ $status -eq 0 ] && grep -q 'text-sha256' "$work/cloned/README.md" && [ ! -e "$work/cloned/README.md.damaged" ] ||
    fail "a README.md without a stamp (status $status)"
rm -r "$work/cloned"

# No file of a set replaces what the command reads
for name in README.md croissant.json run.json manifest.json; do
    mkdir "$work/mine" "$work/mine.shard-0-of-2"
    printf '{"name": "mine", "network": "none", "simulations": 10, "memory_mb": 4}' | tee "$work/mine/$name" >"$work/mine.shard-0-of-2/$name"
    cp "$work/mine/$name" "$work/described"
    printf '{"player": "%s"}' "$work/mine/$name" >"$work/settings.json"
    refused "--out: $work/mine/$name: the command needs this file itself" selfplay --size 2 --games 2 --player "$work/mine/$name" --out "$work/mine"
    refused "--out: $work/mine/$name: the command needs this file itself" selfplay --size 2 --games 2 --config "$work/settings.json" --out "$work/mine"
    refused "--out: $work/mine.shard-0-of-2/$name: the command needs" selfplay --size 2 --games 2 --player "$work/mine.shard-0-of-2/$name" --out "$work/mine" --shard 0/2
    printf '{"games": 2}' >"$work/mine/$name"
    refused "--out: $work/mine/$name: the command needs this file itself" selfplay --size 2 --config "$work/mine/$name" --out "$work/mine"
    cp "$work/described" "$work/mine/mine.json"
    printf '{"games": 2}' | cmp -s - "$work/mine/$name" && cmp -s "$work/described" "$work/mine.shard-0-of-2/$name" &&
        [ "$(ls "$work/mine" | wc -l)" -eq 2 ] || fail "a refused selfplay leaves $(ls "$work/mine")"
    rm -r "$work/mine" "$work/mine.shard-0-of-2" "$work/described"
done

# No file of a set is written through a link, and files of others stay
mkdir "$work/linked" "$work/elsewhere"
echo mine | tee "$work/elsewhere/notes" >"$work/mine"
linked="selfplay --size 2 --sims 4 --games 2 --memory 4 --out $work/linked"
for name in shards records croissant.json games.jsonl; do
    ln -s ../elsewhere "$work/linked/$name"
    refused "linked/$name: is a symbolic link, expected a" $linked
    rm "$work/linked/$name"
done
[ -z "$(ls "$work/linked")" ] && [ "$(ls "$work/elsewhere")" = notes ] || fail "links in a set: $(ls "$work/linked" "$work/elsewhere")"
mkdir "$work/linked/shards"
cp "$work/mine" "$work/linked/shards/notes"
accepted 'The set is in' $linked
cmp -s "$work/mine" "$work/linked/shards/notes" || fail "a file of somebody in a set was removed"
refused 'not in the manifest: shards/notes' selfplay --check "$work/linked"
rm -r "$work/linked" "$work/elsewhere" "$work/mine"

# Options that would have no effect
refused '--check: .*no other option' selfplay --check "$set" --out "$work/none"
refused '--check: .*no other option' selfplay --check "$set" --games 3
refused '--check: .*no other option' selfplay --discard --check "$set"
for option in '--out none' "--from $set" '--rows 3' '--license MIT' '--shard 0/2'; do
    refused '--discard: nothing is written' selfplay --discard --size 2 $option
done
refused 'run.json: is of another run than the options say' selfplay --from "$set" --out "$work/none" --games 10
refused 'run.json: is of another run than the options say' selfplay --from "$set" --out "$work/none" --seed 2
[ ! -e "$work/none" ] || fail "a refused command left $(find "$work/none")"

# Cheap searches are not larger than full ones
grep -A2 '"cheap"' "$set/run.json" | grep -q '"simulations":[[:space:]]*10' || fail "selfplay --sims 10: cheap searches"
run selfplay --discard --config quick --sims 8 --games 1
[ $status -eq 0 ] && grep -q 'cheap searches have 15 simulations, more than the 8 of full ones' "$work/err" ||
    fail "selfplay with cheap searches that are the larger ones (status $status)"
# --sims overrides the simulations of a size, too
printf '{"sizes": [{"size": 2, "simulations": 7}]}' >"$work/selfplay.json"
run selfplay --config "$work/selfplay.json" --sims 5 --games 1 --memory 4 --out "$work/few"
[ $status -eq 0 ] && grep -q '"simulations":	5' "$work/few/run.json" && ! grep -q '"simulations":	7' "$work/few/run.json" ||
    fail "selfplay --sims with a size that has its own (status $status)"
accepted ' a second$' selfplay --discard --size 2 --sims 5 --games 4 --memory 4
printf 'x' >>"$work/bug/README.md"
refused 'README.md: has' selfplay --check "$work/bug"
run selfplay --out "$work/no/folder" --size 2
[ $status -eq 2 ] && grep -q "no/folder" "$work/err" || fail "selfplay into a folder that is not there"

# Standard input that is closed
timeout 20 "$binary" gtp --size 2 <&- >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 1 ] && grep -q 'cannot read the input: ' "$work/err" || fail "gtp without standard input ($status)"

# Standard output that cannot be written
unwritable --help
unwritable --version
unwritable gtp
unwritable gtp --help
unwritable serve --port 0
unwritable perft --size 2 --depth 3
unwritable bench --size 2 --seconds 0.01
: >"$work/out"
{ "$binary" perft --size 3 --depth 5 2>"$work/err"; echo $? >"$work/status"; } | :
[ "$(cat "$work/status")" -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || fail "perft into a closed pipe"

# Ctrl-C
"$binary" perft --size 5 --depth 20 >"$work/out" 2>"$work/err" &
pid=$!
wait_for "$work/out" $pid
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "Ctrl-C"

[ $failures -eq 0 ] && echo "all passed"
[ $failures -eq 0 ]
