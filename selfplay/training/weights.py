"""Weights files: the network in whole numbers, as the engine reads it (engine/eval/network/weights.h has the format).

The engine reads logits of actions to the base 2, so their layers are multiplied by log2(e). All three outputs of the
value head have 8 bits behind the point; the score is in units of Network.SCORE_UNIT = 16 points, so that its number has
4 bits behind the point when it is read as points.
"""

import copy
import hashlib
import json
import os
import struct

import numpy as np
import torch

MAGIC, VERSION = b"STGNET01", 1
PLANE_UNIT = 4
LOG2_E = 1.4426950408889634


def whole_numbers(layer, taps=1, pad_inputs=0, added_to=None):
    """(weights int8 [out][tap][in], biases int32, shifts int8) of a layer."""
    bits = layer.bits().numpy().astype(np.int64)
    if added_to:
        scale = added_to.inputs_bits + added_to.bits().numpy().astype(np.int64)  # of the sums that it is added to
    else:
        scale = layer.outputs_bits
    weight = layer.weight.detach().float().numpy().astype(np.float64)
    weight = weight.reshape(weight.shape[0], -1, taps)               # [out][in][tap]
    rounded = np.clip(np.rint(weight * 2.0 ** bits[:, None, None]), -127, 127).transpose(0, 2, 1)
    rounded = np.pad(rounded, ((0, 0), (0, 0), (0, pad_inputs)))
    bias = np.zeros(len(bits))
    if layer.bias is not None:
        bias = layer.bias.detach().float().numpy().astype(np.float64) * 2.0 ** (layer.inputs_bits + bits)
    return rounded.astype(np.int8), np.rint(bias).astype("<i4"), (layer.inputs_bits + bits - scale).astype(np.int8)


def layers(network):
    """The layers in the order of the file."""
    settings = network.settings
    yield whole_numbers(network.stem, 7, -settings["features"] % PLANE_UNIT)
    yield whole_numbers(network.stem_globals, added_to=network.stem)
    for i in range(settings["blocks"]):
        yield whole_numbers(network.first[i], 7)
        yield whole_numbers(network.second[i], 7)
        if str(i) in network.pool:
            yield whole_numbers(network.pool[str(i)], added_to=network.second[i])
    yield whole_numbers(network.policy)
    yield whole_numbers(network.policy_pool, added_to=network.policy)
    for layer in (network.cells, network.others, network.value, network.hidden, network.outputs):
        yield whole_numbers(layer)


def with_binary_logits(network):
    """A copy whose logits of actions are to the base 2."""
    copied = copy.deepcopy(network).cpu()
    with torch.no_grad():
        for parameter in (copied.others.weight, copied.others.bias):
            parameter *= LOG2_E
        copied.cells.weight[:-1] *= LOG2_E
        copied.cells.bias[:-1] *= LOG2_E
    return copied


def network_bytes(network, game, features, sizes, provenance):
    """The file of a network, whole."""
    settings = network.settings
    text = json.dumps(provenance).encode()
    planes = settings["features"] + -settings["features"] % PLANE_UNIT
    header = struct.pack("<8sII16s24s11HHI12x", MAGIC, VERSION, len(text), game.encode(), features.encode(), planes, 16,
                         settings["blocks"], settings["channels"], settings["policy"], settings["value"],
                         settings["hidden"], settings["kinds"], settings["others"], min(sizes), max(sizes), 0,
                         sum(1 << i for i in settings["pooled"]))
    body = header + text + b"".join(part.tobytes() for layer in layers(with_binary_logits(network))
                                    for part in layer)
    return body + hashlib.sha256(body).digest()


def write_network(network, path, game, features, sizes, provenance):
    """Writes the file, whole or not at all."""
    with open(path + ".new", "wb") as file:
        file.write(network_bytes(network, game, features, sizes, provenance))
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
