"""A file of the output: where it goes and what is in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file relative to the output folder, with `/`."""

    path: str
    content: bytes


def text_file(path: str, text: str) -> OutputFile:
    """A file of text, in UTF-8."""
    return OutputFile(path, text.encode())
