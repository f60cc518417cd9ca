#!/usr/bin/env python3
"""What the search thinks of each first move, beside what games from there say: a table in Markdown.

    study_first_moves.py STIGMERGY --size N --komi K --out MATCH.json [--sims 3200] [--games 1400]
                         [--player P] [--threads 2]

The search's opinion is Black's chance after the first move, its solver switched off. The games are a match of the
player against itself, spread evenly over all classes of first moves; such a match draws among nearly equal moves, so
that the games differ. The same command goes on where it was stopped. Intervals are Wilson's, 95%. Where few games
differ they are too narrow, so the number of different games stands beside.
"""
import argparse
import collections
import json
import math
import os
import subprocess


def play(arguments, player):
    """The games of the match: pairs of moves and winner."""
    players = [dict(player, name=name) for name in "ab"]
    subprocess.run([arguments.stigmergy, "match", "--size", str(arguments.size), "--komi", str(arguments.komi),
                    "--openings", "first", "--games", str(arguments.games), "--seed", "1",
                    "--threads", str(arguments.threads), "--out", arguments.out,
                    *(word for each in players for word in ("--player", json.dumps(each)))],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.splitext(arguments.out)[0] + ".records.jsonl", encoding="utf-8") as file:
        games = [json.loads(line) for line in file]
    return [(tuple(game["moves"]), game["winner"]) for game in games]


def opinions(arguments, player, moves):
    """Black's chance after each first move by the search."""
    queries = [{"id": move, "moves": [move], "size": arguments.size, "komi": arguments.komi, "maxSims": arguments.sims}
               for move in moves]
    player = dict(player, simulations=arguments.sims, search={**player.get("search", {}), "solver_share": 0})
    done = subprocess.run([arguments.stigmergy, "analyze", "--player", json.dumps(player), "--threads",
                           str(arguments.threads)], check=True, text=True, capture_output=True,
                          input="".join(json.dumps(query) + "\n" for query in queries))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {answer["id"]: answer["rootInfo"]["winrate"] for answer in answers}


def wilson(wins, games):
    z, share = 1.96, wins / games
    centre = (share + z * z / 2 / games) / (1 + z * z / games)
    width = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / 4 / games / games)
    return centre - width, centre + width


def main():
    parser = argparse.ArgumentParser(description="What the search thinks of first moves, and what games say.")
    parser.add_argument("stigmergy", help="the program")
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--komi", type=int, required=True)
    parser.add_argument("--out", required=True, help="document of the match")
    parser.add_argument("--sims", type=int, default=3200, help="simulations of the opinion")
    parser.add_argument("--game-sims", type=int, help="simulations of each move of the games (default: the same)")
    parser.add_argument("--games", type=int, default=1400, help="games in all")
    parser.add_argument("--player", default="{}", help="description in JSON (default: the default player)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    player = dict(json.loads(arguments.player), simulations=arguments.game_sims or arguments.sims)
    games = collections.defaultdict(list)
    for moves, winner in play(arguments, player):
        games[moves[0]].append((moves, winner))
    search = opinions(arguments, player, sorted(games))
    print("| first move | opinion | games | difference |\n|---|---|---|---|")
    for move in sorted(games, key=lambda move: -search[move]):
        wins, count = sum(winner == "B" for _, winner in games[move]), len(games[move])
        low, high = wilson(wins, count)
        print(f"| {move} | {search[move]:.2f} | {wins / count:.2f} [{low:.2f}, {high:.2f}], {wins} of {count}, "
              f"{len(set(games[move]))} different | {search[move] - wins / count:+.2f} |")


if __name__ == "__main__":
    main()
