"""Formats generated Python, as a step after generation, by the formatter that the project chooses."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.emit.output import OutputFile
from apigen.python.code import LINE_LENGTH

TARGET = "py311"
DEFAULT_FORMATTER = "ruff"
_SUFFIXES = (".py", ".pyi")
_AT_ONCE = 1000
"""Files of one call of ruff: their names have to fit on a command line of any system."""


class FormattingError(Exception):
    """The formatter does not accept the generated code, or cannot be run; the message says why."""


@dataclass(frozen=True, slots=True)
class Formatter:
    """A formatter by the name that the configuration gives it, and its installed version (empty for `none`)."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


def formatter_of(name: str) -> Formatter:
    """Return a formatter of `FORMATTERS` with its installed version."""
    return Formatter(name, "" if name == "none" else version(name))


def formatted(files: Sequence[OutputFile], formatter: Formatter, known: Mapping[str, bytes]) -> list[OutputFile]:
    """Return the files with their Python formatted.

    Args:
        files: the files as they were generated.
        formatter: how they are formatted.
        known: texts that are formatted already, by the digest (`OutputFile.digest`) of the generated text.

    Raises:
        FormattingError: the formatter fails.
    """
    new = [file for file in files if _is_formatted(file) and file.digest not in known]
    made = dict(zip((file.digest for file in new), FORMATTERS[formatter.name](new), strict=True))
    return [
        OutputFile(file.path, known.get(file.digest) or made[file.digest]) if _is_formatted(file) else file
        for file in files
    ]


def _is_formatted(file: OutputFile) -> bool:
    return file.path.endswith(_SUFFIXES) and not file.is_source


def _by_ruff(files: Sequence[OutputFile]) -> list[bytes]:
    """One process formats all files, in a folder of their own and under plain names: no configuration of the user is read."""
    from ruff import find_ruff_bin  # most runs change nothing, and start no formatter

    if not files:
        return []
    command = (
        *(find_ruff_bin(), "format", "--isolated", "--no-cache", "--quiet"),
        *("--line-length", str(LINE_LENGTH), "--target-version", TARGET),
    )
    with tempfile.TemporaryDirectory(prefix="apigen-format-") as name:
        places = [Path(name, f"{number}{Path(file.path).suffix}") for number, file in enumerate(files)]
        for place, file in zip(places, files, strict=True):
            place.write_bytes(file.content)
        for start in range(0, len(places), _AT_ONCE):
            some = [place.name for place in places[start : start + _AT_ONCE]]
            _run_ruff([*command, *some], name)
        return [place.read_bytes() for place in places]


def _run_ruff(command: list[str], folder: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise FormattingError(f"ruff cannot be run: {error.strerror or error}") from error
    if done.returncode:
        problem = f"exit code {done.returncode}: {done.stderr.strip()}"
        raise FormattingError(f"ruff failed with {problem}")


def _by_black(files: Sequence[OutputFile]) -> list[bytes]:
    import black  # takes longer to import than most runs take
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    def one(file: OutputFile) -> bytes:
        mode = black.Mode(target_versions={TargetVersion.PY311}, line_length=LINE_LENGTH)
        mode.is_pyi = file.path.endswith(".pyi")
        return black.format_str(file.content.decode(), mode=mode).encode()

    try:
        return [one(file) for file in files]
    except (InvalidInput, ValueError) as error:
        raise FormattingError(f"black does not accept the generated code: {error}") from error


def _not(files: Sequence[OutputFile]) -> list[bytes]:
    return [file.content for file in files]


FORMATTERS: Mapping[str, Callable[[Sequence[OutputFile]], list[bytes]]] = {
    "ruff": _by_ruff,
    "black": _by_black,
    "none": _not,
}
