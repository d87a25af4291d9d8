"""Runs `apigen` in processes of its own, and projects to run it on."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryFile
from typing import NoReturn

import apigen as apigen_package
from apigen.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run left behind."""

    code: int
    out: str
    err: str


def environment(**changed: str) -> dict[str, str]:
    """The environment of a run: that of the tests, with what could change its output set."""
    changing = ("APIGEN", "PYTHON", "LC_", "LANG", "XDG_")
    plain = {key: value for key, value in os.environ.items() if not key.startswith(changing)}
    return {**plain, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLUMNS": "100", "HOME": _home().name, **changed}


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    """A home for all runs of a test process, where what one has compiled can help the next; removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="apigen-tests-")


def command(*words: str) -> list[str]:
    """The command line of a run."""
    return [sys.executable, "-P", "-m", "apigen", *words]  # -P: like the installed script, not from the folder


def apigen(folder: Path, *words: str, stdin: bytes = b"", **changed: str) -> Ran:
    """Run `apigen` in a folder, with some variables of its environment changed. Bytes of the output that are not UTF-8 are escaped.

    The process is a fork of this one, which has imported the commands: that takes a tenth of a new interpreter's time. Variables
    that an interpreter reads when it starts get a new one.
    """
    if any(name.startswith(_OF_INTERPRETERS) for name in changed):
        done = subprocess.run(
            command(*words),
            cwd=folder,
            env=environment(**changed),
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return _ran(done.returncode, done.stdout, done.stderr)
    (out, written_out), (err, written_err) = os.pipe(), os.pipe()
    with TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        child = _fork(words, folder, environment(**changed), (given.fileno(), written_out, written_err))
    os.close(written_out)
    os.close(written_err)
    with ThreadPoolExecutor(2) as threads:
        printed, told = threads.map(_read_all, (out, err))
    _, status = os.waitpid(child, 0)
    return _ran(os.waitstatus_to_exitcode(status), printed, told)


def printed_by(
    folder: Path, words: Sequence[str], variables: Mapping[str, str], *, without_stdout: bool = False
) -> bytes:
    """Run `apigen` likewise, with these variables only; return what it prints to stdout and stderr, in order."""
    out, written = os.pipe()
    with Path(os.devnull).open("r+b") as nothing:
        stdout = nothing.fileno() if without_stdout else written
        child = _fork(words, folder, variables, (nothing.fileno(), stdout, written))
    os.close(written)
    printed = _read_all(out)
    os.waitpid(child, 0)
    return printed


def _fork(words: Sequence[str], folder: Path, variables: Mapping[str, str], files: Sequence[int]) -> int:
    """Start a run in a fork of this process, with the files as its standard streams; return the number of the process."""
    _import_all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of pytest-xdist hold no lock that is needed
        child = os.fork()
    if child == 0:
        _run_forked(words, folder, variables, files)
    return child


def _read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()


@cache
def _import_all() -> None:
    """Import all modules, which commands import when they need them."""
    for module in walk_packages(apigen_package.__path__, "apigen."):
        if module.name != "apigen.__main__":
            import_module(module.name)


_OF_INTERPRETERS = ("PYTHON", "LC_", "LANG", "TZ")


def _ran(code: int, out: bytes, err: bytes) -> Ran:
    return Ran(code, out.decode(errors="backslashreplace"), err.decode(errors="backslashreplace"))


def _run_forked(words: Sequence[str], folder: Path, variables: Mapping[str, str], files: Sequence[int]) -> NoReturn:
    """Make a forked process like a new one, run the command, and end the process."""
    code: object = 70
    try:
        gc.freeze()  # objects of the tests are never collected, which would copy their pages
        for number, file in enumerate(files):
            os.dup2(file, number)
        for name in [name for name in sys.modules if name.partition(".")[0] in ("generated", "handwritten")]:
            del sys.modules[name]
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv = ["apigen", *words]
        text = partial(os.fdopen, encoding="utf-8", closefd=False)
        sys.stdin = text(0)
        sys.stdout = text(1, "w", errors="surrogateescape")
        sys.stderr = text(2, "w", 1, errors="backslashreplace")  # line by line, as Python opens it
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
        code = main(words)
    except SystemExit as error:
        code = error.code
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else code is not None)


def new_project(folder: Path) -> Path:
    """The project that `apigen init` makes."""
    ran = apigen(folder, "init", "project")
    assert ran.code == 0, ran.err
    return folder / "project"


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, but for what Python writes when it imports them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
