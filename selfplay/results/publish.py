#!/usr/bin/env python3
"""Publishes results of `stigmergy komi`: puts them into this folder, and what the program has to know into configs/fair.

    publish.py RESULT.json...     with RESULT.records.jsonl beside each

This folder gets hexhex-N.json and its games, packed (hexhex-N.records.jsonl.zst). configs/fair/GAME-N.json gets the part
`fair_komi`, unless the board is solved: the computer names and judges komi by it. The test known_komi compares both.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FAIR = os.path.join(HERE, "..", "..", "configs", "fair")


def write(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def publish(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    name = f"hexhex-{document['size']}"
    write(os.path.join(HERE, name + ".json"), document)
    subprocess.run(["zstd", "-19", "-q", "-f", os.path.splitext(path)[0] + ".records.jsonl",
                    "-o", os.path.join(HERE, name + ".records.jsonl.zst")], check=True)
    if "exact" in document:
        return  # configs/exact has it
    write(os.path.join(FAIR, f"{document['game']}-{document['size']}.json"),
          {"source": f"selfplay/results/{name}.json", "version": document["program"]["version"],
           "simulations": document["player"]["simulations"],
           "status": document.get("convergence", {}).get("status", "one effort"), "fair_komi": document["fair_komi"]})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for result in sys.argv[1:]:
        publish(result)
