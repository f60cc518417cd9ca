#!/usr/bin/env python3
"""The training loop: a network plays itself, a new one learns from the games, and takes over if it wins matches.

    loop.py CONFIG --program STIGMERGY --out DIR
    loop.py CONFIG --program STIGMERGY --out DIR --rate

Generation after generation (AlphaZero, Silver et al. 2018, with a gate as in AlphaGo Zero):

1. self-play: `stigmergy selfplay` with the best network so far makes DIR/gen-NNN/set; the first generation plays with
   the network `start` of the configuration, or without one as `first_selfplay` says.
2. training: train.py goes on from the last candidate's weights, with the sets of the last `window` generations, but of
   the generations 0 to G only with those from G / 2 on.
3. gate: `stigmergy match` between the candidate and the best network, a sequential test on each size of `gate.sizes`.
   The candidate takes over where no test says that it is not stronger, and it is stronger on the average.

DIR/loop.json says what is finished and how good each generation was (README.md has its fields; `stigmergy report` draws
it). Every step can be interrupted at any moment, and the same command goes on: runs and training are resumed by the
commands themselves. With --generations N the loop ends after N of them. CONFIG is a JSON file like
configs/training/stigmergy.json. A configuration may be changed between two generations.

With --rate there is no new generation: all networks that took over play each other on several sizes, and `stigmergy
match` rates them. DIR/rating-NNN-SIZE.json, where NNN is the newest of them, can be given to the same report.
"""

import argparse
import ctypes
import difflib
import glob
import json
import os
import platform
import re
import signal
import subprocess
import sys

from files import expect_pytorch, lock, make_folder, read_json, read_lines, start, write_whole
from games import BOARD_MAX, GAMES, WITH_POINTS

SCHEMA = {"name": "stigmergy-loop", "version": 1}
RATED_MAX = 32    # players of one match
THREADS_MAX = 256  # of the program
NETWORK_MAX = 255  # bytes of the path of a player's network
PR_SET_PDEATHSIG = 1  # of prctl: the signal that a process gets when its parent has ended
VARIANTS = ("capture", "pie")  # keys of self-play that say which variant of the game the whole loop plays
HASH_DIGITS = 16  # of a network's SHA-256, as in the descriptions of players
HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = sys.executable
REQUIRED = {  # keys of the settings that have no default, by the key that they stand below
    "": ("seed", "selfplay", "training", "gate"),
    "training": ("window", "steps", "batch", "rate", "blocks", "channels"),
    "gate": ("sizes", "simulations", "games", "sprt"),
}


def whole(low, high=10**9, step=1):
    """A test: whether a value is a whole number from `low` to `high`, a multiple of `step`."""
    return lambda value: type(value) is int and low <= value <= high and value % step == 0


def number(low, high):
    return lambda value: type(value) in (int, float) and low <= value <= high


def text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


def sizes(value):
    """Whether a value is a list of board sizes, each once."""
    return isinstance(value, list) and value and all(map(whole(2, 10), value)) and len(set(value)) == len(value)


def boards(value):
    """Whether a value is a list of objects with a board size each."""
    return (isinstance(value, list) and value
            and all(isinstance(item, dict) and whole(2, 10)(item.get("size")) for item in value))


def sprt(value):
    """Whether a value is the two Elo of a sequential test."""
    elo = r"-?(?:\d+\.?\d*|\.\d+)"
    found = text(f"({elo}),({elo})")(value)
    return found and -1000 <= float(found[1]) < float(found[2]) <= 1000


# What values must be that the loop itself needs: keys, words, test. The program looks at those of self-play.
VALUES = (
    ("player selfplay first_selfplay training gate rate", "an object", lambda value: isinstance(value, dict)),
    ("player.search selfplay.openings first_selfplay.openings", "an object", lambda value: isinstance(value, dict)),
    ("selfplay.sizes first_selfplay.sizes", 'a list of objects such as [{"size": 5}]', boards),
    ("selfplay.game", f"one of {', '.join(GAMES)}", lambda value: value in GAMES),
    ("selfplay.capture", "free or line", lambda value: value in ("free", "line")),
    ("selfplay.pie", "on or off", lambda value: value in ("on", "off")),
    ("seed", "a whole number from 0 to 2^52", whole(0, 2**52)),
    ("start", "the path of a network's file (.bin)",
     lambda value: isinstance(value, str) and value.endswith(".bin")),
    ("start", "a file that is there (its path is seen from the current folder)", os.path.isfile),
    ("training.window training.steps", "a whole number above 0", whole(1)),
    ("training.batch", "1 to 65536", whole(1, 65536)),
    ("training.rate", "a number above 0", number(1e-9, 1e9)),
    ("training.blocks", "1 to 32", whole(1, 32)),
    ("training.channels", "a multiple of 16 from 16 to 256", whole(16, 256, 16)),
    ("gate.sizes rate.sizes", "a list of board sizes such as [4, 5], each once", sizes),
    ("gate.simulations rate.simulations", "a whole number above 0", whole(1)),
    ("gate.games rate.games", "an even number above 0", whole(2, step=2)),
    ("gate.sprt", 'a string such as "0,20", the lower Elo first, -1000 to 1000', sprt),
    ("gate.openings", "empty, first, second, or a number of turns, 0 to 20",
     lambda value: whole(0, 20)(value) or text(r"empty|first|second|1?\d|20")(value)),
    ("gate.opening_limit", "0.5 to 1", number(0.5, 1)),
    ("rate.move_time", "seconds, 0.001 or more", number(0.001, 1e6)),
)


def keys(names, **inner):
    """The known keys of an object: None for each, or the known keys of the object, or list of objects, below it."""
    return {**dict.fromkeys(names.split()), **inner}


# The program finds a wrong key in its own settings, but perhaps hours later: the first games may be those of another
# player, with other settings.
PLAYER = keys("name simulations many_simulations large_board_simulations move_time memory_mb draw draw_loss "
              "search_threads network network_hash",
              search=keys("playout_policy playouts expand_visits rave judge prior_playouts prior_slope revisits "
                          "solver_share solver_open solver_claims_open exploration first_play selection playout_share "
                          "puct considered fpu_reduction score all_images"))
SELFPLAY = keys("game seed shards simulations games rows license creator url capture pie",
                player=PLAYER, sizes=keys("size weight simulations network network_hash komi"),
                cheap=keys("share simulations"), openings=keys("turns simulations from share"),
                komi=keys("spread wild_share wild_spread"),
                explore=keys("turns noise noise_playouts power gumbel"), resign=keys("below moves never finish"))
SETTINGS = keys("seed start", player=PLAYER, selfplay=SELFPLAY, first_selfplay=SELFPLAY,
                training=keys("window steps batch rate blocks channels"),
                gate=keys("sizes simulations games sprt openings opening_limit"),
                rate=keys("sizes games simulations move_time"))
NAMED = "the loop names its players and their networks itself"
# Known keys that would take the place of what the loop itself says there, or be ignored: keys, what says it.
OF_THE_LOOP = (
    ("player.name player.network player.network_hash", NAMED),
    ("player.simulations player.many_simulations player.large_board_simulations player.move_time",
     "'selfplay', 'gate' and 'rate' say how long players think"),
    ("selfplay.seed first_selfplay.seed", "'seed' is that of the whole loop"),
    ("first_selfplay.game first_selfplay.capture first_selfplay.pie",
     "'selfplay' says which game and variant the whole loop plays"),
)


def game_of(settings):
    return settings["selfplay"].get("game", "stigmergy")


def load(path):
    """A document that the loop or the program has written."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    write_whole(path, (json.dumps(value, indent=1) + "\n").encode())


def leash():
    """What a command does first: it asks Linux to end it when the loop has ended, even if that was killed."""
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def hold():
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # that of the loop would not work between here and the command
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it had ended before
            os.kill(os.getpid(), signal.SIGTERM)
    return hold


def call(command, log):
    """Runs a command, its messages in `log`; ends the loop where it fails. It ends with the loop."""
    with open(log, "a", encoding="utf-8") as file:
        with subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, preexec_fn=leash()) as child:
            try:
                status = child.wait()
            finally:
                child.terminate()  # does nothing if it has ended
    if status:
        sys.exit(f"loop: '{' '.join(command)}' ended with status {status}; see {log}")


# ---- What a finished step says about itself ----

def describe_set(folder):
    manifest = load(os.path.join(folder, "manifest.json"))
    counts = {key: manifest["counts"][key] for key in ("games", "rows", "full_searches")}
    return {"started": manifest["started"], **counts}, manifest["seconds"]


def describe_training(folder):
    """The network's hash, and the losses on the rows kept to judge by, by board size."""
    with open(os.path.join(folder, "network.bin"), "rb") as file:
        network_hash = file.read()[-32:].hex()[:HASH_DIGITS]  # the file ends with its SHA-256
    log = os.path.join(folder, "log.jsonl")
    lines = [line for line in read_lines(log) if "seconds" in line]  # others are of other sets, later
    if not lines:
        sys.exit(f"{log}: has no line with 'seconds', expected the log of a training that is finished")
    last = lines[-1]
    return {"network_hash": network_hash, "judged": last.get("judged", {})}, last["seconds"]


def is_state(state):
    """Whether a document has what a loop goes on from."""
    return (isinstance(state, dict) and state.get("schema", SCHEMA) == SCHEMA and "best" in state
            and isinstance(state.get("generations"), list)
            and all(isinstance(item, dict) and item.keys() >= {"number", "promoted", "matches"}
                    for item in state["generations"]))


class Loop:
    def __init__(self, config, program, folder, threads):
        self.config, self.program, self.folder, self.threads = config, program, folder, threads
        self.game = game_of(config)
        self.path = os.path.join(folder, "loop.json")
        self.state = {"best": None, "generations": []}
        if os.path.exists(self.path):
            self.state = read_json(self.path, "the document of a loop")
            self.check_state()

    def check_state(self):
        """Completes what earlier versions wrote: they had no schema, and said less about a generation."""
        if not is_state(self.state):
            sys.exit(f"{self.path}: is not the document of a loop, or damaged; expected schema {json.dumps(SCHEMA)}")
        lacking = [generation for generation in self.state["generations"] if "network_hash" not in generation]
        for generation in lacking:
            generation.update(self.describe(generation["number"], generation["matches"]))
        if lacking:
            self.save()

    def describe(self, number, matches):
        """What the steps of a finished generation say about themselves; what was deleted since is left out."""
        folder = self.generation_folder(number)
        gates = [os.path.join(folder, f"match-{match['size']}.json") for match in matches]
        about = {"seconds": {}}
        for step, part in (("selfplay", lambda: describe_set(os.path.join(folder, "set"))),
                           ("training", lambda: describe_training(os.path.join(folder, "train"))),
                           ("gate", lambda: ({}, sum(load(path)["seconds"] for path in gates)))):
            try:
                more, seconds = part()
                about.update(more)
                about["seconds"][step] = round(seconds, 1)
            except FileNotFoundError as error:
                print(f"loop: generation {number}: {error.filename} is missing", file=sys.stderr)
        return about

    def save(self):
        """Writes the document: what it is, where it was made, and the state."""
        generations = self.state["generations"]
        seconds = sum(sum(generation["seconds"].values()) for generation in generations)
        version = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.split()
        write_json(self.path, {
            "schema": SCHEMA, "program": {"name": "stigmergy", "version": version[-1]},
            "game": self.game, "seed": str(self.config["seed"]),
            "started": generations[0].get("started"), "seconds": round(seconds, 1),
            "machine": {"system": platform.system(), "architecture": platform.machine(),
                        "processors": os.cpu_count()},
            "settings": self.config, "best": self.state["best"], "generations": generations})

    def generation_folder(self, number):
        return os.path.join(self.folder, f"gen-{number:03d}")

    def network(self, number):
        """The path of a generation's network; absolute, for players are read from other folders too."""
        return os.path.abspath(os.path.join(self.generation_folder(number), "train", "network.bin"))

    def best_network(self):
        """The path of the best network so far; None before the first one."""
        if self.state["best"] is not None:
            return self.network(self.state["best"])
        return os.path.abspath(self.config["start"]) if "start" in self.config else None

    def player(self, network, name, **more):
        """The description of the player with a network."""
        return {"name": name, "network": network, **self.config.get("player", {}), **more}

    def openings(self, number, settings):
        """The openings of a generation. A `share` without `from` is that of the games that begin in games of the last
        gate: in positions that the best network comes to against another one."""
        if "share" not in settings or "from" in settings:
            return settings
        gate = os.path.abspath(self.generation_folder(number - 1))
        if glob.glob(os.path.join(glob.escape(gate), "match-*.records.jsonl")):
            return dict(settings, **{"from": gate})
        return {key: value for key, value in settings.items() if key != "share"}

    def check_later_settings(self):
        """Ends the loop where the program would refuse settings that are used only once there is a network, or the
        path of that: hours later, where the first games have settings of their own."""
        length = len(os.fsencode(self.network(0)))
        if length > NETWORK_MAX:
            sys.exit(f"--out {self.folder}: its networks have paths of {length} bytes, expected at most {NETWORK_MAX}; "
                     "choose a shorter one")
        settings = dict(self.config["selfplay"], player=self.config.get("player", {}))  # of the game's own network
        if "openings" in settings:
            settings["openings"] = self.openings(0, settings["openings"])
        path = os.path.join(self.folder, "later-games.json")
        write_json(path, settings)
        call([self.program, "selfplay", "--config", path, "--dry-run", "--threads", str(self.threads)],
             os.path.join(self.folder, "later-games.log"))

    def self_play(self, number):
        settings = dict(self.config["selfplay"], seed=self.config["seed"] + number)
        if "openings" in settings:
            settings["openings"] = self.openings(number, settings["openings"])
        if self.best_network():
            settings["player"] = self.player(self.best_network(), "network")
        else:
            settings.update(self.config.get("first_selfplay", {}))
        folder = self.generation_folder(number)
        path = os.path.join(folder, "selfplay.json")
        if not os.path.exists(os.path.join(folder, "set", "run.json")):  # games that have begun keep their settings
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
                   "--game", self.game]
        if number > 0:
            command += ["--from", os.path.join(self.generation_folder(number - 1), "train", "checkpoint.pt")]
        elif "start" in self.config:
            command += ["--from", self.config["start"]]
        sets = [os.path.join(self.generation_folder(i), "set") for i in range(first, number + 1)]
        call(command + sets, os.path.join(self.generation_folder(number), "train.log"))

    def match(self, size, players, seed, out, log, *options):
        """Plays a match and returns its document."""
        command = [self.program, "match", "--game", self.game, "--size", str(size), "--seed", str(seed),
                   "--threads", str(self.threads), "--out", out, *options]
        if self.game in WITH_POINTS:
            command += ["--komi", "auto"]
        for key in VARIANTS:
            if key in self.config["selfplay"]:
                command += [f"--{key}", self.config["selfplay"][key]]
        for player in players:
            command += ["--player", json.dumps(player)]
        call(command, log)
        return load(out)

    def gate(self, number):
        """Whether the candidate takes over, and the matches that said so."""
        if not self.best_network():
            return True, []
        gate, folder, matches = self.config["gate"], self.generation_folder(number), []
        openings = [text for key in ("openings", "opening_limit") if key in gate
                    for text in ("--" + key.replace("_", "-"), str(gate[key]))]
        for size in gate["sizes"]:
            players = [self.player(self.network(number), "candidate", simulations=gate["simulations"]),
                       self.player(self.best_network(), "best", simulations=gate["simulations"])]
            matches.append(self.match(size, players, self.config["seed"] + number,
                                      os.path.join(folder, f"match-{size}.json"), os.path.join(folder, "match.log"),
                                      "--games", str(gate["games"]), "--sprt", gate["sprt"], *openings))
        verdicts = [match["sprt"]["verdict"] for match in matches]
        stronger = sum(match["elo"]["estimate"] for match in matches) > 0
        return "H0 accepted" not in verdicts and stronger, matches

    def run_generation(self):
        number = len(self.state["generations"])
        os.makedirs(self.generation_folder(number), exist_ok=True)
        if number == 0:
            self.check_later_settings()
        self.self_play(number)
        self.train(number)
        promoted, matches = self.gate(number)
        if promoted:
            self.state["best"] = number
        kept = [{key: match.get(key) for key in ("size", "games", "elo", "sprt")} for match in matches]
        self.state["generations"].append({"number": number, "promoted": promoted, **self.describe(number, kept),
                                          "matches": kept})
        self.save()
        print(f"generation {number}: {'takes over' if promoted else 'is not better'}", flush=True)

    def rated(self):
        """The generations that took over, the first and the last always; evenly chosen if a match cannot have all."""
        numbers = [generation["number"] for generation in self.state["generations"] if generation["promoted"]]
        if len(numbers) < 3:
            sys.exit(f"{self.path}: has {len(numbers)} networks that took over, expected three or more to rate")
        count = min(len(numbers), RATED_MAX)
        return [numbers[round(i * (len(numbers) - 1) / (count - 1))] for i in range(count)]

    def rate(self):
        """Plays the ratings; says where they are."""
        rate, numbers = self.config.get("rate", {}), self.rated()
        effort = {key: rate[key] for key in ("simulations", "move_time") if key in rate} or {"move_time": 0.1}
        players = [self.player(self.network(number), f"generation-{number}", **effort) for number in numbers]
        for size in rate.get("sizes", self.config["gate"]["sizes"]):
            out = os.path.join(self.folder, f"rating-{numbers[-1]:03d}-{size}.json")
            self.match(size, players, self.config["seed"], out, os.path.join(self.folder, "rating.log"),
                       "--games", str(rate.get("games", 40)))
            print(out, flush=True)


def check_keys(path, value, known, above=""):
    """Ends the loop where an object, or one of a list, has a key that nobody would ask for. `above` are the keys that it
    stands below."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        for key, inner in item.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                meant = f"did you mean '{above}{near[0]}'?" if near else f"expected one of {', '.join(known)}"
                sys.exit(f"{path}: unknown key '{above}{key}', {meant}")
            if known[key]:
                check_keys(path, inner, known[key], f"{above}{key}.")


def check_values(path, settings):
    """Ends the loop where a value is not what VALUES says."""
    for names, expected, good in VALUES:
        for name in names.split():
            group, _, key = name.rpartition(".")
            values = settings.get(group, {}) if group else settings
            if key in values and not good(values[key]):
                sys.exit(f"{path}: '{name}' is wrong, expected {expected}")
    for names, reason in OF_THE_LOOP:
        for name in names.split():
            group, key = name.split(".")
            if key in settings.get(group, {}):
                sys.exit(f"{path}: '{name}' cannot be set: {reason}")


def check_sizes(path, settings, game):
    """Ends the loop where a match is to be played on a board that the game does not have, where games are to begin in
    games of the gate, which is on other boards, or where another network than the best one would play a board."""
    openings, items = settings["selfplay"].get("openings", {}), settings["selfplay"].get("sizes", [{"size": 5}])
    for key in ("network", "network_hash"):
        if any(key in item for item in items):
            sys.exit(f"{path}: 'selfplay.sizes.{key}' cannot be set: {NAMED}")
    played = {item["size"] for item in items}
    if "share" in openings and "from" not in openings and not played & set(settings["gate"]["sizes"]):
        sys.exit(f"{path}: 'selfplay.openings' has a share without 'from', expected a board of 'selfplay.sizes' in "
                 "'gate.sizes', whose games they begin in")
    for group in ("gate", "rate"):
        largest = max(settings.get(group, {}).get("sizes", [0]))
        if largest > BOARD_MAX[game]:
            sys.exit(f"{path}: '{group}.sizes' has {largest}, expected at most {BOARD_MAX[game]} in {game}")


def check_start(path, settings, game):
    """Ends the loop where training could not begin with the network `start`."""
    from grow import can_grow, explain_form  # with PyTorch, which takes seconds to load
    from network import Network, form
    from weights import read_card, read_network
    start, training = settings["start"], settings["training"]
    found = read_card(start)[0]
    if found != game:
        sys.exit(f"{path}: 'start' is a network of {found}, expected one of {game}")
    has = read_network(start).settings
    wanted = Network(**form(game, has["kinds"], has["others"], training["blocks"], training["channels"])).settings
    if not can_grow(has, wanted):
        asked = "'training.blocks' {} and 'training.channels' {}"
        sys.exit(f"{path}: 'start' {explain_form(has, wanted, True, asked)}")


def read_settings(path, trains):
    """The settings; ends the loop before its first games where one is missing, misspelt or wrong that it needs hours
    later. `trains`: whether it trains networks, which may begin with `start`."""
    settings = read_json(path, "settings like configs/training/stigmergy.json")
    if not isinstance(settings, dict):
        sys.exit(f"{path}: expected a JSON object")
    check_keys(path, settings, SETTINGS)
    check_values(path, settings)
    for group, wanted in REQUIRED.items():
        for key in wanted:
            if key not in (settings.get(group, {}) if group else settings):
                sys.exit(f"{path}: has no '{group + '.' if group else ''}{key}', expected {', '.join(wanted)}")
    game = game_of(settings)
    check_sizes(path, settings, game)
    if trains and "start" in settings:
        check_start(path, settings, game)
    return settings


def main():
    parser = argparse.ArgumentParser(description="Trains networks by self-play, generation after generation.")
    parser.add_argument("config", help="settings, a JSON file")
    parser.add_argument("--program", default="stigmergy", help="the stigmergy program (default: that of the PATH)")
    parser.add_argument("--out", required=True, help="folder of the loop")
    parser.add_argument("--generations", type=int, help="end after this number of generations (default: go on)")
    parser.add_argument("--rate", action="store_true", help="rate the networks so far against each other, and end")
    parser.add_argument("--threads", type=int, default=min(THREADS_MAX, len(os.sched_getaffinity(0))),
                        help=f"processor threads, 1 to {THREADS_MAX} (default: all)")
    arguments = parser.parse_args()
    if not 1 <= arguments.threads <= THREADS_MAX:
        parser.error(f"--threads: {arguments.threads}, expected 1 to {THREADS_MAX}")
    trains = not arguments.rate
    if trains:
        expect_pytorch()  # train.py runs with this Python
    settings = read_settings(arguments.config, trains)
    make_folder(arguments.out)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # which ends the command that runs
    if not trains:
        Loop(settings, arguments.program, arguments.out, arguments.threads).rate()
        return
    with lock(os.path.join(arguments.out, "loop.lock"), f"another loop runs in {arguments.out}"):
        while True:
            loop = Loop(read_settings(arguments.config, trains), arguments.program, arguments.out, arguments.threads)
            if arguments.generations is not None and len(loop.state["generations"]) >= arguments.generations:
                break
            loop.run_generation()


if __name__ == "__main__":
    start(main)
