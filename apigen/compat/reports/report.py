"""What a format of reports is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apigen.compat.reports.summary import Summary


@dataclass(frozen=True, slots=True)
class Style:
    """What a reader's terminal can show. `width` is None for files; `verbose` asks for what hurts nobody, too."""

    colour: bool = False
    width: int | None = None
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what `--format` calls it, what it is for, and its printer."""

    name: str
    title: str
    render: Callable[[Summary, Style], str]
