"""Trains a tiny network for a few steps, stops and resumes the training, and compares it with the exported file.

    test_training.py STIGMERGY TRAINING      the program, the folder selfplay/training

Skipped (77) where PyTorch is not installed."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import torch  # noqa: F401
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)

program, training = sys.argv[1:]
os.environ["OMP_WAIT_POLICY"] = "passive"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def train(folder, steps, *sets):
    script = os.path.join(training, "train.py")
    return run(sys.executable, script, "--out", folder, "--steps", str(steps), "--batch", "32", "--blocks", "2",
               "--channels", "16", "--threads", "1", *sets)


with tempfile.TemporaryDirectory() as folder:
    settings, games, out = (os.path.join(folder, name) for name in ("settings.json", "games", "run"))
    with open(settings, "w") as file:
        json.dump({"sizes": [{"size": 3}, {"size": 4}], "simulations": 20, "cheap": {"share": 0.5, "simulations": 5},
                   "openings": {"turns": [0, 2], "simulations": 10}, "games": 60}, file)
    run(program, "selfplay", "--config", settings, "--out", games)
    train(out, 30, games)
    before = os.path.getmtime(os.path.join(out, "checkpoint.pt"))
    last = json.loads(train(out, 60, games).splitlines()[-1])
    assert last["step"] == 60 and os.path.getmtime(os.path.join(out, "checkpoint.pt")) > before, "training goes on"
    assert set(last["judged"]) == {"3", "4"}, "every board size is judged"
    print(run(sys.executable, os.path.join(training, "parity.py"), out, games))
    player = json.dumps({"name": "tiny", "network": os.path.join(out, "network.bin"), "simulations": 10})
    run(program, "match", "--size", "3", "--games", "4", "--player", player, "--player", "level-1",
        "--out", os.path.join(folder, "match.json"))
