"""What a process has read of a file is read again only where it says something else, or where something was said of it."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.language.load import ReadOnce
from apigen.language.nodes import Context
from apigen.language.source import SourceFile


class Reader:
    """Reads a file as its own text, and counts how often."""

    def __init__(self, *, complains: bool = False) -> None:
        self.times = 0
        self._complains = complains

    def make(self, file: SourceFile, context: Context) -> str:
        self.times += 1
        if self._complains:
            context.report.error("AG0101", Place(file.name), "it is wrong")
        return file.text


def source(text: str, name: str = "v1.yaml") -> SourceFile:
    return SourceFile(Path(name), name, text)


def context() -> Context:
    return Context.of_run(Report())


def test_same_text_is_parsed_once() -> None:
    memory, reader = ReadOnce(), Reader()
    for text in ("a", "a", "b", "b", "a"):
        assert memory.value(str, source(text), context(), reader.make) == text
    assert reader.times == 3


def test_files_with_other_names_or_owners_are_read_again() -> None:
    memory, reader = ReadOnce(), Reader()
    memory.value(str, source("a"), context(), reader.make)
    memory.value(str, source("a", "v2.yaml"), context(), reader.make)
    memory.value(str, source("a"), context().inside("apps"), reader.make)
    assert reader.times == 3


def test_errors_are_reported_each_time() -> None:
    memory, reader = ReadOnce(), Reader(complains=True)
    reports = [Report(), Report()]
    for report in reports:
        memory.value(str, source("a"), Context.of_run(report), reader.make)
    assert [len(report.diagnostics) for report in reports] == [1, 1] and reader.times == 2
