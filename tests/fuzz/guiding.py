"""What guides the fuzzer: the lines of the package that a document reaches, and the errors that it gets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import CodeType, FrameType
from typing import Any

from tests.fuzz.packages import Document

MOST_KEPT = 4000
LARGEST_KEPT = 1 << 16
TRACED = 12
"""Where every line that is run has its price (before Python 3.12), one document of so many is traced."""


class Coverage:
    """The lines of a package that were reached."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._seen: set[tuple[CodeType, int]] = set()
        self._is_cheap = hasattr(sys, "monitoring")
        if self._is_cheap:
            self._monitor()

    def __len__(self) -> int:
        return len(self._seen)

    def _monitor(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        tool = monitoring.COVERAGE_ID

        def line(code: CodeType, number: int) -> Any:
            if code.co_filename.startswith(self._folder):
                self._seen.add((code, number))
            return monitoring.DISABLE

        monitoring.use_tool_id(tool, "apigen fuzzer")
        monitoring.register_callback(tool, monitoring.events.LINE, line)
        monitoring.set_events(tool, monitoring.events.LINE)

    @property
    def held_bytes(self) -> int:
        """The size of what is kept of the lines, besides their code."""
        each = next(iter(self._seen), None)
        return sys.getsizeof(self._seen) + len(self._seen) * (sys.getsizeof(each) + sys.getsizeof(1 << 20))

    @contextmanager
    def traced(self) -> Iterator[None]:
        """Notice the lines that are reached in the block; from Python 3.12 on they are noticed anyway."""
        if self._is_cheap:
            yield
            return

        def line(frame: FrameType, event: str, _: object) -> Any:
            if event == "line":
                self._seen.add((frame.f_code, frame.f_lineno))
            return line

        def call(frame: FrameType, event: str, _: object) -> Any:
            return line if frame.f_code.co_filename.startswith(self._folder) else None

        previous = sys.gettrace()
        sys.settrace(call)
        try:
            yield
        finally:
            sys.settrace(previous)


class Corpus:
    """Documents to mutate: those at the start, and those that did something new."""

    def __init__(self, documents: list[Document]) -> None:
        self._first = {suffix: [d for d in documents if d.suffix == suffix] for suffix in {d.suffix for d in documents}}
        self._kept: dict[str, list[Document]] = {suffix: [] for suffix in self._first}
        self._features: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

    @property
    def held_bytes(self) -> int:
        """The size of the documents that were kept, and of what distinguishes them."""
        documents = (document for kept in self._kept.values() for document in kept)
        sizes = (sys.getsizeof(document) + sys.getsizeof(document.data) for document in documents)
        return sum(sizes) + sys.getsizeof(self._features) + sum(map(sys.getsizeof, self._features))

    def pick(self, suffix: str, random: Random) -> Document:
        """One of the start, or one that was kept."""
        kept = self._kept[suffix]
        return random.choice(kept if kept and random.random() < 0.4 else self._first[suffix])

    def add(self, document: Document, feature: str, new_lines: int, random: Random) -> None:
        """Keep a document if it reached new lines, or got an error or became an object for the first time."""
        is_new = feature not in self._features
        self._features.add(feature)
        if (is_new or new_lines) and len(document.data) <= LARGEST_KEPT:
            kept = self._kept[document.suffix]
            if len(kept) < MOST_KEPT:
                kept.append(document)
            else:
                kept[random.randrange(len(kept))] = document
