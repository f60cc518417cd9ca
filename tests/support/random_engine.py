#!/usr/bin/env python3
"""A GTP engine that takes random legal turns of Stigmergy, the weakest opponent for `stigmergy match`.

random_engine.py STIGMERGY [SEED]: the rules are those of `STIGMERGY gtp`, which gets all other commands.
"""
import random
import subprocess
import sys

random.seed(sys.argv[2] if len(sys.argv) > 2 else None)
rules = subprocess.Popen([sys.argv[1], "gtp", "--sims", "1", "--memory", "1"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)


def ask(command):
    """The answer of the engine behind, its two final newlines included."""
    print(command, file=rules.stdin, flush=True)
    lines = []
    while not lines or lines[-1] != "\n":
        lines.append(rules.stdout.readline())
        if not lines[-1]:
            sys.exit("random_engine: the engine behind has ended")
    return "".join(lines)


for line in sys.stdin:
    words = line.split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    if words[:1] == ["genmove"]:
        turn = random.choice(ask("gogui-rules_legal_moves").split()[1:])
        ask(f"play {words[1]} {turn}")
        answer = f"= {turn}\n\n"
    else:
        answer = ask(" ".join(words)) if words else ""
    print(answer[:1] + number + answer[1:], end="", flush=True)
    if words[:1] == ["quit"]:
        break
