"""Loads data sets with NumPy: test_dataset.py STIGMERGY dataset.md

The names, types and shapes of selfplay/docs/dataset.md must be true. Positions are computed again from the records, by
rules that this file writes down a second time, and must equal those of the arrays. The examples of dataset.md must join
rows with records, and learn something."""
import fnmatch
import hashlib
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile
import zipfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the arrays are small: threads would only wait for each other
import numpy as np

stigmergy, document = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()
SETTINGS = {"seed": 5, "player": {"memory_mb": 4}, "simulations": 40, "cheap": {"share": 0.6, "simulations": 10},
            "openings": {"turns": [0, 2], "simulations": 10}, "rows": 300}
BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
ROW_ARRAYS = ("globals", "legal", "policy", "owner", "value", "score", "finished", "search_value", "search_score",
              "search_owner", "action_value", "weight", "game", "ply")
VARIANTS = {"stigmergy": [], "bug": ["- The second player may not swap (`pie` is `off`)."],
            "sgolte": ["- A turn may capture any stones (`capture` is `free`).",
                       "- The second player may swap (`pie` is `on`)."]}  # in the card
WITH_NETWORK = ("stigmergy", "sgolte")  # the set of the other game is made by playouts


def make_set(folder, **settings):
    path = folder + ".json"
    with open(path, "w") as file:
        json.dump(SETTINGS | settings, file)
    subprocess.run([stigmergy, "selfplay", "--config", path, "--out", folder, "--threads", "2"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names = sorted(os.listdir(folder + "/shards"))
    return [np.load(folder + "/shards/" + name) for name in names], names


def unsealed(line):
    """The record in a line, whose checksum must be right, as one of version 1."""
    record = json.loads(line)
    body = line.rsplit(',"check":"', 1)[0]
    assert record.pop("version") == 2 and hashlib.sha256(body.encode()).hexdigest()[:16] == record.pop("check")
    return record


def records(folder):
    for name in sorted(os.listdir(folder + "/records")):
        text = subprocess.run(["zstd", "-dcq", folder + "/records/" + name], check=True, capture_output=True).stdout
        yield from map(unsealed, text.decode().splitlines())


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


def check_row_bytes():
    """How many bytes a row of hexhex-5 takes in memory."""
    arrays, games = documented()
    letters = {"rows": 1, "C": int(games["stigmergy"][0]), "D": 9, "G": 6, "A": eval(games["stigmergy"][1], {"n": 61})}
    sizes = [np.dtype(kind).itemsize * np.prod(eval("(" + shape.strip("()") + ",)", letters))
             for kind, shape in arrays.values() if "rows" in shape]
    assert f" {sum(sizes):,} bytes in memory" in document, sum(sizes)


# ---- What holds in every game ----

def check_rows(game, file, size):
    n = size - 1
    r, q = np.mgrid[-n:n + 1, -n:n + 1]
    assert (file["mask"] == (abs(q + r) <= n)).all()
    names = [name.decode() for name in file["plane_names"]]
    planes, legal, policy = file["planes"], file["legal"], file["policy"]
    assert (planes[:, :, file["mask"] == 0] == 0).all() and (file["owner"][:, file["mask"] == 0] == 0).all()
    assert not (planes[:, names.index("black")] & planes[:, names.index("white")]).any()
    assert legal[np.arange(len(legal)), file["played"]].all()
    assert (legal.sum(axis=1) > 1).all() and (policy[legal == 0] == 0).all()
    full = policy.sum(axis=1) > 0
    assert (full == (file["weight"] == 1)).all() and 0.2 < full.mean() < 0.6
    if game in WITH_NETWORK:  # sequential halving: the improved policy, in 1/10000, rounded
        assert (abs(policy[full].sum(axis=1).astype(int) - 10000) <= legal[full].sum(axis=1) / 2).all()
    else:
        assert policy.sum(axis=1).max() <= 40
    on_cells = np.zeros((len(legal), (2 * n + 1) ** 2), bool)
    for action, cell in enumerate(file["action_cell"]):
        if cell >= 0:
            on_cells[:, cell] |= legal[:, action] == 1
    assert (on_cells.reshape(planes[:, 0].shape) == planes[:, names.index("legal")]).all()
    assert (file["globals"][:, 0] == size).all()
    assert set(np.unique(file["value"])) <= {0, 1} and ((0 <= file["search_value"]) & (file["search_value"] <= 1)).all()
    check_findings(file, full, game in WITH_NETWORK)
    if game == "stigmergy":
        check_proofs(file, full)
    same = file["game"][1:] == file["game"][:-1]
    assert (np.diff(file["ply"])[same] > 0).all() and (np.diff(file["game"]) >= 0).all()


def check_findings(file, full, halved):
    """After full searches the actions with visits have values, whose mean is near that of the search; and all cells have
    owners. After cheap searches nothing is known. After sequential halving (`halved`) the policy says little of visits,
    but the best actions have some; and the search's value is that of its policy, not of its visits."""
    values, visits, owners = file["action_value"], file["policy"], file["search_owner"]
    known = ~np.isnan(values)
    rows = np.arange(len(full))
    assert (known[rows, visits.argmax(axis=1)][full].mean() > 0.9) if halved else known[visits > 0].all()
    assert not known[file["legal"] == 0].any() and not known[~full].any()
    visits = np.where(known, visits, 0)
    full = full & (visits.sum(axis=1) > 0)
    assert ((0 <= values[known]) & (values[known] <= 1)).all()
    sure = (file["search_value"] == 0) | (file["search_value"] == 1)
    mean = (np.nan_to_num(values) * visits).sum(axis=1)[full & ~sure] / visits.sum(axis=1)[full & ~sure]
    apart = abs(mean - file["search_value"][full & ~sure])
    if len(apart):  # on small boards everything may be proven
        assert apart.max() < 0.01 if halved else apart.mean() < 0.05
    cheap = file["weight"] == 0
    assert (owners[:, file["mask"] == 0] == 0).all() and (owners[cheap][:, file["mask"] == 1] == -128).all()
    said = owners[full][:, file["mask"] == 1]
    unknown = (said == -128).all(axis=1)
    assert unknown.mean() < 0.1 and (abs(said[~unknown].astype(int)) <= 100).all()
    ends = file["owner"][full][:, file["mask"] == 1][~unknown]
    assert said[~unknown][ends == 1].mean() > 10 + said[~unknown][ends == -1].mean()
    middle = len(file["mask"]) // 2
    assert ((owners[:, middle, middle] != -128) == (owners[:, file["mask"] == 1] != -128).all(axis=1)).all()


def check_proofs(file, full):
    """After sequential halving a proved win has all of the policy on one action, or the same on each of its images, and
    some proved losses, those in which every action is known to lose, have the same on all."""
    white, legal = file["globals"][:, 3] == 1, file["legal"] == 1
    won = full & (file["search_value"] == np.where(white, 0, 1))
    lost = full & (file["search_value"] == np.where(white, 1, 0))
    taken = [policy[policy > 0] for policy in file["policy"][won]]
    assert all(len(shares) in (1, 2, 3, 6, 12) for shares in taken if len(set(shares)) == 1)
    assert np.mean([len(set(shares)) == 1 for shares in taken]) > 0.9  # others are rounded to 1
    assert any(len(set(policy[actions])) == 1 for policy, actions in zip(file["policy"][lost], legal[lost]))


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
    summary = card[:card.index("- `records/")]
    assert ("improved policy" if game in WITH_NETWORK else "visit counts") in summary
    full, cheap = ("100 (hexhex-3), 160 (hexhex-2)", "25 (hexhex-3), 40 (hexhex-2)") if game == "stigmergy" else ("40", "10")
    assert f"with {full} simulations in a full search. 60% of the searches are cheap: they have {cheap} simulations" in card
    assert ("Komi varies around the value that gives both players an even chance. Its" in card) == (game == "stigmergy")
    assert ("Komi" in card) == (game == "stigmergy"), "only games with points have komi"
    score = ", a score" if game == "stigmergy" else ""
    assert f" Each position has a value{score} and the final owner of each cell. " in summary
    score = ", score" if game == "stigmergy" else ""
    assert croissant["description"].endswith(f" with policy, value{score} and final owners.")
    assert ("\n- The policy of a search with noise at the root contains that noise.\n" in card) == (game not in WITH_NETWORK)
    assert [line for line in card.splitlines() if "`capture` is" in line or "`pie` is" in line] == VARIANTS[game]
    assert ("unusual komi" in card) == (game == "stigmergy") and ("\n- Where `swap` is legal, " in card) == (game == "sgolte")
    assert card.startswith("---\nlicense: cc0-1.0\n") and all(f"| `{name}` |" in card for name in documented()[0])


def check_card_of_variants(work):
    """The card says which rules were played, how games begin, and whether policies have noise."""
    quiet = {"player": SETTINGS["player"] | {"network": "none"}, "explore": {"noise_playouts": 0}}
    line = ["- A turn may capture only stones in a line (`capture` is `line`).",
            "- The second player may not swap (`pie` is `off`)."]
    for turns, begin in (((0, 0), "the empty board."), ((1, 1), "1 random turn. Up"), ((2, 2), "2 random turns. Up")):
        make_set(f"{work}/line-{turns[0]}", game="sgolte", capture="line", pie="off", games=2, sizes=[{"size": 3}], **quiet,
                 openings={"turns": turns, "simulations": 10})
        card = open(f"{work}/line-{turns[0]}/README.md", encoding="utf-8").read()
        assert [text for text in card.splitlines() if "`capture` is" in text or "`pie` is" in text] == line
        assert f"\n- Each game begins with {begin}" in card and "noise at the root" not in card


def check_card_of_komi(work):
    """The card says what komi is centred on, where that is not the same on all boards and in all games."""
    recorded = {"turns": [0, 2], "simulations": 10, "from": work + "/learn", "share": 0.5}
    make_set(work + "/komi", games=4, sizes=[{"size": 3, "komi": 4}, {"size": 2}], openings=recorded)
    card = open(work + "/komi/README.md", encoding="utf-8").read()
    assert "50% of the games begin in the first half of a recorded game" in card
    assert "\n- The other games begin with 0 to 2 random turns." in card
    assert ("\n- Komi varies around 4 (hexhex-3), the value that gives both players an even chance (hexhex-2), or after a "
            "recorded beginning around the komi there. Its standard deviation is 2 points") in card


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
    rows = {key: np.concatenate([file[key] for file in files]) for key in ("planes", "globals", "owner", "played")}
    at = 0
    for record in records(folder):
        if record["size"] != size:
            continue
        *positions, end = position(record, size)
        stones = end[0]
        owner = {cell: stones.get(cell) or controls(stones, board, cell) for cell in board}
        for ply, (stones, button, last, passes) in enumerate(positions):
            if record["searches"]["kinds"][ply] == "-":
                continue
            assert list(rows["globals"][at]) == [size, record["komi"], button, ply % 2, passes, 0]
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
            move, played = record["moves"][ply], rows["played"][at]
            kind, cell = files[0]["action_kind"][played].decode(), files[0]["action_cell"][played]
            if cell < 0:
                assert move == kind
            else:
                q, r = named_cells(size)[move.rstrip("x")]
                assert (cell, kind) == ((r + n) * (2 * n + 1) + q + n, "flip" if move.endswith("x") else "place")
            at += 1
    assert at == len(rows["played"]) and at > 50


# ---- Records and counts ----

def expanded(runs, nothing):
    """A list of the records, in which -n stands for n times nothing."""
    return [value for run in runs for value in ([nothing] * -run if run < 0 else [run])]


def searches(record):
    """What a record says of each search: its action's number, the win rate, the score, and what a full one found:
    visits, values and owners; None for a cheap one."""
    found = record.get("searches", {"kinds": "", "win_rates": [], "scores": []})  # a game without actions has none
    rates, scores = iter(found["win_rates"]), iter(found["scores"])
    lists = zip(*(found.get(key, []) for key in ("visits", "values", "owners")))
    for ply, kind in enumerate(found["kinds"]):
        if kind != "-":
            yield ply, next(rates) / 10000, next(scores) / 10, next(lists) if kind == "f" else None


def check_searches(folder, files, size):
    """A row has what the record says of its search and of the end, seen by the black stones. After a swap the black
    stones are those of the record's White. A game that was resigned has a winner, but no margin and no owners."""
    rows = {key: np.concatenate([file[key] for file in files]) for key in ROW_ARRAYS}
    on_board, at, swaps, agreement = files[0]["mask"] == 1, 0, 0, ([], [])
    for record in records(folder):
        if record["size"] != size:
            continue
        swap = record["moves"].index("swap") if "swap" in record["moves"] else float("inf")
        finished, first = record["reason"] != "resign", at
        for ply, rate, score, found in searches(record):
            row = {key: array[at] for key, array in rows.items()}
            swapped, white, legal = ply > swap, row["globals"][3] == 1, row["legal"] == 1
            assert row["game"] == int(record["id"].split("-")[1]) and row["ply"] == ply
            assert row["finished"] == finished and row["value"] == ((record["winner"] == "B") != swapped)
            assert row["score"] == (record["margin"] if finished and record["game"] == "stigmergy" else 0)
            assert row["owner"].any() == finished
            turned = swapped != (rows["ply"][first] > swap)
            assert (row["owner"] == rows["owner"][first] * (-1 if turned else 1)).all()
            assert np.isclose(row["search_value"], 1 - rate if white else rate, rtol=0, atol=1e-6)
            assert np.isclose(row["search_score"], score, rtol=0, atol=1e-6) and row["weight"] == (found is not None)
            if found:
                visits, values, owners = found
                assert list(row["policy"][legal]) == expanded(visits, 0)
                values = np.array(expanded(values, np.nan)) / 10000
                assert np.allclose(row["action_value"][legal], 1 - values if white else values, rtol=0, atol=1e-6,
                                   equal_nan=True)
                said = [(-1 if swapped else 1) * round(200 * BASE64.index(c) / 63 - 100) for c in owners]
                assert list(row["search_owner"][on_board]) == (said or [-128] * on_board.sum())
                if said and finished:
                    agreement[swapped].append(np.dot(row["owner"][on_board], said))
            swaps += swapped
            at += 1
    assert at == len(rows["ply"]) and (swaps > 0) == (record["game"] == "sgolte")
    assert all(sum(said) > 0 for said in agreement if said)  # searches know more than nothing
    if record["game"] != "stigmergy":  # where a cell can end as nobody's
        assert (rows["owner"][:, on_board] == 0).any()


def canonical(record):
    """The lowest of the images of a game of Stigmergy under the symmetries of the board, with its komi."""
    names = named_cells(record["size"])
    images = []
    for turns in range(6):
        for mirrored in (False, True):
            image = []
            for move in record["moves"]:
                q, r = names.get(move.rstrip("x"), (99, 99))
                for _ in range(turns if q < 99 else 0):
                    q, r = -r, q + r
                image.append((r, q) if mirrored else (q, r) if q < 99 else move)
            images.append(image)
    return record["komi"], min(map(repr, images))


def check_counts(folder):
    """The counts of the manifest, from the records."""
    with open(folder + "/manifest.json") as file:
        manifest = json.load(file)
    wanted = []
    for size in sorted({record["size"] for record in records(folder)}):
        games = [record for record in records(folder) if record["size"] == size]
        kinds = "".join(record.get("searches", {"kinds": ""})["kinds"] for record in games)
        komi = [record["komi"] for record in games]
        margins = [record["margin"] if record["game"] == "stigmergy" else 0 for record in games
                   if record["reason"] != "resign"]
        wanted.append({
            "size": size, "games": len(games), "distinct_games": len(set(map(canonical, games))),
            "positions": len(kinds), "rows": len(kinds) - kinds.count("-"), "full_searches": kinds.count("f"),
            "black_wins": sum(record["winner"] == "B" for record in games), "resigned": len(games) - len(margins),
            "mean_actions": len(kinds) / len(games), "even_komi_games": sum(points % 2 == 0 for points in komi),
            "komi_low": min(komi), "komi_high": max(komi), "mean_komi": np.mean(komi), "mean_margin": np.mean(margins),
            "sd_margin": np.std(margins)})
    assert [list(part) for part in manifest["sizes"]] == [list(part) for part in wanted]
    for part, own in zip(manifest["sizes"], wanted):
        assert all(np.isclose(part[key], value, rtol=0, atol=1e-4) for key, value in own.items()), (part, own)
    assert manifest["counts"] == {key: sum(part[key] for part in manifest["sizes"]) for key in manifest["counts"]}
    arrays = [item for item in manifest["files"] if item["path"].startswith("shards/")]
    for item in arrays:
        assert item["rows"] == len(np.load(f"{folder}/{item['path']}")["ply"])
    for part in manifest["sizes"]:
        assert sum(item["rows"] for item in arrays if item["size"] == part["size"]) == part["rows"]
    return manifest["counts"]


def check_resigned(work):
    """A set in which most games are resigned, one of them before its first action, and some are the same."""
    files, names = make_set(work + "/resigned", games=60, sizes=[{"size": 3}, {"size": 2, "weight": 2}],
                            player=SETTINGS["player"] | {"network": "none"}, simulations=10, cheap={"share": 0.6},
                            openings={"turns": [0, 1], "simulations": 10}, komi={"spread": 0.5, "wild_share": 0},
                            explore={"turns": 0}, resign={"below": 0.3, "moves": 1, "never": 0.2})
    for size in (2, 3):
        own = [file for file, name in zip(files, names) if name.startswith(f"stigmergy-{size}-")]
        check_searches(work + "/resigned", own, size)
    counts = check_counts(work + "/resigned")
    assert counts["resigned"] > 30 and counts["distinct_games"] < 50
    with open(work + "/resigned/README.md", encoding="utf-8") as card, open(work + "/resigned/croissant.json") as croissant:
        assert (f" Each position has a value. Where `finished` is 1, in the positions of {60 - counts['resigned']} games, it "
                "also has a score and the final owner of each cell. ") in card.read()
        assert json.load(croissant)["description"].endswith(" and final owners (of games that were not resigned).")
    assert any(not record["moves"] for record in records(work + "/resigned"))
    stigmergy_run("selfplay", "--check", work + "/resigned")


def check_one_simulation(work):
    """A search of one simulation visits nothing: it is no full search. `considered` is of no use to a player with RAVE,
    and the set is sound with it. Openings make games differ."""
    player = SETTINGS["player"] | {"network": "none", "search": {"considered": 16}}
    for simulations in (1, 20):
        folder = f"{work}/simulations-{simulations}"
        files, _ = make_set(folder, games=12, sizes=[{"size": 3}], player=player, simulations=simulations, cheap={"share": 0})
        for file in files:
            assert ((file["policy"].sum(axis=1) > 0) == (file["weight"] == 1)).all()
            assert (file["weight"] == 1).any() or simulations == 1
        check_searches(folder, files, 3)
        stigmergy_run("selfplay", "--check", folder)
        with open(folder + "/README.md", encoding="utf-8") as card:
            assert "choose by sequential halving" not in card.read()


# ---- Sets made in several ways ----

def stigmergy_run(*command):
    subprocess.run([stigmergy, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def check_join(folder, join):
    """The rows of a set belong to the games of its records: the example of dataset.md."""
    names = {"folder": folder, "subprocess": subprocess, "json": json}
    exec(join, names)
    seen = 0
    for name in os.listdir(folder + "/shards"):
        rows = np.load(folder + "/shards/" + name)
        for i in range(len(rows["game"])):
            record = names["records"][rows["game"][i]]
            assert record["size"] == rows["globals"][i][0] and record["komi"] == rows["globals"][i][1]
            assert record["searches"]["kinds"][rows["ply"][i]] == ("f" if rows["weight"][i] else "c")
            seen += 1
    assert seen == sum(len(record["searches"]["win_rates"]) for record in names["records"].values())


def check_sets_of_shards(work, join):
    """A set of two machines and one of their records are the set of one machine, and are joined as that."""
    path, whole, parts = work + "/stigmergy.json", work + "/stigmergy", [f"{work}/parts.shard-{i}-of-2" for i in (0, 1)]
    for i in (0, 1):
        stigmergy_run("selfplay", "--config", path, "--shard", f"{i}/2", "--out", work + "/parts")
    stigmergy_run("merge", work + "/parts", *parts)
    stigmergy_run("selfplay", "--from", parts[0], "--from", parts[1], "--out", work + "/again")
    for folder in (whole, work + "/parts", work + "/again"):
        check_join(folder, join)
        for name in os.listdir(whole + "/shards"):
            one, other = np.load(f"{whole}/shards/{name}"), np.load(f"{folder}/shards/{name}")
            assert all(one[key].tobytes() == other[key].tobytes() for key in one.files)


def check_old_arrays(work):
    """A set of a version that had no array `played` is sound."""
    old = work + "/old-arrays"
    shutil.copytree(work + "/learn", old)
    with open(old + "/manifest.json") as file:
        manifest = json.load(file)
    for item in manifest["files"]:
        if item["path"].startswith("shards/"):
            path = f"{old}/{item['path']}"
            with zipfile.ZipFile(path) as whole:
                kept = {name: whole.read(name) for name in whole.namelist() if name != "played.npy"}
            with zipfile.ZipFile(path, "w") as less:
                for name, content in kept.items():
                    less.writestr(name, content)
            with open(path, "rb") as file:
                content = file.read()
            item.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
    with open(old + "/manifest.json", "w") as file:
        json.dump(manifest, file)
    stigmergy_run("selfplay", "--check", old)


def check_old_records(work):
    """Records of a version that kept neither values nor owners make a sound set, in which both are unknown."""
    old = work + "/old.jsonl"
    with open(old, "w") as file:
        for record in records(work + "/learn"):
            del record["searches"]["values"], record["searches"]["owners"]
            file.write(json.dumps(record) + "\n")
    stigmergy_run("selfplay", "--config", work + "/learn.json", "--from", old, "--out", work + "/old")
    stigmergy_run("selfplay", "--check", work + "/old")
    name = "/shards/stigmergy-3-000000.npz"
    now, then = np.load(work + "/learn" + name), np.load(work + "/old" + name)
    for key in now.files:
        if key not in ("action_value", "search_owner"):
            assert (now[key] == then[key]).all(), key
    assert np.isnan(then["action_value"]).all() and (then["search_owner"][:, then["mask"] == 1] == -128).all()


def check_batches(batches, held, folder):
    """PyTorch reads every full search of a set of two board sizes once, except those held back."""
    try:
        import torch
    except ImportError:
        return print("batches: skipped: PyTorch is not installed")
    names = {"folder": folder, "np": np}
    exec(held + batches, names)
    wanted = 0
    for name in os.listdir(folder + "/shards"):
        file = np.load(folder + "/shards/" + name)
        wanted += ((file["weight"] == 1) & ~names["held_back"](file["game"], 20)).sum()
    assert wanted < sum((np.load(entry.path)["weight"] == 1).sum() for entry in os.scandir(folder + "/shards"))
    seen = list(names["loader"])
    assert sum(len(batch["value"]) for batch in seen) == wanted and {b["planes"].shape[-1] for b in seen} == {3, 5}
    assert all(torch.allclose(batch["policy"].sum(1), torch.ones(len(batch["value"]))) for batch in seen)
    assert seen[0]["policy"].dtype == torch.float32


with tempfile.TemporaryDirectory() as work:
    for game, sizes in (("stigmergy", (3, 2)), ("bug", (4,)), ("sgolte", (3,))):
        folder = work + "/" + game
        # Where the solver is asked, rows are proved.
        many = {3: {"simulations": 100}, 2: {"simulations": 160}} if game == "stigmergy" else {}
        boards = [{"size": size, **many.get(size, {})} for size in sizes]
        player = SETTINGS["player"] if game in WITH_NETWORK else SETTINGS["player"] | {"network": "none"}
        files, names = make_set(folder, game=game, games=24, sizes=boards, player=player)
        check_metadata(folder)
        for size in sizes:
            own = [file for file, name in zip(files, names) if name.startswith(f"{game}-{size}-")]
            for file in own:
                check_documentation(game, file, size)
                check_rows(game, file, size)
            check_symmetries(own[0], size)
            check_searches(folder, own, size)
            if game == "stigmergy":
                check_stigmergy(folder, own, size)
    check_counts(work + "/stigmergy")
    check_resigned(work)
    check_one_simulation(work)
    load, held, join, learn, batches = re.findall(r"^```python\n(.*?)^```$", document, re.M | re.S)
    names = {}
    exec(load.replace('"games"', repr(work + "/sgolte")), names)
    assert len(names["rows"]["planes"]) == sum(len(file["game"]) for file in names["files"]) > 0
    check_row_bytes()
    check_sets_of_shards(work, join)
    make_set(work + "/learn", games=60, sizes=[{"size": 3}], simulations=100)
    check_card_of_komi(work)
    check_card_of_variants(work)
    check_old_records(work)
    check_old_arrays(work)
    subprocess.run([sys.executable, "-c", learn, work + "/learn"], check=True)
    assert held in learn, "the examples hold back the same games"
    check_batches(batches, held, work + "/stigmergy")
print("all passed")
