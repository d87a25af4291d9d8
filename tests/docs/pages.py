"""The examples of a page of documentation: files that it shows, and commands with what they print.

    ```yaml file=api-specs/example.com/v1.yaml     writes the file
    ```console                                     runs each line that begins with `$ `, and compares what it prints
    $ apigen verify
    ```

Lines that begin with `> ` continue a command. A page runs from top to bottom in one folder: an empty one, or a copy of
the project where the page says `<!-- examples run in this project -->`. A line `…` matches any lines. Other blocks
are not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tests.cli.running import printed_by

ROOT = Path(__file__).resolve().parents[2]
IN_THIS_PROJECT = "<!-- examples run in this project -->"
ANYTHING = "…"
SECONDS = 120

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_CONTINUED = re.compile(r">(?: |$)")
_PLAIN = re.compile(r"apigen(?P<arguments>(?: [\w./:=,@-]+)*)(?P<quiet> > /dev/null)?")
"""A command that needs no shell; it is run in a fork of the test process, in half of the time."""

_NOT_SHARED = {".git", ".venv", ".ci", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that a page tells its reader to write."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a page tells its reader to run, and what it prints."""

    line: int
    words: str
    printed: str


Step = ShownFile | Command


def pages() -> list[Path]:
    """Return all pages that may have examples."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def records() -> list[Path]:
    """Return the pages that tests and benchmarks write, with all the results that `docs/` sums up."""
    return [ROOT / "benchmarks" / "results.md", *sorted((ROOT / "tests" / "records").glob("*.md"))]


def steps(text: str) -> Iterator[Step]:
    """The examples of a page, in order."""
    for block in _BLOCK.finditer(text):
        language, _, option = block["info"].strip().partition(" ")
        lines = [line.removeprefix(block["indent"]) for line in block["body"].splitlines()]
        if option.startswith("file="):
            yield ShownFile(option.removeprefix("file="), "\n".join(lines) + "\n")
        elif language == "console":
            yield from _commands(lines, text.count("\n", 0, block.start("body")) + 1)


def _commands(lines: list[str], first: int) -> Iterator[Command]:
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        after = next((number for number in range(start + 1, end) if not _CONTINUED.match(lines[number])), end)
        words = [lines[start].removeprefix("$ "), *(line[2:] for line in lines[start + 1 : after])]
        yield Command(first + start, "\n".join(words), "\n".join(lines[after:end]).strip("\n"))


class Runner:
    """Runs the steps of one page, each where the one before left off."""

    def __init__(self, folder: Path, *, in_this_project: bool, python: Path | None = None) -> None:
        """With `python`, the programs are those of that environment instead of this one, without the code of this project."""
        self._python = python
        self._folder = folder / "project"
        self._state = folder / "folder"
        self._folder.mkdir()
        self._state.write_text(str(self._folder))
        if in_this_project:
            for entry in ROOT.iterdir():
                if entry.name not in _NOT_SHARED:
                    (self._folder / entry.name).symlink_to(entry)
        programs = folder / "programs"
        programs.mkdir()
        for name, arguments in {"apigen": "-m apigen ", "python": ""}.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{python or sys.executable}" {arguments}"$@"\n')
            program.chmod(0o755)
        self._environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
            **({"PYTHONPATH": str(ROOT)} if python is None else {}),
        }

    def take(self, step: Step) -> str:
        """Take a step; returns what a command printed, to stdout and stderr."""
        current = Path(self._state.read_text().strip())
        if isinstance(step, ShownFile):
            path = current / step.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
            return ""
        plain = None if self._python else _PLAIN.fullmatch(step.words)
        if plain is not None:
            words = plain["arguments"].split()
            printed = printed_by(current, words, self._environment, without_stdout=plain["quiet"] is not None)
            return printed.decode(errors="backslashreplace").strip("\n")
        script = f'{{ {step.words}\n}} 2>&1\npwd > "{self._state}"\n'
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=current,
            env=self._environment,
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
        return done.stdout.decode(errors="backslashreplace").strip("\n")


def agrees(printed: str, shown: str) -> bool:
    """Whether a command printed what the page shows, in which a line `…` matches any lines."""
    if ANYTHING not in shown.splitlines():
        return printed == shown
    pattern = "\n".join("*" if line == ANYTHING else _literally(line) for line in shown.splitlines())
    return fnmatchcase(f"\n{printed}\n", f"\n{pattern}\n") or fnmatchcase(printed, pattern)


def _literally(line: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", line)
