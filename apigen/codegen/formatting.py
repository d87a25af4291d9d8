"""Formats generated Python, as a step after generation, by the formatter that the project chooses."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from apigen.codegen.output import OutputFile
from apigen.codegen.python.source_text import LINE_LENGTH
from apigen.dataclass import dataclass

TARGET = "py311"
_SUFFIXES = (".py", ".pyi")
_AT_ONCE = 1000
"""Files of one call of ruff: their names must fit on a command line of any system."""


class FormattingError(Exception):
    """The formatter rejects the generated code, or cannot be run; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Formatter:
    """A formatter by its name in the configuration, and its installed version (empty for `none`)."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


def formatter_of(name: str) -> Formatter:
    """Return a formatter of `FORMATTERS` with its installed version."""
    return Formatter(name, "" if name == "none" else version(name))


@dataclass(frozen=True, slots=True)
class FormattedFiles:
    """The files of an output after formatting, and the formatted code by the digest of the generated code."""

    files: tuple[OutputFile, ...]
    by_digest: Mapping[str, bytes]


def format_files(
    files: Sequence[OutputFile], formatter: Formatter, known: Mapping[str, bytes] | None = None
) -> FormattedFiles:
    """Format the Python files that were generated; copied sources and other files are returned unchanged.

    Args:
        files: the generated files.
        formatter: the formatter.
        known: formatted code, by the digest (`OutputFile.digest`) of the generated code; it is not formatted again.

    Raises:
        FormattingError: the formatter fails.
    """
    generated = {file.digest: file for file in files if file.path.endswith(_SUFFIXES) and not file.is_source}
    digests = {file.path: digest for digest, file in generated.items()}
    code = {digest: known[digest] for digest in generated if known and digest in known}
    new = [digest for digest in generated if digest not in code]
    if new:
        code.update(zip(new, FORMATTERS[formatter.name]([generated[digest] for digest in new]), strict=True))
    done = (OutputFile(file.path, code[digests[file.path]]) if file.path in digests else file for file in files)
    return FormattedFiles(tuple(done), code)


def _by_ruff(files: Sequence[OutputFile]) -> list[bytes]:
    """One process formats all files, in a folder of their own and under plain names: no configuration of the user is
    read.
    """
    from ruff import find_ruff_bin

    command = (
        *(find_ruff_bin(), "format", "--isolated", "--no-cache", "--color", "never"),
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
    """Run ruff. The environment has no variables of ruff, such as `RUFF_OUTPUT_FORMAT`."""
    environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("RUFF_")}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, errors="replace", check=False)
    except OSError as error:
        raise FormattingError(f"ruff cannot be run: {error.strerror or error}") from error
    if done.returncode:
        problem, *_ = done.stderr.strip().splitlines() or [""]
        raise FormattingError(f"ruff failed with exit code {done.returncode}: {problem}".removesuffix(": "))


def _by_black(files: Sequence[OutputFile]) -> list[bytes]:
    import black  # its import takes longer than most runs
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    def one(file: OutputFile) -> bytes:
        is_stub = file.path.endswith(".pyi")
        mode = black.Mode(target_versions={TargetVersion.PY311}, line_length=LINE_LENGTH, is_pyi=is_stub)
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
