"""What a network sees of a position, made from the arrays of a data set (selfplay/docs/dataset.md).

The engine makes the same numbers from a position when it plays (engine/eval/network/features.h); a test compares the
two. Everything is seen by the side to move: "own" and "enemy". Planes are 0 or 1, globals are floats.
"""

import numpy as np
import torch

GLOBALS = 16
GLOBAL_NAMES = ["size", "komi", "button", "to_move", "passes", "turn_actions"]  # of a data set (engine/game/planes.h)
# Thermometers: a plane for each of these numbers that is reached.
SEEN, SIZES, TOUCHED, CLOSED = range(1, 7), range(2, 7), range(1, 4), range(1, 7)


def side_first(names, planes, white_moves):
    """The planes with, of each pair black_..., white_..., that of the side to move first."""
    index = {name: i for i, name in enumerate(names)}
    turned = [index[name.replace("black", "*").replace("white", "black").replace("*", "white")] for name in names]
    return np.where(white_moves[:, None, None, None], planes[:, turned], planes)


def border_planes(mask):
    """Edge (fewer than six neighbours) and corner (three) of the board whose cells are `mask`."""
    padded = np.pad(mask, 1)
    size = mask.shape[0]
    around = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)]
    degree = sum(padded[1 + i:1 + i + size, 1 + j:1 + j + size].astype(int) for i, j in around)
    return (mask & (degree < 6)).astype(np.uint8), (mask & (degree == 3)).astype(np.uint8)


class FeatureSet:
    """How the planes of a network follow from those of a data set.

    Only the planes of `kept` are held in memory, the mover's first; `expand` makes the network's planes of a batch."""

    def __init__(self, name, planes, kept, thermometers):
        self.name, self.planes, self.kept, self.thermometers = name, planes, kept, thermometers

    def expand(self, kept, board_planes):
        """kept (rows, len(self.kept), area) -> (rows, self.planes, area), both of bytes; board_planes (3, area): on,
        edge, corner."""
        rows = len(kept)
        on, edge, corner = (plane.expand(rows, 1, -1) for plane in board_planes)
        out = [on]
        for i, name in enumerate(self.kept):
            plane = kept[:, i:i + 1]
            if name in self.thermometers:
                out += [(plane >= step).to(torch.uint8) for step in self.thermometers[name]]
            else:
                out.append(plane)
        return torch.cat(out + [edge, corner], dim=1)


GROUPS = ["black", "white", "black_size", "white_size", "black_touch", "white_touch", "turn", "legal"]
GROUP_STEPS = {"black_size": SIZES, "white_size": SIZES, "black_touch": TOUCHED, "white_touch": TOUCHED}
FEATURES = {
    "stigmergy": FeatureSet("stigmergy-1", 19, ["black", "white", "black_seen", "white_seen", "black_control",
                                                "white_control"], {"black_seen": SEEN, "white_seen": SEEN}),
    "bug": FeatureSet("bug-2", 37, [*GROUPS, "black_place", "white_place", "black_capture", "white_capture"],
                      {**GROUP_STEPS, "black_place": CLOSED, "white_place": CLOSED}),
    "sgolte": FeatureSet("groups-3", 23, GROUPS, GROUP_STEPS),
}


def global_features(game, names, values, planes, plane_names, mask, white_moves):
    """The 16 globals as whole numbers, -127 to 127; their value is a 64th. `planes` have the mover's first."""
    column = {name: values[:, i].astype(np.int32) for i, name in enumerate(names)}
    plane = {name: planes[:, i] for i, name in enumerate(plane_names)}
    out = np.zeros((len(values), GLOBALS), np.int32)
    out[:, 0] = 64
    cells = int(mask.sum())
    empty = cells - (plane["black"] + plane["white"]).reshape(len(values), -1).sum(axis=1).astype(np.int32)
    if game == "stigmergy":
        komi = np.where(white_moves, column["komi"], -column["komi"])
        cells_of = [((plane[side] > 0) | ((plane[side + "_control"] > 0) & (plane["black"] == 0) & (plane["white"] == 0)))
                    .reshape(len(values), -1).sum(axis=1).astype(np.int32) for side in ("black", "white")]
        button = column["button"]
        own_button = np.where(white_moves, 3, 2)
        held = (button >= 2).astype(np.int32) * np.where(button == own_button, 1, -1)
        lead = 2 * (cells_of[0] - cells_of[1] + komi) + held  # in half points
        out[:, 1] = np.clip(4 * komi, -127, 127)
        out[:, 2] = np.clip(komi, -127, 127)
        out[:, 3] = np.clip(lead, -127, 127)
        out[:, 4] = np.clip(lead // 4, -127, 127)
        out[:, 5] = 64 * (button == 1)
        out[:, 6] = 64 * (held > 0)
        out[:, 7] = 64 * (held < 0)
        out[:, 8] = 64 * (column["komi"] % 2 != 0)
    else:
        empty_cells = (plane["black"] + plane["white"] == 0) & (mask > 0)
        free = [plane[side + "_place"] > 0 if game == "bug" else empty_cells & (plane[side + "_touch"] <= 1)
                for side in ("black", "white")]
        own, enemy, both = (cells.reshape(len(values), -1).sum(axis=1).astype(np.int32)
                            for cells in (*free, (free[0] > 0) & (free[1] > 0)))
        out[:, 1] = np.clip(own, -127, 127)
        out[:, 2] = np.clip(enemy, -127, 127)
        out[:, 3] = np.clip(8 * (own - enemy), -127, 127)
        out[:, 4] = 64 * (empty % 2)
        out[:, 5] = np.clip(both, -127, 127)
        out[:, 6] = 64 * (both % 2)
        if game == "bug":
            for i, side in ((7, "black"), (8, "white")):
                out[:, i] = np.clip(16 * plane[side + "_capture"].reshape(len(values), -1).sum(axis=1), 0, 127)
        out[:, 14] = 64 * (own % 2)
        out[:, 15] = 64 * (enemy % 2)
    out[:, 9] = 64 * (column["passes"] > 0)
    out[:, 10] = 64 * (column["turn_actions"] > 0)
    out[:, 11] = (column["size"] - 6) * 16
    out[:, 12] = (127 * empty + cells // 2) // cells
    out[:, 13] = np.clip(16 * column["turn_actions"], -127, 127)
    return out.astype(np.int8)
