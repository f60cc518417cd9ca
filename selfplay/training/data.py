"""Rows of data sets (selfplay/docs/dataset.md), ready to learn from.

A `Board` holds the rows of one board size as small arrays of whole numbers; `Window` draws batches from several of them,
each batch of one size, so that nothing has to be padded. Every row of a batch is turned by a random one of the twelve
symmetries of the board.
"""

import os

import numpy as np
import torch

from features import FEATURES, GLOBAL_NAMES, border_planes, global_features, side_first
from files import data_set, read_json, reading
from games import variant

# The shapes of arrays. The name of an array stands for its length.
ARRAYS = {"planes": "rows plane_names side side", "globals": "rows global_names", "legal": "rows action_kind",
          "policy": "rows action_kind", "owner": "rows side side",
          **dict.fromkeys(("value", "score", "finished", "search_value", "search_score", "weight", "game"), "rows")}
PLAYED = "played"  # needed in games with a swap; sets of version 0.30 and earlier have none
TABLES = {"mask": "side side", "plane_names": "plane_names", "global_names": "global_names",
          "action_kind": "action_kind", "action_cell": "action_kind", "symmetry_cells": "symmetries area",
          "symmetry_actions": "symmetries action_kind"}
SYMMETRIES = 12
SCALARS = ("win", "score", "finished", "search_win", "lost", "search_score", "weight")  # one number a row


class Board:
    """The rows of one board size."""

    def __init__(self, game, tables):
        self.game = game
        self.mask = tables["mask"]
        self.side = self.mask.shape[0]
        self.size = (self.side + 1) // 2
        self.board_planes = torch.from_numpy(np.stack([self.mask, *border_planes(self.mask)])).flatten(1)
        self.symmetry_cells = torch.from_numpy(tables["symmetry_cells"].astype(np.int64))
        kinds = [name.decode() for name in tables["action_kind"]]
        cells = tables["action_cell"]
        self.kinds = list(dict.fromkeys(kind for kind, cell in zip(kinds, cells) if cell >= 0))
        self.others = [kind for kind, cell in zip(kinds, cells) if cell < 0]
        # Where each action stands among the logits: K planes, then those without a cell.
        area = self.side ** 2
        order = iter(range(len(self.others)))
        self.action_logit = torch.tensor([self.kinds.index(kind) * area + cell if cell >= 0
                                          else len(self.kinds) * area + next(order)
                                          for kind, cell in zip(kinds, cells)])
        self.symmetry_actions = torch.from_numpy(tables["symmetry_actions"].astype(np.int64))
        self.swap = kinds.index("swap") if "swap" in kinds else None
        self.parts = {}

    def swaps(self, rows):
        """In which rows the mover may swap, and in which it does."""
        if self.swap is None:
            return np.zeros((2, len(rows["value"])), bool)
        return rows["legal"][:, self.swap] > 0, rows[PLAYED] == self.swap

    def add(self, rows, tables):
        """Takes rows over, seen by the side to move.

        A network sees a position before a swap like the one after it, where the other player has the mover's colour. So
        rows in which the mover swapped say what became of its colour, not of the player. The search chose between both,
        and so what it thought counts in no row in which it could."""
        names = [name.decode() for name in tables["plane_names"]]
        global_names = [name.decode() for name in tables["global_names"]]
        white = rows["globals"][:, global_names.index("to_move")] == 1
        planes = side_first(names, rows["planes"], white)
        may_swap, swapped = self.swaps(rows)
        black = white == swapped  # the values of a set are Black's: whether they are those of the colour to move
        sign = np.where(black, 1, -1).astype(np.int8)
        win = np.where(black, rows["value"], 1 - rows["value"])
        search_win = np.where(white, 1 - rows["search_value"], rows["search_value"])
        kept = [names.index(name) for name in FEATURES[self.game].kept]
        # Shares of visits in 32767ths; -1: not legal.
        total = rows["policy"].sum(axis=1, keepdims=True)
        visits = rows["policy"] / np.maximum(total, 1)
        part = {
            "planes": planes[:, kept].reshape(len(white), -1, self.side ** 2),
            "globals": global_features(self.game, global_names, rows["globals"], planes, names, self.mask, white),
            "policy": np.where(rows["legal"] > 0, np.rint(visits * 32767), -1).astype(np.int16),
            "owner": (rows["owner"] * sign[:, None, None]).reshape(len(white), -1),
            "win": win.astype(np.float32),
            "score": (rows["score"] * sign).astype(np.float32),
            "search_score": (rows["search_score"] * sign).astype(np.float32),
            "finished": rows["finished"].astype(np.float32),
            "search_win": np.where(may_swap, win, search_win).astype(np.float32),
            "lost": search_win == 0,  # the search proved it
            "weight": (rows["weight"] * (total[:, 0] > 0)).astype(np.float32),  # older sets: searches without visits
        }
        for key, value in part.items():
            self.parts.setdefault(key, []).append(torch.from_numpy(np.ascontiguousarray(value)))

    def close(self):
        """No more rows come."""
        for key in list(self.parts):
            setattr(self, key, torch.cat(self.parts.pop(key)))
        self.rows = len(self.win)

    def batch(self, index, generator):
        """The rows `index`, each under a random symmetry, as the network wants them."""
        count = len(index)
        which = torch.randint(SYMMETRIES, (count,), generator=generator)
        cells = self.symmetry_cells[which]                       # (count, area)
        actions = self.symmetry_actions[which]
        planes = self.planes[index]
        planes = planes.gather(2, cells[:, None, :].expand(-1, planes.shape[1], -1))
        planes = FEATURES[self.game].expand(planes, self.board_planes).view(count, -1, self.side, self.side)
        policy = self.policy[index].gather(1, actions)
        return {
            "planes": planes.to(memory_format=torch.channels_last).float(),
            "globals": self.globals[index].float(),
            "legal": policy >= 0,
            "policy": policy.clamp(min=0).float() / 32767,
            "owner": self.owner[index].gather(1, cells),
            **{key: getattr(self, key)[index] for key in SCALARS},
        }


def check_names(path, folder, game, arrays):
    """Ends the program where a set lacks what is needed, as one that an earlier version has made may."""
    names = {name.decode() for name in (*arrays["plane_names"], *arrays["global_names"])} | set(arrays)
    swap = [PLAYED] if b"swap" in arrays["action_kind"] else []
    for name in (*FEATURES[game].kept, *GLOBAL_NAMES, *swap):
        if name not in names:
            raise SystemExit(f"{path}: has no '{name}', expected a set of this version; 'stigmergy selfplay --from "
                             f"{folder}' makes it again")


def check_shapes(path, size, rows, arrays):
    """Ends the program where an array is not as long as the manifest and the other arrays say."""
    side = 2 * size - 1
    lengths = {"rows": rows, "side": side, "area": side ** 2, "symmetries": SYMMETRIES,
               **{name: arrays[name].size for name in ("plane_names", "global_names", "action_kind")}}
    shapes = {**TABLES, **ARRAYS, **({PLAYED: "rows"} if PLAYED in arrays else {})}
    for name, shape in shapes.items():
        found, wanted = arrays[name].shape, tuple(lengths[length] for length in shape.split())
        if found != wanted:
            raise SystemExit(f"{path}: '{name}' has the shape {found}, expected ({', '.join(shape.split())}) = "
                             f"{wanted}; manifest.json says {rows} rows of hexhex-{size}")


def files_of_arrays(folder, game):
    """What the manifest of a set says: the variant of the game, as words, and of the files of arrays their paths, board
    sizes, rows. Other files are none of it."""
    path = os.path.join(folder, "manifest.json")
    manifest = read_json(path, data_set(folder))
    with reading(path, data_set(folder)):
        found = manifest["settings"]["game"]
        words = ", ".join(map(" ".join, variant(manifest["settings"]).items()))
        files = [(os.path.join(folder, item["path"]), int(item["size"]), int(item["rows"]))
                 for item in manifest["files"] if item["path"].startswith("shards/")]
    if found != game:
        raise SystemExit(f"{folder}: is a set of {found}, expected one of {game}; choose the game by --game")
    return words, sorted(files)


def files_of_sets(folders, game):
    """What the manifests of the sets say of their files of arrays. The sets must have the same variant of the game, which
    a network does not see."""
    found = [files_of_arrays(folder, game) for folder in folders]
    for folder, (words, _) in zip(folders, found):
        if words != found[0][0]:
            raise SystemExit(f"{folder}: is of {words}, but {folders[0]} is of {found[0][0]}; expected one variant of {game}")
    return [files for _, files in found]


def read_arrays(folder, game, path, size, rows):
    """The rows of a file, and its tables."""
    with reading(path, data_set(folder)), np.load(path) as data:
        played = [PLAYED] if PLAYED in data.files else []
        arrays = {key: data[key] for key in (*ARRAYS, *played, *TABLES)}
    check_shapes(path, size, rows, arrays)
    check_names(path, folder, game, arrays)
    return tuple({key: arrays[key] for key in keys} for keys in ((*ARRAYS, *played), TABLES))


def held_back(game, k):
    """Which games are held back, about one in k. A hash says so, because the first turn of a game follows from the
    residues of its number."""
    mixed = (game.astype(np.uint64) + 1) * 0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93
    return (mixed ^ mixed >> 32) % k == 0


def load(folders, game="stigmergy", held_out=0):
    """Reads data sets: (boards to learn from, boards to judge by), dictionaries by size. Of about `held_out` games one
    is kept to judge by (0: none)."""
    learn, judge = {}, {}
    for folder, files in zip(folders, files_of_sets(folders, game)):
        for path, size, count in files:
            rows, tables = read_arrays(folder, game, path, size, count)
            kept = held_back(rows["game"], held_out) if held_out else np.zeros(len(rows["game"]), bool)
            for boards, chosen in ((learn, ~kept), (judge, kept)):
                if chosen.any():
                    boards.setdefault(size, Board(game, tables)).add({k: v[chosen] for k, v in rows.items()}, tables)
    for boards in (learn, judge):
        for board in boards.values():
            board.close()
    return learn, judge


class Window:
    """Batches without end, each of one board size. How often a size comes up is proportional to its rows divided by the
    width of its board: a row of a large board costs more time, and its neighbours of the same game tell much the same."""

    def __init__(self, boards, batch, generator):
        self.boards = list(boards.values())
        self.batch = batch
        self.generator = generator
        self.rows = torch.tensor([board.rows / board.side for board in self.boards])

    def draw(self):
        board = self.boards[int(torch.multinomial(self.rows, 1, generator=self.generator))]
        index = torch.randint(board.rows, (self.batch,), generator=self.generator)
        return board, board.batch(index, self.generator)
