"""The networks of engine/eval/network/ once more, slow and obvious, with NumPy and whole numbers alone.

    reference.py test NETWORK_CASES          the test: works out again what that program writes
    reference.py compare WEIGHTS POSITIONS   one weights file, and lines as NETWORK_CASES writes them

read_network(bytes) reads a weights file, forward(network, size, planes, globals) evaluates a position. Both are written
from the specification, not from the engine's code. Training uses them to check what it exports."""
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the arrays are small: threads would only wait for each other
import numpy as np

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)]  # (q, r), in the order of the taps after the first
GLOBALS = 16


def cells_of(size):
    """The coordinates (q, r) of the cells in their order: row by row."""
    reach = size - 1
    return [(q, r) for r in range(-reach, reach + 1) for q in range(-reach, reach + 1) if abs(q + r) <= reach]


# ---- The file ----

def read_layer(data, at, outs, taps, ins):
    weights = np.frombuffer(data, "<i1", outs * taps * ins, at).reshape(outs, taps, ins).astype(np.int64)
    at += outs * taps * ins
    bias = np.frombuffer(data, "<i4", outs, at).astype(np.int64)
    shift = np.frombuffer(data, "<i1", outs, at + 4 * outs).astype(np.int64)
    return (weights, bias, shift), at + 5 * outs


def read_network(data):
    assert data[:8] == b"STGNET01" and hashlib.sha256(data[:-32]).digest() == data[-32:]
    version, provenance, game, features = struct.unpack_from("<II16s24s", data, 8)
    names = ["planes", "globals", "blocks", "channels", "policy", "value", "units", "kinds", "others", "min_size",
             "max_size"]
    net = dict(zip(names, struct.unpack_from("<11H", data, 56)))
    pooled, = struct.unpack_from("<I", data, 80)
    assert version == 1 and net["globals"] == GLOBALS
    net["game"], net["features"] = (name.rstrip(b"\0").decode() for name in (game, features))
    net["provenance"] = data[96:96 + provenance].decode()
    c, p, v, at = net["channels"], net["policy"], net["value"], 96 + provenance

    def layer(name, outs, taps, ins):
        nonlocal at
        net[name], at = read_layer(data, at, outs, taps, ins)

    layer("stem", c, 7, net["planes"])
    layer("globals_layer", c, 1, GLOBALS)
    for b in range(net["blocks"]):
        layer(f"first{b}", c, 7, c)
        layer(f"second{b}", c, 7, c)
        if pooled >> b & 1:
            layer(f"pool{b}", c, 1, 3 * c)
    layer("policy_layer", p, 1, c)
    layer("policy_pool", p, 1, 3 * c)
    layer("cells", net["kinds"] + 1, 1, p)
    layer("others_layer", net["others"], 1, 3 * p)
    layer("value_layer", v, 1, c)
    layer("value_units", net["units"], 1, 3 * v + GLOBALS)
    layer("value_out", 3, 1, net["units"])
    assert at == len(data) - 32
    return net


# ---- Arithmetic ----

def requant(sums, shift):
    return (sums + np.where(shift > 0, 1 << np.maximum(shift - 1, 0), 0)) >> shift


def sat16(x):
    return np.clip(x, -32768, 32767)


def hidden(x):
    return np.clip(x, 0, 127)


def act(x):
    return hidden((x + 16) >> 5)


def convolution(layer, size, values, extra=0):
    """values [cell][in] to sums [cell][out], shifted; `extra` [out] is added before."""
    weights, bias, shift = layer
    cells = cells_of(size)
    number = {cell: i for i, cell in enumerate(cells)}
    sums = np.zeros((len(cells), len(bias)), np.int64) + bias + extra
    for i, (q, r) in enumerate(cells):
        for tap, (dq, dr) in enumerate(([(0, 0)] + STEPS)[:weights.shape[1]]):
            j = number.get((q + dq, r + dr))
            if j is not None:
                sums[i] += weights[:, tap] @ values[j]
    assert np.abs(sums).max() < 1 << 31
    return requant(sums, shift)


def dense(layer, values):
    weights, bias, shift = layer
    return requant(weights[:, 0] @ values + bias, shift)


def pooled(values, size):
    cells = len(values)
    factor = (8 * 65536 + cells // 2) // cells
    mean = (values.sum(0) * factor + (1 << 15)) >> 16
    return np.concatenate([mean, (mean * (size - 6) + 2) >> 2, 8 * values.max(0)])


# ---- The network ----

def forward(net, size, planes, globals_):
    """planes [cell][plane] and globals, as whole numbers; the outputs by name."""
    planes, globals_ = np.asarray(planes, np.int64), np.asarray(globals_, np.int64)
    x = sat16(convolution(net["stem"], size, planes, dense(net["globals_layer"], globals_)))
    for b in range(net["blocks"]):
        h = hidden(convolution(net[f"first{b}"], size, act(x)))
        extra = dense(net[f"pool{b}"], pooled(h, size)) if f"pool{b}" in net else 0
        x = sat16(x + sat16(convolution(net[f"second{b}"], size, h, extra)))
    t = act(x)
    q = hidden(convolution(net["policy_layer"], size, t, dense(net["policy_pool"], pooled(t, size))))
    by_cell = sat16(convolution(net["cells"], size, q))
    v = hidden(convolution(net["value_layer"], size, t))
    u = hidden(dense(net["value_units"], np.concatenate([pooled(v, size), 2 * globals_])))
    win, score, spread = sat16(dense(net["value_out"], u)).tolist()
    return {"win": win, "score": score, "spread": spread,
            "others": sat16(dense(net["others_layer"], pooled(q, size))).tolist(),
            "cells": by_cell[:, :-1].T.tolist(), "owner": by_cell[:, -1].tolist()}


# ---- Checks ----

def compare(weights, positions):
    """The number of positions; fails where one differs."""
    with open(weights, "rb") as file:
        net = read_network(file.read())
    count = 0
    with open(positions, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            planes = np.reshape(case["planes"], (-1, net["planes"]))
            for name, expected in forward(net, case["size"], planes, case["globals"]).items():
                assert case[name] == expected, f"{positions}, line {count + 1}: {name} differs"
            count += 1
    return count


def test(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        numbers = [name[:-4] for name in os.listdir(folder) if name.endswith(".net")]
        assert len(numbers) == 9
        for number in numbers:
            assert compare(f"{folder}/{number}.net", f"{folder}/{number}.jsonl") == 9


if __name__ == "__main__":
    if sys.argv[1:2] == ["test"] and len(sys.argv) == 3:
        test(sys.argv[2])
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) == 4:
        print(compare(sys.argv[2], sys.argv[3]), "positions agree")
    else:
        sys.exit(__doc__)
