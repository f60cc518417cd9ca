#!/usr/bin/env python3
"""The training loop: a network plays itself, a new one learns from the games, and takes over if it wins matches.

    loop.py CONFIG --program STIGMERGY --out DIR

Generation after generation (AlphaZero, Silver et al. 2018, with a gate as in AlphaGo Zero):

1. self-play: `stigmergy selfplay` with the best network so far makes DIR/gen-NNN/set; the first generation plays with
   the player of the configuration.
2. training: train.py goes on from the last candidate's weights, with the sets of the last `window` generations, at
   most the newer half of all.
3. gate: `stigmergy match` between the candidate and the best network, a sequential test on each size of `gate.sizes`.
   The candidate takes over where no test says that it is not stronger, and it is stronger on the average.

DIR/loop.json says what is finished; every step can be interrupted at any moment, and the same command goes on: runs and
training are resumed by the commands themselves. With --generations N the loop ends after N of them. CONFIG is a JSON
file like configs/training/stigmergy.json. A configuration may be changed between two generations.
"""

import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = sys.executable


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    """Writes the file whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def call(command, log):
    """Runs a command, its messages in `log`; ends the loop where it fails."""
    with open(log, "a", encoding="utf-8") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"loop: '{' '.join(command)}' ended with status {done.returncode}; see {log}")


class Loop:
    def __init__(self, config, program, folder, threads):
        self.config, self.program, self.folder, self.threads = config, program, folder, threads
        self.path = os.path.join(folder, "loop.json")
        self.state = read_json(self.path) if os.path.exists(self.path) else {"best": None, "generations": []}

    def generation_folder(self, number):
        return os.path.join(self.folder, f"gen-{number:03d}")

    def network(self, number):
        """The path of a generation's network; absolute, for players are read from other folders too."""
        return os.path.abspath(os.path.join(self.generation_folder(number), "train", "network.bin"))

    def player(self, number, name, **more):
        """The description of the player with that generation's network."""
        return {"name": name, "network": self.network(number), **self.config.get("player", {}), **more}

    def self_play(self, number):
        settings = dict(self.config["selfplay"], seed=self.config["seed"] + number)
        if self.state["best"] is None:
            settings.update(self.config.get("first_selfplay", {}))
        else:
            settings["player"] = self.player(self.state["best"], "network")
        folder = self.generation_folder(number)
        path = os.path.join(folder, "selfplay.json")
        if not os.path.exists(path):
            write_json(path, settings)
        if not os.path.exists(os.path.join(folder, "set", "manifest.json")):
            call([self.program, "selfplay", "--config", path, "--threads", str(self.threads),
                  "--out", os.path.join(folder, "set")], os.path.join(folder, "selfplay.log"))

    def train(self, number):
        folder = os.path.join(self.generation_folder(number), "train")
        if os.path.exists(os.path.join(folder, "network.bin")):
            return
        training = self.config["training"]
        first = max(number // 2, number + 1 - training["window"])  # the older half is of weaker players
        command = [PYTHON, os.path.join(HERE, "train.py"), "--out", folder, "--steps", str(training["steps"]),
                   "--batch", str(training["batch"]), "--rate", str(training["rate"]),
                   "--blocks", str(training["blocks"]), "--channels", str(training["channels"]),
                   "--seed", str(self.config["seed"] + number), "--threads", str(self.threads),
                   "--game", self.config["selfplay"].get("game", "stigmergy")]
        if number > 0:
            command += ["--from", os.path.join(self.generation_folder(number - 1), "train", "checkpoint.pt")]
        sets = [os.path.join(self.generation_folder(i), "set") for i in range(first, number + 1)]
        call(command + sets, os.path.join(self.generation_folder(number), "train.log"))

    def gate(self, number):
        """Whether the candidate takes over, and the matches that said so."""
        if self.state["best"] is None:
            return True, []
        gate, folder, matches = self.config["gate"], self.generation_folder(number), []
        for size in gate["sizes"]:
            out = os.path.join(folder, f"match-{size}.json")
            call([self.program, "match", "--size", str(size), "--komi", "auto", "--games", str(gate["games"]),
                  "--sprt", gate["sprt"], "--seed", str(self.config["seed"] + number), "--threads", str(self.threads),
                  "--player", json.dumps(self.player(number, "candidate", simulations=gate["simulations"])),
                  "--player", json.dumps(self.player(self.state["best"], "best", simulations=gate["simulations"])),
                  "--out", out], os.path.join(folder, "match.log"))
            matches.append(read_json(out))
        verdicts = [match["sprt"]["verdict"] for match in matches]
        stronger = sum(match["elo"]["estimate"] for match in matches) > 0
        return "H0 accepted" not in verdicts and stronger, matches

    def run_generation(self):
        number = len(self.state["generations"])
        os.makedirs(self.generation_folder(number), exist_ok=True)
        begin = time.time()
        self.self_play(number)
        self.train(number)
        promoted, matches = self.gate(number)
        if promoted:
            self.state["best"] = number
        self.state["generations"].append({
            "number": number, "promoted": promoted, "seconds": round(time.time() - begin),
            "matches": [{key: match.get(key) for key in ("size", "games", "elo", "sprt")} for match in matches]})
        write_json(self.path, self.state)
        print(f"generation {number}: {'takes over' if promoted else 'is not better'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Trains networks by self-play, generation after generation.")
    parser.add_argument("config", help="settings, a JSON file")
    parser.add_argument("--program", default="stigmergy", help="the stigmergy program (default: that of the PATH)")
    parser.add_argument("--out", required=True, help="folder of the loop")
    parser.add_argument("--generations", type=int, help="end after this number of generations (default: go on)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    while True:
        loop = Loop(read_json(arguments.config), arguments.program, arguments.out, arguments.threads)
        if arguments.generations is not None and len(loop.state["generations"]) >= arguments.generations:
            break
        loop.run_generation()


if __name__ == "__main__":
    main()
