#!/usr/bin/env python3
"""Publishes results of `stigmergy komi`: puts them into this folder, and what the program has to know into configs/fair.

    publish.py RESULT.json...     with RESULT.records.jsonl beside each, or a result of this folder

This folder gets RESULT.json and its games, packed (RESULT.records.jsonl.zst). For a RESULT named hexhex-N, unless the
board is solved, configs/fair/GAME-N.json gets the part `fair_komi` of the highest rung with at most 3,200 simulations:
the computer names and judges komi by it. Its strongest level has 1,600.
The test known_komi compares both.
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FAIR = os.path.join(HERE, "..", "..", "configs", "fair")
MOST = 3200  # simulations


def publish(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    name = os.path.splitext(os.path.basename(path))[0]
    is_fair = name == f"hexhex-{document['size']}" and "exact" not in document
    ladder = document.get("ladder") or [{**document, "simulations": document["player"]["simulations"]}]
    rungs = [rung for rung in ladder if rung["simulations"] <= MOST] if is_fair else []
    if is_fair and not rungs:
        sys.exit(f"{path}: has no rung of {MOST} simulations or fewer, expected one for {FAIR}")
    if not os.path.samefile(os.path.dirname(os.path.abspath(path)), HERE):
        records = os.path.splitext(path)[0] + ".records.jsonl"
        if not os.path.exists(records):
            sys.exit(f"{records}: is missing, expected the games of {path}")
        subprocess.run(["zstd", "-19", "-q", "-f", records, "-o", os.path.join(HERE, name + ".records.jsonl.zst")],
                       check=True)
        shutil.copyfile(path, os.path.join(HERE, name + ".json"))
    if not is_fair:
        return
    with open(os.path.join(FAIR, f"{document['game']}-{document['size']}.json"), "w", encoding="utf-8") as file:
        json.dump({"source": f"selfplay/results/{name}.json", "version": document["program"]["version"],
                   "simulations": rungs[-1]["simulations"],
                   "status": document.get("convergence", {}).get("status", "one effort"),
                   "fair_komi": rungs[-1]["fair_komi"]}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for result in sys.argv[1:]:
        try:
            publish(result)
        except OSError as error:
            sys.exit(f"{error.filename}: cannot read or write: {error.strerror}")
