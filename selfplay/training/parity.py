#!/usr/bin/env python3
"""Checks that a network in whole numbers says what the trained one says.

    parity.py RUN SET

RUN is the folder of a training run (train.py), SET a data set. The first positions of every board size are evaluated by
the network in floats, rounded as in training, and by the whole numbers of the weights file as
tests/engine/eval/network/reference.py computes them, which agrees with the engine to the bit. Prints the mean and the
largest difference of each head by board size, and fails where a mean is above its limit. The two round differently
where a sum lies between two numbers, so single values of a well-trained network may be far apart.
"""

import os
import sys

from files import expect_pytorch, reading, start
expect_pytorch()
import numpy as np
import torch

from data import load
from network import Network

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/engine/eval/network"))
import reference

ROWS = 50
EXPECTED = "a file of a training run that is finished"
LIMITS = {"win": 0.25, "score": 0.4, "spread": 0.08, "cells": 0.12, "others": 0.3, "owner": 0.1}  # of the means


def cell_order(mask):
    """The places of the engine's cells, row by row, in a flattened plane."""
    return np.flatnonzero(mask.flatten())


def whole_number_heads(network, board, batch, row):
    """What the weights file says of a row, in the units of the heads in floats."""
    order = cell_order(board.mask)
    planes = batch["planes"][row].flatten(1).numpy()[:, order].T * 64
    planes = np.pad(planes, ((0, 0), (0, network["planes"] - planes.shape[1])))
    out = reference.forward(network, board.size, planes.astype(int), batch["globals"][row].numpy().astype(int))
    natural = np.log(2) / 256
    return {"win": out["win"] / 256, "score": out["score"] / 16, "spread": out["spread"] / 256,
            "cells": np.array(out["cells"]) * natural, "others": np.array(out["others"]) * natural,
            "owner": np.array(out["owner"]) / 256}


def read_run(run):
    """The network in floats, as it is rounded in training, and that in whole numbers."""
    checkpoint, weights = (os.path.join(run, name) for name in ("checkpoint.pt", "network.bin"))
    with reading(checkpoint, EXPECTED):
        state = torch.load(checkpoint, map_location="cpu")
        trained = Network(**state["settings"])
        trained.load_state_dict(state["average"])
    trained.set_quantise(True)
    with reading(weights, EXPECTED), open(weights, "rb") as file:
        return trained, reference.read_network(file.read())


def main(run, folder):
    trained, network = read_run(run)
    boards, _ = load([folder], game=network["game"])
    good = True
    for board in boards.values():
        apart = {name: [] for name in LIMITS}
        batch = board.batch(torch.arange(min(ROWS, board.rows)), torch.Generator().manual_seed(1))
        with torch.no_grad():
            heads = trained(batch["planes"], batch["globals"], torch.from_numpy(board.mask).float(), board.size)
        order = cell_order(board.mask)
        for row in range(len(batch["win"])):
            for name, value in whole_number_heads(network, board, batch, row).items():
                mine = heads[name][row].numpy()
                if name in ("cells", "owner"):
                    mine = mine.reshape(-1, board.side ** 2)[:, order].reshape(np.shape(value))
                apart[name].append(np.abs(mine - value).ravel())
        apart = {name: np.concatenate(values) for name, values in apart.items() if values}
        print(f"size {board.size}: " + ", ".join(f"{name} {values.mean():.3f} (limit {LIMITS[name]}, largest "
                                                 f"{values.max():.3f})" for name, values in apart.items()))
        good = good and all(values.mean() <= LIMITS[name] for name, values in apart.items())
    print("the file computes what was trained" if good else "parity: the file does not compute what was trained")
    return not good


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__.strip())
        sys.exit()
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    start(lambda: main(*sys.argv[1:]))
