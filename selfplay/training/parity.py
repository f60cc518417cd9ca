#!/usr/bin/env python3
"""Checks that a network in whole numbers says what the trained one says.

    parity.py RUN SET

RUN is the folder of a training run (train.py), SET a data set. The first positions of every board size are evaluated by
the network in floats, rounded as in training, and by the whole numbers of the weights file as
tests/engine/eval/network/reference.py computes them, which agrees with the engine to the bit. Prints the largest
difference of each head, and fails where one is above its limit: the two round differently where a sum lies between two
numbers.
"""

import os
import sys

import numpy as np
import torch

from data import load
from features import FEATURES
from network import Network

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/engine/eval/network"))
import reference

ROWS = 50
LIMITS = {"win": 0.15, "score": 1.0, "spread": 0.15, "cells": 0.25, "others": 0.25, "owner": 0.25}


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


def main(run, folder):
    state = torch.load(os.path.join(run, "checkpoint.pt"), map_location="cpu")
    trained = Network(**state["settings"])
    trained.load_state_dict(state["average"])
    trained.set_quantise(True)
    with open(os.path.join(run, "network.bin"), "rb") as file:
        network = reference.read_network(file.read())
    boards, _ = load([folder], game=network["game"] if isinstance(network.get("game"), str) else "stigmergy")
    worst = dict.fromkeys(LIMITS, 0.0)
    for board in boards.values():
        batch = board.batch(torch.arange(min(ROWS, board.rows)), torch.Generator().manual_seed(1))
        with torch.no_grad():
            heads = trained(batch["planes"], batch["globals"], torch.from_numpy(board.mask).float(), board.size)
        order = cell_order(board.mask)
        for row in range(len(batch["win"])):
            for name, value in whole_number_heads(network, board, batch, row).items():
                mine = heads[name][row].numpy()
                if name in ("cells", "owner"):
                    mine = mine.reshape(-1, board.side ** 2)[:, order].reshape(np.shape(value))
                worst[name] = max(worst[name], float(np.abs(mine - value).max()))
    print(", ".join(f"{name} {value:.3f} (limit {LIMITS[name]})" for name, value in worst.items()))
    return any(value > LIMITS[name] for name, value in worst.items())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
