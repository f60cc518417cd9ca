#!/usr/bin/env python3
"""How much stronger the player is than another engine, by board size and time a move: a table in Markdown.

    study_strength.py STIGMERGY ENGINE --out DIR [--player P] [--times 0.1,0.01,0.001] [--rows stigmergy:5,bug:4]
                      [--games 100] [--threads 2]

ENGINE is a GTP command, for instance an older version: "/path/to/stigmergy gtp". It has 0.1 s for every move; the
player has each of the times. Half of the games begin with one random turn, half with two; komi makes each opening even.
Every match is one of `stigmergy match`, whose documents stay in DIR; the same command goes on where it was stopped.
Times below 0.001 s cannot be asked of a match. A pair of games went by colour where Black won both, or White.

It keeps as many processors busy as there are games side by side, so the machine should do nothing else.
"""

import argparse
import json
import math
import os
import subprocess
import sys

ROWS = [f"stigmergy:{size}" for size in range(4, 11)] + ["bug:4", "bug:5", "sgolte:5", "sgolte:6"]
ENGINE_SECONDS = 0.1


def play(arguments, game, size, seconds, turns, games):
    """The document of one match."""
    out = os.path.join(arguments.out, f"{game}-{size}-{seconds:g}s-{turns}.json")
    description = dict(json.loads(arguments.player), name="new", move_time=seconds)
    command = [arguments.stigmergy, "match", "--game", game, "--size", str(size), "--games", str(games), "--openings",
               str(turns), "--seed", str(10 * size + turns), "--threads", str(arguments.threads), "--out", out,
               "--player", json.dumps(description),
               "--player", json.dumps({"name": "old", "gtp": arguments.engine, "move_time": ENGINE_SECONDS}),
               "--allow-programs"]
    if game == "stigmergy":
        command += ["--komi", "auto"]
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{out}: the match failed: {done.stderr.strip().splitlines()[-1]}")
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def elo(share):
    return -400 * math.log10(1 / share - 1)


def summary(matches):
    """Elo with a 95% interval from the pairs of several matches, as text; where all games are won, their number. (A normal
    approximation: where nearly all pairs are won, `stigmergy match` has wider intervals, and a lower end.)"""
    counts = [sum(match["pair_scores"][key] for match in matches) for key in ("0", "0.5", "1")]
    pairs, wins = sum(counts), sum(match["results"][0]["wins"] for match in matches)
    games = 2 * pairs
    if wins in (0, games):
        return f"{wins} of {games}"
    mean = (counts[1] / 2 + counts[2]) / pairs
    variance = sum(n * (score - mean) ** 2 for n, score in zip(counts, (0, 0.5, 1))) / pairs
    width = 1.96 * math.sqrt(max(variance, 0.25 / pairs) / pairs)
    low, high = max(mean - width, 0.5 / games), min(mean + width, 1 - 0.5 / games)
    sims = sum(match["results"][0]["sims_per_move"] for match in matches) / len(matches)
    return (f"{elo(mean):+.0f} [{elo(low):+.0f}, {elo(high):+.0f}], {wins} of {games}, {counts[1]} pairs by colour, "
            f"{sims:.0f} simulations")


def main():
    parser = argparse.ArgumentParser(description="Plays the player against an engine, on many boards and at several times.")
    parser.add_argument("stigmergy", help="the program")
    parser.add_argument("engine", help="GTP command of the other engine")
    parser.add_argument("--out", required=True, help="folder of the documents")
    parser.add_argument("--player", default="{}", help="description in JSON (default: the default player)")
    parser.add_argument("--times", default="0.1,0.01,0.001", help="of the player, seconds a move")
    parser.add_argument("--rows", default=",".join(ROWS), help="game:size, separated by commas")
    parser.add_argument("--games", type=int, default=100, help="of each match, a multiple of 4; 40%% of it from size 7 on")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    times = [float(text) for text in arguments.times.split(",")]
    print("| | " + " | ".join(f"{seconds:g} s" for seconds in times) + " |")
    print("|---" * (1 + len(times)) + "|")
    for row in arguments.rows.split(","):
        game, size = row.split(":")
        games = arguments.games if int(size) < 7 else max(4, arguments.games * 4 // 10)
        cells = [summary([play(arguments, game, int(size), seconds, turns, games // 4 * 2) for turns in (1, 2)])
                 for seconds in times]
        print(f"| {game} {size} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
