#!/usr/bin/env python3
"""Dependencies go one way: checks the includes of all sources and the calls between all object files, and where tests
stand.

    layers.py SOURCES [BUILD]     BUILD is the build folder, for the calls; without it only includes are checked
    layers.py --self-test         checks the checker, on small trees with one fault each
    layers.py --help              says this

What is wrong is listed, a line each, and the status is 1. The rules are these:
- A folder knows only folders that stand above it in ORDER; folders on one line do not know each other.
- A game is known to itself and to engine/games/registry.c alone.
- A header NAME_internal.h is for the files of its folder and of the folders below that. Headers that are for all do not
  include it.
- Each game and each kind of run has its name in ORDER.
- Files form no circle, neither of includes nor of calls. NAME.c and NAME.h count as one file. A NAME_internal.h is the
  inside of several files, each of which may include it; among these the calls tell who uses whom.
- Tests stand in the folder of what they test: tests/engine/solver/ for engine/solver/. They are free to include what
  they want.
"""
import os
import re
import subprocess
import sys
import tempfile

# Low to high. A name may also be that of a file, without its ending; the longest name that fits a file counts.
ORDER = """
    engine/base                     # errors, random numbers, bits, processors
    engine/board                    # cells and their neighbours
    engine/game                     # the interface that every game fills in
    engine/solver  engine/eval      # exact values; evaluators of leaves
    engine/games                    # what several games share
    engine/search  engine/games/bug  engine/games/sgolte  engine/games/stigmergy
    engine/games/registry           # knows the games by name

    selfplay/stats                  # knows no game
    selfplay/io                     # files, JSON
    selfplay/record                 # a game as text
    selfplay/players                # who plays, and one game between two
    selfplay/runs                   # many games: one lifecycle
    selfplay/runs/book  selfplay/runs/komi  selfplay/runs/match  selfplay/runs/openings  selfplay/runs/generate
    selfplay/runs/kinds             # knows them by name
    selfplay/runs/merge  selfplay/runs/reread
    selfplay/dataset                # rows for learning
    selfplay/truth                  # positions of known value
    selfplay/analysis               # what `analyze` and the board are made of

    tools/assets                    # files that are part of the program
    tools/cli                       # options
    tools/gtp  tools/play  tools/analyze  tools/report
    tools/serve                     # speaks the language of tools/analyze over HTTP
    tools/page                      # the same inside a page, without a server
    tools/commands
    tools/main
"""
TOPS = ("engine", "selfplay", "tools")
LEVEL = {name: level
         for level, line in enumerate(line.split("#")[0] for line in ORDER.splitlines())
         for name in line.split()}
GAMES = [name + "/" for name in LEVEL if re.fullmatch(r"engine/games/(?!registry)\w+", name)]


def room(path):
    """The name in ORDER under which a file stands."""
    stem = os.path.splitext(path)[0]
    names = [name for name in LEVEL if (stem + "/").startswith(name + "/")]
    return max(names, key=len, default=None)


def wrong_way(user, used):
    """Why `user` must not know `used`, or None."""
    here, there = room(user), room(used)
    if there is None or here is None:
        return f"{used if there is None else user} is in no folder of ORDER"
    if here != there and LEVEL[here] <= LEVEL[there]:
        return f"{here} does not know {there}"
    for game in GAMES:
        if used.startswith(game) and not user.startswith(game) and here != "engine/games/registry":
            return "a game is known to engine/games/registry.c alone"
    folder = os.path.dirname(used) + "/"
    if used.endswith("_internal.h") and not user.startswith(folder):
        return f"{used} is for {folder} alone"
    if used.endswith("_internal.h") and user.endswith(".h") and not user.endswith("_internal.h"):
        return f"{user} is for all, {used} is not"
    return None


def sources(root):
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes(root):
    """Pairs of files, the first of which includes the second, from all sources under `root`; and faults."""
    arrows, faults = set(), []
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for used in re.findall(r'^\s*#\s*include\s*"([^"]*)"', file.read(), re.M):
                if os.path.isfile(os.path.join(root, used)):
                    arrows.add((path, used))
                else:
                    faults.append(f'{path}: includes "{used}", which is no path from the root of the repository')
    return arrows, faults


def objects(root, build):
    """The sources of the object files in a build folder, by path of the object file; without files of deleted sources."""
    found = {}
    for folder, _, names in os.walk(build):
        target = re.search(r"(?:^|/)(engine|selfplay|tools)/CMakeFiles/\w+\.dir(.*)$", os.path.relpath(folder, build))
        for name in names if target else []:
            source = f"{target[1]}{target[2]}/{name.removesuffix('.o')}"
            if name.endswith(".c.o") and os.path.isfile(os.path.join(root, source)):
                found[os.path.join(folder, name)] = source
    return found


def calls(root, build):
    """Triples of two sources, the first of which uses what the second defines, and the symbol. What the page without a
    server (the targets page_...) defines in place of the program's own counts only where the program has none."""
    source_of = objects(root, build)
    if not source_of:
        return set()
    paths = sorted(source_of, key=lambda path: ("/page_" in path, path))
    listing = subprocess.run([os.environ.get("NM", "nm"), "-A", "-P", "-g", *paths],
                             check=True, capture_output=True, text=True).stdout
    defined, used = {}, []
    for line in listing.splitlines():
        path, symbol, kind = re.match(r"(.*\.o): (\S+) (\w)", line).groups()
        if kind in "Uw":
            used.append((source_of[path], symbol))
        else:
            defined.setdefault(symbol, source_of[path])
    return {(source, defined[symbol], symbol) for source, symbol in used if symbol in defined}


def circles(arrows):
    """The sets of files that include each other (the strongly connected components, after Tarjan)."""
    edges = {}
    for user, used in arrows:
        if user.endswith(".c") and used.endswith("_internal.h"):
            continue
        user, used = os.path.splitext(user)[0], os.path.splitext(used)[0]
        edges.setdefault(user, set())
        edges.setdefault(used, set())
        if user != used:
            edges[user].add(used)
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for used in sorted(edges[name]):
            if used not in index:
                visit(used)
                low[name] = min(low[name], low[used])
            elif used in stack:
                low[name] = min(low[name], index[used])
        if low[name] == index[name]:
            circle = stack[stack.index(name):]
            del stack[stack.index(name):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def strange_tests(root):
    """The folders of tests that have no counterpart."""
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(root, "tests", top)):
            counterpart = os.path.relpath(folder, os.path.join(root, "tests"))
            if names and not os.path.isdir(os.path.join(root, counterpart)):
                yield f"tests/{counterpart}: there is no {counterpart}"


def unlisted(root):
    """Folders of games and of kinds of runs that ORDER does not name: they would pass for what games or runs share."""
    for top in ("engine/games", "selfplay/runs"):
        folder = os.path.join(root, top)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if os.path.isdir(os.path.join(folder, name)) and f"{top}/{name}" not in LEVEL:
                yield f"{top}/{name}: is not in ORDER"


def check(root, build=None):
    if not any(sources(root)):
        return [f"{root}: has no sources in " + ", ".join(TOPS)]
    arrows, faults = includes(root)
    faults.extend(unlisted(root))
    faults.extend(strange_tests(root))
    for user, used in sorted(arrows):
        why = wrong_way(user, used)
        if why:
            faults.append(f"{user}: includes {used}: {why}")
    called = calls(root, build) if build else set()
    if build and not called:
        faults.append(f"{build}: no object files")
    for user, used, symbol in sorted(called):
        why = wrong_way(user, used)
        if why:
            faults.append(f"{user}: calls {symbol} of {used}: {why}")
    for circle in circles(arrows):
        faults.append("a circle of includes: " + ", ".join(circle))
    for circle in circles({(user, used) for user, used, _ in called}):
        faults.append("a circle of calls: " + ", ".join(circle))
    return faults


SELF_TESTS = [  # what is wrong, and files that make it so
    ("", {"engine/base/a.h": "", "engine/base/a.c": '#include "engine/base/a.h"\n#include <stdio.h>'}),
    ("engine/base does not know engine/game", {"engine/base/a.h": '#include "engine/game/b.h"', "engine/game/b.h": ""}),
    ("engine/eval does not know engine/solver", {"engine/eval/a.h": '#include "engine/solver/b.h"', "engine/solver/b.h": ""}),
    ("known to engine/games/registry.c alone", {"tools/main.c": '#include "engine/games/bug/b.h"', "engine/games/bug/b.h": ""}),
    ("", {"engine/games/registry.c": '#include "engine/games/bug/b.h"', "engine/games/bug/b.h": ""}),
    ("is for engine/base/ alone", {"tools/main.c": '#include "engine/base/b_internal.h"', "engine/base/b_internal.h": ""}),
    ("engine/base/a.h is for all", {"engine/base/a.h": '#include "engine/base/b_internal.h"', "engine/base/b_internal.h": ""}),
    ("", {"engine/base/a_internal.h": '#include "engine/base/b_internal.h"', "engine/base/b_internal.h": ""}),
    ("no path from the root", {"engine/base/a.h": '#include "b.h"', "engine/base/b.h": ""}),
    ("in no folder of ORDER", {"engine/attic/a.h": '#include "engine/base/b.h"', "engine/base/b.h": ""}),
    ("a circle of includes: tools/play/a, tools/play/b",
     {"tools/play/a.h": '#include "tools/play/b.h"', "tools/play/b.c": '#include "tools/play/a.h"', "tools/play/b.h": ""}),
    ("calls b of engine/game/b.c: engine/base does not know",
     {"engine/base/a.c": "void b(void); void a(void); void a(void) { b(); }",
      "engine/game/b.c": "void b(void); void b(void) {}"}),
    ("a circle of calls: tools/play/a, tools/play/b",
     {"tools/play/a.c": "void b(void); void a(void); void a(void) { b(); }",
      "tools/play/b.c": "void a(void); void b(void); void b(void) { a(); }"}),
    ("engine/games/attic: is not in ORDER", {"engine/games/attic/a.h": ""}),
    ("has no sources in engine", {"README.md": ""}),
    ("tests/engine/attic: there is no engine/attic",
     {"tests/engine/attic/test_a.c": "", "tests/engine/base/test_b.c": "", "engine/base/b.h": ""}),
]


def self_test():
    status = 0
    for expected, files in SELF_TESTS:
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
                with open(f"{root}/{path}", "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            compiled = [path for path, text in files.items() if "void" in text]
            for path in compiled:
                top, rest = path.split("/", 1)
                out = f"{root}/build/{top}/CMakeFiles/x.dir/{rest}.o"
                os.makedirs(os.path.dirname(out), exist_ok=True)
                subprocess.run([os.environ.get("CC", "cc"), "-c", f"{root}/{path}", "-o", out], check=True)
            faults = check(root, f"{root}/build" if compiled else None)
            if len(faults) != bool(expected) or expected not in "".join(faults):
                print(f"expected {[expected]}, got {faults}")
                status = 1
    return status


def main():
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        print(__doc__.strip())
        return 0
    if arguments == ["--self-test"]:
        return self_test()
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        print("layers.py: expected SOURCES [BUILD], --self-test or --help", file=sys.stderr)
        return 2
    faults = check(*arguments)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
