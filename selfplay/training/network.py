"""The network: a small residual network over the hexagonal board, of which the engine has a twin in whole numbers.

Residual blocks as in AlphaZero (Silver et al. 2018), global pooling as in KataGo (Wu 2019, arXiv 1902.10565), no batch
statistics: weights are initialised so that the blocks begin as the identity. engine/eval/network/ describes the
arithmetic to the bit. Here it is in floats whose values the engine can hold:

- activations are 0 to 127 sixteenths; the stream of the residual blocks is -64 to 64;
- with `quantise`, activations and weights are rounded as the engine rounds them, and gradients pass through the rounding
  (Bengio et al. 2013, "Estimating or propagating gradients through stochastic neurons").

A hexagonal convolution over seven cells is a 3x3 convolution of the parallelogram that holds the board, without two
corners: the neighbours of [r, q] are [0, +-1], [+-1, 0], [-1, +1], [+1, -1] from there.
"""

import torch
import torch.nn.functional as F
from torch import nn

from features import FEATURES

# Bits behind the point of the engine's whole numbers.
INPUT_BITS, ACTIVATION_BITS, POOLED_BITS, STREAM_BITS, LOGIT_BITS = 6, 4, 7, 9, 8
BITS_MAX = 14  # of weights
ACTIVATION_MAX = 127 / 2 ** ACTIVATION_BITS
STREAM_MAX = 32767 / 2 ** STREAM_BITS
SIZE_MIDDLE = 6

# Self, then the neighbours in the engine's order of directions, as (row, column) of a 3x3 kernel.
TAPS = [(1, 1), (1, 2), (1, 0), (2, 1), (0, 1), (2, 0), (0, 2)]


def clip(x, low, high):
    """x.clamp(low, high). On processors its gradient takes a quarter of the time, though only in float32."""
    return F.hardtanh(x.float(), low, high)


def round_through(x, steps):
    return x + ((x * steps).round() / steps - x).detach()


def form(game, kinds, others, blocks, channels):
    """The arguments of Network for a game whose actions have these numbers of kinds with a cell and without one."""
    return dict(features=FEATURES[game].planes, kinds=kinds, others=others, blocks=blocks, channels=channels,
                pooled=tuple(range(1, blocks, 2)))


class Quantised(nn.Module):
    """What layers have in common: weights of eight bits, w / 2^k with a k for each output channel.

    Sums have inputs_bits + k bits behind the point, results outputs_bits: the engine shifts by the difference, which
    must not be negative. The results of a layer that is `added_to` another one are brought to the scale of its sums."""

    quantise = False
    inputs_bits, outputs_bits = ACTIVATION_BITS, ACTIVATION_BITS
    adds = None  # [layer] whose results are added to the sums of this one

    def largest_bits(self):
        """The largest k for which no |w| * 2^k is above 127."""
        largest = self.weight.detach().float().abs().flatten(1).amax(1)
        return torch.floor(torch.log2(127 / largest.clamp(min=127 / 2 ** BITS_MAX)))

    def bits(self):
        bits = self.largest_bits()
        if self.adds:
            bits = torch.minimum(bits, self.adds[0].largest_bits() + self.adds[0].inputs_bits - self.inputs_bits)
        return bits.clamp(max(0, self.outputs_bits - self.inputs_bits), BITS_MAX)

    def rounded_weight(self):
        if not self.quantise:
            return self.weight
        scale = 2 ** self.bits().view(-1, *[1] * (self.weight.dim() - 1))
        rounded = (self.weight * scale).round().clamp(-127, 127) / scale
        return self.weight + (rounded - self.weight).detach()


class HexConv(Quantised):
    """A convolution over a cell and its six neighbours."""

    def __init__(self, inputs, outputs, bias=True, gain=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs, 7) * gain * (2 / (7 * inputs)) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        weight = self.rounded_weight()
        kernel = weight.new_zeros(weight.shape[0], weight.shape[1], 9)
        kernel = kernel.index_copy(2, torch.tensor([3 * r + c for r, c in TAPS], device=weight.device), weight)
        kernel = kernel.view(weight.shape[0], weight.shape[1], 3, 3).contiguous(memory_format=torch.channels_last)
        return F.conv2d(x, kernel, self.bias, padding=1)


class CellConv(Quantised):
    """The same linear map on every cell."""

    def __init__(self, inputs, outputs, gain=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * gain * (2 / inputs) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return F.conv2d(x, self.rounded_weight()[:, :, None, None], self.bias)


class Dense(Quantised):
    def __init__(self, inputs, outputs, bias=True, gain=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * gain * (2 / inputs) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        return F.linear(x, self.rounded_weight(), self.bias)


class Network(nn.Module):
    """planes (rows, F, D, D) of 0 and 1, globals (rows, 16) whole numbers, mask (D, D), size -> dict of heads, as seen by
    the side to move:

    cells   (rows, K, D, D)  logits of the actions that have a cell, by kind
    others  (rows, M)        logits of those that have none
    win     (rows)           logit of winning
    score   (rows)           expected margin in points
    spread  (rows)           log2 of its standard deviation
    owner   (rows, D, D)     logit that the cell ends as the mover's
    """

    SCORE_UNIT = 16  # points of margin for an output of 1, so that weights are of one size and the engine's 16 bits do

    def __init__(self, features, kinds, others, blocks=5, channels=32, pooled=(1, 3), policy=32, value=32, hidden=48):
        super().__init__()
        self.settings = dict(features=features, kinds=kinds, others=others, blocks=blocks, channels=channels,
                             pooled=list(pooled), policy=policy, value=value, hidden=hidden)
        self.stem = HexConv(features, channels)
        self.stem_globals = Dense(16, channels, bias=False, gain=0.5)
        self.first = nn.ModuleList(HexConv(channels, channels) for _ in range(blocks))
        self.second = nn.ModuleList(HexConv(channels, channels, gain=0.1) for _ in range(blocks))
        self.pool = nn.ModuleDict({str(i): Dense(3 * channels, channels, bias=False, gain=0.1) for i in pooled})
        self.policy = CellConv(channels, policy)
        self.policy_pool = Dense(3 * channels, policy, bias=False, gain=0.3)
        self.cells = CellConv(policy, kinds + 1, gain=0.1)  # the last one is the owner
        self.others = Dense(3 * policy, others, gain=0.1)
        self.value = CellConv(channels, value)
        self.hidden = Dense(3 * value + 16, hidden)
        self.outputs = Dense(hidden, 3, gain=0.1)
        with torch.no_grad():
            self.outputs.bias[2] = 3.0  # a spread of 8 points to begin with
        self.stem.inputs_bits = self.stem_globals.inputs_bits = INPUT_BITS
        for layer in [*self.pool.values(), self.policy_pool, self.others, self.hidden]:
            layer.inputs_bits = POOLED_BITS
        for layer in (self.stem, *self.second):
            layer.outputs_bits = STREAM_BITS
        for layer in (self.cells, self.others, self.outputs):
            layer.outputs_bits = LOGIT_BITS
        # (In lists, for a layer is no part of the one that it is added to.)
        self.stem.adds, self.policy.adds = [self.stem_globals], [self.policy_pool]
        for i, dense in self.pool.items():
            self.second[int(i)].adds = [dense]
        self.set_quantise(False)

    def set_quantise(self, on):
        self.quantise = on
        for module in self.modules():
            if isinstance(module, Quantised):
                module.quantise = on

    def act(self, x):
        """Activations. (Those of the stream need no mask, because it is 0 off the board.)"""
        x = clip(x, 0.0, ACTIVATION_MAX)
        return round_through(x, 2 ** ACTIVATION_BITS) if self.quantise else x

    def summary(self, x, mask, cells, size):
        """Mean, mean times how large the board is, and maximum of each channel."""
        mean = x.sum(dim=(2, 3)) / cells
        out = torch.cat([mean, mean * ((size - SIZE_MIDDLE) / 4), x.amax(dim=(2, 3))], dim=1)
        return round_through(out, 2 ** POOLED_BITS) if self.quantise else out

    def forward(self, planes, globals_, mask, size):
        mask = mask[None, None]
        cells = mask.sum()
        g = globals_ / 64
        x = self.stem(planes) + self.stem_globals(g)[:, :, None, None]
        x = clip(x, -STREAM_MAX, STREAM_MAX) * mask
        for i, (first, second) in enumerate(zip(self.first, self.second)):
            h = self.act(first(self.act(x))) * mask
            change = second(h)
            if str(i) in self.pool:
                change = change + self.pool[str(i)](self.summary(h, mask, cells, size))[:, :, None, None]
            x = clip(x + change, -STREAM_MAX, STREAM_MAX) * mask
        t = self.act(x)
        q = self.act(self.policy(t) + self.policy_pool(self.summary(t, mask, cells, size))[:, :, None, None]) * mask
        v = self.act(self.value(t)) * mask
        u = self.act(self.hidden(torch.cat([self.summary(v, mask, cells, size), g], dim=1)))
        win, score, spread = self.outputs(u).unbind(1)
        logits = self.cells(q)
        return {"cells": logits[:, :-1], "others": self.others(self.summary(q, mask, cells, size)),
                "owner": logits[:, -1], "win": win, "score": score * self.SCORE_UNIT, "spread": spread}
