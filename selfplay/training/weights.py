"""Weights files: the network in whole numbers, as the engine reads it (engine/eval/network/weights.h has the format).

The engine reads logits of actions to the base 2, so their layers are multiplied by log2(e). All three outputs of the
value head have 8 bits behind the point; the score is in units of Network.SCORE_UNIT = 16 points, so that its number has
4 bits behind the point when it is read as points.
"""

import collections
import copy
import hashlib
import json
import struct
import sys

import numpy as np
import torch

from features import FEATURES, GLOBALS
from files import reading
from network import Network

MAGIC, VERSION = b"STGNET01", 1
FORMAT = struct.Struct("<8sII16s24s12HI12x")  # of the header
SHAPE = ("blocks", "channels", "policy", "value", "hidden", "kinds", "others")
Header = collections.namedtuple("Header", ("magic", "version", "text", "game", "features", "planes", "globals", *SHAPE,
                                           "smallest", "largest", "zero", "pooled"))  # text: bytes of the provenance
HASH = 32  # bytes of the SHA-256 at the end
BIAS_MAX, SHIFT_MAX = 2 ** 28, 24  # as the engine reads them; a bias in absolute value
NETWORK = "a network that train.py has written"
PLANE_UNIT = 4
LOG2_E = 1.4426950408889634


def padded(planes):
    """The planes of a file, with those of zeros behind them."""
    return planes + -planes % PLANE_UNIT


# ---- Layers in whole numbers ----

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
    if not (np.abs(bias) <= BIAS_MAX).all():
        sys.exit("a bias is too large for the engine, expected at most 2^28; try a lower --rate, in another --out")
    shifts = layer.inputs_bits + bits - scale
    if not ((shifts >= 0) & (shifts <= SHIFT_MAX)).all():
        sys.exit(f"weights are too far apart for the engine, expected shifts from 0 to {SHIFT_MAX}; try a lower "
                 "--rate, in another --out")
    return rounded.astype(np.int8), np.rint(bias).astype("<i4"), shifts.astype(np.int8)


def from_whole_numbers(data, at, bits_of, layer, taps=1, pad_inputs=0, added_to=None):
    """The reverse: fills a layer from the file at `at`, and returns where the next one begins. `bits_of` keeps the bits
    of the layers that others are added to."""
    outs, ins = layer.weight.shape[0], layer.weight[0].numel() // taps + pad_inputs
    count = outs * taps * ins
    weight = np.frombuffer(data, "<i1", count, at).reshape(outs, taps, ins).transpose(0, 2, 1).astype(np.float64)
    bias = np.frombuffer(data, "<i4", outs, at + count).astype(np.float64)
    shift = np.frombuffer(data, "<i1", outs, at + count + 4 * outs).astype(np.int64)
    scale = added_to.inputs_bits + bits_of[added_to] if added_to else layer.outputs_bits
    bits = bits_of[layer] = shift - layer.inputs_bits + scale
    with torch.no_grad():
        exact = (weight * 2.0 ** -bits[:, None, None])[:, :ins - pad_inputs]
        layer.weight.copy_(torch.from_numpy(exact).reshape(layer.weight.shape))
        if layer.bias is not None:
            layer.bias.copy_(torch.from_numpy(bias * 2.0 ** -(layer.inputs_bits + bits)))
    return at + count + 5 * outs


def layers(network):
    """The layers in the order of the file: the arguments of whole_numbers."""
    settings = network.settings
    yield network.stem, 7, -settings["features"] % PLANE_UNIT
    yield network.stem_globals, 1, 0, network.stem
    for i in range(settings["blocks"]):
        yield network.first[i], 7
        yield network.second[i], 7
        if str(i) in network.pool:
            yield network.pool[str(i)], 1, 0, network.second[i]
    yield (network.policy,)
    yield network.policy_pool, 1, 0, network.policy
    for layer in (network.cells, network.others, network.value, network.hidden, network.outputs):
        yield (layer,)


def scale_logits(network, factor):
    """Multiplies the logits of actions."""
    with torch.no_grad():
        for parameter in (network.others.weight, network.others.bias, network.cells.weight[:-1],
                          network.cells.bias[:-1]):
            parameter *= factor


# ---- Files ----

def network_bytes(network, game, features, sizes, provenance):
    """The file of a network, whole."""
    settings = network.settings
    text = json.dumps(provenance).encode()
    header = FORMAT.pack(*Header(
        magic=MAGIC, version=VERSION, text=len(text), game=game.encode(), features=features.encode(),
        planes=padded(settings["features"]), globals=GLOBALS, **{key: settings[key] for key in SHAPE},
        smallest=min(sizes), largest=max(sizes), zero=0, pooled=sum(1 << i for i in settings["pooled"])))
    binary = copy.deepcopy(network).cpu()
    scale_logits(binary, LOG2_E)
    body = header + text + b"".join(part.tobytes() for layer in layers(binary) for part in whole_numbers(*layer))
    return body + hashlib.sha256(body).digest()


def read_file(path):
    """The bytes of a network's file, and its header. Ends the program where the file is none."""
    with reading(path, NETWORK), open(path, "rb") as file:
        data = file.read()
    if len(data) < FORMAT.size + HASH or data[:8] != MAGIC or hashlib.sha256(data[:-HASH]).digest() != data[-HASH:]:
        sys.exit(f"{path}: is no network, or damaged; expected {NETWORK}")
    header = Header(*FORMAT.unpack_from(data))
    game, features = (name.rstrip(b"\0").decode(errors="replace") for name in (header.game, header.features))
    return data, header._replace(game=game, features=features)


def read_card(path):
    """What the file of a network says of it: (game, (smallest, largest board), hash, provenance)."""
    data, header = read_file(path)
    with reading(path, NETWORK):
        provenance = json.loads(data[FORMAT.size:FORMAT.size + header.text])
    return header.game, (header.smallest, header.largest), data[-HASH:].hex()[:16], provenance


def read_network(path):
    """The network of a file, to train it further: its weights are rounded to what the engine has. Ends the program where
    the file is none."""
    data, header = read_file(path)
    if header.version != VERSION or header.game not in FEATURES:
        sys.exit(f"{path}: a network of version {header.version} for the game '{header.game}', expected version "
                 f"{VERSION} for one of {', '.join(sorted(FEATURES))}")
    features = FEATURES[header.game]
    if (header.features, header.planes) != (features.name, padded(features.planes)):
        sys.exit(f"{path}: a network of {header.planes} planes of the features '{header.features}', expected "
                 f"{padded(features.planes)} of '{features.name}'")
    settings = {key: getattr(header, key) for key in SHAPE}
    pooled = [i for i in range(header.blocks) if header.pooled >> i & 1]
    network = Network(**settings, features=features.planes, pooled=pooled)
    at, bits_of = FORMAT.size + header.text, {}
    for layer in layers(network):
        at = from_whole_numbers(data, at, bits_of, *layer)
    scale_logits(network, 1 / LOG2_E)
    return network
