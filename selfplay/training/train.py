#!/usr/bin/env python3
"""Trains a network from data sets of self-play games.

    train.py --out DIR --minutes 10 SET [SET ...]

DIR/checkpoint.pt holds everything, so that the same command goes on after any interruption; DIR/network.bin is the
network for the engine, DIR/log.jsonl the losses. A run is a number of steps (or minutes); its learning rate rises for a
while, stays, and falls to nothing in the last part, in which weights and activations are rounded as the engine rounds
them. With --from, training begins with the weights of another run; --blocks and --channels may be larger than there.
"""

import argparse
import contextlib
import hashlib
import io
import json
import math
import os
import sys
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is loaded: threads that wait must not keep a core busy
from files import (append, data_set, expect_pytorch, lock, make_folder, read_json, reading, start, write_whole,
                   writing)
expect_pytorch()
import torch
import torch.nn.functional as F

from data import Window, load
from features import FEATURES
from games import variant
from grow import can_grow, explain_form, grow
from losses import Means, losses, policy_logits, total
from network import Network, form
from weights import network_bytes, read_card, read_network

WARM_UP = 200         # steps in which the learning rate rises
FALL = 0.35           # share of a run in which it falls
QUANTISED = 0.3       # share of a run, at its end, with rounded weights and activations
AVERAGE = 0.999       # of the moving average of weights, which is what becomes the network
CHECKPOINT_SECONDS = 60
LOG_STEPS = 100
THREADS_MAX = 1024
SEED_MAX = 2 ** 53    # a loop adds the number of a generation to its own seed, at most 2^52
KEPT = ("held_out", "seed", "batch", "rate")  # arguments that a run keeps
TRAINED = "a checkpoint (.pt) or a network (.bin) that train.py has written"


def faster_type(device):
    """The type of numbers that convolutions are faster in. Processors without instructions for bfloat16 imitate them,
    and take up to thirty times as long as with float32."""
    if device.type == "cuda":
        return torch.bfloat16
    seconds = {}
    for kind in (torch.float32, torch.bfloat16):
        x = torch.randn(64, 32, 13, 13, dtype=kind).to(memory_format=torch.channels_last)
        weight = torch.randn(32, 32, 3, 3, dtype=kind).to(memory_format=torch.channels_last).requires_grad_()
        for _ in range(6):  # the first time prepares; others may be disturbed
            start = time.monotonic()
            torch.nn.functional.conv2d(x, weight, padding=1).sum().backward()
            seconds[kind] = min(seconds.get(kind, math.inf), time.monotonic() - start)
    return min(seconds, key=seconds.get)


def length(arguments):
    """The length of a run, as the option that says it."""
    return f"--steps {arguments.steps}" if arguments.steps else f"--minutes {arguments.minutes:g}"


def learning_rate(progress, step, peak):
    warm = min(1, (step + 1) / WARM_UP)
    fall = 1 if progress < 1 - FALL else max(0.0, (1 - progress) / FALL)
    return peak * warm * fall


def file_hash(path):
    """The SHA-256 of a file, None without one."""
    if not path:
        return None
    with reading(path, TRAINED), open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def runs_of(card):
    """What a network's file says of the runs that its weights come from: several where it is a mean."""
    return [run for part in card["mean_of"] for run in runs_of(part)] if "mean_of" in card else [card]


def read_state(path, device):
    """A checkpoint, or what a network's file says of one; with the sets and the held_out of the `runs` that made it, as
    far as that is known."""
    if path.endswith(".bin"):
        network = read_network(path)
        return {"settings": network.settings, "average": network.state_dict(), "runs": runs_of(read_card(path)[3])}
    with reading(path, TRAINED):
        state = torch.load(path, map_location=device)
        runs = [{"sets": state.get("sets", []), **state.get("arguments", {})}]
        return {"settings": state["settings"], "average": state["average"], "runs": runs, **state}


class Training:
    """A network that is being trained, and all that is needed to go on."""

    def __init__(self, arguments, settings, sets=()):
        self.arguments, self.sets = arguments, list(sets)
        torch.manual_seed(arguments.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.type = None  # of the numbers in convolutions; chosen once for a run
        self.generator = torch.Generator().manual_seed(arguments.seed)  # of the batches
        self.network = Network(**settings).to(self.device, memory_format=torch.channels_last)
        self.average = Network(**settings).to(self.device, memory_format=torch.channels_last)
        self.average.load_state_dict(self.network.state_dict())
        decay = [p for p in self.network.parameters() if p.dim() > 1]
        plain = [p for p in self.network.parameters() if p.dim() <= 1]
        self.optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01},
                                            {"params": plain, "weight_decay": 0.0}], betas=(0.9, 0.99))
        self.step, self.seconds = 0, 0.0
        self.start = file_hash(arguments.start)

    def save(self, path):
        state = {"settings": self.network.settings, "network": self.network.state_dict(),
                 "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step,
                 "seconds": self.seconds, "generator": self.generator.get_state(), "start": self.start,
                 "type": self.type, "device": self.device.type, "sets": self.sets,
                 "length": length(self.arguments), "arguments": {key: getattr(self.arguments, key) for key in KEPT}}
        content = io.BytesIO()
        torch.save(state, content)
        write_whole(path, content.getvalue())

    def explain_start(self, began_with):
        """What is wrong where a run that began with some weights, or with new ones, would go on as one that did not."""
        given = f"--from {self.arguments.start}" if self.arguments.start else "new ones"
        kept = "repeat its --from" if began_with else "leave --from out"
        return f"this run began with {'weights of a file' if began_with else 'new weights'}, not with {given}; {kept}"

    def load(self, path, weights_only=False):
        state = read_state(path, self.device)
        if weights_only:
            self.check_held_out(path, state["runs"])
        if weights_only and can_grow(state["settings"], self.network.settings):
            small = Network(**state["settings"])
            small.load_state_dict(state["average"])
            start = grow(small, self.network.settings).state_dict()
            self.network.load_state_dict(start)
            self.average.load_state_dict(start)
            return
        if state["settings"] != self.network.settings:
            sys.exit(f"{path}: {explain_form(state['settings'], self.network.settings, weights_only)}")
        if not weights_only and state.get("start", self.start) != self.start:
            sys.exit(f"{path}: {self.explain_start(state['start'])}, or choose another --out")
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]
        if "generator" in state:
            self.generator.set_state(state["generator"].cpu())
        else:  # earlier versions did not keep it
            self.generator.manual_seed(self.arguments.seed + self.step)
        if state.get("device") == self.device.type:
            self.type = state["type"]
        return state

    def check_held_out(self, path, runs):
        """Ends the program where it would judge weights on games that they have learnt from: those of the same sets, with
        others held back."""
        mine, wanted = {about["run"] for about in self.sets}, self.arguments.held_out
        for run in runs:
            held_out = run.get("held_out", wanted)  # earlier versions say none
            if held_out != wanted and not mine.isdisjoint(about["run"] for about in run["sets"]):
                sys.exit(f"{path}: has learnt from a set of this run, with --held-out {held_out}, not {wanted}; expected "
                         "the same, so that it is not judged on games that it learnt from")

    def check_same(self, path, state, finished):
        """Ends the program where a run would go on in another way than it began. A finished one may be judged on other
        sets, but not on games that it learnt from. Checkpoints of earlier versions do not say how they began."""
        before = state.get("arguments", {})
        for key in KEPT[:1] if finished else KEPT:
            wanted = getattr(self.arguments, key)
            if before.get(key, wanted) != wanted:
                option = f"--{key.replace('_', '-')}"
                sys.exit(f"{path}: this run has {option} {before[key]}, not {wanted}; choose another --out")
        sets = state.get("sets", self.sets)  # earlier versions say no variant of them
        if not finished and not (len(sets) == len(self.sets)
                                 and all(old.items() <= new.items() for old, new in zip(sets, self.sets))):
            sys.exit(f"{path}: this run began with other data sets, and is not finished; choose another --out")
        wanted = length(self.arguments)  # by which its learning rate falls, and its weights are rounded
        if not finished and state.get("length", wanted) != wanted:
            sys.exit(f"{path}: this run has {state['length']}, not {wanted}; choose another --out")

    def progress(self):
        if self.arguments.steps:
            return self.step / self.arguments.steps
        return self.seconds / (60 * self.arguments.minutes)

    def move(self, batch):
        return {key: value.to(self.device, non_blocking=True) for key, value in batch.items()}

    def heads(self, network, board, batch, kind):
        mask = torch.from_numpy(board.mask).to(self.device).float()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=kind == torch.bfloat16):
            return network(batch["planes"], batch["globals"], mask, board.size), mask

    def learn(self, board, batch):
        """One step; returns the losses, and the batch that they are of."""
        progress = self.progress()
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(progress, self.step, self.arguments.rate)
        self.network.set_quantise(progress >= 1 - QUANTISED)
        batch = self.move(batch)
        heads, mask = self.heads(self.network, board, batch, self.type)
        parts = losses(board, heads, batch, mask)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        keep = min(AVERAGE, self.step / (self.step + 10))
        with torch.no_grad():
            for mine, theirs in zip(self.average.parameters(), self.network.parameters()):
                mine.lerp_(theirs, 1 - keep)
        return {key: value.detach() for key, value in parts.items()}, batch

    @torch.no_grad()
    def judge(self, boards):
        """Losses of the averaged network, rounded as in the engine, on rows that it has not seen; by size, without those
        that no row says anything of. Float32 has the rounded numbers exactly, and every start says the same."""
        self.average.set_quantise(True)
        generator = torch.Generator().manual_seed(1)
        result = {}
        for size, board in sorted(boards.items()):
            means = Means()
            for start in range(0, board.rows, 512):
                batch = self.move(board.batch(torch.arange(start, min(start + 512, board.rows)), generator))
                heads, mask = self.heads(self.average, board, batch, torch.float32)
                parts = losses(board, heads, batch, mask)
                parts["win_result"] = F.binary_cross_entropy_with_logits(heads["win"].float(), batch["win"])
                means.add_losses(parts, batch)
                logits = policy_logits(board, heads).float().masked_fill(~batch["legal"], -1e4)
                # Of equal moves each is a best one. Where the search proved a loss no move is.
                best = batch["policy"].gather(1, logits.argmax(1, keepdim=True))[:, 0] == batch["policy"].amax(1)
                undecided = batch["weight"] * ~batch["lost"]
                means.add("best_move", float((best * undecided).sum()), float(undecided.sum()))
            result[size] = means.rounded()
        return result


def seed(text):
    """A type of argument: the seed of a run."""
    with contextlib.suppress(ValueError):
        if 0 <= int(text) <= SEED_MAX:
            return int(text)
    raise argparse.ArgumentTypeError(f"'{text}', expected a whole number from 0 to 2^53")


def above_zero(kind):
    """A type of argument: a number above 0."""
    def read(text):
        with contextlib.suppress(ValueError):
            number = kind(text)
            if 0 < number < float("inf"):
                return number
        raise argparse.ArgumentTypeError(f"'{text}', expected a {'whole ' if kind is int else ''}number above 0")
    return read


def read_arguments():
    parser = argparse.ArgumentParser(description="Trains a network from data sets of self-play games.")
    parser.add_argument("sets", nargs="+", metavar="SET", help="folder of a data set")
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--game", default="stigmergy", choices=sorted(FEATURES),
                        help="the game of the sets (default stigmergy)")
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=above_zero(float), help="length of the run, in minutes of training")
    length.add_argument("--steps", type=above_zero(int), help="length of the run, in steps")
    parser.add_argument("--from", dest="start", help="begin with the weights of this checkpoint or network (.bin)")
    parser.add_argument("--blocks", type=int, default=5, help="residual blocks, 1 to 32 (default 5)")
    parser.add_argument("--channels", type=int, default=32, help="a multiple of 16 from 16 to 256 (default 32)")
    parser.add_argument("--batch", type=above_zero(int), default=512,
                        help="rows in a step, at most 65536 (default 512)")
    parser.add_argument("--rate", type=above_zero(float), default=2e-3, help="highest learning rate (default 0.002)")
    parser.add_argument("--held-out", type=int, default=20, metavar="K",
                        help="about one game in K is kept to judge by, 2 to 2^31 (default 20)")
    parser.add_argument("--seed", type=seed, default=1, help="of new weights and of the batches (default 1)")
    parser.add_argument("--threads", type=above_zero(int), default=min(THREADS_MAX, len(os.sched_getaffinity(0))),
                        help="processor threads (default: all)")
    arguments = parser.parse_args()
    if not 1 <= arguments.blocks <= 32:  # what the engine reads: engine/eval/network/weights.h
        parser.error(f"--blocks: {arguments.blocks}, expected 1 to 32")
    if arguments.channels % 16 or not 16 <= arguments.channels <= 256:
        parser.error(f"--channels: {arguments.channels}, expected a multiple of 16 from 16 to 256")
    if arguments.batch > 65536:  # more would need dozens of gigabytes
        parser.error(f"--batch: {arguments.batch}, expected 1 to 65536")
    if arguments.threads > THREADS_MAX:
        parser.error(f"--threads: {arguments.threads}, expected 1 to {THREADS_MAX}")
    if not 2 <= arguments.held_out <= 2 ** 31:
        parser.error(f"--held-out: {arguments.held_out}, expected 2 to 2^31")
    return arguments


def check_numbers(training, sums):
    """Ends the program where a loss or a weight is no number, before anything of it is written."""
    weights = [float(parameter.detach().sum()) for parameter in training.average.parameters()]
    if not all(map(math.isfinite, [*sums.values(), *weights])):
        sys.exit(f"a loss is no number before step {training.step}; try a lower --rate, in another --out")


def describe_set(folder):
    """What a network's file says of a data set: which run made it, its numbers, and the variant of the game. (Not where
    it lies.)"""
    path = os.path.join(folder, "manifest.json")
    manifest = read_json(path, data_set(folder))
    with reading(path, data_set(folder)):
        return {"run": manifest["run"], "seed": manifest["settings"]["seed"], "games": manifest["counts"]["games"],
                "rows": manifest["counts"]["rows"], **variant(manifest["settings"])}


def load_rows(arguments):
    """The rows to learn from and those to judge by, by board size."""
    learn, judge = load(arguments.sets, arguments.game, arguments.held_out)
    if not learn:
        sys.exit(f"{', '.join(arguments.sets)}: no rows to learn from{'; all games are held back' if judge else ''}")
    for size in sorted(learn.keys() - judge.keys()):
        print(f"hexhex-{size}: no game is held back, so it is not judged; expected more games, or a lower --held-out",
              file=sys.stderr)
    return learn, judge


def prepare(arguments, sets, board, checkpoint, path):
    """The training, as it was left or new, and whether it is finished, with a network in its file."""
    settings = form(arguments.game, len(board.kinds), len(board.others), arguments.blocks, arguments.channels)
    training, state = Training(arguments, settings, sets), {}
    if os.path.exists(checkpoint):
        state = training.load(checkpoint)
    elif arguments.start:
        training.load(arguments.start, weights_only=True)
    again = training.progress() >= 1 and os.path.exists(path) and read_card(path)[3].get("steps") == training.step
    training.check_same(checkpoint, state, again)
    training.type = training.type or faster_type(training.device)
    return training, again


def end_line(log):
    """Ends a line that a full disk has torn."""
    if log.tell():
        log.seek(-1, os.SEEK_END)
        if log.read() != b"\n":
            append(log, b"\n")


def write_line(log, line):
    print(json.dumps(line), flush=True)
    append(log, json.dumps(line).encode() + b"\n")


def learn_steps(training, window, log, checkpoint):
    """All steps that are left."""
    batch = training.arguments.batch
    begin, saved, means = time.monotonic() - training.seconds, time.monotonic(), Means()
    while training.progress() < 1:
        means.add_losses(*training.learn(*window.draw()))
        training.seconds = time.monotonic() - begin
        if training.step % LOG_STEPS == 0:
            check_numbers(training, means.sums)
            write_line(log, {"step": training.step, "seconds": round(training.seconds, 1),
                             "rows_per_second": round(training.step * batch / training.seconds),
                             **means.rounded()})
            means = Means()
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            check_numbers(training, means.sums)
            training.save(checkpoint)
            saved = time.monotonic()
    check_numbers(training, means.sums)


def card(training, judged):
    """What the network's file says of the training: nothing that is another in a training that is the same, for the file's
    hash is the network's name."""
    return {"steps": training.step, "seed": training.arguments.seed, "held_out": training.arguments.held_out,
            "sets": training.sets, "batch": training.arguments.batch,
            "type": str(training.type).removeprefix("torch."), "judged": judged}


def run(arguments, log):
    checkpoint, path = (os.path.join(arguments.out, name) for name in ("checkpoint.pt", "network.bin"))
    sets = [describe_set(folder) for folder in arguments.sets]
    learn, judge = load_rows(arguments)
    training, again = prepare(arguments, sets, next(iter(learn.values())), checkpoint, path)
    print(f"{sum(b.rows for b in learn.values()):,} rows of sizes {sorted(learn)}, "
          f"{sum(p.numel() for p in training.network.parameters()):,} parameters, {training.device}, {training.type}",
          flush=True)
    finished = training.progress() >= 1
    learn_steps(training, Window(learn, arguments.batch, training.generator), log, checkpoint)
    judged = training.judge(judge)
    for losses in judged.values():
        check_numbers(training, losses)
    network = network_bytes(training.average, arguments.game, FEATURES[arguments.game].name, sorted(learn),
                            card(training, judged))
    if not finished:  # other runs may have begun with the file as it is
        training.save(checkpoint)
    write_line(log, {"step": training.step, **({} if again else {"seconds": round(training.seconds, 1)}),
                     "sets": arguments.sets, "judged": judged})
    with writing(log.name):
        os.fsync(log.fileno())  # before the network's file, by which the loop sees that all is done
    if not again:  # else its file names the sets that it learnt from
        write_whole(path, network)


def main():
    arguments = read_arguments()
    torch.set_num_threads(arguments.threads)
    make_folder(arguments.out)
    with lock(os.path.join(arguments.out, "log.jsonl"), f"another process is training in {arguments.out}") as log:
        end_line(log)
        run(arguments, log)


if __name__ == "__main__":
    start(main)
