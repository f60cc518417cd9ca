"""selfplay/results/publish.py, copied into an empty tree: a result of one effort, and one whose games are missing.

    test_publish.py STIGMERGY PUBLISH      the program, publish.py"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

program, script = sys.argv[1:]


def publish(folder, result):
    command = [sys.executable, f"{folder}/selfplay/results/publish.py", result]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


with tempfile.TemporaryDirectory() as folder:
    results, result = f"{folder}/selfplay/results", f"{folder}/hexhex-4.json"
    os.makedirs(results)
    os.makedirs(f"{folder}/configs/fair")
    shutil.copy(script, results)
    subprocess.run([program, "komi", "--size", "4", "--sims", "2", "--games", "20", "--memory", "4", "--out", result],
                   check=True, capture_output=True)
    assert publish(folder, f"{folder}/none.json") == (1, f"{folder}/none.json: cannot read or write: No such file or "
                                                         "directory\n")
    os.rename(f"{folder}/hexhex-4.records.jsonl", f"{folder}/kept")
    status, said = publish(folder, result)
    assert status == 1 and said.endswith("expected the games of " + result + "\n") and said.count("\n") == 1, said
    assert os.listdir(results) == ["publish.py"] and not os.listdir(f"{folder}/configs/fair")
    os.rename(f"{folder}/kept", f"{folder}/hexhex-4.records.jsonl")
    assert publish(folder, result) == (0, "")
    assert sorted(os.listdir(results)) == ["hexhex-4.json", "hexhex-4.records.jsonl.zst", "publish.py"]
    with open(f"{folder}/configs/fair/stigmergy-4.json", encoding="utf-8") as file:
        fair = json.load(file)
    with open(result, encoding="utf-8") as file:
        assert fair["fair_komi"] == json.load(file)["fair_komi"]
    assert fair["simulations"] == 2 and fair["status"] == "one effort"
