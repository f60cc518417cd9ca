"""Reading what others hand over: where it cannot be read, the program ends with one line that says what was expected.
Writing files whole, and alone.
"""

import contextlib
import fcntl
import importlib.util
import json
import os
import signal
import sys


def expect_pytorch():
    """Ends the program where this Python cannot train. For the beginning of one, before it loads PyTorch."""
    for module in ("numpy", "torch"):
        if importlib.util.find_spec(module) is None:
            sys.exit(f"{os.path.basename(sys.argv[0])}: {sys.executable} has no module '{module}', expected a Python with "
                     "NumPy and PyTorch, such as Debian's /usr/bin/python3 with python3-torch")


def explain(error):
    """What is wrong with a file, from what reading it raised."""
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno} is not valid JSON" if error.doc else "it is empty"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, MemoryError):
        return "out of memory"
    return getattr(error, "strerror", None) or "it is damaged, or of another kind"


@contextlib.contextmanager
def reading(path, expected):
    """Within it a file is read, in whatever format."""
    try:
        yield
    except Exception as error:  # each format has its own
        sys.exit(f"{path}: cannot read: {explain(error)}, expected {expected}")


def read_json(path, expected):
    with reading(path, expected), open(path, encoding="utf-8") as file:
        return json.load(file)


def data_set(folder):
    """What is expected of the files of a data set."""
    return f"a data set that is finished; 'stigmergy selfplay --check {folder}' names what is wrong"


def read_lines(path):
    """The objects of a file with one in each line. Lines that a full disk has torn are left out."""
    with open(path, "rb") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    yield value


@contextlib.contextmanager
def writing(path):
    """Within it a file is written: what the system refuses names that file, which write and fsync do not."""
    try:
        yield
    except OSError as error:
        error.filename = path
        raise


def write_whole(path, content):
    """Writes the bytes of a file: all of them, or nothing."""
    with writing(path):
        with open(path + ".new", "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)


def append(file, content):
    """Adds bytes to a file that `lock` has opened. A full disk may leave a part of them there."""
    with writing(file.name):
        while content:
            content = content[file.write(content):]


def lock(path, busy):
    """The file, opened to add to it by one process; ends the program with the line `busy` where another one has it."""
    file = open(path, "a+b", buffering=0)  # with a buffer, closing the file would write again after a failure
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        sys.exit(busy)
    return file


def make_folder(path):
    if os.path.exists(path) and not os.path.isdir(path):
        sys.exit(f"--out {path}: is a file, expected a folder")
    os.makedirs(path, exist_ok=True)


def start(main):
    """Runs a program, whose exit status main returns. Where the system refuses something, a line says what."""
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
