#!/usr/bin/env python3
"""Prints the branch coverage of a build with gcov's counts, and fails if it is too low.

    coverage.py BUILD FOLDER[=LEAST]...     such as build/coverage selfplay/io=90 selfplay/record=90

For each file in the folders, and for each folder: the branches, the share that was taken, the lines that ran. A branch
is what gcov counts: each way out of a condition, per compiled copy of a line. Nothing is left out: no markers, no lists.
LEAST is the share of branches, in percent, that a folder must have in all."""
import collections
import json
import os
import subprocess
import sys


def counts(build, folders):
    """For each source file: the times that each branch was taken, by line and place, and that each line ran."""
    branches, lines = collections.defaultdict(dict), collections.defaultdict(collections.Counter)
    for top, _, names in os.walk(os.path.join(build)):
        notes = [name for name in names if name.endswith(".gcno")]
        if not notes or not any(f"/{folder.split('/')[0]}/" in top + "/" for folder in folders):
            continue
        for name in notes:
            done = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", name], cwd=top,
                                  capture_output=True, text=True)
            for text in done.stdout.splitlines():
                for file in json.loads(text)["files"]:
                    path = os.path.relpath(os.path.realpath(os.path.join(build, file["file"])))
                    if not any(path.startswith(folder + "/") for folder in folders):
                        continue
                    for line in file["lines"]:
                        lines[path][line["line_number"]] += line["count"]
                        for i, branch in enumerate(line["branches"]):
                            key = line["line_number"], i
                            branches[path][key] = branches[path].get(key, 0) + branch["count"]
    return branches, lines


def share(values):
    values = list(values)
    return 100 * sum(value > 0 for value in values) / len(values) if values else 100.0


def print_row(name, branches, lines):
    print(f"{name:50} {len(branches):6} {share(branches):6.1f}% {share(lines):6.1f}%")


def main():
    build, wanted = sys.argv[1], [argument.partition("=") for argument in sys.argv[2:]]
    folders, least = [folder.rstrip("/") for folder, _, _ in wanted], [float(share or 0) for _, _, share in wanted]
    branches, lines = counts(build, folders)
    if not lines:
        sys.exit(f"coverage: {build} holds no counts of these folders")
    print(f"{'':50} {'branches':>6} {'taken':>6} {'lines':>7}")
    for path in sorted(lines):
        print_row(path, branches[path].values(), lines[path].values())
    low = []
    for folder, bound in zip(folders, least):
        within = [path for path in lines if path.startswith(folder + "/")]
        taken = [b for path in within for b in branches[path].values()]
        print_row(f"{folder}/ in all", taken, [n for path in within for n in lines[path].values()])
        if share(taken) < bound:
            low.append(f"{folder} {share(taken):.1f}%, expected {bound:g}%")
    if low:
        sys.exit(f"coverage: too few branches: {'; '.join(low)}")


if __name__ == "__main__":
    main()
