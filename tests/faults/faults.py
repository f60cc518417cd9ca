#!/usr/bin/env python3
"""Lets each call of the C library in turn fail, in small runs of the commands, as SQLite is tested.

    faults.py STIGMERGY_FAULTS [--all | --sample] [--from] [--only COMMAND] [--call FUNCTION] [--jobs N]
    faults.py --self-test

STIGMERGY_FAULTS is the program whose calls can fail (calls.c, calls.txt). Each command runs undisturbed once, with a
journal of its calls. Then it runs once for each call that is to fail, in a new folder:
  - no signal, no report of a sanitizer, no hanging;
  - a non-zero status, not that of a wrong command line where memory has run out, and on standard error one line that
    names the cause, the last one; or success, with the files and the output of the undisturbed run, where TOLERATED says
    why. Instead of an answer, `gtp` and `analyze` may give an error that names the cause;
  - no temporary file is left;
  - the same command once more, with nothing that fails, goes on: every whole record of the disturbed run is still there,
    and the results are those of the undisturbed run.

Without --all, each place in the program that calls something fails twice: the first and the last time that it is reached.
That needs the fewest runs for the most error paths (tools/setup.sh faults). --from lets all later calls of the same
function fail too: a full disk, a machine without memory. --sample is what continuous integration runs: in each of the
COMMANDS one place that calls each of the NAMED functions, in all cases together one that calls each other function; every
other one fails from then on."""
import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

LIMIT = 120  # seconds that a disturbed command may take
TRIES = 20  # how many calls earlier a call may be replaced by one that is reached

# What names a cause: the texts of the errors that calls.c sets, or what our own messages say of memory.
CAUSE = re.compile(r"memory|Input/output error|No space left on device|Too many open files|Operation not permitted"
                   r"|Resource temporarily|Address already in use|cannot (read|write|open|start|make|listen)")

# (function, function of ours that called it): why the command may succeed all the same.
TOLERATED = {
    ("close", "file_read"): "the file was only read",
    ("close", "line_file_read"): "the file was only read",
    ("malloc", "network_cache_new"): "a network without its cache is slower and says the same",
    ("calloc", "network_cache_new"): "a network without its cache is slower and says the same",
    ("calloc", "solver_table_renew"): "the table is cleared instead of made anew",
    ("calloc", "solver_table_init"): "the same, where the function is not compiled in",
    ("realloc", "record_add"): "a line that cannot be read is read again, to name its number",
    ("realloc", "list_grow"): "the same, in a build that compiles no function into another",
    ("close", "gtp_input_free"): "the pipe of a thread that has ended",
    ("access", "file_exists"): "the file counts as there, and whoever reads it finds out",
    ("readlink", "executable_folder"): "without its data a program has no network that an output could replace",
    ("readlink", "file_follow_links"): "only a question ahead: the links are followed again for writing",
    ("stat", "file_is_stream"): "only a question ahead: writing looks again",
    ("stat", "file_is_folder"): "what is no folder is read as a file, and whoever reads it finds out",
    ("stat", "has_file"): "a set whose files cannot be seen is made again",
    ("stat", "dataset_hash_file"): "the same",
    ("SHA256File", "dataset_hash_file"): "the same",
    ("rmdir", "remove_empty"): "the folder is not empty",
    ("lseek", "line_file_append"): "it is only needed where the write fails too",
    ("close", "subprocess_start"): "an end of a pipe, in which nothing is kept",
    ("close", "subprocess_close_input"): "an end of a pipe, in which nothing is kept",
    ("close", "subprocess_end"): "an end of a pipe, in which nothing is kept",
    ("write", "write_quietly"): "an engine is told to quit, and ended in any case",
    ("read", "read_piece"): "what follows the command quit",
    ("read", "take_output"): "the same",
    ("poll", "read_piece"): "the same",
    ("malloc", "allocate"): "text of JSON that is not needed, for the result is the same",
    ("open", "become_keeper"): "the engine has our standard error instead of none",
    ("fcntl", "place_descriptors"): "the same",
    ("dup2", "place_descriptors"): "the same",
    ("waitid", "subprocess_wait"): "an engine is ended in any case",
    ("poll", "subprocess_wait"): "only a pause",
}

# Calls that a run may not make at all: whether it waits for another process depends on the moment.
BY_CHANCE = {("poll", "subprocess_wait")}

HELPERS = {"list_grow", "list_grow_bytes"}  # functions of headers: who has called them is meant

RUN = ["--memory", "1", "--threads", "1"]
KOMI = ["komi", "--size", "2", "--ladder", "2", "--games", "12", *RUN]
SELFPLAY = {"sizes": [{"size": 2, "weight": 1}], "simulations": 6, "games": 6, "rows": 40,
            "cheap": {"share": 0.5, "simulations": 2}, "openings": {"simulations": 2}, "player": {"memory_mb": 1}}
RECORDED = {**SELFPLAY, "openings": {**SELFPLAY["openings"], "from": "old", "share": 1}}
DATA = ["selfplay", "--config", "./selfplay.json", "--threads", "1"]
PLAYERS = ["--player", '{"name":"a","simulations":4}', "--player", '{"name":"b","simulations":2}']
ENGINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "fake_engine.sh")
TALK = "boardsize 2\nclear_board\nkomi 1\nplay b a1\ngenmove w\nshowboard\nlist_commands\nprintsgf\nquit\n"
MOVES = "a1\nhint\nscore\nwhy b2\nundo\nmoves\nsave game.sgf\nquit\n"
QUERIES = "".join(json.dumps(q) + "\n" for q in (
    {"id": "1", "moves": []}, {"id": "2", "moves": ["a1"], "maxSims": 4}, {"id": "3", "action": "query_version"}))


class Case:
    """A command: its arguments, its standard input, the commands that prepare its folder, and a file in it that is to be
    of another group."""

    def __init__(self, name, arguments, talk="", prepare=(), foreign=None):
        self.name, self.arguments, self.talk, self.prepare, self.foreign = name, arguments, talk, prepare, foreign


CASES = [
    Case("komi", [*KOMI, "--out", "run.json"]),
    Case("match", ["match", *PLAYERS, "--size", "3", "--komi", "3", "--games", "4", *RUN, "--out", "run.json"]),
    Case("engine", ["match", *PLAYERS[:2], "--player", f"gtp:{ENGINE} resign", "--size", "3", "--komi", "3", "--games", "4",
                    *RUN, "--out", "run.json"]),
    Case("openings", ["openings", "--game", "bug", "--size", "2", "--sims", "2", "--games", "12", *RUN,
                      "--out", "run.json"]),
    Case("book", ["book", "--size", "2", "--sims", "2", "--games", "20", "--leaf-games", "4", *RUN,
                  "--out", "run.json", "--sgf", "book.sgf"]),
    Case("selfplay", [*DATA, "--out", "set"]),
    Case("extended", [*DATA, "--out", "set", "--games", "8"], prepare=[[*DATA, "--out", "set"]]),
    Case("gather", ["merge", "set", "set.shard-0-of-2", "set.shard-1-of-2"],
         prepare=[[*DATA, "--out", "set", "--shard", f"{i}/2"] for i in range(2)]),
    Case("from", [*DATA, "--from", "old", "--out", "set"], prepare=[[*DATA, "--out", "old"]]),
    Case("recorded", ["selfplay", "--config", "./recorded.json", "--threads", "1", "--out", "set"],
         prepare=[[*DATA, "--out", "old"]]),
    Case("check", ["selfplay", "--check", "set"], prepare=[[*DATA, "--out", "set"]]),
    Case("merge", ["merge", "run.json", "run.shard-0-of-2.json", "run.shard-1-of-2.json"],
         prepare=[[*KOMI, "--out", "run.json", "--shard", f"{i}/2"] for i in range(2)]),
    Case("resume", [*KOMI, "--out", "run.json"],
         prepare=[["komi", "--size", "2", "--ladder", "2", "--games", "12", *RUN, "--out", "run.json"]],
         foreign="run.json"),
    Case("estimate", ["estimate", "run.json", "--out", "again.json"], prepare=[[*KOMI, "--out", "run.json"]]),
    Case("solve", ["solve", "--size", "2", "--memory", "1", "--json", "--out", "solved.json"]),
    Case("truth", ["truth", "--size", "2", "--count", "3", "--ladder", "2", *RUN, "--out", "truth.json"]),
    Case("report", ["report", "--out", "page.html", "run.json"], prepare=[[*KOMI, "--out", "run.json"]]),
    Case("gtp", ["gtp", "--size", "2", "--sims", "4", "--memory", "1"], TALK),
    Case("play", ["play", "--size", "2", "--sims", "4", "--memory", "1", "--komi", "1"], MOVES),
    Case("serve", ["serve", "--port", "0", "--sims", "4", *RUN]),
    Case("analyze", ["analyze", "--size", "2", "--sims", "4", *RUN], QUERIES),
]


RUNS = {"komi", "match", "openings", "book", "selfplay"}

# What the sample takes.
COMMANDS = {"komi", "match", "selfplay", "merge", "solve", "gtp", "analyze", "serve", "report"}
NAMED = {"malloc", "write", "fsync", "renameat", "openat", "open", "close"}


# ---- Results ----

CHANGING = {"started", "seconds", "machine", "timing"}


def settle(value):
    """Takes out of a document what differs from run to run."""
    if isinstance(value, dict):
        if "run.json" in [item for item in value.values() if isinstance(item, str)] and "sha256" in value:
            return {}  # the hash of a document with times
        return {key: settle(item) for key, item in value.items() if key not in CHANGING}
    return [settle(item) for item in value] if isinstance(value, list) else value


def results(folder):
    """What the files of a folder hold, by name."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            data = open(path, "rb").read()
            if name.endswith(".json"):
                try:
                    data = settle(json.loads(data))
                except ValueError:
                    pass
            found[os.path.relpath(path, folder)] = data
    return found


def records(folder):
    """The whole lines of all open record files."""
    lines = set()
    for name, data in results(folder).items():
        if name.endswith(".jsonl"):
            lines.update(data.split(b"\n")[:-1])
    return lines


def printed(output):
    """What a command prints, without times, and without what `hint` and `score` of `play` find in their second."""
    output = re.sub(rb"[0-9.]+ s\b|(?<=\"seconds\":)\s*[0-9.e-]+", b"", output)
    output = re.sub(rb"(?m)^ .* [0-9]+% .*", b"", output)
    return re.sub(rb"(Black|White)('s chance to win is| has a certain win).*", b"", output)


def difference(expected, found):
    """What differs between two results, in words, or None."""
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            return f"{name} is missing"
        if name not in expected:
            return f"{name} was left behind"
        if expected[name] != found[name]:
            return f"{name} is another one"
    return None


def compare_answers(case, output, expected):
    """Whether an answer is an error that names a cause, and what else differs from the undisturbed output, or None. In
    `gtp` and `play` the position may be another one behind a command that failed. Queries of `analyze` know nothing of
    each other."""
    if case.name == "play" and CAUSE.search(output.decode(errors="replace")):
        return True, None
    end = rb"\n\n" if case.name == "gtp" else rb"\n"
    found, expected = re.split(end, printed(output)), re.split(end, printed(expected))
    if case.name == "analyze":  # answers come in any order
        found, expected = sorted(found), sorted(expected)
    named = [case.talk and re.search(rb"^\? .*|\"error\":.*", answer) for answer in found]
    named = [bool(error and CAUSE.search(error[0].decode())) for error in named]
    if len(found) != len(expected):
        return any(named), f"it prints {len(found)} answers, not {len(expected)}"
    for answer, error, right in zip(found, named, expected):
        if error and case.name == "gtp":
            return True, None
        if answer != right and not error and not (case.name == "analyze" and answer in expected):
            return any(named), f"it prints '{answer.decode(errors='replace')[:200]}'"
    return any(named), None


# ---- Running ----

QUERY = {"id": "1", "size": 2, "moves": [], "maxSims": 4}
REQUESTS = [("GET", "/", None), ("GET", "/api/setup", None), ("GET", "/api/board/2", None),
            ("POST", "/api/position", {"size": 2, "moves": ["a1"]}), ("POST", "/api/komi", {"size": 2, "level": 1}),
            ("POST", "/api/save", {"format": "sgf", "size": 2, "nodes": []}),
            ("POST", "/api/load", {"text": "(;SZ[2]KM[1];B[a1])"}), ("POST", "/api/analysis", QUERY),
            ("POST", "/api/search", QUERY), ("GET", "/api/search/NAME", None), ("GET", "/api/search/NAME", None),
            ("DELETE", "/api/search/NAME", None)]


def ask(method, address, body):
    """The status and the text of an answer; None if none comes."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"} if data else {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except (OSError, http.client.HTTPException):
        return None


def visit(address):
    """Asks a server for all that it has. NAME stands for the search that was started."""
    answers, name = [], "none"
    for method, path, body in REQUESTS:
        answers.append(ask(method, address + path.replace("NAME", name), body))
        if path == "/api/search" and answers[-1] and answers[-1][0] == 200:
            name = json.loads(answers[-1][1])["search"]
    return answers


def is_blaming(status, text):
    """Whether an answer says that the body is wrong or too large, and not that something has failed."""
    return status in (400, 413) and not CAUSE.search(text.decode(errors="replace"))


def finish(server):
    """Waits for a server that answers nobody: perhaps it has failed, and is about to say why."""
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        pass


def serve(program, case, folder, **settings):
    """Starts the server, visits it twice, and ends it by SIGINT. What is not answered in one visit must be in the other:
    one call that failed harms one visitor. No answer may blame the request, which is right."""
    server = subprocess.Popen([program, *case.arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, **settings})
    answers = []
    silent = threading.Timer(LIMIT, server.kill)  # if it prints no address
    silent.start()
    try:
        address = server.stdout.readline().decode().strip().rstrip("/")
        if address:
            answers = [visit(address), visit(address)]
            if not any(answers[1]):
                finish(server)
            server.send_signal(signal.SIGINT)
        output, errors = server.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()
        return None
    finally:
        silent.cancel()
    status = 0 if server.returncode == 130 else server.returncode
    if status == 0 and not answers:
        status, errors = 1, b"it ends with success, without an address"
    empty = [request[1] for both in answers for request, answer in zip(REQUESTS, both)
             if answer and answer[0] == 200 and not answer[1] and request[0] == "POST"]
    if status == 0 and empty:
        status, errors = 1, b"an empty answer to " + empty[0].encode()
    once = not settings.get("FAULTS_AT", "").endswith("+")
    refused = [all(answer is None or answer[0] >= 400 for answer in both) for both in zip(*answers)]
    if status == 0 and once and any(refused):
        status, errors = 1, b"twice no answer: " + REQUESTS[refused.index(True)][1].encode()
    blaming = [answer for both in answers for answer in both if answer and is_blaming(*answer)]
    if blaming:
        status, errors = 1, b"it blames the request: " + blaming[0][1]
    return subprocess.CompletedProcess(case.arguments, status, output, errors)


def run(program, case, folder, arguments=None, **settings):
    if case.name == "serve":
        return serve(program, case, folder, **settings)
    try:
        return subprocess.run([program, *(arguments or case.arguments)], cwd=folder, capture_output=True, timeout=LIMIT,
                              input=b"" if arguments else case.talk.encode(), env={**os.environ, **settings})
    except subprocess.TimeoutExpired:
        return None


def give_away(path):
    """Gives a file to another group, so that who replaces the file must do so too (fchown). Not every user may."""
    groups = [1] if os.geteuid() == 0 else [group for group in os.getgroups() if group != os.getegid()]
    try:
        os.chown(path, -1, groups[0])
    except (IndexError, PermissionError):
        print("faults: skipped: fchown does not fail, for this user has no second group", flush=True)


def copy_folder(source, target):
    """Also the groups of the files."""
    def copy_file(source, target):
        shutil.copy2(source, target)
        os.chown(target, -1, os.stat(source).st_gid)
    shutil.copytree(source, target, copy_function=copy_file)


def make_folder(program, case, folder):
    os.makedirs(folder)
    for name, settings in (("selfplay", SELFPLAY), ("recorded", RECORDED)):
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(settings, file)
    for arguments in case.prepare:
        done = run(program, case, folder, arguments)
        if done.returncode:
            sys.exit(f"faults: cannot prepare {case.name}: {done.stderr.decode()}")
    if case.foreign:
        give_away(os.path.join(folder, case.foreign))


def callers(program, addresses):
    """The function that holds the call which returns to each address of the program: the byte before the address is the
    call's own, while at the address another function may begin that was compiled in."""
    calls = [hex(int(address, 16) - 1) for address in addresses]
    text = subprocess.run(["addr2line", "-a", "-f", "-i", "-e", program, *calls], capture_output=True, text=True).stdout
    stacks = [block.split("\n")[1::2] for block in re.split("^0x", text, flags=re.MULTILINE)[1:]]
    return {address: next((name for name in stack if name and name not in HELPERS), stack[0])
            for address, stack in zip(addresses, stacks)}


def judge(case, call, done, expected_output, expected, folder):
    """What is wrong with a disturbed run, or None."""
    if done is None:
        return "it hangs"
    text = done.stderr.decode(errors="replace")
    if done.returncode < 0 or "Sanitizer" in text or "runtime error" in text:
        return f"it crashes with status {done.returncode}: {text[-2000:]}"
    left = [name for name in results(folder) if name.endswith(".tmp")]
    if left:
        return f"it leaves {left[0]}"
    if done.returncode == 0:
        if case.name == "serve":
            return None  # `serve` has looked at the answers
        if case.name == "report" and any(b"out of memory" in data for data in results(folder).values()
                                         if isinstance(data, bytes)):
            return None  # the page says so where a chart is missing
        said, wrong = compare_answers(case, done.stdout, expected_output)
        if wrong:
            return f"success, but {wrong}"
        if not said and call[1:3] not in TOLERATED:
            return "it ends with success"
        if said and case.name == "play":
            return None  # it has said that a file was not written, and goes on
        wrong = difference(expected, results(folder))
        return wrong and f"success, but {wrong}"
    lines = re.split(r"[\r\n]+", text.strip())
    if not (lines[-1].startswith("stigmergy") and CAUSE.search(lines[-1])):
        return f"its last line names no cause: '{lines[-1]}'"
    if done.returncode == 2 and "out of memory" in lines[-1]:
        return f"its status says that the command line is wrong: '{lines[-1]}'"
    named = [line for line in lines if CAUSE.search(line)]
    return f"it names a cause {len(named)} times: {named}" if len(named) > 1 else None


def disturb(program, case, template, call, setting, expected_output, expected):
    """Runs a case with a call that fails; what is wrong, or None. How often a pipe is read depends on the moment: a run
    that makes fewer calls than the undisturbed one is run again, with an earlier call. Nothing fails in a run that makes
    none of the calls that are BY_CHANCE."""
    for number in range(call[0], max(0, call[0] - TRIES), -1):
        reached, wrong = disturb_once(program, case, template, call, setting.format(call[3], number), expected_output,
                                      expected)
        if reached:
            return wrong
    return None if call[1:3] in BY_CHANCE else "it is never reached"


def disturb_once(program, case, template, call, setting, expected_output, expected):
    """Whether the call that is to fail was reached, and what is wrong, or None."""
    with tempfile.TemporaryDirectory() as top:
        journal = os.path.join(top, "journal")
        folder = os.path.join(top, "run")
        copy_folder(template, folder)
        done = run(program, case, folder, FAULTS_AT=setting, FAULTS_LOG=journal)
        if done and done.returncode == 0 and not os.path.getsize(journal):
            return False, None
        return True, judge_all(program, case, call, done, expected_output, expected, folder)


def judge_all(program, case, call, done, expected_output, expected, folder):
    """What is wrong with a disturbed run, or with the one that goes on from it, or None."""
    wrong = judge(case, call, done, expected_output, expected, folder)
    if wrong:
        return wrong
    before = records(folder)
    again = run(program, case, folder)
    found = again and re.search(rb"going on after (\d+) games?", again.stderr)
    if before and case.arguments[0] in RUNS and case.name != "from" and int(found[1] if found else 0) < len(before):
        return f"{len(before)} games were finished, but it goes on after {found and int(found[1])}"
    if again is None or again.returncode:
        return f"it does not go on: {again and again.stderr.decode()}"
    if "set" not in case.arguments and before - records(folder):  # a data set packs its games
        return "a finished game is lost"
    wrong = difference(expected, results(folder))
    return wrong and f"after going on, {wrong}"


def journal_of(program, case, folder, path):
    done = run(program, case, folder, FAULTS_LOG=path)
    if done is None or done.returncode:
        sys.exit(f"faults: {case.name} fails undisturbed: {done and done.stderr.decode()}")
    calls, numbers = [line.split() for line in open(path)], collections.Counter()
    names = callers(program, sorted({place for _, place, _ in calls}))
    numbered = []
    for function, place, process in calls:
        if "gcov" in names[place]:  # which counts coverage, linked into the program
            continue
        numbers[place, process] += 1
        numbered.append((numbers[place, process], function, names[place], place))
    return done, list(dict.fromkeys(numbered))  # a new process begins anew


def choose(calls, everything, functions=None):
    """The calls that are to fail; of some functions, or of all."""
    last = {place: number for number, _, _, place in calls}
    return [call for call in calls
            if (everything or call[0] in (1, last[call[3]])) and (not functions or call[1] in functions)]


def sample(calls, case, seen):
    """Of the calls of a case one of each function that is due, another one in each case. `seen` are the functions that
    were due in a case before; it gets those of this case."""
    by_function = collections.defaultdict(list)
    for call in calls:
        by_function[call[1]].append(call)
    due = sorted(name for name in by_function if name not in seen or (name in NAMED and case.name in COMMANDS))
    seen.update(due)
    turn = [other.name for other in CASES].index(case.name)
    return [by_function[name][(7 * turn + i) % len(by_function[name])] for i, name in enumerate(due)]


def test_case(program, case, options, seen):
    """How many calls were to fail, and how many failed wrongly. `seen`: see sample."""
    with tempfile.TemporaryDirectory() as top:
        template, whole = os.path.join(top, "template"), os.path.join(top, "whole")
        make_folder(program, case, template)
        copy_folder(template, whole)
        done, calls = journal_of(program, case, whole, os.path.join(top, "journal"))
        expected = results(whole)
        chosen = choose(calls, options.all, options.call)
        if options.sample:
            chosen = sample(chosen, case, seen)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            def one(call):
                repeated = options.repeated or (options.sample and chosen.index(call) % 2)
                setting = "{} {}+" if repeated else "{} {}"
                return disturb(program, case, template, call, setting, done.stdout, expected)
            for call, wrong in zip(chosen, pool.map(one, chosen)):
                if wrong:
                    failed += 1
                    print(f"{case.name}: {call[1]} in {call[2]}, call {call[0]} from {call[3]}, fails: {wrong}", flush=True)
        print(f"{case.name}: {len(chosen)} of {len(calls)} calls failed, {failed} of them wrongly", flush=True)
        return len(chosen), failed


# ---- Self-test ----

def self_test():
    """The checks find what they are for."""
    class Done:
        def __init__(self, status, text):
            self.returncode, self.stderr, self.stdout = status, text.encode(), b""
    with tempfile.TemporaryDirectory() as folder:
        case, good = CASES[0], (1, "fsync", "fill", "0x1")
        def found(done, call=good, expected={}):
            return judge(case, call, done, b"", expected, folder)
        assert found(None) == "it hangs"
        assert "crashes" in found(Done(-11, ""))
        assert "crashes" in found(Done(1, "ERROR: AddressSanitizer: heap-use-after-free"))
        assert found(Done(0, "")) == "it ends with success"
        assert found(Done(0, ""), (1, "close", "file_read", "0x1")) is None
        assert "is missing" in found(Done(0, ""), (1, "close", "file_read", "0x1"), {"run.json": {}})
        assert "names no cause" in found(Done(1, "stigmergy komi: it failed\n"))
        assert "command line is wrong" in found(Done(2, "stigmergy komi: out of memory\n"))
        assert "2 times" in found(Done(1, 2 * "stigmergy komi: out of memory\n"))
        assert found(Done(1, "progress\rstigmergy komi: x: cannot write: Input/output error\n")) is None
        open(os.path.join(folder, "a.tmp"), "w").close()
        assert found(Done(1, "stigmergy komi: out of memory\n")) == "it leaves a.tmp"
    gtp, play, analyze = (next(case for case in CASES if case.name == name) for name in ("gtp", "play", "analyze"))
    assert compare_answers(gtp, b"= a\n\n= b\n\n", b"= a\n\n= b\n\n") == (False, None)
    assert compare_answers(gtp, b"= a\n\n= c\n\n", b"= a\n\n= b\n\n")[1] == "it prints '= c'"
    assert compare_answers(gtp, b"? out of memory\n\n= c\n\n", b"= a\n\n= b\n\n") == (True, None)
    assert compare_answers(gtp, b"? illegal\n\n= c\n\n", b"= a\n\n= b\n\n")[1]
    assert compare_answers(gtp, b"= a\n\n", b"= a\n\n= b\n\n")[1] == "it prints 2 answers, not 3"
    assert compare_answers(play, b"game.sgf: cannot write: x\n", b"The game is in game.sgf.\n") == (True, None)
    assert compare_answers(play, b"\n", b"The game is in game.sgf.\n")[1]
    assert compare_answers(analyze, b"2\n1\n", b"1\n2\n") == (False, None)
    assert compare_answers(analyze, b'{"error": "out of memory"}\n2\n', b"1\n2\n") == (True, None)
    assert compare_answers(analyze, b'{"error": "out of memory"}\n3\n', b"1\n2\n")[1] == "it prints '3'"
    assert is_blaming(413, b"the body is too large") and not is_blaming(503, b"") and not is_blaming(400, b"out of memory")
    assert settle({"seconds": 1, "a": [{"machine": 2, "b": 3}]}) == {"a": [{"b": 3}]}
    assert difference({"a": 1}, {"a": 1}) is None and difference({"a": 1}, {"a": 2}) and difference({}, {"a": 1})
    calls = [(1, "malloc", "f", "0x1"), (2, "malloc", "f", "0x1"), (3, "malloc", "f", "0x1"), (1, "free", "f", "0x2")]
    assert choose(calls, False) == [calls[0], *calls[2:]] and choose(calls, True) == calls
    assert choose(calls, False, ["free"]) == calls[3:]
    komi, match, check = (next(case for case in CASES if case.name == name) for name in ("komi", "match", "check"))
    seen = set()
    assert {call[1] for call in sample(calls, komi, seen)} == seen == {"malloc", "free"}
    assert [call[1] for call in sample(calls, match, seen)] == ["malloc"] and sample(calls, check, seen) == []
    assert {call[0] for case in CASES for call in sample(calls[:3], case, set())} == {1, 2, 3}
    assert COMMANDS <= {case.name for case in CASES}
    assert [disturb_fake(reached, "f") for reached in (0, 3, 5)] == ["it is never reached", None, None]
    assert BY_CHANCE <= set(TOLERATED) and disturb_fake(0, "subprocess_wait") is None
    assert serve_fake("exit 0").returncode == 1, "a server that ends without a word"
    assert serve_fake(FAKE_SERVER).stderr == b"an empty answer to /api/position"
    print("faults: the checks find what they are for")


FAKE_SERVER = """exec python3 -c '
import http.server, signal
signal.signal(signal.SIGINT, lambda *_: exit(0))
class Empty(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        if self.path == "/api/setup":
            self.wfile.write(b"{}")
    do_DELETE = do_GET
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        if self.path == "/api/search":
            self.wfile.write(b"{\\"search\\": \\"x\\"}")
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Empty)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()'
"""


def serve_fake(script):
    """What is found of a server that is this script."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        with open(program, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(program, 0o755)
        return serve(program, next(case for case in CASES if case.name == "serve"), folder)


def disturb_fake(reached, caller):
    """Lets call 5 of poll fail in a program whose function `caller` makes `reached` calls; what is wrong."""
    with tempfile.TemporaryDirectory() as top:
        program, template = os.path.join(top, "program"), os.path.join(top, "template")
        os.mkdir(template)
        with open(program, "w") as file:
            file.write(f"""#!/bin/sh
[ -n "$FAULTS_AT" ] || exit 0
: > "$FAULTS_LOG"
[ "${{FAULTS_AT#* }}" -le {reached} ] || exit 0
echo "poll 0x1 1" > "$FAULTS_LOG"
echo "stigmergy: out of memory" >&2
exit 1
""")
        os.chmod(program, 0o755)
        case = next(case for case in CASES if case.name == "solve")
        return disturb(program, case, template, (5, "poll", caller, "0x1"), "{} {}", b"", {})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--from", dest="repeated", action="store_true")
    parser.add_argument("--only", action="append", choices=[case.name for case in CASES])
    parser.add_argument("--call", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    program = os.path.abspath(options.program)
    seen = set()
    counts = [test_case(program, case, options, seen) for case in CASES if not options.only or case.name in options.only]
    if not any(chosen for chosen, _ in counts):
        sys.exit("faults: no such call was made, so none failed")
    if options.sample and not options.only and not NAMED <= seen:
        sys.exit(f"faults: nobody called {' '.join(sorted(NAMED - seen))}, expected that to fail in the sample")
    sys.exit(1 if any(failed for _, failed in counts) else 0)


if __name__ == "__main__":
    main()
