#!/usr/bin/env python3
"""Matches with engines that go wrong in every way that we know, over 1,000 games on a busy machine.

    hostile.py STIGMERGY [--games 1000] [--threads 4] [--seed 1]

Two built-in players, `stigmergy gtp`, and one engine for each way to go wrong (tests/support/fake_engine.sh) all meet each
other, while other processes keep the processors busy. Then:
  - each game between good players has ended by its rules, and each other one is lost by the side that went wrong, for the
    reason that fits;
  - the games of the two built-in players are those of a match that they play alone;
  - each time, the program has three descriptors for each engine that runs, and no more at the end than at first;
  - no process is left that an engine has started, and none either after the program itself was killed.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid

ENGINE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "support", "fake_engine.sh")
MARK = "STIGMERGY_HOSTILE_MARK"
# How an engine goes wrong: the reasons for which it may lose.
WRONG = {
    "crash": "crash", "exit": "crash", "nonsense": "crash", "refuse": "crash", "huge": "crash", "flood": "crash",
    "close": "crash", "deaf": "crash", "blank": "crash", "twice": "crash", "children": "crash", "illegal": "illegal",
    "long": "illegal", "bytes": "illegal", "hang": "time", "partial": "time", "stop": "time", "brood": "time",
    "resign": "resign", "slow": "resign", "leave": "resign", "stay": "resign",
}
HANGS = ("hang", "brood", "partial", "stop")


def processes_of(mark):
    """The processes that have inherited the mark."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass  # it has ended, or is a kernel thread
    return found


def expect_none_left(mark, seconds):
    end = time.monotonic() + seconds
    while left := processes_of(mark):
        if time.monotonic() > end:
            commands = [open(f"/proc/{pid}/cmdline", "rb").read().replace(b"\0", b" ").decode() for pid in left]
            sys.exit(f"hostile: {len(left)} processes are left: {commands[:5]}")
        time.sleep(0.1)


def players_of(stigmergy, wrong):
    players = [{"name": name, "network": "none", "simulations": simulations, "memory_mb": 1}
               for name, simulations in (("a", 4), ("b", 8))]
    if wrong:
        players.append({"name": "engine", "gtp": f"exec '{stigmergy}' gtp --sims 4 --memory 1 --player '{json.dumps(players[0])}'"})
    for how in wrong:
        players.append({"name": how, "gtp": f"exec '{ENGINE}' {how}", "move_time": 0.1 if how in HANGS else 0})
    return players


def start_match(stigmergy, players, games, out, arguments, mark):
    command = [stigmergy, "match", "--size", "3", "--games", str(games), "--seed", str(arguments.seed), "--grace", "0.2",
               "--threads", str(arguments.threads), "--restarts", "1000000", "--allow-programs", "--out", out]
    for player in players:
        command += ["--player", json.dumps(player)]
    with open(out + ".log", "w", encoding="utf-8") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, **{MARK: mark}))


def watch_descriptors(match):
    """Until the match ends: how many descriptors it has beside those of its engines, and how many engines at most."""
    beside, engines = [], 0
    while match.poll() is None:
        try:
            with open(f"/proc/{match.pid}/task/{match.pid}/children", encoding="ascii") as file:
                children = len(file.read().split())
            threads = os.listdir(f"/proc/{match.pid}/task")
            for thread in threads:
                if thread != str(match.pid):
                    with open(f"/proc/{match.pid}/task/{thread}/children", encoding="ascii") as file:
                        children += len(file.read().split())
            beside.append(len(os.listdir(f"/proc/{match.pid}/fd")) - 3 * children)
            engines = max(engines, children)
        except OSError:
            pass  # a thread or the match has ended meanwhile
        time.sleep(0.02)
    return beside, engines


def read_games(out):
    with open(out.removesuffix(".json") + ".records.jsonl", encoding="utf-8") as file:
        return {game["id"]: game for game in map(json.loads, file)}


def end_match(match, out, games):
    """Waits for a match, which must end well with so many games, and reads them."""
    if match.wait() != 0:
        with open(out + ".log", encoding="utf-8") as log:
            sys.exit(f"hostile: the match ended with status {match.returncode}: {log.read()[-500:]}")
    played = read_games(out)
    if len(played) != games:
        sys.exit(f"hostile: {len(played)} games, expected {games}")
    return played


def check_game(game):
    """The loser is the side that went wrong, for a reason that fits; good players come to an end."""
    black, white = game["players"]["black"], game["players"]["white"]
    loser = white if game["winner"] == "B" else black
    reason = game["reason"]
    right = reason == WRONG[loser] and game.get("note") if loser in WRONG else reason == "score"
    if not right or (reason == "score") != (black not in WRONG and white not in WRONG):
        sys.exit(f"hostile: {black} against {white}: {loser} loses by {reason}, {game}")


def play(arguments, folder):
    mark, out, quiet = uuid.uuid4().hex, os.path.join(folder, "hostile.json"), os.path.join(folder, "quiet.json")
    players = players_of(arguments.stigmergy, WRONG)
    pairings = len(players) * (len(players) - 1) // 2
    games = max(2, 2 * -(-arguments.games // (2 * pairings)))
    begin = time.monotonic()
    match = start_match(arguments.stigmergy, players, games, out, arguments, mark)
    beside, engines = watch_descriptors(match)
    played = end_match(match, out, games * pairings)
    expect_none_left(mark, 0)
    for game in played.values():
        check_game(game)
    tenth = max(1, len(beside) // 10)
    if min(beside[-tenth:]) > min(beside[:tenth]):
        sys.exit(f"hostile: {min(beside[-tenth:])} descriptors beside those of engines at the end, {min(beside[:tenth])} at first")
    alone = start_match(arguments.stigmergy, players[:2], games, quiet, arguments, mark)
    for name, game in end_match(alone, quiet, games).items():
        if any(game[key] != played[name][key] for key in ("moves", "winner", "seed", "komi")):
            sys.exit(f"hostile: the built-in players play another game {name} than alone")
    forfeits = sum(game["reason"] != "score" for game in played.values())
    print(f"hostile: {len(played)} games of {len(players)} players in {time.monotonic() - begin:.0f} s, {forfeits} forfeited, "
          f"each rightly; at most {engines} engines at once; no process left, no descriptor leaked")


def kill_in_the_middle(arguments, folder):
    mark, out = uuid.uuid4().hex, os.path.join(folder, "killed.json")
    match = start_match(arguments.stigmergy, players_of(arguments.stigmergy, ("hang", "children", "stop", "stay", "leave")),
                        100, out, arguments, mark)
    time.sleep(2)
    end = time.monotonic() + 60
    while (seen := len(processes_of(mark))) < 2:  # the match itself, and an engine
        if match.poll() is not None or time.monotonic() > end:
            sys.exit("hostile: no engine has started")
        time.sleep(0.1)
    match.send_signal(signal.SIGKILL)
    match.wait()
    expect_none_left(mark, 10)
    print(f"hostile: killed with {seen} processes running; none of them is left")


def main():
    parser = argparse.ArgumentParser(description="Over 1,000 games of engines that go wrong.")
    parser.add_argument("stigmergy", help="the program")
    parser.add_argument("--games", type=int, default=1000, help="at least so many")
    parser.add_argument("--threads", type=int, default=4, help="games side by side")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.stigmergy = os.path.realpath(arguments.stigmergy)
    load = [subprocess.Popen(["nice", sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    try:
        with tempfile.TemporaryDirectory() as folder:
            play(arguments, folder)
            kill_in_the_middle(arguments, folder)
    finally:
        for process in load:
            process.kill()


if __name__ == "__main__":
    main()
