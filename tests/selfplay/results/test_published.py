"""The published results of fair-komi runs follow from their published games: `stigmergy estimate` makes the same documents.

    test_published.py STIGMERGY RESULTS      the program, the folder selfplay/results

Numbers may differ in the last digits, for another compiler or processor rounds in other ways."""
import concurrent.futures
import glob
import json
import os
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


packed = sorted(glob.glob(os.path.join(results, "*.records.jsonl.zst")))
assert packed, f"no records in {results}"
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [line for lines in pool.map(check, packed) for line in lines]
print("\n".join(wrong[:20]) or f"{len(packed)} results follow from their games")
sys.exit(bool(wrong))
