"""Trains a tiny network for a few steps, stops and resumes the training, and compares it with the exported file. Then
runs the training loop for two generations, the second from what an earlier version of the loop wrote.

    test_training.py STIGMERGY TRAINING      the program, the folder selfplay/training

Skipped (77) where PyTorch is not installed."""
import contextlib
import fcntl
import filecmp
import hashlib
import io
import json
import math
import os
import re
import resource
import runpy
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import types
from unittest import mock

try:
    import numpy
    import torch  # noqa: F401
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)

HELD_BACK = 7  # a game that is held back with K = 20
program, training = map(os.path.abspath, sys.argv[1:])
sys.path.insert(0, training)
os.environ["OMP_WAIT_POLICY"] = "passive"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def inside(script, *arguments):
    """Runs a script of the training within this program, which has PyTorch loaded: whether it went well, and what it
    printed."""
    printed, before = io.StringIO(), sys.argv
    sys.argv = [script, *arguments]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            runpy.run_path(os.path.join(training, script), run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            printed.write(end.code + "\n")
        return not end.code, printed.getvalue()
    finally:
        sys.argv = before
    return True, printed.getvalue()


def train(folder, steps, *sets):
    script = os.path.join(training, "train.py")
    return run(sys.executable, script, "--out", folder, "--steps", str(steps), "--batch", "32", "--blocks", "2",
               "--channels", "16", "--threads", "1", *sets)


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def save(value, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        json.dump(value, file)


def loop(folder, *options):
    return run(sys.executable, os.path.join(training, "loop.py"), os.path.join(folder, "config.json"), "--program", program,
               "--out", folder, "--threads", "1", *options)


def check_later_settings(folder):
    """What the program refuses only once there is a network ends the loop before its first games; so does a path that
    is too long for one."""
    good = load(training, "..", "..", "configs", "training", "stigmergy.json")
    for wrong, key in (({"player": {"search": {"considered": -1}}}, "considered"),
                       ({"selfplay": {**good["selfplay"], "resign": {"below": 5}}, "first_selfplay": {"resign": {}}}, "below")):
        os.makedirs(folder, exist_ok=True)
        save({**good, **wrong}, folder, "config.json")
        well, _ = inside("loop.py", os.path.join(folder, "config.json"), "--program", program, "--out", folder)
        with open(os.path.join(folder, "later-games.log"), encoding="utf-8") as log:
            assert not well and key in log.read() and not os.path.exists(os.path.join(folder, "gen-000", "set"))
        shutil.rmtree(folder)
    for length, room in ((255, True), (256, False)):
        out = os.path.join(folder, "x" * (length - len(folder + "//gen-000/train/network.bin")))
        os.makedirs(out)
        save(good, out, "config.json")
        well, printed = inside("loop.py", os.path.join(out, "config.json"), "--program", "false", "--out", out)
        assert not well and printed.startswith("loop: 'false selfplay" if room else f"--out {out}: "), printed
        assert room or "its networks have paths of 256 bytes, expected at most 255" in printed, printed
    shutil.rmtree(folder)


def check_loop(folder):
    save({"seed": 1, "player": {"memory_mb": 4, "search": {"considered": 4}},
          "selfplay": {"sizes": [{"size": 2}, {"size": 3}], "simulations": 8, "cheap": {"share": 0.5, "simulations": 2},
                       "openings": {"turns": [0, 2], "simulations": 2}, "games": 30},
          "training": {"window": 2, "steps": 10, "batch": 16, "rate": 0.002, "blocks": 2, "channels": 16},
          "gate": {"sizes": [3], "simulations": 4, "games": 4, "sprt": "0,20"},
          "rate": {"sizes": [3], "simulations": 4, "games": 4}}, folder, "config.json")
    os.mkdir(os.path.join(folder, "gen-000"))
    save({"sizes": [{"size": 11}]}, folder, "gen-000", "selfplay.json")  # refused, and set right: no game has begun
    loop(folder, "--generations", "1")
    first = load(folder, "loop.json")
    assert first["schema"] == {"name": "stigmergy-loop", "version": 1} and first["best"] == 0
    old = {"number": 0, "promoted": True, "seconds": 12, "matches": []}
    save({"best": 0, "generations": [old]}, folder, "loop.json")
    loop(folder, "--generations", "2")
    state = load(folder, "loop.json")
    assert [generation["number"] for generation in state["generations"]] == [0, 1]
    assert state["generations"][0] == first["generations"][0], "what the old document lacked is found again"
    latest = state["generations"][1]
    assert latest["games"] == 30 and latest["rows"] > latest["full_searches"] > 0
    assert set(latest["judged"]) <= {"2", "3"} and "best_move" in next(iter(latest["judged"].values()))
    assert [match["size"] for match in latest["matches"]] == [3] and "gate" in latest["seconds"]
    played_by = load(folder, "gen-001", "set", "manifest.json")["settings"]["player"]
    assert played_by["network_hash"] == state["generations"][0]["network_hash"], "the set names its network"
    run(program, "selfplay", "--check", os.path.join(folder, "gen-001", "set"))

    # A rating wants three that took over.
    shutil.copytree(os.path.join(folder, "gen-000"), os.path.join(folder, "gen-002"))
    latest["promoted"] = True
    state["generations"].append(dict(state["generations"][0], number=2))
    save(state, folder, "loop.json")
    rating = loop(folder, "--rate").split()
    page = run(program, "report", os.path.join(folder, "loop.json"), *rating)
    assert "Elo by generation" in page and "Generation 1, rated on hexhex-3: " in page


def check_gate(folder):
    """A candidate takes over if no match refused it and it is ahead in all matches together."""
    from loop import Loop
    gate = Loop({"seed": 1, "selfplay": {}, "start": "start.bin",
                 "gate": {"sizes": [3, 4], "simulations": 4, "games": 4, "sprt": "0,20"}}, program, folder, 1)
    for matches, promoted in (((("running", 5), ("H1 accepted", 9)), True), ((("running", -5), ("running", 9)), True),
                              ((("running", 0), ("running", 0)), False), ((("running", -9), ("running", 5)), False),
                              ((("H0 accepted", -1), ("H1 accepted", 90)), False)):
        documents = [{"sprt": {"verdict": verdict}, "elo": {"estimate": elo}} for verdict, elo in matches]
        gate.match = lambda size, *_, left=iter(documents): next(left)
        assert gate.gate(0) == (promoted, documents), matches


def check_threads(folder):
    """Of more processors than the program takes threads, a loop uses as many as that; a number beyond is refused at once."""
    config = os.path.join(training, "..", "..", "configs", "training", "stigmergy.json")
    for threads in ("0", "257"):
        good, printed = inside("loop.py", config, "--program", "false", "--out", folder, "--threads", threads)
        assert not good and printed.endswith(f"--threads: {threads}, expected 1 to 256\n"), printed
    with mock.patch.object(os, "sched_getaffinity", lambda _: range(300)):
        printed = inside("loop.py", config, "--program", "false", "--out", folder)[1]
    assert "later-games.json --dry-run --threads 256' ended with status 1" in printed, printed
    done = subprocess.run([program, "selfplay", "--games", "1", "--discard", "--dry-run", "--threads", "257"],
                          capture_output=True, text=True)
    assert "expected a whole number from 1 to 256" in done.stderr, done


def check_openings(folder):
    """Games begin in those of the gate of the loop itself, whatever its folder is called."""
    from loop import Loop
    settings = {"turns": [0, 2], "share": 0.5}
    for name in ("L1", "L[1]", "L?", "*"):
        out, gate = os.path.join(folder, name), os.path.join(folder, name, "gen-000")
        os.makedirs(gate)
        loop = Loop({"selfplay": {"openings": settings}}, program, out, 1)
        assert loop.openings(1, settings) == {"turns": [0, 2]}, f"{name} has no gate"
        save({}, gate, "match-3.records.jsonl")
        assert loop.openings(1, settings) == {**settings, "from": gate}, name


def check_without_pytorch(folder):
    """A Python that cannot train says so at once, not after the games of a generation."""
    code = ("import runpy, sys; sys.modules.update(numpy=None, torch=None); "
            "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')")
    missing = "{}: .* has no module 'numpy', expected a Python with .*\n"
    rated = [os.path.join("configs", "training", "stigmergy-further.json"), "--out", folder, "--rate"]
    for script, arguments, wanted in (("loop.py", ["nosuch.json", "--out", folder], missing), ("train.py", [], missing),
                                      ("mean.py", [], missing), ("parity.py", [], missing),
                                      ("loop.py", rated, ".* three or more to rate\n")):  # which needs no PyTorch
        done = subprocess.run([sys.executable, "-c", code, os.path.join(training, script), *arguments],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": training},
                              cwd=os.path.join(training, "..", ".."))
        assert done.returncode and re.fullmatch(wanted.format(script), done.stderr), done


def check_resigned(games, network):
    """Rows of games that were resigned pull the score to the search's margin, and leave the spread alone."""
    from data import load as load_sets
    from losses import losses
    board = next(iter(load_sets([games])[0].values()))
    batch = board.batch(torch.arange(8), torch.Generator().manual_seed(1))
    mask = torch.from_numpy(board.mask).float()
    heads = {name: head.detach().requires_grad_()
             for name, head in network(batch["planes"], batch["globals"], mask, board.size).items()}
    batch.update(finished=torch.zeros(8), search_score=heads["score"].detach() + 5, score=heads["score"].detach() - 5)
    losses(board, heads, batch, mask)["score"].backward()
    assert (heads["score"].grad < 0).all() and not heads["spread"].grad.any()


def log_loss(logit, share):
    return share * math.log1p(math.exp(-logit)) + (1 - share) * math.log1p(math.exp(logit))


def losses_by_hand(places, heads, rows, mask):
    """The losses of rows that are lists, in the numbers of Python: a row as the formulas of the README have it."""
    parts = dict.fromkeys(("policy", "win", "score", "owner"), 0.0)
    for i, row in enumerate(rows):
        logits = [[*sum(heads["cells"][i][0], []), *heads["others"][i]][place] for place in places]
        norm = math.log(sum(math.exp(logit) for logit, legal in zip(logits, row["legal"]) if legal))
        cross = sum(share * (norm - logit) for logit, share in zip(logits, row["policy"]))
        parts["policy"] += row["weight"] * cross / max(sum(other["weight"] for other in rows), 1)
        parts["win"] += log_loss(heads["win"][i], (row["win"] + row["search_win"]) / 2) / len(rows)
        spread = min(max(heads["spread"][i], -2), 8)
        margin = row["score"] if row["finished"] else row["search_score"]
        error = min(max((heads["score"][i] - margin) / 2 ** spread, -20), 20)
        parts["score"] += (error ** 2 / 2 + spread * math.log(2)) / len(rows)
        cells = [cell for cell, on in enumerate(sum(mask, [])) if on]
        owner = [log_loss(sum(heads["owner"][i], [])[cell], (row["owner"][cell] + 1) / 2) for cell in cells]
        parts["owner"] += row["finished"] * sum(owner) / len(cells) / len(rows)
    return parts


def check_loss_values():
    """The losses are those of the formulas, also beyond the bounds of spreads and errors, and with little weight. In
    games without points there is no score."""
    from losses import WEIGHTS, losses, total
    places, mask = [10, 0, 4, 9, 8], [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    draw = torch.Generator().manual_seed(1)
    heads = {"cells": torch.randn(5, 1, 3, 3, generator=draw), "others": torch.randn(5, 2, generator=draw),
             "owner": torch.randn(5, 3, 3, generator=draw), "win": torch.tensor([0.3, -2.0, 1.0, 0.0, 4.0]),
             "score": torch.tensor([3.0, -4.5, -30.0, 900.0, -9.0]), "spread": torch.tensor([0.5, 9.0, -3.0, 1.0, 2.5])}
    batch = {"legal": [[1, 1, 1, 1, 1], [1, 0, 1, 1, 0], [0, 1, 0, 0, 1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
             "policy": [[.2, .2, .2, .2, .2], [.5, 0, 0, .5, 0], [0, 1, 0, 0, 0], [.1, .2, .3, .4, 0], [0, 0, 0, .9, .1]],
             "weight": [1, 0, 0.25, 1, 0.5], "win": [1, 0, 0, 1, 1], "search_win": [0.9, 0.2, 0.7, 0, 1],
             "finished": [1, 1, 1, 1, 0], "score": [5.0, 6.5, -0.5, 5.0, 1000.0], "search_score": [99.0] * 4 + [2.0],
             "owner": torch.randint(-1, 2, (5, 9), generator=draw).tolist()}
    for scale in (1, 0.1):  # of the weights: less than one row, too
        batch["weight"] = [scale * weight for weight in batch["weight"]]
        tensors = {key: torch.tensor(value, dtype={"legal": torch.bool, "owner": torch.int8}.get(key, torch.float32))
                   for key, value in batch.items()}
        rows = [{key: value[i] for key, value in batch.items()} for i in range(5)]
        hand = losses_by_hand(places, {name: head.tolist() for name, head in heads.items()}, rows, mask)
        for game in ("stigmergy", "bug"):
            board = types.SimpleNamespace(game=game, action_logit=torch.tensor(places))
            parts = losses(board, heads, tensors, torch.tensor(mask).float())
            wanted = {key: loss for key, loss in hand.items() if game == "stigmergy" or key != "score"}
            assert set(parts) == set(wanted)
            assert all(math.isclose(parts[key], wanted[key], rel_tol=1e-4, abs_tol=1e-4) for key in wanted), (parts, wanted)
            assert math.isclose(total(parts), sum(WEIGHTS[key] * float(parts[key]) for key in parts), rel_tol=1e-5)


def check_growth(network):
    """A larger network that begins with this one says the same, and the layers that are new can learn."""
    from grow import can_grow, grow
    from network import SIZE_MIDDLE
    settings = dict(network.settings, blocks=4, channels=32, pooled=[1, 3])
    assert can_grow(network.settings, settings) and not can_grow(settings, network.settings)
    assert not can_grow(network.settings, dict(settings, hidden=64)), "only blocks and channels grow"
    side = 2 * SIZE_MIDDLE - 1
    planes = (torch.rand(3, settings["features"], side, side) < 0.3).float()
    inputs = planes, torch.randint(0, 64, (3, 16)).float(), torch.ones(side, side), SIZE_MIDDLE
    large = grow(network, settings)
    heads = large(*inputs)
    assert all(torch.allclose(head, heads[name], atol=1e-5) for name, head in network(*inputs).items())
    sum(head.sum() for head in heads.values()).backward()
    assert large.second[3].weight.grad.abs().sum() > 0 and large.policy.weight.grad[:, 16:].abs().sum() > 0


def check_repeated(folder, out, games):
    """A finished run that is begun again with another set keeps its network, and says what was judged."""
    def content(name="network.bin"):
        with open(os.path.join(out, name), "rb") as file:
            return file.read()

    from loop import describe_training
    other = os.path.join(folder, "other")
    changed_manifest(other, games, lambda files: [item for item in files if item.get("size") != 4])
    before, described, checkpoint = content(), describe_training(out), content("checkpoint.pt")
    with open(os.path.join(out, "log.jsonl"), "a", encoding="utf-8") as log:
        log.write('\n{"step": 60, "seco')  # as a full disk leaves it
    line = json.loads(train(out, 60, other).splitlines()[-1])
    assert line["sets"] == [other] and set(line["judged"]) == {"3"} and "seconds" not in line
    assert content() == before and describe_training(out) == described
    assert json.loads(content("log.jsonl").splitlines()[-1]) == line, "a line of its own, after one that is torn"
    os.remove(os.path.join(out, "network.bin"))
    assert "seconds" in json.loads(train(out, 60, games).splitlines()[-1]) and content() == before
    assert content("checkpoint.pt") == checkpoint, "other runs may have begun with it"


def check_interrupted(folder, games):
    """A run that was interrupted ends as one that was not, and computes with the numbers that it began with."""
    import train as script
    save_state = script.Training.save

    def run_until(name, kind, last=None, steps=6):
        def save_and_stop(state, path):
            if state.step == last:
                state.seconds += 1000  # a pause, of which the network's file must say nothing
            save_state(state, path)
            if state.step == last:
                raise KeyboardInterrupt

        arguments = ["train.py", "--out", os.path.join(folder, name), "--steps", str(steps), "--batch", "8", "--blocks",
                     "1", "--channels", "16", "--threads", "1", games]
        with mock.patch.object(script.Training, "save", save_and_stop), mock.patch.object(sys, "argv", arguments), \
                mock.patch.object(script, "faster_type", lambda device: kind), \
                mock.patch.object(script, "CHECKPOINT_SECONDS", -1), contextlib.redirect_stdout(io.StringIO()), \
                contextlib.suppress(KeyboardInterrupt):
            script.main()
        return torch.load(os.path.join(folder, name, "checkpoint.pt"))

    from weights import read_card
    one = run_until("one", torch.float32)
    assert run_until("two", torch.float32, last=3)["step"] == 3
    for steps in (2, 9):  # its learning rate would not fall, or begin to fall twice
        try:
            run_until("two", torch.bfloat16, steps=steps)
        except SystemExit as end:
            assert end.code.endswith(f"checkpoint.pt: this run has --steps 6, not --steps {steps}; choose another --out")
        else:
            raise AssertionError("a run goes on with another length")
    assert "network.bin" not in os.listdir(os.path.join(folder, "two"))
    two = run_until("two", torch.bfloat16)
    assert two["step"] == 6 and two["type"] == torch.float32
    assert read_card(os.path.join(folder, "two", "network.bin"))[3]["type"] == "float32"
    files = [os.path.join(folder, name, "network.bin") for name in ("one", "two")]
    assert filecmp.cmp(*files, shallow=False) and two["seconds"] > one["seconds"] + 900
    assert torch.equal(one["generator"], two["generator"])
    assert all(torch.equal(value, two["average"][key]) for key, value in one["average"].items())


def check_full_disk(folder, games):
    """A checkpoint that cannot be written whole is not written, and a line says why; so does one for the log."""
    out, limits = os.path.join(folder, "full"), resource.getrlimit(resource.RLIMIT_FSIZE)

    def train_with(most):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
        try:
            return inside("train.py", "--out", out, "--steps", "1", "--batch", "4", "--blocks", "1", "--channels", "16",
                          "--threads", "1", games)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    good, printed = train_with(20000)
    assert not good and printed.splitlines()[-1] == f"{out}/checkpoint.pt: File too large", printed
    assert "checkpoint.pt" not in os.listdir(out)
    room = 10 << 20  # for all files but the log
    for left in (0, 10):
        with open(os.path.join(out, "log.jsonl"), "wb") as log:
            log.truncate(room - left - 1)
            log.seek(0, os.SEEK_END)
            log.write(b"\n" if left else b"{")  # which is to be ended first
        good, printed = train_with(room)
        assert not good and printed.splitlines()[-1] == f"{out}/log.jsonl: File too large", printed
        assert "network.bin" not in os.listdir(out)


def wait_until(happened):
    end = time.monotonic() + 30
    while not happened() and time.monotonic() < end:
        time.sleep(0.02)


def check_alone(folder, out, games):
    """One process trains in a folder, and one loop runs in one; it ends its command when it is ended."""
    with open(os.path.join(out, "log.jsonl"), "a") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        good, printed = inside("train.py", "--out", out, "--steps", "60", games)
        assert not good and printed == f"another process is training in {out}\n", printed
    fake, number = os.path.join(folder, "fake"), os.path.join(folder, "number")
    with open(fake, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho $$ > {number}.new\nmv {number}.new {number}\nexec sleep 60\n")
    os.chmod(fake, 0o700)
    config = os.path.join(training, "..", "..", "configs", "training", "stigmergy.json")
    arguments = [config, "--program", fake, "--out", os.path.join(folder, "ended")]
    for end_it, status in ((subprocess.Popen.terminate, 143), (subprocess.Popen.kill, -signal.SIGKILL)):
        running = subprocess.Popen([sys.executable, os.path.join(training, "loop.py"), *arguments])
        wait_until(lambda: os.path.exists(number))
        good, printed = inside("loop.py", *arguments)
        end_it(running)
        assert running.wait() == status
        assert not good and printed.startswith("another loop runs in"), printed
        with open(number, encoding="utf-8") as file:
            program_of_it = f"/proc/{file.read().strip()}/exe"
        wait_until(lambda: not os.path.exists(program_of_it))
        assert not os.path.exists(program_of_it), "the command ends with the loop"
        os.remove(number)


def check_start_status():
    """A program that is interrupted from the keyboard ends without a traceback."""
    from files import start
    try:
        start(mock.Mock(side_effect=KeyboardInterrupt))
    except SystemExit as end:
        assert end.code == 130
    else:
        raise AssertionError("an interrupted program ends with success")


def check_held_out(folder, games):
    """A run that begins with the weights of another one, or with a mean of such, holds the same games back. Of sets that
    the other one has not learnt from, it may hold others back."""
    def train_on(name, held_out, of, *start):
        return inside("train.py", "--out", os.path.join(folder, name), "--steps", "1", "--batch", "4", "--blocks", "1",
                      "--channels", "16", "--threads", "1", "--held-out", held_out, *start, of)

    other, mean = (os.path.join(folder, name) for name in ("other", "mean.bin"))
    shutil.copytree(games, other)
    save({**load(games, "manifest.json"), "run": "0123456789abcdef"}, other, "manifest.json")
    assert train_on("first", "7", games)[0]
    first = [os.path.join(folder, "first", name) for name in ("checkpoint.pt", "network.bin")]
    assert inside("mean.py", mean, first[1], first[1])[0]
    for i, start in enumerate((*first, mean)):
        good, printed = train_on("wrong", "5", games, "--from", start)
        assert not good and printed.startswith(f"{start}: has learnt from a set of this run, with --held-out 7, not 5;")
        assert printed.count("\n") == 1, printed
        for held_out, of in (("7", games), ("5", other)):
            good, printed = train_on(f"further-{i}-{held_out}", held_out, of, "--from", start)
            assert good, printed
    assert os.listdir(os.path.join(folder, "wrong")) == ["log.jsonl"]


def check_split(games):
    """The games held back are those that the function of dataset.md names."""
    from data import load as load_sets
    with open(os.path.join(training, "..", "docs", "dataset.md"), encoding="utf-8") as file:
        names = {"np": numpy}
        exec(re.search(r"```python\n(def held_back.*?)```", file.read(), re.DOTALL)[1], names)
    learn, judge = load_sets([games], held_out=5)
    numbers = [numpy.load(file.path)["game"] for file in os.scandir(os.path.join(games, "shards"))]
    held_back = sum(names["held_back"](number, 5).sum() for number in numbers)
    assert sum(board.rows for board in judge.values()) == held_back > 0
    assert sum(board.rows for board in learn.values()) == sum(len(number) for number in numbers) - held_back


def check_fair_split():
    """About one game in K is held back, whatever the residue of its number, from which openings follow."""
    from data import held_back
    game = numpy.arange(10000, dtype=numpy.int32)
    for k in range(2, 31):
        held = held_back(game, k)
        for modulus in range(2, 41):
            count = numpy.bincount(game % modulus)
            share = numpy.bincount(game % modulus, held) / count
            sigma = numpy.sqrt((1 - 1 / k) / k / count)
            assert (abs(share - 1 / k) < 5 * sigma).all(), f"K = {k}, game % {modulus}: {share}"


def as_seen(rows, tables, i):
    """A row as the side to move sees it: the planes of its own and of the other stones, seen and controlled cells;
    owners, shares of the visits, and the numbers of the row."""
    white, names = rows["globals"][i][3] == 1, [name.decode() for name in tables["plane_names"]]
    own, enemy = ("white", "black") if white else ("black", "white")
    planes = {(side, what): rows["planes"][i][names.index(colour + what)].ravel()
              for side, colour in (("own", own), ("enemy", enemy)) for what in ("", "_seen", "_control")}
    sign, policy = -1 if white else 1, rows["policy"][i].astype(float)
    return planes, sign * rows["owner"][i].ravel(), policy / max(policy.sum(), 1), {
        "win": rows["value"][i] != white, "search_win": abs(rows["search_value"][i] - white),
        "lost": rows["search_value"][i] == white,
        "score": sign * rows["score"][i], "search_score": sign * rows["search_score"][i],
        "finished": rows["finished"][i], "weight": rows["weight"][i]}


def check_batches(games):
    """A batch has the rows of a set, seen by the side to move and turned by one of the symmetries of the board; all
    twelve come up. The logits of the actions stand in the engine's order."""
    from data import load as load_sets
    for size, board in load_sets([games])[0].items():
        shards = os.path.join(games, "shards")
        names = [name for name in sorted(os.listdir(shards)) if f"-{size}-" in name]
        files = [numpy.load(os.path.join(shards, name)) for name in names]
        rows = {key: numpy.concatenate([file[key] for file in files])
                for key in ("planes", "globals", "legal", "policy", "owner", "value", "score", "finished", "search_value",
                            "search_score", "weight")}
        tables, chosen, symmetries = files[0], range(0, board.rows, 3), set()
        batch = {key: value.numpy() for key, value in board.batch(torch.tensor(chosen), torch.Generator()).items()}
        assert board.rows == len(rows["value"]) and set(rows["finished"]) == {0, 1}
        for at, i in enumerate(chosen):
            planes, owner, policy, numbers = as_seen(rows, tables, i)
            found = batch["planes"][at].reshape(len(batch["planes"][at]), -1)
            assert [found[k].sum() for k in (0, 17, 18)] == [board.mask.sum(), 6 * (size - 1), 6]  # on, edge, corner
            thermometers = [found[k:k + 6].sum(axis=0) for k in (3, 9)]
            wanted = [(found[1], planes["own", ""]), (found[2], planes["enemy", ""]),
                      (thermometers[0], planes["own", "_seen"]), (thermometers[1], planes["enemy", "_seen"]),
                      (found[15], planes["own", "_control"]), (found[16], planes["enemy", "_control"]),
                      (batch["owner"][at], owner)]
            fits = {s for s in range(12)
                    if all((turned == plane[tables["symmetry_cells"][s]]).all() for turned, plane in wanted)
                    and (batch["legal"][at] == rows["legal"][i][tables["symmetry_actions"][s]]).all()
                    and numpy.allclose(batch["policy"][at], policy[tables["symmetry_actions"][s]], rtol=0, atol=1e-4)}
            assert fits, f"row {i} of size {size}"
            symmetries |= fits if len(fits) == 1 else set()
            assert all(numpy.isclose(batch[key][at], number) for key, number in numbers.items()), f"row {i}"
        assert len(symmetries) == 12
        area = board.side ** 2
        places = {"place": 0, "flip": area, "pass": 2 * area, "take-button": 2 * area + 1}
        assert board.action_logit.tolist() == [places[kind.decode()] + max(cell, 0) for kind, cell in
                                               zip(tables["action_kind"], tables["action_cell"])]


def check_swaps(folder):
    """A network sees the positions before and after a swap alike. So it is told the same of both: what became of the
    colour to move. Where the mover kept its colour that is what became of the mover, and what the search thought of the
    choice counts in neither."""
    from data import load as load_sets
    set_ = os.path.join(folder, "swaps")
    save({"openings": {"turns": [1, 1], "simulations": 5}, "simulations": 12}, folder, "swaps.json")
    run(program, "selfplay", "--game", "bug", "--pie", "on", "--size", "4", "--games", "30", "--config",
        os.path.join(folder, "swaps.json"), "--out", set_)
    board, swaps, keeps = load_sets([set_], game="bug")[0][4], 0, 0
    (file,) = [numpy.load(file.path) for file in os.scandir(os.path.join(set_, "shards"))]
    for i in numpy.flatnonzero(file["legal"][:, board.swap]):
        swapped, wins = file["played"][i] == board.swap, file["value"][i] == 0  # of the mover, who has white stones
        assert board.win[i] == board.search_win[i] == (wins != swapped)
        assert board.lost[i] == (file["search_value"][i] == 1)  # whatever became of the game
        if swapped and file["game"][i + 1] == file["game"][i]:
            for key in ("planes", "globals", "win", "owner"):
                assert torch.equal(getattr(board, key)[i], getattr(board, key)[i + 1]), f"{key} of row {i}"
            assert board.search_win[i + 1] == torch.tensor(1 - file["search_value"][i + 1])
            swaps += 1
        keeps += not swapped
    assert swaps > 0 and keeps > 0, f"{swaps} swaps, {keeps} others"


def check_window():
    """A board comes up in proportion to its rows divided by its width, and all of its rows come up."""
    from data import Window
    boards = {size: types.SimpleNamespace(rows=300, side=2 * size - 1, batch=lambda index, generator: index)
              for size in (2, 5)}
    window = Window(boards, 50, torch.Generator().manual_seed(1))
    drawn = [window.draw() for _ in range(200)]
    assert 130 < sum(board is boards[2] for board, _ in drawn) < 170, "three of four"
    for board in boards.values():
        assert set(torch.cat([index for other, index in drawn if other is board]).tolist()) == set(range(300))


def check_judged_rows(checkpoint, games):
    """All rows are judged. Of equal moves each is a best one, and in a proved loss no move is. Rows of games that were
    resigned, which have no owners, do not make the loss of `owner` smaller."""
    from data import SCALARS, load as load_sets
    from train import Training
    board = load_sets([games])[0][3]
    index = torch.arange(5000) % board.rows
    for key in ("planes", "globals", "policy", "owner", *SCALARS):
        setattr(board, key, getattr(board, key)[index])
    board.rows, seen, batch = 5000, [], board.batch
    board.batch = lambda index, generator: seen.append(index) or batch(index, generator)
    training = Training(types.SimpleNamespace(seed=1, start=None), torch.load(checkpoint)["settings"])
    assert 0 < training.judge({3: board})[3]["best_move"] < 1
    assert torch.cat(seen).tolist() == list(range(5000))
    board.policy.clamp_(max=0)
    assert training.judge({3: board})[3]["best_move"] == 1
    board.lost.fill_(True)
    assert "best_move" not in training.judge({3: board})[3], "nothing is known of it"
    board.finished.fill_(1)
    owner = training.judge({3: board})[3]["owner"]
    board.finished[2500:] = 0
    assert abs(training.judge({3: board})[3]["owner"] / owner - 1) < 0.1
    board.finished.zero_()
    board.weight.zero_()
    assert set(training.judge({3: board})[3]) == {"win", "score", "win_result"}, "the others are of no row"


def check_means():
    """Means count the rows that a loss is about, whatever batch they are in; a loss without such rows is left out."""
    from losses import Means
    means = Means()
    for policy, owner, weight, finished in ((0.0, 0.25, [0, 0, 0, 0], [0, 1, 0, 1]), (3.0, 0.0, [1, 1, 0, 0], [0] * 4),
                                            (1.0, 0.5, [0, 1, 1, 0], [1] * 4)):
        batch = {"win": [0.0] * 4, "weight": torch.tensor(weight), "finished": torch.tensor(finished)}
        means.add_losses({"policy": torch.tensor(policy), "win": torch.tensor(0.5), "owner": torch.tensor(owner)}, batch)
    assert means.rounded() == {"policy": 2.0, "win": 0.5, "owner": 0.5}
    means = Means()
    batch = {"win": [0.0], "weight": torch.zeros(1), "finished": torch.zeros(1)}
    means.add_losses({"policy": torch.tensor(0.0), "win": torch.tensor(0.5), "owner": torch.tensor(0.0)}, batch)
    assert means.rounded() == {"win": 0.5}


def check_progress(folder, games):
    """The lines of progress count the owners of finished games alone, as what is judged does."""
    import train as script
    out = os.path.join(folder, "progress")
    with mock.patch.object(script, "LOG_STEPS", 1), mock.patch.object(script, "losses", lambda board, heads, batch, mask: {
            key: heads["win"].float().mean() * 0 + (batch["finished"].mean() if key == "owner" else 1)
            for key in ("policy", "win", "score", "owner")}), contextlib.redirect_stdout(io.StringIO()), \
            mock.patch.object(sys, "argv", ["train.py", "--out", out, "--steps", "3", "--batch", "64", "--blocks", "1",
                                            "--channels", "16", "--threads", "1", games]):
        script.main()
    with open(os.path.join(out, "log.jsonl"), encoding="utf-8") as log:
        lines = [json.loads(line) for line in log]
    assert [line["owner"] for line in lines[:-1]] == [1.0] * 3, lines


def check_losses(judged, games):
    """What is judged, and the README's table of it, which has the weights of the sum. Owners are judged only where a game
    that is held back was not resigned."""
    from data import load as load_sets
    from losses import WEIGHTS
    with open(os.path.join(training, "README.md"), encoding="utf-8") as file:
        table = file.read().split("| weight in the sum |", 1)[1].split("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines()[2:]]
    assert {row[1].strip(" `"): float(row[-2]) for row in rows} == WEIGHTS
    boards = load_sets([games], held_out=20)[1]
    for size, losses in judged.items():
        unknown = set() if boards[int(size)].finished.any() else {"owner"}
        assert set(losses) == {*WEIGHTS, "win_result", "best_move"} - unknown and losses["win_result"] > 0, losses


def check_help():
    """Every script prints its help, in which every option has a text."""
    for script in ("train.py", "loop.py", "parity.py", "mean.py"):
        good, printed = inside(script, "--help")
        assert good and script in printed
        lines = re.sub(r"\n {10,}", "  ", printed).splitlines()
        assert all(re.search(r"\S  +\S", line) for line in lines if line.startswith("  -")), printed


def damaged_set(folder, name, games, part, text):
    """A copy of a data set in which a file has this text, or is missing."""
    copy = os.path.join(folder, name)
    shutil.copytree(games, copy)
    os.remove(os.path.join(copy, part))
    if text is not None:
        with open(os.path.join(copy, part), "wb") as file:
            file.write(text)
    return copy


def other_network(folder, network, name, planes):
    """A network of another set of features."""
    with open(network, "rb") as file:
        data = bytearray(file.read()[:-32])
    struct.pack_into("<24sH", data, 32, name, planes)
    path = os.path.join(folder, f"other-{planes}.bin")
    with open(path, "wb") as file:
        file.write(data + hashlib.sha256(data).digest())
    return path


def changed_set(folder, name, games, array, change):
    """A copy of a data set in which an array is another one."""
    copy = os.path.join(folder, name)
    shutil.copytree(games, copy)
    for file in os.scandir(os.path.join(copy, "shards")):
        with numpy.load(file.path) as data:
            arrays = dict(data)
        arrays[array] = change(arrays[array])
        numpy.savez(file.path, **arrays)
    return copy


def changed_manifest(copy, games, change):
    """A copy of a data set whose manifest names other files."""
    shutil.copytree(games, copy)
    manifest = load(copy, "manifest.json")
    manifest["files"] = change(manifest["files"])
    save(manifest, copy, "manifest.json")
    return copy


def loaded(games):
    """The rows that are read from a data set, by board size; or why it is refused."""
    from data import load as load_sets
    try:
        return {size: board.rows for size, board in load_sets([games])[0].items()}
    except SystemExit as end:
        return end.code


def check_files(folder, games):
    """The manifest says which files a set has, with which rows; another file is left alone."""
    def one_more(key):
        return lambda files: [{**item, key: item[key] + 1} if key in item else item for item in files]

    before, foreign = loaded(games), os.path.join(folder, "foreign")
    shutil.copytree(games, foreign)
    for name in os.listdir(os.path.join(games, "shards")):
        shutil.copy(os.path.join(games, "shards", name),
                    os.path.join(foreign, "shards", name.replace("000000", "000007")))
    save({}, foreign, "shards", "stigmergy-3-000008.npz")
    assert loaded(foreign) == before and list(before) == [3, 4]
    for key, wrong in (("rows", f"'planes' has the shape .*; manifest.json says {before[3] + 1} rows of hexhex-3"),
                       ("size", "'mask' has the shape .5, 5., expected .side, side. = .7, 7.;.* of hexhex-4")):
        found = loaded(changed_manifest(os.path.join(folder, key), games, one_more(key)))
        assert re.fullmatch(f"{folder}/{key}/shards/stigmergy-3-000000.npz: {wrong}", found), found
    lost = changed_manifest(os.path.join(folder, "lost"), games, list)
    os.remove(os.path.join(lost, "shards", "stigmergy-4-000000.npz"))
    assert "stigmergy-4-000000.npz: cannot read: No such file or directory, expected a data set" in loaded(lost)


def check_variants(folder, games):
    """Sets of several variants of a game are refused, whether one is named or usual. A network's file says which variant
    its sets have; a run of a version that did not say so goes on."""
    from data import files_of_sets
    from games import variant
    from train import Training, describe_set
    manifest, sets = load(games, "manifest.json"), {}
    for name, settings in (("free", {}), ("named", {"capture": "free", "pie": "on"}), ("line", {"capture": "line"}),
                           ("off", {"pie": "off"})):
        sets[name] = os.path.join(folder, name)
        os.mkdir(sets[name])
        save({**manifest, "settings": {**manifest["settings"], "game": "sgolte", **settings}}, sets[name], "manifest.json")
    assert len(files_of_sets([sets["free"], sets["named"]], "sgolte")) == 2
    for name, words in (("line", "capture line, pie on"), ("off", "capture free, pie off")):
        try:
            files_of_sets([sets["free"], sets["named"], sets[name]], "sgolte")
        except SystemExit as end:
            assert end.code == (f"{sets[name]}: is of {words}, but {sets['free']} is of capture free, pie on; expected one "
                                "variant of sgolte"), end.code
        else:
            raise AssertionError("sets of two variants are learnt from together")
    assert variant({"game": "bug"}) == {"pie": "off"} and variant({"game": "stigmergy"}) == {}
    now = describe_set(sets["line"])
    assert (now["capture"], now["pie"]) == ("line", "on") and "capture" not in describe_set(games)
    before = {key: now[key] for key in ("run", "seed", "games", "rows")}
    arguments = types.SimpleNamespace(held_out=20, seed=1, batch=8, rate=1, steps=1)
    run_of_now = types.SimpleNamespace(arguments=arguments, sets=[now])
    Training.check_same(run_of_now, "run", {"sets": [before]}, finished=False)


def check_shapes(folder, games):
    """An array of another length or shape is named."""
    from data import ARRAYS, TABLES
    for i, name in enumerate((*ARRAYS, *TABLES)):
        for j, change in enumerate((lambda array: array[:-1], lambda array: array[..., None])):
            found = loaded(changed_set(folder, f"{i}-{j}", games, name, change))
            assert re.fullmatch(f"{folder}/{i}-{j}/shards/.*npz: '.*' has the shape .*, expected .*", found), found
            assert re.search(rf"\b{name}\b", found), found


def check_refused(folder, games, out):
    """What cannot be trained is said before the training, in one line. `out` has a run that began with new weights."""
    shard = os.path.join("shards", os.listdir(os.path.join(games, "shards"))[0])
    with open(os.path.join(games, shard), "rb") as file:
        torn = damaged_set(folder, "torn", games, shard, file.read(2000))
    half = damaged_set(folder, "half", games, "manifest.json", None)
    empty = damaged_set(folder, "empty", games, "manifest.json", b"")
    garbage = damaged_set(folder, "garbage", games, shard, b"garbage")
    bare = os.path.join(folder, "bare")
    shutil.copytree(games, bare, ignore=shutil.ignore_patterns("*.npz"))
    of_bug = os.path.join(os.path.dirname(training), "..", "configs", "networks", "bug.bin")
    plain = os.path.join(folder, "plain.py")
    with open(plain, "w", encoding="utf-8") as file:
        file.write("import os\n")
    without = changed_set(folder, "without", games, "plane_names",
                          lambda names: numpy.where(names == b"white_seen", b"other", names))
    held_back = changed_set(folder, "held_back", games, "game", lambda numbers: numpy.full_like(numbers, HELD_BACK))
    again = ["--out", out, "--blocks", "2", "--channels", "16", "--batch", "32"]  # as `out` was made, with 60 steps
    named, wide = (other_network(folder, os.path.join(out, "network.bin"), *header)
                   for header in ((b"stigmergy-0", 20), (b"stigmergy-1", 24)))
    for wrong, arguments in ((f"has no 'white_seen', .*'stigmergy selfplay --from {without}'", ["--steps", "1", without]),
                             ("20 planes of the features 'stigmergy-0', expected 20 of 'stigmergy-1'",
                              ["--steps", "1", "--from", named, games]),
                             ("24 planes .*, expected 20 of", ["--steps", "1", "--from", wide, games]),
                             ("a loss is no number before step 9; try a lower --rate",
                              ["--steps", "9", "--rate", "1e30", "--blocks", "1", "--channels", "16", games]),
                             ("no number before step 1;|for the engine, expected .*a lower --rate",
                              ["--steps", "1", "--rate", "1e30", "--blocks", "1", "--channels", "16", games]),
                             ("no rows to learn from; all games are held back", ["--steps", "1", held_back]),
                             ("'-1', expected a whole number from 0 to 2", ["--steps", "1", "--seed", "-1", games]),
                             ("from 0 to 2", ["--steps", "1", "--seed", "9007199254740993", games]),
                             ("has --held-out 20, not 7; choose", ["--steps", "60", *again, "--held-out", "7", games]),
                             ("has --held-out 20, not 7; choose", ["--steps", "90", *again, "--held-out", "7", games]),
                             ("has --batch 32, not 8; choose", ["--steps", "90", *again, "--batch", "8", games]),
                             ("has --seed 1, not 2; choose", ["--steps", "90", *again, "--seed", "2", games]),
                             ("has --rate 0.002, not 0.1; choose", ["--steps", "90", *again, "--rate", "0.1", games]),
                             ("has --steps 60, not --steps 90; choose", ["--steps", "90", *again, games]),
                             ("has --steps 60, not --minutes 1e.06; choose", ["--minutes", "1e6", *again, games]),
                             ("with other data sets", ["--steps", "90", *again, games, games]),
                             ("is a set of stigmergy, expected one of bug", ["--steps", "1", "--game", "bug", games]),
                             ("shards/stigmergy-.*npz: cannot read: No such file", ["--steps", "1", bare]),
                             ("another game than that of --game", ["--steps", "1", "--from", of_bug, games]),
                             ("data set that is finished", ["--steps", "1", half]), ("above 0", ["--steps", "-5", games]),
                             ("above 0", ["--steps", "1", "--batch", "0", games]),
                             ("--batch: 65537, expected 1 to 65536", ["--steps", "1", "--batch", "65537", games]),
                             ("above 0", ["--minutes", "nan", games]),
                             ("--held-out: 1, expected 2 to 2.31", ["--steps", "1", "--held-out", "1", games]),
                             ("expected 2 to 2.31", ["--steps", "1", "--held-out", "2147483649", games]),
                             ("has 2 blocks of 16 channels, expected --blocks 2 --channels 16",
                              ["--steps", "90", "--out", out, games]),
                             ("has 2 blocks of 16 channels, expected --blocks 2 --channels 16 or more",
                              ["--steps", "1", "--from", os.path.join(out, "network.bin"), "--blocks", "1", games]),
                             ("missing.bin: cannot read: No such file", ["--steps", "1", "--from", "missing.bin", games]),
                             ("cannot read: Is a directory, expected a ch", ["--steps", "1", "--from", games, games]),
                             ("plain.py: cannot read: it is damaged", ["--steps", "1", "--from", plain, games]),
                             (f"cannot read: it is damaged.*stigmergy selfplay --check {torn}'", ["--steps", "1", torn]),
                             ("cannot read: it is damaged.*--check", ["--steps", "1", garbage]),
                             ("manifest.json: cannot read: it is empty, .*--check", ["--steps", "1", empty]),
                             ("plain.py: is a file, expected a folder", ["--steps", "1", "--out", plain, games]),
                             ("'abc', expected a whole number above 0", ["--steps", "abc", games]),
                             ("began with new weights, not with --from .*; leave --from out, or choose another --out",
                              ["--steps", "90", *again, "--from", os.path.join(out, "network.bin"), games]),
                             ("--threads: 1000000000000, expected 1 to 1024", ["--steps", "1", "--threads", "1000000000000", games])):
        good, printed = inside("train.py", "--out", os.path.join(folder, "wrong"), *arguments)
        assert not good and re.search(wrong, printed.splitlines()[-1]), f"{arguments}: {printed}"
    assert os.listdir(os.path.join(folder, "wrong")) == ["log.jsonl"], "nothing of a wrong run is written"
    for script, arguments in (("parity.py", [out, without]), ("mean.py", ["mean.bin", named, named])):
        good, printed = inside(script, *arguments)
        assert not good and re.fullmatch(".*: (has no|a network of) .*, expected .*\n", printed), printed
    for script, arguments in (("parity.py", ["nosuch", games]), ("mean.py", ["mean.bin", "nosuch", "nosuch"]),
                              ("loop.py", ["nosuch", "--out", "nosuch"])):
        good, printed = inside(script, *arguments)
        assert not good and re.fullmatch("nosuch.*: cannot read: No such file or directory, expected .*\n", printed), printed


def check_shifts():
    """Weights that the engine would refuse are refused before the file is written."""
    from network import Network, form
    from weights import network_bytes
    network = Network(**form("stigmergy", 2, 2, 1, 16))
    assert network_bytes(network, "stigmergy", "stigmergy-1", [3], {})
    with torch.no_grad():
        network.stem_globals.weight[0, 0] = 20
    try:
        network_bytes(network, "stigmergy", "stigmergy-1", [3], {})
    except SystemExit as end:
        assert re.fullmatch("weights are too far apart for the engine, .* 0 to 24; try a lower --rate.*", end.code)
    else:
        raise AssertionError("a shift below 0 is written")


def check_not_judged(folder, games):
    """A line names each board size of which no game is held back, also where games of others are."""
    from data import held_back
    shards = os.path.join(games, "shards")
    numbers = {size: numpy.concatenate([numpy.load(os.path.join(shards, name))["game"] for name in os.listdir(shards)
                                        if f"-{size}-" in name]) for size in (3, 4)}
    only_3 = next(k for k in range(2, 1000) if [held_back(numbers[size], k).any() for size in (3, 4)] == [True, False])
    for k, judged in ((only_3, ["3"]), (10**6, [])):
        good, printed = inside("train.py", "--out", os.path.join(folder, f"few-{k}"), "--steps", "1", "--batch", "4",
                               "--blocks", "1", "--channels", "16", "--threads", "1", "--held-out", str(k), games)
        assert good and list(json.loads(printed.splitlines()[-1])["judged"]) == judged, printed
        for size in ("3", "4"):
            assert (f"hexhex-{size}: no game is held back" in printed) == (size not in judged), printed


def known_to_program(folder, settings):
    """The keys that self-play asks for, where `settings` have a key 'zzz' that nobody knows; the last may be missing."""
    path = os.path.join(folder, "unknown.json")
    save(settings, path)
    done = subprocess.run([program, "selfplay", "--config", path, "--out", folder], capture_output=True, text=True)
    return set(re.split("'zzz'.*, expected one of ", done.stderr)[1].strip().split(", ")) - {"..."}


def check_settings(folder):
    """Every key of the settings of a loop is one that somebody asks for."""
    from loop import PLAYER, SELFPLAY, SETTINGS
    wrong = {"zzz": 1}
    assert known_to_program(folder, wrong) == set(SELFPLAY)
    assert known_to_program(folder, {"player": wrong}) | {"network_hash"} == set(PLAYER)
    assert known_to_program(folder, {"player": {"search": wrong}}) < set(PLAYER["search"])
    assert known_to_program(folder, {"sizes": [{"size": 3, **wrong}]}) | {"network_hash"} == set(SELFPLAY["sizes"])
    for key in ("openings", "komi", "explore", "resign", "cheap"):
        assert known_to_program(folder, {key: wrong}) == set(SELFPLAY[key])
    with open(os.path.join(training, "README.md"), encoding="utf-8") as file:
        table = file.read().split("| key of the settings |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(SETTINGS)

    path, configs = os.path.join(folder, "loop.json"), os.path.join(training, "..", "..", "configs", "training")
    before = os.getcwd()
    os.chdir(os.path.join(configs, "..", ".."))  # where their networks are found
    for name in os.listdir(configs):
        good, printed = inside("loop.py", os.path.join(configs, name), "--out", folder, "--generations", "0")
        assert good and not printed, printed
    os.chdir(before)
    good = load(configs, "stigmergy.json")
    gate, networks, fake = good["gate"], os.path.join(training, "..", "..", "configs", "networks", ""), folder + "/fake"
    save({}, fake + ".bin")
    save({}, fake + ".pt")
    form = "5 blocks of 32 channels, expected 'training.blocks' 5 and 'training.channels' 32"
    for settings, wrong in (({**good, "gates": 3}, "unknown key 'gates', did you mean 'gate'?"),
                            ({**good, "zzz": 3}, "unknown key 'zzz', expected one of seed, start, player"),
                            ({**good, "gate": {**good["gate"], "game": 3}}, "did you mean 'gate.games'?"),
                            ({**good, "player": {"search": {"consider": 3}}}, "'player.search.considered'?"),
                            ({**good, "selfplay": {"sizes": [{"siz": 3}]}}, "'selfplay.sizes.size'?"),
                            ({**good, "selfplay": {"sizes": [5]}}, "'selfplay.sizes' is wrong, expected a list of obj"),
                            ({**good, "selfplay": {"sizes": 5}}, "'selfplay.sizes' is wrong"),
                            ({**good, "selfplay": {"sizes": [{"size": [3]}]}}, "'selfplay.sizes' is wrong"),
                            ({**good, "selfplay": {"openings": 3}}, "'selfplay.openings' is wrong, expected an object"),
                            ({**good, "selfplay": {"sizes": [{"size": 3, "network": "stigmergy"}]}},
                             "'selfplay.sizes.network' cannot be set: the loop names"),
                            ({**good, "gate": 3}, "'gate' is wrong, expected an object"), ([], "expected a JSON object"),
                            ({**good, "seed": "1"}, "'seed' is wrong, expected a whole number"),
                            ({**good, "player": "default"}, "'player' is wrong, expected an object"),
                            ({**good, "training": {**good["training"], "window": 0}}, "'training.window' is wrong"),
                            ({**good, "training": {**good["training"], "channels": 40}}, "a multiple of 16"),
                            ({**good, "training": {**good["training"], "batch": 65537}}, "expected 1 to 65536"),
                            ({**good, "training": {**good["training"], "rate": True}}, "'training.rate' is wrong"),
                            ({**good, "gate": {**good["gate"], "sizes": 3}}, "'gate.sizes' is wrong, expected a list"),
                            ({**good, "gate": {**good["gate"], "sprt": [0, 20]}}, 'expected a string such as "0,20"'),
                            ({**good, "gate": {**gate, "sizes": [5, 5]}}, "'gate.sizes' is wrong"),
                            ({**good, "gate": {**gate, "sprt": "20,0"}}, "'gate.sprt' is wrong"),
                            ({**good, "gate": {**gate, "sprt": "..,-."}}, "'gate.sprt' is wrong"),
                            ({**good, "gate": {**gate, "openings": "99"}}, "'gate.openings' is wrong, expected empty,"),
                            ({**good, "start": "nosuch"}, "'start' is wrong, expected the path of a network"),
                            ({**good, "start": "nosuch.bin"}, "'start' is wrong, expected a file that is there"),
                            ({**good, "player": {"search": 3}}, "'player.search' is wrong, expected an object"),
                            ({**good, "selfplay": {"game": "chess"}}, "'selfplay.game' is wrong, expected one of bug"),
                            ({**good, "player": {"network": "x"}}, "'player.network' cannot be set: the loop names"),
                            ({**good, "player": {"network_hash": "x"}}, "'player.network_hash' cannot be set"),
                            ({**good, "player": {"name": "x"}}, "'player.name' cannot be set"),
                            ({**good, "player": {"move_time": 1}}, "'player.move_time' cannot be set: 'selfplay', 'gate'"),
                            ({**good, "selfplay": {"sizes": [{"size": 3}], "openings": {"share": 0.5}}},
                             "'selfplay.openings' has a share without 'from', expected a board"),
                            ({**good, "selfplay": {"seed": 3}}, "'selfplay.seed' cannot be set: 'seed' is that of"),
                            ({**good, "first_selfplay": {"seed": 3}}, "'first_selfplay.seed' cannot be set"),
                            ({**good, "first_selfplay": {"game": "bug"}}, "'first_selfplay.game' cannot be set"),
                            ({**good, "gate": {**good["gate"], "games": 5}}, "'gate.games' is wrong, expected an even"),
                            ({**good, "rate": {"sizes": []}}, "'rate.sizes' is wrong"),
                            ({**good, "start": fake + ".pt"}, "the path of a network's file (.bin)"),
                            ({**good, "start": fake + ".bin"}, "fake.bin: is no network, or damaged"),
                            ({**good, "start": networks + "bug.bin"}, "'start' is a network of bug, expected one"),
                            ({**good, "start": networks + "stigmergy.bin",
                              "training": {**good["training"], "blocks": 2}}, f"'start' has {form} or more"),
                            ({**good, "selfplay": {"game": "bug"}, "gate": {**gate, "sizes": [4, 8]}},
                             "'gate.sizes' has 8, expected at most 7 in bug"),
                            ({**good, "selfplay": {"game": "sgolte"}, "gate": {**gate, "sizes": [7]},
                              "rate": {"sizes": [4, 8]}}, "'rate.sizes' has 8, expected at most 7 in sgolte"),
                            ({**good, "first_selfplay": {"pie": "on"}}, "'first_selfplay.pie' cannot be set"),
                            ({**good, "selfplay": {"capture": 3}}, "'selfplay.capture' is wrong, expected free"),
                            ({**good, "selfplay": {"pie": True}}, "'selfplay.pie' is wrong, expected on or off"),
                            ({"seed": 1, "selfplay": {}, "gate": {}}, "has no 'training'")):
        save(settings, path)
        went_well, printed = inside("loop.py", path, "--out", folder, "--generations", "0")
        assert not went_well and wrong in printed and printed.count("\n") == 1, printed
    from games import BOARD_MAX
    from features import FEATURES
    assert set(BOARD_MAX) == set(FEATURES)
    for game, largest in BOARD_MAX.items():
        save({"game": game, "sizes": [{"size": largest + 1}]}, path)
        done = subprocess.run([program, "selfplay", "--config", path, "--out", folder], capture_output=True, text=True)
        assert done.stderr.endswith(f" 2 to {largest}\n"), done
    save(good, os.path.join(folder, "good.json"))
    for state in ([], 3, {"generations": []}, {"best": 0, "generations": [{"number": 0, "promoted": True}]}):
        save(state, path)
        went_well, printed = inside("loop.py", os.path.join(folder, "good.json"), "--out", folder, "--generations", "0")
        assert not went_well and "not the document of a loop, or " in printed and printed.count("\n") == 1, printed
    for text, wrong in ((b"", "it is empty"), (b"{\n,", "line 2 is not valid JSON"), (b'"\xfc"', "it is not UTF-8")):
        with open(path, "wb") as file:
            file.write(text)
        good, printed = inside("loop.py", path, "--out", folder)
        assert not good and f"loop.json: cannot read: {wrong}, expected settings" in printed, printed


def check_variant(folder):
    """The matches of a loop play the variant of its games."""
    from loop import Loop
    players = [{"name": name, "network": "none", "simulations": 1} for name in "ab"]
    path, log = os.path.join(folder, "variant.json"), os.path.join(folder, "variant.log")
    variant = {"game": "sgolte", "capture": "line", "pie": "off"}
    document = Loop({"selfplay": variant}, program, folder, 1).match(3, players, 1, path, log, "--games", "2")
    assert {key: document["settings"].get(key) for key in variant} == variant, document["settings"]


def check_mean(folder, network, other):
    """The mean of a network and itself is that network; that of two lies between them."""
    def parts(path):
        with open(path, "rb") as file:
            data = file.read()
        text = int.from_bytes(data[12:16], "little")
        return data[:12] + data[16:96], json.loads(data[96:96 + text]), data[96 + text:-32]

    out = os.path.join(folder, "mean.bin")
    assert inside("mean.py", out, network, network)[0]
    (header, card, weights), (old_header, old_card, old_weights) = parts(out), parts(network)
    assert (header, weights) == (old_header, old_weights), "a mean of equal networks"
    assert [dict(old_card, hash=item["hash"]) for item in card["mean_of"]] == card["mean_of"]
    assert inside("mean.py", out, network, other)[0]
    assert parts(out)[2] not in (old_weights, parts(other)[2]), "a mean of two networks"
    large = os.path.join(training, "..", "..", "configs", "networks", "stigmergy.bin")
    good, printed = inside("mean.py", out, network, large)
    assert not good and "another form" in printed, printed


def check_start(folder, network, games):
    """A loop that starts with a network plays with it, trains it further, and the gate compares with it."""
    from weights import network_bytes, read_network
    with open(network, "rb") as file:
        data = file.read()
    text = int.from_bytes(data[12:16], "little")
    again = network_bytes(read_network(network), "stigmergy", "stigmergy-1", [3, 4], json.loads(data[96:96 + text]))
    assert again == data, "a network that was read is written as it was"
    check_growth(read_network(network))
    check_resigned(games, read_network(network))
    os.mkdir(folder)
    save({"seed": 3, "start": network, "selfplay": {"sizes": [{"size": 2}, {"size": 3}], "simulations": 4, "games": 20,
                                                    "openings": {"turns": [0, 2], "share": 0.5}},
          "training": {"window": 2, "steps": 3, "batch": 16, "rate": 0.002, "blocks": 2, "channels": 16},
          "gate": {"sizes": [3], "simulations": 4, "games": 4, "sprt": "0,20"}}, folder, "config.json")
    loop(folder, "--generations", "2")
    first = load(folder, "gen-000", "selfplay.json")
    assert first["player"]["network"] == network and first["openings"] == {"turns": [0, 2]}, "there was no gate"
    assert len(load(folder, "loop.json")["generations"][0]["matches"]) == 1
    gate = os.path.join(folder, "gen-000")
    assert load(folder, "gen-001", "selfplay.json")["openings"] == {"turns": [0, 2], "share": 0.5, "from": gate}
    assert load(gate, "set", "manifest.json")["settings"]["openings"].get("from") is None
    played = load(folder, "gen-001", "set", "manifest.json")["settings"]["openings"]
    assert played["from"] == gate and len(played["from_hash"]) == 16


with tempfile.TemporaryDirectory() as folder:
    settings, games, out = (os.path.join(folder, name) for name in ("settings.json", "games", "run"))
    with open(settings, "w") as file:
        json.dump({"sizes": [{"size": 3}, {"size": 4}], "simulations": 20, "cheap": {"share": 0.5, "simulations": 5},
                   "openings": {"turns": [0, 2], "simulations": 10}, "games": 60, "resign": {"below": 0.2, "moves": 2}}, file)
    run(program, "selfplay", "--config", settings, "--out", games)
    train(out, 30, games)
    checkpoint = os.path.join(out, "checkpoint.pt")
    state = torch.load(checkpoint)
    state["seconds"] += 1000  # a mark that only this run can have
    for key in ("generator", "type", "device", "arguments", "sets", "length"):
        del state[key]  # as in checkpoints of earlier versions
    torch.save(state, checkpoint)
    last = json.loads(train(out, 60, games).splitlines()[-1])
    assert last["step"] == 60 and last["seconds"] > 1000, "training goes on from its checkpoint"
    check_help()
    check_start_status()
    check_interrupted(folder, games)
    check_full_disk(folder, games)
    check_alone(folder, out, games)
    check_refused(folder, games, out)
    check_shifts()
    check_not_judged(folder, games)
    os.mkdir(os.path.join(folder, "files"))
    check_files(os.path.join(folder, "files"), games)
    check_shapes(os.path.join(folder, "files"), games)
    os.mkdir(os.path.join(folder, "variants"))
    check_variants(os.path.join(folder, "variants"), games)
    os.mkdir(os.path.join(folder, "settings"))
    check_settings(os.path.join(folder, "settings"))
    assert set(last["judged"]) == {"3", "4"}, "every board size is judged"
    check_losses(last["judged"], games)
    check_loss_values()
    check_means()
    check_progress(folder, games)
    os.mkdir(os.path.join(folder, "held_out"))
    check_held_out(os.path.join(folder, "held_out"), games)
    check_split(games)
    check_fair_split()
    check_batches(games)
    check_swaps(folder)
    check_window()
    check_repeated(folder, out, games)
    check_judged_rows(checkpoint, games)
    good, printed = inside("parity.py", out, games)
    print(printed)
    assert good
    player = json.dumps({"name": "tiny", "network": os.path.join(out, "network.bin"), "simulations": 10})
    run(program, "match", "--size", "3", "--games", "4", "--player", player, "--player", "level-1",
        "--out", os.path.join(folder, "match.json"))
    check_variant(folder)
    check_later_settings(os.path.join(folder, "later"))
    os.mkdir(os.path.join(folder, "loop"))
    check_loop(os.path.join(folder, "loop"))
    check_gate(folder)
    check_threads(os.path.join(folder, "threads"))
    os.mkdir(os.path.join(folder, "openings"))
    check_openings(os.path.join(folder, "openings"))
    check_without_pytorch(folder)
    check_start(os.path.join(folder, "start"), os.path.join(out, "network.bin"), games)
    check_mean(folder, os.path.join(out, "network.bin"), os.path.join(folder, "start", "gen-000", "train", "network.bin"))
