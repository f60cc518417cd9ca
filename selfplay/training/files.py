"""Reading what others hand over: where it cannot be read, the program ends with one line that says what was expected."""

import contextlib
import json
import os
import sys


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
