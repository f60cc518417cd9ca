"""Loads data sets with NumPy: test_dataset.py STIGMERGY dataset.md

The names, types and shapes of selfplay/docs/dataset.md must be true. Positions are computed again from the records, by
rules that this file writes down a second time, and must equal those of the arrays. The example of dataset.md must learn
something."""
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the arrays are small: threads would only wait for each other
import numpy as np

stigmergy, document = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()
SETTINGS = {"seed": 5, "player": {"memory_mb": 4}, "simulations": 40, "cheap": {"share": 0.6, "simulations": 10},
            "openings": {"turns": [0, 2], "simulations": 10}, "rows": 300}
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


def make_set(folder, **settings):
    path = folder + ".json"
    with open(path, "w") as file:
        json.dump(SETTINGS | settings, file)
    subprocess.run([stigmergy, "selfplay", "--config", path, "--out", folder, "--threads", "2"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names = sorted(os.listdir(folder + "/shards"))
    return [np.load(folder + "/shards/" + name) for name in names], names


def records(folder):
    for name in sorted(os.listdir(folder + "/records")):
        text = subprocess.run(["zstd", "-dcq", folder + "/records/" + name], check=True, capture_output=True).stdout
        yield from map(json.loads, text.decode().splitlines())


# ---- What the documentation says ----

def tables():
    """Every table of dataset.md, as lists of its rows' cells."""
    for block in re.findall(r"(?:^\|.*\n)+", document, re.M):
        yield [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.splitlines()]


def documented():
    arrays, games = {}, {}
    for table in tables():
        if table[0][:3] == ["array", "type", "shape"]:
            arrays = {row[0].strip("`"): (row[1].strip("`"), row[2].strip("`")) for row in table[2:]}
        if table[0][:2] == ["game", "C"]:
            games = {row[0]: row[1:] for row in table[2:]}
    return arrays, games


def check_documentation(game, file, size):
    arrays, games = documented()
    planes, actions, kinds = games[game]
    cells = 3 * size * (size - 1) + 1
    letters = {"rows": len(file["ply"]), "C": int(planes), "D": 2 * size - 1, "G": 6, "A": eval(actions, {"n": cells})}
    assert list(file.files) == list(arrays), (file.files, list(arrays))
    for name, (kind, shape) in arrays.items():
        wanted = eval("(" + shape.strip("()") + ",)", letters)
        assert file[name].dtype.str[1:] == kind and file[name].shape == wanted, (game, name, file[name].dtype, wanted)
    assert set(re.findall(r"`(.*?)`", kinds)) == {kind.decode() for kind in file["action_kind"]}
    for name in [name.decode() for array in ("plane_names", "global_names") for name in file[array]]:
        assert f"`{name}`" in document, name


# ---- What holds in every game ----

def check_rows(game, file, size):
    n = size - 1
    r, q = np.mgrid[-n:n + 1, -n:n + 1]
    assert (file["mask"] == (abs(q + r) <= n)).all()
    names = [name.decode() for name in file["plane_names"]]
    planes, legal, policy = file["planes"], file["legal"], file["policy"]
    assert (planes[:, :, file["mask"] == 0] == 0).all() and (file["owner"][:, file["mask"] == 0] == 0).all()
    assert not (planes[:, names.index("black")] & planes[:, names.index("white")]).any()
    assert (legal.sum(axis=1) > 1).all() and (policy[legal == 0] == 0).all()
    full = policy.sum(axis=1) > 0
    assert (full == (file["weight"] == 1)).all() and 0.2 < full.mean() < 0.6
    assert policy.sum(axis=1).max() <= 40
    on_cells = np.zeros((len(legal), (2 * n + 1) ** 2), bool)
    for action, cell in enumerate(file["action_cell"]):
        if cell >= 0:
            on_cells[:, cell] |= legal[:, action] == 1
    assert (on_cells.reshape(planes[:, 0].shape) == planes[:, names.index("legal")]).all()
    assert (file["globals"][:, 0] == size).all()
    assert set(np.unique(file["value"])) <= {0, 1} and ((0 <= file["search_value"]) & (file["search_value"] <= 1)).all()
    same = file["game"][1:] == file["game"][:-1]
    assert (np.diff(file["ply"])[same] > 0).all() and (np.diff(file["game"]) >= 0).all()


def check_symmetries(file, size):
    n = size - 1
    cells = [(q, r) for r in range(-n, n + 1) for q in range(-n, n + 1)]
    maps = set()
    for squares, actions in zip(file["symmetry_cells"], file["symmetry_actions"]):
        assert sorted(squares) == list(range(len(cells))) and sorted(actions) == list(range(len(actions)))
        on_board = [i for i, (q, r) in enumerate(cells) if abs(q + r) <= n]
        assert all(i == squares[i] for i in range(len(cells)) if i not in on_board)
        for i in on_board:              # neighbours stay neighbours
            for j in on_board:
                near = (cells[i][0] - cells[j][0], cells[i][1] - cells[j][1]) in STEPS
                image = (cells[squares[i]][0] - cells[squares[j]][0], cells[squares[i]][1] - cells[squares[j]][1])
                assert near == (image in STEPS)
        for i, j in enumerate(actions):  # actions go with their cells
            assert file["action_kind"][i] == file["action_kind"][j]
            assert file["action_cell"][i] == -1 == file["action_cell"][j] or \
                squares[file["action_cell"][i]] == file["action_cell"][j]
        maps.add(tuple(squares))
    assert len(maps) == 12 and tuple(file["symmetry_cells"][0]) == tuple(range(len(cells)))


def check_metadata(folder):
    """The Croissant file names every array, and every file of the manifest except itself and run.json."""
    with open(folder + "/manifest.json") as file:
        manifest = {item["path"]: item for item in json.load(file)["files"]}
    with open(folder + "/croissant.json") as file:
        croissant = json.load(file)
    objects = {item["@id"]: item for item in croissant["distribution"] if item["@type"] == "cr:FileObject"}
    sets = {item["@id"]: item for item in croissant["distribution"] if item["@type"] == "cr:FileSet"}
    assert set(objects) == set(manifest) - {"croissant.json", "run.json"}
    for path, item in objects.items():
        assert item["sha256"] == manifest[path]["sha256"] and item["contentSize"] == f"{manifest[path]['bytes']} B"
        if path.startswith("shards/"):
            assert any(fnmatch.fnmatch(path, files["includes"]) for files in sets.values())
    for record_set in croissant["recordSet"]:
        assert [field["name"] for field in record_set["field"]] == list(documented()[0])
        assert {field["source"]["fileSet"]["@id"] for field in record_set["field"]} <= set(sets)
    card = open(folder + "/README.md", encoding="utf-8").read()
    assert card.startswith("---\nlicense: cc0-1.0\n") and all(f"| `{name}` |" in card for name in documented()[0])


# ---- Stigmergy once more ----

def named_cells(size):
    names, n = {}, size - 1
    for r in range(-n, n + 1):
        row = [q for q in range(-n, n + 1) if abs(q + r) <= n]
        names |= {chr(ord("a") + n - r) + str(i + 1): (q, r) for i, q in enumerate(row)}
    return names


def sees(stones, board, cell):
    """The number of stones of each colour that a cell sees."""
    counts = {"B": 0, "W": 0}
    for dq, dr in STEPS:
        q, r = cell[0] + dq, cell[1] + dr
        while (q, r) in board and (q, r) not in stones:
            q, r = q + dq, r + dr
        if (q, r) in board:
            counts[stones[q, r]] += 1
    return counts


def controls(stones, board, cell):
    around = sum((cell[0] + dq, cell[1] + dr) in board for dq, dr in STEPS)
    return next((colour for colour, count in sees(stones, board, cell).items() if 2 * count > around), None)


def position(record, size):
    """Plays a record: yields stones, button, last cells and passes before every turn, then the end."""
    names, stones, passes, last = named_cells(size), {}, 0, []
    button = 1 if record["komi"] % 2 else 0
    for ply, move in enumerate(record["moves"] + [None]):
        yield stones, button, last, passes
        colour = "BW"[ply % 2]
        if move is None or move == "pass":
            passes += 1
            last = [None] + last
        elif move == "take-button":
            button, passes, last = 2 + ply % 2, 0, [None] + last
        else:
            stones = stones | {names[move.rstrip("x")]: colour}
            passes, last = 0, [names[move.rstrip("x")]] + last


def check_stigmergy(folder, files, size):
    n, board = size - 1, set(named_cells(size).values())
    names = [name.decode() for name in files[0]["plane_names"]]
    rows = {key: np.concatenate([file[key] for file in files])
            for key in ("planes", "globals", "owner", "score", "value", "game", "ply", "policy", "search_value", "legal")}
    at = 0
    for record in records(folder):
        if record["size"] != size:
            continue
        search = record["searches"]
        kinds, visits = search["kinds"], iter(search["visits"])
        rates = iter(search["win_rates"])
        *positions, end = position(record, size)
        stones = end[0]
        owner = {cell: stones.get(cell) or controls(stones, board, cell) for cell in board}
        for ply, (stones, button, last, passes) in enumerate(positions):
            if kinds[ply] == "-":
                continue
            assert rows["game"][at] == int(record["id"].split("-")[1]) and rows["ply"][at] == ply
            assert list(rows["globals"][at]) == [size, record["komi"], button, ply % 2, passes, 0]
            assert rows["score"][at] == record["margin"] and rows["value"][at] == (record["winner"] == "B")
            rate = next(rates) / 10000
            assert abs(rows["search_value"][at] - (1 - rate if ply % 2 else rate)) < 1e-6
            if kinds[ply] == "f":
                runs = next(visits)
                flat = [v for run in runs for v in ([0] * -run if run < 0 else [run])]
                assert flat == list(rows["policy"][at][rows["legal"][at] == 1])
            plane = dict(zip(names, rows["planes"][at]))
            for q, r in board if at < 150 else ():
                seen, control, i = sees(stones, board, (q, r)), controls(stones, board, (q, r)), (r + n, q + n)
                assert (plane["black"][i], plane["white"][i]) == tuple(stones.get((q, r)) == c for c in "BW")
                assert (plane["black_seen"][i], plane["white_seen"][i]) == (seen["B"], seen["W"])
                assert (plane["black_control"][i], plane["white_control"][i]) == tuple(control == c for c in "BW")
                for back in range(3):
                    assert plane[f"last_{back + 1}"][i] == (last[back:back + 1] == [(q, r)])
                mover, other = ("W", "B") if ply % 2 else ("B", "W")
                may = control != other if (q, r) not in stones else stones[q, r] == other and control == mover
                assert plane["legal"][i] == may
                assert rows["owner"][at][i] == {"B": 1, "W": -1, None: 0}[owner[q, r]]
            at += 1
    assert at == len(rows["ply"]) and at > 50


with tempfile.TemporaryDirectory() as work:
    for game, sizes in (("stigmergy", (3, 2)), ("bug", (4,)), ("sgolte", (3,))):
        folder = work + "/" + game
        files, names = make_set(folder, game=game, games=24, sizes=[{"size": size} for size in sizes])
        check_metadata(folder)
        for size in sizes:
            own = [file for file, name in zip(files, names) if name.startswith(f"{game}-{size}-")]
            for file in own:
                check_documentation(game, file, size)
                check_rows(game, file, size)
            check_symmetries(own[0], size)
            if game == "stigmergy":
                check_stigmergy(folder, own, size)
    example = re.search(r"^```python\n(.*?)^```$", document, re.M | re.S).group(1)
    make_set(work + "/learn", games=60, sizes=[{"size": 3}], simulations=100)
    subprocess.run([sys.executable, "-c", example, work + "/learn"], check=True)
print("all passed")
