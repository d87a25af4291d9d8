"""A part of what `make kubernetes-evolution` prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Report:
    """What a section prints, and what is wrong: each a sentence."""

    lines: tuple[str, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A title, and what makes its report; `run` gets a folder in which it may unpack and build."""

    title: str
    run: Callable[[Path], Report]
