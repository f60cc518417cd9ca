#!/usr/bin/env python3
"""Uses `serve`, `analyze` and `gtp` for as long as asked, and fails if one of them grows, leaks or goes wrong.

    soak.py STIGMERGY [--minutes 60] [--round 30] [--seed 1]

One process of each runs all the time. The use comes in rounds. In a round, visitors play games in the browser's way, watch
analyses and go away in the middle, and send what no browser sends; an analysis client keeps many queries waiting and ends
some; a GTP client plays, takes back, analyses, saves and loads games. Every answer is checked for what it must be. After
each round everybody has gone. Then each process must have the descriptors and the threads of the first such rest, and
its memory is written down. A question with one right answer is asked after each round: the answer must stay the same.

The caches fill at first. So memory is compared between the second quarter of the time and the last one.
"""

import argparse
import http.client
import json
import os
import queue
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 120  # seconds for an answer, on a busy machine
STALL = 4  # seconds in which this program got no time: then the server may have closed connections that seemed silent
GROWTH = (0.06, 2.0)  # what the memory at rest may grow: a share, and MB beside it
RESTS = 8  # so many tell of memory: two in each quarter of the time
GAMES = [("stigmergy", size) for size in (2, 3, 4, 5)] + [("bug", 3), ("bug", 4), ("sgolte", 3), ("sgolte", 4)]


class Wrong(Exception):
    """Something that must not happen."""


def expect(good, what):
    if not good:
        raise Wrong(what)


# ---- The processes ----


class Program:
    """A process, with what the system says about it."""

    def __init__(self, name, command, **options):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
        self.peak = 0.0
        self.rests = []  # (memory in MB, descriptors, threads) of each rest

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key + ":"))

    def memory(self):
        return self.status("VmRSS") / 1024

    def now(self):
        return self.memory(), len(os.listdir(f"/proc/{self.process.pid}/fd")), self.status("Threads")

    def rest(self):
        """Waits until it has the descriptors and threads of the first rest again, and notes what it has. The first rest
        begins when they have not changed for five seconds: the last connections are closed by then."""
        end = time.monotonic() + 30
        found, since = self.now(), time.monotonic()
        while time.monotonic() < end:
            if found[1:] == self.rests[0][1:] if self.rests else time.monotonic() - since > 5:
                break
            time.sleep(0.1)
            now = self.now()
            since = since if now[1:] == found[1:] else time.monotonic()
            found = now
        self.rests.append(found)

    def check(self):
        """What is wrong with it by now."""
        expect(self.process.poll() is None, f"{self.name} ended with status {self.process.poll()}")
        for what, index in (("descriptors", 1), ("threads", 2)):
            first, last = self.rests[0][index], self.rests[-1][index]
            expect(last == first, f"{self.name} has {last} {what} at rest, {first} at first")

    def check_growth(self):
        quarter = len(self.rests) // 4
        before = statistics.median(rest[0] for rest in self.rests[quarter : 2 * quarter])
        after = statistics.median(rest[0] for rest in self.rests[-quarter:])
        print(f"{self.name}: {before:.1f} MB in the second quarter, {after:.1f} MB in the last")
        share, beside = GROWTH
        expect(after <= before * (1 + share) + beside, f"{self.name} grew from {before:.1f} to {after:.1f} MB")


# ---- The board in the browser ----


class Visitor:
    """Somebody at the page: requests to the server, from an address of their own."""

    def __init__(self, server, rng):
        self.host, self.port = server
        self.rng = rng
        self.source = (f"127.0.{rng.randrange(1, 5)}.{rng.randrange(1, 250)}", 0)

    def open(self):
        """A connection to the server."""
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE, source_address=self.source)

    def exchange(self, method, path, body=None):
        """The status of an answer, and its text."""
        connection = self.open()
        try:
            text = json.dumps(body) if body is not None else None
            connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def ask(self, method, path, body=None, status=200):
        found, data = self.exchange(method, path, body)
        expect(found == status, f"{path}: status {found}, expected {status}: {data[:200]}")
        return data

    def post(self, path, body, status=200):
        return json.loads(self.ask("POST", path, body, status))

    def analyse(self, query):
        """The last answer to a query of one position, as the page asks for it or as a stream."""
        query = dict(query, id="page")
        text = self.search(query) if self.rng.random() < 0.7 else self.ask("POST", "/api/analysis", query)
        events = text.decode().split("\n\n")
        answers = [json.loads(event[6:]) for event in events if event.startswith("data: ")]
        expect(answers and "error" not in answers[-1], f"an analysis without an answer: {answers}")
        return answers[-1]

    def search(self, query):
        """All answers of a search, which is asked for them until it ends."""
        place = "/api/search/" + self.post("/api/search", query)["search"]
        events = b""
        while True:
            status, data = self.exchange("GET", place)
            if status == 204:
                return events
            expect(status == 200, f"{place}: status {status}: {data[:200]}")
            events += data

    def add_turn(self, position, level):
        """Plays a turn of a level, action by action as the page does. False if the game is over."""
        actions = []
        while True:
            begun = dict(position, partialTurn=actions) if actions else position
            moves = self.analyse(dict(begun, level=level, maxSims=20))["moveInfos"]
            if not moves:
                return False
            actions = actions + [moves[0]["action"]]
            turn = self.post("/api/position", dict(position, partialTurn=actions))["completed"]
            if turn:
                position["moves"] = position["moves"] + [turn]
                return True

    def play(self, until):
        """A game against a level, with what the page asks meanwhile; saved and loaded in the end."""
        game, size = self.rng.choice(GAMES)
        position = {"game": game, "size": size, "moves": []}
        level = self.rng.randrange(1, 9)
        self.ask("GET", "/")
        self.ask("GET", "/api/setup")
        self.ask("GET", f"/api/board/{size}")
        if game == "stigmergy":
            position["komi"] = self.post("/api/komi", {"size": size, "level": level})["komi"]
        over = False
        while not over and time.monotonic() < until:
            over = not self.add_turn(position, level)
        self.keep(position, ("sgf", "list", "record") if over else ("sgf", "list"))

    def keep(self, position, formats):
        """Saves a game, and loads what was saved."""
        if not position["moves"]:
            return  # a list of no moves is no game
        nodes = [{"turn": turn} for turn in position["moves"]]
        for parent, node in enumerate(nodes):
            node["parent"] = parent
        root = {key: position[key] for key in ("game", "size", "komi") if key in position}
        for form in formats:
            saved = self.post("/api/save", dict(root, format=form, nodes=nodes))
            loaded = self.post("/api/load", {"text": saved["text"], "game": position["game"], "size": position["size"]})
            expect(len(loaded["nodes"]) >= len(nodes), f"a game of {len(nodes)} turns was loaded as {loaded}")

    def endless(self):
        """A query as a tab makes it that analyses."""
        game, size = self.rng.choice(GAMES)
        return {"id": f"tab-{self.rng.randrange(4)}", "game": game, "size": size, "keepTree": True, "maxTime": 100,
                "includeControl": True, "includePolicy": self.rng.random() < 0.5, "reportDuringSearchEvery": 0.02}

    def watch(self, until):
        """An analysis that is watched as the page does it, and ended, or forgotten with its tab."""
        status, data = self.exchange("POST", "/api/search", self.endless())
        expect(status in (200, 429), f"a search: status {status}: {data[:200]}")
        if status == 429:
            return
        place = "/api/search/" + json.loads(data)["search"]
        for _ in range(self.rng.choice((0, 1, 5, 30))):
            # It has ended (204, then 404) where the game is decided, or another tab of this name has begun.
            if time.monotonic() > until or self.exchange("GET", place)[0] != 200:
                break
        if self.rng.random() < 0.7:
            self.ask("DELETE", place)
            self.ask("GET", place, status=404)

    def watch_stream(self, until):
        """An analysis that is watched as a stream for a while, or not read at all, and left in the middle."""
        query = self.endless()
        connection = self.open()
        try:
            connection.request("POST", "/api/analysis", json.dumps(query), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            expect(answer.status in (200, 429), f"an analysis: status {answer.status}")
            for _ in range(self.rng.choice((0, 1, 5, 30))):
                if answer.status != 200 or time.monotonic() > until or not answer.readline():
                    break
            time.sleep(self.rng.choice((0, 0.05, 0.3)))
        finally:
            connection.close()

    def be_rude(self, _until):
        """What no browser sends."""
        wrong = [("POST", "/api/position", {"moves": ["zz"]}, 400), ("POST", "/api/save", {}, 400),
                 ("POST", "/api/load", {"text": "(;SZ[99])"}, 400), ("POST", "/api/analysis", {"id": 5}, 400),
                 ("POST", "/api/search", {"id": 5}, 400), ("GET", "/api/search/nobody", None, 404),
                 ("DELETE", "/api/search/nobody", None, 200), ("PUT", "/api/search/nobody", {}, 405),
                 ("GET", "/api/board/99", None, 400), ("GET", "/no/such/page", None, 404),
                 ("POST", "/api/load", {"text": "x" * 300000}, 400), ("PUT", "/api/load", {}, 405)]
        self.ask(*self.rng.choice(wrong))
        pieces = [b"", b"GET / HTT", b"\0\xff" * 200, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 2000,
                  b"POST /api/load HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{",
                  b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"GET /board.js HTTP/1.1\r\nHost: localhost\r\n\r\n"]
        with socket.create_connection((self.host, self.port), PATIENCE, self.source) as connection:
            try:
                connection.sendall(self.rng.choice(pieces))
            except OSError:
                pass  # it was closed on us, rightly
            time.sleep(self.rng.choice((0, 0.05)))


# ---- The analysis engine ----


class Analyst:
    """A client of `stigmergy analyze`."""

    def __init__(self, program, rng):
        self.program, self.rng = program, rng
        self.number = 0
        self.waiting = {}  # id: [final answers that are still due, the query, what takes an answer]
        self.change = threading.Condition()
        self.games = {}  # (game, size): turns of a game, as the engine expects it
        self.wrong = None
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, query, take, due=1):
        """Sends a query; take(query, answer) says whether an answer to it is right."""
        self.number += 1
        query["id"] = f"q{self.number}"
        with self.change:
            self.waiting[query["id"]] = [due, query, take]
        self.program.process.stdin.write(json.dumps(query) + "\n")
        self.program.process.stdin.flush()

    def read(self):
        for line in self.program.process.stdout:
            answer = json.loads(line)
            if answer.get("isDuringSearch"):
                continue
            with self.change:
                entry = self.waiting.get(answer.get("id"))
                if not entry or not entry[2](entry[1], answer):
                    self.wrong = f"not expected: {line[:300]} to {entry and entry[1]}"
                elif entry[0] > 1:
                    entry[0] -= 1
                else:
                    del self.waiting[answer["id"]]
                self.change.notify_all()

    def wait(self, most):
        """Until at most `most` queries wait."""
        with self.change:
            good = self.change.wait_for(lambda: self.wrong or len(self.waiting) <= most, PATIENCE)
            expect(not self.wrong, f"analyze: {self.wrong}")
            expect(good, f"analyze: no answer to {list(self.waiting)[:3]} in {PATIENCE} s")

    def take_search(self, query, answer):
        if answer.get("moveInfos"):
            known = query["moves"][: answer["turnNumber"]] + answer["moveInfos"][0]["pv"][:-1]
            self.games[(query["game"], query["size"])] = known
        return answer.get("noResults") or "moveInfos" in answer

    def send_search(self):
        """A query of the usual mixture."""
        game, size = self.rng.choice(GAMES)
        moves = self.games.get((game, size), [])[: self.rng.randrange(7)]
        query = {"game": game, "size": size, "moves": moves, "maxSims": self.rng.choice((1, 10, 100, 400))}
        for key, value in (("keepTree", True), ("includeControl", True), ("includePolicy", True), ("maxTime", 0.05),
                           ("priority", self.rng.randrange(9)), ("reportDuringSearchEvery", 0.01),
                           ("analyzeTurns", list(range(len(moves) + 1)))):
            if self.rng.random() < 0.3:
                query[key] = value
        self.send(query, self.take_search, len(query.get("analyzeTurns", [0])))

    def work(self, until):
        wrong = ({"moves": ["zz"]}, {"size": 99}, {"game": "chess"}, {"nonsense": 1}, {"moves": "x" * 100000}, {"action": "x"})
        is_error = lambda _query, answer: "error" in answer
        is_good = lambda _query, answer: "error" not in answer
        while time.monotonic() < until:
            self.wait(40)
            kind = self.rng.random()
            if kind < 0.1:
                self.send(dict(self.rng.choice(wrong)), is_error)
            elif kind < 0.2:
                self.send({"action": "terminate", "terminateId": f"q{self.number - self.rng.randrange(20)}"}, is_good)
            elif kind < 0.22:
                self.send({"action": self.rng.choice(("clear_cache", "query_version", "query_models", "terminate_all"))}, is_good)
            else:
                self.send_search()
        self.send({"action": "clear_cache"}, is_good)
        self.wait(0)

    def answer_to_all_time(self):
        """What must be the same at any time."""
        kept = {}
        take = lambda _query, answer: kept.update(answer) or "moveInfos" in answer
        self.send({"size": 4, "komi": 1, "maxSims": 60}, take)
        self.wait(0)
        return {key: value for key, value in kept.items() if key != "id"}


# ---- The GTP engine ----


class GtpUser:
    """A client of `stigmergy gtp`."""

    def __init__(self, program, rng, folder):
        self.program, self.rng = program, rng
        self.file = os.path.join(folder, "game.sgf")
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def line(self):
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Wrong(f"gtp: no answer in {PATIENCE} s") from None
        expect(line, "gtp: ended")
        return line

    def answer(self):
        text = self.line()
        expect(text[0] in "=?", f"gtp: no answer: {text}")
        while (line := self.line()) != "\n":
            text += line
        return text

    def send(self, command):
        self.program.process.stdin.write(command + "\n")
        self.program.process.stdin.flush()

    def ask(self, command, good=True):
        self.send(command)
        text = self.answer()
        expect(good is None or (text[0] == "=") == good, f"gtp: {command}: {text}")
        return text[0] == "=", text[1:].strip()

    def analyse(self, side):
        self.send(f"stigmergy-analyze {side} 2")
        for _ in range(2):
            self.line()  # the beginning of the answer, and a report: of a proven position there is only one
        self.send("name")
        while self.line() != "\n":
            pass
        expect("Stigmergy" in self.answer(), "gtp: no name after an analysis")

    def work(self, until):
        game, size = self.rng.choice(GAMES)
        self.ask(f"game {game}")
        self.ask(f"boardsize {size}")
        self.ask("clear_board")
        self.ask("time_settings 0 0.05 1" if self.rng.random() < 0.3 else "time_settings 0 1 0")
        for turn in range(200):
            if time.monotonic() > until:
                break
            side = self.ask("gogui-rules_side_to_move")[1]
            if not self.ask(f"genmove {side}", None)[0]:
                break  # the game is over
            kind = self.rng.random()
            if kind < 0.1:
                self.ask("undo")
            elif kind < 0.2:
                self.ask(self.rng.choice(("no_such_command", "play b z99", "boardsize 99", "loadsgf /no/such")), False)
            elif kind < 0.3:
                self.ask(f"printsgf {self.file}")
                self.ask(f"loadsgf {self.file}")
            elif kind < 0.4 and turn < 8:
                self.analyse(self.ask("gogui-rules_side_to_move")[1])
            self.ask(self.rng.choice(("showboard", "final_score", "all_legal b", "gogui-rules_board", "reg_genmove b",
                                      "stigmergy-levels", "cputime", "list_commands")), None)


# ---- Rounds ----


class Soak:
    def __init__(self, stigmergy, seed, folder):
        rng = random.Random(seed)
        talk = {"stdin": subprocess.PIPE}
        self.serve = Program("serve", [stigmergy, "serve", "--port", "0", "--memory", "8", "--threads", "2"])
        self.analyze = Program("analyze", [stigmergy, "analyze", "--memory", "8", "--threads", "2"], **talk)
        self.gtp = Program("gtp", [stigmergy, "gtp", "--sims", "30", "--memory", "8", "--threads", "2"], **talk)
        self.programs = [self.serve, self.analyze, self.gtp]
        address = self.serve.process.stdout.readline().strip().removeprefix("http://").rstrip("/").split(":")
        server = (address[0], int(address[1]))
        self.analyst = Analyst(self.analyze, random.Random(rng.random()))
        gtp_user = GtpUser(self.gtp, random.Random(rng.random()), folder)
        visit = lambda how: lambda until, rng=random.Random(rng.random()): how(Visitor(server, rng), until)
        self.workers = {"player 1": visit(Visitor.play), "player 2": visit(Visitor.play), "watcher 1": visit(Visitor.watch),
                        "watcher 2": visit(Visitor.watch_stream), "stranger": visit(Visitor.be_rude),
                        "analyst": self.analyst.work, "gtp user": gtp_user.work}
        self.done = dict.fromkeys(self.workers, 0)
        self.truth = None

    def repeat(self, name, until, errors):
        try:
            while time.monotonic() < until and not errors:
                self.workers[name](until)
                self.done[name] += 1
        except Exception as error:  # of any kind: an answer is not what it must be
            errors.append(f"{name}: {type(error).__name__}: {error}")

    def play_round(self, seconds):
        errors = []
        stalls = 0.0
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=self.repeat, args=(name, until, errors), daemon=True) for name in self.workers]
        for thread in threads:
            thread.start()
        while time.monotonic() < until + PATIENCE and any(thread.is_alive() for thread in threads):
            for program in self.programs:
                if program.process.poll() is None:
                    program.peak = max(program.peak, program.memory())
            before = time.monotonic()
            time.sleep(0.2)
            stalls = max(stalls, time.monotonic() - before)
        if errors and stalls > STALL:
            print(f"the machine stood still for {stalls:.0f} s: {'; '.join(errors)}", flush=True)
        else:
            expect(not errors, "; ".join(errors))
        expect(not any(thread.is_alive() for thread in threads), "somebody waits for an answer that does not come")
        answer = self.analyst.answer_to_all_time()
        self.truth = self.truth or answer
        expect(answer == self.truth, f"another answer to the same question: {answer}, expected {self.truth}")
        for program in self.programs:
            program.rest()

    def show(self, begin):
        cells = [f"{p.name} {p.rests[-1][0]:6.1f} MB (peak {p.peak:6.1f}), {p.rests[-1][1]} descriptors, "
                 f"{p.rests[-1][2]} threads" for p in self.programs]
        print(f"{(time.monotonic() - begin) / 60:5.1f} min | " + " | ".join(cells), flush=True)

    def run(self, minutes, seconds):
        begin = time.monotonic()
        self.play_round(seconds)
        while True:
            self.show(begin)
            for program in self.programs:
                program.check()
            if time.monotonic() >= begin + 60 * minutes:
                break
            self.play_round(seconds)
        print("done: " + ", ".join(f"{name} {count}" for name, count in self.done.items()) +
              f"; {self.analyst.number} queries of the analyst")
        return self.judge_memory()

    def judge_memory(self):
        """What the memory did, in words."""
        if len(self.serve.rests) < RESTS:
            return f"too short to tell of memory ({len(self.serve.rests)} of {RESTS} rests)"
        for program in self.programs:
            program.check_growth()
        return "flat memory"

    def end(self):
        for program in self.programs:
            program.process.kill()
            program.process.wait()


def main():
    parser = argparse.ArgumentParser(description="Long mixed use of serve, analyze and gtp.")
    parser.add_argument("stigmergy", help="the program")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--round", type=float, default=30, help="seconds of use between two rests")
    parser.add_argument("--seed", type=int, default=1, help="of what is asked (when it comes is chance)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(arguments.stigmergy, arguments.seed, folder)
        try:
            memory = soak.run(arguments.minutes, arguments.round)
        except Wrong as error:
            sys.exit(f"soak: {error}")
        finally:
            soak.end()
    print(f"soak: {memory}, no descriptor or thread leaked, all answers right")


if __name__ == "__main__":
    main()
