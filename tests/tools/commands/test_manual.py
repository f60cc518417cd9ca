"""Tests of the manual and of --help: test_manual.py BINARY FOLDER, where FOLDER has man1, man5 and man7.

Every command has a page with the options of its --help, and no others; the defaults that --help tells are what the
commands do; every field of a result document and every key of the installed settings is in a page; every command of the
Go Text Protocol is; the pages are well-formed."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BINARY, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CONFIGS = os.path.join(os.path.dirname(__file__), "../../../configs")
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
failures = []


def check(good, message):
    if not good:
        failures.append(message)
        print("FAILED:", message)


def run(*arguments, text="", status=0):
    """Standard output of the program."""
    environment = dict(os.environ, ARGP_HELP_FMT="rmargin=1000")
    result = subprocess.run([BINARY, *arguments], input=text, capture_output=True, text=True, env=environment)
    check(result.returncode == status, f"{arguments}: status {result.returncode}: {result.stderr}")
    return result.stdout


def commands():
    listed = run("--help").split("Commands:")[1].split("\n\n")[0]
    names = [line.split()[0] for line in listed.strip().splitlines()]
    return [name for name in names if name != "help"]


def read_page(name, section):
    with open(f"{FOLDER}/man{section}/{name}.{section}", encoding="utf-8") as file:
        return file.read()


def plain(roff):
    """Words of a page, without its markup."""
    text = re.sub(r"^\.(BR|RB|IR|RI|BI|B|I|TP|IP|SH|SS|RS|RE|PP|EX|EE)\b", "", roff, flags=re.M)
    text = re.sub(r"\\f[BIRP]", "", text)
    return text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "").replace("\\(dq", '"').replace("\\(aq", "'")


def help_options(command):
    """{"--size=N": "Cells a side ..."} as --help tells them."""
    options = {}
    for line in run(command, "--help").splitlines():
        found = re.match(r" {2,6}(?:-\w, )?(--[a-z-]+(?:=\S+)?)(.*)", line)
        if found:
            name, text = found.groups()
            options[name] = text.strip()
        elif line.startswith(" " * 20) and options:
            options[name] = (options[name] + " " + line.strip()).strip()
        elif not line.strip() or not line.startswith(" "):
            continue
    return options


def page_options(page):
    """The same from a manual page."""
    section = page.split('.SH OPTIONS\n')[1].split("\n.SH ")[0]
    options = {}
    for entry in section.split(".TP\n")[1:]:
        head, text = entry.split("\n", 1)
        name = re.search(r"--[a-z-]+(=\S+)?", plain(head)).group()
        options[name] = " ".join(plain(text.split("\n.SS")[0]).split()).removesuffix(".")
    return options


def default_of(command, option):
    """The default that --help tells, as a word."""
    for name, text in help_options(command).items():
        if name.split("=")[0] == option:
            found = re.search(r"\(default:? ([^,;)]+)", text)
            return found.group(1) if found else None
    return None


def test_pages():
    names = commands()
    check(len(names) == 16, f"{len(names)} commands, expected 16")
    main = plain(read_page("stigmergy", 1))
    for command in names:
        page = read_page(f"stigmergy-{command}", 1)
        for section in SECTIONS:
            check(f"\n.SH {section}\n" in page or f'\n.SH "{section}"\n' in page, f"{command}: no section {section}")
        check(f"stigmergy-{command} (1)" in main, f"stigmergy(1) does not list {command}")
        check("@" not in page, f"{command}: a mark is left in the page")
        told, written = help_options(command), page_options(page)
        check(len(told) > 3, f"{command}: no options found in --help")
        for name in sorted(set(told) | set(written)):
            check(told.get(name) == written.get(name),
                  f"{command} {name}: --help says {told.get(name)!r}, the page {written.get(name)!r}")
        for name, text in told.items():
            if "=" in name and name.split("=")[0] not in ("--player", "--from", "--check", "--shards"):
                check("(default" in text or "required" in text, f"{command} {name}: no default")
    pages = {os.path.basename(path) for path in glob.glob(f"{FOLDER}/man?/*")}
    expected = {"stigmergy.1", "stigmergy-player.5", "stigmergy-record.5", "stigmergy-rules.7"}
    check(pages == expected | {f"stigmergy-{command}.1" for command in names}, f"other pages than expected: {pages}")


def test_lint():
    pages = glob.glob(f"{FOLDER}/man?/*")
    tools = {"man": ["man", "--warnings", "-E", "UTF-8", "-l"], "mandoc": ["mandoc", "-T", "lint", "-W", "warning"]}
    for tool, command in tools.items():
        if not shutil.which(tool):
            print(f"manual: skipped: {tool} is not installed, it has not looked at the pages")
            continue
        for page in pages:
            result = subprocess.run([*command, page], capture_output=True, text=True, env=dict(os.environ, MANWIDTH="100"))
            complaints = result.stderr + (result.stdout if tool == "mandoc" else "")
            check(result.returncode == 0 and not complaints, f"{page}: {complaints}")


# ---- What the commands do without the option against what --help tells ----


def number_of(command, option):
    return float(default_of(command, option))


def expect(command, option, value):
    told = default_of(command, option)
    check(float(told) == value, f"{command} {option}: default {told}, but it is {value}")


def document_of(work, command, *arguments):
    """What a run of the command writes."""
    path = f"{work}/{command}{len(os.listdir(work))}.json"
    run(command, "--out", path, *arguments)
    with open(path) as file:
        return json.load(file)


def test_default_costs():
    processors = len(os.sched_getaffinity(0))
    for command in ("book", "komi", "openings"):
        cost = run(command, "--dry-run")
        check(f"{processors} games side by side" in cost and "hexhex-5" in cost, f"{command} --dry-run: {cost}")
        games = int(default_of(command, "--games")) * (2 if command == "book" else 1)
        check(f"{games} games of" in cost, f"{command} --dry-run: {cost}")
        threads = default_of(command, "--threads")
        check(threads == "one for each processor", f"{command} --threads: {threads}")
        expect(command, "--size", 5)


def test_default_rounds(work):
    documents = {command: document_of(work, command, "--size", "2", "--games", "2")
                 for command in ("book", "komi", "openings")}
    for command, document in documents.items():
        expect(command, "--sims", document["player"]["simulations"])
        expect(command, "--memory", document["player"]["memory_mb"])
        expect(command, "--seed", float(document["seed"]))
        check(default_of(command, "--game") == document["game"], f"{command} --game")
    book, komi = documents["book"]["settings"], documents["komi"]["settings"]
    for option, key in (("--leaf-games", "leaf_games"), ("--solver-nodes", "solver_nodes"), ("--nodes", "nodes")):
        expect("book", option, book[key])
    check(default_of("book", "--parity") == book["parity"], f"book --parity: {book['parity']}")
    check(komi["komi_range"] == [-7, 7], f"komi --komi-range: {komi['komi_range']}")
    expect("openings", "--komi", 0)


def test_default_match(work):
    match = document_of(work, "match", "--size", "4", "--sims", "1", "--player", "default", "--player", "default")
    expect("match", "--games", match["games"])
    expect("match", "--komi", match["komi"])
    expect("match", "--openings", match["openings"]["turns"])
    expect("match", "--opening-limit", match["openings"]["limit"])
    expect("match", "--grace", match["settings"]["grace"])
    expect("match", "--patience", match["settings"]["patience"])
    expect("match", "--seed", float(match["seed"]))


def test_default_set(work):
    run("selfplay", "--sims", "1", "--games", "1", "--out", f"{work}/one")
    with open(f"{work}/one/manifest.json") as file:
        one = json.load(file)
    expect("selfplay", "--rows", one["rows_a_shard"])
    size = one["settings"]["sizes"][0]
    expect("selfplay", "--size", size["size"])
    expect("selfplay", "--seed", float(one["settings"]["seed"]))
    check(size["komi"] == "auto" and "even" in default_of("selfplay", "--komi"), "selfplay --komi")
    check(default_of("selfplay", "--license") == one["license"], "selfplay --license")
    many = run("selfplay", "--discard", "--size", "2", "--memory", "4", "--sims", "1")
    check(many.startswith(f"{default_of('selfplay', '--games')} games"), f"selfplay --games: {many}")
    run("selfplay", "--size", "2", "--games", "1", "--out", f"{work}/full")
    with open(f"{work}/full/manifest.json") as file:
        expect("selfplay", "--sims", json.load(file)["settings"]["player"]["simulations"])


def test_default_values(work):
    bench = json.loads(run("bench", "--json", "--seconds", "0.01"))
    expect("bench", "--size", bench["size"])
    expect("bench", "--komi", bench["komi"])
    expect("bench", "--threads", bench["search"]["threads"])
    solved = json.loads(run("solve", "--json", "--time", "0.01", "--memory", "16"))
    expect("solve", "--size", solved["size"])
    truth = document_of(work, "truth", "--count", "3", "--memory", "4")
    expect("truth", "--size", truth["size"])
    expect("truth", "--seed", float(truth["seed"]))
    ladder, efforts = default_of("truth", "--ladder"), [effort["simulations"] for effort in truth["efforts"]]
    check(ladder == "1" and efforts == [1, 30, 200], f"truth --ladder: {ladder}, {efforts}")


def test_default_sessions():
    answer = json.loads(run("analyze", text='{"id": "a", "moves": [], "includeControl": true}\n'))
    expect("analyze", "--sims", answer["rootInfo"]["sims"])
    check(len(answer["control"]) == 61 and number_of("analyze", "--size") == 5, "analyze --size")
    answers = run("gtp", text="all_legal b\ngogui-rules_game_id\n").split("=")
    check(len(answers[1].split()) == 61 and number_of("gtp", "--size") == 5, f"gtp --size: {answers}")
    check(answers[2].strip().lower() == default_of("gtp", "--game"), f"gtp --game: {answers}")
    check(f"hexhex-{default_of('play', '--size')}" in run("play", "--side", "b", text="quit\n"), "play --size")


def test_default_efforts():
    """Memory and level cannot be read from a result: an explicit default must change nothing."""
    moves = "genmove b\ngenmove w\n" * 12  # the first ones follow from the network alone
    for option in ("--sims", "--memory", "--seed", "--threads"):
        value = number_of("gtp", option)
        check(run("gtp", text=moves) == run("gtp", option, f"{value:.0f}", text=moves), f"gtp {option}: not {value}")
    check(run("gtp", text=moves) != run("gtp", "--sims", "3", text=moves), "gtp --sims changes nothing")
    lines = "e5\nf5\nd5\nquit\n"
    level = f"{number_of('play', '--level'):.0f}"
    arguments = ("play", "--komi", "4", "--seed", "1", "--ascii")
    check(run(*arguments, text=lines) == run(*arguments, "--level", level, text=lines), f"play --level: not {level}")


# ---- Fields, keys and commands ----


def keys_of(value):
    if isinstance(value, dict):
        return set(value) | set().union(*(keys_of(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(keys_of(item) for item in value))
    return set()


def test_keys(work):
    """Every field of a document and every key of settings is in the page of its command, or in a page it points to."""
    words = lambda *pages: set(re.findall(r"[A-Za-z_][\w-]*|0\.5|\d", " ".join(plain(read_page(*page)) for page in pages)))
    player = ("stigmergy-player", 5)
    documents = {"book": ["--size", "2", "--sims", "2", "--games", "90", "--leaf-games", "4", "--solver-nodes", "0"],
                 "komi": ["--size", "2", "--ladder", "2,4", "--games", "4"],
                 "openings": ["--game", "bug", "--size", "2", "--sims", "2", "--games", "4"],
                 "match": ["--size", "4", "--sims", "2", "--games", "4", "--sprt", "0,5", "--player", "default",
                           "--player", "level-1"]}
    for command, arguments in documents.items():
        path = f"{work}/keys-{command}.json"
        run(command, "--out", path, *arguments)
        with open(path) as file:
            keys = keys_of(json.load(file))
        known = words((f"stigmergy-{command}", 1), ("stigmergy-komi", 1), ("stigmergy-record", 5), player)
        check(len(keys) > 30 and keys <= known, f"stigmergy-{command}(1) lacks fields: {sorted(keys - known)}")
        with open(f"{work}/keys-{command}.records.jsonl") as file:
            keys = keys_of(json.loads(file.readline()))
        check(keys <= words(("stigmergy-record", 5)), f"stigmergy-record(5) lacks keys: {sorted(keys)}")
    solved = json.loads(run("solve", "--size", "2", "--memory", "16", "--all-moves", "--json"))
    check(keys_of(solved) <= words(("stigmergy-solve", 1)) | {"build", "games", "version", "name"},
          "stigmergy-solve(1) lacks fields")
    path = f"{work}/keys-truth.json"
    run("truth", "--size", "2", "--sims", "1", "--count", "9", "--out", path)
    with open(path) as file:
        keys = keys_of(json.load(file))
    known = words(("stigmergy-truth", 1), ("stigmergy-komi", 1), player)
    check(len(keys) > 30 and keys <= known, f"stigmergy-truth(1) lacks fields: {sorted(keys - known)}")
    path = f"{work}/made.jsonl"
    run("truth", "--make", path, "--size", "2", "--turns", "0", "--games", "1", "--sims", "1")
    with open(path) as file:
        keys = set().union(*(keys_of(json.loads(line)) for line in file))
    check(len(keys) > 20 and keys <= known, f"stigmergy-truth(1) lacks fields: {sorted(keys - known)}")
    bench = keys_of(json.loads(run("bench", "--json", "--threads", "2", "--seconds", "0.01")))
    check(bench <= words(("stigmergy-bench", 1)), f"stigmergy-bench(1) lacks fields: {bench}")
    answer = keys_of(json.loads(run("analyze", text='{"id": "a", "size": 3, "moves": [], "maxSims": 9}\n')))
    check(answer <= words(("stigmergy-analyze", 1)), f"stigmergy-analyze(1) lacks fields: {answer}")
    for path in glob.glob(f"{CONFIGS}/*/*.json"):
        kind = os.path.basename(os.path.dirname(path))
        if kind in documents or kind == "selfplay":
            with open(path) as file:
                keys = keys_of(json.load(file))
            known = words((f"stigmergy-{kind}", 1), player)
            check(keys <= known, f"{path}: {sorted(keys - known)} are not in stigmergy-{kind}(1)")
        elif kind == "players":
            with open(path) as file:
                keys = keys_of(json.load(file))
            check(keys <= words(player), f"{path}: {sorted(keys - words(player))} are not in stigmergy-player(5)")


def test_gtp_commands():
    names = run("gtp", text="list_commands\n").removeprefix("=").split()
    page = plain(read_page("stigmergy-gtp", 1))
    check(len(names) > 25, f"gtp: {names}")
    for name in names:
        check(re.search(rf"(^|[ ,\"]){re.escape(name)}($|[ \",])", page, re.M), f"stigmergy-gtp(1) does not have {name}")


def test_same_answers():
    """All texts about the analysis engine say of the same fields that answers vary with them."""
    with open(os.path.join(CONFIGS, "../tools/docs/analysis.md"), encoding="utf-8") as file:
        texts = {"analysis.md": file.read(), "--help": run("analyze", "--help"),
                 "stigmergy-analyze(1)": plain(read_page("stigmergy-analyze", 1))}
    said = ("With maxSims and without maxTime clock keepTree reportDuringSearchEvery and firstReportDuringSearchAfter "
            "the same query gets the same answer")
    for name, text in texts.items():
        check(said in " ".join(re.findall(r"\w+", text)), f"{name} does not say: {said}")


with tempfile.TemporaryDirectory() as folder:
    test_pages()
    test_lint()
    test_default_costs()
    test_default_rounds(folder)
    test_default_match(folder)
    test_default_set(folder)
    test_default_values(folder)
    test_default_sessions()
    test_default_efforts()
    test_keys(folder)
    test_gtp_commands()
    test_same_answers()
print(f"{len(failures)} failures" if failures else "all passed")
sys.exit(bool(failures))
