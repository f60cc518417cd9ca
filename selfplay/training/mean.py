#!/usr/bin/env python3
"""A network whose weights are the mean of those of several networks ("model soups", Wortsman et al. 2022).

    mean.py OUT.bin NETWORK.bin...     name a network twice to give it twice the weight

The networks must have been trained further from the same one, and have its form: else their mean means nothing.
"""
import sys

from files import expect_pytorch, start, write_whole
expect_pytorch()
import torch

from features import FEATURES
from weights import network_bytes, read_card, read_network


def main():
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__.strip())
        return
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    out, paths = sys.argv[1], sys.argv[2:]
    networks = [read_network(path) for path in paths]
    cards = [read_card(path) for path in paths]
    first = networks[0].state_dict()
    for path, network, card in zip(paths, networks, cards):
        if network.settings != networks[0].settings or card[0] != cards[0][0]:
            sys.exit(f"{path}: a network of another form or game than {paths[0]}, expected the same")
    mean = {name: torch.stack([network.state_dict()[name] for network in networks]).mean(0) for name in first}
    networks[0].load_state_dict(mean)
    game = cards[0][0]
    smallest, largest = zip(*(card[1] for card in cards))
    provenance = {"mean_of": [{"hash": card[2], **card[3]} for card in cards]}
    write_whole(out, network_bytes(networks[0], game, FEATURES[game].name, [min(smallest), max(largest)], provenance))


if __name__ == "__main__":
    start(main)
