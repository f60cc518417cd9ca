#!/bin/bash
# Tests of the completions: completion.sh BINARY FOLDER, where FOLDER has stigmergy.bash, .zsh and .fish. What bash would
# offer is asked of the function that it would call. Where they are installed, zsh checks the syntax and fish is asked.
binary=$1
folder=$2
[ -x "$binary" ] && [ -f "$folder/stigmergy.bash" ] || { echo "usage: completion.sh BINARY FOLDER" >&2; exit 2; }
folder=$(cd "$folder" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

# An installation, for names of installed files.
mkdir -p "$work/bin" "$work/share/stigmergy/"{players,komi,truth} "$work/empty"
ln "$binary" "$work/bin/stigmergy" 2>/dev/null || cp "$binary" "$work/bin/stigmergy" || exit 1
touch "$work/share/stigmergy/players/"{default,level-1}.json "$work/share/stigmergy/komi/size5.json" \
    "$work/share/stigmergy/truth/stigmergy-5.jsonl.zst"
PATH=$work/bin:$PATH

. "$folder/stigmergy.bash"
complete -p stigmergy | grep -q -- '-F _stigmergy' || fail "bash: nothing is registered"

# offered WORD...: what bash offers for the last of the words, sorted, in one line
offered() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    (cd "$work/empty" && _stigmergy && [ ${#COMPREPLY[@]} -gt 0 ] && printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)
}

# expect WANTED WORD...
expect() {
    wanted=$1
    shift
    got=$(offered "$@")
    [ "$got" = "$wanted" ] || fail "bash: $*: '$got', expected '$wanted'"
}

commands=$(stigmergy --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | sort | xargs)
expect "--help --version $commands" stigmergy ''
expect 'selfplay serve solve' stigmergy s
expect "${commands/ help/}" stigmergy help ''
for command in $commands; do
    [ "$command" = help ] && continue
    listed=$(COLUMNS=200 stigmergy "$command" --help | grep -o -e '^ \{2,6\}\(-., \)\?--[a-z-]*' | grep -o -e '--[a-z-]*' |
        LC_ALL=C sort | xargs)
    got=$(LC_ALL=C; offered stigmergy "$command" --)
    [ "$(echo $got | tr ' ' '\n' | LC_ALL=C sort | xargs)" = "$listed" ] || fail "bash: $command: '$got', not '$listed'"
    for option in $listed; do
        grep -q -e "seen_subcommand_from $command' -l ${option#--} " "$folder/stigmergy.fish" ||
            fail "fish: $command $option is missing"
        sed -n "/^    $command)/,/;;/p" "$folder/stigmergy.zsh" | grep -q -e "'\*$option[=[]" ||
            fail "zsh: $command $option is missing"
    done
    grep -q "^        '$command:" "$folder/stigmergy.zsh" || fail "zsh: $command is missing"
    grep -q "use_subcommand -a $command " "$folder/stigmergy.fish" || fail "fish: $command is missing"
done
expect '--memory --move-time' stigmergy komi --m
expect '' stigmergy komi --komi=
expect 'bug sgolte stigmergy' stigmergy play --game ''
expect 'sgolte' stigmergy play --game = sg
expect 'free line' stigmergy match --capture =
expect '' stigmergy play --size ''
expect 'default level-1' stigmergy gtp --player ''
expect 'level-1' stigmergy gtp --player = le
expect 'size5' stigmergy komi --config ''
expect 'level-1' stigmergy estimate --guesses-by le
touch "$work/empty/my game.sgf"
got=$(cd "$work/empty" && COMP_WORDS=(stigmergy play --load my) COMP_CWORD=3 && _stigmergy && printf '%s|' "${COMPREPLY[@]}")
[ "$got" = 'my game.sgf|' ] || fail "bash: a name with a blank: '$got'"
rm "$work/empty/my game.sgf"
expect 'stigmergy-5.jsonl.zst' stigmergy truth --positions s
touch "$work/empty/size5.json"
expect 'size5.json' stigmergy report size
expect 'size5.json' stigmergy play --load s
expect '--out' stigmergy report --o
rm "$work/empty/size5.json"
mkdir "$work/empty/set"
expect 'set' stigmergy selfplay --out ''
expect 'set' stigmergy selfplay --check s

if command -v zsh >/dev/null; then
    zsh -n "$folder/stigmergy.zsh" || fail "zsh: syntax"
else
    echo "completion: skipped: zsh is not installed, its completion was compared with --help only"
fi
if command -v fish >/dev/null; then
    got=$(cd "$work/empty" && fish --no-config -c "source $folder/stigmergy.fish; complete -C 'stigmergy play --game '" |
        cut -f 1 | sort | xargs)
    [ "$got" = 'bug sgolte stigmergy' ] || fail "fish: play --game: '$got'"
    got=$(cd "$work/empty" && fish --no-config -c "source $folder/stigmergy.fish; complete -C 'stigmergy gtp --player l'" |
        cut -f 1 | sort | xargs)
    [ "$got" = 'level-1' ] || fail "fish: gtp --player: '$got'"
    got=$(cd "$work/empty" && fish --no-config -c "source $folder/stigmergy.fish; complete -C 'stigmergy truth --positions stig'" |
        cut -f 1 | sort | xargs)
    [ "$got" = 'stigmergy-5.jsonl.zst' ] || fail "fish: truth --positions: '$got'"
    got=$(cd "$work/empty" && fish --no-config -c "source $folder/stigmergy.fish; complete -C 'stigmergy se'" |
        cut -f 1 | sort | xargs)
    [ "$got" = 'selfplay serve' ] || fail "fish: se: '$got'"
else
    echo "completion: skipped: fish is not installed, its completion was compared with --help only"
fi
[ $failures -eq 0 ] && echo "all passed"
[ $failures -eq 0 ]
