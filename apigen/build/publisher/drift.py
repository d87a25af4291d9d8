"""The differences between an output folder and the files that a run would write."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from apigen.build.publisher.output_folder import MANIFEST_NAME, Manifest, Obstacle, Survey, describe
from apigen.build.publisher.writer import recover
from apigen.codegen.output import OutputFile, has_mark
from apigen.dataclass import dataclass

NOTHING = "/dev/null"


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that differs from the generated one.

    Attributes:
        path: the file.
        found: its bytes; `None` if it is missing; else a description of the object at its path.
        expected: the bytes that a run would write; None if it would remove the file.
    """

    path: str
    found: bytes | None | Obstacle
    expected: bytes | None

    def unified_diff(self) -> str:
        """Return the difference in the format of `diff -u`; for binary files and line endings, a line that they differ."""
        before = f"a/{self.path}" if self.found is not None else NOTHING
        after = f"b/{self.path}" if self.expected is not None else NOTHING
        if isinstance(self.found, Obstacle):
            at = "" if self.found.path == self.path else f"{self.found.path} is "
            return f"--- {before}\n+++ {after}\n{self.path}: {at}{self.found.reason}\n"
        old, new = _text(self.found), _text(self.expected)
        if old is None or new is None:
            return f"Binary files {before} and {after} differ\n"
        if old != new and old.replace("\r\n", "\n") == new:
            return f"Line endings of {before} and {after} differ: CRLF and LF\n"
        lines = list(difflib.unified_diff(_lines(old), _lines(new), before, after))
        return "".join(_ended(lines)) if lines else f"--- {before}\n+++ {after}\n"


def compare(files: Sequence[OutputFile], root: Path) -> tuple[Difference, ...]:
    """Return the differences of an output folder from the result of `publish`, by path. Raises PublishError if it cannot be
    read.

    A different manifest counts only if there is no other difference. A formatter other
    than the recorded one is not a difference if it gives the same output.
    """
    recover(root)
    root = root.resolve()
    try:
        return tuple(_differences(files, root))
    except OSError as error:
        raise describe(error, f"compare the output in {root}") from error


def _differences(files: Sequence[OutputFile], root: Path) -> Iterator[Difference]:
    survey = Survey(root)
    listed = Manifest.read(root)
    expected = {file.path: file.content for file in files}
    is_clean = True
    for path in sorted(expected.keys() | listed.files.keys()):
        present = survey.look(path)
        content = expected.get(path)
        if present != content and (content is not None or _is_stale(path, present, listed)):
            is_clean = False
            yield Difference(path, present, content)
    if is_clean and (expected or listed.files):
        present = survey.look(MANIFEST_NAME)
        content = Manifest.of(expected, listed.formatter).to_bytes()
        if present != content:
            yield Difference(MANIFEST_NAME, present, content)


def _is_stale(path: str, found: bytes | None | Obstacle, listed: Manifest) -> bool:
    return isinstance(found, bytes) and (listed.has(path, found) or has_mark(found))


def _text(content: bytes | None) -> str | None:
    """Return the content as text, or `None` if it is not valid UTF-8."""
    try:
        text = (content or b"").decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line feeds; no other character ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _ended(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
