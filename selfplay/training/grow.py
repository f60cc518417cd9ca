"""A network made larger: it says what the smaller one said, and learns on from there (Net2Net, Chen, Goodfellow and Shlens
2016, arXiv 1511.05641).

What was there reads nothing from the new channels: the weights in between are 0, and learn. New blocks change nothing
at first: the weights of their second layer are 0.
"""

import torch

from network import Dense, Network, Quantised

LARGER = ("blocks", "channels")  # what may grow
DERIVED = ("pooled",)            # follows from the blocks


def can_grow(small, large):
    """Whether a network of the settings `small` can become one of the settings `large`."""
    same = all(small[key] == large[key] for key in small if key not in LARGER + DERIVED)
    kept = [block for block in large["pooled"] if block < small["blocks"]]
    return same and kept == small["pooled"] and all(small[key] <= large[key] for key in LARGER)


def explain_form(has, wanted, may_grow, asked="--blocks {} --channels {}"):
    """Why a network with the settings `has` cannot be trained as one with the settings `wanted`."""
    if any(has[key] != wanted[key] for key in has if key not in LARGER + DERIVED):
        return "has a network for another game than that of --game, or with other layers"
    form = asked.format(has["blocks"], has["channels"])
    blocks = "1 block" if has["blocks"] == 1 else f"{has['blocks']} blocks"
    return f"has {blocks} of {has['channels']} channels, expected {form}{' or more' if may_grow else ''}"


def widen(old, new, groups):
    """Copies a layer into a wider one. The inputs are `groups` vectors of channels, one behind the other."""
    outs = old.weight.shape[0]
    narrow, wide = (layer.weight.view(layer.weight.shape[0], groups, -1, *layer.weight.shape[2:]) for layer in (old, new))
    wide[:outs] = 0
    wide[:outs, :, :narrow.shape[2]] = narrow
    if old.bias is not None:
        new.bias[:outs] = old.bias


@torch.no_grad()
def grow(network, settings):
    """A network of `settings` that says what `network` says."""
    result = Network(**settings)
    kept = {name: layer for name, layer in network.named_modules() if isinstance(layer, Quantised)}
    for name, layer in result.named_modules():
        if name in kept:
            pooled = isinstance(layer, Dense) and "pool" in name  # of means, scaled means and maxima
            widen(kept[name], layer, 3 if pooled else 1)
        elif name.startswith(("second.", "pool.")):
            for parameter in layer.parameters():
                parameter.zero_()
    return result
