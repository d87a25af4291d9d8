"""Defaults."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.values import LiteralNode, Located
from apigen.spec.paths import Condition, Path


@dataclass(frozen=True, slots=True)
class DefaultCase:
    """One case of a default: `value` (None of the literal clears) or `from_path`, when `when` holds.

    `into`: what `from_path` leads to becomes this member of a struct that is built for it.
    """

    place: Place
    value: LiteralNode | None
    from_path: Path | None
    when: Condition | None
    overwrite: bool = False
    by_key: bool = False
    empty_is_set: bool = False
    into: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class PathDefault:
    """An entry of a struct's `defaults:`."""

    path: Path
    cases: tuple[DefaultCase, ...]
