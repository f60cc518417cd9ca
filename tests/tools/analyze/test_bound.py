#!/usr/bin/env python3
"""The memory of what waits in `stigmergy analyze`: test_bound.py BINARY. A search without end holds the only thread, while
queries come through a pipe as fast as they are taken. They take about the 256 MB of tools/analyze/session.h, then no more
are taken."""
import json
import os
import subprocess
import sys
import time

BOUND = 256  # MiB
TURNS = 60
PATIENCE = 60  # seconds in which nothing more is taken, before the bound is near

ENDLESS = {"id": "e", "maxTime": 1000, "firstReportDuringSearchAfter": 0.01}
QUERY = {"id": "q", "maxSims": 1, "moves": [f"{'abcdefghij'[i // 10]}{i % 10 + 1}" for i in range(TURNS)],
         "analyzeTurns": list(range(TURNS + 1))}


def memory_of(process):
    """In MiB."""
    with open(f"/proc/{process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def feed(pipe, line):
    """Writes a line, if the pipe takes it; a short one is taken whole or not at all."""
    try:
        return os.write(pipe, line) > 0
    except BlockingIOError:
        time.sleep(0.01)
        return False


def fill(process, before):
    """Feeds the program until it takes nothing for a second. The memory that it has taken since it had `before`."""
    pipe, line = process.stdin.fileno(), json.dumps(QUERY).encode() + b"\n"
    os.set_blocking(pipe, False)
    most, last = before, time.monotonic()
    while time.monotonic() - last < (1 if most - before > 0.8 * BOUND else PATIENCE):
        memory = memory_of(process)
        if feed(pipe, line) or memory > most:
            most, last = max(most, memory), time.monotonic()
        assert most - before < 1.2 * BOUND, f"what waits takes {most - before:.0f} MiB, expected {BOUND}"
    return most - before


def main():
    with subprocess.Popen([sys.argv[1], "analyze", "--size", "10", "--threads", "1", "--memory", "1"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            os.write(process.stdin.fileno(), json.dumps(ENDLESS).encode() + b"\n")
            assert b'"isDuringSearch":true' in process.stdout.readline()
            taken = fill(process, memory_of(process))
            assert taken > 0.8 * BOUND, f"what waits takes {taken:.0f} MiB, expected {BOUND}"
        finally:
            process.kill()
    print(f"analyze: what waits takes {taken:.0f} MiB")


if __name__ == "__main__":
    main()
