#!/usr/bin/env python3
"""How the levels err: what their turns lose, beside what random turns in the same positions lose.

    study_levels.py STIGMERGY [--size 5] [--komi 6] [--games 4] [--turns 40] [--levels 1,2,3,4,5] [--sims 1000]

Each level plays games against itself; its first turns are judged by searches of the default player before and after
them, and so is one random legal turn of each position. A row for each level: the mean loss of points and of the chance
to win, the share of turns that lose 5 points or more, and the share of turns that lose less than a random one does.
A player who errs as people do plays most turns well and a few badly; one who errs by chance loses like the random turn.
"""
import argparse
import json
import os
import random
import subprocess
import tempfile


def games_of(options, level, folder):
    out = os.path.join(folder, f"level-{level}.json")
    player = json.load(open(os.path.join(os.path.dirname(options.stigmergy), "..", "share", "stigmergy", "players",
                                         f"level-{level}.json"), encoding="utf-8"))
    subprocess.run([options.stigmergy, "match", "--size", str(options.size), "--komi", str(options.komi), "--games",
                    str(options.games), "--openings", "1", "--player", json.dumps(player), "--player",
                    json.dumps(dict(player, name="again")), "--out", out], check=True, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    with open(out.replace(".json", ".records.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line)["moves"] for line in lines]


class Engine:
    def __init__(self, options):
        self.options = options
        self.process = subprocess.Popen([options.stigmergy, "analyze", "--threads", "1"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, moves, **fields):
        query = {"id": "a", "size": self.options.size, "komi": self.options.komi, "moves": moves,
                 "maxSims": self.options.sims, **fields}
        print(json.dumps(query), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def losses(before, after):
    """Of the side to move before: points and chance."""
    sign = 1 if before["currentPlayer"] == "B" else -1
    return (max(0, sign * (before["scoreLead"] - after["scoreLead"])),
            max(0, sign * (before["winrate"] - after["winrate"])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stigmergy")
    for name, value in (("size", 5), ("komi", 6), ("games", 4), ("turns", 40), ("sims", 1000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--levels", default="1,2,3,4,5")
    options = parser.parse_args()
    engine, rng = Engine(options), random.Random(1)
    print("| level | points a turn | by chance | chance a turn | by chance | 5 points or more | by chance | better |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for level in options.levels.split(","):
            played, by_chance = [], []
            for moves in games_of(options, level, folder):
                for turn in range(1, min(options.turns, len(moves) - 2)):
                    here = engine.ask(moves[:turn], includePolicy=True)
                    if here["rootInfo"]["proven"]:
                        break
                    legal = [move["move"] for move in here["moveInfos"]] if "policy" not in here else None
                    names = legal or [name for name in here["policy"]]
                    names = [name if isinstance(name, str) else name["move"] for name in names]
                    other = rng.choice([name for name in names if name not in ("pass", "take-button")])
                    for into, move in ((played, moves[turn]), (by_chance, other)):
                        into.append(losses(here["rootInfo"], engine.ask(moves[:turn] + [move])["rootInfo"]))
            count = len(played)
            mean = lambda values, i: sum(value[i] for value in values) / count
            blunders = lambda values: sum(value[0] >= 5 for value in values) / count
            better = sum(a[0] < b[0] for a, b in zip(played, by_chance)) / count
            print(f"| {level} | {mean(played, 0):.1f} | {mean(by_chance, 0):.1f} | {mean(played, 1):.1%} | "
                  f"{mean(by_chance, 1):.1%} | {blunders(played):.0%} | {blunders(by_chance):.0%} | {better:.0%} |",
                  flush=True)
    engine.process.stdin.close()


main()
