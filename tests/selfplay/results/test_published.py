"""The published results of fair-komi runs follow from their published games: `stigmergy estimate` makes the same documents.
The tables of README.md and of selfplay/docs/komi.md and komi-runs.md say what these documents say. Matches count the games that they have.

    test_published.py STIGMERGY RESULTS      the program, the folder selfplay/results

Numbers may differ in the last digits, for another compiler or processor rounds in other ways."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

program, results = sys.argv[1:]
TOLERANCE = 0.01


def differences(expected, found, path=""):
    """Names the places where two documents differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in expected.keys() | found.keys():
            yield from differences(expected.get(key), found.get(key), f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (a, b) in enumerate(zip(expected, found)):
            yield from differences(a, b, f"{path}[{number}]")
    elif isinstance(expected, float) or isinstance(found, float):
        if not isinstance(found, (int, float)) or abs(expected - found) > TOLERANCE:
            yield f"{path}: {expected} is published, {found} follows"
    elif expected != found:
        yield f"{path}: {expected} is published, {found} follows"


def check(records):
    result = records.replace(".records.jsonl.zst", ".json")
    done = subprocess.run([program, "estimate", result, "--out", "-"], capture_output=True, text=True)
    if done.returncode:
        return [done.stderr]
    with open(result, encoding="utf-8") as file:
        published, found = json.load(file), json.loads(done.stdout)
    published.pop("program")
    found.pop("program")
    return [f"{os.path.basename(result)}{line}" for line in differences(published, found)]


def value(estimate):
    """As the tables have it: 5.1 [4.5, 5.6], or (4, 6) where a bracket is all that is known."""
    low, high = estimate["ci95"]
    if estimate.get("ci95_is_bracket"):
        return f"({low:g}, {high:g})"
    return f"{estimate['estimate']:.1f} [{low:.1f}, {high:.1f}]"


def together(fair):
    if fair["black_wins_up_to"] is not None:
        return f"({fair['black_wins_up_to']}, {fair['white_wins_from']})"
    return value(fair["combined"])


def proved_lead(document):
    if "exact" in document:
        return f"{document['exact']['even']:+g}"
    bounds = document["proved_bounds"]
    cells = 3 * document["size"] * (document["size"] - 1) + 1
    low = f"{bounds['lower']:+g}"
    return f"between {low} and {bounds['upper']:+g}" if bounds["upper"] < cells else f"at least {low}"


def rows(page, first):
    """The rows of one board in each table of a page, without bold."""
    lines = page.replace("**", "").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(f"| {first}")]
    for start in starts:
        end = start + 1
        while end < len(lines) and lines[end].startswith("| |"):
            end += 1
        yield "\n".join(lines[start:end])


def efforts(name):
    """What each effort of a document says, by simulations."""
    with open(os.path.join(results, f"{name}.json"), encoding="utf-8") as file:
        document = json.load(file)
    rungs = document.get("ladder") or [{**document, "simulations": document["player"]["simulations"]}]
    return {f"{rung['simulations']:,}": together(rung["fair_komi"]) for rung in rungs}


def many_networks_errors(history):
    """Where the table of what each network says differs from the documents that it names."""
    lines = history.split("## What each network says")[1].split("\n| board ")[1].split("\n\n")[0].splitlines()
    simulations = [cell.strip() for cell in lines[0].split("|")[3:-1]]
    for row in lines[2:]:
        name, *said = (cell.strip(" `") for cell in row.split("|")[3:-1])
        found = efforts(name)
        for effort, value_said in zip(simulations, said):
            if value_said != found.get(effort, ""):
                yield f"selfplay/docs/komi-runs.md: {name}, {effort} simulations: {found.get(effort)} follows"
    if len(lines) < 27:
        yield f"selfplay/docs/komi-runs.md: the table of networks has {len(lines) - 2} runs, expected 25 or more"


def is_outside(fair, parity):
    """Whether a check of a curve is outside its interval, though the curve has games."""
    low, high = fair[parity]["ci95"]
    checks = fair["checks"][parity]
    return fair[parity]["games"] > 0 and any(checks[f"{way}_defined"] and not low <= checks[way] <= high
                                             for way in ("firth", "isotonic"))


def curves_of(path):
    """The simulations, the estimate and the parity of each curve of a document."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for rung in document.get("ladder") or [{**document, "simulations": document["player"]["simulations"]}]:
        for parity in ("even", "odd_with_button"):
            yield rung["simulations"], rung["fair_komi"], parity


def checks_errors(manual):
    """Where what the page says of the two checks does not follow from the documents."""
    count = outside = 0
    wanted = []
    for path in sorted(glob.glob(os.path.join(results, "hexhex-*.json"))):
        name = os.path.basename(path)[:-len(".json")]
        if int(name.split("-")[1]) < 4 or name.endswith("-playouts"):
            continue
        for simulations, fair, parity in curves_of(path):
            count += 1
            if is_outside(fair, parity):
                outside += 1
                shown = f"`{name}`" if name.endswith("-version-0.12") else name
                checks = fair["checks"][parity]
                if name.count("-") == 1 or name == "hexhex-4-version-0.12":
                    low, high = fair[parity]["ci95"]
                    wanted.append(f"| {shown}, {simulations:,} | {parity.split('_')[0]} | {checks['isotonic']:.1f} | "
                                  f"{checks['firth']:.1f} | [{low:.1f}, {high:.1f}] |")
    text = " ".join(manual.split())
    if f"Of {count} curves" not in text or f"{outside} have a check outside the interval; the {len(wanted)} below" not in text:
        yield f"selfplay/docs/komi.md: of {count} curves {outside} have a check outside, {len(wanted)} of them in the table"
    yield from (f"selfplay/docs/komi.md: lacks {row}" for row in wanted if row not in manual)


def table_errors():
    """What the tables say otherwise than the documents."""
    top = os.path.join(results, "..", "..")
    with open(os.path.join(top, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    with open(os.path.join(top, "selfplay", "docs", "komi.md"), encoding="utf-8") as file:
        manual = file.read()
    for size in range(2, 11):
        board = f"hexhex-{size}"
        with open(os.path.join(results, f"{board}.json"), encoding="utf-8") as file:
            document = json.load(file)
        ladder = document["ladder"]
        if not any(part.endswith(f"| {proved_lead(document)} |") for part in rows(readme, board)):
            yield f"README.md: the row of {board} does not have {proved_lead(document)}"
        if size > 3 and not any(f"| {together(ladder[-1]['fair_komi'])} |" in part for part in rows(readme, board)):
            yield f"README.md: the row of {board} does not have {together(ladder[-1]['fair_komi'])}"
        for rung in ladder if size > 3 else ladder[-1:]:
            fair = rung["fair_komi"]
            row = (f"| {rung['simulations']:,} | {rung['games']:,} ({rung['distinct_games']:,}) | {value(fair['even'])} | "
                   f"{value(fair['odd_with_button'])} | {together(fair)} |")
            if not any(row in part for part in rows(manual, board)):
                yield f"selfplay/docs/komi.md: {board} does not have {row}"
    yield from checks_errors(manual)
    with open(os.path.join(top, "selfplay", "docs", "komi-runs.md"), encoding="utf-8") as file:
        yield from many_networks_errors(file.read())


def published_in(folder):
    """The path, the document and the games of each result in a folder."""
    paths = sorted(glob.glob(os.path.join(results, folder, "*.json")))
    assert paths, f"no results in {folder}"
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        lines = subprocess.run(["zstd", "-dcq", path.replace(".json", ".records.jsonl.zst")], capture_output=True,
                               text=True, check=True).stdout.splitlines()
        yield path, document, [json.loads(line) for line in lines]


def match_errors():
    """Matches whose games do not have the wins that the document counts."""
    for path, document, games in published_in("level-8"):
        black = sum(game["winner"] == "B" for game in games)
        if (len(games), black) != (document["games"], document["black_wins"]):
            yield f"{path}: {document['black_wins']} wins of Black are published, {black} of {len(games)} follow"


def book_errors():
    """Books whose positions do not have the games that they count. (To plan a book again would take a minute.)"""
    for path, document, games in published_in("books"):
        played = collections.Counter()
        for game in games:
            played[game["id"].split("-")[0], game["komi"], game["winner"]] += 1
        counted = collections.Counter()
        for book in document["books"]:
            for komi, count, black in (result for node in book["nodes"] for result in node["results"]):
                counted[book["parity"], komi, "B"] += black
                counted[book["parity"], komi, "W"] += count - black
        if len(games) != document["games"] or +counted != played:
            yield f"{path}: counts {document['games']} games, {len(games)} are there, or others at some komi"


def page_errors():
    """Numbers that nobody would write, in the page of all published results."""
    paths = [path for folder in ("", "books") for path in glob.glob(os.path.join(results, folder, "hexhex-*.json"))]
    done = subprocess.run([program, "report", "--out", "-", *sorted(paths)], capture_output=True, text=True)
    if done.returncode:
        yield f"report: {done.stderr.strip()}"
    text = re.sub(r"<(path|script)[^>]*>", "", done.stdout)
    for odd in sorted(set(re.findall(r"[^0-9a-z]-0(?:\.0)?(?![.0-9])|\bnan\b|\binf\b", text))):
        yield f"report: shows {odd!r}"


packed = sorted(glob.glob(os.path.join(results, "*.records.jsonl.zst")))
assert packed, f"no records in {results}"
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [line for lines in pool.map(check, packed) for line in lines]
wrong += [*table_errors(), *match_errors(), *book_errors(), *page_errors()]
print("\n".join(wrong[:20]) or f"{len(packed)} results follow from their games")
sys.exit(bool(wrong))
