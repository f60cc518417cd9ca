"""Compares what training makes of a data set's planes with what the engine makes of the same positions.

    test_features.py FEATURE_CASES TRAINING      the program that writes positions, the folder selfplay/training

Skipped (77) where PyTorch is not installed."""
import json
import subprocess
import sys

import numpy as np

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(77)

program, training = sys.argv[1:]
sys.path.insert(0, training)
from features import FEATURES, GLOBAL_NAMES, border_planes, global_features, side_first  # noqa: E402


def mask_of(size):
    axis = np.abs(np.arange(-size + 1, size))
    coordinate = np.arange(-size + 1, size)
    return (np.abs(coordinate[:, None] + coordinate[None, :]) < size) & (axis[:, None] < size)


def as_grid(cells, mask):
    """Numbers by cell on the square array of a data set."""
    grid = np.zeros((*cells.shape[:-1], *mask.shape), cells.dtype)
    grid[..., mask] = cells
    return grid


def check(game, size, games):
    features = FEATURES[game]
    lines = subprocess.run([program, game, features.name, str(size), str(games)], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    positions = [json.loads(line) for line in lines]
    names, mask = positions[0]["names"], mask_of(size)
    planes = np.array([position["planes"] for position in positions], np.uint8).reshape(len(lines), len(names), -1)
    values = np.array([position["globals"] for position in positions], np.int16)
    white = values[:, GLOBAL_NAMES.index("to_move")] == 1
    seen = side_first(names, as_grid(planes, mask), white)
    kept = torch.from_numpy(seen[:, [names.index(name) for name in features.kept]].reshape(len(lines), len(features.kept), -1))
    board = torch.from_numpy(np.stack([mask, *border_planes(mask)]).astype(np.uint8).reshape(3, -1))
    mine = features.expand(kept, board).numpy()[:, :, mask.flatten()].transpose(0, 2, 1) * 64
    engine = np.array([position["input"] for position in positions]).reshape(len(lines), int(mask.sum()), -1)
    assert mine.shape[2] == features.planes and not engine[:, :, features.planes:].any(), "the last planes are 0"
    assert np.array_equal(mine, engine[:, :, :features.planes]), f"planes of {game} {size}"
    mine = global_features(game, GLOBAL_NAMES, values, seen, names, mask, white)
    engine = np.array([position["input_globals"] for position in positions])
    differ = np.flatnonzero((mine != engine).any(axis=0))
    assert not differ.size, f"globals {differ} of {game} {size}"
    return len(lines)


for game in FEATURES:
    print(f"{game}: {sum(check(game, size, 12) for size in (2, 3, 4))} positions")
